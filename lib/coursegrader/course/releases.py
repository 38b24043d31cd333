"""What each release of a problem set said of its cells, so that nobody is taken to have changed what was so
in the notebook that they were given.

A record is begun or added to whenever nbgrader makes the students' notebook, whoever asks for it, and before
submissions are graded, from the notebook that lies in ``notebooks/`` and the one in the exchange.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

import nbformat

from coursegrader.course.kept import private_folder
from coursegrader.files import write_whole

FIXED_KEYS = ("grade", "solution", "locked", "task", "points", "cell_type", "schema_version")
KIND, TEXT = "kind", "text"  # of the cell itself


@dataclass(frozen=True)
class Releases:
    """A problem set's releases: of each, the values of its graded cells, and its cells' tags."""

    graded: tuple[dict[str, dict], ...] = ()
    tags: tuple[dict[str, list[str]], ...] = ()

    def has(self, name: str, key: str, value) -> bool:
        """Whether a release gave the cell `name` this value; None where it gave it none."""
        return any(name in cells and cells[name].get(key) == value for cells in self.graded)

    def has_text(self, name: str, text: str) -> bool:
        """Whether a release gave the cell `name` this text, or may have done: records of old say nothing."""
        cells = [cells[name] for cells in self.graded if name in cells]
        return not cells or any(cell.get(TEXT, text.strip()) == text.strip() for cell in cells)

    def knows(self, name: str) -> bool:
        """Whether a release had a cell of this name."""
        return any(name in cells for cells in self.graded)

    def was_without(self, name: str) -> bool:
        """Whether there was a release before the cell of this name."""
        return any(name not in cells for cells in self.graded)

    def tags_of(self, cell_id: str | None) -> set[str]:
        """The tags that a cell ever had."""
        return {tag for cells in self.tags for tag in cells.get(cell_id, ())}


def releases_of(root: Path, name: str) -> Releases:
    """All that was ever released of the problem set `name`, as far as it is known."""
    record = _read(_record(root, name))
    return Releases(*(tuple(item[part] for item in record) for part in ("graded", "tags")))


def remember_release(root: Path, name: str, *others: Path) -> None:
    """Add the students' notebook to the record, and those in the folders `others`, where they differ."""
    record = _read(_record(root, name))
    before = len(record)
    for folder in (root / "notebooks" / name, *others):
        try:
            notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
        except Exception:  # there is none, or none that could have been given to anybody
            continue
        if (said := _what_it_says(notebook)) not in record:
            record.append(said)
    if len(record) > before:
        path = _record(root, name)
        with contextlib.suppress(OSError):  # a course folder that cannot be written to stops no grading
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(record).encode())


def after_generating(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's `GenerateAssignment.post_convert_hook`: the notebooks are those of the source."""
    folder = Path(notebooks[0]).absolute().parent  # solutions/NN-name
    remember_release(folder.parents[1], folder.name)


def _what_it_says(notebook) -> dict:
    graded, tags = {}, {}
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if isinstance(name := about.get("grade_id"), str):
            graded[name] = {key: about[key] for key in FIXED_KEYS if key in about} | {KIND: cell.cell_type}
            if about.get("grade") and not about.get("solution"):
                graded[name][TEXT] = cell.source.strip()
        if cell.metadata.get("tags"):
            tags[cell.get("id")] = list(cell.metadata.tags)
    return json.loads(json.dumps({"graded": graded, "tags": tags}))


def _record(root: Path, name: str) -> Path:
    return private_folder(root) / "releases" / f"{name}.json"


def _read(path: Path) -> list[dict]:
    try:
        return [item for item in json.loads(path.read_text(encoding="utf-8")) if _is_release(item)]
    except (OSError, ValueError, TypeError):
        return []


def _is_release(item) -> bool:
    parts = [item.get(part) for part in ("graded", "tags")] if isinstance(item, dict) else [None]
    return all(isinstance(part, dict) for part in parts)
