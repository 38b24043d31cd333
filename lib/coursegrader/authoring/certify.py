"""Prove a rubric: right versions pass, wrong ones fail with their own mistake's message, in every round."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from allyouneed.check.judge import Verdict
from allyouneed.check.rules import forbidden_in_source
from coursegrader.course.kept import keep, kept
from coursegrader.course.problem_set import ProblemSet
from coursegrader.grading.judging import verdict_on
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.dependencies import digest, digest_of_imports
from coursegrader.rubric.fingerprints import IndistinctProbes, complete, derived
from coursegrader.rubric.language import Exercise, RubricError, Version
from coursegrader.rubric.questions import answers_of, questions

ROUNDS = ("public", "hidden", "fresh")
KEPT = ("public", "hidden")  # fingerprints that others use
BRIEF = " brief"  # after the name of a task without long probes, which only evidence for verdicts is asked
HANGING = " hanging"  # after the name of a task for a version that never ends
HANGING_SECONDS = 0.5  # of processor time for its calls: it would use up any limit


@dataclass(frozen=True)
class Row:
    """A version of an exercise, the mistake it must show (None: it must pass), and its verdicts by round."""

    exercise: str
    label: str
    kind: str
    expected: str | None
    verdicts: dict[str, Verdict]

    def fault(self) -> str | None:
        """What is wrong with the rubric here, or None."""
        for name, verdict in self.verdicts.items():
            if verdict.misconception != self.expected or verdict.passed != (self.expected is None):
                return (
                    f"{name}: expected {self.expected or 'a pass'}, got "
                    f"{verdict.misconception or 'a pass'}: {verdict.message}"
                )
            if verdict.passed and verdict.points != verdict.max_points:
                return f"{name}: passes with {verdict.points} of {verdict.max_points} points"
        return None


def certify(problem_set: ProblemSet, only: Sequence[str] = (), rounds: Sequence[str] = ROUNDS) -> list[Row]:
    """Run every version of every exercise, or of `only`, on the probes of each of `rounds`; a row each.

    Each version is asked once; its answers are evidence for the fingerprint, and are then judged by it as a
    submission's. What has not changed since it was certified is not run again. A version that never ends
    costs its whole time limit: that is shorter, and it is run on the probes of grading ("hidden") alone.
    Raises RubricError if the rubric is unusable.
    """
    problem_set.verify(only)
    chosen = {name: problem_set.exercise(name) for name in only or problem_set.exercises}
    rows = {}
    for name in chosen:
        if (found := kept(_place(problem_set, name, rounds), origin(problem_set, name, rounds))) is not None:
            rows[name] = [
                Row(*row[:4], {kind: Verdict(**verdict) for kind, verdict in row[4].items()}) for row in found
            ]
    new = [exercise for name, exercise in chosen.items() if name not in rows]
    try:
        for exercise, begun, found in _run(problem_set, new, rounds) if new else ():
            rows[exercise.name] = found
            if origin(problem_set, exercise.name, rounds) == begun:
                keep(
                    _place(problem_set, exercise.name, rounds),
                    begun,
                    [
                        (
                            row.exercise,
                            row.label,
                            row.kind,
                            row.expected,
                            {kind: verdict.as_dict() for kind, verdict in row.verdicts.items()},
                        )
                        for row in found
                    ],
                )
    except IndistinctProbes as error:
        problem_set.draw_again(error)
        return certify(problem_set, only, rounds)
    return [row for name in chosen for row in rows[name]]


def _place(problem_set: ProblemSet, name: str, rounds: Sequence[str]) -> Path:
    return problem_set.place("-".join(["certified", *rounds]), name)


def origin(problem_set: ProblemSet, name: str, rounds: Sequence[str] = ROUNDS) -> str:
    """A digest of all that the verdicts on an exercise's versions follow from."""
    return digest(
        *(problem_set.origin(kind, name) for kind in rounds),
        Path(__file__).read_bytes(),
        digest_of_imports([], ["coursegrader.grading.judging"]),
    )


def _run(
    problem_set: ProblemSet, exercises: Sequence[Exercise], rounds: Sequence[str]
) -> Iterator[tuple[Exercise, str, list[Row]]]:
    """Ask the versions of `exercises`; yield each exercise with the digest of what it was, and its rows, as
    soon as they are known."""
    prints = {
        (name, exercise.name): problem_set.outline(name, exercise.name)
        for exercise in exercises
        for name in rounds
    }
    before = {
        exercise.name: (
            {name: problem_set.origin(name, exercise.name) for name in rounds if name in KEPT},
            origin(problem_set, exercise.name, rounds),
        )
        for exercise in exercises
    }
    rest = {exercise.name: exercise for exercise in exercises}
    asked = [version for exercise in exercises for version in _asked(exercise, rounds)]
    left = Counter(version.exercise for version in asked for _ in version.tasks)
    answered: dict[str, dict] = {name: {} for name in rest}
    # the longest first, so that the last ones end together
    order = sorted(asked, key=lambda version: -left[version.exercise])
    tasks = {}
    for (kind, name), found in prints.items():
        tasks[f"{kind} {name}"] = questions(found)
        tasks[f"{kind} {name}{BRIEF}"] = questions(found, long=False)
        tasks[f"{kind} {name}{HANGING}"] = questions(found) | {"seconds": HANGING_SECONDS}
    for index, task, response in ask_versions(
        problem_set.prelude, problem_set.helpers, tasks, order, alone=False
    ):
        name, kind = order[index].exercise, task.partition(" ")[0]
        answered[name][order[index].source, kind] = response, not task.endswith(BRIEF)
        left[name] -= 1
        if left[name]:
            continue
        exercise, responses, found = rest[name], answered.pop(name), {}
        for kind in rounds:
            try:
                made = complete(
                    _as_judged(exercise, kind),
                    prints[kind, name],
                    lambda version, kind=kind: answers_of(
                        prints[kind, name], *responses[version.source, kind]
                    ),
                )
            except IndistinctProbes as error:
                if kind == "hidden":
                    raise
                raise RubricError(str(error)) from error
            if kind in KEPT:
                problem_set.keep(kind, name, made, before[name][0][kind])
            mine = {
                version.source for _, version in _versions(exercise) if kind in _rounds_of(version, rounds)
            }
            found[kind] = _judged(name, made, {source: responses[source, kind][0] for source in mine})
        yield (
            exercise,
            before[name][1],
            [
                Row(
                    name,
                    version.label,
                    place,
                    version.mistake,
                    {kind: found[kind][version.source] for kind in _rounds_of(version, rounds)},
                )
                for place, version in _versions(exercise)
            ],
        )


def _versions(exercise: Exercise) -> list[tuple[str, Version]]:
    return [
        ("reference", exercise.reference),
        *(("right", version) for version in exercise.alternatives),
        *(("wrong", version) for version in exercise.wrong_versions),
    ]


def _rounds_of(version: Version, rounds: Sequence[str]) -> list[str]:
    return [name for name in rounds if name == "hidden" or version.mistake != "timeout"]


def _as_judged(exercise: Exercise, kind: str) -> Exercise:
    """The exercise as a round needs it. What results behave like is told where no mistake is known, so never
    of a version that proves a rubric: only fingerprints that are kept hold it."""
    return exercise if kind in KEPT else replace(exercise, told=[])


def _asked(exercise: Exercise, rounds: Sequence[str]) -> list[Asked]:
    """The different texts of an exercise, each with the tasks that are put to it."""
    tasks: dict[str, list[str]] = {}
    for _, version in _versions(exercise):
        hanging = HANGING if version.mistake == "timeout" else ""
        tasks[version.source] = [f"{kind} {exercise.name}{hanging}" for kind in _rounds_of(version, rounds)]
    written = set(tasks)
    for kind in rounds:
        for source in dict.fromkeys(version.source for version in derived(_as_judged(exercise, kind))):
            if source not in written:
                tasks.setdefault(source, []).append(f"{kind} {exercise.name}{BRIEF}")
    return [Asked(exercise.name, source, tuple(names)) for source, names in tasks.items()]


def _judged(name: str, fingerprint: dict, responses: dict[str, dict]) -> dict[str, Verdict]:
    """The verdict on each source; on equal answers of sources that call nothing forbidden, one for all."""
    verdicts, known = {}, {}
    for source, response in responses.items():
        key = json.dumps([response, forbidden_in_source(source, name, set(fingerprint["forbidden"]))])
        if key not in known:
            known[key] = verdict_on(name, fingerprint, response, source)
        verdicts[source] = known[key]
    return verdicts


def matrix(rows: list[Row]) -> str:
    """The rows as aligned text for the terminal."""
    lines = []
    for row in rows:
        fault = row.fault()
        first = row.verdicts["hidden"]
        got = first.misconception or "passes"
        lines.append(
            f"{'FAIL' if fault else 'ok  '}  {row.exercise:30} {row.kind:9} {row.label[:44]:44} "
            f"{got:24} {first.points:g}/{first.max_points:g}"
        )
        if fault:
            lines.append(f"      {fault}")
    return "\n".join(lines)
