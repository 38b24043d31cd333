"""Questions about a value on the way through the code: its number, or its shape."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from allyouneed.check.questions.asking import Asked
from allyouneed.check.questions.changed import Part
from allyouneed.check.questions.inputs import is_plain
from allyouneed.check.questions.made import CHOICES, Made, call_of, help_of, made_of, mixed, shuffled
from allyouneed.check.questions.told import LONGEST, apart, count, form, tell, weight
from allyouneed.check.variants import shown

FILLED = re.compile(r"(torch|np|numpy)\.(rand|zeros|ones|full|empty|eye)\w*\(")
OF_CLASSES, OF_FUNCTIONS = ("module", "transformer_layer"), ("permutation_test", "future_test")  # drivers


def trace(item: Asked, rng: random.Random) -> Iterator[Made]:
    """The number, or the shape, of a part of the code on an input."""
    for index in shuffled(range(len(item.inputs)), rng):
        values = _values_on_the_way(item, index)
        for number in shuffled(values, rng)[:4]:
            part, value = next(part for part in item.parts if part.number == number), values[number]
            if _says_itself(item, part):
                continue
            others = [other for key, other in values.items() if key != number]
            shapes = [tuple(other.shape) for other in others if hasattr(other, "shape")]
            inputs = _tensors(item, index)
            own = shown(item.answers[0][index].get("output"))
            small = item.plain and count(value) <= 6
            way = rng.choice(("value", "shape")) if small and hasattr(value, "shape") else "value"
            if not small:
                way = "shape"
            if way == "shape":
                if not hasattr(value, "shape") or not value.dim():  # what else could the shape of one be?
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
            choices, answer = mixed([told, *wrong], rng)
            where = call_of(item, index) if item.plain else _sizes(item, index)
            if not where:
                continue
            prompt = f"Your code runs with {where}. What is {what} of “{part.text}” after line {part.line}?"
            if not part.named:
                prompt = prompt.replace(f" after line {part.line}", f" in line {part.line}")
            yield made_of(
                item,
                "trace",
                prompt + (help_of(item, choices) if way == "value" else ""),
                item.own.text,
                (part.line,),
                choices,
                answer,
                f"When the code was run, {what} of “{part.text}” was {told}.",
                f"{part.text} {way}",
                0.15 * part.line + (weight(value) if way == "value" else 0.2 * len(value.shape)),
                call=where,
            )


def _says_itself(item: Asked, part: Part) -> bool:
    """Whether its arguments are the answer, or a function's that the paper does not show."""
    if FILLED.match(part.text):
        return True
    given = item.own.parameters[0] if item.task["probe_driver"] in OF_FUNCTIONS else None
    line = item.own.text.split("\n")[part.line - 1]
    return given is not None and re.search(rf"\b{re.escape(given)}\(", line) is not None


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
    """Three other shapes: those of other values first, then slips: axes left out, kept or exchanged."""
    known = [tuple(other) for other in shuffled(known, rng)]
    known = sorted(known, key=lambda other: len(other) != len(shape))[:2]
    return _others(shape, known, _shape_slips, lambda one, other: one != other and len(one) < 7, str, rng)


def _shape_slips(shape: tuple) -> list[tuple]:
    axes = range(len(shape))
    near = [shape[:axis] + shape[axis + 1 :] for axis in axes]
    near += [shape[:axis] + (1,) + shape[axis + 1 :] for axis in axes]
    near += [shape[:axis] + (shape[axis + 1], shape[axis]) + shape[axis + 2 :] for axis in axes[:-1]]
    return [*near, (1, *shape), (*shape, 1), tuple(size + 1 for size in shape), (*shape, *shape[-1:])]


def _other_values(value, known: list, rng: random.Random) -> list[str]:
    """Three other values: those of other parts first, then slips."""
    alike = [other for other in known if other is not None and count(other) == count(value)]

    def fits(other, found) -> bool:
        text = tell(other)
        return len(text) <= LONGEST and "nan" not in text and apart(other, found)

    alike = sorted(shuffled(alike, rng), key=lambda other: form(other) != form(value))[:2]
    return _others(value, alike, _slips, fits, tell, rng)


def _slips(value) -> list:
    near = []
    if hasattr(value, "shape") and value.dtype.is_floating_point or isinstance(value, float):
        near += [value + 1, 2 * value, value / 2, *([-value, value - 1] if _has_signs(value) else [])]
    elif hasattr(value, "shape") and str(value.dtype) == "torch.bool":
        near += [~value, value.flip(-1) if value.dim() else value]
    elif isinstance(value, bool):
        return []
    elif isinstance(value, (int,)) or hasattr(value, "shape"):
        near += [value + 1, 2 * value, *([value - 1, -value] if _has_signs(value) else [])]
    if hasattr(value, "shape") and value.dim():
        near += [value.flip(-1), value.flip(0), value.roll(1, -1)]
        near += [value.transpose(-1, -2)] if value.dim() > 1 else []
    return near


def _has_signs(value) -> bool:
    """Whether a number is below 0: where none is, a choice with one would be left out at once."""
    return bool((value < 0).any()) if hasattr(value, "shape") else value < 0


def _others(own, known: list, slips, fits, text, rng: random.Random) -> list[str]:
    """Wrong choices as text. Slips of a wrong one are among them, so that what all others come from need not
    be the right one."""
    chosen = [own]

    def add(others) -> None:
        for other in others:
            if len(chosen) < CHOICES and all(fits(other, found) for found in chosen):
                chosen.append(other)
                return

    for other in known:
        add([other])
    add(shuffled(slips(own), rng))
    for _ in range(CHOICES):
        add(shuffled(slips(rng.choice(chosen[1:] or chosen)), rng))
        add(shuffled(slips(own), rng) if rng.random() < 0.5 else [])
    return [text(other) for other in chosen[1:]]
