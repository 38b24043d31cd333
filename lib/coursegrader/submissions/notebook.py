"""A submission's notebook: make it agree with the source in all that is not the student's."""

from __future__ import annotations

import copy
import re

import nbformat

from coursegrader.course.releases import FIXED_KEYS, KIND, TEXT, Releases
from coursegrader.submissions.files import PreflightError
from coursegrader.submissions.readable import AGAIN, invalid, printable, read

MAX_NOTEBOOK, MAX_CODE = 10 * 2**20, 300_000
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
STEERING_TAGS = ("skip-execution", "raises-exception", "remove", "hide", "injected")
IN_WORDS = {"points": "the points", "cell_type": "the kind", "kind": "the kind", TEXT: "the text"}


def mend(data: bytes, source, releases: Releases | None = None) -> tuple[nbformat.NotebookNode, list[str]]:
    """Read a submitted notebook; return it as valid (version 4.5), as `source` has it, and what was changed.

    Nothing is found in a notebook that can be graded as it stands, apart from solution cells that are
    missing. What was so in one of `releases` is brought up to date without a word: the student did not do it.
    """
    releases = releases or Releases()
    notebook, findings = read(data)
    for step in (_mend_cells, _mend_ids, _mend_graded_cells, _mend_steering, _restore_checks):
        findings += step(notebook, source, releases)
    if len(data) > MAX_NOTEBOOK or invalid(notebook):
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        findings.append(
            "The outputs were cleared, because they are too large or not valid; grading runs "
            "the notebook anew."
        )
    if (problem := invalid(notebook)) is not None:
        raise PreflightError(f"The notebook does not follow the notebook format: {problem}. {AGAIN}")
    if sum(len(cell.source) for cell in notebook.cells if cell.cell_type == "code") > MAX_CODE:
        raise PreflightError(
            f"The notebook holds more than {MAX_CODE:,} characters of code. Put data into a file beside it."
        )
    size = len(nbformat.writes(notebook).encode())
    if size > MAX_NOTEBOOK:
        raise PreflightError(
            f"The notebook has {size / 2**20:.0f} MiB without its outputs; at most "
            f"{MAX_NOTEBOOK // 2**20} MiB are read. Remove pasted images and data."
        )
    return notebook, findings


def _mend_cells(notebook, *_) -> list[str]:
    """Every cell has a kind, a text and metadata; what nbformat can do without is removed, not refused."""
    odd = 0
    for cell in notebook.cells:
        before = _shape(cell)
        if cell.get("cell_type") not in ("code", "markdown", "raw"):
            cell.cell_type = "raw"
        if not isinstance(cell.get("source"), str):
            cell.source = ""
        if not isinstance(cell.get("metadata"), dict):
            cell.metadata = nbformat.NotebookNode()
        if not isinstance(cell.metadata.get("nbgrader", {}), dict):
            del cell.metadata["nbgrader"]
        if cell.cell_type == "code":
            cell.setdefault("outputs", [])
            cell.setdefault("execution_count", None)
        else:
            for key in ("outputs", "execution_count"):
                cell.pop(key, None)
        odd += _shape(cell) != before
    if not isinstance(notebook.get("metadata"), dict):
        notebook.metadata, odd = nbformat.NotebookNode(), odd + 1
    return [f"{odd} cells did not follow the notebook format and were put in order."] if odd else []


def _shape(cell) -> dict:
    """Which keys a cell and its metadata have, its kind and its text."""
    return {
        key: sorted(map(str, value))
        if key == "metadata" and isinstance(value, dict)
        else value
        if key in ("cell_type", "source")
        else None
        for key, value in cell.items()
    }


def _mend_ids(notebook, *_) -> list[str]:
    """Cell ids are valid and unique."""
    seen, renamed = set(), 0
    for number, cell in enumerate(notebook.cells):
        if not isinstance(cell.get("id"), str) or not CELL_ID.fullmatch(cell.id) or cell.id in seen:
            cell.id = next(
                name
                for count in range(len(notebook.cells) + 1)
                if (name := f"cell-{number}-{count}") not in seen
            )
            renamed += 1
        seen.add(cell.id)
    return [f"{renamed} cells had no id of their own and got one."] if renamed else []


def _mend_graded_cells(notebook, source, releases: Releases) -> list[str]:
    """What nbgrader knows of a cell is what the release said; of copies, the last counts, as in nbgrader."""
    known = {_grade_id(cell): cell for cell in source.cells if _grade_id(cell)}
    findings, seen = [], set()
    for cell in reversed(notebook.cells):
        meta = cell.metadata.get("nbgrader")
        if meta is None:
            continue
        name = _grade_id(cell)
        if name not in known:
            if meta and not releases.knows(name):
                findings.append(
                    f"A cell claims to be graded as {str(name)[:60]!r}, which this problem "
                    "set does not have. It counts as an ordinary cell."
                )
            del cell.metadata["nbgrader"]
        elif name in seen:
            findings.append(f"The cell {name!r} is there more than once. The last one counts.")
            del cell.metadata["nbgrader"]
        else:
            seen.add(name)
            findings += _mend_graded_cell(cell, name, known[name], releases)
    return findings[::-1]


def _grade_id(cell) -> str | None:
    name = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")
    return name if isinstance(name, str) else None


def _mend_graded_cell(cell, name: str, source_cell, releases: Releases) -> list[str]:
    meta, right = cell.metadata.nbgrader, source_cell.metadata.nbgrader
    findings = []

    def changed(key, value):
        if not releases.has(name, key, value):
            findings.append(key)

    for key in FIXED_KEYS:
        if key in right and meta.get(key) != right[key] and not (key == "cell_type" and key not in meta):
            changed(key, meta.get(key))
            meta[key] = right[key]
        elif key not in right and key in meta and key != "cell_type":
            changed(key, meta[key])
            del meta[key]
    if "checksum" in meta and not isinstance(meta["checksum"], str):
        findings.append("checksum")
        del meta["checksum"]
    if cell.cell_type != source_cell.cell_type:
        changed(KIND, cell.cell_type)
        cell.cell_type = source_cell.cell_type
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.pop("attachments", None)
        else:
            for key in ("outputs", "execution_count"):
                cell.pop(key, None)
    if right.get("grade") and not right.get("solution") and not releases.has_text(name, cell.source):
        findings.append(TEXT)  # which nbgrader writes anew from its gradebook
    if not findings:
        return []
    words = dict.fromkeys(IN_WORDS.get(key, f"nbgrader's setting {key!r}") for key in findings)
    had = "had" if len(words) > 1 or "the points" in words else "has"
    return [
        f"In the cell {name!r}, {_and(list(words))} {had} been changed. It is graded as the course has it."
    ]


def _and(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _mend_steering(notebook, source, releases: Releases) -> list[str]:
    """No tag or mark of a submission steers how it is run or shown, unless the released cell has it."""
    released = {cell.get("id"): set(cell.metadata.get("tags", [])) for cell in source.cells}
    found = set()
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        if tags is not None:
            tags = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
            kept = [
                tag
                for tag in dict.fromkeys(tags)
                if not tag.startswith(STEERING_TAGS) or tag in released.get(cell.id, ())
            ]
            if kept != cell.metadata["tags"]:
                found |= (set(tags) - set(kept) or {"tags"}) - releases.tags_of(cell.id)
                cell.metadata["tags"] = kept
        if cell.metadata.pop("coursegrader", None) is not None:
            found.add("coursegrader")
    return (
        [
            (
                "Marks that steer how cells are run were removed: "
                f"{printable(', '.join(tag[:40] for tag in sorted(found)))}."
            )
        ]
        if found
        else []
    )


def _restore_checks(notebook, source, releases: Releases) -> list[str]:
    """Missing check cells come back at the end; missing answers are reported."""
    present, findings = {_grade_id(cell) for cell in notebook.cells}, []
    for cell in source.cells:
        name, meta = _grade_id(cell), cell.metadata.get("nbgrader", {})
        if name is None or name in present:
            continue
        if meta.get("solution") or meta.get("task"):
            findings.append(
                f"The answer cell {name!r} is missing"
                + (f"; its {meta['points']} points cannot be given." if meta.get("points") else ".")
            )
        elif meta.get("grade"):
            added = copy.deepcopy(cell)
            if added.cell_type == "code":
                added.outputs, added.execution_count = [], None
            notebook.cells.append(added)
            if not releases.was_without(name):
                findings.append(f"The check cell {name!r} was missing and was put back at the end.")
    _mend_ids(notebook)
    return findings
