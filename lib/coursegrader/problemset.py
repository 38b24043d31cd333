"""A problem set on disk: the source notebook, its rubric, and whether the two agree."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import nbformat
import torch

from coursegrader.errors import RubricError
from coursegrader.fingerprints import PUBLIC, fingerprint, hidden_seed
from coursegrader.rubric import Exercise, load_rubric, rubric_files

HIDDEN = 1
SEEDS = {"public": (PUBLIC, 0), "fresh": (HIDDEN + 1, 20_170_612)}


def checked_exercise(source: str) -> str | None:
    """The exercise that a cell checks: the first argument of its one ``check("name", ...)`` call, or None."""
    try:
        calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)
                 and isinstance(node.func, ast.Name) and node.func.id == "check"]
    except SyntaxError:
        return None
    if len(calls) == 1 and calls[0].args and isinstance(calls[0].args[0], ast.Constant):
        return calls[0].args[0].value
    return None


def candidate_expression(source: str) -> str:
    """What a check cell hands over: the text of the second argument of its ``check`` call."""
    call = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name) and node.func.id == "check")
    return ast.unparse(call.args[1])


def is_judged(cell) -> bool:
    """Whether a cell is graded by the judge: a locked, graded code cell that checks an exercise."""
    meta = cell.get("metadata", {}).get("nbgrader", {})
    return cell.cell_type == "code" and bool(meta.get("grade")) and not meta.get("solution") and checked_exercise(cell.source) is not None


@dataclass(frozen=True)
class ProblemSet:
    """The folder ``solutions/NN-name`` of a course."""

    root: Path
    name: str

    @property
    def folder(self) -> Path:
        return self.root / "solutions" / self.name

    @property
    def rubric_path(self) -> Path:
        """The folder ``rubric`` with a file for each exercise, or the file ``rubric.py`` with all of them."""
        return self.folder / "rubric" if (self.folder / "rubric").is_dir() else self.folder / "rubric.py"

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        if not self.folder.is_dir():
            known = sorted(path.name for path in (self.root / "solutions").glob("*") if path.is_dir())
            raise RubricError(f"There is no problem set {self.name!r} in {self.root / 'solutions'}. There are: {', '.join(known) or 'none'}.")
        self._texts  # read before they are loaded: what is kept of a rubric must not be named after a later text of it
        found = load_rubric(self.rubric_path)
        order = [checked_exercise(cell.source) for cell in self.notebook.cells if cell.cell_type == "code"]
        return dict(sorted(found.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order)))

    def exercise(self, name: str) -> Exercise:
        if name not in self.exercises:
            raise RubricError(f"{self.name} has no exercise {name!r}. It has: {', '.join(self.exercises)}.")
        return self.exercises[name]

    @cached_property
    def notebook(self):
        path = self.folder / f"{self.name}.ipynb"
        try:
            return nbformat.read(path, as_version=4)
        except FileNotFoundError:
            raise RubricError(f"There is no notebook {path}.") from None
        except Exception as error:
            raise RubricError(f"{path} is not a readable notebook: {error}") from error

    @property
    def prelude(self) -> str:
        """The notebook's own imports: its first code cell, without what is only for the screen."""
        return next(cell.source for cell in self.notebook.cells if cell.cell_type == "code")

    def verify(self) -> None:
        """Raise RubricError unless every exercise has exactly one graded check cell with the rubric's points."""
        problems, seen = [], {}
        for cell in self.notebook.cells:
            if cell.cell_type != "code" or (name := checked_exercise(cell.source)) is None:
                continue
            if name not in self.exercises:
                problems.append(f"the notebook checks {name!r}, which the rubric does not have")
                continue
            if not is_judged(cell):
                problems.append(f"the check cell of {name} is not a locked, graded nbgrader cell")
                continue
            seen[name] = seen.get(name, 0) + 1
            points = cell.metadata.nbgrader.points
            if points != self.exercises[name].max_points:
                problems.append(f"{name} gives {points} points in the notebook and {self.exercises[name].max_points} in the rubric")
        problems += [f"{name} has {seen.get(name, 0)} check cells in the notebook; exactly one is needed"
                     for name in self.exercises if seen.get(name, 0) != 1]
        if problems:
            raise RubricError(f"{self.name}: notebook and rubric do not agree:\n  " + "\n  ".join(problems))

    def public(self) -> dict:
        """The public fingerprint file's content: data only."""
        return {"problem_set": self.name, "exercises": self.fingerprints("public")}

    def hidden(self, names: Iterable[str] | None = None) -> dict[str, dict]:
        """The fingerprints that grading uses, of the exercises `names` or of all: other seeds and sizes than the public ones."""
        return self.fingerprints("hidden", names)

    def fingerprints(self, kind: str, names: Iterable[str] | None = None) -> dict[str, dict]:
        """The fingerprints of the exercises `names`, or of all, on "public" probes, the "hidden" ones of grading, or "fresh" ones for certification alone."""
        names = list(names or self.exercises)
        for name in names:
            if (kind, name) not in self._fingerprints:
                settings = (HIDDEN, hidden_seed(self._secret(name), name)) if kind == "hidden" else SEEDS[kind]
                self._fingerprints[kind, name] = self._kept(kind, name) or self._keep(kind, name, fingerprint(self.exercise(name), *settings))
        return {name: self._fingerprints[kind, name] for name in names}

    @cached_property
    def _fingerprints(self) -> dict[tuple[str, str], dict]:
        return {}

    def _place(self, kind: str, name: str) -> Path:
        return private_folder(self.root) / kind / self.name / f"{name}.json"

    def _origin(self, name: str) -> str:
        """What a fingerprint follows from: the rubric's text, and the code that makes answers of it."""
        shared = [text for path, text in sorted(self._texts.items()) if path.name.startswith("_")]
        return hashlib.sha256(b"\0".join([torch.__version__.encode(), self._secret(name), *shared, _code()])).hexdigest()

    def _kept(self, kind: str, name: str) -> dict | None:
        """The fingerprint as an earlier command kept it: making one runs every wrong version, which takes seconds."""
        try:
            kept = json.loads(self._place(kind, name).read_text(encoding="utf-8"))
            return kept["fingerprint"] if kept["origin"] == self._origin(name) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _keep(self, kind: str, name: str, made: dict) -> dict:
        path = self._place(kind, name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            scratch = path.with_suffix(f".{os.getpid()}")
            scratch.write_text(json.dumps({"origin": self._origin(name), "fingerprint": made}), encoding="utf-8")
            os.replace(scratch, path)
        except OSError:
            pass  # a course folder that cannot be written to costs time only
        return json.loads(json.dumps(made))

    def hand_on(self, root: Path) -> None:
        """Copy the kept fingerprints into another course folder with the same rubric, which then need not make them again."""
        for kind in ("public", "hidden"):
            with contextlib.suppress(OSError):
                shutil.copytree(private_folder(self.root) / kind / self.name, private_folder(root) / kind / self.name)

    def _secret(self, name: str) -> bytes:
        """What the hidden probes of an exercise follow from: its own rubric's text, so that no other exercise's change moves them."""
        own = self._texts.get(self.rubric_path / f"{name}.py")
        return b"".join(self._texts[path] for path in rubric_files(self.rubric_path)) if own is None else own

    @cached_property
    def _texts(self) -> dict[Path, bytes]:
        """The rubric's files as they are when it is first used."""
        files = sorted(self.rubric_path.glob("*.py")) if self.rubric_path.is_dir() else rubric_files(self.rubric_path)
        return {path: path.read_bytes() for path in files if path.is_file()}


@cache
def _code() -> bytes:
    """The text of both packages, of which answers are made, as they were when first asked for."""
    import allyouneed
    import coursegrader

    folders = [Path(folder) for package in (allyouneed, coursegrader) for folder in package.__path__]
    return b"\0".join(path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.py")))


def private_folder(root: Path) -> Path:
    """Where a course keeps what no student may see; only its owner can look inside."""
    folder = root / ".coursegrader"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def all_problem_sets(root: Path) -> list[ProblemSet]:
    """Every folder of ``solutions`` that holds a rubric, in order."""
    return [ProblemSet(root, path.parent.name) for path in sorted([*(root / "solutions").glob("*/rubric"), *(root / "solutions").glob("*/rubric.py")])]
