"""Ask versions of exercises their probes: the client of `asking_process`, which knows no expected value."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from allyouneed.check.worker import response_of

BATCH = 16  # versions in one child, where forking one for each would cost more than asking it


@dataclass(frozen=True)
class Asked:
    """A submission's text for an exercise, the names of the tasks that are put to it, and of its file."""

    exercise: str
    source: str
    tasks: tuple[str, ...]
    file: str = "<submission>"


def ask_versions(
    prelude: str,
    helpers: dict[str, str],
    tasks: dict[str, dict],
    versions: Sequence[Asked],
    alone: bool = True,
) -> Iterator[tuple[int, str, dict]]:
    """Ask each of `versions` its tasks; yield its index, the task's name, and the response, as they come.

    prelude: the notebook's own imports; helpers: the other exercises, which a version may call;
    tasks: by name, as `questions` gives them. Each version has a child process for itself, or shares one with
    a few others unless `alone`.
    """
    request = {
        "prelude": prelude,
        "helpers": helpers,
        "tasks": tasks,
        "batch": 1 if alone else BATCH,
        "width": len(os.sched_getaffinity(0)),
        "versions": [[version.exercise, version.source, version.tasks, version.file] for version in versions],
    }
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    with tempfile.TemporaryDirectory() as scratch:
        # PYTHONHASHSEED: a version that walks through a set of names answers in one order
        environment = os.environ | {
            "OMP_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0",
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "coursegrader.rubric.asking_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=scratch,
            env=environment,
        )

        def read() -> None:
            for line in process.stdout:
                lines.put(line)
            lines.put(b"")

        reader = threading.Thread(
            target=read, daemon=True
        )  # so that the process never waits for whoever judges
        try:
            reader.start()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(json.dumps(request).encode())
                process.stdin.close()
            left = {(index, task) for index, version in enumerate(versions) for task in version.tasks}
            while left:
                if not (line := lines.get()):
                    yield from (
                        (index, task, {"broken": "the process that asks ended"})
                        for index, task in sorted(left)
                    )
                    return
                (index, task), told = json.loads(line), lines.get()
                left.discard((index, task))
                yield index, task, response_of(_read(told), len(tasks[task]["probes"]))
        finally:
            process.kill()
            process.wait()
            reader.join()
            process.stdout.close()


def _read(line: bytes) -> list[dict]:
    """What a child has sent; nothing where that is no JSON, since a version can write what it likes."""
    try:
        return [message for message in json.loads(line) if isinstance(message, dict)]
    except ValueError:
        return []
