"""nbgrader's own steps with less work for the gradebook: grades reach it all at once, and the source cells leave it once a run.

And a mark that a person has given stays given, where grading begins anew and the answer is still the same.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells, SaveAutoGrades
from sqlalchemy.exc import SAWarning

# nbgrader looks something up while it builds a submission; SQLAlchemy warns of it, and saves the whole all the same
warnings.filterwarnings("ignore", r"Object of type <Submitted\w+> not in session", SAWarning)

KEPT = "Finished work is kept: run the same command again."
TROUBLE = {  # what the system or the database says, in any of its languages: what to do
    "database is locked": "Another program holds the gradebook, often formgrader or a second run. Close it.",
    "readonly database": "The gradebook cannot be written: look who owns gradebook.db and its folder.",
    "disk is full": "The disk is full. Make room.",
    "No space left on device": "The disk is full. Make room.",
    "Disk quota exceeded": "Your disk quota is used up. Make room.",
    "connection failed": "The database server does not answer: look at db_url in nbgrader_config.py.",
}


def what_to_do(text: str) -> str | None:
    """What to do about trouble with the gradebook or the disk, if the text tells of such."""
    return next((f"{advice} {KEPT} ({sign})" for sign, advice in TROUBLE.items() if sign in text), None)


class SaveGradesAtOnce(SaveAutoGrades):
    """nbgrader's step with one transaction for the notebook, where nbgrader makes one for each cell.

    A run that is stopped halfway leaves the old grades, or none.
    """

    def preprocess(self, nb, resources):
        told = resources["nbgrader"]
        self.notebook_id, self.assignment_id, self.student_id = told["notebook"], told["assignment"], told["student"]
        with Gradebook(told["db_url"]) as self.gradebook:
            commit = self.gradebook.db.commit
            self.gradebook.db.commit = self.gradebook.db.flush
            nb, resources = NbGraderPreprocessor.preprocess(self, nb, resources)
            commit()
        return nb, resources


class OverwriteSourceCells(OverwriteCells):
    """nbgrader's step; inside `source_cells_read_once` it asks the gradebook for a notebook's cells once, not once a cell."""

    _sources: dict | None = None

    def preprocess(self, nb, resources):
        told = resources["nbgrader"]
        if self._sources is None or self.add_missing_cells:
            return super().preprocess(nb, resources)
        self.notebook_id, self.assignment_id = told["notebook"], told["assignment"]
        place = told["db_url"], self.assignment_id, self.notebook_id
        if place not in self._sources:
            self._sources[place] = _Sources(*place)
        self.gradebook = self._sources[place]
        return NbGraderPreprocessor.preprocess(self, nb, resources)


@contextlib.contextmanager
def source_cells_read_once() -> Iterator[None]:
    """For the time of a run, in which nothing is released anew."""
    OverwriteSourceCells._sources = {}
    try:
        yield
    finally:
        OverwriteSourceCells._sources = None


class _Sources:
    """A notebook's source cells as plain values, behind the two questions that nbgrader's step asks."""

    def __init__(self, db_url: str, assignment: str, notebook: str):
        with Gradebook(db_url) as gradebook:
            found = gradebook.find_notebook(notebook, assignment)
            self._cells = {cell.name: SimpleNamespace(name=cell.name, cell_type=cell.cell_type, locked=cell.locked, source=cell.source,
                                                      checksum=cell.checksum) for cell in found.source_cells}
            self._graded = {cell.name: SimpleNamespace(max_score=cell.max_score) for cell in found.grade_cells}

    def find_source_cell(self, name: str, notebook: str, assignment: str) -> SimpleNamespace:
        return _one(self._cells, name)

    def find_graded_cell(self, name: str, notebook: str, assignment: str) -> SimpleNamespace:
        return _one(self._graded, name)


def _one(known: dict, name: str) -> SimpleNamespace:
    if name not in known:
        raise MissingEntry(f"No cell named {name}")
    return known[name]


def marked_answers(gradebook: Gradebook, problem_set: str, student: str, autograded: Path) -> dict[str, tuple]:
    """The written answers of a graded submission that a person has marked, and their points, by the name of the cell."""
    try:
        submission, answers = gradebook.find_submission(problem_set, student), _written(autograded)
    except (MissingEntry, OSError, ValueError):
        return {}
    marked = {grade.cell.name for notebook in submission.notebooks for grade in notebook.grades
              if grade.manual_score is not None and not grade.needs_manual_grade}
    return {name: answer for name, answer in answers.items() if name in marked}


def keep_marks(gradebook: Gradebook, problem_set: str, student: str, autograded: Path, marked: dict[str, tuple]) -> None:
    """After grading anew: what reads as it did when it was marked needs no second look. nbgrader asks for one in any case."""
    same = {name for name, answer in _written(autograded).items() if marked.get(name) == answer}
    for notebook in gradebook.find_submission(problem_set, student).notebooks:
        for grade in notebook.grades:
            if grade.cell.name in same:
                grade.needs_manual_grade = False
    gradebook.db.commit()


def _written(autograded: Path) -> dict[str, tuple]:
    found = {}
    for cell in nbformat.read(autograded, as_version=4).cells:
        about = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "markdown" and about.get("grade"):
            found[about["grade_id"]] = (cell.source, about.get("points"))
    return found
