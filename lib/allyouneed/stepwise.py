"""Your own step of attention with a cache inside a library's model: the layers keep what your step returns."""

from types import SimpleNamespace

import torch
from torch import nn

from allyouneed.multihead import expand_kv, merge_heads, split_heads

__all__ = ["StepwiseModel"]


class StepAttention(nn.Module):
    """Stands where a `MultiHeadAttention` stands, and answers with `step(attention, x_new, cache) -> (output, cache)`.

    The step sees plain heads: rotary positions and keys that are shared by a group of heads are part of the projections here.
    """

    def __init__(self, attention, step):
        super().__init__()
        self.attention, self.step, self.cache = attention, step, None

    def forward(self, x, memory=None, mask=None, is_causal=False, need_weights=False, cache=None, positions=None):
        inner = self.attention

        def project(layer, n_heads, turn):
            def projected(tokens):
                heads = split_heads(layer(tokens), n_heads)
                if turn and inner.rotary is not None:
                    heads = inner.rotary(heads, positions)
                return merge_heads(expand_kv(heads, inner.n_heads))
            return projected

        plain = SimpleNamespace(
            d_model=inner.d_model, n_heads=inner.n_heads, d_head=inner.d_head, o_proj=inner.o_proj,
            q_proj=project(inner.q_proj, inner.n_heads, True), k_proj=project(inner.k_proj, inner.n_kv_heads, True),
            v_proj=project(inner.v_proj, inner.n_kv_heads, False))
        output, self.cache = self.step(plain, x, self.cache)
        return output, None


class StepwiseModel:
    """Read a text piece by piece with a `Llama` or `GPT` whose layers use your own step instead of the library's cache.

    model: it is changed in place; close() puts its own attention back. step: `(attention, x_new, cache) -> (output, cache)`, where
    attention has n_heads, d_head and the callables q_proj, k_proj, v_proj and o_proj.

    >>> from allyouneed.models import GPT, GPTConfig
    >>> reader = StepwiseModel(GPT(GPTConfig(9, 8, d_model=4, n_layers=1, n_heads=1)), lambda attention, x, cache: (x, None))
    >>> reader(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 9])
    """

    def __init__(self, model, step):
        self.model, self.length = model, 0
        for layer in model.layers:
            layer.attention = StepAttention(layer.attention, step)

    @torch.no_grad()
    def __call__(self, ids):
        """ids (B, t), the tokens that are new since the last call; returns their logits (B, t, V)."""
        positions = torch.arange(self.length, self.length + ids.shape[1])
        self.length += ids.shape[1]
        return self.model(ids, positions=positions)

    def restart(self):
        """Forget the text."""
        self.length = 0
        for layer in self.model.layers:
            layer.attention.cache = None

    def close(self):
        """Give the model its own attention back."""
        for layer in self.model.layers:
            layer.attention = layer.attention.attention
