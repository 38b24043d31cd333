"""The worker forks for each exercise, without a word, also where a notebook has several threads."""

import os
import textwrap
import threading
import warnings
import weakref

import torch

from allyouneed.check import worker
from allyouneed.check.wire import encode

TASK = {"driver": "call", "probes": []}
NOTHING = {"answers": [], "loaded": [], "ready_made": None, "changed": ""}


def test_no_warning_of_python_reaches_a_student_or_stops_an_answer(monkeypatch, capfd):
    def fork(fork=os.fork):
        warnings.warn(
            "This process is multi-threaded, use of fork() may lead to deadlocks in the child.",
            DeprecationWarning,
            stacklevel=2,
        )
        return fork()

    monkeypatch.setattr(worker.os, "fork", fork)  # Python 3.11 does not warn yet
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert worker.answer_apart(lambda: len, TASK) == NOTHING
    assert capfd.readouterr() == ("", "")


def test_a_kernel_with_threads_is_answered(capfd):
    over = threading.Event()
    threads = [threading.Thread(target=over.wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        assert worker.answer_apart(lambda: len, TASK) == NOTHING
    finally:
        over.set()
    assert capfd.readouterr() == ("", "")


def test_what_a_call_has_imported_is_told(monkeypatch):
    monkeypatch.delitem(worker.sys.modules, "colorsys", raising=False)

    def imports(name):
        monkeypatch.delitem(worker.sys.modules, "json")
        __import__(name)

    asked = {"args": encode(("colorsys",)), "kwargs": encode({})}
    said = worker.answer_apart(lambda: imports, TASK | {"probes": [asked]})
    assert said["loaded"] == ["colorsys"], said


def test_a_candidate_is_asked_with_what_its_notebook_meant_at_its_check(monkeypatch):
    """A later cell may use a name for something else, or bring one that was missing."""
    monkeypatch.setattr(worker, "captured", {})
    cells = """
        def helper(): return later() if 'later' in globals() else 'at first'
        def first(): return helper()
        data = torch.zeros(2**20 + 1)
        capture('first', first)
        seen = weakref.ref(data)
        del data
        def helper(): return 'at last'
        def later(): return 'later'
        capture('second', lambda: helper())
    """
    notebook = {"capture": worker.capture, "torch": torch, "weakref": weakref}
    exec(textwrap.dedent(cells), notebook)
    task = TASK | {"probes": [{"args": encode(()), "kwargs": encode({})}]}
    said = worker.answer_all({name: task for name in ("first", "second", "third")})
    assert [said[name]["answers"][0]["output"] for name in ("first", "second")] == ["later", "at last"]
    assert said["third"] == {"missing": True} and notebook["seen"]() is None
