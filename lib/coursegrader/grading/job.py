"""A notebook as a job for a worker, and the notebook with what came of it: as text on both ways.

A check cell is not run as it stands: the kernel only remembers what the cell would have checked. After the
last cell the hidden probes are put to it, so that no output of the notebook can show them, and only data
comes back.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbformat.v4 import new_output
from nbgrader.utils import find_all_files

from coursegrader.course.check_cells import candidate_expression, checked_exercise, is_judged
from coursegrader.rubric.questions import questions
from coursegrader.sandbox.provisioner import ENVIRONMENT

NOT_RUN = "Not run: it is not needed for grading.\n"
PROGRESS = "progress"  # a released cell, at the top, that runs the public checks of all exercises


def job_of(notebook, hidden: dict[str, dict], folders: Iterable[Path], config) -> str:
    """What a worker needs to run this notebook, as text: no expected value and no path of the course.

    folders: where the files beside the notebook are; those of later folders replace those of earlier ones.
    """
    cells = []
    graded = [
        index
        for index, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")
    ]
    for index, cell in enumerate(notebook.cells):
        source, metadata = cell.source if cell.cell_type == "code" else "", {}
        if is_judged(cell):
            source = (
                "from allyouneed.check import worker as "
                f"_worker\n_worker.capture({checked_exercise(cell.source)!r}, "
                f"{candidate_expression(cell.source)})"
            )
        elif graded and index > graded[-1] or cell.metadata.get("nbgrader", {}).get("grade_id") == PROGRESS:
            metadata = {"coursegrader": "idle"}
        kind = {"cell_type": "markdown"}
        if cell.cell_type == "code":
            kind = {"cell_type": "code", "outputs": [], "execution_count": None}
        cells.append({"id": f"cell-{index}", "metadata": metadata, "source": source} | kind)
    sections = {
        key: {
            name: value
            for name, value in config.get(key, {}).items()
            if isinstance(value, (bool, int, float, str))
        }
        for key in ("Execute", "JailedExecute", "ForkProvisioner")
    }
    if os.environ.get(ENVIRONMENT):
        sections["ForkProvisioner"]["jailed"] = False
    files = _files_in(folders, config.CourseDirectory.get("ignore", []))
    rest = json.dumps(
        {
            "notebook": {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells},
            "files": files,
            "config": sections,
        }
    )
    asked = ", ".join(
        f"{json.dumps(exercise)}: {_questions_as_text(hidden[exercise])}"
        for exercise in judged_cells(notebook)
    )
    return f'{rest[:-1]}, "questions": {{{asked}}}}}'


def judged_cells(notebook) -> dict:
    """The cells that the judge grades, by exercise."""
    return {checked_exercise(cell.source): cell for cell in notebook.cells if is_judged(cell)}


def own_cells(notebook, check) -> list:
    """The code cells of an exercise: those between the check before it and its own."""
    found = []
    for cell in notebook.cells:
        if cell is check:
            break
        found = [] if is_judged(cell) else [*found, cell] if cell.cell_type == "code" else found
    return found


def show_outputs(notebook, ran: dict) -> None:
    """Put what the worker saw into the notebook."""
    notebook.metadata["language_info"] = nbformat.from_dict(ran["language_info"])
    for cell, shown in zip(notebook.cells, ran["cells"]):
        if shown is None and cell.cell_type == "code":
            cell.outputs = [new_output("stream", name="stdout", text=NOT_RUN)]
        elif shown is not None:
            cell.outputs = [nbformat.from_dict(output) for output in shown["outputs"]]
            cell.execution_count = shown["execution_count"]


def _files_in(folders: Iterable[Path], private: list[str]) -> dict[str, str]:
    found = {}
    for folder in folders:
        for path in find_all_files(str(folder), [*private, "*.ipynb"]) if folder.is_dir() else ():
            found[os.path.relpath(path, folder)] = base64.b64encode(Path(path).read_bytes()).decode()
    return found


_written_questions: dict[int, tuple[dict, str]] = {}  # by the fingerprint's identity, which is held with it


def _questions_as_text(hidden: dict) -> str:
    """The questions of a hidden fingerprint as JSON, written once: they are the same for every student."""
    if id(hidden) not in _written_questions or _written_questions[id(hidden)][0] is not hidden:
        if len(_written_questions) > 100:
            _written_questions.clear()
        _written_questions[id(hidden)] = hidden, json.dumps(questions(hidden), sort_keys=True)
    return _written_questions[id(hidden)][1]
