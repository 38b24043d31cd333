"""The rubric of softmax: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

exercise = Exercise(
    "softmax",
    points={"values": 2, "any axis": 1, "large scores": 1},
    section="softmax-stable",
    forbid=("log_softmax", "softmin", "Softmax", "LogSoftmax", "Softmin", "Softmax2d", "gumbel_softmax"),
    properties=[{"rule": "finite"}, {"rule": "non_negative", "what": "A weight"},
                {"rule": "sums_to_one", "what": "The weights along dim", "dim_argument": 1}],
    relations=[("a row of three", "the same row, 2 higher",
                "Adding one number to every score changed the weights; it must not.")],
    mistakes={
        "no-shift": ("Large scores overflow: exp of a number above about 88.7 is infinite in float32. Subtract the largest score "
                     "along dim before exp; the result stays the same.", "softmax-stable"),
        "ignores-dim": ("The result does not depend on dim: the axis is fixed in your code. Pass dim on to both the maximum and "
                        "the sum.", "softmax-over-keys"),
        "global-maximum": ("The largest score is taken over the whole tensor, so a row with much smaller scores becomes 0/0. "
                           "Take it along dim, with keepdim=True.", "softmax-stable"),
        "global-sum": ("The weights of the whole tensor sum to 1 together; each slice along dim must sum to 1. Sum along dim, "
                       "with keepdim=True.", "softmax-over-keys"),
        "no-keepdim": ("The sum or the maximum has lost its axis, and broadcasting lines it up with another one. Use "
                       "keepdim=True.", "softmax-over-keys"),
        "no-exponential": ("The scores are divided by their sum without exp. Take exp first: it makes every weight positive.",
                           "softmax-stable"),
        "logarithm": ("These are logarithms of the weights. Return the weights themselves: drop the log.", "softmax-stable"),
        "unnormalized": ("These are the exponentials, not yet divided by their sum. Divide by the sum along dim.",
                         "softmax-stable"),
        "negative-scores": ("The largest score gets the smallest weight: the sign of the scores is flipped. Use exp(x), not exp(-x).",
                            "softmax-stable"),
        "base-two": ("The powers are of 2, not of e. Use torch.exp.", "softmax-stable"),
        "epsilon": ("A small number is added to the denominator, so the weights do not sum to 1. After subtracting the maximum the sum "
                    "is at least 1: leave it out.", "softmax-stable"),
    },
)


@exercise.probes
def _(make):
    row = torch.tensor([0.0, 1.0, 2.0]) + make.pick(0.0, 0.5, -0.25)
    yield make.probe("a row of three", row, -1, group="values", gradient=True)
    yield make.probe("the same row, 2 higher", row + 2, -1, group="values")
    sizes = make.pick((3, 5), (4, 7), (6, 4))
    yield make.probe("a matrix along its last axis", make.randn(*sizes), -1, group="values", gradient=True)
    yield make.probe("a matrix along its first axis", make.randn(*sizes), 0, group="any axis", gradient=True)
    yield make.probe("a square matrix along its first axis", make.randn(4, 4), 0, group="any axis")
    yield make.probe("four axes, along the third", make.randn(*make.pick((2, 3, 5, 7), (3, 2, 4, 6), (2, 4, 3, 5))), 2, group="any axis")
    yield make.probe("four axes, along −3", make.randn(*make.pick((2, 3, 5, 7), (3, 2, 4, 6), (2, 4, 3, 5))), -3, group="any axis")
    yield make.probe("float64", make.randn(2, 6, dtype=torch.float64), 1, group="values", gradient=True)
    yield make.probe("not contiguous", make.randn(3, 4), 0, group="any axis", strided=True)
    large = torch.tensor([[1000.0, 999.0, 0.0], [-1000.0, -1001.0, -1002.0]]) * make.pick(1.0, 2.0, 3.0)
    yield make.probe("scores of a thousand", large, -1, group="large scores", edge=True, gradient=True)
    yield make.probe("scores of a hundred", make.randn(2, 5, scale=200.0), -1, group="large scores", edge=True)
    yield make.probe("one score is minus infinity", torch.tensor([[0.5, -math.inf, 1.0]]), -1, group="large scores", edge=True)
    yield make.probe("a single score", make.randn(3, 1), -1, group="values", edge=True)
    yield make.probe("a long row", make.randn(2, 300), -1, group="values", long=True)


@exercise.right
def reference(x, dim):
    exponentials = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return exponentials / exponentials.sum(dim=dim, keepdim=True)


@exercise.alternative("maximum with indices, detached")
def _(x, dim):
    top = x.max(dim, keepdim=True).values.detach()
    e = (x - top).exp()
    return e / torch.sum(e, dim, keepdim=True)


@exercise.alternative("logsumexp")
def _(x, dim):
    return torch.exp(x - torch.logsumexp(x, dim=dim, keepdim=True))


@exercise.alternative("moves the axis to the end")
def _(x, dim):
    moved = x.movedim(dim, -1)
    e = torch.exp(moved - moved.max(-1, keepdim=True)[0])
    return (e / e.sum(-1, keepdim=True)).movedim(-1, dim)


@exercise.alternative("loop over slices")
def _(x, dim):
    moved = torch.movedim(x, dim, 0).reshape(x.shape[dim], -1)
    columns = []
    for j in range(moved.shape[1]):
        column = moved[:, j]
        e = torch.exp(column - torch.max(column))
        columns.append(e / e.sum())
    out = torch.stack(columns, dim=1)
    return torch.movedim(out.reshape(torch.movedim(x, dim, 0).shape), 0, dim)


@exercise.alternative("power of e, einsum for the sum")
def _(x, dim):
    moved = x.transpose(dim, -1)
    e = math.e ** (moved - moved.amax(-1, keepdim=True))
    return (e / torch.einsum("...s->...", e).unsqueeze(-1)).transpose(dim, -1)


@exercise.wrong("no-shift")
def _(x, dim):
    return torch.exp(x) / torch.exp(x).sum(dim=dim, keepdim=True)


@exercise.wrong("ignores-dim", "always the last axis")
def _(x, dim):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


@exercise.wrong("ignores-dim", "always the last axis, no shift")
def _(x, dim):
    return torch.exp(x) / torch.exp(x).sum(-1, keepdim=True)


@exercise.wrong("ignores-dim", "always the first axis")
def _(x, dim):
    e = torch.exp(x - x.amax(0, keepdim=True))
    return e / e.sum(0, keepdim=True)


@exercise.wrong("global-maximum")
def _(x, dim):
    e = torch.exp(x - x.max())
    return e / e.sum(dim=dim, keepdim=True)


@exercise.wrong("global-sum")
def _(x, dim):
    e = torch.exp(x - x.max())
    return e / e.sum()


@exercise.wrong("no-keepdim", "sum without keepdim")
def _(x, dim):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim)


@exercise.wrong("no-exponential")
def _(x, dim):
    return x / x.sum(dim=dim, keepdim=True)


@exercise.wrong("logarithm")
def _(x, dim):
    return x - torch.logsumexp(x, dim, keepdim=True)


@exercise.wrong("unnormalized", "exp of the shifted scores")
def _(x, dim):
    return torch.exp(x - x.amax(dim, keepdim=True))


@exercise.wrong("unnormalized", "exp alone")
def _(x, dim):
    return torch.exp(x)


@exercise.wrong("negative-scores")
def _(x, dim):
    e = torch.exp(-(x - x.amin(dim, keepdim=True)))
    return e / e.sum(dim, keepdim=True)


@exercise.wrong("base-two")
def _(x, dim):
    e = 2 ** (x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


@exercise.wrong("epsilon")
def _(x, dim):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / (e.sum(dim, keepdim=True) + 1e-2)


@exercise.wrong("changes-input")
def _(x, dim):
    with torch.no_grad():
        x -= x.amax(dim, keepdim=True)
    e = torch.exp(x)
    return e / e.sum(dim, keepdim=True)


@exercise.wrong("no-gradient")
def _(x, dim):
    x = x.detach()
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


@exercise.wrong("ready-made", "torch.softmax under another name")
def _(x, dim):
    from torch import softmax as weights
    return weights(x, dim)


@exercise.wrong("ready-made", "the method")
def _(x, dim):
    return getattr(x, "soft" + "max")(dim)


@exercise.wrong("ready-made", "exp of log_softmax")
def _(x, dim):
    return F.log_softmax(x, dim).exp()


@exercise.wrong("ready-made", "the layer")
def _(x, dim):
    return torch.nn.Softmax(dim)(x)


@exercise.wrong("ready-made", "the library's own")
def _(x, dim):
    import allyouneed.attention
    return allyouneed.attention.softmax(x, dim)


@exercise.wrong("ready-made", "the operator")
def _(x, dim):
    return torch.ops.aten.softmax(x, dim)


@exercise.wrong("timeout")
def _(x, dim):
    while True:
        pass
