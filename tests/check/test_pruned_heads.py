"""The driver that lets a function take heads out of a layer, and looks at both layers."""

import copy

import pytest
import torch
from torch import nn

from allyouneed.check.drivers import ask, shown_call
from allyouneed.check.wire import decode, encode
from allyouneed.nn.multihead import MultiHeadAttention

LAYER = MultiHeadAttention(4, 2)


def probe(asked, keep=([0, 1],), inputs=()):
    spec = {"sizes": (4, 2), "weights": dict(LAYER.state_dict()), "keep": list(keep), "ask": asked}
    return {"name": "p", "args": [encode(spec), *map(encode, inputs)], "kwargs": encode({})}


def put(candidate, asked, **more):
    return ask(candidate, "pruned_heads", probe(asked, **more))


def test_the_layer_that_came_back_is_called():
    x, memory = torch.randn(1, 3, 4), torch.randn(1, 5, 4)
    output, weights = decode(
        put(lambda layer, keep: copy.deepcopy(layer), "output", inputs=(x, memory))["output"]
    )
    assert torch.allclose(output, LAYER(x, memory)[0]) and weights.shape == (1, 2, 3, 5)


def test_what_came_back_is_handed_over_again():
    seen = []
    put(lambda layer, keep: seen.append(keep) or copy.deepcopy(layer), "sizes", keep=([1, 0], [0]))
    assert seen == [[1, 0], [0]]


def test_the_shapes_of_all_parameters_are_told():
    sizes = decode(put(lambda layer, keep: MultiHeadAttention(4, 1, 2), "sizes")["output"])
    assert sizes["q_proj.weight"] == [2, 4] and sizes["o_proj.weight"] == [4, 2] and sizes["all of it trains"]
    frozen = decode(put(lambda layer, keep: copy.deepcopy(layer).requires_grad_(False), "sizes")["output"])
    assert not frozen["all of it trains"]


def shared(layer, keep):
    return layer


def replaces(layer, keep):
    layer.q_proj = nn.Linear(4, 2)
    return copy.deepcopy(layer)


def counts(layer, keep):
    small = copy.deepcopy(layer)
    layer.n_heads = 1
    return small


def freezes(layer, keep):
    small = copy.deepcopy(layer)
    layer.requires_grad_(False)
    return small


@pytest.mark.parametrize(
    "candidate, broken",
    [(lambda layer, keep: copy.deepcopy(layer), None), (shared, 2), (replaces, 0), (counts, 1), (freezes, 3)],
)
def test_what_has_become_of_the_original_is_told(candidate, broken):
    told = list(decode(put(candidate, "original")["output"]).values())
    assert told == [number != broken for number in range(4)]


@pytest.mark.parametrize(
    "returned, told", [(None, "nothing"), ({}, "a dict"), (nn.Linear(2, 2), "no q_proj and no k_proj")]
)
def test_what_is_no_layer_is_told(returned, told):
    answer = put(lambda layer, keep: returned, "sizes")
    assert answer["error"] == "LookupError" and told in answer["text"]


def test_changed_numbers_of_heads_are_told():
    def drains(layer, keep):
        keep.pop()
        return copy.deepcopy(layer)

    assert put(drains, "sizes")["changed"] == [0]


def test_the_calls_are_shown_with_sizes_alone():
    assert shown_call("pruned_heads", "prune_heads", probe("sizes", keep=([1, 0], [0]))) == (
        "prune_heads(prune_heads(MultiHeadAttention(4, 2), [1, 0]), [0]), and a look at the shapes of its "
        "parameters"
    )
