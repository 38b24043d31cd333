"""Recurrent networks, token after token: the plain cell, LSTM, GRU, and the attention first added to them."""

import torch
from torch import nn

from allyouneed.tensors import Float, Int, Tensor, Tokens
from allyouneed.validate import check_integers

__all__ = [
    "AdditiveAttention",
    "Bidirectional",
    "GRU",
    "GRUCell",
    "LSTM",
    "LSTMCell",
    "RNN",
    "RNNCell",
    "Recurrent",
    "open_gates",
]

State = Float[Tensor, "B H"] | tuple[Float[Tensor, "B H"], Float[Tensor, "B H"]]  # h, or an LSTM's (h, c)
Lengths = Int[Tensor, " B"] | list[int] | None  # how many tokens of each row are real


class _Cell(nn.Module):
    """What the three cells share: one matrix for input, one for state, all gates side by side in each."""

    n_gates = 1

    def __init__(self, d_input, d_hidden, generator=None):
        super().__init__()
        check_integers(d_input=d_input, d_hidden=d_hidden)
        self.d_input, self.d_hidden = d_input, d_hidden
        self.from_input = nn.Linear(d_input, self.n_gates * d_hidden)
        self.from_state = nn.Linear(d_hidden, self.n_gates * d_hidden, bias=False)
        bound = d_hidden**-0.5
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def start(self, x):
        """The state before the first token: zeros (B, H)."""
        return x.new_zeros(x.shape[0], self.d_hidden)

    def step(self, from_input, state):
        """The new state, from the input's share of all gates (B, gates * H) and the last state."""
        raise NotImplementedError

    def forward(self, x: Float[Tensor, "B D"], state: State | None = None) -> State:
        """x (B, D) and the last state to the new state; the cell's class says what a state is."""
        if x.dim() != 2 or x.shape[-1] != self.d_input:
            raise ValueError(
                f"x must be one token a row, (batch, {self.d_input}), but it is {tuple(x.shape)}."
            )
        return self.step(self.from_input(x), self.start(x) if state is None else state)


class RNNCell(_Cell):
    """One step of a plain recurrent network: h' = tanh(x W + h U + b). The state is h (B, H).

    Weights start uniform in ±1/√H, drawn from `generator`. Paper: Elman 1990.

    >>> RNNCell(d_input=3, d_hidden=4)(torch.zeros(2, 3)).shape
    torch.Size([2, 4])
    """

    def step(self, from_input, h):
        return torch.tanh(from_input + self.from_state(h))


class LSTMCell(_Cell):
    """One step of a long short-term memory; the state is (h, c), each (B, H).

    c' = f * c + i * tanh(g),  h' = o * tanh(c');  f, i, o = σ(each its own x W + h U + b), g likewise.
    The forget gate f keeps, the input gate i writes, the output gate o shows. Columns are in torch's order:
    i, f, g, o.
    Papers: Hochreiter and Schmidhuber 1997; Gers and others 2000 (forget gate).

    >>> h, c = LSTMCell(d_input=3, d_hidden=4)(torch.zeros(2, 3))
    """

    n_gates = 4

    def start(self, x):
        return super().start(x), super().start(x)

    def step(self, from_input, state):
        h, c = state
        # each (B, H)
        write, forget, candidate, show = (from_input + self.from_state(h)).chunk(4, dim=-1)
        c = torch.sigmoid(forget) * c + torch.sigmoid(write) * torch.tanh(candidate)
        return torch.sigmoid(show) * torch.tanh(c), c


class GRUCell(_Cell):
    """One step of a gated recurrent unit; the state is h (B, H).

    z, r = σ(x W + h U + b),  ĥ = tanh(x W_h + (r * h) U_h + b_h),  h' = (1 - z) * h + z * ĥ
    Columns are in the order r, z, candidate. `reset_after=True` is cuDNN's and torch's form, r * (h U_h + c),
    with one more bias c; torch also calls 1 - z what is z here, as the paper does. Paper: Cho and others
    2014; in this form Chung and others 2014.

    >>> GRUCell(d_input=3, d_hidden=4)(torch.zeros(2, 3)).shape
    torch.Size([2, 4])
    """

    n_gates = 3

    def __init__(self, d_input, d_hidden, reset_after=False, generator=None):
        super().__init__(d_input, d_hidden, generator)
        self.reset_after = reset_after
        self.candidate_bias = nn.Parameter(torch.zeros(d_hidden)) if reset_after else None

    def step(self, from_input, h):
        H = self.d_hidden
        U_gates, U_candidate = self.from_state.weight.split((2 * H, H))  # (2H, H), (H, H)
        gates = torch.sigmoid(from_input[:, : 2 * H] + h @ U_gates.T)  # (B, 2H)
        reset, update = gates.chunk(2, dim=-1)  # each (B, H)
        if self.reset_after:
            remembered = reset * (h @ U_candidate.T + self.candidate_bias)
        else:
            remembered = (reset * h) @ U_candidate.T
        candidate = torch.tanh(from_input[:, 2 * H :] + remembered)
        return (1 - update) * h + update * candidate


class _Layer(nn.Module):
    """A cell run over a sequence. The inputs' share is computed at once; only the state has to wait."""

    def __init__(self, cell, reverse=False):
        super().__init__()
        self.cell, self.reverse = cell, reverse

    def forward(
        self, x: Tokens, state: State | None = None, lengths: Lengths = None
    ) -> tuple[Float[Tensor, "B T H"], State]:
        """x (B, T, D) to (outputs (B, T, H), last state). lengths (B,): tokens from there on are padding.

        Padding changes no state, and outputs there are 0. With reverse the last token is read first.
        """
        if x.dim() != 3 or x.shape[-1] != self.cell.d_input:
            raise ValueError(f"x must be (batch, tokens, {self.cell.d_input}), but it is {tuple(x.shape)}.")
        state = self.cell.start(x) if state is None else state
        # T times (B, gates*H)
        from_input = self.cell.from_input(x).unbind(1)
        outputs: list = [None] * x.shape[1]
        for t in reversed(range(x.shape[1])) if self.reverse else range(x.shape[1]):
            new, old = self.cell.step(from_input[t], state), state
            if lengths is not None:
                alive = (t < torch.as_tensor(lengths, device=x.device))[:, None]  # (B, 1)
                new = (
                    tuple(torch.where(alive, n, o) for n, o in zip(new, old))
                    if isinstance(new, tuple)
                    else torch.where(alive, new, old)  # type: ignore[arg-type]
                )
            state = new
            output = state[0] if isinstance(state, tuple) else state
            outputs[t] = output if lengths is None else output * alive
        return torch.stack(outputs, dim=1) if outputs else x.new_zeros(
            x.shape[0], 0, self.cell.d_hidden
        ), state


class Recurrent(_Layer):
    """Any cell over a sequence: layer(x (B, T, D), state, lengths) gives (outputs (B, T, H), state).

    >>> Recurrent(GRUCell(d_input=3, d_hidden=4))(torch.zeros(2, 5, 3))[0].shape
    torch.Size([2, 5, 4])
    """


class RNN(_Layer):
    """`RNNCell` over a sequence: layer(x (B, T, D), state, lengths) gives (outputs (B, T, H), state).

    >>> RNN(d_input=3, d_hidden=4)(torch.zeros(2, 5, 3))[0].shape
    torch.Size([2, 5, 4])
    """

    def __init__(self, d_input, d_hidden, reverse=False, generator=None):
        super().__init__(RNNCell(d_input, d_hidden, generator), reverse)


class LSTM(_Layer):
    """`LSTMCell` over a sequence: layer(x (B, T, D), state, lengths) gives (outputs (B, T, H), (h, c)).

    >>> LSTM(d_input=3, d_hidden=4)(torch.zeros(2, 5, 3))[0].shape
    torch.Size([2, 5, 4])
    """

    def __init__(self, d_input, d_hidden, reverse=False, generator=None):
        super().__init__(LSTMCell(d_input, d_hidden, generator), reverse)


class GRU(_Layer):
    """`GRUCell` over a sequence: layer(x (B, T, D), state, lengths) gives (outputs (B, T, H), state).

    >>> GRU(d_input=3, d_hidden=4)(torch.zeros(2, 5, 3))[0].shape
    torch.Size([2, 5, 4])
    """

    def __init__(self, d_input, d_hidden, reset_after=False, reverse=False, generator=None):
        super().__init__(GRUCell(d_input, d_hidden, reset_after, generator), reverse)


@torch.no_grad()
def open_gates(layer, bias: float) -> nn.Module:
    """Make an LSTM or GRU layer start by remembering: a share σ(bias), not a half, of its memory each token.

    The bias of the LSTM's forget gate becomes `bias`, that of the GRU's update gate -`bias` (a GRU keeps
    1 - z); a share kept of σ(b) spans about e^b tokens. Returns the layer. TypeError if no gate is there.
    Papers: Gers and others 2000; Jozefowicz and others 2015; Tallec and Ollivier 2018.

    >>> open_gates(LSTM(d_input=1, d_hidden=2), 4.0).cell.from_input.bias[2:4].tolist()
    [4.0, 4.0]
    """
    if not isinstance(layer.cell, (LSTMCell, GRUCell)):
        raise TypeError(
            f"open_gates needs an LSTM or GRU layer, but it got {type(layer).__name__}: it has no gates."
        )
    H = layer.cell.d_hidden
    layer.cell.from_input.bias[H : 2 * H] = bias if isinstance(layer.cell, LSTMCell) else -bias
    return layer


class Bidirectional(nn.Module):
    """Reads a sequence both ways: outputs are the two layers' side by side, (B, T, 2H), states a pair.

    ahead, back: two layers, the second made with reverse=True, else ValueError. Paper: Schuster and Paliwal
    1997.

    >>> Bidirectional(GRU(3, 4), GRU(3, 4, reverse=True))(torch.zeros(2, 5, 3))[0].shape
    torch.Size([2, 5, 8])
    """

    def __init__(self, ahead, back):
        super().__init__()
        if ahead.reverse or not back.reverse:
            raise ValueError(
                "Bidirectional needs one layer in each direction: make the second with reverse=True."
            )
        self.ahead, self.back = ahead, back

    def forward(self, x: Tokens, lengths: Lengths = None) -> tuple[Float[Tensor, "B T both"], tuple]:
        (ahead, ahead_state), (back, back_state) = (
            self.ahead(x, lengths=lengths),
            self.back(x, lengths=lengths),
        )
        return torch.cat((ahead, back), dim=-1), (ahead_state, back_state)


class AdditiveAttention(nn.Module):
    """Attention as first added to a recurrent decoder: a small network scores each memory against the state.

    score_n = wᵀ tanh(memory_n W_a + state U_a)
    weights = softmax(score),  context = Σ weights_n memory_n

    Called with state (B, H), memory (B, N, F) and an optional boolean mask (B, N), True = may attend; returns
    (context (B, F), weights (B, N)). A row that may attend to nothing gets 0. Weights start uniform in
    ±1/√width, drawn from `generator`. Raises ValueError where a width is not at least 1 or the mask does not
    fit.
    Paper: Bahdanau, Cho and Bengio 2014.

    >>> attend = AdditiveAttention(d_state=4, d_memory=6, d_hidden=5)
    >>> context, weights = attend(torch.zeros(2, 4), torch.zeros(2, 3, 6))
    """

    def __init__(self, d_state, d_memory, d_hidden, generator=None):
        super().__init__()
        check_integers(d_state=d_state, d_memory=d_memory, d_hidden=d_hidden)
        self.memory_proj = nn.Linear(d_memory, d_hidden, bias=False)
        self.state_proj = nn.Linear(d_state, d_hidden, bias=False)
        self.score_proj = nn.Linear(d_hidden, 1, bias=False)
        for layer in (self.memory_proj, self.state_proj, self.score_proj):
            nn.init.uniform_(
                layer.weight, -(layer.in_features**-0.5), layer.in_features**-0.5, generator=generator
            )

    def forward(
        self, state: Float[Tensor, "B H"], memory: Float[Tensor, "B S F"], mask=None
    ) -> tuple[Float[Tensor, "B F"], Float[Tensor, "B S"]]:
        if mask is not None and (mask.dtype != torch.bool or mask.shape != memory.shape[:2]):
            raise ValueError(
                f"mask must be boolean of shape {tuple(memory.shape[:2])}, "
                f"but it is {mask.dtype} of {tuple(mask.shape)}."
            )
        hidden = torch.tanh(self.memory_proj(memory) + self.state_proj(state)[:, None])  # (B, N, A)
        scores = self.score_proj(hidden).squeeze(-1)  # (B, N)
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1)
        weights = weights if mask is None else weights.masked_fill(~mask, 0.0)
        return (weights[:, None] @ memory).squeeze(1), weights  # (B, F), (B, N)
