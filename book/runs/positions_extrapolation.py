"""Six ways to tell a small character model where a letter stands: trained on 64 characters, tested on up to
256.

    python book/runs/positions_extrapolation.py

writes positions_extrapolation.json beside this file: for every kind and seed the validation loss at each of
256 places, in nats a character, and the relative bias that was learned. Needs about 25 minutes on one core;
the same seeds give the same curves up to rounding. A run that is already in the file is not repeated, so the
script may be stopped and started again. Chapter 5 draws them.
"""

import argparse
import json
import math
import platform
import time
from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_shakespeare
from allyouneed.models.common import initialize
from allyouneed.nn.attention import Causal, fused_attention
from allyouneed.nn.layers import Block, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.position_bias import ALiBi, BiasedAttention, RelativeBias
from allyouneed.nn.positions import LearnedPositions, Rotary, RotaryAttention, SinusoidalPositions
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import TextBatches, TrainingConfig, adamw, generator_for, train

KINDS = ("none", "sinusoidal", "learned", "relative bias", "ALiBi", "rotary")
TRAINED, TESTED = 64, 256  # characters in a window


class Reader(nn.Module):
    """A causal Transformer whose positions are of one `kind` and whose other parts are the same
    for all kinds."""

    def __init__(self, kind, vocab_size, d_model=64, n_heads=8, n_layers=2, generator=None):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Identity()
        if kind == "sinusoidal":
            self.positions = SinusoidalPositions(d_model)
        if kind == "learned":
            self.positions = LearnedPositions(TESTED, d_model)
        self.layers = nn.ModuleList()
        for _ in range(n_layers):
            attend = fused_attention
            if kind == "relative bias":
                # from 59 on all distances share one number, which training has seen
                attend = BiasedAttention(RelativeBias(n_heads, max_distance=TRAINED, bidirectional=False))
            if kind == "ALiBi":
                attend = BiasedAttention(ALiBi(n_heads))
            attend = Causal(attend)
            if kind == "rotary":
                attend = RotaryAttention(Rotary(d_model // n_heads), attend)
            self.layers.append(
                Block(
                    MultiHeadAttention(d_model, n_heads, attend=attend),
                    FeedForward(d_model, 4 * d_model, F.gelu),
                    LayerNorm(d_model),
                )
            )
        self.norm, self.head = LayerNorm(d_model), nn.Linear(d_model, vocab_size, bias=False)
        initialize(self, generator, n_residual=2 * n_layers)

    def forward(self, ids):
        # (B, T, D)
        x = self.positions(math.sqrt(self.embedding.embedding_dim) * self.embedding(ids))
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))  # (B, T, V)


def loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


@torch.no_grad()
def loss_at_each_place(model, ids, n_windows=512):
    """The mean loss at each of the 256 places, over the same windows of the validation text for every
    model."""
    starts = torch.linspace(0, len(ids) - TESTED - 1, n_windows).long()
    total = torch.zeros(TESTED)
    for chunk in starts.split(64):
        window = ids[chunk[:, None] + torch.arange(TESTED + 1)]
        logits = model(window[:, :-1]).transpose(1, 2)  # (B, V, T)
        total += F.cross_entropy(logits, window[:, 1:], reduction="none").sum(0)
    return total / n_windows


def run(kind, seed, train_ids, valid_ids, n_steps):
    model = Reader(kind, int(max(train_ids.max(), valid_ids.max())) + 1, generator=generator_for(seed))
    history = train(
        model,
        loss,
        TextBatches(train_ids, batch_size=16, length=TRAINED, seed=seed),
        adamw(model, 3e-3),
        TrainingConfig(n_steps, warmup_steps=100, seed=seed),
        progress=False,
    )
    model.eval()
    found = {"kind": kind, "seed": seed, "train": history.train[-1][1]}
    found["loss"] = [round(value, 4) for value in loss_at_each_place(model, valid_ids).tolist()]
    if kind == "relative bias":  # what it learned: (layers, heads, TESTED), by distance
        biases = torch.stack(
            [layer.attention.attend.bias(1, TESTED)[:, 0].flip(-1) for layer in model.layers]
        )
        found["bias"] = [[[round(value, 3) for value in head] for head in layer] for layer in biases.tolist()]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kinds", nargs="+", default=KINDS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=2500)
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    text = load_shakespeare()
    results = json.loads(options.json.read_text())["runs"] if options.json.exists() else []
    done = {(run["kind"], run["seed"]) for run in results}
    made = {
        "command": "python book/runs/positions_extrapolation.py",
        "torch": torch.__version__,
        "machine": platform.machine(),
    }
    sizes = {"trained": TRAINED, "tested": TESTED, "steps": options.steps, "batch": 16}
    tokenizer = CharTokenizer.train("".join(text))
    train_ids, valid_ids = (torch.tensor(tokenizer.encode(part)) for part in (text.train, text.valid))
    for seed, kind in product(options.seeds, options.kinds):
        if (kind, seed) in done:
            continue
        started = time.process_time()
        results.append(run(kind, seed, train_ids, valid_ids, options.steps))
        options.json.write_text(json.dumps({**made, **sizes, "runs": results}) + "\n")
        places = torch.tensor(results[-1]["loss"])
        parts = [places[a:b].mean().item() for a, b in ((32, 64), (64, 128), (128, 256))]
        print(
            f"{kind:14} seed {seed}",
            *(f"{part:.3f}" for part in parts),
            f"{time.process_time() - started:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
