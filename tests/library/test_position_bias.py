"""Biases by distance against loops, and inside multi-head attention."""

import math

import pytest
import torch

from allyouneed.nn.attention import Causal, causal_mask
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.position_bias import ALiBi, BiasedAttention, RelativeBias, alibi_bias, relative_buckets


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("n_heads, n_queries, n_keys", [(8, 5, 5), (3, 2, 7), (1, 1, 1), (12, 4, 6)])
def test_alibi_equals_loop(n_heads, n_queries, n_keys):
    bias = alibi_bias(n_heads, n_queries, n_keys)
    assert bias.shape == (n_heads, n_queries, n_keys)
    for h in range(n_heads):
        for t in range(n_queries):
            for s in range(n_keys):
                distance = abs(t + n_keys - n_queries - s)
                assert bias[h, t, s].item() == pytest.approx(-distance * 2 ** (-8 * (h + 1) / n_heads))
    torch.testing.assert_close(ALiBi(n_heads)(n_queries, n_keys), bias)


def bucket_of(offset, n_buckets, max_distance, bidirectional):
    """T5's rule for one distance, in plain Python."""
    first = 0
    if bidirectional:
        n_buckets //= 2
        first = n_buckets if offset > 0 else 0
        distance = abs(offset)
    else:
        distance = max(-offset, 0)
    exact = n_buckets // 2
    if distance < exact:
        return first + distance
    grown = exact + int(math.log(distance / exact) / math.log(max_distance / exact) * (n_buckets - exact))
    return first + min(grown, n_buckets - 1)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("n_buckets, max_distance", [(32, 128), (8, 20), (4, 5)])
def test_buckets_equal_loop(n_buckets, max_distance, bidirectional):
    buckets = relative_buckets(150, 160, n_buckets, max_distance, bidirectional)
    expected = [
        [bucket_of(s - t - 10, n_buckets, max_distance, bidirectional) for s in range(160)]
        for t in range(150)
    ]
    assert buckets.tolist() == expected
    assert 0 <= buckets.min() and buckets.max() < n_buckets


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("n_buckets, max_distance", [(32, 128), (8, 20), (64, 300)])
def test_buckets_are_those_of_transformers_t5(n_buckets, max_distance, bidirectional):
    from transformers.models.t5.modeling_t5 import T5Attention

    offsets = torch.arange(160) - torch.arange(10, 160)[:, None]
    expected = T5Attention._relative_position_bucket(offsets, bidirectional, n_buckets, max_distance)
    assert torch.equal(relative_buckets(150, 160, n_buckets, max_distance, bidirectional), expected)


@pytest.mark.parametrize("n_heads", [1, 2, 8, 16])
def test_alibi_is_transformers_bloom_up_to_a_number_a_row(n_heads):
    """Bloom adds slope · key without the query's own place: equal over a row's keys, so softmax drops it."""
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    theirs = build_alibi_tensor(torch.ones(1, 7, dtype=torch.int64), n_heads, torch.float32).view(
        n_heads, 1, 7
    )
    expected = (theirs - theirs.mT).tril()  # the keys that a causal mask lets through
    torch.testing.assert_close(alibi_bias(n_heads, 7, 7).tril(), expected)


def test_relative_bias_looks_up_its_weights():
    bias = RelativeBias(n_heads=3, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(bias(5, 7)[1, 2, 6], bias.weight[relative_buckets(5, 7)[2, 6], 1])
    bias(5, 7).sum().backward()
    assert bias.weight.grad.sum() == pytest.approx(3 * 5 * 7)


def test_biased_attention_equals_torch_with_an_additive_mask():
    q, k, v = random(2, 3, 5, 6), random(2, 3, 7, 6, seed=1), random(2, 3, 7, 4, seed=2)
    mask = causal_mask(5, 7)
    output, weights = BiasedAttention(ALiBi(3))(q, k, v, mask)
    additive = alibi_bias(3, 5, 7).masked_fill(~mask, -math.inf)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, additive.expand(2, -1, -1, -1))
    torch.testing.assert_close(output, expected)
    torch.testing.assert_close(weights @ v, output)
    assert weights[..., ~mask].eq(0).all()


def test_bias_plugs_into_multi_head_attention_and_trains():
    bias = RelativeBias(n_heads=2, bidirectional=False)
    layer = MultiHeadAttention(8, 2, attend=Causal(BiasedAttention(bias)))
    assert any(parameter is bias.weight for parameter in layer.parameters())
    x = random(2, 5, 8)
    whole, weights = layer(x)
    whole.sum().backward()
    assert bias.weight.grad.abs().sum() > 0
    assert weights.triu(1).eq(0).all()


def test_empty_row_gives_zero_and_finite_gradients():
    q = random(1, 2, 3, 4).requires_grad_()
    mask = torch.ones(3, 3, dtype=torch.bool)
    mask[1] = False
    output, weights = BiasedAttention(ALiBi(2))(q, q, q, mask)
    assert output[:, :, 1].eq(0).all() and weights[:, :, 1].eq(0).all()
    output.sum().backward()
    assert q.grad.isfinite().all()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: alibi_bias(2, 5, 4), "n_queries <= n_keys"),
        (lambda: alibi_bias(0, 4, 4), "n_heads"),
        (lambda: RelativeBias(2, n_buckets=2), "n_buckets=2"),
        (lambda: RelativeBias(2, n_buckets=7), "n_buckets=7"),
        (lambda: RelativeBias(2, max_distance=8), "max_distance"),
    ],
)
def test_what_cannot_work_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
