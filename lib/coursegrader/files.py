"""Files and folders that are written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coursegrader.errors import UserError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all; a half-written one never lies where nbgrader reads."""
    scratch = path.with_name(f".{path.name}.part")
    scratch.unlink(missing_ok=True)
    try:
        scratch.write_bytes(data)
        if path.is_file() and not path.is_symlink():
            scratch.chmod(stat.S_IMODE(path.stat().st_mode))
        os.replace(scratch, path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


@contextmanager
def replaced_whole(folder: Path) -> Iterator[None]:
    """Within it, `folder` is not there and may be made anew. Where that fails or is stopped, it is there
    again as it was, or not at all."""
    if folder.is_symlink():
        raise UserError(f"{folder} is a link, which a folder would replace: put the folder itself there.")
    bring_back(folder)
    before, was_there = _before(folder), folder.is_dir()
    try:
        if was_there:
            folder.rename(before)
        yield
    except BaseException:
        if before.is_dir() or not was_there:
            shutil.rmtree(folder, ignore_errors=True)
        if before.is_dir():
            before.rename(folder)
        raise
    _remove(before)


def bring_back(folder: Path) -> None:
    """After a run that was killed: put back what stood aside, unless there is a notebook again."""
    before = _before(folder)
    if not before.is_dir():
        return
    if (folder / f"{folder.name}.ipynb").is_file():
        _remove(before)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        before.rename(folder)


def _before(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.before")


def _remove(before: Path) -> None:
    """Remove what is not needed any more; what of it is left by chance is not taken for a whole folder."""
    gone = before.with_suffix(".gone")
    shutil.rmtree(gone, ignore_errors=True)
    if before.is_dir():
        before.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


@contextmanager
def as_before_if_it_fails(path: Path) -> Iterator[None]:
    """Where what is done within it fails or is stopped, the file `path` is as it was, or not there."""
    before = path.read_bytes() if path.is_file() else None
    try:
        yield
    except BaseException:
        if before is None:
            path.unlink(missing_ok=True)
        elif not path.is_file() or path.read_bytes() != before:
            write_whole(path, before)
        raise
