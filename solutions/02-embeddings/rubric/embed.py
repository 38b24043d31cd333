"""embed: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "embed",
    points={"rows of the matrix": 2, "any shape": 1},
    section="embedding-matrix",
    driver="without_indexing",
    forbid=("embedding", "embedding_bag", "Embedding", "EmbeddingBag", "SkipGram"),
)


@exercise.probes
def probes(make):
    group = "rows of the matrix"
    v, d = make.pick((6, 4), (7, 5), (8, 3))
    yield make.probe("three ids", torch.tensor(make.pick([2, 4, 1], [3, 1, 5], [6, 2, 4])), make.randn(v, d),
                     group=group, gradient=True)
    yield make.probe("five ids, the first and the last word too", torch.tensor([0, v - 1, 2, 0, 3]),
                     make.randn(v, d), group=group)
    yield make.probe("a word twice", torch.tensor([3, 1, 3, 2, 1, 3, 2]), make.randn(5, make.pick(3, 4, 6)),
                     group=group, gradient=True)
    yield make.probe("as many words as columns and ids",
                     torch.tensor(make.pick([2, 1, 2, 1], [1, 1, 2, 1],
                                            [2, 2, 1, 2])), make.randn(4, 4), group=group)
    yield make.probe("a narrow matrix", torch.tensor([1, 5, 3, 2]), make.randn(make.pick(9, 10, 8), 2),
                     group=group)
    yield make.probe("a wide matrix", torch.tensor([1, 2]), make.randn(4, make.pick(9, 10, 8)), group=group)
    yield make.probe("float64", torch.tensor([3, 1, 1]), make.randn(6, 2, dtype=torch.float64), group=group,
                     gradient=True)
    yield make.probe("not contiguous", torch.tensor([3, 1, 2]), make.randn(5, 4), group=group, strided=True)
    group = "any shape"
    yield make.probe("two sentences", torch.tensor(make.pick([[2, 1, 3], [4, 4, 1]], [[1, 5, 2], [3, 2, 2]],
                                                             [[4, 3, 1], [1, 2, 4]])), make.randn(7, 4),
                     group=group, gradient=True)
    yield make.probe("three axes", make.randint(1, 4, (2, 3, 4)), make.randn(6, make.pick(5, 7, 8)),
                     group=group)
    yield make.probe("as many sentences as words", make.randint(1, 4, (4, 4)), make.randn(4, 4), group=group)
    yield make.probe("two sentences, not contiguous", make.randint(0, 5, (2, 3)), make.randn(5, 4),
                     group=group, strided=True, edge=True)
    yield make.probe("one id without an axis", torch.tensor(2), make.randn(5, 3), group=group, edge=True)
    yield make.probe("one sentence of one word", torch.tensor([[3]]), make.randn(5, 3), group=group,
                     edge=True)
    yield make.probe("float64, numbers beyond float32", torch.tensor([2, 0, 1]),
                     make.randn(4, 3, dtype=torch.float64) * 1e40, group=group, edge=True)
    yield make.probe("no ids, float16", torch.zeros(0, dtype=torch.int64),
                     make.randn(5, 3, dtype=torch.float16), group=group, edge=True)
    yield make.probe("a long text", make.randint(0, 40, (make.pick(140, 150, 133),)), make.randn(40, 4),
                     group="rows of the matrix", long=True)


@exercise.right
def reference(ids, E):
    one_hot = F.one_hot(ids, E.shape[0])
    return one_hot.to(E.dtype) @ E


@exercise.right("scatter")
def scatter(ids, E):
    one_hot = torch.zeros(*ids.shape, E.shape[0], dtype=E.dtype).scatter_(-1, ids.unsqueeze(-1), 1)
    return one_hot.matmul(E)


@exercise.right("one id after another")
def one_id(ids, E):
    rows = []
    for number in ids.flatten().tolist():
        one_hot = torch.zeros(E.shape[0], dtype=E.dtype)
        one_hot[number] = 1
        rows.append(one_hot @ E)
    return torch.stack(rows).view(*ids.shape,
                                  E.shape[1]) if rows else torch.zeros(*ids.shape, E.shape[1], dtype=E.dtype)


exercise.also_right(
    full("vocabulary = torch.arange(len(E))\n"
         "one_hot = (ids[..., None] == vocabulary).type_as(E)\n"
         "return torch.matmul(one_hot, E)", "compares with every number"),
    full("return torch.eye(E.size(0), dtype=E.dtype)[ids] @ E", "rows of the identity"),
    full("flat = ids.reshape(-1)\n"
         "one_hot = torch.zeros(flat.shape[0], E.shape[0], dtype=E.dtype)\n"
         "one_hot[torch.arange(len(flat)), flat] = 1.0\n"
         'return torch.einsum("nv,vd->nd", one_hot, E).reshape(*ids.shape, E.shape[1])',
         "writes ones, einsum"),
    full("out = torch.zeros(*ids.shape, E.shape[-1], dtype=E.dtype)\n"
         "for number, row in enumerate(E):\n"
         "    out = out + (ids == number).unsqueeze(-1) * row\n"
         "return out", "a weighted sum over the vocabulary"),
    full("V, D = E.shape\n"
         "one_hot = F.one_hot(ids.reshape(-1), num_classes=V).T.to(E)\n"
         "return (E.T @ one_hot).T.contiguous().view(ids.shape + (D,))", "columns, then turned back"),
    full("one_hot = F.one_hot(ids, len(E)).to(E.dtype)\n"
         "return (one_hot[..., None] * E).sum(dim=-2)",
         "entry by entry, then the sum"),
    full("return F.linear(F.one_hot(ids, E.shape[0]).to(E.dtype), E.T)", "F.linear"))


exercise.mistake("indexes-the-matrix", "one-hot-look-up",
    "Rows or columns are picked out of E by their numbers. That is the shortcut; here you show why it works: "
    "multiply the one-hot vectors with E.",
    full("return E[ids]", "E[ids]"),
    full("rows = [E.unbind(0)[i] for i in ids.flatten().tolist()]\n"
         "return torch.stack(rows).reshape(*ids.shape, -1) if rows else torch.zeros(*ids.shape, E.shape[1])",
         "unbind"))

exercise.mistake("wrong-side", "one-hot-look-up",
    "The one-hot vectors stand on the wrong side, or the result is transposed. One-hot rows (..., V) times "
    "E (V, D) give (..., D).",
    edit(reference, {"one_hot.to(E.dtype) @ E": "E @ one_hot.to(E.dtype)"}, "E times one-hot"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "E @ one_hot.to(E.dtype).transpose(-1, -2)"},
         "E times one-hot turned"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "E @ one_hot.to(E.dtype).T"}, "E times one-hot .T"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "E.T @ one_hot.to(E.dtype)"}, "E.T times one-hot"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "E.T @ one_hot.to(E.dtype).T"}, "E.T times one-hot .T"),
    full("one_hot = F.one_hot(ids, E.shape[0])\n"
         "return E.T @ one_hot.to(E.dtype).transpose(-1, -2)", "E.T times one-hot turned, several axes"),
    full("one_hot = F.one_hot(ids.flatten(), E.shape[0])\n"
         "return E.T @ one_hot.to(E.dtype).T", "flat, E.T times one-hot .T"))

exercise.mistake("transposed-result", "embedding-matrix",
    "The last two axes of the result are exchanged. The vector of a word is the last axis.",
    full("one_hot = F.one_hot(ids if ids.dim() else ids[None], E.shape[0])\n"
         "return (one_hot.to(E.dtype) @ E).transpose(-1, -2)", "turned at the end"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype) @ E).movedim(-1, 0)"},
         "moved to the front"),
    full("one_hot = F.one_hot(ids, E.shape[0])\n"
         "return (one_hot.to(E.dtype) @ E).transpose(0, -1)", "the first and the last axis"))

exercise.mistake("matrix-transposed", "embedding-matrix",
    "E is transposed before the product. Its rows belong to the words already: (..., V) times (V, D).",
    edit(reference, {"(E.dtype) @ E": "(E.dtype) @ E.T"}, "E.T"),
    edit(reference, {"one_hot.to(E.dtype) @ E": 'torch.einsum("...v,dv->...d", one_hot.to(E.dtype), E)'},
         "einsum"),
    full("one_hot = F.one_hot(ids, E.shape[1])\n"
         "return one_hot.to(E.dtype) @ E.T", "as many one-hot places as columns"))

exercise.mistake("one-hot-transposed", "one-hot-look-up",
    "The one-hot matrix is transposed: its rows belong to the ids, its columns to the vocabulary.",
    edit(reference, {"(E.dtype)": "(E.dtype).transpose(-1, -2)"}, "turned"),
    edit(reference, {"(E.dtype)": "(E.dtype).T"}, ".T"))

exercise.mistake("one-too-low", "one-hot-look-up",
    "Each id gives the row before its own. Ids count from 0: id 0 is the first row.",
    edit(reference, {"ids, E.": "(ids - 1) % len(E), E."}, "one-hot of id − 1"),
    edit(reference, {"F.one_hot(ids, E.shape[0])": "ids[..., None] == torch.arange(1, len(E) + 1)"},
         "positions from 1"),
    edit(reference, {"ids, E.": "ids - 1, E."}, "an error for id 0"))

exercise.mistake("one-too-high", "one-hot-look-up",
    "Each id gives the row after its own. Ids count from 0: id 0 is the first row.",
    edit(reference, {"ids, E.": "(ids + 1) % len(E), E."}, "one-hot of id + 1"),
    edit(reference, {"(ids, E.shape[0])": "(ids+ 1, E.shape[0] + 1)[..., :-1]"},
         "a class more, the first dropped"),
    edit(reference, {"ids, E.": "ids + 1, E."}, "an error for the last id"))

exercise.mistake("vocabulary-from-ids", "one-hot-look-up",
    "The width of the one-hot vectors follows from ids: the largest of them, or how many there are. It "
    "must be the number of E's rows.",
    edit(reference, {", E.shape[0]": ""}, "one_hot without a width"),
    edit(reference, {"(ids, E.shape[0])": "(ids, int(ids.max()) + 1)"}, "the largest id + 1"),
    full("one_hot = ids[..., None] == torch.arange(ids.shape[-1])\n"
         "return one_hot.to(E.dtype) @ E", "as many as there are ids"))

exercise.mistake("width-for-vocabulary", "one-hot-look-up",
    "The one-hot vectors are as wide as a word vector. They need a place for each word: as many as E has "
    "rows.",
    full("one_hot = torch.eye(E.shape[1])[ids]\nreturn one_hot.to(E.dtype) @ E", "the identity of the width"),
    edit(reference, {"shape[0]": "shape[-1]"}, "one_hot of the width"),
    full("one_hot = ids[..., None] == torch.arange(E.shape[1])\n"
         "return one_hot.to(E.dtype) @ E", "compares with the columns' numbers"))

exercise.mistake("whole-numbers", "one-hot-look-up",
    "Whole numbers and booleans cannot be multiplied with E, and F.one_hot gives whole numbers. Give the "
    "one-hot vectors E's dtype.",
    edit(reference, {".to(E.dtype)": ""}, "no conversion"),
    full("one_hot = ids[..., None] == torch.arange(len(E))\nreturn one_hot @ E", "booleans"),
    edit(reference, {"one_hot.to(E.dtype) @ E": 'torch.einsum("...v,vd->...d", one_hot, E)'}, "einsum"))

exercise.mistake("float32-only", "one-hot-look-up",
    "The code works in float32 or float64 whatever E is. Give the one-hot vectors E's own dtype, and leave "
    "E as it is.",
    edit(reference, {"to(E.dtype)": "float()"}, "float()"),
    edit(reference, {"to(E.dtype) @ E": "float() @ E.float()"}, "both float()"),
    edit(reference, {"one_hot.to(E.dtype) @ E": 'torch.einsum("...v,vd->...d", one_hot.float(), E)'},
         "float(), einsum"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.float() @ E.float()).to(E.dtype)"},
         "float() and back"),
    edit(reference, {"to(E.dtype) @ E": "double() @ E.double()"}, "the sum in float64"),
    edit(reference, {"to(E.dtype)": "double()"}, "float64 alone"))

exercise.mistake("one-axis-only", "embedding-matrix",
    "The code works for a plain list of ids alone. ids may have any shape, with several axes or none: the "
    "vocabulary axis comes last, after all of them.",
    full("one_hot = torch.zeros(len(ids), len(E), dtype=E.dtype)\n"
         "one_hot[torch.arange(len(ids)), ids] = 1\n"
         "return one_hot @ E", "writes ones"),
    full("one_hot = torch.zeros(len(ids), len(E), dtype=E.dtype)\n"
         "for row, i in enumerate(ids):\n"
         "    one_hot[row, i] = 1\n"
         "return one_hot @ E", "a loop that writes ones"),
    full("one_hot = torch.zeros(len(ids), len(E), dtype=E.dtype)\n"
         "for row, i in enumerate(ids.tolist()):\n"
         "    one_hot[row][i] = 1\n"
         "return one_hot @ E", "a loop that writes ones, plain numbers"),
    full("one_hot = torch.zeros(len(ids), len(E), dtype=E.dtype)\n"
         "one_hot.scatter_(1, ids.unsqueeze(1), 1)\n"
         "return one_hot @ E", "scatter"),
    full("one_hot = torch.zeros(len(ids), len(E), dtype=E.dtype)\n"
         "one_hot.scatter_(1, ids.view(-1, 1), 1)\n"
         "return one_hot @ E", "scatter with a view"),
    edit(reference, {"F.one_hot(ids, E.shape[0])": "ids.unsqueeze(1) == torch.arange(len(E))"},
         "compares a column"),
    full("one_hot = torch.stack([F.one_hot(torch.tensor(int(i)), len(E)) for i in ids])\n"
         "return one_hot.to(E.dtype) @ E", "numbers in a list"))

exercise.mistake("view-of-ids", "embedding-matrix",
    "view cannot bring ids into another shape where they are not contiguous, as after a transpose. Use "
    "reshape, or ids[..., None].",
    full("one_hot = torch.zeros(ids.numel(), E.shape[0], dtype=E.dtype)\n"
         "one_hot.scatter_(1, ids.view(-1, 1), 1)\n"
         "return (one_hot @ E).view(*ids.shape, E.shape[1])"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype) @ E).view(*ids.shape, -1)",
                     "F.one_hot(ids,": "F.one_hot(ids.view(-1),"}, "one_hot of a view"))

exercise.mistake("ones-along-the-wrong-axis", "one-hot-look-up",
    "The ones are written along the wrong axis. Each id has a row of its own, and its 1 stands in the "
    "column of its number.",
    full("flat = ids.flatten()\n"
         "one_hot = torch.zeros(len(flat), len(E), dtype=E.dtype).scatter_(0, flat[:, None], 1)\n"
         "return (one_hot @ E).view(*ids.shape, E.shape[1])", "scatter along 0"),
    edit(scatter, {"-1, ids": "0, ids"}, "scatter along 0, as it is"))

exercise.mistake("squeezes", "embedding-matrix",
    "squeeze removes every axis of size 1, also those of ids. The shape of the result is ids.shape and "
    "then D.",
    edit(reference, {"(E.dtype)": "(E.dtype).squeeze()"}, "the one-hot vectors"))

exercise.mistake("no-one-hot", "one-hot-look-up",
    "The ids themselves are multiplied with E, as if they were measurements. Turn each id into a one-hot "
    "vector first.",
    edit(reference, {"one_hot = F.one_hot(ids, E.shape[0])": "one_hot = ids"}, "ids @ E"))

exercise.mistake("id-in-place-of-one", "one-hot-look-up",
    "The vectors hold the id where a one-hot vector holds 1, so each row comes out as a multiple. Write 1 "
    "at the place of the id.",
    edit(reference, {"shape[0])": "shape[0]) * ids[..., None]"}, "one-hot times id"),
    edit(reference, {"shape[0])": "shape[0]) * (ids[..., None] + 1)"}, "id + 1"))

exercise.mistake("returns-lists", "embedding-matrix",
    "Lists of numbers are returned. Return the tensor itself: no gradient flows through a list.",
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype) @ E).tolist()"}, "tolist"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "list(one_hot.to(E.dtype) @ E)"}, "a list of rows"))

exercise.mistake("keeps-vocabulary-axis", "one-hot-look-up",
    "The one-hot vectors are multiplied with E entry by entry, and the sum over the vocabulary is missing. "
    "Use a matrix product.",
    edit(reference, {"(E.dtype) @": "(E.dtype) *"}, "entry by entry, without an axis more"),
    edit(reference, {"(E.dtype) @": "(E.dtype) [..., None] *"}, "entry by entry"),
    full("one_hot = F.one_hot(ids, E.shape[0])\n"
         "return (one_hot.to(E.dtype)[..., None] * E).sum(-1)", "entry by entry, sum over the width"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype)[..., None] * E).mean(-2)"},
         "entry by entry, the mean"))

exercise.mistake("loses-shape", "embedding-matrix",
    "The result has lost axes of ids, or has one more. Each id becomes a vector where it stands: the shape "
    "is ids.shape and then D.",
    edit(reference, {"ids, E.": "ids.flatten(), E."}, "flat"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype) @ E).flatten()"}, "all in one row"),
    full("one_hot = F.one_hot(ids, E.shape[0])\n"
         "return (one_hot.to(E.dtype) @ E).flatten(1) if ids.dim() > 1 else one_hot.to(E.dtype) @ E",
         "a vector a sentence"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype) @ E)[None]"}, "an axis more"),
    edit(reference, {"ids, E.": "ids.unsqueeze(-1), E."}, "an axis more behind ids"))

exercise.mistake("returns-one-hot", "one-hot-look-up",
    "The one-hot vectors are returned. Multiply them with E.",
    edit(reference, {"(E.dtype) @ E": "(E.dtype)"}, "in E's dtype"),
    edit(reference, {"return one_hot.to(E.dtype) @ E": "return one_hot"}, "whole numbers"))

exercise.mistake("sums-tokens", "embedding-matrix",
    "The vectors of several ids are added up or averaged. Each id keeps its own vector.",
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype) @ E).sum(-2)"}, "the sum"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype) @ E).mean(-2)"}, "the mean"),
    edit(reference, {"one_hot.to(E.dtype) @ E": "(one_hot.to(E.dtype) @ E).sum(0)"},
         "the sum along the first axis"),
    full("one_hot = F.one_hot(ids, E.shape[0])\n"
         "return (one_hot.to(E.dtype) @ E).mean(0)", "the mean along the first axis"))

exercise.mistake("one-vector-for-all", "one-hot-look-up",
    "All ids share one vector with several ones. Each id needs a one-hot vector of its own.",
    full("one_hot = torch.zeros(len(E)).index_fill(0, ids.flatten(), 1)\n"
         "return one_hot.to(E.dtype) @ E", "writes ones into one vector"),
    full("one_hot = torch.zeros(ids.numel(), len(E)).index_fill(1, ids.flatten(), 1)\n"
         "return one_hot.to(E.dtype) @ E", "ones in every row"))

exercise.mistake("each-id-once", "embedding-matrix",
    "Repeated ids are given once. Each place of ids gets its vector, also when a word occurs twice.",
    edit(reference, {"ids, E.": "ids.unique(), E."}, "unique"),
    edit(reference, {"ids, E.":
                     "torch.tensor(list(dict.fromkeys(ids.flatten().tolist())), dtype=torch.int64), E."},
         "a dict"))

exercise.built_in("no-gradient",
    edit(reference, {"(E.dtype) @ E": "(E.dtype) @ E.detach()"}, "detached"))

exercise.built_in("changes-input",
    edit(reference, {"return": "out =",
                     "dtype) @ E": "dtype) @ E\n"
                                   "ids += 1\n"
                                   "return out"}, "ids"))

exercise.built_in("returns-nothing",
    full("one_hot = F.one_hot(ids, E.shape[0])\none_hot.to(E.dtype) @ E", "no return"))

exercise.built_in("ready-made",
    full("return F.embedding(ids, E)", "F.embedding"),
    full("return torch.nn.Embedding.from_pretrained(E, freeze=False)(ids)", "the layer"),
    full('look_up = getattr(torch, "embed" + "ding")\n'
         "return look_up(E, ids)", "torch.embedding under another name"),
    full("from allyouneed.text import embeddings\nreturn embeddings.embed(ids, E)", "the library's own"))

exercise.equal("a number in a tensor without axes is a place like a plain one", {".tolist()": ""})
exercise.equal("without ids no number stands in the result", {"else torch.zeros": "else torch.ones"})
exercise.equal("rows one behind the other get the same shape", {"torch.stack": "torch.cat"})
exercise.equal("whole numbers times E, and whole numbers plus floats, have E's dtype", {
    ".to(E.dtype)": ("", ".to(ids.dtype)"), "dtype=E.dtype": "dtype=ids.dtype"})
