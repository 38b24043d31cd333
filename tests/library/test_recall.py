"""The recall task, the frame that reads it, and the race on it."""

import pytest
import torch
from torch import nn

from allyouneed.data.recall import ASK, N_NOISE, N_SYMBOLS, RECALL_VOCAB_SIZE, make_recall
from allyouneed.models.reader import Reader
from allyouneed.nn.recurrent import GRU, LSTM
from allyouneed.training import recall_accuracy, train_on_recall


def reader(make=GRU, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return Reader(make(8, 16, generator=generator), RECALL_VOCAB_SIZE, 8, 16, N_SYMBOLS, generator)


def test_sequences_are_symbol_noise_question_and_the_answer_is_the_symbol():
    ids, answers = make_recall(500, gap=4, generator=torch.Generator().manual_seed(1))
    assert ids.shape == (500, 6) and torch.equal(ids[:, 0], answers) and ids[:, -1].eq(ASK).all()
    assert set(answers.tolist()) == set(range(N_SYMBOLS))
    assert set(ids[:, 1:-1].flatten().tolist()) == set(range(N_SYMBOLS, N_SYMBOLS + N_NOISE))
    assert make_recall(3, gap=0)[0].shape == (3, 2)


@pytest.mark.parametrize("n, gap", [(0, 3), (3, -1)])
def test_sizes_that_make_no_sequence_are_refused(n, gap):
    with pytest.raises(ValueError, match="n ≥ 1"):
        make_recall(n, gap)


@pytest.mark.parametrize("make", [GRU, LSTM, lambda *sizes, generator: nn.Linear(*sizes)])
def test_reader_reads_the_output_at_the_last_token(make):
    model, (ids, _) = reader(make), make_recall(3, gap=2)
    outputs = model.body(model.embedding(ids))
    outputs = outputs[0] if isinstance(outputs, tuple) else outputs
    torch.testing.assert_close(model(ids), model.head(outputs[:, -1]))


def test_a_model_that_remembers_stops_early_and_one_that_cannot_stays_at_chance():
    model = reader()
    accuracy = train_on_recall(model, gap=2, n_steps=400, learning_rate=0.01)
    assert len(accuracy) < 400 and recall_accuracy(model, gap=2) > 0.99
    blind = reader(lambda *sizes, generator: nn.Linear(*sizes))  # sees the last token only
    assert len(train_on_recall(blind, gap=2, n_steps=40)) == 40 and recall_accuracy(blind, gap=2) < 0.25


def test_the_race_is_the_same_for_the_same_seed():
    first, again = (train_on_recall(reader(), gap=3, n_steps=5, seed=4) for _ in range(2))
    assert first == again
