"""Single cells: which genes are active in each of 700 blood cells, and of which type the cell is."""

from typing import NamedTuple

import numpy as np
import torch

from allyouneed.tensors import Float, Int, Tensor

from .packages import import_package, package_file
from .splits import Split, split_stratified


class Cells(NamedTuple):
    """Cells as rows.

    `expression` `(cells, genes)` float32: log(1 + normalized count), 0 where a gene was not seen;
    `labels` `(cells,)` int64, into `types`, 10 strings; `genes`, 765 gene symbols.
    """

    expression: Float[Tensor, "cells genes"]
    labels: Int[Tensor, " cells"]
    types: list[str]
    genes: list[str]


def load_cells(fractions=(0.7, 0.15, 0.15), generator=None) -> Split:
    """Return 700 human blood cells × 765 genes with their 10 cell types, in equal proportion in every part.

    Arguments: `fractions`; `generator`, a `torch.Generator` (seed 0 if None). Returns `Split` of `Cells`.
    Raises `MissingPackage`, `ValueError`. Small, and types differ in number (8 to 240 cells): report accuracy
    with its spread over seeds. Source: Zheng and others 2017 (10x Genomics, CC BY 4.0), the file inside
    scanpy 1.11.5 (BSD).
    Genes were chosen and scaled by that file's authors on all 700 cells; `expression` is the version before
    scaling.
    """
    path = package_file("scanpy", "datasets", "10x_pbmc68k_reduced.h5ad")
    with import_package("h5py").File(path) as file:
        raw = file["raw.X"]
        # (700, 765), stored as the values that are not 0
        expression = torch.zeros(*raw.attrs["h5sparse_shape"])
        row = np.repeat(np.arange(len(expression)), np.diff(raw["indptr"][:]))
        expression[row, raw["indices"][:]] = torch.from_numpy(raw["data"][:])
        labels = torch.from_numpy(file["obs"]["bulk_labels"]).long()
        types = [name.decode() for name in file["uns/bulk_labels_categories"][:]]
        genes = [name.decode() for name in file["raw.var"]["index"]]
    parts = split_stratified(labels, fractions, generator)
    return Split(*(Cells(expression[part], labels[part], types, genes) for part in parts))
