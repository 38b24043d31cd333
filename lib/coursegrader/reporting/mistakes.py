"""The mistakes of a class: what those who made one were told, how many they are, the code of one."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from coursegrader.course.problem_set import ProblemSet
from coursegrader.reporting.canonical import FUNCTIONS, Program, program, readable
from coursegrader.reporting.similarity import LONGEST
from coursegrader.reporting.sources import Texts, given_cells

NOT_WRITTEN = "not-implemented"
OF_NO_CODE = (NOT_WRITTEN, "waits-for-another")
LEVELS = 2  # of an expression that make a step: an operation, and how what it takes came about


@dataclass(frozen=True)
class Example:
    """What somebody wrote, and which of its lines begin a step that no right answer has and that has no such
    step in it."""

    text: str
    marks: tuple[bool, ...]


@dataclass(frozen=True)
class Shared:
    """One mistake in one exercise, and all who made it. The example is of the one with the fewest steps that
    no right answer has."""

    exercise: str
    misconception: str
    section: str
    message: str
    students: tuple[str, ...]
    example: Example | None = None


def shared_mistakes(
    problem_set: ProblemSet, verdicts: dict[str, list[dict]], texts: dict[str, Texts]
) -> list[Shared]:
    """All mistakes that verdicts name, the most shared first; `verdicts` and what was written by student."""

    given = {cell.strip() for cell in given_cells(problem_set)}

    def written(students: Iterable[str], exercise: str) -> list[str]:
        cells = (texts.get(student, {}).get(exercise, []) for student in students)
        found = (
            "\n\n".join(_undocumented(cell) for cell in own if cell.strip() not in given) for own in cells
        )
        return [text for text in found if text.strip() and len(text) <= LONGEST]

    found, right = defaultdict(list), defaultdict(list)
    for student, items in verdicts.items():
        for item in items:
            if item["misconception"]:
                found[item["exercise"], item["misconception"]].append((student, item))
            else:
                right[item["exercise"]].append(student)
    known = {
        exercise: _right_steps(problem_set, exercise, written(right[exercise], exercise))
        for exercise in {exercise for exercise, _ in found}
    }
    rows = []
    for (exercise, misconception), own in found.items():
        students = tuple(student for student, _ in own)
        message = Counter(item["message"] for _, item in own).most_common(1)[0][0]
        examples = [_example(text, known[exercise]) for text in written(students, exercise)]
        best = min(examples, key=lambda pair: pair[0], default=(0, None))[1]
        shown = None if misconception in OF_NO_CODE else best
        rows.append(Shared(exercise, misconception, own[0][1]["section"], message, students, shown))
    return sorted(rows, key=lambda row: -len(row.students))


def _right_steps(problem_set: ProblemSet, exercise: str, answers: list[str]) -> set[int]:
    """The steps of the rubric's right versions, and of the class's right answers."""
    versions = problem_set.exercises.get(exercise)
    if versions is not None:
        answers = [*answers, *(item.source for item in (versions.reference, *versions.alternatives))]
    return {part.views[LEVELS] for text in answers for part in _read(text).parts}


def _example(text: str, known: set[int]) -> tuple[tuple[int, int], Example]:
    """The example, and how far it is from what is known: in steps, and in letters."""
    places = {(start, -end) for part, start, end in _read(text).places if part.views[LEVELS] not in known}
    own = sorted(place for place in places if not text[place[0] : -place[1]].isidentifier())
    following = [start for start, _ in own[1:]] + [len(text)]
    inner = [start for (start, end), begins in zip(own, following) if begins >= -end]
    lines = {text.count("\n", 0, start) for start in inner}
    marks = tuple(number in lines for number in range(text.count("\n") + 1))
    return (len(inner), len(text)), Example(text, marks)


def _read(text: str) -> Program:
    """As a program; one without parts where it is no Python."""
    try:
        return program(text)
    except SyntaxError:
        return Program()


def _undocumented(text: str) -> str:
    """Without the docstrings, which are the exercise's; as it is where it is no Python."""
    try:
        tree = readable(text)
    except SyntaxError:
        return text
    lines = text.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and ast.get_docstring(node) and node.body[1:]:
            first, last = node.body[0].lineno - 1, node.body[0].end_lineno
            lines[first:last] = [None] * (last - first)
    return "\n".join(line for line in lines if line is not None)
