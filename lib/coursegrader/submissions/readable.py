"""Read what was handed in as a notebook of version 4.5, or say why it cannot be read as one."""

from __future__ import annotations

import json

import nbformat

from coursegrader.submissions.files import PreflightError

MAX_READ, MAX_CELLS, MAX_PARTS = 60 * 2**20, 2000, 1_000_000
MAX_DEPTH = 100  # each version of Python has another limit
AGAIN = (  # what cannot be opened cannot be mended in JupyterLab
    "If the notebook that you work in opens in JupyterLab, save it there and hand in that file. If it does "
    "not, fetch the problem set anew, and copy your answers into it."
)


def read(data: bytes) -> tuple[nbformat.NotebookNode, list[str]]:
    """The notebook, and what was changed to read it. Raises PreflightError."""
    raw, findings = _parse(data)
    notebook, upgraded = _upgrade(raw)
    return notebook, findings + upgraded


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


def invalid(notebook) -> str | None:
    """Why a notebook does not follow the format, in a line; None where it does."""
    try:
        nbformat.validate(notebook)
    except Exception as error:
        return _first_line(error)
    return None


def _first_line(error: Exception) -> str:
    return printable(str(error).strip().partition("\n")[0][:160]) or type(error).__name__


def printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
