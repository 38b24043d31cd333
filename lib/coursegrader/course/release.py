"""From a source notebook to what students get: one without solutions, and public fingerprints as data."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import torch

from allyouneed.check.wire import decode
from coursegrader.course.configuration import load_config, open_course
from coursegrader.course.leaks import find_leaks, secrets_of
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.releases import remember_release
from coursegrader.errors import UserError
from coursegrader.rubric.dependencies import digest

ROUNDING = 1e-3
STAMP = "follows_from"  # in a public file, beside its content


def fingerprint_path(problem_set: ProblemSet) -> Path:
    """In the library where the course holds it (to travel in the wheel), else by the released notebook."""
    inside = problem_set.root / "lib" / "allyouneed" / "check" / "fingerprints"
    if inside.is_dir():
        return inside / f"{problem_set.name}.json"
    return problem_set.root / "notebooks" / problem_set.name / f"{problem_set.name}.check.json"


def release(problem_set: ProblemSet) -> list[Path]:
    """Write the student notebook and fingerprints; return the files. Raises UserError if any would leak."""
    problem_set.verify()
    remember_release(problem_set.root, problem_set.name)  # what is about to be replaced
    folder = _generate(problem_set.root, problem_set.name)
    path = fingerprint_path(problem_set)
    path.write_text(_as_json(_stamped(problem_set, _public_file_content(problem_set))), encoding="utf-8")
    files = [item for item in folder.rglob("*") if item.is_file()] + [path]
    problem_set.hidden()  # other numbers are drawn where these hide a mistake: those that grading will use
    leaks = find_leaks(files, secrets_of(problem_set))
    if leaks:
        shutil.rmtree(folder)
        raise UserError("the release was taken back, because it would give away:\n  " + "\n  ".join(leaks))
    return files


def _generate(root: Path, name: str) -> Path:
    with open_course(root) as api:
        result = api.generate_assignment(name, force=True)
    if not result["success"]:
        raise UserError(f"nbgrader could not generate {name}:\n{result['log']}\n{result.get('error')}")
    return root / "notebooks" / name


def _public_file_content(problem_set: ProblemSet) -> dict:
    """The public file's content: the fingerprints, and the website to which the checks lead."""
    return {"site": load_config(problem_set.root).SafeFeedback.book_url, **problem_set.public()}


def _stamped(problem_set: ProblemSet, content: dict) -> dict:
    """The content and a digest of it and of all that its fingerprints follow from."""
    origins = (problem_set.origin("public", name) for name in problem_set.exercises)
    return content | {STAMP: digest(_as_json(content), *origins)}


def _as_json(public: dict) -> str:
    return json.dumps(public, indent=None, separators=(",", ":"), ensure_ascii=False, sort_keys=False) + "\n"


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
            if item.is_file() and ".ipynb_checkpoints" not in item.parts
        }
        for name in sorted(names):
            if (
                not (fresh / name).is_file()
                or not (committed / name).is_file()
                or (fresh / name).read_bytes() != (committed / name).read_bytes()
            ):
                problems.append(f"notebooks/{problem_set.name}/{name}")
    path = fingerprint_path(problem_set)
    if not path.is_file() or not _in_step(problem_set, json.loads(path.read_text(encoding="utf-8"))):
        problems.append(str(path.relative_to(problem_set.root)))
    return problems


def _in_step(problem_set: ProblemSet, written: dict) -> bool:
    """Whether a public file is what the rubrics give now. Where neither they nor the file have changed since
    it was written, no version is asked again."""
    content = {key: value for key, value in written.items() if key != STAMP}
    site = load_config(problem_set.root).SafeFeedback.book_url
    if site == content.get("site") and _stamped(problem_set, content) == written:
        return True
    return equal_but_for_rounding(json.loads(_as_json(_public_file_content(problem_set))), content)


def equal_but_for_rounding(mine, other) -> bool:
    """Equal as data up to rounding, which differs from processor to processor and build to build of torch."""
    if isinstance(mine, dict) and isinstance(other, dict):
        if "error" in mine:
            return mine["error"] == other.get("error")  # its text is the interpreter's
        if mine.keys() & {"tensor", "float"} and mine.keys() == other.keys():
            return _close(decode(mine), decode(other))
        return mine.keys() == other.keys() and all(
            equal_but_for_rounding(mine[key], other[key]) for key in mine
        )
    if isinstance(mine, list) and isinstance(other, list):
        return len(mine) == len(other) and all(map(equal_but_for_rounding, mine, other))
    if isinstance(mine, float) and isinstance(other, float):
        return _close(mine, other)
    return mine == other


def _close(mine: torch.Tensor | float, other: torch.Tensor | float) -> bool:
    mine, other = torch.as_tensor(mine), torch.as_tensor(other)
    if mine.dtype != other.dtype or mine.shape != other.shape:
        return False
    return torch.allclose(mine.double(), other.double(), rtol=ROUNDING, atol=ROUNDING, equal_nan=True)
