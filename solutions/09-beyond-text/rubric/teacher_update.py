"""The rubric of teacher_update: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
from allyouneed.check.drivers.teacher_student import sizes

from coursegrader.rubric import Exercise

from ._shared import writer

exercise = Exercise(
    "teacher_update",
    points={"the teacher's parameters": 2, "nothing else": 2},
    section="teacher-update",
    driver="teacher_student",
    forbid=("AveragedModel", "update_parameters", "get_ema_avg_fn", "get_ema_multi_avg_fn", "ExponentialMovingAverage"),
    compact=True,
    mistakes={
        "momentum-swapped": ("The momentum is exchanged: the teacher takes the share m from the student. It keeps m of itself, and takes 1 − m.",
                             "teacher-update"),
        "wrong-shares": ("The two shares do not sum to 1. The new value is m · teacher + (1 − m) · student.", "teacher-update"),
        "wrong-sign": ("The teacher moves away from the student. It must move towards it: m · teacher + (1 − m) · student.", "teacher-update"),
        "momentum-ignored": ("The momentum has no effect: the teacher is copied, averaged or moved by a fixed share. Its new value is m · teacher + (1 − m) · "
                             "student.", "teacher-update"),
        "other-momentum": ("A parameter moves by a share other than 1 − momentum: the momentum is changed before it is used, or a parameter "
                           "is moved more than once. Each moves once; parameters() goes through inner modules by itself.", "teacher-update"),
        "teacher-unchanged": ("The teacher has not moved. p = m * p + ... only gives a new value to the name p. Change the parameter itself, in place: mul_, "
                              "add_, copy_ or lerp_.", "teacher-update"),
        "copy-changed": ("A copy has moved, the teacher itself has not. Change the module that was given.", "teacher-update"),
        "student-changed": ("The student's parameters are not what they were. The update reads the student, and changes the teacher alone.",
                            "teacher-update"),
        "roles-swapped": ("The student has moved towards the teacher. It is the other way round: the teacher follows.", "teacher-update"),
        "student-switched": ("The student is frozen, or in another mode, after the update, so its training would stop. Leave it as it is.", "teacher-update"),
        "buffers-averaged": ("The teacher's buffers are averaged too. Only parameters move: use parameters() instead of state_dict(), and leave batch statistics "
                             "and counters alone.", "teacher-update"),
        "buffers-copied": ("The student's buffers are copied into the teacher, or back. Only parameters move; buffers stay as they are.", "teacher-update"),
        "some-parameters": ("Only some of the parameters have moved. All do: weights and biases, those of inner modules, and those that do not train.",
                            "teacher-update"),
        "skips-frozen": ("Parameters that do not require a gradient are skipped. A teacher usually requires none, and moves all the same.", "teacher-update"),
        "gradient-followed": ("torch follows the update: it refuses it, or makes the teacher a part of the student's graph, which then grows at every step. Do the "
                              "update under torch.no_grad().", "teacher-update"),
        "parameters-replaced": ("The teacher's parameters are new objects, so whoever holds the old ones sees nothing. Write the new values into the old "
                                "parameters, in place.", "teacher-update"),
        "shares-memory": ("Teacher and student share memory now: a change of the student would change the teacher at once. Copy values.", "teacher-update"),
        "teacher-trains": ("The teacher requires gradients now, and did not before. Leave requires_grad as it is.", "teacher-update"),
        "dtype-fixed": ("float64 parameters do not stay float64. Keep the dtype of each parameter: cast nothing.", "teacher-update"),
        "autograd-off": ("torch no longer follows gradients after the call, so nothing can train. Write with torch.no_grad(): and indent the update under it; "
                         "this block ends by itself.", "teacher-update"),
        "returns-student": ("The student is returned. Return the teacher, whose parameters have moved.", "teacher-update"),
        "returns-else": ("Something other than the teacher module is returned, such as a list, a dict, a number or a copy. Return the teacher itself.",
                         "teacher-update"),
        "adds-up": ("A second update does not begin where the first has ended. Keep nothing between calls: only the two modules and the momentum count.",
                    "teacher-update"),
    },
)
wrong, right = writer(exercise)

PLAIN = [["linear", 3, 2]]


@exercise.probes
def _(make):
    inner, outer = make.pick((3, 4), (4, 3), (2, 5))
    nested = [["linear", 3, inner], ["block", ["shift", inner], ["block", ["linear", inner, outer]]]]
    mixed = [["conv", 2, 3, 2], ["embedding", make.pick(4, 5, 6), 2], ["shift", 3]]
    normed = [["linear", 2, inner], ["norm", inner]]

    def tensors(layers, dtype):
        return [make.randint(2, 90, shape) if whole else make.randn(*shape, dtype=dtype).abs() + 0.1 if len(shape) == 1 else make.randn(*shape, dtype=dtype)
                for shape, whole in sizes(layers)]

    def probe(name, layers, momentum, look, group="nothing else", trains=False, dtype=torch.float32, times=1, by_name=False, rests=False, **marks):
        spec = {"layers": layers, "teacher": tensors(layers, dtype), "student": tensors(layers, dtype), "ask": look, "trains": trains, "times": times}
        spec |= {"rests": True} if rests else {}
        return make.probe(name, spec, *(() if by_name else (momentum,)), group=group, **marks, **({"momentum": momentum} if by_name else {}))

    core = {"group": "the teacher's parameters"}
    yield probe("a linear layer", PLAIN, make.pick(0.9, 0.8, 0.75), "teacher", **core)
    yield probe("layers inside layers", nested, make.pick(0.7, 0.85, 0.65), "teacher", **core)
    yield probe("other layers, in float64", mixed, make.pick(0.6, 0.95, 0.8), "teacher", dtype=torch.float64, **core)
    yield probe("a teacher that trains", nested, make.pick(0.75, 0.6, 0.9), "teacher", trains=True, **core)
    yield probe("with a batch norm", normed, 0.8, "teacher", edge=True, **core)
    yield probe("momentum 0", PLAIN, 0.0, "teacher", edge=True, **core)
    yield probe("momentum 1", nested, 1.0, "teacher", edge=True, **core)
    yield probe("momentum one half, by name", PLAIN, 0.5, "teacher", edge=True, by_name=True, **core)
    yield probe("three updates", nested, make.pick(0.7, 0.8, 0.6), "teacher", times=3, edge=True, **core)
    yield probe("many layers", [["linear", 4, 4]] * 40, 0.9, "teacher", long=True, **core)
    yield probe("the student", nested, 0.8, "student")
    yield probe("the buffers", nested, make.pick(0.7, 0.8, 0.9), "buffers")
    yield probe("the buffers of a batch norm", normed, 0.6, "buffers", edge=True)
    yield probe("what is returned", PLAIN, 0.9, "returned")
    yield probe("the state of a teacher that does not train", nested, 0.8, "gradient")
    yield probe("the state of a teacher that trains", PLAIN, 0.8, "gradient", trains=True, edge=True)
    yield probe("the state, with momentum 0", PLAIN, 0.0, "gradient", edge=True)
    yield probe("the student of a teacher that trains", PLAIN, 0.7, "student", trains=True, edge=True)
    yield probe("a student that does not train either", nested, make.pick(0.8, 0.7, 0.6), "teacher", rests=True, **core)


@exercise.right
def reference(teacher, student, momentum):
    with torch.no_grad():
        for own, new in zip(teacher.parameters(), student.parameters()):
            own.copy_(momentum * own + (1 - momentum) * new)
    return teacher


GRAD = """
def teacher_update(teacher, student, momentum):
    with torch.no_grad():
        for p, q in zip(teacher.parameters(), student.parameters()):
            p.mul_(momentum)
            p.add_((1 - momentum) * q)
    return teacher
"""
DATA = """
def teacher_update(teacher, student, momentum):
    for p, q in zip(teacher.parameters(), student.parameters()):
        p.data = momentum * p.data + (1 - momentum) * q.data
    return teacher
"""
NAMED = """
def teacher_update(teacher, student, momentum):
    new = dict(student.named_parameters())
    for name, p in teacher.named_parameters():
        with torch.no_grad():
            p.lerp_(new[name], 1 - momentum)
    return teacher
"""
STATE = """
def teacher_update(teacher, student, momentum):
    theirs = dict(student.named_parameters())
    state = teacher.state_dict()
    for key in state:
        if key in theirs:
            state[key] = momentum * state[key] + (1 - momentum) * theirs[key].detach()
    teacher.load_state_dict(state)
    return teacher
"""
right("mul_ and add_ under no_grad", GRAD)
right("the data", DATA)
right("lerp_ by name", NAMED)
right("a state that is loaded, without buffers", STATE)
right("in place on the data", DATA, ("p.data = momentum * p.data + (1 - momentum) * q.data", "p.data.mul_(momentum).add_(q.data, alpha=1 - momentum)"))
right("assigned to all elements", GRAD, ("p.mul_(momentum)", "p[...] = p * momentum + q * (1 - momentum)"), ("            p.add_((1 - momentum) * q)\n", ""))
right("a step towards the student", GRAD, ("p.mul_(momentum)", "p -= (1 - momentum) * (p - q)"), ("            p.add_((1 - momentum) * q)\n", ""))
right("all at once", """
def teacher_update(teacher, student, momentum):
    old, new = list(teacher.parameters()), list(student.parameters())
    with torch.no_grad():
        torch._foreach_mul_(old, momentum)
        torch._foreach_add_(old, new, alpha=1 - momentum)
    return teacher
""")
right("one long vector", """
def teacher_update(teacher, student, momentum):
    from torch.nn.utils import parameters_to_vector, vector_to_parameters
    old = parameters_to_vector(teacher.parameters()).detach()
    new = parameters_to_vector(student.parameters()).detach()
    vector_to_parameters(momentum * old + (1 - momentum) * new, teacher.parameters())
    return teacher
""")
right("the teacher is frozen first", """
def teacher_update(teacher, student, momentum):
    teacher.requires_grad_(False)
    for old, new in zip(teacher.parameters(), student.parameters()):
        old.copy_(old * momentum + new.detach() * (1.0 - momentum))
    return teacher
""")
right("module by module", """
def teacher_update(teacher, student, momentum):
    for a, b in zip(teacher.modules(), student.modules()):
        for name, value in a.named_parameters(recurse=False):
            value.data.copy_(momentum * value.data + (1 - momentum) * getattr(b, name).data)
    return teacher
""")
right("only the float entries that are parameters", STATE, ("momentum * state[key] + (1 - momentum) * theirs[key].detach()", "torch.lerp(theirs[key].data, state[key], momentum)"))

FIRST, SECOND, BOTH = "p.mul_(momentum)", "p.add_((1 - momentum) * q)", "p.data = momentum * p.data + (1 - momentum) * q.data"
LERP = "p.lerp_(new[name], 1 - momentum)"
wrong("momentum-swapped", "", GRAD, (FIRST, "p.mul_(1 - momentum)"), (SECOND, "p.add_(momentum * q)"))
wrong("momentum-swapped", "the data", DATA, (BOTH, "p.data = (1 - momentum) * p.data + momentum * q.data"))
for label, value in (("sum without shares", "p.data + q.data"), ("the whole student", "momentum * p.data + q.data"), ("the whole teacher", "p.data + (1 - momentum) * q.data"), ("m of both", "momentum * (p.data + q.data)"),
                     ("1 - m of both", "(1 - momentum) * (p.data + q.data)"), ("the whole teacher, m of the student", "p.data + momentum * q.data"),
                     ("m of the teacher only", "momentum * p.data"), ("1 - m of the student only", "(1 - momentum) * q.data"), ("1 + m", "momentum * p.data + (1 + momentum) * q.data"), ("halved", "(momentum * p.data + (1 - momentum) * q.data) / 2")):
    wrong("wrong-shares", label, DATA, (BOTH, f"p.data = {value}"))
wrong("wrong-shares", "the teacher is shrunk first", GRAD, (SECOND, "p.add_((1 - momentum) * (q - p))"))
for label, value in (("", "p.data + (1 - momentum) * (p.data - q.data)"), ("by m", "p.data + momentum * (p.data - q.data)"), ("minus the student", "momentum * p.data - (1 - momentum) * q.data")):
    wrong("wrong-sign", label, DATA, (BOTH, f"p.data = {value}"))
wrong("wrong-sign", "in place", GRAD, (SECOND, "p.sub_((1 - momentum) * q)"))
for label, value in (("copied", "q.data.clone()"), ("averaged", "(p.data + q.data) / 2"), ("0.999", "0.999 * p.data + 0.001 * q.data"), ("0.99", "0.99 * p.data + 0.01 * q.data"), ("0.996", "0.996 * p.data + 0.004 * q.data"), ("0.9", "0.9 * p.data + 0.1 * q.data")):
    wrong("momentum-ignored", label, DATA, (BOTH, f"p.data = {value}"))
wrong("momentum-ignored", "a whole number", DATA, (BOTH, "p.data = int(momentum) * p.data + (1 - int(momentum)) * q.data"))
wrong("momentum-ignored", "the student's whole state is loaded", """
def teacher_update(teacher, student, momentum):
    teacher.load_state_dict(student.state_dict())
    return teacher
""")
for label, value in (("squared", "momentum ** 2"), ("root", "momentum ** 0.5"), ("percent", "momentum / 100")):
    wrong("other-momentum", label, DATA, ("    for p, q", f"    momentum = {value}\n    for p, q"))
for label, ways in (("parameters of each module, once more", "recurse=False"), ("the parameters of all modules", "recurse=True")):
    wrong("other-momentum", label, f"""
def teacher_update(teacher, student, momentum):
    with torch.no_grad():
        for a, b in zip(teacher.modules(), student.modules()):
            for p, q in zip(a.parameters({ways}), b.parameters({ways})):
                p.copy_(momentum * p + (1 - momentum) * q)
    {"return teacher" if "True" in ways else "return move_again(teacher, student, momentum)"}

def move_again(teacher, student, momentum):
    for p, q in zip(teacher.parameters(), student.parameters()):
        p.data.lerp_(q.data, 1 - momentum)
    return teacher
""")
wrong("dtype-fixed", "", DATA, (BOTH, "p.data = momentum * p.data.float() + (1 - momentum) * q.data.float()"))
wrong("teacher-unchanged", "", DATA, (BOTH, "p = momentum * p.data + (1 - momentum) * q.data"))
wrong("teacher-unchanged", "under no_grad", GRAD, (FIRST, "p = p * momentum"), (SECOND, "p = p + (1 - momentum) * q"))
wrong("teacher-unchanged", "in a list", """
def teacher_update(teacher, student, momentum):
    parameters = list(teacher.parameters())
    for i, q in enumerate(student.parameters()):
        parameters[i] = momentum * parameters[i] + (1 - momentum) * q
    return teacher
""")
wrong("copy-changed", "", GRAD, ("    with torch.no_grad():", "    teacher = copy.deepcopy(teacher)\n    with torch.no_grad():"))
wrong("copy-changed", "of the student", """
def teacher_update(teacher, student, momentum):
    result = copy.deepcopy(student)
    with torch.no_grad():
        for r, p, q in zip(result.parameters(), teacher.parameters(), student.parameters()):
            r.copy_(momentum * p + (1 - momentum) * q)
    return result
""")
wrong("copy-changed", "the teacher is returned", DATA, ("    for p, q in zip(teacher.parameters()", "    result = copy.deepcopy(teacher)\n    for p, q in zip(result.parameters()"), ("return teacher", "return result"))
wrong("student-changed", "shrunk in place", GRAD, (SECOND, "p.add_(q.mul_(1 - momentum))"))
wrong("student-changed", "gets the new values too", DATA, (BOTH, BOTH + "\n        q.data = p.data.clone()"))
wrong("student-changed", "both move towards each other", DATA, (BOTH, "old = p.data.clone()\n        p.data = momentum * p.data + (1 - momentum) * q.data\n        q.data = momentum * q.data + (1 - momentum) * old"))
wrong("student-changed", "the data, shrunk", DATA, (BOTH, "p.data.mul_(momentum).add_(q.data.mul_(1 - momentum))"))
wrong("roles-swapped", "", GRAD, ("zip(teacher.parameters(), student.parameters())", "zip(student.parameters(), teacher.parameters())"))
wrong("roles-swapped", "the student is returned", DATA, ("zip(teacher.parameters(), student.parameters())", "zip(student.parameters(), teacher.parameters())"), ("return teacher", "return student"))
wrong("roles-swapped", "with the shares of the teacher", DATA, (BOTH, "q.data = momentum * p.data + (1 - momentum) * q.data"))
wrong("student-switched", "frozen", DATA, ("    return teacher", "    student.requires_grad_(False)\n    return teacher"))
wrong("student-switched", "frozen one by one", GRAD, (FIRST, "q.requires_grad = False\n            p.mul_(momentum)"))
wrong("student-switched", "evaluation mode", DATA, ("    return teacher", "    student.eval()\n    return teacher"))
wrong("buffers-averaged", "floating ones of the state", """
def teacher_update(teacher, student, momentum):
    own, new = teacher.state_dict(), student.state_dict()
    for key, value in own.items():
        if value.is_floating_point():
            value.mul_(momentum).add_(new[key], alpha=1 - momentum)
    return teacher
""")
wrong("buffers-averaged", "the whole state, loaded", """
def teacher_update(teacher, student, momentum):
    own, new = teacher.state_dict(), student.state_dict()
    teacher.load_state_dict({key: momentum * own[key] + (1 - momentum) * new[key] for key in own})
    return teacher
""")
wrong("buffers-averaged", "the whole state, in place", """
def teacher_update(teacher, student, momentum):
    with torch.no_grad():
        for t, s in zip(teacher.state_dict().values(), student.state_dict().values()):
            t.copy_(t * momentum + s * (1 - momentum))
    return teacher
""")
wrong("buffers-averaged", "mul_ of everything", """
def teacher_update(teacher, student, momentum):
    with torch.no_grad():
        for t, s in zip(teacher.state_dict().values(), student.state_dict().values()):
            t.mul_(momentum).add_((1 - momentum) * s)
    return teacher
""")
wrong("buffers-averaged", "a second loop", DATA, ("    return teacher", "    for p, q in zip(teacher.buffers(), student.buffers()):\n        p.data = (momentum * p + (1 - momentum) * q).to(p.dtype)\n    return teacher"))
wrong("buffers-copied", "a second loop", GRAD, ("    return teacher", "    for p, q in zip(teacher.buffers(), student.buffers()):\n        p.copy_(q)\n    return teacher"))
wrong("buffers-copied", "the rest of the state", STATE, ("    teacher.load_state_dict(state)", "        else:\n            state[key] = student.state_dict()[key]\n    teacher.load_state_dict(state)"))
wrong("buffers-copied", "back to the student", DATA, ("    return teacher", "    for p, q in zip(teacher.buffers(), student.buffers()):\n        q.copy_(p)\n    return teacher"))
wrong("some-parameters", "the first", GRAD, ("    return teacher", "            return teacher"))
wrong("some-parameters", "the first, data", DATA, ("    return teacher", "        break\n    return teacher"))
wrong("some-parameters", "weights", NAMED, ("        with torch.no_grad():", "        if 'weight' not in name:\n            continue\n        with torch.no_grad():"))
wrong("some-parameters", "not those of inner modules", DATA, ("teacher.parameters(), student.parameters()", "teacher.parameters(recurse=False), student.parameters(recurse=False)"))
wrong("some-parameters", "children only", """
def teacher_update(teacher, student, momentum):
    for a, b in zip(teacher.children(), student.children()):
        for name, value in a.named_parameters(recurse=False):
            value.data.copy_(momentum * value.data + (1 - momentum) * getattr(b, name).data)
    return teacher
""")
wrong("some-parameters", "linear layers", """
def teacher_update(teacher, student, momentum):
    for a, b in zip(teacher.modules(), student.modules()):
        if isinstance(a, nn.Linear):
            a.weight.data = momentum * a.weight.data + (1 - momentum) * b.weight.data
            a.bias.data = momentum * a.bias.data + (1 - momentum) * b.bias.data
    return teacher
""")
wrong("some-parameters", "biases", DATA, (BOTH, "if p.dim() == 1:\n            " + BOTH))
wrong("some-parameters", "all but the last", DATA, ("zip(teacher.parameters(), student.parameters())", "list(zip(teacher.parameters(), student.parameters()))[:-1]"))
wrong("some-parameters", "weights and biases of layers", """
def teacher_update(teacher, student, momentum):
    for a, b in zip(teacher.modules(), student.modules()):
        if hasattr(a, 'weight'):
            a.weight.data = momentum * a.weight.data + (1 - momentum) * b.weight.data
            if getattr(a, 'bias', None) is not None:
                a.bias.data = momentum * a.bias.data + (1 - momentum) * b.bias.data
    return teacher
""")
wrong("skips-frozen", "", GRAD, (FIRST, "if not p.requires_grad:\n                continue\n            p.mul_(momentum)"))
wrong("skips-frozen", "where the student is frozen", GRAD, (FIRST, "if not q.requires_grad:\n                continue\n            p.mul_(momentum)"))
wrong("skips-frozen", "a filter", DATA, ("zip(teacher.parameters(), student.parameters())", "zip([x for x in teacher.parameters() if x.requires_grad], [x for x in student.parameters() if x.requires_grad])"))
wrong("gradient-followed", "mul_ and add_", GRAD, ("with torch.no_grad():", "if True:"))
wrong("gradient-followed", "copy_", GRAD, ("with torch.no_grad():", "if True:"), (FIRST, "p.copy_(momentum * p + (1 - momentum) * q)"), ("            p.add_((1 - momentum) * q)\n", ""))
wrong("gradient-followed", "the student alone is detached", GRAD, ("with torch.no_grad():", "if True:"), (SECOND, "p.add_((1 - momentum) * q.detach())"))
wrong("parameters-replaced", "", """
def teacher_update(teacher, student, momentum):
    for a, b in zip(teacher.modules(), student.modules()):
        for name, value in list(a.named_parameters(recurse=False)):
            mixed = momentum * value.detach() + (1 - momentum) * getattr(b, name).detach()
            setattr(a, name, nn.Parameter(mixed, requires_grad=value.requires_grad))
    return teacher
""")
wrong("parameters-replaced", "and they train", """
def teacher_update(teacher, student, momentum):
    for a, b in zip(teacher.modules(), student.modules()):
        for name in list(a._parameters):
            a._parameters[name] = nn.Parameter((momentum * a._parameters[name] + (1 - momentum) * b._parameters[name]).detach())
    return teacher
""")
wrong("parameters-replaced", "the state is assigned", STATE, ("teacher.load_state_dict(state)", "teacher.load_state_dict(state, assign=True)"))
wrong("shares-memory", "where the momentum is 0", DATA, (BOTH, "if momentum == 0:\n            p.data = q.data\n        else:\n            " + BOTH))
wrong("shares-memory", "the student gets the teacher's memory", DATA, (BOTH, BOTH + "\n        q.data = p.data"))
wrong("teacher-trains", "", DATA, ("    return teacher", "    teacher.requires_grad_(True)\n    return teacher"))
wrong("teacher-trains", "frozen during the update", GRAD, ("    with torch.no_grad():", "    teacher.requires_grad_(False)\n    with torch.no_grad():"), ("    return teacher", "    for p in teacher.parameters():\n        p.requires_grad = True\n    return teacher"))
wrong("autograd-off", "", GRAD, ("with torch.no_grad():", "torch.set_grad_enabled(mode=False)\n    if True:"))
wrong("autograd-off", "entered, never left", GRAD, ("with torch.no_grad():", "torch.no_grad().__enter__()\n    if True:"))
wrong("returns-student", "", DATA, ("return teacher", "return student"))
for label, what in (("the parameters", "list(teacher.parameters())"), ("the state", "teacher.state_dict()"), ("both", "(teacher, student)"), ("a generator", "teacher.parameters()"), ("True", "True"), ("the last parameter", "p"),
                    ("by name", "dict(teacher.named_parameters())")):
    wrong("returns-else", label, DATA, ("return teacher", f"return {what}"))
wrong("returns-else", "a copy of the teacher", GRAD, ("return teacher", "return copy.deepcopy(teacher)"))
wrong("adds-up", "the first teacher is remembered", """
def teacher_update(teacher, student, momentum):
    if not hasattr(teacher, 'start'):
        teacher.start = [p.detach().clone() for p in teacher.parameters()]
    with torch.no_grad():
        for p, a, q in zip(teacher.parameters(), teacher.start, student.parameters()):
            p.copy_(momentum * a + (1 - momentum) * q)
    return teacher
""")
wrong("adds-up", "the momentum grows", """
def teacher_update(teacher, student, momentum):
    teacher.steps = getattr(teacher, 'steps', 0) + 1
    m = momentum if teacher.steps == 1 else 1 - (1 - momentum) / teacher.steps
    for p, q in zip(teacher.parameters(), student.parameters()):
        p.data = m * p.data + (1 - m) * q.data
    return teacher
""")
wrong("returns-nothing", "", GRAD, ("    return teacher\n", ""))
wrong("returns-nothing", "the data", DATA, ("    return teacher\n", ""))
wrong("ready-made", "the library's", """
def teacher_update(teacher, student, momentum):
    from allyouneed.models.dino import teacher_update as move
    return move(teacher, student, momentum)
""")
wrong("ready-made", "torch's averaging", """
def teacher_update(teacher, student, momentum):
    from torch.optim.swa_utils import get_ema_multi_avg_fn
    with torch.no_grad():
        get_ema_multi_avg_fn(momentum)(list(teacher.parameters()), list(student.parameters()), 1)
    return teacher
""")
