"""The layers of a Transformer: normalization, feed-forward, and the blocks that they make with attention."""

from copy import deepcopy

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.tensors import Float, Mask, Memory, Tensor, Tokens
from allyouneed.validate import check_integers

__all__ = [
    "Block",
    "DecoderBlock",
    "FeedForward",
    "LayerNorm",
    "PostNormBlock",
    "PostNormDecoderBlock",
    "RMSNorm",
    "SwiGLU",
]


class LayerNorm(nn.Module):
    """Shift and scale each token to mean 0 and variance 1 over its own features, then by learned numbers.

    y = (x - mean(x)) / sqrt(var(x) + eps) · weight + bias, with var dividing by d (not d - 1).
    x is (..., d_model). `fused=False` computes this step by step; the default is torch's kernel, its equal.
    Raises ValueError where d_model is not at least 1. Paper: Ba, Kiros and Hinton 2016.

    >>> LayerNorm(2)(torch.tensor([[1.0, 3.0]])).round(decimals=3).tolist()
    [[-1.0, 1.0]]
    """

    def __init__(self, d_model, eps=1e-5, fused=True):
        super().__init__()
        check_integers(d_model=d_model)
        self.eps, self.fused = eps, fused
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Float[Tensor, "*L D"]) -> Float[Tensor, "*L D"]:
        if self.fused:
            return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)
        mean = x.mean(dim=-1, keepdim=True)  # (..., 1)
        variance = (x - mean).square().mean(dim=-1, keepdim=True)  # (..., 1)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.weight + self.bias


class RMSNorm(nn.Module):
    """Scale each token to root mean square 1 over its features, then by learned numbers; no shift.

    y = x / sqrt(mean(x²) + eps) · weight. x is (..., d_model). `fused=False` computes it step by step.
    Raises ValueError where d_model is not at least 1. Paper: Zhang and Sennrich 2019.

    >>> RMSNorm(2)(torch.tensor([[3.0, 3.0]])).round(decimals=3).tolist()
    [[1.0, 1.0]]
    """

    def __init__(self, d_model, eps=1e-5, fused=True):
        super().__init__()
        check_integers(d_model=d_model)
        self.eps, self.fused = eps, fused
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Float[Tensor, "*L D"]) -> Float[Tensor, "*L D"]:
        if self.fused:
            return F.rms_norm(x, self.weight.shape, self.weight, self.eps)
        return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + self.eps) * self.weight


class FeedForward(nn.Module):
    """The same two-layer network at every position: activation(x W_up + b) W_down + b.

    x is (..., d_model), d_ff the inner width, activation any function of a tensor (`F.relu`,
    `F.gelu`, ...).
    Raises ValueError where a width is not at least 1. Paper: Vaswani and others 2017.

    >>> FeedForward(d_model=4, d_ff=16)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def __init__(self, d_model, d_ff, activation=F.relu, bias=True):
        super().__init__()
        check_integers(d_model=d_model, d_ff=d_ff)
        self.up_proj = nn.Linear(d_model, d_ff, bias=bias)
        self.down_proj = nn.Linear(d_ff, d_model, bias=bias)
        self.activation = activation

    def forward(self, x: Float[Tensor, "*L D"]) -> Float[Tensor, "*L D"]:
        # (..., d_ff) and back to (..., d_model)
        return self.down_proj(self.activation(self.up_proj(x)))


class SwiGLU(nn.Module):
    """A gated feed-forward network: (silu(x W_gate) * x W_up) W_down, silu(z) = z σ(z). No biases by default.

    x is (..., d_model). Three matrices: d_ff = 8/3 d_model has the weights of a `FeedForward` with 4 d_model.
    Raises ValueError where a width is not at least 1. Paper: Shazeer 2020.

    >>> SwiGLU(d_model=4, d_ff=12)(torch.zeros(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def __init__(self, d_model, d_ff, bias=False):
        super().__init__()
        check_integers(d_model=d_model, d_ff=d_ff)
        self.gate_proj = nn.Linear(d_model, d_ff, bias=bias)
        self.up_proj = nn.Linear(d_model, d_ff, bias=bias)
        self.down_proj = nn.Linear(d_ff, d_model, bias=bias)

    def forward(self, x: Float[Tensor, "*L D"]) -> Float[Tensor, "*L D"]:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    """Attention, then a feed-forward network; each adds to the residual stream what it makes of its norm.

    x = x + attention(norm(x));  x = x + feed_forward(norm(x))

    attention: a module (x, mask=...) -> (output, weights), such as `MultiHeadAttention`.
    feed_forward: a module x -> x. norm: a normalization; each of the two gets one of its own.
    dropout: share of each branch's output set to 0 in training, drawn from torch's own generator.
    Papers: Vaswani and others 2017; Xiong and others 2020 (norm first).

    >>> from allyouneed.nn.multihead import MultiHeadAttention
    >>> Block(MultiHeadAttention(8, 2), FeedForward(8, 32), LayerNorm(8))(torch.zeros(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    def __init__(self, attention, feed_forward, norm, dropout=0.0):
        super().__init__()
        self.attention, self.attention_norm = attention, norm
        self.feed_forward, self.feed_forward_norm = feed_forward, deepcopy(norm)
        self.dropout = nn.Dropout(dropout) if dropout else nn.Identity()

    def forward(self, x: Tokens, mask: Mask = None) -> Tokens:
        """x (B, T, D) to the same shape; mask as in `MultiHeadAttention.forward`."""
        x = x + self.dropout(self.attention(self.attention_norm(x), mask=mask)[0])
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))


class PostNormBlock(Block):
    """The `Block` of 2017, which normalizes each sum.

    x = norm(x + attention(x));  x = norm(x + feed_forward(x)). It depends more on its start and rate.
    Paper: Vaswani and others 2017.

    >>> from allyouneed.nn.multihead import MultiHeadAttention
    >>> PostNormBlock(MultiHeadAttention(8, 2), FeedForward(8, 32), LayerNorm(8))(torch.zeros(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    def forward(self, x: Tokens, mask: Mask = None) -> Tokens:
        x = self.attention_norm(x + self.dropout(self.attention(x, mask=mask)[0]))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


class DecoderBlock(nn.Module):
    """A `Block` with cross-attention to a memory between its two parts.

    It masks nothing by itself: give the causal mask in `target_mask`, or an attention that is `Causal`.
    Arguments as in `Block`. Paper: Vaswani and others 2017.

    >>> from allyouneed.nn.multihead import MultiHeadAttention
    >>> parts = MultiHeadAttention(8, 2), MultiHeadAttention(8, 2), FeedForward(8, 32), LayerNorm(8)
    >>> DecoderBlock(*parts)(torch.zeros(3, 5, 8), memory=torch.zeros(3, 7, 8)).shape
    torch.Size([3, 5, 8])
    """

    def __init__(self, attention, cross_attention, feed_forward, norm, dropout=0.0):
        super().__init__()
        self.attention, self.attention_norm = attention, norm
        self.cross_attention, self.cross_attention_norm = cross_attention, deepcopy(norm)
        self.feed_forward, self.feed_forward_norm = feed_forward, deepcopy(norm)
        self.dropout = nn.Dropout(dropout) if dropout else nn.Identity()

    def forward(
        self, x: Tokens, memory: Memory, target_mask: Mask = None, memory_mask: Mask = None
    ) -> Tokens:
        """x (B, T, D) and memory (B, S, D) to (B, T, D); masks broadcast to (B, H, T, T) and (B, H, T, S)."""
        x = x + self.dropout(self.attention(self.attention_norm(x), mask=target_mask)[0])
        x = x + self.dropout(self.cross_attention(self.cross_attention_norm(x), memory, memory_mask)[0])
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))


class PostNormDecoderBlock(DecoderBlock):
    """The `DecoderBlock` of 2017, which normalizes each sum, as `PostNormBlock` does.

    >>> from allyouneed.nn.multihead import MultiHeadAttention
    >>> parts = MultiHeadAttention(8, 2), MultiHeadAttention(8, 2), FeedForward(8, 32), LayerNorm(8)
    >>> PostNormDecoderBlock(*parts)(torch.zeros(3, 5, 8), memory=torch.zeros(3, 7, 8)).shape
    torch.Size([3, 5, 8])
    """

    def forward(
        self, x: Tokens, memory: Memory, target_mask: Mask = None, memory_mask: Mask = None
    ) -> Tokens:
        x = self.attention_norm(x + self.dropout(self.attention(x, mask=target_mask)[0]))
        x = self.cross_attention_norm(x + self.dropout(self.cross_attention(x, memory, memory_mask)[0]))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
