"""A mark that a person has given stays given, where grading begins anew and the answer is still the same."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry


def marked_answers(gradebook: Gradebook, problem_set: str, student: str, autograded: Path) -> dict[str, str]:
    """The answers of a graded submission to which a person has given points, by the name of the cell: written
    ones, and the code before a check that was overruled or has extra credit. None of what still waits.
    """
    try:
        submission = gradebook.find_submission(problem_set, student)
    except MissingEntry:
        return {}
    try:
        answers = _answers(autograded)
    except Exception:  # whatever a malformed notebook makes its readers stumble over
        return {}
    marked = {
        grade.cell.name
        for notebook in submission.notebooks
        for grade in notebook.grades
        if (grade.manual_score is not None or grade.extra_credit) and not grade.needs_manual_grade
    }
    return {name: answer for name, answer in answers.items() if name in marked}


def keep_marks(
    gradebook: Gradebook, problem_set: str, student: str, autograded: Path, marked: dict[str, str]
) -> list[str]:
    """After grading anew: what reads as it did when it was marked needs no second look, for which nbgrader
    asks in any case. A mark of an answer that is another now is taken back with its comment, and a sentence
    on it returned: a written answer waits, and a check counts again.
    """
    now, said, answered_in = _answers(autograded), [], _answer_cells(autograded)
    for notebook in gradebook.find_submission(problem_set, student).notebooks:
        comments = {comment.name: comment for comment in notebook.comments}
        for grade in notebook.grades:
            if (name := grade.cell.name) not in marked:
                continue
            if marked[name] == now.get(name):
                grade.needs_manual_grade = False
                continue
            follows = "it has to be marked anew" if grade.auto_score is None else "the check counts again"
            gave = [] if grade.manual_score is None else [f"{grade.manual_score:g} points"]
            gave += [f"{grade.extra_credit:g} of extra credit"] if grade.extra_credit else []
            if grade.cell.cell_type == "markdown" and grade.auto_score is not None:
                follows = "it is empty"
            said.append(
                f"{name} is another answer than the one that was marked: its {' and '.join(gave)} "
                f"are taken back, and {follows}"
            )
            grade.manual_score, grade.extra_credit = None, 0
            grade.needs_manual_grade = grade.auto_score is None
            for cell in (name, *answered_in.get(name, ())):
                if cell in comments:
                    comments[cell].manual_comment = None
    gradebook.db.commit()
    return said


def written(cell: NotebookNode) -> str:
    """All that a person marks of a written answer: its text, and the pictures pasted into it."""
    return f"{cell.source}\n{json.dumps(cell.get('attachments', {}), sort_keys=True)}"


def is_by_hand(grade) -> bool:
    """Whether a mark is a person's in the place of a check's."""
    return grade.manual_score is not None and grade.auto_score is not None and grade.cell.cell_type == "code"


def _answer_cells(autograded: Path) -> dict[str, list[str]]:
    """The cells of code, where a person writes what they say of it, that come before each check."""
    found: dict[str, list[str]] = {}
    code: list[str] = []
    for cell in nbformat.read(autograded, as_version=4).cells:
        about = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and about.get("grade"):
            found[about["grade_id"]], code = code, []
        elif cell.cell_type == "code" and about.get("solution"):
            code.append(about["grade_id"])
    return found


def _answers(autograded: Path) -> dict[str, str]:
    """What there is to mark: a written answer, or the code from the check before it to a check."""
    found, code = {}, []
    for cell in nbformat.read(autograded, as_version=4).cells:
        about = cell.metadata.get("nbgrader", {})
        code += [cell.source] if cell.cell_type == "code" else []
        if about.get("grade"):
            found[about["grade_id"]] = "\n".join(code) if cell.cell_type == "code" else written(cell)
            code = [] if cell.cell_type == "code" else code
    return found
