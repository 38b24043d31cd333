"""Which submissions have been graded, and from what: so that a run can be stopped at any moment and what is unchanged is kept.

A note is written after everything else, so a submission without one is graded again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import allyouneed
import coursegrader
from coursegrader.preflight import as_handed_in
from coursegrader.problemset import ProblemSet, private_folder


def key_of(problem_set: ProblemSet, student: str) -> dict[str, str]:
    """Digests of all that a grade follows from: the submission as it was sent, the problem set (rubric and source notebook), the software."""
    def sent(path):
        return as_handed_in(path, problem_set) if path.name == f"{problem_set.name}.ipynb" else path.read_bytes()

    return {"submission": _digest(problem_set.root / "submitted" / student / problem_set.name, sent),
            "problem set": _digest(problem_set.folder, Path.read_bytes), "software": hashlib.sha256(_environment().encode()).hexdigest()}


def _digest(folder: Path, read: Callable[[Path], bytes]) -> str:
    text = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts):
            content = read(path)
            text.update(f"{path.name}:{len(content)}:".encode())
            text.update(content)
    return text.hexdigest()


@cache
def _environment() -> str:
    packages = sorted({f"{item.name}=={item.version}" for item in distributions()})
    sources = [path for package in (allyouneed, coursegrader) for folder in package.__path__ for path in sorted(Path(folder).rglob("*.py"))]
    return "\n".join([*packages, *(hashlib.sha256(path.read_bytes()).hexdigest() for path in sources)])


def _note(problem_set: ProblemSet, student: str) -> Path:
    return private_folder(problem_set.root) / "graded" / problem_set.name / f"{student}.json"


def is_graded(problem_set: ProblemSet, student: str, key: dict[str, str]) -> bool:
    """Whether a whole run has graded exactly this."""
    note = _read(problem_set, student)
    return note.get("key") == key and note.get("finished") is True


def changed_since(problem_set: ProblemSet, student: str, key: dict[str, str]) -> list[str]:
    """Which parts of `key` differ from those of the last whole run; empty where there was none, or nothing has changed."""
    last = _read(problem_set, student).get("key")
    return [part for part in key if last.get(part) != key[part]] if isinstance(last, dict) else []


def forget(problem_set: ProblemSet, student: str) -> None:
    """Before grading begins anew: what was graded is still known, but no longer as finished."""
    if note := _read(problem_set, student):
        _write(problem_set, student, note | {"finished": False})


def remember(problem_set: ProblemSet, student: str, key: dict[str, str], cpu_seconds: float | None = None) -> None:
    """After everything is in the gradebook and on the disk."""
    _write(problem_set, student, {"key": key, "cpu_seconds": cpu_seconds, "finished": True})


def _read(problem_set: ProblemSet, student: str) -> dict:
    try:
        note = json.loads(_note(problem_set, student).read_text(encoding="utf-8"))
        return note if isinstance(note, dict) else {}
    except (OSError, ValueError):
        return {}


def _write(problem_set: ProblemSet, student: str, note: dict) -> None:
    path = _note(problem_set, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".part")
    scratch.write_text(json.dumps(note), encoding="utf-8")
    os.replace(scratch, path)
