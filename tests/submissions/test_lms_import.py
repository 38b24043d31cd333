"""Whose the files of an export are, and of which problem set: their names have to say it."""

import errno
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.marking.people import numbers_of
from coursegrader.reporting.feedback_zip import _name_in
from coursegrader.submissions.lms_import import _other_set, collect
from coursegrader.submissions.times import _rows
from coursegrader.submissions.whose_file import find_students

NAME = "03-attention"
PEOPLE = [("ana", "Ana", "Abel", "101"), ("cy", "Cy", "Ce", "103"), ("nameless", "", "", "")]
ANA, CY = (f"{name}_assignsubmission_file" for name in ("Ana Abel_1", "Cy Ce_103"))


@pytest.mark.parametrize(
    "name, other",
    [
        ("04-multi-head-1.ipynb", "04-multi-head"),
        ("03-attention-1.ipynb", None),
        ("homework.ipynb", None),
        ("03-attention as 04-multi-head.ipynb", None),
    ],
)
def test_of_a_file_that_cannot_be_read_it_counts_what_it_is_called(attention, name, other):
    assert _other_set(attention, {name: b'{"cells": ['}) == other


@pytest.mark.parametrize(
    "path, student, name",
    [
        (f"cecy_103_5003_AnaAbel_1_assignsubmission_file_{NAME}.ipynb", "cy", None),
        (f"{CY}/{ANA}/{NAME}.ipynb", "cy", f"{NAME}.ipynb"),
        (f"{CY}/abelana_101_5_{NAME}.ipynb", "cy", None),
        (f"{CY}/ana/ana.ipynb", "cy", "ana.ipynb"),
        (f"{CY}_{ANA}_x.ipynb", "cy", None),
        (f"cy/x_101_1_{NAME}.ipynb", "cy", None),
        (f"cy/{ANA}/ana.ipynb", "cy", "ana.ipynb"),
        (f"{CY}/old/timestamp.txt", None, None),
        (f"ghost/ana/{NAME}.ipynb", None, None),
        (f"ghost/{ANA}/{NAME}.ipynb", None, None),
        (f"ghost/abelana_101_5_{NAME}.ipynb", None, None),
        ("_999_1_x.ipynb", None, None),
        ("-_999_assignsubmission_file_x.ipynb", None, None),
        (".", None, None),
    ],
)
def test_what_a_student_can_name_says_not_whose_a_file_is(path, student, name):
    """`name` where it is all of the path's last part."""
    for where in ("", "submissions/"):
        (who, own, late), _ = find_students([where + path, f"{where}ana.ipynb"], PEOPLE)
        assert not late and (who if own else None) == student
        assert own is None or name in (None, own)


@pytest.fixture
def course(tmp_path):
    """A course with three students, of whom nothing has come."""
    (tmp_path / "course" / "solutions" / NAME).mkdir(parents=True)
    (tmp_path / "course" / "nbgrader_config.py").write_text("c = get_config()\n")
    with open_course(tmp_path / "course") as api, api.gradebook as book:
        for who, first, last, number in PEOPLE:
            book.add_student(who, first_name=first, last_name=last, lms_user_id=number)
    return ProblemSet(tmp_path / "course", NAME)


def collected(course, files, damage=None):
    """What became of each file or student of a zip, and what lies in submitted/."""
    path = course.root.parent / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(name, text)
        bad = damage and archive.getinfo(damage)
    if bad:
        data = bytearray(path.read_bytes())
        begin = bad.header_offset + 30 + len(bad.filename)
        data[begin : begin + bad.compress_size] = b"\xff" * bad.compress_size
        path.write_bytes(data)
    results = {item.student: item.problem or item.outcome for item in collect(course, path)}
    kept = (course.root / "submitted").rglob("*.*")
    return results, {item.relative_to(course.root / "submitted").parts[0]: item.read_text() for item in kept}


def test_of_files_of_one_name_the_outermost_counts_and_the_others_are_named(course):
    files = [(f"ana/{NAME}.ipynb", "last"), (f"ana/old/{NAME}.ipynb", "OLD"), (".", "x")]
    results, kept = collected(course, files)
    assert results["ana"] == "new" and kept == {"ana": "last"}
    assert results[f"ana/old/{NAME}.ipynb"] == f"ana has another {NAME}.ipynb further out"


@pytest.mark.parametrize(
    "files, problem",
    [
        ([f"abelana_101_{number}_a.ipynb" for number in (1, 2)], "it holds a.ipynb more than once"),
        ([ANA + "/a.ipynb", "Ana Abel_2_assignsubmission_file/b.ipynb"], "1 and 2 in Moodle have this name"),
    ],
)
def test_files_that_hide_one_another_or_are_of_two_people_are_not_taken(course, files, problem):
    results, kept = collected(course, [(path, "{}") for path in files])
    assert problem in results["ana"] and not kept


def test_a_damaged_file_is_named_and_the_others_are_taken(course):
    files = [(f"{who}/{NAME}.ipynb", f"{who} " * 200) for who in ("ana", "cy")]
    results, kept = collected(course, files, damage=files[0][0])
    assert "it cannot be unpacked" in results["ana"] and results["cy"] == "new" and list(kept) == ["cy"]


@pytest.mark.parametrize(
    "path, canvas, moodle",
    [
        (f"{CY}/{ANA}/{NAME}.ipynb", None, f"Cy Ce_103_assignsubmission_file_/{NAME}.html"),
        (f"cecy_103_5_{ANA}_a.ipynb", f"cecy_103_5_{ANA}_a.ipynb", None),
        (f"{CY}/Participant 1_{ANA}.ipynb", None, f"Cy Ce_103_assignsubmission_file_/{NAME}.html"),
        (f"cy/x_101_1_{NAME}.ipynb", None, None),
    ],
)
def test_feedback_goes_back_to_the_one_who_handed_in(course, path, canvas, moodle):
    collected(course, [(path, "{}"), ("abelana_101_1_a.ipynb", "{}")])
    assert [_name_in(form, course, "cy") for form in ("canvas", "moodle")] == [canvas, moodle]
    assert numbers_of(course, ["cy"])["cy"].startswith("no. ")


def test_a_stray_quotation_mark_hides_no_time(tmp_path):
    (tmp_path / "times.csv").write_text('id,time,note\nana,2027-01-01,"late\ncy,2027-01-02,x"\n')
    with pytest.raises(UserError, match="from line 2 on"):
        _rows(tmp_path / "times.csv")


def hand_out(folder, text):
    (folder / "ana").mkdir(parents=True, exist_ok=True)
    (folder / "ana" / f"{NAME}.ipynb").write_text(text, encoding="utf-8")
    return folder


def test_what_was_collected_before_is_kept_whatever_lies_there(course, tmp_path, monkeypatch):
    """Also where the numbers have a gap, and where what is kept lies on another disk."""
    rename = os.rename

    def on_another_disk(old, new, **how):
        if "originals" in str(new):
            raise OSError(errno.EXDEV, "Invalid cross-device link", str(old), None, str(new))
        rename(old, new, **how)

    export, kept = tmp_path / "export", course.root / "originals" / "ana" / f"{NAME}.earlier"
    for number, ways in enumerate((rename, rename, rename, on_another_disk)):
        monkeypatch.setattr(os, "rename", ways)
        assert [one.problem for one in collect(course, hand_out(export, f"{NAME} {number}"))] == [None]
        if number == 2:
            shutil.rmtree(kept / "1")
    texts = {path.name: (path / f"{NAME}.ipynb").read_text() for path in kept.iterdir()}
    assert texts == {"2": f"{NAME} 1", "3": f"{NAME} 2"}
    folder = course.root / "submitted" / "ana"
    assert (folder / NAME / f"{NAME}.ipynb").read_text() == f"{NAME} 3"
    assert [path.name for path in folder.iterdir()] == [NAME]


def test_one_that_cannot_be_stored_stops_no_other(course, tmp_path):
    export = hand_out(tmp_path / "export", NAME)
    (export / "cy").mkdir()
    (export / "cy" / f"{NAME}.ipynb").write_text(NAME, encoding="utf-8")
    (course.root / "submitted").mkdir()
    (course.root / "submitted" / "ana").write_text("a file where a folder belongs")
    ana, cy = collect(course, export)
    assert ana.problem.startswith("it could not be stored: ") and cy.outcome == "new"


def test_a_folder_that_cannot_be_read_is_not_left_out(course, tmp_path, monkeypatch):
    export, scan = hand_out(tmp_path / "export", NAME), os.scandir

    def scandir(path):
        if Path(path) in (export / "ana", export / ".Trash-ana"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(PermissionError, match="ana"):
        collect(course, export)
    (export / "ana").rename(export / ".Trash-ana")
    assert collect(course, hand_out(export / "cy", NAME))[0].outcome == "new"


def test_what_was_handed_in_before_is_there_again_where_the_new_one_cannot_be(course, tmp_path, monkeypatch):
    export, rename = tmp_path / "export", os.rename
    collect(course, hand_out(export, f"{NAME} 1"))

    def fails(old, new, **how):
        if str(old).endswith(".part"):
            raise OSError(errno.EIO, "Input/output error", str(old))
        rename(old, new, **how)

    monkeypatch.setattr(os, "rename", fails)
    (found,) = collect(course, hand_out(export, f"{NAME} 2"))
    assert "Input/output error" in found.problem
    folder = course.root / "submitted" / "ana"
    assert (folder / NAME / f"{NAME}.ipynb").read_text() == f"{NAME} 1"
    assert [path.name for path in folder.iterdir()] == [NAME]
    monkeypatch.undo()
    assert [one.outcome for one in collect(course, export)] == ["again"]
