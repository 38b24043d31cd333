"""The kinds of questions, each made of one exercise as it was asked: a question, its answer, and why.

`options` gives for a kind the questions that this code allows, in the order of a random generator. Whoever
takes one of several chooses by difficulty.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from allyouneed.check.questions.asking import Asked
from allyouneed.check.questions.beside import beside
from allyouneed.check.questions.changed import Changed, code_lines
from allyouneed.check.questions.inputs import call_text, is_plain
from allyouneed.check.questions.question import Question
from allyouneed.check.questions.told import LONGEST, apart, count, tell, weight
from allyouneed.check.variants import shown

MOST = 12  # options of a kind that are looked at
CHOICES = 4
BASE = {"what-if": 2.0, "which-change": 2.2, "trace": 1.5, "does-it-matter": 2.0, "mend": 1.8, "why": 2.0}
POWERS = "Of use: e ≈ 2.72, e² ≈ 7.39, e³ ≈ 20.1."
LINE = "line {}: {}"
NOTHING = re.compile(
    r"return \w+|pass|break|continue|else:|try:"
)  # lines about which there is nothing to say
OF_CLASSES, OF_FUNCTIONS = ("module", "transformer_layer"), ("permutation_test", "future_test")  # drivers


@dataclass(frozen=True)
class Made:
    """A question with its answer (None for "why"), the reason, and what it is about, to know it again.

    `slips` tell for each choice where it comes from; "" for the right one, and where nothing is to tell.
    """

    question: Question
    answer: int | None
    explanation: str
    topic: str
    slips: tuple[str, ...] = ()


def options(kind: str, item: Asked, rng: random.Random) -> Iterator[Made]:
    """The questions of a kind about an exercise, at most MOST; none where the code allows none."""
    ways = {
        "what-if": what_if,
        "which-change": which_change,
        "trace": trace,
        "does-it-matter": does_it_matter,
        "mend": mend,
        "why": why,
    }
    for number, made in enumerate(ways[kind](item, rng)):
        if number == MOST:
            return
        yield made


# results


def what_if(item: Asked, rng: random.Random) -> Iterator[Made]:
    """One line changed: which result comes out? Now and then the change leaves this result as it was, so
    that the unchanged one is as often right as each other choice."""
    for index in _shuffled(range(len(item.inputs)), rng):
        results = _results(item, index)
        if item.plain and 0 in results:
            kept = [number for number in _working(item, index) if number and _equal(item, index, number, 0)]
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
    choices, answer = _mixed(told, rng)
    slips = dict(zip(told[1:], (_slip(item, number) for number in numbers[1:])))
    prompt = (
        f"Line {change.line} of your code was “{change.before}”, and is changed as shown. Which result does "
        f"the changed code give for {_call(item, index)}?{_help(item)}"
    )
    reasons = [f"{choices[answer]} is what the changed code returned when it was run."]
    if (own := item.told(0, index)) == choices[answer]:
        reasons.append("The unchanged code gives the same here.")
    else:
        reasons += [
            f"The unchanged code gives {own}.",
            beside(item.value(0, index), item.value(right, index)),
        ]
    return _made(
        item,
        "what-if",
        prompt,
        change.text,
        (change.line,),
        choices,
        answer,
        " ".join(filter(None, reasons)),
        f"{change.after}",
        _work(item, index, change),
        tuple(slips.get(text, "") for text in choices),
    )


def which_change(item: Asked, rng: random.Random) -> Iterator[Made]:
    """The code's result and another one: which of four changes gives the other?"""
    for index in _shuffled(range(len(item.inputs)), rng):
        results = [number for number in _results(item, index) if number]
        if not item.plain or item.told(0, index) is None:
            continue
        for right in _shuffled(results, rng)[:4]:
            if not apart(item.value(right, index), item.value(0, index)):
                continue
            rest = [
                number
                for number in _shuffled(_working(item, index), rng)
                if number
                and number not in item.same  # else only one change would change anything
                and apart(item.value(number, index), item.value(right, index))
            ]
            # those first that matter here: who sees that a change does nothing has it left out at once
            rest.sort(key=lambda number: not apart(item.value(number, index), item.value(0, index)))
            lines: dict[str, int] = {}
            for number in rest:
                text = _line(item.changed[number - 1])
                if text != _line(item.changed[right - 1]):
                    lines.setdefault(text, number)
            wrong = list(lines)[: CHOICES - 1]
            if len(wrong) < CHOICES - 1:
                continue
            change = item.changed[right - 1]
            choices, answer = _mixed([_line(change), *wrong], rng)
            slips = {text: f"With it the code gives {item.told(lines[text], index)}." for text in wrong}
            found = beside(item.value(0, index), item.value(right, index))
            prompt = (
                f"For {_call(item, index)} your code gives {item.told(0, index)}; with one line changed it "
                f"gives {item.told(right, index)}. Which change is it?{_help(item)}"
            )
            numbers = right, *(lines[text] for text in wrong)
            marked = sorted({item.changed[number - 1].line for number in numbers})
            yield _made(
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
                _work(item, index, change),
                tuple(slips.get(text, "") for text in choices),
            )


def trace(item: Asked, rng: random.Random) -> Iterator[Made]:
    """The number, or the shape, of a part of the code on an input."""
    for index in _shuffled(range(len(item.inputs)), rng):
        values = _values_on_the_way(item, index)
        for number in _shuffled(values, rng)[:4]:
            part, value = next(part for part in item.parts if part.number == number), values[number]
            others = [other for key, other in values.items() if key != number]
            shapes = [tuple(other.shape) for other in others if hasattr(other, "shape")]
            inputs = _tensors(item, index)
            own = shown(item.answers[0][index].get("output"))
            small = item.plain and count(value) <= 6
            way = rng.choice(("value", "shape")) if small and hasattr(value, "shape") else "value"
            if not small:
                way = "shape"
            if way == "shape":
                if not hasattr(value, "shape"):
                    continue
                shapes += [tuple(other.shape) for other in (*inputs, own) if hasattr(other, "shape")]
                told, wrong = str(tuple(value.shape)), _other_shapes(tuple(value.shape), shapes, rng)
                what = "the shape"
            else:
                told, what = tell(value), "the value"
                if len(told) > LONGEST or "nan" in told:
                    continue
                wrong = _other_values(value, [*others, *inputs, own], rng)
            if len(wrong) < CHOICES - 1:
                continue
            choices, answer = _mixed([told, *wrong[: CHOICES - 1]], rng)
            where = _call(item, index) if item.plain else _sizes(item, index)
            if not where:
                continue
            prompt = f"Your code runs with {where}. What is {what} of “{part.text}” after line {part.line}?"
            if not part.named:
                prompt = prompt.replace(f" after line {part.line}", f" in line {part.line}")
            yield _made(
                item,
                "trace",
                prompt + (_help(item) if way == "value" else ""),
                item.own.text,
                (part.line,),
                choices,
                answer,
                f"When the code was run, {what} of “{part.text}” was {told}.",
                f"{part.text} {way}",
                0.15 * part.line + (weight(value) if way == "value" else 0.2 * len(value.shape)),
            )


def does_it_matter(item: Asked, rng: random.Random) -> Iterator[Made]:
    """Three changes, of which one leaves every result the same. Of code that draws random numbers only the
    shares of its results are compared."""
    if "generator" in item.own.parameters:
        return
    same = [number for number in item.same if 0 < number <= len(item.changed)]
    matter = [
        number for number in range(1, len(item.answers)) if number not in item.same and _differs(item, number)
    ]
    for right in _shuffled(same, rng)[:6]:
        lines = {_line(item.changed[number - 1]): number for number in _shuffled(matter, rng)}
        lines.pop(_line(item.changed[right - 1]), None)
        if len(lines) < 2:
            return
        change, wrong = item.changed[right - 1], list(lines)[:2]
        choices, answer = _mixed([_line(change), *wrong], rng)
        prompt = "Which of these three changes of your code leaves every result the same but for rounding?"
        marked = sorted({change.line, *(item.changed[lines[text] - 1].line for text in wrong)})
        slips = {text: _matters(item, lines[text]) for text in wrong}
        yield _made(
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
            0.2 * len(marked),
            tuple(slips.get(text, "") for text in choices),
        )


def mend(item: Asked, rng: random.Random) -> Iterator[Made]:
    """One line changed so that results differ: which?"""
    lines = code_lines(item.own.text)
    wrong = [number for number in range(1, len(item.answers)) if _differs(item, number)]
    for number in _shuffled(wrong, rng):
        change = item.changed[number - 1]
        if change.line not in lines or len(lines) < 2 or change.kind == "rewritten" or change.after == "pass":
            continue
        chosen = sorted(
            [change.line, *rng.sample([n for n in lines if n != change.line], min(7, len(lines) - 1))]
        )
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
        prompt = (
            "In this copy one line is not as you handed it in, and for some inputs its result is another. "
            "Mark that line. (Whether your own code is right is not asked.)"
        )
        if seen is not None:
            prompt = (
                f"In this copy one line is not as you handed it in: for {_call(item, seen)} it gives "
                f"{item.told(number, seen)}, and yours gives {item.told(0, seen)}. Mark that line."
            )
        choices = tuple(map(str, chosen))
        yield _made(
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


def why(item: Asked, rng: random.Random) -> Iterator[Made]:
    """One open question for a talk, about a part of the code that somebody decided to write."""
    text, lines = item.own.text, code_lines(item.own.text)
    told = text.split("\n")
    asked: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(text)):
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            line, part = keyword.value.lineno, f"{keyword.arg}={ast.unparse(keyword.value)}"
            if keyword.arg and len(part) < 40 and _once(part, told[line - 1]):
                asked.append(
                    (line, f"What does “{part}” do in line {line}? Would anything be different without it?")
                )
    for line in lines:
        asked.append(
            (
                line,
                f"Say in your own words what line {line} is for. What would the result be like if this step "
                "were not taken, or taken otherwise?",
            )
        )
    for line, prompt in _shuffled(asked, rng):
        if line in lines and not NOTHING.fullmatch(told[line - 1].strip()):
            yield _made(
                item,
                "why",
                prompt,
                text,
                (line,),
                (),
                None,
                "No single answer is right: it begins a talk. A good one names the axes or the sizes, "
                "and what depends on this line later.",
                f"{prompt[:20]} {line}",
                0.0,
            )


def _once(part: str, line: str) -> bool:
    return line.replace(" ", "").count(part.replace(" ", "")) == 1


# what they share


def _made(item, kind, prompt, code, marked, choices, answer, explanation, topic, work, slips=()) -> Made:
    difficulty = round(BASE[kind] + work + 0.03 * len(code_lines(code)), 2)
    question = Question(kind, item.own.exercise, prompt, code, marked, tuple(choices), difficulty)
    # a change is asked about once, whatever the kind: one question would answer the other
    return Made(question, answer, explanation, f"{item.own.exercise} {topic}", slips)


def _shuffled(items, rng: random.Random) -> list:
    items = list(items)
    rng.shuffle(items)
    return items


def _mixed(choices: list[str], rng: random.Random) -> tuple[list[str], int]:
    """The choices in another order, and where the first one is now."""
    mixed = _shuffled(choices, rng)
    return mixed, mixed.index(choices[0])


def _line(change: Changed) -> str:
    return LINE.format(change.line, change.after)


def _slip(item: Asked, number: int) -> str:
    """Which version a wrong result comes from."""
    if not number:
        return "That is what the unchanged code gives."
    change = item.changed[number - 1]
    return f"That comes out with “{change.after}” in line {change.line}."


def _matters(item: Asked, number: int) -> str:
    """An input on which a change matters, with both results, where one can be shown."""
    for index in range(len(item.inputs) if item.plain else 0):
        own, other = item.told(0, index), item.told(number, index)
        if own and other and own != other:
            return f"With it the code gives {other} for {_call(item, index)}, and {own} without it."
    return ""


def _call(item: Asked, index: int) -> str:
    return call_text(item.inputs[index], item.own.parameters) or "no arguments"


def _work(item: Asked, index: int, change: Changed) -> float:
    """How much there is to work out: the numbers that go in and come out, and how late the change is."""
    arguments = shown(item.inputs[index]["args"]) or []
    return 0.3 * weight(arguments) + weight(item.value(0, index)) + 0.05 * change.line


def _tensors(item: Asked, index: int) -> list:
    """The values of an input that have a shape."""
    arguments = shown(item.inputs[index]["args"]) or []
    return [value for value in arguments if hasattr(value, "shape")]


def _sizes(item: Asked, index: int) -> str:
    """An input that is too large to be shown, by its shapes; "" where these do not tell what they mean to
    the code: where the driver makes a model of them."""
    driver, parameters = item.task["probe_driver"], item.own.parameters
    arguments = shown(item.inputs[index]["args"]) or []
    keywords = shown(item.inputs[index]["kwargs"]) or {}
    begun = []
    if driver in OF_CLASSES:
        settings, *arguments = arguments
        made = [repr(value) for value in settings["arguments"]]
        made += [f"{key}={value!r}" for key, value in settings["keywords"].items()]
        begun = [f"{item.own.exercise}({', '.join(made)})"]
    elif driver in OF_FUNCTIONS:  # the first is described by the exercise
        parameters, arguments = parameters[1:], arguments[1:]
    elif not is_plain(driver) and driver != "fitted_curve":
        return ""
    told = [_size(name, value) for name, value in [*zip(parameters, arguments), *keywords.items()]]
    return ", ".join([*begun, *told]) if all(told) else ""


def _size(name: str, value) -> str:
    if hasattr(value, "shape"):
        return f"{name} of shape {tuple(value.shape)}"
    if isinstance(value, (list, tuple)) and value and all(isinstance(one, (int, float)) for one in value):
        return f"{name} a list of {len(value)} numbers"
    return f"{name} = {value!r}" if value is None or isinstance(value, (int, float, bool)) else ""


def _help(item: Asked) -> str:
    return f" {POWERS}" if re.search(r"\bexp\b|softmax|sigmoid|tanh|\blog", item.own.text) else ""


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
    rest = _shuffled([number for number in numbers if number], rng)
    size = count(item.value(right, index))
    rest.sort(key=lambda number: count(item.value(number, index)) != size)  # of the same form where possible
    for number in [*own, *rest]:
        if all(apart(item.value(number, index), item.value(other, index)) for other in chosen):
            chosen.append(number)
        if len(chosen) == CHOICES:
            return chosen[1:]
    return None


def _differs(item: Asked, number: int) -> bool:
    """Whether a version gives a visibly other result, and no error, on some input."""
    row = item.answers[number] if number < len(item.answers) else []
    for index in range(min(len(row), len(item.inputs))):
        one, other = shown(row[index].get("output")), shown(item.answers[0][index].get("output"))
        if "error" not in row[index] and one is not None and other is not None and apart(one, other):
            return True
        if one is not None and other is not None and not item.plain and _rounded(one) != _rounded(other):
            return True
    return False


def _rounded(value) -> str:
    return str(value)


def _values_on_the_way(item: Asked, index: int) -> dict[int, Any]:
    """The values of parts that had one value only on this input, each value once."""
    rows = item.noted[index] if index < len(item.noted) else []
    times: dict[int, int] = {}
    for number, _ in rows:
        times[number] = times.get(number, 0) + 1
    found: dict[int, Any] = {}
    seen: set[str] = set()
    known = {part.number: part for part in item.parts}
    for number, data in sorted(rows, key=lambda pair: pair[0] in known and not known[pair[0]].named):
        if times[number] > 1 or number not in known:
            continue
        value = shown(data)
        key = f"{known[number].line} {tell(value)}"
        if value is not None and key not in seen and count(value):
            seen.add(key)
            found[number] = value
    return found


def _other_shapes(shape: tuple, known: list[tuple], rng: random.Random) -> list[str]:
    """Three other shapes: those of other values first, then its own with axes left out, kept or exchanged."""
    near = [shape[:axis] + shape[axis + 1 :] for axis in range(len(shape))]
    near += [shape[:axis] + (1,) + shape[axis + 1 :] for axis in range(len(shape))]
    near += [
        shape[:axis] + (shape[axis + 1], shape[axis]) + shape[axis + 2 :] for axis in range(len(shape) - 1)
    ]
    near += [(1, *shape), (*shape, 1), tuple(size + 1 for size in shape), (*shape, *shape[-1:])]
    ordered = [*_shuffled(known, rng)[:2], *_shuffled(near, rng), (2, 2), (3,), (2, 3)]
    texts = dict.fromkeys(str(tuple(other)) for other in ordered if tuple(other) != shape and len(other) < 7)
    return list(texts)[: CHOICES - 1]


def _other_values(value, known: list, rng: random.Random) -> list[str]:
    """Three other values: those of other parts first, then the value with a slip."""
    chosen, near = [value], []
    if hasattr(value, "shape") and value.dtype.is_floating_point or isinstance(value, float):
        near += [-value, value + 1, 2 * value, value / 2, value - 1]
    elif hasattr(value, "shape") and str(value.dtype) == "torch.bool":
        near += [~value, value.flip(-1) if value.dim() else value]
    elif isinstance(value, bool):
        return []
    elif isinstance(value, (int,)) or hasattr(value, "shape"):
        near += [value + 1, value - 1, 2 * value, -value]
    if hasattr(value, "shape") and value.dim():
        near += [value.flip(-1), value.flip(0), value.roll(1, -1)]
        near += [value.transpose(-1, -2)] if value.dim() > 1 else []
    alike = [other for other in known if other is not None and count(other) == count(value)]
    for other in [*_shuffled(alike, rng)[:2], *_shuffled(near, rng)]:
        text = tell(other)
        if len(text) <= LONGEST and "nan" not in text and all(apart(other, found) for found in chosen):
            chosen.append(other)
    return [tell(other) for other in chosen[1:CHOICES]]
