"""The step of nbgrader's autograder that has a notebook run and writes the judge's verdicts where nbgrader looks for scores."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import find_all_files
from traitlets import Unicode, default

from allyouneed.check import link
from allyouneed.check.bounded import run_bounded
from allyouneed.check.judge import Verdict
from coursegrader.course import VERDICTS
from coursegrader.fingerprints import questions
from coursegrader.problemset import ProblemSet, candidate_expression, checked_exercise, is_judged
from coursegrader.provisioner import ENVIRONMENT
from coursegrader.running import run
from coursegrader.submitted_files import in_a_line
from coursegrader.trial import verdict_on

JUDGING_SECONDS = 30
NOT_RUN = "Not run: what stands below the last graded cell is not needed for grading.\n"


class JudgedExecute(NbGraderPreprocessor):
    """Has a submission run cell by cell, and what the student defined asked the hidden probes; judges the answers here.

    A check cell is not run as it stands: the kernel only remembers what the cell would have checked. After the last cell the
    hidden probes are put to it, so that no output of the notebook can show them, and only data comes back. Results that a
    pool was asked for ahead of time are taken from `ahead`, by the job's digest.
    """

    course_root = Unicode(help="The folder that holds solutions/.").tag(config=True)
    ahead: dict[str, Future] = {}

    @default("course_root")
    def _course_root(self) -> str:
        return str(self.config.CourseDirectory.get("root", "") or os.getcwd())

    def preprocess(self, nb, resources, **kwargs):
        job = self.job(nb, resources)
        future = self.ahead.pop(digest(job), None)
        ran = json.loads(future.result() if future else run(job))
        nb.metadata["language_info"] = nbformat.from_dict(ran["language_info"])
        for cell, told in zip(nb.cells, ran["cells"]):
            if told is None and cell.cell_type == "code":
                cell.outputs = [new_output("stream", name="stdout", text=NOT_RUN)]
            elif told is not None:
                cell.outputs = [nbformat.from_dict(output) for output in told["outputs"]]
                cell.execution_count = told["execution_count"]
        judged, hidden, name = self._judged(nb), self._hidden(nb, resources), resources["nbgrader"]["assignment"]
        source = python_of(cell.source for cell in nb.cells if cell.cell_type == "code" and not is_judged(cell))
        verdicts = [_verdict(exercise, hidden[exercise], ran["responses"], source, ran["stopped"]) for exercise in judged]
        for verdict in verdicts:
            judged[verdict.exercise].outputs = _outputs(verdict, name)
        if judged:
            self._save(verdicts, resources)
        return nb, resources

    def job(self, nb, resources) -> str:
        """What a worker needs to run this notebook, as text. It holds no expected value and no path of the course."""
        hidden, cells = self._hidden(nb, resources), []
        graded = [index for index, cell in enumerate(nb.cells)
                  if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")]
        for index, cell in enumerate(nb.cells):
            source, metadata = cell.source if cell.cell_type == "code" else "", {}
            if is_judged(cell):
                source = ("from allyouneed.check import worker as _worker\n"
                          f"_worker.capture({checked_exercise(cell.source)!r}, {candidate_expression(cell.source)})")
            elif graded and index > graded[-1]:
                metadata = {"coursegrader": "idle"}
            cells.append({"id": f"cell-{index}", "metadata": metadata, "source": source} |
                         ({"cell_type": "code", "outputs": [], "execution_count": None} if cell.cell_type == "code" else {"cell_type": "markdown"}))
        sections = {key: {name: value for name, value in self.config.get(key, {}).items() if isinstance(value, (bool, int, float, str))}
                    for key in ("Execute", "JailedExecute", "ForkProvisioner")}
        if os.environ.get(ENVIRONMENT):
            sections["ForkProvisioner"]["jailed"] = False
        rest = json.dumps({"notebook": {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells},
                           "files": self._files(resources), "config": sections}, sort_keys=True)
        asked = ", ".join(f"{json.dumps(exercise)}: {_questions(hidden[exercise])}" for exercise in self._judged(nb))
        return f'{rest[:-1]}, "questions": {{{asked}}}}}'

    @staticmethod
    def _judged(nb) -> dict:
        return {checked_exercise(cell.source): cell for cell in nb.cells if is_judged(cell)}

    def _hidden(self, nb, resources) -> dict[str, dict]:
        judged, name = self._judged(nb), resources["nbgrader"]["assignment"]
        if not judged:
            return {}
        hidden = problem_set_of(self.course_root, name).hidden()
        unknown = set(judged) - set(hidden)
        if unknown:
            raise ValueError(f"{name} checks {', '.join(sorted(unknown))}, which its rubric does not have. Release it again.")
        return hidden

    def _files(self, resources) -> dict[str, str]:
        """The files beside the notebook: the student's, and over them those of the source folder, as nbgrader lays them."""
        root, name, found = Path(self.course_root), resources["nbgrader"]["assignment"], {}
        private = [*self.config.CourseDirectory.get("ignore", []), "*.ipynb"]
        for folder in (root / "submitted" / resources["nbgrader"]["student"] / name, root / "solutions" / name):
            for path in find_all_files(str(folder), private) if folder.is_dir() else ():
                found[os.path.relpath(path, folder)] = base64.b64encode(Path(path).read_bytes()).decode()
        return found

    def _save(self, verdicts: list[Verdict], resources) -> None:
        """Keep the verdicts beside the autograded notebook, for the report; written after the student's code has ended."""
        folder = Path(resources["metadata"]["path"])
        target, scratch = folder / VERDICTS, folder / f".{VERDICTS}.{secrets.token_hex(4)}"
        scratch.write_text(json.dumps([verdict.as_dict() for verdict in verdicts], indent=1), encoding="utf-8")
        os.replace(scratch, target)


_asked: dict[int, tuple[dict, str]] = {}  # by the fingerprint's identity, which is held with it


def _questions(hidden: dict) -> str:
    """The questions of a hidden fingerprint as JSON, written once: they are the same for every student."""
    if id(hidden) not in _asked or _asked[id(hidden)][0] is not hidden:
        if len(_asked) > 100:
            _asked.clear()
        _asked[id(hidden)] = hidden, json.dumps(questions(hidden), sort_keys=True)
    return _asked[id(hidden)][1]


def digest(job: str) -> str:
    """A job's name: the same job has the same one."""
    return hashlib.sha256(job.encode()).hexdigest()


def problem_set_of(root: str, name: str) -> ProblemSet:
    """The problem set, read again when its rubric has changed."""
    path = ProblemSet(Path(root), name).rubric_path
    files = [path, *path.glob("*.py")]
    return _problem_set(root, name, max((file.stat().st_mtime_ns for file in files if file.exists()), default=0))


@lru_cache(maxsize=4)
def _problem_set(root: str, name: str, stamp: int) -> ProblemSet:
    return ProblemSet(Path(root), name)


def _verdict(exercise: str, fingerprint: dict, responses: dict, source: str, stopped: str | None) -> Verdict:
    response = responses.get(exercise)
    if response is None:
        reason = stopped or "The notebook's process could not be asked: it was stopped, or sent nothing back."
        return Verdict(exercise, False, 0, sum(fingerprint["points"].values()), "no-answer", reason, fingerprint["section"])
    verdict, error = run_bounded(lambda: verdict_on(exercise, fingerprint, _short(response), source), JUDGING_SECONDS)
    if error:  # a forged response may have any form; it earns nothing and stops nobody
        return Verdict(exercise, False, 0, sum(fingerprint["points"].values()), "no-answer",
                       f"What came back could not be read ({error['error']}).", fingerprint["section"])
    return replace(verdict, message=in_a_line(verdict.message, 2000))


def _short(response: dict) -> dict:
    """A response whose texts are as short as an honest one's: they are shown, and compared with those of every known mistake."""
    texts = {key: in_a_line(value) for key, value in response.items() if isinstance(value, str)}
    answers = response.get("answers") if isinstance(response.get("answers"), list) else []
    return response | texts | {"answers": [answer | {key: in_a_line(str(answer[key])) for key in ("error", "text") if key in answer}
                                           for answer in answers if isinstance(answer, dict)]}


def python_of(sources: Iterable[str]) -> str:
    """The cells that are Python, as one text. What is for IPython alone hides nothing: it is translated, or left out."""
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
