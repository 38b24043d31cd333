"""The report: item analysis against numbers by hand, files for Canvas and Moodle, programs that are alike."""

import csv
import json
import os
import sys
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from coursegrader.course.configuration import VERDICTS
from coursegrader.course.problem_set import ProblemSet
from coursegrader.grading.verdicts import read_verdicts
from coursegrader.reporting.item_analysis import analyse
from coursegrader.reporting.lms_export import Grade, grades, write_canvas, write_moodle, write_table
from coursegrader.reporting.report import _feedback, _notes, _page, _scores
from coursegrader.reporting.similarity import near_identical, solution_source, tokens

PROGRAM = """
def attend(q, k, v, mask=None):
    # scores
    d = q.size(-1)
    scores = q @ k.transpose(-2, -1) / d ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
"""
RENAMED = """
def attend(one, two, three, m=None):
    '''My own work.'''
    size = one.size(-1)
    s = one @ two.transpose(-2, -1) / size ** 0.5


    if m is not None:
        s = s.masked_fill(~m, float("-inf"))
    w = torch.softmax(s, dim=-1)  # weights
    return w @ three, w
"""
OTHER = """
def attend(q, k, v, mask=None):
    out = []
    for row in q:
        values = [sum(a * b for a, b in zip(row, other)) for other in k]
        top = max(values)
        exps = [math.exp(value - top) for value in values]
        out.append(sum(e * x for e, x in zip(exps, v)) / sum(exps))
    return torch.stack(out), None
"""


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
    book = [Grade("ada", 8.5, raw=8.5), Grade("bob", 1, waiting=True, raw=2, penalty=1)]
    assert _scores(["a", "b"], rows, book) == [
        ["student", "a", "b", "by hand", "penalty", "total"],
        ["ada", 3, 1, 4.5, 0, 8.5],
        ["bob", 2, 0, "", 1, 1],
        ["cy", 0, 0.5, "", "", ""],
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


def test_renaming_and_comments_do_not_hide_a_copy_and_other_work_is_not_accused():
    assert tokens(PROGRAM) == tokens(RENAMED)
    nearly = PROGRAM.replace("-1) / d", "-1) * d")
    found = near_identical(
        [
            ("ann", PROGRAM),
            ("bob", RENAMED),
            ("cy", OTHER),
            ("di", nearly),
            ("eli", "x = 1"),
            ("fay", "x = 1"),
        ]
    )
    assert found[0].students == ("ann", "bob") and found[0].similarity == 1
    assert found[1].students == ("ann", "di") and 0.95 <= found[1].similarity < 1
    assert len(found) == 2


def test_a_thousand_programs_are_compared_in_seconds():
    programs = [
        (
            str(number),
            PROGRAM + "\n".join(f"x{place} = {(number * 7919 + place * 31) % 97}" for place in range(60)),
        )
        for number in range(1000)
    ]
    assert len(near_identical(programs)) <= 100


def test_a_number_too_long_to_be_written_stops_no_report():
    assert (
        near_identical(
            [("ada", f"{PROGRAM}\nx = 0x{'f' * 9000}"), ("bob", f"{RENAMED}\ny = 0x{'f' * 9000}")]
        )[0].similarity
        == 1.0
    )


def test_no_text_of_a_table_is_a_formula(tmp_path):
    write_table(
        tmp_path / "scores.csv", [["student", "total"], ["=cmd|' /C calc'!A0", 3], ["＝1", -2.5], ["\n+1", 0]]
    )
    with (tmp_path / "scores.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[1:] == [["'=cmd|' /C calc'!A0", "3"], ["'＝1", "-2.5"], ["'\n+1", "0"]]


def test_sources_are_the_solution_cells_that_parse(tmp_path):
    solution = {"nbgrader": {"solution": True}}
    notebook = new_notebook(
        cells=[
            new_code_cell("a = 1", metadata=solution),
            new_code_cell("b = (", metadata=solution),
            new_code_cell("c = 3"),
        ]
    )
    nbformat.write(notebook, tmp_path / "n.ipynb")
    assert solution_source(tmp_path / "n.ipynb") == "a = 1"


def test_canvas_and_moodle_files_have_the_columns_those_read(tmp_path):
    class_ = [
        Grade("ada", 7.5, "Ada", "Lovelace, Lady", "ada@example.org", "4711", "softmax: scale"),
        Grade("=1+1", 0.0, feedback="=cmd()"),
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
    }
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
        book.find_grade("t", "hw", "hw", "ada").auto_score = 3
        book.find_submission_notebook("hw", "hw", "ada").late_submission_penalty = 1
        book.db.commit()
    found, most = grades(ProblemSet(tmp_path, "hw"), {"ada": "softmax: scale"})
    assert most == 4 and [(grade.student, grade.score, grade.lms_id, grade.feedback) for grade in found] == [
        ("ada", 2.0, "9", "softmax: scale")
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
    page = _page(problem_set, [["student", "a"], ["ada", 1]], [], Counter(), [], notes, 1)
    assert "empty &lt;script&gt;" in page and "<script>" not in page
