"""The same data with every number moved by its last bit: who answers otherwise then computes chance."""

from __future__ import annotations

import math

import torch

from allyouneed.check.wire import decode, encode


def moved(data):
    """A probe, or data within it, whose float32 and float64 numbers lie one unit in the last place higher or
    lower in turn. Whole numbers, infinities and NaN stay: they are places, masks and ties."""
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
    still = (numbers == numbers.round()) | ~numbers.isfinite()
    return torch.where(still, numbers, numbers.nextafter(ends))
