"""What a head looks at, as one number a head, and switching heads off to see what they do."""

from contextlib import contextmanager

import torch

__all__ = ["heads_off", "induction_score", "previous_token_score", "weight_on"]


def previous_token_score(weights):
    """How much each head looks one token back: its weight on the previous token, the mean over
    texts and rows 1 to T-1.

    weights: (..., B, H, T, T) with T of at least 2, a row a query. Returns (..., H); 1 is a
    perfect previous-token head.
    Raises ValueError where the maps are not square or too small.

    >>> previous_token_score(torch.tensor([[[[1.0, 0.0], [0.25, 0.75]]]]))
    tensor([0.2500])
    """
    _check_square(weights, at_least=2)
    return _mean(weights.diagonal(-1, dim1=-2, dim2=-1))  # (..., B, H, T-1)


def induction_score(weights, period):
    """How much each head looks at what came next last time: in a text that repeats every `period` tokens, the weight of
    query t on key t - period + 1, the mean over texts and over t = period to T-1.

    weights: (..., B, H, T, T) with T > period. Returns (..., H). Paper: Olsson and others 2022.
    Raises ValueError where the maps are not square, or no token is a repetition.

    >>> ones = torch.ones(1, 1, 4, 4).tril()
    >>> induction_score(ones / ones.sum(-1, keepdim=True), period=2)
    tensor([0.2917])
    """
    if period < 2:
        raise ValueError(f"induction_score: period must be at least 2, got {period}: else the next token is the token itself.")
    _check_square(weights, at_least=period + 1)
    return _mean(weights.diagonal(1 - period, dim1=-2, dim2=-1)[..., 1:])         # the first is no repetition yet


def weight_on(weights, keys, queries=None):
    """How much each head looks at chosen keys: their summed weight, the mean over all queries, or over chosen ones.

    weights: (..., B, H, T, S). keys: boolean (B, S), True where chosen. queries: boolean (B, T), all unless given.
    Returns (..., H). Raises ValueError where no query is chosen.

    >>> weight_on(torch.tensor([[[[0.5, 0.5], [0.25, 0.75]]]]), torch.tensor([[False, True]]))
    tensor([0.6250])
    """
    summed = (weights * keys[:, None, None, :]).sum(-1)                           # (..., B, H, T)
    if queries is None:
        return _mean(summed)
    if not queries.any():
        raise ValueError("weight_on: no query is chosen, so there is nothing to average.")
    return (summed * queries[:, None, :]).sum(dim=(-3, -1)) / queries.sum()       # (..., H)


@contextmanager
def heads_off(model, heads):
    """Inside this `with` block, the chosen heads of a model add nothing: their rows of the output projection are 0.

    model: a `Llama`, `Bert`, `GPT` or another with `layers`, each with an `attention`. heads: pairs (layer, head).
    Afterwards the weights are what they were. Raises ValueError where there is no such layer or head.
    Paper: Michel and others 2019.

    >>> from allyouneed.models.llama import Llama, LlamaConfig
    >>> model, ids = Llama(LlamaConfig(9, 8, d_model=4, n_layers=1, n_heads=2, d_ff=8)), torch.tensor([[1, 2]])
    >>> before = model(ids)
    >>> with heads_off(model, [(0, 1)]):
    ...     changed = not torch.equal(model(ids), before)
    >>> changed, torch.equal(model(ids), before)
    (True, True)
    """
    heads = list(heads)
    for layer, head in heads:
        if not (0 <= layer < len(model.layers) and 0 <= head < model.layers[layer].attention.n_heads):
            raise ValueError(f"heads_off: the model has no head {head} in layer {layer}; both count from 0.")
    layers = [model.layers[layer].attention for layer in {layer for layer, _ in heads}]
    kept = [(attention, attention.o_proj.weight.detach().clone()) for attention in layers]
    try:
        with torch.no_grad():
            for layer, head in heads:
                attention = model.layers[layer].attention
                # a Linear keeps W_o transposed, so a head's rows of W_o are columns here
                attention.o_proj.weight[:, head * attention.d_head : (head + 1) * attention.d_head] = 0.0
        yield model
    finally:
        with torch.no_grad():
            for attention, weight in kept:
                attention.o_proj.weight.copy_(weight)


def _mean(scores):
    """(..., B, H, N) to (..., H)."""
    return scores.mean(dim=(-3, -1))


def _check_square(weights, at_least):
    if weights.dim() < 4 or weights.shape[-1] != weights.shape[-2] or weights.shape[-1] < at_least:
        raise ValueError(
            f"weights must be (..., batch, heads, T, T) with T of at least {at_least}, but they are {tuple(weights.shape)}."
        )
