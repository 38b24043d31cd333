"""Experts against a loop over tokens; the balance loss against its bounds."""

import copy

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from allyouneed.nn.layers import Block, FeedForward, LayerNorm, SwiGLU
from allyouneed.nn.mixture import MixtureOfExperts, load_balance_loss, route_top_k
from allyouneed.nn.multihead import MultiHeadAttention


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("expert", [FeedForward, SwiGLU])
def test_output_equals_loop_over_tokens(k, expert):
    layer = MixtureOfExperts(6, 10, n_experts=4, k=k, expert=expert)
    x = random(2, 5, 6)
    output = layer(x)
    for b in range(2):
        for t in range(5):
            scores = layer.router.weight @ x[b, t]
            best = sorted(range(4), key=lambda e: -scores[e].item())[:k]
            weights = torch.softmax(scores[best], 0)
            expected = sum(weight * layer.experts[e](x[b, t]) for weight, e in zip(weights, best))
            torch.testing.assert_close(output[b, t], expected)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_block_and_balance_loss_are_those_of_transformers_mixtral(k):
    from transformers import MixtralConfig
    from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock, load_balancing_loss_func

    config = MixtralConfig(
        hidden_size=6,
        intermediate_size=10,
        num_local_experts=4,
        num_experts_per_tok=k,
        experts_implementation="eager",
    )
    theirs = MixtralSparseMoeBlock(config)
    ours = MixtureOfExperts(6, 10, n_experts=4, k=k, expert=SwiGLU)
    with torch.no_grad():
        for seed, parameter in enumerate(theirs.parameters()):
            parameter.copy_(0.5 * random(*parameter.shape, seed=seed))
        ours.router.weight.copy_(theirs.gate.weight)
        for expert, gate_and_up, down in zip(
            ours.experts, theirs.experts.gate_up_proj, theirs.experts.down_proj
        ):
            expert.gate_proj.weight.copy_(gate_and_up[:10])
            expert.up_proj.weight.copy_(gate_and_up[10:])
            expert.down_proj.weight.copy_(down)
    x = random(2, 5, 6, seed=9)
    torch.testing.assert_close(ours(x), theirs(x))
    # theirs adds the shares of the k choices up, ours divides by k
    expected = load_balancing_loss_func((ours.router(x.flatten(0, 1)),), num_experts=4, top_k=k) / k
    torch.testing.assert_close(ours.balance_loss, expected)


def test_one_expert_is_a_plain_feed_forward():
    layer = MixtureOfExperts(6, 10, n_experts=1, k=1)
    x = random(2, 5, 6)
    torch.testing.assert_close(layer(x), layer.experts[0](x))


@given(st.integers(1, 8), st.integers(1, 6), st.floats(-50, 50), st.integers(0, 999))
@example(1, 1, 0.0, 0)
@example(8, 6, 50.0, 999)
@example(8, 6, -50.0, 0)
def test_routing_weights_sum_to_one_and_ignore_a_common_offset(n_experts, n_tokens, offset, seed):
    logits = random(n_tokens, n_experts, seed=seed).double()
    for k in range(1, n_experts + 1):
        weights, ids = route_top_k(logits, k)
        torch.testing.assert_close(weights.sum(-1), torch.ones(n_tokens, dtype=torch.float64))
        assert ids.dtype == torch.int64 and (weights.diff(dim=-1) <= 0).all()
        assert torch.equal(logits.gather(-1, ids), logits.sort(dim=-1, descending=True).values[:, :k])
        assert all(len(row.unique()) == k for row in ids)
        torch.testing.assert_close(route_top_k(logits + offset, k)[0], weights, atol=1e-9, rtol=1e-7)


def test_balance_loss_is_one_when_even_and_n_experts_when_collapsed():
    assert load_balance_loss(torch.zeros(6, 3), torch.tensor([[0], [1], [2]] * 2)).item() == pytest.approx(1)
    collapsed = torch.tensor([[100.0, 0, 0]] * 6)
    assert load_balance_loss(collapsed, torch.zeros(6, 1, dtype=torch.int64)).item() == pytest.approx(3)
    assert load_balance_loss(torch.zeros(0, 3), torch.zeros(0, 1, dtype=torch.int64)).item() == 0


def test_balance_loss_spreads_a_collapsed_router():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(256, 8, generator=generator) + 2
    layer = MixtureOfExperts(8, 8, n_experts=4, k=1)
    with torch.no_grad():
        layer.router.weight.copy_(0.05 * torch.randn(4, 8, generator=generator))
        layer.router.weight[0] += 0.5
    layer(x)
    assert layer.load[0] > 0.95
    optimizer = torch.optim.Adam(layer.router.parameters(), lr=0.02)
    for _ in range(150):
        optimizer.zero_grad()
        layer(x)
        layer.balance_loss.backward()
        optimizer.step()
    assert layer.load.max() < 0.5 and layer.load.sum().item() == pytest.approx(1)


def test_experts_fit_into_a_layer_and_gradients_reach_the_router():
    layer = Block(MultiHeadAttention(8, 2), MixtureOfExperts(8, 12, n_experts=3, k=2), LayerNorm(8))
    layer(random(2, 5, 8)).square().sum().backward()
    assert layer.feed_forward.router.weight.grad.abs().sum() > 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: MixtureOfExperts(8, 8, n_experts=2, k=3),
        lambda: MixtureOfExperts(8, 8, n_experts=2, k=0),
        lambda: route_top_k(torch.zeros(4, 2), 3),
    ],
)
def test_impossible_k_is_refused(call):
    with pytest.raises(ValueError, match="k must be 1 to"):
        call()


def test_a_mixture_can_be_copied_after_a_call():
    layer = MixtureOfExperts(4, 8, n_experts=3)
    x = random(2, 5, 4).float()
    output = layer(x)
    twin = copy.deepcopy(layer)
    assert twin.balance_loss is None and layer.balance_loss is not None
    torch.testing.assert_close(twin(x), output)
