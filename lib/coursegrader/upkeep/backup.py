"""A course folder in one file, and back: everything but caches, with rights and times as they were."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tarfile
import tempfile
import zlib
from contextlib import closing
from pathlib import Path

from coursegrader.course.configuration import CONFIGURATION, gradebook_file, load_config, look_whether_empty
from coursegrader.course.place import look_at_place
from coursegrader.errors import UserError

INSIDE = "course"  # the folder in the archive
DEPTH = 3  # where folders of the course's own end, and what students handed in begins
CACHES = {"__pycache__", ".ipynb_checkpoints"}


def backup(root: Path, target: Path) -> list[str]:
    """Write the course in `root` to the file `target`; return what is not in it. Nobody but its owner can
    read the file: it holds the course's secret and all grades. Raises UserError, and leaves nothing.
    """
    target = target.absolute()
    if target.exists():
        raise UserError(f"{target} is there already, and is not overwritten: name another file.")
    if not target.parent.is_dir():
        raise UserError(f"There is no folder {target.parent}: make it, or name a file elsewhere.")
    if root in target.resolve().parents:
        raise UserError(f"{target} would be lost with the course folder: name a place outside of it.")
    gradebook, left = gradebook_file(load_config(root)), []
    look_whether_empty(gradebook)
    if gradebook is None:
        left.append("the gradebook, which is in a database of its own: back it up with the database's means")
    own = {gradebook, *(Path(f"{gradebook}-{end}") for end in ("journal", "wal", "shm"))}

    def chosen(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        path = root / Path(member.name).relative_to(INSIDE)
        if path in own or CACHES & set(path.parts):
            return None
        if member.issym() and len(path.relative_to(root).parts) <= DEPTH and not _inside(root, path):
            left.append(f"what is behind {path.relative_to(root)}, a link to {os.readlink(path)}")
        if not (member.isfile() or member.isdir() or member.issym()):
            left.append(f"{path.relative_to(root)}, which is no file")
            return None
        return member

    scratch = target.with_name(f".{target.name}.part")
    try:
        scratch.touch(0o600)
        with tarfile.open(scratch, "w:gz") as archive:
            archive.add(root, INSIDE, filter=chosen)
            if gradebook is not None:  # last, so that nothing counts as graded that is not in it
                _add_gradebook(archive, gradebook, root)
        os.link(scratch, target)
    except FileExistsError as error:
        raise UserError(f"{target} is there already, and is not overwritten: name another file.") from error
    finally:
        scratch.unlink(missing_ok=True)
    return left


def _inside(root: Path, link: Path) -> bool:
    return Path(os.path.realpath(link)).is_relative_to(os.path.realpath(root))


def restore(source: Path, folder: Path) -> Path:
    """Make the folder `folder` of a backup: all of it, or nothing; what exists is never overwritten."""
    folder = folder.absolute()
    look_at_place(folder)
    if folder.exists():
        raise UserError(f"{folder} is there already, and is not overwritten: name a folder that is not.")
    if not source.exists():
        raise UserError(f"There is no file or folder {source}.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        with tarfile.open(source, "r:gz") as archive:
            archive.extractall(scratch, filter=_as_it_was)
        if not (scratch / INSIDE / CONFIGURATION).is_file():
            raise UserError(f"{source} is no backup that coursegrader has made.")
        if not _is_whole(_gradebook_in(scratch / INSIDE)):
            raise UserError(f"The gradebook in {source} is damaged: take an earlier backup.")
        (scratch / INSIDE).rename(folder)
    except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
        if isinstance(error, OSError) and not isinstance(error, tarfile.TarError) and error.errno:
            raise
        raise UserError(f"{source} is no whole backup: take another. ({error})") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _as_it_was(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo:
    tarfile.tar_filter(member, folder)  # refuses what would lie outside; it would also change rights
    return member


def _gradebook_in(restored: Path) -> Path | None:
    """The gradebook's file; None where there is none, or where the configuration cannot be used on this
    machine, of which the doctor tells.
    """
    try:
        return gradebook_file(load_config(restored))
    except UserError:
        return None


def _add_gradebook(archive: tarfile.TarFile, gradebook: Path, root: Path) -> None:
    """A copy of it as it is at one moment, whoever uses it meanwhile."""
    with tempfile.TemporaryDirectory(dir=root.parent) as folder:
        copy = Path(folder) / gradebook.name
        copy.touch(stat.S_IMODE(gradebook.stat().st_mode))
        with closing(sqlite3.connect(gradebook)) as from_, closing(sqlite3.connect(copy)) as to:
            from_.execute("PRAGMA query_only = true")
            from_.execute("BEGIN")  # whoever writes waits; `backup` itself would wait for a writer for ever
            from_.execute("SELECT count(*) FROM sqlite_master").fetchone()
            from_.backup(to)
        archive.add(copy, f"{INSIDE}/{gradebook.relative_to(root)}")


def _is_whole(gradebook: Path | None) -> bool:
    if gradebook is None:
        return True
    try:
        with closing(sqlite3.connect(gradebook)) as database:
            return database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    except sqlite3.DatabaseError:
        return False
