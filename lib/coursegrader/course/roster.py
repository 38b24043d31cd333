"""Who takes the course: your own table of students, or Canvas's or Moodle's, into nbgrader's gradebook."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from coursegrader.course.configuration import at_once
from coursegrader.course.csv_table import read_csv_table
from coursegrader.errors import UserError

# It names folders. nbgrader's exchange separates by +, so that no account with one can submit there.
ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@+-]{0,63}")
CANVAS = "sis login id"  # of the columns that Canvas exports, the account
WORKSHEET = "identifier"  # of Moodle's grading worksheet: "Participant 4720", with no name if it is anonymous
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


def read_roster(path: Path, account: str | None = None) -> list[Person]:
    """Read a CSV file (comma, semicolon or tab) with headings: your own, or an export of Canvas or Moodle.

    Your own needs the column `id`, and may have first_name, last_name, email and lms_user_id. `account` names
    another column that holds the accounts. Moodle's anonymous worksheet gives accounts like participant-4720.
    Raises UserError with the lines that cannot be used; nobody is left out without a word.
    """
    table = read_csv_table(path)
    headings = dict(table.headings)
    canvas = {"student", "id"} <= set(headings) and bool({CANVAS, "section"} & set(headings))
    lines = {
        number: cells
        for number, cells in table.rows.items()
        if any(cells.values()) and not (canvas and _no_student(cells))
    }
    anonymous = (
        WORKSHEET in headings and not account and not {"id", *COLUMNS["id"], "full name"} & set(headings)
    )
    wanted = [account.strip().lower()] if account else [CANVAS] if canvas else ["id", *COLUMNS["id"]]
    if anonymous:
        wanted, lines = ["id"], {number: _participant(cells) for number, cells in lines.items()}
        headings["id"] = headings[WORKSHEET]
    if not set(wanted) & set(headings):
        raise UserError(
            f"{path} {_missing(account, canvas)} {_could_be(lines.values(), headings)} {table.has()}"
        )
    found, problems = [], []
    for number, cells in lines.items():
        own = next((cells[heading] for heading in wanted if cells.get(heading)), "")
        if not own:
            column = next(headings[heading] for heading in wanted if heading in headings)
            whom = cells["student"] if canvas else ", ".join(filter(None, cells.values()))
            problems.append(f"line {number}: {whom} has no account: the column {column!r} is empty")
        elif not ACCOUNT.fullmatch(own):
            problems.append(
                f"line {number}: {own!r} cannot be an account: letters, digits and _ . @ + - are allowed, "
                "at most 64, the first a letter or digit"
            )
        elif own in {other.id for other in found}:
            problems.append(f"line {number}: {own} is there twice")
        else:
            person = _from_canvas(own, cells) if canvas else _from_table(own, cells)
            same = [
                other.id for other in found if person.lms_user_id and other.lms_user_id == person.lms_user_id
            ]
            if same:
                problems.append(
                    f"line {number}: {own} has the LMS's number of {same[0]}, {person.lms_user_id}"
                )
            found.append(person)
    if problems:
        raise UserError(f"{path} cannot be used:\n  " + "\n  ".join(problems[:20]))
    if not found:
        raise UserError(f"{path} holds no students.")
    return found


def _participant(cells: dict[str, str]) -> dict[str, str]:
    """A line of Moodle's anonymous worksheet as one of our own table."""
    number = cells[WORKSHEET]
    return {"id": number.casefold().replace(" ", "-"), "lms_user_id": number}


def _missing(account: str | None, canvas: bool) -> str:
    if account:
        return f"has no column {account!r}."
    if canvas:
        return (
            "is a gradebook of Canvas without the column SIS Login ID, which holds the accounts. Ask whoever "
            "runs your Canvas to show it, or say which other column holds them, with --account COLUMN."
        )
    return (
        "has no column for the account: name one of them `id` (or Username, as Moodle does), or say which it "
        "is, with --account COLUMN."
    )


def _could_be(lines: Iterable[dict[str, str]], headings: dict[str, str]) -> str:
    """The columns in which everybody has an account of their own."""
    lines = list(lines)
    fit = [
        heading
        for name, heading in headings.items()
        if len({cells[name] for cells in lines if ACCOUNT.fullmatch(cells[name])}) == len(lines) > 0
    ]
    return f"It could be one of these: {', '.join(fit)}." if fit else "None of its columns could be one."


def _no_student(cells: dict[str, str]) -> bool:
    """Canvas puts a row of points below the headings, and a test student at the end."""
    return cells["student"].lower().lstrip() in ("points possible", "student, test") or not cells["id"]


def _from_canvas(account: str, cells: dict[str, str]) -> Person:
    last, _, first = cells["student"].partition(",")
    return Person(account, first.strip(), last.strip(), cells.get("email", ""), cells["id"])


def _from_table(account: str, cells: dict[str, str]) -> Person:
    def one(name):
        return next((cells[heading] for heading in (name, *COLUMNS[name]) if cells.get(heading)), "")

    return Person(account, *(one(name) for name in list(COLUMNS)[1:]))


def enter(gradebook, people: list[Person]) -> tuple[int, int]:
    """Put students into an open gradebook, or mend those there, all or none; return how many are new and how
    many were there. Raises UserError where somebody is there under another account.

    Nobody is taken out: a student who left keeps their grades, and `nbgrader db student remove` is there for
    you to decide.
    """
    known = {student.id for student in gradebook.students}
    others = {student.lms_user_id: student.id for student in gradebook.students if student.lms_user_id}
    twice = [
        f"{person.id} is there as {others[person.lms_user_id]}"
        for person in people
        if person.id not in known and person.lms_user_id in others
    ]
    if twice:
        raise UserError(
            f"Nobody was entered: by the number of the LMS, {'; '.join(twice[:5])}. Take the column of "
            "accounts that the course began with (--account COLUMN): with another, all would be there twice."
        )
    with at_once(gradebook):
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
