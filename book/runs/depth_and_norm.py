"""Twelve layers: where the norm stands, how the matrices start, and warm-up, each arm at its own best rate.

    python book/runs/depth_and_norm.py

writes depth_and_norm.json beside this file: for each arm, learning rate and seed the training loss as 30
means over the run, in nats a character of Shakespeare (null where it was no longer a number). Needs about
twenty-five minutes of one core. A run that is already in the file is not repeated, so the script may be
stopped and started again. Chapter 6 draws it.
All stacks: 12 layers, width 48, 4 heads, 8 windows of 32 characters an update, AdamW (weight decay 0.1,
gradients shortened to 1), the rate falling linearly to zero after the warm-up. Each arm is tried with seed 0
at the two rates in the middle of RATES, and on in the better direction until the loss rises. The best rate is
run with seeds 1 and 2 as well; where one of them fails, so is the next lower.
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
from allyouneed.nn.attention import Causal
from allyouneed.nn.layers import FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import SinusoidalPositions
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import TextBatches, TrainingConfig, adamw, generator_for, train

ARRANGEMENTS = ("neither", "norm only", "residual only", "post-norm", "pre-norm")
STARTS = ("Xavier", "scaled Xavier", "N(0, 0.02²)")
SEEDS = (0, 1, 2)
RATES = (3e-4, 1e-3, 3e-3, 1e-2)
N_LAYERS, D_MODEL, BATCH, CONTEXT = 12, 48, 8, 32
N_STEPS, WARMUP = 300, 75
LONGER = 5  # times as many updates, and as long a warm-up
ARMS = (  # arrangement, start, updates in which the rate rises, updates
    *((arrangement, start, 0, N_STEPS) for start in STARTS for arrangement in ("post-norm", "pre-norm")),
    ("post-norm", "Xavier", WARMUP, N_STEPS),
    ("post-norm", "N(0, 0.02²)", WARMUP, N_STEPS),
    ("residual only", "N(0, 0.02²)", 0, N_STEPS),
    ("post-norm", "Xavier", LONGER * WARMUP, LONGER * N_STEPS),
    ("post-norm", "Xavier", 0, LONGER * N_STEPS),
)


class Layer(nn.Module):
    """Self-attention and feed-forward, each joined to the stream as `arrangement` says."""

    def __init__(self, arrangement, d_model, n_heads):
        super().__init__()
        self.arrangement = arrangement
        self.attention, self.feed_forward = (
            MultiHeadAttention(d_model, n_heads, attend=Causal()),
            FeedForward(d_model, 4 * d_model),
        )
        self.norms = nn.ModuleList(LayerNorm(d_model) for _ in range(2))

    def forward(self, x):
        x = self.join(x, self.norms[0], lambda y: self.attention(y)[0])
        return self.join(x, self.norms[1], self.feed_forward)

    def join(self, x, norm, f):
        match self.arrangement:
            case "neither":
                return f(x)
            case "norm only":
                return norm(f(x))
            case "residual only":
                return x + f(x)
            case "post-norm":
                return norm(x + f(x))
            case "pre-norm":
                return x + f(norm(x))


def draw(name, matrix, start, n_layers, generator):
    """Fill a matrix of the layers or the head as `start` says."""
    in_branch = name.split(".")[-2] in ("v_proj", "o_proj", "up_proj", "down_proj")
    if start == "N(0, 0.02²)":  # GPT-2's and BERT's
        nn.init.normal_(matrix, std=0.02, generator=generator)
    else:  # the library's `Seq2Seq`; scaled as in DeepNorm
        gain = (8 * n_layers) ** -0.25 if start == "scaled Xavier" and in_branch else 1.0
        nn.init.xavier_uniform_(matrix, gain=gain, generator=generator)


class Stack(nn.Module):
    """A causal Transformer for next characters. Biases start at zero, embeddings as N(0, 1/d), the other
    matrices as `start` says."""

    def __init__(
        self,
        arrangement,
        vocab_size,
        start="Xavier",
        d_model=D_MODEL,
        n_layers=N_LAYERS,
        n_heads=4,
        generator=None,
    ):
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
                draw(name, parameter, start, n_layers, generator)

    def forward(self, ids):
        x = self.positions(math.sqrt(self.embedding.embedding_dim) * self.embedding(ids))  # (B, T, D)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))  # (B, T, V)


def loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def text_ids():
    text = load_shakespeare().train
    return torch.tensor(CharTokenizer.train(text).encode(text[:1_000_000]))


def run(arrangement, start, warmup, n_steps, rate, seed, ids):
    model = Stack(arrangement, int(ids.max()) + 1, start, generator=generator_for(seed))
    batches = TextBatches(ids, batch_size=BATCH, length=CONTEXT, seed=seed)
    config = TrainingConfig(n_steps, warmup_steps=warmup, decay="linear", seed=seed, log_every=n_steps // 30)
    try:
        losses = [
            value
            for _, value in train(model, loss, batches, adamw(model, rate), config, progress=False).train
        ]
    except FloatingPointError:  # no longer a number
        losses = None
    return losses and [round(value, 3) for value in losses]


def final(losses):
    """What counts at the end: the mean loss over the last sixth of the run."""
    return sum(losses[-5:]) / 5 if losses else math.inf


def before_training(arrangement, start, ids):
    """What a stack does to 8 pieces of text before any training, at the depths 0 to N_LAYERS: mean length of
    the vectors, length of the loss's gradient, mean cosine of two positions of a text; and for each layer the
    length of the gradient of its matrices."""
    inputs, targets = TextBatches(ids, 8, 48)(0)
    stack = Stack(arrangement, int(ids.max()) + 1, start, generator=torch.Generator().manual_seed(0))
    streams = [stack.positions(math.sqrt(D_MODEL) * stack.embedding(inputs))]
    for layer in stack.layers:
        streams.append(layer(streams[-1]))
    for x in streams:
        x.retain_grad()
    F.cross_entropy(stack.head(stack.norm(streams[-1])).flatten(0, 1), targets.flatten()).backward()
    lengths = [x.detach().norm(dim=-1).mean().item() for x in streams]
    unit = [F.normalize(x.detach(), dim=-1) for x in streams]  # (8, T, D)
    n = inputs.shape[1]
    return {
        "length": lengths,
        "gradient": [x.grad.norm().item() for x in streams],
        "cosine": [
            ((u @ u.mT).sum((-1, -2)) - n).mean().item() / (n * (n - 1)) if length > 1e-10 else math.nan
            for u, length in zip(unit, lengths)
        ],
        "weights": [
            math.sqrt(sum(p.grad.square().sum().item() for p in layer.parameters() if p.dim() > 1))
            for layer in stack.layers
        ],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    ids = text_ids()
    done = json.loads(options.json.read_text())["runs"] if options.json.exists() else []
    made = {
        "command": "python book/runs/depth_and_norm.py",
        "torch": torch.__version__,
        "layers": N_LAYERS,
        "width": D_MODEL,
        "batch": BATCH,
        "context": CONTEXT,
    }

    def measure(arm, rate, seed):
        """The stored run, or a new one, which is stored at once."""
        key = dict(zip(("arrangement", "start", "warmup", "steps"), arm)) | {"rate": rate, "seed": seed}
        found = next((entry for entry in done if key.items() <= entry.items()), None)
        if found is None:
            started = time.process_time()
            found = key | {"loss": run(*arm, rate, seed, ids)}
            done.append(found)
            lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in done)
            options.json.write_text(f'{json.dumps(made)[:-1]}, "runs": [\n{lines}\n]}}\n')
            print(
                *key.values(),
                f"{final(found['loss']):.3f}",
                f"{time.process_time() - started:.0f} s",
                flush=True,
            )
        return final(found["loss"])

    def tuned(arm):
        """The best rate with seed 0: of the two in the middle the better one, then on in that direction while
        it helps."""
        best, step = (2, 1) if measure(arm, RATES[2], 0) < measure(arm, RATES[1], 0) else (1, -1)
        while 0 <= best + step < len(RATES) and measure(arm, RATES[best + step], 0) < measure(
            arm, RATES[best], 0
        ):
            best += step
        return best

    def conclude(arm):
        """All seeds at the best rate; where one of them fails, so that a lower rate may be better, at that
        one too."""
        best = tuned(arm)
        while (
            max(measure(arm, RATES[best], seed) for seed in SEEDS) > measure(arm, RATES[best], 0) + 0.2
            and best
        ):
            best -= 1

    for arm in ARMS:
        conclude(arm)
    for seed in SEEDS:  # without a warm-up, at the best rate of the arm with one
        measure(("post-norm", "Xavier", 0, LONGER * N_STEPS), 1e-3, seed)


if __name__ == "__main__":
    main()
