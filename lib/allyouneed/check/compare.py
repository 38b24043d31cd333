"""When is an answer the expected one? Equal within rounding, same dtype and gradients, inputs untouched."""

from __future__ import annotations

from contextlib import suppress

import torch

from allyouneed.check.wire import WireError, decode

TOLERANCE = {torch.float64: (1e-6, 1e-7), torch.float32: (1e-4, 1e-5)}
LOOSE = (1e-4, 1e-4)


def difference(expected: dict, answer: dict, any_float: bool = False, whole: bool = True) -> str | None:
    """Return None when the answer is the expected one, else one word: what differs first.

    With `whole` false only the output counts, not the gradients and not whether the inputs were left alone.
    """
    if expected == answer:
        return None
    if "error" in expected or "error" in answer:
        return None if expected.get("error") == answer.get("error") else "error"
    if isinstance(answer.get("output"), dict) and "unreadable" in answer["output"]:
        same = (
            isinstance(expected["output"], dict)
            and expected["output"].get("unreadable") == answer["output"]["unreadable"]
        )
        return None if same else "type"
    try:
        want, got = decode(expected["output"]), decode(answer.get("output"))
        found = compare_values(want, got, any_float)
        if (
            found is None
            and expected.get("keeps_dtype")
            and getattr(want, "dtype", None) != getattr(got, "dtype", None)
        ):
            found = "dtype"  # the values may be rounded to float32 on the way, the dtype may not change
        if found is None and whole and "gradients" in expected:
            found = _compare_gradients(expected["gradients"], answer.get("gradients"))
    except (WireError, KeyError, TypeError, ValueError, AttributeError):
        return "type"
    if found is None and whole and expected.get("changed", []) != answer.get("changed", []):
        return "changed"
    return found


def _compare_gradients(expected, found) -> str | None:
    if not isinstance(found, list) or len(found) != len(expected):
        return "gradient"
    for want, got in zip(expected, found):
        if (want is None) != (got is None):
            zero = decode(want if got is None else got)
            if isinstance(zero, torch.Tensor) and not torch.count_nonzero(zero):
                continue
            return "gradient"
        if want is not None and compare_values(decode(want), decode(got), False, scale=10) is not None:
            return "gradient"
    return None


def compare_values(expected, found, any_float: bool = False, scale: float = 1.0) -> str | None:
    """Compare two decoded values; tuples and lists are the same, and lists may stand for integer tensors."""
    if isinstance(expected, torch.Tensor):
        return _compare_tensors(expected, found, any_float, scale)
    if isinstance(expected, bool):
        if isinstance(found, torch.Tensor) and found.numel() == 1 and found.dtype == torch.bool:
            found = bool(found)
        return "type" if not isinstance(found, bool) else None if found == expected else "value"
    if isinstance(expected, int):
        if isinstance(found, torch.Tensor) and found.numel() == 1 and not found.is_floating_point():
            found = int(found)
        return (
            "type"
            if isinstance(found, bool) or not isinstance(found, int)
            else None
            if found == expected
            else "value"
        )
    if isinstance(expected, float):
        return _compare_tensors(torch.tensor(expected, dtype=torch.float64), found, True, scale)
    if isinstance(expected, (list, tuple)):
        if not isinstance(found, (list, tuple)):
            return "type"
        if len(found) != len(expected):
            return "length"
        return next(
            (
                word
                for word in (
                    compare_values(want, got, any_float, scale) for want, got in zip(expected, found)
                )
                if word
            ),
            None,
        )
    if isinstance(expected, dict):
        if not isinstance(found, dict):
            return "type"
        if set(found) != set(expected):
            return "keys"
        return next(
            (
                word
                for word in (compare_values(expected[key], found[key], any_float, scale) for key in expected)
                if word
            ),
            None,
        )
    return (
        None
        if type(expected) is type(found) and expected == found
        else "value"
        if type(expected) is type(found)
        else "type"
    )


def _compare_tensors(expected: torch.Tensor, found, any_float: bool, scale: float) -> str | None:
    if isinstance(found, (list, tuple, int, float)) and not isinstance(found, bool):
        if not expected.is_floating_point() or any_float:
            with suppress(ValueError, TypeError, RuntimeError, OverflowError):  # ragged, None, beyond 64 bits
                found = torch.tensor(found)
    if not isinstance(found, torch.Tensor):
        return "type"
    if found.shape != expected.shape:
        return "shape"
    if expected.is_floating_point():
        if not found.is_floating_point() or (found.dtype != expected.dtype and not any_float):
            return "dtype"
        rtol, atol = LOOSE if any_float else TOLERANCE.get(expected.dtype, LOOSE)
        close = torch.allclose(
            found.double(), expected.double(), rtol=rtol * scale, atol=atol * scale, equal_nan=True
        )
        return None if close else "value"
    if (expected.dtype == torch.bool) != (found.dtype == torch.bool) or found.is_floating_point():
        return "dtype"
    return None if torch.equal(found.to(expected.dtype), expected) else "value"
