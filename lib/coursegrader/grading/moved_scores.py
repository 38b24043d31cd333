"""Whose score moved when a submission was graded again, in which exercise, and what had changed since."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

COLUMNS = [
    "when (UTC)",
    "student",
    "exercise",
    "points before",
    "points now",
    "verdict before",
    "verdict now",
    "what had changed",
]


def moves(
    student: str, before: list[dict], now: list[dict], changed: list[str], by_hand: Mapping[str, float]
) -> list[list]:
    """A row for each exercise whose points or verdict are others than before; columns as in COLUMNS.

    by_hand: the points that a person gave in the place of the check's, which stay; where there are others to
    be had now, that is a row, too.
    """
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    old = {verdict["exercise"]: verdict for verdict in before}
    rows = []
    for verdict in now:
        last = old.get(verdict["exercise"], {"points": 0, "passed": False, "misconception": "not asked"})
        was, is_ = (item["misconception"] or "passes" for item in (last, verdict))
        kept, most = by_hand.get(verdict["exercise"]), verdict.get("max_points")
        other_most = kept is not None and last.get("max_points", most) != most
        if (last["points"], was) != (verdict["points"], is_) or other_most:
            what = " and ".join(changed) or "nothing known"
            points = [f"{item['points']:g}" for item in (last, verdict)]
            if kept is not None:
                what += f"; the check gives {points[1]} of {most} now, and {kept:g} by hand stays: look at it"
                points = [f"{kept:g}"] * 2
            rows.append([when, student, verdict["exercise"], *points, was, is_, what])
    return rows


def write_moves(path: Path, rows: list[list]) -> None:
    """Add rows to the history of moved scores; it is never rewritten."""
    if not rows:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows if begun else [COLUMNS, *rows])


def in_words(row: list) -> str:
    """A row as a line for the terminal."""
    _, student, exercise, before, now, was, is_, changed = row
    verdicts = "" if was == is_ else f" ({was} -> {is_})"
    return f"{student:24} {exercise}: {before} -> {now} points{verdicts}; what had changed: {changed}"
