"""What of a fingerprint follows from the rubric alone: probes with their numbers, points, what is checked."""

from __future__ import annotations

import hashlib
import json
import random
import traceback
from pathlib import Path

from coursegrader.errors import RubricError
from coursegrader.rubric.language import Exercise
from coursegrader.rubric.probes import Probes

PUBLIC = 0


def hidden_seed(secret: str, exercise: str, draw: int = 0) -> int:
    """A seed from the course's secret: the same for all submissions, unknown to those with the rubric."""
    text = f"{secret} {exercise}" + (f" {draw}" if draw else "")
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


def outline(exercise: Exercise, variant: int = PUBLIC, seed: int = 0) -> dict:
    """A fingerprint that lacks its answers: probes, and what else follows from the rubric alone."""
    probes = _probes(exercise, variant, seed)
    groups = {probe["group"] for probe in probes}
    if groups != set(exercise.points):
        raise RubricError(
            f"{exercise.name}: probes belong to the groups {sorted(groups)}, points go to "
            f"{sorted(exercise.points)}."
        )
    return json.loads(
        json.dumps(
            {
                "points": exercise.points,
                "section": exercise.section,
                "driver": exercise.driver,
                "any_float": exercise.any_float,
                "forbidden": sorted({exercise.name, *exercise.forbid}),
                "probes": probes,
                "right": [],
                "wrong": [],
                "properties": list(exercise.properties),
                "relations": _relations(exercise, probes),
            }
            | (
                {"order": random.Random(seed).sample(range(len(probes)), len(probes))}
                if variant != PUBLIC
                else {}
            )
        )
    )


def _probes(exercise: Exercise, variant: int, seed: int) -> list[dict]:
    """Raises RubricError with the rubric's own line where they cannot be made."""
    try:
        return list(exercise.make_probes(Probes(variant, seed)))
    except RubricError:
        raise
    except Exception as error:
        own = exercise.make_probes.__code__.co_filename
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == own]
        raise RubricError(
            f"{Path(own).name}:{lines[-1] if lines else 1}: the probes of {exercise.name} cannot be made: "
            f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        ) from error


def _relations(exercise: Exercise, probes: list[dict]) -> list[dict]:
    """Pairs of probes, named in the rubric, that must give equal answers, as numbers of probes."""
    index = {probe["name"]: number for number, probe in enumerate(probes)}
    relations = []
    for relation in exercise.relations:
        if not {relation.first, relation.second} <= index.keys():
            raise RubricError(
                f"{exercise.name}: a relation names the probes {relation.first!r} and {relation.second!r}; "
                f"there are {list(index)}."
            )
        relations.append(
            {"probes": [index[relation.first], index[relation.second]], "message": relation.message}
            | ({} if relation.part is None else {"part": relation.part})
        )
    return relations
