"""Associative recall of pairs of a name and a number: the task, a model of one layer, and its training.

Chapter 10 trains them while its pages are made: forms of attention in one section, latents in the next.
"""

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.training import generator_for

N_NAMES, N_NUMBERS = 128, 16


def make_pairs(n, n_pairs, generator):
    """Names, numbers (n, n_pairs + 1), the last a question; answers, asked pairs (n,)."""
    names = torch.rand(n, N_NAMES, generator=generator).argsort(-1)[:, :n_pairs]  # all distinct
    numbers = torch.randint(N_NUMBERS, (n, n_pairs), generator=generator)
    asked = torch.randint(n_pairs, (n, 1), generator=generator)
    names = torch.cat((names, names.gather(1, asked)), dim=1)
    answers = numbers.gather(1, asked)[:, 0]
    return names, F.pad(numbers, (0, 1), value=N_NUMBERS), answers, asked[:, 0]


class Recaller(nn.Module):
    """Pairs to an answer, by one layer of attention of some form."""

    def __init__(self, attend, d_model=64, d_k=32):
        super().__init__()
        self.names, self.numbers = (nn.Embedding(N_NAMES, d_model), nn.Embedding(N_NUMBERS + 1, d_model))
        self.q_proj, self.k_proj = nn.Linear(d_model, d_k), nn.Linear(d_model, d_k)
        self.v_proj, self.head = nn.Linear(d_model, d_model), nn.Linear(d_model, N_NUMBERS)
        self.attend = attend

    def forward(self, names, numbers):
        x = self.names(names) + self.numbers(numbers)  # (B, P + 1, D)
        mixed = self.attend(self.q_proj(x), self.k_proj(x), self.v_proj(x))
        return self.head(mixed[:, -1])  # (B, 16)


def learn_pairs(attend, n_pairs, n_steps=300, rate=2e-2, kind=Recaller, seed=0, **sizes):
    """Train on pairs. Return which of 2,000 new questions are right, and which pair each asked for, (n,)."""
    torch.manual_seed(seed)
    model = kind(attend, **sizes)
    optimizer = torch.optim.Adam(model.parameters(), rate, fused=True)
    for step_ in range(n_steps):
        names, numbers, answers, _ = make_pairs(64, n_pairs, generator_for(10 + 100 * seed, step_))
        F.cross_entropy(model(names, numbers), answers).backward()
        optimizer.step()
        optimizer.zero_grad()
        optimizer.param_groups[0]["lr"] = rate * (1 - step_ / n_steps)
    with torch.no_grad():
        names, numbers, answers, asked = make_pairs(2000, n_pairs, generator_for(11))
        return (model(names, numbers).argmax(-1) == answers).float(), asked
