"""Trouble with the gradebook or the disk, and what to do about it."""

from __future__ import annotations

import re

from coursegrader.text import in_a_line

BACK = "Bring the course back from its last backup: coursegrader restore."
KEPT = "Finished work is kept: run the same command again."
TROUBLE = {  # what the system or the database says, in any of its languages: what to do
    "database is locked": "Another program holds the gradebook, often formgrader or a second run. Close it.",
    "readonly database": "The gradebook cannot be written: look who owns gradebook.db and its folder.",
    "disk is full": "The disk is full. Make room.",
    "No space left on device": "The disk is full. Make room.",
    "Disk quota exceeded": "Your disk quota is used up. Make room.",
    "connection failed": "The database server does not answer: look at db_url in nbgrader_config.py.",
}
DAMAGE = {  # the same, where running the command again helps nobody
    "unable to open database file": "The gradebook cannot be opened: look at db_url in nbgrader_config.py.",
    "file is not a database": f"The gradebook is damaged. {BACK}",
    "disk image is malformed": f"The gradebook is damaged. {BACK}",
    "no such table": f"The gradebook is not nbgrader's. {BACK}",
    "no such column": f"The gradebook is not this nbgrader's. {BACK} An older one: nbgrader db upgrade.",
}


def what_to_do(text: str) -> str | None:
    """What to do about trouble with the gradebook or the disk, if the text tells of such."""
    sign, advice = _sign(text), advice_on(text)
    return f"{advice}{'' if sign in DAMAGE else f' {KEPT}'} ({sign})" if advice else None


def advice_on(text: str) -> str | None:
    """The same, without what holds of a command alone."""
    return (TROUBLE | DAMAGE).get(_sign(text))


def _sign(text: str) -> str | None:
    return next((sign for sign in TROUBLE | DAMAGE if sign in text), None)


def reason_of(done: dict) -> str:
    """Why a command of nbgrader's failed, in a line: what to do about it, or the last error it wrote down."""
    said = f"{done.get('error') or ''}\n{done.get('log') or ''}"  # the log has the cause, indented
    errors = re.findall(r"^(?: {4})?([A-Za-z_][\w.]*: .+)", said, re.MULTILINE)
    first = f" ({errors[0]})" if len(set(errors)) > 1 else ""  # of a chain, what it began with
    return what_to_do(said) or in_a_line(f"{errors[-1]}{first}" if errors else said.strip())
