"""What drivers make answers of: an output as data, gradients, and which arguments changed."""

from __future__ import annotations

import torch

from allyouneed.check.wire import WireError, encode


def encode_output(output):
    try:
        return encode(output)
    except WireError as error:
        return {"unreadable": str(error)}


def same(now, then) -> bool:
    """Whether an argument is as it was before the call: a dict must hold the same keys, and equal values."""
    if isinstance(then, (list, tuple)):
        return type(now) is type(then) and len(now) == len(then) and all(map(same, now, then))
    if isinstance(then, dict):
        return now.keys() == then.keys() and all(
            isinstance(now[key], type(then[key])) and same(now[key], then[key]) for key in then
        )
    if isinstance(then, torch.Tensor):
        return now.shape == then.shape and torch.equal(torch.nan_to_num(now.detach()), torch.nan_to_num(then))
    return now == then


def changes(now, then) -> dict:
    """``{"changed": [...]}`` with the numbers of the arguments that a call changed, or nothing."""
    changed = [index for index, pair in enumerate(zip(now, then)) if not same(*pair)]
    return {"changed": changed} if changed else {}


def leaves_of(values, probe: dict) -> list[torch.Tensor]:
    """The floating tensors among arguments, also in dicts; they get gradients where the probe asks."""
    items = [item for value in values for item in (value.values() if isinstance(value, dict) else (value,))]
    leaves = [item for item in items if isinstance(item, torch.Tensor) and item.is_floating_point()]
    if probe.get("gradient"):
        for leaf in leaves:
            leaf.requires_grad_(True)
    return leaves


def gradients_of(output, leaves):
    """Gradients of a fixed weighted sum of all floating outputs, one for each leaf: None, or a text for an
    input whose gradient the call has switched off."""
    outputs = output if isinstance(output, (list, tuple)) else [output]
    total = None
    for tensor in outputs:
        if isinstance(tensor, torch.Tensor) and tensor.is_floating_point() and tensor.requires_grad:
            weights = (
                torch.cos(torch.arange(tensor.numel(), dtype=torch.float64))
                .to(tensor.dtype)
                .reshape(tensor.shape)
            )
            total = (tensor * weights).sum() + (0 if total is None else total)
    if total is None:
        return [None] * len(leaves)
    # of a parameter without a gradient, torch says that it is frozen
    asked = [leaf for leaf in leaves if leaf.requires_grad or isinstance(leaf, torch.nn.Parameter)]
    came = zip(asked, torch.autograd.grad(total, asked, allow_unused=True) if asked else ())
    gradients = {id(leaf): None if gradient is None else encode(gradient) for leaf, gradient in came}
    return [gradients.get(id(leaf), "the call switched it off") for leaf in leaves]
