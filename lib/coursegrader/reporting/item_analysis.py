"""How hard each exercise was, and whether it tells those who understood the rest from those who did not."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

FAILURES = {
    "timeout": "did not end",
    "raises": "raised an error",
    "truth-of-tensor": "raised an error",
    "writes-into-expanded": "raised an error",
    "overwritten-for-gradient": "raised an error",
    "does-not-import": "could not be run",
    "syntax-error": "not readable as Python",
    "no-answer": "gave no answer",
    "not-implemented": "not written",
    "waits-for-another": "waiting for another exercise",
}
ENOUGH = 20  # submissions; in a smaller class a correlation is chance


@dataclass(frozen=True)
class Item:
    """One exercise in one class.

    `difficulty` is the share of its points that the class reached: 1 is easy. `discrimination` is the
    correlation of its points with the points of all other exercises together (corrected point-biserial):
    above 0.3 it separates well, near 0 it does not, clearly below 0 something is wrong with it. None in a
    class of fewer than ENOUGH, or where everybody has the same points.
    """

    exercise: str
    difficulty: float
    discrimination: float | None
    failures: dict[str, int]
    students: int

    def remark(self) -> str:
        """What to look at, or an empty text."""
        # hardly by chance
        if self.discrimination is not None and self.discrimination < -2 / math.sqrt(self.students):
            return "strong students fail it more often than weak ones: read its rubric again"
        if self.difficulty < 0.3:
            return "hard: most points were not reached"
        return "easy: nearly everybody has it" if self.difficulty > 0.95 else ""

    def told_failures(self) -> str:
        return ", ".join(f"{count} {FAILURES[kind]}" for kind, count in self.failures.items())

    def told_discrimination(self) -> str:
        """To two places, or an empty text."""
        return "" if self.discrimination is None else f"{self.discrimination:.2f}"


def analyse(
    names: Sequence[str],
    points: Sequence[Sequence[float]],
    most: Sequence[float],
    verdicts: Sequence[Sequence[dict]],
) -> list[Item]:
    """One `Item` for each exercise: `points` has a row for each student and a column for each exercise."""
    items = []
    for column, name in enumerate(names):
        own = [row[column] for row in points]
        rest = [sum(row) - row[column] for row in points]
        varied = len(points) >= ENOUGH and len(set(own)) > 1 and len(set(rest)) > 1
        found = Counter(
            item["misconception"] for items_ in verdicts for item in items_ if item["exercise"] == name
        )
        items.append(
            Item(
                name,
                sum(own) / (len(own) * most[column]),
                statistics.correlation(own, rest) if varied else None,
                {kind: found[kind] for kind in FAILURES if found[kind]},
                len(points),
            )
        )
    return items
