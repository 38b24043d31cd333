"""When what came out of Canvas or Moodle was handed in: their exports do not say it, a table may.

Moodle's grading worksheet has it in the column "Last modified (submission)". For all else there is a table of
one's own, with the columns ``id`` and ``time``.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from coursegrader.course.configuration import open_course
from coursegrader.course.csv_table import read_csv_table
from coursegrader.course.dates import course_zone, read_date
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.files import write_whole
from coursegrader.submissions.files import TIMESTAMP

TIMES = ("time", "last modified (submission)")
MOODLE = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M")  # as it writes them in English
WHO = {  # a heading, and what of a student stands below it
    "id": lambda student: student.id,
    "username": lambda student: student.id,
    "id number": lambda student: student.lms_user_id,
    "email address": lambda student: student.email,
    "full name": lambda student: f"{student.first_name or ''} {student.last_name or ''}",
    "identifier": lambda student: student.lms_user_id,  # Participant 4720, in an anonymous worksheet
}


def note_times(problem_set: ProblemSet, table: Path) -> tuple[int, list[str]]:
    """Put a ``timestamp.txt``, as nbgrader's exchange does, beside each collected submission of which the
    table has the time; return how many, and the lines that cannot be used.
    """
    rows = _rows(table)
    zone, noted, problems = course_zone(problem_set.root), 0, []
    with open_course(problem_set.root) as api, api.gradebook as gradebook:
        students = gradebook.students
    for number, row in rows.items():
        text = next((row[heading] for heading in TIMES if row.get(heading)), "-")
        found = _who(row, students)
        if len(found) != 1:
            problems.append(f"line {number}: fits {' or '.join(found) or 'nobody in the roster'}")
            continue
        folder = problem_set.root / "submitted" / found[0] / problem_set.name
        if text == "-" or not folder.is_dir():
            continue  # handed in nothing
        if (folder / "submission_secret.txt").exists():
            problems.append(f"line {number}: {found[0]} handed in through the exchange, which has the time")
            continue
        try:
            when = _read_time(text, zone).astimezone(UTC)
        except UserError as error:
            problems.append(f"line {number}: {error}")
            continue
        write_whole(folder / TIMESTAMP, f"{when:%Y-%m-%d %H:%M:%S} UTC\n".encode())
        noted += 1
    return noted, problems


def has_time(problem_set: ProblemSet, student: str) -> bool:
    """Whether it is known when the student handed in."""
    return (problem_set.root / "submitted" / student / problem_set.name / TIMESTAMP).is_file()


def _rows(path: Path) -> dict[int, dict[str, str]]:
    table = read_csv_table(path)
    if not table.headings.keys() & set(TIMES) or not table.headings.keys() & set(WHO):
        raise UserError(
            f"{path} is no table of times: it needs the column {' or '.join(TIMES)}, and one of "
            f"{', '.join(WHO)}. {table.has()}"
        )
    return table.rows


def _who(row: dict[str, str], students) -> list[str]:
    """The accounts that fit the first column that says who it is."""
    for heading, of in WHO.items():
        if wanted := row.get(heading, "").casefold():
            return [student.id for student in students if (of(student) or "").casefold() == wanted]
    return []


def _read_time(text: str, zone) -> datetime:
    for form in MOODLE:
        with suppress(ValueError):
            found = datetime.strptime(text, form)
            return found.replace(tzinfo=zone) if zone else found.astimezone()
    return read_date(text, zone)
