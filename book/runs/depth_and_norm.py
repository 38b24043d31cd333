"""Twelve layers with and without residual connections and normalisation, the norm before or after, with and without warm-up.

    python book/runs/depth_and_norm.py

writes depth_and_norm.json beside this file: for every arrangement, number of layers, learning rate, warm-up and seed the training
loss, the mean of each ten updates, in nats a character of Shakespeare (null where it was no longer a number). Needs about twelve
minutes on one core. Chapter 6 draws it.
"""

import argparse
import json
import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_shakespeare
from allyouneed.layers import FeedForward, LayerNorm
from allyouneed.multihead import MultiHeadAttention
from allyouneed.positions import SinusoidalPositions
from allyouneed.tokenizers import CharTokenizer
from allyouneed.training import TextBatches, TrainingConfig, adamw, generator_for, train

ARRANGEMENTS = ("neither", "norm only", "residual only", "post-norm", "pre-norm")
RATES, WARMUPS = (1e-3, 3e-3), (0, 80)
DEPTHS = (2, 4, 6, 8, 10)  # and 12, for the norm before and after


class Layer(nn.Module):
    """Self-attention and feed-forward, each joined to the stream as `arrangement` says."""

    def __init__(self, arrangement, d_model, n_heads):
        super().__init__()
        self.arrangement = arrangement
        self.attention, self.feed_forward = MultiHeadAttention(d_model, n_heads), FeedForward(d_model, 4 * d_model)
        self.norms = nn.ModuleList(LayerNorm(d_model) for _ in range(2))

    def forward(self, x):
        x = self.join(x, self.norms[0], lambda y: self.attention(y, is_causal=True, need_weights=False)[0])
        return self.join(x, self.norms[1], self.feed_forward)

    def join(self, x, norm, f):
        match self.arrangement:
            case "neither": return f(x)
            case "norm only": return norm(f(x))
            case "residual only": return x + f(x)
            case "post-norm": return norm(x + f(x))
            case "pre-norm": return x + f(norm(x))


class Stack(nn.Module):
    """A causal Transformer for next characters; its matrices start as Xavier's, as in the library's `Seq2Seq`."""

    def __init__(self, arrangement, vocab_size, d_model=48, n_layers=12, n_heads=4, generator=None):
        super().__init__()
        self.embedding, self.positions = nn.Embedding(vocab_size, d_model), SinusoidalPositions(d_model)
        self.layers = nn.ModuleList(Layer(arrangement, d_model, n_heads) for _ in range(n_layers))
        self.norm = LayerNorm(d_model) if arrangement == "pre-norm" else nn.Identity()
        self.head = nn.Linear(d_model, vocab_size)
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif "embedding" in name:
                nn.init.normal_(parameter, std=d_model**-0.5, generator=generator)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter, generator=generator)

    def forward(self, ids):
        x = self.positions(math.sqrt(self.embedding.embedding_dim) * self.embedding(ids))  # (B, T, D)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))                                                     # (B, T, V)


def loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def text_ids():
    text = load_shakespeare().train
    return torch.tensor(CharTokenizer.train(text).encode(text[:1_000_000]))


def run(arrangement, n_layers, rate, warmup, seed, ids, n_steps):
    model = Stack(arrangement, int(ids.max()) + 1, n_layers=n_layers, generator=generator_for(seed))
    batches, config = TextBatches(ids, batch_size=8, length=48, seed=seed), TrainingConfig(n_steps, warmup_steps=warmup, decay="linear", seed=seed)
    try:
        losses = [value for _, value in train(model, loss, batches, adamw(model, rate), config, progress=False).train]
    except FloatingPointError:  # no longer a number
        losses = None
    return {"arrangement": arrangement, "layers": n_layers, "rate": rate, "warmup": warmup, "seed": seed, "loss": losses and [round(value, 3) for value in losses]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    ids, runs = text_ids(), []
    plan = [(arrangement, 12, rate, warmup) for arrangement in ARRANGEMENTS for rate in RATES for warmup in WARMUPS]
    plan += [(arrangement, n_layers, RATES[0], WARMUPS[1]) for arrangement in ("post-norm", "pre-norm") for n_layers in DEPTHS]
    for seed in options.seeds:
        for arrangement, n_layers, rate, warmup in plan:
            started = time.process_time()
            runs.append(run(arrangement, n_layers, rate, warmup, seed, ids, options.steps))
            last = runs[-1]["loss"] and runs[-1]["loss"][-1]
            print(f"{arrangement:14} {n_layers:2} layers, rate {rate}, warm-up {warmup:2}, seed {seed}: {last}, {time.process_time() - started:.0f} s", flush=True)
    made = {"command": "python book/runs/depth_and_norm.py", "torch": torch.__version__, "steps": options.steps}
    options.json.write_text(json.dumps({**made, "runs": runs}) + "\n")


if __name__ == "__main__":
    main()
