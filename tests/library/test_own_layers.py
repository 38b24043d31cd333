"""A student's own layers in the translator: the same numbers as with the library's, and clear refusals."""

import copy
import doctest
import json

import pytest
import torch
from torch import nn

from allyouneed import own
from allyouneed.generation.sampling import generate
from allyouneed.models import GPT, GPTConfig, Seq2Seq, Seq2SeqConfig
from allyouneed.nn.cache import CachedModel
from allyouneed.nn.layers import FeedForward, LayerNorm, PostNormBlock, PostNormDecoderBlock
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.own import CausalLayer, StepwiseModel, from_notebook


def seeded():
    return torch.Generator().manual_seed(0)


def ids(*shape):
    return torch.randint(17, shape, generator=seeded())


def test_the_examples_hold():
    assert doctest.testmod(own).failed == 0


def layer(kind, d_model, n_heads, d_ff):
    attentions = [MultiHeadAttention(d_model, n_heads) for _ in range(1 + (kind is PostNormDecoderBlock))]
    return kind(*attentions, FeedForward(d_model, d_ff), LayerNorm(d_model))


def test_a_students_layers_run_in_the_translator():
    """They take what the exercises take, and nothing more: x, memory and masks."""
    config, source, target = Seq2SeqConfig(17, 24, 2, 3), ids(2, 5), ids(2, 4)
    real = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    theirs = Seq2Seq(config, generator=seeded())

    class MyEncoderLayer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = layer(PostNormBlock, 24, 3, 96)

        def forward(self, x, mask=None):
            return self.inner(x, mask)

    class MyDecoderLayer(MyEncoderLayer):
        def __init__(self):
            super().__init__()
            self.inner = layer(PostNormDecoderBlock, 24, 3, 96)

        def forward(self, x, memory, target_mask=None, memory_mask=None):
            return self.inner(x, memory, target_mask, memory_mask)

    mine = copy.deepcopy(theirs)
    mine.encoder = nn.ModuleList(MyEncoderLayer() for _ in range(2))
    mine.decoder = nn.ModuleList(CausalLayer(MyDecoderLayer()) for _ in range(2))
    for own_layer, library in zip([*mine.encoder, *mine.decoder], [*theirs.encoder, *theirs.decoder]):
        getattr(own_layer, "layer", own_layer).inner.load_state_dict(library.state_dict())
    torch.testing.assert_close(mine(source, target, real), theirs(source, target, real), rtol=1e-5, atol=1e-5)
    options = dict(max_new_tokens=4, temperature=0, use_cache=False)
    assert torch.equal(
        generate(mine.given(source), [[1], [1]], **options),
        generate(theirs.given(source), [[1], [1]], **options),
    )
    with pytest.raises(ValueError, match="no cache"):
        generate(mine.given(source), [[1], [1]], max_new_tokens=4, temperature=0)


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


def gpt_of(layer):
    model = GPT(GPTConfig(17, 8, 12, 2, 3), generator=seeded())
    model.layers = nn.ModuleList(CausalLayer(layer(12, 3, 48, norm_first=True)) for _ in range(2))
    return model


def test_a_class_from_a_students_notebook_makes_a_gpt(tmp_path):
    class Mine(MultiHeadAttention):
        pass

    layer = from_notebook(written(tmp_path), "Layer", using={"MultiHeadAttention": Mine})
    model = gpt_of(layer)
    assert all(type(part.layer.mix) is Mine for part in model.layers)
    tokens = ids(2, 6)
    later = tokens.clone()
    later[:, 4:] = 0
    torch.testing.assert_close(model(tokens)[:, :4], model(later)[:, :4])  # the causal mask arrives
    reader = StepwiseModel(model, lambda attention, x, cache: (attention.o_proj(attention.v_proj(x)), cache))
    alone = reader(tokens[:, :1])
    # one token attends to itself alone
    torch.testing.assert_close(alone, model(tokens[:, :1]))


def test_a_layer_without_projections_cannot_be_stepped():
    class Plain(torch.nn.Module):
        def __init__(self, d_model, n_heads, d_ff, norm_first=False):
            super().__init__()
            # the layer itself is no attention
            self.q_proj = self.k_proj = self.v_proj = self.o_proj = torch.nn.Linear(d_model, d_model)

    with pytest.raises(ValueError, match="CausalLayer has 0 parts"):
        StepwiseModel(gpt_of(Plain), None)


def test_a_notebook_that_is_none_or_lacks_the_name_is_named(tmp_path):
    with pytest.raises(ValueError, match="defines no Missing"):
        from_notebook(written(tmp_path), "Missing")
    with pytest.raises(OSError, match="absent"):
        from_notebook(tmp_path / "absent.ipynb", "Layer")
    for broken in ([], {"cells": [{"cell_type": "code"}]}, {"cells": 3}):
        with pytest.raises(ValueError, match="is not a notebook"):
            from_notebook(written(tmp_path, broken), "Layer")


def test_a_layer_that_makes_its_own_mask_gets_no_cache():
    """Beside a layer of the library's, which has one, it would see the new tokens alone."""
    model = GPT(GPTConfig(9, 8, d_model=8, n_layers=2, n_heads=2)).eval()
    layer = PostNormBlock(MultiHeadAttention(8, 2), FeedForward(8, 32), LayerNorm(8))
    model.layers[1] = CausalLayer(layer)
    with pytest.raises(ValueError, match="use_cache=False"):
        CachedModel(model, max_len=8)
