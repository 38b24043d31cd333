"""A family of small language models: six widths, each trained on several amounts of text. Chapter 10 fits a
law to it.

    python book/runs/scaling_family.py

writes scaling_family.json beside this file: for every width, number of tokens, rate and seed the sizes, the
validation loss (nats a character, over the whole validation part), how often the k next characters are all
right (k = 1 to 10), and processor seconds.
Needs about ten minutes of one core. A run that is already in the file is not repeated, so the script may be
stopped and started again.
All models: the block of chapter 7 (4 layers, heads 16 wide, 64 characters of context, 12 windows a step), on
1.1 million characters of Shakespeare.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_shakespeare
from allyouneed.models.common import parameter_count
from allyouneed.models.llama import Llama, LlamaConfig
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import TextBatches, TrainingConfig, generator_for, muon, train

CONTEXT, BATCH, N_LAYERS, RATE = 64, 12, 4, 0.02
# of 768 characters each: 96, 192 and 384 thousand
STEPS = (125, 250, 500)
FITTED, LEFT_OUT = (16, 32, 48, 64, 96), 128
FURTHER = [(width, 1000, RATE, 0) for width in (32, 64, 128)]  # twice the text
SEEDS = [(width, 250, RATE, seed) for width in (32, 64) for seed in (1, 2)]
RATES = [(width, 250, rate, 0) for width in (16, 64) for rate in (0.01, 0.04)]


def plan():
    family = [(width, steps, RATE, 0) for width in (*FITTED, LEFT_OUT) for steps in STEPS]
    return [*family, *FURTHER, *SEEDS, *RATES]


def make(width, vocab_size, seed):
    config = LlamaConfig(
        vocab_size, CONTEXT, d_model=width, n_layers=N_LAYERS, n_heads=width // 16, d_ff=8 * round(width / 3)
    )
    model = Llama(config, generator=generator_for(seed))
    nn.init.zeros_(model.head.weight)
    return model


def loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


@torch.no_grad()
def judge(model, windows):
    """The loss over all windows; and, after 32 characters or more, the share of places where the next k are
    all right."""
    logits = torch.cat([model(part[:, :-1]) for part in windows.split(96)])  # (N, 64, V)
    right = (logits.argmax(-1) == windows[:, 1:])[:, 32:].float()  # (N, 32)
    exact = [right.unfold(1, k, 1).prod(-1).mean().item() for k in range(1, 11)]
    return F.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten()).item(), exact


def run(width, steps, rate, seed, ids, windows, vocab_size):
    model, started = make(width, vocab_size, seed), time.process_time()
    config = TrainingConfig(
        steps,
        warmup_steps=10,
        decay="linear",
        decay_share=0.7,
        max_grad_norm=None,
        seed=seed,
        log_every=steps,
    )
    train(
        model,
        loss,
        TextBatches(ids, BATCH, CONTEXT, seed=seed),
        muon(model, rate, rate / 2),
        config,
        progress=False,
    )
    seconds = time.process_time() - started
    valid, exact = judge(model, windows)
    outer = 2 * vocab_size * width  # embedding and head
    return {
        "width": width,
        "steps": steps,
        "rate": rate,
        "seed": seed,
        "tokens": steps * BATCH * CONTEXT,
        "parameters": parameter_count(model),
        "inner": parameter_count(model) - outer,
        "loss": round(valid, 4),
        "exact": [round(share, 5) for share in exact],
        "cpu_seconds": round(seconds, 1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    text = load_shakespeare(1_100_000)
    tokenizer = CharTokenizer.train("".join(text))
    ids, valid = (torch.tensor(tokenizer.encode(part)) for part in (text.train, text.valid))
    windows = valid[: len(valid) // 65 * 65].unflatten(0, (-1, 65))
    made = {"command": "python book/runs/scaling_family.py", "torch": torch.__version__, "runs": []}
    if options.json.exists():
        made["runs"] = json.loads(options.json.read_text())["runs"]
    done = {(r["width"], r["steps"], r["rate"], r["seed"]) for r in made["runs"]}
    for width, steps, rate, seed in plan():
        if (width, steps, rate, seed) not in done:
            made["runs"].append(run(width, steps, rate, seed, ids, windows, len(tokenizer)))
            print(made["runs"][-1], flush=True)
            options.json.write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
