"""How far each student of the roster is with a problem set, in a word or a sentence; nobody is left out."""

from __future__ import annotations

from pathlib import Path

from coursegrader.submissions.preflight import findings_of

GRADED, NOT_MARKED, NOT_HANDED_IN = "graded", "not yet marked", "not handed in"
NOT_GRADED, UNKNOWN = "not graded: ", "run coursegrader grade to see why"


def status_of(root: Path, problem_set: str, student: str, graded: bool, waiting: bool, replaced: bool) -> str:
    """In a word or a sentence. graded: the gradebook has a submission; waiting: with something to mark;
    replaced: by one that was not graded."""
    error = findings_of(root, student, problem_set)[1]
    marked = NOT_MARKED if waiting else GRADED
    if graded and error:
        return f"{marked}: an earlier submission; the last could not be graded: {error}"
    if graded and replaced:
        return f"{marked}: an earlier submission; the last waits for coursegrader grade {problem_set}"
    if graded:
        return marked
    if (root / "submitted" / student / problem_set).is_dir():
        return f"{NOT_GRADED}{error or UNKNOWN}"
    return NOT_HANDED_IN


def is_unreadable(status: str) -> bool:
    """Whether it says that the only submission could not be graded."""
    return status.startswith(NOT_GRADED) and not status.endswith(UNKNOWN)


def who_handed_in(root: Path, problem_set: str) -> set[str]:
    """Whose submission lies in the course folder, in the gradebook or not."""
    return {path.parent.name for path in (root / "submitted").glob(f"*/{problem_set}") if path.is_dir()}
