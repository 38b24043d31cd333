"""The rubric of nearest: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise

from ._shared import vary

exercise = Exercise(
    "nearest",
    compact=True,
    points={"by cosine": 2, "without the excluded": 1, "any collection": 1},
    section="nearest-neighbours",
    driver="other_iterables",
    forbid=("NearestNeighbors", "KDTree", "cKDTree", "BallTree"),
    mistakes={
        "dot-product": ("The rows are ranked by their dot product with v, so long rows win. Divide by the length of each row.", "cosine-similarity"),
        "euclidean": ("The rows are ranked by their distance from v. The cosine compares directions alone: a long row may be the nearest.",
                      "cosine-similarity"),
        "farthest-first": ("The farthest rows come first. The best has the largest cosine: sort in descending order.", "nearest-neighbours"),
        "worst-of-the-best": ("The right rows come in the wrong order. Put the best first.", "nearest-neighbours"),
        "absolute-value": ("The sign of the cosine is lost, so rows that point the other way count as near. Rank by the cosine itself.",
                           "cosine-similarity"),
        "squared-length": ("The dot product is divided by the squared length of each row. Divide by the length, the root of the sum of squares.",
                           "cosine-similarity"),
        "wrong-axis": ("E is normalized along the wrong axis: each column has length 1, and each row should. Take the length along the last axis.",
                       "cosine-similarity"),
        "columns-compared": ("v is compared with the columns of E, or multiplied from the wrong side. Each row of E is a word: E @ v has a number for each "
                             "row.", "cosine-similarity"),
        "drops-itself": ("A row that points the same way as v is left out, though exclude does not name it. Leave out only the rows in exclude.",
                         "nearest-neighbours"),
        "numbers-from-1": ("The row numbers are too large by 1. Rows count from 0.", "nearest-neighbours"),
        "other-length": ("The rows are divided by something other than their length, such as the sum or the largest of their numbers. The "
                         "length is the root of the sum of squares.", "cosine-similarity"),
        "drops-best": ("The best row is always left out. Leave out only the rows in exclude; v need not be a row of E.", "nearest-neighbours"),
        "wrong-number": ("The number of rows is not k. Leave out the rows in exclude first, then return the best k of the others.", "nearest-neighbours"),
        "not-excluded": ("Rows in exclude are returned. Leave them out before you take the best k. If you ask whether a row is in exclude, ask with a plain "
                         "number: an element of a tensor is not found in a set of ints.", "analogy-excludes-inputs"),
        "too-few": ("The excluded rows are taken out of the best k, so fewer than k are left. Leave them out before you take k.",
                    "analogy-excludes-inputs"),
        "renumbered": ("The rows after an excluded one have lost their number. Return the row numbers of E as it was given.", "analogy-excludes-inputs"),
        "drops-as-many": ("As many of the best rows are dropped as exclude holds. Exclude holds row numbers: drop those rows, wherever they rank.",
                          "analogy-excludes-inputs"),
        "excludes-one": ("Only one of the rows in exclude is left out. Leave out all.", "analogy-excludes-inputs"),
        "excluded-as-zero": ("Excluded rows get the cosine 0, which is better than a negative one. Give them minus infinity, or leave them out.",
                             "analogy-excludes-inputs"),
        "excluded-as-minus-one": ("Excluded rows get a number such as −1 that another row can have too: a row that points exactly the other way has the "
                                  "cosine −1. Give them minus infinity, or leave them out.", "analogy-excludes-inputs"),
        "one-kind-of-collection": ("exclude may be any iterable of row numbers: a list, a set, a tensor, a generator. Read it once, at the start, and "
                                   "make a collection of plain ints of it.", "analogy-excludes-inputs"),
        "empty-exclude": ("The code fails when nothing is excluded. An empty exclude leaves all rows in; look at what your indexing does with an empty "
                          "collection.", "analogy-excludes-inputs"),
        "returns-scores": ("The cosines are returned. Return the numbers of the rows.", "nearest-neighbours"),
        "returns-vectors": ("The vectors are returned. Return the numbers of the rows.", "nearest-neighbours"),
        "returns-ranks": ("The ranks of the rows are returned: how many are better than row 0, row 1 and so on. Return the numbers of the best rows; "
                          "one argsort is enough.", "nearest-neighbours"),
        "wrong-form": ("The rows are right, but their form is not. Return k whole numbers in one list (or one tensor of int64), best first.",
                       "nearest-neighbours"),
    },
)


def _scores(v, E):
    """The right score, and those that must rank otherwise."""
    unit = E / E.norm(dim=1, keepdim=True)
    return unit @ v / v.norm(), [E @ v, -(E - v).norm(dim=1), -(E - v).abs().sum(1), (unit @ v).abs(), E @ v / E.square().sum(1), F.normalize(E, dim=0) @ v,
                                 E @ v / E.abs().sum(1), E @ v / E.sum(1), F.normalize(E, dim=0) @ (v / v.norm()), E @ v / E.amax(1)]


@exercise.probes
def _(make):
    def case(rows, width, k, excluded, negative=False, dtype=torch.float32):
        """v and E whose cosines are far enough apart, and on which other scores rank otherwise; `excluded` are ranks."""
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
    for name, sizes in (("three of eight rows", (8, 4, 3)), ("four of eleven rows", (11, 5, 4)), ("three of nine rows, width 3", (9, 3, 3))):
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
    yield make.probe("two rows excluded, in a tuple", *_tuple(case(9, make.pick(5, 4, 6), 3, [1, 0])), group=group)
    yield make.probe("a row excluded that is not among the best", *case(9, 4, 3, [6]), group=group)
    yield make.probe("all others excluded", *case(6, 4, 2, [5, 0, 1, 3]), group=group, edge=True)
    yield make.probe("cosines below zero", *case(8, make.pick(4, 5, 3), 3, [0], negative=True), group=group)
    group = "any collection"
    for kind, sizes, ranks in (("set", (9, 4, 3), [2, 0]), ("generator", (10, 5, 3), [1, 3, 0]), ("tensor", (8, 4, 3), [0, 1]), ("keys", (9, 5, 3), [1, 2])):
        v, E, k, out = case(*sizes, ranks)
        yield make.probe(f"two or more rows excluded, in a {kind}", v, E, k, {"as": kind, "items": out}, group=group, edge=True)
    v, E, k, _ = case(9, 4, 3, [])
    yield make.probe("a range of rows excluded", v, E, k, {"as": "range", "items": [2, 5]}, group=group, edge=True)
    yield make.probe("an empty set", v, E, k, {"as": "set", "items": []}, group=group, edge=True)
    E = torch.tensor([[2.0, 1.0], [3.0, 4.0], [-1.0, 3.0], [0.0, 2.0], [-1.0, 1.0], [2.0, -1.0]])[make.pick([1, 0, 2, 5, 3, 4], [1, 0, 3, 5, 2, 4], [4, 5, 3, 0, 2, 1])]
    E[4], E[5] = torch.tensor([-2.0, 0.0]), torch.tensor([1.0, 0.1])
    yield make.probe("a row points exactly the other way", torch.tensor([make.pick(4.0, 8.0, 5.0), 0.0]), E, 5, [1], group="without the excluded", edge=True)
    v, E, k, out = case(9, 4, 3, [0, 2])
    yield make.probe("exclude by its name", v, E, k, exclude=out, group="without the excluded", edge=True)
    yield make.probe("many rows", *_many(make), group="by cosine", long=True)


def _own_row(make):
    """A row of E asks; rows that point nearly the same way come next."""
    E = make.randn(8, 4)
    E[5] = 3 * E[2] + 0.3 * make.randn(4)
    E[0] = 0.4 * E[2] + 0.12 * make.randn(4)
    gaps = torch.cosine_similarity(E, E[2:3]).sort(descending=True)
    if (gaps.values.diff().abs() < 0.005).any() or gaps.indices[:3].tolist() == (E @ E[2]).argsort(descending=True)[:3].tolist():
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


@exercise.alternative("normalize, minus infinity, topk, a list")
def _(v, E, k, exclude=()):
    scores = F.normalize(E, dim=-1) @ F.normalize(v, dim=-1)
    for row in exclude:
        scores[int(row)] = -torch.inf
    return scores.topk(k).indices.tolist()


@exercise.alternative("torch.cosine_similarity, a list of indices")
def _(v, E, k, exclude=()):
    scores = F.cosine_similarity(E, v.unsqueeze(0), dim=1)
    rows = [int(i) for i in exclude]
    scores[rows] = float("-inf")
    values, indices = torch.sort(scores, descending=True)
    return tuple(indices[:k].tolist())


@exercise.alternative("the query is not normalized")
def _(v, E, k, exclude=()):
    lengths = torch.sqrt((E * E).sum(dim=1))
    scores = torch.matmul(E, v) / lengths
    keep = torch.ones(len(E), dtype=torch.bool)
    for row in exclude:
        keep[row] = False
    numbers = torch.arange(len(E))[keep]
    return numbers[scores[keep].argsort(descending=True)][:k]


@exercise.alternative("distance between unit vectors")
def _(v, E, k, exclude=()):
    distances = torch.cdist((v / v.norm())[None], E / torch.linalg.norm(E, dim=1, keepdim=True))[0]
    skip = torch.tensor([int(row) for row in exclude], dtype=torch.long)
    distances[skip] = torch.inf
    return torch.topk(distances, k, largest=False).indices


@exercise.alternative("plain Python")
def _(v, E, k, exclude=()):
    import math
    out = set(map(int, exclude))
    query = v.tolist()
    ranked = []
    for number, row in enumerate(E.tolist()):
        if number not in out:
            cosine = sum(a * b for a, b in zip(row, query)) / math.sqrt(sum(a * a for a in row))
            ranked.append((-cosine, number))
    return [number for _, number in sorted(ranked)[:k]]


@exercise.alternative("takes the best again and again")
def _(v, E, k, exclude=()):
    scores = torch.stack([torch.cosine_similarity(row, v, dim=0) for row in E])
    taken = [int(row) for row in exclude]
    best = []
    while len(best) < k:
        hidden = scores.clone()
        hidden[taken + best] = -2.0
        best.append(int(torch.argmax(hidden)))
    return best


@exercise.alternative("numpy")
def _(v, E, k, exclude=()):
    import numpy as np
    a, q = E.numpy(), v.numpy()
    cosine = a @ q / np.linalg.norm(a, axis=1) / np.linalg.norm(q)
    order = np.argsort(-cosine)
    return order[~np.isin(order, [int(row) for row in exclude])][:k]


@exercise.alternative("more than needed, then filtered")
def _(v, E, k, exclude=()):
    out = [int(x) for x in exclude]
    cosine = (E / E.norm(dim=-1, keepdim=True)) @ v
    candidates = cosine.topk(min(len(E), k + len(out))).indices
    return [i.item() for i in candidates if i.item() not in out][:k]


COSINE = "E @ v / (E.norm(dim=1) * v.norm())"
END = "return torch.tensor(rows[:k])"
KEEP = "[row for row in order if row not in excluded]"
ORDER = "cosines.argsort(descending=True).tolist()"
for label, score in (("dot product", "E @ v"), ("only v has length 1", "E @ (v / v.norm())"), ("divided by the length of all of E", "E @ v / (E.norm() * v.norm())")):
    vary(exercise, "dot-product", label, (COSINE, score))
for label, score in (("norm of the difference", "-(E - v).norm(dim=1)"), ("squared", "-(E - v).square().sum(1)"), ("sum of differences", "-(E - v).abs().sum(1)"),
                     ("only v has length 1", "-(E - v / v.norm()).norm(dim=1)"), ("only E has length 1", "-(E / E.norm(dim=1, keepdim=True) - v).abs().sum(1)"),
                     ("largest difference", "-(E - v).abs().amax(1)")):
    vary(exercise, "euclidean", label, (COSINE, score))
for label, score in (("distances, descending", "(E - v).norm(dim=1)"), ("dot product, ascending", "-(E @ v)"), ("one minus the cosine", f"1 - {COSINE}")):
    vary(exercise, "farthest-first", label, (COSINE, score))
vary(exercise, "farthest-first", "ascending", (ORDER, "cosines.argsort().tolist()"))
vary(exercise, "worst-of-the-best", "turned round at the end", (END, "return torch.tensor(rows[:k][::-1])"))
vary(exercise, "worst-of-the-best", "the last of ascending ones", (ORDER, "cosines.argsort().tolist()"), (END, "return torch.tensor(rows[-k:])"))
vary(exercise, "worst-of-the-best", "by number", (END, "return torch.tensor(sorted(rows[:k]))"))
vary(exercise, "absolute-value", "abs", (COSINE, f"({COSINE}).abs()"))
vary(exercise, "squared-length", "sum of squares", (COSINE, "E @ v / (E.square().sum(1) * v.square().sum())"))
vary(exercise, "squared-length", "of E alone", (COSINE, "E @ v / (E * E).sum(1)"))
vary(exercise, "wrong-axis", "norm along the first axis", (COSINE, "E / E.norm(dim=0) @ v"))
vary(exercise, "wrong-axis", "normalize along the first axis", (COSINE, "F.normalize(E, dim=0) @ F.normalize(v, dim=0)"))
vary(exercise, "other-length", "sum of absolute values", (COSINE, "E @ v / E.abs().sum(1)"))
vary(exercise, "other-length", "sum", (COSINE, "E @ v / E.sum(1)"))
vary(exercise, "other-length", "sums of both", (COSINE, "E @ v / (E.sum(1) * v.sum())"))
vary(exercise, "other-length", "largest number", (COSINE, "E @ v / E.amax(1)"))
vary(exercise, "other-length", "largest absolute number", (COSINE, "E @ v / E.abs().amax(1)"))
vary(exercise, "other-length", "softmax", (COSINE, "torch.softmax(E, dim=1) @ v"))
vary(exercise, "drops-best", "from the second on", (END, "return torch.tensor(rows[1:k + 1])"))
vary(exercise, "drops-best", "from the second on, one too few", (END, "return torch.tensor(rows[1:k] or rows[:1])"))
vary(exercise, "drops-best", "before excluding", (KEEP, "[row for row in order[1:] if row not in excluded]"))
TOPK = """
def nearest(v, E, k, exclude=()):
    cosines = F.cosine_similarity(E, v[None])
    for row in exclude:
        cosines[int(row)] = -torch.inf
    return cosines.topk(k).indices
"""
vary(exercise, None, "topk", base=TOPK)
vary(exercise, "drops-best", "the best k + 1 without the first", ("cosines.topk(k).indices", "cosines.topk(k + 1).indices[1:]"), base=TOPK)
vary(exercise, "drops-best", "the best k + 1 without the first, sorted", ("cosines.topk(k).indices", "cosines.argsort(descending=True)[1:k + 1].tolist()"), base=TOPK)
vary(exercise, "drops-itself", "nearly 1", (KEEP, "[row for row in order if row not in excluded and cosines[row] < 0.9999]"))
vary(exercise, "drops-itself", "equal to v", (KEEP, "[row for row in order if row not in excluded and not torch.equal(E[row], v)]"))
vary(exercise, "numbers-from-1", "plus 1", (END, "return torch.tensor(rows[:k]) + 1"))
vary(exercise, "columns-compared", "v @ E", (COSINE, "v @ E"))
vary(exercise, "columns-compared", "E.T @ v", (COSINE, "E.T @ v"))
vary(exercise, "columns-compared", "cosine_similarity along 0", (COSINE, "F.cosine_similarity(E, v, dim=0)"))
vary(exercise, "columns-compared", "cosine_similarity along 0, topk", ("E, v[None])", "E, v, dim=0)"), base=TOPK)
vary(exercise, "excluded-as-minus-one", "topk", ("-torch.inf", "-1"), base=TOPK)
vary(exercise, "excluded-as-minus-one", "−2, but v has any length", ("-torch.inf", "-2"), ("F.cosine_similarity(E, v[None])", "E @ v / E.norm(dim=1)"), base=TOPK)
vary(exercise, "excluded-as-minus-one", "argsort", ("-torch.inf", "-1"), ("cosines.topk(k).indices", "cosines.argsort(descending=True)[:k]"), base=TOPK)
vary(exercise, "wrong-number", "what is left of more than k", (KEEP, "[row for row in order[:k + len(excluded)] if row not in excluded]"), (END, "return torch.tensor(rows)"))
for number in (2, 3, 5):
    vary(exercise, "wrong-number", f"always {number}", (END, f"return torch.tensor(rows[:{number}])"))
vary(exercise, "wrong-number", "one more", (END, "return torch.tensor(rows[:k + 1])"))
vary(exercise, "wrong-number", "all", (END, "return torch.tensor(rows)"))
vary(exercise, "wrong-number", "one less", (END, "return torch.tensor(rows[:k - 1], dtype=torch.int64)"))
vary(exercise, "wrong-number", "one alone", (END, "return torch.tensor(rows[:1])"))
vary(exercise, "wrong-number", "one alone, without a list", (END, "return rows[0]"))
vary(exercise, "not-excluded", "exclude is not used", (KEEP, "order"))
vary(exercise, "not-excluded", "tensors are not in a set of ints", (ORDER, "cosines.argsort(descending=True)"), (END, "return torch.stack(rows[:k])"))
vary(exercise, "not-excluded", "moved to the end of the best", (KEEP, "sorted(order[:k], key=lambda row: row in excluded)"))
vary(exercise, "not-excluded", "a copy of the cosines is changed", (ORDER, "cosines.argsort(descending=True).tolist()\n    cosines[list(excluded)] = -torch.inf"),
     (KEEP, "order"))
vary(exercise, "too-few", "excluded after the best k", (KEEP, "[row for row in order[:k] if row not in excluded]"))
vary(exercise, "renumbered", "rows deleted", base="""
def nearest(v, E, k, exclude=()):
    out = {int(row) for row in exclude}
    E = E[[row for row in range(len(E)) if row not in out]]
    return torch.cosine_similarity(E, v[None]).topk(k).indices
""")
vary(exercise, "renumbered", "cosines deleted", base="""
def nearest(v, E, k, exclude=()):
    out = {int(row) for row in exclude}
    cosines = [c for row, c in enumerate((E @ v / E.norm(dim=1)).tolist()) if row not in out]
    return sorted(range(len(cosines)), key=lambda row: -cosines[row])[:k]
""")
vary(exercise, "drops-as-many", "the best", (KEEP, "order[len(excluded):]"))
vary(exercise, "drops-as-many", "ranks in place of rows", (KEEP, "[row for rank, row in enumerate(order) if rank not in excluded]"))
vary(exercise, "excludes-one", "the first", ("{int(row) for row in exclude}", "[int(row) for row in exclude][:1]"))
vary(exercise, "excludes-one", "the last", ("{int(row) for row in exclude}", "[int(row) for row in exclude][-1:]"))
vary(exercise, "excludes-one", "the largest", ("{int(row) for row in exclude}", "sorted(int(row) for row in exclude)[-1:]"))
vary(exercise, "excludes-one", "the smallest", ("{int(row) for row in exclude}", "sorted(int(row) for row in exclude)[:1]"))
vary(exercise, "excluded-as-zero", "cosine 0", (COSINE, f"{COSINE}\n    cosines[list(excluded)] = 0"), (KEEP, "order"))
vary(exercise, "excluded-as-zero", "rows 0", ("cosines =", "E = E.clone()\n    E[list(excluded)] = 0\n    cosines ="), (COSINE, "F.normalize(E, dim=1) @ v"), (KEEP, "order"))
vary(exercise, "excluded-as-zero", "rows 0, no care for 0/0", ("cosines =", "E = E.clone()\n    E[list(excluded)] = 0\n    cosines ="), (KEEP, "order"))
vary(exercise, "excluded-as-zero", "times a mask", (COSINE, f"{COSINE} * torch.tensor([float(row not in excluded) for row in range(len(E))])"), (KEEP, "order"))
SET = "excluded = {int(row) for row in exclude}"
vary(exercise, "one-kind-of-collection", "used up by the first search", (SET, "excluded = exclude"))
vary(exercise, "one-kind-of-collection", "a set of the elements as they are", ("{int(row) for row in exclude}", "set(exclude)"))
vary(exercise, "one-kind-of-collection", "a list of the elements as an index", (COSINE, f"{COSINE}\n    cosines[list(exclude)] = -torch.inf"), (SET, "pass"), (KEEP, "order"))
vary(exercise, "one-kind-of-collection", "len of exclude", ("excluded =", "extra = len(exclude)\n    excluded ="))
vary(exercise, "one-kind-of-collection", "torch.tensor of exclude", (SET, "excluded = torch.tensor(exclude, dtype=torch.long).tolist()"))
vary(exercise, "one-kind-of-collection", "torch.as_tensor of exclude", (SET, "excluded = torch.as_tensor(exclude).tolist() if len(exclude) else []"))
vary(exercise, "one-kind-of-collection", "truth of exclude", (SET, "excluded = [int(row) for row in exclude] if exclude else []"))
vary(exercise, "one-kind-of-collection", "added to a list", (SET, "excluded = [] + exclude if exclude != () else []"))
vary(exercise, "one-kind-of-collection", "slices of exclude", (SET, "excluded = [exclude[i] for i in range(len(exclude))]"))
vary(exercise, "one-kind-of-collection", "list of exclude as an index", (COSINE, f"{COSINE}\n    if len(exclude) > 0:\n        cosines[exclude if not isinstance(exclude, tuple) else list(exclude)] = -torch.inf"),
     (SET, "pass"), (KEEP, "order"))
for label, order in (("argsort", ORDER), ("sort", "cosines.sort(descending=True).indices.tolist()"), ("topk", "cosines.topk(k).indices.tolist()")):
    vary(exercise, "empty-exclude", f"a tuple as an index, {label}", (COSINE, f"{COSINE}\n    cosines[exclude] = -torch.inf"), (ORDER, order), (SET, "pass"), (KEEP, "order"))
vary(exercise, "empty-exclude", "a tensor of nothing as an index", (COSINE, f"{COSINE}\n    cosines[torch.tensor(exclude)] = -torch.inf"), (SET, "pass"), (KEEP, "order"))
vary(exercise, "empty-exclude", "the first of nothing", ("excluded =", "first = list(exclude)[0]\n    excluded ="))
vary(exercise, "empty-exclude", "everything up to minus nothing", (END, "return torch.tensor(rows[:k] if excluded else rows[:0], dtype=torch.int64)"))
vary(exercise, "returns-scores", "the best cosines", (END, "return cosines[rows[:k]]"))
vary(exercise, "returns-scores", "the best cosines as a list", (END, "return cosines[rows[:k]].tolist()"))
vary(exercise, "returns-scores", "dot products of unit vectors from topk", (END, "return cosines.topk(k).values"))
vary(exercise, "returns-vectors", "the rows", (END, "return E[rows[:k]]"))
vary(exercise, "returns-ranks", "argsort twice", (END, "return torch.tensor(order).argsort()[:k]"))
vary(exercise, "wrong-form", "cosines and rows", (END, "return (cosines[rows[:k]], torch.tensor(rows[:k]))"))
vary(exercise, "wrong-form", "rows and cosines", (END, "return (rows[:k], cosines[rows[:k]].tolist())"))
vary(exercise, "wrong-form", "pairs of rows and cosines", (END, "return [(row, cosines[row].item()) for row in rows[:k]]"))
vary(exercise, "wrong-form", "rows and cosines as tensors", (END, "return (torch.tensor(rows[:k]), cosines[rows[:k]])"))
vary(exercise, "wrong-form", "a number for k = 1", (END, "return torch.tensor(rows[:k]).squeeze()"))
vary(exercise, "wrong-form", "an axis more", (END, "return torch.tensor([rows[:k]])"))
vary(exercise, "wrong-form", "a column", (END, "return torch.tensor(rows[:k])[:, None]"))
vary(exercise, "wrong-form", "floating point numbers", (END, "return torch.tensor(rows[:k]).float()"))
vary(exercise, "wrong-form", "a list of floating point numbers", (END, "return [float(row) for row in rows[:k]]"))
vary(exercise, "wrong-form", "a set", (END, "return set(rows[:k])"))
vary(exercise, "wrong-form", "a dict", (END, "return {row: cosines[row].item() for row in rows[:k]}"))
vary(exercise, "wrong-form", "a text", (END, "return str(rows[:k])"))
vary(exercise, "changes-input", "E normalized in place", ("cosines =", "E /= E.norm(dim=1, keepdim=True)\n    cosines ="))
vary(exercise, "changes-input", "v normalized in place", ("cosines =", "v /= v.norm()\n    cosines ="))
vary(exercise, "returns-nothing", "no return", (END, "rows[:k]"))


@exercise.wrong("ready-made", "the library's own")
def _(v, E, k, exclude=()):
    from allyouneed.embeddings import nearest as find
    return find(v, E, k, exclude)
