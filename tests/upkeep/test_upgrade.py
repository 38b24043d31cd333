"""A term that was begun with an older version: its configuration and gradebook hold, what is graded is graded
again, and what a person gave stays."""

import json
from datetime import datetime

import pytest
from commands import command
from grading.classroom import UNTOUCHED, Student, make_course, write_submission

from coursegrader.course.configuration import open_course
from coursegrader.course.kept import private_folder

NAME = "03-attention"
OLDER = """from coursegrader.course import configure
c = get_config()
configure(c)
c.CourseDirectory.course_id = "older"
c.LateSubmissionPlugin.penalty_method = "zero"
"""


@pytest.mark.slow
def test_a_term_goes_on_when_the_software_moves_on(fingerprinted, tmp_path):
    course = make_course(fingerprinted, tmp_path)
    (course.root / "nbgrader_config.py").write_text(OLDER, encoding="utf-8")
    command("coursegrader", "release", NAME, cwd=course.root)
    exercises = course.exercises
    answers = {name: UNTOUCHED for name in exercises} | {"softmax": exercises["softmax"].reference}
    released = course.root / "notebooks" / NAME / f"{NAME}.ipynb"
    for who in ("ana", "ben"):
        place = course.root / "submitted" / who / NAME
        write_submission(released, Student(who, answers), place / f"{NAME}.ipynb")
    (place / "timestamp.txt").write_text("2027-03-02 00:00:00 UTC")
    with open_course(course.root) as api, api.gradebook as book:
        book.update_or_create_assignment(NAME, duedate=datetime(2027, 3, 1))
    command("coursegrader", "grade", NAME, "--workers", 1, cwd=course.root)
    with open_course(course.root) as api, api.gradebook as book:
        book.find_grade("softmax-check", NAME, NAME, "ana").manual_score = 1
        book.db.commit()
        assert book.find_submission(NAME, "ben").late_submission_penalty == 4  # as the older line says

    # what an older version wrote into the ledger: another software, and a key for a time that counted
    for path in (private_folder(course.root) / "graded" / NAME).glob("*.json"):
        entry = json.loads(path.read_text(encoding="utf-8"))
        entry["key"] |= {"software": "older", "submission": "older"}
        path.write_text(json.dumps(entry), encoding="utf-8")
    page = course.root / "autograded" / "ana" / NAME / "verdicts.json"
    verdicts = json.loads(page.read_text(encoding="utf-8"))
    verdicts[0]["points"] = 3
    page.write_text(json.dumps(verdicts), encoding="utf-8")
    said = command("coursegrader", "grade", NAME, "--workers", 1, cwd=course.root)
    assert "unchanged" not in said and "ana                      1 of 39" in said
    # ana's point was given by hand, and stays
    assert "softmax: 1 -> 1 points" in said and "submission and software; the check gives 4 of 4 now" in said
    assert "and 1 by hand stays: look at it" in said
    with open_course(course.root) as api, api.gradebook as book:
        assert book.find_submission(NAME, "ben").late_submission_penalty == 4
    assert "ben: " not in command("coursegrader", "dates", cwd=course.root)
