"""The student's side of grading: put probes to functions in a child process, send back data and no verdict.

The grader hands over probes without expected values. Each exercise runs in a forked child, so that an endless
loop, an exit or a crash costs that exercise alone. What comes back is JSON, and is judged elsewhere.

A notebook's kernel has threads when it forks, and cannot be without. The child uses nothing of theirs: it
prints nowhere, computes in one thread, writes into a pipe of its own, and is ended when its time is over.
Python's warning of such forks would stand in the student's output, or stop a student who makes errors of
warnings.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
import warnings

from allyouneed.check.bounded import SECONDS, run_bounded
from allyouneed.check.drivers import ask, load_driver
from allyouneed.check.rules import watch_calls

MAX_BYTES = 64 * 2**20
captured: dict[str, object] = {}


def capture(name: str, candidate) -> None:
    """Remember what the student defined for the exercise `name`; it is asked after the last cell has run."""
    captured[name] = candidate


def answer_all(request: dict) -> dict:
    """Put `request` (exercise -> driver, probes, forbidden) to every captured candidate; return responses."""
    return {
        name: answer_in_child(lambda name=name: captured[name], task)
        if name in captured
        else {"missing": True}
        for name, task in request.items()
    }


def answer_in_child(get_candidate, task: dict) -> dict:
    """Fork; the child fetches the candidate and answers the task; return what it sent before time was up."""
    load_driver(task["driver"])
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            silence()
            answer(get_candidate, task, lambda line: send_line(writing, line))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    seconds = task.get("seconds", SECONDS)
    lines = _receive(reading, child, time.monotonic() + 20 * seconds + 10)
    return response_of(lines, len(task["probes"]), seconds)


def answer(get_candidate, task: dict, send) -> None:
    """Runs in a child: a line about the candidate, then one line a probe, then one about what was called."""
    seconds = task.get("seconds", SECONDS)
    candidate, error = run_bounded(get_candidate, seconds * 2)
    if error:
        kind = "missing" if error["error"] == "LookupError" else "broken"
        send({kind: f"{error['error']}: {error['text']}" if kind == "broken" else True})
        return
    seen, forbidden, late = set(), set(task.get("forbidden", ())), 0
    send({"ready": True})
    for probe in task["probes"]:
        if late >= 2:
            send({"answer": {"error": "Timeout", "text": f"did not end within {seconds:g} seconds"}})
            continue
        if forbidden and not probe.get("long"):
            with watch_calls(forbidden, seen):
                given = ask(candidate, task["driver"], probe, seconds)
        else:
            given = ask(candidate, task["driver"], probe, seconds)
        late += given.get("error") == "Timeout"
        send({"answer": given})
    send({"ready_made": sorted(seen)[0] if seen else None})


def silence() -> None:
    """Send what this process prints, at whatever level, nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    sys.stdout = sys.stderr = open(os.devnull, "w")


def send_line(descriptor: int, message: dict) -> None:
    data = (json.dumps(message) + "\n").encode()
    while data:
        data = data[os.write(descriptor, data) :]


def _receive(descriptor: int, child: int, deadline: float) -> list[dict]:
    """Read the child's lines until it ends, sends too much or is out of time; make sure that it is gone."""
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


def response_of(lines: list[dict], n_probes: int, seconds: float = SECONDS) -> dict:
    """The response that a child's lines make; the last may be missing: it may have ended at any moment."""
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
