"""Students never receive a solution, a rubric, a hidden probe or an expected hidden value."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from coursegrader.authoring.local_page import page, write_local_page
from coursegrader.course.leaks import LOCAL_PAGE, find_leaks, secrets_of
from coursegrader.course.problem_set import ProblemSet, all_problem_sets

ROOT = Path(__file__).resolve().parents[2]
SETS = {problem_set.name: problem_set for problem_set in all_problem_sets(ROOT)}


# one process asks the right versions of all sets, and looks for all secrets at once
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("leaks")]


@pytest.fixture(scope="module")
def secrets_by_set():
    return {name: secrets_of(problem_set) for name, problem_set in SETS.items()}


@pytest.fixture(scope="module")
def secrets(secrets_by_set):
    return {text: what for found in secrets_by_set.values() for text, what in found.items()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in ("lib", "solutions"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, source],
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_released_notebooks_give_nothing_away(secrets):
    files = [path for path in (ROOT / "notebooks").rglob("*") if path.is_file()]
    files = [path for path in files if ".ipynb_checkpoints" not in path.parts]  # of whoever works there
    assert files
    assert find_leaks(files, secrets) == []
    assert not [path for path in files if "rubric" in path.name]


@pytest.mark.parametrize("name", SETS)
def test_a_terms_course_which_has_no_copy_of_the_library_can_release_it(name, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "solutions" / name, tmp_path / "solutions" / name)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    # the numbers are tried above
    monkeypatch.setattr("coursegrader.course.leaks._right_answers", lambda problem_set: {})
    monkeypatch.setattr(ProblemSet, "public", lambda self: {"exercises": {}})
    assert (
        find_leaks((ROOT / "notebooks" / name).glob("*.ipynb"), secrets_of(ProblemSet(tmp_path, name))) == []
    )


def test_the_wheel_holds_the_public_fingerprints_as_they_are_here(wheel):
    """So that looking into the wheel, below, looks into them too."""
    with zipfile.ZipFile(wheel) as archive:
        for name in SETS:
            path = f"allyouneed/check/fingerprints/{name}.json"
            assert archive.read(path) == (ROOT / "lib" / path).read_bytes(), name


def test_the_wheel_gives_nothing_away(secrets, wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "allyouneed/check/fingerprints/03-attention.json" in names
    assert not [name for name in names if "coursegrader" in name or "rubric" in name or "solutions" in name]
    assert find_leaks([wheel], secrets) == []


@pytest.mark.site
def test_the_website_gives_nothing_away(secrets):
    site = ROOT / "_build" / "html"
    assert site.is_dir(), "The website is not built: run make book."
    files = [
        path
        for path in site.rglob("*")
        if path.suffix in (".html", ".md", ".js", ".json", ".txt", ".ipynb", ".inv", ".py")
    ]
    assert files
    assert find_leaks(files, secrets) == []


def test_a_secret_is_found_wherever_it_begins(tmp_path):
    secrets = {"aline_of_just_24_letters": "a line", "thesecondlineofsecretsislonger": "a line", "short": "a"}
    for before in range(40):
        path = tmp_path / f"{before}.txt"
        path.write_text("x" * before + "".join(secrets) + "x", encoding="utf-8")
        assert find_leaks([path], secrets) == [f"{path}: {word}: {text}" for text, word in secrets.items()]


@pytest.mark.parametrize("kind", ["ipynb", "html", "zip", "json"])
@pytest.mark.parametrize("name", SETS)
def test_a_planted_secret_is_found(secrets_by_set, name, tmp_path, kind):
    import html
    import json

    secrets = secrets_by_set[name]
    for what in ("a line of a solution", "a line of the rubric", "a hidden value"):
        secret = next(text for text, word in secrets.items() if word.startswith(what))
        path = tmp_path / f"planted.{kind}"
        if kind == "ipynb":
            path.write_text(
                json.dumps({"cells": [{"source": ["x = 1\n", f"    {secret}\n"]}]}), encoding="utf-8"
            )
        elif kind == "html":
            path.write_text(
                "<pre>" + "".join(f"<span>{html.escape(letter)}</span>" for letter in secret) + "</pre>",
                encoding="utf-8",
            )
        elif kind == "json":
            path.write_text(json.dumps({"exercises": {"x": {"hint": secret}}}), encoding="utf-8")
        else:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("inside.py", secret)
        assert any(what in leak for leak in find_leaks([path], secrets)), what


def test_the_instructors_page_lies_where_only_its_owner_looks(tmp_path):
    problem_set = SETS["03-attention"]
    course = ProblemSet(tmp_path, problem_set.name)
    course.__dict__["exercises"] = problem_set.exercises
    path = write_local_page(course, [])
    assert path == tmp_path / ".coursegrader" / "certified" / "03-attention.html"
    assert (
        path.stat().st_mode & 0o777 == 0o600 and (tmp_path / ".coursegrader").stat().st_mode & 0o777 == 0o700
    )
    shutil.copy(ROOT / ".gitignore", tmp_path)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert subprocess.run(["git", "check-ignore", "-q", path], cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("kind", ["html", "zip"])
def test_the_instructors_page_is_found_wherever_it_turns_up(tmp_path, kind):
    """Site, wheel, release, feedback are searched for the same secrets: the page's title, its code."""
    problem_set = SETS["03-attention"]
    text, path = page(problem_set, []), tmp_path / f"planted.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("inside.html", text)
    else:
        path.write_text(text, encoding="utf-8")
    secrets = secrets_of(problem_set)
    leaks = find_leaks([path], secrets)
    assert any("a marker of an unreleased part" in leak for leak in leaks)
    assert any("a line of the rubric of causal_mask" in leak for leak in leaks)
    without_title = tmp_path / "without_title.html"
    without_title.write_text(text.replace(LOCAL_PAGE, ""), encoding="utf-8")
    assert find_leaks([without_title], secrets)
