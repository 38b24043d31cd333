"""The rubric of split_heads: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "split_heads",
    points={"heads": 2, "other layouts": 1},
    section="splitting-heads",
    mistakes={
        "view-without-transpose": ("The shape is right, but the numbers are mixed: the heads' axis was put before the tokens' by a new shape "
                                   "alone, not by exchanging axes. First cut the last axis into (heads, width), then exchange the axes of "
                                   "tokens and heads.",
                                   "reshape-and-transpose"),
        "tokens-before-heads": ("Your result is (batch, tokens, heads, width): the axes of heads and tokens must still be exchanged.",
                                "reshape-and-transpose"),
        "interleaved": ("Head h gets every n_heads-th column. It must get K neighbouring columns: cut the last axis into (heads, width), "
                        "in this order.", "splitting-heads"),
        "heads-and-width-swapped": ("Axis 1 is as long as a head is wide, but it must hold the n_heads heads. Cut the last axis into "
                                    "(n_heads, width), then exchange heads and tokens.", "splitting-heads"),
        "width-before-tokens": ("The axes do not stand in the order (batch, heads, tokens, width). Exchange the axes of tokens and heads, and "
                                "no others.", "reshape-and-transpose"),
        "heads-first": ("The heads stand before the batch. The result is (batch, heads, tokens, width).", "splitting-heads"),
        "heads-in-batch": ("Batch and heads are folded into one axis. Keep them apart: (batch, heads, tokens, width).", "splitting-heads"),
        "list-of-heads": ("The heads come as a list. Return one tensor (batch, heads, tokens, width).", "splitting-heads"),
        "cuts-the-tokens": ("The tokens are shared out among the heads. Each head sees every token, and a part of the columns.", "splitting-heads"),
        "copies": ("Every head gets the whole width. Each head gets its own K columns of the H·K.", "splitting-heads"),
        "reversed": ("The heads come in reverse order. Head 0 owns the first K columns.", "splitting-heads"),
        "one-head": ("Every head holds the same columns. Head h owns the columns h·K to (h+1)·K.", "splitting-heads"),
        "one-batch-item": ("Only one batch item is left, or the batch's axis is lost. Keep all items and their axis: (batch, heads, tokens, width).",
                           "splitting-heads"),
        "batch-in-heads": ("The axes of batch and tokens are exchanged on the way. Only tokens and heads change places.", "reshape-and-transpose"),
        "not-split": ("The shape is that of the input. Cut the last axis into heads.", "splitting-heads"),
        "wrong-offset": ("Head h starts at column h here. It starts at column h·K, where K is the width of a head.", "splitting-heads"),
        "axes-misread": ("The sizes are read in the wrong order: the input is (batch, tokens, width).", "splitting-heads"),
        "squeezed": ("Axes of size 1 are squeezed away. A batch of one text keeps its axis, and so do one head and a width of 1.", "splitting-heads"),
        "in-a-tuple": ("A tuple with one tensor in it comes back. Look for a comma after the result, or for brackets that hold one.", "splitting-heads"),
        "not-an-int": ("A size is a float: / gives one even where nothing is left over. Divide with //.", "splitting-heads"),
        "dtype-fixed": ("The result does not have the dtype of the input. Give new tensors the dtype of x, and cast nothing.", "splitting-heads"),
    },
)


@exercise.probes
def _(make):
    def probe(name, batch, n_tokens, n_heads, width, dtype=torch.float32, group="heads", **marks):
        return make.probe(name, make.randn(batch, n_tokens, n_heads * width, dtype=dtype), n_heads, group=group, **marks)

    yield probe("two heads of width 2", 1, 3, 2, 2, gradient=True)
    yield probe("all sizes different", *make.pick((2, 5, 3, 4), (3, 2, 5, 4), (2, 3, 4, 5)))
    yield probe("more heads than tokens", *make.pick((2, 3, 4, 2), (3, 2, 4, 3), (2, 3, 5, 2)), gradient=True)
    yield probe("as many tokens as heads", *make.pick((2, 3, 3, 2), (2, 4, 4, 2), (3, 3, 3, 2)))
    yield probe("as wide as there are heads", *make.pick((2, 4, 3, 3), (3, 4, 2, 2), (2, 5, 3, 3)))
    group = "other layouts"
    yield probe("one head", 2, 3, 1, make.pick(4, 5, 2), group=group, edge=True)
    yield probe("heads of width 1", 2, 3, make.pick(4, 5, 2), 1, group=group, edge=True)
    yield probe("float64", 1, 2, 3, 2, dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", *make.pick((2, 3, 2, 2), (3, 2, 2, 3), (2, 2, 3, 2)), group=group, edge=True, strided=True)
    yield probe("a long sequence", 1, 150, 3, 2, group=group, long=True)


@exercise.right
def reference(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)


@exercise.alternative("reshape and transpose")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, T, n_heads, width // n_heads).transpose(1, 2)


@exercise.alternative("view and permute, contiguous")
def _(x, n_heads):
    batch, tokens, width = x.size()
    assert width % n_heads == 0
    return x.view(batch, tokens, n_heads, -1).permute(0, 2, 1, 3).contiguous()


@exercise.alternative("chunks stacked")
def _(x, n_heads):
    return torch.stack(torch.chunk(x, n_heads, dim=-1), dim=1)


@exercise.alternative("slices in a loop")
def _(x, n_heads):
    width = x.shape[-1] // n_heads
    return torch.stack([x[:, :, h * width:(h + 1) * width] for h in range(n_heads)], 1)


@exercise.alternative("columns to the front, then reshape")
def _(x, n_heads):
    B, T, width = x.shape
    return x.transpose(1, 2).reshape(B, n_heads, width // n_heads, T).transpose(2, 3)


@exercise.alternative("an index for each column")
def _(x, n_heads):
    width = x.shape[-1] // n_heads
    columns = torch.arange(n_heads)[:, None] * width + torch.arange(width)
    return x[..., columns].movedim(2, 1)


@exercise.alternative("einsum of a view")
def _(x, n_heads):
    return torch.einsum("bthk->bhtk", x.reshape(*x.shape[:2], n_heads, -1))


@exercise.alternative("filled head by head")
def _(x, n_heads):
    B, T, D = x.shape
    out = x.new_zeros(B, n_heads, T, D // n_heads)
    for h, part in enumerate(x.split(D // n_heads, dim=2)):
        out[:, h] = part
    return out


@exercise.wrong("view-without-transpose")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, n_heads, T, width // n_heads)


@exercise.wrong("view-without-transpose", "view")
def _(x, n_heads):
    return x.view(x.size(0), n_heads, x.size(1), -1)


@exercise.wrong("view-without-transpose", "after cutting the axis")
def _(x, n_heads):
    cut = x.unflatten(-1, (n_heads, -1))
    return cut.reshape(cut.shape[0], n_heads, cut.shape[1], cut.shape[3])


@exercise.wrong("view-without-transpose", "transposed, then counted on")
def _(x, n_heads):
    B, T, width = x.shape
    return x.transpose(1, 2).reshape(B, n_heads, T, width // n_heads)


@exercise.wrong("tokens-before-heads")
def _(x, n_heads):
    return x.reshape(x.shape[0], x.shape[1], n_heads, -1)


@exercise.wrong("interleaved")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, T, width // n_heads, n_heads).permute(0, 3, 1, 2)


@exercise.wrong("interleaved", "a step between columns")
def _(x, n_heads):
    return torch.stack([x[..., h::n_heads] for h in range(n_heads)], dim=1)


@exercise.wrong("heads-and-width-swapped")
def _(x, n_heads):
    return x.reshape(x.shape[0], x.shape[1], -1, n_heads).transpose(1, 2)


@exercise.wrong("heads-and-width-swapped", "pieces as wide as there are heads")
def _(x, n_heads):
    return torch.stack(x.split(n_heads, dim=-1), dim=1)


@exercise.wrong("heads-and-width-swapped", "and the last two axes exchanged")
def _(x, n_heads):
    return x.reshape(x.shape[0], x.shape[1], -1, n_heads).permute(0, 2, 3, 1)


@exercise.wrong("heads-and-width-swapped", "cut in the right order, then the wrong axes exchanged")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, T, n_heads, width // n_heads).permute(0, 3, 1, 2)


@exercise.wrong("width-before-tokens")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, T, n_heads, width // n_heads).permute(0, 2, 3, 1)


@exercise.wrong("width-before-tokens", "last two axes exchanged")
def _(x, n_heads):
    return x.reshape(*x.shape[:2], n_heads, -1).transpose(2, 3)


@exercise.wrong("width-before-tokens", "reverse order")
def _(x, n_heads):
    return x.reshape(*x.shape[:2], n_heads, -1).permute(0, 3, 2, 1)


@exercise.wrong("heads-first")
def _(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1))


@exercise.wrong("heads-in-batch")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, T, n_heads, width // n_heads).transpose(1, 2).reshape(B * n_heads, T, -1)


@exercise.wrong("heads-in-batch", "pieces joined along the batch")
def _(x, n_heads):
    return torch.cat(x.chunk(n_heads, dim=-1), dim=0)


@exercise.wrong("heads-in-batch", "counted on")
def _(x, n_heads):
    return x.reshape(x.shape[0] * n_heads, x.shape[1], -1)


@exercise.wrong("list-of-heads")
def _(x, n_heads):
    return x.chunk(n_heads, dim=-1)


@exercise.wrong("list-of-heads", "a list of slices")
def _(x, n_heads):
    width = x.shape[-1] // n_heads
    return [x[..., h * width:(h + 1) * width] for h in range(n_heads)]


@exercise.wrong("cuts-the-tokens")
def _(x, n_heads):
    return torch.stack(x.tensor_split(n_heads, dim=1), dim=1) if x.shape[1] % n_heads == 0 else x.tensor_split(n_heads, dim=1)


@exercise.wrong("cuts-the-tokens", "reshape")
def _(x, n_heads):
    return x.reshape(x.shape[0], n_heads, x.shape[1] // n_heads, x.shape[2])


@exercise.wrong("copies")
def _(x, n_heads):
    return x.unsqueeze(1).expand(-1, n_heads, -1, -1)


@exercise.wrong("reversed")
def _(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1)[::-1], dim=1)


@exercise.wrong("one-head")
def _(x, n_heads):
    width = x.shape[-1] // n_heads
    return torch.stack([x[..., :width] for _ in range(n_heads)], dim=1)


@exercise.wrong("one-batch-item")
def _(x, n_heads):
    return x[0].unflatten(-1, (n_heads, -1)).transpose(0, 1)


@exercise.wrong("one-batch-item", "with an axis")
def _(x, n_heads):
    return x[:1].unflatten(-1, (n_heads, -1)).transpose(1, 2)


@exercise.wrong("batch-in-heads")
def _(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).permute(1, 2, 0, 3)


@exercise.wrong("batch-in-heads", "transpose(0, 1)")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(T, B, n_heads, width // n_heads).permute(1, 2, 0, 3)


@exercise.wrong("not-split")
def _(x, n_heads):
    return x


@exercise.wrong("heads-first", "batch and heads exchanged")
def _(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(0, 2)


@exercise.wrong("cuts-the-tokens", "pieces stacked")
def _(x, n_heads):
    return torch.stack(torch.tensor_split(x, n_heads, dim=1), dim=1)


@exercise.wrong("one-batch-item", "the batch spread over the width")
def _(x, n_heads):
    T = x.shape[1]
    return x.reshape(T, n_heads, -1).transpose(0, 1)


@exercise.wrong("wrong-offset")
def _(x, n_heads):
    width = x.shape[-1] // n_heads
    return torch.stack([x[:, :, h:h + width] for h in range(n_heads)], dim=1)


@exercise.wrong("wrong-offset", "windows with a step of 1")
def _(x, n_heads):
    windows = x.unfold(-1, x.shape[-1] // n_heads, 1)
    return windows[:, :, :n_heads].permute(0, 2, 1, 3)


@exercise.wrong("axes-misread")
def _(x, n_heads):
    T, B, width = x.shape
    return x.reshape(B, T, n_heads, width // n_heads).transpose(1, 2)


@exercise.wrong("squeezed")
def _(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2).squeeze()


@exercise.wrong("in-a-tuple")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, T, n_heads, width // n_heads).transpose(1, 2),


@exercise.wrong("not-an-int")
def _(x, n_heads):
    B, T, width = x.shape
    return x.reshape(B, T, n_heads, width / n_heads).transpose(1, 2)


@exercise.wrong("not-an-int", "view")
def _(x, n_heads):
    B, T, width = x.shape
    return x.view(B, T, n_heads, width / n_heads).transpose(1, 2)


@exercise.wrong("dtype-fixed")
def _(x, n_heads):
    B, T, width = x.shape
    out = torch.zeros(B, n_heads, T, width // n_heads)
    for h, part in enumerate(x.chunk(n_heads, dim=-1)):
        out[:, h] = part
    return out


@exercise.wrong("dtype-fixed", "always float64")
def _(x, n_heads):
    return x.double().unflatten(-1, (n_heads, -1)).transpose(1, 2)


@exercise.wrong("cuts-the-tokens", "chunks stacked")
def _(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=1), dim=1)


@exercise.wrong("not-an-int", "unflatten")
def _(x, n_heads):
    return x.unflatten(-1, (n_heads, x.shape[-1] / n_heads)).transpose(1, 2)


@exercise.wrong("not-an-int", "split")
def _(x, n_heads):
    return torch.stack(x.split(x.shape[-1] / n_heads, dim=-1), dim=1)


@exercise.wrong("not-an-int", "slices")
def _(x, n_heads):
    width = x.shape[-1] / n_heads
    return torch.stack([x[..., h * width:(h + 1) * width] for h in range(n_heads)], dim=1)


@exercise.wrong("no-gradient")
def _(x, n_heads):
    return x.detach().unflatten(-1, (n_heads, -1)).transpose(1, 2)


@exercise.wrong("no-gradient", "by way of numpy")
def _(x, n_heads):
    return torch.from_numpy(x.detach().numpy().reshape(*x.shape[:2], n_heads, -1).swapaxes(1, 2).copy())


@exercise.wrong("changes-input")
def _(x, n_heads):
    with torch.no_grad():
        x *= 1.5
    return (x / 1.5).unflatten(-1, (n_heads, -1)).transpose(1, 2)


@exercise.wrong("returns-nothing")
def _(x, n_heads):
    x.unflatten(-1, (n_heads, -1)).transpose(1, 2)


@exercise.wrong("ready-made")
def _(x, n_heads):
    from allyouneed.multihead import split_heads as cut
    return cut(x, n_heads)


@exercise.wrong("ready-made", "the module's")
def _(x, n_heads):
    import allyouneed.multihead as multihead
    return multihead.split_heads(x, n_heads)


@exercise.wrong("timeout")
def _(x, n_heads):
    heads = []
    while len(heads) < n_heads:
        part = x[..., :x.shape[-1] // n_heads]
    return part
