"""A person's mark holds as long as what was marked reads the same."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursegrader.grading.marks import _answers


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
        (3, {"metadata": graded("f-check", points=3)}, {"f-check"}),
    ],
    ids=["its code", "the next one's code", "a text", "a written answer", "its points"],
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
