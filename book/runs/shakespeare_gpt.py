"""The language model of chapter 7: a small Llama that reads Shakespeare letter by letter.

    python book/runs/shakespeare_gpt.py

writes shakespeare_gpt.json beside this file: the loss while it learns, and what it writes at some moments.
The trained weights are kept in shakespeare_gpt.pt (16 bits a number). Needs about two minutes on one core.
Chapter 7 shows it, reads it with `trained_gpt()`, and lets it write in the page.
"""

import argparse
import json
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_shakespeare
from allyouneed.generation.sampling import generate
from allyouneed.models import Llama, LlamaConfig
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import TextBatches, TrainingConfig, generator_for, muon, train

N_CHARACTERS = 1_100_000  # train, validation and test part together
LENGTH, BATCH, STEPS = 64, 12, 500
EVERY, WRITES_AT = 25, (0, 25, 75, 200, 350, 500)
WEIGHTS = Path(__file__).with_suffix(".pt")


def text_and_tokenizer():
    """The text in its three parts, and a tokenizer for which every character is a token."""
    text = load_shakespeare(N_CHARACTERS)
    return text, CharTokenizer.train("".join(text))


def untrained_gpt(vocab_size):
    """4 layers of 4 heads, 128 wide. At first, all characters are alike to it."""
    config = LlamaConfig(vocab_size, max_len=320, d_model=128, n_layers=4, n_heads=4, d_ff=344)
    gpt = Llama(config, generator=generator_for(7))
    nn.init.zeros_(gpt.head.weight)
    return gpt


def next_token_loss(model, batch):
    """The mean surprise at each token, given those before it."""
    inputs, targets = batch  # (B, T), and the same one later
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def validation_windows(ids, n=120, length=LENGTH):
    """Windows (n, length + 1) at equal distances over the whole part."""
    return ids.unfold(0, length + 1, (len(ids) - length - 1) // n)[:n]


def train_gpt(gpt, train_ids, look=None):
    """500 updates, each on 12 windows of 64 characters; `look` is asked for the validation loss."""
    config = TrainingConfig(
        n_steps=STEPS,
        warmup_steps=10,
        decay="linear",
        decay_share=0.7,
        max_grad_norm=None,
        evaluate_every=EVERY,
        log_every=5,
    )
    batches = TextBatches(train_ids, batch_size=BATCH, length=LENGTH)
    return train(gpt, next_token_loss, batches, muon(gpt, 0.02, 1e-2), config, evaluate=look, progress=False)


def trained_gpt(tokenizer):
    """The stored model, with 32-bit numbers again."""
    gpt = untrained_gpt(len(tokenizer))
    kept = torch.load(WEIGHTS, weights_only=True)
    gpt.load_state_dict({name: weight.float() for name, weight in kept.items()})
    return gpt.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    started = time.process_time()
    text, tokenizer = text_and_tokenizer()
    train_ids, valid_ids = (torch.tensor(tokenizer.encode(part)) for part in (text.train, text.valid))
    windows = validation_windows(valid_ids)
    gpt, moments = untrained_gpt(len(tokenizer)), []

    def look(model):
        """The validation loss; at some moments, the model also writes."""
        step, inputs, targets = EVERY * len(moments), windows[:, :-1], windows[:, 1:]
        logits = model(inputs)
        moment = {
            "step": step,
            "loss": round(F.cross_entropy(logits.flatten(0, 1), targets.flatten()).item(), 4),
            "best_is_right": round((logits.argmax(-1) == targets).float().mean().item(), 4),
        }
        if step in WRITES_AT:
            beginnings = [tokenizer.encode("\n")] * 3
            drawn = generate(model, beginnings, 63, temperature=0.8, generator=generator_for(1))
            moment["samples"] = [tokenizer.decode(row) for row in drawn]
            print(moment, flush=True)
        moments.append(moment)
        return moment["loss"]

    with torch.no_grad():
        look(gpt)
    history = train_gpt(gpt, train_ids, look)
    torch.save(
        {name: weight.half() for name, weight in gpt.state_dict().items()}, options.json.with_suffix(".pt")
    )
    made = {
        "command": "python book/runs/shakespeare_gpt.py",
        "torch": torch.__version__,
        "threads": 1,
        "machine": platform.machine(),
        "cpu_seconds": round(time.process_time() - started),
        "characters_read": STEPS * BATCH * LENGTH,
        "moments": moments,
        "train": [(step, round(loss, 4)) for step, loss in history.train],
    }
    options.json.write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
