"""The rubric of padding_mask: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "padding_mask",
    points={"real tokens": 2, "empty sequences": 1},
    section="padding-mask",
    mistakes={
        "masks-queries": ("The mask hides queries: it has the shape (B, 1, S, 1). Padding is hidden as keys, on the last axis: (B, 1, 1, S).",
                          "padding-mask"),
        "one-too-many": ("Each sequence keeps one padding token. Position s is real if s < length: positions count from 0.", "padding-mask"),
        "one-too-few": ("Each sequence loses its last real token. Position s is real if s < length.", "padding-mask"),
        "inverted": ("The mask is True at the padding. Here True means that a token may be attended to: the real tokens are True.",
                     "masks-in-torch"),
        "padding-first": ("The mask expects the padding before the tokens. Real tokens come first: positions 0 to length − 1.", "padding-mask"),
        "wrong-axes": ("The values fit, but the shape does not: it must be (B, 1, 1, S), so that heads and queries broadcast. "
                       "Add the two axes of size 1 in the middle.", "padding-mask"),
        "queries-and-keys": ("The mask has an axis of queries. Keys alone are hidden: its shape is (B, 1, 1, S), and broadcasting does the rest.",
                             "padding-mask"),
        "not-boolean": ("The mask does not hold True and False. Return a boolean tensor: True at the real tokens.", "masks-in-torch"),
        "longest-length": ("The mask ends at the longest length in the batch. It must have max_len columns, also when all are shorter.",
                           "padding-mask"),
        "last-token-only": ("One position of each sequence is compared for equality. All positions below the length are True: use <.",
                            "padding-mask"),
        "one-length": ("Every sequence gets the same length. Compare each row with its own: lengths needs an axis of size 1 at the end.",
                       "padding-mask"),
        "nothing-hidden": ("The mask hides nothing. Positions from the length on must be False.", "padding-mask"),
        "lengths-and-positions-swapped": ("The axes are exchanged: positions run along the batch axis. The shape is (B, 1, 1, S).", "padding-mask"),
        "empty-sequence": ("A sequence of length 0 is not hidden completely. Its row must be False everywhere.", "fully-masked-row"),
    },
)


@exercise.probes
def _(make):
    group = "real tokens"
    yield make.probe("two sequences", torch.tensor([make.pick(3, 2, 3), 1]), make.pick(5, 4, 6), group=group)
    yield make.probe("three sequences, one of full length", torch.tensor(make.pick([2, 5, 3], [4, 6, 1], [3, 7, 2])), make.pick(5, 6, 7), group=group)
    yield make.probe("four sequences, all shorter than max_len", torch.tensor(make.pick([1, 4, 2, 3], [2, 5, 1, 4], [3, 1, 5, 2])),
                     make.pick(7, 8, 9), group=group)
    yield make.probe("as many sequences as positions", torch.tensor([3, 1, 4, 2]), 4, group=group)
    yield make.probe("five sequences, three positions", torch.tensor([2, 1, 3, 1, 2]), 3, group=group)
    yield make.probe("one sequence", torch.tensor([make.pick(2, 3, 4)]), make.pick(5, 6, 7), group=group, edge=True)
    yield make.probe("int32 lengths", torch.tensor([2, 4, 1], dtype=torch.int32), 6, group=group, edge=True)
    yield make.probe("one position", torch.tensor([1, 1]), 1, group=group, edge=True)
    yield make.probe("a long sequence", torch.tensor([make.pick(137, 141, 129), 20]), 150, group=group, long=True)
    group = "empty sequences"
    yield make.probe("an empty sequence", torch.tensor(make.pick([2, 0, 3], [0, 3, 1], [1, 2, 0])), make.pick(4, 5, 6), group=group, edge=True)
    yield make.probe("empty sequences alone", torch.tensor([0, 0]), 3, group=group, edge=True)


@exercise.right
def reference(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


@exercise.alternative("views")
def _(lengths, max_len):
    lengths = torch.tensor(lengths) if not torch.is_tensor(lengths) else lengths
    positions = torch.arange(max_len).view(1, 1, 1, -1)
    return positions < lengths.view(-1, 1, 1, 1)


@exercise.alternative("loop")
def _(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, length in enumerate(lengths):
        mask[b, 0, 0, :length] = True
    return mask


@exercise.alternative("lists")
def _(lengths, max_len):
    return torch.tensor([[[[s < int(length) for s in range(max_len)]]] for length in lengths])


@exercise.alternative("padding, inverted")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths).unsqueeze(1)
    padding = torch.arange(max_len).expand(lengths.shape[0], max_len) >= lengths
    return padding.logical_not().unsqueeze(1).unsqueeze(2)


@exercise.alternative("stacked rows")
def _(lengths, max_len):
    rows = [torch.cat([torch.ones(int(n)), torch.zeros(max_len - int(n))]) for n in lengths]
    return torch.stack(rows).bool()[:, None, None]


@exercise.alternative("rows of a triangle")
def _(lengths, max_len):
    table = torch.tril(torch.ones(max_len + 1, max_len, dtype=torch.bool), diagonal=-1)
    return table[torch.as_tensor(lengths).long()].reshape(len(lengths), 1, 1, max_len)


@exercise.wrong("masks-queries")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, :, None]


@exercise.wrong("masks-queries", "with three axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, :, None]


@exercise.wrong("masks-queries", "and inverted")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])[:, None, :, None]


@exercise.wrong("one-too-many")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]


@exercise.wrong("one-too-many", "and wrong axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) <= lengths[:, None])


@exercise.wrong("one-too-many", "one axis missing")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) <= lengths[:, None])[:, None]


@exercise.wrong("one-too-few")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None] - 1)[:, None, None, :]


@exercise.wrong("one-too-few", "positions from 1")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(1, max_len + 1) < lengths[:, None])[:, None, None, :]


@exercise.wrong("one-too-few", "and wrong axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None] - 1)


@exercise.wrong("inverted")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])[:, None, None, :]


@exercise.wrong("inverted", "and one off")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) > lengths[:, None])[:, None, None, :]


@exercise.wrong("inverted", "and one off, the other way")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None] - 1)[:, None, None, :]


@exercise.wrong("inverted", "without the two axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])


@exercise.wrong("inverted", "with one axis")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])[:, None]


@exercise.wrong("inverted", "and boolean as numbers")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= lengths[:, None])[:, None, None, :].float()


@exercise.wrong("padding-first")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= max_len - lengths[:, None])[:, None, None, :]


@exercise.wrong("padding-first", "without the two axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) >= max_len - lengths[:, None])


@exercise.wrong("wrong-axes", "(B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])


@exercise.wrong("wrong-axes", "(B, 1, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None]


@exercise.wrong("wrong-axes", "(1, 1, B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[None, None]


@exercise.wrong("wrong-axes", "(1, B, 1, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[None, :, None]


@exercise.wrong("wrong-axes", "(B, S, 1, 1)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[..., None, None]


@exercise.wrong("wrong-axes", "(1, B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[None]


@exercise.wrong("queries-and-keys", "(B, 1, S, S), keys hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].expand(-1, 1, max_len, max_len)


@exercise.wrong("queries-and-keys", "(B, 1, S, S), both hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    real = (torch.arange(max_len) < lengths[:, None])
    return (real[:, :, None] & real[:, None, :])[:, None]


@exercise.wrong("queries-and-keys", "(B, S, S), keys hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, :].expand(-1, max_len, max_len)


@exercise.wrong("queries-and-keys", "(B, S, S), both hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    real = (torch.arange(max_len) < lengths[:, None])
    return real[:, :, None] & real[:, None, :]


@exercise.wrong("queries-and-keys", "(B, 1, S, S), queries hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, :, None].expand(-1, 1, max_len, max_len)


@exercise.wrong("not-boolean", "floats")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].float()


@exercise.wrong("not-boolean", "whole numbers")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].long()


@exercise.wrong("not-boolean", "bytes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].to(torch.uint8)


@exercise.wrong("not-boolean", "int32")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].int()


@exercise.wrong("not-boolean", "floats (B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None]).float()


@exercise.wrong("not-boolean", "whole numbers (B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None]).long()


@exercise.wrong("not-boolean", "0 and −∞")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.zeros(len(lengths), max_len).masked_fill(torch.arange(max_len) >= lengths[:, None], -math.inf)[:, None, None, :]


@exercise.wrong("not-boolean", "0 and −1e9")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.zeros(len(lengths), max_len).masked_fill(torch.arange(max_len) >= lengths[:, None], -1e9)[:, None, None, :]


@exercise.wrong("not-boolean", "0 and −∞ (B, S)")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.zeros(len(lengths), max_len).masked_fill(torch.arange(max_len) >= lengths[:, None], -math.inf)


@exercise.wrong("longest-length")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(int(lengths.max())) < lengths[:, None])[:, None, None, :]


@exercise.wrong("longest-length", "without the two axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.arange(int(lengths.max())) < lengths[:, None]


@exercise.wrong("longest-length", "inverted")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(int(lengths.max())) >= lengths[:, None])[:, None, None, :]


@exercise.wrong("last-token-only")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) == lengths[:, None] - 1)[:, None, None, :]


@exercise.wrong("last-token-only", "the position after")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) == lengths[:, None])[:, None, None, :]


@exercise.wrong("last-token-only", "all but one")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) != lengths[:, None])[:, None, None, :]


@exercise.wrong("one-length", "the first")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[0]).expand(len(lengths), 1, 1, max_len)


@exercise.wrong("one-length", "the longest")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths.max()).expand(len(lengths), 1, 1, max_len)


@exercise.wrong("one-length", "the shortest")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths.min()).expand(len(lengths), 1, 1, max_len)


@exercise.wrong("one-length", "lengths without an axis")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths).expand(len(lengths), max_len)[:, None, None, :]


@exercise.wrong("one-length", "lengths without an axis, no batch")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths)[None, None, None]


@exercise.wrong("nothing-hidden")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool)


@exercise.wrong("lengths-and-positions-swapped")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len)[:, None] < lengths)[:, None, None, :]


@exercise.wrong("lengths-and-positions-swapped", "without the two axes")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.arange(max_len)[:, None] < lengths


@exercise.alternative("for tensors, by indexing")
def _(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


@exercise.alternative("for tensors, by a method")
def _(lengths, max_len):
    return (torch.arange(max_len) < lengths.unsqueeze(1))[:, None, None, :]


@exercise.wrong("empty-sequence", "at least one")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None].clamp(min=1))[:, None, None, :]


@exercise.wrong("empty-sequence", "0 stands for all")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    lengths = torch.where(lengths == 0, max_len, lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


@exercise.wrong("ready-made", "the library's own")
def _(lengths, max_len):
    from allyouneed.attention import padding_mask as ready
    return ready(lengths, max_len)


@exercise.wrong("changes-input")
def _(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    lengths -= 1
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]


@exercise.wrong("timeout")
def _(lengths, max_len):
    while True:
        pass
