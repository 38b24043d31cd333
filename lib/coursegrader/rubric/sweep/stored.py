"""What a sweep noted of an exercise, in ``swept/NAME.json`` beside its rubric: figures, and told changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coursegrader.rubric.dependencies import digest
from coursegrader.rubric.edits import source_named
from coursegrader.rubric.language import Exercise, Version


@dataclass(frozen=True)
class Told:
    """A change of a right version that no written mistake explains, and the sentence that tells it."""

    label: str
    start: int
    end: int
    new: str
    message: str

    def version(self, exercise: Exercise) -> Version:
        """The changed version."""
        base = next(item for item in rights(exercise) if item.label == self.label)
        text = base.text[: self.start] + self.new + base.text[self.end :]
        return Version(f"swept: {self.message}", source_named(text, exercise.name), None, text, base)


def rights(exercise: Exercise) -> list[Version]:
    """The right versions, which a sweep changes."""
    return [exercise.reference, *exercise.alternatives]


def right_digest(exercise: Exercise) -> str:
    """What a sweep is about: the right versions as they are."""
    return digest(*(version.text for version in rights(exercise)))[:16]


def stored_sweep(rubric: Path, name: str) -> dict:
    """What was noted of the exercise `name`, or nothing."""
    try:
        return json.loads((rubric / "swept" / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def told_changes(rubric: Path, exercise: Exercise) -> list[Told]:
    """The told changes of an exercise; none where its right versions have changed since it was swept."""
    stored = stored_sweep(rubric, exercise.name)
    if stored.get("of") != right_digest(exercise):
        return []
    return [Told(*item) for item in stored["told"]]


def write_sweep(rubric: Path, exercise: Exercise, figures: dict, told: Sequence[Told]) -> None:
    """Note figures and told changes, one a line. A rubric in one file has no place for them."""
    if not rubric.is_dir():
        return
    lines = [
        json.dumps([item.label, item.start, item.end, item.new, item.message], ensure_ascii=False)
        for item in told
    ]
    text = (
        f'{{"of": {json.dumps(right_digest(exercise))},\n "figures": {json.dumps(figures)},\n "told": ['
        + ",\n  ".join(lines)
        + "]}\n"
    )
    (rubric / "swept").mkdir(exist_ok=True)
    (rubric / "swept" / f"{exercise.name}.json").write_text(text, encoding="utf-8")
