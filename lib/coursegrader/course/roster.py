"""Who takes the course: your own table of students, or Canvas's or Moodle's, into nbgrader's gradebook."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from coursegrader.errors import UserError

ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}")  # it names folders, also in nbgrader's exchange
COLUMNS = {  # ours: the headings that mean it, in the order of preference
    "id": ("username", "login"),
    "first_name": ("first_name", "first name", "firstname", "given name"),
    "last_name": ("last_name", "last name", "surname", "lastname", "family name"),
    "email": ("email", "email address", "e-mail"),
    "lms_user_id": ("lms_user_id", "id number"),
}


@dataclass(frozen=True)
class Person:
    """A student: `id` is their account's name on the hub, which is also their name in nbgrader."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""


def read_roster(path: Path) -> list[Person]:
    """Read a CSV file (comma, semicolon or tab) with headings: your own, or an export of Canvas or Moodle.

    Your own needs the column `id`, and may have first_name, last_name, email and lms_user_id.
    Raises UserError with the lines that cannot be used; nobody is left out without a word.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text: save it as CSV (UTF-8). {error}") from error
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    rows = list(csv.DictReader(io.StringIO(text), delimiter=separator))
    headings = [(heading or "").strip().lower() for heading in (rows[0] if rows else {})]
    canvas = {"student", "id", "sis login id"} <= set(headings)
    if not canvas and not {"id", *COLUMNS["id"]} & set(headings):
        raise UserError(
            f"{path} has no column for the account: name one of them `id` (or Username, as "
            f"Moodle does). It has: {first.strip() or 'nothing'}"
        )
    found, problems = [], []
    for number, row in enumerate(rows, 2):
        cells = {
            (heading or "").strip().lower(): (value or "").strip() if isinstance(value, str) else ""
            for heading, value in row.items()
        }
        if not any(cells.values()) or (canvas and _no_student(cells)):
            continue
        person = _from_canvas(cells) if canvas else _from_table(cells)
        if not ACCOUNT.fullmatch(person.id):
            problems.append(
                f"line {number}: {person.id!r} cannot be an account: letters, digits and _ . "
                "@ - are allowed, at most 64"
            )
        elif person.id in {other.id for other in found}:
            problems.append(f"line {number}: {person.id} is there twice")
        else:
            found.append(person)
    if problems:
        raise UserError(f"{path} cannot be used:\n  " + "\n  ".join(problems[:20]))
    if not found:
        raise UserError(f"{path} holds no students.")
    return found


def _no_student(cells: dict[str, str]) -> bool:
    """Canvas puts a row of points below the headings, and a test student at the end."""
    return cells["student"].lower().lstrip() in ("points possible", "student, test") or not cells["id"]


def _from_canvas(cells: dict[str, str]) -> Person:
    last, _, first = cells["student"].partition(",")
    return Person(
        cells["sis login id"] or cells["id"], first.strip(), last.strip(), cells.get("email", ""), cells["id"]
    )


def _from_table(cells: dict[str, str]) -> Person:
    def one(name):
        return next((cells[heading] for heading in (name, *COLUMNS[name]) if cells.get(heading)), "")

    return Person(**{name: one(name) for name in COLUMNS})


def enter(gradebook, people: list[Person]) -> tuple[int, int]:
    """Put students into an open gradebook, or mend those there; return how many are new, how many were there.

    Nobody is taken out: a student who left keeps their grades, and `nbgrader db student remove` is there for
    you to decide.
    """
    known = {student.id for student in gradebook.students}
    for person in people:
        given = {
            name: value
            for name in ("first_name", "last_name", "email", "lms_user_id")
            if (value := getattr(person, name))
        }
        gradebook.update_or_create_student(person.id, **given)
    return len([person for person in people if person.id not in known]), len(
        [person for person in people if person.id in known]
    )
