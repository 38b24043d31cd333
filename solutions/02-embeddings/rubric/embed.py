"""The rubric of embed: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "embed",
    points={"rows of the matrix": 2, "any shape": 1},
    section="embedding-matrix",
    driver="unindexed",
    forbid=("embedding", "embedding_bag", "Embedding", "EmbeddingBag", "SkipGram"),
    mistakes={
        "indexes-the-matrix": ("The rows are picked out of E by their numbers. That is the shortcut; here you show why it works: multiply "
                               "the one-hot vectors with E.", "one-hot-look-up"),
        "wrong-side": ("The one-hot vectors stand on the wrong side, or the result is transposed. One-hot rows (..., V) times E (V, D) give (..., D).",
                       "one-hot-look-up"),
        "matrix-transposed": ("E is transposed before the product. Its rows belong to the words already: (..., V) times (V, D).", "embedding-matrix"),
        "one-hot-transposed": ("The one-hot matrix is transposed: its rows belong to the ids, its columns to the vocabulary.", "one-hot-look-up"),
        "one-too-low": ("Each id gives the row before its own. Ids count from 0: id 0 is the first row.", "one-hot-look-up"),
        "one-too-high": ("Each id gives the row after its own. Ids count from 0: id 0 is the first row.", "one-hot-look-up"),
        "vocabulary-from-ids": ("The width of the one-hot vectors follows from ids: the largest of them, or how many there are. It must be the number of E's rows.",
                                "one-hot-look-up"),
        "width-for-vocabulary": ("The one-hot vectors are as wide as a word vector. They need a place for each word: as many as E has rows.",
                                 "one-hot-look-up"),
        "whole-numbers": ("Whole numbers and booleans cannot be multiplied with E, and F.one_hot gives whole numbers. Give the one-hot vectors E's dtype.",
                          "one-hot-look-up"),
        "float32-only": ("The code works in float32 or float64 whatever E is. Give the one-hot vectors E's own dtype, and leave E as it is.", "one-hot-look-up"),
        "loses-shape": ("The result has lost axes of ids, or has one more. Each id becomes a vector where it stands: the shape is ids.shape and then D.",
                        "embedding-matrix"),
        "one-axis-only": ("The code works for a plain list of ids alone. ids may have any shape, with several axes or none: the vocabulary "
                          "axis comes last, after all of them.", "embedding-matrix"),
        "squeezes": ("squeeze removes every axis of size 1, also those of ids. The shape of the result is ids.shape and then D.", "embedding-matrix"),
        "no-one-hot": ("The ids themselves are multiplied with E, as if they were measurements. Turn each id into a one-hot vector first.", "one-hot-look-up"),
        "id-in-place-of-one": ("The vectors hold the id where a one-hot vector holds 1, so each row comes out as a multiple. Write 1 at the place of the id.",
                               "one-hot-look-up"),
        "ones-along-the-wrong-axis": ("The ones are written along the wrong axis. Each id has a row of its own, and its 1 stands in the column of its number.",
                                      "one-hot-look-up"),
        "returns-lists": ("Lists of numbers are returned. Return the tensor itself: no gradient flows through a list.", "embedding-matrix"),
        "returns-one-hot": ("The one-hot vectors are returned. Multiply them with E.", "one-hot-look-up"),
        "sums-tokens": ("The vectors of several ids are added up or averaged. Each id keeps its own vector.", "embedding-matrix"),
        "one-vector-for-all": ("All ids share one vector with several ones. Each id needs a one-hot vector of its own.", "one-hot-look-up"),
        "keeps-vocabulary-axis": ("The one-hot vectors are multiplied with E entry by entry, and the sum over the vocabulary is missing. Use a matrix "
                                  "product.", "one-hot-look-up"),
        "each-id-once": ("Repeated ids are given once. Each place of ids gets its vector, also when a word occurs twice.", "embedding-matrix"),
        "transposed-result": ("The last two axes of the result are exchanged. The vector of a word is the last axis.", "embedding-matrix"),
    },
)


@exercise.probes
def _(make):
    group = "rows of the matrix"
    v, d = make.pick((6, 4), (7, 5), (8, 3))
    yield make.probe("three ids", torch.tensor(make.pick([2, 4, 1], [3, 1, 5], [6, 2, 4])), make.randn(v, d), group=group, gradient=True)
    yield make.probe("five ids, the first and the last word too", torch.tensor([0, v - 1, 2, 0, 3]), make.randn(v, d), group=group)
    yield make.probe("a word twice", torch.tensor([3, 1, 3, 2, 1, 3, 2]), make.randn(5, make.pick(3, 4, 6)), group=group, gradient=True)
    yield make.probe("as many words as columns and ids", torch.tensor(make.pick([2, 1, 2, 1], [1, 1, 2, 1], [2, 2, 1, 2])), make.randn(4, 4), group=group)
    yield make.probe("a narrow matrix", torch.tensor([1, 5, 3, 2]), make.randn(make.pick(9, 10, 8), 2), group=group)
    yield make.probe("a wide matrix", torch.tensor([1, 2]), make.randn(4, make.pick(9, 10, 8)), group=group)
    yield make.probe("float64", torch.tensor([3, 1, 1]), make.randn(6, 2, dtype=torch.float64), group=group, gradient=True)
    yield make.probe("not contiguous", torch.tensor([3, 1, 2]), make.randn(5, 4), group=group, strided=True)
    group = "any shape"
    yield make.probe("two sentences", torch.tensor(make.pick([[2, 1, 3], [4, 4, 1]], [[1, 5, 2], [3, 2, 2]], [[4, 3, 1], [1, 2, 4]])), make.randn(7, 4),
                     group=group, gradient=True)
    yield make.probe("three axes", make.randint(1, 4, (2, 3, 4)), make.randn(6, make.pick(5, 7, 8)), group=group)
    yield make.probe("as many sentences as words", make.randint(1, 4, (4, 4)), make.randn(4, 4), group=group)
    yield make.probe("one id without an axis", torch.tensor(2), make.randn(5, 3), group=group, edge=True)
    yield make.probe("one sentence of one word", torch.tensor([[3]]), make.randn(5, 3), group=group, edge=True)
    yield make.probe("no ids", torch.zeros(0, dtype=torch.int64), make.randn(5, 3), group=group, edge=True)
    yield make.probe("a long text", make.randint(0, 40, (make.pick(140, 150, 133),)), make.randn(40, 4), group="rows of the matrix", long=True)


@exercise.right
def reference(ids, E):
    one_hot = F.one_hot(ids, E.shape[0])
    return one_hot.to(E.dtype) @ E


@exercise.alternative("compares with every number")
def _(ids, E):
    vocabulary = torch.arange(len(E))
    one_hot = (ids[..., None] == vocabulary).type_as(E)
    return torch.matmul(one_hot, E)


@exercise.alternative("rows of the identity")
def _(ids, E):
    return torch.eye(E.size(0), dtype=E.dtype)[ids] @ E


@exercise.alternative("writes ones, einsum")
def _(ids, E):
    flat = ids.reshape(-1)
    one_hot = torch.zeros(flat.shape[0], E.shape[0], dtype=E.dtype)
    one_hot[torch.arange(len(flat)), flat] = 1.0
    return torch.einsum("nv,vd->nd", one_hot, E).reshape(*ids.shape, E.shape[1])


@exercise.alternative("scatter")
def _(ids, E):
    one_hot = torch.zeros(*ids.shape, E.shape[0], dtype=E.dtype).scatter_(-1, ids.unsqueeze(-1), 1)
    return one_hot.matmul(E)


@exercise.alternative("a weighted sum over the vocabulary")
def _(ids, E):
    out = torch.zeros(*ids.shape, E.shape[-1], dtype=E.dtype)
    for number, row in enumerate(E):
        out = out + (ids == number).unsqueeze(-1) * row
    return out


@exercise.alternative("one id after another")
def _(ids, E):
    rows = []
    for number in ids.flatten().tolist():
        one_hot = torch.zeros(E.shape[0], dtype=E.dtype)
        one_hot[number] = 1
        rows.append(one_hot @ E)
    return torch.stack(rows).view(*ids.shape, E.shape[1]) if rows else torch.zeros(*ids.shape, E.shape[1], dtype=E.dtype)


@exercise.alternative("columns, then turned back")
def _(ids, E):
    V, D = E.shape
    one_hot = F.one_hot(ids.reshape(-1), num_classes=V).T.to(E)
    return (E.T @ one_hot).T.contiguous().view(ids.shape + (D,))


@exercise.alternative("entry by entry, then the sum")
def _(ids, E):
    one_hot = F.one_hot(ids, len(E)).to(E.dtype)
    return (one_hot.unsqueeze(-1) * E[None]).sum(-2) if ids.dim() == 1 else (one_hot[..., None] * E).sum(dim=-2)


@exercise.alternative("F.linear")
def _(ids, E):
    return F.linear(F.one_hot(ids, E.shape[0]).to(E.dtype), E.T)


HOT = "F.one_hot(ids, E.shape[0])"
PRODUCT = "one_hot.to(E.dtype) @ E"
RESULT = "return one_hot.to(E.dtype) @ E"
LIST = """
def embed(ids, E):
    rows = [E[i] for i in ids.flatten().tolist()]
    return torch.stack(rows).reshape(*ids.shape, -1) if rows else torch.zeros(*ids.shape, E.shape[1])
"""
for label, expression in (("E[ids]", "E[ids]"), ("the transpose's columns", "E.T[:, ids].movedim(0, -1)"),
                          ("index_select", "E.index_select(0, ids.flatten()).view(*ids.shape, E.shape[1])"),
                          ("gather", "E.gather(0, ids.reshape(-1, 1).expand(-1, E.shape[1])).view(*ids.shape, E.shape[1])"),
                          ("torch.take", "torch.take(E, ids.unsqueeze(-1) * E.shape[1] + torch.arange(E.shape[1]))"),
                          ("a copy that is indexed", "E.clone().contiguous()[ids]"),
                          ("the operator", "torch.ops.aten.index(E, [ids])")):
    vary(exercise, "indexes-the-matrix", label, base=f"def embed(ids, E):\n    return {expression}\n")
vary(exercise, "indexes-the-matrix", "a loop over the ids", base=LIST)
vary(exercise, "indexes-the-matrix", "unbind", ("E[i] for i", "E.unbind(0)[i] for i"), base=LIST)
vary(exercise, "indexes-the-matrix", "writes rows", base="""
def embed(ids, E):
    out = torch.zeros(*ids.shape, E.shape[1], dtype=E.dtype)
    for i, row in enumerate(E):
        out[ids == i] = row
    return out
""")
vary(exercise, "indexes-the-matrix", "one-hot rows for show", base="""
def embed(ids, E):
    one_hot = F.one_hot(ids, E.shape[0])
    return E[one_hot.argmax(dim=-1)]
""")

vary(exercise, "wrong-side", "E times one-hot", (PRODUCT, "E @ one_hot.to(E.dtype)"))
vary(exercise, "wrong-side", "E times one-hot turned", (PRODUCT, "E @ one_hot.to(E.dtype).transpose(-1, -2)"))
vary(exercise, "wrong-side", "E times one-hot .T", (PRODUCT, "E @ one_hot.to(E.dtype).T"))
vary(exercise, "wrong-side", "E.T times one-hot", (PRODUCT, "E.T @ one_hot.to(E.dtype)"))
vary(exercise, "wrong-side", "E.T times one-hot .T", (PRODUCT, "E.T @ one_hot.to(E.dtype).T"))
vary(exercise, "wrong-side", "E.T times one-hot turned, several axes", (PRODUCT, "E.T @ one_hot.to(E.dtype).transpose(-1, -2)"))
vary(exercise, "wrong-side", "flat, E.T times one-hot .T", (HOT, "F.one_hot(ids.flatten(), E.shape[0])"), (PRODUCT, "E.T @ one_hot.to(E.dtype).T"))
vary(exercise, "transposed-result", "turned at the end", (PRODUCT, "(one_hot.to(E.dtype) @ E).transpose(-1, -2)"),
     (HOT, "F.one_hot(ids if ids.dim() else ids[None], E.shape[0])"))
vary(exercise, "transposed-result", "moved to the front", (PRODUCT, "(one_hot.to(E.dtype) @ E).movedim(-1, 0)"))
vary(exercise, "matrix-transposed", "E.T", (PRODUCT, "one_hot.to(E.dtype) @ E.T"))
vary(exercise, "matrix-transposed", "einsum", (PRODUCT, "torch.einsum('...v,dv->...d', one_hot.to(E.dtype), E)"))
vary(exercise, "one-hot-transposed", "turned", (PRODUCT, "one_hot.to(E.dtype).transpose(-1, -2) @ E"))
vary(exercise, "one-hot-transposed", ".T", (PRODUCT, "one_hot.to(E.dtype).T @ E"))
vary(exercise, "one-too-low", "one-hot of id − 1", (HOT, "F.one_hot((ids - 1) % len(E), E.shape[0])"))
vary(exercise, "one-too-low", "positions from 1", (HOT, "(ids[..., None] == torch.arange(1, len(E) + 1))"))
vary(exercise, "one-too-low", "an error for id 0", (HOT, "F.one_hot(ids - 1, E.shape[0])"))
vary(exercise, "one-too-high", "one-hot of id + 1", (HOT, "F.one_hot((ids + 1) % len(E), E.shape[0])"))
vary(exercise, "one-too-high", "a class more, the first dropped", (HOT, "F.one_hot(ids + 1, E.shape[0] + 1)[..., :-1]"))
vary(exercise, "one-too-high", "an error for the last id", (HOT, "F.one_hot(ids + 1, E.shape[0])"))
vary(exercise, "one-too-high", "positions from −1", (HOT, "(ids[..., None] == torch.arange(-1, len(E) - 1))"))
vary(exercise, "vocabulary-from-ids", "one_hot without a width", (HOT, "F.one_hot(ids)"))
vary(exercise, "vocabulary-from-ids", "the largest id + 1", (HOT, "F.one_hot(ids, int(ids.max()) + 1)"))
vary(exercise, "vocabulary-from-ids", "as many as there are ids", (HOT, "(ids[..., None] == torch.arange(ids.shape[-1]))"))
vary(exercise, "vocabulary-from-ids", "the identity of the largest id", (HOT, "torch.eye(int(ids.max()) + 1)[ids]"))
vary(exercise, "width-for-vocabulary", "the identity of the width", (HOT, "torch.eye(E.shape[1])[ids]"))
vary(exercise, "width-for-vocabulary", "one_hot of the width", (HOT, "F.one_hot(ids, E.shape[-1])"))
vary(exercise, "width-for-vocabulary", "compares with the columns' numbers", (HOT, "(ids[..., None] == torch.arange(E.shape[1]))"))
vary(exercise, "whole-numbers", "no conversion", (PRODUCT, "one_hot @ E"))
vary(exercise, "whole-numbers", "booleans", (HOT, "(ids[..., None] == torch.arange(len(E)))"), (PRODUCT, "one_hot @ E"))
vary(exercise, "whole-numbers", "einsum", (PRODUCT, "torch.einsum('...v,vd->...d', one_hot, E)"))
vary(exercise, "float32-only", "float()", (PRODUCT, "one_hot.float() @ E"))
vary(exercise, "float32-only", "both float()", (PRODUCT, "one_hot.float() @ E.float()"))
vary(exercise, "float32-only", "the identity", (HOT, "torch.eye(len(E))[ids]"), (PRODUCT, "one_hot @ E"))
vary(exercise, "float32-only", "float(), einsum", (PRODUCT, "torch.einsum('...v,vd->...d', one_hot.float(), E)"))
vary(exercise, "float32-only", "the sum in float64", (PRODUCT, "one_hot.double() @ E.double()"))
vary(exercise, "float32-only", "float64 alone", (PRODUCT, "one_hot.double() @ E"))
ONE_AXIS = """
def embed(ids, E):
    one_hot = torch.zeros(len(ids), len(E), dtype=E.dtype)
    one_hot[torch.arange(len(ids)), ids] = 1
    return one_hot @ E
"""
WRITE = "one_hot[torch.arange(len(ids)), ids] = 1"
vary(exercise, "one-axis-only", "writes ones", base=ONE_AXIS)
vary(exercise, "one-axis-only", "a loop that writes ones", (WRITE, "for row, i in enumerate(ids):\n        one_hot[row, i] = 1"), base=ONE_AXIS)
vary(exercise, "one-axis-only", "a loop that writes ones, plain numbers", (WRITE, "for row, i in enumerate(ids.tolist()):\n        one_hot[row][i] = 1"), base=ONE_AXIS)
vary(exercise, "one-axis-only", "scatter", (WRITE, "one_hot.scatter_(1, ids.unsqueeze(1), 1)"), base=ONE_AXIS)
vary(exercise, "one-axis-only", "scatter with a view", (WRITE, "one_hot.scatter_(1, ids.view(-1, 1), 1)"), base=ONE_AXIS)
vary(exercise, "one-axis-only", "compares a column", (HOT, "(ids.unsqueeze(1) == torch.arange(len(E)))"))
vary(exercise, "one-axis-only", "numbers in a list", ("one_hot = F.one_hot(ids, E.shape[0])", "one_hot = torch.stack([F.one_hot(torch.tensor(int(i)), len(E)) for i in ids])"))
vary(exercise, "ones-along-the-wrong-axis", "scatter along 0", base="""
def embed(ids, E):
    flat = ids.flatten()
    one_hot = torch.zeros(len(flat), len(E), dtype=E.dtype).scatter_(0, flat[:, None], 1)
    return (one_hot @ E).view(*ids.shape, E.shape[1])
""")
vary(exercise, "ones-along-the-wrong-axis", "scatter along 0, as it is", (HOT, "torch.zeros(*ids.shape, len(E)).scatter_(0, ids.unsqueeze(-1), 1)"))
vary(exercise, "squeezes", "at the end", (PRODUCT, "(one_hot.to(E.dtype) @ E).squeeze()"))
vary(exercise, "squeezes", "the one-hot vectors", (PRODUCT, "one_hot.to(E.dtype).squeeze() @ E"))
vary(exercise, "no-one-hot", "ids @ E", (HOT, "ids"))
vary(exercise, "id-in-place-of-one", "one-hot times id", (HOT, "F.one_hot(ids, E.shape[0]) * ids[..., None]"))
vary(exercise, "id-in-place-of-one", "id + 1", (HOT, "F.one_hot(ids, E.shape[0]) * (ids[..., None] + 1)"))
vary(exercise, "returns-lists", "tolist", (PRODUCT, "(one_hot.to(E.dtype) @ E).tolist()"))
vary(exercise, "returns-lists", "a list of rows", (PRODUCT, "list(one_hot.to(E.dtype) @ E)"))
vary(exercise, "transposed-result", "the first and the last axis", (PRODUCT, "(one_hot.to(E.dtype) @ E).transpose(0, -1)"))
vary(exercise, "matrix-transposed", "as many one-hot places as columns", (HOT, "F.one_hot(ids, E.shape[1])"), (PRODUCT, "one_hot.to(E.dtype) @ E.T"))
vary(exercise, "keeps-vocabulary-axis", "entry by entry, without an axis more", (PRODUCT, "one_hot.to(E.dtype) * E"))
vary(exercise, "loses-shape", "flat", (HOT, "F.one_hot(ids.flatten(), E.shape[0])"))
vary(exercise, "loses-shape", "flat at the end", (PRODUCT, "(one_hot.to(E.dtype) @ E).reshape(-1, E.shape[1])"))
vary(exercise, "loses-shape", "all in one row", (PRODUCT, "(one_hot.to(E.dtype) @ E).flatten()"))
vary(exercise, "loses-shape", "a vector a sentence", (PRODUCT, "(one_hot.to(E.dtype) @ E).flatten(1) if ids.dim() > 1 else one_hot.to(E.dtype) @ E"))
vary(exercise, "loses-shape", "an axis more", (PRODUCT, "(one_hot.to(E.dtype) @ E)[None]"))
vary(exercise, "returns-one-hot", "in E's dtype", (PRODUCT, "one_hot.to(E.dtype)"))
vary(exercise, "returns-one-hot", "whole numbers", (PRODUCT, "one_hot"))
vary(exercise, "loses-shape", "an axis more behind ids", (HOT, "F.one_hot(ids.unsqueeze(-1), E.shape[0])"))
vary(exercise, "sums-tokens", "the sum", (PRODUCT, "(one_hot.to(E.dtype) @ E).sum(-2)"))
vary(exercise, "sums-tokens", "the mean", (PRODUCT, "(one_hot.to(E.dtype) @ E).mean(-2)"))
vary(exercise, "sums-tokens", "the sum along the first axis", (PRODUCT, "(one_hot.to(E.dtype) @ E).sum(0)"))
vary(exercise, "sums-tokens", "the mean along the first axis", (PRODUCT, "(one_hot.to(E.dtype) @ E).mean(0)"))
vary(exercise, "one-vector-for-all", "writes ones into one vector", (HOT, "torch.zeros(len(E)).index_fill(0, ids.flatten(), 1)"))
vary(exercise, "one-vector-for-all", "ones in every row", (HOT, "torch.zeros(ids.numel(), len(E)).index_fill(1, ids.flatten(), 1)"))
vary(exercise, "keeps-vocabulary-axis", "entry by entry", (PRODUCT, "one_hot.to(E.dtype)[..., None] * E"))
vary(exercise, "keeps-vocabulary-axis", "entry by entry, sum over the width", (PRODUCT, "(one_hot.to(E.dtype)[..., None] * E).sum(-1)"))
vary(exercise, "keeps-vocabulary-axis", "entry by entry, the mean", (PRODUCT, "(one_hot.to(E.dtype)[..., None] * E).mean(-2)"))
vary(exercise, "each-id-once", "unique", (HOT, "F.one_hot(ids.unique(), E.shape[0])"))
vary(exercise, "each-id-once", "a dict", (HOT, "F.one_hot(torch.tensor(list(dict.fromkeys(ids.flatten().tolist())), dtype=torch.int64), E.shape[0])"))
vary(exercise, "no-gradient", "detached", (PRODUCT, "one_hot.to(E.dtype) @ E.detach()"))
vary(exercise, "no-gradient", "through numpy and back", (PRODUCT, "torch.from_numpy(one_hot.numpy().astype(E.detach().numpy().dtype) @ E.detach().numpy())"))
vary(exercise, "changes-input", "ids", (RESULT, "out = one_hot.to(E.dtype) @ E\n    ids += 1\n    return out"))
vary(exercise, "returns-nothing", "no return", (RESULT, "one_hot.to(E.dtype) @ E"))


@exercise.wrong("ready-made", "F.embedding")
def _(ids, E):
    return F.embedding(ids, E)


@exercise.wrong("ready-made", "the layer")
def _(ids, E):
    return torch.nn.Embedding.from_pretrained(E, freeze=False)(ids)


@exercise.wrong("ready-made", "torch.embedding under another name")
def _(ids, E):
    look_up = getattr(torch, "embed" + "ding")
    return look_up(E, ids)


@exercise.wrong("ready-made", "the library's own")
def _(ids, E):
    from allyouneed import embeddings
    return embeddings.embed(ids, E)
