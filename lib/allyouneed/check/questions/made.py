"""What the kinds of questions share: a question that is made, and how code, inputs and changes are told."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass

from allyouneed.check.questions.asking import Asked
from allyouneed.check.questions.changed import Changed, code_lines
from allyouneed.check.questions.inputs import call_text
from allyouneed.check.questions.question import Question
from allyouneed.check.questions.told import weight
from allyouneed.check.variants import shown

CHOICES = 4
BASE = {"what-if": 2.0, "which-change": 2.2, "trace": 1.5, "does-it-matter": 2.0, "mend": 1.8, "why": 2.0}
POWERS = "e ≈ 2.72, e² ≈ 7.39, e³ ≈ 20.1, e⁴ ≈ 54.6"
ROOTS = "√2 ≈ 1.41, √3 ≈ 1.73, √5 ≈ 2.24, √6 ≈ 2.45, √10 ≈ 3.16, √13 ≈ 3.61"
EXPONENTIAL = re.compile(r"\bexp\b|softmax|sigmoid|tanh|\blog")
ROOT = re.compile(r"sqrt|norm|\bstd\b|0\.5\b|cosine_sim|cdist")
LINE = "line {}: {}"


@dataclass(frozen=True)
class Made:
    """A question with its answer (None for "why"), the reason, and what it is about, to know it again.

    `slips` tell for each choice where it comes from; "" for the right one, and where nothing is to tell.
    `call` is the input that is shown with a result.
    """

    question: Question
    answer: int | None
    explanation: str
    topic: str
    slips: tuple[str, ...] = ()
    call: str = ""


def made_of(
    item, kind, prompt, code, marked, choices, answer, explanation, topic, work, slips=(), call=""
) -> Made:
    difficulty = round(BASE[kind] + work + 0.03 * len(code_lines(code)), 2)
    question = Question(kind, item.own.exercise, prompt, code, marked, tuple(choices), difficulty)
    # a change is asked about once, whatever the kind: one question would answer the other
    return Made(question, answer, explanation, f"{item.own.exercise} {topic}", slips, call)


def shuffled(items, rng: random.Random) -> list:
    items = list(items)
    rng.shuffle(items)
    return items


def mixed(choices: list[str], rng: random.Random) -> tuple[list[str], int]:
    """The choices in another order, and where the first one is now."""
    mixed = shuffled(choices, rng)
    return mixed, mixed.index(choices[0])


def line_of(change: Changed) -> str:
    return LINE.format(change.line, change.after)


def call_of(item: Asked, index: int) -> str:
    return call_text(item.inputs[index], item.own.parameters) or "no arguments"


def help_of(item: Asked, results: Iterable[str]) -> str:
    """What is of use to work out results that are no whole numbers."""
    if not any("." in text for text in results):
        return ""
    rows = [text for way, text in ((EXPONENTIAL, POWERS), (ROOT, ROOTS)) if way.search(item.own.text)]
    return f" Of use: {'; '.join(rows)}." if rows else ""


def work_of(item: Asked, index: int, change: Changed) -> float:
    """How much there is to work out: the numbers that go in and come out, and how late the change is."""
    arguments = shown(item.inputs[index]["args"]) or []
    return 0.3 * weight(arguments) + weight(item.value(0, index)) + 0.05 * change.line
