"""Layers against torch.nn's with the same weights, and by properties."""

from functools import partial

import pytest
import torch
import torch.nn.functional as F

from allyouneed.nn.attention import causal_mask, padding_mask, scaled_dot_product_attention
from allyouneed.nn.layers import DecoderLayer, EncoderLayer, FeedForward, LayerNorm, RMSNorm, SwiGLU
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import Rotary


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
def test_encoder_layer_equals_torch(norm_first, activation, masking):
    theirs = shuffled(
        torch.nn.TransformerEncoderLayer(12, 3, 20, 0.0, activation, batch_first=True, norm_first=norm_first)
    ).train()
    ours = EncoderLayer(12, 3, 20, norm_first, activation=getattr(F, activation))
    copy_common(ours, theirs, {"attention_norm": 1, "feed_forward_norm": 2})
    x, lengths = random(2, 5, 12), torch.tensor([5, 3])
    mask = {"none": None, "padding": padding_mask(lengths, 5), "causal": causal_mask(5)}[masking]
    expected = theirs(
        x,
        src_mask=~causal_mask(5) if masking == "causal" else None,
        src_key_padding_mask=~mask[:, 0, 0] if masking == "padding" else None,
    )
    torch.testing.assert_close(ours(x, mask), expected, atol=2e-5, rtol=1e-4)
    output, weights = ours(x, mask, need_weights=True)
    torch.testing.assert_close(output, expected, atol=2e-5, rtol=1e-4)
    assert weights.shape == (2, 3, 5, 5)
    if masking == "causal":
        torch.testing.assert_close(ours(x, is_causal=True), expected, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("norm_first", [True, False])
def test_decoder_layer_equals_torch(norm_first):
    theirs = shuffled(
        torch.nn.TransformerDecoderLayer(12, 3, 20, 0.0, batch_first=True, norm_first=norm_first)
    )
    ours = DecoderLayer(12, 3, 20, norm_first)
    copy_common(ours, theirs, {"attention_norm": 1, "cross_attention_norm": 2, "feed_forward_norm": 3})
    ours.cross_attention.load_state_dict(attention_from(theirs.multihead_attn))
    x, memory = random(2, 5, 12), random(2, 7, 12, seed=2)
    memory_mask = padding_mask(torch.tensor([4, 7]), 7)
    expected = theirs(x, memory, tgt_mask=~causal_mask(5), memory_key_padding_mask=~memory_mask[:, 0, 0])
    torch.testing.assert_close(ours(x, memory, causal_mask(5), memory_mask), expected, atol=2e-5, rtol=1e-4)
    torch.testing.assert_close(
        ours(x, memory, None, memory_mask, is_causal=True), expected, atol=2e-5, rtol=1e-4
    )
    output, weights, memory_weights = ours(x, memory, causal_mask(5), memory_mask, need_weights=True)
    torch.testing.assert_close(output, expected, atol=2e-5, rtol=1e-4)
    assert weights.shape == (2, 3, 5, 5) and weights.triu(1).eq(0).all()
    assert memory_weights.shape == (2, 3, 5, 7) and memory_weights[0, ..., 4:].eq(0).all()


def test_decoder_layer_applies_no_mask_of_its_own():
    layer = shuffled(DecoderLayer(8, 2, 16))
    x, memory = random(1, 4, 8), random(1, 3, 8, seed=1)
    changed = x.clone()
    changed[:, 3] += 1
    assert not torch.allclose(layer(x, memory)[:, 0], layer(changed, memory)[:, 0])
    assert torch.equal(layer(x, memory, is_causal=True)[:, :3], layer(changed, memory, is_causal=True)[:, :3])


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


def test_own_attention_and_own_parts_are_used():
    calls = []

    def mine(q, k, v, mask=None):
        calls.append(q.shape)
        return scaled_dot_product_attention(q, k, v, mask)

    plain = EncoderLayer(8, 2, 16)
    layer = EncoderLayer(8, 2, 16, attend=mine)
    layer.load_state_dict(plain.state_dict())
    x = random(2, 5, 8)
    torch.testing.assert_close(layer(x), plain(x))
    DecoderLayer(8, 2, 16, attend=mine)(x, x)
    assert len(calls) == 3
    llama = EncoderLayer(
        8,
        2,
        0,
        norm_first=True,
        norm=partial(RMSNorm, eps=1e-6),
        feed_forward=SwiGLU(8, 20),
        attention=MultiHeadAttention(8, 4, 4, n_kv_heads=2, bias=False, rotary=Rotary(4)),
    )
    assert llama(x, is_causal=True).shape == x.shape
    assert not any(name.endswith("bias") for name, _ in llama.named_parameters())
    assert llama.attention_norm.eps == 1e-6


def test_dropout_acts_in_training_only():
    layer = EncoderLayer(8, 2, 16, dropout=0.5)
    x = random(2, 5, 8)
    torch.manual_seed(0)
    assert not torch.equal(layer(x), layer(x))
    layer.eval()
    assert torch.equal(layer(x), layer(x))


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("layer_class", [EncoderLayer, DecoderLayer])
def test_with_every_branch_dropped_only_the_residual_stream_is_left(layer_class, norm_first):
    layer, x = shuffled(layer_class(8, 2, 16, norm_first, dropout=0.1)), random(2, 5, 8)
    for part in layer.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 1.0
    output = layer(x) if layer_class is EncoderLayer else layer(x, random(2, 3, 8, seed=1))
    norms = [] if norm_first else [part for part in layer.children() if isinstance(part, LayerNorm)]
    assert norm_first or len(norms) == (2 if layer_class is EncoderLayer else 3)
    for norm in norms:
        x = norm(x)
    torch.testing.assert_close(output, x)


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("layer_class", [EncoderLayer, DecoderLayer])
def test_gradients_reach_every_weight_and_the_input_stays(layer_class, norm_first):
    layer = shuffled(layer_class(8, 2, 16, norm_first))
    x, memory = random(2, 5, 8), random(2, 5, 8, seed=1)
    before = x.clone()
    (layer(x) if layer_class is EncoderLayer else layer(x, memory)).square().sum().backward()
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
        (lambda: EncoderLayer(10, 3, 16), "not a multiple"),
        (lambda: EncoderLayer(8, 2, 16, attend=max, attention=MultiHeadAttention(8, 2)), "not both"),
        (lambda: DecoderLayer(8, 2, 16)(torch.zeros(2, 5, 8), torch.zeros(2, 5, 7)), "memory"),
    ],
)
def test_what_cannot_work_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
