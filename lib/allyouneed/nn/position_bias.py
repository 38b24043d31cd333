"""Positions as a bias on the scores: what counts is how far a key is from its query."""

import math

import torch
from torch import nn

from allyouneed.nn.attention import softmax
from allyouneed.tensors import Attended, Float, Int, Keys, Mask, Queries, Tensor, Values

__all__ = ["ALiBi", "BiasedAttention", "RelativeBias", "alibi_bias", "relative_buckets"]


def _offsets(n_queries, n_keys, device=None):
    """Key position minus query position, (T, S); the queries are the last T of the S positions."""
    if not 0 <= n_queries <= n_keys:
        raise ValueError(
            "queries are the last of the keys' positions: expected n_queries <= n_keys, got "
            f"{n_queries} and {n_keys}."
        )
    keys = torch.arange(n_keys, device=device)
    return keys[None, :] - keys[n_keys - n_queries :, None]


def alibi_bias(n_heads: int, n_queries: int, n_keys: int, device=None) -> Float[Tensor, "H T S"]:
    """A penalty on the score that grows with distance, each head with its own slope: (H, T, S).

    bias[h, t, s] = -m_h · |t - s|,  m_h = 2^(-8h/H) for h = 1 .. H. Queries are the last T of
    the S positions.
    Nothing is learned. Raises ValueError where T > S. Paper: Press, Smith and Lewis 2022.

    >>> alibi_bias(n_heads=8, n_queries=1, n_keys=3)[0].tolist()
    [[-1.0, -0.5, -0.0]]
    """
    if n_heads < 1:
        raise ValueError(f"n_heads must be at least 1, got {n_heads}.")
    slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1, device=device) / n_heads)  # (H,)
    return -slopes[:, None, None] * _offsets(n_queries, n_keys, device).abs()  # (H, T, S)


def relative_buckets(
    n_queries: int,
    n_keys: int,
    n_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
    device=None,
) -> Int[Tensor, "T S"]:
    """Sort distances into buckets: near ones apart, far ones shared on a logarithmic scale. int64 (T, S).

    With both directions, later keys use the second half of the buckets. One direction puts all later keys
    into bucket 0.
    In n buckets a side, distances below n/2 are exact; from max_distance on all share the last.
    Raises ValueError where there are too few buckets, or T > S. Paper: Raffel and others 2020 (T5).

    >>> relative_buckets(n_queries=1, n_keys=4, bidirectional=False).tolist()
    [[3, 2, 1, 0]]
    """
    per_side = n_buckets // 2 if bidirectional else n_buckets
    n_exact = per_side // 2
    if n_exact < 1 or (bidirectional and n_buckets % 2) or max_distance <= n_exact:
        raise ValueError(
            f"too few buckets or too short a reach: n_buckets={n_buckets}, "
            f"max_distance={max_distance}; expected an even n_buckets >= "
            f"{4 if bidirectional else 2} and max_distance > {max(n_exact, 1)}."
        )
    offsets = _offsets(n_queries, n_keys, device)
    first = per_side * (offsets > 0) if bidirectional else torch.zeros_like(offsets)
    distance = offsets.abs() if bidirectional else (-offsets).clamp(min=0)
    # 0 at n_exact, 1 at max_distance
    share = torch.log(distance.clamp(min=1).double() / n_exact) / math.log(max_distance / n_exact)
    far = (n_exact + share * (per_side - n_exact)).long().clamp(max=per_side - 1)
    return first + torch.where(distance < n_exact, distance, far)


class RelativeBias(nn.Module):
    """One learned number for each head and bucket of distance: `RelativeBias(n_heads)(T, S)` is (H, T, S).

    Numbers start at normal(0, std), drawn from `generator`; see `relative_buckets` for the other arguments.
    Paper: Raffel and others 2020 (T5, whose attention leaves out the division by √K; ours keeps it).

    >>> RelativeBias(n_heads=3)(5, 7).shape
    torch.Size([3, 5, 7])
    """

    def __init__(self, n_heads, n_buckets=32, max_distance=128, bidirectional=True, std=0.02, generator=None):
        super().__init__()
        relative_buckets(1, 1, n_buckets, max_distance, bidirectional)  # refuses what cannot work now
        self.n_buckets, self.max_distance, self.bidirectional = n_buckets, max_distance, bidirectional
        self.weight = nn.Parameter(std * torch.randn(n_buckets, n_heads, generator=generator))

    def forward(self, n_queries: int, n_keys: int) -> Float[Tensor, "H T S"]:
        buckets = relative_buckets(
            n_queries, n_keys, self.n_buckets, self.max_distance, self.bidirectional, self.weight.device
        )
        return self.weight[buckets].permute(2, 0, 1)  # (T, S, H) to (H, T, S)


class ALiBi(nn.Module):
    """`alibi_bias` for a fixed number of heads, for `BiasedAttention`: `ALiBi(n_heads)(T, S)` is (H, T, S).

    >>> ALiBi(n_heads=8)(1, 3)[0].tolist()
    [[-1.0, -0.5, -0.0]]
    """

    slopes: Tensor  # (H,)

    def __init__(self, n_heads):
        super().__init__()
        self.register_buffer("slopes", -alibi_bias(n_heads, 1, 2)[:, 0, 0], persistent=False)

    def forward(self, n_queries: int, n_keys: int) -> Float[Tensor, "H T S"]:
        return -self.slopes[:, None, None] * _offsets(n_queries, n_keys, self.slopes.device).abs()


class BiasedAttention(nn.Module):
    """Attention whose scores get a bias by distance: softmax(q kᵀ / √K + bias) v, for
    `MultiHeadAttention(attend=...)`.

    bias: a callable (T, S) -> (H, T, S), such as `ALiBi(n_heads)` or `RelativeBias(n_heads)`; a module's
    weights train.
    Called with q (B, H, T, K), k (B, H, S, K), v (B, H, S, K) and a boolean mask; returns
    (output, weights (B, H, T, S)).
    Papers: Raffel and others 2020; Press, Smith and Lewis 2022.

    >>> q = torch.zeros(1, 8, 3, 4)
    >>> BiasedAttention(ALiBi(8))(q, q, q)[0].shape
    torch.Size([1, 8, 3, 4])
    """

    def __init__(self, bias):
        super().__init__()
        self.bias = bias

    def forward(self, q: Queries, k: Keys, v: Values, mask: Mask = None) -> Attended:
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = scores + self.bias(q.shape[-2], k.shape[-2]).to(q.dtype)  # (B, H, T, S)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = softmax(scores, dim=-1)
        return weights @ v, weights
