"""Divide data into train, validation and test so that nothing in one part is repeated in another."""

from typing import Any, NamedTuple

import torch

from allyouneed.tensors import Int, Tensor


class Split(NamedTuple):
    """Three parts of one data set, of one type: learn on `train`, choose on `valid`, report on `test`."""

    train: Any
    valid: Any
    test: Any


def part_sizes(n: int, fractions) -> tuple[int, int, int]:
    """Return how many of n items go to train, validation and test: three ints that sum to n.

    Arguments: `n`, a count; `fractions`, three shares in [0, 1] that sum to 1. Raises `ValueError` otherwise.

    >>> part_sizes(10, (0.8, 0.1, 0.1))
    (8, 1, 1)
    """
    if len(fractions) != 3 or min(fractions) < 0 or abs(sum(fractions) - 1) > 1e-6:
        raise ValueError(f"fractions must be three shares in [0, 1] that sum to 1, got {tuple(fractions)}")
    n_valid = min(round(n * fractions[1]), n)
    n_test = min(round(n * fractions[2]), n - n_valid)
    return n - n_valid - n_test, n_valid, n_test


def split_groups(groups, fractions=(0.8, 0.1, 0.1), generator=None) -> Split:
    """Divide items so that all items of one group (a date, an image, a sequence) land in the same part.

    Arguments: `groups`, one hashable and sortable key an item; `fractions`, shares of the distinct groups;
    `generator`, a `torch.Generator` (a fixed one, seed 0, if None: the split never changes by accident).
    Returns `Split` of int64 tensors of item numbers, ascending. Raises `ValueError` for bad fractions.

    >>> thirds = (1 / 3, 1 / 3, 1 / 3)
    >>> [part.tolist() for part in split_groups("aabbcc", thirds, torch.Generator().manual_seed(1))]
    [[2, 3], [4, 5], [0, 1]]
    """
    generator = generator or torch.Generator().manual_seed(0)
    distinct = sorted(set(groups))
    sizes = part_sizes(len(distinct), fractions)
    order = torch.randperm(len(distinct), generator=generator).tolist()
    part_of = {}
    for rank, number in enumerate(order):
        part_of[distinct[number]] = 0 if rank < sizes[0] else 1 if rank < sizes[0] + sizes[1] else 2
    parts = ([], [], [])
    for item, group in enumerate(groups):
        parts[part_of[group]].append(item)
    return Split(*(torch.tensor(part, dtype=torch.int64) for part in parts))


def split_stratified(labels: Int[Tensor, " n"], fractions=(0.8, 0.1, 0.1), generator=None) -> Split:
    """Divide items so that every class has (up to rounding) the same share in every part.

    Arguments: `labels` `(n,)`, int64; `fractions` and `generator` as in `split_groups`.
    Returns `Split` of int64 tensors of item numbers, ascending. The items must be distinct.

    >>> [len(part) for part in split_stratified(torch.tensor([0] * 10 + [1] * 20))]
    [24, 3, 3]
    """
    generator = generator or torch.Generator().manual_seed(0)
    parts = ([], [], [])
    for label in labels.unique():
        items = (labels == label).nonzero().squeeze(1)
        items = items[torch.randperm(len(items), generator=generator)]
        for part, chosen in zip(parts, items.split(part_sizes(len(items), fractions)), strict=True):
            part.append(chosen)
    return Split(*(torch.cat(part).sort().values for part in parts))
