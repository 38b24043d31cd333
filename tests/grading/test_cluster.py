"""Grading on a dask cluster gives the same scores, also when a worker is lost in the middle."""

import os
import signal
import subprocess
import sys
import time

import pytest
from grading.classroom import make_class, make_course, write_submission

from coursegrader.course.release import _generate
from coursegrader.errors import UserError
from coursegrader.grading.grade import grade
from coursegrader.grading.pool import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("cluster")]


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, each a process group of its own; gives the address and the workers."""
    started, address_file = [], tmp_path / "scheduler.json"

    def begin(*command):
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "distributed.cli." + command[0], *command[1:]],
                cwd=tmp_path,
                start_new_session=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        return started[-1]

    begin(
        "dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(address_file),
    )
    while not address_file.exists():
        assert started[0].poll() is None
        time.sleep(0.1)
    workers = [
        begin(
            "dask_worker",
            "--scheduler-file",
            str(address_file),
            "--nthreads",
            "1",
            "--no-dashboard",
            "--local-directory",
            str(tmp_path),
        )
        for _ in range(2)
    ]
    import json

    address = json.loads(address_file.read_text())["address"]
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=1800)
    yield address, workers
    for process in started:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def test_a_lost_worker_loses_nothing_and_scores_are_the_same(cluster, fingerprinted, tmp_path):
    address, workers = cluster
    course = make_course(fingerprinted, tmp_path)
    _generate(course.root, course.name)
    students = make_class(fingerprinted, n_wrong=3)
    students = [
        student
        for student in students
        if student.name in ("reference", "right0", "right1", "wrong0", "wrong1", "wrong2", "untouched")
    ]
    for student in students:
        write_submission(
            course.root / "notebooks" / course.name / f"{course.name}.ipynb",
            student,
            course.root / "submitted" / student.name / course.name / f"{course.name}.ipynb",
        )
    command = [
        sys.executable,
        "-m",
        "coursegrader.cli",
        "--root",
        str(course.root),
        "grade",
        course.name,
        "--scheduler",
        address,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    notes = course.root / ".coursegrader" / "graded" / course.name
    while len(list(notes.glob("*.json"))) < 1:
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.02)
    os.killpg(workers[0].pid, signal.SIGKILL)
    output, _ = process.communicate(timeout=1800)
    assert process.returncode == 0 and f"{len(students)} graded, 0 not graded" in output, output
    far = {result.student: result.score for result in grade(course)}  # kept: nothing has changed
    near = {
        result.student: result.score
        for result in grade(course, force=True, students=["reference", "wrong0", "untouched"], workers=1)
    }
    assert near == {student: far[student] for student in near} and near["reference"] == 34


def test_no_scheduler_or_no_worker_is_said_plainly(monkeypatch):
    monkeypatch.setattr("coursegrader.grading.pool.CONNECT_SECONDS", 1)
    with pytest.raises(UserError, match="There is no scheduler at tcp://127.0.0.1:9: .*dask scheduler"):
        Cluster("tcp://127.0.0.1:9")
