"""Who sits beside whom: in the order of last names, or as a table of the room says."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass
from pathlib import Path

from coursegrader.course.configuration import open_course
from coursegrader.course.damaged import said_if_damaged
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.paper import paper_folder
from coursegrader.errors import UserError
from coursegrader.files import write_whole


@dataclass(frozen=True)
class Seats:
    """Accounts by row and place; "" is an empty seat."""

    rows: tuple[tuple[str, ...], ...]

    def order(self) -> list[str]:
        """All who have a seat, row by row."""
        return [name for row in self.rows for name in row if name]

    def pairs(self) -> list[tuple[str, str]]:
        """Those who sit side by side, or one behind the other."""
        found = [pair for row in self.rows for pair in zip(row, row[1:])]
        found += [pair for row, behind in zip(self.rows, self.rows[1:]) for pair in zip(row, behind)]
        return [pair for pair in found if all(pair)]

    def neighbours(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {name: [] for name in self.order()}
        for one, other in self.pairs():
            found[one].append(other)
            found[other].append(one)
        return found

    def white(self) -> set[str]:
        """Half of them, as the white fields of a chessboard: no two of them are neighbours."""
        return {
            name
            for number, row in enumerate(self.rows)
            for place, name in enumerate(row)
            if name and (number + place) % 2 == 0
        }


def seats_of(problem_set: ProblemSet, students: list[str]) -> Seats:
    """As the table says that was given last; without one all in one row, in the order of last names."""
    order = _roster(problem_set.root)
    listed = sorted(students, key=lambda name: (order.get(name, len(order)), name))
    try:
        with said_if_damaged(_kept(problem_set), "give the table of the room again, with --seating"):
            seats = _read(_kept(problem_set))
    except FileNotFoundError:
        return Seats((tuple(listed),))
    seated = set(seats.order())
    others = [(name,) for name in listed if name not in seated]  # with an empty row before each
    return Seats((*seats.rows, *(row for own in others for row in ((), own))))


def take_seating(problem_set: ProblemSet, path: Path, students: list[str]) -> list[str]:
    """Keep a table of the room: a line a row, the accounts in it from left to right, nothing where nobody
    sits. Returns what a person should know; raises UserError where it is no such table."""
    try:
        seats = _read(path)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path} cannot be read as a table (CSV, UTF-8): {error}") from error
    seated = seats.order()
    if twice := sorted({name for name in seated if seated.count(name) > 1}):
        raise UserError(f"{path}: {', '.join(twice)} sits on two seats.")
    if not set(seated) & set(students):
        raise UserError(f"{path} holds no account of a student who handed in. A line is a row of accounts.")
    kept = _kept(problem_set)
    kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(kept, "".join(",".join(row) + "\n" for row in seats.rows).encode())
    os.chmod(kept, 0o600)
    told = []
    if unknown := sorted(set(seated) - set(students)):
        told.append(f"On a seat, but without a submission: {', '.join(unknown)}.")
    if standing := sorted(set(students) - set(seated)):
        told.append(f"Without a seat, taken as apart from all others: {', '.join(standing)}.")
    return told


def _kept(problem_set: ProblemSet) -> Path:
    return paper_folder(problem_set) / "seating.csv"


def _read(path: Path) -> Seats:
    text = path.read_bytes().decode("utf-8-sig")
    separator = max(",;\t", key=text.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return Seats(tuple(tuple(cell.strip() for cell in row) for row in rows))


def _roster(root: Path) -> dict[str, int]:
    """Each account's place in the list by name."""
    with open_course(root) as api, api.gradebook as gradebook:
        names = [(one.last_name or "", one.first_name or "", one.id) for one in gradebook.students]
    return {account: place for place, (_, _, account) in enumerate(sorted(names))}
