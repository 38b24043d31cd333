"""Low-rank adapters: fine-tune a large matrix by training two thin ones beside it."""

import torch
from torch import nn

from allyouneed.tensors import Float, Tensor

__all__ = ["LowRankLinear", "add_low_rank"]


class LowRankLinear(nn.Module):
    """A frozen linear layer plus a trained change of low rank: y = W x + bias + (alpha / rank) · B A x.

    linear: the layer to adapt; it is kept, and its weights are frozen. A is (rank, inputs), normal with
    standard deviation 1/√inputs from `generator`; B is (outputs, rank) and starts at 0, so at first nothing
    changes.
    Only A and B train: rank · (inputs + outputs) numbers. Raises ValueError where rank is not 1 to
    min(inputs, outputs).
    Paper: Hu and others 2022 (LoRA).

    >>> layer = LowRankLinear(nn.Linear(6, 4), rank=2, alpha=4)
    >>> sum(p.numel() for p in layer.parameters() if p.requires_grad)
    20
    """

    def __init__(self, linear, rank, alpha, generator=None):
        super().__init__()
        if not isinstance(linear, nn.Linear):
            raise TypeError(f"LowRankLinear adapts an nn.Linear, but {type(linear).__name__} came.")
        if not 1 <= rank <= min(linear.weight.shape):
            raise ValueError(
                f"rank must be 1 to {min(linear.weight.shape)} for a layer of "
                f"{tuple(linear.weight.shape)}, got {rank}."
            )
        self.linear = linear.requires_grad_(False)
        self.scale = alpha / rank
        n_outputs, n_inputs = linear.weight.shape
        start = torch.randn(
            rank, n_inputs, generator=generator, device=generator.device if generator else None
        )
        self.A = nn.Parameter((start / n_inputs**0.5).to(linear.weight))  # also device and dtype
        self.B = nn.Parameter(linear.weight.new_zeros(n_outputs, rank))

    def forward(self, x: Float[Tensor, "*L inputs"]) -> Float[Tensor, "*L outputs"]:
        return self.linear(x) + self.scale * (x @ self.A.T @ self.B.T)  # x A is thin: (..., rank)

    @property
    def weight(self) -> Float[Tensor, "outputs inputs"]:
        """The matrix that it applies, computed anew each time it is asked for."""
        return self.linear.weight + self.scale * self.B @ self.A

    def merged(self) -> nn.Linear:
        """One ordinary `nn.Linear`, a new one, with the change added to its weight: as fast as before."""
        n_outputs, n_inputs = self.linear.weight.shape
        plain = nn.utils.skip_init(
            nn.Linear,
            n_inputs,
            n_outputs,
            bias=self.linear.bias is not None,
            device=self.linear.weight.device,
            dtype=self.linear.weight.dtype,
        )
        with torch.no_grad():
            plain.weight.copy_(self.weight)
            if self.linear.bias is not None:
                plain.bias.copy_(self.linear.bias)
        return plain


def add_low_rank(model: nn.Module, rank, alpha, names=("q_proj", "v_proj"), generator=None) -> nn.Module:
    """Freeze a model and put a `LowRankLinear` around every linear layer called one of `names`, in place.

    Returns the model. Raises ValueError where no layer has such a name.

    >>> model = add_low_rank(nn.ModuleDict({"q_proj": nn.Linear(6, 4)}), rank=2, alpha=4)
    >>> [name for name, p in model.named_parameters() if p.requires_grad]
    ['q_proj.A', 'q_proj.B']
    """
    found = [
        (parent, name)
        for parent in model.modules()
        if not isinstance(parent, LowRankLinear)
        for name, child in parent.named_children()
        if name in names and isinstance(child, nn.Linear)
    ]
    if not found:
        raise ValueError(
            f"the model has no linear layer called {' or '.join(names)}: see "
            "model.named_modules() for its names."
        )
    model.requires_grad_(False)
    for parent, name in found:
        setattr(parent, name, LowRankLinear(getattr(parent, name), rank, alpha, generator))
    return model
