"""Text that may come from a stranger, made fit to be shown."""

from __future__ import annotations


def in_a_line(text: str, most: int = 300) -> str:
    """A submission's text as one printable line: it can neither steer a terminal nor look like two."""
    line = "".join(char if char.isprintable() else " " for char in text[:most])
    return line if len(text) <= most else f"{line}…"
