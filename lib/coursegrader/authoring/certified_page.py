"""The page of the instructors' guide that shows what `certify` has seen."""

from __future__ import annotations

import json
import re
from pathlib import Path

from coursegrader.authoring import sweep_figures
from coursegrader.authoring.certify import Row, origin
from coursegrader.course.problem_set import ProblemSet
from coursegrader.rubric.dependencies import digest
from coursegrader.rubric.sweep.stored import stored_sweep

STAMP = "% Follows from, with this text: "


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
            lines += [sweep_figures.swept_in_words(swept["figures"]), ""]
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
    """Write the page beside the instructors' guide, and what it follows from as its last line, which the site
    does not show; return where."""
    path, text = _place(problem_set), page(problem_set, rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n{STAMP}{_origin(problem_set, text)}\n", encoding="utf-8")
    return path


def written_page(problem_set: ProblemSet) -> tuple[str, bool]:
    """The page as `write_page` left it, and whether all that it follows from is still the same: then every
    version would be judged as it was."""
    text, _, stamp = _place(problem_set).read_text(encoding="utf-8").partition(f"\n{STAMP}")
    return text, stamp.strip() == _origin(problem_set, text)


def _place(problem_set: ProblemSet) -> Path:
    return problem_set.root / "book" / "instructors" / "certified" / f"{problem_set.name}.md"


class _FirstDrawn(ProblemSet):
    """With hidden numbers as they are drawn first: how often they are drawn again follows from the rest."""

    def _draw(self, name: str) -> int:
        return 0


def _origin(problem_set: ProblemSet, text: str) -> str:
    """A digest of the page and of what it follows from: versions, probes, judge, sweeps, Python, torch."""
    exercises, first = sorted(problem_set.exercises), _FirstDrawn(problem_set.root, problem_set.name)
    return digest(
        text,
        *(origin(first, name) for name in exercises),
        *(json.dumps(stored_sweep(problem_set.rubric_path, name)) for name in exercises),
        *(Path(file).read_bytes() for file in (__file__, sweep_figures.__file__)),
    )
