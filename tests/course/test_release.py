"""What students get follows from what instructors edit; unsolved notebooks fail in just the graded cells."""

import math
import signal
from pathlib import Path

import nbformat
import pytest
import torch
from grading.classroom import make_course
from nbclient import NotebookClient
from nbgrader.apps.api import NbGraderAPI

from allyouneed.check.wire import encode
from coursegrader.course.check_cells import is_judged
from coursegrader.course.problem_set import ProblemSet, all_problem_sets
from coursegrader.course.public_file import (
    equal_but_for_rounding,
    in_step,
    public_fingerprints,
    public_path,
    write_public_file,
)
from coursegrader.course.release import out_of_step, release
from coursegrader.errors import UserError

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
SETS = [problem_set.name for problem_set in all_problem_sets(ROOT)]


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SETS])
def test_generated_files_arein_step(name):
    assert out_of_step(ProblemSet(ROOT, name)) == [], f"run: coursegrader release {name}"


def test_a_public_file_is_made_again_only_where_it_or_a_rubric_has_changed(attention, tmp_path, monkeypatch):
    course, made = make_course(attention, tmp_path), []
    public_path(course).parent.mkdir(parents=True)
    path = write_public_file(course)
    monkeypatch.setattr(ProblemSet, "public", lambda self: made.append(self.name) or {"exercises": {}})
    written = path.read_text(encoding="utf-8")
    assert in_step(course) and set(public_fingerprints(course)) == set(course.exercises) and not made
    for other in (written.replace("softmax", "soft max"), written[:-9], "", "[]", "5"):
        path.write_text(other, encoding="utf-8")
        assert not in_step(course) and made.pop()
    path.write_text(written, encoding="utf-8")
    rubric = course.folder / "rubric" / "softmax.py"
    rubric.write_text(rubric.read_text(encoding="utf-8") + "\n# mended since\n", encoding="utf-8")
    assert not in_step(ProblemSet(course.root, course.name)) and made.pop()


def test_rounding_is_no_difference_and_all_else_is_one():
    kept = {
        "id": "a",
        "answers": [{"output": encode(torch.tensor([1.0, math.inf]))}, encode(2.5)],
        "sums": [0.5],
    }
    rounded = {
        "id": "a",
        "answers": [{"output": encode(torch.tensor([1.0001, math.inf]))}, encode(2.5001)],
        "sums": [0.5001],
    }
    assert equal_but_for_rounding(kept, rounded)
    for other in (
        kept | {"id": "b"},
        kept | {"sums": [0.6]},
        kept | {"answers": kept["answers"][:1]},
        kept | {"answers": [{"output": encode(torch.tensor([1.01, math.inf]))}, encode(2.5)]},
        kept | {"answers": [{"output": encode(torch.tensor([1.0, math.inf]).double())}, encode(2.5)]},
        kept | {"answers": [{"error": "ValueError", "text": ""}, encode(2.5)]},
    ):
        assert not equal_but_for_rounding(kept, other), other


@pytest.mark.xdist_group("unsolved")
@pytest.mark.parametrize("stub", ["raise NotImplementedError", "return None"])
@pytest.mark.parametrize("name", SETS)
def test_an_unsolved_notebook_fails_in_exactly_its_graded_cells(name, stub, tmp_path):
    """And its run goes on behind them. It is run in the grader's kernels, which imported torch once for all;
    nbval runs solved ones in a student's."""
    notebook = nbformat.read(ROOT / "notebooks" / name / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace("raise NotImplementedError()", stub)
    NotebookClient(
        notebook,
        kernel_manager_class="coursegrader.sandbox.provisioner.JailedKernelManager",
        timeout=300,
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()
    failing = [
        cell.id
        for cell in notebook.cells
        if cell.cell_type == "code" and any(output.output_type == "error" for output in cell.outputs)
    ]
    assert failing == [cell.id for cell in notebook.cells if is_judged(cell)]
    assert len(failing) == len(ProblemSet(ROOT, name).exercises)


@pytest.mark.parametrize("how", ["fails", "stopped", "would leak", "killed before", "the first", "newer"])
def test_what_was_released_before_stays_where_a_release_comes_to_nothing(
    how, fingerprinted, tmp_path, monkeypatch
):
    course = make_course(fingerprinted, tmp_path)
    folder = course.root / "notebooks" / course.name
    aside = folder.with_name(f".{course.name}.before")
    if how != "the first":
        release(course)
    before = {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
    generate, log = NbGraderAPI.generate_assignment, "[App | ERROR] trouble\n    ValueError: no cell\nend"

    def generated(api, name, **options):
        assert not (folder / f"{name}.ipynb").exists()
        if how == "fails":
            return {"success": False, "log": log, "error": "Traceback (most recent call last)"}
        if how == "stopped":
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                return {"success": False, "log": "Canceled"}  # as nbgrader does
        return generate(api, name, **options)

    monkeypatch.setattr(NbGraderAPI, "generate_assignment", generated)
    monkeypatch.setattr("coursegrader.course.release.find_leaks", lambda *_: ["a secret"])
    if how == "killed before":
        folder.rename(aside)
        folder.mkdir()
        (folder / "half").write_text("written")
    if how == "newer":  # killed, and made anew by nbgrader since
        aside.mkdir()
    with pytest.raises(KeyboardInterrupt if how == "stopped" else UserError) as said:
        release(course)
    if how == "fails":
        assert str(said.value).endswith(f"generate {course.name}: ValueError: no cell")
    here = {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
    assert here == before and public_path(course).is_file() == bool(before)
    assert [path.name for path in folder.parent.iterdir()] == [course.name] * bool(before)


def test_a_link_is_not_replaced_by_a_folder(attention, tmp_path):
    course, elsewhere = make_course(attention, tmp_path), tmp_path / "disk"
    elsewhere.mkdir()
    (course.root / "notebooks").mkdir()
    (course.root / "notebooks" / course.name).symlink_to(elsewhere)
    with pytest.raises(UserError, match="is a link"):
        release(course)
    assert (course.root / "notebooks" / course.name).is_symlink()
