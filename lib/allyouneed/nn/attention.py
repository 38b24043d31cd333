"""Attention: softmax, masks, and scaled dot-product attention as a formula and as a fast path.

Rows throughout: a sequence is (n, d), one token a row. A mask is boolean, True = may attend.
"""

import math

import torch
import torch.nn.functional as F

from allyouneed.validate import check_attention, check_causal, check_padding, check_scores

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
    check_scores(x)
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
    check_causal(n_queries, n_keys)
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
    check_padding(lengths, max_len)
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
    check_attention(q, k, v, mask)
    if not need_weights:
        return fused_attention(q, k, v, mask, is_causal), None
    if is_causal:
        mask = join_causal(mask, q.shape[-2], k.shape[-2], q.device)
    scores = q @ k.mT / math.sqrt(q.shape[-1])  # (..., T, S)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = softmax(scores, dim=-1)
    return weights @ v, weights  # (..., T, D_v), (..., T, S)


def fused_attention(q, k, v, mask=None, is_causal=False, grouped=False):
    """The output alone, from torch's kernel, which never stores the weights. Nothing is checked.

    grouped: k and v have fewer heads than q (axis -3), each for a group of q's.
    """
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    is_causal = is_causal and n_queries > 1  # one query, the last, sees every key
    if is_causal and (mask is not None or n_queries != n_keys):  # the kernel knows neither
        mask, is_causal = join_causal(mask, n_queries, n_keys, q.device), False
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=is_causal, enable_gqa=grouped)


def join_causal(mask, n_queries, n_keys, device):
    """The causal mask, and `mask` besides where there is one: a key must be allowed by both."""
    causal = causal_mask(n_queries, n_keys).to(device)
    return causal if mask is None else mask & causal
