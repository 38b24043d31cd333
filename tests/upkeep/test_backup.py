"""A course folder that is lost comes back from its backup: secret, gradebook, submissions, rights."""

import hashlib
import os
import random
import shutil
import signal
import sqlite3
import stat
import tarfile

import pytest
from commands import command
from grading.classroom import make_course

from coursegrader.cli import main
from coursegrader.course.configuration import open_course
from coursegrader.course.secret import make_secret
from coursegrader.errors import UserError
from coursegrader.upkeep import backup as module
from coursegrader.upkeep.backup import backup, restore

NAME = "03-attention"


@pytest.fixture(scope="module")
def course(attention, tmp_path_factory):
    """A course in the middle of a term, with a link and a closed file among what was handed in."""
    root = make_course(attention, tmp_path_factory.mktemp("kept")).root
    make_secret(root)
    with open_course(root) as api, api.gradebook as book:
        book.add_student("jane")
        book.add_assignment(NAME)
    for path in (
        f"submitted/jane/{NAME}/{NAME}.ipynb",
        f"notebooks/{NAME}/{NAME}.ipynb",
        f".coursegrader/releases/{NAME}.json",
        f"reports/{NAME}/moved.csv",
        "solutions/__pycache__/x.pyc",
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, encoding="utf-8")
    (root / f"submitted/jane/{NAME}/{NAME}.ipynb").chmod(0o640)
    (root / f"submitted/jane/{NAME}/link").symlink_to("/etc/passwd")
    (root / f"submitted/jane/{NAME}").chmod(0o2770)
    os.utime(root / f"submitted/jane/{NAME}", (1, 1))
    return root


def everything(root):
    """Each file's rights, time and content, below a course folder."""
    return {
        str(path.relative_to(root)): (
            oct(stat.S_IMODE(path.lstat().st_mode)),
            None if path.is_symlink() else int(path.lstat().st_mtime),
            os.readlink(path)
            if path.is_symlink()
            else hashlib.sha256(path.read_bytes()).hexdigest()
            if path.is_file()
            else None,
        )
        for path in (root, *sorted(root.rglob("*")))
        if "__pycache__" not in path.parts and path.name != "gradebook.db"
    }


@pytest.mark.slow
def test_a_lost_course_comes_back_as_it_was(course, tmp_path):
    root = shutil.copytree(course, tmp_path / "spring", symlinks=True)
    root.chmod(0o750)
    before = everything(root)
    assert f"submitted/jane/{NAME}/link" in before and ".coursegrader/secret" in before
    said = command("coursegrader", "backup", cwd=root)
    file = next(tmp_path.glob("spring-*.tar.gz"))
    assert f"The course is in {file}" in said and stat.S_IMODE(file.stat().st_mode) == 0o600
    shutil.rmtree(root)
    assert "coursegrader doctor" in command("coursegrader", "restore", file, root, cwd=tmp_path)
    assert everything(root) == before
    with open_course(root) as api, api.gradebook as book:
        assert [student.id for student in book.students] == ["jane"] and book.find_assignment(NAME)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([file.name, "spring"])


@pytest.mark.slow
def test_nothing_that_exists_is_overwritten_and_nothing_half_is_left(course, tmp_path):
    file = tmp_path / "one.tar.gz"
    assert backup(course, file) == []
    kept = file.read_bytes()
    there = tmp_path / "there"
    there.mkdir()
    (tmp_path / "cut.tar.gz").write_bytes(kept[:-2000])
    (tmp_path / "text.tar.gz").write_text("no archive")
    with tarfile.open(tmp_path / "other.tar.gz", "w:gz") as archive:
        archive.add(course / "solutions", "course/solutions")
    with tarfile.open(tmp_path / "outside.tar.gz", "w:gz") as archive:
        archive.add(course / "nbgrader_config.py", "../outside.py")
    for arguments, problem in (
        (("--root", course, "backup", file), "is not overwritten"),
        (("--root", course, "backup", course / "in.tar.gz"), "would be lost with the course folder"),
        (("restore", file, there), "is not overwritten"),
        (("restore", tmp_path / "cut.tar.gz", tmp_path / "new"), "is no whole backup"),
        (("restore", tmp_path / "text.tar.gz", tmp_path / "new"), "is no whole backup"),
        (("restore", tmp_path / "other.tar.gz", tmp_path / "new"), "is no backup that coursegrader"),
        (("restore", tmp_path / "outside.tar.gz", tmp_path / "new"), "is no whole backup"),
        (("restore", tmp_path / "none.tar.gz", tmp_path / "new"), "There is no file or folder"),
    ):
        said = command("coursegrader", *arguments, cwd=tmp_path, expect=2).strip()
        assert problem in said and "\n" not in said, said
    assert file.read_bytes() == kept and not list(there.iterdir())
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{name}.tar.gz" for name in ("one", "cut", "text", "other", "outside")
    } | {"there"}


@pytest.mark.slow
def test_a_gradebook_in_use_is_kept_as_it_is_at_one_moment(course, tmp_path):
    root = shutil.copytree(course, tmp_path / "spring", symlinks=True)
    writing = sqlite3.connect(root / "gradebook.db", isolation_level=None)
    writing.execute("BEGIN IMMEDIATE")
    writing.execute("DELETE FROM assignment")
    backup(root, tmp_path / "one.tar.gz")
    writing.close()
    assert [
        path.name for path in restore(tmp_path / "one.tar.gz", tmp_path / "again").glob("gradebook*")
    ] == ["gradebook.db"]
    with open_course(tmp_path / "again") as api, api.gradebook as book:
        assert book.find_assignment(NAME)


def test_a_backup_with_a_damaged_file_is_refused(tmp_path):
    (tmp_path / "noise").write_bytes(random.Random(0).randbytes(100_000))
    with tarfile.open(tmp_path / "one.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "noise", "course/noise")
    data = bytearray((tmp_path / "one.tar.gz").read_bytes())
    data[50_000:90_000] = b"\xff" * 40_000
    (tmp_path / "one.tar.gz").write_bytes(data)
    with pytest.raises(UserError, match="is no whole backup"):
        restore(tmp_path / "one.tar.gz", tmp_path / "new")
    assert {path.name for path in tmp_path.iterdir()} == {"noise", "one.tar.gz"}


def test_a_gradebook_elsewhere_is_said_to_be_left_out(course, tmp_path):
    root = shutil.copytree(course, tmp_path / "spring", symlinks=True)
    with (root / "nbgrader_config.py").open("a") as config:
        config.write('c.CourseDirectory.db_url = "postgresql+psycopg://me@db/course"\n')
    os.mkfifo(root / "submitted" / "pipe")
    left = backup(root, tmp_path / "one.tar.gz")
    assert left == [
        "the gradebook, which is in a database of its own: back it up with the database's means",
        "submitted/pipe, which is no file",
    ]
    assert module._is_whole(root / "gradebook.db") and not module._is_whole(root / "nbgrader_config.py")


def test_what_is_behind_a_link_of_the_course_is_said_to_be_left_out(course, tmp_path):
    root, elsewhere = shutil.copytree(course, tmp_path / "spring", symlinks=True), tmp_path / "disk"
    (root / "submitted").rename(elsewhere)
    (root / "submitted").symlink_to(elsewhere)
    for name, target in (("inside", root / "solutions"), ("loop", "loop"), ("itself", ".")):
        (root / name).symlink_to(target)
    (root / "feedback").mkdir()
    (root / "feedback" / "jane").symlink_to("/nowhere")
    assert sorted(backup(root, tmp_path / "one.tar.gz")) == [
        "what is behind feedback/jane, a link to /nowhere",
        f"what is behind submitted, a link to {elsewhere}",
    ]
    shutil.rmtree(elsewhere)  # the doctor looks at links themselves
    assert "ok    clock" in command("coursegrader", "doctor", cwd=root)


@pytest.mark.slow
def test_a_gradebook_that_another_program_holds_is_said_to_be_held(course, tmp_path):
    with sqlite3.connect(course / "gradebook.db") as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="database is locked"):
            backup(course, tmp_path / "one.tar.gz")
        other.rollback()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a?b", "[7]", "a*", "a%20b"])
def test_no_course_lies_where_nbgrader_would_read_a_pattern(name, course, tmp_path):
    backup(course, tmp_path / "one.tar.gz")
    moved = shutil.copytree(course, tmp_path / name, symlinks=True)
    for arguments in (
        ("restore", tmp_path / "one.tar.gz", tmp_path / "new" / name),
        ("--root", course, "init", tmp_path / "new" / name, "--course-id", "new"),
        ("--root", moved, "dates"),
    ):
        said = command("coursegrader", *arguments, cwd=tmp_path, expect=2).strip()
        assert "cannot be a course folder" in said and "\n" not in said
    assert not (tmp_path / "new").exists()


def test_a_backup_that_is_ended_leaves_nothing(course, tmp_path, monkeypatch):
    def ended(*_):
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(module, "_add_gradebook", ended)
    with pytest.raises(SystemExit, match="143"):
        main(["--root", str(course), "backup", str(tmp_path / "one.tar.gz")])
    assert signal.getsignal(signal.SIGTERM) is before
    assert not list(tmp_path.iterdir())
