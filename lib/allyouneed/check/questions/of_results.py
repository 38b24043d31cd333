"""Questions about results: what comes out of a change, and which change makes a result."""

from __future__ import annotations

import random
from collections.abc import Iterator

from allyouneed.check.questions.asking import Asked
from allyouneed.check.questions.beside import beside
from allyouneed.check.questions.made import (
    CHOICES,
    Made,
    call_of,
    help_of,
    line_of,
    made_of,
    mixed,
    shuffled,
    work_of,
)
from allyouneed.check.questions.told import LONGEST, apart, count, form


def what_if(item: Asked, rng: random.Random) -> Iterator[Made]:
    """One line changed: which result comes out? Now and then the change leaves this result as it was, so
    that the unchanged one is as often right as each other choice."""
    for index in shuffled(range(len(item.inputs)), rng):
        results = _results(item, index)
        if item.plain and 0 in results:
            kept = [
                number
                for number in _working(item, index)
                if number
                and _equal(item, index, number, 0)
                and item.changed[number - 1].kind != "rewritten"  # which only asks what the code gives
            ]
            others = [number for number in results if number]
            for _ in range(4):
                unchanged = rng.random() < 1 / CHOICES
                pool = kept if unchanged else others
                if not pool:
                    continue
                right = rng.choice(pool)
                result = 0 if unchanged else right
                wrong = _others(item, index, result, [0, *others] if not unchanged else others, rng, 0)
                if wrong is None:
                    continue
                yield _what_if(item, index, right, [result, *wrong], rng)


def _what_if(item: Asked, index: int, right: int, numbers: list[int], rng: random.Random) -> Made:
    change = item.changed[right - 1]
    told = [item.told(number, index) or "" for number in numbers]
    choices, answer = mixed(told, rng)
    slips = dict(zip(told[1:], (_slip(item, number) for number in numbers[1:])))
    prompt = (
        f"Line {change.line} of your code was “{change.before}”, and is changed as shown. Which result does "
        f"the changed code give for {call_of(item, index)}? (It may be the same as before.)"
        f"{help_of(item, choices)}"
    )
    reasons = [f"{choices[answer]} is what the changed code returned when it was run."]
    if (own := item.told(0, index)) == choices[answer]:
        reasons.append("The unchanged code gives the same here.")
    else:
        reasons += [
            f"The unchanged code gives {own}.",
            beside(item.value(0, index), item.value(right, index)),
        ]
    return made_of(
        item,
        "what-if",
        prompt,
        change.text,
        (change.line,),
        choices,
        answer,
        " ".join(filter(None, reasons)),
        f"{change.after}",
        work_of(item, index, change),
        tuple(slips.get(text, "") for text in choices),
        call_of(item, index),
    )


def which_change(item: Asked, rng: random.Random) -> Iterator[Made]:
    """The code's result and another one: which of four changes gives the other?"""
    for index in shuffled(range(len(item.inputs)), rng):
        results = [number for number in _results(item, index) if number]
        if not item.plain or item.told(0, index) is None:
            continue
        for right in shuffled(results, rng)[:4]:
            if not apart(item.value(right, index), item.value(0, index)):
                continue
            rest = [
                number
                for number in shuffled(_working(item, index), rng)
                if number
                and item.differs(number)  # else only one change would change anything
                and apart(item.value(number, index), item.value(right, index))
            ]
            # those first that matter here: who sees that a change does nothing has it left out at once
            rest.sort(key=lambda number: not apart(item.value(number, index), item.value(0, index)))
            first: dict[
                str, int
            ] = {}  # of those that give one result: who sees that has all of them left out
            for number in rest:
                first.setdefault(item.told(number, index) or "", number)
            lines: dict[str, int] = {}
            for number in [*first.values(), *rest]:
                text = line_of(item.changed[number - 1])
                if text != line_of(item.changed[right - 1]):
                    lines.setdefault(text, number)
            wrong = list(lines)[: CHOICES - 1]
            if len(wrong) < CHOICES - 1 or len({item.told(lines[text], index) for text in wrong}) == 1:
                continue
            change = item.changed[right - 1]
            choices, answer = mixed([line_of(change), *wrong], rng)
            slips = {text: f"With it the code gives {item.told(lines[text], index)}." for text in wrong}
            found = beside(item.value(0, index), item.value(right, index))
            prompt = (
                f"For {call_of(item, index)}, your code gives {item.told(0, index)}; with one line changed "
                f"it gives {item.told(right, index)}. Which change is it?"
                f"{help_of(item, [item.told(right, index) or ''])}"
            )
            numbers = right, *(lines[text] for text in wrong)
            marked = sorted({item.changed[number - 1].line for number in numbers})
            yield made_of(
                item,
                "which-change",
                prompt,
                item.own.text,
                tuple(marked),
                choices,
                answer,
                f"Of these, only “{change.after}” in line {change.line} gives this result when it is run. "
                f"{found}".strip(),
                change.after,
                work_of(item, index, change),
                tuple(slips.get(text, "") for text in choices),
                call_of(item, index),
            )


def _slip(item: Asked, number: int) -> str:
    """Which version a wrong result comes from."""
    if not number:
        return "That is what the unchanged code gives."
    change = item.changed[number - 1]
    return f"That comes out with “{change.after}” in line {change.line}."


def _working(item: Asked, index: int) -> list[int]:
    """The versions whose result on an input can be shown."""
    return [number for number in range(len(item.answers)) if item.told(number, index) is not None]


def _results(item: Asked, index: int) -> list[int]:
    """Of the versions that give results of the form of the own one, one of each result, the own one first."""
    found: dict[str, int] = {}
    working = _working(item, index)
    if not working or working[0] != 0:
        return []
    size = count(item.value(0, index))
    for number in working:
        value = item.value(number, index)
        if count(value) == size or len(str(value)) < LONGEST:
            found.setdefault(item.told(number, index) or "", number)
    return list(found.values())


def _equal(item: Asked, index: int, one: int, other: int) -> bool:
    return item.told(one, index) == item.told(other, index)


def _others(item: Asked, index: int, right: int, numbers: list[int], rng: random.Random, first: int):
    """Three versions with results that differ visibly from the right one and from each other."""
    chosen = [right]
    own = [number for number in numbers if number == 0]
    rest = shuffled([number for number in numbers if number], rng)
    looks = form(item.value(right, index))
    alike = {number: form(item.value(number, index)) == looks for number in [*own, *rest]}
    rest.sort(key=lambda number: not alike[number])
    for number in [*own, *rest]:
        if all(apart(item.value(number, index), item.value(other, index)) for other in chosen):
            chosen.append(number)
        if len(chosen) == CHOICES:
            # one of a form of its own would be known by that
            return chosen[1:] if any(alike[number] for number in chosen[1:]) else None
    return None
