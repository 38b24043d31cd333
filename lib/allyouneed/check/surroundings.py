"""What a call could leave changed for all that runs after it: settings, what modules hold, random numbers."""

from __future__ import annotations

import contextlib
import functools
import operator
import os
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import torch


def _set_default_device(device) -> None:
    torch.set_default_device(None if device.type == "cpu" else device)  # "cpu" by name would slow every call


_kept = []


def _set_inference_mode(mode: bool) -> None:
    _kept.append(torch.inference_mode(mode))  # it ends where nothing refers to it
    _kept[-1].__enter__()


FOLDER = "the working directory"
SETTINGS: dict[str, tuple[Callable, Callable]] = {
    "the default dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "the default device": (torch.get_default_device, _set_default_device),
    "whether gradients are recorded": (torch.is_grad_enabled, torch.set_grad_enabled),
    "inference mode": (torch.is_inference_mode_enabled, _set_inference_mode),
    "the number of threads": (torch.get_num_threads, torch.set_num_threads),
    "deterministic algorithms": (
        torch.are_deterministic_algorithms_enabled,
        torch.use_deterministic_algorithms,
    ),
    "anomaly detection": (torch.is_anomaly_enabled, torch.set_anomaly_enabled),
    "Python's trace function": (sys.gettrace, sys.settrace),
    "Python's profile function": (sys.getprofile, sys.setprofile),
    "the recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    FOLDER: (os.getcwd, os.chdir),
}


SEEDING = ((torch, "manual_seed"), (random, "seed"), (numpy.random, "seed"))


class Surroundings:
    """What there was at one moment; with `names` false of what modules hold nothing, which takes a tenth of
    the time."""

    def __init__(self, names: bool = True) -> None:
        self._settings = {words: get() for words, (get, _) in SETTINGS.items()}
        self._places = [(place, dict(vars(place))) for place in (_places() if names else ())]
        self._random = random.getstate(), numpy.random.get_state(), torch.get_rng_state()

    def with_settings_of_now(self) -> Surroundings:
        """The same names, with settings and random numbers as they are now: names take most of the time."""
        now = Surroundings(names=False)
        now._places = self._places
        return now

    def changed_settings(self) -> list[str]:
        """Which settings are other ones now, in words."""
        return [words for words, value in self._settings.items() if SETTINGS[words][0]() != value]

    def changed_names(self) -> list[str]:
        """Which names of modules and classes are gone, or mean what torch did not define: importing parts of
        torch replaces others."""
        return [
            f"{place.__name__}.{name}"
            for place, name, value in self._other_values()
            if not _home(vars(place).get(name)).startswith("torch")
        ]

    def unchanged(self) -> bool:
        """Whether settings and names are as they were, and no name is new."""
        return not self.changed_settings() and all(
            len(vars(place)) == len(names) and all(map(operator.is_, vars(place).values(), names.values()))
            for place, names in self._places
        )

    def restore_settings(self, but: str = "") -> None:
        for words in self.changed_settings():
            if words != but:
                SETTINGS[words][1](self._settings[words])

    def restore_random_numbers(self) -> None:
        random.setstate(self._random[0])
        numpy.random.set_state(self._random[1])
        torch.set_rng_state(self._random[2])

    def restore(self, but: str = "") -> None:
        """Make settings `but` one, and names, what they were; a name that is new stays."""
        for place, name, value in list(self._other_values()):
            setattr(place, name, value)
        self.restore_settings(but)

    def _other_values(self) -> Iterator[tuple[Any, str, object]]:
        for place, names in self._places:
            if _home(place).startswith("allyouneed"):  # its modules keep what they have loaded
                continue
            now = vars(place)
            for name, value in names.items():
                if now.get(name, _kept) is not value:
                    yield place, name, value


@contextlib.contextmanager
def seeds_noted(changed: dict[str, None]) -> Iterator[None]:
    """While the body runs, a call that seeds what every cell draws from puts its name into `changed`."""

    def noting(module, name, original):
        @functools.wraps(original)
        def seed(*args, **kwargs):
            changed[f"the random state, by {module.__name__}.{name}"] = None
            return original(*args, **kwargs)

        return seed

    seeding = [(module, name, getattr(module, name)) for module, name in SEEDING]
    for module, name, original in seeding:
        setattr(module, name, noting(module, name, original))
    try:
        yield
    finally:
        for module, name, original in seeding:
            setattr(module, name, original)


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
