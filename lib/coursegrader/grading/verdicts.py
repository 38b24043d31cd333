"""The verdicts on graded submissions as they are kept: a file beside each graded notebook."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from allyouneed.check.judge import Verdict
from coursegrader.course.configuration import VERDICTS
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.files import write_whole

KINDS = {"exercise": str, "points": int | float, "misconception": str | None, "message": str}


def write_verdicts(folder: Path, verdicts: list[Verdict]) -> None:
    """Keep the verdicts in the folder of the graded notebook."""
    write_whole(folder / VERDICTS, json.dumps([verdict.as_dict() for verdict in verdicts], indent=1).encode())


def read_verdicts(problem_set: ProblemSet, student: str = "*") -> dict[str, list[dict]]:
    """The verdicts on every graded submission, or on that of one student, by student.

    A damaged file counts as none: it is graded again.
    """
    found = {}
    for path in sorted((problem_set.root / "autograded").glob(f"{student}/{problem_set.name}/{VERDICTS}")):
        with contextlib.suppress(ValueError):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(kept, list) and all(map(_is_verdict, kept)):
                found[path.parent.parent.name] = kept
    return found


def graded_verdicts(problem_set: ProblemSet) -> dict[str, list[dict]]:
    """The same of everybody. Raises UserError where nothing has been graded."""
    if not (found := read_verdicts(problem_set)):
        raise UserError(
            f"Nothing of {problem_set.name} has been graded yet. Run: coursegrader grade {problem_set.name}"
        )
    return found


def _is_verdict(item) -> bool:
    return isinstance(item, dict) and all(isinstance(item.get(name), kind) for name, kind in KINDS.items())
