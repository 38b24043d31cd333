"""What a command prints arrives, or harms nobody: in a terminal that lacks letters, in none, in one that has
gone."""

import os
import subprocess
import sys

import pytest
from grading.classroom import make_course

from coursegrader.cli import main, reporting
from coursegrader.course.configuration import open_course

COMMAND = [sys.executable, "-m", "coursegrader.cli"]


PLAIN = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@pytest.fixture
def course(attention, tmp_path):
    root = make_course(attention, tmp_path / "Kürs").root
    with open_course(root) as api, api.gradebook:  # which is made
        return root


def test_a_terminal_without_umlauts_is_told_in_another_way(course):
    done = subprocess.run(
        [*COMMAND, "backup", course.parent / "one.tar.gz"],
        cwd=course,
        env=PLAIN | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "K\\xfcrs/one.tar.gz" in done.stdout and not done.stderr


@pytest.mark.parametrize(
    "line, code", [('"$@" 2>&-', 0), ('"$@" >&-', 0), ('"$@" | true; exit ${PIPESTATUS[0]}', 141)]
)
def test_nobody_has_to_listen(line, code, course):
    for arguments in (["dates"], ["--help"]):
        done = subprocess.run(
            ["bash", "-c", f"exec 3>&2; {line}", "bash", *COMMAND, *arguments],
            cwd=course,
            env=PLAIN,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize(
    "error, said",
    [
        (BrokenPipeError(32, "Broken pipe"), ""),
        (
            OSError(28, "No space left on device"),
            "coursegrader: [Errno 28] No space left on device. The disk is full. Make room. Finished work is "
            "kept: run the same command again. (No space left on device)\n",
        ),
        (OSError(28, "No space left on device. The disk is full. Make room."), "once"),
    ],
)
def test_advice_is_given_once_and_none_where_nobody_reads(error, said, tmp_path, monkeypatch, capfd):
    def fails(options):
        raise error

    (tmp_path / "solutions" / "03-attention").mkdir(parents=True)
    monkeypatch.setattr(reporting, "_overview", fails)
    with pytest.raises(SystemExit) as ended:
        main(["--root", str(tmp_path), "overview"])
    told = capfd.readouterr().err
    assert ended.value.code == (141 if not said else 2)
    assert told == said if said != "once" else told.count("Make room") == 1


@pytest.mark.parametrize(
    "arguments, code, said",
    [(["--help"], 0, "passback"), (["grade"], 2, "NN-name"), (["grades"], 2, "choose from")],
)
def test_help_and_what_is_mistyped_wait_for_no_import(arguments, code, said):
    """nbgrader takes most of a second to import, torch more."""
    look = "import atexit, sys; atexit.register(lambda: print({'nbgrader', 'torch'} & {*sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", f"{look}\nfrom coursegrader.cli import main; main({arguments})"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == code and said in done.stdout + done.stderr
    assert done.stdout.endswith("set()\n"), "it imports what only a command needs"
