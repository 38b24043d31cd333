"""Hidden probes follow from a secret of the course, which its owner alone can read and which goes nowhere."""

import json
import shutil
import subprocess
import sys

import pytest

from coursegrader.course.leaks import find_leaks, secrets_of
from coursegrader.course.new_term import begin
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.secret import FIXED, course_secret, make_secret, secret_path
from coursegrader.errors import RubricError, UserError
from coursegrader.rubric.outline import outline
from coursegrader.rubric.questions import questions

NAME = "03-attention"


@pytest.fixture(autouse=True)
def without_the_tests_own_secret(monkeypatch):
    monkeypatch.delenv(FIXED)


@pytest.fixture()
def course(root, tmp_path):
    folder = tmp_path / "course"
    shutil.copytree(
        root / "solutions" / NAME, folder / "solutions" / NAME, ignore=shutil.ignore_patterns("__pycache__")
    )
    make_secret(folder)
    return folder


def hidden_probes(folder):
    return ProblemSet(folder, NAME).outline("hidden", "softmax")["probes"]


@pytest.mark.slow
def test_a_new_course_has_a_secret_of_its_own_that_only_its_owner_can_read(root, tmp_path):
    course, other = (begin(tmp_path / name, root, only=[NAME]).folder for name in ("course", "other"))
    assert (
        secret_path(course).stat().st_mode & 0o777 == 0o600
        and secret_path(course).parent.stat().st_mode & 0o777 == 0o700
    )
    assert len(course_secret(course)) == 64 and course_secret(course) != course_secret(other)
    assert hidden_probes(course) != hidden_probes(other)
    shutil.copyfile(secret_path(course), secret_path(other))
    assert hidden_probes(course) == hidden_probes(
        other
    )  # and so the same verdicts, after a move or from a backup


def test_a_comma_in_a_rubric_moves_no_hidden_probe(course):
    before, path = hidden_probes(course), course / "solutions" / NAME / "rubric" / "softmax.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# a comma, and a word\n", encoding="utf-8")
    assert hidden_probes(course) == before


def test_a_course_without_a_secret_gets_one_and_is_told_so_once(course, capsys):
    secret_path(course).unlink()
    made = course_secret(course)
    assert (
        "had no secret yet" in (told := capsys.readouterr().err)
        and str(secret_path(course)) in told
        and made not in told
    )
    assert course_secret(course) == made and capsys.readouterr().err == ""
    assert secret_path(course).stat().st_mode & 0o777 == 0o600


def test_two_commands_at_once_make_one_secret(course):
    secret_path(course).unlink()
    code = (
        "from pathlib import Path; from coursegrader.course.secret import course_secret; "
        f"print(course_secret(Path({str(course)!r})))"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for _ in range(4)
    ]
    assert len({process.communicate()[0] for process in running}) == 1
    make_secret(course)
    assert [path.name for path in secret_path(course).parent.glob("secret*")] == ["secret"]


@pytest.mark.parametrize(
    "spoil, words",
    [
        (lambda path: path.chmod(0o640), "chmod 600"),
        (lambda path: path.write_text("short"), "damaged"),
        (lambda path: path.write_bytes(b"\xff" * 64), "backup"),
        (lambda path: (path.unlink(), path.mkdir()), "cannot be read"),
    ],
)
def test_a_secret_that_cannot_be_used_is_an_error_that_says_what_to_do(course, spoil, words):
    spoil(secret_path(course))
    with pytest.raises(UserError, match=words):
        course_secret(course)


@pytest.mark.slow
def test_no_released_file_and_no_job_holds_the_secret(course, fingerprinted, tmp_path):
    fingerprinted.hand_on(course)  # the public ones, for this course has a secret of its own
    problem_set, secret = ProblemSet(course, NAME), course_secret(course)
    done = subprocess.run(
        [sys.executable, "-m", "coursegrader.cli", "--root", str(course), "release", NAME],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    private = secret_path(course).parent
    files = [path for path in course.rglob("*") if path.is_file() and private not in path.parents]
    assert course / "notebooks" / NAME / f"{NAME}.ipynb" in files and not [
        path for path in files if secret.encode() in path.read_bytes()
    ]
    assert not [
        path
        for path in private.rglob("*")
        if path.is_file() and path.name != "secret" and secret.encode() in path.read_bytes()
    ]
    assert secret not in json.dumps(
        [questions(asked) for asked in problem_set.hidden().values()]
    )  # which is all that a worker is sent
    planted = tmp_path / "notes.md"
    planted.write_text(f"see {secret}", encoding="utf-8")
    assert "the course's secret" in find_leaks([planted], secrets_of(problem_set))[0]


def easy(first_only):
    """`outline` whose hidden softmax has no large scores: for its first seed alone, or for every one."""
    seen = []

    def made(exercise, variant, seed):
        found = outline(exercise, variant, seed)
        seen.append(seed)
        if seed == seen[0] or not first_only:
            tame = next(probe for probe in found["probes"] if probe["group"] == "values")
            found["probes"] = [
                tame | {"group": probe["group"]} if probe["group"] == "large scores" else probe
                for probe in found["probes"]
            ]
        return found

    return made


@pytest.mark.slow
def test_hidden_numbers_that_hide_a_known_mistake_are_drawn_again(course, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("coursegrader.course.problem_set.outline", easy(first_only=True))
        told = ProblemSet(course, NAME).hidden(["softmax"])["softmax"]
    assert "no-shift" in {entry["id"] for entry in told["wrong"]}
    again = ProblemSet(course, NAME)
    assert again.outline("hidden", "softmax")["probes"] == told["probes"]
    assert again.hidden(["softmax"])["softmax"] == told


@pytest.mark.slow
def test_a_rubric_that_no_numbers_help_is_refused(course, monkeypatch):
    monkeypatch.setattr("coursegrader.course.problem_set.outline", easy(first_only=False))
    with pytest.raises(RubricError, match="no-shift.*answers every probe rightly"):
        ProblemSet(course, NAME).hidden(["softmax"])
