"""What a person wrote for each exercise of a problem set, from notebooks of this term and of earlier ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import nbformat

from coursegrader.course.check_cells import is_judged
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.job import judged_cells, own_cells
from coursegrader.grading.verdicts import read_verdicts

OURS = {"solutions", "notebooks", "source", "release", "feedback", "prepared", ".ipynb_checkpoints"}
Texts = dict[str, list[str]]  # by exercise, the cells


def read_texts(path: Path) -> Texts:
    """The student's cells for each exercise. ValueError where the file is no notebook."""
    try:
        notebook = nbformat.from_dict(json.loads(path.read_text(encoding="utf-8-sig")))
        for cell in notebook.cells:
            text = cell.source if isinstance(cell.source, str) else "".join(cell.source)
            cell.source = text.replace("\r\n", "\n").replace("\r", "\n")  # as Python counts lines
        found = judged_cells(notebook)
        return {
            exercise: [own.source for own in own_cells(notebook, cell)] for exercise, cell in found.items()
        }
    except Exception as error:  # whatever a malformed notebook makes its readers stumble over
        raise ValueError(f"{path} is not a readable notebook") from error


def class_texts(problem_set: ProblemSet, students: Iterable[str]) -> tuple[dict[str, Texts], list[str]]:
    """What this term's students wrote, as it was graded, and those whose notebook cannot be read."""
    texts, damaged = {}, []
    for student in students:
        path = problem_set.root / "autograded" / student / problem_set.name / f"{problem_set.name}.ipynb"
        try:
            texts[student] = read_texts(path) if path.is_file() else {}
        except ValueError:
            texts[student] = {}
            damaged.append(student)
    return texts, damaged


@dataclass(frozen=True)
class Earlier:
    """Notebooks of an earlier term, by who wrote each; what was said of them; files that are no notebooks."""

    name: str
    texts: dict[str, Texts]
    verdicts: dict[str, list[dict]]
    unread: list[str]


def earlier_term(problem_set: ProblemSet, folder: Path) -> Earlier:
    """The notebooks of this problem set below a folder: that of a term, or any other. Raises UserError where
    there is none with one of its exercises."""
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}. --earlier names the folder of an earlier term.")
    if folder.resolve() == problem_set.root.resolve():
        raise UserError(f"{folder} is this term's own folder. --earlier names that of an earlier term.")
    name, paths = folder.resolve().name, sorted(folder.glob(f"submitted/*/{problem_set.name}/*.ipynb"))
    if not paths:
        paths = sorted(folder.glob(f"autograded/*/{problem_set.name}/*.ipynb"))
    whose = {path: path.parts[-3] for path in paths}
    if not paths:
        below = {path: path.relative_to(folder) for path in sorted(folder.rglob("*.ipynb"))}
        whose = {
            path: str(inner.with_suffix("")) for path, inner in below.items() if not OURS & set(inner.parts)
        }
    texts, unread = {}, []
    for path, student in whose.items():
        try:
            found = read_texts(path)
        except ValueError:
            unread.append(f"{name}: {path.relative_to(folder)}")
            continue
        if known := {key: cells for key, cells in found.items() if key in problem_set.exercises}:
            texts[student] = known
    if not texts:
        raise UserError(
            f"{folder} has no notebook with an exercise of {problem_set.name} ({len(whose)} notebooks were "
            "looked at). --earlier names the folder of an earlier term of this course."
        )
    return Earlier(name, texts, read_verdicts(ProblemSet(folder, problem_set.name)), unread)


def given_cells(problem_set: ProblemSet) -> list[str]:
    """The code that every student received: cells that are no answer, and the stubs of those that are."""
    released = problem_set.root / "notebooks" / problem_set.name / f"{problem_set.name}.ipynb"
    cells = [
        cell.source
        for cell in problem_set.notebook.cells
        if cell.cell_type == "code"
        and not cell.metadata.get("nbgrader", {}).get("solution")
        and not is_judged(cell)
    ]
    if released.is_file():
        try:
            notebook = nbformat.read(released, as_version=4)
            cells += [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        except Exception as error:  # whatever a malformed notebook makes its readers stumble over
            raise UserError(
                f"{released} is damaged. Make it anew: coursegrader release {problem_set.name}"
            ) from error
    return cells
