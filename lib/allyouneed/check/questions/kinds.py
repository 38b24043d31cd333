"""The kinds of questions, each made of one exercise as it was asked: a question, its answer, and why.

`options` gives for a kind the questions that this code allows, in the order of a random generator. Whoever
takes one of several chooses by difficulty.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator

from allyouneed.check.questions.asking import Asked
from allyouneed.check.questions.changed import code_lines
from allyouneed.check.questions.made import Made, made_of, shuffled
from allyouneed.check.questions.of_changes import does_it_matter, mend
from allyouneed.check.questions.of_results import what_if, which_change
from allyouneed.check.questions.of_values import trace

MOST = 12  # options of a kind that are looked at
NOTHING = re.compile(
    r"return \w+|pass|break|continue|else:|try:"
)  # lines about which there is nothing to say
# what is written twice to one place has no order, and a change may make an index name a place twice
SCATTERED = re.compile(r"\bscatter_?\(.*, (?!True|False)[a-z_]\w*\)")


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
    if kind in ("what-if", "which-change") and SCATTERED.search(item.own.text):
        return
    for number, made in enumerate(ways[kind](item, rng)):
        if number == MOST:
            return
        yield made


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
                    (
                        line,
                        f"What does “{part}” do in line {line}? What changes if this argument is left out?",
                    )
                )
    ran = {
        part.line for part in item.parts if part.number in {number for row in item.noted for number, _ in row}
    }
    waits = {part.line for part in item.parts} - ran if ran else set()
    for line in lines if len(lines) > 1 else ():
        if line in waits:  # it was never reached, or is what stopped
            continue
        asked.append(
            (
                line,
                f"Say in your own words what {_block(told[line - 1])}line {line} is for. What would change "
                "without it?",
            )
        )
    for line, prompt in shuffled(asked, rng):
        if line in lines and not NOTHING.fullmatch(told[line - 1].strip()):
            yield made_of(
                item,
                "why",
                prompt,
                text,
                (line,),
                (),
                None,
                "No single answer is right: it begins a talk. A good one says what the line is given, "
                "what it makes of it, and what depends on that later.",
                f"{prompt[:20]} {line}",
                0.0,
            )


def _block(line: str) -> str:
    """What a line that begins others is called with them."""
    return "the block that begins in " if line.partition("#")[0].rstrip().endswith(":") else ""


def _once(part: str, line: str) -> bool:
    return line.replace(" ", "").count(part.replace(" ", "")) == 1
