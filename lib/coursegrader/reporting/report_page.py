"""The page of a report: what the class was told, how hard each exercise was, notes and scores."""

from __future__ import annotations

from markupsafe import Markup

from allyouneed.check import link
from coursegrader.course.problem_set import ProblemSet
from coursegrader.reporting.item_analysis import ENOUGH, Item
from coursegrader.reporting.mistakes import NOT_WRITTEN, OF_NO_CODE, Shared
from coursegrader.reporting.pages import anchor, fold, marked, page, paragraph, share, table
from coursegrader.reporting.similar_page import Together
from coursegrader.text import counted

MARKED = (
    "The code is of the one who is nearest to a right answer. Marked are lines with a step that no right "
    "answer of the class or the rubric has. Tried with styles that were held back, the mistake was among "
    "them nine times in ten; the other marks are ways of one's own."
)


def report_page(
    problem_set: ProblemSet,
    scores,
    items: list[Item],
    shared: list[Shared],
    alike: list[Together],
    notes,
    graded: int,
    waiting: int,
    site: str = "",
) -> str:
    """The page as a text: mistakes, exercises, notes and scores, names where one clicks."""
    parts = [
        ("Mistakes, most shared first", _mistakes(problem_set, shared, graded, site)),
        ("How hard each exercise was, and what it tells", _exercises(items)),
        (
            "Answers that are alike",
            paragraph(
                anchor("similar.html", f"{counted(len(alike), 'pair')}, with both codes beside each other")
            ),
        ),
        ("Notes on submissions", table(["student", "note"], notes)),
        (
            "Scores",
            table(scores[0], scores[1:])
            + paragraph(
                "By hand: written answers, and what else formgrader changed. The total is their sum, less "
                "the penalty; while it is not yet marked, it is what there is so far."
            ),
        ),
    ]
    empty = {"Answers that are alike": not alike, "Notes on submissions": not notes}
    opening = f"{graded} graded submissions." + (f" {waiting} of them not yet marked." if waiting else "")
    opening += " Names are shown where you click."
    folded = ["Answers that are alike", "Notes on submissions", "Scores"]
    shown = [(heading, part) for heading, part in parts if not empty.get(heading)]
    return page(f"{problem_set.name}: report", shown, opening, folded)


def _mistakes(problem_set: ProblemSet, shared: list[Shared], graded: int, site: str) -> Markup:
    """What they were told, how many of all, and the code of one of them; apart, who wrote nothing."""

    def who(row: Shared) -> Markup:
        return fold(f"{len(row.students)} ({len(row.students) / graded:.0%})", ", ".join(row.students))

    def example(row: Shared) -> Markup:
        if row.example is None:
            return Markup()
        lines = row.example.text.split("\n")
        flags = [mark for line, mark in zip(lines, row.example.marks) for _ in f"{line}\n"]
        return fold("what one of them wrote", marked(row.example.text, flags))

    def teach(row: Shared) -> Markup:
        address = link(problem_set.name, row.section, site).removeprefix("See ")
        return anchor(address, (row.section or problem_set.name).replace("-", " "))

    made = [
        [who(row), row.exercise, paragraph(row.message) + example(row), teach(row)]
        for row in shared
        if row.misconception not in OF_NO_CODE
    ]
    empty = [[who(row), row.exercise] for row in shared if row.misconception == NOT_WRITTEN]
    header = ["students", "exercise", "what they are told, and what one of them wrote", "teach again"]
    text = paragraph(MARKED) + table(header, made) if made else paragraph("None.")
    return text + (paragraph("Not written:") + table(["students", "exercise"], empty) if empty else "")


def _exercises(items: list[Item]) -> Markup:
    large = any(item.students >= ENOUGH for item in items)
    rows = [
        [
            item.exercise,
            share(item.difficulty),
            *([item.told_discrimination()] if large else []),
            item.told_failures(),
            item.remark(),
        ]
        for item in items
    ]
    header = ["exercise", "share of the points reached", *(["discrimination"] if large else [])]
    return table([*header, "failures", "remark"], rows) + paragraph(
        "The share is that of the whole class: below 30% an exercise is hard. Discrimination is the "
        "correlation of its points with those of all others: above 0.3 it tells strong from weak, clearly "
        f"below 0 something is wrong with it. Among fewer than {ENOUGH} submissions it is chance, left out."
    )
