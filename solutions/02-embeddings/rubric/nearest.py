"""nearest: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "nearest",
    points={"by cosine": 2, "without the excluded": 1, "any collection": 1},
    section="nearest-neighbours",
    driver="any_collection",
    forbid=("NearestNeighbors", "KDTree", "cKDTree", "BallTree"),
)


def _scores(v, E):
    """The right score, and those that must rank otherwise."""
    unit = E / E.norm(dim=1, keepdim=True)
    return unit @ v / v.norm(), [
        E @ v,
        -(E - v).norm(dim=1),
        -(E - v).abs().sum(1),
        (unit @ v).abs(),
        E @ v / E.square().sum(1),
        F.normalize(E, dim=0) @ v,
        E @ v / E.abs().sum(1),
        E @ v / E.sum(1),
        F.normalize(E, dim=0) @ (v / v.norm()),
        E @ v / E.amax(1),
    ]


@exercise.probes
def probes(make):
    def case(rows, width, k, excluded, negative=False, dtype=torch.float32):
        """v and E whose cosines are far enough apart, and on which other scores rank otherwise; `excluded`
        are ranks."""
        while True:
            v, E = make.randn(width, dtype=torch.float64), make.randn(rows, width, dtype=torch.float64)
            E = E * torch.exp(make.randn(rows, 1, dtype=torch.float64) * 0.7)
            if negative:
                E = torch.where(E @ v > 0, -1.0, 1.0)[:, None] * E
                E[rows // 2] *= -1
            right, others = _scores(v, E)
            order = right.argsort(descending=True).tolist()
            out = [order[rank] for rank in excluded]
            best = [row for row in order if row not in out][:k]
            rivals = [scores.argsort(descending=True).tolist() for scores in others]
            alike = sum([row for row in ranked if row not in out][:k] == best for ranked in rivals)
            if alike <= (0 if k > 2 and not excluded else 9) and (right.sort().values.diff() > 0.01).all():
                return v.to(dtype), E.to(dtype), k, out

    group = "by cosine"
    for name, sizes in (("three of eight rows", (8, 4, 3)), ("four of eleven rows", (11, 5, 4)),
                        ("three of nine rows, width 3", (9, 3, 3))):
        rows, width, k = sizes
        yield make.probe(name, *case(rows + make.pick(0, 1, 2), width, k, [])[:3], group=group)
    yield make.probe("the best of seven rows", *case(7, make.pick(4, 5, 6), 1, [])[:3], group=group)
    yield make.probe("all rows", *case(make.pick(5, 6, 7), 4, make.pick(5, 6, 7), [])[:3], group=group)
    yield make.probe("as many rows as columns", *case(6, 6, 3, [])[:3], group=group)
    yield make.probe("float64", *case(8, 3, 3, [], dtype=torch.float64)[:3], group=group)
    yield make.probe("v is a row of E", *_own_row(make), group=group)
    yield make.probe("not contiguous", *case(8, 5, 3, [])[:3], group=group, strided=True)
    group = "without the excluded"
    yield make.probe("three rows excluded, in a list", *case(10, 4, 3, [0, 2, 8]), group=group)
    yield make.probe("two rows excluded, in a tuple", *_tuple(case(9, make.pick(5, 4, 6), 3, [1, 0])),
                     group=group)
    yield make.probe("a row excluded that is not among the best", *case(9, 4, 3, [6]), group=group)
    v, E, k, out = case(6, 4, 2, [5, 0, 1, 3])
    yield make.probe("all others excluded, one of them named twice", v, E, k, [*out, out[1]], group=group,
                     edge=True)
    yield make.probe("cosines below zero", *case(8, make.pick(4, 5, 3), 3, [0], negative=True), group=group)
    group = "any collection"
    for kind, sizes, ranks in (("set", (9, 4, 3), [2, 0]), ("generator", (10, 5, 3), [1, 3, 0]),
                               ("tensor", (8, 4, 3), [0, 1]), ("keys", (9, 5, 3), [1, 2])):
        v, E, k, out = case(*sizes, ranks)
        yield make.probe(f"two or more rows excluded, in a {kind}", v, E, k, {"as": kind, "items": out},
                         group=group, edge=True)
    v, E, k, _ = case(9, 4, 3, [])
    yield make.probe("a range of rows excluded", v, E, k, {"as": "range", "items": [2, 5]}, group=group,
                     edge=True)
    yield make.probe("an empty set", v, E, k, {"as": "set", "items": []}, group=group, edge=True)
    E = torch.tensor([[2.0, 1.0], [3.0, 4.0], [-1.0, 3.0], [0.0, 2.0], [-1.0, 1.0],
                      [2.0, -1.0]])[make.pick([1, 0, 2, 5, 3, 4], [1, 0, 3, 5, 2, 4], [4, 5, 3, 0, 2, 1])]
    E[4], E[5] = torch.tensor([-2.0, 0.0]), torch.tensor([1.0, 0.1])
    yield make.probe("a row points exactly the other way", torch.tensor([make.pick(4.0, 8.0, 5.0), 0.0]), E,
                     5, [1], group="without the excluded", edge=True)
    v = torch.tensor([1.0, 2.0, 2.0]) * make.pick(1.0, 2.0, 4.0)  # its cosine with -v is rounded to below -1
    yield make.probe("the one row that is left points exactly the other way", v, torch.stack([2 * v, -3 * v]),
                     1, [0], group="without the excluded", edge=True)
    v = torch.tensor([2.0, 2.0, 1.0]) * make.pick(1.0, 2.0, 4.0)
    E = torch.cat([torch.tensor([[-1.0], [-3.0], [-5.0], [-0.7], [-1.7]]) * v,
                   torch.tensor([[1.0, 0.0, 2.0], [2.0, 1.0, -1.0]])])
    yield make.probe("five rows point exactly the other way", v, E, 2, [4],
                     group="without the excluded", edge=True)
    close = torch.tensor([[1.0, 3e-4], [0.5, 1.0], [2.0, 4e-4], [3.0, 3e-4], [1.0, -1e-4]])
    v = torch.tensor([make.pick(2.0, 3.0, 5.0), 0.0], dtype=torch.float64)
    yield make.probe("float64, rows that differ by a ten-thousandth", v, close.double(), 3, [1],
                     group="without the excluded", edge=True)
    v, E, k, out = case(9, 4, 3, [0, 2])
    yield make.probe("exclude by its name", v, E, k, exclude=out, group="without the excluded", edge=True)
    v, E, k, out = case(9, 4, 3, [0, 1, 2])
    others = [row for row in range(len(E)) if row not in out]
    E = E[[*out[:2], *others[:3], out[2], *others[3:]]]
    yield make.probe("the first two rows and another excluded", v, E, k, [0, 1, 5],
                     group="without the excluded", edge=True)
    yield make.probe("many rows", *_many(make), group="by cosine", long=True)


def _own_row(make):
    """A row of E asks; rows that point nearly the same way come next."""
    E = make.randn(8, 4)
    E[5] = 3 * E[2] + 0.3 * make.randn(4)
    E[0] = 0.4 * E[2] + 0.12 * make.randn(4)
    gaps = torch.cosine_similarity(E, E[2:3]).sort(descending=True)
    if (gaps.values.diff().abs() < 0.005).any() or gaps.indices[:3].tolist() == (E @ E[2]).argsort(
        descending=True
    )[:3].tolist():
        return _own_row(make)
    return E[2].clone(), E, 3


def _tuple(arguments):
    *others, excluded = arguments
    return *others, tuple(excluded)


def _many(make):
    """Two hundred rows with cosines in even steps, so that rounding decides nothing."""
    angles = torch.linspace(0.1, 3.0, 200, dtype=torch.float64)
    order = torch.randperm(200, generator=make.generator)
    E = torch.stack([torch.cos(angles), torch.sin(angles)], dim=1)[order] * (1 + order[:, None] / 50)
    return torch.tensor([2.0, 0.0]), E.float(), make.pick(150, 140, 145)


@exercise.right
def reference(v, E, k, exclude=()):
    excluded = {int(row) for row in exclude}
    cosines = E @ v / (E.norm(dim=1) * v.norm())
    order = cosines.argsort(descending=True).tolist()
    rows = [row for row in order if row not in excluded]
    return torch.tensor(rows[:k])


@exercise.right("torch.cosine_similarity, a list of indices")
def torch_cosine_similarity(v, E, k, exclude=()):
    scores = F.cosine_similarity(E, v.unsqueeze(0), dim=1)
    rows = [int(i) for i in exclude]
    scores[rows] = float("-inf")
    values, indices = torch.sort(scores, descending=True)
    return tuple(indices[:k].tolist())


@exercise.right("the query is not normalized")
def query_normalized(v, E, k, exclude=()):
    lengths = torch.sqrt((E * E).sum(dim=1))
    scores = torch.matmul(E, v) / lengths
    keep = torch.ones(len(E), dtype=torch.bool)
    for row in exclude:
        keep[row] = False
    numbers = torch.arange(len(E))[keep]
    return numbers[scores[keep].argsort(descending=True)][:k]


@exercise.right("plain Python")
def plain_python(v, E, k, exclude=()):
    import math
    out = set(map(int, exclude))
    query = v.tolist()
    ranked = []
    for number, row in enumerate(E.tolist()):
        if number not in out:
            cosine = sum(a * b for a, b in zip(row, query)) / math.sqrt(sum(a * a for a in row))
            ranked.append((-cosine, number))
    return [number for _, number in sorted(ranked)[:k]]


@exercise.right("takes the best again and again")
def takes(v, E, k, exclude=()):
    scores = torch.stack([torch.cosine_similarity(row, v, dim=0) for row in E])
    taken = [int(row) for row in exclude]
    best = []
    while len(best) < k:
        hidden = scores.clone()
        hidden[taken + best] = -2.0
        best.append(int(torch.argmax(hidden)))
    return best


@exercise.right("numpy")
def by_numpy(v, E, k, exclude=()):
    import numpy as np
    a, q = E.numpy(), v.numpy()
    cosine = a @ q / np.linalg.norm(a, axis=1) / np.linalg.norm(q)
    order = np.argsort(-cosine)
    return order[~np.isin(order, [int(row) for row in exclude])][:k]


@exercise.right("topk")
def by_topk(v, E, k, exclude=()):
    cosines = F.cosine_similarity(E, v[None])
    for row in exclude:
        cosines[int(row)] = -torch.inf
    return cosines.topk(k).indices


exercise.also_right(
    full("scores = F.normalize(E, dim=-1) @ F.normalize(v, dim=-1)\n"
         "for row in exclude:\n"
         "    scores[int(row)] = -torch.inf\n"
         "return scores.topk(k).indices.tolist()", "normalize, minus infinity, topk, a list"),
    full("distances = torch.cdist((v / v.norm())[None], E / torch.linalg.norm(E, dim=1, keepdim=True))[0]\n"
         "skip = torch.tensor([int(row) for row in exclude], dtype=torch.long)\n"
         "distances[skip] = torch.inf\n"
         "return torch.topk(distances, k, largest=False).indices", "distance between unit vectors"),
    full("out = [int(x) for x in exclude]\n"
         "cosine = (E / E.norm(dim=-1, keepdim=True)) @ v\n"
         "candidates = cosine.topk(min(len(E), k + len(out))).indices\n"
         "return [i.item() for i in candidates if i.item() not in out][:k]",
         "more than needed, then filtered"))


exercise.mistake("dot-product", "cosine-similarity",
    "The rows are ranked by their dot product with v, so long rows win. Divide by the length of each row.",
    edit(reference, {"dim=1": ""}, "divided by the length of all of E"))

exercise.mistake("euclidean", "cosine-similarity",
    "The rows are ranked by their distance from v. The cosine compares directions alone: a long row may be "
    "the nearest.",
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "-(E - v).square().sum(1)"}, "squared"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "-(E - v).abs().sum(1)"}, "sum of differences"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "-(E - v / v.norm()).norm(dim=1)"},
         "only v has length 1"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())":
                     "-(E / E.norm(dim=1, keepdim=True) - v).abs().sum(1)"}, "only E has length 1"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "-(E / E.norm() - v / v.norm()).norm(dim=1)"},
         "E has length 1 as a whole"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "-(E - v).abs().amax(1)"}, "largest difference"))

exercise.mistake("farthest-first", "nearest-neighbours",
    "The farthest rows come first. The best has the largest cosine: sort in descending order.",
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "(E - v).norm(dim=1)"}, "distances, descending"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "-(E @ v)"}, "dot product, ascending"),
    edit(reference, {"descending=True": ""}, "ascending"),
    edit(takes, {"argmax": "argmin"}, "the smallest again and again"))

exercise.mistake("not-sorted", "nearest-neighbours",
    "The first k rows of E come back, in the order in which they stand there. Sort the rows by their cosine "
    "first, the largest in front.",
    edit(plain_python, {"sorted(ranked)": "ranked"}))

exercise.mistake("same-row-again", "nearest-neighbours",
    "The same row comes back more than once. Before you look for the next best row, hide the rows that you "
    "have taken already: give them a number below every cosine, such as minus infinity.",
    edit(takes, {"taken + best": "taken"}),
    edit(takes, {"hidden[taken + best] = -2.0": "pass"}, "nothing hidden"),
    edit(takes, {"-2.0": "2.0"}, "a number above every cosine"))

exercise.mistake("worst-of-the-best", "nearest-neighbours",
    "The right rows come in the wrong order. Put the best first.",
    edit(reference, {"rows[:k]": "rows[:k][::-1]"}, "turned round at the end"),
    edit(reference, {"(rows[:k])": "(sorted(rows[:k]))"}, "by number"))

exercise.mistake("absolute-value", "cosine-similarity",
    "The sign of the cosine is lost, so rows that point the other way count as near. Rank by the cosine "
    "itself.",
    edit(reference, {"E @ v": "(E @ v", "norm())": "norm())).abs()"}, "abs"))

exercise.mistake("squared-length", "cosine-similarity",
    "The dot product is divided by the squared length of each row. Divide by the length, the root of the "
    "sum of squares.",
    edit(reference, {"(E.norm(dim=1) * v.norm())": "(E* E).sum(1)"}, "of E alone"))

exercise.mistake("wrong-axis", "cosine-similarity",
    "E is normalized along the wrong axis: each column has length 1, and each row should. Take the length "
    "along the last axis.",
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "E / E.norm(dim=0) @ v"},
         "norm along the first axis"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "-(E / E.norm(dim=0) - v / v.norm()).norm(dim=1)"},
         "norm along the first axis, distances"))

exercise.mistake("other-length", "cosine-similarity",
    "The rows are divided by something other than their length, such as the sum or the largest of their "
    "numbers. The length is the root of the sum of squares.",
    edit(reference, {"(E.norm(dim=1) * v.norm())": "E.abs().sum(1)"}, "sum of absolute values"),
    edit(reference, {"(E.norm(dim=1) * v.norm())": "E.sum(1)"}, "sum"),
    edit(reference, {every("norm"): "sum", "dim=": ""}, "sums of both"),
    edit(reference, {"(E.norm(dim=1) * v.norm())": "E.amax(1)"}, "largest number"),
    edit(reference, {"(E.norm(dim=1) * v.norm())": "E.abs().amax(1)"}, "largest absolute number"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "torch.softmax(E, dim=1) @ v"}, "softmax"))

exercise.mistake("drops-best", "nearest-neighbours",
    "The best row is always left out. Leave out only the rows in exclude; v need not be a row of E.",
    edit(reference, {"rows[:k]": "rows[1 : k + 1]"}, "from the second on"),
    edit(reference, {"rows[:k]": "rows[1:k] or rows[:1]"}, "from the second on, one too few"),
    edit(reference, {"if": "[1:] if"}, "before excluding"),
    edit(by_topk, {"(k).indices": "(k+ 1).indices[1:]"}, "the best k + 1 without the first"),
    edit(by_topk, {"topk(k).indices": "argsort(descending=True)[1 : k + 1].tolist()"},
         "the best k + 1 without the first, sorted"))

exercise.mistake("drops-itself", "nearest-neighbours",
    "A row that points the same way as v is left out, though exclude does not name it. Leave out only the "
    "rows in exclude.",
    full("excluded = {int(row) for row in exclude}\n"
         "cosines = E @ v / (E.norm(dim=1) * v.norm())\n"
         "order = cosines.argsort(descending=True).tolist()\n"
         "rows = [row for row in order if row not in excluded and cosines[row] < 0.9999]\n"
         "return torch.tensor(rows[:k])", "nearly 1"))

exercise.mistake("numbers-from-1", "nearest-neighbours",
    "The row numbers are too large by 1. Rows count from 0.",
    edit(reference, {"(rows[:k])": "(rows[:k]) + 1"}, "plus 1"))

exercise.mistake("columns-compared", "cosine-similarity",
    "v is compared with the columns of E, or multiplied from the wrong side. Each row of E is a word: E @ "
    "v has a number for each row.",
    edit(reference, {"cosines = E @ v / (E.norm(dim=1) * v.norm())": "cosines = v @ E"}, "v @ E"),
    edit(reference, {"cosines = E @ v / (E.norm(dim=1) * v.norm())": "cosines = E.T @ v"}, "E.T @ v"),
    edit(reference, {"E @ v / (E.norm(dim=1) * v.norm())": "F.cosine_similarity(E, v, dim=0)"},
         "cosine_similarity along 0"),
    edit(by_topk, {"[None]": ", dim=0"}, "cosine_similarity along 0, topk"))

exercise.mistake("excluded-as-minus-one", "analogy-excludes-inputs",
    "Excluded rows get a number such as −1 that another row can have too: a row that points exactly the "
    "other way has the cosine −1. Give them minus infinity, or leave them out.",
    edit(by_topk, {"torch.inf": "1"}, "topk"),
    edit(by_topk, {"F.cosine_similarity(E, v[None])": "E @ v / E.norm(dim=1)",
                   "torch.inf": "2"}, "−2, but v has any length"),
    edit(by_topk, {"cosines[int(row)] = -torch.inf": "cosines[int(row)] -= 2"}, "less 2"))

exercise.mistake("row-0-not-excluded", "analogy-excludes-inputs",
    "Row 0 is not left out though exclude names it: the number 0 counts as False. Ask whether a row is in "
    "exclude, not whether its number is true.",
    edit(by_topk, {"cosines[int(row)] = -torch.inf": "if row:\n        cosines[int(row)] = -torch.inf"}))

exercise.mistake("inverse-cosine", "cosine-similarity",
    "The rows are ranked by their angle, and the inverse cosine of a number that rounding has put below −1 "
    "is NaN, which sorting takes for the largest. Rank by the cosine itself.",
    full("angles = torch.acos(F.normalize(E, dim=1) @ F.normalize(v, dim=0))\n"
         "for row in exclude:\n"
         "    angles[int(row)] = torch.inf\n"
         "return (-angles).topk(k).indices"))

exercise.mistake("rounded-to-float32", "cosine-similarity",
    "E and v are rounded to float32, and rows that are nearly alike change places. Compute in the dtype that "
    "they have.",
    edit(by_topk, {"F.cosine_similarity(E, v[None])": "F.cosine_similarity(E.float(), v.float()[None])"}))

exercise.mistake("wrong-number", "nearest-neighbours",
    "The number of rows is not k. Leave out the rows in exclude first, then return the best k of the others.",
    edit(reference, {"if": "[: k + len(excluded)] if", "rows[:k]": "rows"}, "what is left of more than k"),
    edit(reference, {"rows[:k]": "rows[:2]"}, "always 2"),
    edit(reference, {"rows[:k]": "rows[:3]"}, "always 3"),
    edit(reference, {"rows[:k]": "rows[:5]"}, "always 5"),
    edit(reference, {"rows[:k]": "rows[:k + 1]"}, "one more"),
    edit(reference, {"rows[:k]": "rows"}, "all"),
    edit(reference, {"rows[:k]": "rows[:k- 1], dtype=torch.int64"}, "one less"),
    edit(reference, {"rows[:k]": "rows[:1]"}, "one alone"),
    edit(reference, {"torch.tensor(rows[:k])": "rows[0]"}, "one alone, without a list"))

exercise.mistake("not-excluded", "analogy-excludes-inputs",
    "Rows in exclude are returned. Leave them out before you take the best k. If you ask whether a row is "
    "in exclude, ask with a plain number: an element of a tensor is not found in a set of ints.",
    edit(reference, {".tolist()": "", "tensor": "stack"}, "tensors are not in a set of ints"),
    edit(reference, {"[row for row in order if row not in excluded]":
                     "sorted(order[:k], key=lambda row: row in excluded)"}, "moved to the end of the best"))

exercise.mistake("exclude-used-up", "analogy-excludes-inputs",
    "The first question whether a row is in exclude goes through all of it, and later ones find nothing: an "
    "iterator gives its rows once. Make a set of it first.",
    edit(plain_python, {"set(map(int, exclude))": "map(int, exclude)"}))

exercise.mistake("too-few", "analogy-excludes-inputs",
    "The excluded rows are taken out of the best k, so fewer than k are left. Leave them out before you "
    "take k.",
    edit(reference, {"if": "[:k] if"}, "excluded after the best k"))

exercise.mistake("renumbered", "analogy-excludes-inputs",
    "The rows after an excluded one have lost their number. Return the row numbers of E as it was given.",
    full("out = {int(row) for row in exclude}\n"
         "E = E[[row for row in range(len(E)) if row not in out]]\n"
         "return torch.cosine_similarity(E, v[None]).topk(k).indices", "rows deleted"),
    full("out = {int(row) for row in exclude}\n"
         "cosines = [c for row, c in enumerate((E @ v / E.norm(dim=1)).tolist()) if row not in out]\n"
         "return sorted(range(len(cosines)), key=lambda row: -cosines[row])[:k]", "cosines deleted"))

exercise.mistake("drops-as-many", "analogy-excludes-inputs",
    "As many of the best rows are dropped as exclude holds. Exclude holds row numbers: drop those rows, "
    "wherever they rank.",
    edit(reference, {"[row for row in order if row not in excluded]": "order[len(excluded) :]"}, "the best"),
    edit(reference, {"row in order if row": "rank, row in enumerate(order) if rank"},
         "ranks in place of rows"))

exercise.mistake("excludes-one", "analogy-excludes-inputs",
    "Only one of the rows in exclude is left out. Leave out all.",
    edit(reference, {"{int(row) for row in exclude}": "[int(row) for row in exclude][:1]"}, "the first"),
    edit(reference, {"{int(row) for row in exclude}": "[int(row) for row in exclude][-1:]"}, "the last"),
    edit(reference, {"{int(row) for row in exclude}": "sorted((int(row) for row in exclude))[-1:]"},
         "the largest"),
    edit(reference, {"{int(row) for row in exclude}": "sorted((int(row) for row in exclude))[:1]"},
         "the smallest"))

exercise.mistake("excluded-as-zero", "analogy-excludes-inputs",
    "Excluded rows get the cosine 0, which is better than a negative one. Give them minus infinity, or "
    "leave them out.",
    edit(reference, {"order =": "cosines[list(excluded)] = 0\norder =",
                     "[row for row in order if row not in excluded]": "order"}, "cosine 0"),
    edit(reference, {"cosines =": "E = E.clone()\n"
                                  "E[list(excluded)] = 0\n"
                                  "cosines =",
                     "[row for row in order if row not in excluded]": "order"}, "rows 0, no care for 0/0"),
    edit(by_topk, {"-torch.inf": "0"}, "topk"),
    edit(takes, {"-2.0": "0.0"}, "one row after another"))

exercise.mistake("one-kind-of-collection", "analogy-excludes-inputs",
    "exclude may be any iterable of row numbers: a list, a set, a tensor, a generator. Read it once, at "
    "the start, and make a collection of plain ints of it.",
    edit(reference, {"{int(row) for row in exclude}": "exclude"}, "used up by the first search"),
    edit(reference, {"{int(row) for row in exclude}": "set(exclude)"}, "a set of the elements as they are"),
    edit(reference, {"order =": "cosines[list(exclude)] = -torch.inf\norder ="},
         "a list of the elements as an index"),
    edit(reference, {"excluded =": "extra = len(exclude)\nexcluded ="}, "len of exclude"),
    edit(reference, {"excluded = {int(row) for row in exclude}":
                     "excluded = torch.tensor(exclude, dtype=torch.long).tolist()"},
         "torch.tensor of exclude"),
    edit(reference, {"excluded = {int(row) for row in exclude}":
                     "excluded = torch.as_tensor(exclude).tolist() if len(exclude) else []"},
         "torch.as_tensor of exclude"),
    edit(reference, {"{int(row) for row in exclude}": "[int(row) for row in exclude] if exclude else []"},
         "truth of exclude"),
    edit(reference, {"excluded = {int(row) for row in exclude}":
                     "excluded = [] + exclude if exclude != () else []"}, "added to a list"),
    edit(reference, {"excluded = {int(row) for row in exclude}":
                     "excluded = [exclude[i] for i in range(len(exclude))]"}, "slices of exclude"),
    edit(reference, {"order =": "if len(exclude) > 0:\n"
                                "    cosines[exclude if not isinstance(exclude, tuple) else "
                                "list(exclude)] = -torch.inf\n"
                                "order ="}, "list of exclude as an index"))

exercise.mistake("empty-exclude", "analogy-excludes-inputs",
    "The code fails when nothing is excluded. An empty exclude leaves all rows in; look at what your "
    "indexing does with an empty collection.",
    edit(reference, {"order =": "cosines[exclude] = -torch.inf\norder ="}, "a tuple as an index, argsort"),
    edit(reference, {"order =": "cosines[exclude] = -torch.inf\norder =",
                     "argsort(descending=True)": "topk(k).indices"}, "a tuple as an index, topk"),
    edit(reference, {"order =": "cosines[torch.tensor(exclude)] = -torch.inf\norder ="},
         "a tensor of nothing as an index"),
    edit(reference, {"excluded =": "first = list(exclude)[0]\nexcluded ="}, "the first of nothing"),
    edit(reference, {"rows[:k]": "rows[:k] if excluded else rows[:0], dtype=torch.int64"},
         "everything up to minus nothing"))

exercise.mistake("returns-scores", "nearest-neighbours",
    "The cosines are returned. Return the numbers of the rows.",
    edit(reference, {"torch.tensor(rows[:k])": "cosines[rows[:k]]"}, "the best cosines"),
    edit(reference, {"torch.tensor(rows[:k])": "cosines[rows[:k]].tolist()"}, "the best cosines as a list"),
    edit(reference, {"torch.tensor(rows[:k])": "cosines.topk(k).values"},
         "dot products of unit vectors from topk"))

exercise.mistake("returns-vectors", "nearest-neighbours",
    "The vectors are returned. Return the numbers of the rows.",
    edit(reference, {"torch.tensor(rows[:k])": "E[rows[:k]]"}, "the rows"))

exercise.mistake("returns-ranks", "nearest-neighbours",
    "The ranks of the rows are returned: how many are better than row 0, row 1 and so on. Return the "
    "numbers of the best rows; one argsort is enough.",
    edit(reference, {"(rows[:k])": "(order).argsort()[:k]"}, "argsort twice"))

exercise.mistake("wrong-form", "nearest-neighbours",
    "The rows are right, but their form is not. Return k whole numbers in one list (or one tensor of "
    "int64), best first.",
    edit(reference, {"torch": "cosines[rows[:k]], torch"}, "cosines and rows"),
    edit(reference, {"torch.tensor(rows[:k])": "rows[:k], cosines[rows[:k]].tolist()"}, "rows and cosines"),
    edit(reference, {"torch.tensor(rows[:k])": "[(row, cosines[row].item()) for row in rows[:k]]"},
         "pairs of rows and cosines"),
    edit(reference, {"(rows[:k])": "(rows[:k]), cosines[rows[:k]]"}, "rows and cosines as tensors"),
    edit(reference, {"(rows[:k])": "(rows[:k]).squeeze()"}, "a number for k = 1"),
    edit(reference, {"rows[:k]": "[rows[:k]]"}, "an axis more"),
    edit(reference, {"(rows[:k])": "(rows[:k])[:, None]"}, "a column"),
    edit(reference, {"(rows[:k])": "(rows[:k]).float()"}, "floating point numbers"),
    edit(reference, {"torch.tensor(rows[:k])": "[float(row) for row in rows[:k]]"},
         "a list of floating point numbers"),
    edit(reference, {"torch.tensor": "set"}, "a set"),
    edit(reference, {"torch.tensor(rows[:k])": "{row: cosines[row].item() for row in rows[:k]}"}, "a dict"),
    edit(reference, {"torch.tensor": "str"}, "a text"))

exercise.built_in("changes-input",
    edit(reference, {"cosines =": "E /= E.norm(dim=1, keepdim=True)\ncosines ="}, "E normalized in place"),
    edit(reference, {"cosines =": "v /= v.norm()\ncosines ="}, "v normalized in place"))

exercise.built_in("returns-nothing",
    edit(reference, {"return torch.tensor(rows[:k])": "rows[:k]"}, "no return"))

exercise.built_in("ready-made",
    full("from allyouneed.text.embeddings import nearest as find\n"
         "return find(v, E, k, exclude)", "the library's own"))

exercise.equal("neither the length of v nor one factor for all rows changes the order", {
    "* v.norm()": ("/ v.norm()", "", "* E.norm()"), "(E * E).sum": "(E * E).mean",
    "/ np.linalg.norm(q)": ("* np.linalg.norm(q)", "", "/ np.linalg.norm(a)"),
    "F.normalize(v, dim=-1)": "v", "v / v.norm()": ("v * v.norm()", "v", "v / E.norm()")})
exercise.equal("the cosine of two vectors has no order, and torch lines v up with rows by itself", {
    "E, v.unsqueeze(0)": ("v.unsqueeze(0), E", "E, v"), "row, v": "v, row", "row, query": "query, row",
    "E, v[None]": "v[None], E"})
exercise.equal("a matrix has two axes, and the second is meant where none is given", {
    "v.unsqueeze(0), dim=1": "v.unsqueeze(0)", "E, dim=-1": "E"})
exercise.equal("numbers in tensors are numbers too, and rows may come back in a list, a tuple or a tensor", {
    "torch.tensor(rows[:k])": "rows[:k]", "tuple(": "", ".tolist()": "", ".item()": "", "E.numpy()": "E",
    "int(row)": "row", "int(x)": "x",
    "torch.tensor([int(row) for row in exclude], dtype=torch.long)": "[int(row) for row in exclude]"})
exercise.equal("what is hidden stays hidden, and no cosine is below -1", {
    "scores.clone()": "scores", "-2.0": "-4.0"})
exercise.equal("the smaller of two numbers has no order, and a table of one row ends with its first", {
    "len(E), k + len(out)": "k + len(out), len(E)", "[0]": "[-1]"})
