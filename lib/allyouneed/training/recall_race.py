"""Train a model on the recall task of one gap, measure if it remembers: one race for every architecture."""

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data.recall import make_recall

from .seeds import generator_for

_SOLVED, _WINDOW = 0.995, 10  # mean accuracy, over so many updates


def train_on_recall(model, gap: int, n_steps=200, batch_size=64, learning_rate=5e-3, seed=0) -> list[float]:
    """Train a model in place on `make_recall(..., gap)`; return accuracies on each batch, before its update.

    Arguments: `model`, ids (B, gap + 2) to logits (B, 8), such as a `Reader`; `n_steps`, updates at most;
    `batch_size`;
    `learning_rate` of Adam, with gradients longer than 1 shortened; `seed` of the examples. It stops early
    when the task is solved: accuracy 99.5 % over ten updates. Every batch is new, so accuracy on it is
    honest.
    """
    optimizer = torch.optim.Adam(model.parameters(), learning_rate, fused=True)
    accuracy = []
    for step in range(n_steps):
        ids, answers = make_recall(batch_size, gap, generator_for(seed, gap, step))
        logits = model(ids)
        accuracy.append((logits.argmax(dim=-1) == answers).float().mean().item())
        if sum(accuracy[-_WINDOW:]) >= _SOLVED * _WINDOW:
            break
        F.cross_entropy(logits, answers).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return accuracy


@torch.no_grad()
def recall_accuracy(model, gap: int, n: int = 1_000, seed: int = 1) -> float:
    """Return the share of n new sequences that a model answers rightly, a float; chance is 1/8."""
    ids, answers = make_recall(n, gap, generator_for(seed, gap))
    return (model(ids).argmax(dim=-1) == answers).float().mean().item()
