"""Text as it is shown: what may come from a stranger made fit for it, and numbers with their nouns."""

from __future__ import annotations


def in_a_line(text: str, most: int = 300) -> str:
    """A submission's text as one printable line: it can neither steer a terminal nor look like two."""
    line = "".join(char if char.isprintable() else " " for char in text[:most])
    return line if len(text) <= most else f"{line}…"


def counted(number: int, what: str) -> str:
    """The number with its noun."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
