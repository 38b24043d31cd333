"""What students get follows from what instructors edit; unsolved notebooks fail in just the graded cells."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from coursegrader.course.problem_set import ProblemSet, all_problem_sets, is_judged
from coursegrader.course.release import out_of_step

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
SETS = [problem_set.name for problem_set in all_problem_sets(ROOT)]


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SETS])
def test_generated_files_are_in_step(name):
    assert out_of_step(ProblemSet(ROOT, name)) == [], f"run: coursegrader release {name}"


@pytest.mark.xdist_group("unsolved")
@pytest.mark.parametrize("name", SETS)
def test_an_unsolved_notebook_fails_in_exactly_its_graded_cells(name, tmp_path):
    """In the grader's kernels, which imported torch once for all; nbval runs solved ones in a student's."""
    notebook = nbformat.read(ROOT / "notebooks" / name / f"{name}.ipynb", as_version=4)
    NotebookClient(
        notebook,
        kernel_manager_class="coursegrader.sandbox.provisioner.JailedKernelManager",
        timeout=300,
        allow_errors=True,
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    failing = [
        cell.id
        for cell in notebook.cells
        if cell.cell_type == "code" and any(output.output_type == "error" for output in cell.outputs)
    ]
    assert failing == [cell.id for cell in notebook.cells if is_judged(cell)]
    assert len(failing) == len(ProblemSet(ROOT, name).exercises)
