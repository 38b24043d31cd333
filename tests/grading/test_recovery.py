"""A run of grading that is stopped, by whatever, loses nothing, repeats nothing, and leaves no half grade."""

import contextlib
import json
import shutil
import signal
import subprocess
import sys
import time

import pytest
from grading.classroom import make_class, make_course, write_submission

from coursegrader.course.configuration import VERDICTS, open_course
from coursegrader.course.release import _generate
from coursegrader.grading.grade import grade
from coursegrader.grading.ledger import changed_since, is_graded, key_of
from coursegrader.grading.nbgrader_patches import SaveGradesAtOnce
from coursegrader.grading.pool import LocalPool

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("recovery")]


@pytest.fixture(scope="module")
def course(fingerprinted, tmp_path_factory):
    """A course with seven submissions, nothing graded."""
    course = make_course(fingerprinted, tmp_path_factory.mktemp("recovery"))
    _generate(course.root, course.name)
    for student in make_class(fingerprinted, n_wrong=2)[:7]:
        write_submission(
            course.root / "notebooks" / course.name / f"{course.name}.ipynb",
            student,
            course.root / "submitted" / student.name / course.name / f"{course.name}.ipynb",
        )
    return course


@pytest.fixture(scope="module", autouse=True)
def one_pool():
    """For all runs of grading in this process; those that are killed start as an instructor's do."""
    with contextlib.ExitStack() as ending, pytest.MonkeyPatch.context() as patch:
        kept = []

        @contextlib.contextmanager
        def opened(scheduler, workers, server):
            if not kept:
                kept.append(LocalPool(workers))
                ending.callback(kept[0].stop)
            yield kept[0]

        patch.setattr("coursegrader.grading.grade.open_pool", opened)
        yield


def start(course, *options: str) -> subprocess.Popen:
    command = [
        sys.executable,
        "-m",
        "coursegrader.cli",
        "--root",
        str(course.root),
        "grade",
        course.name,
        "--workers",
        "1",
        *options,
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def notes(course) -> set[str]:
    return {path.stem for path in (course.root / ".coursegrader" / "graded" / course.name).glob("*.json")}


def grades(course) -> dict[str, list]:
    """Each student's automatic scores, cell by cell."""
    with open_course(course.root) as api, api.gradebook as gradebook:
        return {
            submission.student.id: [
                cell.auto_score
                for notebook in submission.notebooks
                for cell in notebook.grades
                if cell.cell.cell_type == "code"
            ]
            for submission in gradebook.assignment_submissions(course.name)
        }


def wait_for(condition, process, seconds=600) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.stdout.read()
        assert time.monotonic() < end
        time.sleep(0.02)


def test_killed_at_any_moment_it_goes_on_where_it_was(course):
    stopped = []
    for how in (signal.SIGKILL, signal.SIGINT):
        before = notes(course)
        process = start(course)
        wait_for(lambda: notes(course) - before, process)
        process.send_signal(how)
        output, _ = process.communicate(timeout=1800)
        stopped.append(notes(course))
        for scores in grades(course).values():
            assert all(score is None for score in scores) or None not in scores, "a grade is half written"
        if how == signal.SIGINT:
            assert process.returncode == 130 and "finished work is kept" in output
    assert stopped[0] < stopped[1] and len(stopped[1]) < 7
    process = start(course)
    output, _ = process.communicate(timeout=1800)
    assert process.returncode == 0, output
    assert output.count("unchanged, kept") == len(stopped[1]) and "7 graded, 0 not graded" in output
    assert all(None not in scores for scores in grades(course).values())
    assert sum(grades(course)["reference"]) == 34


def test_only_what_has_changed_is_graded_again(course):
    path = course.root / "submitted" / "right0" / course.name / f"{course.name}.ipynb"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Read along", "Read on"), encoding="utf-8")
    results = {result.student: result for result in grade(course, workers=1)}
    assert {name for name, result in results.items() if not result.skipped} == {"right0"}
    assert [
        (result.score, result.problem, result.skipped)
        for result in grade(course, force=True, students=["right1"], workers=1)
    ] == [(34, None, False)]


def test_a_lost_gradebook_or_graded_notebook_is_made_again(course):
    shutil.rmtree(course.root / "autograded" / "right1")
    # as a full disk or a copy cut off leaves it
    (course.root / "autograded" / "reference" / course.name / VERDICTS).write_text("")
    results = {
        result.student: result
        for result in grade(course, students=["right0", "right1", "reference"], workers=1)
    }
    assert results["right0"].skipped and not results["right1"].skipped and results["right1"].score == 34
    assert not results["reference"].skipped and results["reference"].score == 34


def test_a_change_of_rubric_library_or_files_changes_the_record(course):
    key = key_of(course, "right1")
    assert (
        is_graded(course, "right1", key)
        and not is_graded(course, "right1", key | {"software": "another"})
        and not is_graded(course, "nobody", key)
    )
    rubric = course.rubric_path / "softmax.py"
    text = rubric.read_text(encoding="utf-8")
    rubric.write_text(text + "\n", encoding="utf-8")
    assert key_of(course, "right1") != key and changed_since(course, "right1", key_of(course, "right1")) == [
        "problem set"
    ]
    rubric.write_text(text, encoding="utf-8")
    extra = course.root / "submitted" / "right1" / course.name / "data.csv"
    extra.write_text("1", encoding="utf-8")
    assert key_of(course, "right1") != key and changed_since(course, "right1", key_of(course, "right1")) == [
        "submission"
    ]
    extra.unlink()
    assert key_of(course, "right1") == key
    note = course.root / ".coursegrader" / "graded" / course.name / "right1.json"
    note.write_text(note.read_text()[:20])
    assert not is_graded(course, "right1", key), "a note that is cut off counts for nothing"


def test_ctrl_c_counts_while_nbgrader_would_take_it_for_an_error(course, monkeypatch):
    def interrupted(*_):
        signal.raise_signal(signal.SIGINT)

    grade(course, students=["right1"], workers=1)
    before = grades(course)["right1"]
    with monkeypatch.context() as patch:
        patch.setattr(SaveGradesAtOnce, "preprocess", interrupted)
        with pytest.raises(KeyboardInterrupt):
            grade(course, force=True, students=["right1"], workers=1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert grades(course)["right1"] == before
    assert [(result.score, result.problem) for result in grade(course, students=["right1"], workers=1)] == [
        (34, None)
    ]


def test_an_error_while_saving_leaves_the_old_grades(course, monkeypatch):
    grade(course, students=["wrong0" if "wrong0" in grades(course) else "right1"], workers=1)
    student = "right1"
    before, seen, add = grades(course)[student], [], SaveGradesAtOnce._add_score

    def fail_at_the_third(self, cell, resources):
        seen.append(cell)
        if len(seen) == 3:
            raise OSError("the disk is full")
        add(self, cell, resources)

    graded = course.root / "autograded" / student / course.name
    files = {path.name: path.read_bytes() for path in graded.iterdir()}
    path = course.root / "submitted" / student / course.name / f"{course.name}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution") and cell["cell_type"] == "code":
            cell["source"] = "x = 1"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    monkeypatch.setattr(SaveGradesAtOnce, "_add_score", fail_at_the_third)
    result = grade(course, students=[student], workers=1)[0]
    assert result.problem and len(seen) == 3
    assert grades(course)[student] == before
    assert {path.name: path.read_bytes() for path in graded.iterdir()} == files
    assert [path.name for path in graded.parent.iterdir()] == [course.name]
    monkeypatch.undo()
    assert grade(course, students=[student], workers=1)[0].score == 0
