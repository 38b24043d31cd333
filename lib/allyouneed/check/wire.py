"""Values as data: what a probe or an answer may hold, as JSON and back. Nothing here can run code."""

from __future__ import annotations

import base64
import math

import torch

MAX_ELEMENTS = 2_000_000
MAX_ITEMS = 20_000
MAX_AXES = 64
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64,
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.int64,
        torch.int32,
        torch.int16,
        torch.int8,
        torch.uint8,
        torch.bool,
    )
}


class WireError(ValueError):
    """A value that is not plain data, or too large, or does not say what it claims."""


def encode(value, depth: int = 0):
    """Write a value (number, string, list, tuple, dict, tensor) as JSON-ready data; else raise WireError."""
    if depth > 6:
        raise WireError("nested more than six levels deep")
    if value is None or isinstance(value, (bool, str)):
        if isinstance(value, str) and len(value) > 100_000:
            raise WireError("a text of more than 100,000 characters")
        return str(value) if isinstance(value, str) else value  # numpy's texts are texts
    if isinstance(value, torch.Tensor):
        return _encode_tensor(value)
    if type(value).__module__ == "numpy":
        return _encode_tensor(_as_tensor(value))
    if isinstance(value, int):
        if value.bit_length() > 256:
            raise WireError("an integer of more than 256 bits")
        return int(value)
    if isinstance(value, float):
        return {"float": repr(float(value))}
    if isinstance(value, (list, tuple)):
        if len(value) > MAX_ITEMS:
            raise WireError(f"a sequence of more than {MAX_ITEMS:,} items")
        items = [encode(item, depth + 1) for item in value]
        return {"tuple": items} if isinstance(value, tuple) else items
    if isinstance(value, dict):
        if len(value) > MAX_ITEMS:
            raise WireError(f"a dictionary of more than {MAX_ITEMS:,} items")
        return {"dict": [[encode(key, depth + 1), encode(item, depth + 1)] for key, item in value.items()]}
    raise WireError(
        f"a {type(value).__name__}, which is neither a number, a text, a sequence, a dictionary nor a tensor"
    )


def _as_tensor(value) -> torch.Tensor:
    """What NumPy holds as a tensor: texts, dates and objects are no numbers."""
    try:
        return torch.as_tensor(value.copy() if getattr(value, "ndim", 0) else value)  # it may run backwards
    except (TypeError, RuntimeError, ValueError):
        kind = f" of dtype {value.dtype}" if hasattr(value, "dtype") else ""
        raise WireError(f"NumPy's {type(value).__name__}{kind}, which is no tensor of numbers") from None


def _encode_tensor(tensor: torch.Tensor):
    tensor = tensor.detach()
    if tensor.is_nested or tensor.is_meta or tensor.layout != torch.strided:
        raise WireError("a tensor that is nested, sparse or without numbers")
    if tensor.numel() > MAX_ELEMENTS:
        raise WireError(f"a tensor of more than {MAX_ELEMENTS:,} elements")
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in DTYPES:
        raise WireError(f"a tensor of dtype {tensor.dtype}")
    flat = torch.empty(tensor.shape, dtype=tensor.dtype)
    flat.copy_(tensor)
    raw = flat.reshape(-1).view(torch.uint8).numpy().tobytes() if flat.numel() else b""
    return {"tensor": name, "shape": list(tensor.shape), "data": base64.b64encode(raw).decode()}


def decode(data):
    """Read what `encode` wrote. A tensor marked ``strided`` is non-contiguous, for probes that need it."""
    if data is None or isinstance(data, (bool, int, str)):
        return data
    if isinstance(data, list):
        return [decode(item) for item in _few(data)]
    if not isinstance(data, dict) or not data:
        raise WireError(f"unreadable data of type {type(data).__name__}")
    if "float" in data:
        return float(data["float"])
    if "tuple" in data:
        return tuple(decode(item) for item in _few(data["tuple"]))
    if "dict" in data:
        return {decode(key): decode(item) for key, item in _few(data["dict"])}
    if "tensor" in data:
        return _decode_tensor(data)
    raise WireError(f"unreadable data with the keys {sorted(data)[:4]}")


def _few(items: list) -> list:
    if not isinstance(items, list) or len(items) > MAX_ITEMS:
        raise WireError(f"a sequence of more than {MAX_ITEMS:,} items")
    return items


def _decode_tensor(data):
    dtype, shape = DTYPES.get(data["tensor"]), data.get("shape")
    if (
        dtype is None
        or not isinstance(shape, list)
        or len(shape) > MAX_AXES
        or not all(type(size) is int and 0 <= size < 1 << 60 for size in shape)
    ):
        raise WireError("a tensor without a known dtype and shape")
    count = math.prod(shape)
    raw = base64.b64decode(data["data"], validate=True)
    if count > MAX_ELEMENTS or len(raw) != count * dtype.itemsize:
        raise WireError(f"a tensor of shape {shape} with {len(raw)} bytes")
    flat = torch.frombuffer(bytearray(raw), dtype=dtype) if count else torch.empty(0, dtype=dtype)
    tensor = flat.reshape(shape).clone()
    if data.get("strided") and len(shape) == 1:
        wide = torch.empty(shape[0] * 2, dtype=dtype)
        wide[::2] = tensor
        return wide[::2]
    if data.get("strided"):
        return _reversed(_reversed(tensor).contiguous())
    return tensor


def _reversed(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor, axes reversed; made ``contiguous()`` and reversed back, view can merge no two axes."""
    return tensor.permute(*range(tensor.dim() - 1, -1, -1))
