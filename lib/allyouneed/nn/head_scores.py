"""What a head looks at, as one number a head, and switching heads off to see what they do."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from allyouneed.tensors import Bool, Float, Tensor

__all__ = ["head_means", "heads_off", "induction_score", "previous_token_score", "weight_on"]


def previous_token_score(weights: Float[Tensor, "*L B H T T"]) -> Float[Tensor, "*L H"]:
    """How much each head looks one token back: its weight there, the mean over texts and rows 1 to T-1.

    weights: (..., B, H, T, T) with T of at least 2, a row a query. Returns (..., H); 1 is a
    perfect previous-token head.
    Raises ValueError where the maps are not square or too small.

    >>> previous_token_score(torch.tensor([[[[1.0, 0.0], [0.25, 0.75]]]]))
    tensor([0.2500])
    """
    _check_square(weights, at_least=2)
    return _mean(weights.diagonal(-1, dim1=-2, dim2=-1))  # (..., B, H, T-1)


def induction_score(weights: Float[Tensor, "*L B H T T"], period: int) -> Float[Tensor, "*L H"]:
    """How much each head looks at what came next last time: in a text that repeats every `period` tokens, the
    weight of query t on key t - period + 1, the mean over texts and over t = period to T-1.

    weights: (..., B, H, T, T) with T > period. Returns (..., H). Paper: Olsson and others 2022.
    Raises ValueError where the maps are not square, or no token is a repetition.

    >>> ones = torch.ones(1, 1, 4, 4).tril()
    >>> induction_score(ones / ones.sum(-1, keepdim=True), period=2)
    tensor([0.2917])
    """
    if period < 2:
        raise ValueError(
            f"induction_score: period must be at least 2, got {period}: else the next token "
            "is the token itself."
        )
    _check_square(weights, at_least=period + 1)
    # the first is no repetition yet
    return _mean(weights.diagonal(1 - period, dim1=-2, dim2=-1)[..., 1:])


def weight_on(
    weights: Float[Tensor, "*L B H T S"],
    keys: Bool[Tensor, "B S"],
    queries: Bool[Tensor, "B T"] | None = None,
) -> Float[Tensor, "*L H"]:
    """How much each head looks at chosen keys: their summed weight, its mean over all or chosen queries.

    weights: (..., B, H, T, S). keys: boolean (B, S), True where chosen. queries: boolean (B, T), all unless
    given.
    Returns (..., H). Raises ValueError where no query is chosen.

    >>> weight_on(torch.tensor([[[[0.5, 0.5], [0.25, 0.75]]]]), torch.tensor([[False, True]]))
    tensor([0.6250])
    """
    summed = (weights * keys[:, None, None, :]).sum(-1)  # (..., B, H, T)
    if queries is None:
        return _mean(summed)
    if not queries.any():
        raise ValueError("weight_on: no query is chosen, so there is nothing to average.")
    return (summed * queries[:, None, :]).sum(dim=(-3, -1)) / queries.sum()  # (..., H)


@torch.no_grad()
def head_means(model, *inputs) -> Float[Tensor, "L H K"]:
    """The mean of what each head finds before the output projection, over texts and tokens: (layers, H, K).

    model: as in `heads_off`. inputs: what the model is called with, without padding.

    >>> from allyouneed.models.llama import Llama, LlamaConfig
    >>> model = Llama(LlamaConfig(9, 8, d_model=4, n_layers=1, n_heads=2, d_ff=8))
    >>> head_means(model, torch.tensor([[1, 2]])).shape
    torch.Size([1, 2, 2])
    """
    found = []
    hooks = [
        layer.attention.o_proj.register_forward_pre_hook(lambda _, arguments: found.append(arguments[0]))
        for layer in model.layers
    ]
    try:
        model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return torch.stack(
        [_split(heads, layer.attention).flatten(0, -3).mean(0) for heads, layer in zip(found, model.layers)]
    )


@contextmanager
def heads_off(model, heads, instead: Float[Tensor, "L H K"] | None = None) -> Iterator[nn.Module]:
    """Inside this `with` block, a model's chosen heads add nothing: what they found is replaced by zeroes.

    model: a `Llama`, `Bert`, `GPT` or another with `layers`, each with an `attention`.
    heads: pairs (layer, head).
    instead: what replaces it, (layers, H, K), such as `head_means(model, ids)`: the heads add a constant.
    Raises ValueError where there is no such layer or head. Paper: Michel and others 2019.

    >>> from allyouneed.models.llama import Llama, LlamaConfig
    >>> model = Llama(LlamaConfig(9, 8, d_model=4, n_layers=1, n_heads=2, d_ff=8))
    >>> ids = torch.tensor([[1, 2]])
    >>> before = model(ids)
    >>> with heads_off(model, [(0, 1)]):
    ...     changed = not torch.equal(model(ids), before)
    >>> changed, torch.equal(model(ids), before)
    (True, True)
    """
    chosen = {}
    for layer, head in heads:
        if not (0 <= layer < len(model.layers) and 0 <= head < model.layers[layer].attention.n_heads):
            raise ValueError(f"heads_off: the model has no head {head} in layer {layer}; both count from 0.")
        chosen.setdefault(layer, []).append(head)

    def replace(layer, attention):
        def before_projection(_, arguments):
            found = _split(arguments[0], attention).clone()  # (B, T, H, K)
            found[..., chosen[layer], :] = 0.0 if instead is None else instead[layer, chosen[layer]].to(found)
            return found.flatten(-2)

        return attention.o_proj.register_forward_pre_hook(before_projection)

    hooks = [replace(layer, model.layers[layer].attention) for layer in chosen]
    try:
        yield model
    finally:
        for hook in hooks:
            hook.remove()


def _split(heads, attention):
    """(B, T, H * K) to (B, T, H, K)."""
    return heads.unflatten(-1, (attention.n_heads, attention.d_head))


def _mean(scores):
    """(..., B, H, N) to (..., H)."""
    return scores.mean(dim=(-3, -1))


def _check_square(weights, at_least):
    if weights.dim() < 4 or weights.shape[-1] != weights.shape[-2] or weights.shape[-1] < at_least:
        raise ValueError(
            f"weights must be (..., batch, heads, T, T) with T of at least {at_least}, but they are "
            f"{tuple(weights.shape)}."
        )
