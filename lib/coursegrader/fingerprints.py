"""From an exercise of a rubric to data: probes, the right answers, and the answers of each known wrong version."""

from __future__ import annotations

import hashlib
import random

from allyouneed.check.compare import difference
from allyouneed.check.drivers import ask
from coursegrader.errors import RubricError
from coursegrader.rubric import Exercise, Probes, Version

PUBLIC = 0


def hidden_seed(secret: bytes, exercise: str) -> int:
    """A seed that follows from the rubric's text: the same for all submissions, unknown to those who lack the rubric."""
    return int.from_bytes(hashlib.sha256(secret + exercise.encode()).digest()[:6], "big")


def fingerprint(exercise: Exercise, variant: int = PUBLIC, seed: int = 0) -> dict:
    """Build the fingerprint of one exercise. Raises RubricError when a version that should run does not."""
    probes = list(exercise.make_probes(Probes(variant, seed)))
    groups = {probe["group"] for probe in probes}
    if groups != set(exercise.points):
        raise RubricError(f"{exercise.name}: probes belong to the groups {sorted(groups)}, points go to {sorted(exercise.points)}.")
    rights = [_answers(exercise, version, probes) for version in (exercise.reference, *exercise.conventions)]
    for index, answer in enumerate(rights[0]):
        if "error" in answer:
            raise RubricError(f"{exercise.name}: the reference fails on the probe {probes[index]['name']!r}: {answer}.")
    wrong = [entry for version in exercise.wrong_versions if (entry := _wrong(exercise, version, probes, rights))]
    return {
        "points": exercise.points, "section": exercise.section, "driver": exercise.driver, "any_float": exercise.any_float,
        "forbidden": sorted({exercise.name, *exercise.forbid}), "probes": probes, "right": rights,
        "wrong": _compact(exercise, wrong, probes) if exercise.compact else wrong,
        "properties": list(exercise.properties), "relations": _relations(exercise, probes),
    } | ({"order": random.Random(seed).sample(range(len(probes)), len(probes))} if variant != PUBLIC else {})


def _answers(exercise: Exercise, version: Version, probes: list[dict], skip_long: bool = False) -> list[dict | None]:
    answers, late = [], 0
    for probe in probes:
        if (skip_long and probe.get("long")) or late >= 2:
            answers.append(None)
            continue
        answers.append(ask(version.function, exercise.driver, probe))
        late += answers[-1].get("error") == "Timeout"
    return answers


def _wrong(exercise: Exercise, version: Version, probes: list[dict], rights: list[list[dict]]) -> dict | None:
    """Where the answers of a wrong version differ from the right ones; outputs if they do, else gradients and changes."""
    if version.mistake in ("timeout", "ready-made", "not-implemented", "returns-nothing", "no-answer", "raises"):
        return None
    answers = _answers(exercise, version, probes, skip_long=True)
    message, section = exercise.mistakes.get(version.mistake, ("", ""))
    for whole in (False, True):
        shown = {index: answer for index, answer in enumerate(answers) if answer is not None and
                 all(difference(right[index], answer, exercise.any_float, whole) for right in rights)}
        if shown:
            if not whole:
                shown = {index: {key: value for key, value in answer.items() if key not in ("gradients", "changed")}
                         for index, answer in shown.items()}
            return {"id": version.mistake, "message": message, "section": section,
                    "answers": {str(index): answer for index, answer in shown.items()}}
    raise RubricError(f"{exercise.name}: the wrong version {version.label!r} answers every probe rightly. "
                      "Add a probe that shows the mistake, or drop the version.")


def _compact(exercise: Exercise, entries: list[dict], probes: list[dict]) -> list[dict]:
    """The entries without edge probes where others show the mistake, and without those that repeat an earlier one."""
    kept: list[dict] = []
    for entry in entries:
        ordinary = {index: answer for index, answer in entry["answers"].items() if not probes[int(index)].get("edge")}
        entry = entry | {"answers": ordinary or entry["answers"]}
        if not any(_repeats(exercise, entry, other) for other in kept):
            kept.append(entry)
    return kept


def _repeats(exercise: Exercise, entry: dict, other: dict) -> bool:
    mine, theirs = entry["answers"], other["answers"]
    return entry["id"] == other["id"] and set(mine) == set(theirs) and all(
        set(mine[index]) == set(theirs[index]) and mine[index].get("text") == theirs[index].get("text")
        and difference(theirs[index], mine[index], exercise.any_float) is None for index in mine)


def _relations(exercise: Exercise, probes: list[dict]) -> list[dict]:
    """Pairs of probes, named in the rubric, that must give equal answers, as numbers of probes."""
    index = {probe["name"]: number for number, probe in enumerate(probes)}
    relations = []
    for first, second, message, *part in exercise.relations:
        if first not in index or second not in index:
            raise RubricError(f"{exercise.name}: a relation names the probes {first!r} and {second!r}; there are {list(index)}.")
        relations.append({"probes": [index[first], index[second]], "message": message} | ({"part": part[0]} if part else {}))
    return relations


def questions(fingerprint_: dict) -> dict:
    """The part of a fingerprint that the student's process may see at grading time: probes without any expected value.

    Hidden probes are asked in an order of their own, so that public answers cannot be given again by their place: some
    exercises have the same few answers on both sides, such as yes and no. For the same reason they have no names.
    """
    probes = [{key: value for key, value in probe.items() if key not in ("name", "group", "edge")} for probe in fingerprint_["probes"]]
    return {"driver": fingerprint_["driver"], "probes": [probes[index] for index in fingerprint_.get("order", range(len(probes)))],
            "forbidden": fingerprint_["forbidden"]}


def in_order(fingerprint_: dict, response: dict) -> dict:
    """The response to `questions` with its answers in the order of the fingerprint's probes."""
    order, answers = fingerprint_.get("order"), response.get("answers")
    if order is None or not isinstance(answers, list) or len(answers) != len(order):
        return response
    return response | {"answers": [answer for _, answer in sorted(zip(order, answers), key=lambda pair: pair[0])]}
