"""A mistake costs its points once: an exercise that calls an earlier one of the student's own, directly or
through others that are right but for it, is judged again by what right code gives when it calls code with
that earlier mistake.

Nothing more is asked of the submission. The right versions of the rubric that call the earlier exercise are
run here, with the rubric's wrong versions of that mistake in its place, and what they give is taken for
right, errors on some probes included. So it works for mistakes that the rubric or its sweep knows, and where
it has right versions that call the others. Where there is nothing to call yet, or nothing to compare because
right code stops everywhere too, the message says so: no solution is put in its place, for a stranger's code
could read it there.
"""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace
from functools import cache, lru_cache

from allyouneed.check.judge import Verdict
from allyouneed.check.questions.own_code import bound
from coursegrader.course.kept import keep, kept
from coursegrader.course.problem_set import ProblemSet
from coursegrader.grading.judging import SYNTAX_ERROR, verdict_on_stranger
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.dependencies import digest
from coursegrader.rubric.fingerprints import as_if_id, known_wrong
from coursegrader.rubric.questions import answers_of, questions

WAITS = "waits-for-another"
MOST = 8  # right versions, and wrong versions of a mistake, that are put together


def judged_again(
    problem_set: ProblemSet,
    verdict: Verdict,
    earlier: list[Verdict],
    response: dict | None,
    source: str,
    stopped: str | None,
) -> Verdict:
    """The verdict, or a better one where what is wrong follows from one of the `earlier` exercises, which the
    exercise calls in the submission's `source`, by itself or through other definitions.
    """
    answers = (response or {}).get("answers")
    if verdict.passed or not answers or not isinstance(answers, list):
        return verdict
    passed = {other.exercise for other in earlier if other.passed}
    for other in earlier:
        between = None if other.passed else _between(source, verdict.exercise, other.exercise)
        if between is None:
            continue
        if _waits_for(answers, other):
            why = (
                "which Python cannot read"
                if other.misconception == SYNTAX_ERROR
                else "which is not there yet"
            )
            message = (
                f"{verdict.exercise} calls your {other.exercise}, {why}, so it cannot be "
                f"judged. What is wrong stands at the check of {other.exercise}: mend that first."
            )
            return replace(verdict, message=message, misconception=WAITS)
        steps = (*(name for name in between if name in passed), other.exercise)
        given = answers_given(problem_set, verdict.exercise, steps, other.misconception)
        rights = [known for known in given if not all(map(_error_of, known))]
        mine = [_error_of(answer) for answer in answers]
        if all(mine) and mine in ([_error_of(answer) for answer in known] for known in given):
            message = (
                f"{verdict.exercise} calls your {other.exercise}, and with the mistake there it stops every "
                f"time, so it cannot be judged. Mend {other.exercise} first. {verdict.message}"
            )
            return replace(verdict, message=message, misconception=WAITS)
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


def _waits_for(answers: list, other: Verdict) -> bool:
    """Whether every answer is the error that comes of calling an earlier exercise that is not there."""
    return all(
        isinstance(answer, dict)
        and (
            (answer.get("error") == "NameError" and f"'{other.exercise}'" in str(answer.get("text")))
            or (answer.get("error") == "NotImplementedError" and other.misconception == "not-implemented")
        )
        for answer in answers
    )


def _error_of(answer: object) -> str | None:
    return answer.get("error") if isinstance(answer, dict) else None


def answers_given(
    problem_set: ProblemSet, name: str, steps: tuple[str, ...], mistake: str | None
) -> list[list[dict]]:
    """The answers to the hidden probes of the exercise `name`: of its right versions that call the first of
    `steps`, with right versions of each step that call the next, and versions of the last that have the
    mistake. Empty where there are none.
    """
    others: list[list[dict[str, str]]] = [
        [{step: text} for text in _rights(problem_set, step, after)]
        for step, after in zip(steps, steps[1:], strict=False)
    ]
    last = problem_set.exercise(steps[-1])
    wrong = [version.source for version in known_wrong(last) if version.mistake == mistake]
    # what nobody wrote down is known by what it behaves like
    wrong += [version.source for version, message in last.told if as_if_id(message) == mistake]
    others.append([{steps[-1]: text} for text in list(dict.fromkeys(wrong))[:MOST]])
    rights = _rights(problem_set, name, steps[0])
    if not rights or not all(others):
        return []
    place = problem_set.place("follow-on", "-".join((name, *steps, str(mistake))))
    origin = digest(*(problem_set.origin("hidden", item) for item in (name, *steps)))
    if (made := kept(place, origin)) is None:
        made = _ask(problem_set, name, rights, others)
        keep(place, origin, made)
    return made


def _rights(problem_set: ProblemSet, name: str, other: str) -> list[str]:
    """Right versions of an exercise that call the other."""
    exercise = problem_set.exercise(name)
    versions = (exercise.reference, *exercise.alternatives)
    return [version.source for version in versions if other in _names(version.source)][:MOST]


def _ask(
    problem_set: ProblemSet, name: str, rights: list[str], others: list[list[dict[str, str]]]
) -> list[list[dict]]:
    hidden = problem_set.hidden([name])[name]
    combined = itertools.islice(itertools.product(*others), MOST * MOST)
    versions = [
        Asked(name, "\n\n".join((*(text for item in called for text in item.values()), right)), (name,))
        for called in combined
        for right in rights
    ]
    task = {name: questions(hidden) | {"forbidden": []}}
    asked = ask_versions(problem_set.prelude, problem_set.helpers, task, versions, alone=False)
    found: list[list[dict]] = []
    for _, _, response in sorted(asked, key=lambda one: one[0]):
        answers = answers_of(hidden, response)
        if None not in answers and answers not in found:
            found.append(answers)
    return found


def _between(source: str, name: str, other: str) -> list[str] | None:
    """What a submission's `source` defines on the way from `name` to `other`, in order: nothing where the one
    names the other itself, None where it never comes there.
    """
    named = _named(source)
    caller: dict[str, str] = {}  # of each name that is reached, the shortest way first
    waiting = [name]
    for found in waiting:  # it grows
        for called in sorted(named.get(found, set()) - caller.keys()):
            caller[called] = found
            waiting.append(called)
    if other not in caller:
        return None
    path = [caller[other]]
    while path[-1] != name:
        path.append(caller[path[-1]])
    return path[-2::-1]


@lru_cache(maxsize=1)
def _named(source: str) -> dict[str, set[str]]:
    """The names in each definition of a submission, which is asked about once an exercise."""
    return {defined: _names_in(item) for item in _tree(source).body for defined in bound(item)}


@cache
def _names(source: str) -> set[str]:
    """The names in a version of the rubric."""
    return _names_in(_tree(source))


def _names_in(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
