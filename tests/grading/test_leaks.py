"""Students never receive a solution, a rubric, a hidden probe or an expected hidden value."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from coursegrader.leaks import find_leaks, secrets_of
from coursegrader.problemset import all_problem_sets

ROOT = Path(__file__).resolve().parents[2]
SETS = {problem_set.name: problem_set for problem_set in all_problem_sets(ROOT)}


@pytest.fixture(scope="module", params=SETS)
def secrets(request):
    return secrets_of(SETS[request.param])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
                   check=True, capture_output=True, cwd=folder)
    return next(folder.glob("*.whl"))


def test_released_notebooks_give_nothing_away(secrets):
    files = [path for path in (ROOT / "notebooks").rglob("*") if path.is_file()]
    assert files
    assert find_leaks(files, secrets) == []
    assert not [path for path in files if "rubric" in path.name]


def test_public_fingerprints_give_nothing_away(secrets):
    files = sorted((ROOT / "lib" / "allyouneed" / "check" / "fingerprints").glob("*.json"))
    assert files
    assert find_leaks(files, secrets) == []


def test_the_wheel_gives_nothing_away(secrets, wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "allyouneed/check/fingerprints/03-attention.json" in names
    assert not [name for name in names if "coursegrader" in name or "rubric" in name or "solutions" in name]
    assert find_leaks([wheel], secrets) == []


def test_the_website_gives_nothing_away(secrets):
    site = ROOT / "_build" / "html"
    assert site.is_dir(), "The website is not built: run make book."
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".md", ".js", ".json", ".txt", ".ipynb", ".inv", ".py")]
    assert files
    assert find_leaks(files, secrets) == []


@pytest.mark.parametrize("kind", ["ipynb", "html", "zip", "json"])
def test_a_planted_secret_is_found(secrets, tmp_path, kind):
    import html
    import json

    for what in ("a line of a solution", "a line of the rubric", "a hidden value"):
        secret = next(text for text, word in secrets.items() if word.startswith(what))
        path = tmp_path / f"planted.{kind}"
        if kind == "ipynb":
            path.write_text(json.dumps({"cells": [{"source": ["x = 1\n", f"    {secret}\n"]}]}), encoding="utf-8")
        elif kind == "html":
            path.write_text("<pre>" + "".join(f"<span>{html.escape(letter)}</span>" for letter in secret) + "</pre>", encoding="utf-8")
        elif kind == "json":
            path.write_text(json.dumps({"exercises": {"x": {"hint": secret}}}), encoding="utf-8")
        else:
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("inside.py", secret)
        assert any(what in leak for leak in find_leaks([path], secrets)), what
