"""The files of an export as they are read: a folder, or a zip as Canvas and Moodle make it."""

from __future__ import annotations

import lzma
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from coursegrader.errors import UserError
from coursegrader.submissions.files import MAX_FOLDER

# what zipfile raises where a file in an archive cannot be unpacked
DAMAGED = (zipfile.BadZipFile, RuntimeError, OSError, EOFError, zlib.error, lzma.LZMAError)


@dataclass(frozen=True)
class Found:
    """One file of an export: its path there, how to read it, how large it is."""

    path: str
    read: Callable[[], bytes]
    size: int

    @property
    def depth(self) -> int:
        return len(PurePosixPath(self.path).parts)


@contextmanager
def files_of(source: Path) -> Iterator[list[Found]]:
    """The files of a folder or a zip, readable inside the `with`. Raises UserError or OSError where not all
    of them can be read."""
    if source.is_dir():
        yield [
            Found(path.relative_to(source).as_posix(), path.read_bytes, path.stat().st_size)
            for path in sorted(_everything_in(source))
            if path.is_file()
            and not path.is_symlink()
            and not _is_system_file(path.relative_to(source).parts)
        ]
        return
    try:
        archive = zipfile.ZipFile(source)
    except FileNotFoundError:
        raise UserError(f"There is no file or folder {source}.") from None
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise UserError(
            f"{source} is neither a folder nor a readable zip: download it again. ({error})"
        ) from error
    with archive:
        yield [
            Found(item.filename, partial(_unpack, archive, item), item.file_size)
            for item in archive.infolist()
            if (parts := PurePosixPath(item.filename).parts)
            and not item.is_dir()
            and not _is_system_file(parts)
        ]


def _everything_in(source: Path) -> Iterator[Path]:
    """Its files, but for those in folders of the system. Raises OSError where a folder cannot be read."""

    def stop(error: OSError) -> None:
        raise error

    for where, folders, names in os.walk(source, onerror=stop):
        folders[:] = [name for name in folders if not _is_system_file((name,))]
        yield from (Path(where, name) for name in names)


def _is_system_file(parts) -> bool:
    return any(
        (part.startswith((".", "__MACOSX")) and part != "..") or part in ("Thumbs.db", "desktop.ini")
        for part in parts
    )


def _unpack(archive: zipfile.ZipFile, item: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(item) as file:
            data = file.read(MAX_FOLDER + 1)
    except DAMAGED as error:
        raise ValueError(f"it cannot be unpacked: {error}") from error
    if len(data) > MAX_FOLDER:
        raise ValueError(f"it is larger than {MAX_FOLDER // 2**20} MiB")
    return data
