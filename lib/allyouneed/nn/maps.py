"""Attention maps of a whole model: recorded while it runs, by layers that know nothing of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from allyouneed.nn.attention import fused_attention, scaled_dot_product_attention
from allyouneed.nn.grouped import expand_kv
from allyouneed.nn.replaced import replaced
from allyouneed.tensors import Float, Tensor

__all__ = ["record_maps", "run_with_maps"]


@contextmanager
def record_maps(model: nn.Module, name: str = "attention") -> Iterator[list[Tensor]]:
    """Inside this `with` block, keep the weights of each attention of the model that is called `name`.

    Yields a list, to which each call of a layer adds its weights (B, H, T, S), first layer first. Where
    torch's fused kernel stands, which stores none, the formula takes its place meanwhile. name:
    "cross_attention" for a decoder's look at its source.

    >>> from allyouneed.nn.layers import Block, FeedForward, LayerNorm
    >>> from allyouneed.nn.multihead import MultiHeadAttention
    >>> block = Block(MultiHeadAttention(8, 2, attend=fused_attention), FeedForward(8, 32), LayerNorm(8))
    >>> with record_maps(block) as maps:
    ...     x = block(torch.zeros(1, 5, 8))
    >>> maps[0].shape
    torch.Size([1, 2, 5, 5])
    """
    fused = [
        (part, place, _formula)
        for part in model.modules()
        for place, held in vars(part).items()
        if held is fused_attention
    ]
    maps = []
    hooks = [
        part.register_forward_hook(lambda _, __, outputs: maps.append(outputs[1]))
        for path, part in model.named_modules()
        if path.rpartition(".")[2] == name
    ]
    try:
        with replaced(fused):
            yield maps
    finally:
        for hook in hooks:
            hook.remove()


def run_with_maps(model: nn.Module, *inputs) -> tuple[Any, Float[Tensor, "L B H T S"]]:
    """What the model answers, and the maps of all its layers: (model(*inputs), weights (L, B, H, T, S)).

    >>> from allyouneed.models import GPT, GPTConfig
    >>> model = GPT(GPTConfig(9, 8, d_model=4, n_layers=3, n_heads=2))
    >>> logits, maps = run_with_maps(model, torch.tensor([[1, 2]]))
    >>> maps.shape
    torch.Size([3, 1, 2, 2, 2])
    """
    with record_maps(model) as maps:
        outputs = model(*inputs)
    return outputs, torch.stack(maps)


def _formula(q, k, v, mask=None):
    n_heads = q.shape[-3]  # of which a group may share its keys and values
    return scaled_dot_product_attention(q, expand_kv(k, n_heads), expand_kv(v, n_heads), mask)
