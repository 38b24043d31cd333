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
from allyouneed.check.judge import BUILT_IN, Verdict, judge
from allyouneed.check.rules import forbidden_in_source, meant_and_used
from allyouneed.check.stopped import WHERE
from coursegrader.course.check_cells import checked_exercise, is_judged
from coursegrader.rubric.questions import in_order
from coursegrader.text import in_a_line

JUDGING_SECONDS = 30
SYNTAX_ERROR, UNREAD = "syntax-error", ("SyntaxError", "IndentationError", "TabError")
SAID = ("error", "text", *WHERE)  # in an answer, by the student's process


def verdict_on(name: str, fingerprint: dict, response: dict, source: str) -> Verdict:
    """Judge a response, with the syntax tree of the source read here, outside the student's process."""
    found = forbidden_in_source(source, name, set(fingerprint["forbidden"]))
    if found:
        response = response | {"ready_made": found}
    return judge(name, fingerprint, in_order(fingerprint, response), reveal=False)


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


def with_reason(verdict: Verdict, response: dict | None, cells: list) -> Verdict:
    """The verdict that there is nothing to grade, with the reason, where one of the exercise's own `cells`
    cannot be read as Python, or stops before it has defined what is to be graded; any other as it is.
    """
    if not (response or {}).get("missing"):
        return verdict
    name = verdict.exercise
    for error in filter(None, map(_syntax_error, cells)):
        message = (
            f"The cell above the check is not Python yet: {error}. Until Python can read it, there is "
            f"nothing named {name} to grade. Mend this line, and run the cell."
        )
        return replace(verdict, misconception=SYNTAX_ERROR, message=in_a_line(message, 2000))
    for output in (output for cell in cells for output in _errors_of(cell)):
        if output.ename == "NotImplementedError" and not output.evalue:
            message = BUILT_IN["not-implemented"].format(name=name)
            return replace(verdict, misconception="not-implemented", message=message)
        said = in_a_line(f"{output.ename}: {output.evalue}", 300).rstrip(". ")
        message = (
            f"The cell above the check stops before {name} is defined: {said}. Mend this first, and run the "
            "cell."
        )
        return replace(verdict, misconception="raises", message=message)
    return verdict


def _errors_of(cell) -> list:
    return [output for output in cell.outputs if output.output_type == "error"]


def _syntax_error(cell) -> str | None:
    """What Python says of a cell that it cannot read, with the line; None of one that it can."""
    found, _ = run_bounded(lambda: _unread(cell.source), JUDGING_SECONDS)
    if found is None:  # the compiler finds more than the parser, such as a return outside of a function
        texts = [output.evalue for output in _errors_of(cell) if output.ename in UNREAD]
        said = in_a_line(texts[0]) if texts else ""
        match = re.fullmatch(r"(.*) \((?:.*, )?line (\d+)\)", said)
        found = (match[1], int(match[2])) if match else (said, None) if texts else None
    if found is None:
        return None
    message, number = found
    lines = cell.source.splitlines()
    if number is None or not 0 < number <= len(lines):
        return message
    return f"line {number}, `{in_a_line(lines[number - 1].strip(), 80)}`: {message}"


def _unread(source: str) -> tuple[str, int | None] | None:
    """The message and the line of Python's error in a text; None if it is Python, or IPython."""
    try:
        _parsed(source)
        return None
    except SyntaxError as error:
        found = error.msg, error.lineno
    try:
        _parsed(translated := _translated(source))
        return None
    except SyntaxError as error:
        lines, shift = source.splitlines(), len(source.splitlines()) - len(translated.splitlines())
        if found[1] and found[1] <= len(lines) and lines[found[1] - 1].lstrip()[:1] in ("%", "!", "?"):
            return error.msg, error.lineno and error.lineno + shift  # what comes first is for IPython
        return found


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


def own_sources(notebook) -> dict[str, str]:
    """For each exercise a notebook's own cells as one text, in which a name's last meaning is the one that
    the exercise was checked with: where a later cell gives names another one, what comes after its check
    stands first.
    """
    before: dict[str, int] = {}
    cells: list[str] = []
    for cell in notebook.cells:
        if is_judged(cell):
            before[checked_exercise(cell.source)] = len(cells)
        elif cell.cell_type == "code":
            cells.append(python_of([cell.source]))
    bound = [run_bounded(lambda text=text: meant_and_used(text), JUDGING_SECONDS)[0] for text in cells]
    meant, used = [names[0] if names else set() for names in bound], {*before}
    used.update(*(names[1] for names in bound if names))
    sources = {}
    for exercise, number in before.items():
        again = set().union(*meant[:number]) & set().union(*meant[number:]) & used
        sources[exercise] = "\n".join([*cells[number:], *cells[:number]] if again else cells)
    return sources


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
