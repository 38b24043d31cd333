"""multi_head_parameters: probes, right versions, and each mistake with its message and its evidence."""

import torch
from torch import nn

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "multi_head_parameters",
    points={"matrices and biases": 2, "a width of your own": 1},
    section="counting-parameters",
)


@exercise.probes
def probes(make):
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
    yield make.probe("a narrow head of your own, no biases", *make.pick((9, 2, 4), (11, 4, 2), (13, 5, 2)),
                     bias=False, **own)
    yield make.probe("wide heads of your own", *make.pick((6, 4), (7, 5), (8, 3)), d_head=make.pick(5, 6, 9),
                     **own)
    yield make.probe("wide heads of your own, no biases", *make.pick((8, 4, 7), (10, 2, 11), (6, 3, 8)),
                     False, **own)
    yield make.probe("one head of your own", 6, 1, d_head=make.pick(4, 5, 3), edge=True, **own)


@exercise.right
def reference(d_model, n_heads, d_head=None, bias=True):
    d_head = d_model // n_heads if d_head is None else d_head
    inner = n_heads * d_head
    weights = 4 * d_model * inner
    return weights + (3 * inner + d_model if bias else 0)


@exercise.right("layer by layer")
def layer_layer(d_model, n_heads, d_head=None, bias=True):
    if d_head is None:
        d_head = d_model // n_heads
    total = 0
    for rows, columns in [(n_heads * d_head, d_model)] * 3 + [(d_model, n_heads * d_head)]:
        total += rows * columns
        if bias:
            total += rows
    return total


@exercise.right("builds layers and counts")
def builds_layers(d_model, n_heads, d_head=None, bias=True):
    width = n_heads * (d_head or d_model // n_heads)
    layers = nn.ModuleList([nn.Linear(d_model, width, bias=bias) for _ in range(3)]
                           + [nn.Linear(width, d_model, bias=bias)])
    return sum(p.numel() for p in layers.parameters())


@exercise.right("head by head")
def head_head(d_model, n_heads, d_head=None, bias=True):
    k = int(d_model / n_heads) if d_head is None else d_head
    count = d_model if bias else 0
    for _ in range(n_heads):
        count += 3 * (d_model * k + int(bias) * k)
        count += k * d_model
    return count


@exercise.right("one more row for the bias")
def one_more(d_model, n_heads, d_head=None, bias=True):
    inner = (d_head if d_head is not None else d_model // n_heads) * n_heads
    return 3 * inner * (d_model + bias) + d_model * (inner + bias)


@exercise.right("shapes on the meta device, a tensor's count")
def shapes_meta(d_model, n_heads, d_head=None, bias=True):
    d_head = d_head or d_model // n_heads
    with torch.device("meta"):
        fused = nn.Linear(d_model, 3 * n_heads * d_head, bias=bias)
        out = nn.Linear(n_heads * d_head, d_model, bias=bias)
    return torch.tensor([p.numel() for layer in (fused, out) for p in layer.parameters()]).sum()


exercise.also_right(
    full("if d_head is None:\n"
         "    layer = nn.MultiheadAttention(d_model, n_heads, bias=bias)\n"
         "    return sum(parameter.numel() for parameter in layer.parameters())\n"
         "return 4 * d_model * n_heads * d_head + bias * (3 * n_heads * d_head + d_model)",
         "counts torch's own layer where it can"))


exercise.mistake("grows-with-heads", "equal-cost",
    "The count grows with the number of heads. Unless d_head is given, each head is d_model / n_heads "
    "wide: more heads are narrower ones, and the sum stays the same.",
    edit(one_more, {"(d_head if d_head is not None else d_model // n_heads) * n_heads":
                    "n_heads * (d_model if d_head is None else d_head)"}),
    full("one = 4 * (d_model * d_model + bias * d_model) if d_head is None else 0\n"
         "return (n_heads * one\n"
         "        if d_head is None else 4 * d_model * n_heads * d_head + bias * (3 * n_heads * d_head + "
         "d_model))", "a whole layer for each head"),
    full("if d_head is None:\n"
         "    return 3 * n_heads * (d_model * d_model + bias * d_model) + d_model * d_model + bias * "
         "d_model\n"
         "return 4 * d_model * n_heads * d_head + bias * (3 * n_heads * d_head + d_model)",
         "with a square output projection"),
    full("return n_heads * (4 * d_model * d_model + (4 * d_model if bias else 0))", "d_head ignored"),
    full("k = d_head or d_model\n"
         "return n_heads * (3 * (d_model * k + bias * k)) + (n_heads * k * d_model\n"
         "                                                   + bias * d_model) if d_head else n_heads * "
         "(3 * (d_model * k + bias * k)) + d_model * k", "the last bias lost"),
    full("return n_heads * (4 * d_model * d_model + 4 * d_model)", "whole layers, biases always"),
    full("return n_heads * 4 * d_model ** 2", "whole layers, no biases"),
    full("inner = n_heads * (d_head or d_model)\n"
         "return 4 * d_model * inner + 3 * inner + d_model", "each head as wide as the model, biases always"),
    full("return 4 * d_model * n_heads * (d_head or d_model)", "each head as wide as the model, no biases"),
    full("return n_heads * 4 * d_model * d_model + bias * 4 * d_model", "matrices times heads, biases once"),
    full("count = 3 * n_heads * d_model * d_model + d_model * d_model\n"
         "return count + 4 * d_model if bias else count", "three full matrices a head, biases once"))

exercise.mistake("no-output-projection", "output-projection",
    "The output projection is missing. There are four matrices: for queries, keys and values, and one that "
    "mixes the heads' results.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)":
                     "3 * (d_model * inner + (inner if bias else 0))"}),
    edit(reference, {"weights = 4 * d_model * inner": "", "weights +": "3 * d_model * inner + bias *",
                     " if bias else 0": ""}, "its bias counted"),
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)":
                     "3 * d_model * inner + bias * 4 * inner"}, "four biases"),
    edit(one_more, {" inner * (d_model + bias) +": "", "(inner + bias)": "inner"}, "and no biases"))

exercise.mistake("one-input-projection", "counting-parameters",
    "Queries, keys and values need a matrix each: three, beside the output projection.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)":
                     "2 * d_model * inner + bias * (inner + d_model)"}),
    edit(reference, {"weights = 4 * d_model * inner": "", "weights + (3": "3 * d_model * inner + bias * (2",
                     " if bias else 0": ""}, "keys and values share one"))

exercise.mistake("no-bias", "counting-parameters",
    "The biases are missing. Each of the four layers has one number for each column that it makes, unless "
    "bias is False.",
    edit(builds_layers, {every("=bias"): "=False"}))

exercise.mistake("bias-always", "counting-parameters",
    "The biases are counted although bias is False. Add them only where it is True.",
    edit(reference, {"weights = 4 * d_model * inner": "", "weights + (3": "4 * d_model * inner +3",
                     " if bias else 0)": ""}),
    edit(one_more, {"3 * inner * (d_model + bias) + d_model * (inner + bias)":
                    "4 * d_model * inner + 4 * inner"}, "and too wide"))

exercise.mistake("output-bias-always", "counting-parameters",
    "The bias of the output projection is counted although bias is False. All four layers have a bias, or "
    "none has.",
    edit(reference, {"(3 * inner + d_model if bias else 0)": "(3 * inner if bias else 0) + d_model"}))

exercise.mistake("bias-default", "counting-parameters",
    "Your default of bias is not True. Where bias is not given, biases are counted.",
    edit(reference, {"True": "False"}))

exercise.mistake("output-bias", "counting-parameters",
    "The bias of the output projection has d_model numbers: one for each column that the layer makes, not "
    "one for each column that comes in.",
    edit(reference, {"weights = 4 * d_model * inner": "", "weights + (3": "4 * d_model",
                     "d_model if": "(4 * inner if"}))

exercise.mistake("input-biases", "counting-parameters",
    "The biases of queries, keys and values have n_heads · d_head numbers each: one for each column that "
    "the layer makes.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner +": "4 * d_model * inner + (4 *"}),
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)":
                     "4 * d_model * inner + bias * (3 * d_model + inner)"}, "and the output's too"))

exercise.mistake("no-output-bias", "counting-parameters",
    "The output projection has a bias too. Add its d_model numbers.",
    edit(reference, {" + d_model": ""}))

exercise.mistake("only-output-bias", "counting-parameters",
    "Queries, keys and values have biases too. Add n_heads · d_head numbers for each of the three.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner +": "4 * d_model * inner + ("}))

exercise.mistake("biases-of-one-head", "counting-parameters",
    "The biases of one head are counted. There are n_heads of them side by side.",
    edit(reference, {"3 * inner": "3 * d_head"}),
    edit(reference, {"weights = 4 * d_model * inner": "", "weights + (3": "4 * d_model",
                     "d_model if": "(4 * d_head if"}, "all four"))

exercise.mistake("bias-is-one-number", "counting-parameters",
    "A bias is not one number for each layer: it has one for each column that the layer makes.",
    edit(reference, {"weights = 4 * d_model * inner": "", "weights + (3": "4 * d_model",
                     "d_model if": "(4 if"}),
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)": "4 * d_model * inner + int(bias)"},
         "one in all"),
    edit(reference, {"inner + d_model": "n_heads + 1"}, "one for each head"))

exercise.mistake("d-head-ignored", "counting-parameters",
    "d_head changes nothing here. Where it is given, it replaces d_model / n_heads.",
    full("return 4 * d_model * d_model + (4 * d_model if bias else 0)"),
    edit(reference, {" if d_head is None else d_head": ""}, "the rounded width"),
    full("return sum(p.numel() for p in nn.MultiheadAttention(d_model, n_heads, bias=bias).parameters())",
         "torch's own layer"))

exercise.mistake("one-head", "counting-parameters",
    "The matrices of one head are counted. There are n_heads of them side by side.",
    edit(reference, {"weights +": "4 * d_model * d_head +", "3 * inner": "3 * d_head"}),
    full("d_head = d_model // n_heads if d_head is None else d_head\n"
         "inner = n_heads * d_head\n"
         "return 3 * (d_model * d_head + bias * d_head) + inner * d_model + bias * d_model",
         "and the output projection of all"),
    edit(reference, {"weights + (3 * inner + d_model if bias else 0)":
                     "4 * d_model * d_head + 3 * d_head + d_model"}, "biases always"),
    edit(reference, {"weights = 4 * d_model * inner": "return 4 * d_model * d_head"}, "no biases"))

exercise.mistake("output-square", "output-projection",
    "The output projection is counted as a square. It takes n_heads · d_head columns in, and gives d_model.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights +": "3 * d_model * inner + d_model * d_model + bias *", " if bias else 0": ""}),
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights +": "3 * d_model * inner + inner * inner + bias *",
                     "d_model if bias else 0": "inner"}, "as wide as the heads"))

exercise.mistake("output-projection-of-one-head", "output-projection",
    "The output projection reads all heads at once: n_heads · d_head columns come in.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights +": "3 * d_model * inner + d_head * d_model + bias *", " if bias else 0": ""}),
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)":
                     "3 * d_model * inner + d_head * d_model + bias * (3 * d_head + d_model)"},
         "biases of one head, too"))

exercise.mistake("output-projection-of-a-head", "output-projection",
    "Each head is counted with an output projection of its full width. There is one for all: n_heads · "
    "d_head columns in, d_model out.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights +": "3 * d_model * inner + n_heads * inner * d_model + bias *",
                     " if bias else 0": ""}),
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights +": "3 * d_model * inner + n_heads * d_model * d_model + bias *",
                     " if bias else 0": ""}, "square"),
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)":
                     "3 * (d_model * inner + bias * inner) + n_heads * (inner * d_model + bias * d_model)"},
         "with a bias each"))

exercise.mistake("not-an-int", "counting-parameters", "A count is an int. Divide with //.",
    edit(reference, {"// n_heads": "/ n_heads", "else d_head": "else float(d_head)"}),
    edit(reference, {"// n_heads": "/ n_heads"}, "where d_head is not given"))

exercise.mistake("two-numbers", "counting-parameters",
    "One number is asked for: weights and biases together.",
    edit(reference, {"weights = 4 * d_model * inner": "", "weights +": "4 * d_model * inner,"}),
    edit(one_more, {"3 * inner * (d_model + bias) + d_model * (inner + bias)":
                    "[d_model * inner + bias * inner] * 3 + [inner * d_model + bias * d_model]"},
         "a list of layers"))

exercise.mistake("feed-forward-too", "counting-parameters",
    "More is counted than the four layers of attention. Leave out norms and the feed-forward network.",
    edit(reference, {"weights = 4 * d_model * inner": "", "weights +": "4 * d_model * inner + bias *",
                     "if bias else 0)": ") + 2 * d_model"}, "a norm"),
    edit(reference, {"weights = 4 * d_model * inner": "", "weights +": "4 * d_model * inner + bias *",
                     "if bias else 0)": ") + 8 * d_model * d_model + bias * 5 * d_model"}, "feed-forward"))

exercise.mistake("weights-twice", "counting-parameters",
    "The weights are counted with a wrong factor: count each of the four matrices once.",
    edit(reference, {"weights = 4 * d_model * inner": "", "weights +": "8 * d_model * inner +"}),
    edit(reference, {"weights = 4 * d_model * inner": "", "weights +": "2 * (4 * d_model * inner + bias *",
                     "if bias else 0)": "))"}, "and the biases"),
    edit(reference, {"weights = 4 * d_model * inner": "", "weights +": "5 * d_model * inner + bias *",
                     " if bias else 0": ""}, "five matrices"),
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)": "d_model * inner + bias * inner"},
         "one matrix"))

exercise.mistake("output-bias-of-each-head", "output-projection",
    "The bias of the output projection is counted for each head. The projection is one layer for all "
    "heads, with one bias of d_model numbers.",
    edit(reference, {"weights = 4 * d_model * inner\n"
                     "return weights + (3 * inner + d_model if bias else 0)":
                     "one = 3 * (d_model * d_head + bias * d_head) + d_head * d_model + bias * d_model\n"
                     "return n_heads * one"}))

exercise.mistake("one-input-bias", "counting-parameters",
    "Queries, keys and values have a bias each: three of n_heads · d_head numbers.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)":
                     "4 * d_model * inner + bias * (inner + d_model)"}))

exercise.mistake("bias-inverted", "counting-parameters",
    "bias works the wrong way round. Count biases where it is True, and none where it is False.",
    full("d_head = d_model // n_heads if d_head is None else d_head\n"
         "inner = n_heads * d_head\n"
         "return 4 * d_model * inner + (0 if bias else 3 * inner + d_model)"))

exercise.mistake("nothing-without-bias", "counting-parameters",
    "Without biases nothing is counted. bias=False leaves out the biases alone, the matrices stay: put "
    "brackets around what depends on it.",
    edit(reference, {"weights = 4 * d_model * inner": "", "weights + (3": "4 * d_model * inner +3",
                     "else 0)": "else 0"}))

exercise.mistake("d-head-divided", "table-of-shapes",
    "d_head is divided by the number of heads. It is the width of one head already.",
    edit(reference, {"d_model // n_heads": "(d_model", "else d_head": "else d_head) // n_heads"}))

exercise.mistake("d-head-for-all", "table-of-shapes",
    "d_head is taken as the width of all heads together. It is the width of one: together they are n_heads "
    "· d_head wide.",
    full("inner = d_model if d_head is None else d_head\n"
         "return 4 * d_model * inner + bias * (3 * inner + d_model)"))

exercise.mistake("d-head-is-none", "counting-parameters",
    "Where d_head is not given, it is None and no number. A head is then d_model // n_heads wide.",
    edit(reference, {"d_head = d_model // n_heads if d_head is None else d_head": ""}),
    edit(one_more, {"(d_head if d_head is not None else d_model // n_heads)": "d_head"},
         "the other way round"))

exercise.mistake("inner-by-inner", "table-of-shapes",
    "Every layer is counted as n_heads · d_head by n_heads · d_head. On one side, each of the four has "
    "d_model columns.",
    edit(reference, {"weights = 4 * d_model * inner": "",
                     "weights + (3 * inner + d_model if bias else 0)":
                     "4 * inner * inner + bias * 4 * inner"}))

exercise.mistake("tensors-counted", "counting-parameters",
    "The tensors are counted, not the numbers in them. Add up the sizes: numel() of each.",
    edit(builds_layers, {"sum(p.numel() for p in layers.parameters())": "len(list(layers.parameters()))"}))

exercise.built_in("returns-nothing",
    full("print(4 * d_model * n_heads * (d_head or d_model // n_heads) + bias * 4 * d_model)"))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "total = 0\n"
         "while total < 4 * d_model:\n"
         "    sleep(0.01)\n"
         "return total"))

exercise.equal("True counts as 1", {"int(bias)": "bias"})
exercise.equal("a layer has as many numbers on any device", {'with torch.device("meta"):': "if True:"})
exercise.equal("torch's own layer is as wide as the model, however many heads share it",
    {"d_model, n_heads, bias": "d_model, d_model, bias"})
