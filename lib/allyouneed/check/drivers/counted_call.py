"""Call a function as ``call`` does, where it may count operations with torch's FlopCounterMode.

The first operation that the counter sees loads many modules of torch, which can take as long as a call may. It happens here before time is counted.
"""

from __future__ import annotations

import contextlib

import torch

from allyouneed.check.drivers import call
from allyouneed.check.drivers.fitted_curve import _clock_stopped, _names

_loaded = False


def put(candidate, probe: dict) -> dict:
    """Ask as ``call.put`` does; a function that names the counter finds it loaded."""
    if "FlopCounterMode" in _names(candidate):
        load()
    return call.put(candidate, probe)


def load() -> None:
    """Load the counter, and with it what arithmetic on the meta device needs, once, while no clock runs."""
    global _loaded
    if _loaded:
        return
    _loaded = True
    with _clock_stopped(), contextlib.suppress(Exception):
        from torch.utils.flop_counter import FlopCounterMode

        with FlopCounterMode(display=False):
            empty = torch.empty(1, 1, device="meta")
            empty @ empty * 2
