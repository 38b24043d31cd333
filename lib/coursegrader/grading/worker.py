"""Run one submission's notebook in the jail, data in, data out: what a worker of the pool does, anywhere.

A worker knows no expected value, no gradebook and no folder of the course. What it is given and what it
returns is JSON text.
"""

from __future__ import annotations

import base64
import json
import re
import secrets
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbclient.util import ensure_async, run_sync
from nbformat import ValidationError
from nbformat.v4 import new_code_cell, new_output
from traitlets import Integer
from traitlets.config import Config

from coursegrader.sandbox.fork_client import ForkServer
from coursegrader.sandbox.fork_server import DRIVERS
from coursegrader.sandbox.provisioner import MESSAGE_PARTS, JailedKernelManager, connection_folder

ENDED = {
    "memory": "it used more memory than a notebook may use",
    "output": "it sent more output than a notebook may send",
    "time": "it did not end in the time that a notebook has",
    None: "a cell exits, crashes or uses too much memory",
}


NO_REPLY = "\x1b[0;31mCellTimeoutError\x1b[0m: No reply from kernel before timeout"
MAX_OUTPUTS, MAX_CHARACTERS = 2000, 20_000_000  # of a notebook: what is kept of what it shows
MAX_ANSWERS = 100_000_000  # characters of all answers
UNREADABLE = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
    RecursionError,
    MemoryError,
    ValidationError,
)


class JailedExecute(NotebookClient):
    """Runs the cells of a notebook in a jailed kernel, with a limit on the time of each and of all together.

    What ``c.Execute`` sets for nbgrader's own step holds here, too.
    """

    total_timeout = Integer(300, help="Seconds for a whole notebook.").tag(config=True)
    asking_timeout = Integer(120, help="Seconds for all hidden probes together.").tag(config=True)

    def __init__(self, notebook, folder: str, sections: dict[str, dict]):
        usual = {
            "timeout": 30,
            "interrupt_on_timeout": True,
            "error_on_timeout": {"ename": "CellTimeoutError", "evalue": "", "traceback": [NO_REPLY]},
            "raise_on_iopub_timeout": True,
        }
        fixed = {"allow_errors": True, "force_raise_errors": False}
        mine = usual | sections.get("Execute", {}) | sections.get("JailedExecute", {}) | fixed
        known = self.class_trait_names(config=True)
        config = Config(sections | {"JailedExecute": {key: mine[key] for key in mine if key in known}})
        super().__init__(
            notebook,
            resources={"metadata": {"path": folder}},
            kernel_manager_class=JailedKernelManager,
            config=config,
        )
        self.timeout_func, self.on_cell_executed = self._seconds_for, _show_error
        self._end = time.monotonic() + self.total_timeout

    def create_kernel_manager(self):
        self._manager = super().create_kernel_manager()  # `km` is gone when the kernel has ended
        return self._manager

    @property
    def provisioner(self):
        """The kernel's provisioner, or None before there was one."""
        return getattr(getattr(self, "_manager", None), "provisioner", None)

    def run_cells(self) -> None:
        """Start the kernel, run the cells one after the other, end it.

        `async_setup_kernel` would take Ctrl-C and SIGTERM from the grader: they would end the kernel, and
        what the notebook came to by then would be graded.
        """
        self.reset_execution_trackers()
        try:
            with self.setup_kernel():
                self._note_language()
                self._run_each()
        finally:
            if self.km is not None and self.km.has_kernel:  # it was stopped while the kernel started
                self._cleanup_kernel()

    async def _async_note_language(self) -> None:
        message = await self.async_wait_for_reply(await ensure_async(self.kc.kernel_info()))
        self.nb.metadata["language_info"] = message["content"]["language_info"]

    _note_language = run_sync(_async_note_language)

    def _run_each(self) -> None:
        for index, cell in enumerate(self.nb.cells):
            part = cell.metadata.get("coursegrader")
            if cell.cell_type != "code" or part == "idle":
                continue
            if part == "asking":
                # from here on no message may change what an earlier cell shows: hidden probes are in sight
                self._display_id_map = {}
            elif time.monotonic() >= self._end:
                limit = f"within {self.total_timeout} seconds"
                late = f"The notebook did not end {limit}; this cell was not run."
                cell.outputs = [new_output("error", ename="NotebookTimeout", evalue=late, traceback=[late])]
                continue
            self.execute_cell(cell, index)

    def _seconds_for(self, cell) -> int:
        if cell.metadata.get("coursegrader") == "asking":
            return self.asking_timeout
        left = max(1, int(self._end - time.monotonic()))
        return min(self.timeout, left) if self.timeout and self.timeout > 0 else left


def _show_error(cell, execute_reply, **_) -> None:
    """Show the error that a reply tells of where none like it has come as an output: so it is when the time
    is over."""
    said = execute_reply["content"]
    if said["status"] == "error" and all(output.get("ename") != said["ename"] for output in cell.outputs):
        lines = said["traceback"] or ["An error of which no traceback was shown."]
        cell.outputs.append(new_output("error", ename=said["ename"], evalue=said["evalue"], traceback=lines))


def run(job: str) -> str:
    """Run the job's notebook, then put its questions; return what came of it as JSON text.

    job: ``{"notebook", "questions", "files", "config"}``. A cell whose metadata has ``"coursegrader":
    "idle"`` is not run.
    Returned: ``{"cells", "responses", "stopped", "language_info", "cpu_seconds"}``; a cell is None where
    nothing was run.
    """
    job = json.loads(job)
    notebook = nbformat.from_dict(job["notebook"])
    nonce, stopped = secrets.token_hex(16), None
    asking = new_code_cell(_asking_code(job["questions"], nonce))
    asking.metadata["coursegrader"] = "asking"
    notebook.cells.append(asking)
    ForkServer.shared().imports = _imports_of(notebook.cells, job)
    with tempfile.TemporaryDirectory(prefix="run-", dir=connection_folder()) as folder:
        for name, data in job["files"].items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(data))
        execute = JailedExecute(notebook, folder, job["config"])
        try:
            execute.run_cells()
        except DeadKernelError:
            reason = getattr(execute.provisioner, "reason", None)
            stopped = (
                "The notebook's process ended before the end of the notebook: "
                f"{ENDED.get(reason, ENDED[None])}."
            )
        except CellTimeoutError:
            stopped = (
                "A cell did not end in its time and could not be interrupted, so the notebook was "
                "stopped there."
            )
        except UNREADABLE:  # forged or broken messages
            stopped = (
                "The notebook's process sent messages that cannot be read, so the notebook was stopped there."
            )
    return json.dumps(
        {
            "cells": _kept_outputs(notebook.cells[:-1]),
            "responses": _responses(asking, nonce),
            "stopped": stopped,
            "language_info": notebook.metadata.get("language_info", {"name": "python"}),
            "cpu_seconds": getattr(execute.provisioner, "cpu_seconds", None),
        }
    )


def _imports_of(cells, job: dict) -> list[str]:
    """What the kernel is to find loaded: the drivers of what is asked, and what torch imports at the first
    optimizer, for most of a second."""
    drivers = {one["driver"] for one in job["questions"].values()} | {*job.get("drivers", ())}
    trains = any("optim." in cell.source for cell in cells if not cell.metadata.get("coursegrader"))
    return sorted(DRIVERS + driver for driver in drivers) + ["torch._dynamo"] * trains


def _kept_outputs(cells) -> list[dict | None]:
    """What each cell showed, as plain texts, no more than a notebook may: a process may send any messages."""
    room, shown = [MAX_OUTPUTS, MAX_CHARACTERS], []
    for cell in cells:
        if cell.cell_type != "code" or cell.metadata.get("coursegrader"):
            shown.append(None)
            continue
        kept = []
        for output in cell.outputs:
            plain = _as_plain_text(output)
            room = [room[0] - 1, room[1] - len(json.dumps(plain))]
            if min(room) < 0:
                kept.append(
                    new_output("stream", name="stderr", text="More output than is kept of a notebook.\n")
                )
                break
            kept += [plain] if plain else []
        count = cell.execution_count
        shown.append(
            {"outputs": kept, "execution_count": count if type(count) is int and 0 <= count < 1e6 else None}
        )
    return shown


def _as_plain_text(output) -> dict | None:
    """An output in which everything is text, or None."""
    kind = output.output_type
    text = {key: _in_utf_8(value) for key, value in output.items() if isinstance(value, str)}
    if kind == "stream":
        return new_output(
            kind,
            name="stderr" if text.get("name") == "stderr" else "stdout",
            text=_last_of_lines(text.get("text", "")),
        )
    if kind == "error":
        lines = output.traceback if isinstance(output.traceback, list) else []
        return new_output(
            kind,
            ename=text.get("ename", ""),
            evalue=text.get("evalue", ""),
            traceback=[_in_utf_8(line) for line in lines if isinstance(line, str)],
        )
    if kind in ("display_data", "execute_result"):
        return new_output(
            kind,
            data={
                _in_utf_8(str(key)): _in_utf_8(value)
                for key, value in output.data.items()
                if isinstance(value, str)
            },
        )
    return None


def _in_utf_8(text: str) -> str:
    """The text with a question mark for each half of a character, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _last_of_lines(text: str) -> str:
    """What a terminal shows of lines that begin anew, as progress bars do. nbconvert would look for it in
    time that grows as a square."""
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))


def _asking_code(request: dict, nonce: str) -> str:
    data = base64.b64encode(json.dumps(request).encode()).decode()
    return (
        "import base64 as _b, json as _j\n"
        "from allyouneed.check import worker as _worker\n"
        f"_answers = _worker.answer_all(_j.loads(_b.b64decode({data!r})))\n"
        f"print({nonce!r} + _b.b64encode(_j.dumps(_answers).encode()).decode() + {nonce!r}, flush=True)"
    )


def _responses(asking, nonce: str) -> dict:
    """What the kernel sent back; an empty dict where it sent nothing readable."""
    text = "".join(
        plain.text
        for output in asking.outputs
        if (plain := _as_plain_text(output)) and plain.output_type == "stream"
    )
    found = re.search(f"{nonce}([A-Za-z0-9+/=]*){nonce}", text)
    try:
        answers = base64.b64decode(found[1]) if found and len(found[1]) <= MAX_ANSWERS else b"{}"
        few = answers.count(b"{") + answers.count(b"[") <= MESSAGE_PARTS
        responses = json.loads(answers) if few else {}
    except UNREADABLE:
        return {}
    return (
        {key: value for key, value in responses.items() if isinstance(value, dict)}
        if isinstance(responses, dict)
        else {}
    )
