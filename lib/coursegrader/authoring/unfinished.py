"""What running a rubric does not show: messages that lead to no paragraph, cells left as the template's."""

from __future__ import annotations

import re
from collections.abc import Collection

from coursegrader.authoring.new_exercise import SOLUTION, TEXT
from coursegrader.course.problem_set import ProblemSet

LABEL = re.compile(r"^\(([\w-]+)\)=\s*$", re.MULTILINE)
TEMPLATE = {
    "question": TEXT.split("\n\n")[1],
    "hints": "The symptom that a student sees",
    "steps": "The first step, without the code.",
    "docstring": SOLUTION.split('"""')[1].split("\n")[0],
}


def unfinished(problem_set: ProblemSet, only: Collection[str] = ()) -> list[str]:
    """What is still to be done for the exercises `only`, or all, one line each. Where the course has no
    chapters, as a term's own folder, labels are not looked at."""
    chosen = {name: exercise for name, exercise in problem_set.exercises.items() if not only or name in only}
    return _labels(problem_set, chosen) + _template(problem_set, chosen)


def _labels(problem_set: ProblemSet, chosen: dict) -> list[str]:
    book, chapter = problem_set.root / "book", problem_set.name
    if not any(book.glob("*.md")):
        return []
    pages = [*book.glob(f"{chapter}.md"), *book.glob(f"{chapter}/*.md")]
    if not pages:
        return [
            f"there is no page book/{chapter}.md, and no folder book/{chapter}, to which the messages lead; "
            "write it, and name it in _toc.yml"
        ]
    there = {label for page in pages for label in LABEL.findall(page.read_text(encoding="utf-8"))}
    return [
        f"{name}: book/{chapter} has no label {label!r}: write ({label})= above the paragraph"
        if label
        else f"{name}: its section is empty: name a label of book/{chapter}"
        for name, exercise in chosen.items()
        for label in dict.fromkeys(
            [exercise.section, *(mistake.section for mistake in exercise.mistakes.values())]
        )
        if label not in there
    ]


def _template(problem_set: ProblemSet, chosen: dict) -> list[str]:
    found = []
    for cell in problem_set.notebook.cells:
        own = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "").removesuffix("-text")
        for name in chosen:
            if own == name.replace("_", "-").lower():
                found += [
                    f"{name}: the notebook still has the template's {part}"
                    for part, text in TEMPLATE.items()
                    if text in cell.source
                ]
    return found
