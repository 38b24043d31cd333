"""The driver that makes models and layers of a probe's numbers, and hands over lists of dicts."""

import pytest
import torch

from allyouneed.check.drivers import ask, shown_call
from allyouneed.check.wire import decode, encode
from allyouneed.nn.multihead import MultiHeadAttention


def probe(*arguments, **marks):
    return {"name": "p", "args": [encode(value) for value in arguments], "kwargs": encode({}), **marks}


def put(candidate, *arguments, **marks):
    return ask(candidate, "made_arguments", probe(*arguments, **marks))


def test_an_attention_is_the_librarys_with_the_weights_of_the_probe():
    layer = MultiHeadAttention(4, 2)
    x, memory = torch.randn(1, 3, 4), torch.randn(1, 5, 4)
    made = {"made": "attention", "n_heads": 2, "weights": dict(layer.state_dict())}
    answer = put(lambda attention, x, memory: attention(x, memory)[0], made, x, memory, gradient=True)
    assert torch.allclose(decode(answer["output"]), layer(x, memory)[0], atol=1e-6)
    assert len(answer["gradients"]) == 2 and None not in answer["gradients"] and "changed" not in answer


def test_a_classifier_reads_whole_images_alone():
    made = {"made": "classifier", "shape": [1, 2, 2], "first": torch.ones(4, 3), "second": torch.ones(3, 2)}
    images = torch.full((2, 1, 2, 2), 0.1)
    answer = put(lambda model, images: model(images), made, images)
    assert torch.allclose(decode(answer["output"]), 3 * torch.tensor(0.4).tanh().expand(2, 2))
    answer = put(lambda model, images: model(images[..., :1]), made, images)
    assert answer["error"] == "ValueError" and "whole images" in answer["text"]


def test_a_head_is_not_linear_so_that_the_order_of_steps_shows():
    made = {"made": "head", "first": torch.eye(2), "second": torch.ones(2, 1)}
    x = torch.tensor([[1.0, 2.0], [3.0, -2.0]])
    first, last = (
        decode(put(candidate, made, x)["output"])
        for candidate in (lambda head, x: head(x.mean(0)), lambda head, x: head(x).mean(0))
    )
    assert not torch.allclose(first, last)


@pytest.mark.parametrize("ids", [[1, 2], torch.tensor([1, 2])])
def test_ids_may_be_a_list_or_a_tensor(ids):
    made = {"made": "writer", "table": torch.randn(7, 3), "source": torch.tensor([[1, 2]])}
    assert put(lambda model: ids, made, ids=True)["output"] == [1, 2]
    assert put(lambda model: list(model(torch.tensor([[1, 2]]), torch.tensor([[0]])).shape), made)[
        "output"
    ] == [1, 1, 3]


def test_a_reader_depends_on_all_tokens_up_to_there_and_on_no_later_one():
    made = {"made": "reader", "table": torch.randn(89, 6), "most": 4}
    logits = [
        decode(put(lambda model, ids: model(ids).detach(), made, torch.tensor([ids]))["output"])[0]
        for ids in ([1, 2, 3, 4], [1, 2, 3, 5], [2, 1, 3, 4])
    ]
    assert torch.equal(logits[0][:3], logits[1][:3]) and not torch.equal(logits[0][3], logits[1][3])
    assert not any(torch.equal(row, other) for row, other in zip(logits[0], logits[2]))
    for ids, kind, told in (
        ([[1] * 5], "ValueError", "its window"),
        ([[]], "ValueError", "without any"),
        ([[6]], "IndexError", "vocabulary"),
        ([1], "TypeError", "(1, tokens)"),
    ):
        answer = put(lambda model, ids: model(ids), made, torch.tensor(ids, dtype=torch.int64))
        assert answer["error"] == kind and told in answer["text"]


def test_a_refusal_is_an_answer_where_it_is_asked_for():
    def refuses(states):
        raise ValueError("other names")

    states = [{"a": torch.ones(1)}]
    assert put(refuses, states, refuses=True)["output"] == "ValueError"
    assert put(lambda states: states[0], states, refuses=True)["output"] == "no ValueError"
    assert put(refuses, states)["error"] == "ValueError"


def test_changed_tensors_are_seen_in_dicts_of_a_list():
    def writes(states):
        states[1]["a"] += 1
        return 0

    def drops(states):
        states[1].pop("a")
        return 0

    states = [{"a": torch.ones(1)}, {"a": torch.zeros(2)}]
    assert put(writes, states)["changed"] == put(drops, states)["changed"] == [0]
    assert "changed" not in put(lambda states: 0, states)


def test_a_call_shows_what_was_made_by_its_name():
    made = {"made": "head", "first": torch.eye(2), "second": torch.ones(2, 1)}
    assert shown_call("made_arguments", "f", probe(made, 3)) == "f(head, 3)"
