"""The page of the instructors' guide that shows what `certify` has seen."""

from __future__ import annotations

import re
from pathlib import Path

from coursegrader.authoring.certify import Row
from coursegrader.authoring.sweep_figures import swept_in_words
from coursegrader.course.problem_set import ProblemSet
from coursegrader.rubric.sweep.stored import stored_sweep


def page(problem_set: ProblemSet, rows: list[Row]) -> str:
    """What the rows show as a page of the instructors' guide: mistakes, messages, versions, and no code."""
    lines = [
        f"# Certified: {problem_set.name}",
        "",
        (
            "`coursegrader certify` wrote this page. It ran each version below as a submission on three "
            "sets of probes: the public ones, those of"
        ),
        (
            "grading, and a fresh one. (A version that never ends costs its whole time limit, and was "
            "run on those of grading only.) Right versions"
        ),
        (
            "passed. Each wrong version was told its own mistake: below stand the mistake's name, what "
            "the student reads, and the versions, with the"
        ),
        (
            "points that each still earns. A plain version is the one that gave the mistake its name. "
            "How a mistake is recognized: [](../grading.md)."
        ),
        "",
    ]
    for name, exercise in problem_set.exercises.items():
        mine = [row for row in rows if row.exercise == name]
        right = [row.label for row in mine if row.kind != "wrong"]
        wrong = [row for row in mine if row.kind == "wrong"]
        told = {}
        for row in wrong:
            verdict = row.verdicts["hidden"]
            label = "plain" if row.label == row.expected else row.label
            told.setdefault(verdict.misconception, {}).setdefault(verdict.message, []).append(
                f"{label}\u00a0({verdict.points:g})"
            )
        lines += [
            f"## `{name}`",
            "",
            (f"{len(right)} right versions get all {exercise.max_points} points: {_text('; '.join(right))}."),
            "",
            f"{len(wrong)} wrong versions are each told their own mistake.",
            "",
        ]
        if both := {tuple(entry["of"]) for entry in problem_set.public()["exercises"][name]["both"]}:
            pairs = (
                "1 pair of the likeliest mistakes is"
                if len(both) == 1
                else f"{len(both)} pairs of the likeliest mistakes are"
            )
            lines += [f"{pairs} told as both at once.", ""]
        if swept := stored_sweep(problem_set.rubric_path, name):
            lines += [swept_in_words(swept["figures"]), ""]
        for mistake, messages in told.items():
            lines += [f"`{mistake}`"]
            for message, labels in messages.items():
                labels.sort(key=lambda label: not label.startswith("plain\u00a0("))
                lines += [f": {_text(message)}", "", f"  *Versions:* {_text('; '.join(labels))}", ""]
    return "\n".join(lines)


def _text(plain: str) -> str:
    """`plain` in Markdown, so that the page shows it letter by letter, and torch.no_grad is no link."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$&^!+-]|(?<=\w)\.(?=\w))", r"\\\1", plain)


def write_page(problem_set: ProblemSet, rows: list[Row]) -> Path:
    """Write the page beside the instructors' guide; return where."""
    path = problem_set.root / "book" / "instructors" / "certified" / f"{problem_set.name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(problem_set, rows), encoding="utf-8")
    return path
