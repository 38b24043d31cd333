"""The student's side of grading: put probes to functions in a child process and send back data, never a verdict.

The grader hands over probes without expected values. Each exercise runs in a forked child, so that an endless loop, an
exit or a crash costs that exercise alone. What comes back is JSON, and is judged elsewhere.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
import types

from allyouneed.check.bounded import SECONDS, run_bounded
from allyouneed.check.drivers import ask, load_driver
from allyouneed.check.rules import watch_calls

MAX_BYTES = 64 * 2**20
captured: dict[str, object] = {}


def capture(name: str, candidate) -> None:
    """Remember what the student defined for the exercise `name`; it is asked after the last cell has run."""
    captured[name] = candidate


def answer_all(request: dict) -> dict:
    """Ask every captured candidate the probes of `request` (exercise -> driver, probes, forbidden); return the responses."""
    return {name: answer_in_child(lambda name=name: captured[name], task) if name in captured else {"missing": True}
            for name, task in request.items()}


def answer_in_child(get_candidate, task: dict) -> dict:
    """Fork; in the child fetch the candidate and answer the task; return what the child sent before its time was over."""
    load_driver(task["driver"])
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            _silence(keep=writing)
            _answer(get_candidate, task, lambda line: _send(writing, line))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    seconds = task.get("seconds", SECONDS)
    lines = _receive(reading, child, time.monotonic() + 20 * seconds + 10)
    return _response(lines, len(task["probes"]), seconds)


def _answer(get_candidate, task: dict, send) -> None:
    """Runs in the child: one line about the candidate, then one line a probe."""
    seconds = task.get("seconds", SECONDS)
    candidate, error = run_bounded(get_candidate, seconds * 2)
    if error:
        kind = "missing" if error["error"] == "LookupError" else "broken"
        send({kind: f"{error['error']}: {error['text']}" if kind == "broken" else True})
        return
    seen, forbidden, late = set(), set(task.get("forbidden", ())), 0
    send({"ready": True})
    for index, probe in enumerate(task["probes"]):
        if late >= 2:
            send({"answer": {"error": "Timeout", "text": f"did not end within {seconds:g} seconds"}})
            continue
        if forbidden and not probe.get("long"):
            with watch_calls(forbidden, seen):
                answer = ask(candidate, task["driver"], probe, seconds)
        else:
            answer = ask(candidate, task["driver"], probe, seconds)
        late += answer.get("error") == "Timeout"
        send({"answer": answer})
    send({"ready_made": sorted(seen)[0] if seen else None})


def _silence(keep: int) -> None:
    """Send what the child prints, at whatever level, nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    sys.stdout = sys.stderr = open(os.devnull, "w")


def _send(descriptor: int, message: dict) -> None:
    data = (json.dumps(message) + "\n").encode()
    while data:
        data = data[os.write(descriptor, data):]


def _receive(descriptor: int, child: int, deadline: float) -> list[dict]:
    """Read the child's lines until it ends, sends too much or is out of time; then make sure that it is gone."""
    chunks, total = [], 0
    while total < MAX_BYTES and (left := deadline - time.monotonic()) > 0:
        if not select.select([descriptor], [], [], left)[0]:
            break
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            break
        chunks.append(chunk)
        total += len(chunk)
    os.close(descriptor)
    try:
        os.kill(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.waitpid(child, 0)
    lines = []
    for line in b"".join(chunks).split(b"\n"):
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict):
            lines.append(message)
    return lines


def _response(lines: list[dict], n_probes: int, seconds: float) -> dict:
    first = lines[0] if lines else {"broken": "it ended the process before anything could be asked"}
    if "missing" in first or "broken" in first:
        return {key: first[key] for key in ("missing", "broken") if key in first}
    answers = [line["answer"] for line in lines if isinstance(line.get("answer"), dict)][:n_probes]
    finished = bool(lines) and "ready_made" in lines[-1]
    if len(answers) < n_probes and not finished:
        gone = {"error": "Gone", "text": "the process ended or stopped answering in the middle of this call"}
        answers += [gone] * (n_probes - len(answers))
    ready_made = lines[-1].get("ready_made") if finished else None
    return {"answers": answers, "ready_made": ready_made if isinstance(ready_made, str) else None}


def load_file(path: str, name: str, prelude: str, helpers: dict[str, str]):
    """Run a candidate's file after the notebook's own imports and return what it calls `name`."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    module = types.ModuleType("candidate")
    sys.modules["candidate"] = module
    exec(compile(prelude, "<setup>", "exec"), module.__dict__)
    for helper in helpers.values():
        exec(compile(helper, "<helper>", "exec"), module.__dict__)
    module.__dict__.pop(name, None)
    exec(compile(source, path, "exec"), module.__dict__)
    if name not in module.__dict__:
        raise LookupError(name)
    return module.__dict__[name]


def main() -> None:
    """Read one request from standard input; answer its tasks (one for each file) in order, a JSON line each."""
    output = os.fdopen(os.dup(1), "w", buffering=1)
    request = json.load(sys.stdin)
    import torch

    torch.set_num_threads(1)
    exec(compile(request["prelude"], "<setup>", "exec"), {})  # once here, so that the children need not import again
    for path, task_name in request["files"]:
        task = request["tasks"][task_name]

        def load(path=path, name=task_name):
            return load_file(path, name, request["prelude"],
                             {key: text for key, text in request["helpers"].items() if key != name})

        output.write(json.dumps(answer_in_child(load, task)) + "\n")


if __name__ == "__main__":
    main()
