"""How a probe is put to what a student wrote: decode its inputs, call, and describe what came back as data."""

from __future__ import annotations

import torch

from allyouneed.check import set_functions
from allyouneed.check.bounded import SECONDS, run_bounded
from allyouneed.check.wire import WireError, decode, encode


def ask(candidate, driver: str, probe: dict, seconds: float = SECONDS) -> dict:
    """Put one probe to `candidate`; return ``{"output", "gradients", "changed"}`` or ``{"error", "text"}``, all data."""
    value, error = run_bounded(lambda: DRIVERS[driver](candidate, probe), seconds)
    return error or value


def _call(candidate, probe: dict) -> dict:
    """Call the candidate on the probe's arguments; where the probe asks for it, send a gradient back through the result."""
    arguments, keywords = decode(probe["args"]), decode(probe["kwargs"])
    before = decode(probe["args"])
    leaves = [value for value in arguments if isinstance(value, torch.Tensor) and value.is_floating_point()]
    if probe.get("gradient"):
        for leaf in leaves:
            leaf.requires_grad_(True)
    torch.manual_seed(0)
    output = candidate(*arguments, **keywords)
    answer = {"output": _encode_output(output)}
    if probe.get("gradient"):
        answer["gradients"] = _gradients(output, leaves)
    changed = [index for index, (now, then) in enumerate(zip(arguments, before)) if not _same(now, then)]
    if changed:
        answer["changed"] = changed
    return answer


def _encode_output(output):
    try:
        return encode(output)
    except WireError as error:
        return {"unreadable": str(error)}


def _same(now, then) -> bool:
    if isinstance(then, torch.Tensor):
        return now.shape == then.shape and torch.equal(torch.nan_to_num(now.detach()), torch.nan_to_num(then))
    return now == then


def _gradients(output, leaves):
    """Gradients of a fixed weighted sum of all floating outputs, one for each floating input."""
    outputs = output if isinstance(output, (list, tuple)) else [output]
    total = None
    for tensor in outputs:
        if isinstance(tensor, torch.Tensor) and tensor.is_floating_point() and tensor.requires_grad:
            weights = torch.cos(torch.arange(tensor.numel(), dtype=torch.float64)).to(tensor.dtype).reshape(tensor.shape)
            total = (tensor * weights).sum() + (0 if total is None else total)
    if total is None:
        return [None] * len(leaves)
    gradients = torch.autograd.grad(total, leaves, allow_unused=True)
    return [None if gradient is None else encode(gradient) for gradient in gradients]


def _call_with_set_function(candidate, probe: dict) -> dict:
    """The first argument is the description of a function on sets; build it, and hand it over with the other arguments."""
    spec, *arguments = decode(probe["args"])
    torch.manual_seed(0)
    return {"output": _encode_output(candidate(set_functions.build(**spec), *arguments))}


DRIVERS = {"call": _call, "set_function": _call_with_set_function}
