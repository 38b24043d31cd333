"""Grouped-query attention: several query heads share one head of keys and values."""

from torch import nn

from allyouneed.nn.attention import fused_attention
from allyouneed.nn.multihead import MultiHeadAttention, split_heads
from allyouneed.tensors import Attended, Float, Mask, Queries, Tensor
from allyouneed.validate import check_groups, check_kv_heads

__all__ = ["Grouped", "GroupedQueryAttention", "expand_kv"]


def expand_kv(kv: Float[Tensor, "... G S K"], n_query_heads: int) -> Float[Tensor, "... H S K"]:
    """Give every query head its group's keys or values: (B, G, S, K) to (B, H, S, K).

    Query head h uses group h // (H/G). Raises ValueError where H is not a multiple of G.
    Grouped-query attention (Ainslie and others 2023); G = 1 is multi-query attention
    (Shazeer 2019).

    >>> import torch
    >>> expand_kv(torch.zeros(2, 3, 7, 4), n_query_heads=6).shape
    torch.Size([2, 6, 7, 4])
    """
    check_groups(kv, n_query_heads)
    return kv.repeat_interleave(n_query_heads // kv.shape[-3], dim=-3)


class Grouped(nn.Module):
    """Around `attend`: it gets as many heads of keys and values as there are query heads.

    `fused_attention` shares them by itself, without a copy, and needs none of this.

    >>> import torch
    >>> from allyouneed.nn.attention import scaled_dot_product_attention
    >>> q, kv = torch.zeros(2, 6, 5, 4), torch.zeros(2, 3, 7, 4)
    >>> Grouped(scaled_dot_product_attention)(q, kv, kv)[1].shape
    torch.Size([2, 6, 5, 7])
    """

    def __init__(self, attend):
        super().__init__()
        self.attend = attend

    def forward(
        self, q: Queries, k: Float[Tensor, "... G S K"], v: Float[Tensor, "... G S D"], mask: Mask = None
    ) -> Attended:
        return self.attend(q, expand_kv(k, q.shape[-3]), expand_kv(v, q.shape[-3]), mask)


class GroupedQueryAttention(MultiHeadAttention):
    """`MultiHeadAttention` with `n_kv_heads` heads of keys and values, each for n_heads / n_kv_heads queries.

    attend: gets k and v with fewer heads than q, so that a cache keeps those only: `fused_attention`, or
    another inside `Grouped`.
    Raises ValueError where n_heads is not a multiple of n_kv_heads. Paper: Ainslie and others 2023.

    >>> GroupedQueryAttention(d_model=12, n_heads=6, n_kv_heads=2).k_proj.out_features
    4
    """

    def __init__(self, d_model, n_heads, n_kv_heads, d_head=None, bias=True, attend=fused_attention):
        super().__init__(d_model, n_heads, d_head, bias, attend)
        check_kv_heads(n_heads, n_kv_heads)
        self.n_kv_heads = n_kv_heads
        self.k_proj, self.v_proj = (nn.Linear(d_model, n_kv_heads * self.d_head, bias=bias) for _ in range(2))

    def project(self, x, memory):
        q = split_heads(self.q_proj(x), self.n_heads)  # (B, H, T, K)
        k = split_heads(self.k_proj(memory), self.n_kv_heads)  # (B, G, S, K)
        v = split_heads(self.v_proj(memory), self.n_kv_heads)  # (B, G, S, K)
        return q, k, v
