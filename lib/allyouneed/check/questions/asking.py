"""What is asked of a student's code in the jail, as a task for `allyouneed.check.variants`, and what came of
it. Students' code runs nowhere else."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from allyouneed.check.compare import difference
from allyouneed.check.questions.changed import Changed, Part, changed_lines, with_notes
from allyouneed.check.questions.inputs import MOST_NUMBERS, is_plain, is_short, probes_of, small_inputs
from allyouneed.check.questions.own_code import Own
from allyouneed.check.questions.told import apart, numbers, tell_answer
from allyouneed.check.variants import shown

TRIED, TAKEN = 16, 3  # inputs of an exercise
CHANGES = 44  # texts with a line changed
# what is work, and how many numbers there are at most where it is to be done
FEWER = (
    (re.compile(r"log_softmax|logsumexp|cross_entropy|nll_loss|\blog\("), 8),
    (re.compile(r"sqrt|norm|\*\* ?-?0\.5|std\b|var\("), 12),
    (re.compile(""), MOST_NUMBERS),
)
FITS = re.compile(r"polyfit|lstsq|pinv|curve_fit|linalg\.solve")  # nobody does least squares in the head
UNWRITTEN = "nan", str(torch.iinfo(torch.int64).max)  # what `variants` fills unwritten memory with
TOGETHER = 150  # of all exercises of a submission: a paper asks about each but once or twice


@dataclass
class Asked:
    """An exercise of a student: its code, the changes of it, its inputs, and later what they give."""

    own: Own
    plain: bool  # whether inputs and results can be shown
    small: int  # how many of the inputs that are tried are small ones
    changed: list[Changed]
    parts: list[Part]
    inputs: list[dict]  # those taken, once it ran
    task: dict
    answers: list[list[dict]]  # of the own text, then of each change: one for each input
    noted: list[list]
    same: set[int]
    trouble: str = ""
    _texts: dict[tuple[int, int], str | None] = field(default_factory=dict)
    _values: dict[tuple[int, int], Any] = field(default_factory=dict)
    _differ: dict[int, bool] = field(default_factory=dict)

    def told(self, version: int, index: int) -> str | None:
        """The result of a version (0: the own one) on an input as text."""
        if (version, index) not in self._texts:
            self._texts[version, index] = self._text_of(version, index)
        return self._texts[version, index]

    def _text_of(self, version: int, index: int) -> str | None:
        row = self.answers[version] if version < len(self.answers) else []
        text = tell_answer(row[index]) if index < len(row) else None
        if text and "empty" in self.own.text and any(mark in text for mark in UNWRITTEN):
            return None  # what stands in memory that was never written, nobody can work out
        return text

    def differs(self, number: int) -> bool:
        """Whether a version gives a visibly other result, and no error, on some input."""
        if number not in self._differ:
            self._differ[number] = self._differs(number)
        return self._differ[number]

    def _differs(self, number: int) -> bool:
        row = self.answers[number] if number < len(self.answers) else []
        for index in range(min(len(row), len(self.inputs))):
            one, other = shown(row[index].get("output")), shown(self.answers[0][index].get("output"))
            if "error" not in row[index] and one is not None and other is not None and apart(one, other):
                return True
            large = not self.plain and one is not None and other is not None
            if large and difference(self.answers[0][index], row[index], whole=False):
                return True
        return False

    def value(self, version: int, index: int):
        if (version, index) not in self._values:
            self._values[version, index] = shown(self.answers[version][index]["output"])
        return self._values[version, index]


def asked(
    own: Own, fingerprint: dict, rng: random.Random, exercises: int = 1, more: Sequence[dict] = ()
) -> Asked:
    """What is asked of an exercise, one of so many of a submission; nothing has run yet. A change that is
    said to leave every result the same does so on the probes of the public `fingerprint`, and on `more`.
    """
    driver = fingerprint["driver"]
    changed = changed_lines(own.text, rng, min(CHANGES, TOGETHER // exercises))
    changed.sort(key=lambda change: change.kind == "rewritten")  # which show that they do not matter
    noted, parts = with_notes(own.text)
    probes = probes_of(fingerprint)
    inputs: list[dict] = []
    for work, most in FEWER if is_plain(driver) and not FITS.search(own.text) else ():
        if work.search(own.text) and len(inputs) < TAKEN:
            inputs = small_inputs(fingerprint, rng, TRIED, most)
    plain = bool(inputs)
    small = len(inputs)
    if not plain or driver == "call":  # these stand in where the code fails on all small ones
        short = [probe for probe in probes if is_short(probe)][:6]
        inputs += [{key: value for key, value in probe.items() if key != "gradient"} for probe in short]
    task = {
        "name": own.exercise,
        "support": own.support,
        "texts": [own.text, *(item.text for item in changed)],
        "noted": noted if parts else "",
        "driver": "call" if plain else driver,
        "inputs": inputs,
        "wanted": TAKEN,
        "probes": [*probes, *more],
        "probe_driver": driver,
    }
    return Asked(own, plain, small, changed, parts, inputs, task, [], [], set())


def fill(item: Asked, found: dict) -> None:
    """Put what came back into `item`, as far as it has the form that it must have."""
    item._texts, item._values, item._differ = {}, {}, {}
    taken = [number for number in _list(found.get("inputs")) if type(number) is int]
    item.inputs = [item.task["inputs"][number] for number in taken if 0 <= number < len(item.task["inputs"])]
    if item.plain and taken and taken[0] >= item.small:
        item.plain = False
    elif item.plain:
        item.inputs = item.inputs[: sum(number < item.small for number in taken)]
    rows = [
        [answer for answer in _list(row) if isinstance(answer, dict)] for row in _list(found.get("answers"))
    ]
    item.answers = rows[: len(item.changed) + 1]
    item.noted = [
        [pair for pair in _list(row) if isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int]
        for row in _list(found.get("noted"))
    ]
    item.same = {number for number in _list(found.get("same")) if type(number) is int}
    item.trouble = str(found.get("trouble") or "")[:200]
    _leave_out_nan(item)
    if not item.answers or len(item.answers[0]) < len(item.inputs):
        item.inputs = item.inputs[: len(item.answers[0]) if item.answers else 0]


def _leave_out_nan(item: Asked) -> None:
    """Leave out inputs on which the code gives NaN (nothing is left to average), if it does not on all."""
    own = item.answers[0] if item.answers else []
    kept = [
        index
        for index in range(min(len(own), len(item.inputs)))
        if not any(map(math.isnan, numbers(shown(own[index].get("output")))))
    ]
    if kept and len(kept) < len(item.inputs):
        item.inputs = [item.inputs[index] for index in kept]
        item.answers = [[row[index] for index in kept if index < len(row)] for row in item.answers]
        item.noted = [item.noted[index] for index in kept if index < len(item.noted)]


def _list(value) -> list:
    return value if isinstance(value, list) else []
