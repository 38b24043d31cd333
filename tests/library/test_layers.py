"""Layers against torch.nn's with the same weights, and by properties."""

import pytest
import torch
import torch.nn.functional as F

from allyouneed.nn.attention import Causal, causal_mask, fused_attention, padding_mask
from allyouneed.nn.layers import (
    Block,
    DecoderBlock,
    FeedForward,
    LayerNorm,
    PostNormBlock,
    PostNormDecoderBlock,
    RMSNorm,
    SwiGLU,
)
from allyouneed.nn.maps import record_maps
from allyouneed.nn.multihead import MultiHeadAttention

BLOCKS = {True: (Block, DecoderBlock), False: (PostNormBlock, PostNormDecoderBlock)}


def encoder_block(
    norm_first, d_model=8, n_heads=2, d_ff=16, attend=fused_attention, activation=F.relu, **options
):
    attention = MultiHeadAttention(d_model, n_heads, attend=attend)
    feed_forward = FeedForward(d_model, d_ff, activation)
    return BLOCKS[norm_first][0](attention, feed_forward, LayerNorm(d_model), **options)


def decoder_block(norm_first, d_model=8, n_heads=2, d_ff=16, **options):
    attention = MultiHeadAttention(d_model, n_heads, attend=fused_attention)
    cross_attention = MultiHeadAttention(d_model, n_heads, attend=fused_attention)
    parts = attention, cross_attention, FeedForward(d_model, d_ff), LayerNorm(d_model)
    return BLOCKS[norm_first][1](*parts, **options)


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def shuffled(module, seed=1):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    return module


def attention_from(theirs):
    """The state of our attention from torch's fused projection."""
    state = {f"o_proj.{kind}": value for kind, value in theirs.out_proj.state_dict().items()}
    for index, name in enumerate(("q_proj", "k_proj", "v_proj")):
        state[f"{name}.weight"] = theirs.in_proj_weight.chunk(3)[index]
        state[f"{name}.bias"] = theirs.in_proj_bias.chunk(3)[index]
    return state


def copy_common(ours, theirs, norms):
    ours.attention.load_state_dict(attention_from(theirs.self_attn))
    ours.feed_forward.up_proj.load_state_dict(theirs.linear1.state_dict())
    ours.feed_forward.down_proj.load_state_dict(theirs.linear2.state_dict())
    for mine, index in norms.items():
        getattr(ours, mine).load_state_dict(getattr(theirs, f"norm{index}").state_dict())


@pytest.mark.parametrize("norm", [LayerNorm, RMSNorm])
@pytest.mark.parametrize("fused", [True, False])
def test_norms_equal_torch_in_values_and_gradients(norm, fused):
    theirs = shuffled((torch.nn.LayerNorm if norm is LayerNorm else torch.nn.RMSNorm)(6, eps=1e-3))
    ours = norm(6, eps=1e-3, fused=fused)
    ours.load_state_dict(theirs.state_dict())
    results = []
    for layer in (ours, theirs):
        x = (3 + 2 * random(2, 5, 6)).requires_grad_()
        layer(x).pow(3).sum().backward()
        results.append((layer(x), x.grad, layer.weight.grad))
    for mine, expected in zip(*results):
        torch.testing.assert_close(mine, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("fused", [True, False])
def test_norms_stay_finite_on_a_constant_token(fused):
    for norm in (LayerNorm(4, fused=fused), RMSNorm(4, fused=fused)):
        x = torch.zeros(1, 4, requires_grad=True)
        norm(x).sum().backward()
        assert x.grad.isfinite().all()


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("masking", ["none", "padding", "causal"])
def test_block_equals_torch(norm_first, activation, masking):
    theirs = shuffled(
        torch.nn.TransformerEncoderLayer(12, 3, 20, 0.0, activation, batch_first=True, norm_first=norm_first)
    ).train()
    ours = encoder_block(norm_first, 12, 3, 20, activation=getattr(F, activation))
    copy_common(ours, theirs, {"attention_norm": 1, "feed_forward_norm": 2})
    x, lengths = random(2, 5, 12), torch.tensor([5, 3])
    mask = {"none": None, "padding": padding_mask(lengths, 5), "causal": causal_mask(5)}[masking]
    expected = theirs(
        x,
        src_mask=~causal_mask(5) if masking == "causal" else None,
        src_key_padding_mask=~mask[:, 0, 0] if masking == "padding" else None,
    )
    torch.testing.assert_close(ours(x, mask), expected, atol=2e-5, rtol=1e-4)
    with record_maps(ours) as maps:
        torch.testing.assert_close(ours(x, mask), expected, atol=2e-5, rtol=1e-4)
    assert maps[0].shape == (2, 3, 5, 5)
    if masking == "causal":
        ours.attention.attend = Causal()
        torch.testing.assert_close(ours(x), expected, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("norm_first", [True, False])
def test_decoder_block_equals_torch(norm_first):
    theirs = shuffled(
        torch.nn.TransformerDecoderLayer(12, 3, 20, 0.0, batch_first=True, norm_first=norm_first)
    )
    ours = decoder_block(norm_first, 12, 3, 20)
    copy_common(ours, theirs, {"attention_norm": 1, "cross_attention_norm": 2, "feed_forward_norm": 3})
    ours.cross_attention.load_state_dict(attention_from(theirs.multihead_attn))
    x, memory = random(2, 5, 12), random(2, 7, 12, seed=2)
    memory_mask = padding_mask(torch.tensor([4, 7]), 7)
    expected = theirs(x, memory, tgt_mask=~causal_mask(5), memory_key_padding_mask=~memory_mask[:, 0, 0])
    torch.testing.assert_close(ours(x, memory, causal_mask(5), memory_mask), expected, atol=2e-5, rtol=1e-4)
    ours.attention.attend = Causal()
    with record_maps(ours) as own, record_maps(ours, "cross_attention") as cross:
        output = ours(x, memory, None, memory_mask)
    torch.testing.assert_close(output, expected, atol=2e-5, rtol=1e-4)
    torch.testing.assert_close(ours(x, memory, None, memory_mask), expected, atol=2e-5, rtol=1e-4)
    assert own[0].shape == (2, 3, 5, 5) and own[0].triu(1).eq(0).all()
    assert cross[0].shape == (2, 3, 5, 7) and cross[0][0, ..., 4:].eq(0).all()
    assert len(own) == len(cross) == 1  # after the block nothing is recorded


def test_decoder_block_applies_no_mask_of_its_own():
    layer = shuffled(decoder_block(norm_first=False))
    x, memory = random(1, 4, 8), random(1, 3, 8, seed=1)
    changed = x.clone()
    changed[:, 3] += 1
    assert not torch.allclose(layer(x, memory)[:, 0], layer(changed, memory)[:, 0])
    layer.attention.attend = Causal()
    assert torch.equal(layer(x, memory)[:, :3], layer(changed, memory)[:, :3])


def test_feed_forward_acts_on_each_position_alone():
    for layer in (shuffled(FeedForward(6, 10, F.gelu)), shuffled(SwiGLU(6, 10))):
        x = random(2, 5, 6)
        torch.testing.assert_close(layer(x)[1, 3], layer(x[1, 3]))


def test_swiglu_equals_its_formula_by_torch_parts():
    layer = SwiGLU(6, 10)
    x = random(2, 5, 6)
    gate, up, down = layer.gate_proj.weight, layer.up_proj.weight, layer.down_proj.weight
    glu = F.glu(torch.cat((x @ up.T, x @ gate.T), dim=-1))  # up * sigmoid(gate)
    torch.testing.assert_close(layer(x), (glu * (x @ gate.T)) @ down.T)  # silu(z) = z * sigmoid(z)


def test_any_parts_make_a_block_and_each_norm_is_its_own():
    block = Block(MultiHeadAttention(8, 4, bias=False), SwiGLU(8, 20), RMSNorm(8, eps=1e-6))
    assert block(random(2, 5, 8)).shape == (2, 5, 8)
    assert not any(name.endswith("bias") for name, _ in block.named_parameters())
    assert block.attention_norm.eps == block.feed_forward_norm.eps == 1e-6
    assert block.attention_norm.weight is not block.feed_forward_norm.weight


def test_dropout_acts_in_training_only():
    layer = encoder_block(norm_first=False, dropout=0.5)
    x = random(2, 5, 8)
    torch.manual_seed(0)
    assert not torch.equal(layer(x), layer(x))
    layer.eval()
    assert torch.equal(layer(x), layer(x))


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("make", [encoder_block, decoder_block])
def test_with_every_branch_dropped_only_the_residual_stream_is_left(make, norm_first):
    layer, x = shuffled(make(norm_first, dropout=0.1)), random(2, 5, 8)
    for part in layer.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 1.0
    output = layer(x) if make is encoder_block else layer(x, random(2, 3, 8, seed=1))
    norms = [] if norm_first else [part for part in layer.children() if isinstance(part, LayerNorm)]
    assert norm_first or len(norms) == (2 if make is encoder_block else 3)
    for norm in norms:
        x = norm(x)
    torch.testing.assert_close(output, x)


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("make", [encoder_block, decoder_block])
def test_gradients_reach_every_weight_and_the_input_stays(make, norm_first):
    layer = shuffled(make(norm_first))
    x, memory = random(2, 5, 8), random(2, 5, 8, seed=1)
    before = x.clone()
    (layer(x) if make is encoder_block else layer(x, memory)).square().sum().backward()
    assert torch.equal(x, before)
    unmoved = [
        name
        for name, parameter in layer.named_parameters()
        if parameter.grad is None or not parameter.grad.abs().sum() > 0
    ]
    assert not unmoved


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: LayerNorm(0), "d_model"),
        (lambda: RMSNorm(0), "d_model"),
        (lambda: FeedForward(8, 0), "d_ff"),
        (lambda: SwiGLU(0, 8), "d_model"),
        (lambda: encoder_block(True, 10, 3), "not a multiple"),
        (lambda: decoder_block(True)(torch.zeros(2, 5, 8), torch.zeros(2, 5, 7)), "memory"),
    ],
)
def test_what_cannot_work_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
