"""The same questions with other rounding: who answers otherwise then computes chance."""

from __future__ import annotations

import math

import torch

from allyouneed.check.wire import decode, encode

MASKS_AND_PLACES = 1000  # whole numbers up to this one stay what they are
# From Python 3.12 on a sum of floats is compensated, before it is not: here it is the other one of the two.
OTHER_SUMS = """
def sum(values, start=0, known=sum):
    import math
    values = list(values)
    if any(type(value) is not float for value in values):
        return known(values, start)
    plain = start
    for value in values:
        plain += value
    return plain if known(values, start) != plain else math.fsum([start, *values])
"""


def moved(data):
    """A probe, or data within it, whose float32 and float64 numbers lie one unit in the last place higher or
    lower in turn. Small whole numbers, infinities and NaN stay: they are places, masks and ties."""
    if isinstance(data, list):
        return [moved(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "tensor" not in data and "float" not in data:
        return {key: moved(item) for key, item in data.items()}
    numbers = decode(data)
    if "float" in data:
        numbers = torch.tensor(numbers, dtype=torch.float64)
        return encode(float(_moved(numbers))) if numbers.isfinite() else data
    if numbers.dtype not in (torch.float32, torch.float64):
        return data
    return data | {"data": encode(_moved(numbers))["data"]}


def _moved(numbers: torch.Tensor) -> torch.Tensor:
    turns = (-1.0) ** torch.arange(numbers.numel()).reshape(numbers.shape)
    ends = (turns * math.inf).to(numbers.dtype)
    whole = (numbers == numbers.round()) & (numbers.abs() <= MASKS_AND_PLACES)
    still = whole | ~numbers.isfinite()
    return torch.where(still, numbers, numbers.nextafter(ends))
