"""Cells and layers against torch.nn with the same weights, packed sequences included."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from allyouneed.nn.recurrent import (
    GRU,
    LSTM,
    RNN,
    AdditiveAttention,
    Bidirectional,
    GRUCell,
    LSTMCell,
    Recurrent,
    RNNCell,
    open_gates,
)
from allyouneed.own import StepCell


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def generator(seed=1):
    return torch.Generator().manual_seed(seed)


MAKERS = {
    "rnn": lambda reverse=False: RNN(3, 4, reverse, generator()),
    "lstm": lambda reverse=False: LSTM(3, 4, reverse, generator()),
    "gru": lambda reverse=False: GRU(3, 4, True, reverse, generator()),
}
TORCH = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}


def fill(theirs, cell, suffix=""):
    """Copy our weights to torch's layer. Its 1 - z is our z, and σ(-a) = 1 - σ(a): negate those rows."""
    sign = torch.ones(cell.n_gates * cell.d_hidden, 1)
    if isinstance(cell, GRUCell):
        sign[4:8] = -1
    with torch.no_grad():
        getattr(theirs, f"weight_ih_l0{suffix}").copy_(sign * cell.from_input.weight)
        getattr(theirs, f"weight_hh_l0{suffix}").copy_(sign * cell.from_state.weight)
        getattr(theirs, f"bias_ih_l0{suffix}").copy_(sign[:, 0] * cell.from_input.bias)
        getattr(theirs, f"bias_hh_l0{suffix}").zero_()
        if isinstance(cell, GRUCell):
            torch.nn.init.normal_(cell.candidate_bias, generator=generator(9))
            getattr(theirs, f"bias_hh_l0{suffix}")[8:] = cell.candidate_bias


def flat(state):
    return list(state) if isinstance(state, tuple) else [state]


@pytest.mark.parametrize("kind", MAKERS)
def test_layer_equals_torch_in_values_and_gradients(kind):
    ours = MAKERS[kind]()
    theirs = TORCH[kind](3, 4, batch_first=True)
    fill(theirs, ours.cell)
    start = (random(2, 4, seed=2), random(2, 4, seed=3)) if kind == "lstm" else random(2, 4, seed=2)
    their_start = tuple(part[None] for part in start) if kind == "lstm" else start[None]
    gradients = []
    for layer, state in ((ours, start), (theirs, their_start)):
        x = random(2, 5, 3).requires_grad_()
        outputs, last = layer(x, state)
        outputs.square().sum().backward()
        gradients.append((outputs, x.grad, *[part.reshape(2, 4) for part in flat(last)]))
    for mine, expected in zip(*gradients):
        torch.testing.assert_close(mine, expected)


@pytest.mark.parametrize("kind", MAKERS)
def test_both_directions_with_padding_equal_torchs_packed_sequences(kind):
    ours = Bidirectional(MAKERS[kind](), MAKERS[kind](reverse=True))
    theirs = TORCH[kind](3, 4, batch_first=True, bidirectional=True)
    fill(theirs, ours.ahead.cell)
    fill(theirs, ours.back.cell, "_reverse")
    x, lengths = random(3, 6, 3), torch.tensor([4, 6, 1])
    outputs, (ahead, back) = ours(x, lengths)
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    expected, last = theirs(packed)
    expected, _ = pad_packed_sequence(expected, batch_first=True)
    torch.testing.assert_close(outputs, expected)
    for mine, theirs_last in zip(zip(flat(ahead), flat(back)), flat(last)):
        torch.testing.assert_close(torch.stack(mine), theirs_last)


@pytest.mark.parametrize("kind", MAKERS)
def test_layer_is_its_cell_step_by_step(kind):
    layer = MAKERS[kind]()
    x, state = random(2, 5, 3), None
    outputs, last = layer(x)
    for t in range(5):
        state = layer.cell(x[:, t], state)
        torch.testing.assert_close(flat(state)[0], outputs[:, t])
    for mine, expected in zip(flat(state), flat(last)):
        torch.testing.assert_close(mine, expected)


def test_gru_of_2014_resets_before_the_matrix():
    cell = GRUCell(3, 4, generator=generator())
    x, h = random(2, 3), random(2, 4, seed=1)
    W_r, W_z, W_h = cell.from_input.weight.split(4)
    U_r, U_z, U_h = cell.from_state.weight.split(4)
    b_r, b_z, b_h = cell.from_input.bias.split(4)
    r = torch.sigmoid(x @ W_r.T + h @ U_r.T + b_r)
    z = torch.sigmoid(x @ W_z.T + h @ U_z.T + b_z)
    candidate = torch.tanh(x @ W_h.T + (r * h) @ U_h.T + b_h)
    torch.testing.assert_close(cell(x, h), torch.lerp(h, candidate, z))
    after = GRUCell(3, 4, reset_after=True, generator=generator())
    assert not torch.allclose(cell(x, h), after(x, h))


def test_gru_has_fewer_parameters_than_lstm():
    counts = [sum(p.numel() for p in layer.parameters()) for layer in (RNN(3, 4), GRU(3, 4), LSTM(3, 4))]
    assert counts == [32, 96, 128]


@pytest.mark.parametrize("make", [LSTM, GRU])
def test_open_gates_keep_the_memory_and_closed_ones_lose_it(make):
    kept = {}
    for bias in (4.0, -4.0):
        layer = open_gates(make(3, 4, generator=generator()), bias)
        layer.cell.from_input.weight.data.zero_(), layer.cell.from_state.weight.data.zero_()
        start = torch.full((1, 4), 8.0)
        _, last = layer(torch.zeros(1, 1, 3), (start, start) if make is LSTM else start)
        kept[bias] = flat(last)[-1] / start
    share = torch.sigmoid(torch.tensor(4.0))
    assert kept[4.0].sub(share).abs().max() < 0.05 and kept[-4.0].sub(1 - share).abs().max() < 0.15


def test_open_gates_refuses_a_layer_without_gates():
    with pytest.raises(TypeError, match="RNN"):
        open_gates(RNN(3, 4), 4.0)


def test_padding_never_changes_real_outputs():
    for kind in MAKERS:
        layer, x = MAKERS[kind](), random(2, 5, 3)
        before, last_before = layer(x, lengths=[3, 5])
        x[0, 3:] = 1e3
        after, last_after = layer(x, lengths=[3, 5])
        assert torch.equal(before, after) and torch.equal(flat(last_before)[0], flat(last_after)[0])


def test_additive_attention_equals_loop():
    layer = AdditiveAttention(d_state=4, d_memory=6, d_hidden=5, generator=generator())
    state, memory = random(2, 4), random(2, 3, 6, seed=1)
    mask = torch.tensor([[True, False, True], [True, True, True]])
    context, weights = layer(state, memory, mask)
    for b in range(2):
        scores = torch.stack(
            [
                layer.score_proj.weight[0]
                @ torch.tanh(layer.memory_proj.weight @ memory[b, n] + layer.state_proj.weight @ state[b])
                if mask[b, n]
                else torch.tensor(-torch.inf)
                for n in range(3)
            ]
        )
        torch.testing.assert_close(weights[b], scores.softmax(0))
        torch.testing.assert_close(context[b], sum(scores.softmax(0)[n] * memory[b, n] for n in range(3)))


def test_additive_attention_without_anything_to_see_is_zero():
    layer = AdditiveAttention(4, 6, 5)
    state, memory = random(1, 4).requires_grad_(), random(1, 3, 6, seed=1).requires_grad_()
    context, weights = layer(state, memory, torch.zeros(1, 3, dtype=torch.bool))
    context.sum().backward()
    assert context.eq(0).all() and weights.eq(0).all() and state.grad.isfinite().all()


def test_same_generator_same_weights():
    assert torch.equal(
        LSTMCell(3, 4, generator()).from_state.weight, LSTMCell(3, 4, generator()).from_state.weight
    )


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: RNNCell(0, 4), "d_input"),
        (lambda: RNNCell(3, 4)(torch.zeros(2, 5)), r"\(batch, 3\).*\(2, 5\)"),
        (lambda: LSTM(3, 4)(torch.zeros(2, 5)), r"\(batch, tokens, 3\).*\(2, 5\)"),
        (lambda: Bidirectional(GRU(3, 4), GRU(3, 4)), "reverse=True"),
        (
            lambda: AdditiveAttention(4, 6, 5)(torch.zeros(2, 4), torch.zeros(2, 3, 6), torch.ones(2, 3)),
            "boolean",
        ),
    ],
)
def test_what_cannot_work_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def textbook_gru(x, h, params):
    z, r = (torch.sigmoid(x @ params[f"W_{g}"] + h @ params[f"U_{g}"] + params[f"b_{g}"]) for g in "zr")
    return (1 - z) * h + z * torch.tanh(x @ params["W_h"] + (r * h) @ params["U_h"] + params["b_h"])


def textbook_lstm(x, h, c, params):
    f, i, o, g = (x @ params[f"W_{k}"] + h @ params[f"U_{k}"] + params[f"b_{k}"] for k in "fioc")
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def named_weights(cell, gates):
    """A library cell's weights by the names that a step function knows; `gates` in the cell's own order."""
    parts = {"W": cell.from_input.weight, "U": cell.from_state.weight, "b": cell.from_input.bias}
    return {
        f"params.{kind}_{gate}": part.t()
        for kind, whole in parts.items()
        for gate, part in zip(gates, whole.chunk(len(gates)))
    }


def test_a_cell_around_a_step_function_equals_the_library_cell_with_the_same_weights():
    x = torch.randn(3, 5, 4, generator=torch.Generator().manual_seed(1))
    for step, ours, gates, pair in (
        (textbook_gru, GRUCell(4, 6), "rzh", False),
        (textbook_lstm, LSTMCell(4, 6), "ifco", True),
    ):
        cell = StepCell(step, 4, 6, gates, cell_state=pair)
        cell.load_state_dict(named_weights(ours, gates))
        for lengths in (None, torch.tensor([5, 2, 3])):
            mine, theirs = (Recurrent(one)(x, lengths=lengths) for one in (cell, ours))
            torch.testing.assert_close(mine[0], theirs[0])
            torch.testing.assert_close(mine[1], theirs[1])
        with pytest.raises(ValueError, match="one token a row"):
            cell(x)
    with pytest.raises(ValueError, match="gates not empty"):
        StepCell(textbook_gru, 4, 6, "")
