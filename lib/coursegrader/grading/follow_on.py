"""A mistake costs its points once: an exercise that calls an earlier one of the student's own is judged again
by what right code gives when it calls code with that earlier mistake.

Nothing more is asked of the submission. The right versions of the rubric that call the earlier exercise are
run here, with the rubric's wrong versions of that mistake in its place, and what they give is taken for
right. So it works for mistakes that the rubric knows by name, and where it has a right version that calls the
other.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from allyouneed.check.judge import Verdict
from coursegrader.course.kept import keep, kept
from coursegrader.course.problem_set import ProblemSet
from coursegrader.grading.judging import python_of, verdict_on_stranger
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.dependencies import digest
from coursegrader.rubric.fingerprints import answers_of, known_wrong, questions

MOST = 4  # right versions, and wrong versions of a mistake, that are put together


def judged_again(
    problem_set: ProblemSet,
    verdict: Verdict,
    earlier: list[Verdict],
    response: dict | None,
    source: str,
    own: list[str],
    stopped: str | None,
) -> Verdict:
    """The verdict, or a better one where what is wrong follows from one of the `earlier` exercises, which the
    exercise's own cells call by name.
    """
    if verdict.passed or not (response or {}).get("answers"):
        return verdict
    called = _names(python_of(own))
    for other in earlier:
        if other.passed or other.exercise not in called:
            continue
        rights = answers_given(problem_set, verdict.exercise, other.exercise, other.misconception)
        if not rights:
            continue
        fingerprint = problem_set.hidden([verdict.exercise])[verdict.exercise] | {
            "right": rights,
            "wrong": [],
        }
        again = verdict_on_stranger(verdict.exercise, fingerprint, response, source, stopped)
        if again.passed:
            message = (
                f"{verdict.exercise}: right for what your {other.exercise} gives. The mistake there costs "
                "its points once."
            )
            return replace(again, message=message)
        if again.points > verdict.points:
            message = f"{verdict.message} What follows from your {other.exercise} alone costs nothing here."
            verdict = replace(verdict, points=again.points, message=message)
    return verdict


def answers_given(problem_set: ProblemSet, name: str, other: str, mistake: str | None) -> list[list[dict]]:
    """The answers to the hidden probes of the exercise `name`: of its right versions that call `other`, each
    with a version of `other` that has the mistake. Empty where there are none, or where they end in errors.
    """
    exercise, calls = problem_set.exercise(name), problem_set.exercise(other)
    rights = [
        version.source
        for version in (exercise.reference, *exercise.alternatives)
        if other in _names(version.source)
    ][:MOST]
    wrong = [version.source for version in known_wrong(calls) if version.mistake == mistake]
    wrong = list(dict.fromkeys(wrong))[:MOST]
    if not rights or not wrong:
        return []
    place = problem_set.place("follow-on", f"{name}-{other}-{mistake}")
    origin = digest(*(problem_set.origin("hidden", item) for item in (name, other)))
    if (made := kept(place, origin)) is None:
        made = _ask(problem_set, name, other, rights, wrong)
        keep(place, origin, made)
    return made


def _ask(
    problem_set: ProblemSet, name: str, other: str, rights: list[str], wrong: list[str]
) -> list[list[dict]]:
    hidden = problem_set.hidden([name])[name]
    task, found = {name: questions(hidden) | {"forbidden": []}}, []
    for source in wrong:
        helpers = problem_set.helpers | {other: source}
        versions = [Asked(name, right, (name,)) for right in rights]
        for _, _, response in ask_versions(problem_set.prelude, helpers, task, versions, alone=False):
            answers = answers_of(hidden, response)
            if all(answer is not None and "error" not in answer for answer in answers):
                found.append(answers)
    return found


def _names(source: str) -> set[str]:
    try:
        return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
