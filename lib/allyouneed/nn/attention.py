"""Attention: softmax, masks, scaled dot-product attention as a formula and as a fast path, and causality.

Rows throughout: a sequence is (n, d), one token a row. A mask is boolean, True = may attend.
Each kind of attention is a callable `(q, k, v, mask=None) -> (output, weights)`. Whatever else a model needs
goes around one: `Causal` here, `RotaryAttention`, `Remembering` (a cache) and `QKNorm` in files of their own.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.tensors import Attended, Bool, Float, Int, Keys, Mask, Queries, Real, Tensor, Values
from allyouneed.validate import check_attention, check_causal, check_padding, check_scores

__all__ = [
    "Causal",
    "causal_mask",
    "fused_attention",
    "padding_mask",
    "real_keys",
    "scaled_dot_product_attention",
    "softmax",
]


def softmax(x: Float[Tensor, "..."], dim: int) -> Float[Tensor, "..."]:
    """Turn scores into positive weights that sum to 1 along one axis, without overflow.

    softmax(x)_i = exp(x_i - m) / sum_j exp(x_j - m),  m = max_j x_j

    x: floating point, any shape; -inf gives weight 0.
    dim: the axis that sums to 1, negative counts from the end.
    Returns weights of x's shape and dtype. Where every score is -inf, there is nothing to
    choose and all weights are 0. Raises TypeError for integers.

    >>> softmax(torch.tensor([0.0, 1000.0, 1000.0]), dim=0)
    tensor([0.0000, 0.5000, 0.5000])
    """
    check_scores(x)
    largest = x.amax(dim, keepdim=True).detach()  # a common shift changes no weight
    largest = largest.masked_fill(largest == -math.inf, 0.0)  # -inf - -inf would be NaN
    powers = torch.exp(x - largest)  # at most 1: no overflow
    total = powers.sum(dim, keepdim=True)
    return powers / total.masked_fill(total == 0.0, 1.0)  # 0 / 1 where all were -inf


def causal_mask(n_queries: int, n_keys: int | None = None) -> Bool[Tensor, "T S"]:
    """Let each position see itself and what came before.

    mask[t, s] = True where key s does not come after query t

    The queries are the last `n_queries` of the `n_keys` positions (all of them unless given).
    Returns bool (T, S). Raises ValueError where there are fewer keys than queries.

    >>> causal_mask(2, 3).int().tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    n_keys = n_queries if n_keys is None else n_keys
    check_causal(n_queries, n_keys)
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


def padding_mask(lengths: Int[Tensor, " B"] | list[int], max_len: int) -> Bool[Tensor, "B 1 1 S"]:
    """Hide the padding of a batch: True at (b, 0, 0, s) where s < lengths[b].

    lengths: integers (B,), the real tokens of each sequence, 0 allowed.
    max_len: S, the padded length.
    Returns bool (B, 1, 1, S), the same for all heads and queries; join a causal mask with `&`.
    Raises TypeError for other than integers, ValueError where a length does not fit.

    >>> padding_mask([2, 0], max_len=3).int().tolist()
    [[[[1, 1, 0]]], [[[0, 0, 0]]]]
    """
    lengths = torch.as_tensor(lengths)
    check_padding(lengths, max_len)
    positions = torch.arange(max_len, device=lengths.device)  # (S,)
    return (positions < lengths[:, None])[:, None, None, :]  # (B, 1, 1, S)


def real_keys(real: Real) -> Mask:
    """The mask that hides padding, from `real` (B, S), False at padding: bool (B, 1, 1, S), or None for None.

    >>> real_keys(torch.tensor([[True, False]])).shape
    torch.Size([1, 1, 1, 2])
    """
    return None if real is None else real.bool()[:, None, None, :]


def scaled_dot_product_attention(
    q: Float[Tensor, "... T K"], k: Float[Tensor, "... S K"], v: Float[Tensor, "... S D"], mask: Mask = None
) -> tuple[Float[Tensor, "... T D"], Float[Tensor, "... T S"]]:
    """Mix the values, each weighted by how well its key answers the query.

    attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V

    q: queries (..., T, K). k: keys (..., S, K). v: values (..., S, D_v). Leading axes
    broadcast.
    mask: bool, broadcastable to (..., T, S), True = may attend.

    Returns (output (..., T, D_v), weights (..., T, S)). A query that may attend to nothing gets
    weights 0 and output 0. TypeError or ValueError where dtypes or shapes do not fit.
    Paper: Vaswani and others 2017, section 3.2.1.

    >>> q, k, v = torch.zeros(1, 4), torch.zeros(3, 4), torch.eye(3)
    >>> scaled_dot_product_attention(q, k, v)[1]
    tensor([[0.3333, 0.3333, 0.3333]])
    """
    check_attention(q, k, v, mask)
    scores = q @ k.mT / math.sqrt(q.shape[-1])  # (..., T, S)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = softmax(scores, dim=-1)
    return weights @ v, weights  # (..., T, D_v), (..., T, S)


def fused_attention(
    q: Queries, k: Keys, v: Values, mask: Mask = None, is_causal: bool = False
) -> tuple[Float[Tensor, "... T D"], None]:
    """The same output from torch, whose fast kernels never store the weights: returns (output, None).

    is_causal: as many keys as queries, no mask, and each query sees itself and what came before. k and v may
    have fewer heads than q (axis -3): each then serves a group of q's.

    >>> fused_attention(torch.zeros(1, 4), torch.zeros(3, 4), torch.eye(3))[0]
    tensor([[0.3333, 0.3333, 0.3333]])
    """
    grouped = min(q.dim(), k.dim()) > 3 and k.shape[-3] < q.shape[-3]
    if mask is not None:
        check_attention(q, k, v, mask, grouped)
    try:
        return F.scaled_dot_product_attention(q, k, v, mask, is_causal=is_causal, enable_gqa=grouped), None
    except (RuntimeError, IndexError):  # the kernel looks at shapes itself, and we say in words what it found
        check_attention(q, k, v, mask, grouped)
        raise


class Causal(nn.Module):
    """Around `attend`: each query sees itself and what came before; the queries are the last T positions.

    attend: what is called with (q, k, v, mask), where `mask` then allows what both rules allow. This is where
    the fast path is chosen: with `fused_attention` and no other mask, torch's kernel needs none.
    Raises ValueError where there are fewer keys than queries.

    >>> q = torch.zeros(1, 2, 4)
    >>> Causal(scaled_dot_product_attention)(q, q, q)[1].tolist()
    [[[1.0, 0.0], [0.5, 0.5]]]
    """

    def __init__(self, attend=fused_attention):
        super().__init__()
        self.attend = attend

    def forward(self, q: Queries, k: Keys, v: Values, mask: Mask = None) -> Attended:
        n_queries, n_keys = q.shape[-2], k.shape[-2]
        if n_queries == 1:  # the last position sees every key
            return self.attend(q, k, v, mask)
        if mask is None and n_queries == n_keys and self.attend is fused_attention:
            return fused_attention(q, k, v, is_causal=True)
        seen = causal_mask(n_queries, n_keys).to(q.device)
        return self.attend(q, k, v, seen if mask is None else seen & mask)
