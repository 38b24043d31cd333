"""What a student's functions reach by the names they use, to tell whether calls have left it as it was."""

from __future__ import annotations

import collections
import functools
import re
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import nn

MOST = 20_000  # objects, beyond which nobody looks at them all
MOST_NUMBERS = 1_000_000  # of a tensor
NOTHING = object()
FIXED = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    range,
    slice,
    type(None),
    type(...),
    re.Pattern,
    torch.dtype,
    torch.device,
    types.ModuleType,
    types.CodeType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.WrapperDescriptorType,
)


class Reached:
    """All that `candidates` reach by name: other functions of the notebook, its values, and what these hold.

    `known` is False where that holds something whose changes cannot be seen from here, such as an iterator or
    a generator of random numbers, or too much.
    """

    def __init__(self, candidates: Iterable[object]) -> None:
        self._parts: dict[int, tuple[object, list[object]]] = {}  # held, so that no identity is used again
        self.known = True
        waiting = [*candidates]
        while waiting and self.known:
            item = waiting.pop()
            if type(item) in FIXED or id(item) in self._parts:
                continue
            try:
                self._parts[id(item)] = item, [*_parts(item)]
            except Exception:  # what a student's class does when it is looked at
                self.known = False
            else:
                waiting += self._parts[id(item)][1]
                self.known = len(self._parts) <= MOST

    def unchanged(self) -> bool:
        """Whether all of it is known, and as it was."""
        try:
            return self.known and all(_same(parts, [*_parts(item)]) for item, parts in self._parts.values())
        except Exception:
            return False


def _same(before: list[object], now: list[object]) -> bool:
    return len(before) == len(now) and all(
        a is b or (type(a) is type(b) and type(a) in FIXED and a == b) for a, b in zip(before, now)
    )


def _parts(item: Any) -> Iterator[object]:
    """What an object consists of, as far as calls may change it. Raises TypeError where that is not known."""
    if isinstance(item, types.FunctionType):
        if not _is_library(item.__module__):
            yield from (item.__code__, item.__defaults__, item.__kwdefaults__, *vars(item).values())
            yield from (cell.cell_contents for cell in item.__closure__ or ())
            yield from (item.__globals__.get(name, NOTHING) for name in _names(item.__code__))
    elif isinstance(item, type):
        if not _is_library(item.__module__):
            yield from (*item.__bases__, *vars(item).values())
    elif isinstance(item, torch.Tensor):
        if item.numel() > MOST_NUMBERS:
            raise TypeError
        numbers = item.detach().contiguous().reshape(-1)  # `data` changes them without a trace
        yield from (str(item.shape), item.requires_grad, item.grad)
        yield numbers.view(torch.uint8).numpy().tobytes() if len(numbers) else b""
    elif isinstance(item, (staticmethod, classmethod, types.MethodType)):
        yield from (item.__func__, getattr(item, "__self__", None))
    elif isinstance(item, property):
        yield from (item.fget, item.fset, item.fdel)
    elif isinstance(item, functools.partial):
        yield from (item.func, item.args, item.keywords)
    elif isinstance(item, functools._lru_cache_wrapper):
        yield from (item.__wrapped__, *item.cache_info())
    elif type(item) in (dict, collections.OrderedDict):
        yield from (part for pair in item.items() for part in pair)
    elif type(item) in (list, tuple, set, frozenset):
        yield from item
    elif item is not NOTHING:
        if not isinstance(item, nn.Module) and (
            _is_library(type(item).__module__) or type(item).__bases__ != (object,)
        ):
            raise TypeError
        yield from (type(item), *vars(item).values())


def _is_library(module: str | None) -> bool:
    return module != "__main__" and module in sys.modules


@functools.cache
def _names(code: types.CodeType) -> frozenset[str]:
    """The names that code looks up, also in functions within it."""
    within = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return frozenset(code.co_names).union(*map(_names, within))
