"""How long a problem set takes, counted from its notebook: the one place of the hours in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

EXERCISE = re.compile(r"^## .*\(\d+ points?\b", re.MULTILINE)
STEPS = re.compile(r"^\*\*Steps\*\*.*\n((?:(?:\d+\. |[ ]+).*\n?)+)", re.MULTILINE)
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)
# a student's minutes, for one who meets the prerequisites. Estimated: no class has been timed yet
WORD = 1 / 140  # read, as in the chapters
AN_EXERCISE = 10  # to begin, to read what the check says, to try again
STEP, LINE = 4, 1  # a step to think out, a line to write
WRITTEN = 20  # an answer in about 200 words


def minutes(cells: Iterable[Mapping]) -> float:
    """The minutes of a source notebook: words of the exercises, their steps, and their solutions' lines."""
    total = 0.0
    for cell in cells:
        source = "".join(cell["source"])
        marked = cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] == "markdown" and EXERCISE.search(source):
            total += WORD * len(source.split()) + STEP * steps(source)
        elif marked.get("solution"):
            total += AN_EXERCISE if cell["cell_type"] == "code" else WRITTEN
            total += LINE * sum(
                bool(line.strip()) for part in SOLUTION.findall(source) for line in part.splitlines()
            )
    return total


def steps(text: str) -> int:
    """How many numbered steps an exercise's text lists."""
    return sum(len(re.findall(r"^\d+\. ", block, re.MULTILINE)) for block in STEPS.findall(text))


def hours(cells: Iterable[Mapping]) -> int:
    """The minutes in whole hours, at least one."""
    return max(1, round(minutes(cells) / 60))
