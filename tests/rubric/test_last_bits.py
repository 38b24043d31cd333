"""Numbers move by their last bit, and nothing else of a probe does."""

import json
import math

import pytest
import torch

from allyouneed.check.wire import decode, encode
from coursegrader.rubric.sweep.last_bits import OTHER_SUMS, moved


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_tensor_moves_by_one_unit_in_the_last_place_up_and_down(dtype):
    before = torch.rand(3, 4, generator=torch.Generator().manual_seed(0), dtype=dtype) / 2 + 1.1
    after = decode(moved(encode(before)))
    assert after.dtype == dtype and after.shape == before.shape
    steps = (after.double() - before.double()) / torch.finfo(dtype).eps
    assert steps.flatten().tolist() == [1.0, -1.0] * 6


def test_numbers_move_wherever_they_stand():
    probe = {"name": "p", "args": encode([0.1, (0.2, {"x": 0.3})]), "atol": 0.5, "seed": 3}
    after = moved(probe)
    first, (second, third) = decode(after["args"])
    assert (first, second, third["x"]) == tuple(math.nextafter(x, math.inf) for x in (0.1, 0.2, 0.3))
    assert after | {"args": None} == probe | {"args": None}


@pytest.mark.parametrize(
    "value",
    [
        3,
        "0.1",
        None,
        2.0,
        -1000.0,
        -math.inf,
        torch.tensor([0.0, 1.0, -math.inf, math.inf]),
        torch.tensor([[True, False]]),
        torch.arange(4),
        torch.tensor([0.3], dtype=torch.bfloat16),
    ],
)
def test_what_is_no_measured_number_stays(value):
    assert moved(encode(value)) == encode(value)


def test_a_large_whole_number_is_measured():
    assert decode(moved(encode(6e18))) == math.nextafter(6e18, math.inf)


def test_sums_of_floats_are_rounded_the_other_way_and_other_sums_stay():
    names: dict = {}
    exec(OTHER_SUMS, names)
    tenths, other = [0.1] * 10, names["sum"]
    assert {sum(tenths), other(tenths)} == {1.0, 0.9999999999999999}
    assert other(tenths, 1) == other([1.0, *tenths]) and other([]) == 0
    assert other(range(5)) == 10 and other([[1], [2]], []) == [1, 2]
    assert other(torch.ones(3)) == 3 and other(x for x in (0.5, 0.25)) == 0.75


def test_a_tensor_keeps_how_it_is_laid_out():
    data = encode(torch.rand(4, 3).T) | {"strided": True}
    after = moved(data)
    assert after["strided"] and decode(after).stride() == decode(data).stride()
    assert json.loads(json.dumps(after)) == after
