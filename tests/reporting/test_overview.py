"""The term at a glance: points, late, missing, at risk by a rule that is said, and the mistakes that stay."""

import csv
import json
import re
import shutil
from datetime import datetime

import pytest
from commands import command
from grading.classroom import make_course

from coursegrader.course.configuration import VERDICTS, open_course
from coursegrader.course.dates import keep_extensions
from coursegrader.reporting.overview import Rule, overview

pytestmark = pytest.mark.slow
FIRST, SECOND, THIRD = "01-recurrence", "03-attention", "04-multi-head"
NEVER = "05-positions"  # is due, and was not released
NOW = datetime(2027, 3, 20)
CLASS = {  # of each student the points of 10 in the first two sets; None: not handed in
    "ada": (10, 9),
    "bob": (5, 4),
    "cy": (8, None),
    "di": (None, None),
    "eve": (2, None),
}


@pytest.fixture(scope="module")
def root_once(root, attention, tmp_path_factory):
    """Due on the 1st, 8th and 29th of March. Bob waits for a mark in the first set and is late in the second,
    where Eve has an extension; Ada and Bob mask after the softmax, Bob twice."""
    course = make_course(attention, tmp_path_factory.mktemp("overview"))
    for name in (FIRST, THIRD):
        shutil.copytree(root / "solutions" / name, course.root / "solutions" / name)
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("c.LatePenalty.penalty_method = 'day'\nc.CourseDates.zone = 'Europe/Zurich'\n")
    with open_course(course.root) as api, api.gradebook as book:
        for who in CLASS:
            book.add_student(who, first_name="=1+1" if who == "bob" else "X", last_name="<script>")
        shutil.copytree(root / "solutions" / NEVER, course.root / "solutions" / NEVER)
        book.add_assignment(NEVER, duedate=datetime(2027, 3, 1))
        for place, (name, due) in enumerate(((FIRST, 1), (SECOND, 8), (THIRD, 29))):
            book.add_assignment(name, duedate=datetime(2027, 3, due))
            book.add_notebook(name, name)
            book.add_grade_cell("check", name, name, max_score=10, cell_type="code")
            for who, points in CLASS.items():
                if place < 2 and points[place] is not None:
                    book.add_submission(name, who)
                    grade = book.find_grade("check", name, name, who)
                    waits = (who, name) == ("bob", FIRST)
                    grade.auto_score, grade.needs_manual_grade = points[place], waits
                    (course.root / "submitted" / who / name).mkdir(parents=True)
        book.db.commit()
    (course.root / "submitted" / "bob" / SECOND / "timestamp.txt").write_text("2027-03-09 10:00:00 UTC")
    keep_extensions(course.root, {SECOND: {"eve": datetime(2027, 3, 25)}})
    for who, name, kind in (
        ("ada", FIRST, "mask-after-softmax"),
        ("bob", FIRST, "mask-after-softmax"),
        ("bob", SECOND, "mask-after-softmax"),
        ("ada", SECOND, "no-scale"),
        ("cy", FIRST, "raises"),
    ):
        folder = course.root / "autograded" / who / name
        folder.mkdir(parents=True)
        item = {"exercise": "e", "misconception": kind, "message": f"Told <in> {name}.", "points": 0}
        (folder / VERDICTS).write_text(json.dumps([item]))
    return course.root


@pytest.fixture
def term(root_once, tmp_path):
    return shutil.copytree(root_once, tmp_path / "spring")


def rows(term):
    with (term / "reports" / "overview.csv").open(newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_the_table_has_points_lateness_and_what_is_missing_by_each_ones_own_date(term):
    said, files = overview(term, Rule(), NOW)
    assert [path.name for path in files] == ["overview.html", "overview.csv"]
    found = {
        who: (
            row[f"{FIRST} points"],
            row[f"{FIRST} status"],
            row[f"{SECOND} points"],
            row[f"{SECOND} status"],
        )
        for who, row in rows(term).items()
    }
    assert found == {
        "ada": ("10.0", "graded", "9.0", "graded"),
        "bob": ("", "not yet marked", "2.0", "graded"),  # two days have begun
        "cy": ("8.0", "graded", "", "missing"),
        "di": ("", "missing", "", "missing"),
        "eve": ("2.0", "graded", "", "not due yet"),
    }
    bob, cy = rows(term)["bob"], rows(term)["cy"]
    assert bob[f"{SECOND} late"] == "1 day 10 h" and bob["first name"] == "'=1+1"
    assert [cy[key] for key in ("points", "possible", "share", "missing")] == ["8.0", "20.0", "0.4", "1"]
    assert not any(THIRD in heading for heading in cy)
    assert "5 students, 2 of 3 problem sets" in said


def test_who_is_at_risk_follows_from_the_rule_which_is_said(term):
    def at_risk(rule):
        said, files = overview(term, rule, NOW)
        page = files[0].read_text(encoding="utf-8")
        assert f"At risk is who has {rule}." in page and str(rule) in said
        assert f"overview --below {rule.below:g} --missing {rule.missing}" in page
        return {who: row["at risk"] for who, row in rows(term).items() if row["at risk"]}

    assert at_risk(Rule()) == {
        "bob": "20% of the points",
        "cy": "40% of the points",
        "di": f"0% of the points; missing: {FIRST}, {SECOND}",
        "eve": "20% of the points",
    }
    assert set(at_risk(Rule(below=30))) == {"bob", "di", "eve"}
    assert at_risk(Rule(below=0, missing=1)) == {
        "cy": f"missing: {SECOND}",
        "di": f"missing: {FIRST}, {SECOND}",
    }


def test_what_could_not_be_graded_is_missing_once_it_is_due(term):
    for name in (FIRST, SECOND):
        shutil.copytree(term / "submitted" / "ada" / FIRST, term / "submitted" / "di" / name)
    overview(term, Rule(), NOW)
    row = rows(term)["di"]  # graded by nobody yet
    assert (row[f"{SECOND} status"], row["possible"], row["at risk"]) == (
        "not graded: run coursegrader grade to see why",
        "0",
        "",
    )
    (term / "prepared" / "di").mkdir(parents=True)
    for name in (FIRST, SECOND):
        kept = {"findings": [], "error": "Its file was cut off."}
        (term / "prepared" / "di" / f"{name}.findings.json").write_text(json.dumps(kept))
    said, _ = overview(term, Rule(), NOW)
    row = rows(term)["di"]
    assert row[f"{SECOND} status"] == "not graded: Its file was cut off."
    assert row["at risk"] == f"0% of the points; missing: {FIRST}, {SECOND}"
    assert "what could not be graded by its due date is missing too" in said
    overview(term, Rule(), datetime(2027, 3, 5))
    assert rows(term)["di"]["at risk"] == "0% of the points", "the second is not due yet"


@pytest.mark.browser
def test_the_page_is_whole_in_itself_and_no_name_is_markup(term, browser):
    _, (file, _) = overview(term, Rule(), NOW)
    page = file.read_text(encoding="utf-8")
    assert "<script" not in page and "X &lt;script&gt; (ada)" in page
    assert f"Still ahead: {THIRD}, due Mon 2027-03-29 02:00 CEST." in page
    # who made one mistake in two sets, and not who made it once, nor what is no mistake of understanding
    assert re.search(
        r"<summary>1</summary>bob</details></td><td>mask after softmax</td>"
        rf"<td>{FIRST}, {SECOND}</td><td>e: Told &lt;in&gt; {SECOND}.</td>",
        page,
    )
    assert "no scale" not in page and "raises" not in page
    tab, asked = browser.new_page(), []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("pageerror", lambda error: asked.append(str(error)))
    tab.goto(file.as_uri())
    assert asked == [file.as_uri()]
    assert tab.locator("svg[role=img]").get_attribute("aria-label") == (
        f"{FIRST}: median 80% of the points, 3 scores; {SECOND}: median 55% of the points, 2 scores"
    )
    assert tab.locator("svg[role=img]").bounding_box()["width"] > 200
    tab.close()


def test_the_command_writes_both_and_a_term_without_anything_is_said(term, tmp_path, attention):
    said = command("coursegrader", "overview", "--missing", 1, cwd=term)
    assert f"wrote {term / 'reports' / 'overview.html'}" in said and "or 1 or more problem sets" in said
    (tmp_path / "new").mkdir()
    empty = make_course(attention, tmp_path / "new")
    said = command("coursegrader", "overview", cwd=empty.root, expect=2)
    assert "there is no term to look at" in said
