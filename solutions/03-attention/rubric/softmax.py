"""softmax: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, Relation, edit, every, full

exercise = Exercise(
    "softmax",
    points={"values": 2, "any axis": 1, "large scores": 1},
    section="softmax-stable",
    forbid=("log_softmax", "softmin", "Softmax", "LogSoftmax", "Softmin", "Softmax2d", "gumbel_softmax",
            "safe_softmax", "scaled_dot_product_attention"),
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "A weight"},
                {"rule": "sums_to_one", "what": "The weights along dim", "dim_argument": 1}],
    relations=[
        Relation("a row of three", "the same row, 2 higher",
                 "Adding one number to every score changed the weights; it must not.")],
)


@exercise.probes
def probes(make):
    row = torch.tensor([0.0, 1.0, 2.0]) + make.pick(0.0, 0.5, -0.25)
    yield make.probe("a row of three", row, -1, group="values", gradient=True)
    yield make.probe("the same row, 2 higher", row + 2, -1, group="values")
    sizes = make.pick((3, 5), (4, 7), (6, 4))
    yield make.probe("a matrix along its last axis", make.randn(*sizes), -1, group="values", gradient=True)
    yield make.probe("a matrix along its first axis", make.randn(*sizes), 0, group="any axis", gradient=True)
    yield make.probe("a square matrix along its first axis", make.randn(4, 4), 0, group="any axis")
    yield make.probe("four axes, along the third",
                     make.randn(*make.pick((2, 3, 5, 7), (3, 2, 4, 6), (2, 4, 3, 5))), 2, group="any axis")
    yield make.probe("four axes, along −3", make.randn(*make.pick((2, 3, 5, 7), (3, 2, 4, 6), (2, 4, 3, 5))),
                     -3, group="any axis")
    yield make.probe("float64", make.randn(2, 6, dtype=torch.float64), 1, group="values", gradient=True)
    yield make.probe("not contiguous", make.randn(3, 4), 0, group="any axis", strided=True)
    large = torch.tensor([[1000.0, 999.0, 0.0], [-1000.0, -1001.0, -1002.0]]) * make.pick(1.0, 2.0, 3.0)
    yield make.probe("scores of a thousand", large, -1, group="large scores", edge=True, gradient=True)
    yield make.probe("scores of a hundred", make.randn(2, 5, scale=200.0), -1, group="large scores",
                     edge=True)
    hidden = torch.tensor([[0.5, -math.inf, 1.0], [-20000.0, -20100.0, -math.inf]])
    yield make.probe("one score is minus infinity", hidden, -1, group="large scores", edge=True)
    yield make.probe("float64, scores of ten million",
                     make.randn(2, make.pick(3, 4, 5), dtype=torch.float64) + 1e7, -1,
                     group="large scores", edge=True)
    yield make.probe("a single score", make.randn(3, 1), -1, group="values", edge=True)
    yield make.probe("a long row", make.randn(2, 300), -1, group="values", long=True)


@exercise.right
def reference(x, dim):
    exponentials = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return exponentials / exponentials.sum(dim=dim, keepdim=True)


@exercise.right("loop over slices")
def loop(x, dim):
    moved = torch.movedim(x, dim, 0).reshape(x.shape[dim], -1)
    columns = []
    for j in range(moved.shape[1]):
        column = moved[:, j]
        e = torch.exp(column - torch.max(column))
        columns.append(e / e.sum())
    out = torch.stack(columns, dim=1)
    return torch.movedim(out.reshape(torch.movedim(x, dim, 0).shape), 0, dim)


@exercise.right("step by step")
def plain(x, dim):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


exercise.also_right(
    full("top = x.max(dim, keepdim=True).values.detach()\n"
         "e = (x - top).exp()\n"
         "return e / torch.sum(e, dim, keepdim=True)", "maximum with indices, detached"),
    full("return torch.exp(x - torch.logsumexp(x, dim=dim, keepdim=True))", "logsumexp"),
    full("moved = x.movedim(dim, -1)\n"
         "e = torch.exp(moved - moved.max(-1, keepdim=True)[0])\n"
         "return (e / e.sum(-1, keepdim=True)).movedim(-1, dim)", "moves the axis to the end"),
    full("moved = x.transpose(dim, -1)\n"
         "e = math.e ** (moved - moved.amax(-1, keepdim=True))\n"
         'return (e / torch.einsum("...s->...", e).unsqueeze(-1)).transpose(dim, -1)',
         "power of e, einsum for the sum"))


exercise.mistake("no-shift", "softmax-stable",
    "Large scores overflow: exp of a number above about 88.7 is infinite in float32. Subtract the largest "
    "score along dim before exp; the result stays the same.",
    full("return torch.exp(x) / torch.exp(x).sum(dim=dim, keepdim=True)"))

exercise.mistake("shift-by-another-number", "softmax-stable",
    "What is subtracted is not the largest score: the mean and the smallest leave exp too large, the largest "
    "size without its sign makes all of them 0. Subtract x.amax(dim, keepdim=True).",
    edit(plain, {"x.amax": "x.abs().amax"}, "without its sign"),
    edit(plain, {"amax": "amin"}, "the smallest"),
    edit(plain, {"amax": "mean"}, "the mean"))

exercise.mistake("scores-cut-off", "softmax-stable",
    "Large scores are cut off at a limit, so scores that differ get equal weights. Cut off nothing: subtract "
    "the largest score along dim.",
    edit(plain, {"x - x.amax(dim, keepdim=True)": "x.clamp(-80, 80)"}),
    edit(plain, {"x - x.amax(dim, keepdim=True)": "x.clamp(max=80)"}, "from above"))

exercise.mistake("minus-infinity-replaced", "softmax-stable",
    "A score of −∞ is replaced by a number such as −1e4, which is the largest where all others are lower "
    "still. Leave −∞ as it is: its exp is 0.",
    edit(plain, {"e = torch": "x = torch.where(torch.isinf(x), -1e4, x)\ne = torch"}))

exercise.mistake("float32-on-the-way", "softmax-stable",
    "float64 scores are made float32 on the way: where they are large, their differences are lost. Keep the "
    "dtype of x.",
    edit(plain, {"e = torch": "kind = x.dtype\nx = x.float()\ne = torch",
                 "e / e.sum(dim, keepdim=True)": "(e / e.sum(dim, keepdim=True)).to(kind)"}))

exercise.mistake("ignores-dim", "softmax-over-keys",
    "The result does not depend on dim: the axis is fixed in your code. Pass dim on to both the maximum "
    "and the sum.",
    edit(plain, {every("(dim"): "(-1"}, "always the last axis"),
    full("return torch.exp(x) / torch.exp(x).sum(-1, keepdim=True)", "always the last axis, no shift"),
    edit(plain, {every("(dim"): "(0"}, "always the first axis"))

exercise.mistake("global-maximum", "softmax-stable",
    "The largest score is taken over the whole tensor, so a row with much smaller scores becomes 0/0. Take "
    "it along dim, with keepdim=True.",
    edit(plain, {"amax(dim, keepdim=True)": "max()"}))

exercise.mistake("global-sum", "softmax-over-keys",
    "The weights of the whole tensor sum to 1 together; each slice along dim must sum to 1. Sum along dim, "
    "with keepdim=True.",
    edit(plain, {every("dim, keepdim=True"): ""}),
    edit(plain, {"sum(dim, keepdim=True)": "sum()"}, "with each slice's largest score taken off"))

exercise.mistake("no-keepdim", "softmax-over-keys",
    "The sum or the maximum has lost its axis, and broadcasting lines it up with another one. Use "
    "keepdim=True.",
    edit(plain, {"sum(dim, keepdim=True)": "sum(dim)"}, "sum without keepdim"))

exercise.mistake("no-exponential", "softmax-stable",
    "The scores are divided by their sum without exp. Take exp first: it makes every weight positive.",
    full("return x / x.sum(dim=dim, keepdim=True)"))

exercise.mistake("logarithm", "softmax-stable",
    "These are logarithms of the weights. Return the weights themselves: drop the log.",
    full("return x - torch.logsumexp(x, dim, keepdim=True)"))

exercise.mistake("unnormalized", "softmax-stable",
    "These are the exponentials, not yet divided by their sum. Divide by the sum along dim.",
    full("return torch.exp(x - x.amax(dim, keepdim=True))", "exp of the shifted scores"),
    full("return torch.exp(x)", "exp alone"))

exercise.mistake("negative-scores", "softmax-stable",
    "The largest score gets the smallest weight: the sign of the scores is flipped. Use exp(x), not exp(-x).",
    edit(plain, {"(x - x.amax(dim, keepdim=True))": "(-(x - x.amin(dim, keepdim=True)))"}))

exercise.mistake("base-two", "softmax-stable", "The powers are of 2, not of e. Use torch.exp.",
    edit(plain, {"torch.exp": "2 **"}))

exercise.mistake("epsilon", "softmax-stable",
    "A small number is added to the denominator, so the weights do not sum to 1. After subtracting the "
    "maximum the sum is at least 1: leave it out.",
    edit(plain, {"e.sum(dim, keepdim=True)": "(e.sum(dim, keepdim=True) + 1e-2)"}))

exercise.built_in("changes-input",
    edit(plain, {"e = torch": "with torch.no_grad():\n"
                              "    x -= x.amax(dim, keepdim=True)\n"
                              "e = torch"}))

exercise.built_in("no-gradient",
    edit(plain, {"e = torch": "x = x.detach()\ne = torch"}))

exercise.built_in("ready-made",
    full("from torch import softmax as weights\nreturn weights(x, dim)", "torch.softmax under another name"),
    full('return getattr(x, "soft" + "max")(dim)', "the method"),
    full("return F.log_softmax(x, dim).exp()", "exp of log_softmax"),
    full("return torch.nn.Softmax(dim)(x)", "the layer"),
    full("import allyouneed.nn.attention\nreturn allyouneed.nn.attention.softmax(x, dim)", "the library's own"),
    full("return torch.ops.aten.softmax(x, dim)", "the operator"))

exercise.built_in("timeout",
    full("while True:\n    pass"))


exercise.equal("the slices stand in a matrix, whose last axis is the second",
    {"shape[1]": "shape[-1]", "dim=1": "dim=-1"})
exercise.equal("adding one number to every score changes no weight, so no gradient goes through the maximum",
    {".detach()": ""})
