"""How a probe is put to what a student wrote: decode its inputs, call, and describe what came back as data.

One module a way of asking; an exercise names it as its driver. The module's ``put(candidate, probe)`` returns
an answer:
``{"output"}`` and, where they were asked for, ``"gradients"`` and ``"changed"``.
"""

from __future__ import annotations

import importlib
import pkgutil

from allyouneed.check.bounded import SECONDS, run_bounded


def known_drivers() -> list[str]:
    """The names of all drivers."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def load_driver(driver: str):
    """The driver's module, imported once; some import much of torch, so whoever forks does it before."""
    return importlib.import_module(f"{__name__}.{driver}")


def ask(candidate, driver: str, probe: dict, seconds: float = SECONDS) -> dict:
    """Put one probe to `candidate`: ``{"output", "gradients", "changed"}`` or ``{"error", "text"}``, data."""
    put = load_driver(driver).put
    value, error = run_bounded(lambda: put(candidate, probe), seconds)
    return error or value


def shown_call(driver: str, name: str, probe: dict) -> str | None:
    """How a message shows the call that a probe makes, where the driver has its own way to show it."""
    own = getattr(load_driver(driver), "shown_call", None)
    return own and own(name, probe)
