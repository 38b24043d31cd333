"""The process that asks versions their probes. It is told no expected value, and imports torch once.

Each version, or each batch of them, is asked in a forked child, so that one that hangs, exits or crashes
costs its own answers alone. Nothing that a version changes reaches the next one: a batch ends at a version
that leaves the process changed.
"""

from __future__ import annotations

import gc
import json
import linecache
import operator
import os
import random
import secrets
import select
import signal
import sys
import time
import types
from collections import deque
from collections.abc import Callable

from allyouneed.check.bounded import SECONDS
from allyouneed.check.drivers import load_driver
from allyouneed.check.worker import MAX_BYTES, answer, send_line, silence


def main() -> None:
    """Read a request from standard input; write two JSON lines for each version and task as it is answered.

    request: ``{"prelude", "helpers": {exercise: source}, "tasks": {key: {"driver", "probes", "forbidden"}},
    "versions": [[exercise, source, [key, ...], file], ...], "batch", "width"}``.
    Written: ``[index of the version, key]``, then what the child sent.
    """
    output = os.dup(1)
    request = json.load(sys.stdin)
    import torch

    torch.set_num_threads(1)
    for task in request["tasks"].values():
        load_driver(task["driver"])
    exec(
        compile(request["prelude"], "<setup>", "exec"), {}
    )  # once here, so that the children need not import again
    gc.collect()
    gc.freeze()
    waiting, batch = deque(), []
    for index, (_, _, keys, _) in enumerate(request["versions"]):
        batch += [(index, key) for key in keys]
        if batch and ((index + 1) % request["batch"] == 0 or index + 1 == len(request["versions"])):
            waiting.append(batch)
            batch = []
    chance = _chance()  # before the state is looked at: it imports what it needs
    before, running = (_state(), chance), {}
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
                child.end()
                del running[descriptor]
                if child.stations:
                    waiting.appendleft(child.stations)


class Child:
    """A forked child, the stations (version and task) it has still to ask, and what it sent of this one."""

    def __init__(self, stations: list[tuple[int, str]], request: dict, before: tuple[list, tuple]):
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
                _ask(stations, request, lambda message: send_line(writing, message), self._begins, *before)
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
            yield (*self.stations.pop(0), self._lines or [])

    def end(self) -> None:
        os.close(self.reading)
        try:
            os.kill(self._pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self._pid, 0)


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _ask(
    stations: list[tuple[int, str]], request: dict, send: Callable, begins: str, state: list, chance: tuple
) -> None:
    """The life of a child: ask the versions in turn, up to the first that leaves something changed."""
    for version, key in stations:
        send(begins)
        _set_chance(chance)
        answer(lambda version=version: load(request, version), request["tasks"][key], send)
        if not _unchanged(state):
            return


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


def _state() -> list[tuple[object, list, list]]:
    """What a version could leave changed: torch's settings, and what modules and their classes hold."""
    import torch

    places: list = [
        torch,
        torch.Tensor,
        torch.linalg,
        torch.random,
        torch.nn,
        torch.nn.functional,
        torch.nn.init,
        *map(sys.modules.get, ("builtins", "math", "random", "copy", "numpy")),
    ]
    places += [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "allyouneed"]
    places += [
        value
        for place in list(places)
        for value in vars(place).values()
        if isinstance(value, type) and value.__module__.startswith(("torch.nn.modules", "allyouneed."))
    ]
    return [
        (place, list(vars(place)), list(vars(place).values()))
        for place in dict.fromkeys(places)
        if place is not None
    ] + [(None, [], _settings())]


def _settings() -> list:
    import torch

    return [
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.get_num_threads(),
        torch.get_default_device(),
        torch.are_deterministic_algorithms_enabled(),
        torch.is_anomaly_enabled(),
        sys.gettrace(),
        sys.getprofile(),
        os.getcwd(),
    ]


def _unchanged(before) -> bool:
    return before[-1][2] == _settings() and all(
        len(vars(place)) == len(values) and all(map(operator.is_, vars(place).values(), values))
        for place, _, values in before[:-1]
    )


def _chance() -> tuple:
    import numpy
    import torch

    return random.getstate(), numpy.random.get_state(), torch.get_rng_state()


def _set_chance(chance: tuple) -> None:
    import numpy
    import torch

    random.setstate(chance[0])
    numpy.random.set_state(chance[1])
    torch.set_rng_state(chance[2])


if __name__ == "__main__":
    main()
