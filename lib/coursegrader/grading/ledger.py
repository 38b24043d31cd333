"""Which submissions were graded, from what: a run can be stopped at any moment, what is unchanged is kept.

An entry is written after everything else, so a submission without one is graded again.
"""

from __future__ import annotations

import hashlib
import json
import stat
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import allyouneed
import coursegrader
from coursegrader.course.kept import private_folder
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.secret import course_secret
from coursegrader.files import write_whole
from coursegrader.submissions.files import MAX_FOLDER, TIMESTAMP


def key_of(problem_set: ProblemSet, student: str) -> dict[str, str]:
    """Digests of all that a grade follows from: the submission as it was sent, the problem set (rubric and
    source notebook), the software, and the secret that hidden probes follow from.
    """
    return {
        "submission": _submission(problem_set, student),
        "problem set": _digest(problem_set.folder),
        "software": hashlib.sha256(_environment().encode()).hexdigest(),
        "secret of the course": hashlib.sha256(course_secret(problem_set.root).encode()).hexdigest(),
    }


def _submission(problem_set: ProblemSet, student: str) -> str:
    return _digest(problem_set.root / "submitted" / student / problem_set.name, without=TIMESTAMP)


def _digest(folder: Path, without: str = "") -> str:
    """Of the names and contents of all files below a folder, whatever a stranger put there: of what is no
    file, the name alone. `without` the file of this name, which changes no verdict.
    """
    text = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if (
            path == folder / without
            or path.is_dir()
            or {"__pycache__", ".ipynb_checkpoints"} & set(path.parts)
        ):
            continue
        found = path.lstat()
        text.update(f"{path.relative_to(folder)}:{found.st_size}:".encode("utf-8", "surrogateescape"))
        if stat.S_ISREG(found.st_mode) and found.st_size <= MAX_FOLDER:  # no larger one is ever read
            with path.open("rb") as file:
                text.update(hashlib.file_digest(file, "sha256").digest())
    return text.hexdigest()


@cache
def _environment() -> str:
    about = [item.metadata for item in distributions()]  # read once: each reading of it takes a millisecond
    packages = sorted({f"{one.get('Name')}=={one.get('Version')}" for one in about})
    sources = [
        path
        for package in (allyouneed, coursegrader)
        for folder in package.__path__
        for path in sorted(Path(folder).rglob("*.py"))
    ]
    return "\n".join([*packages, *(hashlib.sha256(path.read_bytes()).hexdigest() for path in sources)])


def _entry_file(problem_set: ProblemSet, student: str) -> Path:
    return private_folder(problem_set.root) / "graded" / problem_set.name / f"{student}.json"


def is_graded(problem_set: ProblemSet, student: str, key: dict[str, str]) -> bool:
    """Whether a whole run has graded exactly this."""
    entry = _read_entry(problem_set, student)
    return entry.get("key") == key and entry.get("finished") is True


def changed_since(problem_set: ProblemSet, student: str, key: dict[str, str]) -> list[str]:
    """Which parts of `key` differ from those of the last whole run; empty where there was none, or nothing
    has changed.
    """
    last = _read_entry(problem_set, student).get("key")
    return [part for part in key if last.get(part) != key[part]] if isinstance(last, dict) else []


def is_replaced(problem_set: ProblemSet, student: str) -> bool:
    """Whether a student handed in something else after the last whole run."""
    last = _read_entry(problem_set, student).get("key")
    return isinstance(last, dict) and last.get("submission") != _submission(problem_set, student)


def forget(problem_set: ProblemSet, student: str) -> None:
    """Before grading begins anew: what was graded is still known, but no longer as finished."""
    if entry := _read_entry(problem_set, student):
        _write_entry(problem_set, student, entry | {"finished": False})


def remember(
    problem_set: ProblemSet, student: str, key: dict[str, str], cpu_seconds: float | None = None
) -> None:
    """After everything is in the gradebook and on the disk."""
    _write_entry(problem_set, student, {"key": key, "cpu_seconds": cpu_seconds, "finished": True})


def _read_entry(problem_set: ProblemSet, student: str) -> dict:
    try:
        entry = json.loads(_entry_file(problem_set, student).read_text(encoding="utf-8"))
        return entry if isinstance(entry, dict) else {}
    except (OSError, ValueError):
        return {}


def _write_entry(problem_set: ProblemSet, student: str, entry: dict) -> None:
    path = _entry_file(problem_set, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(entry).encode())
