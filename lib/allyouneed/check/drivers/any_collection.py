"""Call a function whose arguments may be collections unknown to JSON: sets, generators, tensors, ranges.

Such an argument stands in the probe as ``{"as": "set", "items": [3, 1]}``; all others are handed over as they
are.
"""

from __future__ import annotations

import torch

from allyouneed.check.answers import encode_output, same
from allyouneed.check.shown import show
from allyouneed.check.wire import decode


def put(candidate, probe: dict) -> dict:
    """Make the collections that the probe describes, call the candidate, and say which inputs it changed."""
    arguments, keywords = (
        [_made(value) for value in values]
        for values in (decode(probe["args"]), decode(probe["kwargs"]).values())
    )
    before = [_made(value) for value in [*decode(probe["args"]), *decode(probe["kwargs"]).values()]]
    torch.default_generator.manual_seed(0)
    answer = {"output": encode_output(candidate(*arguments, **dict(zip(decode(probe["kwargs"]), keywords))))}
    changed = [
        index
        for index, (now, then) in enumerate(zip([*arguments, *keywords], before))
        if not _alike(now, then)
    ]
    if changed:
        answer["changed"] = changed
    return answer


def shown_call(name: str, probe: dict) -> str:
    """The call as Python writes it, with each collection as what it is."""
    parts = [_shown(item) for item in probe["args"]] + [
        f"{key}={_shown(item)}" for key, item in probe["kwargs"]["dict"]
    ]
    return f"{name}({', '.join(parts)})"


def _shown(data) -> str:
    value = decode(data) if isinstance(data, dict) and "dict" in data else None
    if not isinstance(value, dict) or set(value) != {"as", "items"}:
        return show(data)
    items = value["items"]
    return {
        "set": f"{{{str(items)[1:-1]}}}" if items else "set()",
        "frozenset": f"frozenset({items})",
        "tensor": f"torch.tensor({items})",
        "generator": f"(row for row in {items})",
        "keys": f"dict.fromkeys({items}).keys()",
        "range": f"range({str(items)[1:-1]})",
    }[value["as"]]


def _made(value):
    if isinstance(value, dict) and set(value) == {"as", "items"}:
        return COLLECTIONS[value["as"]](value["items"])
    return value


def _alike(now, then) -> bool:
    # a generator is meant to be used up
    return iter(then) is then if hasattr(then, "__next__") else same(now, then)


COLLECTIONS = {
    "set": set,
    "frozenset": frozenset,
    "tensor": torch.tensor,
    "generator": lambda items: (item for item in items),
    "keys": lambda items: dict.fromkeys(items).keys(),
    "range": lambda ends: range(*ends),
}
