"""Submissions that are nearly the same program: a hint for a conversation, never a proof.

Texts are compared after parsing: names, comments, layout and docstrings do not count, the order of operations
does. Short exercises have few right answers, so that honest solutions may be alike; this is why whole
submissions are compared.
"""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import Indel

ALIKE, MIN_TOKENS, CHUNK, MOST = 0.95, 60, 256, 100


@dataclass(frozen=True)
class Alike:
    """Students with programs alike: how much (1: the same but for names), and how many tokens long."""

    students: tuple[str, ...]
    similarity: float
    tokens: int


def solution_source(path: Path) -> str:
    """The text of the solution cells of a notebook; cells that do not parse are left out."""
    notebook, parts = json.loads(path.read_text(encoding="utf-8")), []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("solution"):
            text = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
            try:
                ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            parts.append(text)
    return "\n".join(parts)


def tokens(source: str) -> list[str]:
    """The program without what is easily changed: all names it gives are alike, attributes and numbers stay.

    >>> renamed = "def g(value):  # mine\\n    z = value + 1\\n    return z"
    >>> tokens("def f(x):\\n    y = x + 1\\n    return y") == tokens(renamed)
    True
    >>> tokens("x.sum()") == tokens("x.mean()")
    False
    """
    found: list[str] = []
    stack: list = [ast.parse(source)]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Raise, ast.expr_context, ast.Import, ast.ImportFrom)):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        text = type(node).__name__
        if isinstance(node, ast.Attribute):
            text += f".{node.attr}"
        elif isinstance(node, ast.Constant):
            text += f" {_constant(node.value)}"[:40]
        found.append(text)
        stack.extend(reversed(list(ast.iter_child_nodes(node))))
    return found


def _constant(value) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no integers of thousands of digits
        return "a huge number"


def near_identical(sources: Iterable[tuple[str, str]]) -> list[Alike]:
    """Groups of students with the same program, and pairs of nearly the same, most alike first."""
    numbers: dict[str, int] = {}
    groups: dict[str, list[str]] = defaultdict(list)
    for student, source in sources:
        program = tokens(source)
        if len(program) >= MIN_TOKENS:
            groups[
                "".join(chr(0xF0000 + numbers.setdefault(token, len(numbers)) % 0xFFF0) for token in program)
            ].append(student)
    programs = list(groups)
    found = [
        Alike(tuple(students), 1.0, len(program)) for program, students in groups.items() if len(students) > 1
    ]
    for start in range(0, len(programs), CHUNK):
        scores = process.cdist(
            programs[start : start + CHUNK],
            programs[start:],
            scorer=Indel.normalized_similarity,
            score_cutoff=ALIKE,
        )
        for row, column in zip(*scores.nonzero()):
            if column > row:
                first, second = programs[start + row], programs[start + column]
                found.append(
                    Alike(
                        (groups[first][0], groups[second][0]),
                        float(scores[row, column]),
                        min(len(first), len(second)),
                    )
                )
    return sorted(found, key=lambda alike: (-alike.similarity, -alike.tokens, alike.students))[:MOST]
