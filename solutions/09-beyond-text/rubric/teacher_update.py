"""teacher_update: probes, right versions, and each mistake with its message and its evidence."""


import torch
from allyouneed.check.drivers.teacher_student import sizes

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "teacher_update",
    points={"the teacher's parameters": 2, "nothing else": 2},
    section="teacher-update",
    driver="teacher_student",
    forbid=("AveragedModel", "update_parameters", "get_ema_avg_fn", "get_ema_multi_avg_fn",
            "ExponentialMovingAverage"),
)

PLAIN = [["linear", 3, 2]]


@exercise.probes
def probes(make):
    inner, outer = make.pick((3, 4), (4, 3), (2, 5))
    nested = [["linear", 3, inner], ["block", ["shift", inner], ["block", ["linear", inner, outer]]]]
    mixed = [["conv", 2, 3, 2], ["embedding", make.pick(4, 5, 6), 2], ["shift", 3]]
    normed = [["linear", 2, inner], ["norm", inner]]

    def tensors(layers, dtype):
        return [make.randint(2, 90, shape) if whole else make.randn(*shape, dtype=dtype).abs() + 0.1
                if len(shape) == 1 else make.randn(*shape, dtype=dtype)
                for shape, whole in sizes(layers)]

    def probe(name, layers, momentum, look, group="nothing else", trains=False, dtype=torch.float32, times=1,
              by_name=False, rests=False, tied=False, **marks):
        spec = {"layers": layers, "teacher": tensors(layers, dtype), "student": tensors(layers, dtype),
                "ask": look, "trains": trains, "times": times}
        spec |= {"rests": True} if rests else {}
        spec |= {"tied": True} if tied else {}
        return make.probe(name, spec, *(() if by_name else (momentum,)), group=group, **marks,
                          **({"momentum": momentum} if by_name else {}))

    core = {"group": "the teacher's parameters"}
    yield probe("a linear layer", PLAIN, make.pick(0.9, 0.8, 0.75), "teacher", **core)
    yield probe("layers inside layers", nested, make.pick(0.7, 0.85, 0.65), "teacher", **core)
    yield probe("other layers, in float64", mixed, make.pick(0.6, 0.95, 0.8), "teacher", dtype=torch.float64,
                **core)
    yield probe("a teacher that trains", nested, make.pick(0.75, 0.6, 0.9), "teacher", trains=True, **core)
    yield probe("with a batch norm", normed, 0.8, "teacher", edge=True, **core)
    yield probe("momentum 0", PLAIN, 0.0, "teacher", edge=True, **core)
    yield probe("momentum 1", nested, 1.0, "teacher", edge=True, **core)
    yield probe("momentum one half, by name", PLAIN, 0.5, "teacher", edge=True, by_name=True, **core)
    yield probe("three updates", nested, make.pick(0.7, 0.8, 0.6), "teacher", times=3, edge=True, **core)
    yield probe("two layers that share a weight", [["linear", inner, inner]] * 2, make.pick(0.7, 0.8, 0.6),
                "teacher", tied=True, edge=True, **core)
    yield probe("many layers", [["linear", 4, 4]] * 40, 0.9, "teacher", long=True, **core)
    yield probe("the student", nested, 0.8, "student")
    yield probe("the buffers", nested, make.pick(0.7, 0.8, 0.9), "buffers")
    yield probe("the buffers of a batch norm", normed, 0.6, "buffers", edge=True)
    yield probe("what is returned", PLAIN, 0.9, "returned")
    yield probe("the state of a teacher that does not train", nested, 0.8, "gradient")
    yield probe("the state of a teacher that trains", PLAIN, 0.8, "gradient", trains=True, edge=True)
    yield probe("the state, with momentum 0", PLAIN, 0.0, "gradient", edge=True)
    yield probe("the student of a teacher that trains", PLAIN, 0.7, "student", trains=True, edge=True)
    yield probe("a student that does not train either", nested, make.pick(0.8, 0.7, 0.6), "teacher",
                rests=True, **core)


@exercise.right
def reference(teacher, student, momentum):
    with torch.no_grad():
        for own, new in zip(teacher.parameters(), student.parameters()):
            own.copy_(momentum * own + (1 - momentum) * new)
    return teacher


@exercise.right("mul_ and add_ under no_grad")
def mul__add_(teacher, student, momentum):
    with torch.no_grad():
        for p, q in zip(teacher.parameters(), student.parameters()):
            p.mul_(momentum)
            p.add_((1 - momentum) * q)
    return teacher


@exercise.right("the data")
def by_data(teacher, student, momentum):
    for p, q in zip(teacher.parameters(), student.parameters()):
        p.data = momentum * p.data + (1 - momentum) * q.data
    return teacher


@exercise.right("lerp_ by name")
def lerp__name(teacher, student, momentum):
    new = dict(student.named_parameters())
    for name, p in teacher.named_parameters():
        with torch.no_grad():
            p.lerp_(new[name], 1 - momentum)
    return teacher


@exercise.right("a state that is loaded, without buffers")
def state_loaded(teacher, student, momentum):
    theirs = dict(student.named_parameters())
    state = teacher.state_dict()
    for key in state:
        if key in theirs:
            state[key] = momentum * state[key] + (1 - momentum) * theirs[key].detach()
    teacher.load_state_dict(state)
    return teacher


@exercise.right("all at once")
def once(teacher, student, momentum):
    old, new = list(teacher.parameters()), list(student.parameters())
    with torch.no_grad():
        torch._foreach_mul_(old, momentum)
        torch._foreach_add_(old, new, alpha=1 - momentum)
    return teacher


@exercise.right("one long vector")
def one_long(teacher, student, momentum):
    from torch.nn.utils import parameters_to_vector, vector_to_parameters

    old = parameters_to_vector(teacher.parameters()).detach()
    new = parameters_to_vector(student.parameters()).detach()
    vector_to_parameters(momentum * old + (1 - momentum) * new, teacher.parameters())
    return teacher


@exercise.right("module by module")
def module(teacher, student, momentum):
    moved = set()
    for a, b in zip(teacher.modules(), student.modules()):
        for name, value in a.named_parameters(recurse=False):
            if value in moved:
                continue
            moved.add(value)
            value.data.copy_(momentum * value.data + (1 - momentum) * getattr(b, name).data)
    return teacher


exercise.also_right(
    edit(by_data, {"= momentum * p.data + (1 - momentum) * q.data":
                   ".mul_(momentum).add_(q.data, alpha=1 - momentum)"}, "in place on the data"),
    edit(mul__add_, {"p.mul_(momentum)": "",
                     "p.add_((1 - momentum) * q)": "p[...] = p * momentum + q * (1 - momentum)"},
         "assigned to all elements"),
    edit(mul__add_, {"p.mul_(momentum)": "",
                     "p.add_((1 - momentum) * q)": "p-= (1 - momentum) * (p - q)"},
         "a step towards the student"),
    full("teacher.requires_grad_(False)\n"
         "for old, new in zip(teacher.parameters(), student.parameters()):\n"
         "    old.copy_(old * momentum + new.detach() * (1.0 - momentum))\n"
         "return teacher", "the teacher is frozen first"),
    edit(state_loaded, {"momentum * state[key] + (1 - momentum) *": "torch.lerp(",
                        "detach()": "data, state[key], momentum)"},
         "only the float entries that are parameters"))


exercise.mistake("momentum-swapped", "teacher-update",
    "The momentum is exchanged: the teacher takes the share m from the student. It keeps m of itself, and "
    "takes 1 − m.",
    edit(mul__add_, {"(momentum)": "(1 - momentum)", "(1 - momentum)": "momentum"}))

exercise.mistake("wrong-shares", "teacher-update",
    "The two shares do not sum to 1. The new value is m · teacher + (1 − m) · student.",
    edit(by_data, {" momentum *": "", " (1 - momentum) *": ""}, "sum without shares"),
    edit(by_data, {" (1 - momentum) *": ""}, "the whole student"),
    edit(by_data, {" momentum *": ""}, "the whole teacher"),
    edit(by_data, {"p.data + (1 - momentum) * q.data": "(p.data + q.data)"}, "m of both"),
    edit(by_data, {" momentum * p.data +": "", "q.data": "(p.data + q.data)"}, "1 - m of both"),
    edit(by_data, {" momentum *": "", "(1 - momentum)": "momentum"}, "the whole teacher, m of the student"),
    edit(by_data, {" + (1 - momentum) * q.data": ""}, "m of the teacher only"),
    edit(by_data, {" momentum * p.data +": ""}, "1 - m of the student only"),
    edit(by_data, {"1 - momentum": "1 + momentum"}, "1 + m"),
    edit(by_data, {"data =": "data =(", "q.data": "q.data) / 2"}, "halved"),
    edit(mul__add_, {") * q)": ") * (q - p))"}, "the teacher is shrunk first"))

exercise.mistake("wrong-sign", "teacher-update",
    "The teacher moves away from the student. It must move towards it: m · teacher + (1 − m) · student.",
    edit(by_data, {" momentum *": "", "q.data": "(p.data - q.data)"}),
    edit(by_data, {" momentum *": "", "(1 - momentum) * q.data": "momentum * (p.data - q.data)"}, "by m"),
    edit(mul__add_, {"add_": "sub_"}, "in place"))

exercise.mistake("momentum-ignored", "teacher-update",
    "The momentum has no effect: the teacher is copied, averaged or moved by a fixed share. Its new value "
    "is m · teacher + (1 − m) · student.",
    edit(by_data, {"momentum * p.data + (1 - momentum) * q.data": "q.data.clone()"}, "copied"),
    edit(by_data, {"momentum * p.data + (1 - momentum) * q.data": "(p.data + q.data) / 2"}, "averaged"),
    edit(by_data, {"momentum * p": "0.999 * p", "(1 - momentum)": "0.001"}, "0.999"),
    edit(by_data, {"momentum * p": "0.99 * p", "(1 - momentum)": "0.01"}, "0.99"),
    edit(by_data, {"momentum * p": "0.996 * p", "(1 - momentum)": "0.004"}, "0.996"),
    edit(by_data, {"momentum * p": "0.9 * p", "(1 - momentum)": "0.1"}, "0.9"),
    edit(by_data, {"momentum * p": "int(momentum) * p",
                   "1 - momentum": "1 - int(momentum)"}, "a whole number"),
    full("teacher.load_state_dict(student.state_dict())\n"
         "return teacher", "the student's whole state is loaded"))

exercise.mistake("other-momentum", "teacher-update",
    "A parameter moves by a share other than 1 − momentum: the momentum is changed before it is used, or a "
    "parameter is moved more than once. Each moves once, also where two layers share one; parameters() goes "
    "through inner modules by itself.",
    edit(module, {"if value in moved:\n"
                  "    continue\n"
                  "moved.add(value)": "pass"}, "a shared one moves twice"),
    edit(by_data, {"for": "momentum = momentum**2\nfor"}, "squared"),
    edit(by_data, {"for": "momentum = momentum**0.5\nfor"}, "root"),
    edit(by_data, {"for": "momentum = momentum / 100\nfor"}, "percent"),
    full("with torch.no_grad():\n"
         "    for a, b in zip(teacher.modules(), student.modules()):\n"
         "        for p, q in zip(a.parameters(recurse=True), b.parameters(recurse=True)):\n"
         "            p.copy_(momentum * p + (1 - momentum) * q)\n"
         "return teacher", "the parameters of all modules"))

exercise.mistake("dtype-fixed", "teacher-update",
    "float64 parameters do not stay float64. Keep the dtype of each parameter: cast nothing.",
    edit(by_data, {"data +": "data.float() +", "q.data": "q.data.float()"}))

exercise.mistake("teacher-unchanged", "teacher-update",
    "The teacher has not moved. p = m * p + ... only gives a new value to the name p. Change the parameter "
    "itself, in place: mul_, add_, copy_ or lerp_.",
    edit(by_data, {"p.data =": "p ="}))

exercise.mistake("copy-changed", "teacher-update",
    "A copy has moved, the teacher itself has not. Change the module that was given.",
    edit(mul__add_, {"with": "teacher = copy.deepcopy(teacher)\nwith"}))

exercise.mistake("student-changed", "teacher-update",
    "The student's parameters are not what they were. The update reads the student, and changes the "
    "teacher alone.",
    edit(mul__add_, {"(1 - momentum) * q": "q.mul_(1 - momentum)"}, "shrunk in place"),
    edit(by_data, {"q.data": "q.data\nq.data = p.data.clone()"}, "gets the new values too"),
    edit(by_data, {"p.data =": "old = p.data.clone()\np.data =",
                   "q.data": "q.data\nq.data = momentum * q.data + (1 - momentum) * old"},
         "both move towards each other"))

exercise.mistake("roles-swapped", "teacher-update",
    "The student has moved towards the teacher. It is the other way round: the teacher follows.",
    edit(mul__add_, {"teacher.": "student.", "student.": "teacher."}),
    edit(by_data, {"teacher.": "student.", "student.": "teacher.",
                   "return teacher": "return student"}, "the student is returned"),
    edit(by_data, {"p.data =": "q.data ="}, "with the shares of the teacher"))

exercise.mistake("student-switched", "teacher-update",
    "The student is frozen, or in another mode, after the update, so its training would stop. Leave it as "
    "it is.",
    edit(by_data, {"return": "student.requires_grad_(False)\nreturn"}, "frozen"),
    edit(by_data, {"return": "student.eval()\nreturn"}, "evaluation mode"))

exercise.mistake("student-gradients-cleared", "teacher-update",
    "The student's gradients are cleared. That is the optimizer's business: the update leaves the student as "
    "it is.",
    edit(by_data, {"for": "student.zero_grad()\nfor"}),
    edit(by_data, {"for": "student.zero_grad(set_to_none=False)\nfor"}, "zeros"))

exercise.mistake("buffers-averaged", "teacher-update",
    "The teacher's buffers are averaged too. Only parameters move: use parameters() instead of "
    "state_dict(), and leave batch statistics and counters alone.",
    full("own, new = teacher.state_dict(), student.state_dict()\n"
         "for key, value in own.items():\n"
         "    if value.is_floating_point():\n"
         "        value.mul_(momentum).add_(new[key], alpha=1 - momentum)\n"
         "return teacher", "floating ones of the state"),
    edit(reference, {"own,": "t,", every("new"): "s", every("parameters"): "state_dict().values",
                     "own.": "t.", "copy_": "mul_", "* own +": ").add_("}, "mul_ of everything"),
    edit(by_data, {"return": "for p, q in zip(teacher.buffers(), student.buffers()):\n"
                             "    p.data = (momentum * p + (1 - momentum) * q).to(p.dtype)\n"
                             "return"}, "a second loop"))

exercise.mistake("buffers-copied", "teacher-update",
    "The student's buffers are copied into the teacher, or back. Only parameters move; buffers stay as "
    "they are.",
    edit(mul__add_, {"return": "for p, q in zip(teacher.buffers(), student.buffers()):\n"
                               "    p.copy_(q)\n"
                               "return"}, "a second loop"),
    edit(by_data, {"return": "for p, q in zip(teacher.buffers(), student.buffers()):\n"
                             "    q.copy_(p)\n"
                             "return"}, "back to the student"))

exercise.mistake("some-parameters", "teacher-update",
    "Only some of the parameters have moved. All do: weights and biases, those of inner modules, and those "
    "that do not train.",
    edit(by_data, {"q.data": "q.data\nbreak"}, "the first, data"),
    edit(lerp__name, {"with": 'if "weight" not in name:\n'
                              "    continue\n"
                              "with"}, "weights"),
    edit(by_data, {"(), student.parameters()": "(recurse=False), student.parameters(recurse=False)"},
         "not those of inner modules"),
    edit(module, {every("modules"): "children"}, "children only"),
    full("for a, b in zip(teacher.modules(), student.modules()):\n"
         "    if isinstance(a, nn.Linear):\n"
         "        a.weight.data = momentum * a.weight.data + (1 - momentum) * b.weight.data\n"
         "        a.bias.data = momentum * a.bias.data + (1 - momentum) * b.bias.data\n"
         "return teacher", "linear layers"),
    edit(by_data, {"p.data = momentum * p.data + (1 - momentum) * q.data":
                   "if p.dim() == 1:\n"
                   "    p.data = momentum * p.data + (1 - momentum) * q.data"}, "biases"),
    edit(by_data, {"in": "in list(", "parameters()):": "parameters()))[:-1]:"}, "all but the last"),
    full("for a, b in zip(teacher.modules(), student.modules()):\n"
         '    if hasattr(a, "weight"):\n'
         "        a.weight.data = momentum * a.weight.data + (1 - momentum) * b.weight.data\n"
         '        if getattr(a, "bias", None) is not None:\n'
         "            a.bias.data = momentum * a.bias.data + (1 - momentum) * b.bias.data\n"
         "return teacher", "weights and biases of layers"))

exercise.mistake("skips-frozen", "teacher-update",
    "Parameters that do not require a gradient are skipped. A teacher usually requires none, and moves all "
    "the same.",
    edit(mul__add_, {"p.mul_": "if not p.requires_grad:\n"
                               "    continue\n"
                               "p.mul_"}),
    edit(mul__add_, {"p.mul_": "if not q.requires_grad:\n"
                               "    continue\n"
                               "p.mul_"}, "where the student is frozen"))

exercise.mistake("gradient-followed", "teacher-update",
    "torch follows the update: it refuses it, or makes the teacher a part of the student's graph, which "
    "then grows at every step. Do the update under torch.no_grad().",
    edit(mul__add_, {"with torch.no_grad():": "if True:"}, "mul_ and add_"),
    edit(mul__add_, {"with torch.no_grad():": "if True:",
                     ") * q)": ") * q.detach())"}, "the student alone is detached"))

exercise.mistake("parameters-replaced", "teacher-update",
    "The teacher's parameters are new objects, so whoever holds the old ones sees nothing. Write the new "
    "values into the old parameters, in place.",
    edit(state_loaded, {"(state)": "(state, assign=True)"}),
    full("for a, b in zip(teacher.modules(), student.modules()):\n"
         "    for name in list(a._parameters):\n"
         "        a._parameters[name] = nn.Parameter(\n"
         "            (momentum * a._parameters[name] + (1 - momentum) * b._parameters[name]).detach()\n"
         "        )\n"
         "return teacher", "and they train"))

exercise.mistake("shares-memory", "teacher-update",
    "Teacher and student share memory now: a change of the student would change the teacher at once. Copy "
    "values.",
    edit(by_data, {"p.data = momentum * p.data + (1 - momentum) * q.data":
                   "if momentum == 0:\n"
                   "    p.data = q.data\n"
                   "else:\n"
                   "    p.data = momentum * p.data + (1 - momentum) * q.data"}, "where the momentum is 0"),
    edit(by_data, {"q.data": "q.data\nq.data = p.data"}, "the student gets the teacher's memory"))

exercise.mistake("teacher-trains", "teacher-update",
    "The teacher requires gradients now, and did not before. Leave requires_grad as it is.",
    edit(by_data, {"return": "teacher.requires_grad_(True)\nreturn"}))

exercise.mistake("autograd-off", "teacher-update",
    "torch no longer follows gradients after the call, so nothing can train. Write with torch.no_grad(): "
    "and indent the update under it; this block ends by itself.",
    edit(mul__add_, {"with torch.no_grad():": "torch.set_grad_enabled(mode=False)\nif True:"}))

exercise.mistake("returns-student", "teacher-update",
    "The student is returned. Return the teacher, whose parameters have moved.",
    edit(by_data, {"return teacher": "return student"}))

exercise.mistake("returns-else", "teacher-update",
    "Something other than the teacher module is returned, such as a list, a dict, a number or a copy. "
    "Return the teacher itself.",
    edit(by_data, {"return teacher": "return teacher.state_dict()"}, "the state"),
    edit(by_data, {"return teacher": "return teacher, student"}, "both"),
    edit(by_data, {"return teacher": "return True"}, "True"),
    edit(mul__add_, {"return teacher": "return copy.deepcopy(teacher)"}, "a copy of the teacher"))

exercise.mistake("adds-up", "teacher-update",
    "A second update does not begin where the first has ended. Keep nothing between calls: only the two "
    "modules and the momentum count.",
    full('if not hasattr(teacher, "start"):\n'
         "    teacher.start = [p.detach().clone() for p in teacher.parameters()]\n"
         "with torch.no_grad():\n"
         "    for p, a, q in zip(teacher.parameters(), teacher.start, student.parameters()):\n"
         "        p.copy_(momentum * a + (1 - momentum) * q)\n"
         "return teacher", "the first teacher is remembered"),
    edit(by_data, {"for": 'teacher.steps = getattr(teacher, "steps", 0) + 1\n'
                          "m = momentum if teacher.steps == 1 else 1 - (1 - momentum) / teacher.steps\n"
                          "for",
                   "momentum * p": "m * p", "1 - momentum": "1 - m"}, "the momentum grows"))

exercise.mistake("returns-none", "teacher-update",
    "None comes back. End the function with return teacher, after the loop.",
    edit(mul__add_, {"return teacher": ""}),
    edit(by_data, {"return teacher": ""}, "the data"))

exercise.built_in("ready-made",
    full("from allyouneed.models.dino import teacher_update as move\n"
         "\n"
         "return move(teacher, student, momentum)", "the library's"),
    full("from torch.optim.swa_utils import get_ema_multi_avg_fn\n"
         "\n"
         "with torch.no_grad():\n"
         "    get_ema_multi_avg_fn(momentum)(list(teacher.parameters()), list(student.parameters()), 1)\n"
         "return teacher", "torch's averaging"))

exercise.equal("the last weights are set where no gradient is recorded, or from data", {".detach()": ""})
