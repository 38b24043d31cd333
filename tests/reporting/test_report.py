"""The report: item analysis against numbers by hand, and files for Canvas and Moodle."""

import csv
import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from grading.classroom import make_course
from nbgrader.api import Comment

from coursegrader.course.configuration import VERDICTS, open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.grading.ledger import key_of, remember
from coursegrader.grading.verdicts import read_verdicts
from coursegrader.reporting.grades_csv import GradesWithStatus
from coursegrader.reporting.item_analysis import analyse
from coursegrader.reporting.lms_export import Grade, grades, write_canvas, write_moodle, write_table
from coursegrader.reporting.report import _feedback, _notes, _scores, report
from coursegrader.reporting.report_page import report_page


def verdict(exercise, misconception):
    return {"exercise": exercise, "misconception": misconception, "points": 0, "section": "s"}


def test_difficulty_and_discrimination_are_what_they_are_by_hand():
    # so often, it is no chance; the correlation stays
    points = [[4, 4, 0], [4, 3, 0], [2, 2, 4], [0, 1, 4]] * 5
    verdicts = [
        [verdict("a", None)],
        [verdict("a", "timeout")],
        [verdict("a", "timeout"), verdict("b", "no-answer")],
        [verdict("a", "scale")],
    ]
    a, b, c = analyse(["a", "b", "c"], points, [4, 4, 4], verdicts)
    assert (a.difficulty, b.difficulty, c.difficulty) == (10 / 16, 10 / 16, 8 / 16)

    assert a.discrimination == pytest.approx(-5 / (11 * 5) ** 0.5)
    assert c.discrimination < 0 and "read its rubric" in c.remark()
    assert a.failures == {"timeout": 2} and b.failures == {"no-answer": 1} and c.failures == {}


def test_a_class_that_agrees_or_is_small_has_no_discrimination():
    assert (
        analyse(["a", "b"], [[4, number % 4] for number in range(40)], [4, 4], [[]])[0].discrimination is None
    )
    against = [[4, 0], [2, 1], [1, 3]]
    small, large = (analyse(["a", "b"], against * times, [4, 4], [[]])[0] for times in (6, 7))
    assert small.discrimination is None and small.remark() == ""
    assert large.discrimination < -0.9 and "read its rubric" in large.remark()


def test_a_weak_correlation_accuses_no_rubric():
    points = [[0, number + 2] for number in range(20)] + [[1, number] for number in range(20)]
    item = analyse(["a", "b"], points, [1, 21], [[]])[0]
    assert -0.3 < item.discrimination < 0 and item.remark() == ""


def test_the_total_is_the_gradebooks_and_says_what_came_by_hand():
    rows = [["ada", 3, 1], ["bob", 2, 0], ["cy", 0, 0.5]]
    book = [
        Grade("ada", 8.5, raw=8.5),
        Grade(
            "bob", 3, waiting=True, raw=4, penalty=1, extended_to="Mon", late="1 day", status="not yet marked"
        ),
        Grade("di", None, extended_to="Tue", status="not handed in"),
    ]
    assert _scores(["a", "b"], rows, book) == [
        ["student", "a", "b", "by hand", "extended to", "late", "penalty", "total", "status"],
        ["ada", 3, 1, 4.5, "", "", 0, 8.5, "graded"],
        ["bob", 2, 0, 2, "Mon", "1 day", 1, 3, "not yet marked"],
        ["cy", 0, 0.5, "", "", "", "", "", "not in the gradebook: grade it again"],
        ["di", "", "", "", "Tue", "", "", "", "not handed in"],
    ]


def test_feedback_for_moodle_is_what_the_student_should_read(tmp_path):
    item = verdict("a", "scale") | {"message": "Is 1 < 2? Divide.", "section": "why"}
    text = _feedback(
        ProblemSet(tmp_path, "hw"), [item, verdict("b", None) | {"message": "right"}], "https://example.org/"
    )
    assert text == "a: Is 1 &lt; 2? Divide. See https://example.org/book/hw.html#why"


def test_a_damaged_verdict_counts_as_none(tmp_path):
    for student, text in (("ada", "[]"), ("bob", ""), ("cy", "[{")):
        (tmp_path / "autograded" / student / "hw").mkdir(parents=True)
        (tmp_path / "autograded" / student / "hw" / VERDICTS).write_text(text)
    assert read_verdicts(ProblemSet(tmp_path, "hw")) == {"ada": []}


def test_no_text_of_a_table_is_a_formula(tmp_path):
    write_table(
        tmp_path / "scores.csv", [["student", "total"], ["=cmd|' /C calc'!A0", 3], ["＝1", -2.5], ["\n+1", 0]]
    )
    with (tmp_path / "scores.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[1:] == [["'=cmd|' /C calc'!A0", "3"], ["'＝1", "-2.5"], ["'\n+1", "0"]]


def test_canvas_and_moodle_files_have_the_columns_those_read(tmp_path):
    class_ = [
        Grade("ada", 7.5, "Ada", "Lovelace, Lady", "ada@example.org", "4711", "softmax: scale"),
        Grade("=1+1", 0.0, feedback="=cmd()"),
        Grade("bob", 3.0, waiting=True, status="not yet marked"),
        Grade("di", None, status="not handed in"),
    ]
    write_canvas(tmp_path / "c.csv", "03-attention", class_, 10)
    write_moodle(tmp_path / "m.csv", "03-attention", class_)
    canvas = list(csv.reader((tmp_path / "c.csv").open(encoding="utf-8")))
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "03-attention"]
    assert canvas[1] == ["Points Possible", "", "", "", "", "10"]
    assert canvas[2] == ["Lovelace, Lady, Ada", "4711", "", "ada", "", "7.5"]
    moodle = list(csv.DictReader((tmp_path / "m.csv").open(encoding="utf-8")))
    assert moodle[0] == {
        "Username": "ada",
        "First name": "Ada",
        "Last name": "Lovelace, Lady",
        "ID number": "4711",
        "Email address": "ada@example.org",
        "03-attention (Real)": "7.5",
        "03-attention (Feedback)": "softmax: scale",
        "Status": "graded",
    }
    assert [row[-1] for row in canvas[2:]] == ["7.5", "0", "", ""]
    assert [(row["03-attention (Real)"], row["Status"]) for row in moodle[1:]] == [
        ("0", "graded"),
        ("", "not yet marked"),
        ("", "not handed in"),
    ]
    anonymous = [Grade("participant-4720", 7.5, lms_id="Participant 4720", feedback="softmax: scale")]
    write_moodle(tmp_path / "m.csv", "03-attention", anonymous)
    assert (tmp_path / "m.csv").read_text().splitlines() == [
        "Identifier,Grade,Feedback comments,Status,Last modified (grade)",
        "Participant 4720,7.5,softmax: scale,graded,",
    ]
    assert not any(
        cell.startswith("=") for row in (*canvas, *(item.values() for item in moodle)) for cell in row
    )


def test_grades_come_from_the_gradebook_with_late_penalties(tmp_path, monkeypatch):
    from nbgrader.api import Gradebook

    # nbgrader calls alembic
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
        book.add_assignment("hw")
        book.add_notebook("hw", "hw")
        book.add_grade_cell("t", "hw", "hw", max_score=4, cell_type="code")
        book.add_student("ada", first_name="Ada", last_name="L", email="a@b", lms_user_id="9")
        book.add_submission("hw", "ada")
        grade = book.find_grade("t", "hw", "hw", "ada")
        grade.auto_score, grade.needs_manual_grade = 3, False
        book.find_submission_notebook("hw", "hw", "ada").late_submission_penalty = 1
        book.db.commit()
    found, most = grades(ProblemSet(tmp_path, "hw"), {"ada": "softmax: scale"})
    assert most == 4 and [(grade.student, grade.score, grade.lms_id, grade.feedback) for grade in found] == [
        ("ada", 2.0, "9", "Late. Points taken for it: 1.\nsoftmax: scale")
    ]


def test_what_could_not_be_graded_is_on_the_page_as_text(tmp_path):
    (tmp_path / "submitted" / "eve" / "hw").mkdir(parents=True)
    (tmp_path / "prepared" / "eve").mkdir(parents=True)
    (tmp_path / "prepared" / "eve" / "hw.findings.json").write_text(
        json.dumps({"findings": [], "error": "empty <script>"})
    )
    problem_set = ProblemSet(tmp_path, "hw")
    notes = _notes(problem_set, {"ada"})
    assert notes == [("eve", "not graded: empty <script>")]
    page = report_page(problem_set, [["student", "a"], ["ada", 1]], [], [], [], notes, 1, 1)
    assert "empty &lt;script&gt;" in page and "<script>" not in page


NAME, FIRST = "03-attention", "softmax"
CORRUPT = "The notebook's file is <empty>."


def marked(gradebook, student, cell, auto, manual=None, waiting=False):
    grade = gradebook.find_grade(cell, NAME, NAME, student)
    grade.auto_score, grade.manual_score, grade.needs_manual_grade = auto, manual, waiting
    gradebook.db.commit()


@pytest.fixture
def class_(class_once, tmp_path, monkeypatch):
    """A copy of it for each test."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    shutil.copytree(class_once.root, tmp_path / "course")
    return ProblemSet(tmp_path / "course", NAME)


@pytest.fixture(scope="module")
def class_once(attention, tmp_path_factory):
    """A course whose gradebook says: ada is finished, bob waits for a mark, cy's file is corrupt, di has
    handed in nothing, eve has points by hand in the place of a check's. fay, who is in no roster, has a
    corrupt file.
    """
    course = make_course(attention, tmp_path_factory.mktemp("class"))
    with open_course(course.root) as api, api.gradebook as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        book.add_grade_cell("softmax-check", NAME, NAME, max_score=4, cell_type="code")
        book.add_grade_cell("written-question", NAME, NAME, max_score=5, cell_type="markdown")
        for student in ("ada", "bob", "cy", "di", "eve"):
            book.add_student(student, last_name=student.title(), first_name="X")
        for student, points, by_hand, written in (
            ("ada", 4, None, 5),
            ("bob", 4, None, None),
            ("eve", 1, 4, 2),
        ):
            book.add_submission(NAME, student)
            marked(book, student, "softmax-check", points, by_hand)
            marked(book, student, "written-question", None, written, waiting=written is None)
            folder = course.root / "autograded" / student / NAME
            folder.mkdir(parents=True)
            misconception = None if points == 4 else "scale"
            item = verdict(FIRST, misconception) | {"points": points, "message": "Divide."}
            (folder / VERDICTS).write_text(json.dumps([item]))
    for student in ("ada", "bob", "cy", "eve", "fay"):
        (course.root / "submitted" / student / NAME).mkdir(parents=True)
    for student in ("cy", "fay"):
        (course.root / "prepared" / student).mkdir(parents=True)
        (course.root / "prepared" / student / f"{NAME}.findings.json").write_text(
            json.dumps({"findings": [], "error": CORRUPT})
        )
    return course


def table(course, name, who):
    with (course.root / "reports" / NAME / name).open(newline="", encoding="utf-8") as file:
        return {row[who]: row for row in csv.DictReader(file) if row[who].strip()}


@pytest.mark.slow
def test_everybody_has_a_row_with_a_status_and_no_score_where_none_is_final(class_):
    said, files = report(class_, unfinished=True)
    assert [path.name for path in files] == [
        "report.html",
        "similar.html",
        "scores.csv",
        "canvas.csv",
        "moodle.csv",
    ]
    everybody = {
        "ada": ("9", "graded"),
        "bob": ("4", "not yet marked"),
        "cy": ("", f"not graded: {CORRUPT}"),
        "di": ("", "not handed in"),
        "eve": ("6", "graded"),
        "fay": ("", f"not graded: {CORRUPT}"),
    }
    scores = table(class_, "scores.csv", "student")
    assert {who: (row["total"], row["status"]) for who, row in scores.items()} == everybody
    final = {who: "" if "yet" in status else total for who, (total, status) in everybody.items()}
    canvas = table(class_, "canvas.csv", "SIS Login ID")
    assert {who: row[NAME] for who, row in canvas.items()} == final and canvas["ada"]["Student"] == "Ada, X"
    moodle = table(class_, "moodle.csv", "Username")
    assert {who: row[f"{NAME} (Real)"] for who, row in moodle.items()} == final
    assert {who: row["Status"] for who, row in moodle.items()} == {
        who: status for who, (_, status) in everybody.items()
    }
    assert moodle["bob"][f"{NAME} (Feedback)"] == "not yet marked" and "&lt;empty&gt;" in str(moodle["cy"])
    page = files[0].read_text(encoding="utf-8")
    assert "3 graded submissions. 1 of them not yet marked." in page and "<td>not handed in</td>" in page
    assert "not handed in: di" in said and "not yet marked: bob" in said
    assert "not graded (the page says why): cy, fay" in said


@pytest.mark.slow
def test_a_mark_by_hand_is_in_the_sum_and_said(class_):
    report(class_, unfinished=True)
    row = table(class_, "scores.csv", "student")["eve"]
    assert (row[FIRST], row["by hand"], row["penalty"], row["total"]) == ("1", "5", "0", "6")
    feedback = table(class_, "moodle.csv", "Username")["eve"][f"{NAME} (Feedback)"]
    assert "softmax: Divide." in feedback and "Marked by hand: softmax-check 4 of 4 points." in feedback


@pytest.mark.slow
def test_a_mark_above_the_maximum_is_named_and_a_comment_goes_to_moodle(class_):
    with open_course(class_.root) as api, api.gradebook as book:
        marked(book, "ada", "written-question", None, 7)
        book.add_solution_cell("written-question", NAME, NAME)
        notebook = book.find_submission_notebook(NAME, NAME, "ada")
        cell = book.find_solution_cell("written-question", NAME, NAME)
        book.db.add(Comment(cell_id=cell.id, notebook=notebook, manual_comment="Is 1 < 2?"))
        book.db.commit()
    said, files = report(class_, unfinished=True)
    above = "a mark above the maximum: written-question 7 of 5 points"
    assert f"ada has {above}." in said and above in files[0].read_text(encoding="utf-8")
    feedback = {
        who: row[f"{NAME} (Feedback)"] for who, row in table(class_, "moodle.csv", "Username").items()
    }
    assert "written-question: Is 1 &lt; 2?" in feedback["ada"] and "Is 1" not in feedback["eve"]


@pytest.mark.slow
def test_nothing_leaves_for_canvas_or_moodle_before_it_is_marked(class_):
    report(class_, unfinished=True)
    said, files = report(class_)
    assert [path.name for path in files] == [
        "report.html",
        "similar.html",
        "scores.csv",
    ] and "--unfinished" in said
    assert {path.name for path in files[0].parent.iterdir()} == {"report.html", "similar.html", "scores.csv"}
    with open_course(class_.root) as api, api.gradebook as book:
        marked(book, "bob", "written-question", None, 3)
    said, files = report(class_)
    assert len(files) == 5 and "not yet marked" not in said
    assert table(class_, "canvas.csv", "SIS Login ID")["bob"][NAME] == "7"


@pytest.mark.slow
def test_an_earlier_submission_that_was_graded_hides_no_later_one_that_was_not(class_):
    (class_.root / "prepared" / "ada").mkdir(parents=True)
    (class_.root / "prepared" / "ada" / f"{NAME}.findings.json").write_text(
        json.dumps({"findings": [], "error": CORRUPT})
    )
    report(class_)
    status = table(class_, "scores.csv", "student")["ada"]["status"]
    assert status == f"graded: an earlier submission; the last could not be graded: {CORRUPT}"
    assert "an earlier submission is graded; the last could not be" in str(_notes(class_, {"ada"}))


def table_of(course):
    """What `nbgrader export` writes."""
    with open_course(course.root) as api, api.gradebook as book:
        plugin = GradesWithStatus(parent=api, to=str(course.root / "grades.csv"))
        plugin.export(book)
    with (course.root / "grades.csv").open(newline="", encoding="utf-8") as file:
        return {row["student_id"]: row for row in csv.DictReader(file)}


@pytest.mark.slow
def test_nbgraders_export_has_no_zero_for_who_waits_or_handed_in_nothing(class_):
    rows = table_of(class_)
    assert {who: (row["score"], row["status"]) for who, row in rows.items()} == {
        "ada": ("9.0", "graded"),
        "bob": ("", "not yet marked"),
        "cy": ("", f"not graded: {CORRUPT}"),
        "di": ("", "not handed in"),
        "eve": ("6.0", "graded"),
    }
    assert rows["bob"]["raw_score"] == "4.0" and rows["ada"]["max_score"] == "9.0"


@pytest.mark.slow
def test_a_name_is_no_formula_in_nbgraders_export(class_):
    with open_course(class_.root) as api, api.gradebook as book:
        book.update_or_create_student("ada", first_name="=1+1", last_name="@SUM(1)", email="+1")
    row = table_of(class_)["ada"]
    assert [row[name] for name in ("first_name", "last_name", "email")] == ["'=1+1", "'@SUM(1)", "'+1"]


@pytest.mark.slow
def test_a_score_of_an_earlier_submission_is_called_so(class_):
    folder = class_.root / "submitted" / "bob" / NAME
    folder.mkdir(parents=True, exist_ok=True)
    remember(class_, "bob", key_of(class_, "bob"))
    report(class_, unfinished=True)
    assert "earlier" not in table(class_, "scores.csv", "student")["bob"]["status"]
    (folder / f"{NAME}.ipynb").write_text("{}")
    report(class_, unfinished=True)
    row = table(class_, "scores.csv", "student")["bob"]
    assert f"an earlier submission; the last waits for coursegrader grade {NAME}" in row["status"]


@pytest.mark.slow
def test_no_score_leaves_for_who_handed_in_again_and_was_not_graded_since(class_):
    def score():
        exported = table_of(class_)["ada"]["score"]
        return table(class_, "moodle.csv", "Username")["ada"][f"{NAME} (Real)"], exported

    remember(class_, "ada", key_of(class_, "ada"))
    said, _ = report(class_, unfinished=True)
    assert score() == ("9", "9.0") and "handed in again" not in said
    (class_.root / "submitted" / "ada" / NAME / f"{NAME}.ipynb").write_text("{}")
    said, _ = report(class_, unfinished=True)
    assert score() == ("", "")
    assert f"handed in again, and not graded since: ada\n  Run coursegrader grade {NAME}" in said
    report(class_)
    assert not (class_.root / "reports" / NAME / "canvas.csv").exists()
