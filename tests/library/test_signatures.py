"""The shapes in the library's signatures: all tests of this folder run under them (tests/signatures.py)."""

import inspect
import subprocess
import sys

import pytest
import signatures
import torch
from jaxtyping import TypeCheckError
from torch import nn

import allyouneed
from allyouneed.tensors import Float, Tensor

PUBLIC = [getattr(allyouneed, name) for name in allyouneed.__all__]
FUNCTIONS = [thing for thing in PUBLIC if inspect.isfunction(thing)]
CALLS = [thing for thing in FUNCTIONS if not thing.__module__.startswith("allyouneed.check")] + [
    thing.forward for thing in PUBLIC if inspect.isclass(thing) and issubclass(thing, nn.Module)
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__qualname__)
def test_each_public_function_and_module_is_held_to_what_it_says_comes_back(call):
    assert "return" in call.__annotations__
    while not hasattr(call, "held"):  # other decorators may stand around
        call = call.__wrapped__


@signatures.held
def halves(x: Float[Tensor, "B D"], how="right") -> Float[Tensor, "B D"]:
    if how == "refuses":
        raise ValueError(f"x must be (batch, width), but it is {tuple(x.shape)}.")
    return x[:, 1:] if how == "wrong" else x / 2


def test_a_result_of_another_shape_than_the_signature_says_is_found():
    assert halves(torch.ones(2, 4)).shape == (2, 4)
    with pytest.raises(TypeCheckError, match="return value"):
        halves(torch.ones(2, 4), "wrong")


@pytest.mark.parametrize("x", [torch.ones(4), torch.ones(2, 4).long()], ids=["one axis", "integers"])
def test_what_breaks_a_signature_must_be_refused_by_the_function_itself(x):
    with pytest.raises(ValueError, match=rf"x must be .*, but it is \({len(x)},"):
        halves(x, "refuses")  # in its own words, which come first
    with pytest.raises(TypeCheckError, match="x"):
        halves(x)


def test_outside_the_tests_nothing_is_checked_and_nothing_more_is_loaded():
    code = (
        "import sys; from allyouneed import softmax; import torch;"
        "print(softmax.__annotations__['x'] is torch.Tensor, 'jaxtyping' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
