"""Functions that look back only keep their earlier rows, others do not; lists are compared by item."""

import pytest
import torch

from allyouneed.check.drivers import ask
from allyouneed.check.drivers.future_test import KINDS, build
from coursegrader.rubric.probes import Probes

LOOK_BACK = {
    "each_row",
    "constant",
    "running_sum",
    "backwards_sum",
    "causal",
    "shifted_by_all",
    "renormalized",
    "row_before",
    "last_row_reads_all",
}


def moved(f, n, d, dtype):
    """The largest move of a row when all rows behind it are changed."""
    x, other = torch.randn(2, n, d, generator=torch.Generator().manual_seed(2)).to(dtype)
    y = f(x)
    return max((f(torch.cat([x[:t], other[t:]]))[:t] - y[:t]).abs().max().item() for t in range(1, n))


@pytest.mark.parametrize("kind", KINDS)
def test_a_function_looks_ahead_or_does_not_by_more_than_rounding(kind):
    f = build(kind, n=8, d=5, seed=3, row=2)
    if kind in LOOK_BACK:
        assert moved(f, 8, 5, torch.float32) < 1e-5 and moved(f, 8, 5, torch.float64) < 1e-12
    else:
        assert moved(f, 8, 5, torch.float32) > 2e-3


def test_some_functions_that_look_back_only_are_not_equal_to_the_last_digit():
    assert any(moved(build(kind, 25, 5, seed=3), 25, 5, torch.float32) > 0 for kind in LOOK_BACK)


def test_another_shape_is_refused_with_the_one_that_is_meant():
    with pytest.raises(ValueError, match=r"shape \(8, 5\), but got \(3, 5\)"):
        build("causal", 8, 5, seed=0)(torch.zeros(3, 5))


def test_a_change_inside_a_list_of_tensors_is_seen():
    def double(tensors):
        tensors[1] *= 2
        return tensors

    probe = Probes(0, 0).probe("p", [torch.ones(2), torch.ones(2, 3)], group="g")
    assert ask(double, "call", probe)["changed"] == [0]
    assert "changed" not in ask(lambda tensors: [2 * item for item in tensors], "call", probe)
