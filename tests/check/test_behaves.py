"""What a wrong result is like: in a plain relation to the right one, or that of a known change."""

import pytest
import torch

from allyouneed.check.behaves import alike_by, as_if, sums_of
from allyouneed.check.value_relations import related
from allyouneed.check.wire import encode


def randn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


WANTED = [randn(2, 3, 4), randn(3, 5, 2, seed=1)]


def relation(change, wanted=WANTED):
    rights = [{"output": encode(want)} for want in wanted]
    answers = [{"output": encode(change(want))} for want in wanted]
    return related([rights], answers, range(len(wanted)))


@pytest.mark.parametrize(
    "change, name, words",
    [
        (lambda x: -x, "factor", "times -1."),
        (lambda x: x * x.shape[-1], "factor", "not the same for all inputs"),
        (lambda x: x + 0.5, "offset", "plus 0.5."),
        (lambda x: 1 / x, "inverse", "1 over the right one"),
        (torch.zeros_like, "all-zero", "0 throughout"),
        (torch.ones_like, "all-the-same", "the same"),
        (lambda x: x.flip(-2), "reversed", "the last axis but one is right, in reverse order"),
        (lambda x: x.roll(1, -1), "one-later", "Along the last axis"),
        (lambda x: x.roll(-1, 0), "one-earlier", "third axis from the end"),
        (lambda x: torch.cat([x[..., :-1], x[..., -1:] + 1], -1), "last-wrong", "last along the last axis"),
        (lambda x: torch.cat([x[:, :1] - 1, x[:, 1:]], 1), "first-wrong", "the last axis but one"),
        (lambda x: x * (x.abs() > 1), "rest-zero", "the rest is 0"),
        (lambda x: x * randn(*x.shape[:1], 1, x.shape[2]), "factor-in-slices", "the last axis but one"),
        (lambda x: x + randn(*x.shape[:1], 1, x.shape[2]), "offset-in-slices", "the last axis but one"),
        (lambda x: x.reshape(-1).sort().values.reshape(x.shape), "other-places", "wrong places"),
    ],
)
def test_a_plain_relation_is_told(change, name, words):
    found, sentence = relation(change)
    assert found == f"result-{name}" and words in sentence


def test_truth_values_and_axes_of_one_length():
    masks = [torch.eye(4).bool(), torch.ones(3, 3).tril().bool()]
    assert relation(lambda x: ~x, masks)[0] == "result-negated"
    assert relation(torch.zeros_like, masks) == ("result-all-zero", "It is False throughout.")
    assert relation(lambda x: x.T, [torch.ones(3, 3).tril(-1).bool()]) == (
        "result-exchanged-axes",
        "The axes -2 and -1 have changed places.",
    )


@pytest.mark.parametrize("change", [lambda x: x + randn(*x.shape, seed=2), lambda x: x**2])
def test_what_is_in_no_plain_relation_is_not_told_one(change):
    assert relation(change) is None


def test_of_one_wrong_number_or_answer_no_relation_is_told():
    assert relation(lambda x: 1.07 * x, [torch.tensor(0.7)]) is None
    assert relation(lambda x: 2 * x, [torch.tensor(0.7), torch.tensor(0.4)])[0] == "result-factor"
    assert relation(lambda x: ~x, [torch.tensor(True), torch.tensor(True)]) is None


def test_one_probe_in_another_relation_is_enough_to_say_nothing():
    assert relation(lambda x: x.flip(-1) if len(x) == 2 else x**2) is None


PROBES = [{"group": "core"}, {"group": "masks"}, {"group": "masks", "edge": True}]


def told(known, results, failed=None, whole=True):
    """What results of the three probes (None: right) are told by known changes, given by their results."""
    fingerprint = {
        "probes": PROBES,
        "points": {"core": 1, "masks": 1},
        "as_if": [
            {
                "id": name,
                "message": "",
                "sums": {str(i): sums_of(encode(x)) for i, x in enumerate(xs) if x is not None},
            }
            for name, xs in known.items()
        ],
    }
    answers = [{"output": encode(x)} for x in results]
    failed = failed or {index: "value" for index, x in enumerate(results) if x is not None}
    found = as_if(fingerprint, answers, failed, whole)
    return found and found["id"] + found["message"]


def test_results_are_told_by_the_change_that_gives_the_same_on_all_ordinary_probes():
    x, y, z = randn(3, 4), randn(5, seed=1), randn(2, seed=2)
    known = {"one": [x, y, z], "other": [x, None, z], "third": [x, y, -z]}
    assert told(known, [x, y, z]) == "one"
    assert told(known, [x * (1 + 1e-6), y, z]) == "one"
    assert told(known, [x, None, z]) == "other"
    assert told(known, [x, y, -z]) == "third"  # an edge probe breaks the tie
    assert told(known, [x, y, z + 1]) == "one"  # and decides nothing else
    moved = x.clone()
    moved[1, 2] += 0.01
    assert told(known, [moved, y, z]) is None
    assert told(known, [x.flip(0), y, z]) is None
    assert told(known, [None, y, z]) is None
    assert told({"other": [x, None, z]}, [x, y, z]) is None  # it explains only one of the two
    assert told(known, [x, y, z], {0: "value", 1: "error", 2: "value"}) is None


def test_a_change_that_agrees_on_the_core_alone_is_told_of_the_core_alone():
    x, y = randn(3, 4), randn(5, seed=1)
    assert told({"one": [x, y, None]}, [x, y + 1, None]) is None
    assert told({"one": [x, y, None]}, [x, y + 1, None], whole=False) == "oneOn the probes of “core”: "
    assert told({"one": [x, y, None]}, [x + 1, y, None], whole=False) is None
    assert told({"one": [None, y, None]}, [None, y + 1, None], whole=False) is None


def test_numbers_of_any_size_and_texts_have_sums():
    assert sums_of(encode([2**200, "ab", {"a": True}]))[0] > 2**199
    assert sums_of(encode(["ab"])) != sums_of(encode(["ba"]))
    assert relation(lambda n: 2**70, [7, 8]) is None


def test_where_a_driver_tells_a_few_facts_alone_what_came_must_be_the_same():
    facts = encode(["", "alpha is positive", "floor is 0"])
    came, other = encode((8.0, 0.5, 1.0)), encode((8.0, 0.5, 1.5))
    known = {str(index): sums_of(alike_by({"output": facts, "came": came})) for index in range(3)}
    fingerprint = {"probes": PROBES, "points": {"core": 1, "masks": 1}}
    fingerprint["as_if"] = [{"id": "one", "message": "", "sums": known}]
    for mine, found in ((came, True), (other, False)):
        answers = [{"output": facts, "came": mine}] * 3
        assert bool(as_if(fingerprint, answers, dict.fromkeys(range(3), "value"))) == found
    for told in (["a", "", ""], ["", "b"]):  # by its output, as where nothing else is there
        assert alike_by({"output": told}) == told and alike_by({"output": ["a"], "came": came}) == ["a"]


def test_infinities_and_nan_are_told_apart_by_their_places():
    low = torch.tensor([0.0, -torch.inf, 1.0])
    assert told({"low": [low, low, None]}, [low, low, None]) == "low"
    assert told({"low": [low, low, None]}, [low.flip(0) - 0, low, None]) is None
    assert told({"low": [low, low, None]}, [-low, low, None]) is None
