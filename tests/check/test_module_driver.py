"""The driver of modules: it builds, loads by name, calls, and says clearly what does not fit."""

from importlib.util import find_spec, module_from_spec

import pytest
import torch
from torch import nn

from allyouneed.check.describe import describe_failure
from allyouneed.check.drivers import ask, module
from allyouneed.check.watched_calls import WatchedCalls
from allyouneed.check.wire import decode, encode
from allyouneed.nn.multihead import MultiHeadAttention


class Scale(nn.Module):
    def __init__(self, width, times=1.0):
        super().__init__()
        self.inner = nn.Linear(width, 2, bias=False)
        self.again, self.times = self.inner, times

    def forward(self, x, shift=None):
        y = self.inner(x) * self.times
        return (y if shift is None else y + shift), y.detach()


WEIGHTS = {"inner.weight": torch.tensor([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]])}


def put(candidate, spec, *inputs, gradient=False, **keywords):
    probe = {
        "name": "p",
        "args": [encode(spec), *map(encode, inputs)],
        "kwargs": encode(keywords),
        "gradient": gradient,
    }
    return ask(candidate, "module", probe)


def test_a_module_gets_its_weights_by_name_and_is_called():
    x = torch.tensor([[1.0, 1.0, 1.0]])
    spec = {"arguments": (3,), "keywords": {"times": 2.0}, "weights": WEIGHTS}
    assert torch.equal(decode(put(Scale, spec, x)["output"])[0], torch.tensor([[12.0, 2.0]]))
    assert torch.equal(decode(put(Scale, spec, x, shift=x[:, :1])["output"])[0], torch.tensor([[13.0, 3.0]]))
    again = spec | {"weights": {"again.weight": WEIGHTS["inner.weight"]}}
    assert torch.equal(decode(put(Scale, again, x)["output"])[0], torch.tensor([[12.0, 2.0]]))


def test_the_weights_decide_the_dtype():
    weights = {"inner.weight": WEIGHTS["inner.weight"].double()}
    answer = put(Scale, {"arguments": (3,), "weights": weights}, torch.ones(1, 3, dtype=torch.float64))
    assert decode(answer["output"])[0].dtype == torch.float64


def test_gradients_reach_inputs_keywords_and_named_parameters():
    spec = {"arguments": (3,), "weights": WEIGHTS, "gradients": ["inner.weight"], "through": 0}
    x_gradient, shift_gradient, weight_gradient = [
        decode(item)
        for item in put(Scale, spec, torch.ones(1, 3), gradient=True, shift=torch.ones(1, 2))["gradients"]
    ]
    factors = torch.cos(torch.arange(2.0))[None]
    torch.testing.assert_close(shift_gradient, factors)
    torch.testing.assert_close(x_gradient, factors @ WEIGHTS["inner.weight"])
    torch.testing.assert_close(weight_gradient, factors.T @ torch.ones(1, 3))
    detached = put(Scale, spec | {"through": 1}, torch.ones(1, 3), gradient=True)
    assert detached["gradients"] == [None, None]


@pytest.mark.parametrize(
    "weights, error, text",
    [
        ({"outer.weight": torch.ones(2, 3)}, "LookupError", "no parameter named outer.weight"),
        (
            {"inner.weight": torch.ones(3, 2)},
            "ValueError",
            r"inner.weight has the shape (2, 3), but (3, 2) is expected",
        ),
    ],
)
def test_a_parameter_that_is_missing_or_has_another_shape_is_named(weights, error, text):
    answer = put(Scale, {"arguments": (3,), "weights": weights}, torch.ones(1, 3))
    assert answer["error"] == error and text in answer["text"]


def test_what_is_no_module_is_said():
    answer = put(lambda: 3, {"weights": WEIGHTS}, torch.ones(1, 3))
    assert answer["error"] == "TypeError" and "derive the class from nn.Module" in answer["text"]


def test_shapes_are_those_of_parameters_that_train():
    spec = {"arguments": (3,), "shapes": ["inner.weight", "inner.bias"]}
    assert put(Scale, spec)["output"] == [[2, 3], None]


def test_a_changed_input_is_noticed_in_keywords_too():
    class Rude(Scale):
        def forward(self, x, shift=None):
            shift += 1
            return x

    assert put(Rude, {"arguments": (3,), "weights": WEIGHTS}, torch.ones(1, 3), shift=torch.ones(1))[
        "changed"
    ] == [1]


def test_a_message_shows_constructor_and_inputs_without_weights():
    probe = {
        "name": "small",
        "args": [
            encode({"arguments": (3,), "keywords": {"times": 2.0}, "weights": WEIGHTS}),
            encode(torch.ones(1, 3)),
        ],
        "kwargs": encode({"shift": None}),
        "group": "g",
    }
    fingerprint = {"driver": "module", "probes": [probe], "right": [[{"output": encode(torch.zeros(1, 2))}]]}
    _, message = describe_failure(
        "Scale", fingerprint, [{"output": encode(torch.ones(1, 2))}], {0: "value"}, reveal=True
    )
    assert "Scale(3, times=2.0)([[1.0, 1.0, 1.0]], shift=None)" in message and "[1.0, 1.0]" in message


def test_a_library_class_is_seen_whatever_its_name():
    layer = type("Mine", (nn.Module,), {"forward": lambda self, x: self.inner(x)})()
    layer.inner = MultiHeadAttention(4, 2)
    with (calls := WatchedCalls({"MultiHeadAttention"})):
        layer(torch.zeros(1, 2, 4))
    assert calls.ready_made() == {"allyouneed.nn.multihead.MultiHeadAttention"}


def test_a_class_may_stand_on_a_library_class_but_not_on_the_one_it_is_to_write():
    own = type("LowRank", (nn.Linear,), {"forward": lambda self, x: nn.Linear.forward(self, x)})
    theirs = type("Mine", (nn.Linear,), {})
    for layer, forbidden, seen in ((own, "LowRank", set()), (theirs, "Linear", {"torch.nn.Linear"})):
        with (calls := WatchedCalls({forbidden})):
            layer(2, 3)(torch.zeros(1, 2))
        assert calls.ready_made() == seen


def test_a_library_class_that_is_only_built_is_seen():
    own = {"layer": MultiHeadAttention}
    with (calls := WatchedCalls({"MultiHeadAttention"})):
        sum(parameter.numel() for parameter in own["layer"](4, 2).parameters())
    assert calls.ready_made() == {"allyouneed.nn.multihead.MultiHeadAttention"}


def test_importing_a_module_with_a_forbidden_class_is_no_call_of_it():
    spec = find_spec("allyouneed.nn.multihead")
    module = module_from_spec(spec)
    with (calls := WatchedCalls({"MultiHeadAttention"})):
        spec.loader.exec_module(module)
    assert not calls.ready_made()
    with calls:
        module.MultiHeadAttention(4, 2)(torch.randn(1, 3, 4))
    assert calls.ready_made() == {"allyouneed.nn.multihead.MultiHeadAttention"}


class Remembers(nn.Module):
    """Its first call decides what later calls subtract."""

    def __init__(self, width):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))
        self.shift = nn.Parameter(torch.arange(float(width)))

    def forward(self, x):
        self.first = getattr(self, "first", x)
        return (x - self.first) * self.weight


def again(candidate, spec, *inputs):
    probe = {"name": "p", "args": [encode(spec), *map(encode, inputs)], "kwargs": encode({})}
    return ask(candidate, "module", probe), probe


def test_what_a_call_leaves_behind_is_seen_by_the_next_one():
    x, spec = (
        torch.tensor([[2.0, 3.0]]),
        {"arguments": (2,), "weights": {"weight": torch.tensor([1.0, 10.0])}},
    )
    assert torch.equal(decode(again(Remembers, spec, x)[0]["output"]), torch.zeros(1, 2))
    assert torch.equal(
        decode(again(Remembers, spec | {"earlier": ((torch.ones(1, 2),), {})}, x)[0]["output"]),
        torch.tensor([[1.0, 20.0]]),
    )


def test_what_parameters_start_as_is_told_in_words():
    answer, probe = again(Remembers, {"arguments": (2,), "starts": ["weight", "bias", "shift", "scale"]})
    assert answer == {"output": ["ones", "zeros", "other", None]}
    assert module.shown_call("Remembers", probe) == "Remembers(2)"
    assert again(Remembers, {"arguments": (2,), "shapes": ["bias", "scale"]})[0] == {"output": [[2], None]}
