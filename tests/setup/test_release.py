"""What a release hands out, made from a small course that stands in for this one."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPERS = "pyproject.toml", "lib/coursegrader/pyproject.toml", "README.md", "LICENSE", ".gitignore"
CHANGES = "# Changes\n\n## Unreleased\n\n## 9.1.0 (2031-02-03)\n\nMore.\n"
CITATION = """cff-version: 1.2.0
message: "Cite it."
title: "A course"
authors: [{name: "Its authors"}]
version: 9.1.0
date-released: 2031-02-03
"""
pytestmark = pytest.mark.slow


@pytest.fixture
def course(tmp_path):
    """A repository of one module, ready to be released, and the archive of its website."""
    root = tmp_path / "a course"
    for name in ("setup/release_check.py", *PAPERS):
        text = (ROOT / name).read_text(encoding="utf-8")
        write(root, name, re.sub(r'^version = ".*"$', 'version = "9.1.0"', text, flags=re.M))
    write(root, "CHANGELOG.md", CHANGES)
    write(root, "CITATION.cff", CITATION)
    write(root, "lib/allyouneed/__init__.py", "")
    write(root, "lib/allyouneed/check/__init__.py", "")
    write(root, "lib/allyouneed/check/fingerprints/03-attention.json", "{}")
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        for name in ("__main__.py", "site/index.html"):
            archive.writestr(name, "here")
    git(root, "init", "--quiet")
    return root


# a hook of git that runs these tests names the project's own repository
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def write(root, name, text):
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")


def git(root, *arguments):
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ["-c", "user.name=one", "-c", "user.email=one@course.example"]
    subprocess.run(["git", *who, *arguments], cwd=root, env=OUTSIDE | own, check=True)


def release_check(root, commit=True):
    if commit:
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "All")
    command = [sys.executable, root / "setup" / "release_check.py", root.parent / "site.zip"]
    return subprocess.run(command, capture_output=True, text=True, env=OUTSIDE)


def test_a_release_is_made_of_what_is_committed(course):
    done = release_check(course)
    assert not done.returncode, done.stderr
    made = sorted(path.name for path in (course / "dist" / "9.1.0").iterdir())
    assert made == ["all-you-need-9.1.0.zip", "allyouneed-9.1.0-py3-none-any.whl", "allyouneed-9.1.0.tar.gz"]
    assert all(name in done.stdout for name in made) and "Version 9.1.0" in done.stdout
    shutil.rmtree(course / "dist")
    write(course, "lib/allyouneed/more.py", "")
    done = release_check(course, commit=False)
    assert done.returncode and "what is committed" in done.stderr and not (course / "dist").exists()


def test_all_that_stands_in_the_way_is_named(course):
    write(
        course,
        "CHANGELOG.md",
        CHANGES.replace("(2031-02-03)", "(2030-01-01)").replace("Unreleased\n", "Unreleased\n\nNew.\n"),
    )
    write(course, "CITATION.cff", CITATION.replace("9.1.0", "9.0.0").replace('message: "Cite it."\n', ""))
    write(course, "lib/allyouneed/rubric/__init__.py", "")
    write(course, "lib/allyouneed/answers.py", "### BEGIN SOLUTION\n")
    with zipfile.ZipFile(course.parent / "site.zip", "w") as archive:
        archive.writestr("__main__.py", "here")
    done = release_check(course)
    assert done.returncode
    for words in (
        "several versions: 9.0.0 in CITATION.cff, 9.1.0 in pyproject.toml",
        "does not say its message",
        "dates 9.1.0 2030-01-01, and CITATION.cff 2031-02-03",
        "changes under Unreleased",
        "any.whl holds allyouneed/rubric/__init__.py",
        "tar.gz holds",
        "allyouneed/answers.py: a marker",
        "lacks site/index.html",
    ):
        assert words in done.stderr, (words, done.stderr)
