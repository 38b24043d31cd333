"""Change a due date, for all or for one student, and with it the penalties: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from coursegrader.course.configuration import load_config, open_course
from coursegrader.course.dates import course_zone, extensions, keep_extensions, shown
from coursegrader.errors import UserError
from coursegrader.grading.lateness import Penalties

Granted = dict[str, dict[str, datetime]]


@dataclass(frozen=True)
class Moved:
    """A penalty that is another than before."""

    student: str
    problem_set: str
    before: float
    now: float


def change_due(root: Path, name: str, when: datetime | None) -> list[Moved]:
    """Make the problem set `name` due at `when` (UTC, as nbgrader keeps it), or never; return what moved."""

    def change(gradebook: Gradebook, granted: Granted) -> None:
        find_assignment(gradebook, name).duedate = when

    return _settled_after(root, change)


def extend(root: Path, student: str, name: str, when: datetime | None) -> list[Moved]:
    """Give a student until `when` (UTC, as nbgrader keeps it), or take an extension back; return what moved.
    Nothing need be handed in yet.
    """

    def change(gradebook: Gradebook, granted: Granted) -> None:
        due = find_assignment(gradebook, name).duedate
        known = {person.id for person in gradebook.students}
        if student not in known:
            raise UserError(f"There is no student {student!r}. There are: {', '.join(sorted(known))}.")
        if when is None:
            granted.get(name, {}).pop(student, None)
            for item in gradebook.find_student(student).submissions:
                item.extension = None if item.name == name else item.extension
        elif due is None:
            raise UserError(f"{name} has no due date, and nobody is late: coursegrader dates {name} DATE")
        elif when <= due:
            zone = course_zone(root)
            raise UserError(
                f"{shown(when, zone)} is no extension: {name} is due {shown(due, zone)} for everybody."
            )
        else:
            granted.setdefault(name, {})[student] = when

    return _settled_after(root, change)


def settle_all(root: Path) -> None:
    """Give all penalties anew, by the dates and the rule as they are now."""
    _settled_after(root, lambda gradebook, granted: None)


def _settled_after(root: Path, change: Callable[[Gradebook, Granted], None]) -> list[Moved]:
    granted = extensions(root)
    with open_course(root) as api, api.gradebook as gradebook, _extensions_kept(root):
        before = _penalties(gradebook)
        change(gradebook, granted)
        Penalties(load_config(root)).settle(gradebook, granted=granted)
        gradebook.db.flush()  # where another program holds the gradebook, it is said here
        if granted != extensions(root):
            keep_extensions(root, granted)
        gradebook.db.commit()
        now = _penalties(gradebook)
    return [Moved(*key, before[key], now[key]) for key in now if before[key] != now[key]]


@contextmanager
def _extensions_kept(root: Path) -> Iterator[None]:
    """Where something fails, the extensions are again as they were."""
    before = extensions(root)
    try:
        yield
    except BaseException:
        if extensions(root) != before:
            keep_extensions(root, before)
        raise


def _penalties(gradebook: Gradebook) -> dict[tuple[str, str], float]:
    return {
        (student.id, item.name): sum(notebook.late_submission_penalty or 0.0 for notebook in item.notebooks)
        for student in gradebook.students
        for item in student.submissions
    }


def find_assignment(gradebook: Gradebook, name: str):
    """nbgrader's entry of a problem set. Raises UserError, which names those there are."""
    try:
        return gradebook.find_assignment(name)
    except MissingEntry as error:
        known = ", ".join(sorted(item.name for item in gradebook.assignments)) or "none"
        raise UserError(
            f"There is no problem set {name!r} in the gradebook. There are: {known}. If it was there, "
            "bring the gradebook back with coursegrader restore, or grade the set again."
        ) from error
