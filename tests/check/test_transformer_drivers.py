"""Layers are taken apart by what they are made of; decoding asks models that depend on all they get."""

import pytest
import torch
from torch import nn

from allyouneed.check.compare import difference
from allyouneed.check.describe import describe_failure
from allyouneed.check.drivers import ask
from allyouneed.check.drivers import decoded_ids as decoding_driver
from allyouneed.check.drivers.decoded_ids import TableModel
from allyouneed.check.wire import decode, encode
from allyouneed.nn.attention import scaled_dot_product_attention
from allyouneed.nn.layers import (
    Block,
    DecoderBlock,
    FeedForward,
    LayerNorm,
    PostNormBlock,
    PostNormDecoderBlock,
)
from allyouneed.nn.multihead import MultiHeadAttention, merge_heads, split_heads
from coursegrader.rubric.probes import Probes

NUMBERS = Probes(0, 3)
X, MEMORY = NUMBERS.randn(2, 3, 4), NUMBERS.randn(2, 5, 4)
CAUSAL, REAL = (
    torch.ones(3, 3, dtype=torch.bool).tril(),
    torch.tensor([[True] * 5, [True, False, True, False, False]])[:, None, None],
)


def layer_weights(n_norms, dtype=torch.float32):
    parts = {
        f"{part}.{name}_proj": (4, 4)
        for part in ("attention", "cross_attention")[: n_norms - 1]
        for name in "qkvo"
    }
    parts |= {"up": (6, 4), "down": (4, 6)} | {f"norm{number}": (4,) for number in range(1, n_norms + 1)}
    return {
        f"{part}.{kind}": NUMBERS.randn(*(size if kind == "weight" else size[:1]), dtype=dtype)
        for part, size in parts.items()
        for kind in ("weight", "bias")
    }


WEIGHTS = {2: layer_weights(2), 3: layer_weights(3)}


def put(layer, *inputs, norm_first=False, gradient=False, weights=None, **keywords):
    spec = {
        "arguments": (4, 2, 6, norm_first),
        "weights": weights or WEIGHTS[1 + len(inputs)],
        "gradients": ["up.weight", "norm1.weight"],
    }
    return ask(
        layer,
        "transformer_layer",
        {
            "name": "p",
            "args": [encode(spec), *map(encode, inputs)],
            "kwargs": encode(keywords),
            "gradient": gradient,
        },
    )


class OwnNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.shift, self.scale = nn.Parameter(torch.zeros(width)), nn.Parameter(torch.ones(width))

    def forward(self, x):
        variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return (x - mean) / (variance + 1e-5).sqrt() * self.scale + self.shift


class EncoderLayer(nn.Module):
    """The library's block, built as the exercise asks."""

    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        kind = Block if norm_first else PostNormBlock
        self.block = kind(
            MultiHeadAttention(d_model, n_heads), FeedForward(d_model, d_ff), LayerNorm(d_model)
        )

    def forward(self, x, mask=None):
        return self.block(x, mask)


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        kind = DecoderBlock if norm_first else PostNormDecoderBlock
        attentions = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.block = kind(*attentions, FeedForward(d_model, d_ff), LayerNorm(d_model))

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        return self.block(x, memory, target_mask, memory_mask)


class OwnEncoder(nn.Module):
    """Parts under other names, made from last to first; the attention's matrices are the layer's own."""

    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.late, self.early = OwnNorm(d_model), nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(d_model, d_model) for _ in range(4))
        self.n_heads, self.norm_first = n_heads, norm_first

    def look(self, x, mask):
        q, k, v = (
            split_heads(project(x), self.n_heads) for project in (self.q_proj, self.k_proj, self.v_proj)
        )
        return self.o_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0]))

    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self.look(self.early(x), mask)
            return x + self.mlp(self.late(x))
        x = self.early(x + self.look(x, mask))
        return self.late(x + self.mlp(x))


class OwnDecoder(nn.Module):
    """Cross-attention is the first part, the norms come as 3, 1, 2; parts are called in several ways."""

    def __init__(self, d_model, n_heads, d_ff, norm_first=False):
        super().__init__()
        self.across, self.within = MultiHeadAttention(d_model, n_heads), MultiHeadAttention(d_model, n_heads)
        self.norms = nn.ModuleDict(
            {"c": nn.LayerNorm(d_model), "a": OwnNorm(d_model), "b": nn.LayerNorm(d_model)}
        )
        self.inner, self.outer = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm_first = norm_first

    def forward(self, x, memory, target_mask=None, memory_mask=None):
        branches = {
            "a": lambda y: self.within.forward(y, y, target_mask)[0],
            "b": lambda y: self.across(y, memory, memory_mask)[0],
            "c": lambda y: self.outer(self.inner(y).clamp(min=0)),
        }
        for name, branch in branches.items():
            norm = self.norms[name].forward
            x = x + branch(norm(x)) if self.norm_first else norm(x + branch(x))
        return x


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize(
    "own, theirs, inputs, masks",
    [
        (OwnEncoder, EncoderLayer, (X,), {"mask": CAUSAL}),
        (OwnDecoder, DecoderLayer, (X, MEMORY), {"target_mask": CAUSAL, "memory_mask": REAL}),
    ],
)
def test_parts_are_found_whatever_they_are_called(own, theirs, inputs, masks, norm_first):
    for keywords in ({}, masks):
        right, answer = (
            put(layer, *inputs, norm_first=norm_first, gradient=True, **keywords) for layer in (theirs, own)
        )
        assert difference(right, answer, any_float=True) is None
        assert len(answer["gradients"]) == len(inputs) + 2 and all(answer["gradients"])


def test_each_part_gets_its_own_weights():
    outputs = [put(DecoderLayer, X, MEMORY)["output"]]
    for name, weight in WEIGHTS[3].items():
        # the same number for every key changes no weight
        if not name.endswith("k_proj.bias"):
            # turned round, since a norm takes a common shift away
            weights = WEIGHTS[3] | {name: weight.flip(-1)}
            outputs.append(put(DecoderLayer, X, MEMORY, weights=weights)["output"])
    assert all(one != other for place, one in enumerate(outputs) for other in outputs[:place])


def test_the_weights_decide_the_dtype_and_the_mode_is_asked_for():
    answer = put(EncoderLayer, X.double(), weights=layer_weights(2, torch.float64))
    assert decode(answer["output"]).dtype == torch.float64
    # two calls to find the parts, and the probe's own
    modes = []

    class Told(OwnEncoder):
        def forward(self, x, mask=None):
            modes.append(self.training)
            return super().forward(x, mask)

    for training in (True, False):
        spec = {"arguments": (4, 2, 6), "weights": WEIGHTS[2], "training": training}
        ask(Told, "transformer_layer", {"name": "p", "args": [encode(spec), encode(X)], "kwargs": encode({})})
    assert set(modes[:3]) == {True} and set(modes[3:]) == {False} and len(modes) == 6


def changed(change, base=OwnEncoder):
    class Changed(base):
        def __init__(self, d_model, n_heads, d_ff, norm_first=False):
            super().__init__(d_model, n_heads, d_ff, norm_first)
            change(self)

    return Changed


@pytest.mark.parametrize(
    "layer, error, text",
    [
        (
            changed(lambda self: setattr(self, "q_proj", None)),
            "LookupError",
            "no attentions found, one expected",
        ),
        (
            changed(lambda self: setattr(self, "more", MultiHeadAttention(4, 2))),
            "LookupError",
            "two attentions found, one expected",
        ),
        (
            changed(lambda self: setattr(self, "mlp", nn.Linear(4, 4))),
            "LookupError",
            "one Linear layer from d_model to d_ff and one back, but no and no are there",
        ),
        (
            changed(lambda self: setattr(self, "gate", nn.Linear(4, 6))),
            "LookupError",
            "but two and one are there",
        ),
        (
            changed(lambda self: setattr(self, "late", self.early)),
            "LookupError",
            "one norm found, two expected",
        ),
        (
            changed(lambda self: setattr(self, "third", nn.LayerNorm(4))),
            "LookupError",
            "three norms found, two expected",
        ),
        (
            changed(lambda self: setattr(self, "late", nn.LayerNorm(4, bias=False))),
            "LookupError",
            "lacks its weight or its bias",
        ),
        (
            changed(lambda self: setattr(self, "extra", nn.Parameter(torch.ones(1)))),
            "LookupError",
            "parameters beside those",
        ),
        (
            changed(lambda self: setattr(self, "late", nn.BatchNorm1d(4))),
            "ValueError",
            "does not bring each token to mean 0 and variance 1",
        ),
        (changed(lambda self: setattr(self, "mlp", nn.Sequential(*self.mlp, nn.Dropout(0.5)))), None, ""),
        (
            changed(
                lambda self: setattr(self, "mlp", nn.Sequential(nn.Linear(4, 6, bias=False), *self.mlp[1:]))
            ),
            "LookupError",
            "up.bias is missing",
        ),
        (lambda *sizes: 3, "TypeError", "derive the class from nn.Module"),
    ],
)
def test_a_layer_made_of_other_parts_is_told_what_is_expected(layer, error, text):
    answer = put(layer, X)
    assert answer.get("error") == error and text in answer.get("text", "")


def test_a_layer_that_draws_at_random_is_told_so():
    class Drops(OwnEncoder):
        def forward(self, x, mask=None):
            return nn.functional.dropout(super().forward(x, mask), 0.5)

    assert "two calls with the same inputs give different results" in put(Drops, X)["text"]


def test_two_attentions_are_expected_where_there_is_memory():
    assert "one attention found, two expected" in put(EncoderLayer, X, MEMORY)["text"]


def test_parts_are_found_once_for_each_way_to_construct_a_class():
    calls = []

    class Counted(OwnEncoder):
        def forward(self, x, mask=None):
            calls.append(self.norm_first)
            return super().forward(x, mask)

    for norm_first in (False, True, False, True):
        assert (
            difference(
                put(EncoderLayer, X, norm_first=norm_first),
                put(Counted, X, norm_first=norm_first),
                any_float=True,
            )
            is None
        )
    assert calls == [False] * 3 + [True] * 3 + [False, True]


def test_a_layer_that_fails_says_why_itself():
    class Fails(OwnEncoder):
        def forward(self, x, mask=None):
            raise KeyError("nothing here")

    assert put(Fails, X) == {"error": "KeyError", "text": "'nothing here'"}


def decoding(candidate, *, lengths=4, start=1, stop=2, **keywords):
    table = Probes(0, 11).randn(53, 6)
    source = torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8]])
    probe = {
        "name": "small",
        "args": [*map(encode, (table, source, start, stop, lengths))],
        "kwargs": encode(keywords),
        "group": "g",
    }
    return ask(candidate, "decoded_ids", probe), probe


def greedy(model, source, start_id, stop_id, max_len):
    ids = torch.full((len(source), 1), start_id)
    for _ in range(max_len):
        best = model(source, ids)[:, -1].argmax(-1, keepdim=True)
        ids = torch.cat((ids, best.masked_fill((ids[:, 1:] == stop_id).any(1, keepdim=True), stop_id)), dim=1)
    return ids[:, 1:]


def test_the_models_next_token_depends_on_the_whole_source_and_on_all_ids_in_order():
    table, source, ids = (
        torch.randn(997, 5, generator=torch.Generator().manual_seed(0)),
        torch.tensor([[3, 1, 4]]),
        torch.tensor([[1, 2, 0, 4]]),
    )
    model = TableModel(table, source)
    logits = model(source, ids)
    assert logits.shape == (1, 4, 5) and torch.equal(model(source, ids[:, :2]), logits[:, :2])
    assert torch.equal(model(source.repeat(3, 1), ids.repeat(3, 1))[2:], logits)
    others = [
        (torch.tensor([[1, 3, 4]]), ids),
        (torch.tensor([[3, 1, 5]]), ids),
        (source, ids[:, 1:]),
        (source, ids[:, [0, 2, 1, 3]]),
        (source, torch.cat((ids[:, :1] + 2, ids[:, 1:]), 1)),
    ]
    for item in others:
        assert not torch.equal(model(*item)[:, -1], logits[:, -1])


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda model, source, ids: model(ids, source), "its first argument is not the source"),
        (lambda model, source, ids: model(source[:, :1], ids), "its first argument is not the whole source"),
        (lambda model, source, ids: model(source, ids[:, :0]), "without any ids"),
        (lambda model, source, ids: model(source[:1], ids), "one source for several rows of ids"),
        (lambda model, source, ids: model(source, ids[:1]), "one row of ids for several sources"),
        (lambda model, source, ids: model(source, ids[:2]), "another number of sources than of rows of ids"),
        (lambda model, source, ids: model(source, ids.float()), "with ids that are no integers"),
        (lambda model, source, ids: model(source, ids.tolist()), "with ids that are no integers"),
        (lambda model, source, ids: model(source, ids + 99), "with ids outside the vocabulary"),
        (lambda model, source, ids: model(source[0], ids), "with source that are no integers of shape"),
    ],
)
def test_a_model_that_is_called_otherwise_says_so(call, text):
    answer, _ = decoding(
        lambda model, source, *others: call(model, source, torch.ones(3, 1, dtype=torch.int64))
    )
    assert (
        answer["error"] == "ValueError" and text.replace("its first", "the model's first") in answer["text"]
    )


def test_ending_early_running_on_and_lists_are_one_answer():
    def early(model, source, start_id, stop_id, max_len):
        ids = greedy(model, source, start_id, stop_id, max_len)
        return ids[:, : int((ids == stop_id).long().argmax(dim=1).max()) + 1]

    right, _ = decoding(greedy, lengths=40)
    assert (decode(right["output"])[:, -1] == 2).all()
    assert decode(decoding(early, lengths=40)[0]["output"]).shape == (3, 40)
    for other in (
        early,
        lambda *inputs: early(*inputs).int(),
        lambda *inputs: list(early(*inputs)),
        lambda *inputs: early(*inputs).tolist(),
    ):
        assert difference(right, decoding(other, lengths=40)[0], any_float=True) is None
    cut, _ = decoding(lambda *inputs: greedy(*inputs)[:, :3], lengths=40)
    assert difference(right, cut, any_float=True)


def test_the_model_may_be_a_plain_function():
    def moved(model, *others):
        model.eval()
        return greedy(model, *others)

    right, probe = decoding(greedy)
    assert decoding(moved)[0] == right
    probe["args"].append(True)
    assert ask(greedy, "decoded_ids", probe) == right
    assert ask(moved, "decoded_ids", probe) == {
        "error": "AttributeError",
        "text": "'function' object has no attribute 'eval'",
    }
    assert decoding_driver.shown_call("greedy_decode", probe).endswith(", 1, 2, 4)")


def test_random_choices_and_a_changed_source_are_noticed():
    answer, _ = decoding(lambda model, source, *others: torch.randint(9, (3, 4)))
    assert "two calls with the same inputs give different ids" in answer["text"]

    def rude(model, source, *others):
        source += 1
        return torch.zeros(3, 4, dtype=torch.int64)

    assert decoding(rude)[0]["changed"] == [1]


def test_what_is_no_table_of_ids_passes_through():
    assert decoding(lambda *inputs: None)[0] == {"output": None}
    assert decoding(lambda *inputs: "text")[0] == {"output": "text"}
    assert decoding(lambda *inputs: [])[0] == {"output": []}


def test_a_message_shows_the_model_by_its_name():
    right, probe = decoding(greedy)
    fingerprint = {"driver": "decoded_ids", "probes": [probe], "right": [[right]]}
    message = describe_failure(
        "greedy_decode",
        fingerprint,
        [{"output": encode(torch.zeros(3, 4, dtype=torch.int64))}],
        {0: "value"},
        reveal=True,
    )[1]
    assert "greedy_decode(model, [[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8]], 1, 2, 4)" in message


def test_a_layer_that_returns_several_values_is_told_so_whatever_they_are():
    class Two(EncoderLayer):
        def forward(self, x, mask=None):
            return super().forward(x, mask), x

    class Listed(EncoderLayer):
        def forward(self, x, mask=None):
            return [super().forward(x, mask)]

    for layer in (Two, Listed):
        answer = put(layer, X, gradient=True)
        assert (answer["error"], answer["text"]) == ("TypeError", "the layer returns more than one value")
