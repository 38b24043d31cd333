"""Scores sent to an LMS: only finished ones, each once, and what is said where it does not take them."""

import json
import shutil

import pytest
from commands import command
from grading.classroom import make_course

from coursegrader.course.configuration import VERDICTS, open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.reporting import passback as sending

pytest.importorskip("jwt", reason="PyJWT comes with the hub: make hub")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("passback")]
NAME = "03-attention"


def mark(root, student, points):
    """Points for the written question; None: it waits to be marked."""
    with open_course(root) as api, api.gradebook as book:
        grade = book.find_grade("written-question", NAME, NAME, student)
        grade.manual_score, grade.needs_manual_grade = points, points is None
        book.db.commit()


@pytest.fixture(scope="module")
def made(attention, tmp_path_factory):
    """ada and eve are finished, bob waits for a mark, di handed in nothing, fay never came from the LMS."""
    course = make_course(attention, tmp_path_factory.mktemp("class"))
    with open_course(course.root) as api, api.gradebook as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        book.add_grade_cell("written-question", NAME, NAME, max_score=5, cell_type="markdown")
        for student in ("ada", "bob", "di", "eve", "fay"):
            book.add_student(student)
            if student != "di":
                book.add_submission(NAME, student)
                folder = course.root / "autograded" / student / NAME
                folder.mkdir(parents=True)
                (folder / VERDICTS).write_text("[]")
    for student, points in (("ada", 5), ("bob", None), ("eve", 2.5), ("fay", 4)):
        mark(course.root, student, points)
    return course


@pytest.fixture
def platform():
    from journeys.lms import Platform

    platform = Platform()
    yield platform
    platform.close()


@pytest.fixture
def course(made, platform, tmp_path):
    """A copy of it, what the hub has noted, and the course's key, which somebody has entered in the LMS."""
    shutil.copytree(made.root, tmp_path / "course")
    course = ProblemSet(tmp_path / "course", NAME)
    note(course, platform, lineitems=platform.lineitems)
    said = command("coursegrader", "passback", cwd=course.root)
    pem = said[said.index("-----BEGIN") :].partition("\n\n")[0]
    platform.tool_key = pem
    jwk = json.loads(said.splitlines()[-1])
    assert jwk["kty"] == "RSA" and jwk["alg"] == "RS256" and "d" not in jwk
    assert (course.root / ".coursegrader" / "lti-key.pem").stat().st_mode & 0o077 == 0
    return course


def note(course, platform, **changes):
    noted = {
        "people": {"ada": "number-1", "bob": "number-2", "eve": "number-3"},
        "client": platform.variables["LTI_CLIENT"],
        "token": platform.variables["LTI_TOKEN"],
    }
    (course.root / "launches.json").write_text(json.dumps(noted | changes))


def passback(course, *options, expect=0):
    options = ("--launches", "launches.json", *options)
    return command("coursegrader", "passback", NAME, *options, cwd=course.root, expect=expect)


def test_it_shows_first_and_then_sends_finished_scores_once(course, platform):
    said = passback(course)
    assert "ada" in said and "5 of 5" in said and "2.5 of 5" in said and "To send 2: add --send" in said
    assert "bob                      not sent: not yet marked" in said
    assert "di                       not sent: not handed in" in said
    assert "fay                      not sent: never came to the hub" in said
    assert not platform.scores and not platform.columns
    assert "sent 2" in passback(course, "--send")
    assert platform.scores == [("number-1", 5, 5), ("number-3", 2.5, 5)]
    assert [(column["label"], column["scoreMaximum"]) for column in platform.columns] == [(NAME, 5)]
    said = passback(course, "--send")
    assert "2 sent before, and the same since" in said and "sent 0" in said
    mark(course.root, "bob", 3)
    mark(course.root, "ada", 4)
    assert "sent 2" in passback(course, "--send")
    assert platform.scores[2:] == [("number-1", 4, 5), ("number-2", 3, 5)] and len(platform.columns) == 1


def test_a_run_that_broke_off_goes_on_where_it_was(course, platform):
    platform.full_after = 1
    said = passback(course, "--send", expect=2)
    assert "The LMS refused eve: 400" in said and "1 of 2 scores were sent." in said
    assert "Traceback" not in said
    platform.full_after = 1000
    assert "sent 1" in passback(course, "--send")
    assert platform.scores == [("number-1", 5, 5), ("number-3", 2.5, 5)]


def test_a_column_that_somebody_deleted_is_filled_again(course, platform):
    passback(course, "--send")
    platform.columns[0]["resourceId"] = None  # it is there no more
    assert "has another column 03-attention than before" in passback(course, "--send", expect=2)
    assert "To send 2" in passback(course) and "sent 2" in passback(course, "--send")
    assert platform.scores[2:] == platform.scores[:2] and len(platform.columns) == 2


def test_what_is_missing_is_said(course, platform):
    note(course, platform)
    assert "switch the service on there" in passback(course, expect=2)
    note(course, platform, lineitems=platform.lineitems, token=None)
    assert "started without LTI_TOKEN" in passback(course, expect=2)
    (course.root / "launches.json").unlink()
    assert "when somebody comes from the LMS" in passback(course, expect=2)
    note(course, platform, lineitems=platform.lineitems)
    (course.root / ".coursegrader" / "lti-key.pem").unlink()
    assert "no key that the LMS knows" in passback(course, "--send", expect=2)
    command("coursegrader", "passback", cwd=course.root)  # another key than the one entered
    said = passback(course, "--send", expect=2)
    assert "The LMS refused the course's key: 400" in said and "0 of 2 scores were sent." in said
    platform.close()
    assert "gave no answer for the course's key (ConnectionError)" in passback(course, "--send", expect=2)


def test_an_odd_answer_of_the_lms_is_said_in_a_line(course, monkeypatch):
    for answer in ({"errors": [1]}, [], [{"resourceId": NAME}], [{"resourceId": NAME, "id": 5}], 5):
        monkeypatch.setattr(sending, "_ask", lambda *args, _answer=answer, **options: _answer)
        with pytest.raises(UserError, match="^The LMS at https://lms answered otherwise") as said:
            sending._column("token", "https://lms", NAME, 9.0)
        assert "\n" not in str(said.value)
        with pytest.raises(UserError, match="^The LMS at https://lms answered otherwise"):
            sending._token(course.root, {"client": "c", "token": "https://lms"})
