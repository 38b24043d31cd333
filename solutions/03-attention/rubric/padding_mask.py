"""padding_mask: probes, right versions, and each mistake with its message and its evidence."""


import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "padding_mask",
    points={"real tokens": 2, "empty sequences and other lengths": 1},
    section="padding-mask",
)


@exercise.probes
def probes(make):
    group = "real tokens"
    yield make.probe("two sequences", torch.tensor([make.pick(3, 2, 3), 1]), make.pick(5, 4, 6), group=group)
    yield make.probe("three sequences, one of full length",
                     torch.tensor(make.pick([2, 5, 3], [4, 6, 1],
                                            [3, 7, 2])), make.pick(5, 6, 7), group=group)
    yield make.probe("four sequences, all shorter than max_len",
                     torch.tensor(make.pick([1, 4, 2, 3], [2, 5, 1, 4], [3, 1, 5, 2])),
                     make.pick(7, 8, 9), group=group)
    yield make.probe("as many sequences as positions", torch.tensor([3, 1, 4, 2]), 4, group=group)
    yield make.probe("five sequences, three positions", torch.tensor([2, 1, 3, 1, 2]), 3, group=group)
    yield make.probe("one sequence", torch.tensor([make.pick(2, 3, 4)]), make.pick(5, 6, 7), group=group,
                     edge=True)
    yield make.probe("int32 lengths", torch.tensor([2, 4, 1], dtype=torch.int32), 6, group=group, edge=True)
    yield make.probe("int16 lengths", torch.tensor([2, 4, 1], dtype=torch.int16), 5, group=group, edge=True)
    yield make.probe("one position", torch.tensor([1, 1]), 1, group=group, edge=True)
    yield make.probe("a long sequence", torch.tensor([make.pick(137, 141, 129), 20]), 150, group=group,
                     long=True)
    group = "empty sequences and other lengths"
    yield make.probe("an empty sequence", torch.tensor(make.pick([2, 0, 3], [0, 3, 1], [1, 2, 0])),
                     make.pick(4, 5, 6), group=group, edge=True)
    yield make.probe("empty sequences alone", torch.tensor([0, 0]), 3, group=group, edge=True)
    yield make.probe("int8 lengths, two hundred positions",
                     torch.tensor([make.pick(100, 120, 90), 20], dtype=torch.int8), make.pick(200, 210, 190),
                     group=group, edge=True)
    yield make.probe("a list of lengths", make.pick([2, 0], [3, 0, 1], [0, 2]), make.pick(3, 4, 5),
                     group=group, edge=True)


@exercise.right
def reference(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]


@exercise.right("loop")
def loop(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, length in enumerate(lengths):
        mask[b, 0, 0, :length] = True
    return mask


RETURN = "return torch.zeros(len(lengths), max_len).masked_fill"

exercise.also_right(
    full("lengths = torch.tensor(lengths) if not torch.is_tensor(lengths) else lengths\n"
         "positions = torch.arange(max_len).view(1, 1, 1, -1)\n"
         "return positions < lengths.view(-1, 1, 1, 1)", "views"),
    full("return torch.tensor([[[[s < int(length) for s in range(max_len)]]] for length in lengths])",
         "lists"),
    full("lengths = torch.as_tensor(lengths).unsqueeze(1)\n"
         "padding = torch.arange(max_len).expand(lengths.shape[0], max_len) >= lengths\n"
         "return padding.logical_not().unsqueeze(1).unsqueeze(2)", "padding, inverted"),
    full("rows = [torch.cat([torch.ones(int(n)), torch.zeros(max_len - int(n))]) for n in lengths]\n"
         "return torch.stack(rows).bool()[:, None, None]", "stacked rows"),
    full("table = torch.tril(torch.ones(max_len + 1, max_len, dtype=torch.bool), diagonal=-1)\n"
         "return table[torch.as_tensor(lengths).long()].reshape(len(lengths), 1, 1, max_len)",
         "rows of a triangle"))

exercise.mistake("masks-queries", "padding-mask",
    "The mask hides queries: it has the shape (B, 1, S, 1). Padding is hidden as keys, on the last axis: "
    "(B, 1, 1, S).",
    edit(reference, {"None, :": ":, None"}),
    edit(reference, {"None, None, :": ":, None"}, "with three axes"),
    edit(reference, {"< lengths": ">= lengths", "None, :": ":, None"}, "and inverted"))

exercise.mistake("one-too-many", "padding-mask",
    "Each sequence keeps one padding token. Position s is real if s < length: positions count from 0.",
    edit(reference, {"< lengths": "<= lengths"}),
    edit(reference, {"< lengths": "<= lengths", "[:, None, None, :]": ""}, "and wrong axes"),
    edit(reference, {"< lengths": "<= lengths", ", None, :": ""}, "one axis missing"))

exercise.mistake("one-too-few", "padding-mask",
    "Each sequence loses its last real token. Position s is real if s < length.",
    edit(reference, {"[:, None]": "[:, None] - 1"}),
    edit(reference, {")[:, None, None, :]": "- 1)"}, "and wrong axes"))

exercise.mistake("inverted", "masks-in-torch",
    "The mask is True at the padding. Here True means that a token may be attended to: the real tokens are "
    "True.",
    edit(reference, {"< lengths": ">= lengths"}),
    edit(reference, {"< lengths": "> lengths"}, "and one off"),
    edit(reference, {"< lengths[:, None]": ">= lengths[:, None] - 1"}, "and one off, the other way"),
    edit(reference, {"< lengths": ">= lengths", "[:, None, None, :]": ""}, "without the two axes"),
    edit(reference, {"< lengths": ">= lengths", ", None, :": ""}, "with one axis"),
    edit(reference, {"< lengths": ">= lengths", "None, :]": "None, :].float()"}, "and boolean as numbers"))

exercise.mistake("padding-first", "padding-mask",
    "The mask expects the padding before the tokens. Real tokens come first: positions 0 to length − 1.",
    edit(reference, {"< lengths": ">= max_len - lengths"}),
    edit(reference, {"< lengths": ">= max_len - lengths", "[:, None, None, :]": ""}, "without the two axes"))

exercise.mistake("wrong-axes", "padding-mask",
    "The values fit, but the shape does not: it must be (B, 1, 1, S), so that heads and queries broadcast. "
    "Add the two axes of size 1 in the middle.",
    edit(reference, {"[:, None, None, :]": ""}, "(B, S)"),
    edit(reference, {", None, :": ""}, "(B, 1, S)"),
    edit(reference, {":, None, None, :": "None, None"}, "(1, 1, B, S)"),
    edit(reference, {":, None, None, :": "None, :, None"}, "(1, B, 1, S)"),
    edit(reference, {":, None, None, :": "..., None, None"}, "(B, S, 1, 1)"),
    edit(reference, {":, None, None, :": "None"}, "(1, B, S)"))

exercise.mistake("queries-and-keys", "padding-mask",
    "The mask has an axis of queries. Keys alone are hidden: its shape is (B, 1, 1, S), and broadcasting "
    "does the rest.",
    edit(reference, {"None, :]": "None, :].expand(-1, 1, max_len, max_len)"}, "(B, 1, S, S), keys hidden"),
    full("lengths = torch.as_tensor(lengths)\n"
         "real = (torch.arange(max_len) < lengths[:, None])\n"
         "return (real[:, :, None] & real[:, None, :])[:, None]", "(B, 1, S, S), both hidden"),
    edit(reference, {"None, :]": ":].expand(-1, max_len, max_len)"}, "(B, S, S), keys hidden"),
    full("lengths = torch.as_tensor(lengths)\n"
         "real = (torch.arange(max_len) < lengths[:, None])\n"
         "return real[:, :, None] & real[:, None, :]", "(B, S, S), both hidden"),
    edit(reference, {"None, :]": ":, None].expand(-1, 1, max_len, max_len)"}, "(B, 1, S, S), queries hidden"))

exercise.mistake("not-boolean", "masks-in-torch",
    "The mask does not hold True and False. Return a boolean tensor: True at the real tokens.",
    edit(reference, {"None, :]": "None, :].float()"}, "floats"),
    edit(reference, {"None, :]": "None, :].int()"}, "int32"),
    edit(reference, {"[:, None, None, :]": ".float()"}, "floats (B, S)"),
    edit(reference, {"[:, None, None, :]": ".long()"}, "whole numbers (B, S)"),
    edit(reference, {"return": RETURN, "< lengths": ">= lengths",
                     "[:, None]": "[:, None], -math.inf"}, "0 and −∞"),
    edit(reference, {"return": RETURN, "< lengths": ">= lengths",
                     "[:, None]": "[:, None], -1e9"}, "0 and −1e9"),
    edit(reference, {"return": RETURN, "< lengths": ">= lengths",
                     ")[:, None, None, :]": ", -math.inf)"}, "0 and −∞ (B, S)"))

exercise.mistake("list-of-rows", "padding-mask",
    "A list or a tuple of rows comes back. Return one boolean tensor (B, 1, 1, S): each row has max_len "
    "entries, and the rows are put together.",
    edit(loop, {"return mask": "return list(mask[:, 0, 0])"}),
    edit(reference, {"return (": "return tuple((", "None, :]": "None, :])"}, "a tuple, with further axes"),
    full("return [torch.ones(int(length), dtype=torch.bool) for length in lengths]",
         "each as long as its tokens"),
    full("return [torch.arange(max_len) >= length for length in lengths]", "True at the padding"))

exercise.mistake("longest-length", "padding-mask",
    "The mask ends at the longest length in the batch. It must have max_len columns, also when all are "
    "shorter.",
    edit(reference, {"(max_len)": "(int(lengths.max()))"}),
    full("lengths = torch.as_tensor(lengths)\n"
         "return torch.arange(int(lengths.max())) < lengths[:, None]", "without the two axes"),
    edit(reference, {"(max_len) <": "(int(lengths.max())) >="}, "inverted"))

exercise.mistake("last-token-only", "padding-mask",
    "One position of each sequence is compared for equality. All positions below the length are True: use <.",
    edit(reference, {"< lengths[:, None]": "== lengths[:, None] - 1"}),
    edit(reference, {"< lengths": "== lengths"}, "the position after"),
    edit(reference, {"< lengths": "!= lengths"}, "all but one"))

exercise.mistake("one-length", "padding-mask",
    "Every sequence gets the same length. Compare each row with its own: lengths needs an axis of size 1 "
    "at the end.",
    edit(reference, {"[:, None]": "[0]",
                     "[:, None, None, :]": ".expand(len(lengths), 1, 1, max_len)"}, "the first"),
    edit(reference, {"[:, None])[:, None, None, :]": ".max()).expand(len(lengths), 1, 1, max_len)"},
         "the longest"),
    edit(reference, {"[:, None])[:, None, None, :]": ".min()).expand(len(lengths), 1, 1, max_len)"},
         "the shortest"),
    edit(reference, {"[:, None]": ").expand(len(lengths), max_len"}, "lengths without an axis"),
    edit(reference, {"[:, None])[:": ")[None"}, "lengths without an axis, no batch"))

exercise.mistake("nothing-hidden", "padding-mask",
    "The mask hides nothing. Positions from the length on must be False.",
    edit(loop, {"mask = torch.zeros": "lengths = torch.as_tensor(lengths)\nreturn torch.ones"}))

exercise.mistake("lengths-and-positions-swapped", "padding-mask",
    "The axes are exchanged: positions run along the batch axis. Compare arange(max_len) with lengths[:, "
    "None]; a reshape does not exchange axes. The shape is (B, 1, 1, S).",
    edit(reference, {"< lengths[:, None]": "[:, None] < lengths"}),
    full("lengths = torch.as_tensor(lengths)\n"
         "return torch.arange(max_len)[:, None] < lengths", "without the two axes"),
    full("lengths = torch.as_tensor(lengths)\n"
         "return (torch.arange(max_len)[:, None] < lengths).reshape(-1, 1, 1, max_len)", "reshaped"))

exercise.mistake("list-refused", "padding-mask",
    "A list of lengths stops with an error. lengths may be a tensor or a list of numbers: begin with "
    "lengths = torch.as_tensor(lengths).",
    edit(reference, {"lengths = torch.as_tensor(lengths)": ""}),
    edit(reference, {"lengths = torch.as_tensor(lengths)": "", "lengths[:, None]": "lengths.unsqueeze(1)"},
         "by a method"),
    edit(reference, {"lengths = torch.as_tensor(lengths)": "", "lengths[:, None]": "lengths.view(-1, 1)"},
         "by a view"))

exercise.mistake("positions-overflow", "padding-mask",
    "The positions are compared in the dtype of lengths, and int8 ends at 127: later positions become "
    "negative. Leave arange(max_len) as it is, and take int(length) in a loop.",
    edit(reference, {"(max_len)": "(max_len).to(lengths.dtype)"}))

exercise.mistake("full-length-hidden", "padding-mask",
    "A sequence without padding is hidden completely: a slice from −0 on is the whole row. Set the positions "
    "up to the length to True instead: mask[b, ..., :length].",
    edit(loop, {"mask = torch.zeros": "mask = torch.ones",
                ":length] = True": "-(max_len - int(length)):] = False"}))

exercise.mistake("empty-sequence", "fully-masked-row",
    "A sequence of length 0 is not hidden completely. Its row must be False everywhere.",
    edit(reference, {"[:, None]": "[:, None].clamp(min=1)"}, "at least one"),
    edit(reference, {"return": "lengths = torch.where(lengths == 0, max_len, lengths)\nreturn"},
         "0 stands for all"))

exercise.built_in("ready-made",
    full("from allyouneed.nn.attention import padding_mask as ready\n"
         "return ready(lengths, max_len)", "the library's own"))

exercise.built_in("changes-input",
    edit(reference, {"return": "lengths -= 1\nreturn", "< lengths": "<= lengths"}))

exercise.built_in("timeout",
    full("while True:\n    pass"))

exercise.equal("a copy of a tensor holds the same", {
    "not torch.is_tensor(lengths)": "True", "is_tensor(lengths)": "is_tensor(max_len)"})
exercise.equal("an axis of size 1 has one index and broadcasts, and two such are alike", {
    "b, 0, 0": ("b, -1, 0", "b, 0, -1"), ".view(1, 1, 1, -1)": "", ".expand(lengths.shape[0], max_len)": "",
    "unsqueeze(2)": "unsqueeze(1)",
    "lengths.shape[0], max": ("lengths.shape[1], max", "lengths.shape[-1], max")})
exercise.equal("lists of bools stand for a tensor", {
    "torch.tensor([[[[": "([[[["})
exercise.equal("no length reaches beyond row max_len", {"max_len + 1": "max_len + 2"})

exercise.equal("a size may be a tensor that holds a whole number", {"torch.ones(int(n))": "torch.ones(n)"})
