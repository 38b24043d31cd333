"""Versions are asked in children of one process: none can reach the next, each costs only its answers."""

import os
import signal

import psutil
import pytest
from sandbox.jailroom import wait_until

from coursegrader.rubric import asking
from coursegrader.rubric.asking import Asked, ask_versions

DOUBLE = "def double(x):\n    return x * 2\n"
TASK = {
    "double": {
        "driver": "call",
        "probes": [{"args": [number], "kwargs": {"dict": []}} for number in (3, 4)],
        "forbidden": ["softmax"],
    }
}
SPOILS = {
    "a function of torch": "import torch\ntorch.zeros = None\n" + DOUBLE,
    "a function of the library": (
        "import allyouneed.check.drivers.call as driver\ndriver.encode_output = lambda output: 0\n"
    )
    + DOUBLE,
    "a method": "import torch\ntorch.nn.Linear.forward = None\n" + DOUBLE,
    "a setting": "import torch\ntorch.set_default_dtype(torch.float64)\n" + DOUBLE,
    "no gradients": "import torch\ntorch.set_grad_enabled(False)\n" + DOUBLE,
    "chance": "import random\nrandom.seed(1)\n" + DOUBLE,
}
ASKS = """
import random
import torch
from allyouneed.check.drivers import call

def double(x):
    fresh = torch.zeros(1, requires_grad=True)
    torch.nn.Linear(1, 1)(fresh).sum().backward()
    assert fresh.dtype == torch.float32 and fresh.grad is not None and call.encode_output(1) == 1
    assert random.random() != 0.13436424411240122
    return x * 2
"""


@pytest.fixture(autouse=True, scope="module")
def own_processes():
    """What other tests have put to the processes that wait does not count here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asking._Asker, "_waiting", [])
        yield
        for asker in asking._Asker._waiting:
            asker.end()


def asked(sources, alone=True, prelude="import math"):
    versions = [Asked("double", source, ("double",)) for source in sources]
    found = {index: response for index, _, response in ask_versions(prelude, {}, TASK, versions, alone)}
    return [
        [answer.get("output", answer.get("error")) for answer in found[index].get("answers", [])]
        or found[index]
        for index in range(len(versions))
    ]


@pytest.mark.parametrize("alone", [True, False])
def test_what_a_version_changes_does_not_reach_the_next(alone):
    right = [6, 8]
    assert asked([source for spoiling in SPOILS.values() for source in (spoiling, ASKS)], alone)[1::2] == [
        right
    ] * len(SPOILS)


@pytest.mark.slow
@pytest.mark.parametrize("alone", [True, False])
def test_a_version_that_hangs_or_crashes_costs_its_own_answers_alone(alone):
    forged = (
        'import os\nfor number in range(3, 40):\n    try: os.write(number, b\'{"answer": '
        "0}\\n}}nothing\\n')\n    except OSError: pass\n"
    )
    found = asked(
        [
            DOUBLE,
            "import os\nos._exit(0)\n",
            DOUBLE,
            "def double(x):\n    import os\n    return x * 2 if x == 3 else os._exit(0)\n",
            DOUBLE,
            "def double(x):\n    while True: pass\n",
            DOUBLE,
            "def double(x):\n    return x.softmax\n",
            "no Python",
            DOUBLE,
            forged,
            DOUBLE,
        ],
        alone,
    )
    assert [found[index] for index in (0, 2, 4, 6, 9, 11)] == [[6, 8]] * 6
    assert "ended the process" in found[1]["broken"] and "SyntaxError" in found[8]["broken"]
    assert (
        found[3] == [6, "Gone"] and found[5] == ["Timeout", "Timeout"] and found[7] == ["AttributeError"] * 2
    )


def test_the_process_that_forks_has_one_thread():
    counts = "import os\nraise ValueError(len(os.listdir(f'/proc/{os.getppid()}/task')))\n"
    assert asked([counts], prelude="import numpy, torch\nnumpy.eye(99) @ numpy.eye(99)") == [
        {"broken": "ValueError: 1"}
    ]


def parent() -> int:
    """The process that asks."""
    ((_, text),) = asked(["import os\nraise ValueError(os.getppid())\n"])[0].items()
    return int(text.removeprefix("ValueError: "))


def test_one_process_asks_all_requests_until_it_is_lost_or_left_in_the_middle():
    between = ask_versions("", {}, TASK, [Asked("double", DOUBLE, ("double",))])
    next(between)
    other = parent()
    list(between)
    first = parent()
    assert first != other and parent() == first, "of two that wait, the last one is asked again"
    os.kill(first, signal.SIGKILL)
    assert wait_until(lambda: psutil.Process(first).status() == psutil.STATUS_ZOMBIE)
    second = parent()
    assert second != first
    left = ask_versions(
        "", {}, TASK, [Asked("double", DOUBLE + "#" * number, ("double",)) for number in (0, 1)]
    )
    next(left)
    assert parent() not in (first, second), "one that asks takes no second request"
    left.close()
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)
