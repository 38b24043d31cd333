"""Call a function on the probe's arguments. The parts below serve the other drivers too."""

from __future__ import annotations

import torch

from allyouneed.check.wire import WireError, decode, encode


def put(candidate, probe: dict) -> dict:
    """Call the candidate on the probe's arguments; where the probe asks for it, send a gradient back through the result."""
    arguments, keywords = decode(probe["args"]), decode(probe["kwargs"])
    before = decode(probe["args"])
    leaves = [value for value in arguments if isinstance(value, torch.Tensor) and value.is_floating_point()]
    if probe.get("gradient"):
        for leaf in leaves:
            leaf.requires_grad_(True)
    torch.default_generator.manual_seed(0)  # torch.manual_seed also writes down its caller for each kind of accelerator
    output = candidate(*arguments, **keywords)
    answer = {"output": encode_output(output)}
    if probe.get("gradient"):
        answer["gradients"] = gradients_of(output, leaves)
    changed = [index for index, (now, then) in enumerate(zip(arguments, before)) if not same(now, then)]
    if changed:
        answer["changed"] = changed
    return answer


def encode_output(output):
    try:
        return encode(output)
    except WireError as error:
        return {"unreadable": str(error)}


def same(now, then) -> bool:
    if isinstance(then, torch.Tensor):
        return now.shape == then.shape and torch.equal(torch.nan_to_num(now.detach()), torch.nan_to_num(then))
    return now == then


def gradients_of(output, leaves):
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
