"""Counts are judged part by part, attention by what it holds at once, a fit by how it lies to the data."""

import math
from dataclasses import replace

import pytest
import torch

from allyouneed.check.compare import difference
from allyouneed.check.drivers import ask, shown_call
from allyouneed.check.drivers.fitted_curve import STEP
from allyouneed.check.drivers.keys_at_once import BLOCK, MORE, WHOLE
from allyouneed.check.wire import decode, encode
from allyouneed.models.common import parameter_count
from allyouneed.models.sizes import PUBLISHED_SIZES, transformer_parts
from allyouneed.nn.attention import scaled_dot_product_attention
from allyouneed.nn.blockwise import blockwise_attention
from coursegrader.rubric.probes import Probes

NUMBERS = Probes(0, 5)
Q, K, V = NUMBERS.randn(3, 11), NUMBERS.randn(37, 11), NUMBERS.randn(37, 4)


def watch(function, block=6):
    answer = ask(
        function,
        "keys_at_once",
        {
            "name": "p",
            "args": [encode(value) for value in (Q, K, V, block)],
            "kwargs": encode({}),
            "watch": True,
        },
    )
    return answer.get("output", answer)


def all_at_once(q, k, v, block):
    return scaled_dot_product_attention(q, k, v)[0]


def in_pieces(q, k, v, block):
    scores = torch.empty(len(q), len(k))
    for start in range(0, len(k), block):
        scores[:, start : start + block] = q @ k[start : start + block].T
    return scores.softmax(dim=-1) @ v


def query_by_query(q, k, v, block):
    return torch.stack([(k @ row).softmax(dim=0) @ v for row in q])


def as_many_blocks(q, k, v, block):
    return blockwise_attention(q, k, v, block=-(-len(k) // block))


def filled_up(q, k, v, block):
    """A mask and padded keys may have any length; only scores are watched."""
    real = torch.arange(42) < len(k)
    k, v = (
        torch.cat((k, k.new_zeros(42 - len(k), k.shape[1]))),
        torch.cat((v, v.new_zeros(42 - len(v), v.shape[1]))),
    )
    total = output = 0
    for start in range(0, 42, block):
        powers = (
            torch.exp(q @ k[start : start + block].T / math.sqrt(q.shape[1])) * real[start : start + block]
        )
        total, output = total + powers.sum(dim=-1, keepdim=True), output + powers @ v[start : start + block]
    return output / total


def key_by_key(q, k, v, block):
    powers = [torch.exp((q * key).sum(dim=-1, keepdim=True) / math.sqrt(q.shape[1])) for key in k]
    return sum(power * value for power, value in zip(powers, v)) / sum(powers)


@pytest.mark.parametrize(
    "function, told",
    [
        (all_at_once, WHOLE),
        (in_pieces, WHOLE),
        (query_by_query, WHOLE),
        (as_many_blocks, MORE),
        (filled_up, BLOCK),
        (key_by_key, BLOCK),
        (lambda q, k, v, block: blockwise_attention(q, k, v, block=block), BLOCK),
        (lambda q, k, v, block: torch.einsum("qc,kc->qk", q, k).softmax(dim=1) @ v, WHOLE),
    ],
)
def test_how_many_keys_are_scored_at_once_is_seen(function, told):
    assert watch(function) == told


def test_without_a_watch_the_output_counts():
    probe = {"name": "p", "args": [encode(value) for value in (Q, K, V, 6)], "kwargs": encode({})}
    right, other = ask(all_at_once, "keys_at_once", probe), ask(filled_up, "keys_at_once", probe)
    assert difference(right, other) is None
    assert difference(right, ask(query_by_query, "keys_at_once", probe)) == "value"


def fields(name):
    config = PUBLISHED_SIZES[name].config
    return {key: getattr(config, key) for key in config.__dataclass_fields__}


def count(function, *shapes):
    answer = ask(
        function,
        "transformer_count",
        {"name": "p", "args": [encode(shape) for shape in shapes], "kwargs": encode({})},
    )
    return decode(answer["output"]) if "output" in answer else answer["error"]


def test_a_part_is_judged_by_the_difference_it_makes():
    def own(config):
        return parameter_count(transformer_parts, config)

    def without_pooler(config):
        return own(replace(config, pooler=False))

    base = fields("BERT-Base") | {"n_layers": 1}
    assert count(own, fields("GPT-2 small")) == 124_439_808
    assert count(own, base | {"pooler": False}, {"pooler": True}) == 768 * 769
    assert count(without_pooler, base | {"pooler": False}, {"pooler": True}) == 0
    assert count(without_pooler, base, {"n_layers": 2}) == count(own, base, {"n_layers": 2})


def test_what_is_no_count_is_handed_on():
    assert count(lambda config: None, fields("GPT-3"), {"n_layers": 2}) is None
    assert count(lambda config: {"all": 3}, fields("GPT-3"), {"n_layers": 2}) == {"all": 3}
    assert count(lambda config: config["kind"], fields("GPT-3")) == "TypeError"


def test_a_shape_is_shown_in_words():
    shown = shown_call(
        "transformer_count", "f", {"args": [encode(fields("BERT-Base")), encode({"pooler": False})]}
    )
    assert "vocab_size=30522" in shown and "pooler is False instead of True" in shown


A, ALPHA, FLOOR = STEP**20, STEP**-7, STEP**3
SIZES = [10, 30, 100, 300, 1000, 3000, 10000]
LOSSES = [FLOOR + A * size**-ALPHA for size in SIZES]


def fit(came, form="list"):
    probe = {"name": "p", "args": [encode(SIZES), encode(LOSSES)], "kwargs": encode({}), "form": form}
    return ask(came if callable(came) else lambda size, loss: came, "fitted_curve", probe)["output"]


def test_numbers_within_5_percent_are_one_answer():
    right = fit((A, ALPHA, FLOOR))
    assert (
        right
        == fit([A * 1.01, torch.tensor(ALPHA), FLOOR])
        == fit(torch.tensor([A, ALPHA * 1.001, FLOOR * 0.99]))
    )
    assert right != fit((A * 1.06, ALPHA * 1.006, FLOOR))


@pytest.mark.parametrize(
    "came, told",
    [
        ((A, -ALPHA, FLOOR), "alpha with the other sign"),
        ((FLOOR, ALPHA, A), "a and floor exchanged"),
        ((ALPHA, A, FLOOR), "a and alpha exchanged"),
        ((math.log(A), ALPHA, FLOOR), "the logarithm of a"),
        ((10 ** math.log(A), ALPHA, FLOOR), "a by the power of another base"),
        ((A, ALPHA * math.log(10), FLOOR), "alpha from logarithms of two bases"),
        ((A, 1 / ALPHA, FLOOR), "1 / alpha"),
        ((A * 10000**-ALPHA, ALPHA, FLOOR), "sizes in another unit"),
        ((A / LOSSES[0], ALPHA, FLOOR / LOSSES[0]), "losses in another unit"),
        ((A + FLOOR, ALPHA, FLOOR), "the loss at size 1 in the place of a"),
    ],
)
def test_numbers_that_would_be_right_if_read_otherwise_are_named(came, told):
    assert fit(came) == ["would run through the losses", told, ""]


def test_of_other_numbers_it_is_said_what_is_known():
    assert fit((A, ALPHA, 0.0)) == ["", "alpha is positive", "floor is 0"]
    least = min(LOSSES)
    for a, alpha, end in (
        (1e-3, 0.5, "near the last loss"),
        (0.7 * least, 1e-6, "above the last loss"),
        (3.0, -0.2, "far above the last loss"),
        (3.0, -400.0, "far above the last loss"),  # more than a float can hold
    ):
        sign = "positive" if alpha > 0 else "not positive"
        assert fit((a, alpha, least)) == ["", f"alpha is {sign}", f"floor is the smallest loss, {end}"]
    assert fit((3.0, 0.2, 0.5 * min(LOSSES))) == [
        "",
        "alpha is positive",
        "floor is a round share of the smallest loss",
    ]
    assert fit((8.0, 0.5, max(LOSSES))) == ["", "alpha is positive", "floor is above the smallest loss"]
    assert fit((8.0, 17.0, max(SIZES))) == ["", "alpha is large", "floor is above the smallest loss"]
    assert fit((A, math.nan, FLOOR)) == ["not finite", "", ""]
    assert fit({"a": A}) == fit((A, ALPHA)) == fit("text") == ["not three real numbers", "", ""]
    assert fit(lambda size, loss: None) is None


@pytest.mark.parametrize(
    "form, kind", [("list", list), ("tuple", tuple), ("tensor", torch.Tensor), ("single", torch.Tensor)]
)
def test_the_data_come_in_the_form_asked_for(form, kind):
    assert (
        fit(
            lambda size, loss: (
                (A, ALPHA, FLOOR) if isinstance(size, kind) and isinstance(loss, kind) else None
            ),
            form,
        )
        is not None
    )


def test_layers_without_numbers_are_counted_at_once():
    """torch would import for seconds before it drew numbers for an embedding that holds none."""

    def built(config):
        with torch.device("meta"):
            return sum(
                part.numel() for part in torch.nn.Embedding(config.vocab_size, config.d_model).parameters()
            )

    draw = torch.nn.init.normal_
    assert count(built, fields("GPT-3")) == 50257 * 12288
    assert torch.nn.init.normal_ is draw


def test_the_import_of_an_optimiser_is_not_counted():
    def by_adam(size, loss):
        weight = torch.zeros(1, requires_grad=True)
        optimizer = torch.optim.Adam([weight])
        weight.sum().backward()
        optimizer.step()
        return A, ALPHA, FLOOR

    assert fit(by_adam) == fit((A, ALPHA, FLOOR))


def test_sorting_in_place_is_noticed():
    def sorts(size, loss):
        loss.sort()
        return A, ALPHA, FLOOR

    probe = {"name": "p", "args": [encode(SIZES), encode(LOSSES)], "kwargs": encode({})}
    assert ask(sorts, "fitted_curve", probe)["changed"] == [1]


def operations(n, width):
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        empty = torch.empty(n, width, device="meta")
        empty @ empty.T
    return counter.get_total_flops()


def test_what_the_counter_of_torch_loads_is_not_counted():
    probe = {"name": "p", "args": [5, 3], "kwargs": encode({})}
    assert ask(operations, "call", probe) == {"output": 150}
