"""Scores as files that Canvas and Moodle import, with a row for everybody in the roster. Who has no final
score has none there, which is not 0.

Canvas matches students by ID, SIS User ID or SIS Login ID, and reads one column for each assignment; the
second row holds the points possible. It takes every further column for an assignment, so there is none for
the status. Moodle lets the instructor map columns to users (username, ID number or
email) and to a grade item. Anonymous students are matched by its grading worksheet alone.
"""

from __future__ import annotations

import csv
import html
import io
from dataclasses import dataclass
from pathlib import Path

from coursegrader.course.configuration import load_config, open_course
from coursegrader.course.dates import course_zone, extensions, shown
from coursegrader.files import write_whole
from coursegrader.grading.due_dates import find_assignment
from coursegrader.grading.lateness import Penalties, lateness, said_of
from coursegrader.grading.ledger import is_replaced
from coursegrader.grading.marks import is_by_hand
from coursegrader.reporting.status import GRADED, is_outdated, status_of
from coursegrader.submissions.files import who_handed_in
from coursegrader.submissions.lms_import import marked_late
from coursegrader.submissions.whose_file import PARTICIPANT

CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
MOODLE = ["Username", "First name", "Last name", "ID number", "Email address"]
# of its worksheet for grading offline, which it does not take without the last column
ANONYMOUS = ["Identifier", "Grade", "Feedback comments", "Status", "Last modified (grade)"]


@dataclass(frozen=True)
class Grade:
    """A student as the gradebook has them, and their score: raw less the late penalty, never below 0, and
    None where nothing has been graded. `status` says how far it is.
    """

    student: str
    score: float | None
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_id: str = ""
    feedback: str = ""
    waiting: bool = False
    raw: float = 0
    penalty: float = 0
    extended_to: str = ""
    late: str = ""
    status: str = GRADED
    above: str = ""  # which marks are more than there are points

    @property
    def final(self) -> float | None:
        """The score, once nothing waits to be marked or graded."""
        return None if self.waiting or is_outdated(self.status) else self.score


def grades(problem_set, feedback: dict[str, str]) -> tuple[list[Grade], float]:
    """Everybody's grade from nbgrader's gradebook, written answers included, and the points possible.
    `feedback` is what each student reads beside it. Who handed in nothing is there, and who is not in the
    roster as well."""
    root, name = problem_set.root, problem_set.name
    grace_days, zone = Penalties(load_config(root)).grace_days, course_zone(root)
    extended = {student: shown(when, zone) for student, when in extensions(root).get(name, {}).items()}
    called_late = dict.fromkeys(marked_late(problem_set), "by how much is not known")
    with open_course(root) as api, api.gradebook as gradebook:
        submissions = {item.student.id: item for item in gradebook.assignment_submissions(name)}
        students = {student.id: student for student in gradebook.students}
        found = []
        for who in sorted(students.keys() | submissions.keys() | who_handed_in(root, name)):
            student, item = students.get(who), submissions.get(who)
            about = [
                getattr(student, part, None) or ""
                for part in ("first_name", "last_name", "email", "lms_user_id")
            ]
            waiting = item is not None and item.needs_manual_grade
            replaced = item is not None and is_replaced(problem_set, who)
            status = status_of(root, name, who, item is not None, waiting, replaced)
            if item is None:
                found.append(
                    Grade(
                        who,
                        None,
                        *about,
                        _as_html(status),
                        status=status,
                        extended_to=extended.get(who, ""),
                        late=called_late.get(who, ""),
                    )
                )
                continue
            penalty = item.late_submission_penalty or 0.0
            by_hand, comments = _marks_by_hand(item), _comments(item)
            own = feedback.get(who, "")
            said = [] if status == GRADED else [_as_html(status)]
            measured = lateness(student.submissions, grace_days)[name]
            late = str(measured) or called_late.get(who, "")
            told = said_of(measured if str(measured) else late, penalty)
            said += [_as_html(told)] if told else []
            said += [own] if own else []
            said += [_as_html(f"Marked by hand: {', '.join(by_hand)}.")] if by_hand else []
            said += [_as_html(text) for text in comments]
            found.append(
                Grade(
                    who,
                    max(0.0, item.score - penalty),
                    *about,
                    "\n".join(said),
                    waiting,
                    item.score,
                    penalty,
                    extended.get(who, ""),
                    late,
                    status,
                    _above(item),
                )
            )
        return found, find_assignment(gradebook, name).max_score


def _as_html(text: str) -> str:
    return html.escape(text, quote=False)


def _marks_by_hand(submission) -> list[str]:
    """The marks that a person gave in the place of those of a check, or beside them, by the name of the
    cell."""
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    given = [
        f"{one.cell.name} {one.score:g} of {one.max_score:g} points" for one in grades if is_by_hand(one)
    ]
    extra = [f"{one.cell.name} {one.extra_credit:g} extra" for one in grades if one.extra_credit]
    return given + extra


def _above(submission) -> str:
    return ", ".join(
        f"{grade.cell.name} {grade.manual_score:g} of {grade.max_score:g} points"
        for notebook in submission.notebooks
        for grade in notebook.grades
        if grade.manual_score is not None and grade.manual_score > grade.max_score
    )


def _comments(submission) -> list[str]:
    """What a person has written to an answer, with the name of its cell."""
    return [
        f"{comment.cell.name}: {comment.manual_comment}"
        for notebook in submission.notebooks
        for comment in notebook.comments
        if comment.manual_comment
    ]


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
                [name, grade.lms_id, "", grade.student, "", _number(grade.final)]
                for name, grade in zip(names, all_grades)
            ),
        ],
    )


def write_moodle(path: Path, title: str, all_grades: list[Grade]) -> None:
    """Moodle: who it is, four ways, points and feedback; both must be mapped, or Moodle drops the points.
    Where all are "Participant 4720", its grading worksheet, which matches them by that.
    """
    if all(PARTICIPANT.fullmatch(grade.lms_id) for grade in all_grades):
        rows = [
            [grade.lms_id, _number(grade.final), grade.feedback, grade.status, ""] for grade in all_grades
        ]
        return write_table(path, [ANONYMOUS, *rows])
    write_table(
        path,
        [
            [*MOODLE, f"{title} (Real)", f"{title} (Feedback)", "Status"],
            *(
                [
                    grade.student,
                    grade.first_name,
                    grade.last_name,
                    grade.lms_id,
                    grade.email,
                    _number(grade.final),
                    grade.feedback,
                    grade.status,
                ]
                for grade in all_grades
            ),
        ],
    )


def _number(score: float | None) -> str:
    return "" if score is None else f"{score:g}"


def write_table(path: Path, rows: list[list]) -> None:
    """A CSV file of texts and numbers, of which no text is a formula."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([[_without_formula(cell) for cell in row] for row in rows])
    write_whole(path, text.getvalue().encode())


def _without_formula(cell):
    """A text that a spreadsheet would run as a formula, as plain text."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r\n＝＋－＠") else cell
