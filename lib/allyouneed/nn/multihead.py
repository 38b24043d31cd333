"""Multi-head attention: several attentions side by side, each with its own projections."""

from torch import nn

from allyouneed.nn.attention import scaled_dot_product_attention
from allyouneed.tensors import Float, Maps, Mask, Memory, Tensor, Tokens
from allyouneed.validate import check_split, check_tokens, head_width

__all__ = ["MultiHeadAttention", "merge_heads", "split_heads"]


def split_heads(x: Float[Tensor, "... T D"], n_heads: int) -> Float[Tensor, "... H T K"]:
    """Cut the last axis into heads: (B, T, H*K) to (B, H, T, K).

    Head h owns columns h*K to (h+1)*K. Raises ValueError where the width is not a multiple of `n_heads`.

    >>> import torch
    >>> split_heads(torch.zeros(2, 5, 12), n_heads=3).shape
    torch.Size([2, 3, 5, 4])
    """
    check_split(x, n_heads)
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)  # (B, T, H, K) to (B, H, T, K)


def merge_heads(x: Float[Tensor, "... H T K"]) -> Float[Tensor, "... T D"]:
    """Lay the heads side by side again: (B, H, T, K) to (B, T, H*K), the inverse of `split_heads`.

    >>> import torch
    >>> merge_heads(torch.zeros(2, 3, 5, 4)).shape
    torch.Size([2, 5, 12])
    """
    return x.transpose(-3, -2).flatten(-2)  # (B, T, H, K) to (B, T, H*K)


class MultiHeadAttention(nn.Module):
    """Attend with several heads at once and mix what they found.

    head_h = attention(x W_q[h], memory W_k[h], memory W_v[h]);  output = concat(head_1 ... head_H) W_o

    d_model: width of the input and output. n_heads: how many heads, H.
    d_head: width K of one head, d_model / n_heads unless given. bias: whether the projections have one.
    attend: a callable (q, k, v, mask) -> (output, weights): the formula, torch's fused kernel, your own
        attention, or one of these inside `Causal`, `RotaryAttention` and the like. A module trains too.

    Raises ValueError where the heads do not fit. Paper: Vaswani and others 2017.

    >>> import torch
    >>> output, weights = MultiHeadAttention(d_model=12, n_heads=3)(torch.zeros(2, 5, 12))
    >>> output.shape, weights.shape
    (torch.Size([2, 5, 12]), torch.Size([2, 3, 5, 5]))
    """

    def __init__(self, d_model, n_heads, d_head=None, bias=True, attend=scaled_dot_product_attention):
        super().__init__()
        self.d_model, self.n_heads, self.d_head = d_model, n_heads, head_width(d_model, n_heads, d_head)
        self.q_proj = nn.Linear(d_model, n_heads * self.d_head, bias=bias)
        self.k_proj = nn.Linear(d_model, n_heads * self.d_head, bias=bias)
        self.v_proj = nn.Linear(d_model, n_heads * self.d_head, bias=bias)
        self.o_proj = nn.Linear(n_heads * self.d_head, d_model, bias=bias)
        self.attend = attend

    def forward(self, x: Tokens, memory: Memory | None = None, mask: Mask = None) -> tuple[Tokens, Maps]:
        """Queries from x (B, T, D), keys and values from memory (B, S, D), or from x where memory is None.

        mask: boolean, True = may attend, broadcastable to (B, H, T, S).
        Returns (output (B, T, D), weights (B, H, T, S), or None where `attend` stores none).
        A query that may attend to nothing gets weights 0, and the output projection's bias as output.
        """
        check_tokens(x, memory, self.d_model)
        q, k, v = self.project(x, x if memory is None else memory)
        heads, weights = self.attend(q, k, v, mask)
        return self.o_proj(merge_heads(heads)), weights  # (B, T, D), (B, H, T, S)

    def project(self, x, memory):
        q = split_heads(self.q_proj(x), self.n_heads)  # (B, H, T, K)
        k = split_heads(self.k_proj(memory), self.n_heads)  # (B, H, S, K)
        v = split_heads(self.v_proj(memory), self.n_heads)  # (B, H, S, K)
        return q, k, v
