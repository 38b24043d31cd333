"""nbgrader's own steps with less work for the gradebook: grades reach it all at once, and the source cells leave it once a run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import SimpleNamespace

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells, SaveAutoGrades


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
