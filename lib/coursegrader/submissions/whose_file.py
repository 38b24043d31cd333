"""Whose a file is that Canvas, Moodle or a person has put into a folder or zip, by its path there.

| from | file |
|---|---|
| Canvas | ``doejane_LATE_12_34_03-attention-1.ipynb``: name, lateness, student's number, submission's, file |
| Moodle | ``Jane Doe_4711_assignsubmission_file/03-attention.ipynb``, in a folder or in the file's own \
name; ``Participant_4711_...`` where submissions are anonymous |
| yourself | ``jane/anything.ipynb`` or ``jane.ipynb``, by the name of the account |
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from coursegrader.submissions.files import TIMESTAMP

CANVAS = re.compile(r"(?P<name>[^_/]*)_(?P<late>LATE_)?(?P<number>\d+)_\d+_(?P<file>[^/]+)")
MOODLE = re.compile(r"(?P<name>[^/_]+)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?/?(?P<file>.*)")

PARTICIPANT = re.compile(r"Participant[ _](\d+)(?!\d)")  # as Moodle calls them in anonymous submissions


def find_student(path: str, people: list[tuple[str, str, str, str]]) -> tuple[str, str | None, bool]:
    """(student, the file's own name, late), or (why not, None, False)."""
    parts = PurePosixPath(path).parts
    match = MOODLE.search("/".join(parts[-2:])) or MOODLE.search(parts[-1])
    own_time = (match or CANVAS.fullmatch(parts[-1]) or {"file": ""})["file"]
    if PurePosixPath(own_time).name == TIMESTAMP:
        return "a student cannot say when it was handed in", None, False
    if match and (hidden := PARTICIPANT.match(match[0])):
        same = [person[0] for person in people if person[3] == f"Participant {hidden[1]}"]
        nobody = (
            f"Moodle hides who Participant {hidden[1]} is: enter its grading worksheet with "
            "coursegrader roster, or reveal the identities there and download again"
        )
        return _only_match(same, nobody, match["file"] or parts[-1], False)
    if match:
        same = (
            _called(match["name"], people)
            or [  # Moodle puts a group's name before: "Group A-Jane Doe"
                person
                for place in re.finditer("-", match["name"])
                for person in _called(match["name"][place.end() :], people)
            ]
        )
        return _only_match(
            same, f"nobody in the roster is called {match['name']}", match["file"] or parts[-1], False
        )
    if match := CANVAS.fullmatch(parts[-1]):
        same = [person[0] for person in people if person[3] == match["number"]] or [
            person[0]
            for person in people  # of the same name with another number is somebody else
            if not person[3] and _letters_of(person[2] + person[1]) == _letters_of(match["name"])
        ]
        return _only_match(
            same,
            (f"nobody in the roster has the number {match['number']} or the name {match['name']}"),
            match["file"],
            bool(match["late"]),
        )
    ids = {person[0] for person in people}
    own = [part for part in (*parts[:-1], PurePosixPath(parts[-1]).stem) if part in ids]
    return _only_match(
        own[:1], "it names nobody in the roster, neither in a folder's name nor in its own", parts[-1], False
    )


def _called(name: str, people: list[tuple[str, str, str, str]]) -> list[str]:
    wanted = _letters_of(name)
    return [
        person[0]
        for person in people
        if wanted in (_letters_of(person[1] + person[2]), _letters_of(person[2] + person[1]))
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
