"""Attention over long sequences: block by block (exact), within a window, and linear."""

import math

import torch
import torch.nn.functional as F

from allyouneed.nn.attention import fused_attention
from allyouneed.tensors import Bool, Float, Keys, Mask, Queries, Tensor, Values

__all__ = ["blockwise_attention", "linear_attention", "local_attention", "local_causal_mask"]


def blockwise_attention(
    q: Queries, k: Keys, v: Values, mask: Mask = None, is_causal: bool = False, block: int = 256
) -> Float[Tensor, "... T D"]:
    """Exact attention that never holds more than block × block scores: softmax, one block of keys at a time.

    For each new block with scores s the running maximum m, sum l and output a (all of one query) become
    m' = max(m, max s),  l' = l e^(m-m') + Σ e^(s-m'),  a' = a e^(m-m') + Σ e^(s-m') v;
    the result is a / l. Old sums are rescaled whenever the maximum grows, so the order of
    blocks does not matter.

    q (..., T, K), k (..., S, K), v (..., S, D_v) with equal leading axes; returns
    (..., T, D_v). mask: boolean, broadcastable to (..., T, S). is_causal: queries are the last
    T of the S positions; blocks that lie wholly in the future are left out. A query that may
    attend to nothing gets 0. Memory beyond the result does not grow with T · S (in training,
    autograd keeps each block all the same). ValueError where block < 1 or, if causal, T > S.
    Papers: Milakov and Gimelshein 2018; Rabe and Staats 2021; Dao and others 2022.

    >>> q, k, v = torch.zeros(2, 5, 4), torch.zeros(2, 7, 4), torch.ones(2, 7, 3)
    >>> blockwise_attention(q, k, v, block=2).shape
    torch.Size([2, 5, 3])
    """
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    _check(q, k, v, block=block)
    if is_causal and n_queries > n_keys:
        raise ValueError(
            "causal queries are the last of the keys' positions: expected T <= S, "
            f"got {n_queries} and {n_keys}."
        )
    if mask is not None:
        mask = mask.expand(*torch.broadcast_shapes(mask.shape, (n_queries, n_keys)))
    q, outputs = q / math.sqrt(q.shape[-1]), []
    for first in range(0, n_queries, block):
        rows = slice(first, min(first + block, n_queries))
        # how many keys some row may see
        reach = rows.stop + n_keys - n_queries if is_causal else n_keys
        largest = q.new_full((*q.shape[:-2], rows.stop - first, 1), torch.finfo(q.dtype).min)
        total, output = torch.zeros_like(largest), v.new_zeros(*largest.shape[:-1], v.shape[-1])
        for start in range(0, reach, block):
            columns = slice(start, min(start + block, reach))
            scores = q[..., rows, :] @ k[..., columns, :].mT  # (..., block, block)
            hidden = _hidden(mask, is_causal, rows, columns, n_keys - n_queries, q.device)
            if hidden is not None:
                scores = scores.masked_fill_(hidden, torch.finfo(q.dtype).min)
            # a shift: needs no gradient
            new_largest = torch.maximum(largest, scores.detach().amax(-1, keepdim=True))
            powers = scores.sub_(new_largest).exp_()  # in place, to save memory
            if mask is not None:
                powers = powers.masked_fill(hidden, 0.0)  # a row may have no key
            rescale = torch.exp(largest - new_largest)  # (..., block, 1)
            total = total * rescale + powers.sum(-1, keepdim=True)
            output = output * rescale + powers @ v[..., columns, :]  # (..., block, D_v)
            largest = new_largest
        outputs.append(output / (total + (total == 0)))  # nothing seen: 0 / 1
    return torch.cat(outputs, dim=-2) if outputs else q.new_zeros(*q.shape[:-1], v.shape[-1])


def _hidden(mask, is_causal, rows, columns, offset, device):
    """Which scores of one block must not count: boolean, or None where all of them do."""
    hidden = None if mask is None else ~mask[..., rows, columns]
    # the block touches the diagonal
    if is_causal and columns.stop - 1 > rows.start + offset:
        queries = torch.arange(rows.start + offset, rows.stop + offset, device=device)
        later = torch.arange(columns.start, columns.stop, device=device) > queries[:, None]
        hidden = later if hidden is None else hidden | later
    return hidden


def local_causal_mask(n: int, window: int) -> Bool[Tensor, "n n"]:
    """Each query sees itself and the window - 1 tokens before: boolean (n, n), True = may attend.

    Raises ValueError where window < 1. Paper: Child and others 2019.

    >>> local_causal_mask(3, window=2).int().tolist()
    [[1, 0, 0], [1, 1, 0], [0, 1, 1]]
    """
    if window < 1:
        raise ValueError(f"window must be at least 1, the query itself, but it is {window}.")
    return torch.ones(n, n, dtype=torch.bool).tril().triu(1 - window)


def local_attention(q: Queries, k: Keys, v: Values, window: int) -> Float[Tensor, "... T D"]:
    """Causal attention to the last `window` tokens, itself included, in time and memory linear in the length.

    Equal to attention with `local_causal_mask(T, window)`. Tokens are cut into blocks of `window`: a query
    finds all it may see in its own block and the one before. q, k (..., T, K), v (..., T, D_v); returns
    (..., T, D_v). Raises ValueError where window < 1 or the lengths differ.
    Papers: Child and others 2019; Beltagy and others 2020.

    >>> local_attention(torch.zeros(2, 5, 4), torch.zeros(2, 5, 4), torch.ones(2, 5, 3), window=2).shape
    torch.Size([2, 5, 3])
    """
    _check(q, k, v, window=window)
    n_tokens, leading = q.shape[-2], q.shape[:-2]
    if k.shape[-2] != n_tokens:
        raise ValueError(
            "local attention is self-attention: expected as many keys as queries, got "
            f"{k.shape[-2]} and {n_tokens}."
        )
    window = max(1, min(window, n_tokens))

    # (..., T, K) to (N, n, w, K)
    def blocks(x):
        x = x.reshape(-1, n_tokens, x.shape[-1])
        return F.pad(x, (0, 0, 0, -n_tokens % window)).unflatten(1, (-1, window))

    # (N, n, w, K) to (N, n, 2w, K)
    def with_previous(x):
        return torch.cat((F.pad(x, (0, 0, 0, 0, 1, 0))[:, :-1], x), dim=2)

    queries, keys, values = blocks(q), blocks(k), blocks(v)
    band = local_causal_mask(2 * window, window)[window:].to(q.device)  # (w, 2w)
    band = band.repeat(queries.shape[1], 1, 1)  # (n, w, 2w)
    # before the first block is nothing
    band[:1, :, :window] = False
    output, _ = fused_attention(queries, with_previous(keys), with_previous(values), band)
    return output.flatten(1, 2)[:, :n_tokens].reshape(*leading, n_tokens, v.shape[-1])  # (..., T, D_v)


def linear_attention(
    q: Queries, k: Keys, v: Values, is_causal: bool = False, block: int = 128
) -> Float[Tensor, "... T D"]:
    """Attention with φ(q)·φ(k) in place of exp(q·k), φ(x) = elu(x) + 1: time linear in the
    length, another function than softmax.

    output_t = φ(q_t) (Σ_s φ(k_s)ᵀ v_s) / φ(q_t) (Σ_s φ(k_s)ᵀ), all vectors rows, the sums over
    all s, or s <= t if causal. The sums are one (K, D_v) matrix and one (K,) vector, whatever
    the length: a recurrent network's state. q (..., T, K), k (..., S, K), v (..., S, D_v), with
    T = S if causal; returns (..., T, D_v). `block` tokens of the causal form are computed at a
    time. Raises ValueError where shapes do not fit or block < 1.
    Paper: Katharopoulos and others 2020.

    >>> linear_attention(torch.zeros(2, 5, 4), torch.zeros(2, 7, 4), torch.ones(2, 7, 3)).shape
    torch.Size([2, 5, 3])
    """
    _check(q, k, v, block=block)
    q, k = F.elu(q) + 1, F.elu(k) + 1  # positive, so weights are too
    v = torch.cat((v, torch.ones_like(v[..., :1])), dim=-1)  # the ones sum the weights
    if not is_causal:
        output = q @ (k.mT @ v)  # (..., T, D_v + 1)
    else:
        if q.shape[-2] != k.shape[-2]:
            raise ValueError(
                f"causal linear attention needs as many keys as queries, got {k.shape[-2]} and {q.shape[-2]}."
            )
        state, outputs = 0.0, []  # Σ φ(k)ᵀ v of all earlier blocks
        for q_block, k_block, v_block in zip(q.split(block, -2), k.split(block, -2), v.split(block, -2)):
            within = (q_block @ k_block.mT).tril() @ v_block  # (..., block, D_v + 1)
            outputs.append(within + q_block @ state if outputs else within)
            state = state + k_block.mT @ v_block  # (..., K, D_v + 1)
        output = torch.cat(outputs, dim=-2)
    return output[..., :-1] / output[..., -1:]


def _check(q, k, v, **sizes):
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, but it is {size}.")
    if q.shape[:-2] != k.shape[:-2] or k.shape[:-1] != v.shape[:-1] or q.shape[-1] != k.shape[-1]:
        raise ValueError(
            "expected q (..., T, K), k (..., S, K), v (..., S, D_v) with equal leading "
            f"axes, but they are {tuple(q.shape)}, {tuple(k.shape)}, {tuple(v.shape)}."
        )
