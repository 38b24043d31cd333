"""The gradebook in a real PostgreSQL server: grading, again, and the export."""

import csv
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest
from grading.classroom import make_class, make_course, write_submission
from journeys.servers import free_port

from coursegrader.course.release import _generate
from coursegrader.grading.grade import grade

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgresql")]
NORMAL_USER = next(
    user.pw_uid for name in ("postgres", "nobody") for user in pwd.getpwall() if user.pw_name == name
)
PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin")) + [
    Path(found).parent for found in [shutil.which("postgres")] if found
]


@pytest.fixture
def database(tmp_path_factory):
    """The address of a database on a server of our own."""
    if not PROGRAMS:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    # the short path, for its socket
    folder = Path(tempfile.mkdtemp(prefix="coursegrader-postgresql-", dir="/tmp"))
    user = NORMAL_USER if os.getuid() == 0 else os.getuid()  # PostgreSQL refuses to run as root
    os.chown(folder, user, -1)
    become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if os.getuid() == 0 else []
    port = free_port()

    def call(program, *arguments):
        subprocess.run(
            [*become, str(PROGRAMS[-1] / program), *arguments],
            check=True,
            capture_output=True,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)},
        )

    try:
        call("initdb", "-D", str(folder / "data"), "-U", "grader", "-A", "trust", "--no-sync")
        call(
            "pg_ctl",
            "-D",
            str(folder / "data"),
            "-w",
            "-l",
            str(folder / "log"),
            "-o",
            f"-p {port} -k {folder} -h 127.0.0.1 -c fsync=off",
            "start",
        )
        try:
            with psycopg.connect(
                host="127.0.0.1", port=port, user="grader", dbname="postgres", autocommit=True
            ) as connection:
                connection.execute("CREATE DATABASE gradebook")
            yield f"postgresql+psycopg://grader@127.0.0.1:{port}/gradebook"
        finally:
            call("pg_ctl", "-D", str(folder / "data"), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_a_class_is_graded_into_postgresql(database, fingerprinted, tmp_path):
    course = make_course(fingerprinted, tmp_path)
    with (course.root / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(f"c.CourseDirectory.db_url = {database!r}\n")
    _generate(course.root, course.name)
    students = [
        student
        for student in make_class(fingerprinted)
        if student.name in ("reference", "right3", "wrong1", "untouched")
    ]
    for student in students:
        write_submission(
            course.root / "notebooks" / course.name / f"{course.name}.ipynb",
            student,
            course.root / "submitted" / student.name / course.name / f"{course.name}.ipynb",
        )
    first = {result.student: result for result in grade(course, workers=1)}
    assert {name: first[name].score for name in ("reference", "right3", "untouched")} == {
        "reference": 34,
        "right3": 34,
        "untouched": 0,
    }
    assert all(
        result.skipped and result.score == first[result.student].score for result in grade(course, workers=1)
    )
    assert not (course.root / "gradebook.db").exists()
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    subprocess.run(
        ["nbgrader", "export", "--to", "grades.csv"],
        cwd=course.root,
        check=True,
        capture_output=True,
        env=environment,
    )
    with (course.root / "grades.csv").open(encoding="utf-8") as file:
        exported = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert exported == {name: result.score for name, result in first.items()}
