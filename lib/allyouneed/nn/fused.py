"""Queries, keys and values in one product: the same attention from fewer and larger multiplications."""

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.nn.grouped import GroupedQueryAttention
from allyouneed.nn.multihead import MultiHeadAttention, split_heads

__all__ = ["FusedMultiHeadAttention", "fuse_projections"]


class FusedMultiHeadAttention(MultiHeadAttention):
    """A `MultiHeadAttention` whose W_q, W_k and W_v lie in one matrix: [q | k | v] = x [W_q | W_k | W_v].

    layer: the `MultiHeadAttention` or `GroupedQueryAttention` to copy. The outputs are equal, and so are the
    arguments of `forward`. One product instead of three saves most where each is small: one new token at a
    time. Its weights have another name, `qkv_proj`, so load and adapt the layer before. Raises TypeError
    where one of the three is no plain `nn.Linear`, such as one with a low-rank adapter.

    >>> FusedMultiHeadAttention(MultiHeadAttention(d_model=12, n_heads=3)).qkv_proj
    Linear(in_features=12, out_features=36, bias=True)
    """

    def __init__(self, layer):
        three = [layer.q_proj, layer.k_proj, layer.v_proj]
        if any(type(part) is not nn.Linear for part in three):
            kinds = ", ".join(type(part).__name__ for part in three)
            raise TypeError(
                f"q_proj, k_proj and v_proj must be nn.Linear, but they are {kinds}: merge adapters first."
            )
        bias = layer.q_proj.bias is not None
        # the sizes alone: all weights are the layer's
        with torch.device("meta"):
            super().__init__(layer.d_model, layer.n_heads, layer.d_head, bias, layer.attend)
            self.qkv_proj = nn.Linear(layer.d_model, sum(part.out_features for part in three), bias=bias)
        del self.q_proj, self.k_proj, self.v_proj
        self.n_kv_heads = layer.k_proj.out_features // layer.d_head
        self.o_proj = layer.o_proj
        for name, _ in list(self.qkv_proj.named_parameters()):
            joined = torch.cat([getattr(part, name).detach() for part in three])
            setattr(
                self.qkv_proj,
                name,
                nn.Parameter(joined, requires_grad=getattr(layer.q_proj, name).requires_grad),
            )
        self.train(layer.training)

    def project(self, x, memory):
        n_heads, n_groups = self.n_heads, self.n_kv_heads
        if memory is x:
            heads = split_heads(self.qkv_proj(x), n_heads + 2 * n_groups)  # (B, H + 2G, T, K)
            return heads.split((n_heads, n_groups, n_groups), dim=-3)
        widths = (n_heads * self.d_head, 2 * n_groups * self.d_head)
        weights, biases = self.qkv_proj.weight.split(widths), (None, None)
        if self.qkv_proj.bias is not None:
            biases = self.qkv_proj.bias.split(widths)
        q = split_heads(F.linear(x, weights[0], biases[0]), n_heads)  # (B, H, T, K)
        # each (B, G, S, K)
        k, v = split_heads(F.linear(memory, weights[1], biases[1]), 2 * n_groups).chunk(2, dim=-3)
        return q, k, v


def fuse_projections(model: nn.Module) -> nn.Module:
    """Fuse every multi-head and grouped attention of a model in place; returns the model.

    Numbers change by rounding. Worth it before a long generation, like `generation.column_major`, which goes
    on top of it. Other subclasses are left as they are.

    >>> from allyouneed.models import GPT, GPTConfig
    >>> model = fuse_projections(GPT(GPTConfig(9, 8, d_model=4, n_layers=1, n_heads=1)))
    >>> model.layers[0].attention.qkv_proj.out_features
    12
    """
    fused = {}
    # a layer used twice is named twice, and stays one
    for name, part in list(model.named_modules(remove_duplicate=False)):
        if type(part) in (MultiHeadAttention, GroupedQueryAttention):
            if part not in fused:
                fused[part] = FusedMultiHeadAttention(part)
            model.set_submodule(name, fused[part])
    return model
