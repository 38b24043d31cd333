"""The student's side: put probes to functions where they can do no harm, send back data and no verdict.

On Linux each exercise is asked in a forked child, so that an endless loop, an exit or a crash costs that
exercise alone, and nothing that a function changes or allocates reaches the notebook. The student's own check
and grading both ask in this way. In grading, probes come without expected values, and what comes back is
judged elsewhere.

A notebook's kernel has threads when it forks, and cannot be without. The child uses nothing of theirs: it
prints nowhere, computes in one thread, writes into a pipe of its own, and is ended when its time is over.
Python's warning of such forks would stand in the student's output, or stop a student who makes errors of
warnings.

Windows cannot fork, and on macOS the system's own linear algebra does not survive it. There a function is
asked in the notebook's process: what it changed is put back afterwards, and what waits inside a library's
code cannot be stopped before that returns.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import signal
import sys
import warnings

import torch

from allyouneed.check.bounded import MEMORY, PATIENCE, SECONDS, run_bounded, timeout
from allyouneed.check.drivers import ask, load_driver
from allyouneed.check.surroundings import FOLDER, Surroundings, seeds_noted
from allyouneed.check.watched_calls import WatchedCalls

MAX_BYTES = 64 * 2**20
FORKS = sys.platform == "linux"
STOPPED = ("Timeout", "OutOfMemory")
GONE = {"error": "Gone", "text": "the process ended or stopped answering in the middle of this call"}
LARGE = 2**20  # numbers in a tensor, letters or items
captured: dict[str, tuple[object, dict, dict]] = {}  # with the notebook's names, and what they meant
_at_first = Surroundings()  # before a student's first cell has run


def capture(name: str, candidate) -> None:
    """Remember what the student defined for the exercise `name`; it is asked after the last cell has run.

    What the notebook's names mean now is remembered, too, but for large data: a later cell may use one for
    something else.
    """
    names = sys._getframe(1).f_globals
    captured[name] = (candidate, names, {key: value for key, value in names.items() if not _is_large(value)})


def _is_large(value: object) -> bool:
    """Whether memory would be held that a notebook may have given back."""
    if isinstance(value, torch.nn.Module):
        return sum(parameter.numel() for parameter in value.parameters()) > LARGE
    if isinstance(value, torch.Tensor):
        return value.numel() > LARGE
    if type(value).__module__ == "numpy":
        return getattr(value, "size", 0) > LARGE
    return isinstance(value, (str, bytes, list, tuple, dict, set)) and len(value) > LARGE


def answer_all(request: dict) -> dict:
    """Put `request` (exercise -> driver, probes, forbidden) to every captured candidate; return responses."""
    return {
        name: answer_apart(lambda name=name: _as_captured(name), task)
        if name in captured
        else {"missing": True}
        for name, task in request.items()
    }


def _as_captured(name: str):
    """A candidate, with what it calls as it was; a name that came later stays."""
    candidate, names, meant = captured[name]
    names.update(meant)
    return candidate


def answer_apart(get_candidate, task: dict) -> dict:
    """Fetch the candidate and let it answer the task, where that changes nothing here; return its response.

    It finds the settings and names of torch as they were before the notebook's first cell.
    """
    load_driver(task["driver"])
    seconds, lines = task.get("seconds", SECONDS), []
    if FORKS:
        lines = _in_child(lambda send: answer(get_candidate, task, send, _at_first), seconds)
    else:
        now = Surroundings()
        try:
            _at_first.restore(but=FOLDER)
            answer(get_candidate, task, lines.append, _at_first)
        finally:
            now.restore()
            now.restore_random_numbers()
    return response_of(lines, len(task["probes"]), seconds)


def _in_child(work, seconds: float) -> list[dict]:
    """Fork; the child does `work(send)`; return what it sent before it ended or was ended."""
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
            limit_memory()
            _at_first.restore(but=FOLDER)
            torch.set_num_threads(1)  # the others did not come along

            def send(line: dict) -> None:
                send_line(writing, line)
                signal.setitimer(signal.ITIMER_PROF, 4 * seconds)  # ends also what Python cannot interrupt

            work(send)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    lines = []
    try:
        waits = _receive(reading, lines, PATIENCE * seconds + 12)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if waits or os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
        lines.append({"answer": timeout(seconds)})
    return lines


def answer(get_candidate, task: dict, send, at_first: Surroundings) -> None:
    """Send a line about the candidate, then one line a probe, then one about what was called and changed
    since the names were as `at_first`."""
    seconds = task.get("seconds", SECONDS)
    candidate, error = run_bounded(get_candidate, seconds * 2)
    if error:
        kind = "missing" if error["error"] == "LookupError" else "broken"
        send({kind: f"{error['error']}: {error['text']}" if kind == "broken" else True})
        return
    send({"ready": True})
    calls, stopped = WatchedCalls(set(task.get("forbidden", ()))), []
    before, last_loaded, changed = at_first.with_settings_of_now(), next(reversed(sys.modules)), {}
    for probe in task["probes"]:
        if len(stopped) >= 2:
            send({"answer": stopped[-1]})
            continue
        watched = calls.forbidden and not probe.get("long")
        with seeds_noted(changed), calls if watched else contextlib.nullcontext():
            given = ask(candidate, task["driver"], probe, seconds)
        if given.get("error") in STOPPED:  # that may have been in the middle of a `with`
            stopped.append(given)
        else:
            changed |= dict.fromkeys(before.changed_settings())
        before.restore_settings()
        send({"answer": given})
    changed |= dict.fromkeys(before.changed_names())
    seen = calls.ready_made()
    send(
        {
            "ready_made": sorted(seen)[0] if seen else None,
            "changed": ", ".join(changed),
            # to name them all would count references to all, and copy the pages where they stand
            "loaded": sorted(itertools.takewhile(lambda name: name != last_loaded, reversed(sys.modules))),
        }
    )


def limit_memory() -> None:
    """Let this process have no more memory than a call may have beyond what it holds now."""
    import resource

    with open("/proc/self/statm") as file:
        held = int(file.read().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = held + MEMORY
    resource.setrlimit(
        resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most)
    )


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


def _receive(descriptor: int, lines: list[dict], patience: float) -> bool:
    """Put into `lines` what comes, up to the end or MAX_BYTES; return whether nothing came for too long."""
    rest, total, waits = b"", 0, False
    while total < MAX_BYTES and not (waits := not select.select([descriptor], [], [], patience)[0]):
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            break
        total += len(chunk)
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            lines += [message] if isinstance(message, dict) else []
    return waits


def response_of(lines: list[dict], n_probes: int, seconds: float = SECONDS) -> dict:
    """The response that a child's lines make; the last may be missing: it may have ended at any moment."""
    first = lines[0] if lines else {"broken": "it ended the process before anything could be asked"}
    if "missing" in first or "broken" in first:
        return {key: first[key] for key in ("missing", "broken") if key in first}
    answers = [line["answer"] for line in lines if isinstance(line.get("answer"), dict)][:n_probes]
    finished = bool(lines) and "ready_made" in lines[-1]
    if len(answers) < n_probes and not finished:
        answers += [GONE] * (n_probes - len(answers))
    said = lines[-1] if finished else {}
    response = {
        key: said[key] if isinstance(said.get(key), str) else None for key in ("ready_made", "changed")
    }
    return {"answers": answers, "loaded": said.get("loaded", []), **response}
