"""What students handed in outside of nbgrader's exchange: a folder or zip as Canvas and Moodle export it, put
where nbgrader looks for it.
"""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from coursegrader.course.configuration import open_course
from coursegrader.course.damaged import said_if_damaged
from coursegrader.course.kept import private_folder
from coursegrader.course.problem_set import ProblemSet, all_problem_sets
from coursegrader.course.roster import ACCOUNT
from coursegrader.errors import UserError
from coursegrader.files import write_whole
from coursegrader.submissions.export_files import Found, files_of
from coursegrader.submissions.files import MAX_FILES, MAX_FOLDER, TIMESTAMP
from coursegrader.submissions.whose_file import MOODLE, find_students, lms_name
from coursegrader.text import in_a_line

NOBODY_CAN_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


@dataclass(frozen=True)
class Collected:
    """What became of a submission: "new", "again" (an earlier was replaced), "unchanged", or a problem."""

    student: str
    outcome: str
    late: bool = False
    problem: str | None = None
    lost_time: bool = False  # when the earlier one was handed in was known, and of this one it is not


def collect(problem_set: ProblemSet, source: Path) -> list[Collected]:
    """Copy submissions into ``submitted/STUDENT/NN-name``. A later run takes in what has changed since.

    The export itself is not touched. What an earlier run collected is kept under ``originals/`` when it is
    replaced.
    Whoever cannot be found in the gradebook is reported, never guessed. Raises UserError if the export cannot
    be read.
    """
    with open_course(problem_set.root) as api, api.gradebook as gradebook:
        people = [
            (student.id, student.first_name or "", student.last_name or "", student.lms_user_id or "")
            for student in gradebook.students
        ]
    if not people:
        raise UserError("The gradebook has no students yet: enter them first, with coursegrader roster FILE.")
    with files_of(source) as files:
        if not files:
            raise UserError(f"{source} holds no files.")
        sorted_out: dict[str, list[tuple[str, Found, bool]]] = {}
        results = []
        for found, (who, name, late) in zip(
            files, find_students([found.path for found in files], people), strict=True
        ):
            if name is None:
                results.append(Collected(in_a_line(found.path, 120), "problem", problem=who))
            else:
                sorted_out.setdefault(who, []).append((name, found, late))
        record = _record_file(problem_set)
        record.parent.mkdir(parents=True, exist_ok=True)
        seen = _read_record(record)
        for student, own in sorted(sorted_out.items()):
            own, covered = _outermost(own)
            results += [
                Collected(
                    in_a_line(path, 120), "problem", problem=f"{student} has another {name} further out"
                )
                for path, name in covered
            ]
            try:
                results.append(_store(problem_set, student, own, seen))
            except OSError as error:
                if error.errno in NOBODY_CAN_WRITE:
                    raise
                results.append(Collected(student, "problem", problem=f"it could not be stored: {error}"))
            write_whole(record, json.dumps(seen, indent=1).encode())
    return results


def marked_late(problem_set: ProblemSet) -> set[str]:
    """Whose submission the export marked as late, unless what lies there now came through nbgrader's
    exchange, with its time."""
    return {
        student
        for student, kept in _read_record(_record_file(problem_set)).items()
        if kept["late"]
        and not (problem_set.root / "submitted" / student / problem_set.name / TIMESTAMP).exists()
    }


def collected_from(problem_set: ProblemSet, student: str) -> list[str]:
    """The paths of a student's files in the export that they were last collected from."""
    return _read_record(_record_file(problem_set)).get(student, {"from": []})["from"]


def _record_file(problem_set: ProblemSet) -> Path:
    return private_folder(problem_set.root) / "collected" / f"{problem_set.name}.json"


def _outermost(
    files: list[tuple[str, Found, bool]],
) -> tuple[list[tuple[str, Found, bool]], list[tuple[str, str]]]:
    """Of files of one name those that lie the least deep, and the path and name of each other."""
    depth: dict[str, int] = {}
    for name, found, _ in files:
        depth[name] = min(depth.get(name, found.depth), found.depth)
    return (
        [item for item in files if item[1].depth == depth[item[0]]],
        [(found.path, name) for name, found, _ in files if found.depth > depth[name]],
    )


def _store(
    problem_set: ProblemSet, student: str, files: list[tuple[str, Found, bool]], seen: dict[str, dict]
) -> Collected:
    late = any(item[2] for item in files)
    if not ACCOUNT.fullmatch(student):
        return Collected(in_a_line(student), "problem", problem="its name cannot be a folder")
    if len(files) > MAX_FILES or sum(found.size for _, found, _ in files) > MAX_FOLDER:
        return Collected(
            student, "problem", late, (f"it holds {len(files)} files, or more than {MAX_FOLDER // 2**20} MiB")
        )
    called = [lms_name(found.path, student) for _, found, _ in files]
    numbers = sorted({name["number"] for name in called if name and name.re is MOODLE})
    if len(numbers) > 1:
        what = f"{' and '.join(numbers)} in Moodle have this name: put the files of each into a folder with"
        return Collected(student, "problem", late, f"{what} the account's name")
    names = sorted(name for name, _, _ in files)
    if twice := [name for name, following in pairwise(names) if name == following]:
        what = f"it holds {twice[0]} more than once: leave one of them in what you collect"
        return Collected(student, "problem", late, what)
    try:
        contents = {name: found.read() for name, found, _ in files}
    except (ValueError, OSError) as error:
        return Collected(student, "problem", late, str(error))
    if other := _other_set(problem_set, contents):
        return Collected(student, "problem", late, f"this is {other}, not {problem_set.name}: not taken")
    folder = problem_set.root / "submitted" / student / problem_set.name
    if folder.is_dir() and not any(name.endswith(".ipynb") for name in contents):
        what = "it holds no notebook, and an earlier submission does: not taken"
        if list(folder.glob("*.ipynb")):
            return Collected(student, "problem", late, what)
    text = hashlib.sha256()
    for name in sorted(contents):
        text.update(f"{name}:{len(contents[name])}:".encode() + contents[name])
    known = seen.get(student)
    collected_now = {
        "digest": text.hexdigest(),
        "late": late,
        "from": [found.path for _, found, _ in files],
        "earlier": known["earlier"] if known else [],
    }
    if folder.is_dir() and known is not None:
        if known["digest"] == collected_now["digest"]:
            seen[student] = collected_now
            return Collected(student, "unchanged", late)
        if collected_now["digest"] in known["earlier"]:
            what = "it was collected before, and another one since: not taken. If it is to count again, "
            place = folder.relative_to(problem_set.root)
            return Collected(student, "problem", late, f"{what}remove {place} first")
        collected_now["earlier"] = [*known["earlier"], known["digest"]]
    scratch = folder.with_name(f".{problem_set.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    again, lost_time = folder.is_dir(), (folder / TIMESTAMP).exists()
    try:
        scratch.mkdir(parents=True)
        for name, data in contents.items():
            (scratch / name).write_bytes(data)
        if again:
            earlier = problem_set.root / "originals" / student / f"{problem_set.name}.earlier"
            earlier.mkdir(parents=True, exist_ok=True)
            last = max((int(path.name) for path in earlier.iterdir() if path.name.isdigit()), default=0)
            kept = earlier / str(last + 1)  # which may lie on another disk
            shutil.move(folder, kept)
        try:
            scratch.rename(folder)
        except OSError:
            if again:
                shutil.move(kept, folder)
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    seen[student] = collected_now
    return Collected(student, "again" if again else "new", late, lost_time=lost_time)


def _other_set(problem_set: ProblemSet, contents: dict[str, bytes]) -> str | None:
    """What a submission is of, where none of the checks in it are of this problem set."""
    handed_in, sets = set().union(*map(_checks_in, contents.values())), all_problem_sets(problem_set.root)
    if not handed_in:  # it cannot be read: what it is called has to do
        called = " ".join(contents)
        others = (other.name for other in sets if other.name in called)
        return None if problem_set.name in called else next(others, None)
    if handed_in & _checks_of(problem_set):
        return None
    return next((other.name for other in sets if handed_in & _checks_of(other)), "another problem set")


def _checks_of(problem_set: ProblemSet) -> set[str]:
    path = problem_set.folder / f"{problem_set.name}.ipynb"
    return _checks_in(path.read_bytes()) if path.exists() else set()


def _checks_in(data: bytes) -> set[str]:
    """The names of a notebook's check cells; none of what is no notebook, which is said when it is graded."""
    try:
        known = [cell["metadata"].get("nbgrader", {}) for cell in json.loads(data)["cells"]]
        return {str(one["grade_id"]) for one in known if one.get("grade") and not one.get("solution")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return set()


def _read_record(record: Path) -> dict[str, dict]:
    """What was collected of each student: a digest of the files, whether the export called them late, their
    paths in it, and the digests of those that it has replaced; an older record lacks the last two."""
    mend = "bring it back from a backup, or remove it: then all that is collected counts as handed in again"
    if not record.exists():
        return {}
    with said_if_damaged(record, mend):
        return {
            student: {
                "digest": item["digest"],
                "late": bool(item["late"]),
                "from": [str(path) for path in item.get("from", [])],
                "earlier": [str(digest) for digest in item.get("earlier", [])],
            }
            for student, item in json.loads(record.read_text(encoding="utf-8")).items()
        }
