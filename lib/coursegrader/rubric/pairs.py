"""Two mistakes at once: two edits of one right version, made together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from coursegrader.errors import RubricError
from coursegrader.rubric.edits import replaced, source_named
from coursegrader.rubric.language import Exercise, Version

MOST = 5  # mistakes of an exercise, the most likely first, of which each two are tried
WAYS = 2  # versions of each two


def pairs(exercise: Exercise) -> list[tuple[tuple[str, str], Version]]:
    """Versions that are wrong in two of the most likely ways, each with the names of both mistakes.

    There is none where no two edits of one right version leave room for each other.
    """
    evidence: dict[str, list[Version]] = {}
    for version in exercise.wrong_versions:
        if version.mistake in exercise.mistakes and version.changes:
            evidence.setdefault(version.mistake, []).append(version)
    likely = [name for name in exercise.mistakes if name in evidence][:MOST]
    seen = {version.source for version in exercise.wrong_versions}
    found = []
    for names in combinations(likely, 2):
        for version in _together(exercise, *(evidence[name] for name in names)):
            if version.source not in seen and len([1 for other, _ in found if other == names]) < WAYS:
                seen.add(version.source)
                found.append((names, version))
    return found


def _together(exercise: Exercise, ones: list[Version], others: list[Version]) -> Iterator[Version]:
    # the plain versions of both first
    for first, second in sorted(product(range(len(ones)), range(len(others))), key=sum):
        one, other = ones[first], others[second]
        if set(one.changes) & set(other.changes):
            continue
        for base in dict.fromkeys((one.base.label, other.base.label)):
            right = one.base if one.base.label == base else other.base
            try:
                text = replaced(right.text, {**one.changes, **other.changes})
                source = source_named(text, exercise.name)
            except (RubricError, SyntaxError):
                continue
            yield Version(f"{one.label} and {other.label}", source, None, text, right)
