"""Long-sequence attention against torch's exact attention, a loop, and a meter on memory."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import example, given
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from allyouneed.nn.blockwise import blockwise_attention
from allyouneed.nn.linear_attention import linear_attention
from allyouneed.nn.local import local_attention, local_causal_mask


def qkv(T, S, K=6, D_v=4, leading=(2, 3), dtype=torch.float64, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [
        torch.randn(*leading, n, d, generator=generator, dtype=dtype).requires_grad_()
        for n, d in ((T, K), (S, K), (S, D_v))
    ]


def gradients(output, inputs):
    weight = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).view_as(output)
    return [output, *torch.autograd.grad((output * weight).sum(), inputs)]


class Largest(TorchDispatchMode):
    """Notes the most memory that any tensor takes; a view takes none of its own."""

    bytes = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        tensors = [leaf for leaf in torch.utils._pytree.tree_leaves(out) if isinstance(leaf, torch.Tensor)]
        self.bytes = max([self.bytes, *(tensor.untyped_storage().nbytes() for tensor in tensors)])
        return out


@pytest.mark.parametrize("T, S", [(5, 7), (1, 9), (8, 8), (7, 130)])
@pytest.mark.parametrize("block", [1, 3, 4, 1000])
@pytest.mark.parametrize("is_causal", [True, False])
def test_blockwise_equals_torch_in_values_and_gradients(T, S, block, is_causal):
    inputs = qkv(T, S)
    mask = torch.ones(T, S, dtype=torch.bool).tril(S - T) if is_causal else None
    expected = gradients(F.scaled_dot_product_attention(*inputs, attn_mask=mask), inputs)
    for mine, theirs in zip(
        gradients(blockwise_attention(*inputs, is_causal=is_causal, block=block), inputs), expected
    ):
        torch.testing.assert_close(mine, theirs)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5), st.booleans(), st.integers(0, 999))
@example(1, 1, 1, True, 0)
@example(1, 9, 5, True, 0)
@example(9, 9, 1, True, 0)
@example(9, 1, 5, False, 0)
def test_blockwise_with_any_mask_equals_torch(T, S, block, is_causal, seed):
    is_causal = is_causal and T <= S
    inputs = qkv(T, S, seed=seed)
    # empty rows are common
    mask = torch.rand(2, 1, T, S, generator=torch.Generator().manual_seed(seed)) < 0.4
    both = mask & torch.ones(T, S, dtype=torch.bool).tril(S - T) if is_causal else mask
    expected = gradients(F.scaled_dot_product_attention(*inputs, attn_mask=both), inputs)
    for mine, theirs in zip(
        gradients(blockwise_attention(*inputs, mask, is_causal, block), inputs), expected
    ):
        torch.testing.assert_close(mine, theirs)


def test_blockwise_survives_large_scores_and_keeps_its_input():
    q, k, v = (x.detach() for x in qkv(5, 7, dtype=torch.float32))
    before = [x.clone() for x in (q, k, v)]
    output = blockwise_attention(1e4 * q, k, v, block=2)
    torch.testing.assert_close(output, F.scaled_dot_product_attention(1e4 * q, k, v))
    assert all(torch.equal(a, b) for a, b in zip((q, k, v), before))
    assert blockwise_attention(q.bfloat16(), k.bfloat16(), v.bfloat16()).dtype == torch.bfloat16


@pytest.mark.parametrize(
    "attend",
    [lambda *qkv: blockwise_attention(*qkv, block=16), lambda *qkv: linear_attention(*qkv, True, block=16)],
    ids=["blockwise", "linear"],
)
def test_a_long_sum_of_16_bits_does_not_stop_growing(attend):
    """In bfloat16, 256 + 1 is 256: a mean of 4,096 zeros and as many ones would come out as 1."""
    q, v = (torch.full((8192, 1), x, dtype=torch.bfloat16) for x in (0.0, 1.0))
    v[:4096] = 0
    output = attend(q, q, v)[-1]
    assert output.dtype == torch.bfloat16 and output.item() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    "attend",
    [
        lambda q, k, v: blockwise_attention(q, k, v, is_causal=True, block=16),
        lambda q, k, v: blockwise_attention(q, k, v, torch.ones(1, len(k), dtype=torch.bool), block=16),
        lambda q, k, v: local_attention(q, k, v, window=16),
        lambda q, k, v: linear_attention(q, k, v, is_causal=True, block=16),
        lambda q, k, v: linear_attention(q, k, v),
    ],
)
def test_no_tensor_grows_with_the_square_of_the_length(attend):
    sizes = []
    for n in (512, 1024):
        q, k, v = (x.detach() for x in qkv(n, n, leading=()))
        with Largest() as meter:
            attend(q, k, v)
        sizes.append(meter.bytes)
    assert sizes[0] < 512 * 512 * 8 / 4 and sizes[1] <= 2.1 * sizes[0]


@given(st.integers(1, 20), st.integers(1, 24), st.integers(0, 999))
@example(1, 1, 0)
@example(20, 1, 0)
@example(20, 20, 0)
@example(1, 24, 0)
def test_local_equals_torch_with_a_band_mask(n, window, seed):
    inputs = qkv(n, n, seed=seed)
    expected = gradients(
        F.scaled_dot_product_attention(*inputs, attn_mask=local_causal_mask(n, window)), inputs
    )
    for mine, theirs in zip(gradients(local_attention(*inputs, window), inputs), expected):
        torch.testing.assert_close(mine, theirs)


def test_local_mask_equals_loop():
    for n, window in ((1, 1), (5, 2), (6, 9)):
        assert local_causal_mask(n, window).tolist() == [
            [0 <= t - s < window for s in range(n)] for t in range(n)
        ]


@pytest.mark.parametrize("is_causal", [True, False])
@pytest.mark.parametrize("block", [1, 3, 128])
def test_linear_equals_explicit_weights(is_causal, block):
    inputs = qkv(7, 7)
    q, k, v = inputs
    weights = (F.elu(q) + 1) @ (F.elu(k) + 1).mT
    weights = weights.tril() if is_causal else weights
    expected = gradients((weights / weights.sum(-1, keepdim=True)) @ v, inputs)
    for mine, theirs in zip(gradients(linear_attention(q, k, v, is_causal, block), inputs), expected):
        torch.testing.assert_close(mine, theirs)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda q, k, v: blockwise_attention(q, k, v, block=0), "block"),
        (lambda q, k, v: blockwise_attention(q, k[..., :3, :], v[..., :3, :], is_causal=True), "T <= S"),
        (lambda q, k, v: blockwise_attention(q, k, v[..., :3, :]), r"\(5, 6\), \(5, 6\), \(3, 4\)"),
        (lambda q, k, v: local_attention(q, k, v, window=0), "window"),
        (lambda q, k, v: local_attention(q[..., :3, :], k, v, window=2), "as many keys"),
        (lambda q, k, v: local_causal_mask(5, 0), "window"),
        (lambda q, k, v: linear_attention(q[..., :3, :], k, v, is_causal=True), "as many keys"),
    ],
)
def test_what_cannot_work_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call(*qkv(5, 5, leading=()))


@pytest.mark.parametrize("is_causal", [False, True])
def test_linear_attention_of_more_keys_than_float16_counts(is_causal):
    q, v = torch.zeros(70_000, 1, dtype=torch.float16), torch.ones(70_000, 1, dtype=torch.float16)
    torch.testing.assert_close(linear_attention(q, q, v, is_causal=is_causal), v)


@pytest.mark.parametrize("dtype, low", [(torch.float32, -18.0), (torch.bfloat16, -7.0)])
@pytest.mark.parametrize("is_causal", [False, True])
def test_linear_attention_of_very_negative_keys_is_their_mean(dtype, low, is_causal):
    k, v = torch.full((5, 4), low, dtype=dtype), torch.ones(5, 3, dtype=dtype)
    torch.testing.assert_close(linear_attention(torch.zeros_like(k), k, v, is_causal=is_causal), v)
