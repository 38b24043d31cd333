"""Hours and points in the text are those that are counted from the cells, and its formulas can be set."""

import copy
import re
from pathlib import Path

import pytest

from coursegrader.course.check_cells import is_judged
from coursegrader.course.points_in_words import wrong_points
from coursegrader.course.problem_set import all_problem_sets
from coursegrader.formulas import mathml
from coursegrader.grading.follow_on import _names
from coursegrader.workload import hours, minutes

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$\w])\$(?!\s)([^$\n]+?)\$(?!\d)", re.DOTALL)
FRONT = re.compile(
    r"\*\*Time\.\*\* About (\w+) hours\. "
    r"\*\*Points\.\*\* (\d+): (\d+) for (\w+) exercises, (\d+) for one written"
)


@pytest.mark.parametrize("problem_set", all_problem_sets(ROOT), ids=lambda problem_set: problem_set.name)
def test_the_text_says_the_hours_and_points_of_the_cells(problem_set):
    graded = [
        (cell.metadata.nbgrader.points, is_judged(cell))
        for cell in problem_set.notebook.cells
        if cell.metadata.get("nbgrader", {}).get("points")
    ]
    checked = [points for points, judged in graded if judged]
    total = sum(points for points, _ in graded)
    front = FRONT.search(problem_set.notebook.cells[0].source)
    assert front, "the first cell has no line of hours and points like that of other problem sets"
    in_hours, *said = front.groups()
    assert said == [str(total), str(sum(checked)), NUMBERS[len(checked)], str(total - sum(checked))]
    assert in_hours == NUMBERS[hours(problem_set.notebook.cells)]
    assert wrong_points(problem_set.notebook) == []


def test_a_changed_point_value_is_found_in_the_text(attention):
    notebook = copy.deepcopy(attention.notebook)
    cell = next(cell for cell in notebook.cells if cell.id == "softmax-check")
    cell.metadata.nbgrader.points = 5
    assert wrong_points(notebook) == [
        'the heading "1. Softmax" says 4 points, and what is graded below it gives 5',
        "the text says 39 points in all, and all graded cells give 40",
    ]


def test_steps_lines_and_words_are_counted():
    def cell(kind, source, **marked):
        return {"cell_type": kind, "source": source, "metadata": {"nbgrader": marked} if marked else {}}

    text = "## 1. Sum (2 points)\n\n**Steps** (one way)\n1. Add.\n   More of it.\n2. Divide.\n\n1. No step."
    code = "def f():\n    ### BEGIN SOLUTION\n    a = 1\n\n    return a\n    ### END SOLUTION\n"
    assert minutes([cell("markdown", text)]) == pytest.approx(len(text.split()) / 140 + 2 * 4)
    assert minutes([cell("code", code, solution=True)]) == 10 + 2
    assert (
        minutes([cell("markdown", "Answer", solution=True), cell("code", "1"), cell("markdown", "Read")])
        == 20
    )
    assert hours([cell("code", code, solution=True)] * 11) == 2 and hours([]) == 1


def test_the_plan_has_its_hours_from_the_count():
    plan = (ROOT / "book" / "instructors" / "plan.md").read_text(encoding="utf-8")
    assert re.findall(r"\{hours\}`([\w-]+)`", plan) == [
        problem_set.name for problem_set in all_problem_sets(ROOT)
    ]


@pytest.mark.parametrize("problem_set", all_problem_sets(ROOT), ids=lambda problem_set: problem_set.name)
def test_every_formula_of_the_text_can_be_set(problem_set):
    for cell in problem_set.notebook.cells:
        if cell.cell_type == "markdown":
            for block, inline in FORMULA.findall(re.sub(r"`[^`\n]*`", "", cell.source)):
                assert mathml(block or inline, "block" if block else "inline").startswith("<math")


@pytest.mark.slow
def test_the_guide_lists_which_exercises_may_call_an_earlier_one():
    """Where a right version of the rubric does: there a mistake costs its points once."""
    listed = {
        (later, earlier)
        for left, right in re.findall(
            r"^\| (`[^|]+`) \| (`[^|]+`) \|$",
            (ROOT / "book/instructors/grading.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        for later in re.findall(r"`(\w+)`", left)
        for earlier in re.findall(r"`(\w+)`", right)
    }
    found = {
        (name, other)
        for problem_set in all_problem_sets(ROOT)
        for name, exercise in problem_set.exercises.items()
        for other in problem_set.exercises
        for version in (exercise.reference, *exercise.alternatives)
        if other != name and other in _names(version.source)
    }
    assert listed == found
