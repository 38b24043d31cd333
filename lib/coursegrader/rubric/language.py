"""The language of a problem set's rubric: exercises, probes, mistakes, and the evidence for both."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import EllipsisType

from allyouneed.check.drivers import known_drivers
from allyouneed.check.judge import BUILT_IN
from coursegrader.errors import RubricError
from coursegrader.rubric.edits import Edit, Full, full, replaced, source_named, text_in_file, with_body
from coursegrader.rubric.probes import Probes

MIN_ALTERNATIVES, MIN_WRONG = 4, 10


@dataclass(frozen=True)
class Version:
    """One way to write an exercise, right or wrong.

    `text` is what stands in the rubric or follows from it by an edit, `base` the right version that the edit
    began with, `changes` the edit's texts, and `source` the text of a submission made from it.
    """

    label: str
    source: str
    mistake: str | None = None
    text: str = field(default="", repr=False)
    base: Version | None = None
    changes: Mapping[str, str] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Mistake:
    """What a student is told about a named mistake, and the section of the chapter that explains it."""

    message: str
    section: str


@dataclass(frozen=True)
class Relation:
    """Two probes, by their names, that must give equal answers, or equal parts number `part` of them."""

    first: str
    second: str
    message: str
    part: int | None = None


@dataclass
class Exercise:
    """One exercise of a problem set, with everything that grading needs to know about it.

    `points` gives points to groups of probes, the core group first. `forbid` lists ready-made functions
    beside the exercise's own name.
    The rest is collected as the rubric is read: right versions, then mistakes, the most likely one first.
    `told` are changed versions that a sweep found, each with the sentence that tells the change.
    """

    name: str
    points: dict[str, int]
    section: str
    forbid: Sequence[str] = ()
    driver: str = "call"
    any_float: bool = False
    properties: Sequence[dict] = ()
    relations: Sequence[Relation] = ()
    mistakes: dict[str, Mistake] = field(default_factory=dict)
    reference: Version | None = None
    alternatives: list[Version] = field(default_factory=list)
    wrong_versions: list[Version] = field(default_factory=list)
    conventions: list[Version] = field(default_factory=list)
    make_probes: Callable[[Probes], Iterator[dict]] | None = None
    bases: dict[Callable, Version] = field(default_factory=dict)
    equal_changes: list[tuple[str, str, str | None]] = field(default_factory=list)
    told: list[tuple[Version, str]] = field(default_factory=list)

    def right(self, written: Callable | str, convention: bool = False) -> Callable:
        """Decorator: a right version in full, the reference if it is bare, else another way with its label:
        ``@exercise.right("a loop")``.

        With `convention`, its answers are accepted beside the reference's.
        """
        place = _place()
        if isinstance(written, str):

            def add(function):
                self.bases[function] = self._add_right(full(function, written), convention, place)
                return function

            return add
        if self.reference is not None:
            raise RubricError(
                f"{place}: there is a reference already. Give other right versions a label: "
                '@exercise.right("a loop").'
            )
        self.reference = self.bases[written] = self._version(full(written, "reference"), None, place)
        return written

    def also_right(self, *evidence: Edit | Full, convention: bool = False) -> None:
        """Right versions that need not be written in full, because they are edits of one that is."""
        for item in evidence:
            self._add_right(item, convention, _place())

    def mistake(self, name: str, section: str, message: str, *evidence: Edit | Full) -> None:
        """A mistake of students: where it is explained, what they are told, the wrong versions that show it.

        The plain version comes first and has no label; the others say in theirs how they differ.
        """
        place = _place()
        if name in BUILT_IN:
            raise RubricError(
                f"{place}: every exercise knows the mistake {name!r} already. Use "
                f"exercise.built_in({name!r}, ...)."
            )
        if name in self.mistakes:
            raise RubricError(
                f"{place}: two mistakes are named {name!r}. Put their evidence together, or "
                "name one of them otherwise."
            )
        self.mistakes[name] = Mistake(message, section)
        self._add_wrong(name, evidence, place)

    def built_in(self, name: str, *evidence: Edit | Full) -> None:
        """The wrong versions of a mistake that the judge knows in every exercise, such as "no-gradient"."""
        place = _place()
        if name not in BUILT_IN and name != "raises":
            raise RubricError(
                f"{place}: no built-in mistake is named {name!r}. They are "
                f"{', '.join(BUILT_IN)}; others need exercise.mistake(...)."
            )
        if any(version.mistake == name for version in self.wrong_versions):
            raise RubricError(f"{place}: two mistakes are named {name!r}. Put their evidence together.")
        self._add_wrong(name, evidence, place)

    def equal(self, reason: str, changes: Mapping[str, str | Sequence[str] | EllipsisType]) -> None:
        """Changes that change nothing in any right version, and why: old text of a line, and what may stand
        instead, one text, several, or ``...`` where whatever passes is right, such as the steps of a search.
        `coursegrader sweep` makes such changes, and no probe tells them apart.
        """
        for old, others in changes.items():
            for new in [None] if others is ... else [others] if isinstance(others, str) else others:
                if not reason.strip() or not old or old == new:
                    raise RubricError(
                        f"{_place()}: exercise.equal needs a reason and two texts that differ: "
                        'exercise.equal("the input has two axes", {"dim=-1": "dim=1"}).'
                    )
                self.equal_changes.append((reason, old, new))

    def _add_right(self, item: Edit | Full, convention: bool, place: str) -> Version:
        version = self._version(item, None, place)
        self.alternatives.append(version)
        if convention:
            self.conventions.append(version)
        return version

    def _add_wrong(self, name: str, evidence: Sequence[Edit | Full], place: str) -> None:
        if not evidence:
            raise RubricError(
                f"{place}: the mistake {name!r} has no evidence. Add an edit of a right version."
            )
        for item in evidence:
            if not isinstance(item, (Edit, Full)):
                raise RubricError(
                    f"{place}: the evidence of {name!r} is made by edit(...) and full(...), "
                    f"but {item!r} is neither."
                )
            self.wrong_versions.append(self._version(item, name, place))

    def _version(self, item: Edit | Full, mistake: str | None, place: str) -> Version:
        """The version that a piece of evidence tells; RubricError names file, line, mistake, cure."""
        label = item.label or mistake or ""
        known = [
            version
            for version in (self.reference, *self.alternatives, *self.wrong_versions)
            if version is not None
        ]
        place = (
            f"{place}: "
            + (f"mistake {mistake!r}" if mistake else "right version")
            + (f" ({label})" if label != mistake else "")
        )
        if any((version.mistake, version.label) == (mistake, label) for version in known):
            raise RubricError(
                f"{place}: two versions have this label. Say in the label of the second how it differs."
            )
        try:
            text, base = self._text_and_base(item)
            source = source_named(text, self.name)
        except RubricError as error:
            what = f", edit of {getattr(item.base, '__name__', item.base)}" if isinstance(item, Edit) else ""
            raise RubricError(f"{place}{what}: {error}.") from None
        except SyntaxError as error:
            raise RubricError(
                f"{place}: this is not Python: {error.msg}, in {(error.text or '').strip()!r}."
            ) from None
        for other in known:
            if other.source == source:
                raise RubricError(
                    f"{place}: this is the same code as "
                    f"{other.mistake or 'the right version'} ({other.label}). Drop one of "
                    "them."
                )
        changes = item.changes if isinstance(item, Edit) else None
        return Version(label, source, mistake, text, base, changes)

    def _text_and_base(self, item: Edit | Full) -> tuple[str, Version | None]:
        """The text of a version, and the right version that it is an edit of, if any."""
        if isinstance(item, Edit):
            base = self.bases.get(item.base)
            if base is None:
                known = ", ".join(function.__name__ for function in self.bases)
                raise RubricError(
                    f"the base is no right version in full. These are, above: {known or 'none'}"
                )
            if not item.changes:
                raise RubricError("it changes nothing. Give it texts to replace: {old: new}")
            return replaced(base.text, item.changes), base
        if not isinstance(item.written, str):
            return text_in_file(item.written), None
        if self.reference is None:
            raise RubricError("a text needs the reference's first line. Write the reference above")
        return with_body(self.reference.text, item.written), None

    def probes(self, function: Callable) -> Callable:
        """Decorator: the generator of probes."""
        self.make_probes = function
        return function

    @property
    def max_points(self) -> int:
        return sum(self.points.values())

    def evidence_gaps(self) -> list[str]:
        """What is missing before this exercise may grade anybody."""
        gaps = []
        if self.reference is None or self.make_probes is None:
            gaps.append("a reference (@exercise.right) and probes (@exercise.probes) are needed")
        if len(self.alternatives) < MIN_ALTERNATIVES:
            gaps.append(
                f"{len(self.alternatives)} correct alternatives, at least {MIN_ALTERNATIVES} are needed"
            )
        if len(self.wrong_versions) < MIN_WRONG:
            gaps.append(f"{len(self.wrong_versions)} wrong versions, at least {MIN_WRONG} are needed")
        if self.driver not in known_drivers():
            gaps.append(f"unknown driver {self.driver!r}; known are {', '.join(known_drivers())}")
        return gaps


def _place() -> str:
    """File and line of the rubric that called a method of this file."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
