"""Latent attention: both ways of computing it, its cache, and what it is a special case of."""

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import nn

from allyouneed.nn.attention import Causal, fused_attention, scaled_dot_product_attention
from allyouneed.nn.cache import Remembering
from allyouneed.nn.latent import LatentAttention
from allyouneed.nn.layers import Block, FeedForward, LayerNorm
from allyouneed.nn.lowrank import add_low_rank
from allyouneed.nn.maps import record_maps
from allyouneed.nn.multihead import MultiHeadAttention


@pytest.fixture(scope="module")
def layer():
    torch.manual_seed(0)
    return LatentAttention(d_model=12, n_heads=3, d_latent=5).double().requires_grad_(False)


X = torch.randn(2, 7, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(1))


def like(layer, absorbed, inner=scaled_dot_product_attention):
    other = LatentAttention(12, 3, 5, absorbed=absorbed, inner=inner).double().requires_grad_(False)
    other.load_state_dict(layer.state_dict())
    return other


INNER = {
    "formula": scaled_dot_product_attention,
    "fast": fused_attention,
    "causal formula": Causal(scaled_dot_product_attention),
    "causal fast": Causal(fused_attention),
}
forms = pytest.mark.parametrize("absorbed", [False, True], ids=["unpacked", "absorbed"])


@pytest.mark.parametrize("inner", INNER.values(), ids=INNER)
def test_absorbed_and_unpacked_forms_are_equal(layer, inner):
    ours, weights = like(layer, False, inner)(X)
    theirs, others = like(layer, True, inner)(X)
    torch.testing.assert_close(ours, theirs)
    assert (weights is None and others is None) or torch.allclose(weights, others)


def test_it_is_multi_head_attention_with_keys_and_values_of_low_rank(layer):
    plain = MultiHeadAttention(12, 3, bias=False).double().requires_grad_(False)
    plain.q_proj.weight.copy_(layer.q_proj.weight)
    plain.o_proj.weight.copy_(layer.o_proj.weight)
    plain.k_proj.weight.copy_(layer.k_proj.weight @ layer.down_proj.weight)
    plain.v_proj.weight.copy_(layer.v_proj.weight @ layer.down_proj.weight)
    for inner in INNER.values():
        plain.attend = inner
        torch.testing.assert_close(like(layer, False, inner)(X)[0], plain(X)[0])


@forms
def test_without_rotary_and_norm_it_is_transformers_deepseek_attention(layer, absorbed):
    from transformers import DeepseekV2Config
    from transformers.models.deepseek_v2.modeling_deepseek_v2 import DeepseekV2Attention

    config = DeepseekV2Config(
        hidden_size=12,
        num_attention_heads=3,
        num_key_value_heads=3,
        q_lora_rank=None,
        kv_lora_rank=5,
        qk_nope_head_dim=4,
        qk_rope_head_dim=2,
        v_head_dim=4,
        attn_implementation="eager",
    )
    theirs = DeepseekV2Attention(config, layer_idx=0).double().requires_grad_(False)
    theirs.kv_a_layernorm, theirs.scaling = nn.Identity(), 4**-0.5
    # (H, K, ...)
    q, k, v = (part.weight.unflatten(0, (3, 4)) for part in (layer.q_proj, layer.k_proj, layer.v_proj))
    # its rotary part asks nothing
    theirs.q_proj.weight.copy_(torch.cat((q, torch.zeros(3, 2, 12)), dim=1).flatten(0, 1))
    theirs.kv_a_proj_with_mqa.weight.zero_()[:5].copy_(layer.down_proj.weight)
    theirs.kv_b_proj.weight.copy_(torch.cat((k, v), dim=1).flatten(0, 1))
    theirs.o_proj.weight.copy_(layer.o_proj.weight)
    later = torch.full((7, 7), float("-inf"), dtype=torch.float64).triu(1)
    for mask, inner in ((None, fused_attention), (later, Causal())):
        expected = theirs(X, mask, position_embeddings=torch.ones(1, 7, 1, dtype=torch.complex64))[0]
        torch.testing.assert_close(like(layer, absorbed, inner)(X)[0], expected, atol=1e-6, rtol=1e-5)


@forms
@given(pieces=st.lists(st.integers(1, 3), min_size=1, max_size=5), seed=st.integers(0, 99))
@example(pieces=[1], seed=0)
@example(pieces=[1] * 5, seed=0)
@example(pieces=[3] * 5, seed=0)
def test_a_text_in_any_pieces_has_the_outputs_of_the_whole(layer, absorbed, pieces, seed):
    x = torch.randn(2, sum(pieces), 12, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    reader = like(layer, absorbed, Causal())
    reader.attend = Remembering(reader.attend, max_len=sum(pieces))
    parts = [reader(part)[0] for part in x.split(pieces, dim=1)]
    torch.testing.assert_close(torch.cat(parts, dim=1), like(layer, False, Causal())(x)[0])


@forms
def test_a_cache_holds_the_latent_only(layer, absorbed):
    reader = like(layer, absorbed, Causal())
    reader.attend = Remembering(reader.attend, max_len=7)
    reader(X)
    assert reader.attend.keys.shape == (2, 1, 7, 5) and reader.attend.values.numel() == 0


@forms
def test_adapters_go_around_its_unpacking(layer, absorbed):
    adapted = like(layer, absorbed)
    add_low_rank(adapted, rank=2, alpha=4, names=("k_proj", "v_proj"))
    torch.testing.assert_close(adapted(X)[0], layer(X)[0])  # an adapter starts at nothing
    adapted(X)[0].sum().backward()
    with torch.no_grad():
        for part in (adapted.k_proj, adapted.v_proj):
            assert part.B.grad.any() and not isinstance(part.weight, torch.nn.Parameter)
            part.B.normal_()
    merged = like(layer, absorbed)
    for name in ("k_proj", "v_proj"):
        setattr(merged, name, getattr(adapted, name).merged())
    torch.testing.assert_close(adapted(X)[0], merged(X)[0])


def test_it_stands_in_a_block_and_gets_gradients():
    layer = Block(LatentAttention(12, 3, 5, inner=Causal()), FeedForward(12, 24), LayerNorm(12))
    layer(X.float()).sum().backward()
    assert all(parameter.grad is not None for parameter in layer.parameters())


def test_bad_sizes_and_memory_are_refused(layer):
    with pytest.raises(ValueError, match="d_latent=0"):
        LatentAttention(12, 3, 0)
    with pytest.raises(ValueError, match="d_head"):
        LatentAttention(12, 3, 5, d_head=0)
    with pytest.raises(ValueError, match="memory"):
        layer(X, memory=X)


@pytest.mark.parametrize("absorbed", [False, True])
def test_its_maps_are_recorded_where_the_fused_kernel_stands_behind_it(absorbed):
    layer = LatentAttention(8, 2, d_latent=4, absorbed=absorbed, inner=fused_attention)
    block = Block(layer, FeedForward(8, 16), LayerNorm(8))
    with record_maps(block) as maps:
        block(torch.ones(1, 5, 8))
    assert [weights.shape for weights in maps] == [(1, 2, 5, 5)] and layer.inner is fused_attention
