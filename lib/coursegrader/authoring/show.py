"""Show a rubric's versions: each as a small difference to the right version that it began with, or whole."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator
from itertools import groupby

from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.rubric.language import Exercise, Version

Line = tuple[str, str]  # "-", "+" or " ", and a line of code
COLOURS = {"-": "\x1b[31m", "+": "\x1b[32m"}


def difference(version: Version, unchanged: int = 0) -> list[Line]:
    """The lines in which a version differs from its base, between at most `unchanged` lines that do not; all
    lines if it has no base."""
    if version.base is None:
        return _dedented([(" ", line) for line in version.text.splitlines()])
    old, new = version.base.text.splitlines(), version.text.splitlines()
    lines: list[Line] = []
    for number, group in enumerate(
        difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(unchanged)
    ):
        if number:
            lines.append((" ", " " * 8 + "..."))
        for kind, old_start, old_end, new_start, new_end in group:
            if kind == "equal":
                lines += [(" ", line) for line in old[old_start:old_end]]
            else:
                lines += [("-", line) for line in old[old_start:old_end]] + [
                    ("+", line) for line in new[new_start:new_end]
                ]
    return _dedented(lines)


def _dedented(lines: list[Line]) -> list[Line]:
    """The lines without the indentation that all of them share."""
    return list(
        zip([sign for sign, _ in lines], textwrap.dedent("\n".join(line for _, line in lines)).split("\n"))
    )


def _right(exercise: Exercise) -> list[Version]:
    """All right versions. An exercise that is not finished may lack even the reference."""
    return [version for version in (exercise.reference, *exercise.alternatives) if version]


def origin(version: Version) -> str:
    """What a difference is to be read against."""
    return f"in {version.base.label}" if version.base else "in full"


def by_mistake(exercise: Exercise) -> Iterator[tuple[str, list[Version]]]:
    """Each mistake with its versions, in the rubric's order."""
    for mistake, versions in groupby(exercise.wrong_versions, key=lambda version: version.mistake):
        yield mistake, list(versions)


def listing(exercise: Exercise, colour: bool = False) -> str:
    """All versions of an exercise: right ones by name, wrong ones by mistake, each as a difference."""
    lines = [
        (
            f"{exercise.name}: {len(_right(exercise))} right versions, "
            f"{len(exercise.wrong_versions)} wrong ones"
        ),
        "",
        "right",
        *[f"  {version.label}" for version in _right(exercise)],
    ]
    for mistake, versions in by_mistake(exercise):
        lines += ["", mistake]
        for version in versions:
            lines += [
                f"  {'plain' if version.label == mistake else version.label}, {origin(version)}",
                *_painted(difference(version), colour, "    "),
            ]
    return "\n".join(lines)


def one_version(exercise: Exercise, label: str, colour: bool = False) -> str:
    """The version `label` whole, with the lines marked in which it differs from its base."""
    version = find(exercise, label)
    lines = [
        f"{exercise.name}: {version.mistake or 'right'}"
        + (f", {version.label}" if version.label != version.mistake else "")
        + f", {origin(version)}"
    ]
    if version.mistake in exercise.mistakes:
        lines += [exercise.mistakes[version.mistake].message]
    return "\n".join([*lines, "", *_painted(difference(version, unchanged=10_000), colour)])


def find(exercise: Exercise, label: str) -> Version:
    """The version with this label; where two mistakes have one, it is written mistake/label."""
    versions = [*_right(exercise), *exercise.wrong_versions]
    found = [
        version for version in versions if label in (version.label, f"{version.mistake}/{version.label}")
    ]
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(f"{version.mistake}/{version.label}" for version in found)
        raise UserError(f"{exercise.name} has {len(found)} versions {label!r}. Say which: {several}")
    near = difflib.get_close_matches(label, [version.label for version in versions], n=3, cutoff=0.4)
    hint = f" Do you mean {' or '.join(repr(name) for name in near)}?" if near else ""
    raise UserError(f"{exercise.name} has no version {label!r}.{hint} Without a label, all are listed.")


def show(problem_set: ProblemSet, name: str, label: str | None, colour: bool) -> str:
    """What ``coursegrader show`` prints."""
    exercise = problem_set.exercise(name, unfinished=True)
    return listing(exercise, colour) if label is None else one_version(exercise, label, colour)


def _painted(lines: list[Line], colour: bool, indent: str = "") -> list[str]:
    return [
        f"{indent}{COLOURS[sign]}{sign} {line}\x1b[0m"
        if colour and sign in COLOURS
        else f"{indent}{sign} {line}".rstrip()
        for sign, line in lines
    ]
