"""Run a text of somebody's code, and variants of it, on small inputs: what questions about it are made of.

Everything goes in and comes back as data. It runs in a child process where there can be one, each call with
a limit on its time, and what a variant prints is lost.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable

import torch

from allyouneed.check.bounded import SECONDS, run_bounded
from allyouneed.check.compare import difference
from allyouneed.check.drivers import ask, load_driver
from allyouneed.check.surroundings import Surroundings
from allyouneed.check.unwritten import unwritten_as_nan
from allyouneed.check.wire import WireError, decode, encode
from allyouneed.check.worker import FORKS, _in_child

CALL_SECONDS = 0.3  # of processor time: the inputs are small
MOST_LATE = 4  # calls that do not end, after which nothing more is asked
MOST_SAME = 2  # variants that are found to be like the own text: a paper asks about one
MOST_NUMBERS = 200  # of a value that is noted on the way
NOTED = "__noted__"


def run_all(request: dict[str, dict]) -> dict[str, dict]:
    """Run each of several tasks, each in a child of its own.

    A task holds ``name`` (what the texts define), ``support`` (the code before it), ``texts`` (the own text
    first, then its variants), ``noted`` (the own text with calls of ``__noted__`` around parts, or ""),
    ``driver``, ``probe_driver``, ``inputs`` (small probes of which the first ``wanted`` are taken on which
    the own text gives a result) and ``probes`` (on which a variant is tried too that is like the own text on
    all inputs; without any, or where the own text fails on one, none is like it).
    Returned: ``inputs`` (the numbers of those taken), ``answers`` (for each text a list), ``noted`` (for each
    input a list of [number, value]), ``same`` (the first few texts that are like the own one on all that was
    asked).
    """
    return {key: run_apart(task) for key, task in request.items()}


def run_apart(task: dict) -> dict:
    """Run a task where it changes nothing here; return what came of it as far as it got."""
    for driver in (task["driver"], task["probe_driver"]):
        load_driver(driver)
    lines: list[dict] = []
    if FORKS:
        lines = _in_child(lambda send: _run(task, send), 4 * SECONDS)
    else:
        now = Surroundings()
        try:
            _run(task, lambda line: lines.append(json.loads(json.dumps(line))))
        finally:
            now.restore()
            now.restore_random_numbers()
    found: dict = {"inputs": [], "answers": [], "noted": [], "same": []}
    for line in lines:
        for key, value in line.items():
            if key in found and key != "same":
                found[key] = value if key != "answers" else [*found[key], value]
            elif key == "same":
                found["same"].append(value)
            elif key == "trouble":
                found["trouble"] = value
    return found


@unwritten_as_nan()
def _run(task: dict, send: Callable[[dict], None]) -> None:
    before, late = Surroundings(names=False), 0
    seeded = torch.Generator().manual_seed(0).get_state()
    support = compile(task["support"], "<support>", "exec")

    def made(text: str, noted: list | None = None):
        module = types.ModuleType("candidate")
        if noted is not None:
            module.__dict__[NOTED] = lambda number, value: _note(noted, number, value)
        exec(support, module.__dict__)
        exec(compile(text, "<own>", "exec"), module.__dict__)
        return module.__dict__[task["name"]]

    def answers(
        text: str, probes: list[dict], noted: list | None = None, driver: str = "", enough=lambda found: False
    ) -> list[dict]:
        """One for each probe, or until what was found is `enough`."""
        nonlocal late
        candidate, error = run_bounded(lambda: made(text, noted), SECONDS)
        found = []
        for probe in probes:
            if noted is not None:
                noted.append([])
            found.append(error or ask(candidate, driver or task["driver"], probe, CALL_SECONDS))
            before.restore_settings()
            if not driver and task["driver"] == "call" and "output" in found[-1]:  # which seeds with 0
                if not torch.equal(torch.default_generator.get_state(), seeded):
                    found[-1] = {"error": "Random", "text": "it draws random numbers"}
            late += found[-1].get("error") == "Timeout"
            if late > MOST_LATE or enough(found):
                break
        return found

    own, *others = task["texts"]
    tried = answers(own, task["inputs"], enough=lambda found: len(_usable(found)) == task["wanted"])
    taken = _usable(tried)
    errors = [f"{answer['error']}: {answer.get('text', '')}" for answer in tried if "error" in answer]
    inputs = [task["inputs"][index] for index in taken]
    right = [tried[index] for index in taken]
    if any(difference(*pair, whole=False) for pair in zip(right, answers(own, inputs))):
        taken, inputs, errors = [], [], ["it gives another result at each call"]
    send({"inputs": taken, "trouble": errors[0] if errors and not taken else ""})
    send({"answers": right[: len(inputs)]})
    if not inputs:
        return
    if task["noted"]:
        noted: list = []
        answers(task["noted"], inputs, noted)
        send({"noted": noted})
    probed, probes = [], task["probes"]
    same = 0
    for number, text in enumerate(others, start=1):
        found = answers(text, inputs)
        if late > MOST_LATE:
            return
        send({"answers": found})
        if (
            probes
            and same < MOST_SAME
            and all(difference(*pair, whole=False) is None for pair in zip(right, found))
        ):
            probed = probed or answers(own, probes, driver=task["probe_driver"])
            if any("error" in answer for answer in probed):
                probes = []  # what fails either way is no result that stays the same
                continue
            again = answers(
                text,
                probes,
                driver=task["probe_driver"],
                enough=lambda found: difference(probed[len(found) - 1], found[-1]) is not None,
            )
            if len(again) == len(probed) and all(difference(*pair) is None for pair in zip(probed, again)):
                same += 1
                send({"same": number})


def _usable(answers: list[dict]) -> list[int]:
    """The numbers of those that hold an output that is data."""
    return [
        number
        for number, answer in enumerate(answers)
        if "output" in answer
        and not (isinstance(answer["output"], dict) and "unreadable" in answer["output"])
    ]


def _note(noted: list, number: int, value):
    """Remember a value on the way as it is now, if it is small data; hand it on."""
    small = not isinstance(value, torch.Tensor) or value.numel() <= MOST_NUMBERS
    if small and isinstance(value, (torch.Tensor, int, float, bool, tuple, list)) and len(noted[-1]) < 200:
        try:
            noted[-1].append([number, encode(value)])
        except (WireError, ValueError):
            pass
    return value


def shown(data):
    """The value that data stands for, or None where it stands for none."""
    try:
        return decode(data)
    except (WireError, KeyError, TypeError, ValueError):
        return None
