"""The layers of a Transformer: normalization, feed-forward, and the encoder's and decoder's layer."""

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.validate import check_integers

__all__ = ["DecoderLayer", "EncoderLayer", "FeedForward", "LayerNorm", "RMSNorm", "SwiGLU"]


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

    def forward(self, x):
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

    def forward(self, x):
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

    def forward(self, x):
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

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each with a residual connection and a normalization.

    norm_first=False (2017): x = norm(x + f(x)).  norm_first=True: x = x + f(norm(x)), less dependent on start
    and rate.
    With `is_causal=True` this is also the layer of a decoder-only model such as GPT.

    attend: your own attention, (q, k, v, mask) -> (output, weights).
    attention, feed_forward: modules in place of the default `MultiHeadAttention` and `FeedForward`.
    norm: what makes a normalization from d_model, such as `RMSNorm`.
    dropout: share of each branch's output set to 0 in training, drawn from torch's own generator.
    Raises ValueError where sizes do not fit, or both attend and attention are given.
    Papers: Vaswani and others 2017; Xiong and others 2020 (norm first).

    >>> EncoderLayer(d_model=8, n_heads=2, d_ff=32)(torch.zeros(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    def __init__(
        self,
        d_model,
        n_heads,
        d_ff,
        norm_first=False,
        *,
        activation=F.relu,
        dropout=0.0,
        norm=LayerNorm,
        attend=None,
        attention=None,
        feed_forward=None,
    ):
        super().__init__()
        self.norm_first = norm_first
        self.attention = _attention(d_model, n_heads, attend, attention)
        self.feed_forward = FeedForward(d_model, d_ff, activation) if feed_forward is None else feed_forward
        self.attention_norm, self.feed_forward_norm = norm(d_model), norm(d_model)
        self.dropout = nn.Dropout(dropout) if dropout else nn.Identity()

    def forward(self, x, mask=None, is_causal=False, need_weights=False, cache=None, positions=None):
        """x (B, T, D) to the same shape; the other arguments as in `MultiHeadAttention.forward`.

        Returns the tensor alone, or (tensor, weights (B, H, T, T)) with need_weights=True.
        """

        def attend(normed):
            return self.attention(normed, None, mask, is_causal, need_weights, cache, positions)

        if self.norm_first:
            attended, weights = attend(self.attention_norm(x))
            x = x + self.dropout(attended)
            x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        else:
            attended, weights = attend(x)
            x = self.attention_norm(x + self.dropout(attended))
            x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
        return (x, weights) if need_weights else x


class DecoderLayer(nn.Module):
    """Self-attention over the target, cross-attention to memory, feed-forward; arguments: `EncoderLayer`'s.

    The layer masks nothing by itself: give the causal mask in `target_mask`, or is_causal=True.
    Paper: Vaswani and others 2017.

    >>> DecoderLayer(d_model=8, n_heads=2, d_ff=32)(torch.zeros(3, 5, 8), memory=torch.zeros(3, 7, 8)).shape
    torch.Size([3, 5, 8])
    """

    def __init__(
        self,
        d_model,
        n_heads,
        d_ff,
        norm_first=False,
        *,
        activation=F.relu,
        dropout=0.0,
        norm=LayerNorm,
        attend=None,
        attention=None,
        cross_attention=None,
        feed_forward=None,
    ):
        super().__init__()
        self.norm_first = norm_first
        self.attention = _attention(d_model, n_heads, attend, attention)
        self.cross_attention = _attention(d_model, n_heads, attend, cross_attention)
        self.feed_forward = FeedForward(d_model, d_ff, activation) if feed_forward is None else feed_forward
        self.attention_norm, self.cross_attention_norm, self.feed_forward_norm = (
            norm(d_model),
            norm(d_model),
            norm(d_model),
        )
        self.dropout = nn.Dropout(dropout) if dropout else nn.Identity()

    def forward(
        self,
        x,
        memory,
        target_mask=None,
        memory_mask=None,
        is_causal=False,
        need_weights=False,
        cache=None,
        positions=None,
    ):
        """x (B, T, D) and memory (B, S, D) to (B, T, D); masks broadcast to (B, H, T, T) and (B, H, T, S).

        Returns the tensor alone, or (tensor, target weights, memory weights) with
        need_weights=True.
        `cache` and `positions` are for the self-attention.
        """
        weights = []

        def branch(x, norm, layer):
            return x + self.dropout(layer(norm(x))) if self.norm_first else norm(x + self.dropout(layer(x)))

        def attend(x):
            output, target_weights = self.attention(
                x, None, target_mask, is_causal, need_weights, cache, positions
            )
            weights.append(target_weights)
            return output

        def attend_memory(x):
            output, memory_weights = self.cross_attention(x, memory, memory_mask, need_weights=need_weights)
            weights.append(memory_weights)
            return output

        x = branch(x, self.attention_norm, attend)
        x = branch(x, self.cross_attention_norm, attend_memory)
        x = branch(x, self.feed_forward_norm, self.feed_forward)
        return (x, *weights) if need_weights else x


def _attention(d_model, n_heads, attend, attention):
    if attention is None:
        return MultiHeadAttention(d_model, n_heads, attend=attend)
    if attend is not None:
        raise ValueError(
            "give attend (your function in the default attention) or attention (a whole module), not both."
        )
    return attention
