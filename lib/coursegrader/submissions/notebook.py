"""A submission's notebook: make it valid, and agree with the source in all that is not the student's."""

from __future__ import annotations

import copy
import json
import re

import nbformat

from coursegrader.course.releases import FIXED_KEYS, KIND, TEXT, Releases
from coursegrader.submissions.files import PreflightError

MAX_NOTEBOOK, MAX_READ, MAX_CELLS, MAX_PARTS, MAX_CODE = 10 * 2**20, 60 * 2**20, 2000, 1_000_000, 300_000
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
MAX_DEPTH = 100  # each version of Python has another limit
STEERING_TAGS = ("skip-execution", "raises-exception", "remove", "hide", "injected")
AGAIN = (  # what cannot be opened cannot be mended in JupyterLab
    "If the notebook that you work in opens in JupyterLab, save it there and hand in that file. If it does "
    "not, fetch the problem set anew, and copy your answers into it."
)
IN_WORDS = {"points": "the points", "cell_type": "the kind", "kind": "the kind", TEXT: "the text"}


def mend(data: bytes, source, releases: Releases | None = None) -> tuple[nbformat.NotebookNode, list[str]]:
    """Read a submitted notebook; return it as valid (version 4.5), as `source` has it, and what was changed.

    Nothing is found in a notebook that can be graded as it stands, apart from solution cells that are
    missing. What was so in one of `releases` is brought up to date without a word: the student did not do it.
    """
    releases = releases or Releases()
    raw, findings = _parse(data)
    notebook, upgraded = _upgrade(raw)
    findings += upgraded
    for step in (_mend_cells, _mend_ids, _mend_graded_cells, _mend_steering, _restore_checks):
        findings += step(notebook, source, releases)
    if len(data) > MAX_NOTEBOOK or _invalid(notebook):
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        findings.append(
            "The outputs were cleared, because they are too large or not valid; grading runs "
            "the notebook anew."
        )
    if (problem := _invalid(notebook)) is not None:
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


def _parse(data: bytes) -> tuple[dict, list[str]]:
    if len(data) > MAX_READ:
        raise PreflightError(
            f"The notebook's file has {len(data) / 2**20:.0f} MiB; at most "
            f"{MAX_READ // 2**20} MiB are read. Clear its outputs (Edit, Clear Outputs "
            "of All Cells), save it, and hand it in again."
        )
    if sum(map(data.count, (b"{", b"[", b","))) > MAX_PARTS:
        raise PreflightError(
            f"The notebook's file holds more than {MAX_PARTS:,} lists, entries and "
            "numbers. Clear its outputs (Edit, Clear Outputs of All Cells), save it, "
            "and hand it in again."
        )
    if not data.strip():
        raise PreflightError(f"The notebook's file is empty. {AGAIN}")
    findings = []
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise PreflightError(
            f"The notebook is not stored as UTF-8 text, as JupyterLab stores it. {AGAIN}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise PreflightError(
            f"The notebook is not readable as JSON ({_first_line(error)}). Its file was cut off, damaged "
            f"on its way, or edited by hand. {AGAIN}"
        ) from error
    if _depth(raw) > MAX_DEPTH:
        raise PreflightError(
            f"The notebook does not follow the notebook format: it is nested too deeply. {AGAIN}"
        )
    if not isinstance(raw, dict) or not isinstance(raw.get("nbformat"), int):
        raise PreflightError("The file is JSON, and not a notebook. Hand in the .ipynb file itself.")
    text = json.dumps(raw, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # halves of surrogate pairs
        raw = json.loads(text.encode("utf-8", "replace"))
        findings.append("Broken characters were replaced by question marks.")
    if b"\xef\xbb\xbf" == data[:3]:
        findings.append("A byte order mark at the file's start was removed.")
    return raw, findings


def _depth(raw) -> int:
    """How many lists and dictionaries lie in each other at most."""
    depth, level = 0, [raw]
    while level := [
        item
        for value in level
        if isinstance(value, (dict, list))
        for item in (value.values() if isinstance(value, dict) else value)
    ]:
        depth += 1
    return depth


def _upgrade(raw: dict) -> tuple[nbformat.NotebookNode, list[str]]:
    """The notebook in version 4.5."""
    major, minor = raw["nbformat"], raw.get("nbformat_minor", 0)
    if major == 4 and not (
        isinstance(raw.get("cells"), list) and all(isinstance(cell, dict) for cell in raw["cells"])
    ):
        raise PreflightError(f"The notebook has no list of cells. {AGAIN}")
    if not 2 <= major <= 4:
        raise PreflightError(
            f"The notebook has the format version {major}; versions 2 to 4 are read. {AGAIN}"
        )
    try:
        notebook = nbformat.from_dict(raw)
        if major < 4:
            notebook = nbformat.convert(notebook, 4)
        else:
            notebook = _joined(notebook)
        if major == 4 and isinstance(minor, int) and minor < 5:
            notebook = nbformat.v4.upgrade(notebook, from_version=4, from_minor=minor)
    except Exception as error:  # the converters raise whatever a malformed notebook makes them stumble over
        raise PreflightError(
            f"The notebook is of version {major}, and could not be read as such ({_first_line(error)}). "
            f"{AGAIN}"
        ) from error
    changed = (major, minor) != (4, 5)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    if len(notebook.cells) > MAX_CELLS:
        raise PreflightError(f"The notebook has {len(notebook.cells)} cells; at most {MAX_CELLS} are read.")
    return notebook, [
        f"The notebook was brought from format version {major}.{minor} to 4.5."
    ] if changed else []


def _joined(notebook):
    """Texts that are stored as lists of lines, as one text each."""
    for cell in notebook.get("cells") or []:
        parts = [cell, *(cell.get("outputs") or [])]
        parts += [part["data"] for part in parts[1:] if isinstance(part.get("data"), dict)]
        for part in parts:
            for key, value in part.items():
                if (
                    key != "traceback"
                    and not key.endswith("json")
                    and isinstance(value, list)
                    and value
                    and all(isinstance(line, str) for line in value)
                ):
                    part[key] = "".join(value)
                elif key in ("source", "text") and value == []:
                    part[key] = ""
    return notebook


def _invalid(notebook) -> str | None:
    try:
        nbformat.validate(notebook)
    except Exception as error:
        return _first_line(error)
    return None


def _first_line(error: Exception) -> str:
    return _printable(str(error).strip().partition("\n")[0][:160]) or type(error).__name__


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


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
                f"{_printable(', '.join(tag[:40] for tag in sorted(found)))}."
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
