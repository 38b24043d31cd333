"""The rubric of merge_heads: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "merge_heads",
    points={"heads": 1, "other layouts": 1},
    section="merging-heads",
    mistakes={
        "reshape-without-transpose": ("The shape is right, but the numbers of different tokens are mixed: heads and tokens were not exchanged before "
                                      "the reshape. Exchange these two axes first, then join heads and width.", "merging-heads"),
        "interleaved": ("The columns of the heads are interleaved. Head 0's K columns come first, then head 1's: join the axes in the order "
                        "(heads, width).", "merging-heads"),
        "view-after-transpose": ("view cannot join axes after a transposition, since the numbers no longer lie in this order. Use reshape, or "
                                 "contiguous before view.", "merging-heads"),
        "heads-added": ("The heads are added or averaged, so they can no longer be told apart. Lay them side by side: (batch, tokens, heads "
                        "· width).",
                        "merging-heads"),
        "joined-along-tokens": ("The heads are joined along the tokens. Join them along the width: the last axis becomes H·K.", "merging-heads"),
        "joined-along-batch": ("The heads are joined along the batch, or the batch is taken for them. Axis 1 holds the heads; join them along the "
                               "last axis.",
                               "merging-heads"),
        "tokens-last": ("On the way the numbers are laid out as (batch, heads · width, tokens). Tokens are the middle axis, and the joined width the last.", "merging-heads"),
        "axes-misread": ("The sizes are read in the wrong order: the input is (batch, heads, tokens, width).", "table-of-shapes"),
        "not-joined": ("The heads still have an axis of their own. Join it with the width: (batch, tokens, heads · width).", "merging-heads"),
        "one-head": ("Only one head comes back. All heads are laid side by side.", "merging-heads"),
        "reversed": ("The heads come in reverse order. Head 0's columns come first.", "merging-heads"),
        "fixed-sizes": ("A size is written into the code. Read all sizes from the input's shape.", "merging-heads"),
        "other-axes-exchanged": ("Axes other than heads and tokens are exchanged before the last two are joined. Exchange axes 1 and 2 alone.",
                                 "merging-heads"),
        "wrong-offset": ("Head h is written from column h on. It owns the columns from h·K on, where K is the width of a head.", "merging-heads"),
        "a-head-lost": ("A head is missing, or comes twice. Lay all H heads side by side, each once.", "merging-heads"),
        "batch-lost": ("Only one batch item is left. Keep all items and their axis: (batch, tokens, heads · width).", "merging-heads"),
        "squeezed": ("Axes of size 1 are squeezed away. A batch of one text keeps its axis.", "merging-heads"),
        "in-a-tuple": ("A tuple with one tensor in it comes back. Look for a comma after the result, or for brackets that hold one.", "merging-heads"),
        "dtype-fixed": ("The result does not have the dtype of the input. Give new tensors the dtype of x, and cast nothing.", "merging-heads"),
    },
)


@exercise.probes
def _(make):
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
    yield probe("not contiguous", *make.pick((2, 2, 3, 2), (3, 2, 2, 3), (2, 3, 2, 2)), group=group, edge=True, strided=True)
    yield probe("a long sequence", 1, 3, 150, 2, group=group, long=True)


@exercise.right
def reference(x):
    return x.transpose(-3, -2).flatten(-2)


@exercise.alternative("transpose and reshape")
def _(x):
    B, H, T, K = x.shape
    return x.transpose(1, 2).reshape(B, T, H * K)


@exercise.alternative("permute, contiguous, view")
def _(x):
    batch, heads, tokens, width = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(batch, tokens, heads * width)


@exercise.alternative("heads joined")
def _(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)


@exercise.alternative("unbind")
def _(x):
    return torch.cat(torch.unbind(x, dim=1), 2)


@exercise.alternative("columns first")
def _(x):
    return x.transpose(2, 3).flatten(1, 2).transpose(1, 2)


@exercise.alternative("filled head by head")
def _(x):
    B, H, T, K = x.shape
    out = torch.empty(B, T, H * K, dtype=x.dtype)
    for head in range(H):
        out[:, :, head * K:(head + 1) * K] = x[:, head]
    return out


@exercise.alternative("einsum")
def _(x):
    moved = torch.einsum("bhtk->bthk", x)
    return moved.reshape(moved.shape[0], moved.shape[1], -1)


@exercise.alternative("batch item by batch item")
def _(x):
    return torch.stack([torch.hstack(list(item)) for item in x])


@exercise.wrong("reshape-without-transpose")
def _(x):
    B, H, T, K = x.shape
    return x.reshape(B, T, H * K)


@exercise.wrong("reshape-without-transpose", "view")
def _(x):
    return x.contiguous().view(x.size(0), x.size(2), -1)


@exercise.wrong("reshape-without-transpose", "two axes exchanged, then reshape")
def _(x):
    B, H, T, K = x.shape
    return x.transpose(2, 3).reshape(B, T, H * K)


@exercise.wrong("reshape-without-transpose", "joined, then reshaped")
def _(x):
    return x.flatten(1).unflatten(1, (x.shape[2], -1))


@exercise.wrong("interleaved")
def _(x):
    B, H, T, K = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, K * H)


@exercise.wrong("interleaved", "stacked at the end")
def _(x):
    return torch.stack(list(x.unbind(1)), dim=-1).flatten(2)


@exercise.wrong("view-after-transpose")
def _(x):
    B, H, T, K = x.shape
    return x.transpose(1, 2).view(B, T, H * K)


@exercise.wrong("view-after-transpose", "permute")
def _(x):
    return x.permute(0, 2, 1, 3).view(x.shape[0], x.shape[2], -1)


@exercise.wrong("heads-added")
def _(x):
    return x.sum(dim=1)


@exercise.wrong("heads-added", "mean")
def _(x):
    return x.mean(1)


@exercise.wrong("joined-along-tokens")
def _(x):
    return x.flatten(1, 2)


@exercise.wrong("joined-along-tokens", "after exchanging")
def _(x):
    return x.transpose(1, 2).flatten(1, 2)


@exercise.wrong("joined-along-batch")
def _(x):
    return torch.cat(list(x), dim=-1)


@exercise.wrong("joined-along-batch", "batch and heads folded")
def _(x):
    return x.flatten(0, 1)


@exercise.wrong("joined-along-batch", "heads joined along the batch")
def _(x):
    return torch.cat(list(x.unbind(1)), dim=0)


@exercise.wrong("tokens-last")
def _(x):
    return x.transpose(2, 3).flatten(1, 2)


@exercise.wrong("tokens-last", "counted on")
def _(x):
    B, H, T, K = x.shape
    return x.reshape(B, H * K, T)


@exercise.wrong("axes-misread")
def _(x):
    B, T, H, K = x.shape
    return x.reshape(B, T, H * K)


@exercise.wrong("axes-misread", "after exchanging")
def _(x):
    B, T, H, K = x.shape
    return x.transpose(1, 2).reshape(B, T, H * K)


@exercise.wrong("not-joined")
def _(x):
    return x.transpose(1, 2)


@exercise.wrong("not-joined", "a list")
def _(x):
    return [x[:, h] for h in range(x.shape[1])]


@exercise.wrong("not-joined", "unchanged")
def _(x):
    return x


@exercise.wrong("one-head")
def _(x):
    return x[:, 0]


@exercise.wrong("one-head", "the last")
def _(x):
    for head in x.unbind(1):
        out = head
    return out


@exercise.wrong("one-head", "copied to the full width")
def _(x):
    return torch.cat([x[:, 0] for _ in range(x.shape[1])], dim=-1)


@exercise.wrong("reversed")
def _(x):
    return x.flip(1).transpose(1, 2).flatten(2)


@exercise.wrong("reversed", "joined in front")
def _(x):
    out = x[:, 0]
    for h in range(1, x.shape[1]):
        out = torch.cat([x[:, h], out], dim=-1)
    return out


@exercise.wrong("fixed-sizes")
def _(x):
    return torch.cat([x[:, 0], x[:, 1]], dim=-1) if x.shape[1] > 1 else x[:, 0]


@exercise.wrong("other-axes-exchanged")
def _(x):
    B, H, T, K = x.shape
    return x.transpose(1, 3).reshape(B, T, H * K)


@exercise.wrong("other-axes-exchanged", "the width to the front")
def _(x):
    B, H, T, K = x.shape
    return x.permute(0, 3, 1, 2).reshape(B, T, H * K)


@exercise.wrong("other-axes-exchanged", "batch and tokens")
def _(x):
    B, H, T, K = x.shape
    return x.transpose(0, 2).reshape(B, T, H * K)


@exercise.wrong("other-axes-exchanged", "tokens to the front")
def _(x):
    B, H, T, K = x.shape
    return x.permute(2, 0, 1, 3).reshape(B, T, H * K)


@exercise.wrong("wrong-offset")
def _(x):
    B, H, T, K = x.shape
    out = x.new_zeros(B, T, H * K)
    for h in range(H):
        out[:, :, h:h + K] = x[:, h]
    return out


@exercise.wrong("a-head-lost", "the last")
def _(x):
    return torch.cat([x[:, h] for h in range(max(1, x.shape[1] - 1))], dim=-1)


@exercise.wrong("a-head-lost", "the first")
def _(x):
    return torch.cat([x[:, h] for h in range(min(1, x.shape[1] - 1), x.shape[1])], dim=-1)


@exercise.wrong("a-head-lost", "the first comes twice")
def _(x):
    out = x[:, 0]
    for h in range(x.shape[1]):
        out = torch.cat([out, x[:, h]], dim=-1)
    return out


@exercise.wrong("fixed-sizes", "three heads")
def _(x):
    return torch.cat([x[:, 0], x[:, 1], x[:, 2]], dim=-1)


@exercise.wrong("batch-lost")
def _(x):
    return torch.cat(list(x[0]), dim=-1)


@exercise.wrong("batch-lost", "with an axis")
def _(x):
    return x[:1].transpose(1, 2).flatten(2)


@exercise.wrong("squeezed")
def _(x):
    return x.transpose(1, 2).flatten(2).squeeze()


@exercise.wrong("squeezed", "the batch")
def _(x):
    return x.transpose(1, 2).flatten(2).squeeze(0)


@exercise.wrong("in-a-tuple")
def _(x):
    return x.transpose(1, 2).flatten(2),


@exercise.wrong("dtype-fixed")
def _(x):
    B, H, T, K = x.shape
    out = torch.zeros(B, T, H * K)
    for h in range(H):
        out[:, :, h * K:(h + 1) * K] = x[:, h]
    return out


@exercise.wrong("dtype-fixed", "always float64")
def _(x):
    return x.double().transpose(1, 2).flatten(2)


@exercise.wrong("fixed-sizes", "four heads")
def _(x):
    return torch.cat([x[:, h] for h in range(4)], dim=-1)


@exercise.wrong("tokens-last", "counted on, then exchanged")
def _(x):
    B, H, T, K = x.shape
    return x.transpose(1, 2).reshape(B, H * K, T).transpose(1, 2)


@exercise.wrong("tokens-last", "counted on in memory's order, then exchanged")
def _(x):
    B, H, T, K = x.shape
    return x.reshape(B, H * K, T).transpose(1, 2)


@exercise.wrong("no-gradient")
def _(x):
    return x.detach().transpose(1, 2).flatten(2)


@exercise.wrong("no-gradient", "by way of numpy")
def _(x):
    array = x.detach().numpy().swapaxes(1, 2)
    return torch.from_numpy(array.reshape(*array.shape[:2], -1).copy())


@exercise.wrong("changes-input")
def _(x):
    with torch.no_grad():
        x += 1
    return (x - 1).transpose(1, 2).flatten(2)


@exercise.wrong("returns-nothing")
def _(x):
    x.transpose(1, 2).flatten(2)


@exercise.wrong("ready-made")
def _(x):
    from allyouneed.multihead import merge_heads as join
    return join(x)


@exercise.wrong("ready-made", "the module's")
def _(x):
    import allyouneed
    import allyouneed.multihead
    return allyouneed.multihead.merge_heads(x)


@exercise.wrong("timeout")
def _(x):
    from time import sleep
    h, out = 0, x[:, 0]
    while h < x.shape[1]:
        sleep(0.01)
    return out
