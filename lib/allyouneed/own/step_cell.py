"""A recurrent cell around a function: the step is handed in, its weights have the textbook's names."""

import torch
from torch import nn

__all__ = ["StepCell"]


class StepCell(nn.Module):
    """A cell whose step is a function that reads its weights from a dict, such as one of a problem set.

    step: `(x, h, params) -> h`, or with `cell_state` `(x, h, c, params) -> (h, c)`; x (B, D), h and c (B, H).
    gates: for each letter g, params holds W_g (D, H), U_g (H, H) and b_g (H,): "zrh": a GRU, "fioc": an LSTM.
    Weights start uniform in ±1/√H, drawn from `generator`. It stands wherever a cell of
    `allyouneed.nn.recurrent` stands.
    Raises ValueError where a width is not at least 1, gates are empty, or x is not (B, D).

    >>> cell = StepCell(lambda x, h, p: torch.tanh(x @ p["W_h"] + h @ p["U_h"] + p["b_h"]), 3, 4, "h")
    >>> cell(torch.zeros(2, 3)).shape
    torch.Size([2, 4])
    """

    def __init__(self, step, d_input, d_hidden, gates, cell_state=False, generator=None):
        super().__init__()
        if d_input < 1 or d_hidden < 1 or not gates:
            raise ValueError(
                "d_input and d_hidden must be at least 1 and gates not empty, got "
                f"{d_input}, {d_hidden} and {gates!r}."
            )
        self.step_function, self.d_input, self.d_hidden, self.cell_state = step, d_input, d_hidden, cell_state
        shapes = {"W": (d_input, d_hidden), "U": (d_hidden, d_hidden), "b": (d_hidden,)}
        self.params = nn.ParameterDict(
            {
                f"{kind}_{gate}": nn.Parameter(torch.empty(shape))
                for gate in gates
                for kind, shape in shapes.items()
            }
        )
        self.from_input = nn.Identity()  # the function sees the input itself
        bound = d_hidden**-0.5
        for parameter in self.params.values():
            nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def start(self, x):
        """The state before the first token: zeros (B, H), two of them with `cell_state`."""
        zeros = x.new_zeros(x.shape[0], self.d_hidden)
        return (zeros, zeros) if self.cell_state else zeros

    def step(self, x, state):
        """One call of the function: x (B, D) and the last state to the new one."""
        params = dict(self.params.items())
        return (
            tuple(self.step_function(x, *state, params))
            if self.cell_state
            else self.step_function(x, state, params)
        )

    def forward(self, x, state=None):
        """x (B, D) and the last state to the new state; without one, from zeros."""
        if x.dim() != 2 or x.shape[-1] != self.d_input:
            raise ValueError(
                f"x must be one token a row, (batch, {self.d_input}), but it is {tuple(x.shape)}."
            )
        return self.step(x, self.start(x) if state is None else state)
