"""Call a function that counts, on a `VitConfig`: in a probe a dict of its fields, for a config is no data.

Layers that are built only to be counted get no memory: what nn's layers ask `torch.empty` for is made on the
meta device, so that 632 million parameters can be counted at once.
"""

from __future__ import annotations

import torch
from torch.overrides import TorchFunctionMode

from allyouneed.check.answers import encode_output
from allyouneed.check.wire import decode
from allyouneed.models.vit import VitConfig


class Weightless(TorchFunctionMode):
    """While it is entered, tensors that nobody has filled yet have a shape and no memory."""

    def __torch_function__(self, function, kinds, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if function is torch.empty and kwargs.get("device") is None:
            kwargs["device"] = "meta"
        return function(*args, **kwargs)


def put(candidate, probe: dict) -> dict:
    """Call the candidate on the config that the probe describes, which is frozen: it cannot be changed."""
    config = VitConfig(**decode(probe["args"])[0])
    torch.default_generator.manual_seed(0)
    with Weightless():
        output = candidate(config)
    return {"output": encode_output(output)}


def shown_call(name: str, probe: dict) -> str:
    """How a message shows the call: with the config's fields."""
    return f"{name}({VitConfig(**decode(probe['args'])[0])})"
