"""Multi-head attention against torch.nn.MultiheadAttention, torch's fast attention, and by its properties."""

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from allyouneed.nn.attention import (
    Causal,
    causal_mask,
    fused_attention,
    padding_mask,
    scaled_dot_product_attention,
)
from allyouneed.nn.cache import Remembering
from allyouneed.nn.grouped import Grouped, GroupedQueryAttention, expand_kv
from allyouneed.nn.multihead import MultiHeadAttention, merge_heads, split_heads
from allyouneed.nn.positions import Rotary, RotaryAttention
from allyouneed.nn.qk_norm import QKNorm


def random(*shape, seed=0, dtype=torch.float32):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def shuffled(module, seed=1):
    """Every weight and bias different from every other, so that no mix-up can hide."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(0.4 * torch.randn(parameter.shape, generator=generator))
    return module


def torch_twin(ours):
    theirs = torch.nn.MultiheadAttention(ours.d_model, ours.n_heads, batch_first=True)
    with torch.no_grad():
        projections = (ours.q_proj, ours.k_proj, ours.v_proj)
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in projections]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in projections]))
        theirs.out_proj.load_state_dict(ours.o_proj.state_dict())
    return theirs


attends = pytest.mark.parametrize(
    "attend", [scaled_dot_product_attention, fused_attention], ids=["formula", "fast"]
)


@attends
@pytest.mark.parametrize("cross", [True, False])
@pytest.mark.parametrize("masking", ["none", "padding", "causal"])
def test_equals_torch_multihead_attention(masking, cross, attend):
    ours = shuffled(MultiHeadAttention(d_model=12, n_heads=3, attend=attend))
    x, memory = random(2, 5, 12), random(2, 7, 12, seed=2) if cross else None
    n_keys = 7 if cross else 5
    mask, padded, blocked = None, None, None
    if masking == "padding":
        mask = padding_mask(torch.tensor([3, n_keys]), n_keys)
        padded = ~mask[:, 0, 0]
    if masking == "causal":
        mask = causal_mask(5, n_keys)
        blocked = ~mask
    output, weights = ours(x, memory, mask)
    source = x if memory is None else memory
    expected, expected_weights = torch_twin(ours)(
        x, source, source, key_padding_mask=padded, attn_mask=blocked, average_attn_weights=False
    )
    torch.testing.assert_close(output, expected, atol=1e-5, rtol=1e-4)
    if attend is fused_attention:
        assert weights is None
    else:
        torch.testing.assert_close(weights, expected_weights, atol=1e-6, rtol=1e-4)


@pytest.mark.parametrize("n_kv_heads", [1, 2, 6])
@pytest.mark.parametrize("is_causal", [True, False])
def test_fast_path_equals_formula_in_values_and_gradients(n_kv_heads, is_causal):
    layer = shuffled(GroupedQueryAttention(12, 6, n_kv_heads, d_head=4)).double()
    results = []
    for attend in (Grouped(scaled_dot_product_attention), fused_attention):
        layer.attend = Causal(attend) if is_causal else Grouped(attend)
        layer.zero_grad()
        x = random(2, 5, 12, dtype=torch.float64).requires_grad_()
        output, _ = layer(x, mask=padding_mask(torch.tensor([5, 3]), 5))
        output.square().sum().backward()
        results.append([output, x.grad, *(parameter.grad.clone() for parameter in layer.parameters())])
    for slow, fast in zip(*results):
        torch.testing.assert_close(slow, fast)


@attends
def test_causal_and_padding_mask_are_joined(attend):
    layer = shuffled(MultiHeadAttention(12, 3))
    x, padding = random(2, 5, 12), padding_mask(torch.tensor([5, 2]), 5)
    expected = layer(x, mask=padding & causal_mask(5))[0]
    layer.attend = Causal(attend)
    torch.testing.assert_close(layer(x, mask=padding)[0], expected)
    assert not torch.allclose(expected, layer(x)[0])


def test_grouped_heads_equal_full_heads_with_repeated_weights():
    grouped = shuffled(GroupedQueryAttention(8, n_heads=4, n_kv_heads=2, d_head=3))
    full = MultiHeadAttention(8, n_heads=4, d_head=3)
    full.load_state_dict(
        grouped.state_dict()
        | {
            f"{name}.{kind}": torch.cat(
                [half for half in getattr(getattr(grouped, name), kind).chunk(2) for _ in range(2)]
            )
            for name in ("k_proj", "v_proj")
            for kind in ("weight", "bias")
        }
    )
    x = random(2, 5, 8)
    torch.testing.assert_close(grouped(x)[0], full(x)[0])
    grouped.attend = Grouped(scaled_dot_product_attention)
    torch.testing.assert_close(grouped(x), full(x))


@attends
def test_query_without_keys_gives_bias_and_no_nan(attend):
    layer = shuffled(MultiHeadAttention(12, 3, attend=attend))
    x = random(2, 5, 12).requires_grad_()
    mask = torch.ones(2, 1, 5, 5, dtype=torch.bool)
    mask[0, :, 2] = False
    output, weights = layer(x, mask=mask)
    torch.testing.assert_close(output[0, 2], layer.o_proj.bias)
    if weights is not None:
        assert weights[0, :, 2].eq(0).all()
    output.sum().backward()
    assert x.grad.isfinite().all() and all(
        parameter.grad.isfinite().all() for parameter in layer.parameters()
    )


@attends
@given(n_visible=st.integers(1, 6), seed=st.integers(0, 10_000))
@example(n_visible=1, seed=0)
@example(n_visible=6, seed=0)
def test_masking_never_leaks(attend, n_visible, seed):
    layer = shuffled(MultiHeadAttention(8, 2, attend=attend), seed)
    x, memory = random(1, 3, 8, seed=seed), random(1, 7, 8, seed=seed + 1)
    mask = padding_mask(torch.tensor([n_visible]), 7)
    before, _ = layer(x, memory, mask)
    memory[:, n_visible:] = 1e3 * random(1, 7 - n_visible, 8, seed=seed + 2)
    after, _ = layer(x, memory, mask)
    assert torch.equal(before, after)


@given(st.integers(1, 8), st.integers(0, 10_000))
@example(1, 0)
@example(8, 0)
def test_self_attention_is_permutation_equivariant(n_tokens, seed):
    layer = shuffled(MultiHeadAttention(8, 2), seed).double()
    x = random(1, n_tokens, 8, seed=seed, dtype=torch.float64)
    order = torch.randperm(n_tokens, generator=torch.Generator().manual_seed(seed))
    torch.testing.assert_close(layer(x[:, order])[0], layer(x)[0][:, order])


@attends
@pytest.mark.parametrize("with_rotary", [True, False])
@pytest.mark.parametrize("split", [[5], [1, 1, 1, 1, 1], [2, 3], [3, 1, 1]])
def test_a_cache_never_changes_outputs(split, with_rotary, attend):
    layer, x = shuffled(GroupedQueryAttention(8, 4, n_kv_heads=2, d_head=4)), random(2, 5, 8)
    causal = Causal(attend if attend is fused_attention else Grouped(attend))
    around = (lambda inner: RotaryAttention(Rotary(4), inner)) if with_rotary else (lambda inner: inner)
    layer.attend = around(causal)
    whole, _ = layer(x)
    layer.attend = around(Remembering(causal, max_len=5))
    with torch.no_grad():
        outputs = [layer(part)[0] for part in x.split(split, dim=1)]
    torch.testing.assert_close(torch.cat(outputs, dim=1), whole, atol=1e-5, rtol=1e-4)


def test_own_attention_is_used_and_gets_all_heads():
    calls = []

    def mine(q, k, v, mask=None):
        calls.append((q.shape, k.shape, mask))
        return scaled_dot_product_attention(q, k, v, mask)

    theirs = shuffled(GroupedQueryAttention(12, 6, n_kv_heads=3, d_head=4, attend=Causal()))
    layer = GroupedQueryAttention(12, 6, n_kv_heads=3, d_head=4, attend=Causal(Grouped(mine)))
    layer.load_state_dict(theirs.state_dict())
    x = random(2, 5, 12)
    torch.testing.assert_close(layer(x)[0], theirs(x)[0])
    ((q_shape, k_shape, mask),) = calls
    assert q_shape == k_shape == (2, 6, 5, 4) and torch.equal(mask, causal_mask(5))


def test_rotary_layer_knows_distances_only():
    plain = shuffled(MultiHeadAttention(8, 2))
    turned = MultiHeadAttention(8, 2, attend=RotaryAttention(Rotary(4), scaled_dot_product_attention))
    turned.load_state_dict(plain.state_dict())
    x = random(2, 5, 8)
    usual = turned(x)[0]
    turned.attend.positions = torch.arange(5) + 70
    torch.testing.assert_close(turned(x)[0], usual, atol=1e-5, rtol=1e-4)
    turned.attend.positions = torch.zeros(5, dtype=torch.int64)
    torch.testing.assert_close(turned(x)[0], plain(x)[0])
    assert not torch.allclose(usual, plain(x)[0], atol=1e-3)


def test_qk_norm_makes_scores_blind_to_length():
    layer = shuffled(MultiHeadAttention(8, 2, bias=False, attend=QKNorm(scaled_dot_product_attention)))
    x = random(1, 5, 8)
    torch.testing.assert_close(layer(x)[1], layer(100 * x)[1], atol=1e-4, rtol=1e-4)


def test_split_and_merge_are_inverse_and_keep_columns_together():
    x = torch.arange(2.0 * 5 * 12).reshape(2, 5, 12)
    heads = split_heads(x, 3)
    assert torch.equal(heads[1, 2, 4], x[1, 4, 8:12])
    assert torch.equal(merge_heads(heads), x)


def test_expand_kv_gives_each_group_to_neighbouring_heads():
    kv = random(2, 3, 7, 4)
    expanded = expand_kv(kv, 6)
    assert all(torch.equal(expanded[:, head], kv[:, head // 2]) for head in range(6))


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: MultiHeadAttention(d_model=10, n_heads=3), "not a multiple"),
        (lambda: MultiHeadAttention(d_model=12, n_heads=0), "at least 1"),
        (lambda: GroupedQueryAttention(d_model=12, n_heads=6, n_kv_heads=4), "n_kv_heads=4"),
        (lambda: MultiHeadAttention(d_model=12, n_heads=3, d_head=0), "d_head"),
        (lambda: Rotary(d_head=5), "even"),
    ],
)
def test_sizes_that_cannot_work_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@attends
def test_bad_input_is_named(attend):
    layer, x = MultiHeadAttention(12, 3, attend=attend), random(2, 5, 12)
    with pytest.raises(ValueError, match=r"\(batch, tokens, 12\).*\(2, 5, 11\)"):
        layer(x[..., :11])
    with pytest.raises(ValueError, match="memory"):
        layer(x, x[..., :11])
    with pytest.raises(TypeError, match="boolean"):
        layer(x, mask=torch.zeros(5, 5))
    with pytest.raises(ValueError, match=r"\(2, 3, 5, 5\).*\(2, 1, 1, 4\)"):
        layer(x, mask=torch.ones(2, 1, 1, 4, dtype=torch.bool))
    with pytest.raises(ValueError, match="Leave memory out"):
        MultiHeadAttention(12, 3, attend=RotaryAttention(Rotary(4), attend))(x, x[:, :3])
    with pytest.raises(ValueError, match="n_heads=5"):
        split_heads(x, 5)
    with pytest.raises(ValueError, match="n_query_heads=4"):
        expand_kv(random(2, 3, 7, 4), 4)


def test_grouped_keys_that_do_not_fit_are_named():
    q, k = random(2, 6, 5, 4), random(3, 2, 5, 4)
    with pytest.raises(ValueError, match=r"leading axes.*q \(2, 6, 5, 4\), k \(3, 2, 5, 4\)"):
        fused_attention(q, k, k)
