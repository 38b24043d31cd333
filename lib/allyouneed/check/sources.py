"""See each call of torch, and know for each piece of memory what it was computed from."""

from __future__ import annotations

import math

import torch
from torch.overrides import TorchFunctionMode

# take a shape alone
NEW = {
    "new_zeros",
    "new_ones",
    "new_full",
    "new_empty",
    "new_tensor",
    "zeros_like",
    "ones_like",
    "full_like",
    "empty_like",
}


class SourceWatch(TorchFunctionMode):
    """While it is entered, `met` is called at each operation, and `seen` for each tensor that took part."""

    def __init__(self):
        super().__init__()
        # memory that is kept is not used again for something else
        self._sources, self._kept = {}, []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs, name = kwargs or {}, getattr(function, "__name__", "")
        inputs = list(_tensors([args, kwargs]))
        known = [self.of(tensor) for tensor in inputs]
        result = function(*args, **kwargs)
        outputs = list(_tensors([result]))
        joined = set().union(*known) if name not in NEW else set()
        self.met(inputs, known, joined)
        changed = [*inputs[:1], *_tensors(kwargs.get("out"))] if _changes(name) or "out" in kwargs else []
        if joined:
            for tensor in (*outputs, *changed):
                self.mark(tensor, joined)
        for tensor in (*outputs, *changed, *inputs):
            self.seen(tensor)
        return result

    def met(self, inputs: list, known: list[set], joined: set) -> None:
        """An operation took `inputs`, whose sources are `known`; `joined` are all of them."""

    def seen(self, tensor) -> None:
        """A tensor went into an operation, or came out of it."""

    def of(self, tensor) -> set:
        """What the memory behind a tensor was computed from."""
        return self._sources.get(_memory(tensor), set())

    def mark(self, tensor, source: set) -> None:
        self._kept.append(tensor)
        key = _memory(tensor)
        self._sources[key] = self._sources.get(key, set()) | source


def numbers_held(tensor) -> int:
    """How many numbers a tensor holds; those that an expanded axis repeats count once."""
    return math.prod(size for size, stride in zip(tensor.shape, tensor.stride()) if stride)


def _memory(tensor) -> int:
    return tensor.untyped_storage()._cdata


def _changes(name: str) -> bool:
    """Whether a method of this name writes into its tensor: copy_, +=, an assignment to a slice."""
    return name == "__setitem__" or name.startswith("__i") or (name.endswith("_") and not name.endswith("__"))


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
