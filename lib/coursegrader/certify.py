"""Prove a rubric: right versions pass, wrong ones fail with the message of their own mistake, publicly and when graded."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from allyouneed.check.judge import Verdict
from coursegrader.problemset import ProblemSet
from coursegrader.trial import try_sources

ROUNDS = ("public", "hidden", "fresh")


@dataclass(frozen=True)
class Row:
    """One version of one exercise, the mistake it must be found to have (None: it must pass), and its verdicts by round."""

    exercise: str
    label: str
    kind: str
    expected: str | None
    verdicts: dict[str, Verdict]

    def fault(self) -> str | None:
        """What is wrong with the rubric here, or None."""
        for name, verdict in self.verdicts.items():
            if verdict.misconception != self.expected or verdict.passed != (self.expected is None):
                return f"{name}: expected {self.expected or 'a pass'}, got {verdict.misconception or 'a pass'}: {verdict.message}"
            if verdict.passed and verdict.points != verdict.max_points:
                return f"{name}: passes with {verdict.points} of {verdict.max_points} points"
        return None


def certify(problem_set: ProblemSet, only: Sequence[str] = (), rounds: Sequence[str] = ROUNDS) -> list[Row]:
    """Run every version of every exercise (or of those in `only`) on the sets of probes named in `rounds`; return a row for each.

    A version that never ends costs its whole time limit, and is run on the probes of grading ("hidden") alone.
    Raises RubricError if the rubric is unusable.
    """
    if not only:
        problem_set.verify()
    chosen = {name: problem_set.exercise(name) for name in only or problem_set.exercises}
    versions = [(exercise, version, kind) for exercise in chosen.values()
                for kind, group in (("reference", [exercise.reference]), ("right", exercise.alternatives), ("wrong", exercise.wrong_versions))
                for version in group]
    tried = {name: [index for index, (_, version, _) in enumerate(versions) if name == "hidden" or version.mistake != "timeout"] for name in rounds}
    prints = {name: problem_set.fingerprints(name, chosen) for name in rounds}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:  # a thread only waits for its worker process
        jobs = {name: pool.submit(try_sources, problem_set, [(versions[index][0].name, versions[index][1].source) for index in tried[name]], prints[name])
                for name in rounds}
        verdicts = {name: dict(zip(tried[name], job.result())) for name, job in jobs.items()}
    return [Row(exercise.name, version.label, kind, version.mistake, {name: found[index] for name, found in verdicts.items() if index in found})
            for index, (exercise, version, kind) in enumerate(versions)]


def matrix(rows: list[Row]) -> str:
    """The rows as aligned text for the terminal."""
    lines = []
    for row in rows:
        fault = row.fault()
        first = row.verdicts["hidden"]
        got = first.misconception or "passes"
        lines.append(f"{'FAIL' if fault else 'ok  '}  {row.exercise:30} {row.kind:9} {row.label[:44]:44} {got:24} {first.points:g}/{first.max_points:g}")
        if fault:
            lines.append(f"      {fault}")
    return "\n".join(lines)


def page(problem_set: ProblemSet, rows: list[Row]) -> str:
    """What the rows show as a page of the instructors' guide: each mistake with its message and its versions, and no code."""
    lines = [f"# Certified: {problem_set.name}", "",
             "`coursegrader certify` wrote this page. It ran each version below as a submission on three sets of probes: the public ones, those of",
             "grading, and a fresh one. (A version that never ends costs its whole time limit, and was run on those of grading only.) Right versions",
             "passed. Each wrong version was told its own mistake: below stand the mistake's name, what the student reads, and the versions, with the",
             "points that each still earns. A plain version is the one that gave the mistake its name. How a mistake is recognized: [](../grading.md).", ""]
    for name, exercise in problem_set.exercises.items():
        mine = [row for row in rows if row.exercise == name]
        right = [row.label for row in mine if row.kind != "wrong"]
        wrong = [row for row in mine if row.kind == "wrong"]
        told = {}
        for row in wrong:
            verdict = row.verdicts["hidden"]
            label = "plain" if row.label == row.expected else row.label
            told.setdefault(verdict.misconception, {}).setdefault(verdict.message, []).append(f"{label}\u00a0({verdict.points:g})")
        lines += [f"## `{name}`", "", f"{len(right)} right versions get all {exercise.max_points} points: {_text('; '.join(right))}", "",
                  f"{len(wrong)} wrong versions are each told their own mistake.", ""]
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
