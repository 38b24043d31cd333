"""A check leaves the notebook's process as it was, whatever the student wrote: right answers pass after."""

import faulthandler
import os
import random
import sys
from pathlib import Path

import numpy
import psutil  # noqa: F401  as in a kernel: what it says of memory limits a call that is asked in this process
import pytest
import torch

from allyouneed.check import CheckFailed, bounded, check, worker
from allyouneed.check.surroundings import Surroundings
from coursegrader.course.problem_set import all_problem_sets
from coursegrader.rubric.asking_process import load

torch.use_deterministic_algorithms(False)  # the first call imports torch's compiler, for a second and more
SETS = all_problem_sets(Path(__file__).parents[2])


def right_softmax(x, dim):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


def never_ends(x, dim):
    while True:
        with torch.no_grad():
            pass


def never_ends_inside_python(x, dim):
    return sum(range(10**12))


def sleeps_through_errors(x, dim):
    while True:
        try:
            torch.randn(10)
        except BaseException:
            pass


def floods(x, dim):
    while True:
        print("x" * 10_000)


def eats_memory(x, dim):
    eaten = []
    while True:
        eaten.append(torch.ones(10_000_000))


def wants_memory(x, dim):
    return torch.ones(10**6, 10**6)


def crashes(x, dim):
    faulthandler.disable()  # pytest's, which would print where
    os.abort()


def ends(x, dim):
    os._exit(0)


def exits(x, dim):
    sys.exit()


def changes_settings(x, dim):
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.set_grad_enabled(False)
    torch.set_num_threads(3)
    torch.use_deterministic_algorithms(True)
    torch.inference_mode().__enter__()
    sys.setrecursionlimit(5000)
    os.chdir("/")
    raise ValueError


def changes_names(x, dim):
    torch.softmax = torch.nn.functional.softmax = right_softmax
    torch.nn.Linear.forward = lambda self, x: x
    del torch.tanh, torch.Tensor.sum
    return x


def changes_random_numbers(x, dim):
    torch.manual_seed(1), random.seed(1), numpy.random.seed(1)
    return right_softmax(x, dim)


HARM = {
    never_ends: "did not end within",
    never_ends_inside_python: "did not end within",
    sleeps_through_errors: "did not end within",
    floods: "did not end within",
    eats_memory: "of memory. Look for",
    wants_memory: "of memory. Look for",
    crashes: "ends the process",
    ends: "ends the process",
    exits: "SystemExit",
    changes_settings: "changes the default dtype, the default device, whether gradients are recorded",
    changes_names: "torch.softmax",
    changes_random_numbers: "the random state, by torch.manual_seed",
}
NEEDS_A_CHILD = {never_ends_inside_python, crashes, ends}


@pytest.fixture(params=[True, False], ids=["in a child", "in this process"])
def forks(request, monkeypatch):
    """Both ways to ask: that of Linux, and that of systems whose processes cannot fork."""
    if request.param and sys.platform != "linux":
        pytest.skip("asks in a child on Linux only")
    monkeypatch.setattr(worker, "FORKS", request.param)
    return request.param


def told(candidate, capsys) -> str:
    try:
        check("softmax", candidate)
    except CheckFailed as failed:
        return str(failed)
    return capsys.readouterr().out


def check_right_answers(problem_set) -> None:
    for name, source in problem_set.helpers.items():
        versions = [[name, source, [], f"<right {name}>"]]
        given = {"prelude": problem_set.prelude, "helpers": problem_set.helpers, "versions": versions}
        check(name, load(given, 0))


@pytest.mark.slow
def test_right_answers_to_all_exercises_pass_after_harmful_ones(forks, monkeypatch, capsys):
    """One problem set after each harmful answer, so that each exercise stands after one, in one process."""
    before = Surroundings()
    harms = [(harm, words) for harm, words in HARM.items() if forks or harm not in NEEDS_A_CHILD]
    for number in range(max(len(harms), len(SETS))):
        harm, words = harms[number % len(harms)]
        with monkeypatch.context() as quick:
            quick.setattr(worker, "SECONDS", 10 if "memory" in words else 0.5)  # what ends it
            quick.setattr(worker, "MEMORY", 2**28)
            quick.setattr(bounded, "MEMORY", 2**28)
            message = told(harm, capsys)
        assert words in message, harm.__name__
        assert not before.changed_settings() and not before.changed_names(), harm.__name__
        if number < len(SETS):
            check_right_answers(SETS[number])
    assert random.getstate() == before._random[0] and torch.equal(torch.get_rng_state(), before._random[2])


def test_what_a_cell_has_changed_does_not_reach_a_check(forks, monkeypatch):
    monkeypatch.delattr(torch, "tanh")
    monkeypatch.setattr(torch, "exp", lambda x: x)
    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float64)
    try:
        check("softmax", right_softmax)
        assert not torch.is_grad_enabled() and torch.get_default_dtype() == torch.float64
        assert torch.exp(5) == 5
    finally:
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)


def test_an_import_is_never_broken_off(forks, monkeypatch, tmp_path, capsys):
    (tmp_path / "slow_module.py").write_text(
        "import time\nend = time.process_time() + 1\nwhile time.process_time() < end:\n    pass\nwhole = 1\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(worker, "SECONDS", 0.5)

    def imports(x, dim):
        import slow_module

        assert slow_module.whole
        return right_softmax(x, dim)

    try:
        assert "is right" in told(imports, capsys)
    finally:
        sys.modules.pop("slow_module", None)
