"""The small inputs of questions: what holds of all public probes of an exercise holds of them."""

import json
import random
from pathlib import Path

import pytest
import torch

import allyouneed.check
from allyouneed.check.questions.inputs import is_plain, small_inputs
from allyouneed.check.questions.told import form
from allyouneed.check.wire import decode, encode

FOLDER = Path(allyouneed.check.__file__).parent / "fingerprints"


def made_of(*calls, wanted=12):
    probes = [{"args": [encode(value) for value in call], "kwargs": encode({})} for call in calls]
    found = small_inputs({"probes": probes}, random.Random(1), wanted)
    assert found
    return [decode(probe["args"]) for probe in found]


def of_exercise(name, problem_set):
    exercises = json.loads((FOLDER / f"{problem_set}.json").read_text())["exercises"]
    assert is_plain(exercises[name]["driver"])
    return [decode(probe["args"]) for probe in small_inputs(exercises[name], random.Random(1), 12)]


def test_widths_that_must_be_even_or_multiples_of_four_are():
    assert all(width % 2 == 0 for _, width, *_ in of_exercise("sinusoidal_encoding", "05-positions"))
    assert all(width % 4 == 0 for *_, width in (a[:3] for a in of_exercise("sinusoidal_2d", "05-positions")))
    assert all(x.shape[-1] % 2 == 0 for x, *_ in of_exercise("apply_rotary", "05-positions"))


def test_what_divides_another_size_in_all_probes_divides_it():
    calls = [(heads * width, heads, torch.ones(5)) for heads, width in ((3, 5), (2, 7), (5, 4), (3, 7))]
    assert all(model % heads == 0 for model, heads, _ in made_of(*calls))


def test_a_size_that_is_one_more_than_another_in_all_probes_is_one_more():
    calls = [(torch.ones(2, n, 7), torch.ones(7, 3), torch.ones(n + 1, 3)) for n in (4, 6, 9, 16)]
    assert all(positions.shape[0] == patches.shape[1] + 1 for patches, _, positions in made_of(*calls))
    for patches, *_, positions in of_exercise("vit_tokens", "08-vision"):
        assert positions.shape[-2] == patches.shape[-2] + 1


def test_whole_numbers_that_never_are_the_same_stay_apart():
    calls = [(start, stop, torch.randn(4, 5)) for start, stop in ((5, 7), (9, 6), (7, 8), (8, 5))]
    assert all(start != stop for start, stop, _ in made_of(*calls))


def test_no_row_is_zero_or_has_ties_where_the_probes_have_none():
    images_and_prompts = of_exercise("zero_shot", "09-beyond-text")
    for value in (value for call in images_and_prompts for value in call):
        assert (value != 0).any(-1).all()
    for (x,) in made_of((torch.randn(5, 4),), (torch.randn(7, 4),)):
        assert all(len(set(row)) == len(row) for row in x.tolist())


def test_positive_numbers_stay_positive():
    assert all((x > 0).all() for (x,) in made_of((torch.rand(5, 4) + 0.1,)))


@pytest.mark.parametrize("axis", [0, 1])
def test_a_mask_keeps_a_true_along_each_axis_along_which_the_probes_have_one(axis):
    mask = torch.eye(6, dtype=torch.bool)
    assert all(found.any(axis).all() and (~found).any(axis).all() for (found,) in made_of((mask,)))


def test_choices_of_one_form_have_the_same_brackets_and_are_whole_or_not():
    assert form(torch.tensor([1.0, 2.0])) == form(torch.tensor([3.0, 7.0]))
    assert form(torch.tensor([1.0, 2.0])) != form(torch.tensor([1.0, 2.5]))
    assert form(torch.tensor([1.0, 2.0])) != form(torch.tensor([[1.0], [2.0]])) != form(2.0)
