"""Scores of attention heads, and switching heads off."""

import pytest
import torch

from allyouneed.models.bert import Bert, BertConfig
from allyouneed.models.llama import Llama, LlamaConfig
from allyouneed.nn.head_scores import head_means, heads_off, induction_score, previous_token_score, weight_on


def random_maps(*shape):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(0)).softmax(-1)


def test_previous_token_score_is_the_mean_weight_one_back():
    maps = random_maps(2, 3, 4, 5, 5)  # layers, batch, heads
    by_hand = [
        [sum(maps[layer, b, h, t, t - 1] for b in range(3) for t in range(1, 5)) / 12 for h in range(4)]
        for layer in range(2)
    ]
    torch.testing.assert_close(previous_token_score(maps), torch.tensor(by_hand))


def test_a_perfect_previous_token_head_scores_one_whatever_its_first_row_does():
    # row t looks at t-1, row 0 at the last
    perfect = torch.eye(6).roll(1, dims=0)
    assert previous_token_score(perfect[None, None]).item() == 1.0
    assert previous_token_score(torch.eye(6)[None, None]).item() == 0.0


def test_induction_score_is_the_weight_on_what_came_next_last_time():
    period, length = 4, 11
    maps = random_maps(2, 3, length, length)
    by_hand = [
        sum(maps[b, h, t, t - period + 1] for b in range(2) for t in range(period, length))
        / (2 * (length - period))
        for h in range(3)
    ]
    torch.testing.assert_close(induction_score(maps, period), torch.tensor(by_hand))


def test_weight_on_counts_only_chosen_queries_and_keys():
    maps = random_maps(2, 3, 4, 5)
    keys = torch.tensor([[1, 0, 0, 1, 0], [0, 1, 0, 0, 0]]).bool()
    queries = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 1]]).bool()
    by_hand = [sum(maps[b, h, t, keys[b]].sum() for b, t in ((0, 0), (0, 1), (1, 3))) / 3 for h in range(3)]
    torch.testing.assert_close(weight_on(maps, keys, queries), torch.tensor(by_hand))
    everyone = torch.ones(2, 4, dtype=torch.bool)
    torch.testing.assert_close(weight_on(maps, keys), weight_on(maps, keys, everyone))


@pytest.mark.parametrize(
    "make",
    [
        lambda: (
            Llama(LlamaConfig(20, 8, d_model=12, n_layers=2, n_heads=6, d_ff=16, n_kv_heads=2)),
            lambda logits: logits,
        ),
        lambda: (Bert(BertConfig(20, 8, d_model=12, n_layers=2, n_heads=3)).eval(), lambda vectors: vectors),
    ],
)
def test_a_head_that_is_off_adds_nothing_and_comes_back(make):
    torch.manual_seed(0)
    model, _ = make()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    ids, found = torch.tensor([[3, 1, 4, 1, 5]]), {}
    attention = model.layers[1].attention
    keep = attention.o_proj.register_forward_hook(
        lambda module, inputs, output: found.update(inputs=inputs[0], output=output)
    )
    before = model(ids)
    with heads_off(model, [(1, 0), (1, 2)]):
        without = model(ids)
        heads = found["inputs"].clone()
        heads[..., : attention.d_head] = 0.0
        heads[..., 2 * attention.d_head : 3 * attention.d_head] = 0.0
        expected = torch.nn.functional.linear(heads, attention.o_proj.weight, attention.o_proj.bias)
        torch.testing.assert_close(found["output"], expected)
    assert not torch.allclose(without, before)
    assert torch.equal(model(ids), before)
    keep.remove()


def test_a_head_at_its_mean_adds_the_same_to_every_token():
    torch.manual_seed(0)
    model = Llama(LlamaConfig(20, 8, d_model=12, n_layers=2, n_heads=3, d_ff=16))
    ids, found = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]]), []
    keep = model.layers[1].attention.o_proj.register_forward_hook(
        lambda module, inputs, output: found.append(inputs[0])
    )
    model(ids)
    by_hand = found[0].view(2, 5, 3, 4).mean((0, 1))  # (H, K)
    means = head_means(model, ids)
    torch.testing.assert_close(means[1], by_hand)
    with heads_off(model, [(1, 2)], instead=means):
        model(ids)
    keep.remove()
    expected = found[0].view(2, 5, 3, 4).clone()
    expected[:, :, 2] = by_hand[2]
    torch.testing.assert_close(found[-1].view(2, 5, 3, 4), expected)


def test_heads_come_back_after_an_error():
    model, ids = Llama(LlamaConfig(9, 8, d_model=4, n_layers=1, n_heads=2, d_ff=8)), torch.tensor([[1, 2]])
    before = model(ids)
    with pytest.raises(RuntimeError), heads_off(model, [(0, 0)]):
        raise RuntimeError
    assert torch.equal(model(ids), before)


def test_errors_say_what_is_wrong():
    model = Llama(LlamaConfig(9, 8, d_model=4, n_layers=1, n_heads=2, d_ff=8))
    with pytest.raises(ValueError, match="no head 2 in layer 0"), heads_off(model, [(0, 2)]):
        pass
    with pytest.raises(ValueError, match="at least 2"):
        previous_token_score(torch.ones(1, 1, 1, 1))
    with pytest.raises(ValueError, match="at least 5"):
        induction_score(torch.ones(1, 1, 4, 4), period=4)
    with pytest.raises(ValueError, match="period must be at least 2"):
        induction_score(torch.ones(1, 1, 4, 4), period=1)
    with pytest.raises(ValueError, match="no query"):
        weight_on(torch.ones(1, 1, 2, 2), torch.ones(1, 2).bool(), torch.zeros(1, 2).bool())
