"""clip_gradients: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "clip_gradients",
    points={"long gradients": 2, "short gradients": 1, "zeros and large numbers": 1},
    section="clipping",
    forbid=("clip_grad_norm_", "clip_grad_norm", "clip_grads_with_norm_", "clip_grad_value_", "renorm"),
)


@exercise.probes
def probes(make):
    def gradients(*shapes, scale=1.0, dtype=torch.float32, norm=None):
        found = [make.randn(*shape, dtype=torch.float64, scale=scale) for shape in shapes]
        if norm:
            total = torch.cat([item.flatten() for item in found]).norm()
            found = [item * (norm / total) for item in found]
        return [item.to(dtype) for item in found]

    def probe(name, found, max_norm, group, **marks):
        strided = marks.pop("strided", False)
        made = make.probe(name, found, max_norm, group=group, **marks)
        for item in made["args"][0] if strided else ():
            item["strided"] = True
        return made

    group = "long gradients"
    yield probe("a matrix and a vector", gradients((2, 3), make.pick((4,), (5,), (3,)), norm=7.0), 2.0, group)
    yield probe("three tensors of other lengths",
                gradients(make.pick((3, 5), (4, 3), (2, 6)), (4,), (2, 3, 2),
                                                           norm=40.0), 1.5, group)
    one, two, three = gradients((4, 3), make.pick((6,), (5,), (7,)), (2, 5), norm=9.0)
    yield probe("each tensor short, all together long", [one, two, three], make.pick(8.0, 7.5, 8.5), group)
    long, short = gradients((3, 4), norm=6.0)[0], gradients((5,), norm=0.2)[0]
    yield probe("one long tensor, one short", [short, long], make.pick(3.0, 2.5, 2.0), group)
    yield probe("numbers below 1", gradients((5, 2), make.pick((3,), (4,), (2,)), norm=0.6), 0.25, group)
    yield probe("negative numbers", [-item.abs() for item in gradients((2,), (2,), norm=8.0)],
                make.pick(2.0, 3.0, 2.5), group)
    yield probe("float64", gradients((3, 2), make.pick((4, 5), (5, 4), (2, 7)), dtype=torch.float64,
                                     norm=12.0),
                3.0, group)
    yield probe("one tensor", gradients(make.pick((7,), (6,), (8,)), norm=5.0), 2.0, group, edge=True)
    yield probe("single numbers", [torch.tensor(3.0), torch.tensor([-4.0])], make.pick(1.0, 2.0, 2.5), group,
                edge=True)
    yield probe("max_norm is an int", gradients((3, 3), (2,), norm=8.0), make.pick(2, 3, 4), group, edge=True)
    yield probe("not contiguous", gradients((3, 4), (2, 5), norm=9.0), 2.0, group, edge=True, strided=True)
    yield probe("many tensors", gradients(*[(20, 20)] * 30, norm=50.0), 1.0, group, edge=True, long=True)

    group = "short gradients"
    yield probe("a short gradient", gradients((2, 3), make.pick((4,), (5,), (3,)), norm=1.3), 2.0, group)
    yield probe("three tensors, all together short",
                gradients((3, 2), (4,), make.pick((2, 5), (3, 4), (2, 6)), norm=0.5), 5.0, group)
    yield probe("far below the limit, float64", gradients((4,), (2, 3), dtype=torch.float64, norm=0.8), 100.0,
                group)
    yield probe("next to nothing", gradients((2, 3), (make.pick(4, 3, 5),), norm=2e-7), 1.0, group, edge=True)
    yield probe("a large number, but a large limit", gradients((3,), (2, 2), norm=30.0), 45.0, group)

    group = "zeros and large numbers"
    yield probe("all zero", [torch.zeros(2, 3), torch.zeros(make.pick(4, 3, 5))], 1.0, group, edge=True)
    zero, other = torch.zeros(3), gradients((2, 4), norm=6.0)[0]
    yield probe("one of them zero", [zero, other], 2.0, group, edge=True)
    yield probe("exploded", gradients((3, 2), (4,), norm=make.pick(3e12, 5e12, 2e12)), 1.0, group, edge=True)


@exercise.right
def reference(gradients, max_norm):
    total = torch.sqrt(sum((g**2).sum() for g in gradients))
    if total <= max_norm:
        return [g.clone() for g in gradients]
    return [g * (max_norm / total) for g in gradients]


@exercise.right("the norm of the norms, a factor of at most 1")
def norms(gradients, max_norm):
    each = torch.stack([g.norm() for g in gradients])
    total = each.norm()
    factor = torch.clamp(max_norm / (total + 1e-6), max=1.0)
    return [factor * g for g in gradients]


@exercise.right("one long vector, plain numbers")
def one_vector(gradients, max_norm):
    everything = torch.cat([g.flatten() for g in gradients])
    length = everything.norm().item()
    scale = 1.0
    if length > max_norm:
        scale = max_norm / length
    return [g * scale for g in gradients]


@exercise.right("loop over the tensors")
def loop(gradients, max_norm):
    squares = 0.0
    for g in gradients:
        squares += g.pow(2).sum().item()
    norm = math.sqrt(squares)
    clipped = []
    for g in gradients:
        clipped.append(g * max_norm / norm if norm > max_norm else g * 1)
    return clipped


exercise.also_right(
    full("total = math.hypot(*(torch.linalg.vector_norm(g).item() for g in gradients))\n"
         "return [g * min(1.0, max_norm / max(total, 1e-12)) for g in gradients]", "hypot of the norms"),
    full("total = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in gradients]))\n"
         "return tuple(g / torch.clamp(total / max_norm, min=1.0) for g in gradients)", "divided, a tuple"),
    full("import copy\n"
         "result = copy.deepcopy(gradients)\n"
         "total = sum(float((g * g).sum()) for g in result) ** 0.5\n"
         "if total > max_norm:\n"
         "    for g in result:\n"
         "        g.mul_(max_norm / total)\n"
         "return result", "in place in a copy"))

EACH = {"total = each.norm()": "", "(total + 1e-6)": "(each + 1e-6)", "factor * g for g in gradients":
        "f * g for f, g in zip(factor, gradients)"}

exercise.mistake("each-by-itself", "clipping",
    "Each tensor is clipped by its own norm. The gradient is one long vector, and these are its parts: take "
    "one norm over all of them, and scale all by the same factor. Otherwise the direction changes.",
    edit(norms, EACH),
    full("return [g * min(1.0, max_norm / max(g.norm().item(), 1e-9)) for g in gradients]", "in one line"),
    edit(reference, {"max_norm / total": "max_norm / g.norm().clamp(min=1e-9)"}, "once all together are long"))

exercise.mistake("short-ones-left", "clipping",
    "Tensors that are short by themselves stay as they are. Where all together are too long, every tensor "
    "gets the same factor, the short ones too.",
    edit(one_vector, {"g * scale": "g * scale if g.norm() > max_norm else g * 1"}))

exercise.mistake("each-row-or-number", "clipping",
    "Single numbers are cut off at the limit, or rows are shortened one by one. That changes the direction "
    "of the gradient. Scale everything by one factor, which follows from the norm over all tensors.",
    full("return [g.clamp(-max_norm, max_norm) for g in gradients]", "numbers clamped"),
    full("return [g * (max_norm / g.norm(dim=-1, keepdim=True).clamp(min=1e-9)).clamp(max=1)"
         " if g.dim() else g.clamp(-max_norm, max_norm) for g in gradients]", "rows shortened"),
    full("largest = max(g.abs().max() for g in gradients)\n"
         "if largest <= max_norm:\n"
         "    return [g.clone() for g in gradients]\n"
         "return [g.clamp(-max_norm, max_norm) for g in gradients]", "clamped where one is larger"))

exercise.mistake("scales-up", "clipping",
    "Short gradients are scaled up to max_norm, too. The limit is an upper one: a gradient whose norm is "
    "below it comes back as it is.",
    edit(norms, {"torch.clamp(max_norm / (total + 1e-6), max=1.0)": "max_norm / (total + 1e-6)"}),
    edit(one_vector, {"if length > max_norm:\n    scale = max_norm / length": "scale = max_norm / length"},
         "without a condition"),
    edit(reference, {"if total <= max_norm:\n    return [g.clone() for g in gradients]": ""}, "no branch"),
    edit(norms, {", max=1.0": ", min=1.0"}, "min where max is meant"),
    edit(reference, {"<=": ">"}, "the condition turned round"),
    edit(one_vector, {"length > max_norm": "length < max_norm"}, "condition turned round, with a scale"))

exercise.mistake("sum-of-norms", "clipping",
    "The norms of the tensors are added up. Lengths do not add; squares do: the norm over all is the root of "
    "the sum of all squared numbers.",
    edit(norms, {"each.norm()": "each.sum()"}),
    edit(loop, {"squares += g.pow(2).sum().item()": "squares += g.norm().item()", "math.sqrt(squares)":
                "squares"},
         "in a loop"))

exercise.mistake("mean-of-norms", "clipping",
    "The norms of the tensors are averaged, or the squares are. The norm over all tensors is the root of the "
    "sum of all squared numbers, so each further tensor makes it longer.",
    edit(norms, {"each.norm()": "each.mean()"}, "mean of the norms"),
    edit(reference, {"sum((g**2).sum() for g in gradients)":
                     "torch.cat([(g**2).flatten() for g in gradients]).mean()"}, "mean of the squares"))

exercise.mistake("largest-norm", "clipping",
    "The length of one tensor, such as the longest, the first or the last, stands for all. The norm over all "
    "tensors is the root of the sum of all squared numbers.",
    edit(norms, {"each.norm()": "each.max()"}, "the longest"),
    edit(norms, {"each.norm()": "each[0]"}, "the first"),
    edit(loop, {"squares +=": "squares ="}, "the last"))

exercise.mistake("root-missing", "clipping",
    "The squares are summed, but the root is missing: what is compared with max_norm is the squared norm.",
    edit(loop, {"math.sqrt(squares)": "squares"}),
    edit(reference, {"torch.sqrt(sum((g**2).sum() for g in gradients))":
                     "sum((g**2).sum() for g in gradients)"},
         "tensors"),
    edit(reference, {"max_norm / total": "(max_norm / total) ** 0.5",
                     "torch.sqrt(sum((g**2).sum() for g in gradients))":
                     "sum((g**2).sum() for g in gradients)"},
         "root of the quotient, not of the squares"))

exercise.mistake("root-of-each", "clipping",
    "The root is taken before the sum is complete: each number or each square has lost its square again. Add "
    "up the squares of all numbers of all tensors, then take one root.",
    edit(reference, {"(g**2).sum()": "g.abs().sum()"}, "absolute values"),
    edit(reference, {"g**2": "g"}, "the numbers as they are"),
    edit(reference, {"g**2": "g * 2"}, "doubled"),
    edit(reference, {"torch.sqrt(sum((g**2).sum() for g in gradients))":
                     "sum(g.abs().sum() for g in gradients)"},
         "the sum of absolute values"))

exercise.mistake("largest-number", "clipping",
    "The largest number stands for the norm. The norm is the length of the whole gradient: the root of the "
    "sum of all squared numbers.",
    edit(one_vector, {"everything.norm()": "everything.abs().max()"}))

exercise.mistake("factor-inverted", "clipping",
    "The factor is upside down: a long gradient gets longer. It must be below 1, so that the norm becomes "
    "max_norm.",
    edit(reference, {"max_norm / total": "total / max_norm"}),
    edit(reference, {"g * (max_norm / total)": "g / (max_norm / total)"}, "divided by the right factor"),
    edit(norms, {"max_norm / (total + 1e-6), max=1.0": "(total + 1e-6) / max_norm, min=1.0"}, "as a clamp"))

exercise.mistake("unit-norm", "clipping",
    "A long gradient gets the norm 1. It must get the norm max_norm: multiply by the limit as well.",
    edit(reference, {"max_norm / total": "1 / total"}),
    edit(one_vector, {"max_norm / length": "1 / length"}, "with a scale"))

exercise.mistake("multiplied-by-limit", "clipping",
    "A long gradient is multiplied by max_norm, but not divided by its norm. Divide by the norm first: then "
    "it has the length 1, and times max_norm the length max_norm.",
    edit(reference, {"max_norm / total": "max_norm"}))

exercise.mistake("dropped", "clipping",
    "A gradient above the limit is thrown away: zeros come back. Scale it down to the limit, and keep its "
    "direction.",
    edit(reference, {"g * (max_norm / total)": "torch.zeros_like(g)"}))

exercise.mistake("not-clipped", "clipping",
    "Long gradients come back as they are. Compare the norm over all tensors with max_norm, and return what "
    "has been scaled.",
    full("return [g.clone() for g in gradients]"),
    edit(reference, {"g * (max_norm / total)": "g.clone()"}, "scaled nowhere"))

exercise.mistake("nan-for-zeros", "clipping",
    "A gradient of zeros gives NaN: 0 divided by 0. Where the norm is not above the limit nothing needs to "
    "be divided.",
    edit(loop, {"g * max_norm / norm if norm > max_norm else g * 1":
                "g / torch.tensor(norm).to(g) * min(norm, max_norm)"}, "divided by the norm"),
    edit(norms, {"torch.clamp(max_norm / (total + 1e-6), max=1.0)":
                 "torch.clamp(total, max=max_norm) / total"},
         "a quotient of tensors"))

exercise.mistake("norm-too", "clipping",
    "The norm comes back, alone or beside the gradients. (torch's own function returns it.) Return the list "
    "of clipped gradients alone.",
    edit(reference, {"return [g * (max_norm / total) for g in gradients]": "return total",
                     "return [g.clone() for g in gradients]": "return total"}, "alone"),
    edit(norms, {"return [factor * g for g in gradients]": "return [factor * g for g in gradients], total"},
         "beside"))

exercise.mistake("flattened", "clipping",
    "One long vector comes back, or the tensors have lost their shapes. Return one tensor for each that came "
    "in, in its own shape: each belongs to a parameter.",
    edit(one_vector, {"[g * scale for g in gradients]": "everything * scale"}, "one vector"),
    edit(one_vector, {"g * scale": "g.flatten() * scale"}, "each flattened"))

exercise.built_in("changes-input",
    full("total = sum(float((g * g).sum()) for g in gradients) ** 0.5\n"
         "if total > max_norm:\n"
         "    for g in gradients:\n"
         "        g.mul_(max_norm / total)\n"
         "return gradients", "scaled in place"),
    edit(loop, {"clipped.append(g * max_norm / norm if norm > max_norm else g * 1)":
                "g *= min(1.0, max_norm / max(norm, 1e-9))\nclipped.append(g)"}, "g *= in the loop"))

exercise.built_in("ready-made",
    full("parameters = [torch.zeros_like(g) for g in gradients]\n"
         "for p, g in zip(parameters, gradients):\n"
         "    p.grad = g.clone()\n"
         "torch.nn.utils.clip_grad_norm_(parameters, max_norm)\n"
         "return [p.grad for p in parameters]", "torch's own, on stand-ins"))

exercise.equal("where the norm is max_norm the factor is 1, and a number times or divided by 1 is itself", {
    "total <= max_norm": "total < max_norm", "> max_norm": ">= max_norm", "g * 1": "g / 1"})
exercise.equal("a tensor of one number computes like the number, and min and max take theirs in any order", {
    ".item()": "", "float((g": "((g", "max(total, 1e-12)": "max(1e-12, total)",
    "1.0, max_norm / max(total, 1e-12)": "max_norm / max(total, 1e-12), 1.0"})
exercise.equal("a tensor divided by 0 is infinite, which the clamp brings to 1", {"(total + 1e-6)": "total"})
exercise.equal("what is not changed may be the gradient itself", {"g.clone()": "g", "g * 1": "g"})
