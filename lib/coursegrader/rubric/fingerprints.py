"""From a rubric's exercise to data: probes, the right answers, and those of each known wrong version."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from allyouneed.check.behaves import alike_by, decisive, sums_of
from allyouneed.check.compare import difference
from allyouneed.check.mistakes import failures, known_mistake, unexplained, words_of
from coursegrader.errors import RubricError
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.language import Exercise, Mistake, Version
from coursegrader.rubric.pairs import pairs
from coursegrader.rubric.questions import answers_of, questions

LARGE = 200_000  # characters of wrong answers, of which a set's public file holds five or six times as many


class IndistinctProbes(RubricError):
    """Probes on which a wrong version of `exercise` answers rightly: with other numbers they may tell it."""

    def __init__(self, exercise: str, label: str):
        super().__init__(
            f"{exercise}: the wrong version {label!r} answers every probe rightly. "
            "Add a probe that shows the mistake, or drop the version."
        )
        self.exercise = exercise


def fingerprints(
    exercises: Sequence[Exercise], outlines: dict[str, dict], prelude: str, helpers: dict[str, str]
) -> Iterator[tuple[str, dict]]:
    """Ask the versions of each exercise, and yield its name and its fingerprint as soon as it is whole.

    Raises RubricError when a version that should run does not.
    """
    tasks, asked = {}, {}
    for exercise in exercises:
        # wrong versions are not asked long probes, and nobody looks here for what is ready-made
        for long in (False, True):
            tasks[f"{exercise.name} {long}"] = questions(outlines[exercise.name], long) | {"forbidden": []}
        rights = rights_of(exercise)
        for version in (*rights, *known_wrong(exercise), *derived(exercise)):
            long = version in rights
            asked.setdefault(Asked(exercise.name, version.source, (f"{exercise.name} {long}",)), long)
    versions, answers = list(asked), {exercise.name: {} for exercise in exercises}
    left = Counter(version.exercise for version in versions)
    for index, _, response in ask_versions(prelude, helpers, tasks, versions, alone=False):
        name = versions[index].exercise
        answers[name][versions[index].source, asked[versions[index]]] = answers_of(
            outlines[name], response, asked[versions[index]]
        )
        left[name] -= 1
        if not left[name]:
            exercise, mine = next(item for item in exercises if item.name == name), answers.pop(name)
            yield (
                name,
                complete(
                    exercise,
                    outlines[name],
                    lambda version, exercise=exercise, mine=mine: mine[
                        version.source, version in rights_of(exercise)
                    ],
                ),
            )


def complete(exercise: Exercise, outline_: dict, answers: Callable[[Version], list[dict | None]]) -> dict:
    """The fingerprint of an outline and each version's `answers` to its probes (None: it was not asked)."""
    probes = outline_["probes"]
    rights = [answers(version) for version in rights_of(exercise)]
    for index, answer in enumerate(rights[0]):
        if answer is None or "error" in answer:
            raise RubricError(
                f"{exercise.name}: the reference fails on the probe {probes[index]['name']!r}: {answer}."
            )
    wrong = [_wrong(exercise, version, answers(version), rights, probes) for version in known_wrong(exercise)]
    found = outline_ | {"right": rights, "wrong": _compact(exercise, wrong, probes)}
    told = [as_if_entry(found, answers(version), message) for version, message in exercise.told]
    both = [_pair_entry(found, names, answers(version)) for names, version in pairs(exercise)]
    return found | {
        "as_if": [entry for entry in told if entry["sums"]],
        "both": [entry for entry in both if entry["sums"]],
    }


def derived(exercise: Exercise) -> list[Version]:
    """The versions that nobody wrote and whose answers a fingerprint holds: told changes, and two mistakes at
    once."""
    return [version for version, _ in exercise.told] + [version for _, version in pairs(exercise)]


def _pair_entry(fingerprint: dict, names: tuple[str, str], answers: Sequence[dict | None]) -> dict:
    """What is known of two mistakes at once: sums of the wrong results. There are none where code stops, or
    where one mistake explains them all."""
    failed = failures(fingerprint, answers)
    known = known_mistake(fingerprint, answers, failed)
    stopped = {index for index, word in failed.items() if word == "error"}
    if (known and not unexplained(fingerprint, known, failed)) or stopped & decisive(fingerprint, failed):
        return {"of": list(names), "sums": {}}
    sums = {
        str(index): sums_of(alike_by(answers[index]))
        for index in set(failed) - stopped
        if not fingerprint["probes"][index].get("long")
    }
    return {"of": list(names), "sums": {} if None in sums.values() else sums}


def as_if_entry(fingerprint: dict, answers: Sequence[dict | None], message: str) -> dict:
    """What is known of a changed version: sums of its results on the probes where they are wrong.

    There are none where it stops, or gives another form: what the judge says of that is better.
    """
    sums = {}
    for index, answer in enumerate(answers):
        if answer is None or fingerprint["probes"][index].get("long"):
            continue
        words = [difference(right[index], answer, fingerprint["any_float"]) for right in fingerprint["right"]]
        if None not in words and words[0] not in ("gradient", "changed"):
            sums[str(index)] = sums_of(alike_by(answer)) if words[0] == "value" else None
    return {"id": as_if_id(message), "message": message, "sums": {} if None in sums.values() else sums}


def as_if_id(message: str) -> str:
    """The name of what a result behaves like."""
    return f"as-if-{hashlib.sha256(message.encode()).hexdigest()[:6]}"


def rights_of(exercise: Exercise) -> list[Version]:
    """The versions whose answers are right: the reference, then those with a convention of their own."""
    return [exercise.reference, *exercise.conventions]


def known_wrong(exercise: Exercise) -> list[Version]:
    """The wrong versions known by their answers; the others are known by what the judge itself can say."""
    return [
        version
        for version in exercise.wrong_versions
        if version.mistake
        not in ("timeout", "ready-made", "not-implemented", "returns-nothing", "no-answer", "raises")
    ]


def _wrong(
    exercise: Exercise,
    version: Version,
    answers: list[dict | None],
    rights: list[list[dict]],
    probes: list[dict],
) -> dict:
    """Where a wrong version's answers are not the right ones: in outputs, else in gradients and changes."""
    mistake = exercise.mistakes.get(version.mistake, Mistake("", ""))
    for whole in (False, True):
        shown = {
            index: answer
            for index, answer in enumerate(answers)
            if answer is not None
            and not probes[index].get("long")
            and all(difference(right[index], answer, exercise.any_float, whole) for right in rights)
        }
        if shown:
            if not whole:
                shown = {
                    index: {
                        key: value for key, value in answer.items() if key not in ("gradients", "changed")
                    }
                    for index, answer in shown.items()
                }
            return {
                "id": version.mistake,
                "message": mistake.message,
                "section": mistake.section,
                "answers": {str(index): answer for index, answer in shown.items()},
            }
    raise IndistinctProbes(exercise.name, version.label)


def _compact(exercise: Exercise, entries: list[dict], probes: list[dict]) -> list[dict]:
    """The entries without repeats. Where they are large still, edge probes are left out of those that others
    tell from all other mistakes."""
    kept = _distinct(exercise, entries)
    if len(json.dumps(kept)) <= LARGE:
        return kept
    fewer = [
        {index: answer for index, answer in entry["answers"].items() if not probes[int(index)].get("edge")}
        for entry in kept
    ]
    told = [
        bool(mine)
        and not any(
            entry["id"] != other["id"] and _alike(exercise, mine, theirs)
            for other, theirs in zip(kept, fewer)
        )
        for entry, mine in zip(kept, fewer)
    ]
    return _distinct(
        exercise,
        [entry | {"answers": mine} if alone else entry for entry, mine, alone in zip(kept, fewer, told)],
    )


def _distinct(exercise: Exercise, entries: list[dict]) -> list[dict]:
    kept: list[dict] = []
    for entry in entries:
        if not any(
            entry["id"] == other["id"] and _alike(exercise, entry["answers"], other["answers"])
            for other in kept
        ):
            kept.append(entry)
    return kept


def _alike(exercise: Exercise, mine: dict, theirs: dict) -> bool:
    """Whether the judge takes one's answers for the other's."""
    return set(mine) == set(theirs) and all(
        set(mine[index]) == set(theirs[index])
        and words_of(mine[index].get("text", "")) == words_of(theirs[index].get("text", ""))
        and difference(theirs[index], mine[index], exercise.any_float) is None
        for index in mine
    )
