"""Questions about changes of the code: which one does not matter, and which line has one."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from allyouneed.check.questions.asking import Asked
from allyouneed.check.questions.changed import Changed, code_lines
from allyouneed.check.questions.made import Made, call_of, line_of, made_of, mixed, shuffled
from allyouneed.check.variants import shown

CHANCE = re.compile(r"\b(rand|init\.|torch\.empty|normal_|uniform_)")
PICKED = re.compile(r"\b(argmax|argmin|argsort|topk)\b")
FITTED = "fitted_curve"  # the driver of fits
NOBODYS = re.compile(r"[-+] 0\b(?!\.\d)")  # what nobody would write
NO_RIVAL = re.compile(r"pass|return \w+|.*[-+] 0\b(?!\.\d).*")  # what everybody sees to matter
CAST = re.compile(r"\b(int|float|bool|list|tuple|item|tolist|to|type|double|long|numpy)\(")
# what is told of a change where no result is shown, so that a fault of the code itself is not taken for it
HINTS = {
    "operator": "an operator became another",
    "exchanged": "two parts changed places",
    "left-out": "a part is missing",
    "kept-last": "what was added up is replaced",
    "sign": "a sign changed",
    "comparison": "a comparison became another",
    "call": "a call is missing",
    "keyword": "an argument is missing",
    "axis": "an axis became another",
    "constant": "a number or a constant became another",
    "bound": "a bound or an index is one more or one less",
    "bound-dropped": "a bound is missing",
    "always-false": "a condition became a constant",
    "statement": "a line does nothing any more",
    "name": "a name became another",
    "function": "a function became another",
}
WORD = re.compile(r"\w+|[^\w\s]")


def does_it_matter(item: Asked, rng: random.Random) -> Iterator[Made]:
    """Three changes, of which one leaves every result the same. Nobody can say that of code that draws random
    numbers or picks the largest of some, which a change seldom moves; or of a fit, where what is close
    enough is right."""
    drawn = "generator" in item.own.parameters or CHANCE.search(item.own.text)
    if drawn or _picks(item) or item.task["probe_driver"] == FITTED:
        return
    same = [
        number
        for number in item.same
        if 0 < number <= len(item.changed) and not _is_of_types(item.changed[number - 1])
    ]
    matter = [
        number for number in range(1, len(item.answers)) if number not in item.same and item.differs(number)
    ]
    matter = [number for number in matter if not NO_RIVAL.fullmatch(item.changed[number - 1].after)]
    # what is only written otherwise, or left out, shows by its form that it does not matter
    for right in sorted(shuffled(same, rng), key=lambda number: _by_its_form(item.changed[number - 1])):
        lines = {line_of(item.changed[number - 1]): number for number in shuffled(matter, rng)}
        lines.pop(line_of(item.changed[right - 1]), None)
        if len(lines) < 2:
            return
        change, wrong = item.changed[right - 1], list(lines)[:2]
        choices, answer = mixed([line_of(change), *wrong], rng)
        results = "result and gradient" if any(map(_has_gradients, item.task["probes"])) else "result"
        prompt = (
            f"Which of these three changes of your code leaves every {results} the same, but for rounding, "
            "for all inputs that the exercise allows?"
        )
        marked = sorted({change.line, *(item.changed[lines[text] - 1].line for text in wrong)})
        slips = {text: _matters(item, lines[text]) for text in wrong}
        yield made_of(
            item,
            "does-it-matter",
            prompt,
            item.own.text,
            tuple(marked),
            choices,
            answer,
            f"With “{change.after}” in line {change.line} all results stayed the same; each of the "
            "others changed some.",
            change.after,
            0.2 * len(marked) - (0.8 if _by_its_form(change) else 0),
            tuple(slips.get(text, "") for text in choices),
        )


def mend(item: Asked, rng: random.Random) -> Iterator[Made]:
    """One line changed so that results differ: which?"""
    lines = code_lines(item.own.text)
    wrong = [number for number in range(1, len(item.answers)) if item.differs(number)]
    for number in shuffled(wrong, rng):
        change = item.changed[number - 1]
        if change.line not in lines or len(lines) < 2 or _by_its_form(change) or NOBODYS.search(change.after):
            continue
        seen = next(
            (
                index
                for index in range(len(item.inputs))
                if item.plain
                and item.told(number, index)
                and item.told(0, index)
                and item.told(number, index) != item.told(0, index)
            ),
            None,
        )
        if seen is None and len(WORD.findall(change.after)) < len(WORD.findall(change.before)):
            continue  # what was left out could be missed in another line too
        chosen = sorted(
            [change.line, *rng.sample([n for n in lines if n != change.line], min(7, len(lines) - 1))]
        )
        hint = HINTS.get(change.kind)
        if seen is None and hint is None:
            continue
        prompt = (
            f"In this copy one place in one line is not as you handed it in: {hint}, so that for some "
            "inputs it gives other results than yours. Mark that line. (Whether your own code is right is "
            "not asked.)"
        )
        if seen is not None:
            prompt = (
                "In this copy one place in one line is not as you handed it in (an operator, a name, "
                f"a number, an argument or a call): for {call_of(item, seen)} it gives "
                f"{item.told(number, seen)}, and yours gives {item.told(0, seen)}. Mark that line."
            )
        if len(chosen) < len(lines):
            prompt += " Only lines with a choice come into question."
        choices = tuple(map(str, chosen))
        yield made_of(
            item,
            "mend",
            prompt,
            change.text,
            tuple(chosen),
            choices,
            chosen.index(change.line),
            f"Line {change.line} was “{change.before}”.",
            change.after,
            0.1 * len(chosen) + (seen is None),
        )


def _picks(item: Asked) -> bool:
    """Whether a result is the place of one of several numbers."""
    for index, probe in enumerate(item.inputs if item.plain else ()):
        given, result = shown(probe["args"]) or [], item.value(0, index)
        if hasattr(result, "dtype") and not result.is_floating_point():
            return any(hasattr(one, "dtype") and one.is_floating_point() for one in given)
    return PICKED.search(item.own.text) is not None


def _is_of_types(change: Changed) -> bool:
    """Whether it makes a number of a tensor, or the like: some call that the same, and some do not."""
    return len(CAST.findall(change.before)) != len(CAST.findall(change.after))


def _has_gradients(probe: dict) -> bool:
    return bool(probe.get("gradient"))


def _by_its_form(change: Changed) -> bool:
    return change.kind == "rewritten" or change.after == "pass"


def _matters(item: Asked, number: int) -> str:
    """An input on which a change matters, with both results, where one can be shown."""
    for index in range(len(item.inputs) if item.plain else 0):
        own, other = item.told(0, index), item.told(number, index)
        if own and other and own != other:
            return f"With it the code gives {other} for {call_of(item, index)}, and {own} without it."
    return ""
