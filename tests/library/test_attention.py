"""Our attention against torch's two, and against what attention must do whatever the numbers are."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import example, given
from hypothesis import strategies as st

from allyouneed.nn import attention as module
from allyouneed.nn.attention import (
    Causal,
    causal_mask,
    fused_attention,
    padding_mask,
    real_keys,
    scaled_dot_product_attention,
    softmax,
)

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}
dtypes = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
paths = pytest.mark.parametrize(
    "attend", [scaled_dot_product_attention, fused_attention], ids=["formula", "fast"]
)
seeds = st.integers(0, 2**31)
sizes = st.integers(1, 9)


def draw(*shapes, dtype=torch.float32, seed=0, grad=False):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(*shape, generator=generator, dtype=dtype).requires_grad_(grad) for shape in shapes]


def random_mask(*shape, seed=0, share=0.5):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed)) < share


def close(a, b, dtype=torch.float32):
    torch.testing.assert_close(a, b, atol=TOLERANCE[dtype], rtol=TOLERANCE[dtype])


# softmax


@dtypes
@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2])
def test_softmax_equals_torch_on_every_axis(dtype, dim):
    (x,) = draw((2, 3, 5), dtype=dtype)
    close(softmax(x, dim), torch.softmax(x, dim), dtype)
    assert softmax(x, dim).dtype == dtype


@dtypes
def test_softmax_does_not_overflow_or_underflow(dtype):
    x = torch.tensor([[1e4, 1e4 - 1, -1e4], [-1e4, -1e4, -1e4 - 2]], dtype=dtype)
    close(softmax(x, -1), torch.softmax(x, -1), dtype)


def test_softmax_of_only_minus_infinity_is_zero_with_zero_gradient():
    x = torch.tensor([[-math.inf, -math.inf], [-math.inf, 1.0]], requires_grad=True)
    weights = softmax(x, -1)
    weights.square().sum().backward()
    assert weights.tolist() == [[0, 0], [0, 1]]
    assert x.grad.tolist() == [[0, 0], [0, 0]]


def test_softmax_gradient_is_right():
    (x,) = draw((3, 4), dtype=torch.float64, grad=True)
    assert torch.autograd.gradcheck(lambda x: softmax(x, 0), (x,))


@given(seed=seeds, shift=st.floats(-50, 50))
@example(seed=0, shift=50.0)
@example(seed=0, shift=-50.0)
def test_softmax_ignores_a_common_shift(seed, shift):
    (x,) = draw((4, 5), dtype=torch.float64, seed=seed)
    close(softmax(x + shift, -1), softmax(x, -1), torch.float64)


def test_softmax_leaves_its_input_alone_and_refuses_integers():
    (x,) = draw((3, 4))
    before = x.clone()
    softmax(x, -1)
    assert torch.equal(x, before)
    with pytest.raises(TypeError, match=r"torch.int64.*x.float\(\)"):
        softmax(torch.arange(3), 0)


# masks


def test_causal_mask_has_the_diagonal_and_the_past():
    assert causal_mask(3).int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert causal_mask(3).dtype == torch.bool


def test_causal_mask_aligns_queries_with_the_last_keys():
    assert torch.equal(causal_mask(2, 5), causal_mask(5)[-2:])
    with pytest.raises(ValueError, match="n_queries, n_keys"):
        causal_mask(5, 2)


def test_padding_mask_shows_the_real_tokens_as_keys():
    mask = padding_mask(torch.tensor([3, 0, 1]), max_len=3)
    assert mask.shape == (3, 1, 1, 3) and mask.dtype == torch.bool
    assert mask[:, 0, 0].int().tolist() == [[1, 1, 1], [0, 0, 0], [1, 0, 0]]
    assert torch.equal(mask, padding_mask([3, 0, 1], 3))


@pytest.mark.parametrize(
    "lengths, error, message",
    [
        ([1.0], TypeError, "integer lengths"),
        ([[1]], ValueError, r"shape \(B,\)"),
        ([4], ValueError, "max_len=3"),
        ([-1], ValueError, "between 0"),
    ],
)
def test_padding_mask_says_what_is_wrong(lengths, error, message):
    with pytest.raises(error, match=message):
        padding_mask(lengths, 3)


# attention against torch

SHAPES = [
    ((2, 3, 5, 6), (2, 3, 7, 6), (2, 3, 7, 4)),
    ((5, 6), (7, 6), (7, 4)),
    ((1, 2, 130, 8), (1, 2, 130, 8), (1, 2, 130, 8)),
    ((4, 2, 6), (3, 6), (3, 5)),
]


@dtypes
@paths
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("shapes", SHAPES)
def test_equals_torch_function_in_value_and_gradient(dtype, attend, masked, shapes):
    q, k, v = draw(*shapes, dtype=dtype, grad=True)
    mask = random_mask(q.shape[-2], k.shape[-2]) if masked else None
    (direction,) = draw((q @ k.mT @ v).shape, dtype=dtype, seed=1)
    ours, _ = attend(q, k, v, mask)
    theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    close(ours, theirs, dtype)
    assert ours.dtype == dtype
    for a, b in zip(*(torch.autograd.grad((o * direction).sum(), (q, k, v)) for o in (ours, theirs))):
        torch.testing.assert_close(
            a, b, atol=10 * TOLERANCE[dtype], rtol=1e-4 if dtype == torch.float32 else 1e-10
        )


@pytest.mark.parametrize("masked", [False, True])
def test_equals_torch_multi_head_attention_which_inverts_the_mask(masked):
    layer = torch.nn.MultiheadAttention(12, 1, bias=False, batch_first=True, dtype=torch.float64)
    (x,) = draw((2, 5, 12), dtype=torch.float64)
    mask = random_mask(5, 5) | torch.eye(5, dtype=torch.bool) if masked else None
    theirs, their_weights = layer(x, x, x, attn_mask=None if mask is None else ~mask)
    q, k, v = (x @ w.T for w in layer.in_proj_weight.chunk(3))
    ours, weights = scaled_dot_product_attention(q, k, v, mask)
    close(weights, their_weights, torch.float64)
    close(ours @ layer.out_proj.weight.T, theirs, torch.float64)


@dtypes
@pytest.mark.parametrize("n_queries, n_keys", [(6, 6), (2, 6), (1, 6)])
@pytest.mark.parametrize("masked", [False, True])
def test_both_paths_agree_when_causal(dtype, n_queries, n_keys, masked):
    q, k, v = draw((2, 3, n_queries, 4), (2, 3, n_keys, 4), (2, 3, n_keys, 5), dtype=dtype)
    mask = padding_mask([4, 0], n_keys) if masked else None
    slow, weights = Causal(scaled_dot_product_attention)(q, k, v, mask)
    fast, none = Causal(fused_attention)(q, k, v, mask)
    close(slow, fast, dtype)
    assert none is None
    assert not weights[..., ~causal_mask(n_queries, n_keys)].any()


def test_the_fast_causal_path_builds_no_mask(monkeypatch):
    (q,), seen, real = draw((2, 3, 5, 4)), [], F.scaled_dot_product_attention
    spy = lambda *a, **k: seen.append((a[3], k["is_causal"])) or real(*a, **k)  # noqa: E731
    monkeypatch.setattr(F, "scaled_dot_product_attention", spy)
    Causal()(q, q, q)
    Causal()(q[:, :, :1], q, q)  # one query, the last, sees every key
    assert seen == [(None, True), (None, False)]


def test_real_keys_are_what_padding_mask_says_of_lengths():
    real = torch.arange(5) < torch.tensor([3, 5])[:, None]
    assert torch.equal(real_keys(real), padding_mask(torch.tensor([3, 5]), 5)) and real_keys(None) is None


# what must hold whatever the numbers are


@given(seed=seeds, n_queries=sizes, n_keys=sizes, share=st.floats(0, 1))
@example(seed=0, n_queries=1, n_keys=1, share=0.0)
@example(seed=0, n_queries=9, n_keys=9, share=1.0)
def test_weights_are_shares_of_what_may_be_seen(seed, n_queries, n_keys, share):
    q, k, v = draw((n_queries, 4), (n_keys, 4), (n_keys, 3), seed=seed)
    mask = random_mask(n_queries, n_keys, seed=seed, share=share)
    _, weights = scaled_dot_product_attention(q, k, v, mask)
    assert (weights >= 0).all() and not weights[~mask].any()
    close(weights.sum(-1), mask.any(-1).float())


@paths
@given(seed=seeds, n_queries=sizes, n_keys=sizes)
@example(seed=0, n_queries=1, n_keys=1)  # the only key is seen
@example(seed=1, n_queries=9, n_keys=1)  # and here it is not
def test_masking_never_leaks(attend, seed, n_queries, n_keys):
    q, k, v, other_k, other_v = draw((n_queries, 4), *[(n_keys, 4), (n_keys, 3)] * 2, seed=seed)
    seen = random_mask(n_keys, seed=seed)
    before, _ = attend(q, k, v, seen[None])
    k, v = torch.where(seen[:, None], k, 100 * other_k), torch.where(seen[:, None], v, 100 * other_v)
    after, _ = attend(q, k, v, seen[None])
    close(after, before)


@paths
@given(seed=seeds, n=st.integers(2, 9))
@example(seed=0, n=2)
@example(seed=0, n=9)
def test_permutation_equivariance(attend, seed, n):
    (x,) = draw((n, 4), dtype=torch.float64, seed=seed)
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    shuffled = x[order]
    close(attend(shuffled, shuffled, shuffled)[0], attend(x, x, x)[0][order], torch.float64)


@dtypes
@paths
@pytest.mark.parametrize("shape", [(5, 8), (2, 5, 8), (2, 3, 5, 8)])
def test_a_query_with_nothing_to_see_gets_zero_and_finite_gradients(dtype, attend, shape):
    q, k, v = draw(shape, shape, shape, dtype=dtype, grad=True)
    mask = random_mask(5, 5)
    mask[1] = False
    mask[0] = True
    output, weights = attend(q, k, v, mask)
    assert not output[..., 1, :].any() and output[..., 0, :].all()
    if weights is not None:
        assert not weights[..., 1, :].any()
    for gradient in torch.autograd.grad(output.square().sum(), (q, k, v)):
        assert gradient.isfinite().all()
    assert not torch.autograd.grad(attend(q, k, v, mask)[0][..., 1, :].sum(), q)[0].any()


@paths
def test_everything_masked_is_zero(attend):
    q, k, v = draw((3, 4), (5, 4), (5, 2))
    output, _ = attend(q, k, v, torch.zeros(3, 5, dtype=torch.bool))
    assert not output.any()


def test_large_scores_give_no_nan():
    q, k, v = (1e4 * x for x in draw((3, 4), (5, 4), (5, 2)))
    output, weights = scaled_dot_product_attention(q, k, v)
    assert output.isfinite().all() and weights.isfinite().all()


def test_inputs_are_not_changed():
    inputs = draw((3, 4), (5, 4), (5, 2))
    mask = random_mask(3, 5)
    before = [x.clone() for x in (*inputs, mask)]
    scaled_dot_product_attention(*inputs, mask)
    assert all(torch.equal(a, b) for a, b in zip((*inputs, mask), before))


@pytest.mark.parametrize(
    "shapes, mask, error, message",
    [
        (((4,), (3, 4), (3, 4)), None, ValueError, "at least two axes"),
        (((2, 4), (3, 5), (3, 4)), None, ValueError, "same width"),
        (((2, 4), (3, 4), (5, 4)), None, ValueError, "one value"),
        (((2, 2, 4), (3, 3, 4), (3, 3, 4)), None, ValueError, "leading axes"),
        (((2, 4), (3, 4), (3, 4)), torch.ones(2, 3), TypeError, "boolean, True = may attend"),
        (((2, 4), (3, 4), (3, 4)), torch.ones(3, 2) > 0, ValueError, r"broadcast to the scores \(2, 3\)"),
        (((2, 5, 4), (2, 3, 4), (2, 3, 4)), padding_mask([1, 3], 3), ValueError, r"squeeze\(1\)"),
    ],
)
@paths
def test_errors_say_what_was_expected_and_what_came(shapes, mask, error, message, attend):
    with pytest.raises(error, match=message):
        attend(*draw(*shapes), mask)


def test_mixed_or_integer_dtypes_are_refused():
    q, k, v = draw((2, 4), (3, 4), (3, 4))
    with pytest.raises(TypeError, match="torch.float64"):
        scaled_dot_product_attention(q.double(), k, v)
    with pytest.raises(TypeError, match="floating point"):
        scaled_dot_product_attention(q.long(), k.long(), v.long())


def test_docstring_examples_run():
    import doctest

    assert doctest.testmod(module).failed == 0
