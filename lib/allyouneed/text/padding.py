"""Putting sequences of different lengths into one tensor."""

import torch

from allyouneed.tensors import Ids, Int, Tensor

__all__ = ["pad_batch"]


def pad_batch(rows, pad_id: int = 0, max_len: int | None = None) -> tuple[Ids, Int[Tensor, " B"]]:
    """Put lists of ids of different lengths into one tensor: (ids (B, T) int64, lengths (B,) int64).

    Short rows are filled with pad_id at the end, rows over max_len are cut. `padding_mask(lengths, T)` hides
    the filling.

    >>> pad_batch([[5, 6, 7], [8]])[0].tolist()
    [[5, 6, 7], [8, 0, 0]]
    """
    rows = [list(row)[:max_len] for row in rows]
    ids = torch.full((len(rows), max(map(len, rows), default=0)), pad_id, dtype=torch.int64)
    for target, row in zip(ids, rows):
        target[: len(row)] = torch.tensor(row, dtype=torch.int64)
    return ids, torch.tensor([len(row) for row in rows], dtype=torch.int64)
