"""A mark that a person has given stays given, where grading begins anew and the answer is still the same."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry


def marked_answers(
    gradebook: Gradebook, problem_set: str, student: str, autograded: Path
) -> dict[str, tuple]:
    """The answers of a graded submission that a person has marked, and their points, by the name of the cell:
    written ones, and those whose check a person has overruled.
    """
    try:
        submission, answers = gradebook.find_submission(problem_set, student), _answers(autograded)
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
    """After grading anew: what reads as it did when it was marked needs no second look, for which nbgrader
    asks in any case; and the mark of an answer that is empty by now is taken back.
    """
    same = {name for name, answer in _answers(autograded).items() if marked.get(name) == answer}
    for notebook in gradebook.find_submission(problem_set, student).notebooks:
        for grade in notebook.grades:
            if grade.cell.name in same:
                grade.needs_manual_grade = False
            elif _is_empty(grade):
                grade.manual_score, grade.needs_manual_grade = None, False
    gradebook.db.commit()


def _is_empty(grade) -> bool:
    """Whether a written answer is still as it was released, which nbgrader gives 0."""
    return grade.cell.cell_type == "markdown" and grade.auto_score == 0 and grade.manual_score is not None


def is_by_hand(grade) -> bool:
    """Whether a mark is a person's in the place of a check's."""
    return grade.manual_score is not None and grade.auto_score is not None and grade.cell.cell_type == "code"


def _answers(autograded: Path) -> dict[str, tuple]:
    """What there is to mark: a written answer, or the code from the check before it to a check."""
    found, code = {}, []
    for cell in nbformat.read(autograded, as_version=4).cells:
        about = cell.metadata.get("nbgrader", {})
        code += [cell.source] if cell.cell_type == "code" else []
        if about.get("grade"):
            answer = "\n".join(code) if cell.cell_type == "code" else cell.source
            found[about["grade_id"]] = (answer, about.get("points"))
            code = [] if cell.cell_type == "code" else code
    return found
