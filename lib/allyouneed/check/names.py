"""What the names of modules and of layers' classes mean, and whether calls have changed that.

To walk through thousands of values counts a reference to each, and a forked child then copies every page that
one of them stands on: a third of what it costs to ask an exercise. So the table of each module's names is
first compared as bytes, which counts nothing, and only where those differ the values are looked at.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from array import array
from collections.abc import Iterator
from typing import Any

import torch

# Where CPython keeps a dict's table: behind the object's head, its length and its version. A table begins
# with a count, its form (which says how long it is) and a version; count and version change though no name
# does.
AT, FORM, HEAD = object.__basicsize__ + 16, slice(8, 11), 16
KNOWN = sys.implementation.name == "cpython" and (3, 11) <= sys.version_info < (3, 14)
ANYTHING = object()


class Names:
    """What there was at one moment."""

    def __init__(self) -> None:
        self._places = [(place, dict(vars(place))) for place in _places()]
        self._tables = _Tables([_dict_of(place) for place, _ in self._places])

    def changed(self) -> list[str]:
        """Which names are gone, or mean what torch did not define: importing a part of it replaces others."""
        return [
            f"{place.__name__}.{name}"
            for place, name, _ in self._other_values()
            if not _home(vars(place).get(name)).startswith("torch")
        ]

    def unchanged(self) -> bool:
        """Whether all names are as they were, and none is new."""
        return all(
            len(vars(place)) == len(names) and not any(_others(place, names))
            for place, names in self._touched()
        )

    def restore(self) -> None:
        """Make names what they were; one that is new stays."""
        for place, name, value in list(self._other_values()):
            setattr(place, name, value)

    def _touched(self) -> Iterator[tuple[Any, dict[str, object]]]:
        return map(self._places.__getitem__, self._tables.touched())

    def _other_values(self) -> Iterator[tuple[Any, str, object]]:
        for place, names in self._touched():
            if _home(place).startswith("allyouneed"):  # its modules keep what they have loaded
                continue
            for name, value in _others(place, names):
                yield place, name, value


def _others(place: Any, names: dict[str, object]) -> Iterator[tuple[str, object]]:
    """Those of `names` that are gone or mean something else now."""
    now = vars(place)
    return ((name, value) for name, value in names.items() if now.get(name, ANYTHING) is not value)


class _Tables:
    """The tables of dicts that live at least as long as this; the values that they hold now must, too."""

    def __init__(self, dicts: list[dict]) -> None:
        self._dicts = dicts
        self._pointers = array("Q", (id(one) + AT for one in dicts))
        self._sizes = array("Q", (dict.__sizeof__(one) - dict.__basicsize__ for one in dicts))
        self._known = KNOWN and min(self._sizes, default=HEAD) >= HEAD
        self._starts = array("Q", map(self._start, self._pointers))
        self._forms = array("Q", map(self._form, self._starts))
        self._before = self._seen()

    def touched(self) -> list[int]:
        """The numbers of those that may hold other names or values now."""
        pairs = zip(self._before, self._seen())
        return [number for number, (before, now) in enumerate(pairs) if now != before or not self._known]

    def _start(self, pointer: int) -> int:
        return ctypes.c_size_t.from_address(pointer).value if self._known else 0

    def _form(self, start: int) -> int:
        return int.from_bytes(ctypes.string_at(start, HEAD)[FORM]) if self._known else 0

    def _seen(self) -> array:
        """A number for each table, 0 for one that is not where and what it was: its length is not known."""
        tables = zip(self._pointers, self._starts, self._forms, self._sizes)
        return array(
            "q",
            (
                hash(ctypes.string_at(start + HEAD, size - HEAD))
                if self._known and self._start(pointer) == start and self._form(start) == form
                else 0
                for pointer, start, form, size in tables
            ),
        )


def _dict_of(place) -> dict:
    """The dict itself of a module's or a class's names."""
    names = vars(place)
    return names if isinstance(names, dict) else gc.get_referents(names)[0]


def _home(value) -> str:
    """The module that a value is, or that defined it as far as it says so."""
    return str(getattr(value, "__module__", None) or getattr(value, "__name__", ""))


def _places() -> list:
    """The modules whose names a call may be after, and the classes of layers in them."""
    modules: list = [
        torch,
        torch.Tensor,
        torch.linalg,
        torch.random,
        torch.nn,
        torch.nn.functional,
        torch.nn.init,
        *map(sys.modules.get, ("builtins", "math", "random", "copy", "numpy")),
    ]
    modules += [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "allyouneed"]
    classes = [
        value
        for module in modules
        if module is not None
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__.startswith(("torch.nn.modules", "allyouneed."))
    ]
    return list(dict.fromkeys(place for place in (*modules, *classes) if place is not None))
