"""What a sweep found: the survivors that a reason explains, the figures, and where they are noted."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from coursegrader.course.problem_set import ProblemSet
from coursegrader.rubric.dependencies import digest
from coursegrader.rubric.language import Exercise, Version

# equal for every input, by what torch says of them; a rubric need not list them again
PROVEN = (
    ("the values are the same; only their place in memory is not", ".contiguous()", ""),
    ("reshape is view where there is a view", ".view", ".reshape"),
    ("a view of what was made contiguous, or could be viewed at once", ".reshape", ".view"),
)
SWAP = re.compile(r"\b((?:transpose|swapaxes)\()([^(),]+), ([^(),]+)\)")


@dataclass(frozen=True)
class Swept:
    """A changed version: where and how it was changed, and what the probes say of it.

    `outcome` is "equal" (it passes all probes), "half" (it passes the public or the hidden ones alone),
    "value" (it returns wrong values of the right form), "form" (another shape, type or dtype), or "error".
    `names` are the mistakes that it is told on public and on hidden probes; None where none is known.
    """

    exercise: str
    label: str
    line: int
    kind: str
    before: str
    after: str
    outcome: str
    names: tuple[str | None, str | None]
    reason: str | None = None

    @property
    def unexplained(self) -> bool:
        return self.outcome in ("equal", "half") and self.reason is None

    def shown(self) -> str:
        """The change as a difference of a line or two."""
        passes = {"equal": "all probes", "half": "the public or the hidden probes alone"}
        old, new = (
            [f"  {sign} {line.strip()}" for line in text.splitlines()]
            for sign, text in (("-", self.before), ("+", self.after))
        )
        where = f"{self.exercise}, {self.label}, line {self.line}: passes {passes[self.outcome]}"
        return "\n".join([where, *old, *new])


def rights(exercise: Exercise) -> list[Version]:
    """The right versions, which a sweep changes."""
    return [exercise.reference, *exercise.alternatives]


def explained(exercise: Exercise, row: Swept) -> Swept:
    """The row with the reason for which its change changes nothing, if a rule gives one."""
    if row.outcome == "equal":
        for reason, old, new in (*PROVEN, *exercise.equal_changes):
            if _is_change(row, old, new):
                return replace(row, reason=reason)
        for swap in SWAP.finditer(row.before):
            exchanged = f"{swap[1]}{swap[3]}, {swap[2]})"
            if row.before[: swap.start()] + exchanged + row.before[swap.end() :] == row.after:
                return replace(row, reason="two axes are swapped, in whichever order they are named")
    return row


def _is_change(row: Swept, old: str, new: str) -> bool:
    """Whether a row's line becomes what it is when `old` in it, at one place, is replaced by `new`."""
    before, after, old, new = map(_bare, (row.before, row.after, old, new))
    return any(
        before[: place.start()] + new + before[place.end() :] == after
        for place in re.finditer(re.escape(old), before)
    )


def _bare(text: str) -> str:
    """The text without what a change may add or move: spaces and parentheses."""
    return re.sub(r"[\s()]", "", text)


def idle_rules(exercise: Exercise, rows: Sequence[Swept]) -> list[str]:
    """The rubric's rules that explain no survivor, one line each."""
    survivors = [row for row in rows if row.outcome == "equal"]
    return [
        f"{exercise.name}: exercise.equal says that {old!r} may become {new!r}, but no survivor is like "
        "that. Drop it."
        for _, old, new in exercise.equal_changes
        if not any(_is_change(row, old, new) for row in survivors)
    ]


@dataclass(frozen=True)
class Figures:
    """What a sweep counted."""

    versions: int
    equal: int
    unexplained: int
    values: int
    named: int
    form: int
    error: int
    disagree: int

    @property
    def share(self) -> float:
        """The named ones among those that return a wrong value of the right form."""
        return self.named / self.values if self.values else 1.0


def figures(rows: Sequence[Swept]) -> Figures:
    count = {
        word: sum(row.outcome == word for row in rows) for word in ("equal", "half", "value", "form", "error")
    }
    return Figures(
        versions=len(rows),
        equal=count["equal"],
        unexplained=sum(row.unexplained for row in rows),
        values=count["value"],
        named=sum(row.outcome == "value" and None not in row.names for row in rows),
        form=count["form"],
        error=count["error"],
        disagree=sum(None not in row.names and row.names[0] != row.names[1] for row in rows),
    )


HEAD = (
    f"{'exercise':30} {'versions':>8} {'equal':>6} {'to do':>6} {'stopped':>8} {'form':>6} {'value':>6} "
    f"{'named':>12} {'two names':>9}"
)


def line(name: str, found: Figures) -> str:
    """The figures as a line under HEAD."""
    return (
        f"{name:30} {found.versions:8} {found.equal:6} {found.unexplained:6} {found.error:8} {found.form:6} "
        f"{found.values:6} {found.named:6} {found.share:4.0%}  {found.disagree:9}"
    )


def figures_path(problem_set: ProblemSet) -> Path:
    """Where the figures of the last sweep stand, for the certified page: numbers alone, beside the rubric."""
    return problem_set.folder / "rubric" / "sweep.json"


def right_digest(exercise: Exercise) -> str:
    """What a sweep's figures are about: the right versions as they are."""
    return digest(*(version.source for version in rights(exercise)))[:16]


def write_figures(problem_set: ProblemSet, exercise: Exercise, found: Figures) -> None:
    """Note an exercise's figures beside the others."""
    if not problem_set.rubric_path.is_dir():
        return
    stored = stored_figures(problem_set)
    stored[exercise.name] = {"of": right_digest(exercise), **asdict(found)}
    ordered = {name: stored[name] for name in problem_set.exercises if name in stored}
    lines = [f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in ordered.items()]
    figures_path(problem_set).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def stored_figures(problem_set: ProblemSet) -> dict[str, dict]:
    """The figures that were noted, by exercise."""
    try:
        return json.loads(figures_path(problem_set).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def swept_in_words(stored: dict) -> str:
    """The figures for the certified page, which shows no code."""
    found = Figures(**{key: value for key, value in stored.items() if key != "of"})
    still = "each for a reason in the rubric" if not found.unexplained else f"{found.unexplained} unexplained"
    return (
        f"{found.versions} small changes of right versions that nobody chose: {found.error} stop with an "
        f"error, {found.form} return another form, {found.values} a wrong value of the right form, of which "
        f"{found.named} are told a mistake by name. {found.equal} pass, {still}."
    )


def out_of_date(problem_set: ProblemSet, only: Sequence[str] = ()) -> list[str]:
    """The exercises whose right versions have changed since they were swept, or never were, one line each."""
    stored = stored_figures(problem_set)
    return [
        f"{name}: {'right versions have changed since the sweep' if name in stored else 'not swept yet'}; "
        f"run coursegrader sweep {problem_set.name} --exercise {name}"
        for name, exercise in problem_set.exercises.items()
        if (not only or name in only) and stored.get(name, {}).get("of") != right_digest(exercise)
    ]
