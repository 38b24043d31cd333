"""The date translator of chapter 6, trained again with one part left out at a time; and the same network on a
harder pair, numbers in words from German into French.

    python book/runs/leave_one_out.py --task dates
    python book/runs/leave_one_out.py --task numbers

writes leave_one_out_dates.json or leave_one_out_numbers.json beside this file: for every part and seed the
share of unseen texts written without a mistake, at the end and (of numbers) on the way, the last training
loss and the processor seconds. Needs about eighteen minutes of one core for the dates, twenty for the
numbers. A run that is already in the file is not repeated, so the script may be stopped and started again.
Chapter 6 prints both, and trains the complete model with the same functions.
"""

import argparse
import json
import time
from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_dates, load_number_words
from allyouneed.generation.sampling import generate
from allyouneed.models import Seq2Seq, Seq2SeqConfig
from allyouneed.nn.attention import fused_attention, softmax
from allyouneed.text.padding import pad_batch
from allyouneed.text.tokenizers import CharTokenizer, WordTokenizer
from allyouneed.training import TrainingConfig, adamw, generator_for, train

PAD, START, STOP = 0, 1, 2
N_STEPS, BATCH_SIZE, RATE = 600, 64, 5e-3
ASKED_EVERY = 150
SIZES = dict(d_model=64, n_layers=2, n_heads=4, max_len=64)


class Dates:
    """The pairs as tensors: `train`, `valid` and `test` are (source (N, S), target (N, T)) with start and
    stop token, both padded. For dates T = 12."""

    def __init__(self, n_pairs=20_000):
        self.pairs = self.load(n_pairs)
        self.source_tokens = CharTokenizer.train(
            [pair.source for pair in self.pairs.train], specials=["<pad>"], unknown="<unk>"
        )
        self.target_tokens = self.tokens_of_targets()
        self.train, self.valid, self.test = (self.encode(part) for part in self.pairs)

    def load(self, n_pairs):
        return load_dates(n_pairs)

    def tokens_of_targets(self):
        return CharTokenizer.train("0123456789-", specials=["<pad>", "<start>", "<stop>"])

    def encode(self, pairs):
        source, _ = pad_batch([self.source_tokens.encode(pair.source) for pair in pairs])
        target, _ = pad_batch([[START, *self.target_tokens.encode(pair.target), STOP] for pair in pairs])
        return source, target

    def batches(self, step, rank=0, n_processes=1):
        source, target = self.train
        rows = torch.randint(len(source), (BATCH_SIZE,), generator=generator_for(2, step))
        return tuple(part[rows, : (part[rows] != PAD).sum(1).max()] for part in (source, target))


class Numbers(Dates):
    """Letters of a German number, words of the French one."""

    def __init__(self, n_pairs=5_000):
        super().__init__(n_pairs)

    def load(self, n_pairs):
        return load_number_words(n_pairs)

    def tokens_of_targets(self):
        return WordTokenizer.train(
            [pair.target for pair in self.pairs.train], specials=["<pad>", "<start>", "<stop>"]
        )


def write(model, source, padding_mask=True, length=11):
    """Greedy translations (B, length) of source (B, S). No cache: it lives in the self-attention, which may
    have been left out."""
    given = model.given(source, source != PAD if padding_mask else None)
    written = generate(
        given, [[START]] * len(source), max_new_tokens=length, temperature=0, stop_id=STOP, use_cache=False
    )
    return F.pad(written, (0, length - written.shape[1]), value=STOP)


def exact(model, part, padding_mask=True):
    """The share of sources that are written without a mistake; after the stop token nothing counts."""
    source, target = part
    written = torch.cat([write(model, rows, padding_mask, target.shape[1] - 1) for rows in source.split(500)])
    right = (written == target[:, 1:]) | (target[:, 1:] == PAD)
    return right.all(dim=1).float().mean().item()


class Nothing(nn.Module):
    """A branch that adds 0, or the norm or position table that does nothing."""

    def __init__(self, like):
        super().__init__()
        self.like = like

    def forward(self, x, *others, **named):
        match self.like:
            case "attention":
                return torch.zeros_like(x), None
            case "feed-forward":
                return torch.zeros_like(x)
            case "unchanged":
                return x


class WithoutResidual(nn.Module):
    """f(x) - x, so that the layer's x + f(x) becomes f(x)."""

    def __init__(self, f):
        super().__init__()
        self.f = f

    def forward(self, x, *others, **named):
        output = self.f(x, *others, **named)
        return (output[0] - x, output[1]) if isinstance(output, tuple) else output - x


class BatchNorm(nn.BatchNorm1d):
    """Mean and variance of each feature over all tokens of the batch; in evaluation, the running ones of
    training."""

    def forward(self, x):
        return super().forward(x.flatten(0, 1)).view_as(x)


def unscaled(q, k, v, mask):
    scores = q @ k.mT
    weights = softmax(scores if mask is None else scores.masked_fill(~mask, float("-inf")), dim=-1)
    return weights @ v, weights


def without(part, model):
    """Take a part out of the model, in place."""
    layers = [*model.encoder, *model.decoder]
    match part:
        case "positions":
            model.positions = Nothing("unchanged")
        case "causal mask":
            for layer in model.decoder:
                del layer.attention.attend  # a module, which no function can replace
                layer.attention.attend = fused_attention
        case "encoder's self-attention":
            for layer in model.encoder:
                layer.attention = Nothing("attention")
        case "decoder's self-attention":
            for layer in model.decoder:
                layer.attention = Nothing("attention")
        case "cross-attention":
            for layer in model.decoder:
                layer.cross_attention = Nothing("attention")
        case "feed-forward":
            for layer in layers:
                layer.feed_forward = Nothing("feed-forward")
        case "residual connections":
            for layer in layers:
                for name in ("attention", "feed_forward", "cross_attention"):
                    if hasattr(layer, name):
                        setattr(layer, name, WithoutResidual(getattr(layer, name)))
        case "layer norm" | "layer norm (batch norm instead)":
            for layer in layers:
                for name in ("attention_norm", "feed_forward_norm", "cross_attention_norm"):
                    if hasattr(layer, name):
                        setattr(
                            layer,
                            name,
                            Nothing("unchanged") if part == "layer norm" else BatchNorm(SIZES["d_model"]),
                        )
    return model


PARTS = (
    "nothing",
    "positions",
    "encoder's self-attention",
    "decoder's self-attention",
    "causal mask",
    "cross-attention",
    "feed-forward",
    "residual connections",
    "layer norm",
    "layer norm (batch norm instead)",
    "division by √d_k",
    "padding mask",
    "padding mask (in training only)",
    "all heads but one",
)


HARDLY_MISSED = (  # by the dates: they are asked again of the numbers
    "nothing",
    "feed-forward",
    "all heads but one",
    "layer norm",
    "decoder's self-attention",
    "encoder's self-attention",
    "division by √d_k",
    "layer norm (batch norm instead)",
)


def translator(pairs, seed, part="nothing"):
    """A `Seq2Seq` for the pairs, as the paper of 2017 builds it but small, without one part."""
    config = Seq2SeqConfig(
        len(pairs.target_tokens),
        source_vocab_size=len(pairs.source_tokens),
        **SIZES | ({"n_heads": 1} if part == "all heads but one" else {}),
    )
    return without(
        part,
        Seq2Seq(config, unscaled if part == "division by √d_k" else fused_attention, generator_for(seed)),
    )


def fit(model, pairs, seed, padding_mask=True, evaluate=None, every=None):
    def loss(model, batch):
        source, target = batch
        logits = model(source, target[:, :-1], source != PAD if padding_mask else None)
        return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)

    config = TrainingConfig(N_STEPS, warmup_steps=60, decay="linear", evaluate_every=every, seed=seed)
    return train(
        model, loss, pairs.batches, adamw(model, RATE, weight_decay=0.0), config, evaluate, progress=False
    )


TASKS = {"dates": (Dates, PARTS, [0, 1, 2]), "numbers": (Numbers, HARDLY_MISSED, [0, 1, 2])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--task", choices=TASKS, required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    pairs_of, parts, seeds = TASKS[options.task]
    path, pairs = Path(__file__).with_name(f"leave_one_out_{options.task}.json"), pairs_of()
    before = json.loads(path.read_text()) if path.exists() else {"runs": []}
    test = tuple(part[:1000] for part in pairs.test)
    made = {
        "command": f"python book/runs/leave_one_out.py --task {options.task}",
        "torch": torch.__version__,
        "steps": N_STEPS,
        "rate": RATE,
        "tested": len(test[0]),
        "seconds": before.get("seconds", 0),
        "runs": before["runs"],
    }
    done = {(run["part"], run["seed"]) for run in made["runs"]}
    for seed, part in product(seeds, parts):
        if (part, seed) in done:
            continue
        on_the_way = ASKED_EVERY if options.task == "numbers" else None
        started, model = time.process_time(), translator(pairs, seed, part)
        history = fit(
            model,
            pairs,
            seed,
            padding_mask=not part.startswith("padding mask"),
            evaluate=lambda model: exact(model, test, part != "padding mask"),
            every=on_the_way,
        )
        found = {
            "part": part,
            "seed": seed,
            "exact": round(history.valid[-1][1], 3),
            "on the way": {step: round(share, 3) for step, share in history.valid[:-1]},
            "loss": round(history.train[-1][1], 4),
        }
        print(found, flush=True)
        made["seconds"] = round(made["seconds"] + time.process_time() - started)
        made["runs"].append(found)
        path.write_text(json.dumps(made, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
