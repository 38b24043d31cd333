"""Call an attention function; where the probe asks for it, watch how many keys are scored at once instead.

A probe marked ``watch`` has no leading axes: q is (T, K), k and v are (S, ...), and S, with up to a block
more, is the size of no other axis or product of axes that may come up. Every call of torch is seen. What
depends on q, and what depends on k, is known for each piece of memory. Told, in words, is the most that a
tensor holds of what depends on both: "a whole row of scores" where some axis has the size S (or S filled up
to a multiple of the block), "more keys than one block" where the operation in which q and k meet takes more
keys than `block`, else "one block at a time". Constants and masks may have any size.
"""

from __future__ import annotations

import math

import torch
from torch.overrides import TorchFunctionMode

from allyouneed.check.answers import encode_output
from allyouneed.check.drivers import call
from allyouneed.check.wire import decode

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
WHOLE, MORE, BLOCK = "a whole row of scores", "more keys than one block", "one block at a time"


class ScoreWatch(TorchFunctionMode):
    """Sees each call of torch, and remembers what the memory behind each tensor was computed from."""

    def __init__(self, q, k, block):
        super().__init__()
        # memory that is kept is not used again for something else
        self.sources, self.kept = {}, []
        self.n_keys, self.width, self.block = k.shape[-2], k.shape[-1], block
        self.whole, self.at_once = False, 0
        self._mark(q, {"q"})
        self._mark(k, {"k"})

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs, name = kwargs or {}, getattr(function, "__name__", "")
        inputs = list(_tensors([args, kwargs]))
        known = [self._of(tensor) for tensor in inputs]
        result = function(*args, **kwargs)
        outputs = list(_tensors([result]))
        joined = set().union(*known) if name not in NEW else set()
        if joined == {"q", "k"} and joined not in known:  # q and k meet here
            keys = [
                _numbers_held(tensor) // self.width for tensor, source in zip(inputs, known) if "k" in source
            ]
            self.at_once = max([self.at_once, *keys])
        changed = [*inputs[:1], *_tensors(kwargs.get("out"))] if _changes(name) or "out" in kwargs else []
        if joined:
            for tensor in (*outputs, *changed):
                self._mark(tensor, joined)
        for tensor in (*outputs, *changed, *inputs):
            if {"q", "k"} <= self._of(tensor) and any(
                self.n_keys <= size < self.n_keys + self.block for size in tensor.shape
            ):
                self.whole = True
        return result

    def _of(self, tensor) -> set:
        return self.sources.get(_memory(tensor), set())

    def _mark(self, tensor, source):
        self.kept.append(tensor)
        key = _memory(tensor)
        self.sources[key] = self.sources.get(key, set()) | source

    def told(self) -> str:
        if self.whole or self.at_once >= self.n_keys:
            return WHOLE
        return MORE if self.at_once > self.block else BLOCK


def put(candidate, probe: dict) -> dict:
    """Call the candidate with (q, k, v, block), and compare its output, or watch it."""
    if not probe.get("watch"):
        return call.put(candidate, probe)
    q, k, v, block = decode(probe["args"])
    torch.default_generator.manual_seed(0)
    with torch.no_grad(), ScoreWatch(q, k, block) as watch:
        output = candidate(q, k, v, block)
    if not isinstance(output, torch.Tensor):
        return {"output": encode_output(output)}
    return {"output": watch.told()}


def _memory(tensor) -> int:
    return tensor.untyped_storage()._cdata


def _changes(name: str) -> bool:
    """Whether a method of this name writes into its tensor: copy_, +=, an assignment to a slice."""
    return name == "__setitem__" or name.startswith("__i") or (name.endswith("_") and not name.endswith("__"))


def _numbers_held(tensor) -> int:
    """How many numbers a tensor holds; those that an expanded axis repeats count once."""
    return math.prod(size for size, stride in zip(tensor.shape, tensor.stride()) if stride)


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
