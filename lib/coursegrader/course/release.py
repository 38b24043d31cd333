"""From a source notebook to what students get: one without solutions, and public fingerprints as data."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from coursegrader.course.configuration import open_course
from coursegrader.course.leaks import find_leaks, secrets_of
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.public_file import in_step, public_path, write_public_file
from coursegrader.course.releases import remember_release
from coursegrader.errors import UserError
from coursegrader.files import as_before_if_it_fails, replaced_whole
from coursegrader.interrupts import interrupts_remembered
from coursegrader.trouble import reason_of


def release(problem_set: ProblemSet) -> list[Path]:
    """Write the student notebook and fingerprints; return the files. Raises UserError if any would leak, and
    leaves what was released before.
    """
    problem_set.verify()
    remember_release(problem_set.root, problem_set.name)  # what is about to be replaced
    folder = problem_set.root / "notebooks" / problem_set.name
    with replaced_whole(folder), as_before_if_it_fails(public_path(problem_set)):
        _generate(problem_set.root, problem_set.name)
        path = write_public_file(problem_set)
        files = [item for item in folder.rglob("*") if item.is_file()] + [path]
        problem_set.hidden()  # other numbers are drawn where these hide a mistake: those of grading
        leaks = find_leaks(files, secrets_of(problem_set))
        if leaks:
            raise UserError(
                "the release was taken back, because it would give away:\n  " + "\n  ".join(leaks)
            )
    return files


def _generate(root: Path, name: str) -> Path:
    with interrupts_remembered() as stop, open_course(root) as api:
        result = api.generate_assignment(name, force=True)
        if stop.is_set():
            raise KeyboardInterrupt  # which nbgrader takes for a fault of the notebook
    if not result["success"]:
        raise UserError(f"nbgrader could not generate {name}: {reason_of(result)}")
    return root / "notebooks" / name


def out_of_step(problem_set: ProblemSet) -> list[str]:
    """Say which generated files differ from what their source gives now; if none, they are in step."""
    problem_set.verify()
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        shutil.copytree(
            problem_set.folder,
            root / "solutions" / problem_set.name,
            ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"),
        )
        fresh = _generate(root, problem_set.name)
        committed = problem_set.root / "notebooks" / problem_set.name
        names = {
            item.relative_to(folder).as_posix()
            for folder in (fresh, committed)
            if folder.is_dir()
            for item in folder.rglob("*")
            if item.is_file() and ".ipynb_checkpoints" not in item.parts and item != public_path(problem_set)
        }
        for name in sorted(names):
            if (
                not (fresh / name).is_file()
                or not (committed / name).is_file()
                or (fresh / name).read_bytes() != (committed / name).read_bytes()
            ):
                problems.append(f"notebooks/{problem_set.name}/{name}")
    if not in_step(problem_set):
        problems.append(str(public_path(problem_set).relative_to(problem_set.root)))
    return problems
