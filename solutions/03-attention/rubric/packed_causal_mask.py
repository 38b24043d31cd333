"""packed_causal_mask: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "packed_causal_mask",
    points={"documents": 2, "pads": 1, "the same number again": 1},
    section="packed-documents",
)


@exercise.probes
def probes(make):
    def probe(name, rows, group, dtype=torch.int64, **marks):
        return make.probe(name, torch.tensor(rows, dtype=dtype), group=group, **marks)

    group = "documents"
    yield probe("two documents, and three", make.pick([[0, 0, 0, 1, 1], [4, 4, 5, 5, 6]], [[2, 2, 3, 3, 3],
                                                                                           [0, 1, 1, 1, 2]],
                                                      [[7, 8, 8, 8, 8], [1, 1, 1, 2, 3]]), group)
    yield probe("three rows of seven", make.pick([[3, 3, 1, 1, 1, 2, 2], [0, 0, 0, 0, 4, 4, 4], [5, 6, 6, 7,
                                                                                                 7, 7, 7]],
                                                 [[9, 9, 9, 2, 2, 1, 1], [0, 0, 0, 0, 0, 4, 4], [5, 6, 6, 6,
                                                                                                 7, 7, 7]],
                                                 [[1, 1, 3, 3, 2, 2, 2], [8, 8, 8, 0, 0, 0, 4], [5, 5, 5, 6,
                                                                                            6, 7, 7]]), group)
    yield probe("as many rows as tokens", [[0, 0, 1, 1], [2, 2, 2, 3], [1, 4, 4, 4], [5, 5, 5, 5]], group)
    yield probe("more rows than tokens", [[0, 0, 1], [1, 1, 1], [0, 2, 2], [3, 4, 5]], group)
    yield probe("falling numbers", [[6, 6, 4, 4, 4, 1], [3, 3, 3, 2, 2, 0]], group)
    yield probe("one row", [make.pick([0, 0, 1, 1, 1, 2], [3, 3, 3, 4, 5, 5], [1, 2, 2, 2, 3])], group,
                edge=True)
    yield probe("one document", [[2] * make.pick(4, 5, 3)], group, edge=True)
    yield probe("int32", [[0, 1, 1, 1], [2, 2, 3, 3]], group, dtype=torch.int32, edge=True)
    yield probe("one token", [[make.pick(0, 3, 1)], [5]], group, edge=True)
    yield probe("one row of one token", [[make.pick(5, 2, 0)]], group, edge=True)
    yield make.probe("not contiguous", torch.tensor([[0, 0, 0, 1, 1], [2, 3, 3, 3, 4], [5, 5, 6, 6, 6]]),
                     group=group,
                     edge=True, strided=True)
    length = make.pick(140, 150, 130)
    yield make.probe("a long row", (torch.arange(length) // 40)[None], group=group, edge=True, long=True)
    group = "pads"
    yield probe("pads at the end", make.pick([[0, 0, 1, -1, -1], [2, 2, 3, 3, -1], [4, 4, 4, 4, 4]],
                                             [[1, 1, 1, 2, -1], [2, -1, -1, -1, -1], [4, 4, 4, 4, 4]],
                                             [[0, 1, 1, -1, -1], [3, 3, 2, 2, -1], [6, 6, 6, 6, 6]]), group)
    yield probe("pads at the end, longer", [[0, 0, 0, 1, 1, 2, 2, -1, -1], [3, 4, 4, 4, 4, 4, -1, -1, -1]],
                group)
    yield probe("pads in front", [[-1, -1, 0, 0, 1], [-1, 2, 2, 3, 3]], group, edge=True)
    yield probe("pads alone", [[-1] * make.pick(3, 4, 5), [0] * make.pick(3, 4, 5)], group, edge=True)
    group = "the same number again"
    yield probe("a number comes again", make.pick([[0, 0, 1, 1, 0, 0], [2, 3, 3, 2, 2, 3]], [[1, 1, 0, 1, 1,
                                                                                      1], [2, 2, 3, 2, 4, 3]],
                                                  [[5, 5, 5, 6, 5, 5], [2, 3, 3, 2, 3, 3]]), group)
    yield probe("a number comes again after pads", make.pick([[4, 4, -1, 4, 4, 4], [1, 1, 2, -1, -1, 2]],
                                                             [[4, 4, 4, -1, 4, 4], [1, -1, -1, 1, 2, 2]],
                                                             [[3, -1, 3, 3, 3, 3], [1, 1, 2, 2, -1, 2]]),
                                                             group)
    yield probe("one row that ends with the number it began with",
                [make.pick([5, 7, 5], [4, 6, 6, 4], [2, 2, 0, 2])], group, edge=True)
    yield probe("two numbers in turn", [[0, 1] * make.pick(3, 4, 2)], group)


@exercise.right
def reference(documents):
    B, T = documents.shape
    starts = torch.ones(B, T, dtype=torch.bool)
    starts[:, 1:] = documents[:, 1:] != documents[:, :-1]
    number = starts.cumsum(dim=1)
    same = number[:, :, None] == number[:, None, :]
    real = documents >= 0
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    mask = same & causal & real[:, :, None] & real[:, None, :]
    return mask[:, None]


@exercise.right("a loop over tokens")
def loop(documents):
    B, T = documents.shape
    mask = torch.zeros(B, 1, T, T, dtype=torch.bool)
    for b in range(B):
        start = 0
        for t in range(T):
            if t > 0 and documents[b, t] != documents[b, t - 1]:
                start = t
            if documents[b, t] != -1:
                mask[b, 0, t, start : t + 1] = True
    return mask


@exercise.right("where each document began")
def began(documents):
    positions = torch.arange(documents.shape[1])
    before = F.pad(documents[:, :-1], (1, 0), value=-2)
    first = torch.where(documents != before, positions, 0).cummax(dim=1).values
    keys = positions[None, None, :]
    seen = (keys <= positions[None, :, None]) & (keys >= first[:, :, None])
    return (seen & (documents != -1)[:, :, None]).unsqueeze(1)


@exercise.right("nothing changed in between")
def in_between(documents):
    changes = torch.zeros_like(documents)
    changes[:, 1:] = (documents.diff(dim=1) != 0).long()
    piece = changes.cumsum(dim=1)
    piece = piece.masked_fill(documents == -1, -1)
    rows = piece.unsqueeze(2) == piece.unsqueeze(1)
    rows = rows & (piece != -1).unsqueeze(2)
    return torch.tril(rows)[:, None, :, :]


@exercise.right("lists")
def lists(documents):
    rows = []
    for ids in documents.tolist():
        T = len(ids)
        rows.append([[[s <= t and ids[t] != -1 and all(i == ids[t] for i in ids[s : t + 1]) for s in range(T)]
                      for t in range(T)]])
    return torch.tensor(rows)


exercise.also_right(
    edit(reference, {"starts.cumsum(dim=1)": "starts.int().cumsum(1)", "mask[:, None]": "mask.unsqueeze(-3)",
                     "documents >= 0": "documents.ne(-1)", " & real[:, None, :]": ""},
                     "pads by the query alone"),
    edit(reference, {"torch.ones(T, T, dtype=torch.bool).tril()": "causal_mask(T)"}, "one's own causal mask"))

DOCUMENT = "packed-documents"
RUNS = {"number[:, :, None] == number[:, None, :]": "documents[:, :, None] == documents[:, None, :]"}

exercise.mistake("same-number-again", DOCUMENT,
    "Tokens with the same number see each other across another document. Numbers may come again: a document "
    "ends where the number changes, so count the changes from left to right.",
    edit(reference, RUNS))

exercise.mistake("documents-ignored", DOCUMENT,
    "Tokens see earlier documents: the mask is causal over the whole row. Add that query and key belong to "
    "one document.",
    edit(reference, {"same & causal": "causal"}),
    full("T = documents.shape[1]\n"
         "return torch.ones(T, T, dtype=torch.bool).tril().expand(len(documents), 1, T, T)", "pads too"))

exercise.mistake("not-causal", "causal-mask",
    "Tokens see later ones of their own document. A key must be no later than the query.",
    edit(reference, {"same & causal": "same"}),
    edit(reference, {".tril()": ".tril(1)"}, "the next one"),
    edit(loop, {"t + 1] = True": "t + 2] = documents[b, start : t + 2] == documents[b, t]"},
         "the next one, in the loop"))

exercise.mistake("triangle-turned", "causal-mask",
    "The triangle lies on the wrong side: tokens see what comes after. Rows are queries, columns keys, and a "
    "key must be no later than its query.",
    edit(reference, {".tril()": ".triu()"}),
    edit(in_between, {"torch.tril": "torch.triu"}, "triu of the rows"))

exercise.mistake("not-itself", "causal-mask",
    "No token sees itself: the diagonal is False. Position t may look at t.",
    edit(reference, {".tril()": ".tril(-1)"}),
    edit(loop, {"start : t + 1": "start : t"}, "in the loop"))

exercise.mistake("pads-look", "packed-documents",
    "Pads look at pads, as if −1 were a document. A pad neither looks nor is seen: its row and its column "
    "are False.",
    edit(reference, {" & real[:, :, None] & real[:, None, :]": ""}),
    edit(loop, {"documents[b, t] != -1": "True"}, "in the loop"),
    edit(reference, RUNS | {" & real[:, :, None] & real[:, None, :]": ""}, "and the same number again"))

exercise.mistake("pads-see-themselves", "packed-documents",
    "A pad sees itself. Its row must be False throughout: attention gives such a query weights 0.",
    edit(reference, {"return mask[:, None]":
                     "mask = mask | torch.eye(T, dtype=torch.bool)\nreturn mask[:, None]"}))

exercise.mistake("pad-zero", "packed-documents",
    "0 is taken for the pad. The pad is −1, and 0 is a document like any other.",
    edit(reference, {"documents >= 0": "documents > 0"}),
    edit(reference, {"documents >= 0": "documents != 0"}, "−1 as a document"))

exercise.mistake("inverted", "masks-in-torch",
    "True and False are exchanged: True means that the query may look at the key.",
    edit(reference, {"return mask[:, None]": "return ~mask[:, None]"}))

exercise.mistake("start-late", DOCUMENT,
    "The first token of each document belongs to the one before it, or to none. A document begins with the "
    "token whose number differs from the one to its left.",
    edit(reference, {"starts[:, 1:] = documents[:, 1:] != documents[:, :-1]":
                     "starts[:, :-1] = documents[:, 1:] != documents[:, :-1]"}, "the change noted one early"),
    edit(reference, {"starts = torch.ones": "starts = torch.zeros",
                     "starts[:, 1:] = documents[:, 1:] != documents[:, :-1]":
                     "starts[:, 2:] = documents[:, 1:-1] != documents[:, :-2]"}, "one late"),
    edit(loop, {"start = t": "start = t + 1"}, "the first sees nothing"),
    edit(in_between, {"changes[:, 1:]": "changes[:, :-1]"}, "the change noted one early, none at the end"),
    edit(reference, {"starts[:, 1:] = documents[:, 1:] != documents[:, :-1]":
                     "starts = documents != documents.roll(-1, dims=1)"},
         "compared with the right neighbour"))

exercise.mistake("one-row-for-all", DOCUMENT,
    "All rows of the batch are divided into the same documents. Each row packs other ones: compare along "
    "the tokens of each row.",
    edit(reference, {"return mask[:, None]": "return mask[:1].expand(B, T, T)[:, None]"}, "the first row's"),
    edit(reference, {"return mask[:, None]": "return mask.all(dim=0).expand(B, 1, T, T)"}, "all rows joined"),
    edit(reference, {"number[:, :, None] == number[:, None, :]": "number[0, :, None] == number[0, None, :]"},
         "the first row's documents, with each row's pads"))

exercise.mistake("start-carried-over", DOCUMENT,
    "Where a document began is remembered from one row of the batch to the next. Each row begins anew, at "
    "its token 0.",
    edit(loop, {"for b in range(B):\n    start = 0": "start = 0\nfor b in range(B):"}))

exercise.mistake("last-document-lost", DOCUMENT,
    "The last document of a row is missing: no change of the number follows it. It ends with the row.",
    edit(loop, {"mask[b, 0, t, start : t + 1] = True":
                "mask[b, 0, t, start : t + 1] = bool((documents[b, t:] != documents[b, t]).any())"}),
    edit(reference, {"mask = same": "mask = (number != number[:, -1:])[:, :, None] & same"}, "by its number"))

exercise.mistake("joined-across-pads", DOCUMENT,
    "The same number before and after pads counts as one document. Pads end a document as another number "
    "does.",
    edit(reference, {"documents[:, 1:] != documents[:, :-1]":
                     "(documents[:, 1:] != documents[:, :-1]) & (documents[:, 1:] != -1) & "
                     "(documents[:, :-1] != -1)"}, "no change at a pad"),
    full("B, T = documents.shape\n"
         "mask = torch.zeros(B, 1, T, T, dtype=torch.bool)\n"
         "for b in range(B):\n"
         "    start, before = 0, None\n"
         "    for t in range(T):\n"
         "        if documents[b, t] == -1:\n"
         "            continue\n"
         "        if before is not None and documents[b, t] != before:\n"
         "            start = t\n"
         "        before = documents[b, t]\n"
         "        for s in range(start, t + 1):\n"
         "            mask[b, 0, t, s] = documents[b, s] == before\n"
         "return mask", "pads skipped"))

exercise.mistake("pads-at-the-end", "packed-documents",
    "Everything after a row's first pads is taken for pads, or pads are expected at the end alone. Pads may "
    "stand anywhere: compare each token with −1.",
    edit(reference, {"documents >= 0": "(documents >= 0).cumprod(dim=1).bool()"}, "cut at the first pad"),
    edit(reference, {"documents >= 0": "torch.arange(T) < (documents >= 0).sum(dim=1, keepdim=True)"},
         "the number of tokens, counted from the left"))

exercise.mistake("one-condition-enough", DOCUMENT,
    "A key is seen where one of the conditions holds. All of them must hold at once: join them with &.",
    edit(reference, {"same & causal": "(same | causal)"}, "the document or the order"),
    edit(reference, {"same & causal": "same | causal"}, "the document, or all the others"))

exercise.mistake("rows-run-on", DOCUMENT,
    "Changes are counted along the batch, not along the tokens. The tokens lie along dim=1.",
    edit(reference, {"cumsum(dim=1)": "cumsum(dim=0)"}))

exercise.mistake("previous-token-only", DOCUMENT,
    "Only the token itself and its left neighbour are seen. A token sees its document from the beginning.",
    full("T = documents.shape[1]\n"
         "mask = torch.zeros(len(documents), 1, T, T, dtype=torch.bool)\n"
         "mask[:, 0, range(T), range(T)] = documents != -1\n"
         "same = (documents[:, 1:] == documents[:, :-1]) & (documents[:, 1:] != -1)\n"
         "mask[:, 0, range(1, T), range(T - 1)] = same\n"
         "return mask"))

exercise.mistake("wrong-axes", "padding-mask",
    "The values fit, but the shape does not: it must be (B, 1, T, T), so that the same mask serves every "
    "head.",
    edit(reference, {"mask[:, None]": "mask"}, "(B, T, T)"),
    edit(reference, {"mask[:, None]": "mask[None]"}, "(1, B, T, T)"),
    edit(reference, {"mask[:, None]": "mask[..., None]"}, "(B, T, T, 1)"),
    edit(reference, {"mask[:, None]": "mask[:, :, None]"}, "(B, T, 1, T)"))

exercise.mistake("squeezed", "padding-mask",
    "squeeze takes away every axis of size 1, also that of one row or one token, and then the shape is not "
    "(B, 1, T, T). Do without it: mask[:, None] adds the one axis that is missing.",
    edit(reference, {"return mask[:, None]": "mask = mask.squeeze()\n"
                     "return mask.reshape(-1, 1, T, T) if B > 1 else mask[None, None]"}),
    edit(reference, {"return mask[:, None]": "return mask.squeeze()[:, None]"}, "and one axis"))

exercise.mistake("row-as-a-circle", DOCUMENT,
    "Where a row's first and last numbers agree, its last document is joined to its first one, as if the row "
    "were a circle. The first token begins a document, whatever stands at the end.",
    edit(reference, {"number = starts.cumsum(dim=1)":
                     "starts = documents != documents.roll(1, dims=1)\n"
                     "number = starts.cumsum(dim=1) % max(int(starts.sum(1).max()), 1)"}),
    edit(reference, {"number = starts.cumsum(dim=1)":
                     "starts = documents != documents.roll(1, dims=1)\n"
                     "number = starts.cumsum(dim=1) % starts.sum(1, keepdim=True).clamp(min=1)"},
         "in each row"))

exercise.mistake("not-boolean", "masks-in-torch",
    "The mask does not hold True and False. Return a boolean tensor: True where the query may look at the "
    "key.",
    edit(reference, {"mask[:, None]": "mask[:, None].float()"}, "floats"),
    edit(reference, {"mask[:, None]": "mask[:, None].int()"}, "whole numbers"),
    edit(reference, {"mask[:, None]": "torch.zeros(B, 1, T, T).masked_fill(~mask[:, None], -torch.inf)"},
         "0 and −∞"))

exercise.mistake("fresh-ids", DOCUMENT,
    "Documents are told apart by whether a number is larger than the one before. Any change of the number "
    "begins a document, also a fall.",
    edit(reference, {"documents[:, 1:] != documents[:, :-1]": "documents[:, 1:] > documents[:, :-1]"}))

exercise.built_in("changes-input",
    edit(in_between, {"changes = torch.zeros_like(documents)": "changes = documents.clone()",
                      "piece = piece.masked_fill(documents == -1, -1)": "piece = "
                                                                        "piece.masked_fill(documents == -1, "
                                                                        "-1)\n"
                      "documents += 1", "changes[:, 1:] =": "changes[:, 0] = 0\nchanges[:, 1:] ="}))

exercise.built_in("returns-nothing",
    edit(reference, {"return mask": "mask"}))

exercise.equal("runs are compared with each other alone, so it does not matter at which number they begin", {
    "torch.ones(B, T, dtype=torch.bool)": ("torch.ones(B, T)", "torch.zeros(B, T, dtype=torch.bool)",
                                           "torch.eye(B, T, dtype=torch.bool)"),
    "torch.zeros_like": "torch.ones_like", ".long()": "", ".int()": ""})
exercise.equal("a run of pads hides its keys as well as its queries", {
    " & real[:, None, :]": "", "real[:, :, None] & real[:, None, :]": "real[:, None, :]",
    "(piece != -1).unsqueeze(2)": ("(piece != -1).unsqueeze(-2)", "(piece != -1).unsqueeze(1)")})
exercise.equal("the first token begins at 0 whether or not a change is seen there", {
    "if t > 0 and": ("if", "if t >= 0 and", "if t > -1 and"), ", value=-2": ("", ", value=2", ", value=-1",
                                                                             ", value=-3"),
    "positions, 0)": "positions, -1)"})
exercise.equal("the table has two axes, the mask three before the heads' one", {
    "dim=1": "dim=-1", "shape[1]": "shape[-1]", "diff(dim=1)": "diff()", "unsqueeze(2)": "unsqueeze(-1)",
    "unsqueeze(1)": "unsqueeze(-2)", "unsqueeze(-3)": "unsqueeze(1)", "cumsum(1)": "cumsum(-1)",
    "[b, 0,": "[b, -1,"})
exercise.equal("a token equals itself, and a row of the tensor gives tensors that compare like numbers", {
    "s : t + 1]": ("s : t + 1 - 1]", "s : t]", "s : t + 0]"), "documents.tolist()": "documents",
    "torch.tensor(rows)": "rows"})
