"""Attention: softmax, masks, and scaled dot-product attention as a formula and as a fast path.

Rows throughout: a sequence is (n, d), one token a row. A mask is boolean, True = may attend.
"""

import math
from itertools import zip_longest

import torch
import torch.nn.functional as F

__all__ = ["causal_mask", "padding_mask", "scaled_dot_product_attention", "softmax"]


def softmax(x, dim):
    """Turn scores into positive weights that sum to 1 along one axis, without overflow.

    softmax(x)_i = exp(x_i - m) / sum_j exp(x_j - m),  m = max_j x_j

    x: floating point, any shape; -inf gives weight 0.
    dim: the axis that sums to 1, negative counts from the end.
    Returns weights of x's shape and dtype. Where every score is -inf, there is nothing to
    choose and all weights are 0. Raises TypeError for integers.

    >>> softmax(torch.tensor([0.0, 1000.0, 1000.0]), dim=0)
    tensor([0.0000, 0.5000, 0.5000])
    """
    if not x.is_floating_point():
        raise TypeError(f"softmax expects floating point scores, but got {x.dtype}: convert with x.float().")
    largest = x.amax(dim, keepdim=True).detach()  # a common shift changes no weight
    largest = largest.masked_fill(largest == -math.inf, 0.0)  # -inf - -inf would be NaN
    powers = torch.exp(x - largest)  # at most 1: no overflow
    total = powers.sum(dim, keepdim=True)
    return powers / total.masked_fill(total == 0.0, 1.0)  # 0 / 1 where all were -inf


def causal_mask(n_queries, n_keys=None):
    """Let each position see itself and what came before.

    mask[t, s] = True where key s does not come after query t

    The queries are the last `n_queries` of the `n_keys` positions (all of them unless given).
    Returns bool (T, S). Raises ValueError where there are fewer keys than queries.

    >>> causal_mask(2, 3).int().tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    n_keys = n_queries if n_keys is None else n_keys
    if n_queries < 0 or n_keys < n_queries:
        raise ValueError(
            f"causal_mask: the {n_queries} queries are the last of the keys, so there must be "
            f"at least as many keys, but n_keys={n_keys}. "
            "Is the order of the arguments (n_queries, n_keys)?"
        )
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


def padding_mask(lengths, max_len):
    """Hide the padding of a batch: True at (b, 0, 0, s) where s < lengths[b].

    lengths: integers (B,), the real tokens of each sequence, 0 allowed.
    max_len: S, the padded length.
    Returns bool (B, 1, 1, S), the same for all heads and queries; join a causal mask with `&`.
    Raises TypeError for other than integers, ValueError where a length does not fit.

    >>> padding_mask([2, 0], max_len=3).int().tolist()
    [[[[1, 1, 0]]], [[[0, 0, 0]]]]
    """
    lengths = torch.as_tensor(lengths)
    if lengths.numel() and (lengths.is_floating_point() or lengths.dtype == torch.bool):
        raise TypeError(
            f"padding_mask expects integer lengths, but got {lengths.dtype}: "
            "count the real tokens of each sequence."
        )
    if lengths.dim() != 1:
        raise ValueError(
            f"padding_mask expects lengths of shape (B,), one number a sequence, "
            f"but got {tuple(lengths.shape)}."
        )
    if ((lengths < 0) | (lengths > max_len)).any():
        raise ValueError(
            f"padding_mask: every length must be between 0 and max_len={max_len}, "
            f"but they are {lengths.tolist()}."
        )
    positions = torch.arange(max_len, device=lengths.device)  # (S,)
    return (positions < lengths[:, None])[:, None, None, :]  # (B, 1, 1, S)


def scaled_dot_product_attention(q, k, v, mask=None, is_causal=False, need_weights=True):
    """Mix the values, each weighted by how well its key answers the query.

    attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V

    q: queries (..., T, K). k: keys (..., S, K). v: values (..., S, D_v). Leading axes
    broadcast.
    mask: bool, broadcastable to (..., T, S), True = may attend.
    is_causal: each query sees itself and what came before (queries are the last T positions).
    need_weights: False takes the fast path, which never stores the weights and returns None.

    Returns (output (..., T, D_v), weights (..., T, S) or None). A query that may attend to
    nothing gets weights 0 and output 0. TypeError or ValueError where dtypes or shapes do not fit.
    Paper: Vaswani and others 2017, section 3.2.1.

    >>> q, k, v = torch.zeros(1, 4), torch.zeros(3, 4), torch.eye(3)
    >>> scaled_dot_product_attention(q, k, v)[1]
    tensor([[0.3333, 0.3333, 0.3333]])
    """
    _check(q, k, v, mask)
    n_queries, n_keys, d_k = q.shape[-2], k.shape[-2], q.shape[-1]
    if not need_weights and is_causal and mask is None and n_queries == n_keys:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True), None  # stores no mask
    if is_causal:
        causal = causal_mask(n_queries, n_keys).to(q.device)
        mask = causal if mask is None else mask & causal
    if not need_weights:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask), None

    hidden = torch.zeros((), dtype=torch.bool, device=q.device) if mask is None else ~mask
    weights = softmax((q @ k.mT / math.sqrt(d_k)).masked_fill(hidden, -math.inf), dim=-1)
    return weights @ v, weights  # (..., T, D_v), (..., T, S)


def _check(q, k, v, mask):
    shapes = f"q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}"
    if min(q.dim(), k.dim(), v.dim()) < 2:
        raise ValueError(
            f"q, k and v need at least two axes, (tokens, width), but got {shapes}. Add one with x[None, :]."
        )
    if not q.dtype == k.dtype == v.dtype or not q.is_floating_point():
        raise TypeError(
            f"q, k and v must share one floating point dtype, but got {q.dtype}, {k.dtype}, {v.dtype}: "
            "convert them with .to(torch.float32)."
        )
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"queries and keys must have the same width (last axis), but got {shapes}. Project both to d_k."
        )
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"every key needs one value: k and v must agree in axis -2, but got {shapes}.")
    leading = _joined(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    if leading is None:
        raise ValueError(f"the leading axes (batch, heads) do not fit together: {shapes}.")
    if mask is None:
        return
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask must be boolean, True = may attend, but it is {mask.dtype}: write mask = allowed.bool()."
        )
    scores = (*leading, q.shape[-2], k.shape[-2])
    if mask.dim() > len(scores) or not _broadcasts(mask.shape, scores):
        raise ValueError(
            f"mask must broadcast to the scores {scores}, one row a query and one column a key, but it is "
            f"{tuple(mask.shape)}. Give it axes of size 1 where it is the same for all, or drop one "
            "(mask.squeeze(1)) where there are no heads."
        )


def _broadcasts(shape, target):
    return all(n in (1, m) for n, m in zip(reversed(shape), reversed(target)))


def _joined(*shapes):
    """The shape all broadcast to, or None. (torch.broadcast_shapes imports sympy first: half a second.)"""
    joined = []
    for sizes in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        wide = set(sizes) - {1}
        if len(wide) > 1:
            return None
        joined.append(wide.pop() if wide else 1)
    return tuple(reversed(joined))
