"""merge_heads: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "merge_heads",
    points={"heads": 1, "other layouts": 1},
    section="merging-heads",
)


@exercise.probes
def probes(make):
    def probe(name, *shape, dtype=torch.float32, group="heads", **marks):
        return make.probe(name, make.randn(*shape, dtype=dtype), group=group, **marks)

    yield probe("two heads of width 2", 1, 2, 3, 2, gradient=True)
    yield probe("all sizes different", *make.pick((2, 3, 5, 4), (3, 5, 2, 4), (2, 4, 3, 5)))
    yield probe("more heads than tokens", *make.pick((2, 4, 3, 2), (3, 4, 2, 3), (2, 5, 3, 2)), gradient=True)
    yield probe("as many tokens as heads", *make.pick((2, 3, 3, 2), (2, 4, 4, 2), (3, 3, 3, 2)))
    yield probe("as wide as there are heads", *make.pick((2, 3, 4, 3), (3, 2, 4, 2), (2, 3, 5, 3)))
    group = "other layouts"
    yield probe("one head", 2, 1, 3, make.pick(4, 5, 2), group=group, edge=True)
    yield probe("heads of width 1", 2, make.pick(4, 5, 2), 3, 1, group=group, edge=True)
    yield probe("float64", 1, 3, 2, 2, dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", *make.pick((2, 2, 3, 2), (3, 2, 2, 3), (2, 3, 2, 2)), group=group,
                edge=True, strided=True)
    yield probe("a long sequence", 1, 3, 150, 2, group=group, long=True)


@exercise.right
def reference(x):
    return x.transpose(-3, -2).flatten(-2)


@exercise.right("transpose and reshape")
def transpose_reshape(x):
    B, H, T, K = x.shape
    return x.transpose(1, 2).reshape(B, T, H * K)


@exercise.right("heads joined")
def heads_joined(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)


@exercise.right("columns first")
def columns_first(x):
    return x.transpose(2, 3).flatten(1, 2).transpose(1, 2)


@exercise.right("filled head by head")
def filled(x):
    B, H, T, K = x.shape
    out = torch.zeros(B, T, H * K, dtype=x.dtype)
    for head in range(H):
        out[:, :, head * K:(head + 1) * K] = x[:, head]
    return out


exercise.also_right(
    full("batch, heads, tokens, width = x.size()\n"
         "return x.permute(0, 2, 1, 3).contiguous().view(batch, tokens, heads * width)",
         "permute, contiguous, view"),
    full("return torch.cat(torch.unbind(x, dim=1), 2)", "unbind"),
    full('moved = torch.einsum("bhtk->bthk", x)\n'
         "return moved.reshape(moved.shape[0], moved.shape[1], -1)", "einsum"),
    full("return torch.stack([torch.hstack(list(item)) for item in x])", "batch item by batch item"))


exercise.mistake("reshape-without-transpose", "merging-heads",
    "The shape is right, but the numbers of different tokens are mixed: heads and tokens were not "
    "exchanged before the reshape. Exchange these two axes first, then join heads and width.",
    edit(transpose_reshape, {".transpose(1, 2)": ""}),
    edit(transpose_reshape, {"(1, 2)": "(2, 3)"}, "two axes exchanged, then reshape"))

exercise.mistake("interleaved", "merging-heads",
    "The columns of the heads are interleaved. Head 0's K columns come first, then head 1's: join the axes "
    "in the order (heads, width).",
    edit(transpose_reshape, {"transpose(1, 2)": "permute(0, 2, 3, 1)", "H * K": "K * H"}))

exercise.mistake("view-after-transpose", "merging-heads",
    "view cannot join axes after a transposition, since the numbers no longer lie in this order. Use "
    "reshape, or contiguous before view.",
    edit(transpose_reshape, {"reshape": "view"}))

exercise.mistake("heads-added", "merging-heads",
    "The heads are added or averaged, so they can no longer be told apart. Lay them side by side: (batch, "
    "tokens, heads · width).",
    full("return x.sum(dim=1)"),
    full("return x.mean(1)", "mean"))

exercise.mistake("joined-along-tokens", "merging-heads",
    "The heads are joined along the tokens. Join them along the width: the last axis becomes H·K.",
    full("return x.flatten(1, 2)"),
    full("return x.transpose(1, 2).flatten(1, 2)", "after exchanging"))

exercise.mistake("joined-along-batch", "merging-heads",
    "The heads are joined along the batch, or the batch is taken for them. Axis 1 holds the heads; join "
    "them along the last axis.",
    full("return torch.cat(list(x), dim=-1)"),
    full("return x.flatten(0, 1)", "batch and heads folded"),
    full("return torch.cat(list(x.unbind(1)), dim=0)", "heads joined along the batch"))

exercise.mistake("tokens-last", "merging-heads",
    "On the way the numbers are laid out as (batch, heads · width, tokens). Tokens are the middle axis, "
    "and the joined width the last.",
    edit(columns_first, {".transpose(1, 2)": ""}),
    edit(transpose_reshape, {".transpose(1, 2)": "", "T, H * K": "H * K, T"}, "counted on"),
    edit(transpose_reshape, {"(B, T, H * K)": "(B, H * K, T).transpose(1, 2)"}, "counted on, then exchanged"),
    full("B, H, T, K = x.shape\n"
         "return x.reshape(B, H * K, T).transpose(1, 2)", "counted on in memory's order, then exchanged"))

exercise.mistake("axes-misread", "table-of-shapes",
    "The sizes are read in the wrong order: the input is (batch, heads, tokens, width).",
    full("B, T, H, K = x.shape\nreturn x.reshape(B, T, H * K)"),
    edit(transpose_reshape, {"H, T": "T, H"}, "after exchanging"))

exercise.mistake("not-joined", "merging-heads",
    "The heads still have an axis of their own. Join it with the width: (batch, tokens, heads · width).",
    full("return x.transpose(1, 2)"),
    full("return [x[:, h] for h in range(x.shape[1])]", "a list"),
    full("return x", "unchanged"))

exercise.mistake("one-head", "merging-heads", "Only one head comes back. All heads are laid side by side.",
    full("return x[:, 0]"),
    full("for head in x.unbind(1):\n"
         "    out = head\n"
         "return out", "the last"),
    edit(heads_joined, {"[:, h] for h": "[:, 0] for _"}, "copied to the full width"))

exercise.mistake("reversed", "merging-heads", "The heads come in reverse order. Head 0's columns come first.",
    full("return x.flip(1).transpose(1, 2).flatten(2)"))

exercise.mistake("fixed-sizes", "merging-heads",
    "A size is written into the code. Read all sizes from the input's shape.",
    full("return torch.cat([x[:, 0], x[:, 1]], dim=-1) if x.shape[1] > 1 else x[:, 0]"),
    full("return torch.cat([x[:, 0], x[:, 1], x[:, 2]], dim=-1)", "three heads"),
    edit(heads_joined, {"x.shape[1]": "4"}, "four heads"))

exercise.mistake("other-axes-exchanged", "merging-heads",
    "Axes other than heads and tokens are exchanged before the last two are joined. Exchange axes 1 and 2 "
    "alone.",
    edit(transpose_reshape, {"(1, 2)": "(1, 3)"}),
    edit(transpose_reshape, {"transpose(1": "permute(0, 3,1"}, "the width to the front"),
    edit(transpose_reshape, {"(1, 2)": "(0, 2)"}, "batch and tokens"),
    edit(transpose_reshape, {"transpose(1, 2)": "permute(2, 0, 1, 3)"}, "tokens to the front"))

exercise.mistake("wrong-offset", "merging-heads",
    "Head h is written from column h on. It owns the columns from h·K on, where K is the width of a head.",
    full("B, H, T, K = x.shape\n"
         "out = x.new_zeros(B, T, H * K)\n"
         "for h in range(H):\n"
         "    out[:, :, h:h + K] = x[:, h]\n"
         "return out"))

exercise.mistake("a-head-lost", "merging-heads",
    "A head is missing, or comes twice. Lay all H heads side by side, each once.",
    edit(heads_joined, {"x.shape[1]": "max(1, x.shape[1] - 1)"}, "the last"),
    edit(heads_joined, {"x.shape": "min(1, x.shape[1] - 1), x.shape"}, "the first"),
    full("out = x[:, 0]\n"
         "for h in range(x.shape[1]):\n"
         "    out = torch.cat([out, x[:, h]], dim=-1)\n"
         "return out", "the first comes twice"))

exercise.mistake("batch-lost", "merging-heads",
    "Only one batch item is left. Keep all items and their axis: (batch, tokens, heads · width).",
    full("return torch.cat(list(x[0]), dim=-1)"),
    full("return x[:1].transpose(1, 2).flatten(2)", "with an axis"))

exercise.mistake("squeezed", "merging-heads",
    "Axes of size 1 are squeezed away. A batch of one text keeps its axis.",
    edit(reference, {"(-3, -2).flatten(-2)": "(1, 2).flatten(2).squeeze()"}))

exercise.mistake("in-a-tuple", "merging-heads",
    "A tuple with one tensor in it comes back. Look for a comma after the result, or for brackets that "
    "hold one.",
    edit(reference, {"(-3, -2).flatten(-2)": "(1, 2).flatten(2),"}))

exercise.mistake("dtype-fixed", "merging-heads",
    "The result does not have the dtype of the input. Give new tensors the dtype of x, and cast nothing.",
    edit(filled, {", dtype=x.dtype": "", every("head"): "h"}),
    full("return x.double().transpose(1, 2).flatten(2)", "always float64"))

exercise.built_in("no-gradient",
    full("return x.detach().transpose(1, 2).flatten(2)"))

exercise.built_in("changes-input",
    full("with torch.no_grad():\n"
         "    x += 1\n"
         "return (x - 1).transpose(1, 2).flatten(2)"))

exercise.built_in("returns-nothing",
    full("x.transpose(1, 2).flatten(2)"))

exercise.built_in("ready-made",
    full("from allyouneed.nn.multihead import merge_heads as join\nreturn join(x)"),
    full("import allyouneed\n"
         "import allyouneed.nn.multihead\n"
         "return allyouneed.nn.multihead.merge_heads(x)", "the module's"))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "h, out = 0, x[:, 0]\n"
         "while h < x.shape[1]:\n"
         "    sleep(0.01)\n"
         "return out"))


exercise.equal("each of the four axes before the heads are joined, and of the three after it, has two names",
    {"-3": "1", "-2": "2", "1": "-2", "2": ("-2", "-1"), "3": "-1"})
exercise.equal("every number that is there at the start is written over", {"zeros": "ones"})
