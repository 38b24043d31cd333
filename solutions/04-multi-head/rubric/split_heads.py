"""split_heads: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "split_heads",
    points={"heads": 2, "other layouts": 1},
    section="splitting-heads",
)


@exercise.probes
def probes(make):
    def probe(name, batch, n_tokens, n_heads, width, dtype=torch.float32, group="heads", **marks):
        return make.probe(name, make.randn(batch, n_tokens, n_heads * width, dtype=dtype), n_heads,
                          group=group, **marks)

    yield probe("two heads of width 2", 1, 3, 2, 2, gradient=True)
    yield probe("all sizes different", *make.pick((2, 5, 3, 4), (3, 2, 5, 4), (2, 3, 4, 5)))
    yield probe("more heads than tokens", *make.pick((2, 3, 4, 2), (3, 2, 4, 3), (2, 3, 5, 2)), gradient=True)
    yield probe("as many tokens as heads", *make.pick((2, 3, 3, 2), (2, 4, 4, 2), (3, 3, 3, 2)))
    yield probe("as wide as there are heads", *make.pick((2, 4, 3, 3), (3, 4, 2, 2), (2, 5, 3, 3)))
    group = "other layouts"
    yield probe("one head", 2, 3, 1, make.pick(4, 5, 2), group=group, edge=True)
    yield probe("heads of width 1", 2, 3, make.pick(4, 5, 2), 1, group=group, edge=True)
    yield probe("float64", 1, 2, 3, 2, dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", *make.pick((2, 3, 2, 2), (3, 2, 2, 3), (2, 2, 3, 2)), group=group,
                edge=True, strided=True)
    yield probe("a long sequence", 1, 150, 3, 2, group=group, long=True)


@exercise.right
def reference(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)


@exercise.right("reshape and transpose")
def reshape_transpose(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, T, n_heads, width // n_heads).transpose(1, 2)


@exercise.right("chunks stacked")
def chunks(x, n_heads):
    return torch.stack(torch.chunk(x, n_heads, dim=-1), dim=1)


@exercise.right("slices in a loop")
def slices(x, n_heads):
    width = x.shape[-1] // n_heads
    return torch.stack([x[:, :, h * width:(h + 1) * width] for h in range(n_heads)], 1)


@exercise.right("filled head by head")
def filled(x, n_heads):
    B, T, D = x.shape
    out = x.new_zeros(B, n_heads, T, D // n_heads)
    for h, part in enumerate(x.split(D // n_heads, dim=2)):
        out[:, h] = part
    return out


exercise.also_right(
    full("batch, tokens, width = x.size()\n"
         "assert width % n_heads == 0\n"
         "return x.view(batch, tokens, n_heads, -1).permute(0, 2, 1, 3).contiguous()",
         "view and permute, contiguous"),
    full("B, T, width = x.shape\n"
         "return x.transpose(1, 2).reshape(B, n_heads, width // n_heads, T).transpose(2, 3)",
         "columns to the front, then reshape"),
    full("width = x.shape[-1] // n_heads\n"
         "columns = torch.arange(n_heads)[:, None] * width + torch.arange(width)\n"
         "return x[..., columns].movedim(2, 1)", "an index for each column"),
    full('return torch.einsum("bthk->bhtk", x.reshape(*x.shape[:2], n_heads, -1))', "einsum of a view"))


exercise.mistake("view-without-transpose", "reshape-and-transpose",
    "The shape is right, but the numbers are mixed: the heads' axis was put before the tokens' by a new "
    "shape alone, not by exchanging axes. First cut the last axis into (heads, width), then exchange the "
    "axes of tokens and heads.",
    edit(reshape_transpose, {"T, n_heads": "n_heads, T", ".transpose(1, 2)": ""}),
    full("return x.view(x.size(0), n_heads, x.size(1), -1)", "view"),
    full("B, T, width = x.shape\n"
         "return x.transpose(1, 2).reshape(B, n_heads, T, width // n_heads)", "transposed, then counted on"))

exercise.mistake("tokens-before-heads", "reshape-and-transpose",
    "Your result is (batch, tokens, heads, width): the axes of heads and tokens must still be exchanged.",
    full("return x.reshape(x.shape[0], x.shape[1], n_heads, -1)"))

exercise.mistake("interleaved", "splitting-heads",
    "Head h gets every n_heads-th column. It must get K neighbouring columns: cut the last axis into "
    "(heads, width), in this order.",
    full("B, T, width = x.shape\nreturn x.reshape(B, T, width // n_heads, n_heads).permute(0, 3, 1, 2)"))

exercise.mistake("heads-and-width-swapped", "splitting-heads",
    "Axis 1 is as long as a head is wide, but it must hold the n_heads heads. Cut the last axis into "
    "(n_heads, width), then exchange heads and tokens.",
    full("return x.reshape(x.shape[0], x.shape[1], -1, n_heads).transpose(1, 2)"),
    full("return x.reshape(x.shape[0], x.shape[1], -1, n_heads).permute(0, 2, 3, 1)",
         "and the last two axes exchanged"),
    edit(reshape_transpose, {"transpose(1": "permute(0, 3,1"},
         "cut in the right order, then the wrong axes exchanged"))

exercise.mistake("width-before-tokens", "reshape-and-transpose",
    "The axes do not stand in the order (batch, heads, tokens, width). Exchange the axes of tokens and "
    "heads, and no others.",
    edit(reshape_transpose, {"transpose(1, 2)": "permute(0, 2, 3, 1)"}),
    full("return x.reshape(*x.shape[:2], n_heads, -1).transpose(2, 3)", "last two axes exchanged"),
    full("return x.reshape(*x.shape[:2], n_heads, -1).permute(0, 3, 2, 1)", "reverse order"))

exercise.mistake("heads-first", "splitting-heads",
    "The heads stand before the batch. The result is (batch, heads, tokens, width).",
    full("return torch.stack(x.chunk(n_heads, dim=-1))"),
    edit(reference, {"(-3, -2)": "(0,2)"}, "batch and heads exchanged"))

exercise.mistake("heads-in-batch", "splitting-heads",
    "Batch and heads are folded into one axis. Keep them apart: (batch, heads, tokens, width).",
    edit(reshape_transpose, {"(1, 2)": "(1, 2).reshape(B * n_heads, T, -1)"}),
    full("return torch.cat(x.chunk(n_heads, dim=-1), dim=0)", "pieces joined along the batch"),
    full("return x.reshape(x.shape[0] * n_heads, x.shape[1], -1)", "counted on"))

exercise.mistake("list-of-heads", "splitting-heads",
    "The heads come as a list. Return one tensor (batch, heads, tokens, width).",
    full("return x.chunk(n_heads, dim=-1)"))

exercise.mistake("cuts-the-tokens", "splitting-heads",
    "The tokens are shared out among the heads. Each head sees every token, and a part of the columns.",
    full("return torch.stack(x.tensor_split(n_heads, dim=1),\n"
         "                   dim=1) if x.shape[1] % n_heads == 0 else x.tensor_split(n_heads, dim=1)"),
    full("return x.reshape(x.shape[0], n_heads, x.shape[1] // n_heads, x.shape[2])", "reshape"),
    full("return torch.stack(torch.tensor_split(x, n_heads, dim=1), dim=1)", "pieces stacked"),
    full("return torch.stack(x.chunk(n_heads, dim=1), dim=1)", "chunks stacked"))

exercise.mistake("copies", "splitting-heads",
    "Every head gets the whole width. Each head gets its own K columns of the H·K.",
    full("return x.unsqueeze(1).expand(-1, n_heads, -1, -1)"))

exercise.mistake("reversed", "splitting-heads",
    "The heads come in reverse order. Head 0 owns the first K columns.",
    edit(chunks, {"torch.chunk(x, n_heads, dim=-1)": "x.chunk(n_heads, dim=-1)[::-1]"}))

exercise.mistake("one-head", "splitting-heads",
    "Every head holds the same columns. Head h owns the columns h·K to (h+1)·K.",
    full("width = x.shape[-1] // n_heads\n"
         "return torch.stack([x[..., :width] for _ in range(n_heads)], dim=1)"))

exercise.mistake("one-batch-item", "splitting-heads",
    "Only one batch item is left, or the batch's axis is lost. Keep all items and their axis: (batch, "
    "heads, tokens, width).",
    full("return x[0].unflatten(-1, (n_heads, -1)).transpose(0, 1)"),
    full("return x[:1].unflatten(-1, (n_heads, -1)).transpose(1, 2)", "with an axis"),
    full("T = x.shape[1]\n"
         "return x.reshape(T, n_heads, -1).transpose(0, 1)", "the batch spread over the width"))

exercise.mistake("batch-in-heads", "reshape-and-transpose",
    "The axes of batch and tokens are exchanged on the way. Only tokens and heads change places.",
    edit(reference, {"transpose(-3, -2)": "permute(1, 2, 0, 3)"}),
    edit(reshape_transpose, {"(B, T": "(T, B", "transpose(1, 2)": "permute(1, 2, 0, 3)"}, "transpose(0, 1)"))

exercise.mistake("not-split", "splitting-heads",
    "The shape is that of the input. Cut the last axis into heads.",
    full("return x"))

exercise.mistake("wrong-offset", "splitting-heads",
    "Head h starts at column h here. It starts at column h·K, where K is the width of a head.",
    edit(slices, {"h * width:(h + 1) *": "h :h +"}))

exercise.mistake("axes-misread", "splitting-heads",
    "The sizes are read in the wrong order: the input is (batch, tokens, width).",
    edit(reshape_transpose, {"B, T, width": "T, B, width"}))

exercise.mistake("squeezed", "splitting-heads",
    "Axes of size 1 are squeezed away. A batch of one text keeps its axis, and so do one head and a width "
    "of 1.",
    edit(reference, {"(-3, -2)": "(1, 2).squeeze()"}))

exercise.mistake("in-a-tuple", "splitting-heads",
    "A tuple with one tensor in it comes back. Look for a comma after the result, or for brackets that "
    "hold one.",
    edit(reshape_transpose, {"(1, 2)": "(1, 2),"}))

exercise.mistake("not-an-int", "splitting-heads",
    "A size is a float: / gives one even where nothing is left over. Divide with //.",
    edit(reshape_transpose, {"width //": "width /"}),
    edit(reshape_transpose, {"reshape": "view", "width //": "width /"}, "view"),
    full("return x.unflatten(-1, (n_heads, x.shape[-1] / n_heads)).transpose(1, 2)", "unflatten"),
    edit(chunks, {"torch.chunk(x,": "x.split(x.shape[-1] /"}, "split"),
    edit(slices, {"[-1] //": "[-1] /"}, "slices"))

exercise.mistake("dtype-fixed", "splitting-heads",
    "The result does not have the dtype of the input. Give new tensors the dtype of x, and cast nothing.",
    edit(filled, {"out = x": "out = torch", "new_zeros": "zeros"}),
    full("return x.double().unflatten(-1, (n_heads, -1)).transpose(1, 2)", "always float64"))

exercise.built_in("no-gradient",
    full("return x.detach().unflatten(-1, (n_heads, -1)).transpose(1, 2)"))

exercise.built_in("changes-input",
    edit(reference, {"return x": "with torch.no_grad():\n"
                                 "    x *= 1.5\n"
                                 "return (x / 1.5)"}))

exercise.built_in("returns-nothing",
    full("x.unflatten(-1, (n_heads, -1)).transpose(1, 2)"))

exercise.built_in("ready-made",
    full("from allyouneed.nn.multihead import split_heads as cut\nreturn cut(x, n_heads)"),
    full("import allyouneed.nn.multihead as multihead\n"
         "return multihead.split_heads(x, n_heads)", "the module's"))

exercise.built_in("timeout",
    full("heads = []\n"
         "while len(heads) < n_heads:\n"
         "    part = x[..., :x.shape[-1] // n_heads]\n"
         "return part"))


exercise.equal("each of the three axes before the split, and of the four after it, has two names",
    {"-3": "1", "1": "-2", "2": ("-2", "-1"), "3": "-1"})
exercise.equal("when an axis moves to the next place, the two change places", {"2, 1": "1, 2"})
