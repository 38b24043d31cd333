"""Memory that torch and NumPy leave unwritten, made to hold NaN: what chance left there is no result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def unwritten_as_nan() -> Iterator[None]:
    """While the body runs, ``empty`` and its like give NaN, or the largest whole number."""
    before = torch.are_deterministic_algorithms_enabled()
    warns = torch.is_deterministic_algorithms_warn_only_enabled()
    real = {name: getattr(np, name) for name in ("empty", "empty_like")}
    torch._C._set_deterministic_algorithms(True, warn_only=True)
    for name, function in real.items():
        setattr(np, name, _filled(function))
    try:
        yield
    finally:
        for name, function in real.items():
            setattr(np, name, function)
        torch._C._set_deterministic_algorithms(before, warn_only=warns)


def _filled(function):
    def made(*args, **keywords):
        array = function(*args, **keywords)
        kind = array.dtype.kind
        array.fill(np.nan if kind in "fc" else np.iinfo(array.dtype).max if kind in "iu" else 0)
        return array

    return made
