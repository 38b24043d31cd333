"""Functions (n, d) to (n, d) that look only back, or also ahead, for grading a test of that property."""

from __future__ import annotations

import torch

from allyouneed.check.answers import encode_output
from allyouneed.check.drivers.permutation_test import AWAY_FROM_ZERO
from allyouneed.check.wire import decode


def put(candidate, probe: dict) -> dict:
    """The first argument describes a function on sequences: build it, hand it over with the other ones."""
    spec, *arguments = decode(probe["args"])
    torch.default_generator.manual_seed(0)
    return {"output": encode_output(candidate(build(**spec), *arguments))}


def build(
    kind: str,
    n: int,
    d: int,
    seed: int,
    strength: float = 0.01,
    row: int = 0,
    away: float = AWAY_FROM_ZERO,
    raw: bool = False,
):
    """Return the function that `kind` names, with weights drawn from `seed` and cast to the input's dtype.

    It reads numbers through a tanh, so that no input, however large, makes rounding larger than usual; a
    `raw` one reads them as they are. `away` is added to its outputs, which lie around 0 without it.
    """
    generator = torch.Generator().manual_seed(seed)
    weights = torch.randn(d, d, generator=generator, dtype=torch.float64) / d**0.5

    def function(x: torch.Tensor) -> torch.Tensor:
        if tuple(x.shape) != (n, d):
            raise ValueError(
                f"f expects a tensor of shape ({n}, {d}), but got {tuple(x.shape)}. Draw x as "
                "torch.randn(n, d), and change rows of it: do not cut it shorter."
            )
        numbers = x if raw else torch.tanh(x)
        return KINDS[kind](numbers, weights.to(x.dtype), strength, row) + away

    return function


def _lower(x):
    return torch.ones(len(x), len(x), dtype=torch.bool).tril()


def _scores(x, weights):
    return x @ weights @ x.T


def _each_row(x, weights, strength, row):
    return torch.tanh(x @ weights)


def _constant(x, weights, strength, row):
    return torch.zeros_like(x)


def _running_sum(x, weights, strength, row):
    return x.cumsum(dim=0) @ weights


def _backwards_sum(x, weights, strength, row):
    """What came before, as the total without what comes after: right but for rounding."""
    return (x.sum(dim=0) - x.flip(0).cumsum(dim=0).flip(0) + x) @ weights


def _causal(x, weights, strength, row):
    return torch.softmax(_scores(x, weights).masked_fill(~_lower(x), -torch.inf), dim=-1) @ x


def _shifted_by_all(x, weights, strength, row):
    """Causal attention whose softmax is kept stable by the largest of all scores: right but for rounding."""
    scores = _scores(x, weights)
    powers = torch.exp(scores - scores.max()) * _lower(x)
    return powers / powers.sum(dim=-1, keepdim=True) @ x


def _renormalized(x, weights, strength, row):
    """A mask after the softmax, and each row brought to the sum 1 again: right but for rounding."""
    shares = torch.softmax(_scores(x, weights), dim=-1) * _lower(x)
    return shares / shares.sum(dim=-1, keepdim=True) @ x


def _row_before(x, weights, strength, row):
    return x + torch.cat([torch.zeros_like(x[:1]), x[:-1]]) @ weights


def _last_row_reads_all(x, weights, strength, row):
    return torch.cat([x[:-1], x.mean(dim=0, keepdim=True) @ weights + x[-1:]])


def _no_mask(x, weights, strength, row):
    return torch.softmax(_scores(x, weights), dim=-1) @ x


def _over_queries(x, weights, strength, row):
    return torch.softmax(_scores(x, weights).masked_fill(~_lower(x), -torch.inf), dim=0) @ x


def _mask_after(x, weights, strength, row):
    return (torch.softmax(_scores(x, weights), dim=-1) * _lower(x)) @ x


def _sum_of_all(x, weights, strength, row):
    """A mask after the softmax, and the rest brought to the sum 1 over the whole table."""
    shares = torch.softmax(_scores(x, weights), dim=-1) * _lower(x)
    return len(x) * shares / shares.sum() @ x


def _norm_over_time(x, weights, strength, row):
    y = x.cumsum(dim=0)
    return (y - y.mean(dim=0)) / (y.std(dim=0) + 0.1)


def _mask_one_late(x, weights, strength, row):
    seen = torch.ones(len(x), len(x), dtype=torch.bool).tril(1)
    return torch.softmax(_scores(x, weights).masked_fill(~seen, -torch.inf), dim=-1) @ x


def _reversed_sum(x, weights, strength, row):
    return x.flip(0).cumsum(dim=0).flip(0) @ weights


def _one_row_peeks(x, weights, strength, row):
    """Everything is causal, but that row reads the one after it."""
    y = _causal(x, weights, strength, row)
    return torch.cat([y[:row], y[row : row + 1] + x[row + 1 : row + 2], y[row + 1 :]])


def _first_reads_last(x, weights, strength, row):
    y = _row_before(x, weights, strength, row)
    return torch.cat([y[:1] + x[-1:], y[1:]])


def _faint(x, weights, strength, row):
    return _causal(x, weights, strength, row) + strength * torch.cat([x[1:], torch.zeros_like(x[:1])])


def _mean_of_later(x, weights, strength, row):
    """The later rows count only as their sum: it does not change when they are shuffled."""
    return x + (x.sum(dim=0) - x.cumsum(dim=0)) @ weights


def _one_column(x, weights, strength, row):
    """Only the last number of each row reads the row after."""
    ahead = torch.cat([x[1:, -1], x[:1, -1] * 0])
    return torch.cat([x[:, :-1], (x[:, -1] + ahead).unsqueeze(1)], dim=1)


def _compares(x, weights, strength, row):
    """A step, whose derivative is 0: how many of the numbers of the row after are larger?"""
    ahead = torch.cat([x[1:], x[-1:]])
    return x + (ahead > x).to(x.dtype)


def _balanced(x, weights, strength, row):
    """The last row moves the numbers of each row before, but not their sum."""
    ahead = x[-1:] @ weights
    return torch.cat([x[:-1] + ahead - ahead.mean(), x[-1:]])


def _norm_first(x, weights, strength, row):
    """Rows are normalized, then attention sees all: a number added to a row, or a factor, is unseen."""
    mean, var = x.mean(dim=-1, keepdim=True), x.var(dim=-1, keepdim=True, unbiased=False)
    return _no_mask((x - mean) / torch.sqrt(var + 1e-12), weights, strength, row)


def _size_of_next(x, weights, strength, row):
    """The row after counts by its size alone: turning its sign is unseen."""
    return _causal(x, weights, strength, row) + torch.cat([x[1:].abs(), torch.zeros_like(x[:1])])


KINDS = {
    "each_row": _each_row,
    "constant": _constant,
    "running_sum": _running_sum,
    "backwards_sum": _backwards_sum,
    "causal": _causal,
    "shifted_by_all": _shifted_by_all,
    "renormalized": _renormalized,
    "row_before": _row_before,
    "last_row_reads_all": _last_row_reads_all,
    "no_mask": _no_mask,
    "over_queries": _over_queries,
    "mask_after": _mask_after,
    "sum_of_all": _sum_of_all,
    "norm_over_time": _norm_over_time,
    "mask_one_late": _mask_one_late,
    "reversed_sum": _reversed_sum,
    "one_row_peeks": _one_row_peeks,
    "first_reads_last": _first_reads_last,
    "faint": _faint,
    "mean_of_later": _mean_of_later,
    "one_column": _one_column,
    "compares": _compares,
    "balanced": _balanced,
    "norm_first": _norm_first,
    "size_of_next": _size_of_next,
}
