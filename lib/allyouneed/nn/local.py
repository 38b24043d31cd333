"""Local attention: each query sees a window of the tokens before it."""

import torch
import torch.nn.functional as F

from allyouneed.nn.attention import fused_attention
from allyouneed.tensors import Bool, Float, Keys, Queries, Tensor, Values
from allyouneed.validate import check_sequences

__all__ = ["local_attention", "local_causal_mask"]


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
    check_sequences(q, k, v, window=window)
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
