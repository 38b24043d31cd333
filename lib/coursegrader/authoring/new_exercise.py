"""Begin an exercise: its cells in the source notebook, and a rubric that nothing passes without evidence."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from coursegrader.course.check_cells import checked_exercise
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.rubric.language import MIN_ALTERNATIVES, MIN_WRONG

RUBRIC = '''"""`{name}`: what it must do, and how it goes wrong."""

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "{name}",
    # the groups of probes, the core group first; nothing is earned beside a wrong core
    points={{"core": 2, "edges": 1}},
    section="",  # the label of the paragraph that explains it, in the chapter {problem_set}
)


@exercise.probes
def probes(make):
    """The calls that are compared. Variant 0 is public; others have other numbers and sizes (`make.pick`)."""
    yield make.probe("small", make.randn(make.pick(2, 3), make.pick(5, 4)), group="core", gradient=True)
    yield make.probe("one row", make.randn(1, make.pick(4, 6)), group="edges", edge=True)


@exercise.right
def reference(x):
    raise NotImplementedError("write the reference")


# At least {right} other right ways to write it, each as a student would: in full, or as an edit of one above.
#
# @exercise.right("a loop")
# def loop(x):
#     ...
#
# exercise.also_right(
#     edit(reference, {{"dim=-1": "dim=1"}}, "the axis counted from the front"))

# The mistakes, the most likely first: name, label of the paragraph, what the student reads, and the evidence.
# At least {wrong} wrong versions in all. The plain version of a mistake has no label; others tell theirs.
#
# exercise.mistake("wrong-axis", "label",
#     "What the student did, and what to do instead, in one or two sentences.",
#     edit(reference, {{"dim=-1": "dim=0"}}),
#     edit(loop, {{every("rows"): "columns"}}, "in a loop"),
#     full("return x.mean()", "over everything"))
'''
TEXT = """## {name} ({points} points)

What is the question? Say what goes in and what comes out, with shapes. Work one small example by hand.

**Steps**
1. The first step, without the code.

**If you are stuck**

<details><summary>The symptom that a student sees</summary>

A question that leads to the cause.

</details>"""
SOLUTION = '''def {name}(x):
    """What it computes. x: its shape. Returns: its shape.

    Example: a call that a student can try.
    """
    ### BEGIN SOLUTION
    raise NotImplementedError("write the solution")
    ### END SOLUTION'''
GOES_ON = "raises-exception"  # "Run All Cells" does not stop at such a cell; Validate and grading see it
PRELUDE = "import torch\n\nfrom allyouneed.check import check"


def begin(problem_set: ProblemSet, name: str) -> list[Path]:
    """Add the exercise `name` to the problem set, which is made if there is none; return the files written.

    What is written does not certify: the reference raises, and no evidence is there. Raises UserError where
    the name is taken.
    """
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise UserError(f"{name!r} cannot be the name of a function or class in Python.")
    if not re.fullmatch(r"\d\d-[a-z0-9-]+", problem_set.name) and not problem_set.folder.is_dir():
        raise UserError(
            f"There is no problem set {problem_set.name!r}, and a new one is named by two digits, a hyphen "
            "and small letters, such as 11-extra."
        )
    path, rubric = problem_set.folder / f"{problem_set.name}.ipynb", problem_set.folder / "rubric"
    if (problem_set.folder / "rubric.py").is_file():
        raise UserError(
            f"{problem_set.name} keeps all exercises in rubric.py: move each into a file of "
            f"its own in {rubric}, then begin a new one."
        )
    notebook = problem_set.notebook if path.is_file() else _empty_notebook(problem_set.name)
    if (rubric / f"{name}.py").exists() or any(
        checked_exercise(cell.source) == name for cell in notebook.cells if cell.cell_type == "code"
    ):
        raise UserError(f"{problem_set.name} has an exercise {name} already.")
    slug = name.replace("_", "-").lower()
    check = new_code_cell(f'check("{name}", {name})', **_cell_settings(f"{slug}-check", grade=True, points=3))
    check.metadata["tags"] = [GOES_ON]
    cells = [
        new_markdown_cell(TEXT.format(name=name, points=3), **_cell_settings(f"{slug}-text")),
        new_code_cell(SOLUTION.format(name=name), **_cell_settings(slug, locked=False, solution=True)),
        check,
    ]
    written = next(
        (
            place
            for place, cell in enumerate(notebook.cells)
            if cell.cell_type == "markdown"
            and cell.get("metadata", {})
            .get("nbgrader", {})
            .get("grade_id", "")
            .startswith("written-question")
        ),
        len(notebook.cells),
    )
    notebook.cells[written:written] = cells
    rubric.mkdir(parents=True, exist_ok=True)
    (rubric / f"{name}.py").write_text(
        RUBRIC.format(name=name, problem_set=problem_set.name, right=MIN_ALTERNATIVES, wrong=MIN_WRONG),
        encoding="utf-8",
    )
    nbformat.write(notebook, path)
    return [path, rubric / f"{name}.py"]


def _empty_notebook(name: str):
    notebook = new_notebook(
        metadata={"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    )
    notebook.cells = [
        new_markdown_cell(f"# Problem set {name}", **_cell_settings("title")),
        new_code_cell(PRELUDE, **_cell_settings("setup")),
    ]
    return notebook


def _cell_settings(cell: str, **kind) -> dict:
    """A cell's id, and nbgrader's metadata: locked and not graded unless `kind` says otherwise."""
    plain = {
        "grade": False,
        "grade_id": cell,
        "locked": True,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return {"id": cell, "metadata": {"nbgrader": plain | kind}}
