"""What is kept follows from what it was made of: nothing else makes it anew, and none of that is missed."""

import shutil
from pathlib import Path

import pytest
from grading.classroom import make_course

from coursegrader.course.problem_set import ProblemSet
from coursegrader.rubric import dependencies

PROBLEM_SET = "04-multi-head"
MATTERS = [
    "allyouneed/check/drivers/module.py",
    "allyouneed/check/answers.py",
    "allyouneed/check/drivers/__init__.py",
    "allyouneed/check/wire.py",
    "allyouneed/check/bounded.py",
    "allyouneed/check/compare.py",
    "allyouneed/check/rules.py",
    "allyouneed/check/watched_calls.py",
    "allyouneed/check/worker.py",
    "allyouneed/nn/attention.py",
    "coursegrader/rubric/fingerprints.py",
    "coursegrader/rubric/language.py",
    "coursegrader/rubric/probes.py",
    "coursegrader/rubric/asking_process.py",
]
MATTERS_NOT = [
    "allyouneed/chat.py",
    "allyouneed/models/gpt.py",
    "allyouneed/check/drivers/rotary.py",
    "coursegrader/cli/__init__.py",
    "coursegrader/grading/grade.py",
    "coursegrader/course/problem_set.py",
    "coursegrader/reporting/report.py",
]


@pytest.fixture()
def packages(monkeypatch, tmp_path):
    """A copy of both packages, to which the names of imports lead."""
    for name, folder in dependencies.PACKAGES.items():
        shutil.copytree(
            folder,
            tmp_path / name,
            ignore=lambda _, names: [
                item for item in names if "." in item and not item.endswith((".py", ".pyi"))
            ],
        )
        monkeypatch.setitem(dependencies.PACKAGES, name, tmp_path / name)
    return tmp_path


def edit(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "\n# mended since\n", encoding="utf-8")


def test_a_fingerprint_follows_from_its_driver_the_judge_and_what_they_import_and_from_nothing_else(
    root, packages
):
    problem_set = ProblemSet(root, PROBLEM_SET)
    before = problem_set.origin("public", "MultiHeadAttention")
    for path in MATTERS_NOT:
        edit(packages / path)
        assert problem_set.origin("public", "MultiHeadAttention") == before, path
    for path in MATTERS:
        edit(packages / path)
        now = problem_set.origin("public", "MultiHeadAttention")
        assert now != before, path
        before = now


@pytest.mark.slow
def test_a_fingerprint_follows_from_its_rubric_and_from_the_exercises_that_it_may_call(root, tmp_path):
    course = make_course(ProblemSet(root, PROBLEM_SET), tmp_path)

    def origins():
        fresh = ProblemSet(course.root, course.name)
        return {name: fresh.origin("hidden", name) for name in fresh.exercises}

    def changed(path, old, new):
        before, text = origins(), path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        now = origins()
        path.write_text(text, encoding="utf-8")
        return {name for name in now if now[name] != before[name]}

    rubric, notebook = course.folder / "rubric", course.folder / f"{course.name}.ipynb"
    assert changed(rubric / "expand_kv.py", "exercise = ", "# mended since\nexercise = ") == {"expand_kv"}
    assert changed(notebook, "import math", "import math as _") == set(course.exercises)
    assert "split_heads" not in changed(rubric / "merge_heads.py", "", "") == set()


@pytest.mark.parametrize(
    "text, names",
    [
        ("import os.path, math as m  # and more", {"os.path", "math"}),
        ("from .near import a", {Path("/x/near"), Path("/x/near/a")}),
        ("from ..above import (\n    a,\n    b)\n", {Path("/above"), Path("/above/a"), Path("/above/b")}),
        ("def f():\n    from torch.nn import functional as F\n", {"torch.nn", "torch.nn.functional"}),
        ("x = 'import re\\n'", {"re\\n"}),
    ],
)
def test_imports_are_found_wherever_they_stand(text, names):
    assert dependencies.imports(text, Path("/x")) == names


def test_a_package_of_another_version_is_noticed(monkeypatch):
    before = dependencies.digest_of_imports([("import scipy", None)], [])
    monkeypatch.setattr(dependencies, "_version", lambda name: "another" if name == "scipy" else "")
    assert (
        dependencies.digest_of_imports([("import torch", None)], [])
        != dependencies.digest_of_imports([("import scipy", None)], [])
        != before
    )


def test_a_public_name_of_the_package_leads_to_the_file_that_defines_it(packages):
    def follows_from(code):
        return dependencies.digest_of_imports([(code, None)], [])

    softmax, embed = "from allyouneed import softmax", "from allyouneed import embed"
    before = follows_from(softmax), follows_from(embed)
    edit(packages / "allyouneed" / "nn" / "attention.py")
    assert follows_from(softmax) != before[0] and follows_from(embed) == before[1]
