"""Multi-head attention: several attentions side by side, each with its own projections."""

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.nn.attention import fused_attention, join_causal, scaled_dot_product_attention
from allyouneed.validate import check_groups, check_mask, check_rotary, check_split, check_tokens, head_sizes

__all__ = ["MultiHeadAttention", "expand_kv", "merge_heads", "split_heads"]


def split_heads(x, n_heads):
    """Cut the last axis into heads: (B, T, H*K) to (B, H, T, K).

    Head h owns columns h*K to (h+1)*K. Raises ValueError where the width is not a multiple of `n_heads`.

    >>> split_heads(torch.zeros(2, 5, 12), n_heads=3).shape
    torch.Size([2, 3, 5, 4])
    """
    check_split(x, n_heads)
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)  # (B, T, H, K) to (B, H, T, K)


def merge_heads(x):
    """Lay the heads side by side again: (B, H, T, K) to (B, T, H*K), the inverse of `split_heads`.

    >>> merge_heads(torch.zeros(2, 3, 5, 4)).shape
    torch.Size([2, 5, 12])
    """
    return x.transpose(-3, -2).flatten(-2)  # (B, T, H, K) to (B, T, H*K)


def expand_kv(kv, n_query_heads):
    """Give every query head its group's keys or values: (B, G, S, K) to (B, H, S, K).

    Query head h uses group h // (H/G). Raises ValueError where H is not a multiple of G.
    Grouped-query attention (Ainslie and others 2023); G = 1 is multi-query attention
    (Shazeer 2019).

    >>> expand_kv(torch.zeros(2, 3, 7, 4), n_query_heads=6).shape
    torch.Size([2, 6, 7, 4])
    """
    check_groups(kv, n_query_heads)
    return kv.repeat_interleave(n_query_heads // kv.shape[-3], dim=-3)


class MultiHeadAttention(nn.Module):
    """Attend with several heads at once and mix what they found.

    head_h = attention(x W_q[h], memory W_k[h], memory W_v[h]);  output = concat(head_1 ... head_H) W_o

    d_model: width of the input and output. n_heads: how many heads, H.
    d_head: width K of one head, d_model / n_heads unless given.
    n_kv_heads: how many heads have their own keys and values; fewer than n_heads is grouped-query attention.
    bias: whether the four projections have one.
    rotary: a callable (x (B, H, T, K), positions) -> x that turns queries and keys: `positions.Rotary`.
    attend: a callable (q, k, v, mask) -> (output, weights) in place of the library's own
        `scaled_dot_product_attention`: this is where your own attention goes. A module here trains too.
    qk_norm: scale each query and key to root mean square 1 before the dot product (Henry and others 2020).

    Raises ValueError where the heads do not fit. Paper: Vaswani and others 2017.

    >>> output, weights = MultiHeadAttention(d_model=12, n_heads=3)(torch.zeros(2, 5, 12))
    >>> output.shape, weights.shape
    (torch.Size([2, 5, 12]), torch.Size([2, 3, 5, 5]))
    """

    def __init__(
        self,
        d_model,
        n_heads,
        d_head=None,
        n_kv_heads=None,
        bias=True,
        rotary=None,
        attend=None,
        qk_norm=False,
    ):
        super().__init__()
        d_head, n_kv_heads = head_sizes(d_model, n_heads, d_head, n_kv_heads, rotary)
        self.d_model, self.n_heads, self.d_head, self.n_kv_heads = d_model, n_heads, d_head, n_kv_heads
        self.q_proj = nn.Linear(d_model, n_heads * d_head, bias=bias)
        self.k_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=bias)
        self.v_proj = nn.Linear(d_model, n_kv_heads * d_head, bias=bias)
        self.o_proj = nn.Linear(n_heads * d_head, d_model, bias=bias)
        self.rotary, self.attend, self.qk_norm = rotary, attend, qk_norm

    def forward(
        self, x, memory=None, mask=None, is_causal=False, need_weights=True, cache=None, positions=None
    ):
        """Queries from x (B, T, D), keys and values from memory (B, S, D), or from x where memory is None.

        mask: boolean, True = may attend, broadcastable to (B, H, T, S); S counts cached keys too.
        is_causal: each query sees itself and what came before (queries are the last T of the S positions).
        need_weights: False takes the fast path, `F.scaled_dot_product_attention`; None for weights.
        cache: an object whose `update(k, v)` adds (B, G, T, K) to what it holds and returns all of it.
        positions: for rotary, the place of each token of x, (T,) or (B, T); 0..T-1 unless given.
            With a cache they must be given: the layer cannot know how far the text has come.

        Returns (output (B, T, D), weights (B, H, T, S) or None).
        A query that may attend to nothing gets weights 0, and the output projection's bias as output.
        """
        check_tokens(x, memory, self.d_model)
        q, k, v = self._project(x, x if memory is None else memory)
        if self.qk_norm:
            q, k = F.rms_norm(q, (self.d_head,)), F.rms_norm(k, (self.d_head,))
        if self.rotary is not None:
            check_rotary(memory, cache, positions)
            positions = torch.arange(x.shape[-2], device=x.device) if positions is None else positions
            q, k = self.rotary(q, positions), self.rotary(k, positions)
        if cache is not None:
            k, v = cache.update(k, v)  # (B, G, S, K), S grows with every call

        heads, weights = self._attend(q, k, v, mask, is_causal, need_weights)
        return self.o_proj(merge_heads(heads)), weights  # (B, T, D), (B, H, T, S)

    def _project(self, x, source):
        q = split_heads(self.q_proj(x), self.n_heads)  # (B, H, T, K)
        k = split_heads(self.k_proj(source), self.n_kv_heads)  # (B, G, S, K)
        v = split_heads(self.v_proj(source), self.n_kv_heads)  # (B, G, S, K)
        return q, k, v

    def _attend(self, q, k, v, mask, is_causal, need_weights):
        if mask is not None:
            check_mask(mask, (*q.shape[:-1], k.shape[-2]))
        if self.attend is None and not need_weights:
            return fused_attention(q, k, v, mask, is_causal, self.n_kv_heads < self.n_heads), None
        if is_causal and q.shape[-2] > 1:  # one query, the last, sees every key
            mask = join_causal(mask, q.shape[-2], k.shape[-2], q.device)
        attend = scaled_dot_product_attention if self.attend is None else self.attend
        return attend(q, expand_kv(k, self.n_heads), expand_kv(v, self.n_heads), mask)
