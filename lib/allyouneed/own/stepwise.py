"""Your own step of attention with a cache inside a library's model: layers keep what your step returns."""

from types import SimpleNamespace

import torch
from torch import nn

from allyouneed.nn.multihead import expand_kv, merge_heads, split_heads
from allyouneed.own.layers import OwnEncoderLayer

__all__ = ["StepwiseModel"]


class StepAttention(nn.Module):
    """Stands for a `MultiHeadAttention`, and answers with `step(attention, x_new, cache) -> (output, cache)`.

    The step sees plain heads: rotary positions and keys that are shared by a group of heads are part of the
    projections here.
    An attention of your own needs only the four projections; n_heads is told.
    """

    def __init__(self, attention, step, n_heads):
        super().__init__()
        self.attention, self.step, self.n_heads, self.cache = attention, step, n_heads, None

    def forward(
        self, x, memory=None, mask=None, is_causal=False, need_weights=False, cache=None, positions=None
    ):
        inner, n_heads = self.attention, self.n_heads
        n_kv_heads, rotary = getattr(inner, "n_kv_heads", n_heads), getattr(inner, "rotary", None)

        def project(layer, n_heads, turn):
            def projected(tokens):
                heads = split_heads(layer(tokens), n_heads)
                if turn and rotary is not None:
                    heads = rotary(heads, positions)
                return merge_heads(expand_kv(heads, self.n_heads))

            return projected

        plain = SimpleNamespace(
            d_model=x.shape[-1],
            n_heads=n_heads,
            d_head=inner.o_proj.in_features // n_heads,
            o_proj=inner.o_proj,
            q_proj=project(inner.q_proj, n_heads, True),
            k_proj=project(inner.k_proj, n_kv_heads, True),
            v_proj=project(inner.v_proj, n_kv_heads, False),
        )
        output, self.cache = self.step(plain, x, self.cache)
        return output, None


class StepwiseModel:
    """Read a text in pieces with a `Llama` or `GPT` whose layers use your own step for the library's cache.

    model: it is changed in place; close() puts its own attention back. In each layer, the module that owns
    q_proj, k_proj, v_proj and o_proj is replaced, so the layers may be your own as well; ValueError where a
    layer has no such part, or two. step: `(attention, x_new, cache) -> (output, cache)`, where attention has
    n_heads, d_head and the callables q_proj, k_proj, v_proj and o_proj.

    >>> from allyouneed.models import GPT, GPTConfig
    >>> model = GPT(GPTConfig(9, 8, d_model=4, n_layers=1, n_heads=1))
    >>> reader = StepwiseModel(model, lambda attention, x, cache: (x, None))
    >>> reader(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 9])
    """

    def __init__(self, model, step):
        self.model, self.length = model, 0
        self.places = [_attention_of(layer) for layer in model.layers]
        for owner, name in self.places:
            setattr(owner, name, StepAttention(getattr(owner, name), step, model.config.n_heads))

    @torch.no_grad()
    def __call__(self, ids):
        """ids (B, t), the tokens that are new since the last call; returns their logits (B, t, V)."""
        positions = torch.arange(self.length, self.length + ids.shape[1])
        self.length += ids.shape[1]
        return self.model(ids, positions=positions)

    def restart(self):
        """Forget the text."""
        self.length = 0
        for owner, name in self.places:
            getattr(owner, name).cache = None

    def close(self):
        """Give the model its own attention back."""
        for owner, name in self.places:
            setattr(owner, name, getattr(owner, name).attention)


def _attention_of(layer):
    """Where a layer keeps its attention: (the module that owns it, its name there)."""
    found = [
        (owner, name)
        for owner in layer.modules()
        if not isinstance(owner, OwnEncoderLayer)
        for name, part in owner.named_children()
        if all(hasattr(part, projection) for projection in ("q_proj", "k_proj", "v_proj", "o_proj"))
    ]
    if len(found) != 1:
        raise ValueError(
            f"{type(layer).__name__} has {len(found)} parts that own q_proj, k_proj, v_proj "
            "and o_proj: one is needed, to put your step in its place."
        )
    return found[0]
