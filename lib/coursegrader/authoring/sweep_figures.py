"""What a sweep found: the survivors that a reason explains, and the figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coursegrader.course.problem_set import ProblemSet
from coursegrader.rubric.language import Exercise
from coursegrader.rubric.sweep.stored import Told, right_digest, stored_sweep

# equal for every input, by what torch says of them; a rubric need not list them again
PROVEN = (
    ("the values are the same; only their place in memory is not", ".contiguous()", ""),
    ("reshape is view where there is a view", ".view", ".reshape"),
    ("a view of what was made contiguous, or could be viewed at once", ".reshape", ".view"),
)
BEHAVES = ("as-if-", "result-")  # names of what a result behaves like, and of no written mistake
SEEN = ("gives-nan", "result-")  # what is seen of a result, whatever the mistake is
FIRST_AXIS = re.compile(r"\b(cat|concat|stack|unbind)\(")  # whose axis is the first one, if none is given
SWAP = re.compile(r"\b((?:transpose|swapaxes)\()([^(),]+), ([^(),]+)\)")


@dataclass(frozen=True)
class Swept:
    """A changed version: where and how it was changed, and what the probes say of it.

    `outcome` is "equal" (it passes all probes), "half" (it passes the public or the hidden ones alone),
    "value" (it returns wrong values of the right form), "form" (another shape, type or dtype), or "error".
    `names` are the mistakes that it is told on public and on hidden probes; None where none is known.
    `told` is the change if it is kept, to tell whoever's code behaves alike; `held` says whether it would be
    named if the rubric did not hold the right version that was changed.
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
    told: Told | None = None
    held: bool = False

    @property
    def unexplained(self) -> bool:
        return self.outcome in ("equal", "half") and self.reason is None

    @property
    def disagrees(self) -> bool:
        """Whether public and hidden probes name two mistakes."""
        first, second = self.names
        named = None not in self.names and not any(name.startswith(SEEN) for name in self.names)
        return named and first != second

    def shown(self) -> str:
        """The change as a difference of a line or two."""
        passes = {"equal": "all probes", "half": "the public or the hidden probes alone"}
        old, new = (
            [f"  {sign} {line.strip()}" for line in text.splitlines()]
            for sign, text in (("-", self.before), ("+", self.after))
        )
        where = f"{self.exercise}, {self.label}, line {self.line}: passes {passes[self.outcome]}"
        return "\n".join([where, *old, *new])


def explained(exercise: Exercise, row: Swept) -> Swept:
    """The row with the reason for which its change changes nothing, if a rule gives one."""
    if row.outcome in ("equal", "half"):
        for reason, old, new in (*PROVEN, *exercise.equal_changes):
            if (row.outcome == "equal" or new is None) and _is_change(row, old, new):
                return replace(row, reason=reason)
    if row.outcome == "equal":
        if FIRST_AXIS.search(row.before) and _is_change(row, ", dim=0", ""):
            return replace(row, reason="the first axis is meant where none is given")
        for swap in SWAP.finditer(row.before):
            exchanged = f"{swap[1]}{swap[3]}, {swap[2]})"
            if row.before[: swap.start()] + exchanged + row.before[swap.end() :] == row.after:
                return replace(row, reason="two axes are swapped, in whichever order they are named")
    return row


def _is_change(row: Swept, old: str, new: str | None) -> bool:
    """Whether a row's line becomes what it is when `old` in it, at one place, is replaced by `new`, or by
    anything."""
    before, after, old = map(_bare, (row.before, row.after, old))
    wanted = ".*" if new is None else re.escape(_bare(new))
    return any(
        re.fullmatch(re.escape(before[: place.start()]) + wanted + re.escape(before[place.end() :]), after)
        for place in re.finditer(re.escape(old), before)
    )


def _bare(text: str) -> str:
    """The text without what a change may add or move: spaces and parentheses."""
    return re.sub(r"[\s()]", "", text)


def idle_rules(exercise: Exercise, rows: Sequence[Swept]) -> list[str]:
    """The rubric's rules that explain no survivor, one line each."""
    survivors = [row for row in rows if row.outcome in ("equal", "half")]
    return [
        f"{exercise.name}: exercise.equal says that {old!r} may become "
        f"{'anything' if new is None else repr(new)}, but no survivor is like that. Drop it."
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
    told: int
    held: int
    form: int
    error: int
    disagree: int

    @property
    def share(self) -> float:
        """Those that would be named with their right version held back, among the wrong values."""
        return self.held / self.values if self.values else 1.0


def figures(rows: Sequence[Swept]) -> Figures:
    count = {
        word: sum(row.outcome == word for row in rows) for word in ("equal", "half", "value", "form", "error")
    }
    values = [row for row in rows if row.outcome == "value" and None not in row.names]
    told = [row for row in values if all(name.startswith(BEHAVES) for name in row.names)]
    return Figures(
        versions=len(rows),
        equal=count["equal"],
        unexplained=sum(row.unexplained for row in rows),
        values=count["value"],
        named=len(values) - len(told),
        told=len(told),
        held=sum(row.held for row in rows),
        form=count["form"],
        error=count["error"],
        disagree=sum(row.disagrees for row in rows),
    )


HEAD = (
    f"{'exercise':30} {'versions':>8} {'equal':>6} {'to do':>6} {'stopped':>8} {'form':>6} {'value':>6} "
    f"{'named':>6} {'told':>5} {'held back':>10} {'two names':>9}"
)


def line(name: str, found: Figures) -> str:
    """The figures as a line under HEAD."""
    return (
        f"{name:30} {found.versions:8} {found.equal:6} {found.unexplained:6} {found.error:8} {found.form:6} "
        f"{found.values:6} {found.named:6} {found.told:5} {found.held:5} {found.share:4.0%} "
        f"{found.disagree:9}"
    )


def swept_in_words(stored: dict) -> str:
    """The figures for the certified page, which shows no code."""
    found = Figures(**stored)
    still = "each for a reason in the rubric" if not found.unexplained else f"{found.unexplained} unexplained"
    return (
        f"{found.versions} small changes of right versions that nobody chose: {found.error} stop with an "
        f"error, {found.form} return another form, {found.values} a wrong value of the right form. Of these "
        f"{found.named} are told a mistake by name and {found.told} what they behave like. With the right "
        f"version that was changed held back, {found.held} are told the one or the other. {found.equal} pass "
        f"all probes, {still}."
    )


def out_of_date(problem_set: ProblemSet, only: Sequence[str] = ()) -> list[str]:
    """Whose right versions have changed since they were swept, and what never was swept, a line each."""
    found: dict[str, list[str]] = {}
    for name, exercise in problem_set.exercises.items():
        stored = stored_sweep(problem_set.rubric_path, name)
        if (not only or name in only) and stored.get("of") != right_digest(exercise):
            why = "whose right versions have changed since" if stored else "not swept yet"
            found.setdefault(why, []).append(name)
    again = f"coursegrader sweep {problem_set.name} --exercise"
    return [f"{', '.join(names)}: {why}; run {again} {names[0]}" for why, names in found.items()]
