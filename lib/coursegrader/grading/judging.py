"""From what a submission's process sent back to verdicts, and to outputs in which nbgrader reads scores."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace

from IPython.core.inputtransformer2 import TransformerManager
from nbformat.v4 import new_output

from allyouneed.check import link
from allyouneed.check.bounded import run_bounded
from allyouneed.check.judge import Verdict, judge
from allyouneed.check.rules import forbidden_in_source
from coursegrader.rubric.fingerprints import in_order
from coursegrader.text import in_a_line

JUDGING_SECONDS = 30
SAID = ("error", "text", "line", "shapes")  # in an answer, by the student's process


def verdict_on(name: str, fingerprint: dict, response: dict, source: str, reveal: bool = False) -> Verdict:
    """Judge a response, with the syntax tree of the source read here, outside the student's process."""
    found = forbidden_in_source(source, name, set(fingerprint["forbidden"]))
    if found:
        response = response | {"ready_made": found}
    return judge(name, fingerprint, in_order(fingerprint, response), reveal)


def verdict_on_stranger(
    exercise: str, fingerprint: dict, response: dict | None, source: str, stopped: str | None
) -> Verdict:
    """The same for what a stranger's process sent: a response of any form, or none, because of `stopped`."""
    if response is None:
        reason = stopped or "The notebook's process could not be asked: it was stopped, or sent nothing back."
        return _no_answer(exercise, fingerprint, reason)

    def judged() -> Verdict:
        return verdict_on(exercise, fingerprint, _with_short_texts(response), source)

    verdict, error = run_bounded(judged, JUDGING_SECONDS)
    if error:  # a forged response may have any form; it earns nothing and stops nobody
        return _no_answer(exercise, fingerprint, f"What came back could not be read ({error['error']}).")
    return replace(verdict, message=in_a_line(verdict.message, 2000))


def _no_answer(exercise: str, fingerprint: dict, reason: str) -> Verdict:
    most = sum(fingerprint["points"].values())
    return Verdict(exercise, False, 0, most, "no-answer", reason, fingerprint["section"])


def _with_short_texts(response: dict) -> dict:
    """A response whose texts are as short as an honest one's: they are shown, and compared with those of
    every known mistake.
    """
    texts = {key: in_a_line(value) for key, value in response.items() if isinstance(value, str)}
    answers = response.get("answers") if isinstance(response.get("answers"), list) else []
    shorter = [
        answer | {key: in_a_line(str(answer[key])) for key in SAID if key in answer}
        for answer in answers
        if isinstance(answer, dict)
    ]
    return response | texts | {"answers": shorter}


def python_of(sources: Iterable[str]) -> str:
    """The cells that are Python, as one text.

    What is for IPython alone hides nothing: it is translated, or left out.
    """
    kept = []
    for source in sources:
        for way in (str, _translated):
            text, error = run_bounded(lambda source=source, way=way: _parsed(way(source)), JUDGING_SECONDS)
            if error is None:
                kept.append(text)
                break
    return "\n".join(kept)


def _translated(source: str) -> str:
    return TransformerManager().transform_cell(re.sub(r"\A(\s*%%.*\n)+", "", source))


def _parsed(source: str) -> str:
    """The text itself; raises SyntaxError and the like where it is no Python."""
    ast.parse(source)
    return source


def outputs_of(verdict: Verdict, problem_set: str) -> list:
    """Outputs from which nbgrader reads the score: text for full points, an error for none, a number for a
    part.
    """
    if verdict.passed:
        note = f"✓ {verdict.message} {verdict.points:g} of {verdict.max_points:g} points.\n"
        return [new_output("stream", name="stdout", text=note)]
    text = f"{verdict.message} {link(problem_set, verdict.section)}"
    if verdict.points > 0:
        note = f"✗ {verdict.points:g} of {verdict.max_points:g} points. {text}\n"
        return [
            new_output("stream", name="stdout", text=note),
            new_output("execute_result", data={"text/plain": f"{verdict.points:g}"}, execution_count=None),
        ]
    return [new_output("error", ename="NotYetRight", evalue=text, traceback=[f"✗ {text}"])]
