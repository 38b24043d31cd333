"""What ``nbgrader export`` writes: nbgrader's own table, with a status, and no score that is not final.

nbgrader gives 0 to whoever handed in nothing, and what has been marked so far to whoever waits.
"""

from __future__ import annotations

from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.plugins import CsvExportPlugin

from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.lateness import Penalties
from coursegrader.grading.ledger import is_replaced
from coursegrader.reporting.lms_export import write_table
from coursegrader.reporting.status import NOT_GRADED, NOT_MARKED, check_points, is_outdated, status_of

COLUMNS = [
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
    "status",
]


class GradesWithStatus(CsvExportPlugin):
    """nbgrader's export, to the same columns and one more."""

    def export(self, gradebook):
        Penalties(self.config).settle(gradebook)
        gradebook.db.commit()
        place, self._other_points = Path(self.to or "grades.csv"), {}
        for assignment in gradebook.assignments:
            try:
                check_points(ProblemSet(Path(self.parent.coursedir.root), assignment.name))
            except UserError as error:
                self._other_points[assignment.name] = str(error)
        rows = [
            self._row(gradebook, assignment, student)
            for assignment in gradebook.assignments
            if assignment.notebooks  # of what was never released nobody owes anything
            and (not self.assignment or assignment.name in map(str, self.assignment))
            for student in gradebook.students
            if not self.student or student.id in map(str, self.student)
        ]
        write_table(place, [COLUMNS, *([row.get(column, "") for column in COLUMNS] for row in rows)])
        self.log.info("Exporting grades to %s", place)
        waiting = [f"{row['student_id']} ({row['assignment']})" for row in rows if _waits(row)]
        if waiting:
            self.log.warning(
                "not yet marked or graded, and without a score in %s: %s", place, ", ".join(waiting)
            )

    def _row(self, gradebook, assignment, student) -> dict:
        root = Path(self.parent.coursedir.root)
        row = {
            "assignment": assignment.name,
            "duedate": assignment.duedate or "",
            "student_id": student.id,
            "last_name": student.last_name or "",
            "first_name": student.first_name or "",
            "email": student.email or "",
            "max_score": assignment.max_score,
        }
        try:
            found = gradebook.find_submission(assignment.name, student.id)
        except MissingEntry:
            return row | {"status": status_of(root, assignment.name, student.id, False, False, False)}
        if assignment.name in self._other_points:
            return row | {"status": f"{NOT_GRADED}{self._other_points[assignment.name]}"}
        penalty = found.late_submission_penalty or 0.0
        replaced = is_replaced(ProblemSet(root, assignment.name), student.id)
        status = status_of(root, assignment.name, student.id, True, found.needs_manual_grade, replaced)
        final = not found.needs_manual_grade and not is_outdated(status)
        return row | {
            "timestamp": found.timestamp or "",
            "raw_score": found.score,
            "late_submission_penalty": penalty,
            "score": max(0.0, found.score - penalty) if final else "",
            "status": status,
        }


def _waits(row: dict) -> bool:
    return row["status"].startswith(NOT_MARKED) or is_outdated(row["status"])
