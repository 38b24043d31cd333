"""What every model of this folder shares: the embedding, initialization, counting."""

from typing import TypeVar

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.tensors import Float, Int, Tensor
from allyouneed.validate import check_integers

__all__ = ["Embedding", "initialize", "initialize_2017", "parameter_count"]

M = TypeVar("M", bound=nn.Module)


class Embedding(nn.Embedding):
    """A trained vector for each id: ids of any shape to vectors (..., D), as `nn.Embedding` gives them.

    n_rows: how many ids there are, V. name: what the ids are called in an error. The table (V, D) starts
    normal(0, 1).
    Raises ValueError where an id is not 0 to V-1. Torch notices this by itself, so the answer costs nothing.
    On a GPU and in a compiled model torch's own error stays, which names no id: looking for it would make
    every call wait.

    >>> Embedding(n_rows=9, d_model=4)(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 4])
    """

    def __init__(self, n_rows, d_model, name="ids"):
        check_integers(n_rows=n_rows, d_model=d_model)
        super().__init__(n_rows, d_model)
        self.name = name

    def forward(self, ids: Int[Tensor, "*L"]) -> Float[Tensor, "*L D"]:
        try:
            return F.embedding(ids, self.weight)
        except IndexError:
            raise ValueError(
                f"{self.name} must be 0 to {len(self.weight) - 1}, but they are "
                f"{int(ids.min())} to {int(ids.max())}: use the tokenizer that the model was "
                "made for, or make it with more rows."
            ) from None


def initialize(model: M, generator=None, std: float = 0.02, n_residual: int | None = None) -> M:
    """Draw every matrix from N(0, std²), embeddings and single learned vectors too, and set biases to 0.

    n_residual: how many branches add to the residual stream. The matrices that end a branch (`o_proj`,
    `down_proj`) then get std / sqrt(n_residual), so that the stream's variance does not grow with depth
    (Radford and others 2019).
    Vectors called `weight` (norms) stay as they are. Returns the model.
    """
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif parameter.dim() > 1:
            scale = std
            if n_residual and f".{name}".split(".")[-2] in ("o_proj", "down_proj"):  # it ends a branch
                scale = std / n_residual**0.5
            if parameter.is_meta:  # counted, never filled
                continue
            with torch.no_grad():
                parameter.normal_(0.0, scale, generator=generator)
    return model


def initialize_2017(model: M, d_model: int, generator=None) -> M:
    """Start as the model of 2017: Xavier's uniform draws, embeddings of length 1.

    Embeddings are N(0, 1/d_model), for a model that multiplies them by √d_model; biases are 0. Returns the
    model.
    """
    initialize(model, generator, std=d_model**-0.5)
    for name, parameter in model.named_parameters():
        if "embedding" not in name and parameter.dim() > 1 and not parameter.is_meta:
            nn.init.xavier_uniform_(parameter, generator=generator)
    return model


def parameter_count(model, *arguments, **keywords) -> int:
    """How many numbers a model's parameters hold, also frozen ones; a tied embedding counts once.

    `model` is a module, or what makes one, followed by its arguments: then it is built on the meta device,
    where tensors have shapes but no memory, so that GPT-3 is counted on a laptop.

    >>> parameter_count(nn.Linear, 4, 3)
    15
    """
    if not isinstance(model, nn.Module):
        with torch.device("meta"):
            model = model(*arguments, **keywords)
    return sum(parameter.numel() for parameter in model.parameters())
