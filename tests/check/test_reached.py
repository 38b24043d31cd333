"""What a notebook's functions reach by name: a call that changes any of it is seen, others are not."""

import itertools

import pytest
import torch

from allyouneed.check.reached import Reached

HARMLESS = {  # the notebook's cell, and what f does
    "computes": ("", "torch.softmax(x, 0)"),
    "calls another": ("def g(x):\n    return x + 1", "g(x)"),
    "reads a list": ("sizes = [1, 2]", "x * sizes[0]"),
    "makes an object": ("class A:\n    pass", "setattr(A(), 'n', 1)"),
    "runs a layer": ("layer = torch.nn.Linear(1, 1)", "layer(x.reshape(-1, 1))"),
    "reads a property": ("class A:\n    @property\n    def n(self):\n        return 1\na = A()", "a.n"),
    "calls a static method": (
        "class A:\n    @staticmethod\n    def n():\n        return 1\na = A()",
        "a.n()",
    ),
}
CHANGES = {
    "a number": ("n = 0", "globals().update(n=n + 1)"),
    "a new name": ("", "globals().update(n=1) or n"),
    "a list": ("seen = []", "seen.append(x)"),
    "a list in a dictionary": ("kept = {'a': [1]}", "kept['a'].append(2)"),
    "a set": ("kept = set()", "kept.add(len(x))"),
    "a default value": ("def g(x, kept={}):\n    kept[0] = x", "g(x)"),
    "what a closure holds": ("def make(kept):\n    return lambda: kept.append(1)\ng = make([])", "g()"),
    "a function's own attribute": ("", "setattr(f, 'kept', x)"),
    "another function": ("def g():\n    return 1", "globals().update(g=f) or g"),
    "the code of another": ("def g():\n    return 1", "setattr(g, '__code__', f.__code__)"),
    "a tensor in place": ("table = torch.zeros(3)", "table.add_(1)"),
    "a gradient": ("w = torch.ones(1, requires_grad=True)", "(w * 2).sum().backward()"),
    "a weight of a layer": ("layer = torch.nn.Linear(1, 1)", "layer.weight.data.add_(1)"),
    "a layer's own number": ("layer = torch.nn.Linear(1, 1)", "layer.eval()"),
    "what a class holds": ("class A:\n    n = 0", "setattr(A, 'n', 1)"),
    "what an object holds": ("class A:\n    pass\na = A()", "setattr(a, 'n', 1)"),
    "a cache": ("import functools\n@functools.lru_cache\ndef g(n):\n    return n", "g(len(x))"),
    "through another function": ("kept = []\ndef g(x):\n    kept.append(1)", "g(x)"),
    "within a comprehension": ("kept = []", "[kept.append(item) for item in x]"),
    "a bound list": ("import functools\ng = functools.partial(list.append, [])", "g(x)"),
    "what a method is bound to": (
        "kept = []\nclass A:\n    def n(self):\n        kept.append(1)\ng = A().n",
        "g()",
    ),
}
NOT_SEEN = {
    "an iterator": ("numbers = iter([1, 2, 3])", "next(numbers)"),
    "a generator of random numbers": ("import random\nrng = random.Random(0)", "rng.random()"),
    "one of torch": ("rng = torch.Generator()", "torch.rand(1, generator=rng)"),
    "an array": ("import numpy\na = numpy.zeros(3)", "a.fill(1)"),
    "bytes that change": ("a = bytearray(3)", "a.append(1)"),
    "a list with attributes": ("class L(list):\n    pass\na = L()", "a.append(1)"),
    "one that cannot be looked at": (
        "class A:\n    def __getattribute__(self, name):\n        raise KeyError\na = A()",
        "a",
    ),
    "slots": ("class A:\n    __slots__ = ['n']\na = A()", "setattr(a, 'n', 1)"),
    "too much": ("many = [(n,) for n in range(30_000)]", "many"),
}


def function(cell: str, does: str):
    names = {"__name__": "__main__", "torch": torch}
    exec(f"{cell}\ndef f(x=torch.zeros(3)):\n    return {does}", names)
    return names["f"]


@pytest.mark.parametrize("what", HARMLESS)
def test_a_call_that_changes_nothing_leaves_all_as_it_was(what):
    f = function(*HARMLESS[what])
    reached = Reached([f])
    f()
    assert reached.unchanged()


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_seen(what):
    f = function(*CHANGES[what])
    reached = Reached([f])
    assert reached.unchanged()
    f()
    assert reached.known and not reached.unchanged()


@pytest.mark.parametrize("what", NOT_SEEN)
def test_what_cannot_be_compared_is_not_known(what):
    f = function(*NOT_SEEN[what])
    assert not Reached([f]).known


def test_libraries_are_not_looked_into():
    assert Reached([itertools.chain, sum, pytest.raises]).unchanged()
