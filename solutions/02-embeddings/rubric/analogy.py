"""The rubric of analogy: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch
import torch.nn.functional as F

from allyouneed.embeddings import nearest
from coursegrader.rubric import Exercise

from ._shared import vary

WORDS = ("king man woman queen tower bridge river apple lemon sushi paris berlin doctor nurse chair table mouse horse green yellow seven eleven "
         "winter summer north south").split()

exercise = Exercise(
    "analogy",
    points={"the sum": 2, "without the three words": 1},
    section="analogies",
    mistakes={
        "sign": ("The signs are not E[a] − E[b] + E[c]. Take b away from a, and add c: king − man + woman.", "analogies"),
        "other-order": ("The three words play the wrong parts. The sum is E[a] − E[b] + E[c], with a, b and c in the order of the arguments.",
                        "analogies"),
        "normalizes-first": ("The vectors are brought to length 1 before they are added. Here the sum is of the raw rows; the cosine comes after it.",
                             "analogies"),
        "returns-an-input": ("One of the three words itself is returned: the sum often lies nearest to a or c. Exclude a, b and c.",
                             "analogy-excludes-inputs"),
        "excludes-too-few": ("Not all of the three words are excluded. Leave out a, b and c.", "analogy-excludes-inputs"),
        "too-few": ("The three words are taken out of the best k, so fewer than k are left. Exclude them before you take k.",
                    "analogy-excludes-inputs"),
        "dot-product": ("The words are ranked by the dot product with the sum, so long vectors win. Rank by cosine.", "cosine-similarity"),
        "euclidean": ("The words are ranked by their distance from the sum. Rank by cosine: directions alone count.", "cosine-similarity"),
        "farthest-first": ("The farthest words are returned. The best has the largest cosine.", "nearest-neighbours"),
        "wrong-order": ("The right words come in the wrong order. Put the best first.", "nearest-neighbours"),
        "wrong-axis": ("The lengths are taken along the wrong axis, or the columns of E are compared. Each row of E is a word.", "cosine-similarity"),
        "absolute-value": ("The sign of the cosine is lost, so words that point the other way count as near. Rank by the cosine itself.", "cosine-similarity"),
        "excluded-as-zero": ("The three words get the cosine 0, which is better than a negative one. Give them minus infinity, or leave them out.",
                             "analogy-excludes-inputs"),
        "drops-three": ("The best three are dropped, whichever they are. Leave out a, b and c, wherever they rank.", "analogy-excludes-inputs"),
        "words-as-rows": ("The words themselves stand where their row numbers are needed. Find the place of each word in words first.", "analogies"),
        "changes-words": ("The answer is right, but the list words has changed, and its order belongs to the rows of E. Work on a list of your own.", "analogies"),
        "returns-one-word": ("A string is returned, not a list. Return a list of k words, also for k = 1.", "analogies"),
        "returns-numbers": ("Something other than words is returned, such as row numbers, vectors or cosines. Return the words of "
                            "the best rows, words[row].", "analogies"),
        "ignores-k": ("The number of words is not k. Leave out a, b and c first, then return the best k of the others.", "analogies"),
        "renumbered": ("The words after an excluded one have moved: the row numbers no longer fit the words. Use the row numbers of E as it "
                       "was given.",
                       "analogy-excludes-inputs"),
        "numbers-from-1": ("The words are one place off. Rows and words both count from 0: row i of E belongs to words[i].", "analogies"),
        "wrong-form": ("The words are right, but their form is not. Return one list of k strings, best first.", "analogies"),
        "single-differences": ("The words are ranked by cosines with a, b and c one by one. Add the vectors first, then rank by the cosine with the sum.",
                               "analogies"),
    },
)


@exercise.probes
def _(make):
    def case(rows, width, k, near_inputs, dtype=torch.float32):
        """Words and vectors: k of them lie round the sum, of all lengths; with `near_inputs`, a and c lie nearer than they."""
        words = [WORDS[i] for i in torch.randperm(len(WORDS), generator=make.generator)[:rows].tolist()]
        while True:
            E = make.randn(rows, width, dtype=torch.float64) * torch.exp(make.randn(rows, 1, dtype=torch.float64) * 0.6)
            a, b, c, *others = torch.randperm(rows, generator=make.generator).tolist()
            if near_inputs:
                E[b] = 0.3 * E[b]
                E[c] = (0.9 if near_inputs > 1 else 0.2) * E[a] + 0.6 * E[c]
                if near_inputs > 2:
                    E[b] = 0.5 * (E[a] + E[c]) + 0.3 * E[b]
            target = E[a] - E[b] + E[c]
            for step, row in enumerate(others[:k + 1]):
                noise = make.randn(width, dtype=torch.float64) * target.norm() / width ** 0.5
                E[row] = (target + (0.35 + 0.25 * step) * noise) * torch.exp(make.randn(1, dtype=torch.float64) * 0.8)
            cosines = torch.cosine_similarity(E, target[None])
            ranked = cosines.argsort(descending=True).tolist()
            inputs = [row for row in (a, b, c) if row in ranked[:k]]
            if (cosines.sort().values.diff() < 0.004).any() or bool(near_inputs) != bool(inputs) or (near_inputs > 2 and b not in inputs):
                continue
            best = [row for row in ranked if row not in (a, b, c)][:k]
            units = F.normalize(E, dim=1)
            rivals = [E @ target, -(E - target).norm(dim=1), units @ (units[a] - units[b] + units[c]), units @ (units[a] + units[c] - units[b]) - 1]
            rivals += [units @ (s[0] * E[a] + s[1] * E[b] + s[2] * E[c]) for s in ((1, 1, -1), (-1, 1, 1), (1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))]
            alike = sum([row for row in rival.argsort(descending=True).tolist() if row not in (a, b, c)][:k] == best for rival in rivals)
            if alike <= (0 if k > 1 and not near_inputs else 8):
                return words[a], words[b], words[c], E.to(dtype), words, k

    group = "the sum"
    for name, rows, width, k in (("two of ten words", 10, 4, 2), ("three of thirteen words", 13, 5, 3), ("two of eleven words, width 3", 11, 3, 2)):
        yield make.probe(name, *case(rows + make.pick(0, 1, 2), width, k, 0), group=group)
    yield make.probe("one word", *case(make.pick(9, 10, 11), 6, 1, 0), group=group)
    yield make.probe("one word, k not given", *case(make.pick(12, 11, 10), 4, 1, 0)[:-1], group=group)
    yield make.probe("float64", *case(9, 5, 2, 0, dtype=torch.float64), group=group)
    yield make.probe("as many words as columns", *case(8, 8, 2, 0), group=group)
    group = "without the three words"
    yield make.probe("an input lies near the sum", *case(10, 4, 2, 1), group=group)
    yield make.probe("a and c lie near the sum", *case(make.pick(11, 12, 13), 5, 3, 2), group=group)
    yield make.probe("a, b and c lie near the sum", *case(12, 5, 3, 3), group=group)
    yield make.probe("one word, an input lies nearest", *case(10, 5, 1, 2)[:-1], group=group)
    a, b, c, E, words, k = case(10, 4, 2, 2)
    yield make.probe("all other words", a, b, c, E, words, 7, group=group)
    yield make.probe("a twice", *_twice(make), group=group, edge=True)
    yield make.probe("many words", *_many(make), group="the sum", long=True)


def _twice(make):
    """a and c are the same word."""
    words = WORDS[:9]
    while True:
        E = make.randn(9, 4)
        cosines = torch.cosine_similarity(E, (2 * E[1] - E[4])[None]).sort().values
        if (cosines.diff() > 0.01).all():
            return words[1], words[4], words[1], E, words, 2


def _many(make):
    E = torch.stack([torch.cos(torch.linspace(0.05, 3, 150)), torch.sin(torch.linspace(0.05, 3, 150))], dim=1)
    order = torch.randperm(150, generator=make.generator)
    words = [f"w{i}" for i in order.tolist()]
    a, b, c = (int(place) for place in (order == 3).nonzero()[0].tolist() + (order == 140).nonzero()[0].tolist() + (order == 9).nonzero()[0].tolist())
    return words[a], words[b], words[c], (E[order] * (1 + order[:, None] / 40)), words, 5


@exercise.right
def reference(a, b, c, E, words, k=1):
    rows = [words.index(word) for word in (a, b, c)]
    target = E[rows[0]] - E[rows[1]] + E[rows[2]]
    cosines = E @ target / (E.norm(dim=1) * target.norm())
    order = cosines.argsort(descending=True).tolist()
    best = [row for row in order if row not in rows][:k]
    return [words[row] for row in best]


@exercise.alternative("with nearest")
def _(a, b, c, E, words, k=1):
    i, j, l = words.index(a), words.index(b), words.index(c)
    found = nearest(E[i] - E[j] + E[l], E, k, exclude={i, j, l})
    return [words[int(row)] for row in found]


@exercise.alternative("a dict of rows, normalize, minus infinity")
def _(a, b, c, E, words, k=1):
    row = {word: number for number, word in enumerate(words)}
    vector = E[row[a]] + E[row[c]] - E[row[b]]
    scores = F.normalize(E, dim=1) @ F.normalize(vector, dim=0)
    scores[[row[a], row[b], row[c]]] = -torch.inf
    return [words[i] for i in scores.topk(k).indices]


@exercise.alternative("skips words by name")
def _(a, b, c, E, words, k=1):
    words = list(words)
    target = E[words.index(a)] - E[words.index(b)] + E[words.index(c)]
    ranked = sorted(zip(words, E), key=lambda item: -torch.cosine_similarity(item[1], target, dim=0).item())
    return tuple(word for word, _ in ranked if word not in {a, b, c})[:k]


@exercise.alternative("one matrix product with the signs")
def _(a, b, c, E, words, k=1):
    signs = torch.zeros(len(words), dtype=E.dtype)
    for word, sign in ((a, 1), (b, -1), (c, 1)):
        signs[words.index(word)] += sign
    target = signs @ E
    cosine = E @ target / E.norm(dim=1)
    out = []
    for number in torch.argsort(-cosine):
        if words[number] not in (a, b, c):
            out.append(words[number])
        if len(out) == k:
            break
    return out


@exercise.alternative("rows left out with a map back")
def _(a, b, c, E, words, k=1):
    target = E[words.index(c)] + (E[words.index(a)] - E[words.index(b)])
    rest = [i for i, word in enumerate(words) if word not in [a, b, c]]
    values, places = torch.cosine_similarity(E[rest], target.expand(len(rest), -1), dim=-1).sort(descending=True)
    return [words[rest[place]] for place in places[:k].tolist()]


SUM = "E[rows[0]] - E[rows[1]] + E[rows[2]]"
COSINE = "E @ target / (E.norm(dim=1) * target.norm())"
BEST = "[row for row in order if row not in rows][:k]"
END = "return [words[row] for row in best]"
for label, total in (("a + b − c", "E[rows[0]] + E[rows[1]] - E[rows[2]]"), ("a + b + c", "E[rows[0]] + E[rows[1]] + E[rows[2]]"),
                     ("a − b − c", "E[rows[0]] - E[rows[1]] - E[rows[2]]"), ("a − (b + c)", "E[rows[0]] - (E[rows[1]] + E[rows[2]])"),
                     ("a − b", "E[rows[0]] - E[rows[1]]"), ("a + c", "E[rows[0]] + E[rows[2]]"),
                     ("c − b − a", "E[rows[2]] - E[rows[1]] - E[rows[0]]")):
    vary(exercise, "sign", label, (SUM, total))
    if label in ("a + b − c", "a + b + c", "a − b − c"):
        vary(exercise, "sign", f"{label}, the three words not excluded", (SUM, total), (BEST, "order[:k]"))
for label, total in (("b − a + c", "E[rows[1]] - E[rows[0]] + E[rows[2]]"), ("c − b", "E[rows[2]] - E[rows[1]]"), ("c − a", "E[rows[2]] - E[rows[0]]"),
                     ("b − a", "E[rows[1]] - E[rows[0]]")):
    vary(exercise, "other-order", label, (SUM, total))
    vary(exercise, "other-order", f"{label}, the three words not excluded", (SUM, total), (BEST, "order[:k]"))
UNIT = ("target =", "U = F.normalize(E, dim=1)\n    target =")
vary(exercise, "normalizes-first", "unit vectors added", UNIT, (SUM, "U[rows[0]] - U[rows[1]] + U[rows[2]]"))
vary(exercise, "normalizes-first", "unit vectors added, not excluded", UNIT, (SUM, "U[rows[0]] - U[rows[1]] + U[rows[2]]"), (BEST, "order[:k]"))
vary(exercise, "normalizes-first", "the sum of cosines", UNIT, (COSINE, "U @ U[rows[0]] - U @ U[rows[1]] + U @ U[rows[2]]"))
vary(exercise, "single-differences", "a product of cosines", UNIT,
     (COSINE, "(1 + U @ U[rows[0]]) * (1 + U @ U[rows[2]]) / (1 + U @ U[rows[1]] + 0.001)"))
vary(exercise, "single-differences", "the smallest of two cosines", UNIT, (COSINE, "torch.minimum(U @ U[rows[0]], U @ U[rows[2]])"))
vary(exercise, "single-differences", "the cosine of the differences",
     (COSINE, "torch.cosine_similarity(E - E[rows[2]], (E[rows[0]] - E[rows[1]])[None])"))
vary(exercise, "single-differences", "the cosine of the other differences",
     (COSINE, "torch.cosine_similarity(E - E[rows[0]], (E[rows[2]] - E[rows[1]])[None])"))
vary(exercise, "returns-an-input", "nothing excluded", (BEST, "order[:k]"))
vary(exercise, "returns-an-input", "only the best is dropped", (BEST, "order[1:k + 1] if order[0] in rows else order[:k]"))
for label, left in (("a", "rows[:1]"), ("b", "rows[1:2]"), ("c", "rows[2:]"), ("a and b", "rows[:2]"), ("a and c", "rows[::2]"), ("b and c", "rows[1:]")):
    vary(exercise, "excludes-too-few", f"only {label} excluded", (BEST, f"[row for row in order if row not in {left}][:k]"))
vary(exercise, "too-few", "taken out of the best k", (BEST, "[row for row in order[:k] if row not in rows]"))
vary(exercise, "dot-product", "E times the sum", (COSINE, "E @ target"))
vary(exercise, "dot-product", "only the sum has length 1", (COSINE, "E @ target / target.norm()"))
vary(exercise, "dot-product", "not excluded", (COSINE, "E @ target"), (BEST, "order[:k]"))
vary(exercise, "euclidean", "norm of the difference", (COSINE, "-(E - target).norm(dim=1)"))
vary(exercise, "euclidean", "not excluded", (COSINE, "-(E - target).norm(dim=1)"), (BEST, "order[:k]"))
vary(exercise, "euclidean", "sum of differences", (COSINE, "-(E - target).abs().sum(dim=1)"))
vary(exercise, "farthest-first", "ascending", ("argsort(descending=True)", "argsort()"))
vary(exercise, "farthest-first", "the distance, descending", (COSINE, "(E - target).norm(dim=1)"))
vary(exercise, "wrong-order", "the best k backwards", (END, "return [words[row] for row in best][::-1]"))
vary(exercise, "wrong-order", "by the alphabet", (END, "return sorted((words[row] for row in best))"))
vary(exercise, "wrong-order", "by row number", (END, "return [words[row] for row in sorted(best)]"))
vary(exercise, "wrong-axis", "lengths of the columns", (COSINE, "E / E.norm(dim=0) @ target"))
vary(exercise, "wrong-axis", "normalize along the first axis", (COSINE, "F.normalize(E, dim=0) @ F.normalize(target, dim=0)"))
vary(exercise, "wrong-axis", "cosine_similarity along 0", (COSINE, "F.cosine_similarity(E, target, dim=0)"))
vary(exercise, "wrong-axis", "target @ E", (COSINE, "target @ E"))
vary(exercise, "absolute-value", "abs", (COSINE, f"({COSINE}).abs()"))
vary(exercise, "excluded-as-zero", "cosine 0", (COSINE, f"{COSINE}\n    cosines[rows] = 0"), (BEST, "order[:k]"))
vary(exercise, "excluded-as-zero", "cosine 0, topk", (COSINE, f"{COSINE}\n    cosines[rows] = 0"), (BEST, "cosines.topk(k).indices.tolist()"))
vary(exercise, "drops-three", "from the fourth on", (BEST, "order[3:k + 3]"))
vary(exercise, "words-as-rows", "given to nearest", (END, "return [words[int(row)] for row in nearest(target, E, k, exclude=[a, b, c])]"))
vary(exercise, "words-as-rows", "as an index", (COSINE, f"{COSINE}\n    cosines[[a, b, c]] = -torch.inf"))
vary(exercise, "words-as-rows", "looked up in E", (SUM, "E[a] - E[b] + E[c]"))
vary(exercise, "returns-one-word", "the first of the list", (END, "return words[best[0]]"))
vary(exercise, "returns-one-word", "for k = 1 only", (END, "return words[best[0]] if k == 1 else [words[row] for row in best]"))
vary(exercise, "returns-one-word", "a text of all", (END, "return ' '.join((words[row] for row in best))"))
vary(exercise, "returns-one-word", "a text of all, with commas", (END, "return ', '.join((words[row] for row in best))"))
vary(exercise, "returns-numbers", "a list", (END, "return best"))
vary(exercise, "returns-numbers", "a tensor", (END, "return torch.tensor(best)"))
vary(exercise, "returns-numbers", "the vectors", (END, "return E[best]"))
vary(exercise, "returns-numbers", "the first number", (END, "return best[0]"))
vary(exercise, "returns-numbers", "the cosines", (END, "return cosines[best].tolist()"))
vary(exercise, "ignores-k", "always one", (BEST, "[row for row in order if row not in rows][:1]"))
vary(exercise, "ignores-k", "one more", (BEST, "[row for row in order if row not in rows][:k + 1]"))
vary(exercise, "ignores-k", "what is left of k + 3", (BEST, "[row for row in order[:k + 3] if row not in rows]"))
vary(exercise, "ignores-k", "all", (BEST, "[row for row in order if row not in rows]"))
vary(exercise, "ignores-k", "the k-th alone", (BEST, "[row for row in order if row not in rows][k - 1:k]"))
RENUMBERED = """
def analogy(a, b, c, E, words, k=1):
    rows = [words.index(word) for word in (a, b, c)]
    target = E[rows[0]] - E[rows[1]] + E[rows[2]]
    rest = [row for row in range(len(words)) if row not in rows]
    cosines = torch.cosine_similarity(E[rest], target[None])
    return [words[row] for row in cosines.argsort(descending=True)[:k]]
"""
vary(exercise, "renumbered", "rows left out of E alone", base=RENUMBERED)
vary(exercise, "renumbered", "words left out of the list alone", (END, "rest = [word for word in words if word not in (a, b, c)]\n    return [rest[row % len(rest)] for row in best]"))
vary(exercise, "renumbered", "words left out of the list alone, an error at its end", (END, "rest = [word for word in words if word not in (a, b, c)]\n    return [rest[row] for row in best]"))
vary(exercise, "renumbered", "words left out of the list alone, short at its end", (END, "rest = [word for word in words if word not in (a, b, c)]\n    return [rest[row] for row in best if row < len(rest)]"))
vary(exercise, "renumbered", "words left out of the list alone, nothing excluded", (END, "rest = [word for word in words if word not in (a, b, c)]\n    return [rest[row] for row in order[:k]]"))
vary(exercise, "renumbered", "words left out of the list alone, nothing excluded, short at its end", (END, "rest = [word for word in words if word not in (a, b, c)]\n    return [rest[row] for row in order if row < len(rest)][:k]"))
vary(exercise, "renumbered", "words left out of the list alone, too few at its end", (END, "rest = [word for word in words if word not in (a, b, c)]\n    return [rest[row] for row in order[:k] if row < len(rest)]"))
vary(exercise, "numbers-from-1", "minus 1", (END, "return [words[row - 1] for row in best]"))
vary(exercise, "wrong-form", "with the cosines", (END, "return [(words[row], cosines[row].item()) for row in best]"))
vary(exercise, "wrong-form", "a set", (END, "return {words[row] for row in best}"))
vary(exercise, "wrong-form", "a dict", (END, "return {words[row]: cosines[row].item() for row in best}"))
vary(exercise, "wrong-form", "a list in a list", (END, "return [[words[row] for row in best]]"))
vary(exercise, "wrong-form", "a list of lists", (END, "return [[words[row]] for row in best]"))
vary(exercise, "wrong-form", "words and cosines", (END, "return ([words[row] for row in best], cosines[best])"))
vary(exercise, "changes-words", "words removed from the list", (END, "found = [words[row] for row in best]\n    for word in {a, b, c}:\n        words.remove(word)\n    return found"))
vary(exercise, "changes-input", "the rows of E overwritten", (END, "found = [words[row] for row in best]\n    E[rows] = 0\n    return found"))
vary(exercise, "changes-input", "the sum written into E", (SUM, "E[rows[0]]\n    target -= E[rows[1]]\n    target += E[rows[2]]"))
vary(exercise, "returns-nothing", "no return", (END, "[words[row] for row in best]"))


@exercise.wrong("ready-made", "the library's own")
def _(a, b, c, E, words, k=1):
    from allyouneed.embeddings import analogy as solve
    return solve(a, b, c, E, words, k)
