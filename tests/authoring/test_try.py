"""`coursegrader try`: one JSON line a file, in order, whatever the file does; clear errors for bad input."""

import json
import subprocess
from pathlib import Path

import nbformat
import pytest
from commands import BIN, run
from grading.classroom import make_course

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
GOOD = (
    "def softmax(x, dim):\n    e = (x - x.amax(dim, keepdim=True)).exp()\n    return e / e.sum(dim, "
    "keepdim=True)\n"
)
FILES = {
    "good": (GOOD, None),
    "empty": ("", "no-answer"),
    "stub": ("def softmax(x, dim):\n    raise NotImplementedError\n", "not-implemented"),
    "none": ("def softmax(x, dim):\n    x.exp()\n", "returns-nothing"),
    "loop": ("def softmax(x, dim):\n    while True: pass\n", "timeout"),
    "stubborn-loop": (
        (
            "def softmax(x, dim):\n    while True:\n        try:\n            while True: "
            "pass\n        except BaseException: pass\n"
        ),
        "timeout",
    ),
    "loop-at-import": ("while True: pass\n", "raises"),
    "exit-at-import": ("import sys\nsys.exit(0)\n", "raises"),
    "exit": ("def softmax(x, dim):\n    import os\n    os._exit(0)\n", "ends-python"),
    "crash": ("def softmax(x, dim):\n    import ctypes\n    ctypes.string_at(0)\n", "ends-python"),
    "flood": ("def softmax(x, dim):\n    while True: print('x' * 10_000)\n", "timeout"),
    "prints": ("import os\nos.write(1, b'{\"passed\": true}\\n')\n" + GOOD, None),
    "warns": (GOOD.replace("    e =", "    import warnings; warnings.warn('hm')\n    e ="), None),
    "huge": ("def softmax(x, dim):\n    return torch.zeros(60_000_000)\n", "wrong-type"),
    "object": ("def softmax(x, dim):\n    return object()\n", "wrong-type"),
}


def run_try(*arguments, root=ROOT):
    return run("coursegrader", "--root", root, "try", *arguments, cwd=ROOT)


def test_every_file_gets_its_verdict_in_order(tmp_path):
    paths = []
    for name, (text, _) in FILES.items():
        paths.append(tmp_path / f"{name}.py")
        paths[-1].write_text(text, encoding="utf-8")
    installed = [BIN / "coursegrader", "try", "03-attention", "softmax", *paths]
    done = subprocess.run(installed, cwd=ROOT, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert all(set(line) == {"passed", "points", "max_points", "misconception", "message"} for line in lines)
    found = {name: line["misconception"] for name, line in zip(FILES, lines, strict=True)}
    assert found == {name: expected for name, (_, expected) in FILES.items()}
    assert all((line["points"] == line["max_points"]) == line["passed"] for line in lines)


def test_a_file_that_does_not_import_is_told_so_and_the_exit_code_says_it_too(tmp_path):
    (tmp_path / "a.py").write_text("def softmax(x dim): pass", encoding="utf-8")
    (tmp_path / "b.py").write_text("import no_such_package\n" + GOOD, encoding="utf-8")
    (tmp_path / "c.py").write_text(GOOD, encoding="utf-8")
    done = run_try("03-attention", "softmax", tmp_path / "a.py", tmp_path / "b.py", tmp_path / "c.py")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1 and "2 of 3 files cannot be imported" in done.stderr
    assert [line["passed"] for line in lines] == [False, False, True]
    assert "SyntaxError" in lines[0]["message"] and "no_such_package" in lines[1]["message"]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("03-attention", "sofmax", "x.py"), "no exercise 'sofmax'. It has: softmax"),
        (("99-nothing", "softmax", "x.py"), "no problem set '99-nothing'"),
        (("03-attention", "softmax", "no-such-file.py"), "no file no-such-file.py"),
    ],
)
def test_bad_input_gets_a_clear_error(arguments, words):
    done = run_try(*arguments)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "change, words",
    [
        ("duplicate", "softmax has 2 check cells"),
        ("missing", "softmax has 0 check cells"),
        ("points", "gives 1 points in the notebook and 4 in the rubric"),
        ("unknown", "checks 'softmaxx', which the rubric does not have"),
    ],
)
def test_a_notebook_that_does_not_fit_its_rubric_is_refused(attention, tmp_path, change, words):
    course = make_course(attention, tmp_path)
    path = course.folder / f"{course.name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    index = next(
        index for index, cell in enumerate(notebook.cells) if cell.source.startswith('check("softmax"')
    )
    cell = notebook.cells[index]
    if change == "duplicate":
        copy = nbformat.from_dict(cell)
        notebook.cells.insert(index, nbformat.v4.new_code_cell(copy.source, metadata=copy.metadata))
    elif change == "missing":
        del notebook.cells[index]
    elif change == "points":
        cell.metadata.nbgrader.points = 1
    else:
        cell.source = cell.source.replace('"softmax"', '"softmaxx"')
    nbformat.write(notebook, path)
    done = run("coursegrader", "--root", course.root, "release", course.name, cwd=tmp_path)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr
