"""Scores as files that Canvas and Moodle import.

Canvas matches students by ID, SIS User ID or SIS Login ID, and reads one column for each assignment; the
second row holds the points possible. Moodle lets the instructor map columns to users (username, ID number or
email) and to a grade item.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
MOODLE = ["Username", "First name", "Last name", "ID number", "Email address"]


@dataclass(frozen=True)
class Grade:
    """A student as the gradebook has them, and their score: raw less the late penalty, never below 0."""

    student: str
    score: float
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""
    feedback: str = ""
    waiting: bool = False
    seconds_late: float = 0
    raw: float = 0
    penalty: float = 0


def grades(problem_set, feedback: dict[str, str]) -> tuple[list[Grade], float]:
    """Everybody's grade from nbgrader's gradebook, written answers included, and the points possible.
    `feedback` is what each student reads beside it."""
    from coursegrader.course.configuration import open_course

    with open_course(problem_set.root) as api, api.gradebook as gradebook:
        found = []
        for item in gradebook.assignment_submissions(problem_set.name):
            student = item.student
            penalty = item.late_submission_penalty or 0.0
            found.append(
                Grade(
                    student.id,
                    max(0.0, item.score - penalty),
                    student.first_name or "",
                    student.last_name or "",
                    student.email or "",
                    student.lms_user_id or "",
                    feedback.get(student.id, ""),
                    item.needs_manual_grade,
                    item.total_seconds_late,
                    item.score,
                    penalty,
                )
            )
        return sorted(found, key=lambda grade: grade.student), gradebook.find_assignment(
            problem_set.name
        ).max_score


def write_canvas(path: Path, title: str, all_grades: list[Grade], most: float) -> None:
    """Canvas: Student, ID, SIS User ID, SIS Login ID, Section, and the assignment."""
    names = [
        (f"{grade.last_name}, {grade.first_name}" if grade.last_name else grade.student)
        for grade in all_grades
    ]
    write_table(
        path,
        [
            [*CANVAS, title],
            ["Points Possible", "", "", "", "", f"{most:g}"],
            *(
                [name, grade.lms_id, "", grade.student, "", f"{grade.score:g}"]
                for name, grade in zip(names, all_grades)
            ),
        ],
    )


def write_moodle(path: Path, title: str, all_grades: list[Grade]) -> None:
    """Moodle: who it is, four ways, points and feedback; both must be mapped, or Moodle drops the points."""
    write_table(
        path,
        [
            [*MOODLE, f"{title} (Real)", f"{title} (Feedback)"],
            *(
                [
                    grade.student,
                    grade.first_name,
                    grade.last_name,
                    grade.lms_id,
                    grade.email,
                    f"{grade.score:g}",
                    grade.feedback,
                ]
                for grade in all_grades
            ),
        ],
    )


def write_table(path: Path, rows: list[list]) -> None:
    """A CSV file of texts and numbers, of which no text is a formula."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[_without_formula(cell) for cell in row] for row in rows])


def _without_formula(cell):
    """A text that a spreadsheet would run as a formula, as plain text."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r\n＝＋－＠") else cell
