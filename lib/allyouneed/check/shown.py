"""Encoded values and calls as short text, as messages show them."""

from __future__ import annotations

from allyouneed.check.forms import form
from allyouneed.check.wire import decode


def show(data) -> str:
    """Encoded data as short text: small tensors in full, large ones by shape."""
    if isinstance(data, dict) and "tuple" in data:
        return "(" + ", ".join(show(item) for item in data["tuple"]) + ")"
    if isinstance(data, dict) and "tensor" in data:
        value = decode(data)
        if value.numel() > 16 or not value.numel():
            return f"<{form(data)}>"
        numbers = [
            [round(number, 4) if isinstance(number, float) else number for number in row]
            for row in value.reshape(-1, value.shape[-1] if value.dim() else 1).tolist()
        ]
        text = str(numbers[0] if value.dim() == 1 else numbers[0][0] if value.dim() == 0 else numbers)
        return text if value.dim() <= 2 else f"{text} of shape {tuple(value.shape)}"
    if isinstance(data, dict) and "unreadable" in data:
        return data["unreadable"]
    return repr(decode(data))[:200]


def show_call(name: str, probe: dict) -> str:
    parts = [show(item) for item in probe["args"]]
    parts += (
        [f"{key.strip()}={show(item)}" for key, item in probe["kwargs"]["dict"]] if probe["kwargs"] else []
    )
    return f"{name}({', '.join(parts)})"
