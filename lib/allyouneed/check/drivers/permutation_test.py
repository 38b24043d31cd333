"""Functions (n, d) to (n, d), permutation equivariant or broken, for grading a test of that property."""

from __future__ import annotations

import torch

from allyouneed.check.answers import encode_output
from allyouneed.check.wire import decode

# near 0 a relative tolerance, such as torch.allclose has by default, would take rounding for a difference
AWAY_FROM_ZERO = 6.0


def put(candidate, probe: dict) -> dict:
    """The first argument describes a function on sets; build it, hand it over with the other arguments."""
    spec, *arguments = decode(probe["args"])
    torch.default_generator.manual_seed(0)
    return {"output": encode_output(candidate(build(**spec), *arguments))}


def build(kind: str, d: int, seed: int, strength: float = 0.02, away: float = AWAY_FROM_ZERO):
    """Return the function that `kind` names, with weights drawn from `seed` and cast to the input's dtype.

    `away` is added to its outputs; with 0, they lie around 0, where only an absolute tolerance helps.
    """
    generator = torch.Generator().manual_seed(seed)
    weights = torch.randn(d, d, generator=generator, dtype=torch.float64) / d**0.5

    def function(x: torch.Tensor) -> torch.Tensor:
        if x.dim() != 2 or x.shape[1] != d:
            raise ValueError(
                f"f expects a tensor of shape (n, {d}), but got {tuple(x.shape)}. Draw x as "
                "torch.randn(n, d)."
            )
        if kind == "noisy":
            return x + torch.randn(x.shape, generator=generator, dtype=torch.float64).to(x.dtype)
        return KINDS[kind](x, weights.to(x.dtype), strength) + away

    return function


def _elementwise(x, weights, strength):
    return 2 * x


def _columns_scaled(x, weights, strength):
    return x * weights[0]


def _pooled(x, weights, strength):
    return (x.amax(dim=0, keepdim=True) @ weights).expand_as(x)


def _attend(x, weights, strength):
    scores = x @ weights @ x.T / x.shape[1] ** 0.5
    return torch.softmax(scores, dim=-1) @ x


def _each_row(x, weights, strength):
    return torch.tanh(x @ weights)


def _deep_sets(x, weights, strength):
    return x + (x @ weights).mean(dim=0, keepdim=True)


def _positions(x, weights, strength):
    index = torch.arange(x.shape[0], dtype=x.dtype).unsqueeze(1)
    return _attend(x, weights, strength) + strength * index


def _causal(x, weights, strength):
    scores = (x @ weights @ x.T).masked_fill(~torch.ones(len(x), len(x), dtype=torch.bool).tril(), -torch.inf)
    return torch.softmax(scores, dim=-1) @ x


def _cyclic(x, weights, strength):
    return x + 2 * torch.roll(x, 1, dims=0) @ weights


def _flip_symmetric(x, weights, strength):
    padded = torch.cat([torch.zeros_like(x[:1]), x, torch.zeros_like(x[:1])])
    return x + 2 * (padded[:-2] + padded[2:]) @ weights


def _sorted(x, weights, strength):
    """The sum over positions never changes, but the rows stay where they are when the input is shuffled."""
    return x[torch.argsort(x[:, 0])] @ weights


def _rows_scaled(x, weights, strength):
    return x * torch.arange(1, len(x) + 1, dtype=x.dtype).unsqueeze(1)


def _pooled_by_position(x, weights, strength):
    index = torch.arange(1, len(x) + 1, dtype=x.dtype).unsqueeze(1)
    return (index * x).mean(dim=0, keepdim=True).expand_as(x)


def _pairs(x, weights, strength):
    """Rows 0 and 1, 2 and 3, ... see each other alone: swapping two partners does not show it. n is even."""
    return x + x.reshape(-1, 2, x.shape[1]).sum(dim=1).repeat_interleave(2, dim=0) @ weights


def _signs(x, weights, strength):
    """Every second row with its sign turned: no size changes."""
    return torch.cat([row if index % 2 else -row for index, row in enumerate(x.split(1))])


def _more(x, weights, strength):
    """A tensor as strength says how much each number gets."""
    return x + strength


KINDS = {
    "elementwise": _elementwise,
    "columns_scaled": _columns_scaled,
    "pooled": _pooled,
    "attention": _attend,
    "each_row": _each_row,
    "deep_sets": _deep_sets,
    "positions": _positions,
    "rows_scaled": _rows_scaled,
    "pooled_by_position": _pooled_by_position,
    "causal": _causal,
    "cyclic": _cyclic,
    "flip_symmetric": _flip_symmetric,
    "pairs": _pairs,
    "sorted": _sorted,
    "signs": _signs,
    "more": _more,
}
