"""The files of a submission: set aside what may not be there, and give the only notebook its name."""

from __future__ import annotations

import os
import re
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # nbgrader's own commands need this module, and not torch
    from coursegrader.problemset import ProblemSet

MAX_FOLDER, MAX_FILES = 100 * 2**20, 200
ALLOWED = {".ipynb", ".txt", ".md", ".csv", ".tsv", ".json", ".png", ".jpg", ".jpeg", ".gif", ".pdf", ".npy", ".safetensors"}
RESERVED = re.compile(r"(rubric|conftest|verdicts|sitecustomize|usercustomize|gradebook|.*_config)\b.*", re.IGNORECASE)
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.,()+-]{0,99}")
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?( ?[A-Za-z0-9:+/_-]{1,40})?")


class PreflightError(Exception):
    """A submission that cannot be graded, in words for the instructor and the student: what is wrong, and what to do."""


def check_files(folder: Path, keep: Path, problem_set: ProblemSet) -> list[str]:
    """Set aside what may not be there, and give the only notebook its name."""
    if folder.is_symlink() or not folder.is_dir():
        raise PreflightError("The submission is not a folder.")
    findings, kept, total = [], [], 0
    for path in _walk(folder):
        problem = _why_not(path, folder, problem_set)
        if problem == "":
            continue
        if problem is not None:
            _set_aside(path, folder, keep)
            findings.append(f"{_shown(path.relative_to(folder))} was set aside: {problem}.")
            continue
        kept.append(path)
        total += path.lstat().st_size
    if total > MAX_FOLDER or len(kept) > MAX_FILES:
        raise PreflightError(f"The submission holds {len(kept)} files and {total / 2**20:.0f} MiB; at most {MAX_FILES} files and "
                             f"{MAX_FOLDER // 2**20} MiB are read. Hand in the notebook alone.")
    return findings + _name_notebook(folder, [path for path in kept if path.suffix.lower() == ".ipynb"], keep, problem_set.name)


def _walk(folder: Path) -> list[Path]:
    """Everything below `folder` that is not an ordinary directory; links are not followed."""
    found = []
    for where, directories, files in os.walk(folder):
        links = [name for name in directories if (Path(where) / name).is_symlink()]
        found += [Path(where) / name for name in (*links, *files)]
        if len(found) > 100 * MAX_FILES:
            raise PreflightError(f"The submission holds more than {100 * MAX_FILES} files. Hand in the notebook alone.")
    return sorted(found)


def _why_not(path: Path, folder: Path, problem_set: ProblemSet) -> str | None:
    """Why a file is set aside; None if it may stay, and an empty text if it is nbgrader's own."""
    relative, mode = path.relative_to(folder), path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "links are not followed"
    if not stat.S_ISREG(mode):
        return "it is not a file"
    if relative.as_posix() == "timestamp.txt":
        good = path.stat().st_size < 200 and TIMESTAMP.fullmatch(path.read_text(encoding="utf-8", errors="replace").strip())
        return "" if good else "it does not hold a date, so the time of submission is unknown"
    if RESERVED.fullmatch(path.name):
        return "this name belongs to the grader"
    if any(part.startswith(".") for part in relative.parts):
        return "hidden files are not read"
    if path.suffix.lower() == ".ipynb" and len(relative.parts) == 1:
        return None
    if not all(PLAIN_NAME.fullmatch(part) for part in relative.parts):
        return "its name has characters other than the letters a to z, digits, spaces and _ . , ( ) + -"
    if path.suffix.lower() not in ALLOWED and not (problem_set.folder / relative).is_file():
        return "files of this kind are not read. Code belongs in the notebook" if path.suffix == ".py" else "files of this kind are not read"
    return None


def _set_aside(path: Path, folder: Path, keep: Path) -> None:
    """Move a file to the originals. A link becomes a text that says where it led, so that nothing there leads elsewhere."""
    target = keep / path.relative_to(folder)
    for parent in target.parents:
        if keep in parent.parents and parent.exists() and not parent.is_dir():
            parent.unlink()
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir():
        shutil.rmtree(target)
    if path.is_symlink():
        write_whole(target, f"a link to {os.readlink(path)}\n".encode("utf-8", "surrogateescape"))
        path.unlink()
    else:
        os.replace(path, target)


def _name_notebook(folder: Path, notebooks: list[Path], keep: Path, name: str) -> list[str]:
    """Give the only notebook the name that nbgrader looks for, and set others aside."""
    right = folder / f"{name}.ipynb"
    if right not in notebooks:
        if not notebooks:
            raise PreflightError(f"There is no notebook in the submission. Hand in {name}.ipynb.")
        if len(notebooks) > 1:
            shown = ", ".join(_shown(path.relative_to(folder)) for path in notebooks)
            raise PreflightError(f"There are {len(notebooks)} notebooks and none is called {name}.ipynb: {shown}. "
                                 f"Hand in one of them, called {name}.ipynb.")
        os.replace(notebooks[0], right)
        return [f"{_shown(notebooks[0].relative_to(folder))} was taken for {name}.ipynb, as the only notebook."]
    findings = []
    for path in notebooks:
        if path != right:
            _set_aside(path, folder, keep)
            findings.append(f"{_shown(path.relative_to(folder))} was set aside: only {name}.ipynb is graded.")
    return findings


def _shown(path: Path) -> str:
    """A file's name as one printable line of ASCII."""
    text = str(path).encode("ascii", "backslashreplace").decode()
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)[:120]


def in_a_line(text: str, most: int = 300) -> str:
    """A text that may come from a submission, as one printable line: it can neither steer a terminal nor look like two."""
    line = "".join(char if char.isprintable() else " " for char in text[:most])
    return line if len(text) <= most else f"{line}…"


def write_whole(path: Path, data: bytes, scratch_folder: Path | None = None) -> None:
    """Write a file as a whole or not at all; a half-written one never lies where nbgrader reads."""
    scratch = (scratch_folder or path.parent) / f".{path.name}.part"
    scratch.unlink(missing_ok=True)
    scratch.write_bytes(data)
    os.replace(scratch, path)
