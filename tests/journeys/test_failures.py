"""What goes wrong around a term: each trouble is made for real, and what is said has to lead out of it."""

import re
import shutil
import sqlite3
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
from commands import BIN, command
from grading.classroom import make_class, make_course, write_submission
from journeys.hubroom import share_kept
from sandbox.normal_user import may_mount

from coursegrader.course.release import _generate

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("journeys")]
NAME = "03-attention"


@pytest.fixture(scope="module")
def course(attention, tmp_path_factory):
    """A course with one submission, nothing graded."""
    course = make_course(attention, tmp_path_factory.mktemp("failures"))
    _generate(course.root, NAME)
    share_kept(attention, course.root)
    write_submission(
        course.root / "notebooks" / NAME / f"{NAME}.ipynb",
        make_class(attention)[0],
        course.root / "submitted" / "jane" / NAME / f"{NAME}.ipynb",
    )
    return course


@pytest.mark.skipif(not may_mount(), reason="a disk of its own needs root")
def test_a_full_disk_says_so_and_the_same_command_goes_on(course, tmp_path):
    full, grade = tmp_path / "small", f"{BIN}/coursegrader grade {NAME} --workers 1 2>&1"
    full.mkdir()
    script = f"""set -e
mount -t tmpfs -o size=12m none {full}
cp -a {course.root}/. {full}
cd {full}
dd if=/dev/zero of=filler bs=4k 2>/dev/null || true
{grade} || echo "ended with $?"
rm filler
{grade}"""
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", script], capture_output=True, text=True
    )
    before, _, after = done.stdout.partition("ended with")
    assert (
        after and "The disk is full. Make room. Finished work is kept: run the same command again." in before
    ), done.stdout + done.stderr
    assert re.search(r"jane +not graded: The disk is full", before) and re.search(r"jane +34 of 39", after)


def test_a_locked_gradebook_names_who_may_hold_it(course):
    holder = sqlite3.connect(course.root / "gradebook.db")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        said = command("coursegrader", "grade", NAME, "--workers", 1, cwd=course.root, expect=2)
        assert (
            "Another program holds the gradebook, often formgrader or a second run. Close it." in said
            and "Traceback" not in said
        ), said
        said = command("coursegrader", "roster", _roster(course), cwd=course.root, expect=2)
        assert "Another program holds the gradebook" in said and "Traceback" not in said, said
    finally:
        holder.close()


def _roster(course):
    path = course.root.parent / "roster.csv"
    path.write_text("id\njane\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_clock_that_differs_is_told_when_collecting(course, attention, hours):
    """The time of handing in is the student's machine's; when files came, the exchange's own clock says."""
    inbound = course.root.parent / "exchange" / "allyouneed" / "inbound"
    claimed = datetime.now(UTC) + timedelta(hours=hours)
    folder = inbound / f"omar{hours}+{NAME}+{claimed:%Y-%m-%d %H:%M:%S.%f} UTC+x"
    write_submission(
        course.root / "notebooks" / NAME / f"{NAME}.ipynb", make_class(attention)[0], folder / f"{NAME}.ipynb"
    )
    (folder / "timestamp.txt").write_text(f"{claimed:%Y-%m-%d %H:%M:%S.%f} UTC", encoding="utf-8")
    said = command("nbgrader", "collect", NAME, cwd=course.root, errors=True)
    assert (
        f"omar{hours}: it says that it was handed in {claimed:%Y-%m-%d %H:%M} UTC, but its files were "
        "last changed"
    ) in said
    shutil.rmtree(folder)


def test_submissions_of_odd_sizes_and_names_stop_no_other(course, attention):
    inbound, now = course.root.parent / "exchange" / "allyouneed" / "inbound", datetime.now(UTC)
    for name in ("large", "usual"):
        folder = inbound / f"{name}+{NAME}+{now:%Y-%m-%d %H:%M:%S.%f} UTC+x"
        write_submission(
            course.root / "notebooks" / NAME / f"{NAME}.ipynb",
            make_class(attention)[0],
            folder / f"{NAME}.ipynb",
        )
        (folder / "timestamp.txt").write_text(f"{now:%Y-%m-%d %H:%M:%S.%f} UTC", encoding="utf-8")
        if name == "large":
            with (folder / "film.npy").open("wb") as file:
                file.truncate(200 << 20)
    for name in ("usual+03-attention+yesterday+x", f"_x+{NAME}+{now:%Y-%m-%d %H:%M:%S.%f} UTC+x"):
        (inbound / name).mkdir()
    said = command("nbgrader", "collect", NAME, cwd=course.root, errors=True)
    assert said.count("its name is not one that nbgrader gives") == 2 and not (course.root / NAME).exists()
    assert "left out: large+" in said and "larger than 100 MiB" in said
    assert (course.root / "submitted" / "usual" / NAME / f"{NAME}.ipynb").is_file() and not (
        course.root / "submitted" / "large" / NAME
    ).exists()


def test_a_wrong_python_is_named_before_anything_is_installed(root, tmp_path):
    old = tmp_path / "python3"
    old.write_text(
        '#!/bin/sh\ncase "$1" in --version) echo Python 3.9.2;; *) exit 1;; esac\n', encoding="utf-8"
    )
    old.chmod(0o755)
    for name in (
        "Makefile",
        "requirements.lock",
        "requirements-data.lock",
        "pyproject.toml",
        "lib/coursegrader/pyproject.toml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, tmp_path / name)
    done = subprocess.run(["make", "install", f"PYTHON={old}"], cwd=tmp_path, capture_output=True, text=True)
    assert (
        done.returncode
        and "Python 3.11 or newer is needed" in done.stdout
        and "Python 3.9.2" in done.stdout
        and not (tmp_path / ".venv").exists()
    )
