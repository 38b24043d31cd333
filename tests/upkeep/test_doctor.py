"""The doctor: a fit machine has nothing to mend, and what is broken is named, each in its line."""

import os
import sqlite3

import pytest
from commands import command
from grading.classroom import make_course

from coursegrader.course.configuration import open_course
from coursegrader.course.secret import FIXED, make_secret
from coursegrader.upkeep import doctor

pytestmark = pytest.mark.slow


@pytest.fixture
def course(attention, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    root = make_course(attention, tmp_path).root
    make_secret(root)
    with open_course(root) as api, api.gradebook as book:
        book.add_assignment("03-attention")
    return root


def test_a_fit_machine_has_nothing_to_mend(course):
    said = command("coursegrader", "doctor", cwd=course, environment={FIXED: ""})
    assert said.endswith("Nothing to mend.\n") and "MEND" not in said
    assert len(said.splitlines()) == len(doctor.CHECKS) + 1
    assert "ok    kernel       a notebook ran in the jail" in said and "note  time zone" in said


def test_what_is_broken_is_named_and_the_rest_is_looked_at(course):
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("c.CourseDates.zone = 'Mars/Base'\nc.Execute.timeout = 30\n")
    (course.parent / "exchange").chmod(0o755)
    (course / ".coursegrader" / "secret").chmod(0o644)
    os.utime(course / "solutions", (4e9, 4e9))
    rubric = course / "solutions" / "03-attention" / "rubric" / "softmax.py"
    rubric.write_text(rubric.read_text(encoding="utf-8") + "\n# mended\n", encoding="utf-8")
    other = sqlite3.connect(course / "gradebook.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    said = command("coursegrader", "doctor", cwd=course, expect=1, environment={FIXED: ""})
    other.close()
    lines = {line[6:18].strip(): (line[:5].strip(), line[19:]) for line in said.splitlines()[:-1]}
    assert {what for what, (state, _) in lines.items() if state == "MEND"} == {
        "secret",
        "gradebook",
        "exchange",
        "clock",
        "time zone",
    } and said.strip().endswith("5 to mend.")
    assert "chmod 600" in lines["secret"][1] and "Another program holds" in lines["gradebook"][1]
    assert "chmod 1777" in lines["exchange"][1] and "from the future" in lines["clock"][1]
    assert "no time zone 'Mars/Base'" in lines["time zone"][1]
    assert lines["problem sets"][0] == "note" and "the term keeps its own" in lines["problem sets"][1]


def test_packages_the_disk_and_clocks_that_do_not_fit_are_to_be_mended(course, monkeypatch):
    monkeypatch.setattr(doctor, "requires", lambda name: ["nbgrader==0.1", "no-such-package"])
    state, text = doctor._packages(course)
    assert state == doctor.MEND and "is not there" not in text
    assert "and not ==0.1; no-such-package is missing: run make install" in text
    monkeypatch.setattr(doctor, "ROOM", 1e9)
    assert doctor._disk(course)[0] == doctor.MEND
    monkeypatch.setattr(doctor.time, "time", lambda: 0.0)
    assert doctor._clock(course)[0] == doctor.MEND and "NTP" in doctor._clock(course)[1]
