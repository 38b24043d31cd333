"""The course's optimizers: AdamW for everything, or Muon for the matrices inside, AdamW for the rest.

Muon makes every step of a matrix orthogonal, here in a precision that a laptop multiplies fast.
"""

import torch
from torch import nn

from allyouneed.tensors import Float, Tensor

OUTER_PARTS = ("embedding", "positions", "head")


def adamw(model, learning_rate=1e-3, weight_decay=0.1, betas=(0.9, 0.95)) -> list[torch.optim.Optimizer]:
    """Return `[AdamW]` in its fused form; weights of two or more axes decay, vectors (biases, norms) do not.

    Arguments: `model`; `learning_rate`, the full one (the schedule scales it); `weight_decay`; `betas`,
    memories of the gradient's mean and square. A list, because `train` takes a list of optimizers.
    Paper: Loshchilov and Hutter 2019.

    >>> [len(group["params"]) for group in adamw(nn.Linear(2, 3))[0].param_groups]
    [1, 1]
    """
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return [_adamw(trained, learning_rate, weight_decay, betas)]


def muon(
    model, learning_rate=0.02, adam_learning_rate=3e-3, weight_decay=0.0, betas=(0.9, 0.95), outer=OUTER_PARTS
) -> list[torch.optim.Optimizer]:
    """Return `[Muon, AdamW]`: Muon for matrices inside the layers, AdamW for embeddings, head and vectors.

    Muon replaces each matrix's momentum by its nearest orthogonal matrix, so that all directions learn
    equally fast.

    Arguments: `learning_rate`, of the matrices; `adam_learning_rate`, of the rest; `weight_decay`, of both;
    `outer`, names that, found in a parameter's path, give it to AdamW (as `nn.Embedding` does). Raises
    `ValueError` if the model has no matrix inside. Paper: Jordan and others 2024 (a report).

    >>> [type(optimizer).__name__ for optimizer in muon(nn.Linear(2, 3))]
    ['Muon', 'AdamW']
    """
    embeddings = {id(part.weight) for part in model.modules() if isinstance(part, nn.Embedding)}
    inner, rest = [], []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            is_outer = (
                parameter.dim() != 2 or id(parameter) in embeddings or set(outer) & set(name.split("."))
            )
            (rest if is_outer else inner).append(parameter)
    if not inner:
        raise ValueError(f"no matrix outside {tuple(outer)} for Muon to train: use adamw(model)")
    matrices = Muon(inner, lr=learning_rate, weight_decay=weight_decay, momentum=0.95)
    return [matrices, _adamw(rest, adam_learning_rate, weight_decay, betas)] if rest else [matrices]


def _adamw(parameters, learning_rate, weight_decay, betas):
    groups = [
        {"params": [p for p in parameters if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    return torch.optim.AdamW(groups, lr=learning_rate, betas=betas, fused=True)


def orthogonalize(
    matrix: Float[Tensor, "n m"], coefficients=(3.4445, -4.7750, 2.0315), n_rounds: int = 5, eps: float = 1e-7
) -> Float[Tensor, "n m"]:
    """Push a matrix's (n, m) singular values towards 1, keep its directions: U S Vᵀ becomes nearly U Vᵀ.

    A polynomial of odd powers, applied `n_rounds` times, does it without a decomposition. The values end
    between about 0.7 and 1.2, not at 1: these coefficients lift the small ones fastest. A matrix of zeros
    stays one. Returns (n, m) in the matrix's own dtype.
    Paper: Jordan and others 2024 (a report).

    >>> orthogonalize(torch.diag(torch.tensor([1.0, 0.1]))).diagonal().round(decimals=1)
    tensor([0.7000, 0.7000])
    """
    a, b, c = coefficients
    x = matrix.mT if matrix.shape[0] > matrix.shape[1] else matrix  # the smaller product
    x = x / x.norm().clamp(min=eps)  # singular values of at most 1
    for _ in range(n_rounds):
        square = x @ x.mT
        x = torch.addmm(x, torch.addmm(square, square, square, beta=b, alpha=c), x, beta=a)
    return x.mT if matrix.shape[0] > matrix.shape[1] else x


class Muon(torch.optim.Muon):
    """`torch.optim.Muon` with the rounds in the weights' own precision.

    torch's runs them in bfloat16, whatever the weights are. Graphics processors and new server processors
    multiply it fast; most laptops only imitate it, and the five rounds then take most of a training step. On
    a GPU the rounds stay in bfloat16.

    Arguments as of torch.optim.Muon. Raises ValueError for `adjust_lr_fn`: a matrix (n, m) steps by lr ·
    √max(1, n/m), as in the report.
    """

    def __init__(self, params, lr=1e-3, **options):
        if options.get("adjust_lr_fn") not in (None, "original"):
            raise ValueError(
                f"adjust_lr_fn must be None, but it is {options['adjust_lr_fn']!r}: for "
                "another rule take torch.optim.Muon."
            )
        super().__init__(params, lr, **options)

    @torch.no_grad()
    def step(self, closure=None):
        """One step of every matrix that has a gradient; returns what `closure`, if there is one, returned."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._step(weight, **group)
        return loss

    def _step(self, weight, lr, momentum, nesterov, weight_decay, ns_coefficients, ns_steps, eps, **_):
        state = self.state[weight]
        if not state:
            state["momentum_buffer"] = torch.zeros_like(weight)
        average = state["momentum_buffer"].lerp_(weight.grad, 1 - momentum)
        direction = weight.grad.lerp(average, momentum) if nesterov else average
        if weight.is_cuda:
            direction = direction.bfloat16()
        direction = orthogonalize(direction, ns_coefficients, ns_steps, eps).to(weight.dtype)
        weight.mul_(1 - lr * weight_decay)
        weight.add_(direction, alpha=-lr * max(1, weight.shape[0] / weight.shape[1]) ** 0.5)
