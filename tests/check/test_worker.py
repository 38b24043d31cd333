"""The worker forks for each exercise, without a word, also where a notebook has several threads."""

import os
import threading
import warnings

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
