"""Which submissions have been graded, and from what: so that a run can be stopped at any moment and what is unchanged is kept.

A note is written after everything else, so a submission without one is graded again.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import allyouneed
import coursegrader
from coursegrader.problemset import ProblemSet, private_folder


def key_of(problem_set: ProblemSet, student: str) -> str:
    """A digest of all that a grade follows from: submission, rubric, source notebook, library, grader and installed packages."""
    sent = problem_set.root / "submitted" / student / problem_set.name
    texts = [path for folder in (sent, problem_set.folder) for path in sorted(folder.rglob("*")) if path.is_file() and _counts(path)]
    text = hashlib.sha256(_environment().encode())
    for path in texts:
        text.update(f"{path.name}:{path.stat().st_size}:".encode())
        text.update(path.read_bytes())
    return text.hexdigest()


def _counts(path: Path) -> bool:
    return not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts)


@cache
def _environment() -> str:
    packages = sorted({f"{item.name}=={item.version}" for item in distributions()})
    sources = [path for package in (allyouneed, coursegrader) for folder in package.__path__ for path in sorted(Path(folder).rglob("*.py"))]
    return "\n".join([*packages, *(hashlib.sha256(path.read_bytes()).hexdigest() for path in sources)])


def _note(problem_set: ProblemSet, student: str) -> Path:
    return private_folder(problem_set.root) / "graded" / problem_set.name / f"{student}.json"


def is_graded(problem_set: ProblemSet, student: str, key: str) -> bool:
    """Whether a whole run has graded exactly this."""
    try:
        return json.loads(_note(problem_set, student).read_text(encoding="utf-8"))["key"] == key
    except (OSError, ValueError, KeyError, TypeError):
        return False


def forget(problem_set: ProblemSet, student: str) -> None:
    """Before grading begins anew."""
    _note(problem_set, student).unlink(missing_ok=True)


def remember(problem_set: ProblemSet, student: str, key: str, cpu_seconds: float | None = None) -> None:
    """After everything is in the gradebook and on the disk."""
    path = _note(problem_set, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".part")
    scratch.write_text(json.dumps({"key": key, "cpu_seconds": cpu_seconds}), encoding="utf-8")
    os.replace(scratch, path)
