"""Files and folders that are written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coursegrader.errors import UserError

UNUSABLE = frozenset("?*[]")  # nbgrader takes them for patterns, and the first one for the end of an address


def write_whole(path: Path, data: bytes, scratch_folder: Path | None = None) -> None:
    """Write a file as a whole or not at all; a half-written one never lies where nbgrader reads."""
    scratch = (scratch_folder or path.parent) / f".{path.name}.part"
    scratch.unlink(missing_ok=True)
    try:
        scratch.write_bytes(data)
        os.replace(scratch, path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


@contextmanager
def replaced_whole(folder: Path) -> Iterator[None]:
    """Within it, `folder` is not there and may be made anew. Where that fails or is stopped, it is there
    again as it was; after a run that was killed, at the next time."""
    before = folder.with_name(f".{folder.name}.before")
    if before.is_dir():
        shutil.rmtree(folder, ignore_errors=True)
    elif folder.is_dir():
        folder.rename(before)
    try:
        yield
    except BaseException:
        if before.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
            before.rename(folder)
        raise
    shutil.rmtree(before, ignore_errors=True)


def look_at_place(folder: Path) -> None:
    """Raise UserError where no course can be, for what the folder's path is called."""
    if found := sorted(UNUSABLE & set(str(folder))):
        raise UserError(
            f"{folder} cannot be a course folder: nbgrader would read {' '.join(found)} in its path as a "
            "pattern. Call it otherwise."
        )
