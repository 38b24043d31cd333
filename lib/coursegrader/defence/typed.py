"""Answers that a person types, in a table: a row a student, or a row an answer."""

from __future__ import annotations

from pathlib import Path

from allyouneed.check.questions.shown import choice_of
from coursegrader.course.csv_table import read_csv_table
from coursegrader.defence.answers import Answer
from coursegrader.defence.paper import Paper
from coursegrader.errors import UserError

WORDS = {"right": 1.0, "wrong": 0.0}


def read_typed(path: Path, papers: dict[str, Paper]) -> dict[str, list[Answer]]:
    """Read a CSV (comma, semicolon or tab): ``student,1,2,3`` with a row for each student, or
    ``student,question,answer`` with a row for each answer.

    An answer is a letter, the number of a line, ``none``, or a mark in its place: right, wrong, or for a
    question "why" a number from 0 to 1. An empty cell changes nothing. Raises UserError with all that cannot
    be used; then nothing is.
    """
    found, problems, seen = {}, [], set()
    for line, cells in read_csv_table(path).rows.items():
        student = cells.pop("student", "")
        paper = papers.get(student)
        if paper is None:
            problems.append(f"line {line}: there is no paper of {student or 'nobody'}")
            continue
        if "answer" in cells:
            cells = {cells.get("question", ""): cells["answer"]}
        for column, typed in cells.items():
            if not typed:
                continue
            place = f"line {line}, {student}, question {column}"
            if not column.isdecimal() or not 1 <= int(column) <= len(paper.questions):
                problems.append(f"{place}: the paper has no such question")
            elif (student, column) in seen:
                problems.append(f"{place}: answered twice")
            else:
                seen.add((student, column))
                try:
                    found.setdefault(student, []).append(_answer(paper, int(column) - 1, typed))
                except ValueError as error:
                    problems.append(f"{place}: {error}")
    if problems:
        raise UserError(f"{path}: nothing was taken.\n  " + "\n  ".join(problems))
    return found


def _answer(paper: Paper, number: int, typed: str) -> Answer:
    question = paper.questions[number]
    if typed.lower() in WORDS:
        return Answer(number, mark=WORDS[typed.lower()])
    if typed.lower() == "none":
        return Answer(number)
    if question.kind == "why":
        try:
            mark = float(typed.replace(",", "."))
        except ValueError:
            mark = -1.0
        if not 0 <= mark <= 1:
            raise ValueError(f"a mark from 0 to 1 is expected, but got {typed[:40]!r}")
        return Answer(number, mark=mark)
    choice = choice_of(question, typed)
    if choice is None:
        raise ValueError(f"it has no choice {typed[:40]!r}")
    return Answer(number, choice)
