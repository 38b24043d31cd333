"""Late work: extensions, free days, penalties by rule, and dates that are changed after grading."""

import csv
import json
import shutil
import sqlite3
from datetime import datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from commands import command
from grading.classroom import make_course

from coursegrader.course.configuration import load_config, open_course
from coursegrader.course.dates import moment, read_date
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.lateness import LatePenalty, lateness
from coursegrader.reporting.feedback import settle_lateness
from coursegrader.reporting.lms_export import grades

SAID = "Late by 1 day 11 h 1 min. Points taken for it: 4."
NAME, LATER = "03-attention", "04-later"
ZURICH = ZoneInfo("Europe/Zurich")
DUE = datetime(2027, 3, 1, 22, 59)  # UTC: 23:59 in Zurich
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Last modified (submission)\n"
    'Participant 4720,Jane Doe,jane@x.org,Submitted,"Wednesday, 3 March 2027, 11:00 PM"\n'
    "Participant 4721,Omar El Amin,omar@x.org,No submission,-\n"
)


@pytest.fixture(scope="module")
def course_once(attention, tmp_path_factory):
    """Two sets; of the first, jane and mia have points but nobody a time; omar has handed in nothing."""
    course = make_course(attention, tmp_path_factory.mktemp("late"))
    config = course.root / "nbgrader_config.py"
    config.write_text(
        config.read_text(encoding="utf-8")
        + "c.CourseDates.zone = 'Europe/Zurich'\nc.LatePenalty.penalty_method = 'day'\n"
        "c.LatePenalty.percent, c.LatePenalty.most = 10, 30\n",
        encoding="utf-8",
    )
    with open_course(course.root) as api, api.gradebook as book:
        for who, first, last in (("jane", "Jane", "Doe"), ("omar", "Omar", "El Amin"), ("mia", "Mia", "Sø")):
            book.add_student(who, first_name=first, last_name=last, email=f"{who}@x.org")
        for name, due in ((NAME, DUE), (LATER, datetime(2027, 3, 8, 22, 59))):
            book.add_assignment(name, duedate=due)
            book.add_notebook(name, name)
            book.add_grade_cell("check", name, name, max_score=20, cell_type="code")
            for who in ("jane", "mia"):
                book.add_submission(name, who)
                grade = book.find_grade("check", name, name, who)
                grade.auto_score, grade.needs_manual_grade = 18, False
                (course.root / "submitted" / who / name).mkdir(parents=True)
        book.db.commit()
    return course


@pytest.fixture
def course(course_once, tmp_path):
    shutil.copytree(course_once.root, tmp_path / "course")
    return ProblemSet(tmp_path / "course", NAME)


def handed_in(course, who, when, name=NAME):
    (course.root / "submitted" / who / name / "timestamp.txt").write_text(f"{when} UTC")


def penalties(course, name=NAME):
    with open_course(course.root) as api, api.gradebook as book:
        return {item.student.id: item.late_submission_penalty for item in book.assignment_submissions(name)}


def ask(course, *arguments, **more):
    return command("coursegrader", *arguments, cwd=course.root, **more)


@pytest.mark.parametrize(
    ("method", "seconds", "points"),
    [
        ("none", 9e9, None),
        ("zero", 1, 18),
        ("day", 1, 2),
        ("day", 86400, 2),
        ("day", 86401, 4),
        ("day", 9e9, 10),
        ("hour", 3601, 4),
    ],
)
def test_a_penalty_is_a_share_of_the_points_possible_for_each_hour_or_day_begun(method, seconds, points):
    rule = LatePenalty(penalty_method=method, percent=10, most=50)
    rule.points_possible = 20
    assert rule.late_submission_penalty("jane", 18, seconds) == points


def test_a_time_that_clocks_leave_out_is_refused_and_one_they_repeat_is_the_first():
    with pytest.raises(UserError, match="2027-03-28 02:30 is no time in Europe/Zurich"):
        read_date("2027-03-28 02:30", ZURICH)
    assert read_date("2027-10-31 02:30", ZURICH).tzname() == "CEST"
    assert read_date("2027-03-28", ZURICH).isoformat() == "2027-03-28T23:59:00+02:00"
    assert read_date("2027-03-28 02:30+00:00", ZURICH).hour == 2
    assert moment(datetime(2027, 3, 27), datetime(2027, 1, 1, 2, 30).time(), ZURICH).tzname() == "CET"


@pytest.mark.parametrize("text", ["9999-12-31", "0001-01-01", "0027-03-15 18:00", "9999-12-31 23:59-05:00"])
def test_a_date_at_the_ends_of_the_calendar_is_a_slip(text):
    for zone in (ZURICH, ZoneInfo("America/New_York"), None):
        with pytest.raises(UserError, match="is no date of a course"):
            read_date(text, zone)


@pytest.mark.slow
def test_dates_and_extensions_move_the_penalties_of_what_is_graded(course):
    handed_in(course, "jane", "2027-03-03 10:00:00")  # two days begun
    assert "jane                     03-attention: penalty 0 -> 4" in ask(course, "dates", NAME, "2027-03-01")
    assert penalties(course) == {"jane": 4, "mia": 0}

    said = ask(course, "extend", "jane", NAME, "2027-03-02")
    assert "penalty 4 -> 2 points" in said and "jane has until Tue 2027-03-02 23:59 CET" in said
    assert "03-attention: penalty 2 -> 0 points" in ask(course, "extend", "jane", NAME, "2027-03-03 18:00")
    said = ask(course, "dates")
    assert "03-attention             due Mon 2027-03-01 23:59 CET\n" in said and "Europe/Zurich" in said
    assert "Late work costs 10% of the points possible for each day begun, at most 30%.\n" in said
    assert "  jane                   until Wed 2027-03-03 18:00 CET\n" in said

    # a date for everybody takes no extension away, and an extension is a date, not a number of days
    assert "penalty" not in ask(course, "dates", NAME, "none")
    assert "penalty" not in ask(course, "dates", NAME, "2027-02-01")
    assert "penalty 0 -> 6 points" in ask(course, "extend", "jane", NAME, "none")  # as much as is ever taken
    assert "penalty 6 -> 0 points" in ask(course, "dates", NAME, "none")
    assert "has no due date" in ask(course, "extend", "jane", NAME, "2027-03-03", expect=2)


@pytest.mark.slow
def test_an_extension_before_anything_is_handed_in_makes_no_submission(course):
    assert "omar has until" in ask(course, "extend", "omar", NAME, "2027-03-05")
    assert set(penalties(course)) == {"jane", "mia"}
    with open_course(course.root) as api, api.gradebook as book:
        book.add_submission(NAME, "omar")
    (course.root / "submitted" / "omar" / NAME).mkdir(parents=True)
    handed_in(course, "omar", "2027-03-05 22:59:01")
    ask(course, "dates", NAME, "2027-03-01")
    with open_course(course.root) as api, api.gradebook as book:
        assert book.find_submission(NAME, "omar").total_seconds_late == 1


@pytest.mark.slow
def test_free_days_are_used_in_order_of_due_dates(course):
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("c.LatePenalty.grace_days = 3\n")
    handed_in(course, "jane", "2027-03-03 10:00:00")  # two days
    handed_in(course, "jane", "2027-03-10 10:00:00", LATER)  # two days, of which one is free
    said = ask(course, "dates", NAME, "2027-03-01")
    assert "jane                     04-later: penalty 0 -> 2" in said and "03-attention: pen" not in said
    assert "04-later: penalty 2 -> 0" in ask(course, "extend", "jane", NAME, "2027-03-04")


@pytest.mark.slow
@pytest.mark.parametrize("seconds, late", [(0, 0), (59, 0), (60, 60), (90000, 90000)])
def test_a_due_time_ends_with_the_last_second_of_its_minute(seconds, late):
    about = SimpleNamespace(
        total_seconds_late=seconds, name=NAME, assignment=SimpleNamespace(duedate=datetime(2027, 3, 1))
    )
    assert lateness([about], 0)[NAME].seconds == late


@pytest.mark.slow
def test_moodles_worksheet_says_when_and_an_upload_does_not(course):
    folder = course.root.parent / "moodle"
    for person in ("Jane Doe_1", "Mia Sø_2"):
        (folder / f"{person}_assignsubmission_file").mkdir(parents=True)
        (folder / f"{person}_assignsubmission_file" / "a.ipynb").write_text("{}")
        (folder / f"{person}_assignsubmission_file" / "timestamp.txt").write_text("2001-01-01 00:00:00 UTC")
    table = course.root.parent / "worksheet.csv"
    table.write_text(WORKSHEET, encoding="utf-8")
    said = ask(course, "collect", NAME, folder, "--times", table, expect=1)
    assert said.count("a student cannot say when it was handed in") == 2
    assert "The time of 1 submission is known from worksheet.csv." in said
    kept = course.root / "submitted" / "jane" / NAME / "timestamp.txt"
    assert kept.read_text() == "2027-03-03 22:00:00 UTC\n" and penalties(course) == {"jane": 4, "mia": 0}
    table.write_text("id,time\njane,2027-03-01 23:00\nmia,5 mars 2027\nnobody,2027-03-01 10:00\n")
    said = ask(course, "collect", NAME, folder, "--times", table, expect=1)
    assert "worksheet.csv, line 3: A date is written as 2027-03-15" in said and "'5 mars 2027'" in said
    assert "worksheet.csv, line 4: fits nobody in the roster" in said
    assert penalties(course) == {"jane": 0, "mia": 0}
    (folder / "Jane Doe_1_assignsubmission_file" / "a.ipynb").write_text("{} ")
    said = ask(course, "collect", NAME, folder, expect=1)
    assert "do not count as late: jane. Collect once more, with --times" in said and not kept.exists()
    table.write_text("account,when\njane,2027-03-01\n")
    assert "is no table of times" in ask(course, "collect", NAME, folder, "--times", table, expect=2)


@pytest.mark.slow
def test_an_anonymous_assignment_of_moodle_is_taken_in(course):
    folder, table = course.root.parent / "anonymous", course.root.parent / "worksheet.csv"
    (folder / "Participant_4720_assignsubmission_file").mkdir(parents=True)
    (folder / "Participant_4720_assignsubmission_file" / "a.ipynb").write_text("{}")
    said = ask(course, "collect", NAME, folder, expect=1)
    assert (
        "Moodle hides who Participant 4720 is: enter its grading worksheet with coursegrader roster" in said
    )
    table.write_text(
        'Identifier,Last modified (submission)\nParticipant 4720,"Wednesday, 3 March 2027, 11:00 PM"\n',
        encoding="utf-8",
    )
    ask(course, "roster", table)
    ask(course, "collect", NAME, folder, "--times", table)
    kept = course.root / "submitted" / "participant-4720" / NAME
    assert (kept / "timestamp.txt").read_text() == "2027-03-03 22:00:00 UTC\n"
    assert (kept / "a.ipynb").read_text() == "{}"


@pytest.mark.slow
def test_a_notebook_of_another_set_is_not_taken_in_for_this_one(course):
    folder, own = course.root.parent / "export", course.root / "solutions" / LATER
    (folder / "jane").mkdir(parents=True)
    (own / "rubric").mkdir(parents=True)
    cell = {"metadata": {"nbgrader": {"grade_id": "later-check", "grade": True, "solution": False}}}
    for path in (own / f"{LATER}.ipynb", folder / "jane" / "homework.ipynb"):
        path.write_text(json.dumps({"cells": [cell]}))
    said = ask(course, "collect", NAME, folder, expect=1)
    assert "jane" in said and f"this is {LATER}, not {NAME}: not taken" in said
    shutil.rmtree(own)  # a term without that set
    said = ask(course, "collect", NAME, folder, expect=1)
    assert f"this is another problem set, not {NAME}: not taken" in said
    shutil.copy(course.folder / f"{NAME}.ipynb", folder / "jane" / "homework.ipynb")
    assert "not taken" not in ask(course, "collect", NAME, folder)


@pytest.mark.slow
def test_nobody_is_entered_twice_under_another_account(course):
    roster = course.root.parent / "roster.csv"
    roster.write_text("id,mail,lms_user_id\njane,jane@x.org,77\n", encoding="utf-8")
    ask(course, "roster", roster)
    said = ask(course, "roster", roster, "--account", "mail", expect=2)
    assert "Nobody was entered" in said and "jane@x.org is there as jane" in said


@pytest.mark.slow
def test_a_rule_that_does_not_exist_is_named_in_a_line(course):
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write("c.LatePenalty.penalty_method = 'week'\n")
    said = ask(course, "dates", NAME, "2027-03-02", expect=2)
    assert "nbgrader_config.py cannot be used" in said and "'week'" in said and "Traceback" not in said


@pytest.mark.slow
def test_what_does_not_fit_is_said_and_changes_nothing(course):
    handed_in(course, "jane", "2027-03-03 10:00:00")
    for arguments, problem in (
        (("extend", "jan", NAME, "2027-03-05"), "no student 'jan'. There are: jane, mia, omar."),
        (("extend", "jane", NAME, "2027-02-05"), "due Mon 2027-03-01 23:59 CET for everybody"),
        (("extend", "jane", NAME, "5.3.2027"), "A date is written as 2027-03-15"),
        (("dates", f"{NAME}/", "2027-02-30"), "got '2027-02-30' (day is out of range for month)"),
        (("roster", "none.csv"), "There is no file or folder none.csv."),
        (("dates", NAME, "2027-03-28 02:30"), "is no time in Europe/Zurich"),
        (("dates", "03", "2027-03-28"), "There is no problem set '03'"),
    ):
        assert problem in ask(course, *arguments, expect=2)
    other = sqlite3.connect(course.root / "gradebook.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    roster = course.root.parent / "roster.csv"
    roster.write_text("id,first_name\nnew,New\njane,Other\n", encoding="utf-8")
    for arguments in (
        ("extend", "jane", NAME, "2027-03-02"),
        ("dates", NAME, "2027-03-02"),
        ("roster", roster),
    ):
        said = ask(course, *arguments, expect=2).strip()
        assert "\n" not in said and "Another program holds the gradebook" in said
    other.close()
    assert not (course.root / ".coursegrader" / "extensions.json").exists()
    assert penalties(course) == {"jane": 0, "mia": 0}
    assert "due Mon 2027-03-01 23:59 CET" in ask(course, "dates")
    assert "1 student is new, 1 was there" in ask(course, "roster", roster)


@pytest.mark.slow
def test_the_export_has_the_penalties_of_now(course):
    handed_in(course, "jane", "2027-03-03 10:00:00")
    command("nbgrader", "export", "--to", "grades.csv", cwd=course.root)
    with (course.root / "grades.csv").open(encoding="utf-8") as file:
        rows = [
            row for row in csv.DictReader(file) if (row["assignment"], row["student_id"]) == (NAME, "jane")
        ]
    assert [(row["late_submission_penalty"], row["score"]) for row in rows] == [("4.0", "14.0")]


@pytest.mark.slow
def test_the_student_is_told_what_lateness_costs(course):
    handed_in(course, "jane", "2027-03-03 10:00:00")
    ask(course, "dates", NAME, "2027-03-01")
    told = {grade.student: grade.feedback for grade in grades(course, {})[0]}
    assert told == {"jane": SAID, "mia": "", "omar": "not handed in"}
    with open_course(course.root) as api:
        about = {"student": "jane", "assignment": NAME, "db_url": api.coursedir.db_url}
        assert settle_lateness(load_config(course.root), about) == SAID
