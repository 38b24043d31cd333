"""A mark that a person has given stays given, where grading begins anew and the answer is still the same."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry


def marked_answers(
    gradebook: Gradebook, problem_set: str, student: str, autograded: Path
) -> dict[str, tuple]:
    """The written answers of a graded submission that a person has marked, and their points, by the name of
    the cell.
    """
    try:
        submission, answers = gradebook.find_submission(problem_set, student), _written_answers(autograded)
    except (MissingEntry, OSError, ValueError):
        return {}
    marked = {
        grade.cell.name
        for notebook in submission.notebooks
        for grade in notebook.grades
        if grade.manual_score is not None and not grade.needs_manual_grade
    }
    return {name: answer for name, answer in answers.items() if name in marked}


def keep_marks(
    gradebook: Gradebook, problem_set: str, student: str, autograded: Path, marked: dict[str, tuple]
) -> None:
    """After grading anew: what reads as it did when it was marked needs no second look.

    nbgrader asks for one in any case.
    """
    same = {name for name, answer in _written_answers(autograded).items() if marked.get(name) == answer}
    for notebook in gradebook.find_submission(problem_set, student).notebooks:
        for grade in notebook.grades:
            if grade.cell.name in same:
                grade.needs_manual_grade = False
    gradebook.db.commit()


def _written_answers(autograded: Path) -> dict[str, tuple]:
    found = {}
    for cell in nbformat.read(autograded, as_version=4).cells:
        about = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "markdown" and about.get("grade"):
            found[about["grade_id"]] = (cell.source, about.get("points"))
    return found
