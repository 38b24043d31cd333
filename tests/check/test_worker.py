"""The worker asks in forks, without a word, also where a notebook has several threads; what one exercise does
reaches no other."""

import os
import random
import threading
import warnings

import numpy
import pytest
import torch

from allyouneed.check import worker

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


CALL = {"driver": "call", "probes": [{"args": [number], "kwargs": {"dict": []}} for number in (3, 4)]}
DRAWS = """def draws(n):
    return [torch.rand(n).tolist(), float(numpy.random.rand())]"""
PLAIN = {
    "square": "def square(n):\n    return n * n",
    "draws": DRAWS,
    "twice": "def twice(n):\n    return 2 * n",
}
HARM = {
    "ends the process": "os._exit(0)",
    "never ends": "while True: pass",
    "never ends inside of Python": "return sum(range(10**12))",
    "eats memory": "eaten = []\n    while True: eaten.append(torch.ones(10_000_000))",
    "raises": "raise SystemExit",
    "changes a setting": "torch.set_default_dtype(torch.float64)",
    "changes torch": "torch.rand = None",
    "seeds": "torch.manual_seed(n), random.seed(n), numpy.random.seed(n)",
    "draws": "torch.rand(n), numpy.random.rand()",
    "starts a thread": "threading.Thread(target=threading.Event().wait, daemon=True).start()",
    "changes another exercise": "global square\n    square.__code__ = harm.__code__",
    "changes what another reads": "kept[0] += 1",
    "takes from what another reads": "next(left)",
    "imports": "import colorsys",
    "sends answers of its own": "for number in range(3, 99):\n        try: os.write(number, FORGED)\n        "
    "except OSError: pass",
}
READS = {
    "changes what another reads": "kept = [2]\ndef reads(n):\n    return kept[0]",
    "takes from what another reads": "left = iter(range(9))\ndef reads(n):\n    return next(left)",
    "imports": "def reads(n):\n    import colorsys",
}
FORGED = b'{"asking": "twice"}\n{"ready": true}\n{"answer": 1}\nno text\n[]\n'
NO_OTHER = {"ends the process", "never ends", "eats memory", "never ends inside of Python"}


@pytest.fixture
def exercises(monkeypatch):
    """A function that defines and captures exercises in one notebook, and says what to ask of each."""
    monkeypatch.setattr(worker, "captured", {})
    monkeypatch.setattr(worker, "MEMORY", 2**28)

    def defined(*sources):
        names = {"__name__": "__main__", "torch": torch, "random": random, "numpy": numpy, "os": os}
        names |= {"threading": threading, "FORGED": FORGED}
        for source in sources:
            exec(source, names)
        made = [name for name in ("square", "harm", "draws", "reads", "twice") if name in names]
        for name in made:
            worker.capture(name, names[name])
        return {name: CALL | {"seconds": 0.5} for name in made}

    return defined


@pytest.fixture
def forks(monkeypatch):
    """The children that are forked, as they come."""
    made, fork = [], worker._in_child
    monkeypatch.setattr(worker, "_in_child", lambda *given: made.append(1) or fork(*given))
    return made


def apart(request):
    return {
        name: worker.answer_apart(lambda name=name: worker.captured[name], request[name]) for name in request
    }


@pytest.mark.skipif(not worker.FORKS, reason="asks in the notebook's own process")
def test_exercises_that_change_nothing_share_a_child(exercises, forks):
    request = exercises(*PLAIN.values())
    responses = worker.answer_all(request | {"other": CALL})
    assert len(forks) == 1
    assert responses.pop("other") == {"missing": True} and responses == apart(request)
    assert [answer["output"] for answer in responses["square"]["answers"]] == [9, 16]


@pytest.mark.skipif(not worker.FORKS, reason="asks in the notebook's own process")
@pytest.mark.parametrize("what", HARM)
def test_what_one_exercise_does_reaches_no_other(what, exercises, forks):
    request = exercises(*PLAIN.values(), READS.get(what, ""), f"def harm(n):\n    {HARM[what]}")
    together, n_forks = worker.answer_all(request), len(forks)
    assert n_forks <= len(request) and (n_forks > 1) == (
        what not in ("raises", "draws", "sends answers of its own")
    )
    alone = apart(request)
    if what in NO_OTHER:
        assert [answer["error"] for answer in together["harm"]["answers"]] != []
    for name in set(request) - {"harm"}:
        assert together[name] == alone[name], name
    assert together.keys() == request.keys()


@pytest.mark.skipif(not worker.FORKS, reason="asks in the notebook's own process")
def test_much_that_is_sent_is_no_burden_for_others(exercises, forks, monkeypatch):
    monkeypatch.setattr(worker, "MAX_BYTES", 4000)
    request = exercises("def harm(n):\n    return 'x' * 1000", *PLAIN.values())
    assert worker.answer_all(request) == apart(request)
