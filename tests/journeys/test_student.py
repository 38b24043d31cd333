"""The student's journeys: in JupyterLab with nbgrader's exchange, with a file and the library's wheel alone,
and when something is in the way."""

import getpass
import os
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path

import nbformat
import pytest
from commands import command
from grading.classroom import Student, write_submission
from journeys.servers import (
    WAIT,
    Notebook,
    choose,
    free_port,
    jupyter_environment,
    nbgrader_menu,
    open_lab,
    picture,
    run_all,
    running,
)

from coursegrader.course.configuration import open_course
from coursegrader.course.new_term import begin
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.public_file import public_path
from coursegrader.submissions.lms_import import collect

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("journeys")]
NAME = "03-attention"
NO_SHIFT = "Large scores overflow"
PLOT = (
    'scores = torch.tensor([0.0, 0.6931, 1.0986])\nplt.bar(["a", "b", "c"], softmax(scores, '
    'dim=0))\nplt.ylabel("weight")\nplt.show()'
)


@pytest.fixture(scope="module")
def course(root, tmp_path_factory):
    """A course of one problem set, in an exchange; its students are this system user and two mere names."""
    place = tmp_path_factory.mktemp("course")
    (place / "roster.csv").write_text(
        f"id,first_name\n{getpass.getuser()},Sam\njane,Jane\nomar,Omar\n", encoding="utf-8"
    )
    (place / "exchange").mkdir()
    (place / "exchange").chmod(0o777)
    begin(place / "autumn", root, only=[NAME], roster=place / "roster.csv", exchange=place / "exchange")
    course = ProblemSet(place / "autumn", NAME)
    nbgrader(course, "generate_assignment")
    # what `coursegrader release` would compute once more
    shutil.copy(public_path(ProblemSet(root, NAME)), public_path(course))
    nbgrader(course, "release_assignment")
    return course


def nbgrader(course, step):
    """A step of nbgrader's, as its command of the same name takes it."""
    with open_course(course.root) as api:
        result = getattr(api, step)(NAME)
    assert result["success"], result


def wrong_version(problem_set, exercise, mistake):
    return next(
        version for version in problem_set.exercises[exercise].wrong_versions if version.mistake == mistake
    )


def make_lab(root, folder, port, person, log):
    """`make lab` as a student types it, in another folder than the course's own notebooks."""
    arguments = [
        "make",
        "--no-print-directory",
        "-C",
        root,
        "--old-file",
        ".venv/.ready",
        f"BIN={Path(sys.executable).parent}",
        "lab",
        f"DIR={folder}",
        f"PORT={port}",
    ]
    return running(arguments, log, environment=person)


@pytest.mark.browser
def test_a_student_in_jupyterlab(root, course, page, attention, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    person = jupyter_environment(
        tmp_path / "jupyter",
        (f"c.Exchange.root = {str(course.root.parent / 'exchange')!r}\nc.Execute.timeout = 300\n"),
    )
    with make_lab(root, work, free_port(), person, tmp_path / "lab.log") as server:
        elsewhere = open_lab(page, server)

        # the menu offers what students need, and nothing of the instructors'
        assert nbgrader_menu(page) == ["Assignment List"]
        picture(page, "1-menu")
        assert server.status("formgrader") == 404 and server.status("assignments?course_id=autumn") == 200
        assert page.locator("[data-id='nbgrader-create_assignemnt']").count() == 0

        # fetch, and open the notebook
        choose(page, "Assignment List")
        page.locator("#released_assignments_list button", has_text="Fetch").click()
        page.locator("#fetched_assignments_list a.assignment-notebooks-link", has_text=NAME).click()
        picture(page, "2-fetched")
        file = work / NAME / f"{NAME}.ipynb"
        page.locator("#fetched_assignments_list .nested_list_item a", has_text=NAME).click()
        notebook = Notebook(page, file)
        notebook.run("setup")

        # a wrong answer, and what the check says to it
        notebook.write("softmax", wrong_version(attention, "softmax", "no-shift").source)
        notebook.run("softmax")
        said = notebook.run("softmax-check")
        assert (
            said.startswith(f"✗ {NO_SHIFT}")
            and "book/03-attention.html#softmax-stable" in said
            and "Traceback" not in said
        ), said
        link = notebook.cell("softmax-check").locator(".jp-OutputArea-output a")
        assert link.first.get_attribute("href").endswith("book/03-attention.html#softmax-stable")
        picture(page, "3-wrong")

        # a loop without an end: the check ends it, and the kernel goes on as it was
        notebook.write(
            "softmax",
            "def softmax(x, dim):\n    with torch.no_grad():\n        while True:\n            x.exp()",
        )
        notebook.run("softmax")
        said = notebook.run("softmax-check")
        assert said.startswith("✗ softmax did not end within 2 seconds"), said
        picture(page, "3-stopped")

        # a folded hint
        hint = notebook.cell("softmax-text").locator("details", has_text="I get nan or inf")
        assert not hint.get_by_text("Try 88 and 89 in float32").is_visible()
        hint.locator("summary").click()
        hint.get_by_text("Try 88 and 89 in float32").wait_for()
        picture(page, "4-hint")

        # the right answer, and a plot of it
        notebook.write("softmax", attention.exercises["softmax"].reference.source)
        notebook.run("softmax")
        assert re.fullmatch(r"✓ softmax is right on all \d+ probes\.", notebook.run("softmax-check").strip())
        notebook.write("softmax-try", PLOT)
        notebook.run("softmax-try")
        assert (
            notebook.cell("softmax-try")
            .locator(".jp-OutputArea-output img")
            .evaluate("async image => { await image.decode(); return image.naturalWidth }")
            > 200
        )
        picture(page, "5-right")

        # all cells in one go: what is not written yet stops nothing below it
        run_all(page)
        notebook.wait_for_output("is-permutation-equivariant-check")
        notebook.wait_for_output("real-model-it")
        notebook.wait_for_kernel()
        checks = {name: notebook.output(name) for name in notebook.ids if name.endswith("-check")}
        assert checks.pop("softmax-check").startswith("✓ softmax is right")
        assert len(checks) == 7 and all("is not written yet" in said for said in checks.values()), checks
        tried = [notebook.output(name) for name in notebook.ids if name.endswith("-try")]
        assert not any("Traceback" in said for said in (*checks.values(), *tried)), (checks, tried)
        picture(page, "5-run-all")

        # nbgrader's button saves, runs everything afresh, and names what is not right yet
        notebook.panel.locator(".validate-button").get_by_text("Validate", exact=True).click()
        results = page.locator(".jp-Dialog", has_text="Validation Results")
        results.wait_for(timeout=3 * WAIT)
        picture(page, "6-validate")
        failed = results.inner_text()
        assert 'check("causal_mask"' in failed and 'check("softmax"' not in failed, failed
        results.locator("button", has_text="Ok").click()
        notebook.save()

        # hand in
        page.locator(".lm-TabBar-tab", has_text="Assignments").click()
        page.locator("#fetched_assignments_list button", has_text="Submit").click()
        page.locator("#submitted_assignments_list .nested_list_item").wait_for()
        picture(page, "7-submitted")

        # meanwhile, the instructor
        nbgrader(course, "collect")
        said = command(
            "coursegrader", "grade", NAME, "--workers", 1, "--student", getpass.getuser(), cwd=course.root
        )
        assert re.search(rf"{getpass.getuser()} +4 of 39", said), said
        nbgrader(course, "generate_feedback")
        nbgrader(course, "release_feedback")

        # fetch the feedback, and read it
        page.locator("#refresh_assignments_list").click()
        page.get_by_text("(feedback available to fetch)").wait_for()
        page.locator("#submitted_assignments_list button", has_text="Fetch Feedback").click()
        page.locator("#submitted_assignments_list a", has_text="(view feedback)").click()
        page.locator(".jp-DirListing-item", has_text=f"{NAME}.html").dblclick()
        feedback = page.frame_locator(".jp-HTMLViewer iframe")
        feedback.locator("body").get_by_text("softmax: every check passed").first.wait_for()
        picture(page, "8-feedback")
        text = feedback.locator("body").inner_text()
        assert re.search(r"4 of 39 points", text) and "causal_mask is not written yet" in text, text[:3000]
        assert not elsewhere, elsewhere


# ---- without a server

OFFLINE = """import fcntl, os, socket, struct, sys
with socket.socket() as any_socket:
    # the kernel talks to Jupyter over the loopback device
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH22x", b"lo", 0x41))
os.execv(sys.argv[1], sys.argv[1:])"""


def without_network() -> list[str]:
    """What to put before a command so that its only network is its own loopback; nothing where refused."""
    before = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") and subprocess.run([*before, "true"], capture_output=True).returncode == 0:
        return [*before, sys.executable, "-c", OFFLINE]
    print("This system gives no network namespace: the notebook runs with the network on.")
    return []


@pytest.fixture(scope="module")
def students_python(root, tmp_path_factory):
    """The Python of a student who has the wheel and the packages it needs, but nothing of this folder."""
    place = tmp_path_factory.mktemp("student")
    source = place / "source"
    source.mkdir()
    for name in ("Makefile", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, source / name)
    # the grader too: it must not get in
    shutil.copytree(root / "lib", source / "lib", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    said = command(
        "make", "--old-file", ".venv/.ready", f"BIN={Path(sys.executable).parent}", "wheel", cwd=source
    )
    wheel = next((source / "dist").glob("allyouneed-*.whl"))
    assert f"dist/{wheel.name}" in said
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "venv"], check=True)
    packages = next((place / "venv" / "lib").glob("python*")) / "site-packages"
    # the .pth files in there are not followed
    (packages / "others.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--target",
            packages,
            wheel,
        ],
        check=True,
    )
    shutil.rmtree(source)
    python = place / "venv" / "bin" / "python"
    where = command(python, "-c", "import allyouneed; print(allyouneed.__file__)", cwd=place)
    assert Path(where.strip()).is_relative_to(packages)
    assert "No module named 'coursegrader'" in command(
        python, "-c", "import coursegrader", cwd=place, expect=1
    )
    return python


def test_a_student_with_one_file_and_the_wheel(course, students_python, attention, tmp_path):
    # the notebook alone, without what lies beside it in the course
    file = tmp_path / f"{NAME}.ipynb"
    written = {
        "softmax": wrong_version(attention, "softmax", "no-shift"),
        "causal_mask": attention.exercises["causal_mask"].reference,
    }
    write_submission(course.root / "notebooks" / NAME / file.name, Student("jane", written), file)
    environment = jupyter_environment(tmp_path / "jupyter") | {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [
            *without_network(),
            students_python,
            "-m",
            "nbconvert",
            "--to",
            "notebook",
            "--execute",
            "--allow-errors",
            "--inplace",
            file.name,
        ],
        cwd=tmp_path,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    said = {
        cell.id: "\n".join(
            output.get("text") or "\n".join(output.get("traceback", [])) for output in cell.outputs
        )
        for cell in nbformat.read(file, as_version=4).cells
        if cell.cell_type == "code"
    }
    assert said["softmax-check"].startswith(f"✗ {NO_SHIFT}") and said["causal-mask-check"].startswith(
        "✓ causal_mask is right"
    ), said
    assert said["padding-mask-check"].startswith("✗ padding_mask is not written yet"), said[
        "padding-mask-check"
    ]

    # handed in as a file, and, for comparison, as nbgrader collects it from the exchange
    (tmp_path / "download").mkdir()
    shutil.copy(file, tmp_path / "download" / "jane.ipynb")
    (course.root / "submitted" / "omar" / NAME).mkdir(parents=True)
    shutil.copy(file, course.root / "submitted" / "omar" / NAME)
    assert [(one.student, one.outcome) for one in collect(course, tmp_path / "download")] == [("jane", "new")]
    said = command(
        "coursegrader",
        "grade",
        NAME,
        "--workers",
        1,
        "--student",
        "jane",
        "--student",
        "omar",
        cwd=course.root,
    )
    assert re.search(r"jane +6 of 39", said) and re.search(r"omar +6 of 39", said), said
    with open_course(course.root) as api, api.gradebook as gradebook:
        points = {
            grade.name: grade.score for grade in gradebook.find_submission_notebook(NAME, NAME, "jane").grades
        }
    assert points["softmax-check"] == 3 and points["causal-mask-check"] == 3


# ---- when something is in the way


def test_lab_takes_another_port_if_its_own_is_taken(root, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with make_lab(
            root, tmp_path, port, jupyter_environment(tmp_path / "jupyter"), tmp_path / "lab.log"
        ) as server:
            assert f"The port {port} is already in use, trying another port." in server.log.read_text(
                encoding="utf-8"
            )
            assert f":{port}/" not in server.url and server.status("api/status") == 200


@pytest.fixture
def elsewhere(root, tmp_path):
    """A folder that has the Makefile, and nothing installed."""
    shutil.copy(root / "Makefile", tmp_path / "Makefile")
    for name in (
        "requirements.lock",
        "requirements-data.lock",
        "pyproject.toml",
        "lib/coursegrader/pyproject.toml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    return tmp_path


def test_an_installation_that_no_longer_works_is_named(elsewhere):
    (elsewhere / ".venv" / "bin").mkdir(parents=True)
    (elsewhere / ".venv" / "bin" / "python").symlink_to(elsewhere / "gone")
    (elsewhere / ".venv" / ".ready").touch()
    assert "Make it anew: rm -r .venv; make install" in command("make", "lab", cwd=elsewhere, expect=2)


def test_serve_says_that_its_port_is_taken(elsewhere):
    (elsewhere / "_build" / "html").mkdir(parents=True)
    (elsewhere / "_build" / "html" / "index.html").touch()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = command(
            "make", "serve", f"PORT={port}", f"BIN={Path(sys.executable).parent}", cwd=elsewhere, expect=2
        )
        assert f"Port {port} is taken by another program. Name another one: make serve PORT=8001" in said
