"""Low-rank adapters: start as nothing, train alone, merge into a plain layer."""

import numpy as np
import pytest
import torch
from torch import nn

from allyouneed.nn.layers import Block, FeedForward, LayerNorm
from allyouneed.nn.lowrank import LowRankLinear, add_low_rank
from allyouneed.nn.multihead import MultiHeadAttention


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def trained(bias=True):
    layer = LowRankLinear(
        nn.Linear(6, 4, bias=bias), rank=2, alpha=5, generator=torch.Generator().manual_seed(0)
    )
    with torch.no_grad():
        layer.B.copy_(random(4, 2, seed=3))
    return layer


def test_starts_equal_to_the_frozen_layer():
    linear = nn.Linear(6, 4)
    x = random(3, 6)
    assert torch.equal(LowRankLinear(linear, 2, 8)(x), linear(x))


@pytest.mark.parametrize("bias", [True, False])
def test_merged_layer_equals_the_adapted_one_and_its_change_has_the_rank(bias):
    layer = trained(bias)
    x = random(2, 3, 6)
    merged = layer.merged()
    assert type(merged) is nn.Linear
    torch.testing.assert_close(merged(x), layer(x))
    change = merged.weight - layer.linear.weight
    torch.testing.assert_close(change, 5 / 2 * layer.B @ layer.A)
    assert torch.linalg.matrix_rank(change) == 2


@pytest.mark.parametrize(
    "rank, n_inputs, n_outputs",
    [(rank, n, m) for rank in range(1, 7) for n in range(rank, 7) for m in range(rank, 7)],
)
def test_a_change_never_has_more_than_its_rank_and_costs_its_two_factors(n_inputs, n_outputs, rank):
    layer = LowRankLinear(
        nn.Linear(n_inputs, n_outputs).double(), rank, alpha=3, generator=torch.Generator().manual_seed(rank)
    )
    with torch.no_grad():
        layer.B.copy_(random(n_outputs, rank, seed=1))
    x = random(4, n_inputs, seed=2).double()
    expected = (
        np.asarray(x)
        @ (np.asarray(layer.linear.weight.detach()) + 3 / rank * np.asarray((layer.B @ layer.A).detach())).T
    )
    np.testing.assert_allclose(layer(x).detach(), expected + np.asarray(layer.linear.bias.detach()))
    assert np.linalg.matrix_rank((layer.merged().weight - layer.linear.weight).detach(), tol=1e-9) <= rank
    assert sum(p.numel() for p in layer.parameters() if p.requires_grad) == rank * (n_inputs + n_outputs)


def test_only_the_factors_train():
    layer = trained()
    layer(random(3, 6)).square().sum().backward()
    assert {name for name, p in layer.named_parameters() if p.grad is not None} == {"A", "B"}
    assert {name for name, p in layer.named_parameters() if p.requires_grad} == {"A", "B"}


@pytest.mark.parametrize("n_inputs", [100, 400])
def test_a_starts_with_the_spread_that_keeps_the_size_of_its_input(n_inputs):
    layer = LowRankLinear(
        nn.Linear(n_inputs, 300), rank=100, alpha=1, generator=torch.Generator().manual_seed(0)
    )
    x = random(50, n_inputs, seed=1)
    assert (x @ layer.A.T).std().item() == pytest.approx(x.std().item(), rel=0.05)
    assert layer.B.eq(0).all()


def test_keeps_the_dtype_of_its_layer():
    layer = LowRankLinear(nn.Linear(6, 4).double(), 2, 4)
    assert (
        layer(random(3, 6).double()).dtype == torch.float64 and layer.merged().weight.dtype == torch.float64
    )


def test_a_whole_model_is_adapted_by_name_and_learns():
    torch.manual_seed(0)
    model = nn.Sequential(
        *(Block(MultiHeadAttention(8, 2), FeedForward(8, 16), LayerNorm(8)) for _ in range(2))
    )
    x = random(2, 5, 8)
    before = model(x).detach()
    frozen = {name: p.clone() for name, p in model.named_parameters()}
    assert add_low_rank(model, rank=2, alpha=4) is model
    assert torch.equal(model(x), before)
    training = [p for p in model.parameters() if p.requires_grad]
    assert sum(p.numel() for p in training) == 2 * 2 * 2 * (8 + 8)  # layers, projections, rank, widths
    optimizer = torch.optim.Adam(training, lr=0.05)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = (model(x) - x.flip(-1)).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.9 * losses[0]
    for name, old in frozen.items():
        assert any(torch.equal(old, p) for p in model.parameters() if p.shape == old.shape), name


def test_what_cannot_work_is_refused():
    with pytest.raises(ValueError, match="rank must be 1 to 4"):
        LowRankLinear(nn.Linear(6, 4), rank=5, alpha=1)
    with pytest.raises(ValueError, match="rank"):
        LowRankLinear(nn.Linear(6, 4), rank=0, alpha=1)
    with pytest.raises(TypeError, match="Conv1d"):
        LowRankLinear(nn.Conv1d(1, 1, 1), rank=1, alpha=1)
    with pytest.raises(ValueError, match="called nothing"):
        add_low_rank(nn.Linear(6, 4), 2, 4, names=("nothing",))
