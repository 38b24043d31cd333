"""Multi-head attention against torch.nn.MultiheadAttention, torch's fast attention, and by its properties."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import example, given
from hypothesis import strategies as st

from allyouneed.nn.attention import causal_mask, padding_mask, scaled_dot_product_attention
from allyouneed.nn.multihead import MultiHeadAttention, expand_kv, merge_heads, split_heads
from allyouneed.nn.positions import Rotary
from allyouneed.own.attention import pluggable


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


class Cache:
    def __init__(self):
        self.k = self.v = None

    def update(self, k, v):
        self.k = k if self.k is None else torch.cat((self.k, k), dim=-2)
        self.v = v if self.v is None else torch.cat((self.v, v), dim=-2)
        return self.k, self.v


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("cross", [True, False])
@pytest.mark.parametrize("masking", ["none", "padding", "causal"])
def test_equals_torch_multihead_attention(masking, cross, need_weights):
    ours = shuffled(MultiHeadAttention(d_model=12, n_heads=3))
    x, memory = random(2, 5, 12), random(2, 7, 12, seed=2) if cross else None
    n_keys = 7 if cross else 5
    mask, padded, blocked = None, None, None
    if masking == "padding":
        mask = padding_mask(torch.tensor([3, n_keys]), n_keys)
        padded = ~mask[:, 0, 0]
    if masking == "causal":
        mask = causal_mask(5, n_keys)
        blocked = ~mask
    output, weights = ours(x, memory, mask, need_weights=need_weights)
    source = x if memory is None else memory
    expected, expected_weights = torch_twin(ours)(
        x, source, source, key_padding_mask=padded, attn_mask=blocked, average_attn_weights=False
    )
    torch.testing.assert_close(output, expected, atol=1e-5, rtol=1e-4)
    if need_weights:
        torch.testing.assert_close(weights, expected_weights, atol=1e-6, rtol=1e-4)
    else:
        assert weights is None


@pytest.mark.parametrize("n_kv_heads", [1, 2, 6])
@pytest.mark.parametrize("is_causal", [True, False])
def test_fast_path_equals_formula_in_values_and_gradients(n_kv_heads, is_causal):
    layer = shuffled(MultiHeadAttention(12, 6, d_head=4, n_kv_heads=n_kv_heads)).double()
    results = []
    for need_weights in (True, False):
        layer.zero_grad()
        x = random(2, 5, 12, dtype=torch.float64).requires_grad_()
        mask = padding_mask(torch.tensor([5, 3]), 5)
        output, _ = layer(x, mask=mask, is_causal=is_causal, need_weights=need_weights)
        output.square().sum().backward()
        results.append([output, x.grad, *(parameter.grad.clone() for parameter in layer.parameters())])
    for slow, fast in zip(*results):
        torch.testing.assert_close(slow, fast)


@pytest.mark.parametrize("need_weights", [True, False])
def test_causal_and_padding_mask_are_joined(need_weights):
    layer = shuffled(MultiHeadAttention(12, 3))
    x, padding = random(2, 5, 12), padding_mask(torch.tensor([5, 2]), 5)
    joined, _ = layer(x, mask=padding, is_causal=True, need_weights=need_weights)
    torch.testing.assert_close(joined, layer(x, mask=padding & causal_mask(5))[0])
    assert not torch.allclose(joined, layer(x, is_causal=True)[0])


def test_grouped_heads_equal_full_heads_with_repeated_weights():
    grouped = shuffled(MultiHeadAttention(8, n_heads=4, d_head=3, n_kv_heads=2))
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
    torch.testing.assert_close(grouped(x, need_weights=False)[0], full(x)[0])


@pytest.mark.parametrize("need_weights", [True, False])
def test_query_without_keys_gives_bias_and_no_nan(need_weights):
    layer = shuffled(MultiHeadAttention(12, 3))
    x = random(2, 5, 12).requires_grad_()
    mask = torch.ones(2, 1, 5, 5, dtype=torch.bool)
    mask[0, :, 2] = False
    output, weights = layer(x, mask=mask, need_weights=need_weights)
    torch.testing.assert_close(output[0, 2], layer.o_proj.bias)
    if need_weights:
        assert weights[0, :, 2].eq(0).all()
    output.sum().backward()
    assert x.grad.isfinite().all() and all(
        parameter.grad.isfinite().all() for parameter in layer.parameters()
    )


@given(st.integers(1, 6), st.integers(0, 10_000), st.booleans())
@example(1, 0, True)
@example(1, 0, False)
@example(6, 0, True)
@example(6, 0, False)
def test_masking_never_leaks(n_visible, seed, need_weights):
    layer = shuffled(MultiHeadAttention(8, 2), seed)
    x, memory = random(1, 3, 8, seed=seed), random(1, 7, 8, seed=seed + 1)
    mask = padding_mask(torch.tensor([n_visible]), 7)
    before, _ = layer(x, memory, mask, need_weights=need_weights)
    memory[:, n_visible:] = 1e3 * random(1, 7 - n_visible, 8, seed=seed + 2)
    after, _ = layer(x, memory, mask, need_weights=need_weights)
    assert torch.equal(before, after)


@given(st.integers(1, 8), st.integers(0, 10_000))
@example(1, 0)
@example(8, 0)
def test_self_attention_is_permutation_equivariant(n_tokens, seed):
    layer = shuffled(MultiHeadAttention(8, 2), seed).double()
    x = random(1, n_tokens, 8, seed=seed, dtype=torch.float64)
    order = torch.randperm(n_tokens, generator=torch.Generator().manual_seed(seed))
    torch.testing.assert_close(layer(x[:, order])[0], layer(x)[0][:, order])


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("with_rotary", [True, False])
@pytest.mark.parametrize("split", [[5], [1, 1, 1, 1, 1], [2, 3], [3, 1, 1]])
def test_cache_never_changes_outputs(split, with_rotary, need_weights):
    layer = shuffled(
        MultiHeadAttention(8, 4, d_head=4, n_kv_heads=2, rotary=Rotary(4) if with_rotary else None)
    )
    x, cache, outputs = random(2, 5, 8), Cache(), []
    whole, _ = layer(x, is_causal=True, need_weights=need_weights)
    for positions in torch.arange(5).split(split):
        output, _ = layer(
            x[:, positions], is_causal=True, need_weights=need_weights, cache=cache, positions=positions
        )
        outputs.append(output)
    torch.testing.assert_close(torch.cat(outputs, dim=1), whole, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("need_weights", [True, False])
def test_own_attention_is_used(need_weights):
    calls = []

    def mine(q, k, v, mask=None):
        calls.append((q.shape, k.shape, mask))
        return scaled_dot_product_attention(q, k, v, mask)

    theirs = shuffled(MultiHeadAttention(12, 6, d_head=4, n_kv_heads=3))
    layer = MultiHeadAttention(12, 6, d_head=4, n_kv_heads=3, attend=mine)
    layer.load_state_dict(theirs.state_dict())
    x = random(2, 5, 12)
    torch.testing.assert_close(
        layer(x, is_causal=True, need_weights=need_weights)[0], theirs(x, is_causal=True)[0]
    )
    ((q_shape, k_shape, mask),) = calls
    assert q_shape == k_shape == (2, 6, 5, 4) and torch.equal(mask, causal_mask(5))


def test_rotary_layer_knows_distances_only():
    layer = shuffled(MultiHeadAttention(8, 2, rotary=Rotary(4)))
    plain = MultiHeadAttention(8, 2)
    plain.load_state_dict(layer.state_dict())
    x = random(2, 5, 8)
    torch.testing.assert_close(layer(x, positions=torch.arange(5) + 70)[0], layer(x)[0], atol=1e-5, rtol=1e-4)
    together = layer(x, positions=torch.zeros(5, dtype=torch.int64))[0]
    torch.testing.assert_close(together, plain(x)[0])
    assert not torch.allclose(layer(x)[0], plain(x)[0], atol=1e-3)


def test_qk_norm_makes_scores_blind_to_length():
    layer = shuffled(MultiHeadAttention(8, 2, bias=False, qk_norm=True))
    x = random(1, 5, 8)
    torch.testing.assert_close(layer(x)[1], layer(100 * x)[1], atol=1e-4, rtol=1e-4)


def test_split_and_merge_are_inverse_and_keep_columns_together():
    x = torch.arange(2 * 5 * 12).reshape(2, 5, 12)
    heads = split_heads(x, 3)
    assert torch.equal(heads[1, 2, 4], x[1, 4, 8:12])
    assert torch.equal(merge_heads(heads), x)


def test_expand_kv_gives_each_group_to_neighbouring_heads():
    kv = random(2, 3, 7, 4)
    expanded = expand_kv(kv, 6)
    assert all(torch.equal(expanded[:, head], kv[:, head // 2]) for head in range(6))


@pytest.mark.parametrize(
    "arguments, words",
    [
        (dict(d_model=10, n_heads=3), "not a multiple"),
        (dict(d_model=12, n_heads=0), "at least 1"),
        (dict(d_model=12, n_heads=6, n_kv_heads=4), "n_kv_heads=4"),
        (dict(d_model=12, n_heads=3, d_head=0), "d_head"),
        (dict(d_model=15, n_heads=3, rotary=lambda x, positions: x), "even"),
    ],
)
def test_sizes_that_cannot_work_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        MultiHeadAttention(**arguments)


@pytest.mark.parametrize("need_weights", [True, False])
def test_bad_input_is_named(need_weights):
    layer = MultiHeadAttention(12, 3)
    x = random(2, 5, 12)
    with pytest.raises(ValueError, match=r"\(batch, tokens, 12\).*\(2, 5, 11\)"):
        layer(x[..., :11], need_weights=need_weights)
    with pytest.raises(ValueError, match="memory"):
        layer(x, x[..., :11], need_weights=need_weights)
    with pytest.raises(TypeError, match="boolean"):
        layer(x, mask=torch.zeros(5, 5), need_weights=need_weights)
    with pytest.raises(ValueError, match=r"\(2, 3, 5, 5\).*\(2, 1, 1, 4\)"):
        layer(x, mask=torch.ones(2, 1, 1, 4, dtype=torch.bool), need_weights=need_weights)
    with pytest.raises(ValueError, match="positions"):
        MultiHeadAttention(12, 3, rotary=Rotary(4))(x, cache=Cache())
    with pytest.raises(ValueError, match="n_heads=5"):
        split_heads(x, 5)
    with pytest.raises(ValueError, match="n_query_heads=4"):
        expand_kv(random(2, 3, 7, 4), 4)


def test_fast_path_is_torchs_own(monkeypatch):
    seen = []
    real = F.scaled_dot_product_attention
    monkeypatch.setattr(F, "scaled_dot_product_attention", lambda *a, **k: seen.append(k) or real(*a, **k))
    MultiHeadAttention(12, 3)(random(2, 5, 12), is_causal=True, need_weights=False)
    # no mask is built: torch's causal kernel is the fast one
    assert seen[0]["is_causal"] and seen[0]["attn_mask"] is None


def test_an_own_class_stands_where_the_librarys_stands():
    class Mine(MultiHeadAttention):
        def forward(self, x, memory=None, mask=None):
            return super().forward(x, memory, mask)

    theirs, mine = shuffled(MultiHeadAttention(12, 3)), pluggable(Mine)(12, 3)
    mine.load_state_dict(theirs.state_dict())
    x, memory, mask = random(2, 5, 12), random(2, 7, 12, seed=2), padding_mask(torch.tensor([4, 7]), 7)
    torch.testing.assert_close(mine(x, memory, mask, need_weights=False), theirs(x, memory, mask))
    torch.testing.assert_close(mine(x, memory, mask, is_causal=True), theirs(x, memory, mask, is_causal=True))
    torch.testing.assert_close(mine(x, is_causal=True), theirs(x, is_causal=True))
    with pytest.raises(ValueError, match="Mine knows no cache"):
        mine(x, positions=torch.arange(5))
