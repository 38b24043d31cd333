"""What a call could leave changed for all that runs after it: settings, names, random numbers."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import sys
from collections.abc import Callable, Iterator

import numpy
import torch

from allyouneed.check.names import Names


def _set_default_device(device) -> None:
    torch.set_default_device(None if device.type == "cpu" else device)  # "cpu" by name would slow every call


_kept = []


def _set_inference_mode(mode: bool) -> None:
    _kept.append(torch.inference_mode(mode))  # it ends where nothing refers to it
    _kept[-1].__enter__()


def _folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was deleted, or unpacked anew
        return ""


def _go_to(folder: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.chdir(folder)


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
    FOLDER: (_folder, _go_to),
}


SEEDING = ((torch, "manual_seed"), (random, "seed"), (numpy.random, "seed"))


class Surroundings:
    """What there was at one moment; with `names` false of what modules hold nothing, which takes a tenth of
    the time."""

    def __init__(self, names: bool = True) -> None:
        self._settings = {words: get() for words, (get, _) in SETTINGS.items()}
        self._names = Names() if names else None
        self._random = random.getstate(), numpy.random.get_state(), torch.get_rng_state()

    def with_settings_of_now(self) -> Surroundings:
        """The same names, with settings and random numbers as they are now: names take most of the time."""
        now = Surroundings(names=False)
        now._names = self._names
        return now

    def changed_settings(self) -> list[str]:
        """Which settings are other ones now, in words."""
        return [words for words, value in self._settings.items() if SETTINGS[words][0]() != value]

    def changed_names(self) -> list[str]:
        """Which names of modules and classes are gone, or mean what torch did not define."""
        return self._names.changed() if self._names else []

    def unchanged(self) -> bool:
        """Whether settings and names are as they were, and no name is new."""
        return not self.changed_settings() and (not self._names or self._names.unchanged())

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
        if self._names:
            self._names.restore()
        self.restore_settings(but)


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
