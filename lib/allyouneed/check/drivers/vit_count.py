"""Call a function on a `VitConfig` as ``vit_config`` does, where it may count layers on the meta device.

The first arithmetic on that device loads many modules of torch, which can take as long as a call may. It happens here before time is counted.
"""

from __future__ import annotations

import types

from allyouneed.check.drivers import counted_call, vit_config
from allyouneed.check.drivers.vit_config import shown_call

__all__ = ["put", "shown_call"]


def put(candidate, probe: dict) -> dict:
    """Ask as ``vit_config.put`` does; a function that speaks of the device finds its arithmetic loaded."""
    if "meta" in _texts(candidate):
        counted_call.load()
    return vit_config.put(candidate, probe)


def _texts(function) -> set[str]:
    """The texts that a function and the functions of the same module that it names hold."""
    seen, waiting, texts = set(), [function], set()
    while waiting:
        code = getattr(current := waiting.pop(), "__code__", current)
        if not isinstance(code, types.CodeType) or code in seen:
            continue
        seen.add(code)
        texts.update(constant for constant in code.co_consts if isinstance(constant, str))
        waiting += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
        waiting += [getattr(function, "__globals__", {}).get(name) for name in code.co_names]
    return texts
