"""Grades reach nbgrader's gradebook all at once: a run that is stopped halfway leaves the old ones, or none."""

from __future__ import annotations

from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades


class SaveGradesAtOnce(SaveAutoGrades):
    """nbgrader's step with one transaction for the notebook, where nbgrader makes one for each cell."""

    def preprocess(self, nb, resources):
        told = resources["nbgrader"]
        self.notebook_id, self.assignment_id, self.student_id = told["notebook"], told["assignment"], told["student"]
        with Gradebook(told["db_url"]) as self.gradebook:
            commit = self.gradebook.db.commit
            self.gradebook.db.commit = self.gradebook.db.flush
            nb, resources = NbGraderPreprocessor.preprocess(self, nb, resources)
            commit()
        return nb, resources
