"""Latent attention: all heads' keys and values unpack from one short vector a token, and only it is kept."""

import math

import torch.nn.functional as F
from torch import nn

from allyouneed.nn.attention import scaled_dot_product_attention
from allyouneed.nn.multihead import merge_heads, split_heads
from allyouneed.tensors import Maps, Mask, Tokens

__all__ = ["LatentAttention"]


class LatentAttention(nn.Module):
    """Multi-head attention with keys and values from a latent c = x W_down of `d_latent` numbers a token.

    k_h = c W_k[h],  v_h = c W_v[h];  scores q_h · k_h = (q_h W_k[h]ᵀ) · c, so the cache needs c alone:
    d_latent numbers a token and layer, where multi-head attention keeps 2 · n_heads · d_head. `absorbed=True`
    computes with c directly, as one attention with d_latent-wide queries; `absorbed=False` unpacks keys and
    values first. Both are equal.

    d_head is d_model / n_heads unless given. There is no bias, and no rotary turn: it would stand between W_k
    and c (DeepSeek adds a short rotary key beside the latent for that), so positions must be in x already.
    inner: the attention behind it, such as `Causal()`. `attend` gets the latents as keys, and no values, so
    that `Remembering(layer.attend, max_len)` in its place keeps nothing else.
    Takes the place of `MultiHeadAttention` in a `Block`. Raises ValueError where the sizes do not fit, or
    memory is given.
    Paper: DeepSeek-AI 2024 (DeepSeek-V2).

    >>> import torch
    >>> LatentAttention(d_model=12, n_heads=3, d_latent=5)(torch.zeros(2, 7, 12))[0].shape
    torch.Size([2, 7, 12])
    """

    def __init__(
        self, d_model, n_heads, d_latent, d_head=None, absorbed=False, inner=scaled_dot_product_attention
    ):
        super().__init__()
        if min(d_model, n_heads, d_latent, 1 if d_head is None else d_head) < 1 or (
            d_head is None and d_model % n_heads
        ):
            raise ValueError(
                f"d_model={d_model}, n_heads={n_heads}, d_latent={d_latent} and d_head must be "
                "at least 1, and the heads divide d_model."
            )
        d_head = d_model // n_heads if d_head is None else d_head
        self.n_heads, self.d_head, self.inner = n_heads, d_head, inner
        self.q_proj = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)  # what a cache keeps
        self.k_proj = nn.Linear(d_latent, n_heads * d_head, bias=False)
        self.v_proj = nn.Linear(d_latent, n_heads * d_head, bias=False)
        self.o_proj = nn.Linear(n_heads * d_head, d_model, bias=False)
        self.attend = self.absorbed if absorbed else self.unpacked

    def forward(self, x: Tokens, memory: None = None, mask: Mask = None) -> tuple[Tokens, Maps]:
        """x (B, T, D) to (output (B, T, D), weights (B, H, T, S) or None), as in `MultiHeadAttention`."""
        if memory is not None:
            raise ValueError("latent attention is self-attention: it takes no memory.")
        q = split_heads(self.q_proj(x), self.n_heads)  # (B, H, T, K)
        latent = self.down_proj(x)[:, None]  # (B, 1, T, C), keys and values in one
        heads, weights = self.attend(q, latent, latent[..., :0], mask)
        return self.o_proj(merge_heads(heads)), weights  # (B, T, D), (B, H, T, S)

    def unpacked(self, q, latent, _, mask=None):
        """Each head's keys and values, then attention as it always is."""
        k, v = (
            split_heads(F.linear(latent[:, 0], part.weight), self.n_heads)
            for part in (self.k_proj, self.v_proj)
        )  # (B, H, S, K)
        return self.inner(q, k, v, mask)

    def absorbed(self, q, latent, _, mask=None):
        """Queries that ask the latents themselves, and one unpacking of what was found."""
        unpack_k, unpack_v = (
            part.weight.unflatten(0, (self.n_heads, -1)) for part in (self.k_proj, self.v_proj)
        )  # (H, K, C)
        # attention divides by sqrt(C)
        q = q @ unpack_k * math.sqrt(latent.shape[-1] / self.d_head)  # (B, H, T, C)
        mixed, weights = self.inner(q, latent, latent, mask)
        return mixed @ unpack_v.mT, weights  # (B, H, T, K)
