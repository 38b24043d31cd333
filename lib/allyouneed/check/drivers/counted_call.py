"""Call a function as ``call`` does, where it may count operations with torch's FlopCounterMode.

The first operation that the counter sees loads many modules of torch, which can take as long as a call may.
It happens here before time is counted.
"""

from __future__ import annotations

from allyouneed.check import unclocked
from allyouneed.check.drivers import call


def put(candidate, probe: dict) -> dict:
    """Ask as ``call.put`` does; a function that names the counter finds it loaded."""
    if "FlopCounterMode" in unclocked.names_of(candidate):
        unclocked.load_flop_counter()
    return call.put(candidate, probe)
