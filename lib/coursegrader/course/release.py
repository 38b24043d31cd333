"""From a source notebook to what students get: one without solutions, and public fingerprints as data."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from allyouneed.check.compare import difference
from coursegrader.course.configuration import load_config, open_course
from coursegrader.course.leaks import find_leaks, secrets_of
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.releases import remember_release
from coursegrader.errors import UserError


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
    path.write_text(_as_json(_public_file_content(problem_set)), encoding="utf-8")
    files = [item for item in folder.rglob("*") if item.is_file()] + [path]
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
    if not path.is_file() or not _equal_fingerprints(
        json.loads(path.read_text(encoding="utf-8")), _public_file_content(problem_set)
    ):
        problems.append(str(path.relative_to(problem_set.root)))
    return problems


def _equal_fingerprints(old: dict, new: dict) -> bool:
    """Equal up to rounding in the last digits, which differs from processor to processor."""
    if old.get("site") != new["site"] or list(old["exercises"]) != list(new["exercises"]):
        return False
    for name, mine in new["exercises"].items():
        other, varying = old["exercises"][name], {"right", "wrong"}
        plain = [
            json.loads(json.dumps({key: value for key, value in item.items() if key not in varying}))
            for item in (mine, other)
        ]
        if (
            plain[0] != plain[1]
            or len(mine["right"]) != len(other["right"])
            or len(mine["wrong"]) != len(other["wrong"])
        ):
            return False
        pairs = [pair for left, right in zip(mine["right"], other["right"]) for pair in zip(left, right)]
        for left, right in zip(mine["wrong"], other["wrong"]):
            if any(left[key] != right[key] for key in ("id", "message", "section")) or set(
                left["answers"]
            ) != set(right["answers"]):
                return False
            pairs += [(left["answers"][index], right["answers"][index]) for index in left["answers"]]
        if any(
            difference(left, right, mine["any_float"], whole="gradients" in left and "gradients" in right)
            for left, right in pairs
        ):
            return False
    return True
