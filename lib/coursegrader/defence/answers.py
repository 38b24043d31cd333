"""What a class answered in a defence, in one SQLite file; what `put` has returned from is on the disk.

Answers come from the browser, from scanned sheets, or from a person who typed them. What a person typed
stands above what was clicked or read. Answers that were clicked are not replaced by read ones, nor these by
clicked ones, unless that is asked for.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.paper import Paper, paper_folder
from coursegrader.errors import UserError

BROWSER, SCAN, TYPED, ANSWERS = "browser", "scan", "typed", "answers.sqlite"
MOST_TEXT = 5000  # characters of an answer in words
TABLES = """
create table if not exists answers (
  student text, question integer, choice integer, words text, mark real, source text not null,
  paper text not null, at real not null, primary key (student, question));
create table if not exists sittings (
  student text primary key, code text unique not null, session text unique, minutes real not null,
  began real, paused real not null default 0, ended real);
create table if not exists state (name text primary key, value real);
"""


@dataclass(frozen=True)
class Answer:
    """To a question of a paper, from 0: the number of a choice, words, or a mark (0 to 1) that a person gave
    in their place. All of them None: it was looked at, and nothing is answered."""

    question: int
    choice: int | None = None
    words: str | None = None
    mark: float | None = None
    source: str = TYPED


def digest_of(paper: Paper) -> str:
    """Of all that a student saw: answers belong to it alone."""
    return hashlib.sha256(paper.to_json().encode()).hexdigest()[:16]


def answers_path(problem_set: ProblemSet) -> Path:
    """Beside the papers, for its owner alone."""
    return paper_folder(problem_set) / ANSWERS


class Answers:
    """The file of one class and problem set, open. Each change is a transaction that waits for the disk."""

    def __init__(self, path: Path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        self.path, self.db = path, sqlite3.connect(path, timeout=20, isolation_level=None)
        try:
            self.db.execute("pragma synchronous = full")
            self.db.executescript(TABLES)
            self.of("")  # are these its columns?
        except sqlite3.DatabaseError as error:
            self.db.close()
            raise UserError(f"{path} cannot be read ({error}). Put it back from a backup.") from error

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_) -> None:
        self.db.close()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """All of it, or nothing."""
        self.db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self.db.execute("rollback")
            raise
        self.db.execute("commit")

    def of(self, student: str) -> tuple[dict[int, Answer], set[str]]:
        """A student's answers by question, and the digests of the papers that they belong to."""
        rows = self.db.execute(
            "select question, choice, words, mark, source, paper from answers where student = ?", (student,)
        ).fetchall()
        return {row[0]: Answer(*row[:5]) for row in rows}, {row[5] for row in rows}

    def of_another(self, paper: Paper) -> bool:
        """Has the student answered another paper than this one?"""
        return bool(self.of(paper.student)[1] - {digest_of(paper)})

    def forget(self, student: str) -> None:
        """What they answered, and that they sat for it."""
        with self.at_once():
            self.db.execute("delete from answers where student = ?", (student,))
            self.db.execute("delete from sittings where student = ?", (student,))

    def put(
        self, paper: Paper, answers: Iterable[Answer], source: str, overwrite: bool = False
    ) -> list[tuple[int, str]]:
        """Keep answers to this paper. Returns the questions that were left as they were, with the source of
        the answer that is there and differs."""
        left, digest = [], digest_of(paper)
        with self.at_once():
            before, papers = self.of(paper.student)
            if papers - {digest} and overwrite:  # of a paper that is no more
                self.db.execute(
                    "delete from answers where student = ? and paper != ?", (paper.student, digest)
                )
                before = {}
            elif papers - {digest}:
                raise UserError(
                    f"{paper.student} has answered another paper than the present one, which was made anew "
                    "since. To drop the old answers, add --overwrite."
                )
            for answer in answers:
                old = before.get(answer.question)
                same = old and (old.choice, old.words, old.mark) == (answer.choice, answer.words, answer.mark)
                if old and old.source != source and source != TYPED:
                    if old.source == TYPED or not overwrite:
                        left += [] if same else [(answer.question, old.source)]
                        continue
                self.db.execute(
                    "insert or replace into answers values (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        paper.student,
                        answer.question,
                        answer.choice,
                        None if answer.words is None else answer.words[:MOST_TEXT],
                        answer.mark,
                        source,
                        digest,
                        time.time(),
                    ),
                )
        return left


def open_answers(problem_set: ProblemSet) -> Answers:
    return Answers(answers_path(problem_set))
