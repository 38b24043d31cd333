"""Run a few cells as a submission would be run, in a jailed kernel, and give back what they printed."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from traitlets.config import Config


@dataclass
class Outcome:
    """What came of a notebook: each cell's text, whether its kernel died and why, and how long it took."""

    texts: list[str]
    died: bool
    reason: str | None
    seconds: float
    outputs: list

    def data(self, cell: int = -1):
        """What the cell printed, as JSON."""
        return json.loads(self.texts[cell])


def wait_until(condition: Callable[[], object], seconds: float = 600) -> bool:
    """Whether the condition comes true; it has far longer than it needs, for a machine that is busy."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return bool(found)


def enough_seconds(folder: Path) -> int:
    """For a short cell, however slow this machine is: a few more than a whole notebook just took."""
    return math.ceil(3 + 2 * run("1", folder=folder).seconds)


def run(
    *sources: str, folder: Path, timeout: int = 120, after_first: Callable[[], object] | None = None, **limits
) -> Outcome:
    """Run the cells in `folder`; `limits` are the provisioner's own traits (memory, seconds, jailed, ...).

    `after_first` is called here when the first cell has ended, and before the next begins.
    """

    def executed(cell, cell_index, execute_reply):
        if cell_index == 0 and after_first:
            after_first()

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    config = Config()
    for name, value in limits.items():
        setattr(config.ForkProvisioner, name, value)
    client = NotebookClient(
        notebook,
        kernel_manager_class="coursegrader.sandbox.provisioner.JailedKernelManager",
        allow_errors=True,
        timeout=timeout,
        interrupt_on_timeout=True,
        startup_timeout=600,
        on_cell_executed=executed,
        config=config,
        resources={"metadata": {"path": str(folder)}},
    )
    manager = client.create_kernel_manager()
    start, died = time.monotonic(), False
    try:
        client.execute()
    except DeadKernelError:
        died = True
    seconds = time.monotonic() - start
    texts = [
        "".join(output.get("text", "") or "\n".join(output.get("traceback", "")) for output in cell.outputs)
        for cell in notebook.cells
    ]
    return Outcome(
        texts, died, manager.provisioner.reason, seconds, [cell.outputs for cell in notebook.cells]
    )
