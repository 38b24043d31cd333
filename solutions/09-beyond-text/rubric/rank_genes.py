"""rank_genes: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "rank_genes",
    points={"ranking": 2, "one gene, all genes, fine differences": 1},
    section="cells-as-ranked-genes",
)


@exercise.probes
def probes(make):
    def table(cells, genes, dtype=torch.float32, low=0.15):
        """Distinct values of very different genes, mostly positive; no two of a row are close."""
        scale = torch.exp(0.9 * make.randn(genes, dtype=torch.float64))
        while True:
            values = (make.randn(cells, genes, dtype=torch.float64).abs() * scale
                      + make.randn(genes, dtype=torch.float64).abs() - low * 4)
            if values.sort(dim=1).values.diff(dim=1).min() > (0.004 if cells < 20 else 1e-5):
                return values.to(dtype)

    yield make.probe("two cells of four genes",
                     torch.tensor(make.pick([[1.0, 0.5, 4.0, 2.0], [3.0, 7.0, -1.0, 6.0]],
                                            [[2.0, 5.0, 0.3, 1.0], [8.0, 1.5, 3.0, -2.0]],
                                            [[0.2, 3.0, 1.0, 6.0], [5.0, -3.0, 2.5, 4.0]])),
                     2, group="ranking")
    for name, sizes in (("all sizes different", make.pick((4, 7, 3), (3, 8, 5), (5, 9, 4))),
                        ("more cells than genes", make.pick((8, 5, 3), (9, 6, 4), (7, 6, 2))),
                        ("more genes", make.pick((3, 12, 5), (4, 11, 6), (5, 14, 4)))):
        cells, genes, k = sizes
        yield make.probe(name, table(cells, genes), k, group="ranking")
    yield make.probe("as many cells as genes", table(*make.pick((5, 5), (6, 6), (4, 4))), 3, group="ranking",
                     edge=True)
    yield make.probe("k as large as the number of cells", table(*make.pick((4, 8), (5, 9), (3, 7))),
                     make.pick(4, 5, 3), group="ranking", edge=True)
    yield make.probe("values below zero", table(*make.pick((4, 6), (5, 7), (3, 8))) - 1.4, make.pick(4, 5, 5),
                     group="ranking")
    yield make.probe("not contiguous", table(*make.pick((4, 6), (5, 7), (3, 8))), 3, group="ranking",
                     edge=True, strided=True)
    yield make.probe("a long table", table(160, 12), 6, group="ranking", long=True)
    group = {"group": "one gene, all genes, fine differences", "edge": True}
    yield make.probe("the best gene alone", table(*make.pick((4, 6), (3, 5), (5, 7))), 1, **group)
    yield make.probe("all genes", table(*make.pick((3, 5), (4, 6), (2, 7))), make.pick(5, 6, 7), **group)
    yield make.probe("one cell", table(1, make.pick(6, 7, 5)), 3, **group)
    cells, genes = make.pick((3, 6), (4, 5), (5, 7))
    fine = torch.stack([torch.randperm(genes, generator=make.generator) for _ in range(cells)]).double()
    yield make.probe("fine differences in float64", 3 + fine * 1e-9, make.pick(4, 3, 5), **group)
    yield make.probe("differences below 1", 0.2 + fine.flip(1).float() / 10, make.pick(3, 4, 6), **group)
    large = torch.stack([torch.randperm(genes + 1, generator=make.generator)
                         for _ in range(cells)]).float() * 230 + 20
    yield make.probe("values of hundreds", large, genes, **group)
    yield make.probe("hundreds below zero", -large.flip(1), genes, **group)
    far = make.pick([[5.0, -3e9, 3.0, -2e9], [-4e9, 2.0, -2e9, 7.0]],
                    [[-2e9, 4.0, -5e9, 6.0], [3.0, -4e9, -2e9, 8.0]],
                    [[-3e9, -2e9, 9.0, 2.0], [1.0, 5.0, -2e9, -6e9]])
    yield make.probe("values of billions below zero", torch.tensor(far), 4, **group)


@exercise.right
def reference(expression, k):
    return torch.sort(expression, dim=-1, descending=True).indices[:, :k]


@exercise.right("topk")
def by_topk(expression, k):
    values, genes = torch.topk(expression, k, dim=1)
    return genes


@exercise.right("argsort, descending")
def argsort_descending(expression, k):
    order = torch.argsort(expression, dim=-1, descending=True)
    best = order[:, :k]
    return best


@exercise.right("argsort of the negative, stable")
def argsort_negative(expression, k):
    x = -expression
    order = x.argsort(dim=1, stable=True)
    return order[..., :k]


@exercise.right("plain Python")
def plain_python(expression, k):
    rows = []
    for cell in expression.tolist():
        ids = sorted(range(len(cell)), key=lambda g: cell[g], reverse=True)
        rows.append(ids[:k])
    return torch.tensor(rows)


@exercise.right("one best after the other")
def one_best(expression, k):
    left = expression.clone()
    chosen = []
    for _ in range(k):
        g = left.argmax(dim=1, keepdim=True)
        chosen.append(g)
        left.scatter_(1, g, -torch.inf)
    return torch.cat(chosen, dim=1)


@exercise.right("transposed there and back")
def transposed(expression, k):
    order = expression.T.argsort(dim=0, descending=True).T
    best = order[:, :k]
    return best


exercise.also_right(
    edit(plain_python, {"torch.tensor(rows)": "rows"}, "plain Python, a list"),
    edit(argsort_descending, {"True": "False", "= order": "= order.flip(-1)"}, "the last ones, turned round"),
    edit(argsort_descending, {", descending=True": "",
                              "[:, :k]": "[:, expression.shape[1] - k :].flip(dims=[1])"},
         "the last ones, flipped afterwards"),
    full("genes = torch.stack([cell.topk(k).indices for cell in expression])\nreturn genes", "cell by cell"),
    edit(argsort_descending, {", dim": "/ expression.abs().sum(1, keepdim=True), dim"}, "scaled a cell"),
    full("import numpy as np\n"
         "\n"
         "return np.argsort(-expression.numpy(), axis=1)[:, :k]", "numpy"),
    edit(by_topk, {"return genes": "return genes.to(torch.int32)"}, "int32"))


exercise.mistake("ascending", "cells-as-ranked-genes",
    "The least expressed genes come first. Sort in descending order, and take the first k.",
    edit(argsort_descending, {", descending=True": ""}),
    edit(argsort_descending, {"[:, :k]": "[:, -k:]"}, "the last of the descending ones"))

exercise.mistake("worst-of-the-best", "cells-as-ranked-genes",
    "The right genes come in the wrong order. The most expressed of them must stand first.",
    edit(by_topk, {"return genes": "return genes.flip(1)"}, "flipped"))

exercise.mistake("per-gene", "cells-as-ranked-genes",
    "The sorting runs over the cells, so each gene ranks cells. Each cell ranks its genes: sort along the "
    "last axis.",
    edit(argsort_descending, {"dim=-1": "dim=0"}),
    edit(argsort_descending, {"dim=-1": "dim=0", "[:, :k]": "[:k]"}, "the first k cells of each gene"),
    edit(argsort_descending, {"dim=-1": "dim=0", "[:, :k]": "[:k].T"}, "transposed"),
    edit(by_topk, {"k, dim=1": "min(k, len(expression)), dim=0"}, "topk"),
    edit(by_topk, {"dim=1": "dim=0"}, "topk fails with few cells"))

exercise.mistake("cuts-cells", "cells-as-ranked-genes",
    "Only the first k cells are kept. Keep all cells, and the first k genes of each.",
    edit(argsort_descending, {"[:, :k]": "[:k]"}),
    edit(argsort_descending, {"[:, :k]": "[:k, :k]"}, "both axes"))

exercise.mistake("transposed", "cells-as-ranked-genes",
    "The result is transposed. Each row is a cell: (cells, k).",
    edit(by_topk, {"return genes": "return genes.T"}))

exercise.mistake("returns-values", "cells-as-ranked-genes",
    "Expression values are returned. Return the numbers of the genes: the sentence of a cell is made of "
    "gene ids.",
    edit(by_topk, {"return genes": "return values"}))

exercise.mistake("returns-ranks", "cells-as-ranked-genes",
    "The rank of each gene is returned. Return which gene has the first rank, the second and so on; one "
    "argsort is enough.",
    edit(argsort_descending, {"= order": "= order.argsort(dim=-1)"}),
    edit(argsort_descending, {"best = order[:, :k]": "best = order.argsort(dim=-1)"}, "of all genes"),
    edit(argsort_descending, {"[:, :k]": ".argsort(dim=-1)[:, :k] + 1"}, "from 1"),
    edit(argsort_descending, {"best = order[:, :k]": "best = order.argsort(dim=-1) + 1"},
         "of all genes, from 1"),
    edit(argsort_descending, {"return best":
                              "return torch.zeros_like(order).scatter(1, best, torch.arange(k, 0, "
                              "-1).expand(len(best), k))"}, "0 for genes that are not among the best"))

exercise.mistake("returns-both", "cells-as-ranked-genes",
    "Two things are returned. Return only the gene ids, int64 (cells, k).",
    edit(by_topk, {"return": "return values,"}),
    edit(by_topk, {"return genes": "return genes, values"}, "the other way round"))

exercise.mistake("absolute", "cells-as-ranked-genes",
    "Genes are sorted by the absolute value or the square, so strongly negative values come first. Sort by "
    "the value itself.",
    edit(argsort_descending, {", dim": ".abs(), dim"}))

exercise.mistake("gene-normalized", "cells-as-ranked-genes",
    "Each gene is first scaled or shifted by something taken over the cells, such as its mean, its spread "
    "or its largest value. Rank the values as they are given.",
    edit(argsort_descending, {", dim": "/ expression.mean(0), dim"}, "divided by the mean"),
    edit(argsort_descending, {", dim": "- expression.mean(dim=0, keepdim=True), dim"}, "minus the mean"),
    edit(argsort_descending, {", dim": "/ expression.std(0), dim"}, "divided by the spread"),
    edit(argsort_descending, {"expression, dim":
                              "(expression - expression.mean(0)) / expression.std(dim=0), dim"}, "both"),
    edit(argsort_descending, {"expression, dim":
                              "(expression - expression.mean(0)) / (expression.std(0) + 1e-8), dim"},
         "both, with a small number"),
    edit(argsort_descending, {"expression, dim":
                              "(expression - expression.mean(0)) / expression.std(0, correction=0), dim"},
         "biased spread"),
    edit(argsort_descending, {", dim": "/ expression.amax(0), dim"}, "divided by the largest"),
    edit(argsort_descending, {"expression, dim":
                              "(expression - expression.amin(0)) / (expression.amax(0) - "
                              "expression.amin(0)), dim"}, "between 0 and 1"),
    edit(argsort_descending, {", dim": "/ expression.median(dim=0).values, dim"}, "divided by the median"),
    edit(argsort_descending, {", dim": "/ expression.sum(dim=0, keepdim=True), dim"}, "divided by the sum"),
    edit(argsort_descending, {", dim": "/ expression.norm(dim=0), dim"}, "divided by the length"),
    edit(argsort_descending, {", dim": ".softmax(dim=0), dim"}, "softmax"),
    edit(argsort_descending, {", dim": "/ (expression.mean(0) + 1e-8), dim"}, "a small number in the mean"),
    edit(argsort_descending, {", dim": "- expression.median(0).values, dim"}, "minus the median"),
    edit(argsort_descending, {", dim": "/ (expression.sum(0) / (expression > 0).sum(0).clamp(min=1)), dim"},
         "mean where it is expressed"))

exercise.mistake("one-ranking", "cells-as-ranked-genes",
    "All cells get the same genes, ranked by one cell or by something taken over the cells, such as a sum "
    "or a mean. Each cell has a ranking of its own.",
    edit(transposed, {"T.argsort(dim=0, descending=True).T":
                      "mean(0).argsort(descending=True).expand(expression.shape)"}, "mean"),
    edit(argsort_descending, {"torch": "expression.mean(0)", "expression, dim=-1,": "",
                              "[:, :k]": "[:k]"}, "mean, once"),
    full("genes = expression.sum(0).topk(k).indices.repeat(len(expression), 1)\nreturn genes", "sum"),
    edit(transposed, {".T.argsort(dim=0, descending=True).T":
                      "[:1].argsort(dim=-1, descending=True).expand(expression.shape)"}, "the first cell's"),
    edit(transposed, {"T.argsort(dim=0, descending=True).T":
                      "var(0).argsort(descending=True).expand(expression.shape)"}, "spread"),
    edit(transposed, {"T.argsort(dim=0, descending=True).T":
                      "amax(0).argsort(descending=True).expand(expression.shape)"}, "largest"),
    edit(plain_python, {"rows.append": "return torch.tensor"}, "a return inside the loop"))

exercise.mistake("whole-table", "cells-as-ranked-genes",
    "The best are taken over the whole table. Each cell has its own k best genes.",
    full("genes = torch.topk(expression.flatten(), k).indices\nreturn genes"),
    full("genes = torch.topk(expression.flatten(), k).indices % expression.shape[1]\n"
         "return genes", "gene numbers of it"),
    full("genes = expression.flatten().argsort(descending=True)[: len(expression) * k].view(-1, k)\n"
         "return genes", "cut into cells"),
    full("genes = (\n"
         "    expression.flatten().argsort(descending=True)[: len(expression) * k].view(-1, k)\n"
         "    % expression.shape[1]\n"
         ")\n"
         "return genes", "cut into cells, gene numbers"))

exercise.mistake("wrong-number", "cells-as-ranked-genes",
    "The number of genes is not k. Return exactly k for each cell.",
    edit(argsort_descending, {"[:, :k]": "[:, :k + 1]"}, "one more"),
    edit(argsort_descending, {"[:, :k]": "[:, :k - 1]"}, "one fewer"),
    edit(argsort_descending, {"[:, :k]": "[:, :]"}, "all"),
    edit(argsort_descending, {"[:, :k]": "[:, :10]"}, "ten"),
    edit(argsort_descending, {"[:, :k]": "[:, :2]"}, "two"),
    edit(argsort_descending, {"[:, :k]": "[:, : -k]"}, "k and all before the last"),
    edit(plain_python, {"ids[:k]": "[g for g in ids if cell[g] > 0]",
                        "torch.tensor(rows)": "rows"}, "genes above zero"),
    edit(plain_python, {"ids[:k]": "[g for g in ids if cell[g] > 0][:k]",
                        "torch.tensor(rows)": "rows"}, "at most k genes above zero"))

exercise.mistake("skips-best", "cells-as-ranked-genes",
    "The most expressed gene of each cell is left out. Begin with rank 0.",
    edit(argsort_descending, {"[:, :k]": "[:, 1 : k + 1]"}),
    edit(argsort_descending, {"[:, :k]": "[:, 1:k]"}, "one is missing then"))

exercise.mistake("from-1", "cells-as-ranked-genes", "The gene ids are too large by 1. Genes count from 0.",
    edit(by_topk, {"return genes": "return genes + 1"}))

exercise.mistake("by-id", "cells-as-ranked-genes",
    "The right genes are ordered by their number. Order them by expression: the most expressed first.",
    edit(argsort_descending, {"[:, :k]": "[:, :k].sort(dim=-1).values"}))

exercise.mistake("drops-negative", "cells-as-ranked-genes",
    "Values below zero count as zero, or make nan, so their order is lost. Sort the values as they are.",
    edit(argsort_descending, {", dim": ".clamp(min=0), dim"}, "clamped"),
    edit(argsort_descending, {"expression, dim": "torch.log1p(expression), dim"}, "log of one more"),
    edit(argsort_descending, {", dim": ".sqrt(), dim"}, "root"),
    edit(by_topk, {", k, dim": ".clamp(min=0), k, dim"}, "clamped, topk"),
    edit(by_topk, {"expression, k,": "torch.log1p(expression), k,"}, "log of one more, topk"),
    edit(argsort_negative, {"-expression": "-torch.log1p(expression)"}, "log of one more, stable"),
    edit(by_topk, {", k, dim": ".sqrt(), k, dim"}, "root, topk"))

exercise.mistake("squashed", "cells-as-ranked-genes",
    "Large values become equal, so their order is lost: they go through a function such as softmax, "
    "sigmoid, tanh or exp first. Sort the values as they are.",
    edit(argsort_descending, {", dim": ".softmax(dim=-1), dim"}, "softmax"),
    edit(by_topk, {", k, dim": ".softmax(dim=-1), k, dim"}, "softmax, topk"),
    edit(argsort_descending, {"expression, dim": "torch.sigmoid(expression), dim"}, "sigmoid"),
    edit(by_topk, {"expression, k,": "torch.sigmoid(expression), k,"}, "sigmoid, topk"),
    edit(argsort_descending, {"expression, dim": "torch.tanh(expression), dim"}, "tanh"),
    edit(by_topk, {"expression, k,": "torch.tanh(expression), k,"}, "tanh, topk"),
    edit(argsort_descending, {", dim": ".exp(), dim"}, "exp"),
    edit(by_topk, {", k, dim": ".exp(), k, dim"}, "exp, topk"))

exercise.mistake("cells-flipped", "cells-as-ranked-genes",
    "The cells have changed places: the flip runs over them. Row i of the result belongs to cell i; "
    "reverse the genes of each cell.",
    edit(argsort_descending, {", descending=True": "", "= order": "= order.flip(0)"}),
    edit(by_topk, {"return genes": "return genes.flip(0)"}, "of the best"))

exercise.mistake("picked-again", "cells-as-ranked-genes",
    "A gene is chosen more than once: what has been taken gets no mark, or one that is not below all "
    "values. Mark it with minus infinity, in a copy.",
    edit(one_best, {"argmax(dim=1, keepdim=True)": "max(dim=1)[1]",
                    "left.scatter_(1, g, -torch.inf)": "left[torch.arange(len(left)), g] = 0",
                    "cat(chosen, dim=1)": "stack(chosen, dim=-1)"}, "0"),
    edit(one_best, {"argmax(dim=1, keepdim=True)": "max(dim=1)[1]",
                    ".scatter_(1, g, -torch.inf)": "[torch.arange(len(left)), g] = -1",
                    "cat(chosen, dim=1)": "stack(chosen, dim=-1)"}, "minus one"),
    edit(one_best, {"argmax(dim=1, keepdim=True)": "max(dim=1)[1]",
                    "left.scatter_(1, g, -torch.inf)": "pass",
                    "cat(chosen, dim=1)": "stack(chosen, dim=-1)"}, "no mark"),
    edit(one_best, {"-torch.inf": "-1e9"}, "minus a billion"))

exercise.mistake("rounded", "cells-as-ranked-genes",
    "Values that differ by very little change places: they were rounded, or turned into a smaller dtype or "
    "whole numbers, before the sorting. Sort them as they are.",
    edit(by_topk, {", k, dim": ".half(), k, dim"}, "half, topk"),
    edit(by_topk, {", k, dim": ".long(), k, dim"}, "whole numbers, topk"),
    edit(by_topk, {", k, dim": ".round(decimals=2), k, dim"}, "two digits, topk"),
    edit(by_topk, {", k, dim": ".bfloat16(), k, dim"}, "bfloat16, topk"),
    edit(argsort_negative, {"-expression": "-expression.bfloat16()"}, "bfloat16, stable"),
    edit(argsort_descending, {", dim": ".half(), dim"}, "half"),
    edit(argsort_descending, {", dim": ".long(), dim"}, "whole numbers"),
    edit(argsort_descending, {", dim": ".round(decimals=2), dim"}, "two digits"),
    edit(argsort_descending, {", dim": ".round(), dim"}, "nearest whole number"))

exercise.mistake("wrong-form", "cells-as-ranked-genes",
    "The genes are right, but their form is not. Return whole numbers of shape (cells, k).",
    edit(by_topk, {"return genes": "return genes.to(expression.dtype)"}, "floating"),
    edit(by_topk, {"return genes": "return genes.flatten()"}, "flat"),
    edit(plain_python, {"ids[:k]": "[str(g) for g in ids[:k]]", "torch.tensor(rows)": "rows"}, "text"),
    edit(plain_python, {"ids[:k]": "[(g, cell[g]) for g in ids[:k]]",
                        "torch.tensor(rows)": "rows"}, "pairs of gene and value"),
    edit(by_topk, {"return genes":
                   "return torch.zeros_like(expression, dtype=torch.bool).scatter(1, genes, True)"},
         "a mask"),
    edit(by_topk, {"return genes": "return torch.zeros_like(expression).scatter(1, genes, 1.0)"},
         "a mask of numbers"),
    edit(by_topk, {"return genes":
                   "return torch.stack([torch.arange(len(genes))[:, None].expand_as(genes), genes], dim=-1)"},
         "pairs of cell and gene"),
    edit(plain_python, {"torch.tensor(rows)": "list(torch.tensor(rows).T)"}, "k tensors"),
    edit(plain_python, {"torch.tensor(rows)": "[torch.tensor(row) for row in rows]"}, "a list of tensors"))

exercise.mistake("squeezed", "cells-as-ranked-genes",
    "With one cell or k = 1 an axis gets lost. Leave squeeze() out: the result always has the shape "
    "(cells, k).",
    edit(by_topk, {"return genes": "return genes.squeeze()"}),
    edit(argsort_descending, {", dim": ".squeeze(), dim", "[:, :k]": "[..., :k]"}, "the table"),
    edit(by_topk, {"return genes": "return genes.squeeze(-1)"}, "the last axis"))

exercise.built_in("changes-input",
    edit(argsort_descending, {", dim": ".neg_().neg_().add_(1.0), dim"}, "sorted in place"))

exercise.built_in("returns-nothing",
    edit(argsort_descending, {"return best": ""}))


def timeout(expression, k):
    import time

    chosen = []
    while len(chosen) < k:
        time.sleep(0.05)
        best = expression.argmax(dim=1)
    return torch.stack(chosen, dim=1)


exercise.built_in("timeout",
    full(timeout))

exercise.built_in("ready-made",
    full("from transformers.cells import rank_genes as theirs\n"
         "\n"
         "return theirs(expression, k)", "from an invented library"))

exercise.equal("torch and NumPy sort along the last axis, and upwards, unless told otherwise", {
    ", dim=-1": "", ", dim=1": "", "dim=1, ": "", ", axis=1": "", ", descending=False": ""})
exercise.equal("values of a cell that are the same may come in either order", {
    ", stable=True": ("", ", stable=False")})
exercise.equal("numbers in a tensor sort like plain ones", {".tolist()": "", ".numpy()": ""})
exercise.equal("k is at least 1", {"expression.shape[1] - k": "-k"})
exercise.equal("a cell's values keep their order when all are multiplied by one number above 0", {
    "expression / expression": "expression * expression", ".sum(1": ".mean(1"})
