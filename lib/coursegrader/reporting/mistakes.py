"""The mistakes of a class: what those who made one were told, how many they are, and a line that shows it."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher

from coursegrader.course.problem_set import ProblemSet
from coursegrader.reporting.similarity import LONGEST
from coursegrader.reporting.sources import Texts
from coursegrader.text import in_a_line

NOT_WRITTEN = "not-implemented"
OF_NO_LINE = (NOT_WRITTEN, "waits-for-another")
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


def shared_mistakes(
    problem_set: ProblemSet, verdicts: dict[str, list[dict]], texts: dict[str, Texts]
) -> list[Shared]:
    """All mistakes that verdicts name, the most shared first; `verdicts` and what was written by student."""
    found = defaultdict(list)
    for student, items in verdicts.items():
        for item in items:
            if item["misconception"]:
                found[item["exercise"], item["misconception"]].append((student, item))
    rows = []
    for (exercise, misconception), own in found.items():
        students = tuple(student for student, _ in own)
        message = Counter(item["message"] for _, item in own).most_common(1)[0][0]
        written = ["\n".join(texts.get(student, {}).get(exercise, [])) for student in students]
        line = "" if misconception in OF_NO_LINE else _telling_line(problem_set, exercise, written)
        rows.append(Shared(exercise, misconception, own[0][1]["section"], message, students, line))
    return sorted(rows, key=lambda row: -len(row.students))


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
