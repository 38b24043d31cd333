"""How far each student of the roster is with a problem set, in a word or a sentence; nobody is left out."""

from __future__ import annotations

from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.coursedir import CourseDirectory

from coursegrader.course.check_cells import checked_exercise
from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.verdicts import read_verdicts
from coursegrader.submissions.files import may_hold
from coursegrader.submissions.preflight import findings_of
from coursegrader.text import counted

GRADED, NOT_MARKED, NOT_HANDED_IN = "graded", "not yet marked", "not handed in"
NOT_GRADED, UNKNOWN = "not graded: ", "run coursegrader grade to see why"
WAITS = "an earlier submission; the last waits for coursegrader grade"


def status_of(root: Path, problem_set: str, student: str, graded: bool, waiting: bool, replaced: bool) -> str:
    """In a word or a sentence. graded: the gradebook has a submission; waiting: with something to mark;
    replaced: by one that was not graded."""
    error = findings_of(root, student, problem_set)[1]
    marked = NOT_MARKED if waiting else GRADED
    if graded and error:
        return f"{marked}: an earlier submission; the last could not be graded: {error}"
    if graded and replaced:
        return f"{marked}: {WAITS} {problem_set}"
    if graded:
        return marked
    if may_hold(root / "submitted" / student / problem_set):
        return f"{NOT_GRADED}{error or UNKNOWN}"
    return NOT_HANDED_IN


def check_points(problem_set: ProblemSet, student: str = "*") -> None:
    """Raise UserError where somebody, or this student, was graded with other points than those of the last
    release."""
    name = problem_set.name
    try:
        with open_course(problem_set.root) as api, api.gradebook as gradebook:
            cells = {cell.name: cell.max_score for cell in gradebook.find_notebook(name, name).grade_cells}
        checks = [cell for cell in problem_set.notebook.cells if cell.cell_type == "code"]
    except (MissingEntry, UserError):  # never released, or its notebook is gone: then it has no other points
        return
    now = {
        checked_exercise(cell.source): cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        for cell in checks
    }
    others = [
        who
        for who, verdicts in read_verdicts(problem_set, student).items()
        if any(item.get("max_points") not in (None, now.get(item["exercise"])) for item in verdicts)
    ]
    if others:
        raise UserError(
            f"Graded with other points than {name} has now: {counted(len(others), 'submission')} (first: "
            f"{others[0]}). Run: coursegrader grade {name}"
        )


def check_points_of(course: CourseDirectory) -> None:
    """`check_points` for the problem set and the students that a command of nbgrader's is about."""
    check_points(ProblemSet(Path(course.root), course.assignment_id), course.student_id or "*")


def is_outdated(status: str) -> bool:
    """Whether it says that what was handed in last has not been graded yet."""
    return WAITS in status


def is_unreadable(status: str) -> bool:
    """Whether it says that the only submission could not be graded."""
    return status.startswith(NOT_GRADED) and not status.endswith(UNKNOWN)
