"""A value as short text that can be read, and worked out, exactly: two decimals, nested lists, shapes."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal

import torch

from allyouneed.check.variants import shown

MOST_NUMBERS, LONGEST = 16, 130
EXACT = 1000  # up to here two decimals of a number can be trusted
ROUNDED, NEAR = 2, 0.06  # decimals; results that differ by less, as a share, do not differ visibly


def tell(value) -> str:
    """A number, text, tensor, or a few of them; a large tensor by its shape alone."""
    if isinstance(value, torch.Tensor):
        if value.numel() > MOST_NUMBERS or not value.numel():
            return f"a tensor of shape {tuple(value.shape)}"
        return _nested(value.tolist())
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(tell, value))
        if isinstance(value, tuple):
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return f"[{inner}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{tell(key)}: {tell(item)}" for key, item in value.items()) + "}"
    return _number(value)


def _nested(value) -> str:
    return "[" + ", ".join(map(_nested, value)) + "]" if isinstance(value, list) else _number(value)


def _number(value) -> str:
    if isinstance(value, float):
        if not math.isfinite(value):
            return {math.inf: "∞", -math.inf: "−∞"}.get(value, "nan")
        rounded = _half_up(value)
        return f"{rounded + 0:.{ROUNDED}f}".rstrip("0").rstrip(".").replace("-0", "0", bool(rounded == 0))
    return repr(value)


def _half_up(value: float) -> float:
    """Rounded as one learns it in school: 0.005 and 0.125 go up, though float32 may hold a little less."""
    if abs(value) > EXACT:
        return round(value, ROUNDED)
    return float(Decimal(str(round(float(value), 6))).quantize(Decimal(1).scaleb(-ROUNDED), ROUND_HALF_UP))


def tell_answer(answer: dict | None) -> str | None:
    """The text of an answer's output; None where there is none that can be read at once."""
    if not answer or "output" not in answer:
        return None
    value = shown(answer["output"])
    if value is None:
        return None
    text = tell(value)
    whole = "a tensor of shape" not in text and "nan" not in text
    found = [number for number in numbers(value) if number]
    if found and all(abs(number) < 0.5 * 10**-ROUNDED for number in found):
        return None  # all of it would be told as 0
    if any(abs(number) > EXACT and number != round(number) for number in found if math.isfinite(number)):
        return None  # its decimals are those of rounding
    return text if whole and len(text) <= LONGEST and count(value) else None


def numbers(value) -> list[float]:
    """All numbers of a value in order."""
    if isinstance(value, torch.Tensor):
        return value.double().reshape(-1).tolist()
    if isinstance(value, (list, tuple)):
        return [item for part in value for item in numbers(part)]
    if isinstance(value, dict):
        return [item for part in value.values() for item in numbers(part)]
    return [float(value)] if isinstance(value, (int, float)) else []


def count(value) -> int:
    """How many numbers or texts a value holds."""
    if isinstance(value, str):
        return 1
    if isinstance(value, (list, tuple)):
        return sum(map(count, value))
    return len(numbers(value))


def form(value) -> tuple[str, bool]:
    """What is seen of a value before any number is read: its brackets, and whether the numbers are whole."""
    found = [number for number in numbers(value) if math.isfinite(number)]
    return re.sub(r"[^\[\](),]", "", tell(value)), all(number == round(number) for number in found)


def apart(one, other) -> bool:
    """Whether two values differ so that everybody sees it."""
    if tell(one) == tell(other):
        return False
    first, second = numbers(one), numbers(other)
    if len(first) != len(second) or not first:
        return True
    return any(
        not abs(a - b) <= NEAR * max(1.0, min(abs(a), abs(b))) for a, b in zip(first, second) if a != b
    )


def weight(value) -> float:
    """How much work numbers are: how many, how large, and how many of them are no whole ones."""
    found = [number for number in numbers(value) if math.isfinite(number)]
    return sum(0.1 + 0.02 * min(abs(number), 20) + 0.1 * (number != round(number)) for number in found)
