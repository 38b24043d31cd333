"""The date translator of chapter 6, trained again with one part left out at a time.

    python book/runs/leave_one_out.py

writes leave_one_out.json beside this file: for every part and seed the share of unseen dates written without
a mistake, and the last training loss. Needs about eight minutes on one core. Chapter 6 prints it, and trains
the complete model with the same functions.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_dates
from allyouneed.generation.sampling import generate
from allyouneed.models import Seq2Seq, Seq2SeqConfig
from allyouneed.nn.attention import softmax
from allyouneed.text.padding import pad_batch
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import TrainingConfig, adamw, generator_for, train

PAD, START, STOP = 0, 1, 2
N_STEPS, BATCH_SIZE, RATE = 600, 64, 5e-3
SIZES = dict(d_model=64, n_layers=2, n_heads=4, max_len=64)


class Dates:
    """The pairs as tensors: `train`, `valid` and `test` are (source (N, S), target (N, 12)) with start and
    stop token."""

    def __init__(self, n_pairs=20_000):
        self.pairs = load_dates(n_pairs)
        self.source_tokens = CharTokenizer.train(
            [pair.source for pair in self.pairs.train], specials=["<pad>"], unknown="<unk>"
        )
        self.target_tokens = CharTokenizer.train("0123456789-", specials=["<pad>", "<start>", "<stop>"])
        self.train, self.valid, self.test = (self.encode(part) for part in self.pairs)

    def encode(self, pairs):
        source, _ = pad_batch([self.source_tokens.encode(pair.source) for pair in pairs])
        target = [[START, *self.target_tokens.encode(pair.target), STOP] for pair in pairs]
        return source, torch.tensor(target)

    def batches(self, step, rank=0, n_processes=1):
        source, target = self.train
        rows = torch.randint(len(source), (BATCH_SIZE,), generator=generator_for(2, step))
        longest = (source[rows] != PAD).sum(1).max()
        return source[rows, :longest], target[rows]


def write(model, source, padding_mask=True):
    """Greedy translations (B, 11) of source (B, S). No cache: it lives in the self-attention, which may have
    been left out."""
    given = model.given(source, source != PAD if padding_mask else None)
    written = generate(
        given, [[START]] * len(source), max_new_tokens=11, temperature=0, stop_id=STOP, use_cache=False
    )
    return F.pad(written, (0, 11 - written.shape[1]), value=STOP)


def exact(model, part, padding_mask=True):
    """The share of sources that are written without a mistake."""
    source, target = part
    written = torch.cat([write(model, rows, padding_mask) for rows in source.split(500)])
    return (written == target[:, 1:]).all(dim=1).float().mean().item()


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


class SeesTheFuture(nn.Module):
    """Self-attention that forgets the causal mask."""

    def __init__(self, attention):
        super().__init__()
        self.attention = attention

    def forward(self, x, memory=None, mask=None, is_causal=False, *others):
        return self.attention(x, memory, mask, False, *others)


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
                layer.attention = SeesTheFuture(layer.attention)
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


def translator(dates, seed, part="nothing"):
    """A `Seq2Seq` for dates, as the paper of 2017 builds it but small, without one part."""
    config = Seq2SeqConfig(
        len(dates.target_tokens),
        source_vocab_size=len(dates.source_tokens),
        **SIZES | ({"n_heads": 1} if part == "all heads but one" else {}),
    )
    return without(
        part, Seq2Seq(config, unscaled if part == "division by √d_k" else None, generator_for(seed))
    )


def fit(model, dates, seed, padding_mask=True, evaluate=None, every=None):
    def loss(model, batch):
        source, target = batch
        logits = model(source, target[:, :-1], source != PAD if padding_mask else None)
        return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)

    config = TrainingConfig(N_STEPS, warmup_steps=60, decay="linear", evaluate_every=every, seed=seed)
    return train(
        model, loss, dates.batches, adamw(model, RATE, weight_decay=0.0), config, evaluate, progress=False
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--parts", nargs="+", default=PARTS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    dates, runs, begun = Dates(), [], time.process_time()
    test = tuple(part[:1000] for part in dates.test)
    for seed in options.seeds:
        for part in options.parts:
            started, model = time.process_time(), translator(dates, seed, part)
            history = fit(model, dates, seed, padding_mask=not part.startswith("padding mask"))
            runs.append(
                {
                    "part": part,
                    "seed": seed,
                    "exact": round(exact(model, test, part != "padding mask"), 3),
                    "loss": round(history.train[-1][1], 4),
                }
            )
            print(f"{time.process_time() - started:3.0f} s", runs[-1], flush=True)
    made = {
        "command": "python book/runs/leave_one_out.py",
        "torch": torch.__version__,
        "steps": N_STEPS,
        "tested": len(test[0]),
        "seconds": round(time.process_time() - begun),
    }
    options.json.write_text(json.dumps({**made, "runs": runs}) + "\n")


if __name__ == "__main__":
    main()
