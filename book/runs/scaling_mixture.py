"""Does a mixture of experts pay off on text? Dense networks and mixtures of equal work, on Shakespeare.

    python book/runs/scaling_mixture.py

writes scaling_mixture.json beside this file: for each network and seed the validation loss (nats a
character), all parameters and those at work for one character, the largest and the smallest share of choices
that an expert gets in any layer, and processor seconds.
Needs about nine minutes of one core. A run that is already in the file is not repeated.
All models: the block of chapter 7 with 4 layers, 64 wide, 4 heads, 64 characters of context, 12 windows a
step, 500 steps; what differs is the feed-forward part. Its inner width is 176 in the dense model. A mixture
has 8 experts of 88, of which each character uses 2.
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
from allyouneed.nn.layers import SwiGLU
from allyouneed.nn.mixture import MixtureOfExperts
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import TextBatches, TrainingConfig, generator_for, muon, train
from allyouneed.training.optimizers import OUTER_PARTS

WIDTH, INNER, N_LAYERS, CONTEXT, BATCH, N_STEPS, SEEDS = 64, 176, 4, 64, 12, 500, (0, 1, 2)
N_EXPERTS, CHOSEN = 8, 2
NETWORKS = {
    "dense": (INNER, None),
    "mixture, balanced": (INNER // 2, 0.01),
    "mixture, not balanced": (INNER // 2, 0.0),
    "dense, 4 times the work": (4 * INNER, None),
}


def make(inner, balance, vocab_size, seed):
    model = Llama(LlamaConfig(vocab_size, CONTEXT, WIDTH, N_LAYERS, 4, inner), generator=generator_for(seed))
    if balance is not None:
        torch.manual_seed(seed)
        for layer in model.layers:
            layer.feed_forward = MixtureOfExperts(WIDTH, inner, N_EXPERTS, CHOSEN, expert=SwiGLU)
    nn.init.zeros_(model.head.weight)
    return model


def mixtures(model):
    return [part for part in model.modules() if isinstance(part, MixtureOfExperts)]


def loss_with(balance):
    def loss(model, batch):
        inputs, targets = batch
        value = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        return value + balance * sum(part.balance_loss for part in mixtures(model)) if balance else value

    return loss


def run(name, seed, ids, windows, vocab_size):
    inner, balance = NETWORKS[name]
    model, started = make(inner, balance, vocab_size, seed), time.process_time()
    config = TrainingConfig(
        N_STEPS,
        warmup_steps=10,
        decay="linear",
        decay_share=0.7,
        max_grad_norm=None,
        seed=seed,
        log_every=N_STEPS,
    )
    train(
        model,
        loss_with(balance),
        TextBatches(ids, BATCH, CONTEXT, seed=seed),
        muon(model, 0.02, 0.01, outer=(*OUTER_PARTS, "router")),
        config,
        progress=False,
    )
    seconds = time.process_time() - started
    with torch.no_grad():
        losses, loads = [], []
        for part in windows.split(96):
            losses.append(F.cross_entropy(model(part[:, :-1]).mT, part[:, 1:], reduction="none"))
            loads.append(
                torch.stack([mixture.load for mixture in mixtures(model)])
                if balance is not None
                else torch.zeros(1, 1)
            )
    # (layers, experts); the last part is smaller
    loads, resting = torch.stack(loads[:-1]).mean(0), 0
    for mixture in mixtures(model):
        resting += (N_EXPERTS - CHOSEN) * parameter_count(mixture.experts[0])
    return {
        "network": name,
        "seed": seed,
        "loss": round(torch.cat(losses).mean().item(), 4),
        "parameters": parameter_count(model),
        "at_work": parameter_count(model) - resting,
        "busiest": round(loads.max().item(), 4),
        "idlest": round(loads.min().item(), 4),
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
    made = {
        "command": "python book/runs/scaling_mixture.py",
        "torch": torch.__version__,
        "steps": N_STEPS,
        "runs": [],
    }
    if options.json.exists():
        made["runs"] = json.loads(options.json.read_text())["runs"]
    done = {(r["network"], r["seed"]) for r in made["runs"]}
    for seed in SEEDS:
        for name in NETWORKS:
            if (name, seed) not in done:
                made["runs"].append(run(name, seed, ids, windows, len(tokenizer)))
                print(made["runs"][-1], flush=True)
                options.json.write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
