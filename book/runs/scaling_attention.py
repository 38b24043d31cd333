"""Does a small model of text miss the far past? Forms of attention on Shakespeare, 256 characters of context.

    python book/runs/scaling_attention.py

writes scaling_attention.json beside this file: for each form of attention and seed the validation loss, and
the loss by place in the window. Needs about three minutes of one core. A run that is already in the file is
not repeated.
All models: the block of chapter 7 with 4 layers, 64 wide, 4 heads, 3 windows of 256 characters a step, 300
steps.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_shakespeare
from allyouneed.models.llama import Llama, LlamaConfig
from allyouneed.nn.attention import fused_attention
from allyouneed.nn.linear_attention import linear_attention
from allyouneed.nn.local import local_attention
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import TextBatches, TrainingConfig, generator_for, muon, train

WIDTH, N_LAYERS, CONTEXT, BATCH, N_STEPS, SEEDS = 64, 4, 256, 3, 300, (0, 1, 2)
FORMS = {
    "softmax": fused_attention,
    "window 8": lambda q, k, v, mask: (local_attention(q, k, v, 8), None),
    "window 2": lambda q, k, v, mask: (local_attention(q, k, v, 2), None),
    "linear": lambda q, k, v, mask: (linear_attention(q, k, v, is_causal=True), None),
}


def loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def run(name, seed, ids, windows, vocab_size):
    model = Llama(
        LlamaConfig(vocab_size, CONTEXT, WIDTH, N_LAYERS, 4, 176),
        attend=FORMS[name],
        generator=generator_for(seed),
    )
    nn.init.zeros_(model.head.weight)
    started = time.process_time()
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
        loss,
        TextBatches(ids, BATCH, CONTEXT, seed=seed),
        muon(model, 0.02, 1e-2),
        config,
        progress=False,
    )
    seconds = time.process_time() - started
    with torch.no_grad():
        by_place = torch.cat(
            [
                F.cross_entropy(model(part[:, :-1]).mT, part[:, 1:], reduction="none")
                for part in windows.split(20)
            ]
        ).mean(0)
    return {
        "form": name,
        "seed": seed,
        "loss": round(by_place.mean().item(), 4),
        "late": round(by_place[128:].mean().item(), 4),
        "by_place": [round(part.mean().item(), 4) for part in by_place.split(32)],
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
    windows = valid[: len(valid) // 257 * 257].unflatten(0, (-1, 257))
    made = {
        "command": "python book/runs/scaling_attention.py",
        "torch": torch.__version__,
        "steps": N_STEPS,
        "runs": [],
    }
    if options.json.exists():
        made["runs"] = json.loads(options.json.read_text())["runs"]
    done = {(r["form"], r["seed"]) for r in made["runs"]}
    for seed in SEEDS:
        for name in FORMS:
            if (name, seed) not in done:
                made["runs"].append(run(name, seed, ids, windows, len(tokenizer)))
                print(made["runs"][-1], flush=True)
                options.json.write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
