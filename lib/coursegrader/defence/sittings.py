"""Who sits in the browser room: one-time codes, sessions and time.

All of it is in the file of the answers, so that a server that was stopped goes on where it was, and gives
back the time that it was away.
"""

from __future__ import annotations

import math
import secrets
import time
from dataclasses import dataclass

from coursegrader.defence.answers import Answers

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
GRACE = 5  # seconds after the end, for the last click to arrive
AWAY = 10  # seconds without a word, after which the server was away: its machine slept, or its clock was set


@dataclass(frozen=True)
class Sitting:
    """One student's: `left` seconds, None before the beginning."""

    student: str
    minutes: float
    left: float | None
    ended: bool


class Sittings:
    """Those of a class."""

    def __init__(self, answers: Answers):
        self.answers, self.db = answers, answers.db
        self.last = math.inf  # when this server has last said that it runs

    def admit(self, students: list[str], minutes: float, more: dict[str, float]) -> dict[str, str]:
        """Give everybody a code who has none, and set the minutes of those who have not begun, and of those
        who are named in `more`. Returns each student's code, "" where it is used."""
        with self.answers.at_once():
            for student in students:
                self.db.execute(
                    "insert or ignore into sittings (student, code, minutes) values (?, ?, ?)",
                    (student, _code(), minutes),
                )
                self.db.execute(
                    "update sittings set minutes = ? where student = ? and (began is null or ?)",
                    (more.get(student, minutes), student, student in more),
                )
        return {student: code for student, code in self.codes().items() if student in students}

    def codes(self) -> dict[str, str]:
        """Each student's code, "" where it is used."""
        rows = self.db.execute("select student, code, session from sittings order by student").fetchall()
        return {student: "" if session else code for student, code, session in rows}

    def renew(self, student: str) -> None:
        """A new code, for another machine. What is open elsewhere is closed; answers and time stay."""
        with self.answers.at_once():
            self.db.execute(
                "update sittings set code = ?, session = null, ended = null where student = ?",
                (_code(), student),
            )

    def enter(self, code: str) -> str | None:
        """Use a code: a session, or None. The second use of a code opens nothing."""
        session = secrets.token_urlsafe(32)
        with self.answers.at_once():
            done = self.db.execute(
                "update sittings set session = ? where code = ? and session is null",
                (session, code.strip().lower().replace("-", "")),
            )
        return session if done.rowcount else None

    def find(self, session: str) -> Sitting | None:
        """Whose session it is."""
        row = self.db.execute(
            "select student, minutes, began, paused, ended from sittings where session = ?", (session,)
        ).fetchone()
        if row is None:
            return None
        student, minutes, began, paused, ended = row
        left = None if began is None else began + paused + 60 * minutes - time.time()
        return Sitting(student, minutes, left, ended is not None or (left is not None and left < -GRACE))

    def begin(self, student: str) -> None:
        """From now on time runs, unless it does already."""
        with self.answers.at_once():
            self.db.execute(
                "update sittings set began = ? where student = ? and began is null", (time.time(), student)
            )

    def end(self, student: str) -> None:
        with self.answers.at_once():
            self.db.execute("update sittings set ended = ? where student = ?", (time.time(), student))

    def alive(self, just_started: bool = False) -> None:
        """Say that the server runs. One that has just started or was away gives back the time since the last
        word, its own or of the one before, to those whose time was running then."""
        now = time.time()
        with self.answers.at_once():
            last = self.db.execute("select value from state where name = 'alive'").fetchone()
            if last and (just_started or now - last[0] > AWAY):
                self.db.execute(
                    "update sittings set paused = paused + ? where began is not null and ended is null "
                    "and began + paused + 60 * minutes > ?",
                    (max(0.0, now - last[0]), last[0]),
                )
            self.db.execute("insert or replace into state values ('alive', ?)", (now,))
        self.last = now

    def awake(self) -> None:
        """Before anybody's time is looked at: a machine that slept may answer before it says that it runs."""
        if time.time() - self.last > AWAY:
            self.alive()


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(10))
