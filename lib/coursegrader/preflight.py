"""Before nbgrader reads a submission: check its files, and mend what would stop the batch or change the grading.

What a student handed in is never lost. A file that is set aside, and the notebook before it is mended, go to
``originals/STUDENT/NN-name/``, beside ``submitted/``. The mended notebook takes the original's place, because every way
into nbgrader (`coursegrader grade`, `nbgrader autograde`, formgrader's button) reads ``submitted/`` and nothing else;
nbgrader copies nothing from ``originals/``.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import nbformat

from coursegrader.problemset import ProblemSet
from coursegrader.submitted_files import PreflightError, check_files, in_a_line, write_whole
from coursegrader.submitted_notebook import mend

MOST_FINDINGS = 50


def normalize(submitted_folder: Path, problem_set: ProblemSet) -> list[str]:
    """Make the folder ``submitted/STUDENT/NN-name`` fit to be read by nbgrader; return what was found and changed.

    A second call changes nothing and returns the same. Raises PreflightError if there is nothing that can be graded.
    """
    folder = Path(submitted_folder)
    keep = originals(folder, problem_set)
    try:
        findings = check_files(folder, keep, problem_set)
        path = folder / f"{problem_set.name}.ipynb"
        before = path.read_bytes()
        notebook, found = mend(before, problem_set.notebook)
        findings += found
        after = nbformat.writes(notebook).encode() + b"\n" if found else before
        mended = _is_mended(keep, before)  # by an earlier call: the original is kept already
        if after != before:
            keep.mkdir(parents=True, exist_ok=True)
            if not mended:
                write_whole(keep / path.name, before)
            write_whole(path, after, keep.parent)
    except PreflightError as error:
        _remember(keep, "", [], str(error))
        raise
    except OSError as error:
        raise PreflightError(f"The submission cannot be read or put in order: {error.strerror} ({error.filename}). Hand it in again.") from error
    return _remember(keep, hashlib.sha256(after).hexdigest(), findings, mended=mended or after != before)


def originals(folder: Path, problem_set: ProblemSet) -> Path:
    """Where the originals of a submission are kept."""
    return problem_set.root / "originals" / folder.parent.name / problem_set.name


def as_handed_in(notebook: Path, problem_set: ProblemSet) -> bytes:
    """What the student sent, where the notebook in ``submitted/`` has been mended since."""
    keep, now = originals(notebook.parent, problem_set), notebook.read_bytes()
    return (keep / notebook.name).read_bytes() if _is_mended(keep, now) and (keep / notebook.name).is_file() else now


def _is_mended(keep: Path, notebook: bytes) -> bool:
    try:
        note = json.loads(_note_beside(keep).read_text(encoding="utf-8"))
        return note["mended"] and note["digest"] == hashlib.sha256(notebook).hexdigest()
    except (OSError, ValueError, KeyError):
        return False


def _note_beside(keep: Path) -> Path:
    return keep.with_name(f"{keep.name}.findings.json")


def findings_of(root: Path, student: str, name: str) -> tuple[list[str], str | None]:
    """What the last pre-flight check of a submission found, and why it could not be graded (None: it could)."""
    try:
        note = json.loads((root / "originals" / student / f"{name}.findings.json").read_text(encoding="utf-8"))
        return note["findings"], note["error"]
    except (OSError, ValueError, KeyError):
        return [], None


def _remember(keep: Path, digest: str, findings: list[str], error: str | None = None, mended: bool = False) -> list[str]:
    """Keep the findings beside the originals; those of the call that changed the notebook count for later calls too."""
    findings = [in_a_line(item, 500) for item in findings[:MOST_FINDINGS]] + ["There is more of this kind."] * (len(findings) > MOST_FINDINGS)
    error = error and in_a_line(error, 2000)
    path = _note_beside(keep)
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        old = {"digest": None, "findings": []}
    if error is None and old["digest"] == digest:
        findings = old["findings"] + [item for item in findings if item not in old["findings"]]
    if findings or error or path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({"digest": digest, "mended": mended, "findings": findings, "error": error}, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
    return findings
