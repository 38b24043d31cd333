"""Exact attention block by block, which never holds all scores."""

import math

import torch

from allyouneed.tensors import Float, Keys, Mask, Queries, Tensor, Values
from allyouneed.validate import check_sequences

__all__ = ["blockwise_attention"]


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
    check_sequences(q, k, v, block=block)
    if is_causal and n_queries > n_keys:
        raise ValueError(
            "causal queries are the last of the keys' positions: expected T <= S, "
            f"got {n_queries} and {n_keys}."
        )
    if mask is not None:
        mask = mask.expand(*torch.broadcast_shapes(mask.shape, (n_queries, n_keys)))
    q, outputs = q / math.sqrt(q.shape[-1]), []
    wide = torch.promote_types(q.dtype, torch.float32)  # a long sum of 16 bits stops growing
    for first in range(0, n_queries, block):
        rows = slice(first, min(first + block, n_queries))
        # how many keys some row may see
        reach = rows.stop + n_keys - n_queries if is_causal else n_keys
        largest = q.new_full((*q.shape[:-2], rows.stop - first, 1), torch.finfo(q.dtype).min)
        total = torch.zeros_like(largest, dtype=wide)
        output = v.new_zeros(*largest.shape[:-1], v.shape[-1], dtype=wide)
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
            total = total * rescale + powers.sum(-1, keepdim=True, dtype=wide)
            output = output * rescale + powers @ v[..., columns, :]  # (..., block, D_v)
            largest = new_largest
        outputs.append((output / (total + (total == 0))).to(v.dtype))  # nothing seen: 0 / 1
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
