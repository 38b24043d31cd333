"""Take a submission in: make the copy of it that is graded, or tell its student why it cannot be graded.

The page of a refused submission goes where nbgrader looks for feedback, so ``nbgrader release_feedback``
hands it out with the others.
"""

from __future__ import annotations

import contextlib
import html
import shutil
from pathlib import Path

from coursegrader.course.problem_set import ProblemSet
from coursegrader.files import write_whole
from coursegrader.safe_html import safe_page
from coursegrader.submissions.files import TIMESTAMP, PreflightError
from coursegrader.submissions.preflight import findings_of, prepare, prepared_folder

# by which nbgrader finds the student who may fetch a page
HANDED_ON = (TIMESTAMP, "submission_secret.txt")
KEPT = "Your file has been kept as you handed it in. What you hand in next takes its place."


def take_in(folder: Path, problem_set: ProblemSet) -> Path:
    """Prepare ``submitted/STUDENT/NN-name``; return the folder of the copy. Raises PreflightError, after
    writing the student's page, if it cannot be graded.
    """
    student, name = folder.parent.name, problem_set.name
    page = problem_set.root / "feedback" / student / name / f"{name}.html"
    refused_before = findings_of(problem_set.root, student, name)[1] is not None
    try:
        prepare(folder, problem_set)
    except PreflightError as error:
        refuse(folder, str(error))
        raise
    if refused_before:  # else nbgrader would take the old page for that of this submission
        shutil.rmtree(page.parent, ignore_errors=True)
    return prepared_folder(problem_set.root, student, name)


def refuse(folder: Path, reason: str) -> None:
    """Write the student's page on ``submitted/STUDENT/NN-name``: why it is not graded, and what to do."""
    name = folder.name
    page = folder.parents[2] / "feedback" / folder.parent.name / name / f"{name}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    text = (
        f'<body><div id="top"><h1>{html.escape(name)}: not graded</h1>'
        f'<p class="notice">{html.escape(reason)}</p><p>{KEPT}</p></div></body>'
    )
    write_whole(page, safe_page(text, f"{name}: not graded", book_url="").encode())
    for name in HANDED_ON:
        with contextlib.suppress(PermissionError):
            if (folder / name).is_file() and not (folder / name).is_symlink():
                shutil.copyfile(folder / name, page.parent / name)
