"""A student's own layers in the translator: the same numbers as with the library's, and clear refusals."""

import dataclasses
import doctest
import json

import pytest
import torch

from allyouneed.generation.sampling import generate
from allyouneed.models import GPT, GPTConfig, Seq2Seq, Seq2SeqConfig
from allyouneed.nn.attention import scaled_dot_product_attention
from allyouneed.nn.layers import DecoderLayer, EncoderLayer
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.own import layers as own_layers
from allyouneed.own.stepwise import StepwiseModel


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
    torch.testing.assert_close(
        mine(source, target, real),
        Seq2Seq(config, None, seeded())(source, target, real),
        rtol=1e-5,
        atol=1e-5,
    )
    assert built == [False, False]
    options = dict(max_new_tokens=4, temperature=0, use_cache=False)
    assert torch.equal(
        generate(mine.given(source), [[1], [1]], **options),
        generate(Seq2Seq(config, None, seeded()).given(source), [[1], [1]], **options),
    )
    with pytest.raises(ValueError, match="no cache"):
        generate(mine.given(source), [[1], [1]], max_new_tokens=4, temperature=0)
    with pytest.raises(ValueError, match="leave attend out"):
        Seq2Seq(config, scaled_dot_product_attention, seeded(), MyEncoderLayer, MyDecoderLayer)
    with pytest.raises(ValueError, match="dropout=0"):
        Seq2Seq(dataclasses.replace(config, dropout=0.1), None, seeded(), MyEncoderLayer)


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": "Text."},
        {
            "cell_type": "code",
            "source": ["from torch import nn\n", "from allyouneed.nn.multihead import MultiHeadAttention"],
        },
        {"cell_type": "code", "source": "%matplotlib inline"},
        {"cell_type": "code", "source": "raise SystemExit('only definitions are run')\nWIDTH = 1 / 0"},
        {
            "cell_type": "code",
            "source": (
                "class Layer(nn.Module):\n    def __init__(self, d_model, n_heads, "
                "d_ff, norm_first=False):\n        super().__init__()\n        "
                "self.mix = MultiHeadAttention(d_model, n_heads)\n        self.up, "
                "self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)\n    "
                "def forward(self, x, mask=None):\n        x = x + self.mix(x, "
                "mask=mask)[0]\n        return x + self.down(self.up(x).relu())"
            ),
        },
    ]
}


def written(folder, notebook=NOTEBOOK):
    path = folder / "mine.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def test_a_class_from_a_students_notebook_makes_a_gpt(tmp_path):
    class Mine(MultiHeadAttention):
        pass

    layer = own_layers.from_notebook(written(tmp_path), "Layer", using={"MultiHeadAttention": Mine})
    model = GPT(GPTConfig(17, 8, 12, 2, 3), generator=seeded(), layer=layer)
    assert all(type(part.layer.mix) is Mine for part in model.layers)
    tokens = ids(2, 6)
    later = tokens.clone()
    later[:, 4:] = 0
    torch.testing.assert_close(model(tokens)[:, :4], model(later)[:, :4])  # the causal mask arrives
    reader = StepwiseModel(model, lambda attention, x, cache: (attention.o_proj(attention.v_proj(x)), cache))
    alone = reader(tokens[:, :1])
    reader.close()
    # one token attends to itself alone
    torch.testing.assert_close(alone, model(tokens[:, :1]))
    with pytest.raises(ValueError, match="leave attend out"):
        GPT(GPTConfig(17, 8, 12, 2, 3), attend=scaled_dot_product_attention, layer=layer)


def test_a_layer_without_projections_cannot_be_stepped():
    class Plain(torch.nn.Module):
        def __init__(self, d_model, n_heads, d_ff, norm_first=False):
            super().__init__()
            # the layer itself is no attention
            self.q_proj = self.k_proj = self.v_proj = self.o_proj = torch.nn.Linear(d_model, d_model)

    with pytest.raises(ValueError, match="OwnEncoderLayer has 0 parts"):
        StepwiseModel(GPT(GPTConfig(17, 8, 12, 2, 3), layer=Plain), None)


def test_a_notebook_that_is_none_or_lacks_the_name_is_named(tmp_path):
    with pytest.raises(ValueError, match="defines no Missing"):
        own_layers.from_notebook(written(tmp_path), "Missing")
    with pytest.raises(OSError, match="absent"):
        own_layers.from_notebook(tmp_path / "absent.ipynb", "Layer")
    for broken in ([], {"cells": [{"cell_type": "code"}]}, {"cells": 3}):
        with pytest.raises(ValueError, match="is not a notebook"):
            own_layers.from_notebook(written(tmp_path, broken), "Layer")
