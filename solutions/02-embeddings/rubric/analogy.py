"""analogy: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, every, full

WORDS = ("king man woman queen tower bridge river apple lemon sushi paris berlin doctor nurse chair table "
         "mouse horse green yellow seven eleven "
         "winter summer north south").split()

exercise = Exercise(
    "analogy",
    points={"the sum": 2, "without the three words": 1},
    section="analogies",
)


@exercise.probes
def probes(make):
    def case(rows, width, k, near_inputs, dtype=torch.float32):
        """Words and vectors: k of them lie round the sum, of all lengths; with `near_inputs`, a and c lie
        nearer than they."""
        words = [WORDS[i] for i in torch.randperm(len(WORDS), generator=make.generator)[:rows].tolist()]
        while True:
            E = (make.randn(rows, width, dtype=torch.float64)
                 * torch.exp(make.randn(rows, 1, dtype=torch.float64) * 0.6))
            a, b, c, *others = torch.randperm(rows, generator=make.generator).tolist()
            if near_inputs:
                E[b] = 0.3 * E[b]
                E[c] = (0.9 if near_inputs > 1 else 0.2) * E[a] + 0.6 * E[c]
                if near_inputs > 2:
                    E[b] = 0.5 * (E[a] + E[c]) + 0.3 * E[b]
            target = E[a] - E[b] + E[c]
            for step, row in enumerate(others[:k + 1]):
                noise = make.randn(width, dtype=torch.float64) * target.norm() / width ** 0.5
                E[row] = (target + (0.35 + 0.25 * step)
                          * noise) * torch.exp(make.randn(1, dtype=torch.float64) * 0.8)
            cosines = torch.cosine_similarity(E, target[None])
            ranked = cosines.argsort(descending=True).tolist()
            inputs = [row for row in (a, b, c) if row in ranked[:k]]
            if (cosines.sort().values.diff() < 0.004).any() \
                    or bool(near_inputs) != bool(inputs) or (near_inputs > 2 and b not in inputs):
                continue
            best = [row for row in ranked if row not in (a, b, c)][:k]
            units = F.normalize(E, dim=1)
            rivals = [E @ target, -(E - target).norm(dim=1), units @ (units[a] - units[b] + units[c]),
                      units @ (units[a] + units[c] - units[b]) - 1]
            rivals += [units @ (s[0] * E[a] + s[1] * E[b] + s[2] * E[c])
                       for s in ((1, 1, -1), (-1, 1, 1), (1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))]
            alike = sum([row for row in rival.argsort(descending=True).tolist()
                         if row not in (a, b, c)][:k] == best for rival in rivals)
            if alike <= (0 if k > 1 and not near_inputs else 8):
                return words[a], words[b], words[c], E.to(dtype), words, k

    group = "the sum"
    for name, rows, width, k in (("two of ten words", 10, 4, 2), ("three of thirteen words", 13, 5, 3),
                                 ("two of eleven words, width 3", 11, 3, 2)):
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
    E = make.pick(1, 2, 3) * torch.tensor([[3.0, 1.0], [2.0, 2.0], [1.0, 1.0], [-5.0, 1.0], [-3.0, 0.0]])
    words = WORDS[make.pick(0, 1, 2):][:5]
    yield make.probe("the others lie opposite", *words[:3], E, words, 2, group=group, edge=True)


def _twice(make):
    """a and c are the same word, and it matters that its vector is added twice."""
    words = WORDS[:9]
    while True:
        E = make.randn(9, 4)
        cosines = [torch.cosine_similarity(E, (times * E[1] - E[4])[None]) for times in (1, 2)]
        once, twice = ([row for row in of.argsort(descending=True).tolist() if row not in (1, 4)][:2]
                       for of in cosines)
        if (cosines[1].sort().values.diff() > 0.01).all() and once != twice:
            return words[1], words[4], words[1], E, words, 2


def _many(make):
    E = torch.stack([torch.cos(torch.linspace(0.05, 3, 150)), torch.sin(torch.linspace(0.05, 3, 150))], dim=1)
    order = torch.randperm(150, generator=make.generator)
    words = [f"w{i}" for i in order.tolist()]
    a, b, c = (int(place) for place in (order == 3).nonzero()[0].tolist()
               + (order == 140).nonzero()[0].tolist() + (order == 9).nonzero()[0].tolist())
    return words[a], words[b], words[c], (E[order] * (1 + order[:, None] / 40)), words, 5


@exercise.right
def reference(a, b, c, E, words, k=1):
    rows = [words.index(word) for word in (a, b, c)]
    target = E[rows[0]] - E[rows[1]] + E[rows[2]]
    cosines = E @ target / (E.norm(dim=1) * target.norm())
    order = cosines.argsort(descending=True).tolist()
    best = [row for row in order if row not in rows][:k]
    return [words[row] for row in best]


@exercise.right("a dict of rows, normalize, minus infinity")
def dict_rows(a, b, c, E, words, k=1):
    row = {word: number for number, word in enumerate(words)}
    vector = E[row[a]] + E[row[c]] - E[row[b]]
    scores = F.normalize(E, dim=1) @ F.normalize(vector, dim=0)
    scores[[row[a], row[b], row[c]]] = -torch.inf
    return [words[i] for i in scores.topk(k).indices]


@exercise.right("one matrix product with the signs")
def one_matrix(a, b, c, E, words, k=1):
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


@exercise.right("rows left out with a map back")
def rows_left(a, b, c, E, words, k=1):
    target = E[words.index(c)] + (E[words.index(a)] - E[words.index(b)])
    rest = [i for i, word in enumerate(words) if word not in [a, b, c]]
    values, places = torch.cosine_similarity(E[rest], target.expand(len(rest), -1),
                                             dim=-1).sort(descending=True)
    return [words[rest[place]] for place in places[:k].tolist()]


NOTHING_EXCLUDED = {"[row for row in order if row not in rows]": "order"}
REST_RETURN = ("rest = [word for word in words if word not in (a, b, c)]\n"
               "return")
COSINES = "cosines = E @ target / (E.norm(dim=1) * target.norm())"

exercise.also_right(
    full("i, j, l = words.index(a), words.index(b), words.index(c)\n"
         "found = nearest(E[i] - E[j] + E[l], E, k, exclude={i, j, l})\n"
         "return [words[int(row)] for row in found]", "with nearest"),
    full("target = E[words.index(a)] - E[words.index(b)] + E[words.index(c)]\n"
         "ranked = sorted(zip(words, E), key=lambda item: -torch.cosine_similarity(item[1], target, "
         "dim=0).item())\n"
         "return tuple(word for word, _ in ranked if word not in {a, b, c})[:k]", "skips words by name"))

exercise.mistake("sign", "analogies",
    "The signs are not E[a] − E[b] + E[c]. Take b away from a, and add c: king − man + woman.",
    edit(reference, {"- E[rows[1]] + E": "+ E[rows[1]] - E"}, "a + b − c"),
    edit(reference, NOTHING_EXCLUDED | {"- E[rows[1]] + E": "+ E[rows[1]] - E"},
         "a + b − c, the three words not excluded"),
    edit(reference, {"[rows[0]] -": "[rows[0]] +"}, "a + b + c"),
    edit(reference, NOTHING_EXCLUDED | {"[rows[0]] -": "[rows[0]] +"},
         "a + b + c, the three words not excluded"),
    edit(reference, {"[rows[1]] +": "[rows[1]] -"}, "a − b − c"),
    edit(reference, NOTHING_EXCLUDED | {"[rows[1]] +": "[rows[1]] -"},
         "a − b − c, the three words not excluded"),
    edit(reference, {" + E[rows[2]]": ""}, "a − b"),
    edit(reference, {"]] - E[rows[1": ""}, "a + c"),
    edit(reference, {"rows[0]": "rows[2]", "+ E[rows[2]]": "- E[rows[0]]"}, "c − b − a"))

exercise.mistake("other-order", "analogies",
    "The three words play the wrong parts. The sum is E[a] − E[b] + E[c], with a, b and c in the order of "
    "the arguments.",
    edit(reference, {"rows[0]": "rows[1]", "rows[1]": "rows[0]"}, "b − a + c"),
    edit(reference, NOTHING_EXCLUDED | {"rows[0]": "rows[1]",
                                        "rows[1]": "rows[0]"}, "b − a + c, the three words not excluded"),
    edit(reference, {"rows[0]": "rows[2]", " + E[rows[2]]": ""}, "c − b"),
    edit(reference, NOTHING_EXCLUDED | {"rows[0]": "rows[2]",
                                        " + E[rows[2]]": ""}, "c − b, the three words not excluded"),
    edit(reference, {"E[rows[0]] - E[rows[1]] + E[rows[2]]": "E[rows[2]] - E[rows[0]]"}, "c − a"),
    edit(reference, NOTHING_EXCLUDED | {"E[rows[0]] - E[rows[1]] + E[rows[2]]": "E[rows[2]] - E[rows[0]]"},
         "c − a, the three words not excluded"),
    edit(reference, {"E[rows[0]] - E[rows[1]] + E[rows[2]]": "E[rows[1]] - E[rows[0]]"}, "b − a"),
    edit(reference, NOTHING_EXCLUDED | {"E[rows[0]] - E[rows[1]] + E[rows[2]]": "E[rows[1]] - E[rows[0]]"},
         "b − a, the three words not excluded"))

exercise.mistake("same-word-once", "analogies",
    "Where a and c are the same word, its vector is added once only. It belongs into the sum twice: add to "
    "the sign that stands there already.",
    edit(one_matrix, {"+= sign": "= sign"}))

exercise.mistake("normalizes-first", "analogies",
    "The vectors are brought to length 1 before they are added. Here the sum is of the raw rows; the "
    "cosine comes after it.",
    edit(reference, {"target =": "U = F.normalize(E, dim=1)\ntarget =",
                     every("E["): "U["}, "unit vectors added"),
    edit(reference, NOTHING_EXCLUDED | {"target =": "U = F.normalize(E, dim=1)\ntarget =",
                                        every("E["): "U["}, "unit vectors added, not excluded"))

exercise.mistake("single-differences", "analogies",
    "The words are ranked by cosines with a, b and c one by one. Add the vectors first, then rank by the "
    "cosine with the sum.",
    edit(reference, {"target =": "U = F.normalize(E, dim=1)\ntarget =",
                     COSINES:
                     "cosines = (1 + U @ U[rows[0]]) * (1 + U @ U[rows[2]]) / (1 + U @ U[rows[1]] + 0.001)"},
         "a product of cosines"),
    edit(reference, {"target =": "U = F.normalize(E, dim=1)\ntarget =",
                     COSINES: "cosines = torch.minimum(U @ U[rows[0]], U @ U[rows[2]])"},
         "the smallest of two cosines"))

exercise.mistake("differences-compared", "analogies",
    "The step from c to each word is compared with the step from b to a, or that from a with the one from b "
    "to c. The word itself must point as the sum does: rank by its cosine with E[a] − E[b] + E[c].",
    edit(reference, {COSINES:
                     "cosines = torch.cosine_similarity(E - E[rows[2]], (E[rows[0]] - E[rows[1]])[None])"},
         "the cosine of the differences"),
    edit(reference, {COSINES:
                     "cosines = torch.cosine_similarity(E - E[rows[0]], (E[rows[2]] - E[rows[1]])[None])"},
         "the cosine of the other differences"))

exercise.mistake("returns-an-input", "analogy-excludes-inputs",
    "One of the three words itself is returned: the sum often lies nearest to a or c. Exclude a, b and c.",
    edit(reference, NOTHING_EXCLUDED, "nothing excluded"),
    edit(reference, {"[row for row in order if row not in rows]":
                     "order[1 : k + 1] if order[0] in rows else order"}, "only the best is dropped"))

exercise.mistake("excludes-too-few", "analogy-excludes-inputs",
    "Not all of the three words are excluded. Leave out a, b and c.",
    edit(reference, {"in rows": "in rows[:1]"}, "only a excluded"),
    edit(reference, {"in rows": "in rows[1:2]"}, "only b excluded"),
    edit(reference, {"in rows": "in rows[2:]"}, "only c excluded"),
    edit(reference, {"in rows": "in rows[:2]"}, "only a and b excluded"),
    edit(reference, {"in rows": "in rows[::2]"}, "only a and c excluded"),
    edit(reference, {"in rows": "in rows[1:]"}, "only b and c excluded"))

exercise.mistake("too-few", "analogy-excludes-inputs",
    "The three words are taken out of the best k, so fewer than k are left. Exclude them before you take k.",
    edit(reference, {"if": "[:k] if"}, "taken out of the best k"))

exercise.mistake("dot-product", "cosine-similarity",
    "The words are ranked by the dot product with the sum, so long vectors win. Rank by cosine.",
    edit(reference, {" / (E.norm(dim=1) * target.norm())": ""}, "E times the sum"),
    edit(reference, NOTHING_EXCLUDED | {" / (E.norm(dim=1) * target.norm())": ""}, "not excluded"))

exercise.mistake("euclidean", "cosine-similarity",
    "The words are ranked by their distance from the sum. Rank by cosine: directions alone count.",
    edit(reference, {"E @ target / (E.norm(dim=1) * target.norm())": "-(E - target).norm(dim=1)"},
         "norm of the difference"),
    edit(reference, NOTHING_EXCLUDED | {"E @ target / (E.norm(dim=1) * target.norm())":
                                        "-(E - target).norm(dim=1)"}, "not excluded"),
    edit(reference, {"E @ target / (E.norm(dim=1) * target.norm())": "-(E - target).abs().sum(dim=1)"},
         "sum of differences"))

exercise.mistake("farthest-first", "nearest-neighbours",
    "The farthest words are returned. The best has the largest cosine.",
    edit(reference, {"descending=True": ""}, "ascending"),
    edit(reference, {"E @ target / (E.norm(dim=1) * target.norm())": "(E - target).norm(dim=1)"},
         "the distance, descending"))

exercise.mistake("wrong-order", "nearest-neighbours",
    "The right words come in the wrong order. Put the best first.",
    edit(reference, {"best]": "best][::-1]"}, "the best k backwards"),
    edit(reference, {"[words[row] for row in best]": "sorted((words[row] for row in best))"},
         "by the alphabet"),
    edit(reference, {"in best": "in sorted(best)"}, "by row number"))

exercise.mistake("wrong-axis", "cosine-similarity",
    "The lengths are taken along the wrong axis, or the columns of E are compared. Each row of E is a word.",
    edit(reference, {"E @ target / (E.norm(dim=1) * target.norm())": "E / E.norm(dim=0) @ target"},
         "lengths of the columns"),
    edit(reference, {"E @ target / (E.norm(dim=1) * target.norm())": "F.cosine_similarity(E, target, dim=0)"},
         "cosine_similarity along 0"),
    edit(reference, {COSINES: "cosines = target @ E"}, "target @ E"))

exercise.mistake("absolute-value", "cosine-similarity",
    "The sign of the cosine is lost, so words that point the other way count as near. Rank by the cosine "
    "itself.",
    edit(reference, {"E @ target": "(E @ target", "norm())": "norm())).abs()"}, "abs"))

exercise.mistake("excluded-as-zero", "analogy-excludes-inputs",
    "The three words get the cosine 0 or -1, which another word may have, or be below. Give them minus "
    "infinity, or leave them out.",
    edit(reference, NOTHING_EXCLUDED | {"order =": "cosines[rows] = 0\norder ="}, "cosine 0"),
    edit(reference, {"order =": "cosines[rows] = 0\norder =",
                     "best = [row for row in order if row not in rows][:k]":
                     "best = cosines.topk(k).indices.tolist()"}, "cosine 0, topk"),
    edit(dict_rows, {"-torch.inf": "-1.0"}, "cosine -1"))

exercise.mistake("drops-three", "analogy-excludes-inputs",
    "The best three are dropped, whichever they are. Leave out a, b and c, wherever they rank.",
    edit(reference, {"[row for row in order if row not in rows][:k]": "order[3 : k + 3]"},
         "from the fourth on"))

exercise.mistake("words-as-rows", "analogies",
    "The words themselves stand where their row numbers are needed. Find the place of each word in words "
    "first.",
    edit(reference, {"best]": "nearest(target, E, k, exclude=[a, b, c])]"}, "given to nearest"),
    edit(reference, {"order =": "cosines[[a, b, c]] = -torch.inf\norder ="}, "as an index"),
    edit(reference, {"rows[0]": "a", "rows[1]": "b", "[rows[2]]": "[c]"}, "looked up in E"))

exercise.mistake("returns-one-word", "analogies",
    "A string is returned, not a list. Return a list of k words, also for k = 1.",
    edit(reference, {"[words[row] for row in best]": "words[best[0]]"}, "the first of the list"),
    edit(reference, {"return": "return words[best[0]] if k == 1 else"}, "for k = 1 only"),
    edit(reference, {"[words[row] for row in best]": '" ".join((words[row] for row in best))'},
         "a text of all"),
    edit(reference, {"[words[row] for row in best]": '", ".join((words[row] for row in best))'},
         "a text of all, with commas"))

exercise.mistake("returns-numbers", "analogies",
    "Something other than words is returned, such as row numbers, vectors or cosines. Return the words of "
    "the best rows, words[row].",
    edit(reference, {"return [words[row] for row in best]": "return best"}, "a list"),
    edit(reference, {"return [words[row] for row in best]": "return torch.tensor(best)"}, "a tensor"),
    edit(reference, {"[words[row] for row in best]": "E[ best]"}, "the vectors"),
    edit(reference, {"[words[row] for row in best]": "best[0]"}, "the first number"),
    edit(reference, {"[words[row] for row in best]": "cosines[best].tolist()"}, "the cosines"))

exercise.mistake("ignores-k", "analogies",
    "The number of words is not k. Leave out a, b and c first, then return the best k of the others.",
    edit(reference, {"rows][:k": "rows][:1"}, "always one"),
    edit(reference, {"rows][:k": "rows][:k + 1"}, "one more"),
    edit(reference, {"if": "[: k + 3] if", "rows][:k]": "rows]"}, "what is left of k + 3"),
    edit(reference, {"rows][:k]": "rows]"}, "all"),
    edit(reference, {"rows][:": "rows][k - 1:"}, "the k-th alone"))

exercise.mistake("renumbered", "analogy-excludes-inputs",
    "The words after an excluded one have moved: the row numbers no longer fit the words. Use the row "
    "numbers of E as it was given.",
    full("rows = [words.index(word) for word in (a, b, c)]\n"
         "target = E[rows[0]] - E[rows[1]] + E[rows[2]]\n"
         "rest = [row for row in range(len(words)) if row not in rows]\n"
         "cosines = torch.cosine_similarity(E[rest], target[None])\n"
         "return [words[row] for row in cosines.argsort(descending=True)[:k]]", "rows left out of E alone"),
    edit(reference, {"return": REST_RETURN,
                     "words[row]": "rest[row % len(rest)]"}, "words left out of the list alone"),
    edit(reference, {"return": REST_RETURN,
                     "words[row]": "rest[row]"}, "words left out of the list alone, an error at its end"),
    edit(reference, {"return": REST_RETURN, "words[row]": "rest[row]",
                     "in best": "in best if row < len(rest)"},
         "words left out of the list alone, short at its end"),
    edit(reference, {"return": REST_RETURN,
                     "[words[row] for row in best]": "[rest[row] for row in order[:k]]"},
         "words left out of the list alone, nothing excluded"),
    edit(reference, {"return": REST_RETURN,
                     "[words[row] for row in best]": "[rest[row] for row in order if row < len(rest)][:k]"},
         "words left out of the list alone, nothing excluded, short at its end"),
    edit(reference, {"return": REST_RETURN,
                     "[words[row] for row in best]": "[rest[row] for row in order[:k] if row < len(rest)]"},
         "words left out of the list alone, too few at its end"))

exercise.mistake("numbers-from-1", "analogies",
    "The words are one place off. Rows and words both count from 0: row i of E belongs to words[i].",
    edit(reference, {"[row]": "[row - 1]"}, "minus 1"))

exercise.mistake("wrong-form", "analogies",
    "The words are right, but their form is not. Return one list of k strings, best first.",
    edit(reference, {"words[row]": "(words[row], cosines[row].item())"}, "with the cosines"),
    edit(reference, {"[words[row] for row in best]": "{words[row] for row in best}"}, "a set"),
    edit(reference, {"[words[row] for row in best]": "{words[row]: cosines[row].item() for row in best}"},
         "a dict"),
    edit(reference, {"return": "return[", "best]": "best]]"}, "a list in a list"),
    edit(reference, {"[words[row": "[[words[row]"}, "a list of lists"),
    edit(reference, {"best]": "best], cosines[best]"}, "words and cosines"))

exercise.mistake("changes-words", "analogies",
    "The answer is right, but the list words has changed, and its order belongs to the rows of E. Work on "
    "a list of your own.",
    edit(reference, {"return": "found =",
                     "best]": "best]\n"
                              "for word in {a, b, c}:\n"
                              "    words.remove(word)\n"
                              "return found"}, "words removed from the list"))

exercise.built_in("changes-input",
    edit(reference, {"return": "found =",
                     "best]": "best]\n"
                              "E[rows] = 0\n"
                              "return found"}, "the rows of E overwritten"),
    edit(reference, {" - E[rows[1]] + E[rows[2]]": "",
                     "cosines =": "target -= E[rows[1]]\n"
                                  "target += E[rows[2]]\n"
                                  "cosines ="}, "the sum written into E"))

exercise.built_in("returns-nothing",
    full("rows = [words.index(word) for word in (a, b, c)]\n"
         "target = E[rows[0]] - E[rows[1]] + E[rows[2]]\n"
         "cosines = E @ target / (E.norm(dim=1) * target.norm())\n"
         "order = cosines.argsort(descending=True).tolist()\n"
         "best = [row for row in order if row not in rows][:k]\n"
         "[words[row] for row in best]", "no return"))

exercise.built_in("ready-made",
    full("from allyouneed.text.embeddings import analogy as solve\n"
         "return solve(a, b, c, E, words, k)", "the library's own"))

exercise.equal("the length of the sum does not change the order", {
    "* target.norm()": ("/ target.norm()", ""), "F.normalize(vector, dim=0)": "vector"})
exercise.equal("there are as many words as rows, and torch lines the sum up with them by itself", {
    "len(words), dtype": "len(E), dtype", "target.expand(len(rest), -1)": "target"})
exercise.equal("the cosine of two vectors has no order, and the second axis is meant where none is given", {
    "E[rest], target.expand(len(rest), -1)": "target.expand(len(rest), -1), E[rest]",
    "item[1], target": "target, item[1]", "E, dim=1": "E", ", dim=-1": ""})
exercise.equal("a number in a tensor is a place in a list and a key to sort by like a plain one", {
    ".tolist()": "", "int(row)": "row", ".item()": ""})
