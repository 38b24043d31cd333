"""Call a function of a list of dicts of tensors, and look whether it changed any of them in place.

Arguments and result are plain data. An argument counts as changed when the list has other dicts than before,
or a dict other names, or a tensor other numbers.
"""

from __future__ import annotations

import torch

from allyouneed.check.answers import encode_output, same
from allyouneed.check.wire import decode


def put(candidate, probe: dict) -> dict:
    """Call the candidate on the probe's arguments; a list that stands in one is compared item by item."""
    arguments, before = decode(probe["args"]), decode(probe["args"])
    torch.default_generator.manual_seed(0)
    answer = {"output": encode_output(candidate(*arguments, **decode(probe["kwargs"])))}
    changed = [place for place, (now, then) in enumerate(zip(arguments, before)) if not _same(now, then)]
    return answer | ({"changed": changed} if changed else {})


def _same(now, then) -> bool:
    if isinstance(then, (list, tuple)):
        return len(now) == len(then) and all(map(same, now, then))
    return same(now, then)
