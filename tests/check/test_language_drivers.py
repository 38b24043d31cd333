"""The drivers of chapter 7: filtered logits, a cache, random masks, low-rank factors, published weights."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.check.drivers import ask, shown_call
from allyouneed.check.drivers.cached_steps import AGAIN, NEW
from allyouneed.check.wire import decode, encode
from allyouneed.generation.sampling import filter_logits
from allyouneed.models.bert import Bert, mask_tokens
from allyouneed.nn.attention import causal_mask
from allyouneed.nn.lowrank import LowRankLinear
from allyouneed.nn.multihead import merge_heads
from allyouneed.pretrained.weights import BERT_NAMES, map_bert

INF = float("inf")


def put(driver, candidate, *arguments, keywords=None, **marks):
    probe = {
        "name": "p",
        "args": [encode(value) for value in arguments],
        "kwargs": encode(keywords or {}),
        **marks,
    }
    return ask(candidate, driver, probe)


def told(driver, candidate, *arguments, **keywords):
    answer = put(driver, candidate, *arguments, **keywords)
    assert "error" not in answer, answer
    return decode(answer["output"])


# filtered

LOGITS = torch.tensor([[1.0, 3.0, 2.0]])


@pytest.mark.parametrize("fill", [-INF, torch.finfo(torch.float32).min, -1e9])
def test_a_dropped_token_is_told_as_minus_infinity(fill):
    assert told(
        "filtered_logits",
        lambda x, temperature: x.masked_fill(x < 2, fill),
        LOGITS,
        keywords={"temperature": 1.0},
    ).tolist() == [[-INF, 3, 2]]


@pytest.mark.parametrize(
    "cold",
    [
        lambda x: filter_logits(x, 0),
        lambda x: x / 1e-8,
        lambda x: torch.where(x == 3, 0.0, -INF),
        lambda x: x.masked_fill(x < 3, -INF),
    ],
)
def test_at_temperature_0_only_the_place_of_the_best_counts(cold):
    assert told(
        "filtered_logits", lambda x, temperature: cold(x), LOGITS, keywords={"temperature": 0}
    ).tolist() == [[-INF, 3, -INF]]


@pytest.mark.parametrize("fill", [0.0, -1.0, -100.0])
def test_another_number_for_all_dropped_tokens_is_told_as_0(fill):
    assert told(
        "filtered_logits",
        lambda x, temperature: (x / 2).masked_fill(x < 2, fill),
        LOGITS,
        keywords={"temperature": 2.0},
    ).tolist() == [[0, 1.5, 1]]
    assert told(
        "filtered_logits", lambda x, temperature: x + fill - 1, LOGITS, keywords={"temperature": 1.0}
    ).tolist() != [[0, 0, 0]]


@pytest.mark.parametrize("cold", [lambda x: x / 0, lambda x: (x / 0).softmax(-1), lambda x: x - INF])
def test_what_a_division_by_0_leaves_is_told_as_nan(cold):
    assert (
        told("filtered_logits", lambda x, temperature: cold(x), LOGITS, keywords={"temperature": 0})
        .isnan()
        .all()
    )


@pytest.mark.parametrize("number", [0.5, 0.1, 7.0])
def test_a_stand_in_for_temperature_0_is_told_as_the_logits(number):
    assert told(
        "filtered_logits",
        lambda x, temperature: (x / number).masked_fill(x < 2, -INF),
        LOGITS,
        keywords={"temperature": 0},
    ).tolist() == [[-INF, 3, 2]]


def test_a_row_without_a_token_is_told_as_it_is_beside_one_that_has_one():
    two = torch.tensor([[1.0, 3.0], [0.0, 2.0]])
    assert told(
        "filtered_logits", lambda x, temperature: x.masked_fill(x < 3, -INF), two, keywords={"temperature": 0}
    ).tolist() == [[-INF, 3], [-INF, -INF]]


def test_what_is_no_filter_stays_as_it_is():
    assert (
        told("filtered_logits", lambda x, temperature: x, LOGITS, keywords={"temperature": 0}).tolist()
        == LOGITS.tolist()
    )
    assert told("filtered_logits", lambda x: x.argmax(-1), LOGITS).tolist() == [1]
    assert told("filtered_logits", lambda x: "text", LOGITS) == "text"


# cached_steps

WEIGHTS = {
    f"{name}_proj.{kind}": torch.randn(*shape, generator=torch.Generator().manual_seed(len(name)))
    for name in "qkvo"
    for kind, shape in (("weight", (4, 4)), ("bias", (4,)))
}
TEXT = torch.arange(20.0).reshape(1, 5, 4) / 10


def remember(attention, x_new, cache):
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    return attention(x, mask=causal_mask(x.shape[1]))[0][:, -x_new.shape[1] :], x


def test_a_text_is_read_in_pieces_with_the_cache_handed_back():
    outputs = told(
        "cached_steps",
        remember,
        {"sizes": (4, 2), "weights": WEIGHTS, "pieces": (2, 1, 2)},
        TEXT,
        TEXT.flip(1),
    )
    assert [tuple(output.shape) for output in outputs] == [(1, 2, 4), (1, 1, 4), (1, 2, 4)] * 2
    whole = told(
        "cached_steps", remember, {"sizes": (4, 2), "weights": WEIGHTS, "pieces": (5,)}, TEXT, TEXT.flip(1)
    )
    torch.testing.assert_close(torch.cat(outputs[:3], dim=1), whole[0])
    torch.testing.assert_close(torch.cat(outputs[3:], dim=1), whole[1])


def test_what_a_step_must_not_do_is_told():
    spec = {"sizes": (4, 2, 2), "weights": WEIGHTS, "pieces": (2, 3)}
    for wrong, kind in (
        (lambda *_: None, "nothing"),
        (lambda a, x, c: x, "one Tensor"),
        (lambda a, x, c: (x,), "a tuple of 1"),
    ):
        answer = put("cached_steps", wrong, spec, TEXT)
        assert answer["error"] == "TypeError" and kind in answer["text"]
    assert "comes second" in put("cached_steps", lambda a, x, c: (None, x), spec, TEXT)["text"]
    assert put("cached_steps", lambda a, x, c: (x.zero_(), None), spec, TEXT)["changed"] == [1]
    double = {name: value.double() for name, value in WEIGHTS.items()}
    assert told("cached_steps", remember, spec | {"weights": double}, TEXT.double())[0].dtype == torch.float64
    assert "pieces of 2, 3 tokens" in shown_call(
        "cached_steps", "f", {"args": [encode(spec), encode(TEXT)], "kwargs": {}}
    )


def test_projections_may_be_functions_which_want_all_new_tokens_at_once():
    spec = {"sizes": (4, 2), "weights": WEIGHTS, "pieces": (2, 3), "functions": True}
    outputs = told("cached_steps", lambda a, x, c: (a.o_proj(a.q_proj(x)), None), spec, TEXT)
    assert [tuple(output.shape) for output in outputs] == [(1, 2, 4), (1, 3, 4)]
    for wrong, text in (
        (lambda a, x, c: (x @ a.q_proj.weight.T, None), "weight"),
        (lambda a, x, c: (a.q_proj(x[:, :1]), None), "less than all of x_new"),
    ):
        assert text in put("cached_steps", wrong, spec, TEXT)["text"]
    assert "with functions as projections" in shown_call(
        "cached_steps", "f", {"args": [encode(spec), encode(TEXT)], "kwargs": {}}
    )


def forgetful(attention, x_new, cache, kept=[]):  # noqa: B006
    forgetful.calls = getattr(forgetful, "calls", 0) + 1
    kept.append(0)
    return x_new * 0 + forgetful.calls + len(kept), None


def test_no_probe_meets_what_another_one_left_outside_the_cache():
    spec = {"sizes": (4, 2), "weights": WEIGHTS, "pieces": (2, 3)}
    first, again = (told("cached_steps", forgetful, spec, TEXT) for _ in range(2))
    assert (
        [output.unique().item() for output in first] == [output.unique().item() for output in again] == [2, 4]
    )


def test_texts_take_turns_and_send_gradients_back():
    spec = {"sizes": (4, 2), "weights": WEIGHTS, "pieces": (2, 3)}
    one, other = TEXT, TEXT.flip(1)
    after, turns = (told("cached_steps", remember, spec | more, one, other) for more in ({}, {"turns": True}))
    torch.testing.assert_close([after[0], after[2], after[1], after[3]], turns)
    assert "in turns with" in shown_call(
        "cached_steps",
        "f",
        {"args": [encode(spec | {"turns": True}), encode(one), encode(other)], "kwargs": {}},
    )
    answer = put("cached_steps", remember, spec | {"pieces": (5,)}, TEXT, gradient=True)
    assert decode(answer["gradients"][0]).shape == TEXT.shape and "changed" not in answer


# token_masks

SPEC = {
    "ids": torch.arange(5, 35).reshape(3, 10),
    "tiles": (4, 20),
    "special": [0, 2],
    "kind": "list",
    "mask_id": 1,
    "vocab_size": 90,
    "p": 0.5,
    "seed": 3,
    "levels": [0.0, 0.1, 0.15, 0.5, 0.8, 1.0],
    "ask": "share",
}


def masked(question, candidate=mask_tokens, **changes):
    return told("masked_tokens", candidate, SPEC | {"ask": question} | changes)


def fixed_shares(ids, special, mask_id, vocab_size, generator, p=0.15):
    allowed = ~torch.isin(ids, torch.tensor(sorted(special), dtype=torch.int64))
    places = allowed.nonzero()[torch.randperm(int(allowed.sum()), generator=generator)]
    places = places[: round(p * len(places))]
    inputs, labels = ids.clone(), torch.full_like(ids, -100)
    rows, columns = places.T
    labels[rows, columns] = ids[rows, columns]
    n = len(places)
    inputs[rows[: round(0.8 * n)], columns[: round(0.8 * n)]] = mask_id
    part = slice(round(0.8 * n), round(0.9 * n))
    inputs[rows[part], columns[part]] = torch.randint(vocab_size, (len(rows[part]),), generator=generator)
    return inputs, labels


@pytest.mark.parametrize("right", [mask_tokens, fixed_shares])
@pytest.mark.parametrize("kind", ["list", "tuple", "set", "frozenset", "tensor"])
def test_right_ways_to_draw_are_told_in_the_same_words(right, kind):
    right = right if right is fixed_shares or kind != "tensor" else mask_tokens
    assert masked("labels", right, kind=kind) == {
        "where a token was changed": "the token that stood there",
        "where nothing was chosen": "no label",
    }
    assert masked("special", right, special=[7, 9]) == {"special tokens": "left alone"}
    assert masked("share", right) == {"share chosen": "0.5"} and masked(
        "share", right, p=None, tiles=(8, 20)
    ) == {"share chosen": "0.15"}
    assert masked("fates", right, p=0.9) == {
        "masked": "0.8",
        "another token": "0.1",
        "as before": "0.1",
        "fates depend on the place": False,
    }
    assert masked("random ids", right, ids=torch.full((1, 40), 3), tiles=(5, 10), vocab_size=7) == {
        "random ids": "the whole vocabulary"
    }
    assert masked("places", right) == {
        "rows": "different",
        "every call chooses the same": False,
        "chosen tokens that become the mask": "some",
        "rows never chosen": False,
        "columns never chosen": False,
    }
    assert masked("generator", right) == {
        "the same seed again": "the same",
        "the next call": "different",
        "another seed": "different",
    }


@pytest.mark.parametrize(
    "question, changed, words",
    [
        ("labels", lambda i, l, ids: (i, ids), {"where nothing was chosen": "a label everywhere"}),
        (
            "labels",
            lambda i, l, ids: (i, l.masked_fill(l == -100, -1)),
            {"where nothing was chosen": "another number"},
        ),
        (
            "labels",
            lambda i, l, ids: (i, l.masked_fill(i == 1, -100)),
            {"where a token was changed": "no label for some"},
        ),
        (
            "labels",
            lambda i, l, ids: (i, torch.where(l == -100, l, i)),
            {"where a token was changed": "what was put there"},
        ),
        ("labels", lambda i, l, ids: (ids, l), {"where a token was changed": "no input is changed"}),
        (
            "fates",
            lambda i, l, ids: (torch.where((l == -100) | (torch.arange(200) < 40), ids, 1), l),
            {"fates depend on the place": True},
        ),
        (
            "places",
            lambda i, l, ids: (
                torch.where(torch.arange(12)[:, None] % 2 < l[0, 0] + 101, 1, ids),
                l.fill_(-100),
            ),
            {"rows": "all or nothing"},
        ),
        (
            "places",
            lambda i, l, ids: (torch.where(ids % 4 == 0, 1, ids), l.fill_(-100)),
            {"every call chooses the same": True},
        ),
        (
            "fates",
            lambda i, l, ids: (torch.where(l == -100, ids, 1), l),
            {"masked": "1", "another token": "0", "as before": "0"},
        ),
        (
            "places",
            lambda i, l, ids: (torch.where(l == -100, ids, 1), l),
            {"chosen tokens that become the mask": "all"},
        ),
        ("places", lambda i, l, ids: (ids, l), {"chosen tokens that become the mask": "none"}),
        (
            "places",
            lambda i, l, ids: (torch.where(l == -100, ids, 1 if l.sum() % 2 else 4), l),
            {"chosen tokens that become the mask": "all or none"},
        ),
        (
            "places",
            lambda i, l, ids: (torch.cat([i[:1], ids[1:]]), torch.cat([l[:1], 0 * l[1:] - 100])),
            {"rows never chosen": True},
        ),
    ],
)
def test_habits_are_told_in_words(question, changed, words):
    def wrong(ids, *others):
        return changed(*mask_tokens(ids, *others), ids)

    assert words.items() <= masked(question, wrong).items()


def test_draws_that_do_not_come_from_the_generator_are_seen():
    assert (
        masked("generator", lambda ids, s, m, v, g, p: mask_tokens(ids, s, m, v, None, p))[
            "the same seed again"
        ]
        == "different"
    )
    assert masked("generator", lambda ids, s, m, v, g, p: mask_tokens(ids, s, m, v, g.manual_seed(0), p)) == {
        "the same seed again": "the same",
        "the next call": "the same",
        "another seed": "the same",
    }


@pytest.mark.parametrize(
    "wrong, text",
    [
        (lambda ids, *_: ids, "two values"),
        (lambda ids, *_: (ids, ids[0]), "shape"),
        (lambda ids, *_: (ids.int(), ids), "int64, but one is int32"),
    ],
)
def test_what_is_no_pair_of_ids_is_told(wrong, text):
    answer = put("masked_tokens", wrong, SPEC)
    assert answer["error"] == "TypeError" and text in answer["text"]


def test_ids_that_are_changed_are_told():
    assert put("masked_tokens", lambda ids, *others: (ids.zero_(), ids), SPEC)["changed"] == [0]
    assert "ids of shape (12, 200)" in shown_call("masked_tokens", "f", {"args": [encode(SPEC)]})


def keys_and_values_kept(attention, x_new, cache):
    q, k, v = (
        layer(x_new).unflatten(-1, (2, -1)).transpose(1, 2)
        for layer in (attention.q_proj, attention.k_proj, attention.v_proj)
    )
    if cache is not None:
        k, v = (torch.cat(pair, dim=2) for pair in zip(cache, (k, v)))
    mask = causal_mask(q.shape[2], k.shape[2])
    return attention.o_proj(merge_heads(F.scaled_dot_product_attention(q, k, v, mask))), (k, v)


def inputs_kept_as_keys(attention, x_new, cache):
    """q Wₖ is laid beside the old inputs: no old token goes through the layer."""
    x = x_new if cache is None else torch.cat([cache, x_new], dim=1)
    turned = attention.q_proj(x_new) @ attention.k_proj.weight
    return (turned @ x.mT).softmax(-1) @ x, x


def copies_kept(attention, x_new, cache):
    weights, *old = cache or [attention.k_proj.weight.detach().clone()]
    return sum(token @ weights.T for token in (*old, x_new)), [weights, *old, x_new]


def test_old_tokens_that_are_projected_again_are_seen():
    spec = {"sizes": (4, 2), "weights": WEIGHTS, "pieces": (1,) * 8}
    text = encode(torch.ones(1, 8, 4))
    for step, last in (
        (remember, AGAIN),
        (copies_kept, AGAIN),
        (keys_and_values_kept, NEW),
        (inputs_kept_as_keys, NEW),
    ):
        probe = {"name": "p", "args": [encode(spec), text], "kwargs": encode({}), "watch": True}
        found = decode(ask(step, "cached_steps", probe)["output"])
        assert (found[0], found[-1]) == (NEW, last)


# low_rank

ADAPTED = {
    "weight": torch.randn(4, 3, generator=torch.Generator().manual_seed(1)),
    "bias": torch.tensor([1.0, 0, 2, 0]),
    "rank": 2,
    "alpha": 3.0,
    "keywords": False,
    "inner": torch.tensor([[1.0, 2, 3], [0, 1, 0]]),
    "outer": torch.arange(8.0).reshape(4, 2),
    "ask": "output",
}


class Turned(nn.Module):
    """Factors that lie the other way round, one as a layer; the base as buffers."""

    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.register_buffer("W", linear.weight.detach().clone())
        self.register_buffer("b", None if linear.bias is None else linear.bias.detach().clone())
        self.down, self.up, self.scale = (
            nn.Linear(linear.in_features, rank, bias=False),
            nn.Parameter(torch.zeros(rank, linear.out_features)),
            alpha / rank,
        )

    def forward(self, x):
        return F.linear(x, self.W, self.b) + self.down(x) @ self.up * self.scale


@pytest.mark.parametrize("layer", [LowRankLinear, Turned])
@pytest.mark.parametrize("bias", [True, False])
def test_factors_are_found_filled_and_asked(layer, bias):
    spec, x = ADAPTED | ({} if bias else {"bias": None}), torch.tensor([[1.0, -1.0, 2.0]])
    answer = put("low_rank", layer, spec, x, gradient=True)
    full = spec["weight"] + 1.5 * spec["outer"] @ spec["inner"]
    torch.testing.assert_close(decode(answer["output"]), F.linear(x, full, spec["bias"]))
    torch.testing.assert_close(
        [tuple(decode(item).shape) for item in answer["gradients"]], [(1, 3), (2, 3), (4, 2)]
    )
    torch.testing.assert_close(
        told("low_rank", layer, spec | {"inner": None, "keywords": True}, x),
        F.linear(x, spec["weight"], spec["bias"]),
    )
    assert told("low_rank", layer, spec | {"ask": "start"}) == {
        "zero factors": 1,
        "the other one": ["different numbers"],
    }
    assert told("low_rank", layer, spec | {"ask": "modes"}, x) == "the same output"
    assert told("low_rank", layer, spec | {"ask": "trains"}) == {
        "trains": ["the factor of the inputs", "the factor of the outputs"],
        "the base is saved with the layer": True,
        "what trains has the base's dtype": True,
    }


def test_a_dropout_shows_in_training_mode():
    class Dropped(LowRankLinear):
        def forward(self, x):
            return F.dropout(super().forward(x), 0.5, self.training)

    found = told("low_rank", Dropped, ADAPTED | {"ask": "modes"}, torch.ones(8, 3))
    assert found == "another output in training mode"


def test_gradients_of_turned_factors_are_turned_back():
    x = torch.ones(2, 3)
    mine, theirs = (
        put("low_rank", layer, ADAPTED, x, gradient=True)["gradients"] for layer in (LowRankLinear, Turned)
    )
    for one, other in zip(mine, theirs):
        torch.testing.assert_close(decode(one), decode(other))


def test_a_factor_that_was_never_written_is_told_and_no_setting_stays_changed():
    def unwritten(linear, rank, alpha):
        layer = LowRankLinear(linear, rank, alpha)
        layer.A = nn.Parameter(torch.empty(rank, linear.in_features))
        return layer

    start = told("low_rank", unwritten, ADAPTED | {"inner": None, "ask": "start"})
    assert start["the other one"] == ["memory that was never written"]
    assert not torch.are_deterministic_algorithms_enabled()


def test_another_base_or_dtype_is_told():
    def fresh(linear, rank, alpha):
        return LowRankLinear(nn.Linear(linear.in_features, linear.out_features), rank, alpha)

    for question in ("output", "start", "trains"):
        answer = put("low_rank", fresh, ADAPTED | {"ask": question}, torch.ones(1, 3))
        assert answer["error"] == "ValueError" and "other numbers" in answer["text"]
    double = told(
        "low_rank", lambda *arguments: LowRankLinear(*arguments).double(), ADAPTED | {"ask": "trains"}
    )
    assert double["what trains has the base's dtype"] is False
    under_double = ADAPTED | {"ask": "trains", "weight": ADAPTED["weight"].double()}
    single = told("low_rank", lambda *arguments: LowRankLinear(*arguments).float(), under_double)
    assert single["what trains has the base's dtype"] is False
    assert told("low_rank", LowRankLinear, under_double)["what trains has the base's dtype"] is True


def test_layers_of_other_parts_are_told():
    assert (
        put("low_rank", lambda linear, rank, alpha: linear, ADAPTED, torch.ones(1, 3))["error"]
        == "LookupError"
    )
    assert put("low_rank", lambda linear, rank, alpha: None, ADAPTED)["error"] == "TypeError"
    training = told(
        "low_rank",
        lambda linear, rank, alpha: nn.Sequential(
            LowRankLinear(linear, rank, alpha), linear.requires_grad_()
        ),
        ADAPTED | {"ask": "trains"},
    )
    assert training["trains"] == [
        "the base's bias",
        "the base's weight",
        "the factor of the inputs",
        "the factor of the outputs",
    ]
    assert shown_call("low_rank", "f", {"args": [encode(ADAPTED)]}) == "f(nn.Linear(3, 4), rank=2, alpha=3.0)"


# mapped_state


def published(n_layers=2, d=4, d_ff=6):
    def numbers(*shape):
        return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))

    state = {
        "embeddings.word_embeddings.weight": numbers(7, d),
        "embeddings.position_embeddings.weight": numbers(5, d),
        "embeddings.token_type_embeddings.weight": numbers(2, d),
        "embeddings.LayerNorm.weight": numbers(d),
        "embeddings.LayerNorm.bias": numbers(d),
    }
    shapes = {
        "attention.self.query": (d, d),
        "attention.self.key": (d, d),
        "attention.self.value": (d, d),
        "attention.output.dense": (d, d),
        "attention.output.LayerNorm": (d,),
        "intermediate.dense": (d_ff, d),
        "output.dense": (d, d_ff),
        "output.LayerNorm": (d,),
    }
    for layer in range(n_layers):
        for name, shape in shapes.items():
            state[f"encoder.layer.{layer}.{name}.weight"] = numbers(*shape) + layer
            state[f"encoder.layer.{layer}.{name}.bias"] = numbers(shape[0])
    return state


IDS = torch.tensor([[1, 2, 6]])


def test_a_mapped_state_is_run():
    state = published()
    output = told("mapped_state", map_bert, state, 2, IDS, None)
    from allyouneed.pretrained.weights import bert_config

    model = Bert(bert_config(state, 2)).eval()
    model.load_state_dict(map_bert(state))
    torch.testing.assert_close(output, model(IDS).detach())
    real = torch.tensor([[True, True, False]])
    assert not torch.equal(told("mapped_state", map_bert, state, 2, IDS, real), output)
    assert "2 layers" in shown_call(
        "mapped_state", "f", {"args": [encode(value) for value in (state, 2, IDS, None)]}
    )


@pytest.mark.parametrize(
    "wrong, error, text",
    [
        (lambda state: None, "TypeError", "nothing came back"),
        (lambda state: state, "RuntimeError", "some of the names are still the published ones"),
        (
            lambda state: {f"bert.{name}": value for name, value in map_bert(state).items()},
            "RuntimeError",
            "each name has the same word too many in front",
        ),
        (
            lambda state: map_bert(state) | {"pooler.dense.bias": torch.ones(4)},
            "RuntimeError",
            "the pooler or position_ids are still there",
        ),
        (
            lambda state: map_bert(state) | {"norm.wait": torch.ones(4)},
            "RuntimeError",
            "'norm.wait' is there, which the model does not know (1 in all)",
        ),
        (
            lambda state: {
                name: value for name, value in map_bert(state).items() if "q_proj.bias" not in name
            },
            "RuntimeError",
            "biases are missing",
        ),
        (
            lambda state: {name: value for name, value in map_bert(state).items() if "layers.1" not in name},
            "RuntimeError",
            "whole layers are missing",
        ),
        (
            lambda state: {
                name: value for name, value in map_bert(state).items() if name != "segments.weight"
            },
            "RuntimeError",
            "a part of the encoder is missing",
        ),
        (
            lambda state: {name: value * 2 for name, value in map_bert(state).items()},
            "ValueError",
            "the numbers themselves are changed",
        ),
        (
            lambda state: {name: value.double() for name, value in map_bert(state).items()},
            "ValueError",
            "or their dtype",
        ),
        (
            lambda state: map_bert(state) | {"embedding.weight": map_bert(state)["embedding.weight"].T},
            "ValueError",
            "with its axes exchanged",
        ),
        (lambda state: map_bert(state) | {"norm.weight": 1.0}, "TypeError", "a value is not a tensor"),
        (
            lambda state: map_bert(state) | {"norm.weight": torch.ones(2)},
            "ValueError",
            "'norm.weight' has the shape (2,), but (4,) is expected",
        ),
    ],
)
def test_states_that_do_not_fit_are_told(wrong, error, text):
    answer = put("mapped_state", wrong, published(), 2, IDS, None)
    assert answer["error"] == error and text in answer["text"]


def test_a_state_that_is_changed_is_told():
    assert len(BERT_NAMES) == 13
    assert put(
        "mapped_state",
        lambda state: map_bert({name: state.pop(name) for name in list(state)}),
        published(),
        2,
        IDS,
        None,
    )["changed"] == [0]
