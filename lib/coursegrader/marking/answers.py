"""The written answers of a problem set, and their marks in nbgrader's gradebook, as formgrader shows them.

A mark is saved only over what its giver has seen: the points, the comment and the answer itself. What another
marker, formgrader or a new submission has changed meanwhile is shown, not overwritten.
"""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Comment, Grade, Gradebook, MissingEntry

from coursegrader.course.configuration import at_once, open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.marks import written
from coursegrader.rubric.dependencies import digest

SCHEME = re.compile(r"\s*=== BEGIN MARK SCHEME ===(.*?)=== END MARK SCHEME ===", re.S)


@dataclass(frozen=True)
class Question:
    """A question that a person marks: the cell's name, the points, and in Markdown what is asked, how it is
    marked and what a full answer says."""

    cell: str
    points: float
    asked: str
    scheme: str
    full: str


@dataclass(frozen=True)
class Mark:
    """What the gradebook says of an answer. `digest` is that of the answer which it belongs to; `waiting`
    that it is still to be marked; `extra` is formgrader's extra credit."""

    points: float | None
    comment: str
    waiting: bool
    digest: str
    extra: float = 0

    def as_dict(self) -> dict:
        return asdict(self)


class Refused(Exception):
    """A mark that is not saved; the message is one line that says what to do."""


class Changed(Exception):
    """A mark that is not saved, since what it would replace is not what its giver saw."""


def questions_of(problem_set: ProblemSet) -> list[Question]:
    """The questions of the source notebook that have points and no check. Raises UserError if none has."""
    found, before = [], []
    for cell in problem_set.notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("grade") and about.get("solution"):
            scheme = "\n\n".join(part.strip() for part in SCHEME.findall(cell.source))
            full = SCHEME.sub("", cell.source).strip()
            asked = "\n\n".join(before)
            found.append(Question(about["grade_id"], about["points"], asked, scheme, full))
        before = [*before, cell.source] if cell.cell_type == "markdown" and not about.get("solution") else []
    if not found:
        raise UserError(f"{problem_set.name} has no written question: nothing is marked by hand.")
    return found


class Answers:
    """The answers to one question of a problem set."""

    def __init__(self, problem_set: ProblemSet, question: Question):
        self.problem_set, self.question = problem_set, question
        with open_course(problem_set.root) as api:
            # a relative address is one in the course folder
            self.db_url, self.course_id = api.coursedir.db_url, api.coursedir.course_id

    def cell(self, student: str) -> NotebookNode | None:
        """The cell of a student's answer as it was graded; None where it is missing."""
        return _cell(self._path(student), self.question.cell)

    def text(self, student: str) -> str:
        """A student's answer; empty where its cell is missing."""
        return (self.cell(student) or {}).get("source", "")

    def students(self) -> list[str]:
        """Whose answer waits or is marked, also where its cell is missing, so that nobody waits for ever; of
        those who left the cell as it was, nobody. Raises UserError if nothing is graded."""
        name = self.problem_set.name
        with self.gradebook() as gradebook:
            try:
                grades = self._grades(gradebook)
            except MissingEntry:
                grades = []
            graded = {grade.student.id for grade in grades}
            untouched = {
                grade.student.id
                for grade in grades
                if grade.manual_score is None and not grade.needs_manual_grade
            }
        if not graded:
            raise UserError(f"Nothing of {name} has been graded yet. Run: coursegrader grade {name}")
        return sorted(graded - untouched)

    def points(self) -> dict[str, float | None]:
        """Every student's points as they are now; None where the answer is still to be marked."""
        with self.gradebook() as gradebook:
            return {
                grade.student.id: None if grade.needs_manual_grade else grade.manual_score
                for grade in self._grades(gradebook)
            }

    def mark(self, student: str) -> Mark:
        """A student's mark as it is now."""
        with self.gradebook() as gradebook:
            return self._mark(*self._find(gradebook, student))

    def save(self, student: str, points: str, comment: str, seen: dict) -> Mark:
        """Save a mark over the one that was `seen`; no points take it back. Raises Refused or Changed, and
        then nothing is saved."""
        value = self._number(points)
        with self.gradebook() as gradebook, at_once(gradebook):
            grade, remark = self._find(gradebook, student)
            if self._mark(grade, remark) != Mark(**seen):
                raise Changed
            grade.manual_score = value
            grade.needs_manual_grade = value is None and grade.auto_score is None
            remark.manual_comment = comment or None
            return self._mark(grade, remark)

    def gradebook(self) -> Gradebook:
        return Gradebook(self.db_url, self.course_id)

    def _number(self, text: str) -> float | None:
        if not (text := text.strip().replace(",", ".")):
            return None
        most = self.question.points
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= most:
            raise Refused(
                f"Not saved: {text[:20]} is no number from 0 to {most:g}. (Extra credit: in formgrader.)"
            )
        return value

    def _find(self, gradebook: Gradebook, student: str) -> tuple[Grade, Comment]:
        """Both rows as they are now; where the database knows such locks, nobody changes them meanwhile."""
        name, cell = self.problem_set.name, self.question.cell
        try:
            grade = gradebook.find_grade(cell, name, name, student)
            comment = gradebook.find_comment(cell, name, name, student)
        except MissingEntry:
            raise Refused(
                f"The gradebook has no such answer any more. Run: coursegrader grade {name}"
            ) from None
        for row in (grade, comment):
            gradebook.db.refresh(row, with_for_update=True)
        return grade, comment

    def _mark(self, grade: Grade, comment: Comment) -> Mark:
        cell = self.cell(grade.student.id)
        answer = digest("" if cell is None else written(cell))
        waiting, extra = bool(grade.needs_manual_grade), grade.extra_credit or 0
        return Mark(grade.manual_score, comment.manual_comment or "", waiting, answer, extra)

    def _grades(self, gradebook: Gradebook) -> list[Grade]:
        return [
            grade
            for submission in gradebook.assignment_submissions(self.problem_set.name)
            for notebook in submission.notebooks
            for grade in notebook.grades
            if grade.name == self.question.cell
        ]

    def _path(self, student: str) -> Path:
        name = self.problem_set.name
        return self.problem_set.root / "autograded" / student / name / f"{name}.ipynb"


def _cell(path: Path, name: str) -> NotebookNode | None:
    try:
        notebook = nbformat.read(path, as_version=4)
    except (OSError, ValueError):
        return None
    return next(
        (cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name), None
    )
