"""The process that asks versions their probes. It is told no expected value, and imports torch once.

Each version, or each batch of them, is asked in a forked child, so that one that hangs, exits or crashes
costs its own answers alone. Nothing that a version changes reaches the next one: a batch ends at a version
that leaves the process changed.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import linecache
import os
import re
import secrets
import select
import signal
import sys
import time
import types
from collections import deque
from collections.abc import Callable

from allyouneed.check.bounded import SECONDS, timeout
from allyouneed.check.drivers import load_driver
from allyouneed.check.rules import LIBRARIES
from allyouneed.check.surroundings import Surroundings
from allyouneed.check.worker import MAX_BYTES, answer, send_line, silence


def main() -> None:
    """Read requests, a line each, from standard input until it ends; write to standard output, for as long as
    somebody reads it."""
    output = os.dup(1)
    import torch

    torch.set_num_threads(1)
    with contextlib.suppress(BrokenPipeError):
        for line in iter(sys.stdin.buffer.readline, b""):
            if line.endswith(b"\n"):  # whoever asks may be gone in the middle of one
                ask_all(json.loads(line), output)


def ask_all(request: dict, output: int) -> None:
    """Ask what a request says; write two JSON lines for each version and task as it is answered.

    request: ``{"prelude", "helpers": {exercise: source}, "tasks": {key: {"driver", "probes", "forbidden"}},
    "versions": [[exercise, source, [key, ...], file], ...], "batch", "width"}``.
    Written: ``[index of the version, key]``, then what the child sent.
    """
    for task in request["tasks"].values():
        load_driver(task["driver"])
    exec(
        compile(request["prelude"], "<setup>", "exec"), {}
    )  # once here, so that the children need not import again
    for name in {name for _, source, _, _ in request["versions"] for name in imported(source)}:
        with contextlib.suppress(Exception):  # the version that imports it tells why
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    gc.enable()
    waiting, batch = deque(), []
    for index, (_, _, keys, _) in enumerate(request["versions"]):
        batch += [(index, key) for key in keys]
        if batch and ((index + 1) % request["batch"] == 0 or index + 1 == len(request["versions"])):
            waiting.append(batch)
            batch = []
    before, running = Surroundings(), {}
    while waiting or running:
        while len(running) < request["width"] and waiting:
            child = Child(waiting.popleft(), request, before)
            running[child.reading] = child
        ready = select.select(list(running), [], [], 1.0)[0]
        for descriptor, child in list(running.items()):
            alive = child.read() if descriptor in ready else time.monotonic() < child.deadline
            for version, key, lines in child.finished(alive):
                _write(output, json.dumps([version, key]).encode() + b"\n[" + b", ".join(lines) + b"]\n")
            if not alive:
                del running[descriptor]
                if child.stations:
                    waiting.appendleft(child.stations)


def imported(source: str) -> list[str]:
    """The modules of known libraries that `source` imports at the beginning of a line, or has torch import
    when an optimizer is made."""
    names = re.findall(r"^\s*(?:import|from)\s+([\w.]+)", source, re.M)
    names += ["torch._dynamo"] if "optim." in source else []
    return [name for name in names if name.partition(".")[0] in LIBRARIES]


class Child:
    """A forked child, the stations (version and task) it has still to ask, and what it sent of this one."""

    def __init__(self, stations: list[tuple[int, str]], request: dict, before: Surroundings):
        self.stations, self._rest, self._lines, self._bytes = stations, b"", None, 0
        self._begins = secrets.token_hex(16)  # a child sends this before it asks a version
        self.reading, writing = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.closerange(3, writing)
                os.closerange(writing + 1, 1024)
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                silence()

                def send(message) -> None:
                    send_line(writing, message)
                    signal.setitimer(signal.ITIMER_PROF, 4 * SECONDS)  # ends what catches every exception

                _ask(stations, request, send, self._begins, before)
            finally:
                os._exit(0)
        os.close(writing)
        self._extend()

    def _extend(self) -> None:
        self.deadline = time.monotonic() + 20 * SECONDS + 10

    def read(self) -> bool:
        """Take what there is to read; return whether more may come."""
        data = os.read(self.reading, 1 << 18)
        self._rest += data
        self._bytes += len(data)
        return bool(data) and self._bytes < MAX_BYTES

    def finished(self, alive: bool):
        """The stations whose answers are whole, or that the child did not survive, each with its lines."""
        *whole, self._rest = self._rest.split(b"\n")
        for line in whole:
            if line != json.dumps(self._begins).encode():
                if self._lines is not None:
                    self._lines.append(line)
                continue
            if self._lines is not None and len(self.stations) > 1:
                yield (*self.stations.pop(0), self._lines)
            self._lines, self._bytes = [], 0
            self._extend()
        if not alive:
            late = [json.dumps({"answer": timeout(SECONDS)}).encode()] if self._end() else []
            yield (*self.stations.pop(0), (self._lines or []) + late)

    def _end(self) -> bool:
        """End the child; return whether its time was over."""
        late = time.monotonic() >= self.deadline
        os.close(self.reading)
        try:
            os.kill(self._pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        _, status = os.waitpid(self._pid, 0)
        return late or os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _ask(
    stations: list[tuple[int, str]], request: dict, send: Callable, begins: str, before: Surroundings
) -> None:
    """The life of a child: ask the versions in turn, up to the first that leaves something changed."""
    for number, (version, key) in enumerate(stations):
        if number and not before.unchanged():
            return
        send(begins)
        before.restore_random_numbers()
        answer(lambda version=version: load(request, version), request["tasks"][key], send, before)


def load(request: dict, version: int):
    """Run a submission's text after the notebook's imports and other exercises; return what it defines."""
    name, source, _, file = request["versions"][version]
    module = types.ModuleType("candidate")
    sys.modules["candidate"] = module
    exec(compile(request["prelude"], "<setup>", "exec"), module.__dict__)
    for helper, text in request["helpers"].items():
        if helper != name:
            exec(compile(text, "<helper>", "exec"), module.__dict__)
    module.__dict__.pop(name, None)
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec"), module.__dict__)
    if name not in module.__dict__:
        raise LookupError(name)
    return module.__dict__[name]
