"""Files of a course that were cut off, or edited into something else: a command says so in one line and
leaves them as they are, or goes on without them. Nobody sees a traceback.
"""

import errno
import json
import os
import sqlite3
import stat
from datetime import datetime

import pytest
from grading.classroom import make_course

from coursegrader.cli import main
from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.releases import releases_of
from coursegrader.defence.answers import answers_path, open_answers
from coursegrader.defence.paper import key_path, paper_folder, paper_path, read_key, read_paper
from coursegrader.defence.seats import seats_of
from coursegrader.defence.sheets import printed_folder, read_printing
from coursegrader.errors import UserError
from coursegrader.files import write_whole
from coursegrader.grading.marks import marked_answers
from coursegrader.marking.people import numbers_of
from coursegrader.reporting import passback
from coursegrader.upkeep.backup import restore

NAME = "03-attention"
LAUNCHES = {"lineitems": "http://lms", "token": "http://lms/t", "client": "c", "people": {"ana": "1"}}
VERDICT = {"exercise": "softmax", "points": 4, "misconception": None, "message": "Right."}
COMMANDS = {
    "dates": ("dates",),
    "extend": ("extend", "ana", NAME, "2027-03-20"),
    "roster": ("roster", "roster.csv"),
    "overview": ("overview",),
    "report": ("report", NAME),
    "passback": ("passback", NAME, "--launches", "launches.json"),
    "site": ("site", "https://example.org/"),
    "collect": ("collect", NAME, "downloaded"),
    "backup": ("backup", "../course.tar.gz"),
}
NO_JSON = (b"", b"\xff\xfe{}", b'{"03-at')
NO_OBJECT = (*NO_JSON, b"[]", b"null", b'"text"')


def of(**changes):
    return json.dumps(LAUNCHES | changes).encode()


def config(line):
    return lambda kept: kept + f"\n{line}\n".encode()


def of_another_program(kept):
    database = sqlite3.connect(":memory:")
    database.executescript("create table assignment (x); create table student (y); create table answers (z)")
    return database.serialize()


# A file: commands that read it, what they say, and what may have become of it. All of them are tried with the
# first of these, and the first of them with the others.
REFUSED = {
    "gradebook.db": [
        ("dates extend roster overview report passback collect backup", "is empty", [b""]),
        (
            "dates extend roster overview report passback collect backup",
            "The gradebook is damaged",
            [b"garbage" * 1000, lambda kept: kept[: len(kept) // 2]],
        ),
        ("dates extend overview passback", "not this nbgrader's", [of_another_program]),
    ],
    "nbgrader_config.py": [
        (
            "dates extend roster overview report passback collect backup site",
            "nbgrader_config.py cannot be used",
            [
                b"\xff\xfe" + "c = get_config()".encode("utf-16-le"),
                config("c.Execute.timeout ="),
                config("import nothing_here"),
                config("c.CourseDates = 5"),
                config("c.CourseDates.zone = 5"),
                config("c.SafeFeedback.book_url = 5"),
                config("c.CourseDirectory.db_url = 'nonsense'"),
                config("c.CourseDirectory.db_url = 5"),
            ],
        ),
        (
            "dates extend roster overview passback",
            "nbgrader_config.py cannot be used",
            [config("c.Exchange.root = 5"), config("c.CourseDirectory.db_url = 'mysql://me@db/course'")],
        ),
        (
            "dates extend overview passback",
            "nbgrader_config.py cannot be used",
            [
                config("c.LatePenalty.percent = 'ten'"),
                config("c.AssignLatePenalties.plugin_class = 'no.such'"),
            ],
        ),
        ("dates overview", "no time zone 'Mars/One'", [config("c.CourseDates.zone = 'Mars/One'")]),
        (
            "dates",
            "(unable to open database file)",
            [config("c.CourseDirectory.db_url = 'sqlite:////no/such'")],
        ),
    ],
    ".coursegrader/extensions.json": [
        (
            "dates extend overview report passback",
            "extensions.json is damaged",
            [
                *NO_OBJECT,
                b'{"03-attention": 5}',
                b'{"03-attention": {"ana": 5}}',
                b'{"03-attention": {"ana": "soon"}}',
                b'{"03-attention": {"ana": "9999-12-31"}}',
                b'{"03-attention": {"ana": "2027-03-15T00:00:00+01:00"}}',
            ],
        )
    ],
    "launches.json": [
        (
            "passback",
            "launches.json is damaged",
            [*NO_OBJECT, b"{}", of(people=[1]), of(people=5), of(lineitems=["http://lms"])],
        ),
        ("passback", "does not say where scores go", [of(lineitems=""), of(token=None)]),
    ],
    ".coursegrader/lti-sent.json": [
        (
            "passback",
            "lti-sent.json is damaged",
            [
                *NO_OBJECT,
                b'{"http://lms": 5}',
                b'{"http://lms": {"03-attention": 5}}',
                b'{"http://lms": {"03-attention": {"column": "c", "scores": 5}}}',
            ],
        )
    ],
    f".coursegrader/collected/{NAME}.json": [
        ("collect overview report passback", f"{NAME}.json is damaged", [*NO_OBJECT, b'{"ana": 5}'])
    ],
    f"notebooks/{NAME}/{NAME}.ipynb": [
        ("report", "Make it anew: coursegrader release", [b"", b"[]", b'{"cells": [5], "nbformat": 4}'])
    ],
}
LEFT_ASIDE = {  # what can be made again, or is only more than is needed
    f"autograded/ana/{NAME}/verdicts.json": [
        *NO_OBJECT,
        b"5",
        b"[5]",
        b"[{}]",
        b'[{"exercise": 5}]',
        b'[{"exercise": "softmax", "points": "4"}]',
    ],
    f"prepared/ana/{NAME}.findings.json": [*NO_OBJECT, b"{}", b'{"findings": 5, "error": 7}'],
    f".coursegrader/graded/{NAME}/ana.json": [*NO_OBJECT, b'{"key": 5}'],
    f".coursegrader/releases/{NAME}.json": [
        *NO_OBJECT,
        b'[["graded", "tags"]]',
        b'[{"graded": 5, "tags": 5}]',
    ],
    f"submitted/ana/{NAME}/timestamp.txt": [b"", b"\xff\xfe", b"9999-12-31 23:59:59 UTC"],
}


@pytest.fixture(scope="module")
def root(attention, tmp_path_factory):
    """ana handed in, is graded and marked, cy handed in nothing; each file that the tests break is whole."""
    root = make_course(attention, tmp_path_factory.mktemp("broken")).root
    with open_course(root) as api, api.gradebook as book:
        book.add_assignment(NAME, duedate=datetime(2027, 3, 1))
        book.add_notebook(NAME, NAME)
        book.add_grade_cell("written-question", NAME, NAME, max_score=5, cell_type="markdown")
        for student in ("ana", "cy"):
            book.add_student(student)
        book.add_submission(NAME, "ana")
        grade = book.find_grade("written-question", NAME, NAME, "ana")
        grade.manual_score, grade.needs_manual_grade = 3, False
        book.db.commit()
    released = (attention.root / "notebooks" / NAME / f"{NAME}.ipynb").read_bytes()
    for path, content in {
        f"notebooks/{NAME}/{NAME}.ipynb": released,
        f"submitted/ana/{NAME}/{NAME}.ipynb": released,
        f"downloaded/ana/{NAME}.ipynb": released,
        f"autograded/ana/{NAME}/{NAME}.ipynb": released,
        f"autograded/ana/{NAME}/verdicts.json": json.dumps([VERDICT]).encode(),
        "launches.json": of(),
        "roster.csv": b"id\nana\ncy\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return root


@pytest.fixture
def run(root, capsys, monkeypatch):
    """Run a command of the course here; an error that it does not expect fails the test."""
    monkeypatch.chdir(root)

    def run(name):
        with pytest.raises(SystemExit) as ended:
            main(["--root", str(root), *COMMANDS[name]])
        (root.parent / "course.tar.gz").unlink(missing_ok=True)
        return ended.value.code, capsys.readouterr().err

    return run


@pytest.fixture
def break_(root):
    """Put something else in the place of a file; afterwards the file is as it was."""
    before = {}

    def put(path, content):
        file = root / path
        kept = before.setdefault(file, file.read_bytes() if file.exists() else None)
        file.parent.mkdir(parents=True, exist_ok=True)
        broken = content(kept) if callable(content) else content
        file.write_bytes(broken)
        return broken

    yield put
    for file, kept in before.items():
        file.unlink() if kept is None else file.write_bytes(kept)


def test_while_all_is_whole_no_command_complains(run):
    for name in COMMANDS:
        assert run(name) == (0, ""), name


@pytest.mark.parametrize("path", REFUSED)
def test_a_broken_file_is_refused_in_one_line_and_stays_as_it_is(path, root, run, break_):
    for commands, said, contents in REFUSED[path]:
        for number, content in enumerate(contents):
            broken = break_(path, content)
            for name in commands.split()[: None if number == 0 else 1]:
                code, error = run(name)
                assert code == 2 and said in error, (name, broken[-60:], error)
                assert error.count("\n") == 1 and len(error) < 500, (name, broken[-60:], error)
                if content is not of_another_program:  # which it cannot know before it looks
                    assert (root / path).read_bytes() == broken, (name, broken[-60:])


@pytest.mark.parametrize("path", LEFT_ASIDE)
def test_without_what_can_be_made_again_a_command_goes_on(path, root, run, break_):
    for content in LEFT_ASIDE[path]:
        break_(path, content)
        code, error = run("passback")
        assert code == 0 or "Nothing of 03-attention has been graded" in error, (content, error)
        assert not releases_of(root, NAME).knows("softmax")


def test_numbers_that_stand_for_names_are_not_drawn_anew_because_they_cannot_be_read(root, break_):
    course = ProblemSet(root, NAME)
    for content in (*NO_OBJECT, b'{"ana": "x"}', b'{"ana": null}'):
        break_(".coursegrader/numbers.json", content)
        with pytest.raises(UserError, match="numbers.json is damaged"):
            numbers_of(course, ["ana"])


def test_a_backup_whose_configuration_fails_here_comes_back_all_the_same(
    root, run, break_, tmp_path, monkeypatch
):
    break_("nbgrader_config.py", config("import os\nos.environ['ONLY_THERE']"))
    monkeypatch.setenv("ONLY_THERE", "1")
    with pytest.raises(SystemExit) as ended:
        main(["--root", str(root), "backup", str(tmp_path / "one.tar.gz")])
    assert ended.value.code == 0
    monkeypatch.delenv("ONLY_THERE")
    again = restore(tmp_path / "one.tar.gz", tmp_path / "again")
    assert (again / "gradebook.db").stat().st_size and os.listdir(again) and run("dates")[0] == 2


def test_broken_papers_keys_sheets_seats_and_answers_are_refused(root, break_):
    course = ProblemSet(root, NAME)
    for path, read, contents in (
        (paper_path(course, "ana"), lambda: read_paper(course, "ana"), NO_OBJECT),
        (key_path(course, "ana"), lambda: read_key(course, "ana"), NO_OBJECT),
        (
            printed_folder(course) / "A.json",
            lambda: read_printing(course, "A"),
            (*NO_OBJECT, b'{"sheets": [5]}'),
        ),
        (paper_folder(course) / "seating.csv", lambda: seats_of(course, ["ana"]), (b"\xff\xfe",)),
        (answers_path(course), lambda: open_answers(course), (b"garbage" * 999, of_another_program)),
    ):
        for content in contents:
            break_(path, content)
            with pytest.raises(UserError, match="is damaged|Put it back from a backup"):
                read()


@pytest.mark.parametrize("content", [*NO_OBJECT, b"{}", b'{"cells": [5], "nbformat": 4}'])
def test_a_graded_notebook_that_cannot_be_read_stops_no_grading_anew(content, root, break_):
    place = f"autograded/ana/{NAME}/{NAME}.ipynb"
    break_(place, content)
    with open_course(root) as api, api.gradebook as book:
        assert marked_answers(book, NAME, "ana", root / place) == {}


def test_a_broken_key_is_refused_and_stays(root, break_):
    pytest.importorskip("cryptography", reason="it comes with the hub: make hub")
    for content in (b"", b"\xff\xfe", b"-----BEGIN PRIVATE KEY-----\nMIIE\n", b"-----BEGIN PUBLIC KEY-----"):
        break_(".coursegrader/lti-key.pem", content)
        with pytest.raises(UserError, match="lti-key.pem is damaged: put it back from a backup"):
            passback._private_key(root / ".coursegrader" / "lti-key.pem")


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    write_whole(path, b"at first")
    path.chmod(0o664)
    write_whole(path, b"before")
    assert stat.S_IMODE(path.stat().st_mode) == 0o664

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before" and list(tmp_path.iterdir()) == [path]
