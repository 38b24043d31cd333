"""Take a submission in: put it in order before nbgrader reads it, or tell its student why it cannot be graded.

The page of a refused submission goes where nbgrader looks for feedback, so ``nbgrader release_feedback`` hands it out with the others.
"""

from __future__ import annotations

import html
import os
import shutil
from pathlib import Path

from coursegrader.feedback import safe_page
from coursegrader.preflight import findings_of, normalize
from coursegrader.problemset import ProblemSet
from coursegrader.submitted_files import PreflightError, write_whole

_in_order: dict[Path, tuple] = {}  # folders that this process has put in order, and what they held then
HANDED_ON = ("timestamp.txt", "submission_secret.txt")  # by which nbgrader finds the student who may fetch a page


def take_in(folder: Path, problem_set: ProblemSet) -> None:
    """Put the folder ``submitted/STUDENT/NN-name`` in order. Raises PreflightError, after writing the student's page, if it cannot be graded.

    A folder that has not changed since this process put it in order is left alone: grading asks twice.
    """
    if _in_order.get(folder.absolute()) == _held(folder, problem_set):
        return
    student, name = folder.parent.name, problem_set.name
    page = problem_set.root / "feedback" / student / name / f"{name}.html"
    refused_before = findings_of(problem_set.root, student, name)[1] is not None
    try:
        normalize(folder, problem_set)
    except PreflightError as error:
        _tell(page, folder, str(error))
        raise
    if refused_before:  # else nbgrader would take the old page for that of this submission
        shutil.rmtree(page.parent, ignore_errors=True)
    _in_order[folder.absolute()] = _held(folder, problem_set)


def _held(folder: Path, problem_set: ProblemSet) -> tuple:
    """What tells whether a submission, its record or its problem set has changed."""
    kept = problem_set.root / "originals" / folder.parent.name
    found = [(path, path.lstat()) for path in (*sorted(folder.rglob("*")), *sorted(kept.glob("*")), *sorted(problem_set.folder.glob("*.ipynb")))]
    return tuple((path, stat.st_mtime_ns, stat.st_size, stat.st_ino) for path, stat in found)


def _tell(page: Path, folder: Path, reason: str) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    text = (f"<body><h1>{html.escape(page.stem)}: not graded</h1><p>{html.escape(reason)}</p>"
            "<p>Your file has been kept as you handed it in. Mend it, look whether it opens in JupyterLab, and hand it in again.</p></body>")
    write_whole(page, safe_page(text, f"{page.stem}: not graded", book_url="").encode())
    for name in HANDED_ON:
        if (folder / name).is_file() and not (folder / name).is_symlink():
            shutil.copyfile(folder / name, page.parent / name)


def before_autograde(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's `Autograde.pre_convert_hook`: the same check for plain `nbgrader autograde` and formgrader's button.

    nbgrader swallows what a hook raises, so a submission that cannot be graded is taken off nbgrader's list instead.
    """
    folder = Path(notebooks[0]).absolute().parent
    problem_set = ProblemSet(folder.parents[2], folder.name)
    if not (problem_set.folder / f"{folder.name}.ipynb").is_file():
        return  # an assignment of nbgrader's own kind, with notebooks of other names
    try:
        take_in(folder, problem_set)
        notebooks[:] = [os.path.join(os.path.dirname(notebooks[0]), f"{folder.name}.ipynb")]
    except Exception as error:
        notebooks.clear()
        print(f"{folder.parent.name}: not graded: {error}")
