"""A class goes through the whole of nbgrader: release, fetch, submit, collect, grade, feedback and export."""

import csv
import html
import json
import os
import zipfile
from pathlib import Path

import commands
import pytest
from commands import command
from grading.classroom import UNTOUCHED, Student, make_class, make_course, write_submission

from coursegrader.authoring.try_files import try_sources
from coursegrader.course.configuration import VERDICTS
from coursegrader.course.kept import private_folder
from coursegrader.course.leaks import find_leaks, secrets_of
from coursegrader.course.secret import FIXED
from coursegrader.rubric.language import Version

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("class")]
FORGED = [
    (
        "from allyouneed.check import worker\nimport allyouneed.check\nprint('✓ softmax: every check "
        "passed. 4 of 4 points.')"
    ),
    "def check(name, candidate):\n    return 99.0",
    (
        "worker.answer_all = lambda request: {name: {'answers': [task['probes'][0]] * "
        "len(task['probes']), 'ready_made': None} for name, task in request.items()}"
    ),
]


UNREADABLE = {
    "colon": "def softmax(x, dim)\n    return x\n",
    "stops": "scale = factor\ndef softmax(x, dim):\n    return x\n",
}


def run(folder: Path, *arguments: str) -> str:
    return command(*arguments, cwd=folder, errors=True)


@pytest.fixture(scope="module")
def graded(fingerprinted, tmp_path_factory):
    """The class after its whole journey."""
    folder = tmp_path_factory.mktemp("term")
    course = make_course(fingerprinted, folder)
    name = course.name
    run(course.root, "coursegrader", "release", name)
    run(course.root, "nbgrader", "release_assignment", name)

    students = make_class(fingerprinted)
    warns = "import warnings, sys\nwarnings.warn('careful')\nprint('noise', file=sys.stderr)"
    students.append(Student("warns", dict(students[0].answers), [warns]))
    students.append(
        Student("crashes", {key: UNTOUCHED for key in students[0].answers}, ["import os\nos._exit(3)"])
    )
    students.append(Student("forges", {key: UNTOUCHED for key in students[0].answers}, FORGED))
    noisy = Version(
        "softmax that warns",
        (
            "def softmax(x, dim):\n    import warnings\n    "
            "warnings.warn('mind the step')\n    e = torch.exp(x - "
            "x.amax(dim, keepdim=True))\n    return e / e.sum(dim, "
            "keepdim=True)\n"
        ),
    )
    students.append(Student("warns-inside", students[0].answers | {"softmax": noisy}))
    students.append(Student("broken", {}))
    for kind, source in UNREADABLE.items():
        students.append(Student(kind, students[0].answers | {"softmax": Version(kind, source)}))

    from nbgrader.auth import Authenticator
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import ExchangeFetchAssignment, ExchangeSubmit

    from coursegrader.course.configuration import load_config

    before = os.getcwd()
    for student in students:
        home = folder / "homes" / student.name
        home.mkdir(parents=True)
        os.chdir(home)
        try:
            config = load_config(course.root)
            config.CourseDirectory.root = str(home)
            config.CourseDirectory.assignment_id = name
            config.CourseDirectory.student_id = student.name
            config.Exchange.cache = str(home / ".cache")
            ExchangeFetchAssignment(
                coursedir=CourseDirectory(config=config),
                authenticator=Authenticator(config=config),
                config=config,
            ).start()
            notebook = home / name / f"{name}.ipynb"
            if student.name == "broken":
                notebook.write_text('{"cells": [', encoding="utf-8")
            else:
                write_submission(notebook, student, notebook)
            ExchangeSubmit(
                coursedir=CourseDirectory(config=config),
                authenticator=Authenticator(config=config),
                config=config,
            ).start()
        finally:
            os.chdir(before)
    run(course.root, "nbgrader", "collect", name)
    grading = commands.run("coursegrader", "grade", name, cwd=course.root)
    run(course.root, "nbgrader", "generate_feedback", name)
    run(course.root, "nbgrader", "release_feedback", name)
    run(course.root, "nbgrader", "export", "--to", "grades.csv")
    return course, students, grading


def scores(course) -> dict[str, float]:
    with (course.root / "grades.csv").open(encoding="utf-8") as file:
        return {
            row["student_id"]: float(row["score"] or 0)
            for row in csv.DictReader(file)
            if row["assignment"] == course.name
        }


def verdicts(course, student: str) -> dict[str, dict]:
    path = course.root / "autograded" / student / course.name / VERDICTS
    return {item["exercise"]: item for item in json.loads(path.read_text(encoding="utf-8"))}


def test_every_right_version_gets_full_points(graded, attention):
    course, students, grading = graded
    full = sum(exercise.max_points for exercise in attention.exercises.values())
    exported = scores(course)
    for student in students:
        if student.name.startswith(("reference", "right", "warns")):
            assert exported[student.name] == full, (student.name, verdicts(course, student.name))


def test_every_wrong_version_gets_its_own_mistake_and_the_points_of_trying_it(graded, attention):
    course, students, grading = graded
    exported = scores(course)
    wrong = [student for student in students if student.name.startswith("wrong")]
    tried = iter(
        try_sources(
            attention,
            [(name, version.source) for student in wrong for name, version in student.answers.items()],
        )
    )
    for student in wrong:
        found, total = verdicts(course, student.name), 0
        for name, version in student.answers.items():
            expected = next(tried)
            assert not found[name]["passed"]
            assert (found[name]["misconception"], found[name]["points"]) == (version.mistake, expected.points)
            total += expected.points
        assert exported[student.name] == total


def test_doing_nothing_crashing_and_forging_score_nothing(graded):
    course, students, grading = graded
    exported = scores(course)
    assert {name: exported[name] for name in ("untouched", "crashes", "forges")} == {
        "untouched": 0,
        "crashes": 0,
        "forges": 0,
    }
    assert {item["misconception"] for item in verdicts(course, "untouched").values()} == {"not-implemented"}


def test_a_cell_that_cannot_be_read_is_told_with_its_line_and_counted(graded):
    course, students, grading = graded
    found = {name: verdicts(course, name)["softmax"] for name in UNREADABLE}
    assert {name: item["misconception"] for name, item in found.items()} == {
        "colon": "syntax-error",
        "stops": "raises",
    }
    assert "line 1, `def softmax(x, dim)`: expected ':'" in found["colon"]["message"]
    assert "NameError: name 'factor' is not defined" in found["stops"]["message"]
    said = run(course.root, "coursegrader", "report", course.name)
    assert "1 not readable as Python" in said
    page = (course.root / "reports" / course.name / "report.html").read_text(encoding="utf-8")
    assert "line 1, `def softmax(x, dim)`: expected ':'" in html.unescape(page)


def test_the_secret_of_the_course_stands_in_no_file_but_its_own(graded):
    from coursegrader.reporting.report import report

    course = graded[0]
    report(course)
    files = [
        path for path in course.root.parent.rglob("*") if path.is_file() and ".coursegrader" not in path.parts
    ]
    assert {"feedback", "reports", "exchange", "autograded"} <= {
        part for path in files for part in path.parts
    }
    assert not [path for path in files if os.environ[FIXED].encode() in path.read_bytes()]


def test_a_broken_file_is_reported_and_stops_nobody(graded):
    course, students, grading = graded
    assert grading.returncode == 1
    assert "broken" in grading.stdout and "not graded" in grading.stdout
    assert f"{len(students) - 1} graded, 1 not graded" in grading.stdout


def test_every_student_fetches_a_page_and_whoever_was_refused_reads_why(graded):
    from nbgrader.auth import Authenticator
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import ExchangeFetchFeedback

    from coursegrader.course.configuration import load_config

    course, students, grading = graded
    before = os.getcwd()
    for name, words in (("broken", "not readable as JSON"), ("wrong0", "points")):
        home = course.root.parent / "homes" / name
        os.chdir(home)
        try:
            config = load_config(course.root)
            config.CourseDirectory.root = str(home)
            config.CourseDirectory.assignment_id = course.name
            config.CourseDirectory.student_id = name
            config.Exchange.cache = str(home / ".cache")
            ExchangeFetchFeedback(
                coursedir=CourseDirectory(config=config),
                authenticator=Authenticator(config=config),
                config=config,
            ).start()
        finally:
            os.chdir(before)
        pages = list((home / course.name / "feedback").rglob("*.html"))
        assert len(pages) == 1 and words in pages[0].read_text(encoding="utf-8"), name


def test_feedback_names_the_mistake_and_gives_nothing_away(graded, attention):
    course, students, grading = graded
    pages = sorted((course.root / "feedback").glob("*/*/*.html"))
    assert len(pages) == len(students)
    wrong = next(student for student in students if student.name == "wrong0")
    page = (course.root / "feedback" / "wrong0" / course.name / f"{course.name}.html").read_text(
        encoding="utf-8"
    )
    section = next(item["section"] for item in verdicts(course, wrong.name).values())
    assert f"book/{course.name}.html#{section}" in page
    names = {student.name: [f"x_{place}_1_n.ipynb"] for place, student in enumerate(students)}
    record = {who: {"digest": "", "late": False, "from": seen} for who, seen in names.items()}
    place = private_folder(course.root) / "collected"
    place.mkdir(exist_ok=True)
    (place / f"{course.name}.json").write_text(json.dumps(record))
    for form in ("canvas", "folder"):
        run(course.root, "coursegrader", "feedback", course.name, "--for", form, "--unfinished")
        pages.append(course.root / "reports" / course.name / f"feedback-{form}.zip")
        with zipfile.ZipFile(pages[-1]) as archive:
            assert len(archive.namelist()) == len(students)
    own = {"a line of the rubric", "a line of a solution"}  # students hand in the rubric's own versions here
    leaks = [
        leak for leak in find_leaks(pages, secrets_of(attention)) if not any(word in leak for word in own)
    ]
    assert leaks == []
    assert not list((course.root / "feedback").rglob("rubric*")) and not list(
        (course.root / "autograded").rglob("rubric*")
    )


def test_the_report_counts_the_shared_mistakes(graded):
    course, students, grading = graded
    text = run(course.root, "coursegrader", "report", course.name)
    assert f"{len(students) - 1} graded submissions" in text and "most shared mistakes" in text
    assert (course.root / "reports" / course.name / "report.html").is_file()
    with (course.root / "reports" / course.name / "scores.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert float(rows["reference"]["total"]) == scores(course)["reference"]
    assert rows["broken"]["total"] == "" and rows["broken"]["status"].startswith("not graded: The notebook")


def test_grading_again_keeps_what_has_not_changed(graded):
    course, students, grading = graded
    text = run(
        course.root, "coursegrader", "grade", course.name, "--student", "reference", "--student", "wrong0"
    )
    assert text.count("unchanged, kept") == 2
