"""Muon, which makes every step of a matrix orthogonal, in a precision that a laptop multiplies fast."""

import torch

from allyouneed.tensors import Float, Tensor

__all__ = ["Muon", "orthogonalize"]


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
