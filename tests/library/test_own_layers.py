"""A student's own layers inside the translator: the same numbers as with the library's, and clear refusals."""

import dataclasses
import doctest

import pytest
import torch
from allyouneed import own_layers
from allyouneed.attention import scaled_dot_product_attention
from allyouneed.generation import generate
from allyouneed.layers import DecoderLayer, EncoderLayer
from allyouneed.models import Seq2Seq, Seq2SeqConfig


def seeded():
    return torch.Generator().manual_seed(0)


def ids(*shape):
    return torch.randint(17, shape, generator=seeded())


def test_the_examples_hold():
    assert doctest.testmod(own_layers).failed == 0


def test_a_students_layers_run_in_the_translator():
    config, source, target = Seq2SeqConfig(17, 24, 2, 3), ids(2, 5), ids(2, 4)
    real = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    built = []

    class MyEncoderLayer(EncoderLayer):
        def __init__(self, d_model, n_heads, d_ff, norm_first=False):
            super().__init__(d_model, n_heads, d_ff, norm_first)
            built.append(norm_first)

        def forward(self, x, mask=None):
            return super().forward(x, mask)

    class MyDecoderLayer(DecoderLayer):
        def forward(self, x, memory, target_mask=None, memory_mask=None):
            return super().forward(x, memory, target_mask, memory_mask)

    mine = Seq2Seq(config, None, seeded(), MyEncoderLayer, MyDecoderLayer)
    torch.testing.assert_close(mine(source, target, real), Seq2Seq(config, None, seeded())(source, target, real), rtol=1e-5, atol=1e-5)
    assert built == [False, False]
    options = dict(max_new_tokens=4, temperature=0, use_cache=False)
    assert torch.equal(generate(mine.given(source), [[1], [1]], **options),
                       generate(Seq2Seq(config, None, seeded()).given(source), [[1], [1]], **options))
    with pytest.raises(ValueError, match="no cache"):
        generate(mine.given(source), [[1], [1]], max_new_tokens=4, temperature=0)
    with pytest.raises(ValueError, match="leave attend out"):
        Seq2Seq(config, scaled_dot_product_attention, seeded(), MyEncoderLayer, MyDecoderLayer)
    with pytest.raises(ValueError, match="dropout=0"):
        Seq2Seq(dataclasses.replace(config, dropout=0.1), None, seeded(), MyEncoderLayer)
