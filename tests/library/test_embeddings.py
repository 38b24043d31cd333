"""Embeddings against loops and torch.nn, and one training run whose answer is known."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import example, given
from hypothesis import strategies as st

from allyouneed.text import embeddings
from allyouneed.text.embeddings import (
    SkipGram,
    analogy,
    cosine_similarity,
    embed,
    nearest,
    skip_gram_loss,
    skip_gram_pairs,
    train_skip_gram,
)


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def test_embed_is_one_hot_times_matrix():
    E, ids = random(7, 3), torch.tensor([[0, 6, 2], [2, 2, 5]])
    torch.testing.assert_close(embed(ids, E), F.one_hot(ids, 7).float() @ E)
    with pytest.raises(ValueError, match="0 to 6.*7"):
        embed(torch.tensor([7]), E)
    with pytest.raises(ValueError, match="-1"):
        embed(torch.tensor([-1]), E)


def test_cosine_equals_torch_and_is_zero_for_a_zero_vector():
    a, b = random(2, 5, 3), random(4, 3, seed=1)
    torch.testing.assert_close(cosine_similarity(a, b), torch.cosine_similarity(a[..., None, :], b, dim=-1))
    assert cosine_similarity(torch.zeros(3), b).eq(0).all()


@given(st.integers(2, 12), st.sets(st.integers(0, 11), max_size=6), st.integers(0, 999), st.floats(0.01, 100))
@example(2, set(), 0, 1.0)
@example(2, {0}, 0, 0.01)
@example(12, set(range(11)), 999, 100.0)
def test_nearest_equals_sorting_by_cosine(n_rows, exclude, seed, length):
    E, v = random(n_rows, 5, seed=seed) * (1 + torch.arange(n_rows))[:, None], random(5, seed=seed + 1)
    exclude = {row for row in exclude if row < n_rows}
    rest = [row for row in range(n_rows) if row not in exclude]
    if not rest:
        return
    cosines = torch.cosine_similarity(v, E)
    found = nearest(length * v, E, len(rest), iter(exclude))
    assert sorted(found) == rest  # rows that are equally near may come in any order
    torch.testing.assert_close(cosines[found], cosines[rest].sort(descending=True).values)
    torch.testing.assert_close(cosines[nearest(v, E, 1, exclude)], cosines[rest].max()[None])


def test_analogy_sums_raw_vectors_and_leaves_out_its_inputs():
    words, E = list("abcdefgh"), random(8, 4, seed=3)
    target = E[1] - E[4] + E[6]
    order = sorted(range(8), key=lambda row: -torch.cosine_similarity(target, E[row], dim=0).item())
    assert (
        analogy("b", "e", "g", E, words, k=3) == [words[row] for row in order if words[row] not in "beg"][:3]
    )


@given(st.lists(st.integers(0, 5), max_size=9), st.integers(1, 10))
@example([], 1)
@example([3], 1)
@example([1] * 9, 10)
def test_pairs_equal_loop(ids, window):
    expected = sorted(
        (ids[t], ids[s]) for t in range(len(ids)) for s in range(len(ids)) if 0 < abs(t - s) <= window
    )
    centers, contexts = skip_gram_pairs(torch.tensor(ids, dtype=torch.int64), window)
    assert sorted(zip(centers.tolist(), contexts.tolist())) == expected


def test_loss_equals_torchs_binary_cross_entropy():
    center, context, negatives = random(3, 4), random(3, 4, seed=1), random(3, 5, 4, seed=2)
    scores = torch.cat((context[:, None], negatives), dim=1) @ center[:, :, None]
    labels = torch.zeros(3, 6, 1)
    labels[:, 0] = 1
    expected = F.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / 3
    torch.testing.assert_close(skip_gram_loss(center, context, negatives), expected)
    huge = skip_gram_loss(1e3 * center, 1e3 * context, 1e3 * negatives)
    assert math.isfinite(huge)


def test_model_looks_up_both_tables():
    model = SkipGram(9, 4, torch.Generator().manual_seed(0))
    with torch.no_grad():
        model.context.copy_(random(9, 4))
    centers, contexts, negatives = (
        torch.tensor([1, 8]),
        torch.tensor([2, 3]),
        torch.tensor([[4, 5, 6], [7, 0, 4]]),
    )
    expected = skip_gram_loss(model.center[centers], model.context[contexts], model.context[negatives])
    torch.testing.assert_close(model(centers, contexts, negatives), expected)
    assert model.center.abs().max() <= 1 / 8


def test_words_used_alike_end_up_near_each_other():
    generator = torch.Generator().manual_seed(0)
    # sentences "animal verb": cat, dog (0, 1) stand with 4, 5; car, bus (2, 3) with 6, 7
    kinds = torch.randint(2, (3000,), generator=generator)
    nouns = 2 * kinds + torch.randint(2, (3000,), generator=generator)
    verbs = 4 + 2 * kinds + torch.randint(2, (3000,), generator=generator)
    gaps = torch.full_like(kinds, 8)
    E, losses = train_skip_gram(
        torch.stack((nouns, verbs, gaps), 1).flatten(),
        9,
        d_model=4,
        window=1,
        n_steps=200,
        generator=generator,
    )
    assert losses[-1] < 0.8 * losses[0]
    assert [nearest(E[row], E[:4], 1, exclude=[row]) for row in range(4)] == [[1], [0], [3], [2]]
    again, _ = train_skip_gram(nouns, 9, d_model=4, n_steps=2, generator=torch.Generator().manual_seed(5))
    assert torch.equal(
        again, train_skip_gram(nouns, 9, d_model=4, n_steps=2, generator=torch.Generator().manual_seed(5))[0]
    )


def test_negatives_are_drawn_by_count_to_the_power_three_quarters(monkeypatch):
    drawn = []

    class Recorder(SkipGram):
        def forward(self, centers, contexts, negatives):
            drawn.append(negatives)
            return super().forward(centers, contexts, negatives)

    monkeypatch.setattr(embeddings, "SkipGram", Recorder)
    train_skip_gram(
        torch.tensor([1] + 16 * [2]), 4, d_model=2, n_steps=10, generator=torch.Generator().manual_seed(0)
    )
    counts = torch.bincount(torch.cat(drawn).flatten(), minlength=4)
    assert counts.sum() == 10 * 512 * 5 and counts[[0, 3]].sum() == 0
    assert (counts[2] / counts[1]).item() == pytest.approx(16**0.75, rel=0.1)  # 8, not 16


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: nearest(torch.ones(2), torch.eye(2), 2, exclude=[0]), "1 rows that are not excluded"),
        (lambda: nearest(torch.ones(2), torch.eye(2), 0), "k must be"),
        (lambda: analogy("a", "b", "x", torch.eye(3), ["a", "b", "c"]), "'x'"),
        (lambda: skip_gram_pairs(torch.arange(3), 0), "window"),
        (lambda: train_skip_gram(torch.tensor([1]), 3), "two words"),
        (lambda: SkipGram(0, 4), "vocab_size"),
    ],
)
def test_what_cannot_work_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
