"""Whose a file is that Canvas, Moodle or a person has put into a folder or zip, by its path there.

| from | file |
|---|---|
| Canvas | ``doejane_LATE_12_34_03-attention-1.ipynb``: name, lateness, student's number, submission's, file |
| Moodle | ``Jane Doe_4711_assignsubmission_file/03-attention.ipynb``, in a folder or in the file's own \
name; ``Participant_4711_...`` where submissions are anonymous |
| yourself | ``jane/anything.ipynb`` or ``jane.ipynb``, by the name of the account |

The outermost part of a path that can say it decides, and in the whole export at one depth: what lies further
in, a student may have named.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from coursegrader.submissions.files import TIMESTAMP

CANVAS = re.compile(r"(?P<name>[^_]*)_(?P<late>LATE_)?(?P<number>\d+)_\d+_(?P<file>.+)")
MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)")

PARTICIPANT = re.compile(r"Participant[ _](\d+)(?!\d)")  # as Moodle calls them in anonymous submissions


def find_students(
    paths: list[str], people: list[tuple[str, str, str, str]]
) -> list[tuple[str, str | None, bool]]:
    """For each path of an export (student, the file's own name, late), or (why not, None, False)."""
    accounts = {person[0] for person in people}
    deciding = [_deciding_part(path, accounts) for path in paths]
    outermost = min((part[0] for part in deciding if part), default=0)
    return [_find_student(path, part, outermost, people) for path, part in zip(paths, deciding, strict=True)]


def lms_name(path: str, student: str) -> re.Match[str] | None:
    """What CANVAS or MOODLE finds in the path of this student's file; None where the account decided."""
    part = _deciding_part(path, {student})
    return part[1] if part and not isinstance(part[1], str) else None


def _deciding_part(path: str, accounts: Collection[str]) -> tuple[int, re.Match[str] | str] | None:
    """How deep the outermost part lies that says whose a file is, and what it says, in an LMS's form or as an
    account."""
    parts = PurePosixPath(path).parts
    for depth, part in enumerate(parts):
        last = depth == len(parts) - 1
        if match := MOODLE.fullmatch(part) or (CANVAS.fullmatch(part) if last else None):
            return depth, match
        if (account := PurePosixPath(part).stem if last else part) in accounts:
            return depth, account
    return None


def _find_student(
    path: str,
    part: tuple[int, re.Match[str] | str] | None,
    outermost: int,
    people: list[tuple[str, str, str, str]],
) -> tuple[str, str | None, bool]:
    if part is None:
        return "it names nobody in the roster, neither in a folder's name nor in its own", None, False
    (depth, said), file = part, PurePosixPath(path).name
    if depth > outermost:
        return "it lies in a folder that names nobody in the roster, as those beside it do", None, False
    if isinstance(said, str):
        return _only_match([said], "", file, False)
    if said[0] == file:  # no folder
        file = said["file"] or file
    if file == TIMESTAMP:
        return "a student cannot say when it was handed in", None, False
    if said.re is CANVAS:
        wanted = _letters_of(said["name"])
        same = [person[0] for person in people if person[3] == said["number"]] or [
            person[0]
            for person in people  # of the same name with another number is somebody else
            if wanted and not person[3] and _letters_of(person[2] + person[1]) == wanted
        ]
        nobody = f"nobody in the roster has the number {said['number']} or the name {said['name']}"
        return _only_match(same, nobody, file, bool(said["late"]))
    if hidden := PARTICIPANT.match(said[0]):
        same = [person[0] for person in people if person[3] == f"Participant {hidden[1]}"]
        nobody = (
            f"Moodle hides who Participant {hidden[1]} is: enter its grading worksheet with "
            "coursegrader roster, or reveal the identities there and download again"
        )
        return _only_match(same, nobody, file, False)
    same = (
        _called(said["name"], people)
        or [  # Moodle puts a group's name before: "Group A-Jane Doe"
            person
            for place in re.finditer("-", said["name"])
            for person in _called(said["name"][place.end() :], people)
        ]
    )
    return _only_match(same, f"nobody in the roster is called {said['name']}", file, False)


def _called(name: str, people: list[tuple[str, str, str, str]]) -> list[str]:
    wanted = _letters_of(name)
    return [
        person[0]
        for person in people
        if wanted and wanted in (_letters_of(person[1] + person[2]), _letters_of(person[2] + person[1]))
    ]


def _letters_of(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _only_match(same: list[str], nobody: str, file: str, late: bool) -> tuple[str, str | None, bool]:
    name = PurePosixPath(file).name
    if len(same) == 1:
        return (
            (same[0], name, late)
            if name.isprintable() and 0 < len(name.encode()) < 200 and name != ".."
            else ("its name cannot be a file's", None, False)
        )
    return (
        (
            nobody
            if not same
            else (f"it may be of {' or '.join(same)}: put it into a folder with the account's name")
        ),
        None,
        False,
    )
