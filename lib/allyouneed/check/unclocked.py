"""What is imported for a candidate while no clock runs: the import alone can take as long as a call may."""

from __future__ import annotations

import contextlib
import signal
import sys
import types

import torch

_flop_counter_loaded = False


def names_of(function, depth: int = 0) -> set[str]:
    """The names that a function and the functions it calls look up, as far as they can be seen."""
    code, names = getattr(function, "__code__", None), set()
    waiting = [code] if code else []
    while waiting:
        current = waiting.pop()
        names.update(part for name in current.co_names for part in name.split("."))
        waiting += [constant for constant in current.co_consts if isinstance(constant, types.CodeType)]
    for name in list(names) if depth < 3 else []:
        value = getattr(function, "__globals__", {}).get(name)
        if isinstance(value, types.FunctionType) and value is not function:
            names |= names_of(value, depth + 1)
    return names


@contextlib.contextmanager
def clock_stopped():
    """Stop the timers that limit a call, and what watches its calls, and let both go on afterwards."""
    watching = sys.getprofile()
    clocks = (signal.ITIMER_PROF, signal.ITIMER_REAL) if hasattr(signal, "setitimer") else ()
    sys.setprofile(None)
    left = [signal.setitimer(clock, 0) for clock in clocks]
    try:
        yield
    finally:
        for clock, (seconds, interval) in zip(clocks, left):
            signal.setitimer(clock, seconds, interval)
        sys.setprofile(watching)


def load_flop_counter() -> None:
    """Load torch's FlopCounterMode and what the meta device's arithmetic needs, once, while no clock runs."""
    global _flop_counter_loaded
    if _flop_counter_loaded:
        return
    _flop_counter_loaded = True
    with clock_stopped(), contextlib.suppress(Exception):
        from torch.utils.flop_counter import FlopCounterMode

        with FlopCounterMode(display=False):
            empty = torch.empty(1, 1, device="meta")
            empty @ empty * 2
