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

# what is imported first is no garbage: to look through it for some takes an eighth of the time
BEGIN = "import gc; gc.disable(); from coursegrader.rubric.asking_process import main; main()"
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
    left = {(index, task) for index, version in enumerate(versions) for task in version.tasks}
    asker = _Asker.free()
    try:
        asker.send(json.dumps(request))
        while left:
            if not (line := asker.lines.get()):
                yield from (
                    (index, task, {"broken": "the process that asks ended"}) for index, task in sorted(left)
                )
                return
            (index, task), told = json.loads(line), asker.lines.get()
            left.discard((index, task))
            yield index, task, response_of(_read(told), len(tasks[task]["probes"]))
    finally:
        asker.end() if left else asker.keep()


class _Asker:
    """The process that asks. It imports torch once, and waits for the next request for as long as this
    process lives; one that has not finished a request is ended. A fork of this process has its own."""

    _waiting: list[_Asker] = []

    @classmethod
    def free(cls) -> _Asker:
        """One that waits and was started under the conditions of now, or a new one."""
        here = os.getpid(), _environment()
        cls._waiting = [asker for asker in cls._waiting if asker.where[0] != here[0] or asker.is_alive()]
        for asker in cls._waiting:
            if asker.where == here:
                cls._waiting.remove(asker)
                return asker
        return cls(here)

    def __init__(self, where: tuple[int, dict[str, str]]) -> None:
        self.where = where  # the process that asks for it, and its environment
        self.lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._scratch = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [sys.executable, "-c", BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self._scratch.name,
            env=where[1],
        )
        # so that the process never waits for whoever judges
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, request: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(request.encode() + b"\n")
            self._process.stdin.flush()

    def keep(self) -> None:
        self._waiting.insert(0, self)  # the next request finds the one whose memory is warm

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._scratch.cleanup()


def _environment() -> dict[str, str]:
    # PYTHONHASHSEED: a version that walks through a set of names answers in one order
    return os.environ | {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}


def _read(line: bytes) -> list[dict]:
    """What a child has sent; nothing where that is no JSON, since a version can write what it likes."""
    try:
        return [message for message in json.loads(line) if isinstance(message, dict)]
    except ValueError:
        return []
