"""The rubric of multi_head_parameters: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
from torch import nn

from coursegrader.rubric import Exercise

exercise = Exercise(
    "multi_head_parameters",
    points={"matrices and biases": 2, "a width of your own": 1},
    section="counting-parameters",
    mistakes={
        "grows-with-heads": ("The count grows with the number of heads. Unless d_head is given, each head is d_model / n_heads wide: more heads are "
                             "narrower ones, and the sum stays the same.", "equal-cost"),
        "no-output-projection": ("The output projection is missing. There are four matrices: for queries, keys and values, and one that mixes the "
                                 "heads' results.", "output-projection"),
        "one-input-projection": ("Queries, keys and values need a matrix each: three, beside the output projection.", "counting-parameters"),
        "no-bias": ("The biases are missing. Each of the four layers has one number for each column that it makes, unless bias is False.",
                    "counting-parameters"),
        "bias-always": ("The biases are counted although bias is False. Add them only where it is True.", "counting-parameters"),
        "bias-default": ("Your default of bias is not True. Where bias is not given, biases are counted.", "counting-parameters"),
        "output-bias": ("The bias of the output projection has d_model numbers: one for each column that the layer makes, not one for each column "
                        "that comes in.", "counting-parameters"),
        "input-biases": ("The biases of queries, keys and values have n_heads · d_head numbers each: one for each column that the layer makes.",
                         "counting-parameters"),
        "no-output-bias": ("The output projection has a bias too. Add its d_model numbers.", "counting-parameters"),
        "only-output-bias": ("Queries, keys and values have biases too. Add n_heads · d_head numbers for each of the three.", "counting-parameters"),
        "biases-of-one-head": ("The biases of one head are counted. There are n_heads of them side by side.", "counting-parameters"),
        "bias-is-one-number": ("A bias is not one number for each layer: it has one for each column that the layer makes.", "counting-parameters"),
        "d-head-ignored": ("d_head changes nothing here. Where it is given, it replaces d_model / n_heads.", "counting-parameters"),
        "one-head": ("The matrices of one head are counted. There are n_heads of them side by side.", "counting-parameters"),
        "output-square": ("The output projection is counted as a square. It takes n_heads · d_head columns in, and gives d_model.",
                          "output-projection"),
        "output-projection-of-one-head": ("The output projection reads all heads at once: n_heads · d_head columns come in.", "output-projection"),
        "output-projection-of-a-head": ("Each head is counted with an output projection of its full width. There is one for all: n_heads · d_head "
                                        "columns in, d_model out.", "output-projection"),
        "not-an-int": ("A count is an int. Divide with //.", "counting-parameters"),
        "two-numbers": ("One number is asked for: weights and biases together.", "counting-parameters"),
        "feed-forward-too": ("More is counted than the four layers of attention. Leave out norms and the feed-forward network.", "counting-parameters"),
        "weights-twice": ("The weights are counted with a wrong factor: count each of the four matrices once.", "counting-parameters"),
        "output-bias-of-each-head": ("The bias of the output projection is counted for each head. The projection is one layer for all heads, with one "
                                     "bias of d_model numbers.", "output-projection"),
        "one-input-bias": ("Queries, keys and values have a bias each: three of n_heads · d_head numbers.", "counting-parameters"),
        "bias-inverted": ("bias works the wrong way round. Count biases where it is True, and none where it is False.", "counting-parameters"),
        "nothing-without-bias": ("Without biases nothing is counted. bias=False leaves out the biases alone, the matrices stay: put brackets around "
                                 "what depends on it.", "counting-parameters"),
        "d-head-divided": ("d_head is divided by the number of heads. It is the width of one head already.", "table-of-shapes"),
        "d-head-for-all": ("d_head is taken as the width of all heads together. It is the width of one: together they are n_heads · d_head wide.",
                           "table-of-shapes"),
        "d-head-is-none": ("Where d_head is not given, it is None and no number. A head is then d_model // n_heads wide.", "counting-parameters"),
        "inner-by-inner": ("Every layer is counted as n_heads · d_head by n_heads · d_head. On one side, each of the four has d_model columns.",
                           "table-of-shapes"),
        "tensors-counted": ("The tensors are counted, not the numbers in them. Add up the sizes: numel() of each.", "counting-parameters"),
    },
)


@exercise.probes
def _(make):
    core, own = {"group": "matrices and biases"}, {"group": "a width of your own"}
    yield make.probe("four wide, two heads", 4, 2, **core)
    yield make.probe("four wide, two heads, no biases", 4, 2, bias=False, **core)
    yield make.probe("the same width, other heads", *make.pick((12, 3), (20, 4), (18, 6)), **core)
    yield make.probe("the same width, yet other heads", *make.pick((12, 6), (20, 10), (18, 9)), **core)
    yield make.probe("no biases", *make.pick((30, 5), (24, 6), (28, 7)), bias=False, **core)
    yield make.probe("biases asked for", *make.pick((24, 4), (30, 6), (42, 7)), None, True, **core)
    yield make.probe("one head", make.pick(10, 14, 6), 1, edge=True, **core)
    yield make.probe("as in the paper of 2017", 512, 8, edge=True, **core)
    yield make.probe("a narrow head of your own", *make.pick((10, 3, 2), (14, 3, 4), (16, 5, 2)), **own)
    yield make.probe("a narrow head of your own, no biases", *make.pick((9, 2, 4), (11, 4, 2), (13, 5, 2)), bias=False, **own)
    yield make.probe("wide heads of your own", *make.pick((6, 4), (7, 5), (8, 3)), d_head=make.pick(5, 6, 9), **own)
    yield make.probe("wide heads of your own, no biases", *make.pick((8, 4, 7), (10, 2, 11), (6, 3, 8)), False, **own)
    yield make.probe("one head of your own", 6, 1, d_head=make.pick(4, 5, 3), edge=True, **own)


@exercise.right
def reference(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    weights = 4 * d_model * inner
    return weights + (3 * inner + d_model if bias else 0)


@exercise.alternative("layer by layer")
def _(d_model, n_heads, d_head=None, bias=True):
    if d_head is None:
        d_head = d_model // n_heads
    total = 0
    for rows, columns in [(n_heads * d_head, d_model)] * 3 + [(d_model, n_heads * d_head)]:
        total += rows * columns
        if bias:
            total += rows
    return total


@exercise.alternative("builds layers and counts")
def _(d_model, n_heads, d_head=None, bias=True):
    width = n_heads * (d_head or d_model // n_heads)
    layers = nn.ModuleList([nn.Linear(d_model, width, bias=bias) for _ in range(3)] + [nn.Linear(width, d_model, bias=bias)])
    return sum(p.numel() for p in layers.parameters())


@exercise.alternative("head by head")
def _(d_model, n_heads, d_head=None, bias=True):
    k = int(d_model / n_heads) if d_head is None else d_head
    count = d_model if bias else 0
    for _ in range(n_heads):
        count += 3 * (d_model * k + int(bias) * k)
        count += k * d_model
    return count


@exercise.alternative("one more row for the bias")
def _(d_model, n_heads, d_head=None, bias=True):
    inner = (d_head if d_head is not None else d_model // n_heads) * n_heads
    return 3 * inner * (d_model + bias) + d_model * (inner + bias)


@exercise.alternative("counts torch's own layer where it can")
def _(d_model, n_heads, d_head=None, bias=True):
    if d_head is None:
        layer = nn.MultiheadAttention(d_model, n_heads, bias=bias)
        return sum(parameter.numel() for parameter in layer.parameters())
    return 4 * d_model * n_heads * d_head + bias * (3 * n_heads * d_head + d_model)


@exercise.alternative("shapes on the meta device, a tensor's count")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_head or d_model // n_heads
    with torch.device("meta"):
        fused = nn.Linear(d_model, 3 * n_heads * d_head, bias=bias)
        out = nn.Linear(n_heads * d_head, d_model, bias=bias)
    return torch.tensor([p.numel() for layer in (fused, out) for p in layer.parameters()]).sum()


@exercise.wrong("grows-with-heads")
def _(d_model, n_heads, d_head=None, bias=True):
    inner = n_heads * (d_model if d_head is None else d_head)
    return 4 * d_model * inner + bias * (3 * inner + d_model)


@exercise.wrong("grows-with-heads", "head by head")
def _(d_model, n_heads, d_head=None, bias=True):
    if d_head is None:
        d_head = d_model
    total = 0
    for _ in range(n_heads):
        total += 3 * (d_model * d_head + (d_head if bias else 0)) + d_head * d_model
    return total + d_model if bias else total


@exercise.wrong("grows-with-heads", "a whole layer for each head")
def _(d_model, n_heads, d_head=None, bias=True):
    one = 4 * (d_model * d_model + bias * d_model) if d_head is None else 0
    return n_heads * one if d_head is None else 4 * d_model * n_heads * d_head + bias * (3 * n_heads * d_head + d_model)


@exercise.wrong("grows-with-heads", "with a square output projection")
def _(d_model, n_heads, d_head=None, bias=True):
    if d_head is None:
        return 3 * n_heads * (d_model * d_model + bias * d_model) + d_model * d_model + bias * d_model
    return 4 * d_model * n_heads * d_head + bias * (3 * n_heads * d_head + d_model)


@exercise.wrong("grows-with-heads", "d_head ignored")
def _(d_model, n_heads, d_head=None, bias=True):
    return n_heads * (4 * d_model * d_model + (4 * d_model if bias else 0))


@exercise.wrong("grows-with-heads", "the last bias lost")
def _(d_model, n_heads, d_head=None, bias=True):
    k = d_head or d_model
    return n_heads * (3 * (d_model * k + bias * k)) + (n_heads * k * d_model + bias * d_model) if d_head else n_heads * (3 * (d_model * k + bias * k)) + d_model * k


@exercise.wrong("no-output-projection")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * (d_model * inner + (inner if bias else 0))


@exercise.wrong("no-output-projection", "its bias counted")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + bias * (3 * inner + d_model)


@exercise.wrong("no-output-projection", "four biases")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + bias * 4 * inner


@exercise.wrong("no-output-projection", "layers built")
def _(d_model, n_heads, d_head=None, bias=True):
    layers = [nn.Linear(d_model, n_heads * (d_head or d_model // n_heads), bias=bias) for _ in range(3)]
    return sum(p.numel() for layer in layers for p in layer.parameters())


@exercise.wrong("no-output-projection", "and no biases")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner


@exercise.wrong("one-input-projection")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 2 * d_model * inner + bias * (inner + d_model)


@exercise.wrong("one-input-projection", "keys and values share one")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + bias * (2 * inner + d_model)


@exercise.wrong("no-bias")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner


@exercise.wrong("no-bias", "layers built")
def _(d_model, n_heads, d_head=None, bias=True):
    width = n_heads * (d_head or d_model // n_heads)
    layers = nn.ModuleList([nn.Linear(d_model, width, bias=False) for _ in range(3)] + [nn.Linear(width, d_model, bias=False)])
    return sum(p.numel() for p in layers.parameters())


@exercise.wrong("bias-always")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + 3 * inner + d_model


@exercise.wrong("bias-always", "layers built")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_head or d_model // n_heads
    layers = [nn.Linear(d_model, n_heads * d_head) for _ in range(3)] + [nn.Linear(n_heads * d_head, d_model)]
    return sum(p.numel() for layer in layers for p in layer.parameters())


@exercise.wrong("bias-always", "and too wide")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + 4 * inner


@exercise.wrong("bias-default")
def _(d_model, n_heads, d_head=None, bias=False):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (3 * inner + d_model if bias else 0)


@exercise.wrong("output-bias")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (4 * inner if bias else 0)


@exercise.wrong("output-bias", "four equal layers")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * (d_model + 1) * inner if bias else 4 * d_model * inner


@exercise.wrong("input-biases")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (4 * d_model if bias else 0)


@exercise.wrong("input-biases", "and the output's too")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + bias * (3 * d_model + inner)


@exercise.wrong("no-output-bias")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (3 * inner if bias else 0)


@exercise.wrong("only-output-bias")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (d_model if bias else 0)


@exercise.wrong("biases-of-one-head")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (3 * d_head + d_model if bias else 0)


@exercise.wrong("biases-of-one-head", "all four")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (4 * d_head if bias else 0)


@exercise.wrong("bias-is-one-number")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (4 if bias else 0)


@exercise.wrong("bias-is-one-number", "one in all")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + int(bias)


@exercise.wrong("bias-is-one-number", "one for each head")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (3 * n_heads + 1 if bias else 0)


@exercise.wrong("d-head-ignored")
def _(d_model, n_heads, d_head=None, bias=True):
    return 4 * d_model * d_model + (4 * d_model if bias else 0)


@exercise.wrong("d-head-ignored", "the rounded width")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads
    return 4 * d_model * n_heads * d_head + bias * (3 * n_heads * d_head + d_model)


@exercise.wrong("d-head-ignored", "layers built")
def _(d_model, n_heads, d_head=None, bias=True):
    return sum(p.numel() for p in nn.ModuleList(nn.Linear(d_model, d_model, bias=bias) for _ in range(4)).parameters())


@exercise.wrong("one-head")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * d_head + (3 * d_head + d_model if bias else 0)


@exercise.wrong("one-head", "and the output projection of all")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * (d_model * d_head + bias * d_head) + inner * d_model + bias * d_model


@exercise.wrong("output-square")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + d_model * d_model + bias * (3 * inner + d_model)


@exercise.wrong("output-square", "as wide as the heads")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + inner * inner + bias * (3 * inner + inner)


@exercise.wrong("output-projection-of-one-head")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + d_head * d_model + bias * (3 * inner + d_model)


@exercise.wrong("output-projection-of-a-head")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + n_heads * inner * d_model + bias * (3 * inner + d_model)


@exercise.wrong("output-projection-of-a-head", "square")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + n_heads * d_model * d_model + bias * (3 * inner + d_model)


@exercise.wrong("not-an-int")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model / n_heads if d_head is None else float(d_head)
    inner = n_heads * d_head
    return 4 * d_model * inner + (3 * inner + d_model if bias else 0)


@exercise.wrong("not-an-int", "where d_head is not given")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model / n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (3 * inner + d_model if bias else 0)


@exercise.wrong("two-numbers")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner, (3 * inner + d_model if bias else 0)


@exercise.wrong("feed-forward-too", "a norm")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + bias * (3 * inner + d_model) + 2 * d_model


@exercise.wrong("feed-forward-too", "feed-forward")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + bias * (3 * inner + d_model) + 8 * d_model * d_model + bias * 5 * d_model


@exercise.wrong("weights-twice")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 8 * d_model * inner + (3 * inner + d_model if bias else 0)


@exercise.wrong("weights-twice", "and the biases")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 2 * (4 * d_model * inner + bias * (3 * inner + d_model))


@exercise.wrong("weights-twice", "five matrices")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 5 * d_model * inner + bias * (3 * inner + d_model)


@exercise.wrong("weights-twice", "one matrix")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return d_model * inner + bias * inner


@exercise.wrong("grows-with-heads", "whole layers, biases always")
def _(d_model, n_heads, d_head=None, bias=True):
    return n_heads * (4 * d_model * d_model + 4 * d_model)


@exercise.wrong("grows-with-heads", "whole layers, no biases")
def _(d_model, n_heads, d_head=None, bias=True):
    return n_heads * 4 * d_model ** 2


@exercise.wrong("grows-with-heads", "each head as wide as the model, biases always")
def _(d_model, n_heads, d_head=None, bias=True):
    inner = n_heads * (d_head or d_model)
    return 4 * d_model * inner + 3 * inner + d_model


@exercise.wrong("grows-with-heads", "each head as wide as the model, no biases")
def _(d_model, n_heads, d_head=None, bias=True):
    return 4 * d_model * n_heads * (d_head or d_model)


@exercise.wrong("grows-with-heads", "matrices times heads, biases once")
def _(d_model, n_heads, d_head=None, bias=True):
    return n_heads * 4 * d_model * d_model + bias * 4 * d_model


@exercise.wrong("one-head", "biases always")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * d_head + 3 * d_head + d_model


@exercise.wrong("one-head", "no biases")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * d_head


@exercise.wrong("output-projection-of-one-head", "biases of one head, too")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * d_model * inner + d_head * d_model + bias * (3 * d_head + d_model)


@exercise.wrong("output-projection-of-a-head", "with a bias each")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 3 * (d_model * inner + bias * inner) + n_heads * (inner * d_model + bias * d_model)


@exercise.wrong("output-bias-of-each-head")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    one = 3 * (d_model * d_head + bias * d_head) + d_head * d_model + bias * d_model
    return n_heads * one


@exercise.wrong("output-bias-of-each-head", "layers built")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    layers = [nn.Linear(d_model, d_head, bias=bias) for _ in range(3 * n_heads)] + [nn.Linear(d_head, d_model, bias=bias) for _ in range(n_heads)]
    return sum(p.numel() for layer in layers for p in layer.parameters())


@exercise.wrong("one-input-bias")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + bias * (inner + d_model)


@exercise.wrong("bias-inverted")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + (0 if bias else 3 * inner + d_model)


@exercise.wrong("bias-inverted", "layers built")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    shapes = [(d_model, inner)] * 3 + [(inner, d_model)]
    return sum(p.numel() for shape in shapes for p in nn.Linear(*shape, bias=not bias).parameters())


@exercise.wrong("nothing-without-bias")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * d_model * inner + 3 * inner + d_model if bias else 0


@exercise.wrong("d-head-divided")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = (d_model if d_head is None else d_head) // n_heads
    inner = n_heads * d_head
    return 4 * d_model * inner + bias * (3 * inner + d_model)


@exercise.wrong("d-head-for-all")
def _(d_model, n_heads, d_head=None, bias=True):
    inner = d_model if d_head is None else d_head
    return 4 * d_model * inner + bias * (3 * inner + d_model)


@exercise.wrong("d-head-is-none")
def _(d_model, n_heads, d_head=None, bias=True):
    inner = n_heads * d_head
    return 4 * d_model * inner + bias * (3 * inner + d_model)


@exercise.wrong("d-head-is-none", "the other way round")
def _(d_model, n_heads, d_head=None, bias=True):
    inner = d_head * n_heads
    return 4 * d_model * inner + bias * (3 * inner + d_model)


@exercise.wrong("inner-by-inner")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return 4 * inner * inner + bias * 4 * inner


@exercise.wrong("inner-by-inner", "torch's own layer")
def _(d_model, n_heads, d_head=None, bias=True):
    inner = d_model if d_head is None else n_heads * d_head
    return sum(p.numel() for p in nn.MultiheadAttention(inner, n_heads, bias=bias).parameters())


@exercise.wrong("d-head-ignored", "torch's own layer")
def _(d_model, n_heads, d_head=None, bias=True):
    return sum(p.numel() for p in nn.MultiheadAttention(d_model, n_heads, bias=bias).parameters())


@exercise.wrong("tensors-counted")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    layers = nn.ModuleList([nn.Linear(d_model, inner, bias=bias) for _ in range(3)] + [nn.Linear(inner, d_model, bias=bias)])
    return len(list(layers.parameters()))


@exercise.wrong("two-numbers", "a list of layers")
def _(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    return [d_model * inner + bias * inner] * 3 + [inner * d_model + bias * d_model]


@exercise.wrong("grows-with-heads", "three full matrices a head, biases once")
def _(d_model, n_heads, d_head=None, bias=True):
    count = 3 * n_heads * d_model * d_model + d_model * d_model
    return count + 4 * d_model if bias else count


@exercise.wrong("returns-nothing")
def _(d_model, n_heads, d_head=None, bias=True):
    print(4 * d_model * n_heads * (d_head or d_model // n_heads) + bias * 4 * d_model)


@exercise.wrong("timeout")
def _(d_model, n_heads, d_head=None, bias=True):
    from time import sleep
    total = 0
    while total < 4 * d_model:
        sleep(0.01)
    return total
