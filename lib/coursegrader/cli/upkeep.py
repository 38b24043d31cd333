"""Keep a course safe and its machine fit: backup, restore, doctor."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from coursegrader.cli.arguments import course_folder
from coursegrader.interrupts import ended_in_order


def add_backup(command) -> None:
    parser = command(
        "backup",
        _backup,
        "Write the whole course folder into one file: secret, gradebook, submissions, releases, everything.",
        problem_set=False,
    )
    parser.add_argument(
        "file", type=Path, metavar="FILE", nargs="?", help="default: beside the course folder, with the time"
    )


def _backup(options) -> int:
    from coursegrader.upkeep.backup import backup

    root = course_folder(options)
    target = options.file or root.with_name(f"{root.name}-{datetime.now():%Y-%m-%d-%H%M%S}.tar.gz")
    with ended_in_order():
        left = backup(root, target)
    print(f"The course is in {target}. It holds the secret and all grades: keep it as safe as the gradebook.")
    for item in left:
        print(f"left out: {item}")
    return 0


def add_restore(command) -> None:
    parser = command(
        "restore",
        _restore,
        "Make a course folder of a backup. Nothing that exists is overwritten.",
        problem_set=False,
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder to make")


def _restore(options) -> int:
    from coursegrader.upkeep.backup import restore

    folder = restore(options.file, options.folder)
    print(f"The course is again in {folder}. Next: cd {folder}; coursegrader doctor")
    return 0


def add_doctor(command) -> None:
    command(
        "doctor",
        _doctor,
        "Look whether this machine and this course are fit for grading, and say what to mend.",
        problem_set=False,
    )


def _doctor(options) -> int:
    from coursegrader.upkeep.doctor import MEND, examine

    mend = 0
    for finding in examine(course_folder(options)):
        print(finding, flush=True)
        mend += finding.state == MEND
    print(f"{mend} to mend." if mend else "Nothing to mend.")
    return 1 if mend else 0
