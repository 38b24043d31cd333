"""Hours and points that stand in the text are those of the plan and of the graded cells."""

import re
from pathlib import Path

import pytest

from coursegrader.course.problem_set import all_problem_sets, is_judged

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
HEADING = re.compile(r"^## .*\((\d+) points?\b", re.MULTILINE)
FRONT = re.compile(
    r"\*\*Time\.\*\* About (\w+) hours\. "
    r"\*\*Points\.\*\* (\d+): (\d+) for (\w+) exercises, (\d+) for one written"
)


@pytest.mark.parametrize("problem_set", all_problem_sets(ROOT), ids=lambda problem_set: problem_set.name)
def test_the_text_says_the_hours_of_the_plan_and_the_points_of_the_cells(problem_set):
    graded = [
        (cell.metadata.nbgrader.points, is_judged(cell))
        for cell in problem_set.notebook.cells
        if cell.metadata.get("nbgrader", {}).get("points")
    ]
    checked = [points for points, judged in graded if judged]
    total = sum(points for points, _ in graded)
    hours, *said = FRONT.search(problem_set.notebook.cells[0].source).groups()
    assert said == [str(total), str(sum(checked)), NUMBERS[len(checked)], str(total - sum(checked))]
    plan = (ROOT / "book" / "instructors" / "plan.md").read_text(encoding="utf-8")
    assert re.search(rf"\(\.\./{problem_set.name}(?:/index)?\.md\).*\| (\d+) h \|$", plan, re.MULTILINE)[
        1
    ] == str(NUMBERS.index(hours))
    headings = [int(points) for cell in problem_set.notebook.cells for points in HEADING.findall(cell.source)]
    assert headings == [points for points, _ in graded]
