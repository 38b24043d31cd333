"""A course in which answers wait to be marked, made without a run of grading."""

from __future__ import annotations

import nbformat
from grading.classroom import make_course
from nbformat.v4 import new_markdown_cell, new_notebook

from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet

NAME, CELL, MOST = "03-attention", "written-question", 5
ABOUT = {"grade": True, "solution": True, "locked": False, "grade_id": CELL, "points": MOST}


def write_answer(course: ProblemSet, student: str, text: str) -> None:
    """Put a graded notebook with this answer into the course."""
    folder = course.root / "autograded" / student / NAME
    folder.mkdir(parents=True, exist_ok=True)
    cell = new_markdown_cell(text, id=CELL, metadata={"nbgrader": ABOUT | {"schema_version": 3}})
    nbformat.write(new_notebook(cells=[cell]), folder / f"{NAME}.ipynb")


def course_with_answers(attention: ProblemSet, folder, answers: dict[str, str | None]) -> ProblemSet:
    """A course with these students' answers; who has None left the cell as it was."""
    course = make_course(attention, folder)
    with open_course(course.root) as api, api.gradebook as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        book.add_grade_cell(CELL, NAME, NAME, max_score=MOST, cell_type="markdown")
        book.add_solution_cell(CELL, NAME, NAME)
        for student, text in answers.items():
            book.add_student(student, first_name=student.title(), last_name="Doe")
            book.add_submission(NAME, student)
            if text is None:
                grade = book.find_grade(CELL, NAME, NAME, student)
                grade.auto_score, grade.needs_manual_grade = 0, False
        book.db.commit()
    for student, text in answers.items():
        write_answer(course, student, text or "*Write your answer here.*")
    return course
