"""Before nbgrader reads a submission: a tidied copy, without what would stop the batch or change grading.

What a student handed in stays in ``submitted/STUDENT/NN-name`` as it came. The copy is in
``prepared/STUDENT/NN-name``: the notebook, mended, under the name that nbgrader looks for, and the files that
may lie beside it. Whatever grades, `coursegrader grade`, `nbgrader autograde` or formgrader's button, reads
the copy and nothing else.
"""

from __future__ import annotations

import contextlib
import errno
import json
import shutil
from pathlib import Path

import nbformat

from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.releases import releases_of
from coursegrader.files import write_whole
from coursegrader.submissions.files import PreflightError, readable
from coursegrader.submissions.notebook import mend
from coursegrader.text import in_a_line

PREPARED = "prepared"
MOST_FINDINGS = 50


def prepare(folder: Path, problem_set: ProblemSet) -> list[str]:
    """Make the tidied copy of ``submitted/STUDENT/NN-name``; return what was found and is different in it.

    Raises PreflightError if there is nothing that can be graded; then there is no copy.
    """
    target = prepared_folder(problem_set.root, folder.parent.name, problem_set.name)
    shutil.rmtree(target, ignore_errors=True)
    try:
        return _keep_findings(target, _tidied_copy(folder, target, problem_set))
    except PreflightError as error:
        _keep_findings(target, [], str(error))
        raise


def _tidied_copy(folder: Path, target: Path, problem_set: ProblemSet) -> list[str]:
    """Make the folder `target`, all of it or nothing; return what is different in it."""
    scratch = target.with_name(f".{target.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        files = readable(folder, problem_set)
        releases = releases_of(problem_set.root, problem_set.name)
        notebook, mended = mend(files.notebook.read_bytes(), problem_set.notebook, releases)
        scratch.mkdir(parents=True)
        for path in files.others:
            copy = scratch / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        nbformat.write(notebook, scratch / f"{problem_set.name}.ipynb")
        scratch.rename(target)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise  # not this student's fault
        reason = f"{error.strerror} ({error.filename})"
        raise PreflightError(f"The submission cannot be read: {reason}. Hand it in again.") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return files.findings + mended


def prepared_folder(root: Path, student: str, name: str) -> Path:
    """Where the tidied copy of a submission is."""
    return root / PREPARED / student / name


def findings_of(root: Path, student: str, name: str) -> tuple[list[str], str | None]:
    """What the last pre-flight check of a submission found, and why it could not be graded, or None."""
    try:
        kept = json.loads(_findings_file(prepared_folder(root, student, name)).read_text(encoding="utf-8"))
        return [str(item) for item in kept["findings"]], kept["error"] and str(kept["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return [], None


def _findings_file(target: Path) -> Path:
    return target.with_name(f"{target.name}.findings.json")


def _keep_findings(target: Path, findings: list[str], error: str | None = None) -> list[str]:
    """Write the findings beside the copy, for the student's page and the report; where there are none, no
    file.
    """
    more = ["There is more of this kind."] if len(findings) > MOST_FINDINGS else []
    findings = [in_a_line(item, 500) for item in findings[:MOST_FINDINGS]] + more
    path = _findings_file(target)
    if findings or error:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = {"findings": findings, "error": error and in_a_line(error, 2000)}
        write_whole(path, json.dumps(kept, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
    else:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
    return findings
