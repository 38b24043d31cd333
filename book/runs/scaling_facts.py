"""Models of growing width learn a telephone book by heart: how a smooth gain for each digit looks sudden when
only whole numbers count.

    python book/runs/scaling_facts.py

writes scaling_facts.json beside this file: for each width and seed the loss of a digit (nats), the share of
right digits, and the share of numbers of which the first k digits are right, k = 1 to 8. Needs about two
minutes of one core for three seeds. A run that is already in the file is not repeated. All models: 2 layers,
heads 4 wide, 300 updates on 100 entries each. The book has 800 entries: a first and a last name, one token
each (50 of each kind), and 8 random digits. Only the digits count in the loss. Nothing can be guessed, only
known.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from allyouneed.models.common import parameter_count
from allyouneed.models.gpt import GPT, GPTConfig
from allyouneed.training import ExampleBatches, TrainingConfig, generator_for, muon, train

N_NAMES, N_ENTRIES, N_DIGITS, N_STEPS, BATCH = 50, 800, 8, 300, 100
WIDTHS, SEEDS = (4, 8, 12, 16, 20, 24, 32, 40), (0, 1, 2)


def make_book(seed=0):
    """Entries (N_ENTRIES, 2 + N_DIGITS): digits are the ids 0 to 9, first names 10 to 59, last names 60 to
    109."""
    generator = generator_for(seed)
    pairs = torch.randperm(N_NAMES**2, generator=generator)[:N_ENTRIES]
    names = torch.stack((10 + pairs // N_NAMES, 10 + N_NAMES + pairs % N_NAMES), dim=1)
    return torch.cat((names, torch.randint(10, (N_ENTRIES, N_DIGITS), generator=generator)), dim=1)


def digit_logits(model, entries):
    # (B, 8, V): what follows the last name, and so on
    return model(entries[:, :-1])[:, 1:]


def loss(model, batch):
    (entries,) = batch
    return F.cross_entropy(digit_logits(model, entries).flatten(0, 1), entries[:, 2:].flatten())


@torch.no_grad()
def judge(model, book):
    logits = digit_logits(model, book)
    right = (logits.argmax(-1) == book[:, 2:]).float()  # (N, 8)
    return {
        "loss": F.cross_entropy(logits.flatten(0, 1), book[:, 2:].flatten()).item(),
        "digit": right.mean().item(),
        "exact": right.cumprod(-1).mean(0).tolist(),
    }


def run(width, seed, n_steps=N_STEPS):
    book, started = make_book(), time.process_time()
    model = GPT(
        GPTConfig(10 + 2 * N_NAMES, 1 + N_DIGITS, d_model=width, n_layers=2, n_heads=width // 4),
        generator=generator_for(seed),
    )
    config = TrainingConfig(n_steps, warmup_steps=10, decay="linear", seed=seed, log_every=n_steps)
    train(
        model, loss, ExampleBatches([book], BATCH, seed=seed), muon(model, 0.02, 1e-2), config, progress=False
    )
    return {
        "width": width,
        "seed": seed,
        "parameters": parameter_count(model),
        **judge(model, book),
        "cpu_seconds": round(time.process_time() - started, 1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    made = {
        "command": "python book/runs/scaling_facts.py",
        "torch": torch.__version__,
        "entries": N_ENTRIES,
        "steps": N_STEPS,
        "runs": [],
    }
    if options.json.exists():
        made["runs"] = json.loads(options.json.read_text())["runs"]
    done = {(r["width"], r["seed"]) for r in made["runs"]}
    for seed in SEEDS:
        for width in WIDTHS:
            if (width, seed) not in done:
                made["runs"].append(run(width, seed))
                print(made["runs"][-1], flush=True)
                options.json.write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
