"""Call a function on the probe's arguments."""

from __future__ import annotations

import torch

from allyouneed.check.answers import encode_output, gradients_of, same
from allyouneed.check.wire import decode


def put(candidate, probe: dict) -> dict:
    """Call the candidate on the probe's arguments; where asked, send a gradient back through the result."""
    arguments, keywords = decode(probe["args"]), decode(probe["kwargs"])
    before = decode(probe["args"])
    leaves = [value for value in arguments if isinstance(value, torch.Tensor) and value.is_floating_point()]
    if probe.get("gradient"):
        for leaf in leaves:
            leaf.requires_grad_(True)
    # torch.manual_seed also writes down its caller for each kind of accelerator
    torch.default_generator.manual_seed(0)
    output = candidate(*arguments, **keywords)
    answer = {"output": encode_output(output)}
    if probe.get("gradient"):
        answer["gradients"] = gradients_of(output, leaves)
    changed = [index for index, (now, then) in enumerate(zip(arguments, before)) if not same(now, then)]
    if changed:
        answer["changed"] = changed
    return answer
