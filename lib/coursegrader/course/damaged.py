"""Files of a course that were cut off, or edited into another shape than their readers expect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coursegrader.errors import UserError
from coursegrader.text import in_a_line

STUMBLES = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


@contextmanager
def said_if_damaged(path: Path, mend: str) -> Iterator[None]:
    """Whatever reading the file `path` stumbles over is a UserError that says how to `mend` it."""
    try:
        yield
    except STUMBLES as error:
        why = in_a_line(f"{type(error).__name__}: {error}", 150)
        raise UserError(f"{path} is damaged: {mend}. ({why})") from error
