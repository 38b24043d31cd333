"""The step of nbgrader's autograder that runs a notebook and writes the judge's verdicts where nbgrader looks for scores."""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import time
from functools import lru_cache
from pathlib import Path

from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_code_cell, new_output
from nbgrader.preprocessors import Execute
from traitlets import Integer, Unicode, default

from allyouneed.check import link
from allyouneed.check.judge import Verdict
from coursegrader.fingerprints import questions
from coursegrader.problemset import ProblemSet, candidate_expression, checked_exercise, is_judged
from coursegrader.provisioner import JailedKernelManager
from coursegrader.trial import verdict_on

VERDICTS = "verdicts.json"
ENDED = {"memory": "it used more memory than a notebook may use", "output": "it sent more output than a notebook may send",
         "time": "it did not end in the time that a notebook has", None: "a cell exits, crashes or uses too much memory"}


class JudgedExecute(Execute):
    """Runs a submission cell by cell; asks what the student defined the hidden probes; judges the answers here.

    A check cell is not run as it stands: the kernel only remembers what the cell would have checked. After the last cell the
    hidden probes are put to it, so that no output of the notebook can show them, and only data comes back.
    """

    course_root = Unicode(help="The folder that holds solutions/.").tag(config=True)
    total_timeout = Integer(300, help="Seconds for a whole notebook.").tag(config=True)

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("kernel_manager_class", JailedKernelManager)
        super().__init__(*args, **kwargs)

    def create_kernel_manager(self):
        self._manager = super().create_kernel_manager()
        return self._manager

    @default("course_root")
    def _course_root(self) -> str:
        return str(self.config.CourseDirectory.get("root", "") or os.getcwd())

    def preprocess(self, nb, resources, **kwargs):
        judged = {checked_exercise(cell.source): cell for cell in nb.cells if is_judged(cell)}
        name = resources["nbgrader"]["assignment"]
        self._end = time.monotonic() + self.total_timeout
        if not judged:
            return super().preprocess(nb, resources, **kwargs)
        hidden = _problem_set(self.course_root, name, _stamp(self.course_root, name)).hidden()
        unknown = set(judged) - set(hidden)
        if unknown:
            raise ValueError(f"{name} checks {', '.join(sorted(unknown))}, which its rubric does not have. Release it again.")

        source = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "code" and not is_judged(cell))
        originals = {exercise: cell.source for exercise, cell in judged.items()}
        for exercise, cell in judged.items():
            cell.source = (f"from allyouneed.check import worker as _worker\n"
                           f"_worker.capture({exercise!r}, {candidate_expression(cell.source)})")
        nonce = secrets.token_hex(16)
        asking = new_code_cell(_asking_code({exercise: questions(hidden[exercise]) for exercise in judged}, nonce))
        asking.metadata["coursegrader"] = "asking"
        nb.cells.append(asking)
        stopped = None
        try:
            super().preprocess(nb, resources, **kwargs)
        except DeadKernelError:
            reason = getattr(self._manager.provisioner, "reason", None)
            stopped = f"The notebook's process ended before the end of the notebook: {ENDED.get(reason, ENDED[None])}."
        finally:
            nb.cells.remove(nb.cells[-1])
            for exercise, cell in judged.items():
                cell.source = originals[exercise]
        responses = _responses(asking, nonce)
        verdicts = [_verdict(exercise, hidden[exercise], responses, source, stopped) for exercise in judged]
        for verdict in verdicts:
            judged[verdict.exercise].outputs = _outputs(verdict, name)
        self._save(verdicts, resources)
        return nb, resources

    def preprocess_cell(self, cell, resources, index):
        asking = cell.metadata.get("coursegrader") == "asking"
        left = self._end - time.monotonic()
        if left <= 0 and not asking and cell.cell_type == "code":
            message = f"The notebook did not end within {self.total_timeout} seconds; this cell was not run."
            cell.outputs = [new_output("error", ename="NotebookTimeout", evalue=message, traceback=[message])]
            return cell, resources
        usual = self.timeout
        self.timeout = 180 if asking else max(1, min(usual, int(left)))
        try:
            return super().preprocess_cell(cell, resources, index)
        finally:
            self.timeout = usual

    def _save(self, verdicts: list[Verdict], resources) -> None:
        """Keep the verdicts beside the autograded notebook, for the report; written after the student's code has ended."""
        folder = Path(resources["metadata"]["path"])
        target, scratch = folder / VERDICTS, folder / f".{VERDICTS}.{secrets.token_hex(4)}"
        scratch.write_text(json.dumps([verdict.as_dict() for verdict in verdicts], indent=1), encoding="utf-8")
        os.replace(scratch, target)


@lru_cache(maxsize=4)
def _problem_set(root: str, name: str, stamp: int) -> ProblemSet:
    return ProblemSet(Path(root), name)


def _stamp(root: str, name: str) -> int:
    path = ProblemSet(Path(root), name).rubric_path
    return max((file.stat().st_mtime_ns for file in [path, *path.glob("*.py")] if file.exists()), default=0)


def _asking_code(request: dict, nonce: str) -> str:
    data = base64.b64encode(json.dumps(request).encode()).decode()
    return ("import base64 as _b, json as _j\n"
            "from allyouneed.check import worker as _worker\n"
            f"_answers = _worker.answer_all(_j.loads(_b.b64decode({data!r})))\n"
            f"print({nonce!r} + _b.b64encode(_j.dumps(_answers).encode()).decode() + {nonce!r}, flush=True)")


def _responses(asking, nonce: str) -> dict:
    """What the kernel sent back; an empty dict where it sent nothing readable."""
    text = "".join(output.get("text", "") for output in asking.outputs if output.output_type == "stream")
    found = re.search(f"{nonce}([A-Za-z0-9+/=]*){nonce}", text)
    try:
        responses = json.loads(base64.b64decode(found[1])) if found else {}
    except ValueError:
        return {}
    return {key: value for key, value in responses.items() if isinstance(value, dict)} if isinstance(responses, dict) else {}


def _verdict(exercise: str, fingerprint: dict, responses: dict, source: str, stopped: str | None) -> Verdict:
    response = responses.get(exercise)
    if response is None:
        reason = stopped or "The notebook's process could not be asked: it was stopped, or sent nothing back."
        return Verdict(exercise, False, 0, sum(fingerprint["points"].values()), "no-answer", reason, fingerprint["section"])
    try:
        return verdict_on(exercise, fingerprint, response, source)
    except Exception as error:  # a forged response may have any form; it earns nothing and stops nobody
        return Verdict(exercise, False, 0, sum(fingerprint["points"].values()), "no-answer",
                       f"What came back could not be read ({type(error).__name__}).", fingerprint["section"])


def _outputs(verdict: Verdict, problem_set: str) -> list:
    """Outputs from which nbgrader reads the score: text for full points, an error for none, a number for a part."""
    if verdict.passed:
        return [new_output("stream", name="stdout", text=f"✓ {verdict.message} {verdict.points:g} of {verdict.max_points:g} points.\n")]
    text = f"{verdict.message} {link(problem_set, verdict.section)}"
    if verdict.points > 0:
        note = f"✗ {verdict.points:g} of {verdict.max_points:g} points. {text}\n"
        return [new_output("stream", name="stdout", text=note),
                new_output("execute_result", data={"text/plain": f"{verdict.points:g}"}, execution_count=None)]
    return [new_output("error", ename="NotYetRight", evalue=text, traceback=[f"✗ {text}"])]
