"""The files of a submission: which of them may be read, and which is the notebook."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from nbgrader.utils import parse_utc

if TYPE_CHECKING:  # nbgrader's own commands need this module, and not torch
    from coursegrader.course.problem_set import ProblemSet

MAX_FOLDER, MAX_FILES = 100 * 2**20, 200
ALLOWED = {
    ".ipynb",
    ".txt",
    ".md",
    ".csv",
    ".tsv",
    ".json",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".pdf",
    ".npy",
    ".safetensors",
}
RESERVED = re.compile(
    r"(rubric|conftest|verdicts|sitecustomize|usercustomize|gradebook|.*_config)\b.*", re.IGNORECASE
)
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.,()+-]{0,99}")
TIMESTAMP = "timestamp.txt"  # beside a submission, when it was handed in, as nbgrader keeps it
TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?( ?[A-Za-z0-9:+/_-]{1,40})?")


class PreflightError(Exception):
    """A submission that cannot be graded, in words for the instructor and the student: what is wrong, and
    what to do.
    """


@dataclass(frozen=True)
class Readable:
    """What of a submission may be read: its one notebook, the files beside it, and what is said about the
    others.
    """

    notebook: Path
    others: list[Path]
    findings: list[str]


def readable(folder: Path, problem_set: ProblemSet) -> Readable:
    """Sort out the files of a submission; nothing is changed. Raises PreflightError where there is not one
    notebook to grade.
    """
    if folder.is_symlink() or not folder.is_dir():
        raise PreflightError("The submission is not a folder.")
    findings, kept, own, total = [], [], [], 0
    for path in _everything_below(folder):
        problem = _why_not(path, folder, problem_set)
        if problem == "":
            own.append(path)
        elif problem is not None:
            findings.append(f"{_printable_path(path.relative_to(folder))} was set aside: {problem}.")
        else:
            kept.append(path)
            total += path.lstat().st_size
    if total > MAX_FOLDER or len(kept) > MAX_FILES:
        raise PreflightError(
            f"The submission holds {len(kept)} files and {total / 2**20:.0f} MiB; at "
            f"most {MAX_FILES} files and {MAX_FOLDER // 2**20} MiB are read. Hand in the "
            "notebook alone."
        )
    notebooks = [path for path in kept if path.suffix.lower() == ".ipynb"]
    notebook, found = _the_notebook(folder, notebooks, problem_set.name)
    return Readable(notebook, own + [path for path in kept if path not in notebooks], findings + found)


def who_handed_in(root: Path, problem_set: str) -> set[str]:
    """Whose submission lies in the course folder, in the gradebook or not; also whose folder cannot be looked
    into, which is said when it is graded."""
    folder = root / "submitted"
    return (
        {path.name for path in folder.iterdir() if may_hold(path / problem_set)} if folder.is_dir() else set()
    )


def may_hold(folder: Path) -> bool:
    """Whether the folder is there, as far as can be seen."""
    try:
        return stat.S_ISDIR(folder.stat().st_mode)
    except PermissionError:
        return True
    except OSError:
        return False


def time_of(folder: Path) -> datetime | None:
    """When a submission was handed in (UTC), or None where that is not known."""
    path = folder / TIMESTAMP
    if path.is_symlink() or not path.is_file() or path.stat().st_size >= 200:
        return None
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    try:
        return parse_utc(text) if TIME.fullmatch(text) else None
    except (ValueError, OverflowError):
        return None


def _everything_below(folder: Path) -> list[Path]:
    """Everything below `folder` that is not an ordinary directory; links are not followed."""
    found = []
    for where, directories, files in os.walk(folder):
        links = [name for name in directories if (Path(where) / name).is_symlink()]
        found += [Path(where) / name for name in (*links, *files)]
        if len(found) > 100 * MAX_FILES:
            raise PreflightError(
                f"The submission holds more than {100 * MAX_FILES} files. Hand in the notebook alone."
            )
    return sorted(found)


def _why_not(path: Path, folder: Path, problem_set: ProblemSet) -> str | None:
    """Why a file is set aside; None if it may stay, and an empty text if it is nbgrader's own."""
    relative, mode = path.relative_to(folder), path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "links are not followed"
    if not stat.S_ISREG(mode):
        return "it is not a file"
    if relative.as_posix() == TIMESTAMP:
        known = time_of(folder) is not None
        return "" if known else "it does not hold a date, so the time of submission is unknown"
    if RESERVED.fullmatch(path.name):
        return "this name belongs to the grader"
    if any(part.startswith(".") for part in relative.parts):
        return "hidden files are not read"
    if path.suffix.lower() == ".ipynb" and len(relative.parts) == 1:
        return None
    if not all(PLAIN_NAME.fullmatch(part) for part in relative.parts):
        return "its name has characters other than the letters a to z, digits, spaces and _ . , ( ) + -"
    if path.suffix.lower() not in ALLOWED and not (problem_set.folder / relative).is_file():
        return (
            "files of this kind are not read. Code belongs in the notebook"
            if path.suffix == ".py"
            else "files of this kind are not read"
        )
    return None


def _the_notebook(folder: Path, notebooks: list[Path], name: str) -> tuple[Path, list[str]]:
    """The notebook that is graded: the one of the right name, else the only one."""
    right = folder / f"{name}.ipynb"
    shown = {path: _printable_path(path.relative_to(folder)) for path in notebooks}
    if right in notebooks:
        return right, [
            f"{shown[path]} was set aside: only {name}.ipynb is graded."
            for path in notebooks
            if path != right
        ]
    if not notebooks:
        raise PreflightError(f"There is no notebook in the submission. Hand in {name}.ipynb.")
    if len(notebooks) > 1:
        raise PreflightError(
            f"There are {len(notebooks)} notebooks and none is called {name}.ipynb: "
            f"{', '.join(shown.values())}. Hand in one of them, called {name}.ipynb."
        )
    if re.fullmatch(rf"{re.escape(name)}(-\d+| ?\(\d+\))", notebooks[0].stem):
        return notebooks[0], []  # as Canvas and browsers call what is sent again
    return notebooks[0], [f"{shown[notebooks[0]]} was taken for {name}.ipynb, as the only notebook."]


def _printable_path(path: Path) -> str:
    """A file's name as one printable line of ASCII."""
    text = str(path).encode("ascii", "backslashreplace").decode()
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)[:120]
