"""Rotary functions of four conventions count as one; biases count as far as a causal softmax can see them."""

import pytest
import torch

from allyouneed.check.compare import difference
from allyouneed.check.describe import describe_failure
from allyouneed.check.drivers import ask
from allyouneed.check.drivers.rotary import HALVES, SIDE_BY_SIDE, Convention, convention_of, side_by_side
from allyouneed.check.wire import decode, encode
from allyouneed.nn.position_bias import alibi_bias
from allyouneed.nn.positions import apply_rotary
from coursegrader.rubric.probes import Probes

CONVENTIONS = [Convention(layout, turn) for layout in (SIDE_BY_SIDE, HALVES) for turn in (True, False)]


def rotary_in(convention, mistake=lambda angles: angles):
    def turn(x, positions, base=10000.0):
        half = x.shape[-1] // 2
        angles = mistake(positions[:, None] * base ** (-torch.arange(half, dtype=torch.float64) / half))
        c, s = (
            angles.cos().to(x.dtype),
            angles.sin().to(x.dtype) * (1 if convention.counter_clockwise else -1),
        )
        a, b = (x[..., :half], x[..., half:]) if convention.layout == HALVES else (x[..., 0::2], x[..., 1::2])
        turned = (a * c - b * s, a * s + b * c)
        return torch.cat(turned, -1) if convention.layout == HALVES else torch.stack(turned, -1).flatten(-2)

    return turn


def probe(*shape, dtype=torch.float32, **marks):
    return Probes(0, 5).probe(
        "p",
        Probes(0, 7).randn(*shape, dtype=dtype),
        torch.tensor([3, 0, 7, 2])[: shape[2]],
        group="g",
        **marks,
    )


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("width", [4, 6, 12])
def test_each_convention_is_seen_and_answers_like_the_library(convention, width):
    mine = rotary_in(convention)
    assert convention_of(mine, width) == convention
    asked = probe(2, 3, 4, width, gradient=True)
    right, answer = ask(apply_rotary, "rotary", asked), ask(mine, "rotary", asked)
    assert difference(right, answer, any_float=True) is None
    assert "gradients" in answer and "changed" not in answer


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_one_mistake_looks_the_same_in_every_convention(convention):
    doubled = [
        ask(rotary_in(one, lambda angles: 2 * angles), "rotary", probe(1, 2, 3, 8))
        for one in (Convention(), convention)
    ]
    assert difference(*doubled, any_float=True) is None
    assert difference(ask(apply_rotary, "rotary", probe(1, 2, 3, 8)), doubled[1], any_float=True) == "value"


def test_a_mixture_of_layouts_is_not_right():
    def mixed(x, positions):
        turned = apply_rotary(x, positions)
        return torch.cat((turned[..., 0::2], turned[..., 1::2]), dim=-1)

    assert (
        difference(
            ask(apply_rotary, "rotary", probe(1, 2, 3, 8)),
            ask(mixed, "rotary", probe(1, 2, 3, 8)),
            any_float=True,
        )
        == "value"
    )


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_changed_inputs_and_dtypes_are_seen_in_every_convention(convention):
    def in_place(x, positions):
        return x.copy_(rotary_in(convention)(x.clone(), positions))

    assert ask(in_place, "rotary", probe(1, 2, 3, 8))["changed"] == [0]
    wide = probe(1, 2, 3, 8, dtype=torch.float64)
    narrow = ask(lambda x, positions: rotary_in(convention)(x, positions).float(), "rotary", wide)
    assert difference(ask(apply_rotary, "rotary", wide), narrow, any_float=True) == "dtype"
    rounded = ask(
        lambda x, positions: rotary_in(convention, lambda angles: angles.float())(
            x.float(), positions
        ).double(),
        "rotary",
        wide,
    )
    assert difference(ask(apply_rotary, "rotary", wide), rounded, any_float=True) is None


def test_messages_show_the_input_that_was_given():
    def shifted(x, positions):
        return rotary_in(CONVENTIONS[2])(x, positions) + 0.01

    asked = probe(1, 1, 2, 4)
    answer = ask(shifted, "rotary", asked)
    fingerprint = {"driver": "rotary", "probes": [asked], "right": [[ask(apply_rotary, "rotary", asked)]]}
    assert convention_of(shifted, 4) == CONVENTIONS[2]
    x = decode(asked["args"][0])[..., [0, 2, 1, 3]]
    message = describe_failure("apply_rotary", fingerprint, [answer], {0: "value"}, reveal=True)[1]
    for part, numbers in zip(message.split("What came back"), (x, shifted(x, torch.tensor([3, 0])))):
        assert str([round(number, 4) for number in numbers[0, 0, 0].tolist()]) in part


def test_functions_that_fail_or_answer_otherwise_pass_through():
    def broken(x, positions):
        raise RuntimeError("no")

    assert ask(broken, "rotary", probe(1, 1, 2, 4)) == {"error": "RuntimeError", "text": "no"}
    assert ask(lambda x, positions: "text", "rotary", probe(1, 1, 2, 4))["output"] == "text"
    assert side_by_side(apply_rotary, Convention()) is apply_rotary


@pytest.mark.parametrize(
    "rule, value, argument, words",
    [
        (
            {"rule": "lengths", "what": "A row"},
            torch.eye(4) * 2,
            None,
            "A row must have the length 1, but one has 2.",
        ),
        ({"rule": "lengths", "what": "A row"}, torch.eye(4), None, "Every number is the right one plus -1."),
        (
            {"rule": "lengths", "pairs": True, "what": "A pair"},
            torch.ones(2, 4),
            None,
            "A pair must have the length 1, but one has 1.414.",
        ),
        (
            {"rule": "lengths", "like_argument": 0, "what": "A pair", "pairs": True},
            torch.ones(2, 4),
            torch.zeros(2, 4),
            "A pair must have the length 0, but one has 1.414.",
        ),
        (
            {"rule": "lengths", "like_argument": 0, "what": "A pair", "pairs": True},
            torch.ones(2, 4),
            -torch.ones(2, 4),
            "All its numbers are the same.",
        ),
        (
            {"rule": "non_positive", "what": "A bias"},
            torch.tensor([[-1.0, 0.5]]),
            None,
            "A bias must not be positive, but one is 0.5.",
        ),
    ],
)
def test_broken_properties_of_positions_are_told(rule, value, argument, words):
    asked = Probes(0, 0).probe("p", torch.zeros(1) if argument is None else argument, group="g")
    answer, right = ({"output": encode(tensor)} for tensor in (value, value + 1))
    fingerprint = {"driver": "call", "probes": [asked], "right": [[right]], "properties": [rule]}
    assert words in describe_failure("f", fingerprint, [answer], {0: "value"}, reveal=True)[1]


SIZES = [(2, 3, 3), (3, 2, 5), (1, 1, 4)]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(
    "change",
    [
        lambda bias, later: bias + torch.arange(bias.shape[1])[:, None],
        lambda bias, later: bias.masked_fill(later, -torch.inf),
        lambda bias, later: bias.masked_fill(later, torch.nan),
        lambda bias, later: bias.masked_fill(later, 3.0).double(),
        lambda bias, later: bias.tolist(),
    ],
)
def test_row_constants_and_later_keys_are_free(sizes, change):
    def mine(n_heads, n_queries, n_keys):
        later = torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries + 1)
        return change(alibi_bias(n_heads, n_queries, n_keys), later)

    asked = Probes(0, 0).probe("p", *sizes, group="g")
    assert (
        difference(ask(alibi_bias, "causal_bias", asked), ask(mine, "causal_bias", asked), any_float=True)
        is None
    )


def test_what_a_causal_softmax_sees_is_not_free():
    asked = Probes(0, 0).probe("p", 2, 3, 4, group="g")
    right = ask(alibi_bias, "causal_bias", asked)
    for wrong in (
        lambda *sizes: -alibi_bias(*sizes),
        lambda *sizes: alibi_bias(*sizes)[None],
        lambda *sizes: alibi_bias(*sizes).long(),
        lambda *sizes: alibi_bias(*sizes) * torch.tensor([1.0, 1.1])[:, None, None],
    ):
        assert difference(right, ask(wrong, "causal_bias", asked), any_float=True)
