"""What several commands ask of their arguments."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from coursegrader.course.place import look_at_place
from coursegrader.errors import UserError


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is expected, but got {text!r}")
    return int(text)


def port(text: str) -> int:
    """A port's number."""
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"a port, from 1 to 65535, is expected, but got {text!r}")
    return int(text)


def minutes(text: str) -> float:
    """More than none, and at most a day."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number <= 24 * 60:
        raise argparse.ArgumentTypeError(
            f"minutes, more than 0 and at most 1440, are expected, but got {text!r}"
        )
    return number


def name_of_set(text: str) -> str:
    """A problem set's name, which a shell that completes folders ends with a slash."""
    return text.rstrip("/")


def course_folder(options) -> Path:
    """The course folder, which is looked for before anything is written into another."""
    root = options.root.resolve()
    look_at_place(root)
    if not (root / "solutions").is_dir():
        raise UserError(
            f"{root} is not a course folder: it has no folder solutions. Go into the one that coursegrader "
            "init made, or name it: coursegrader --root FOLDER ..."
        )
    return root


def problem_set_of(options):
    """The problem set that is named, in the course folder; it is there."""
    from coursegrader.course.problem_set import ProblemSet

    problem_set = ProblemSet(course_folder(options), options.problem_set)
    problem_set.look()
    return problem_set
