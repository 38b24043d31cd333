"""A person's mark holds as long as what was marked reads the same."""

import nbformat
import pytest
from grading.classroom import make_course
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursegrader.course.configuration import open_course
from coursegrader.grading.marks import _answer_cells, _answers, keep_marks
from coursegrader.grading.moved_scores import moves


def graded(name, points=2, **flags):
    return {"nbgrader": {"grade": True, "solution": False, "grade_id": name, "points": points} | flags}


def notebook():
    return new_notebook(
        cells=[
            new_code_cell("import torch"),
            new_code_cell("def f(x): return x"),
            new_markdown_cell("text"),
            new_code_cell("check('f', f)", metadata=graded("f-check")),
            new_code_cell("def g(x): return x"),
            new_code_cell("check('g', g)", metadata=graded("g-check")),
            new_markdown_cell("Because.", metadata=graded("why", solution=True)),
        ]
    )


@pytest.mark.parametrize(
    "cell, change, looked_at_again",
    [
        (1, {"source": "def f(x): return 2 * x"}, {"f-check"}),
        (4, {"source": "def g(x): return 2 * x"}, {"g-check"}),
        (2, {"source": "other text"}, set()),
        (6, {"source": "Since."}, {"why"}),
        (6, {"attachments": {"a.png": {"image/png": "aGk="}}}, {"why"}),
        (3, {"metadata": graded("f-check", points=3)}, set()),
    ],
    ids=["its code", "the next one's code", "a text", "a written answer", "its picture", "its points"],
)
def test_a_mark_is_looked_at_again_where_its_answer_has_changed(cell, change, looked_at_again, tmp_path):
    changed = notebook()
    changed.cells[cell].update(nbformat.from_dict(change))
    found = []
    for item in (notebook(), changed):
        nbformat.write(item, tmp_path / "n.ipynb")
        found.append(_answers(tmp_path / "n.ipynb"))
    assert set(found[0]) == set(found[1]) == {"f-check", "g-check", "why"}
    assert {name for name in found[0] if found[0][name] != found[1][name]} == looked_at_again


def test_what_is_said_of_code_stands_at_the_cells_before_its_check(tmp_path):
    other = notebook()
    for cell, name in ((1, "f"), (4, "g")):
        other.cells[cell].metadata = nbformat.from_dict(graded(name, grade=False, solution=True))
    nbformat.write(other, tmp_path / "n.ipynb")
    assert _answer_cells(tmp_path / "n.ipynb") == {"f-check": ["f"], "g-check": ["g"]}


def test_a_mark_by_hand_is_named_where_there_are_other_points_to_be_had():
    def verdict(points, most):
        return {"exercise": "f", "points": points, "max_points": most, "misconception": "m"}

    def told(by_hand, *both):
        return moves("ada", [verdict(*both[0])], [verdict(*both[1])], ["problem set"], by_hand)

    assert told({}, (0, 4), (0, 6)) == [] == told({"f": 4}, (0, 4), (0, 4))
    (row,) = told({"f": 4}, (0, 4), (0, 6))
    assert row[3:5] == ["4", "4"] and row[-1].endswith("gives 0 of 6 now, and 4 by hand stays: look at it")
    assert told({}, (1, 4), (2, 4))[0][3:5] == ["1", "2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "auto, source, score, waits, comment, said",
    [
        (None, "Because.", 2, False, "Good.", ""),  # as it was marked
        (None, "Since.", 0, True, None, "its 2 points are taken back, and it has to be marked anew"),
        (0, "Your answer", 0, False, None, "and it is empty"),  # nbgrader gives 0 to what is as released
    ],
)
def test_an_answer_that_is_another_keeps_no_mark(
    attention, tmp_path, auto, source, score, waits, comment, said
):
    course = make_course(attention, tmp_path)
    changed, path = notebook(), tmp_path / "n.ipynb"
    nbformat.write(changed, path)
    before = _answers(path)
    changed.cells[6].source = source
    nbformat.write(changed, path)
    with open_course(course.root) as api, api.gradebook as book:
        book.add_assignment(course.name)
        book.add_notebook(course.name, course.name)
        book.add_grade_cell("why", course.name, course.name, max_score=2, cell_type="markdown")
        book.add_solution_cell("why", course.name, course.name)
        book.add_grade_cell("f-check", course.name, course.name, max_score=2, cell_type="code")
        book.add_student("ada")
        book.add_submission(course.name, "ada")
        grade = book.find_grade("why", course.name, course.name, "ada")
        grade.auto_score, grade.manual_score, grade.needs_manual_grade = auto, 2, True
        remark = book.find_comment("why", course.name, course.name, "ada")
        remark.manual_comment = "Good."
        overruled = book.find_grade("f-check", course.name, course.name, "ada")
        overruled.auto_score, overruled.manual_score, overruled.needs_manual_grade = 1, 0, True
        overruled.extra_credit = 1
        book.db.commit()
        lines = keep_marks(book, course.name, "ada", path, {"why": before["why"], "f-check": "other code"})
        assert "its 0 points and 1 of extra credit are taken back, and the check counts" in lines[-1]
        assert len(lines) == 1 + bool(said) and said in lines[0]
        found = book.find_submission(course.name, "ada")
        assert (found.score, found.needs_manual_grade) == (score + 1, waits)
        assert remark.manual_comment == comment and (overruled.score, overruled.extra_credit) == (1, 0)


@pytest.mark.slow
def test_no_mark_is_taken_back_where_nobody_knows_what_was_marked(attention, tmp_path):
    course, path = make_course(attention, tmp_path), tmp_path / "n.ipynb"
    nbformat.write(notebook(), path)
    with open_course(course.root) as api, api.gradebook as book:
        book.add_assignment(course.name)
        book.add_notebook(course.name, course.name)
        book.add_grade_cell("why", course.name, course.name, max_score=2, cell_type="markdown")
        book.add_student("ada")
        book.add_submission(course.name, "ada")
        grade = book.find_grade("why", course.name, course.name, "ada")
        grade.manual_score, grade.needs_manual_grade = 2, True
        book.db.commit()
        assert keep_marks(book, course.name, "ada", path, {}) == []
        assert grade.manual_score == 2 and grade.needs_manual_grade
