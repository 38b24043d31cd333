"""In what form encoded values are, and how two differ in it."""

from __future__ import annotations

from allyouneed.check.wire import WireError, decode


def form_fault(expected, found, word: str) -> str | None:
    if word not in ("shape", "dtype", "type", "length", "keys"):
        return None
    try:
        decode(found)  # what cannot be decoded has no parts to look at
        other = _other_form("a result", expected, found)
    except (WireError, KeyError, TypeError, ValueError):
        other = None
    return other or f"a result of the form {form(expected)} is expected, but {form(found)} came back."


def _other_form(what: str, expected, found) -> str | None:
    """Where two encoded values differ in form: as a whole, or in the first part that does."""
    if form(expected) != form(found):
        return f"{what} of the form {form(expected)} is expected, but {form(found)} came back."
    if is_dict(expected):
        want, got = ({str(decode(key)): value for key, value in item["dict"]} for item in (expected, found))
        lacking, more = (
            [key for key in one if key not in other] for one, other in ((want, got), (got, want))
        )
        if lacking or more:
            lists = [("lacks", lacking), ("holds", more)]
            return "the dict " + " and ".join(f"{verb} {_first(keys)}" for verb, keys in lists if keys) + "."
        parts = [(f"for {key!r} a value", want[key], got[key]) for key in want]
    elif isinstance(expected, list):
        parts = [
            (f"at place {place} of the list a value", *pair)
            for place, pair in enumerate(zip(expected, found))
        ]
    else:
        return None
    return next(filter(None, (_other_form(*part) for part in parts)), None)


def _first(keys: list[str]) -> str:
    """A few keys by name, the others by number."""
    shown = ", ".join(repr(key[:40]) for key in keys[:3])
    return shown if len(keys) <= 3 else f"{shown} and {len(keys) - 3} more"


def form(data) -> str:
    """The kind, shape and dtype of encoded data, in words."""
    if isinstance(data, dict) and "tensor" in data:
        return f"tensor of shape {tuple(data['shape'])} and dtype {data['tensor']}"
    if isinstance(data, dict) and "tuple" in data:
        return "tuple (" + ", ".join(form(item) for item in data["tuple"]) + ")"
    if isinstance(data, dict) and "unreadable" in data:
        return data["unreadable"]
    if isinstance(data, list):
        return f"list of {len(data)} items"
    if isinstance(data, dict):
        return "float" if "float" in data else "dict"
    return "None" if data is None else type(data).__name__


def is_dict(output) -> bool:
    return isinstance(output, dict) and "dict" in output
