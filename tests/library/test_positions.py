"""Positions against brute force with complex numbers, and by their promise: scores depend on distances."""

import cmath
import math

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from allyouneed.nn.attention import Causal
from allyouneed.nn.cache import Remembering
from allyouneed.nn.positions import (
    LearnedPositions,
    Rotary,
    RotaryAttention,
    SinusoidalPositions,
    apply_rotary,
    frequencies,
    shift_matrix,
    sinusoidal_2d,
    sinusoidal_encoding,
)
from allyouneed.nn.qk_norm import QKNorm


def random(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


@pytest.mark.parametrize(
    "n_positions, d_model, base", [(7, 6, 10000.0), (50, 16, 100.0), (1, 2, 10000.0), (0, 4, 10.0)]
)
def test_sinusoidal_equals_loop(n_positions, d_model, base):
    table = sinusoidal_encoding(n_positions, d_model, base)
    assert table.shape == (n_positions, d_model)
    for p in range(n_positions):
        for j in range(d_model // 2):
            angle = p / base ** (2 * j / d_model)
            assert table[p, 2 * j].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[p, 2 * j + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


@pytest.mark.parametrize("offset", [-3, 0, 1, 17])
def test_one_matrix_shifts_every_position(offset):
    table = sinusoidal_encoding(60, 8)
    shifted = table[10:40] @ shift_matrix(offset, 8).T
    torch.testing.assert_close(shifted, table[10 + offset : 40 + offset], atol=1e-5, rtol=0)


def test_shifts_compose():
    torch.testing.assert_close(shift_matrix(2, 8) @ shift_matrix(5, 8), shift_matrix(7, 8))


def test_two_dimensions_hold_row_then_column():
    table = sinusoidal_2d(height=3, width=5, d_model=12)
    line = sinusoidal_encoding(5, 6)
    for row in range(3):
        for column in range(5):
            torch.testing.assert_close(table[row * 5 + column], torch.cat((line[row], line[column])))


def test_two_dimensions_are_those_of_transformers_masked_autoencoder():
    from transformers.models.vit_mae.modeling_vit_mae import build_2d_sinusoidal_position_embedding

    def side_by_side(half):  # they put all sines before all cosines
        return torch.stack(half.chunk(2, dim=1), dim=-1).flatten(1)

    theirs = build_2d_sinusoidal_position_embedding(3, 5, 12)
    expected = torch.cat([side_by_side(half) for half in theirs.chunk(2, dim=1)], dim=1)
    torch.testing.assert_close(sinusoidal_2d(height=3, width=5, d_model=12), expected)


def test_sinusoidal_module_adds_the_table_at_any_length_and_place():
    layer = SinusoidalPositions(d_model=6)
    x = random(2, 300, 6, dtype=torch.float32)
    torch.testing.assert_close(layer(x), x + sinusoidal_encoding(300, 6))
    places = torch.tensor([[900, 3], [0, 299]])
    torch.testing.assert_close(layer(x[:, :2], places), x[:, :2] + sinusoidal_encoding(901, 6)[places])
    assert layer(x.double()).dtype == torch.float64 and not layer.state_dict()


def test_learned_positions_add_their_rows():
    layer = LearnedPositions(max_len=9, d_model=6, generator=torch.Generator().manual_seed(3))
    x = random(2, 5, 6, dtype=torch.float32)
    torch.testing.assert_close(layer(x), x + layer.weight[:5])
    torch.testing.assert_close(layer(x, torch.arange(4, 9)), x + layer.weight[4:])
    again = LearnedPositions(max_len=9, d_model=6, generator=torch.Generator().manual_seed(3))
    assert torch.equal(layer.weight, again.weight)


@pytest.mark.parametrize("turn", [apply_rotary, lambda x, positions: Rotary(x.shape[-1])(x, positions)])
def test_rotary_equals_complex_numbers_one_by_one(turn):
    x, positions = random(2, 3, 4, 6), torch.tensor([0, 2, 5, 90])
    turned = turn(x, positions)
    for t, p in enumerate(positions.tolist()):
        for j in range(3):
            expected = complex(*x[1, 2, t, 2 * j : 2 * j + 2]) * cmath.exp(1j * p / 10000 ** (2 * j / 6))
            assert complex(*turned[1, 2, t, 2 * j : 2 * j + 2]) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 4000), st.integers(0, 4000), st.integers(0, 4000), st.integers(0, 999))
@example(0, 0, 0, 0)
@example(4000, 4000, 4000, 0)
@example(4000, 0, 4000, 0)
def test_rotary_scores_depend_on_distance_only(p, q, shift, seed):
    rotary = Rotary(8, max_len=8001)
    query, key = random(1, 1, 1, 8, seed=seed), random(1, 1, 1, 8, seed=seed + 1)

    def score(a, b):
        return (rotary(query, torch.tensor([a])) * rotary(key, torch.tensor([b]))).sum()

    torch.testing.assert_close(score(p, q), score(p + shift, q + shift), atol=1e-9, rtol=1e-7)


def test_rotary_keeps_lengths_and_position_zero():
    x = random(2, 3, 5, 8)
    turned = apply_rotary(x, torch.arange(5))
    torch.testing.assert_close(turned.norm(dim=-1), x.norm(dim=-1))
    torch.testing.assert_close(turned[:, :, 0], x[:, :, 0])
    assert not torch.allclose(turned[:, :, 1:], x[:, :, 1:])


def test_rotary_takes_positions_of_each_row():
    x = random(2, 3, 4, 6)
    positions = torch.tensor([[0, 1, 2, 3], [5, 6, 7, 8]])
    rows = torch.cat([apply_rotary(x[row : row + 1], positions[row]) for row in range(2)])
    torch.testing.assert_close(apply_rotary(x, positions), rows)
    torch.testing.assert_close(Rotary(6)(x, positions), rows)


def test_positions_are_counted_on_also_where_the_cache_stands_further_inside():
    q = torch.randn(1, 2, 5, 4, generator=torch.Generator().manual_seed(0))
    whole = RotaryAttention(Rotary(4), QKNorm(Causal()))(q, q, q)[0]
    reader = RotaryAttention(Rotary(4), QKNorm(Remembering(Causal(), 9)))
    parts = [reader(part, part, part)[0] for part in q.split([1, 1, 3], dim=2)]
    torch.testing.assert_close(torch.cat(parts, dim=2), whole)


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.transpose(1, 2).contiguous().transpose(1, 2),
        lambda x: x.transpose(2, 3).contiguous().transpose(2, 3),
        lambda x: torch.cat((x, x[..., :1]), dim=-1)[..., :-1],
        lambda x: torch.cat((x[..., :1], x, x[..., :1]), dim=-1)[..., 1:-1],
    ],
)
def test_rotary_accepts_any_memory_layout(view):
    x = random(2, 3, 5, 6)
    torch.testing.assert_close(apply_rotary(view(x), torch.arange(5)), apply_rotary(x, torch.arange(5)))


@pytest.mark.parametrize(
    "dtype, tolerance", [(torch.float32, 1e-5), (torch.bfloat16, 3e-2), (torch.float16, 4e-3)]
)
def test_rotary_keeps_the_dtype(dtype, tolerance):
    x = random(2, 3, 5, 6)
    rotary = Rotary(6).to(torch.bfloat16)  # moving the module must not spoil its turns
    turned = rotary(x.to(dtype), torch.arange(5))
    assert turned.dtype == dtype
    torch.testing.assert_close(
        turned.double(), apply_rotary(x, torch.arange(5)), atol=tolerance, rtol=tolerance
    )


def test_rotary_lets_gradients_through_and_leaves_the_input():
    x = random(1, 2, 3, 4).requires_grad_()
    before = x.detach().clone()
    assert torch.autograd.gradcheck(lambda x: apply_rotary(x, torch.arange(3)), (x,))
    assert torch.equal(x, before)


def test_tables_made_while_generating_can_be_trained_with_later():
    rotary, sinusoidal = Rotary(8), SinusoidalPositions(8)
    with torch.inference_mode():
        rotary(random(1, 2, 3, 8), torch.arange(3))
        sinusoidal(random(1, 400, 8))
    x = random(1, 2, 3, 8).requires_grad_()
    rotary(x, torch.arange(3)).square().sum().backward()
    sinusoidal(x[0]).square().sum().backward()
    assert x.grad.isfinite().all()


def test_rotary_survives_saving_and_copying(tmp_path):
    rotary = Rotary(4)
    expected = rotary(random(1, 1, 3, 4), torch.arange(3))
    torch.save(rotary, tmp_path / "rotary.pt")
    again = torch.load(tmp_path / "rotary.pt", weights_only=False)
    torch.testing.assert_close(again(random(1, 1, 3, 4), torch.arange(3)), expected)
    assert not rotary.state_dict()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: frequencies(5), "even"),
        (lambda: frequencies(4, base=0), "base"),
        (lambda: sinusoidal_encoding(-1, 4), "n_positions"),
        (lambda: sinusoidal_encoding(3, 5), "even"),
        (lambda: sinusoidal_2d(2, 2, 6), "multiple of 4"),
        (lambda: Rotary(5), "even"),
        (lambda: Rotary(4, max_len=0), "max_len"),
        (lambda: Rotary(4, max_len=3)(torch.zeros(1, 1, 1, 4), torch.tensor([3])), "0 to 2.*3 to 3"),
        (lambda: Rotary(4)(torch.zeros(1, 1, 1, 4), torch.tensor([-1])), "-1"),
        (lambda: LearnedPositions(3, 4)(torch.zeros(1, 1, 4), torch.tensor([3])), "0 to 2"),
        (lambda: LearnedPositions(3, 4)(torch.zeros(1, 1, 4), torch.tensor([-1])), "-1"),
        (lambda: LearnedPositions(0, 4), "max_len"),
        (lambda: LearnedPositions(3, 4)(torch.zeros(1, 4, 4)), "4 tokens"),
    ],
)
def test_what_cannot_work_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_a_sinusoidal_position_before_the_first_is_refused():
    with pytest.raises(ValueError, match="at least 0, but the smallest is -1"):
        SinusoidalPositions(4)(torch.zeros(1, 2, 4), positions=torch.tensor([-1, 0]))
