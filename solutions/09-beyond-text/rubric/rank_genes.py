"""The rubric of rank_genes: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

from ._shared import writer

exercise = Exercise(
    "rank_genes",
    points={"ranking": 2, "one gene, all genes, fine differences": 1},
    section="cells-as-ranked-genes",
    compact=True,
    mistakes={
        "ascending": ("The least expressed genes come first. Sort in descending order, and take the first k.", "cells-as-ranked-genes"),
        "worst-of-the-best": ("The right genes come in the wrong order. The most expressed of them stands first.", "cells-as-ranked-genes"),
        "per-gene": ("The sorting runs over the cells, so each gene ranks cells. Each cell ranks its genes: sort along the last axis.",
                     "cells-as-ranked-genes"),
        "cuts-cells": ("Only the first k cells are kept. Keep all cells, and the first k genes of each.", "cells-as-ranked-genes"),
        "transposed": ("The result is transposed. Each row is a cell: (cells, k).", "cells-as-ranked-genes"),
        "returns-values": ("Expression values are returned. Return the numbers of the genes: the sentence of a cell is made of gene ids.",
                           "cells-as-ranked-genes"),
        "returns-ranks": ("The rank of each gene is returned. Return which gene has the first rank, the second and so on; one argsort is enough.",
                          "cells-as-ranked-genes"),
        "returns-both": ("Two things are returned. Return only the gene ids, int64 (cells, k).", "cells-as-ranked-genes"),
        "absolute": ("Genes are sorted by the absolute value or the square, so strongly negative values come first. Sort by the value itself.",
                     "cells-as-ranked-genes"),
        "gene-normalized": ("Each gene is first scaled or shifted by something taken over the cells, such as its mean, its spread or its largest value. Rank "
                            "the values as they are given.", "cells-as-ranked-genes"),
        "one-ranking": ("All cells get the same genes, ranked by one cell or by something taken over the cells, such as a sum or a mean. Each cell has a "
                        "ranking of its own.", "cells-as-ranked-genes"),
        "whole-table": ("The best are taken over the whole table. Each cell has its own k best genes.", "cells-as-ranked-genes"),
        "wrong-number": ("The number of genes is not k. Return exactly k for each cell.", "cells-as-ranked-genes"),
        "skips-best": ("The most expressed gene of each cell is left out. Begin with rank 0.", "cells-as-ranked-genes"),
        "from-1": ("The gene ids are too large by 1. Genes count from 0.", "cells-as-ranked-genes"),
        "by-id": ("The right genes are ordered by their number. Order them by expression: the most expressed first.", "cells-as-ranked-genes"),
        "cells-flipped": ("The cells have changed places: the flip runs over them. Row i of the result belongs to cell i; reverse the genes "
                          "of each cell.",
                          "cells-as-ranked-genes"),
        "picked-again": ("A gene is chosen more than once: what has been taken gets no mark, or one that is not below all values. Mark it with minus infinity, in a copy.",
                         "cells-as-ranked-genes"),
        "squashed": ("Large values become equal, so their order is lost: they go through a function such as softmax, sigmoid, tanh or exp first. Sort the values "
                     "as they are.", "cells-as-ranked-genes"),
        "drops-negative": ("Values below zero count as zero, or make nan, so their order is lost. Sort the values as they are.", "cells-as-ranked-genes"),
        "rounded": ("Values that differ by very little change places: they were rounded, or turned into a smaller dtype or whole numbers, before the sorting. "
                    "Sort them as they are.", "cells-as-ranked-genes"),
        "wrong-form": ("The genes are right, but their form is not. Return whole numbers of shape (cells, k).", "cells-as-ranked-genes"),
        "squeezed": ("With one cell or k = 1 an axis gets lost. Leave squeeze() out: the result always has the shape (cells, k).", "cells-as-ranked-genes"),
    },
)
wrong, right = writer(exercise)


@exercise.probes
def _(make):
    def table(cells, genes, dtype=torch.float32, low=0.15):
        """Distinct values of very different genes, mostly positive; no two of a row are close."""
        scale = torch.exp(0.9 * make.randn(genes, dtype=torch.float64))
        while True:
            values = make.randn(cells, genes, dtype=torch.float64).abs() * scale + make.randn(genes, dtype=torch.float64).abs() - low * 4
            if values.sort(dim=1).values.diff(dim=1).min() > (0.004 if cells < 20 else 1e-5):
                return values.to(dtype)

    yield make.probe("two cells of four genes", torch.tensor(make.pick([[1.0, 0.5, 4.0, 2.0], [3.0, 7.0, -1.0, 6.0]], [[2.0, 5.0, 0.3, 1.0], [8.0, 1.5, 3.0, -2.0]],
                                                                       [[0.2, 3.0, 1.0, 6.0], [5.0, -3.0, 2.5, 4.0]])), 2, group="ranking")
    for name, sizes in (("all sizes different", make.pick((4, 7, 3), (3, 8, 5), (5, 9, 4))), ("more cells than genes", make.pick((8, 5, 3), (9, 6, 4), (7, 6, 2))),
                        ("more genes", make.pick((3, 12, 5), (4, 11, 6), (5, 14, 4)))):
        cells, genes, k = sizes
        yield make.probe(name, table(cells, genes), k, group="ranking")
    yield make.probe("as many cells as genes", table(*make.pick((5, 5), (6, 6), (4, 4))), 3, group="ranking", edge=True)
    yield make.probe("k as large as the number of cells", table(*make.pick((4, 8), (5, 9), (3, 7))), make.pick(4, 5, 3), group="ranking", edge=True)
    yield make.probe("values below zero", table(*make.pick((4, 6), (5, 7), (3, 8))) - 1.4, make.pick(4, 5, 5), group="ranking")
    yield make.probe("not contiguous", table(*make.pick((4, 6), (5, 7), (3, 8))), 3, group="ranking", edge=True, strided=True)
    yield make.probe("a long table", table(160, 12), 6, group="ranking", long=True)
    group = {"group": "one gene, all genes, fine differences", "edge": True}
    yield make.probe("the best gene alone", table(*make.pick((4, 6), (3, 5), (5, 7))), 1, **group)
    yield make.probe("all genes", table(*make.pick((3, 5), (4, 6), (2, 7))), make.pick(5, 6, 7), **group)
    yield make.probe("one cell", table(1, make.pick(6, 7, 5)), 3, **group)
    cells, genes = make.pick((3, 6), (4, 5), (5, 7))
    fine = torch.stack([torch.randperm(genes, generator=make.generator) for _ in range(cells)]).double()
    yield make.probe("fine differences in float64", 3 + fine * 1e-9, make.pick(4, 3, 5), **group)
    yield make.probe("differences below 1", 0.2 + fine.flip(1).float() / 10, make.pick(3, 4, 6), **group)
    large = torch.stack([torch.randperm(genes + 1, generator=make.generator) for _ in range(cells)]).float() * 230 + 20
    yield make.probe("values of hundreds", large, genes, **group)
    yield make.probe("hundreds below zero", -large.flip(1), genes, **group)


@exercise.right
def reference(expression, k):
    return torch.sort(expression, dim=-1, descending=True).indices[:, :k]


TOPK = """
def rank_genes(expression, k):
    values, genes = torch.topk(expression, k, dim=1)
    return genes
"""
SORT = """
def rank_genes(expression, k):
    order = torch.argsort(expression, dim=-1, descending=True)
    best = order[:, :k]
    return best
"""
MINUS = """
def rank_genes(expression, k):
    x = -expression
    order = x.argsort(dim=1, stable=True)
    return order[..., :k]
"""
LOOP = """
def rank_genes(expression, k):
    rows = []
    for cell in expression.tolist():
        ids = sorted(range(len(cell)), key=lambda g: cell[g], reverse=True)
        rows.append(ids[:k])
    return torch.tensor(rows)
"""
right("topk", TOPK)
right("argsort, descending", SORT)
right("argsort of the negative, stable", MINUS)
right("plain Python", LOOP)
right("plain Python, a list", LOOP, ("return torch.tensor(rows)", "return rows"))
right("the last ones, turned round", SORT, ("descending=True)", "descending=False)"), ("order[:, :k]", "order.flip(-1)[:, :k]"))
right("the last ones, flipped afterwards", SORT, (", descending=True", ""), ("order[:, :k]", "order[:, expression.shape[1] - k:].flip(dims=[1])"))
right("cell by cell", TOPK, ("values, genes = torch.topk(expression, k, dim=1)", "genes = torch.stack([cell.topk(k).indices for cell in expression])"))
right("one best after the other", """
def rank_genes(expression, k):
    left = expression.clone()
    chosen = []
    for _ in range(k):
        g = left.argmax(dim=1, keepdim=True)
        chosen.append(g)
        left.scatter_(1, g, -torch.inf)
    return torch.cat(chosen, dim=1)
""")
right("transposed there and back", SORT, ("torch.argsort(expression, dim=-1, descending=True)", "expression.T.argsort(dim=0, descending=True).T"))
right("scaled a cell", SORT, ("torch.argsort(expression,", "torch.argsort(expression / expression.abs().sum(1, keepdim=True),"))
right("numpy", """
def rank_genes(expression, k):
    import numpy as np
    return np.argsort(-expression.numpy(), axis=1)[:, :k]
""")
right("int32", TOPK, ("return genes", "return genes.to(torch.int32)"))

ORDER, BEST = "order = torch.argsort(expression, dim=-1, descending=True)", "best = order[:, :k]"
TOP = "values, genes = torch.topk(expression, k, dim=1)"
wrong("ascending", "", SORT, (", descending=True", ""))
wrong("ascending", "the smallest", TOPK, ("dim=1)", "dim=1, largest=False)"))
wrong("ascending", "the last of the descending ones", SORT, ("order[:, :k]", "order[:, -k:]"))
wrong("worst-of-the-best", "the last ones", SORT, (", descending=True", ""), ("order[:, :k]", "order[:, -k:]"))
wrong("worst-of-the-best", "flipped", TOPK, ("return genes", "return genes.flip(1)"))
wrong("per-gene", "", SORT, ("dim=-1", "dim=0"))
wrong("per-gene", "the first k cells of each gene", SORT, ("dim=-1", "dim=0"), ("order[:, :k]", "order[:k]"))
wrong("per-gene", "transposed", SORT, ("dim=-1", "dim=0"), ("order[:, :k]", "order[:k].T"))
wrong("per-gene", "topk", TOPK, ("torch.topk(expression, k, dim=1)", "torch.topk(expression, min(k, len(expression)), dim=0)"))
wrong("per-gene", "topk fails with few cells", TOPK, ("dim=1", "dim=0"))
wrong("cuts-cells", "", SORT, ("order[:, :k]", "order[:k]"))
wrong("cuts-cells", "both axes", SORT, ("order[:, :k]", "order[:k, :k]"))
wrong("cuts-cells", "sorted values come first", MINUS, ("order[..., :k]", "order[:k, ...]"))
wrong("transposed", "", TOPK, ("return genes", "return genes.T"))
wrong("transposed", "sorted", SORT, ("return best", "return best.transpose(0, 1)"))
wrong("returns-values", "", TOPK, ("return genes", "return values"))
wrong("returns-values", "sorted", SORT, ("return best", "return torch.sort(expression, dim=-1, descending=True).values[:, :k]"))
wrong("returns-ranks", "", SORT, ("best = order[:, :k]", "best = order.argsort(dim=-1)[:, :k]"))
wrong("returns-ranks", "of all genes", SORT, ("best = order[:, :k]", "best = order.argsort(dim=-1)"))
wrong("returns-ranks", "from 1", SORT, ("best = order[:, :k]", "best = order.argsort(dim=-1)[:, :k] + 1"))
wrong("returns-ranks", "of all genes, from 1", SORT, ("best = order[:, :k]", "best = order.argsort(dim=-1) + 1"))
wrong("returns-ranks", "0 for genes that are not among the best", SORT, ("return best", "return torch.zeros_like(order).scatter(1, best, torch.arange(k, 0, -1).expand(len(best), k))"))
wrong("returns-both", "", TOPK, ("return genes", "return values, genes"))
wrong("returns-both", "the other way round", TOPK, ("return genes", "return genes, values"))
wrong("returns-both", "what topk returns", TOPK, ("return genes", "return tuple(torch.topk(expression, k))"))
wrong("absolute", "", SORT, ("torch.argsort(expression,", "torch.argsort(expression.abs(),"))
wrong("absolute", "squared", TOPK, ("torch.topk(expression,", "torch.topk(expression ** 2,"))
for label, scaled in (("divided by the mean", "expression / expression.mean(0)"), ("minus the mean", "expression - expression.mean(dim=0, keepdim=True)"),
                      ("divided by the spread", "expression / expression.std(0)"), ("both", "(expression - expression.mean(0)) / expression.std(dim=0)"),
                      ("both, with a small number", "(expression - expression.mean(0)) / (expression.std(0) + 1e-8)"), ("biased spread", "(expression - expression.mean(0)) / expression.std(0, correction=0)"),
                      ("divided by the largest", "expression / expression.amax(0)"), ("between 0 and 1", "(expression - expression.amin(0)) / (expression.amax(0) - expression.amin(0))"),
                      ("divided by the median", "expression / expression.median(dim=0).values"), ("divided by the sum", "expression / expression.sum(dim=0, keepdim=True)"),
                      ("divided by the length", "expression / expression.norm(dim=0)"), ("softmax", "expression.softmax(dim=0)"),
                      ("a small number in the mean", "expression / (expression.mean(0) + 1e-8)"), ("minus the median", "expression - expression.median(0).values"),
                      ("mean where it is expressed", "expression / (expression.sum(0) / (expression > 0).sum(0).clamp(min=1))")):
    wrong("gene-normalized", label, SORT, (ORDER, f"order = torch.argsort({scaled}, dim=-1, descending=True)"))
wrong("one-ranking", "mean", SORT, (ORDER, "order = expression.mean(0).argsort(descending=True).expand(expression.shape)"))
wrong("one-ranking", "mean, once", SORT, (ORDER, "order = expression.mean(0).argsort(descending=True)"), (BEST, "best = order[:k]"))
wrong("one-ranking", "sum", TOPK, (TOP, "genes = expression.sum(0).topk(k).indices.repeat(len(expression), 1)"))
wrong("one-ranking", "the first cell's", SORT, (ORDER, "order = expression[:1].argsort(dim=-1, descending=True).expand(expression.shape)"))
wrong("one-ranking", "spread", SORT, (ORDER, "order = expression.var(0).argsort(descending=True).expand(expression.shape)"))
wrong("one-ranking", "largest", SORT, (ORDER, "order = expression.amax(0).argsort(descending=True).expand(expression.shape)"))
wrong("one-ranking", "a return inside the loop", LOOP, ("rows.append(ids[:k])", "return torch.tensor(ids[:k])"))
wrong("whole-table", "", TOPK, (TOP, "genes = torch.topk(expression.flatten(), k).indices"))
wrong("whole-table", "gene numbers of it", TOPK, (TOP, "genes = torch.topk(expression.flatten(), k).indices % expression.shape[1]"))
wrong("whole-table", "cut into cells", TOPK, (TOP, "genes = expression.flatten().argsort(descending=True)[: len(expression) * k].view(-1, k)"))
wrong("whole-table", "cut into cells, gene numbers", TOPK, (TOP, "genes = expression.flatten().argsort(descending=True)[: len(expression) * k].view(-1, k) % expression.shape[1]"))
for label, cut in (("one more", ":k + 1"), ("one fewer", ":k - 1"), ("all", ":"), ("ten", ":10"), ("two", ":2"), ("k and all before the last", ":-k")):
    wrong("wrong-number", label, SORT, (BEST, f"best = order[:, {cut}]"))
wrong("wrong-number", "genes above zero", LOOP, ("rows.append(ids[:k])", "rows.append([g for g in ids if cell[g] > 0])"), ("return torch.tensor(rows)", "return rows"))
wrong("wrong-number", "at most k genes above zero", LOOP, ("rows.append(ids[:k])", "rows.append([g for g in ids if cell[g] > 0][:k])"), ("return torch.tensor(rows)", "return rows"))
wrong("skips-best", "", SORT, (BEST, "best = order[:, 1:k + 1]"))
wrong("skips-best", "one is missing then", SORT, (BEST, "best = order[:, 1:k]"))
wrong("from-1", "", TOPK, ("return genes", "return genes + 1"))
wrong("from-1", "in plain Python", LOOP, ("rows.append(ids[:k])", "rows.append([g + 1 for g in ids[:k]])"))
wrong("by-id", "", SORT, (BEST, "best = order[:, :k].sort(dim=-1).values"))
wrong("by-id", "unsorted", LOOP, ("ids[:k]", "sorted(ids[:k])"))
wrong("drops-negative", "clamped", SORT, ("torch.argsort(expression,", "torch.argsort(expression.clamp(min=0),"))
wrong("drops-negative", "logarithm", SORT, ("torch.argsort(expression,", "torch.argsort(expression.log(),"))
wrong("drops-negative", "log of one more", SORT, ("torch.argsort(expression,", "torch.argsort(torch.log1p(expression),"))
wrong("drops-negative", "root", SORT, ("torch.argsort(expression,", "torch.argsort(expression.sqrt(),"))
for label, change in (("clamped", "expression.clamp(min=0)"), ("log of one more", "torch.log1p(expression)"), ("logarithm", "expression.log()"), ("root", "expression.sqrt()"), ("relu", "F.relu(expression)"),
                      ("a small number in the logarithm", "torch.log(expression.clamp(min=0) + 1e-6)"), ("those below zero are masked", "expression.masked_fill(expression < 0, 0.0)"),
                      ("minus infinity", "expression.masked_fill(expression <= 0, -torch.inf)"), ("log of one more, clamped", "torch.log1p(expression.clamp(min=0))")):
    wrong("drops-negative", label + ", topk", TOPK, ("torch.topk(expression,", f"torch.topk({change},"))
    wrong("drops-negative", label + ", sort", SORT, (ORDER, f"order = ({change}).sort(dim=1, descending=True)[1]"))
    wrong("drops-negative", label + ", stable", MINUS, ("x = -expression", f"x = -({change})"))
wrong("drops-negative", "plain Python", LOOP, ("lambda g: cell[g]", "lambda g: max(cell[g], 0.0)"))
for label, change in (("softmax", "expression.softmax(dim=-1)"), ("sigmoid", "torch.sigmoid(expression)"), ("tanh", "torch.tanh(expression)"), ("exp", "expression.exp()")):
    wrong("squashed", label, SORT, ("torch.argsort(expression,", f"torch.argsort({change},"))
    wrong("squashed", label + ", topk", TOPK, ("torch.topk(expression,", f"torch.topk({change},"))
    wrong("squashed", label + ", stable", MINUS, ("x = -expression", f"x = -({change})"))
wrong("cells-flipped", "", SORT, (", descending=True", ""), ("order[:, :k]", "order.flip(0)[:, :k]"))
wrong("cells-flipped", "both axes", SORT, (", descending=True", ""), ("order[:, :k]", "order.flip(0, 1)[:, :k]"))
wrong("cells-flipped", "of the best", TOPK, ("return genes", "return genes.flip(0)"))
for label, mark in (("0", "left[torch.arange(len(left)), g] = 0"), ("minus one", "left[torch.arange(len(left)), g] = -1"), ("no mark", "pass")):
    wrong("picked-again", label, f"""
def rank_genes(expression, k):
    left = expression.clone()
    chosen = []
    for _ in range(k):
        g = left.max(dim=1)[1]
        chosen.append(g)
        {mark}
    return torch.stack(chosen, dim=-1)
""")
for label, change in (("half", "expression.half()"), ("whole numbers", "expression.long()"), ("two digits", "expression.round(decimals=2)"), ("float32", "expression.float()"), ("bfloat16", "expression.bfloat16()")):
    wrong("rounded", label + ", topk", TOPK, ("torch.topk(expression,", f"torch.topk({change},"))
    wrong("rounded", label + ", stable", MINUS, ("x = -expression", f"x = -({change})"))
wrong("rounded", "float32", SORT, ("torch.argsort(expression,", "torch.argsort(expression.float(),"))
wrong("rounded", "half", SORT, ("torch.argsort(expression,", "torch.argsort(expression.half(),"))
wrong("rounded", "whole numbers", SORT, ("torch.argsort(expression,", "torch.argsort(expression.long(),"))
wrong("rounded", "two digits", SORT, ("torch.argsort(expression,", "torch.argsort(expression.round(decimals=2),"))
wrong("rounded", "nearest whole number", SORT, ("torch.argsort(expression,", "torch.argsort(expression.round(),"))
wrong("wrong-form", "floating", TOPK, ("return genes", "return genes.to(expression.dtype)"))
wrong("wrong-form", "flat", TOPK, ("return genes", "return genes.flatten()"))
wrong("wrong-form", "text", LOOP, ("rows.append(ids[:k])", "rows.append([str(g) for g in ids[:k]])"), ("return torch.tensor(rows)", "return rows"))
wrong("wrong-form", "pairs of gene and value", LOOP, ("rows.append(ids[:k])", "rows.append([(g, cell[g]) for g in ids[:k]])"), ("return torch.tensor(rows)", "return rows"))
wrong("wrong-form", "a mask", TOPK, ("return genes", "return torch.zeros_like(expression, dtype=torch.bool).scatter(1, genes, True)"))
wrong("wrong-form", "a mask of numbers", TOPK, ("return genes", "return torch.zeros_like(expression).scatter(1, genes, 1.0)"))
wrong("wrong-form", "pairs of cell and gene", TOPK, ("return genes", "return torch.stack([torch.arange(len(genes))[:, None].expand_as(genes), genes], dim=-1)"))
wrong("wrong-form", "k tensors", LOOP, ("return torch.tensor(rows)", "return list(torch.tensor(rows).T)"))
wrong("wrong-form", "a list of tensors", LOOP, ("return torch.tensor(rows)", "return [torch.tensor(row) for row in rows]"))
wrong("squeezed", "", TOPK, ("return genes", "return genes.squeeze()"))
wrong("squeezed", "the table", SORT, ("torch.argsort(expression,", "torch.argsort(expression.squeeze(),"), (BEST, "best = order[..., :k]"))
wrong("squeezed", "the last axis", TOPK, ("return genes", "return genes.squeeze(-1)"))
wrong("changes-input", "the best are crossed out", """
def rank_genes(expression, k):
    chosen = []
    for _ in range(k):
        g = expression.argmax(dim=1)
        chosen.append(g)
        expression[torch.arange(len(expression)), g] = -torch.inf
    return torch.stack(chosen, dim=1)
""")
wrong("changes-input", "sorted in place", SORT, ("torch.argsort(expression,", "torch.argsort(expression.neg_().neg_().add_(1.0),"))
wrong("returns-nothing", "", SORT, ("    return best\n", ""))
wrong("timeout", "", """
def rank_genes(expression, k):
    import time
    chosen = []
    while len(chosen) < k:
        time.sleep(0.05)
        best = expression.argmax(dim=1)
    return torch.stack(chosen, dim=1)
""")
wrong("ready-made", "from an invented library", """
def rank_genes(expression, k):
    from transformers.cells import rank_genes as theirs
    return theirs(expression, k)
""")
