"""Call a function on the probe's arguments, which may be dicts of tensors."""

from __future__ import annotations

import torch

from allyouneed.check.answers import changes, encode_output, gradients_of, leaves_of
from allyouneed.check.wire import decode


def put(candidate, probe: dict) -> dict:
    """Call the candidate on the probe's arguments; where asked, send a gradient back through the result."""
    arguments, keywords = decode(probe["args"]), decode(probe["kwargs"])
    leaves = leaves_of(arguments, probe)
    # torch.manual_seed also writes down its caller for each kind of accelerator
    torch.default_generator.manual_seed(0)
    output = candidate(*arguments, **keywords)
    answer = {"output": encode_output(output)}
    if probe.get("gradient"):
        answer["gradients"] = gradients_of(output, leaves)
    return answer | changes(arguments, decode(probe["args"]))
