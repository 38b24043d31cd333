"""Before nbgrader reads a submission: check its files, and mend what would stop the batch or change the grading.

What a student handed in is never lost. A file that is set aside, and the notebook before it is mended, go to
``originals/STUDENT/NN-name/``, beside ``submitted/``. The mended notebook takes the original's place, because every way
into nbgrader (`coursegrader grade`, `nbgrader autograde`, formgrader's button) reads ``submitted/`` and nothing else;
nbgrader copies nothing from ``originals/``.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import re
import shutil
import stat
from pathlib import Path

import nbformat

from coursegrader.problemset import ProblemSet

MAX_NOTEBOOK, MAX_READ, MAX_FOLDER = 10 * 2**20, 60 * 2**20, 100 * 2**20
MAX_FILES, MAX_CELLS = 200, 2000
ALLOWED = {".ipynb", ".txt", ".md", ".csv", ".tsv", ".json", ".png", ".jpg", ".jpeg", ".gif", ".pdf", ".npy", ".safetensors"}
RESERVED = re.compile(r"(rubric|conftest|verdicts|sitecustomize|usercustomize|gradebook|.*_config)\b.*", re.IGNORECASE)
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.,()+-]{0,99}")
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?( ?[A-Za-z0-9:+/_-]{1,40})?")
STEERING_TAGS = ("skip-execution", "raises-exception", "remove", "hide", "injected")
FIXED_KEYS = ("grade", "solution", "locked", "task", "points", "cell_type", "schema_version")


class PreflightError(Exception):
    """A submission that cannot be graded, in words for the instructor and the student: what is wrong, and what to do."""


def normalise(submitted_folder: Path, problem_set: ProblemSet) -> list[str]:
    """Make the folder ``submitted/STUDENT/NN-name`` fit to be read by nbgrader; return what was found and changed.

    A second call changes nothing and returns the same. Raises PreflightError if there is nothing that can be graded.
    """
    folder = Path(submitted_folder)
    keep = originals(folder, problem_set)
    try:
        findings = _check_files(folder, keep, problem_set)
        path = folder / f"{problem_set.name}.ipynb"
        before = path.read_bytes()
        notebook, found = mend(before, problem_set.notebook)
        findings += found
        after = nbformat.writes(notebook).encode() + b"\n" if found else before
        if after != before:
            keep.mkdir(parents=True, exist_ok=True)
            _write(keep / path.name, before)
            _write(path, after, keep.parent)
    except PreflightError as error:
        _remember(keep, "", [], str(error))
        raise
    except OSError as error:
        raise PreflightError(f"The submission cannot be read or put in order: {error.strerror} ({error.filename}). Hand it in again.") from error
    return _remember(keep, hashlib.sha256(after).hexdigest(), findings)


def originals(folder: Path, problem_set: ProblemSet) -> Path:
    """Where the originals of a submission are kept."""
    return problem_set.root / "originals" / folder.parent.name / problem_set.name


def findings_of(root: Path, student: str, name: str) -> tuple[list[str], str | None]:
    """What the last pre-flight check of a submission found, and why it could not be graded (None: it could)."""
    try:
        note = json.loads((root / "originals" / student / f"{name}.findings.json").read_text(encoding="utf-8"))
        return note["findings"], note["error"]
    except (OSError, ValueError, KeyError):
        return [], None


def _remember(keep: Path, digest: str, findings: list[str], error: str | None = None) -> list[str]:
    """Keep the findings beside the originals; those of the call that changed the notebook count for later calls too."""
    path = keep.with_name(f"{keep.name}.findings.json")
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        old = {"digest": None, "findings": []}
    if error is None and old["digest"] == digest:
        findings = old["findings"] + [item for item in findings if item not in old["findings"]]
    if findings or error or path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, json.dumps({"digest": digest, "findings": findings, "error": error}, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
    return findings


def _write(path: Path, data: bytes, scratch_folder: Path | None = None) -> None:
    """Write a file as a whole or not at all; a half-written one never lies where nbgrader reads."""
    scratch = (scratch_folder or path.parent) / f".{path.name}.part"
    scratch.unlink(missing_ok=True)
    scratch.write_bytes(data)
    os.replace(scratch, path)


# The folder ------------------------------------------------------------------------------------------------------------------


def _check_files(folder: Path, keep: Path, problem_set: ProblemSet) -> list[str]:
    """Set aside what may not be there, and give the only notebook its name."""
    if folder.is_symlink() or not folder.is_dir():
        raise PreflightError("The submission is not a folder.")
    findings, kept, total = [], [], 0
    for path in _walk(folder):
        problem = _why_not(path, folder, problem_set)
        if problem == "":
            continue
        if problem is not None:
            _set_aside(path, folder, keep)
            findings.append(f"{_shown(path.relative_to(folder))} was set aside: {problem}.")
            continue
        kept.append(path)
        total += path.lstat().st_size
    if total > MAX_FOLDER or len(kept) > MAX_FILES:
        raise PreflightError(f"The submission holds {len(kept)} files and {total / 2**20:.0f} MiB; at most {MAX_FILES} files and "
                             f"{MAX_FOLDER // 2**20} MiB are read. Hand in the notebook alone.")
    return findings + _name_notebook(folder, [path for path in kept if path.suffix.lower() == ".ipynb"], keep, problem_set.name)


def _walk(folder: Path) -> list[Path]:
    """Everything below `folder` that is not an ordinary directory; links are not followed."""
    found = []
    for where, directories, files in os.walk(folder):
        links = [name for name in directories if (Path(where) / name).is_symlink()]
        found += [Path(where) / name for name in (*links, *files)]
        if len(found) > 100 * MAX_FILES:
            raise PreflightError(f"The submission holds more than {100 * MAX_FILES} files. Hand in the notebook alone.")
    return sorted(found)


def _why_not(path: Path, folder: Path, problem_set: ProblemSet) -> str | None:
    """Why a file is set aside; None if it may stay, and an empty text if it is nbgrader's own."""
    relative, mode = path.relative_to(folder), path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return "links are not followed"
    if not stat.S_ISREG(mode):
        return "it is not a file"
    if relative.as_posix() == "timestamp.txt":
        good = path.stat().st_size < 200 and TIMESTAMP.fullmatch(path.read_text(encoding="utf-8", errors="replace").strip())
        return "" if good else "it does not hold a date, so the time of submission is unknown"
    if RESERVED.fullmatch(path.name):
        return "this name belongs to the grader"
    if any(part.startswith(".") for part in relative.parts):
        return "hidden files are not read"
    if path.suffix.lower() == ".ipynb" and len(relative.parts) == 1:
        return None
    if not all(PLAIN_NAME.fullmatch(part) for part in relative.parts):
        return "its name has characters other than the letters a to z, digits, spaces and _ . , ( ) + -"
    if path.suffix.lower() not in ALLOWED and not (problem_set.folder / relative).is_file():
        return "files of this kind are not read. Code belongs in the notebook" if path.suffix == ".py" else "files of this kind are not read"
    return None


def _set_aside(path: Path, folder: Path, keep: Path) -> None:
    """Move a file to the originals. A link becomes a text that says where it led, so that nothing there leads elsewhere."""
    target = keep / path.relative_to(folder)
    for parent in target.parents:
        if keep in parent.parents and parent.exists() and not parent.is_dir():
            parent.unlink()
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir():
        shutil.rmtree(target)
    if path.is_symlink():
        _write(target, f"a link to {os.readlink(path)}\n".encode("utf-8", "surrogateescape"))
        path.unlink()
    else:
        os.replace(path, target)


def _name_notebook(folder: Path, notebooks: list[Path], keep: Path, name: str) -> list[str]:
    """Give the only notebook the name that nbgrader looks for, and set others aside."""
    right = folder / f"{name}.ipynb"
    if right not in notebooks:
        if not notebooks:
            raise PreflightError(f"There is no notebook in the submission. Hand in {name}.ipynb.")
        if len(notebooks) > 1:
            shown = ", ".join(_shown(path.relative_to(folder)) for path in notebooks)
            raise PreflightError(f"There are {len(notebooks)} notebooks and none is called {name}.ipynb: {shown}. "
                                 f"Hand in one of them, called {name}.ipynb.")
        os.replace(notebooks[0], right)
        return [f"{_shown(notebooks[0].relative_to(folder))} was taken for {name}.ipynb, as the only notebook."]
    findings = []
    for path in notebooks:
        if path != right:
            _set_aside(path, folder, keep)
            findings.append(f"{_shown(path.relative_to(folder))} was set aside: only {name}.ipynb is graded.")
    return findings


def _shown(path: Path) -> str:
    """A file's name as one printable line of ASCII."""
    text = str(path).encode("ascii", "backslashreplace").decode()
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)[:120]


# The notebook ----------------------------------------------------------------------------------------------------------------


def mend(data: bytes, source) -> tuple[nbformat.NotebookNode, list[str]]:
    """Read a submitted notebook; return it as a valid one of version 4.5 that agrees with `source`, and what was changed.

    Nothing is found in a notebook that can be graded as it stands, apart from solution cells that are missing.
    """
    raw, findings = _read(data)
    notebook, upgraded = _upgrade(raw)
    findings += upgraded
    for step in (_mend_cells, _mend_ids, _mend_graded_cells, _mend_steering, _restore_checks):
        findings += step(notebook, source)
    if len(data) > MAX_NOTEBOOK or _invalid(notebook):
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        findings.append("The outputs were cleared, because they are too large or not valid; grading runs the notebook anew.")
    if (problem := _invalid(notebook)) is not None:
        raise PreflightError(f"The notebook does not follow the notebook format: {problem}. "
                             "Open it in JupyterLab, save it there, and hand it in again.")
    size = len(nbformat.writes(notebook).encode())
    if size > MAX_NOTEBOOK:
        raise PreflightError(f"The notebook has {size / 2**20:.0f} MiB without its outputs; at most {MAX_NOTEBOOK // 2**20} MiB are read. "
                             "Remove pasted images and data.")
    return notebook, findings


def _read(data: bytes) -> tuple[dict, list[str]]:
    if len(data) > MAX_READ:
        raise PreflightError(f"The notebook's file has {len(data) / 2**20:.0f} MiB; at most {MAX_READ // 2**20} MiB are read. "
                             "Clear its outputs (Edit, Clear Outputs of All Cells), save it, and hand it in again.")
    if not data.strip():
        raise PreflightError("The notebook's file is empty. Save the notebook, look whether the file has a size, and hand it in again.")
    findings = []
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise PreflightError("The notebook is not stored as UTF-8 text. Open it in JupyterLab, save it there, and hand it in again.") from error
    except (ValueError, RecursionError) as error:
        raise PreflightError(f"The notebook is not readable as JSON ({_short(error)}). It was cut off or edited by hand. "
                             "Open it in JupyterLab, save it there, and hand it in again.") from error
    if not isinstance(raw, dict) or not isinstance(raw.get("nbformat"), int):
        raise PreflightError("The file is JSON, and not a notebook. Hand in the .ipynb file itself.")
    text = json.dumps(raw, ensure_ascii=False)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raw = json.loads(text.encode("utf-8", "replace"))
        findings.append("Broken characters were replaced by question marks.")
    if b"\xef\xbb\xbf" == data[:3]:
        findings.append("A byte order mark at the file's start was removed.")
    return raw, findings


def _upgrade(raw: dict) -> tuple[nbformat.NotebookNode, list[str]]:
    """The notebook in version 4.5."""
    major, minor = raw["nbformat"], raw.get("nbformat_minor", 0)
    if major == 4 and not (isinstance(raw.get("cells"), list) and all(isinstance(cell, dict) for cell in raw["cells"])):
        raise PreflightError("The notebook has no list of cells. Open it in JupyterLab, save it there, and hand it in again.")
    if not 2 <= major <= 4:
        raise PreflightError(f"The notebook has the format version {major}; versions 2 to 4 are read. "
                             "Open it in JupyterLab, save it there, and hand it in again.")
    try:
        notebook = nbformat.from_dict(raw)
        if major < 4:
            notebook = nbformat.convert(notebook, 4)
        else:
            notebook = _joined(notebook)
        if major == 4 and isinstance(minor, int) and minor < 5:
            notebook = nbformat.v4.upgrade(notebook, from_version=4, from_minor=minor)
    except Exception as error:  # the converters raise whatever a malformed notebook makes them stumble over
        raise PreflightError(f"The notebook is of version {major}, and could not be read as such ({_short(error)}). "
                             "Open it in JupyterLab, save it there, and hand it in again.") from error
    changed = (major, minor) != (4, 5)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    if len(notebook.cells) > MAX_CELLS:
        raise PreflightError(f"The notebook has {len(notebook.cells)} cells; at most {MAX_CELLS} are read.")
    return notebook, [f"The notebook was brought from format version {major}.{minor} to 4.5."] if changed else []


def _joined(notebook):
    """Texts that are stored as lists of lines, as one text each."""
    for cell in notebook.get("cells") or []:
        parts = [cell, *(cell.get("outputs") or [])]
        parts += [part["data"] for part in parts[1:] if isinstance(part.get("data"), dict)]
        for part in parts:
            for key, value in part.items():
                if key != "traceback" and not key.endswith("json") and isinstance(value, list) and value and all(isinstance(line, str) for line in value):
                    part[key] = "".join(value)
                elif key in ("source", "text") and value == []:
                    part[key] = ""
    return notebook


def _invalid(notebook) -> str | None:
    try:
        nbformat.validate(notebook)
    except RecursionError:
        return "it is nested too deeply"
    except Exception as error:
        return _short(error)
    return None


def _short(error: Exception) -> str:
    return _printable(str(error).strip().partition("\n")[0][:160]) or type(error).__name__


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def _mend_cells(notebook, _) -> list[str]:
    """Every cell has a kind, a text and metadata; what nbformat can do without is removed rather than refused."""
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
    return {key: sorted(map(str, value)) if key == "metadata" and isinstance(value, dict) else value if key in ("cell_type", "source") else None
            for key, value in cell.items()}


def _mend_ids(notebook, _) -> list[str]:
    """Cell ids are valid and unique."""
    seen, renamed = set(), 0
    for number, cell in enumerate(notebook.cells):
        if not isinstance(cell.get("id"), str) or not CELL_ID.fullmatch(cell.id) or cell.id in seen:
            cell.id = next(name for count in range(len(notebook.cells) + 1) if (name := f"cell-{number}-{count}") not in seen)
            renamed += 1
        seen.add(cell.id)
    return [f"{renamed} cells had no id of their own and got one."] if renamed else []


def _mend_graded_cells(notebook, source) -> list[str]:
    """What nbgrader knows about a cell is what the released notebook said; of copies, the last counts, as in nbgrader."""
    known = {_grade_id(cell): cell for cell in source.cells if _grade_id(cell)}
    findings, seen = [], set()
    for cell in reversed(notebook.cells):
        meta = cell.metadata.get("nbgrader")
        if meta is None:
            continue
        name = _grade_id(cell)
        if name not in known:
            if meta:
                findings.append(f"A cell claims to be graded as {str(name)[:60]!r}, which this problem set does not have. It counts as an ordinary cell.")
            del cell.metadata["nbgrader"]
        elif name in seen:
            findings.append(f"The cell {name!r} is there more than once. The last one counts.")
            del cell.metadata["nbgrader"]
        else:
            seen.add(name)
            findings += _mend_graded_cell(cell, name, known[name])
    return findings[::-1]


def _grade_id(cell) -> str | None:
    name = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")
    return name if isinstance(name, str) else None


def _mend_graded_cell(cell, name: str, source_cell) -> list[str]:
    meta, right = cell.metadata.nbgrader, source_cell.metadata.nbgrader
    findings = []
    for key in FIXED_KEYS:
        if key in right and meta.get(key) != right[key] and not (key == "cell_type" and key not in meta):
            findings.append(key)
            meta[key] = right[key]
        elif key not in right and key in meta and key != "cell_type":
            findings.append(key)
            del meta[key]
    if "checksum" in meta and not isinstance(meta["checksum"], str):
        findings.append("checksum")
        del meta["checksum"]
    if cell.cell_type != source_cell.cell_type:
        findings.append("kind")
        cell.cell_type = source_cell.cell_type
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.pop("attachments", None)
        else:
            for key in ("outputs", "execution_count"):
                cell.pop(key, None)
    return [f"The {' and '.join(findings)} of the cell {name!r} had been changed and is again what was released."] if findings else []


def _mend_steering(notebook, source) -> list[str]:
    """No tag or mark of a submission steers how it is run or shown, unless the released cell has it."""
    released = {cell.get("id"): set(cell.metadata.get("tags", [])) for cell in source.cells}
    found = set()
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        if tags is not None:
            tags = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
            kept = [tag for tag in dict.fromkeys(tags) if not tag.startswith(STEERING_TAGS) or tag in released.get(cell.id, ())]
            if kept != cell.metadata["tags"]:
                found |= set(tags) - set(kept) or {"tags"}
                cell.metadata["tags"] = kept
        if cell.metadata.pop("coursegrader", None) is not None:
            found.add("coursegrader")
    return [f"Marks that steer how cells are run were removed: {_printable(', '.join(tag[:40] for tag in sorted(found)))}."] if found else []


def _restore_checks(notebook, source) -> list[str]:
    """Missing check cells come back at the end; missing answers are reported."""
    present, findings = {_grade_id(cell) for cell in notebook.cells}, []
    for cell in source.cells:
        name, meta = _grade_id(cell), cell.metadata.get("nbgrader", {})
        if name is None or name in present:
            continue
        if meta.get("solution") or meta.get("task"):
            findings.append(f"The answer cell {name!r} is missing" + (f"; its {meta['points']} points cannot be given." if meta.get("points") else "."))
        elif meta.get("grade"):
            added = copy.deepcopy(cell)
            if added.cell_type == "code":
                added.outputs, added.execution_count = [], None
            notebook.cells.append(added)
            findings.append(f"The check cell {name!r} was missing and was put back at the end.")
    _mend_ids(notebook, source)
    return findings


# For nbgrader ----------------------------------------------------------------------------------------------------------------


def before_autograde(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's `Autograde.pre_convert_hook`: the same check for plain `nbgrader autograde` and formgrader's button.

    nbgrader swallows what a hook raises, so a submission that cannot be graded is taken off nbgrader's list instead.
    """
    folder = Path(notebooks[0]).absolute().parent
    problem_set = ProblemSet(folder.parents[2], folder.name)
    if not (problem_set.folder / f"{folder.name}.ipynb").is_file():
        return  # an assignment of nbgrader's own kind, with notebooks of other names
    try:
        normalise(folder, problem_set)
        notebooks[:] = [os.path.join(os.path.dirname(notebooks[0]), f"{folder.name}.ipynb")]
    except Exception as error:
        notebooks.clear()
        print(f"{folder.parent.name}: not graded: {error}")
