"""Grade all submissions of a problem set, one after another; a broken one is reported and stops no other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from coursegrader.course import open_course
from coursegrader.execution import VERDICTS
from coursegrader.preflight import normalise
from coursegrader.problemset import ProblemSet
from coursegrader.rubric import RubricError


@dataclass(frozen=True)
class Result:
    """What became of one submission: its score, or why there is none."""

    student: str
    score: float | None
    max_score: float | None
    problem: str | None = None
    skipped: bool = False


def grade(problem_set: ProblemSet, force: bool = False, students: list[str] | None = None) -> list[Result]:
    """Grade what is in ``submitted/``. A submission that has been graded and has not changed is left alone unless `force`."""
    problem_set.verify()
    problem_set.hidden()  # before the first student, so that a rubric that fails stops nobody halfway
    folder = problem_set.root / "submitted"
    found = sorted(path.parent.name for path in folder.glob(f"*/{problem_set.name}") if path.is_dir())
    chosen = [student for student in found if students is None or student in students]
    if not chosen:
        raise RubricError(f"There are no submissions of {problem_set.name} in {folder}. Collect them first: nbgrader collect {problem_set.name}.")
    results = []
    with open_course(problem_set.root) as api:
        for student in tqdm(chosen, desc=f"grading {problem_set.name}", unit="student"):
            results.append(_grade_one(api, problem_set, student, force))
    return results


def _grade_one(api, problem_set: ProblemSet, student: str, force: bool) -> Result:
    done = problem_set.root / "autograded" / student / problem_set.name
    sent = problem_set.root / "submitted" / student / problem_set.name
    try:
        normalise(sent, problem_set)
    except Exception as error:  # whatever one submission holds, the others are graded
        return Result(student, None, None, str(error))
    unchanged = (done / VERDICTS).is_file() and not force and _newest(sent) <= (done / VERDICTS).stat().st_mtime
    if not unchanged:
        result = api.autograde(problem_set.name, student, force=True)
        if not result["success"]:
            lines = (result.get("error") or result["log"]).strip().splitlines()
            return Result(student, None, None, lines[-1] if lines else "nbgrader gave no reason")
    submission = api.gradebook.find_submission(problem_set.name, student)
    return Result(student, submission.score, submission.max_score, skipped=unchanged)


def _newest(folder: Path) -> float:
    return max((path.stat().st_mtime for path in folder.rglob("*")), default=0.0)


def read_verdicts(problem_set: ProblemSet) -> dict[str, list[dict]]:
    """The verdicts on every graded submission, by student."""
    return {path.parent.parent.name: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted((problem_set.root / "autograded").glob(f"*/{problem_set.name}/{VERDICTS}"))}
