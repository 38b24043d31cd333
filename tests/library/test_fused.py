"""Fused projections against the three separate ones, and against torch's layer, whose matrix is fused too."""

import copy

import pytest
import torch
from torch import nn

from allyouneed.generation.sampling import column_major, generate
from allyouneed.models import GPT, GPTConfig, Llama, LlamaConfig, Seq2Seq, Seq2SeqConfig
from allyouneed.nn.attention import Causal, fused_attention, scaled_dot_product_attention
from allyouneed.nn.cache import Remembering
from allyouneed.nn.fused import FusedMultiHeadAttention, fuse_projections
from allyouneed.nn.grouped import GroupedQueryAttention
from allyouneed.nn.lowrank import add_low_rank
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import Rotary, RotaryAttention
from allyouneed.nn.qk_norm import QKNorm

LAYERS = {
    "plain": lambda: MultiHeadAttention(12, 3),
    "no bias": lambda: MultiHeadAttention(12, 3, bias=False),
    "narrow heads": lambda: MultiHeadAttention(12, 3, d_head=2),
    "groups": lambda: GroupedQueryAttention(12, 6, n_kv_heads=2),
    "one group, no bias": lambda: GroupedQueryAttention(12, 3, n_kv_heads=1, bias=False),
}
CLOSE = {"atol": 1e-5, "rtol": 1e-5}


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def random(*shape, seed=0):
    return torch.randn(shape, generator=seeded(seed))


def layer_of(name):
    layer = LAYERS[name]()
    for seed, parameter in enumerate(layer.parameters()):
        nn.init.normal_(parameter, std=0.4, generator=seeded(seed))
    return layer


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("cross", [False, True])
def test_one_product_gives_what_three_give_and_the_same_gradient(name, cross):
    layer = layer_of(name)
    fused = FusedMultiHeadAttention(layer)
    grads = []
    for module in (layer, fused):
        x, memory = (
            random(2, 5, 12).requires_grad_(),
            random(2, 7, 12, seed=1).requires_grad_() if cross else None,
        )
        output, weights = module(x, memory)
        output.square().mean().backward()
        grads.append((output, weights, x.grad, memory.grad if cross else x.grad))
    for ours, theirs in zip(*grads, strict=True):
        torch.testing.assert_close(theirs, ours, **CLOSE)
    joined = torch.cat([part.weight.grad for part in (layer.q_proj, layer.k_proj, layer.v_proj)])
    torch.testing.assert_close(fused.qkv_proj.weight.grad, joined, **CLOSE)


def test_the_matrix_is_the_one_of_torchs_layer():
    layer, x = layer_of("plain"), random(2, 5, 12)
    fused, theirs = FusedMultiHeadAttention(layer), nn.MultiheadAttention(12, 3, batch_first=True)
    theirs.load_state_dict(
        {
            "in_proj_weight": fused.qkv_proj.weight,
            "in_proj_bias": fused.qkv_proj.bias,
            "out_proj.weight": fused.o_proj.weight,
            "out_proj.bias": fused.o_proj.bias,
        }
    )
    torch.testing.assert_close(fused(x)[0], theirs(x, x, x)[0], **CLOSE)


@pytest.mark.parametrize("name", LAYERS)
def test_a_cache_holds_the_same(name):
    layer, x = layer_of(name), random(2, 5, 12)
    layer.attend = RotaryAttention(Rotary(layer.d_head), QKNorm(Causal()))
    fused = FusedMultiHeadAttention(layer)
    fused.attend = RotaryAttention(Rotary(layer.d_head), Remembering(QKNorm(Causal()), max_len=5))
    with torch.no_grad():
        steps = [fused(x[:, t : t + 1])[0] for t in range(5)]
        whole = layer(x)[0]
    torch.testing.assert_close(torch.cat(steps, dim=1), whole, **CLOSE)


MODELS = {
    "gpt": lambda: GPT(GPTConfig(17, 40, d_model=12, n_layers=2, n_heads=3), generator=seeded()),
    "llama": lambda: Llama(
        LlamaConfig(17, 40, d_model=24, n_layers=2, n_heads=6, n_kv_heads=2, d_ff=32), generator=seeded()
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_fused_model_writes_the_same_text(name):
    model, prompts = MODELS[name](), [[1, 2, 3], [4]]
    faster = column_major(fuse_projections(copy.deepcopy(model)))
    assert all(type(layer.attention) is FusedMultiHeadAttention for layer in faster.layers)
    assert torch.equal(
        generate(model, prompts, 12, temperature=0), generate(faster, prompts, 12, temperature=0)
    )
    assert sum(p.numel() for p in faster.parameters()) == sum(p.numel() for p in model.parameters())


def test_cross_attention_is_fused_too():
    model = Seq2Seq(Seq2SeqConfig(17, 24, 2, 3), generator=seeded()).eval()
    source, target = torch.tensor([[1, 2, 3, 4]]), torch.tensor([[5, 6]])
    before = model(source, target)
    fuse_projections(model)
    assert not any(type(part) is MultiHeadAttention for part in model.modules())
    torch.testing.assert_close(model(source, target), before, **CLOSE)


def test_what_it_must_not_touch_stays():
    layer = MultiHeadAttention(12, 3).requires_grad_(False).eval()

    class Own(MultiHeadAttention):
        pass

    own = Own(12, 3)
    state = torch.random.get_rng_state()
    model = fuse_projections(nn.ModuleList([layer, layer, own]))
    # shared stays shared, a subclass a subclass
    assert model[0] is model[1] and model[2] is own
    assert not model[0].training and not model[0].qkv_proj.weight.requires_grad
    assert torch.equal(torch.random.get_rng_state(), state)  # nothing was drawn
    model[0].qkv_proj.weight.data.zero_()
    assert layer.q_proj.weight.abs().sum() > 0  # a copy


def test_an_adapter_is_refused():
    model = add_low_rank(MODELS["gpt"](), rank=2, alpha=2, names=["q_proj"])
    with pytest.raises(
        TypeError, match=("nn.Linear, but they are LowRankLinear, Linear, Linear: merge adapters first")
    ):
        fuse_projections(model)


def test_fused_attention_takes_what_the_formula_broadcasts():
    q, k = torch.ones(1, 4), torch.randn(1, 1, 3, 4, generator=torch.Generator().manual_seed(0))
    expected = scaled_dot_product_attention(q, k, k)[0]
    torch.testing.assert_close(fused_attention(q, k, k)[0], expected)
