"""The mistakes of a class: what those who made one were told, how many they are, and a line that shows it."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import nbformat

from coursegrader.course.problem_set import ProblemSet
from coursegrader.grading.job import judged_cells, own_cells
from coursegrader.text import in_a_line

NOT_WRITTEN = "not-implemented"
LONGEST = 20_000  # characters; to compare what is far longer takes far longer
TELLS_NOTHING = re.compile(r"\s*(def|class|import|from|pass)\b")  # how a line begins


@dataclass(frozen=True)
class Shared:
    """One mistake in one exercise, and all who made it. `line` is from the submission of theirs that is
    nearest to a right version: what of it no right version has.
    """

    exercise: str
    misconception: str
    section: str
    message: str
    students: tuple[str, ...]
    line: str = ""


def shared_mistakes(problem_set: ProblemSet, verdicts: dict[str, list[dict]]) -> list[Shared]:
    """All mistakes that verdicts name, the most shared first; `verdicts` by student."""
    found = defaultdict(list)
    for student, items in verdicts.items():
        for item in items:
            if item["misconception"]:
                found[item["exercise"], item["misconception"]].append((student, item))
    sources = {student: _sources(problem_set, student) for student in verdicts}
    rows = []
    for (exercise, misconception), own in found.items():
        students = tuple(student for student, _ in own)
        message = Counter(item["message"] for _, item in own).most_common(1)[0][0]
        written = [sources[student].get(exercise, "") for student in students]
        line = "" if misconception == NOT_WRITTEN else _telling_line(problem_set, exercise, written)
        rows.append(Shared(exercise, misconception, own[0][1]["section"], message, students, line))
    return sorted(rows, key=lambda row: -len(row.students))


def _sources(problem_set: ProblemSet, student: str) -> dict[str, str]:
    """What a student wrote for each exercise."""
    path = _notebook(problem_set, student)
    if not path.is_file():
        return {}
    notebook = nbformat.read(path, as_version=4)
    return {
        exercise: "\n".join(own.source for own in own_cells(notebook, cell))
        for exercise, cell in judged_cells(notebook).items()
    }


def _notebook(problem_set: ProblemSet, student: str) -> Path:
    return problem_set.root / "autograded" / student / problem_set.name / f"{problem_set.name}.ipynb"


def _telling_line(problem_set: ProblemSet, exercise: str, sources: list[str], most: int = 2) -> str:
    versions = problem_set.exercises.get(exercise)
    right = [_lines(item.source) for item in (versions.reference, *versions.alternatives)] if versions else []
    others = []
    for lines in map(_lines, sources):
        for known in right:
            blocks = SequenceMatcher(None, known, lines, autojunk=False).get_matching_blocks()
            same = {number for block in blocks for number in range(block.b, block.b + block.size)}
            if extra := [line for number, line in enumerate(lines) if number not in same]:
                others.append(extra)
    return "\n".join(in_a_line(line, 200) for line in min(others, key=len)[:most]) if others else ""


def _lines(source: str) -> list[str]:
    """The lines of its functions and classes without comments, documentation and layout; none where it cannot
    be read, or is longer than any answer.
    """
    if len(source) > LONGEST:
        return []
    try:
        tree = ast.parse(source)
        tree.body = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
                node.body[0] = ast.Pass()
        return [line.strip() for line in ast.unparse(tree).splitlines() if not TELLS_NOTHING.match(line)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
