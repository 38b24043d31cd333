"""Call a function that returns a dict, and look at one entry: so each number is judged by itself."""

from __future__ import annotations

from allyouneed.check.answers import encode_output
from allyouneed.check.wire import decode


def put(candidate, probe: dict) -> dict:
    """Call the candidate; the answer is the entry of its result that the probe names under ``entry``."""
    output, key = candidate(*decode(probe["args"]), **decode(probe["kwargs"])), probe["entry"]
    if output is None:
        return {"output": None}
    if not isinstance(output, dict):
        return {"output": {"unreadable": f"a {type(output).__name__} instead of a dict"}}
    if key not in output:
        return {"output": {"unreadable": f"a dict without the key {key!r}"}}
    return {"output": encode_output(output[key])}
