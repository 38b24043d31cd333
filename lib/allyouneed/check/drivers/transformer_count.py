"""Ask a function that counts a Transformer's parameters, for one shape or for the difference between two.

The first argument of the probe is a dict with the fields of a `TransformerConfig`; the candidate gets the
config. Where a second dict is there, it holds what another shape has otherwise: the answer is the other
shape's count minus the first's. So each part of a model is judged by itself: what one more layer adds, or
what an output head of its own adds.
"""

from __future__ import annotations

import torch

# torch imports it, for seconds, at the first operation on tensors that hold no numbers; here no clock runs
import torch._dynamo  # noqa: F401

from allyouneed.check.answers import encode_output
from allyouneed.check.wire import decode
from allyouneed.models.sizes import TransformerConfig


def put(candidate, probe: dict) -> dict:
    """The candidate's count, or the difference of two."""
    fields, *changes = decode(probe["args"])
    counts = [candidate(TransformerConfig(**fields | change)) for change in ({}, *changes)]
    if not all(_is_number(count) for count in counts):
        return {"output": encode_output(counts[0])}
    return {"output": encode_output(counts[1] - counts[0] if changes else counts[0])}


def _is_number(count) -> bool:
    if isinstance(count, torch.Tensor):
        return count.numel() == 1
    return isinstance(count, (int, float)) or type(count).__module__ == "numpy"


def shown_call(name: str, probe: dict) -> str:
    """The fields that are set, then what the other shape has otherwise."""
    fields, *changes = decode(probe["args"])
    shown = ", ".join(
        f"{key}={value!r}" for key, value in fields.items() if value is not False and value != 0
    )
    text = f"{name}(config) for {shown}, and all else 0 or False"
    if not changes:
        return text
    other = " and ".join(
        f"{key} is {value!r} instead of {fields[key]!r}" for key, value in changes[0].items()
    )
    return f"{text}: the difference when {other}"
