"""The file of public fingerprints that travels with the notebook, and whether it is what the rubrics give."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from allyouneed.check.wire import decode
from coursegrader.course.configuration import load_config
from coursegrader.course.problem_set import ProblemSet
from coursegrader.files import write_whole
from coursegrader.rubric.dependencies import digest

ROUNDING = 1e-3
STAMP = "follows_from"  # beside the content, a digest of it and of all that it follows from


def public_path(problem_set: ProblemSet) -> Path:
    """In the library where the course holds it (to travel in the wheel), else by the released notebook."""
    inside = problem_set.root / "lib" / "allyouneed" / "check" / "fingerprints"
    if inside.is_dir():
        return inside / f"{problem_set.name}.json"
    return problem_set.root / "notebooks" / problem_set.name / f"{problem_set.name}.check.json"


def write_public_file(problem_set: ProblemSet) -> Path:
    """Write the fingerprints, and the website to which the checks lead; return where."""
    path = public_path(problem_set)
    write_whole(path, _as_json(stamped(problem_set, _content(problem_set))).encode())
    return path


def public_fingerprints(problem_set: ProblemSet) -> dict[str, dict]:
    """The public fingerprints: those of the file if it is known to be in step, else made anew."""
    written = read_public_file(problem_set)
    return (written if _unchanged(problem_set, written) else problem_set.public())["exercises"]


def read_public_file(problem_set: ProblemSet) -> dict:
    """What the file holds; nothing where there is none, or one that cannot be read."""
    try:
        return dict(json.loads(public_path(problem_set).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def in_step(problem_set: ProblemSet) -> bool:
    """Whether the file is what the rubrics give now. Where neither they nor the file have changed since it
    was written, no version is asked again."""
    written = read_public_file(problem_set)
    return _unchanged(problem_set, written) or equal_but_for_rounding(
        json.loads(_as_json(_content(problem_set))), _without_stamp(written)
    )


def stamped(problem_set: ProblemSet, content: dict) -> dict:
    """The content and its digest, which is also one of all that its fingerprints follow from."""
    origins = (problem_set.origin("public", name) for name in problem_set.exercises)
    return content | {STAMP: digest(_as_json(content), *origins)}


def _unchanged(problem_set: ProblemSet, written: dict) -> bool:
    content = _without_stamp(written)
    return content.get("site") == _site(problem_set) and stamped(problem_set, content) == written


def _without_stamp(written: dict) -> dict:
    return {key: value for key, value in written.items() if key != STAMP}


def _content(problem_set: ProblemSet) -> dict:
    return {"site": _site(problem_set), **problem_set.public()}


def _site(problem_set: ProblemSet) -> str:
    return load_config(problem_set.root).SafeFeedback.book_url


def _as_json(public: dict) -> str:
    return json.dumps(public, indent=None, separators=(",", ":"), ensure_ascii=False, sort_keys=False) + "\n"


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
