"""From the block of 2017 to validation loss 1.90: one change at a time, each measured, and a race against
tuned baselines.

    python book/runs/quick_start.py

writes quick_start.json beside this file: for each recipe, start, learning rate, number of steps and seed the
validation loss (nats a character, over the whole validation part) and the processor seconds; and the time of
a step of each recipe, measured in turns.
Needs about an hour and a half of one core. A run that is already in the file is not repeated, so the script
may be stopped and started again.
All models: 4 layers, 4 heads, width 128, 64 characters of context, 12 windows a step, on 1.1 million
characters of Shakespeare.
"""

import argparse
import json
import platform
import time
from collections import defaultdict
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_shakespeare
from allyouneed.models.common import initialize
from allyouneed.nn import layers
from allyouneed.nn.attention import Causal
from allyouneed.nn.layers import FeedForward, LayerNorm, RMSNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import LearnedPositions, Rotary, RotaryAttention, SinusoidalPositions
from allyouneed.nn.qk_norm import QKNorm
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import Muon, TextBatches, TrainingConfig, generator_for, train

D_MODEL, N_HEADS, N_LAYERS, CONTEXT, BATCH = 128, 4, 4, 64, 12

# The ladder: each recipe is the one before it with one change. The side branch "GPT-2" is what nanoGPT
# trains.
BLOCK_2017 = {
    "positions": "sinusoidal",
    "norm_first": False,
    "norm": "layer",
    "activation": "relu",
    "qk_norm": False,
    "zero_start": False,
    "schedule": "cosine",
    "optimizer": "adamw",
}
CHANGES = {
    "2017 block": {},
    "norm first": {"norm_first": True},
    "rotary": {"positions": "rotary"},
    "RMS norm": {"norm": "rms"},
    "QK-norm": {"qk_norm": True},
    "squared ReLU": {"activation": "relu2"},
    "zero start": {"zero_start": True},
    "decay to zero": {"schedule": "linear"},
    "Muon": {"optimizer": "muon"},
    "own rates": {"optimizer": "muon, own rates"},
}
# Xavier's with embeddings N(0, 1/d), as the library's `Seq2Seq`; N(0, 0.02²), branches' ends smaller
STARTS = ("2017", "GPT-2")
RATES = (1e-3, 3e-3, 1e-2)
TRIED = {  # recipe -> start -> AdamW's rates; of own rates Muon's, where None is 0.02
    "2017 block": dict.fromkeys(STARTS, RATES),
    "norm first": dict.fromkeys(STARTS, RATES),
    "rotary": {"2017": RATES, "GPT-2": RATES[:2]},
    "a rung": {"2017": (3e-3,), "GPT-2": RATES[:2]},
    "decay to zero": {"2017": (3e-3,), "GPT-2": RATES},
    "Muon": {"2017": (1e-2,), "GPT-2": RATES[1:]},
    "own rates": dict.fromkeys(STARTS, (None,)),
    "GPT-2 block": {"GPT-2": RATES},
}
SEEDS = (0, 1, 2)
GPT_2 = BLOCK_2017 | {"positions": "learned", "norm_first": True, "activation": "gelu"}
RACE = (  # towards 1.90, with more rates than 250 steps would let stand
    ("GPT-2 block", "GPT-2", (1e-3,), (2000, 3000)),  # nanoGPT's quick start, and longer
    ("GPT-2 block", "GPT-2", (3e-3, 1e-2), (1000, 1500, 2000)),
    ("2017 block", "GPT-2", (1e-3,), (2000,)),
)


def recipes():
    """name -> settings, each rung with all changes up to it."""
    settings, ladder = dict(BLOCK_2017), {}
    for name, change in CHANGES.items():
        settings = settings | change
        ladder[name] = settings
    return ladder | {"GPT-2 block": GPT_2}


def start_as_2017(model, generator):
    """Xavier's for the matrices inside; embeddings, learned positions and head N(0, 1/d); no biases."""
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif parameter.dim() > 1 and name.startswith("layers"):
            nn.init.xavier_uniform_(parameter, generator=generator)
        elif parameter.dim() > 1:
            nn.init.normal_(parameter, std=D_MODEL**-0.5, generator=generator)


class Block(nn.Module):
    """A decoder-only model with the parts that `settings` names, its matrices drawn as `start` says;
    everything else is equal."""

    def __init__(self, vocab_size, settings, generator, start="GPT-2"):
        super().__init__()
        modern = settings["norm"] == "rms"  # no biases either
        norm = RMSNorm if modern else LayerNorm
        activation = {"relu": F.relu, "gelu": F.gelu, "relu2": lambda x: F.relu(x).square()}[
            settings["activation"]
        ]
        block = layers.Block if settings["norm_first"] else layers.PostNormBlock
        rotary = Rotary(D_MODEL // N_HEADS, max_len=CONTEXT) if settings["positions"] == "rotary" else None

        def attend():
            around = Causal()
            if rotary is not None:
                around = RotaryAttention(rotary, around)
            return QKNorm(around) if settings["qk_norm"] else around

        self.embedding = nn.Embedding(vocab_size, D_MODEL)
        self.positions = {
            "sinusoidal": partial(SinusoidalPositions, D_MODEL),
            "rotary": nn.Identity,
            "learned": partial(LearnedPositions, CONTEXT, D_MODEL),
        }[settings["positions"]]()
        # as in 2017, where waves are added
        self.scale = D_MODEL**0.5 if settings["positions"] == "sinusoidal" else 1.0
        self.layers = nn.ModuleList(
            block(
                MultiHeadAttention(D_MODEL, N_HEADS, bias=not modern, attend=attend()),
                FeedForward(D_MODEL, 4 * D_MODEL, activation, bias=not modern),
                norm(D_MODEL),
            )
            for _ in range(N_LAYERS)
        )
        self.norm = norm(D_MODEL) if settings["norm_first"] else nn.Identity()
        self.head = nn.Linear(D_MODEL, vocab_size, bias=False)
        initialize(self, generator, n_residual=2 * N_LAYERS) if start == "GPT-2" else start_as_2017(
            self, generator
        )
        # a head of its own, and every branch adds nothing at first
        if settings["zero_start"]:
            for matrix in (
                self.head,
                *(
                    part
                    for layer in self.layers
                    for part in (layer.attention.o_proj, layer.feed_forward.down_proj)
                ),
            ):
                nn.init.zeros_(matrix.weight)
        else:
            self.head.weight = self.embedding.weight

    def forward(self, ids):
        x = self.positions(self.scale * self.embedding(ids))  # (B, T, D)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))  # (B, T, V)


def optimizers_for(model, settings, rate):
    """AdamW for everything as nanoGPT has it, or Muon for the matrices inside and Adam for the rest."""
    if settings["optimizer"] == "adamw":
        matrices, vectors = (
            [p for p in model.parameters() if (p.dim() > 1) == wide] for wide in (True, False)
        )
        groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
        return [torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.99), fused=True)]
    inner = [p for name, p in model.named_parameters() if name.startswith("layers") and p.dim() == 2]
    rest = [p for name, p in model.named_parameters() if name.startswith(("layers", "norm")) and p.dim() == 1]
    embedding, head, momentum = (
        (0.05, 0.005, 0.9) if "own rates" in settings["optimizer"] else (rate, rate, 0.95)
    )
    groups = [
        {"params": [model.embedding.weight], "lr": embedding},
        {"params": [model.head.weight], "lr": head},
        {"params": rest, "lr": head},
    ]
    muon_rate = rate or 0.02 if "own rates" in settings["optimizer"] else 0.02
    return [
        Muon(inner, lr=muon_rate, momentum=momentum, weight_decay=0.0),
        torch.optim.AdamW(groups, betas=(0.9, 0.95), weight_decay=0.0, fused=True),
    ]


def schedule(settings, n_steps, seed):
    # nanoGPT's: 5 % warm-up, down to a tenth, gradients shortened
    if settings["schedule"] == "cosine":
        return TrainingConfig(
            n_steps, warmup_steps=n_steps // 20, final_share=0.1, seed=seed, log_every=n_steps
        )
    return TrainingConfig(
        n_steps,
        warmup_steps=10,
        decay="linear",
        decay_share=0.7,
        max_grad_norm=None,
        seed=seed,
        log_every=n_steps,
    )


def loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


@torch.no_grad()
def validation_loss(model, windows):
    """The mean over every window of the validation part."""
    model.eval()
    total = sum(loss(model, (part[:, :-1], part[:, 1:])).item() * len(part) for part in windows.split(96))
    return total / len(windows)


def run(settings, start, rate, n_steps, seed, ids, windows, vocab_size):
    model = Block(vocab_size, settings, generator_for(seed), start)
    started = time.process_time()
    train(
        model,
        loss,
        TextBatches(ids, BATCH, CONTEXT, seed=seed),
        optimizers_for(model, settings, rate),
        schedule(settings, n_steps, seed),
        progress=False,
    )
    seconds = time.process_time() - started
    return {"loss": round(validation_loss(model, windows), 4), "cpu_seconds": round(seconds, 1)}


def step_times(ids, vocab_size, n_rounds=6, n_steps=5):
    """Milliseconds a step of each recipe: the recipes take turns, so that a busy machine slows all alike."""
    contestants = {}
    for name, settings in recipes().items():
        model = Block(vocab_size, settings, generator_for(0))
        contestants[name] = model, optimizers_for(model, settings, 1e-4), []
    batches = TextBatches(ids, BATCH, CONTEXT)
    for _ in range(n_rounds):
        for model, optimizers, times in contestants.values():
            started = time.process_time()
            for step in range(n_steps):
                loss(model, batches(step)).backward()
                for optimizer in optimizers:
                    optimizer.step()
                    optimizer.zero_grad(set_to_none=True)
            times.append((time.process_time() - started) / n_steps)
    return {name: round(1000 * median(times[1:]), 2) for name, (_, _, times) in contestants.items()}


def data():
    """The training ids (N,), the validation windows (M, 65), in which each character is guessed once, and the
    number of characters."""
    text = load_shakespeare(1_100_000)
    tokenizer = CharTokenizer.train("".join(text))
    ids, valid = (torch.tensor(tokenizer.encode(part)) for part in (text.train, text.valid))
    windows = valid[: len(valid) // CONTEXT * CONTEXT - CONTEXT + 1].unfold(0, CONTEXT + 1, CONTEXT)
    return ids, windows, len(tokenizer)


def ablation(runs, n_steps=250):
    """recipe -> its runs at the start and rate that were best with seed 0, one run a seed."""
    found = {}
    for name in recipes():
        tried = defaultdict(list)
        for entry in runs:
            if (entry["recipe"], entry["steps"]) == (name, n_steps):
                tried[entry["start"], entry["rate"]].append(entry)
        found[name] = min(tried.values(), key=lambda group: group[0]["loss"])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    ids, windows, vocab_size = data()
    made = {
        "command": "python book/runs/quick_start.py",
        "torch": torch.__version__,
        "threads": 1,
        "machine": platform.machine(),
        "vocab_size": vocab_size,
        "train_characters": len(ids),
        "valid_characters": windows[:, 1:].numel(),
        "parameters": {
            name: sum(p.numel() for p in Block(vocab_size, settings, None).parameters())
            for name, settings in recipes().items()
        },
    }
    before = json.loads(options.json.read_text()) if options.json.exists() else {}
    done = before.get("runs", [])
    made["step_milliseconds"] = before.get("step_milliseconds") or step_times(ids, vocab_size)

    def measure(name, start, rate, n_steps=250, seed=0):
        """The stored run, or a new one, which is stored at once."""
        key = {"recipe": name, "start": start, "rate": rate, "steps": n_steps, "seed": seed}
        found = next((entry for entry in done if key.items() <= entry.items()), None)
        if found is None:
            found = key | run(recipes()[name], start, rate, n_steps, seed, ids, windows, vocab_size)
            done.append(found)
            lines = ",\n".join(map(json.dumps, done))
            options.json.write_text(f'{json.dumps(made)[:-1]}, "runs": [\n{lines}\n]}}\n')
            print(
                (
                    f"{name:15} {start:5} rate {rate or 'own':<6} {n_steps:5} steps, seed {seed}: "
                    f"{found['loss']:.3f} after {found['cpu_seconds']:.0f} s"
                ),
                flush=True,
            )
        return found["loss"]

    def tuned(name, tried):
        """The best of the starts and rates tried for 250 steps with seed 0. Rates rise while that helps."""
        found = {}
        for start, rates in tried.items():
            losses = []
            for rate in rates:
                losses.append(measure(name, start, rate))
                found[losses[-1]] = start, rate
                if losses[-1] > min(losses):
                    break
        return found[min(found)]

    for name in recipes():
        start, rate = tuned(name, TRIED.get(name, TRIED["a rung"]))
        for seed in SEEDS:
            measure(name, start, rate, seed=seed)
            if name == "own rates":
                measure(name, start, rate, n_steps=500, seed=seed)
    for rate in (1e-2, 4e-2):
        measure("own rates", "GPT-2", rate)
    for name, start, rates, lengths in RACE:
        for rate, n_steps, seed in product(rates, lengths, SEEDS):
            measure(name, start, rate, n_steps, seed)


if __name__ == "__main__":
    main()
