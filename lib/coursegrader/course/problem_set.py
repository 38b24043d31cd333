"""A problem set on disk: the source notebook, its rubric, and whether the two agree."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat

from coursegrader.course.check_cells import checked_exercise, is_judged
from coursegrader.course.kept import keep, kept, private_folder
from coursegrader.course.secret import course_secret, same_secret
from coursegrader.errors import RubricError, UserError
from coursegrader.rubric.dependencies import digest, digest_of_imports
from coursegrader.rubric.fingerprints import IndistinctProbes, fingerprints
from coursegrader.rubric.language import Exercise
from coursegrader.rubric.outline import PUBLIC, hidden_seed, outline
from coursegrader.rubric.reading import load_rubric, rubric_files
from coursegrader.rubric.sweep.stored import told_changes

HIDDEN = 1
SEEDS = {"public": (PUBLIC, 0), "fresh": (HIDDEN + 1, 20_170_612)}
MOST_DRAWS = 5  # of hidden numbers: where so many tell a mistake from nothing, the rubric lacks a probe


@dataclass(frozen=True)
class ProblemSet:
    """The folder ``solutions/NN-name`` of a course."""

    root: Path
    name: str

    @property
    def folder(self) -> Path:
        return self.root / "solutions" / self.name

    def look(self) -> None:
        """Raise UserError, with the names of those that exist, if there is no such problem set."""
        if not self.folder.is_dir():
            known = sorted(path.name for path in (self.root / "solutions").glob("*") if path.is_dir())
            raise UserError(
                f"There is no problem set {self.name!r} in {self.root / 'solutions'}. There "
                f"are: {', '.join(known) or 'none'}."
            )

    @property
    def rubric_path(self) -> Path:
        """The folder ``rubric`` with a file for each exercise, or the file ``rubric.py`` with all of them."""
        return self.folder / "rubric" if (self.folder / "rubric").is_dir() else self.folder / "rubric.py"

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        self.look()
        # read before they are loaded: what is kept of a rubric must not be named after a later text of it
        self._texts
        found = load_rubric(self.rubric_path)
        for exercise in found.values():
            told = told_changes(self.rubric_path, exercise)
            exercise.told = [(item.version(exercise), item.message) for item in told]
        order = [checked_exercise(cell.source) for cell in self.notebook.cells if cell.cell_type == "code"]
        return dict(
            sorted(found.items(), key=lambda item: order.index(item[0]) if item[0] in order else len(order))
        )

    def exercise(self, name: str, unfinished: bool = False) -> Exercise:
        """`unfinished`: whether it may lack evidence."""
        self.look()
        exercises = load_rubric(self.rubric_path, unfinished=True) if unfinished else self.exercises
        if name not in exercises:
            raise UserError(f"{self.name} has no exercise {name!r}. It has: {', '.join(exercises)}.")
        return exercises[name]

    @cached_property
    def notebook(self):
        path = self.folder / f"{self.name}.ipynb"
        try:
            return nbformat.read(path, as_version=4)
        except FileNotFoundError:
            raise UserError(f"There is no notebook {path}.") from None
        except Exception as error:
            raise UserError(f"{path} is not a readable notebook: {error}") from error

    @property
    def prelude(self) -> str:
        """The notebook's own imports: its first code cell."""
        return next(cell.source for cell in self.notebook.cells if cell.cell_type == "code")

    def verify(self, only: Iterable[str] = ()) -> None:
        """Raise RubricError unless every exercise, or each of `only`, has just one graded check cell with the
        rubric's points."""
        problems, seen, asked = [], {}, list(only) or list(self.exercises)
        for name in asked:
            self.exercise(name)  # which says what there is instead
        for cell in self.notebook.cells:
            if cell.cell_type != "code" or (name := checked_exercise(cell.source)) is None:
                continue
            if name not in self.exercises:
                problems.append(f"the notebook checks {name!r}, which the rubric does not have")
                continue
            if name not in asked:
                continue
            if not is_judged(cell):
                problems.append(f"the check cell of {name} is not a locked, graded nbgrader cell")
                continue
            seen[name] = seen.get(name, 0) + 1
            points = cell.metadata.nbgrader.points
            if points != self.exercises[name].max_points:
                problems.append(
                    f"{name} gives {points} points in the notebook and "
                    f"{self.exercises[name].max_points} in the rubric"
                )
        problems += [
            f"{name} has {seen.get(name, 0)} check cells in the notebook; exactly one is needed"
            for name in asked
            if seen.get(name, 0) != 1
        ]
        if problems:
            raise RubricError(f"{self.name}: notebook and rubric do not agree:\n  " + "\n  ".join(problems))

    def public(self) -> dict:
        """The public fingerprint file's content: data only."""
        return {"problem_set": self.name, "exercises": self.fingerprints("public")}

    def hidden(self, names: Iterable[str] | None = None) -> dict[str, dict]:
        """The fingerprints that grading uses, of `names` or all: other seeds and sizes than the public."""
        return self.fingerprints("hidden", names)

    def fingerprints(self, kind: str, names: Iterable[str] | None = None) -> dict[str, dict]:
        """The fingerprints of the exercises `names`, or of all, on "public" probes, the "hidden" ones of
        grading, or "fresh" ones for certification and the defence."""
        names = list(names or self.exercises)
        missing = [name for name in names if self.so_far(kind, name) is None]
        origins = {name: self.origin(kind, name) for name in missing}
        outlines = {name: self.outline(kind, name) for name in missing}
        try:
            for name, made in (
                fingerprints([self.exercises[name] for name in missing], outlines, self.prelude, self.helpers)
                if missing
                else ()
            ):
                self.keep(kind, name, made, origins[name])
        except IndistinctProbes as error:
            if kind != "hidden":
                raise
            self.draw_again(error)
            return self.fingerprints(kind, names)
        return {name: self._fingerprints[kind, name] for name in names}

    def outline(self, kind: str, name: str) -> dict:
        """The fingerprint of an exercise before anything has been asked."""
        return outline(self.exercise(name), *self._seeds(kind, name))

    @property
    def helpers(self) -> dict[str, str]:
        """The exercises as the reference has them: a later one may call an earlier one."""
        return {name: exercise.reference.source for name, exercise in self.exercises.items()}

    def _seeds(self, kind: str, name: str) -> tuple[int, int]:
        """The variant and the seed from which the probes of this kind are made."""
        if kind != "hidden":
            return SEEDS[kind]
        return HIDDEN, hidden_seed(course_secret(self.root), name, self._draw(name))

    def _draw(self, name: str) -> int:
        """How often the hidden numbers of an exercise were drawn again since its rubric was written."""
        return kept(self.place("hidden", f"{name}.draw"), digest(name, self._rubric_text(name))) or 0

    def draw_again(self, error: IndistinctProbes) -> None:
        """Take other hidden numbers for an exercise, since those of this secret hide a known mistake.

        Raises `error` where this was done too often: then it is not the numbers' fault.
        """
        draw = self._draw(error.exercise) + 1
        if draw >= MOST_DRAWS:
            raise error
        origin = digest(error.exercise, self._rubric_text(error.exercise))
        keep(self.place("hidden", f"{error.exercise}.draw"), origin, draw)
        if self._draw(error.exercise) != draw:  # a folder that cannot be written to
            raise error

    @cached_property
    def _fingerprints(self) -> dict[tuple[str, str], dict]:
        return {}

    def place(self, kind: str, name: str) -> Path:
        """Where what is known of an exercise is kept."""
        return private_folder(self.root) / kind / self.name / f"{name}.json"

    def origin(self, kind: str, name: str) -> str:
        """A digest of all that a fingerprint follows from: rubric, probes, what they import, the driver, and
        the code that asks and compares."""
        shared = b"".join(text for path, text in self._texts.items() if path.name.startswith("_"))
        texts = [self._rubric_text(name), self.prelude]
        told = [text for version, message in self.exercise(name).told for text in (version.source, message)]
        called = {item: source for item, source in self.helpers.items() if item != name}
        # which grows by the helpers that are named in it, and by those that are named in these
        for text in texts:
            texts += [
                called.pop(item)
                for item in list(called)
                if re.search(rf"\b{re.escape(item)}\b", text + shared.decode(errors="replace"))
            ]
        modules = [
            f"allyouneed.check.drivers.{self.exercise(name).driver}",
            "coursegrader.rubric.fingerprints",
            "coursegrader.rubric.asking_process",
        ]
        return digest(
            repr(self._seeds(kind, name)),
            shared,
            *texts,
            *told,
            digest_of_imports([(text, self.rubric_path) for text in texts], modules),
        )

    def _rubric_text(self, name: str) -> str:
        own = self._texts.get(self.rubric_path / f"{name}.py") or b"".join(self._texts.values())
        return own.decode(errors="replace")

    def so_far(self, kind: str, name: str) -> dict | None:
        """The fingerprint, if it was made here or kept by an earlier command: making one runs every wrong
        version, for seconds."""
        if (kind, name) not in self._fingerprints:
            if (made := kept(self.place(kind, name), self.origin(kind, name))) is None:
                return None
            self._fingerprints[kind, name] = made
        return self._fingerprints[kind, name]

    def keep(self, kind: str, name: str, made: dict, origin: str) -> None:
        """Remember a fingerprint that was made for `origin`, and keep it if that is the origin still."""
        self._fingerprints[kind, name] = made
        if self.origin(kind, name) == origin:
            keep(self.place(kind, name), origin, made)

    def hand_on(self, root: Path) -> None:
        """Copy kept fingerprints into another course folder with the same rubric: the public ones, and with
        the same secret the hidden ones."""
        for kind in ("public", "hidden") if same_secret(self.root, root) else ("public",):
            with contextlib.suppress(OSError):
                shutil.copytree(
                    private_folder(self.root) / kind / self.name, private_folder(root) / kind / self.name
                )

    @cached_property
    def _texts(self) -> dict[Path, bytes]:
        """The rubric's files as they are when it is first used."""
        files = (
            sorted(self.rubric_path.glob("*.py"))
            if self.rubric_path.is_dir()
            else rubric_files(self.rubric_path)
        )
        return {path: path.read_bytes() for path in files if path.is_file()}


def all_problem_sets(root: Path) -> list[ProblemSet]:
    """Every folder of ``solutions`` that holds a rubric, in order."""
    return [
        ProblemSet(root, path.parent.name)
        for path in sorted(
            [*(root / "solutions").glob("*/rubric"), *(root / "solutions").glob("*/rubric.py")]
        )
    ]
