"""A small real run as its own process, by test_training_runs.py, alone or by torchrun: `FOLDER [KILL]`.

KILL `step:17` stops the process by SIGKILL before that update, `save:2` in the middle of writing that
checkpoint.
"""

import os
import signal
import sys

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed import training


class Net(nn.Module):
    """Embedding, two layers with a norm and, when training, dropout."""

    def __init__(self, dropout):
        super().__init__()
        self.embedding = nn.Embedding(17, 16)
        self.inner = nn.Sequential(
            nn.Linear(16, 32), nn.GELU(), nn.Dropout(dropout), nn.Linear(32, 16), nn.LayerNorm(16)
        )
        self.head = nn.Linear(16, 17)

    def forward(self, ids):
        return self.head(self.inner(self.embedding(ids)))


def cross_entropy(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def kill():
    os.kill(os.getpid(), signal.SIGKILL)


def main(folder, kill_at=""):
    torch.set_num_threads(1)
    kind, _, number = kill_at.partition(":")
    # Two processes draw other dropout masks, and Muon and Adam blow up rounding: one and two are compared
    # without.
    compares = "WORLD_SIZE" in os.environ
    dropout = 0.0 if compares else 0.2
    ids = torch.randint(17, (500,), generator=torch.Generator().manual_seed(5)).cumsum(0) % 17
    windows = training.TextBatches(ids, batch_size=8, length=12, seed=3)

    def batches(step, rank, n_processes):
        if kind == "step" and step == int(number):
            kill()
        return windows(step, rank, n_processes)

    saves, save = [], torch.save

    def broken_save(state, file):
        saves.append(1)
        if kind == "save" and len(saves) == int(number):
            file.write(b"half a checkpoint")
            file.flush()
            kill()
        save(state, file)

    torch.save = broken_save
    config = training.TrainingConfig(
        n_steps=24, warmup_steps=3, save_every=5, evaluate_every=7, log_every=4, seed=1
    )
    with training.joined_processes("cpu") as process:
        torch.manual_seed(0)
        model = Net(dropout)
        optimizers = [torch.optim.SGD(model.parameters(), lr=0.5)] if compares else training.muon(model)
        history = training.train(
            model, cross_entropy, batches, optimizers, config, folder=folder, process=process, progress=False,
            evaluate=lambda net: cross_entropy(net, (ids[None, :-1], ids[None, 1:])),
        )  # fmt: skip
        if process.is_first:
            save(
                {"model": model.state_dict(), "train": history.train, "valid": history.valid},
                f"{folder}/result.pt",
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
