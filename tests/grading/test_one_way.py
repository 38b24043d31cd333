"""`nbgrader autograde` and formgrader's button go the same way as `coursegrader grade`: prepared, run and
judged once each.
"""

import json
from collections import Counter

import nbformat
import pytest
from grading.classroom import UNTOUCHED, Student, make_class, make_course, write_submission
from nbformat.v4 import new_code_cell, new_notebook

from coursegrader.course.configuration import VERDICTS, open_course
from coursegrader.course.release import _generate
from coursegrader.errors import UserError
from coursegrader.grading import nbgrader_patches, submission
from coursegrader.grading.grade import grade

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("class")]
FORGED = (
    "def check(name, candidate):\n    return 99.0\nimport allyouneed.check\nallyouneed.check.check = check"
)


@pytest.fixture(scope="module")
def course(fingerprinted, tmp_path_factory):
    """A course with an honest submission under a name of its own, one that forges, and one that cannot be
    graded.
    """
    course = make_course(fingerprinted, tmp_path_factory.mktemp("one-way"))
    _generate(course.root, course.name)
    released = course.root / "notebooks" / course.name / f"{course.name}.ipynb"
    honest = make_class(fingerprinted)[0]
    write_submission(released, honest, place(course, "honest", "my homework.ipynb"))
    answer(place(course, "honest", "my homework.ipynb"))
    (place(course, "honest").parent / "torch.py").write_text("raise SystemExit")
    forges = Student("forges", dict.fromkeys(course.exercises, UNTOUCHED), [FORGED])
    write_submission(released, forges, place(course, "forges"))
    place(course, "broken").parent.mkdir(parents=True)
    place(course, "broken").write_text("{")
    return course


def place(course, student, name=None):
    return course.root / "submitted" / student / course.name / (name or f"{course.name}.ipynb")


def answer(path):
    """Answer the written question."""
    notebook = nbformat.read(path, as_version=4)
    graded = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    next(cell for cell in graded if cell.cell_type == "markdown").source = "Because."
    nbformat.write(notebook, path)


def handed_in(course):
    files = [path for path in (course.root / "submitted").rglob("*") if path.is_file()]
    return {path: (path.lstat().st_mtime_ns, path.read_bytes()) for path in files}


@pytest.fixture(scope="module")
def graded(course):
    """What nbgrader's own command said of each student, and how often each step was gone."""
    before, steps, said = handed_in(course), Counter(), {}
    with pytest.MonkeyPatch.context() as patch, open_course(course.root) as api:
        for module, name in (
            (submission, "take_in"),
            (nbgrader_patches, "run"),
            (submission, "verdict_on_stranger"),
            (submission, "write_down"),
        ):

            def counted(*arguments, name=name, step=getattr(module, name)):
                steps[name] += 1
                return step(*arguments)

            patch.setattr(module, name, counted)
        for student in ("honest", "forges", "broken"):
            said[student] = api.autograde(course.name, student, force=True)
    assert handed_in(course) == before, "what was handed in has changed"
    return said, steps


def test_each_step_is_gone_once(course, graded):
    said, steps = graded
    assert {name: result["success"] for name, result in said.items()} == {
        "honest": True,
        "forges": True,
        "broken": False,
    }
    judged = 2 * len(course.exercises)
    assert steps == {"take_in": 3, "run": 2, "verdict_on_stranger": judged, "write_down": 2}


def test_nbgraders_own_command_judges_as_ours_does(course, graded):
    with open_course(course.root) as api, api.gradebook as gradebook:
        found = {student: gradebook.find_submission(course.name, student) for student in ("honest", "forges")}
        scores = {student: item.score for student, item in found.items()}
    assert scores == {"honest": 34, "forges": 0}
    for student in scores:
        folder = course.root / "autograded" / student / course.name
        assert {path.name for path in folder.iterdir()} == {f"{course.name}.ipynb", VERDICTS}
        cells = nbformat.read(folder / f"{course.name}.ipynb", as_version=4).cells
        assert "coursegrader" not in str([cell.metadata for cell in cells])


def test_a_submission_that_cannot_be_graded_says_why_and_stops_no_other(course, graded):
    said, _ = graded
    assert "broken: not graded: The notebook is not readable as JSON" in said["broken"]["log"]
    assert not (course.root / "autograded" / "broken").exists()
    assert not (course.root / "prepared" / "broken" / course.name).exists()
    page = course.root / "feedback" / "broken" / course.name / f"{course.name}.html"
    assert "not readable as JSON" in page.read_text(encoding="utf-8")


def test_our_command_knows_what_nbgraders_has_graded(course, graded):
    results = {result.student: result for result in grade(course, students=["honest", "forges"], workers=1)}
    known = {name: (result.score, result.skipped) for name, result in results.items()}
    assert known == {"honest": (34, True), "forges": (0, True)}


def test_a_mark_that_a_person_gave_stays_given(course, graded):
    with open_course(course.root) as api:
        with api.gradebook as gradebook:
            submission_ = gradebook.find_submission(course.name, "honest")
            assert submission_.needs_manual_grade
            for grade_ in submission_.notebooks[0].grades:
                if grade_.needs_manual_grade:
                    grade_.manual_score, grade_.needs_manual_grade = 5, False
            gradebook.db.commit()
        assert api.autograde(course.name, "honest", force=True)["success"]
        with api.gradebook as gradebook:
            again = gradebook.find_submission(course.name, "honest")
            assert (again.score, again.needs_manual_grade) == (39, False)


def test_a_notebook_that_cannot_be_written_leaves_the_grades_as_they_were(course, graded, monkeypatch):
    write_down = submission.write_down

    def spoilt(prepared, *arguments):
        path = prepared / f"{course.name}.ipynb"
        notebook = json.loads(path.read_text(encoding="utf-8"))
        notebook["cells"][0]["metadata"]["tags"] = ["twice", "twice"]
        path.write_text(json.dumps(notebook), encoding="utf-8")
        write_down(prepared, *arguments)

    def files():
        folder = course.root / "autograded" / "honest" / course.name
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    monkeypatch.setattr(submission, "write_down", spoilt)
    kept = files()
    with open_course(course.root) as api:
        with api.gradebook as gradebook:
            grades = gradebook.find_submission(course.name, "honest").notebooks[0].grades
            grades[0].auto_score = 0.5
            gradebook.db.commit()
            before = [grade_.auto_score for grade_ in grades]
        assert not api.autograde(course.name, "honest", force=True)["success"]
        with api.gradebook as gradebook:
            grades = gradebook.find_submission(course.name, "honest").notebooks[0].grades
            assert [grade_.auto_score for grade_ in grades] == before
    assert files() == kept and f"{course.name}.ipynb" in kept  # and what was graded by them


def test_an_assignment_of_nbgraders_own_kind_runs_in_the_jail_and_is_written_as_nbgrader_writes_it(course):
    """Its cells have ids before their time and a foreign key, which nbgrader lets pass."""
    about = {"schema_version": 3, "solution": False, "task": False, "locked": True, "grade": True}
    cells = [
        new_code_cell("def double(x):\n    return 2 * x", metadata={"own": True}),
        new_code_cell(
            "import os\nassert double(2) == 4 and os.path.expanduser('~') != '/root'",
            metadata={"nbgrader": about | {"grade_id": "doubles", "points": 2}},
        ),
    ]
    for folder in (course.root / "solutions" / "own", course.root / "submitted" / "ada" / "own"):
        folder.mkdir(parents=True)
        nbformat.write(new_notebook(cells=cells), folder / "own-kind.ipynb")
    path = folder / "own-kind.ipynb"
    written = json.loads(path.read_text(encoding="utf-8")) | {"nbformat_minor": 4}
    path.write_text(json.dumps(written), encoding="utf-8")
    with open_course(course.root) as api:
        made = api.generate_assignment("own")
        assert made["success"], made["log"]
        done = api.autograde("own", "ada")
        assert done["success"], done["log"]
        with api.gradebook as gradebook:
            assert gradebook.find_submission("own", "ada").score == 2
    assert (course.root / "autograded" / "ada" / "own" / path.name).is_file()


def test_nothing_is_graded_by_points_that_were_not_released(attention, tmp_path):
    course = make_course(attention, tmp_path)
    graded = [cell.metadata.nbgrader for cell in course.notebook.cells if cell.metadata.get("nbgrader")]
    with open_course(course.root) as api, api.gradebook as book:
        book.add_assignment(course.name)
        book.add_notebook(course.name, course.name)
        for about in graded:
            if about.grade:
                more = about.grade_id == "softmax-check"
                book.add_grade_cell(
                    about.grade_id, course.name, course.name, max_score=about.points + more, cell_type="code"
                )
    (course.root / "submitted" / "ada" / course.name).mkdir(parents=True)
    said = "softmax-check gives 4 points, and 5 when it was released. Run: coursegrader release 03-attention"
    with pytest.raises(UserError, match=said):
        grade(course)
