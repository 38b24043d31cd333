"""Two mistakes at once: edits made together, told by both names, and only where one does not explain all."""

import pytest
import torch

from allyouneed.check.judge import judge
from allyouneed.check.wire import encode
from coursegrader.rubric import Exercise, edit
from coursegrader.rubric.fingerprints import complete
from coursegrader.rubric.pairs import pairs


def scaled(x, factor=2):
    return x * factor + 1


@pytest.fixture
def exercise():
    made = Exercise("scaled", {"core": 3}, "s")
    made.right(scaled)
    made.mistake("no-factor", "one", "The factor is missing.", edit(scaled, {" * factor": ""}))
    made.mistake("no-offset", "two", "The offset is missing.", edit(scaled, {" + 1": ""}))
    made.mistake("offset-two", "two", "The offset is two.", edit(scaled, {"+ 1": "+ 2"}))
    return made


def test_edits_that_leave_room_for_each_other_are_made_together(exercise):
    found = {names: version.source for names, version in pairs(exercise)}
    assert "return x\n" in found["no-factor", "no-offset"]
    assert "return x + 2\n" in found["no-factor", "offset-two"]
    assert ("no-offset", "offset-two") not in found  # they change the same text


def answers(numbers):
    return [{"output": encode(torch.tensor([float(number)]))} for number in numbers]


def test_both_are_told_where_neither_alone_explains_the_results(exercise):
    inputs = (3.0, 5.0)
    outline = {
        "points": {"core": 3},
        "section": "s",
        "any_float": False,
        "probes": [{"name": str(number), "group": "core", "args": [], "kwargs": {}} for number in inputs],
    }

    def run(version):
        space = {}
        exec(version.source, space)
        return answers(space["scaled"](number) for number in inputs)

    made = complete(exercise, outline, run)
    assert sorted(entry["of"] for entry in made["both"]) == [
        ["no-factor", "no-offset"],
        ["no-factor", "offset-two"],
    ]

    def told(numbers):
        return judge("scaled", made | {"driver": "call"}, {"answers": answers(numbers)})

    both = told(inputs)  # neither factor nor offset
    assert both.misconception == "no-factor+no-offset" and both.section == "one" and not both.points
    assert both.message == "Two things. First: The factor is missing. Second: The offset is missing."
    assert told(number + 2 for number in inputs).misconception == "no-factor+offset-two"
    assert told(number + 1 for number in inputs).misconception == "no-factor"
    assert told((3.0, 7.0)).misconception not in ("no-factor+no-offset", "no-factor", "no-offset")
    no_data = {"answers": [{"output": {"unreadable": "a set"}}] * 2}
    assert judge("scaled", made | {"driver": "call"}, no_data).misconception == "wrong-type"
