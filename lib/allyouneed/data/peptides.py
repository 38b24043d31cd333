"""Peptides, short proteins: does a sequence of amino acids kill microbes, or not?"""

from typing import NamedTuple

import torch

from allyouneed.tensors import Int, Tensor

from .packages import package_file
from .splits import Split, split_groups

AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"


class Peptides(NamedTuple):
    """`sequences`: N strings of amino acids' letters; `labels`: `(N,)` int64, 1 antimicrobial, 0 unknown."""

    sequences: list[str]
    labels: Int[Tensor, " N"]


def load_peptides(fractions=(0.8, 0.1, 0.1), generator=None) -> Split:
    """Return antimicrobial peptides against random short proteins of UniProt: 4,620 different sequences.

    Arguments: `fractions`; `generator`, a `torch.Generator` (seed 0 if None). Returns `Split` of `Peptides`.
    The file's 5,200 lines hold 4,642 sequences, 22 of them with both labels: duplicates and contradictions
    are removed BEFORE dividing, otherwise the test part would hold what training has seen. Relatives with the
    same first eight letters (GLFDIIKKIAESI, GLFDIIKKIAESF) stay together in one part; more distant ones may
    be divided.
    Raises `MissingPackage`, `ValueError`. Source: AMPvsUniProt in modlamp 4.3.3 (BSD), Müller and others
    2017.
    """
    sequences, labels = distinct_peptides()
    parts = split_groups([sequence[:8] for sequence in sequences], fractions, generator)
    return Split(*(Peptides([sequences[item] for item in part.tolist()], labels[part]) for part in parts))


def distinct_peptides() -> Peptides:
    """Return the file's distinct sequences with one label each, in their first order, as `Peptides`.

    Raises `MissingPackage`.
    """
    # the first line counts
    lines = package_file("modlamp", "data", "AMPvsUniProt.csv").read_text().split("\n")[1:]
    labels_of = {}
    for line in filter(None, lines):
        sequence, label = line.split(",")
        labels_of.setdefault(sequence.strip(), set()).add(int(label))
    kept = {sequence: labels.pop() for sequence, labels in labels_of.items() if len(labels) == 1}
    return Peptides(list(kept), torch.tensor(list(kept.values())))
