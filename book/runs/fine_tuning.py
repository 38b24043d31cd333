"""Which of seven kinds of book is a verse from? A pretrained encoder, adapted in three ways, against training
from scratch.

    python book/runs/fine_tuning.py

writes fine_tuning.json beside this file: for each way, number of labelled verses and seed the share of 420
test verses that is right, the trained parameters and the processor seconds. Needs about half an hour of one
core. A run that is already in the file is not repeated, so the script may be stopped and started again. Test
verses come from other chapters than training verses.
"""

import argparse
import json
import platform
import time
from collections import defaultdict
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import modern_verses
from allyouneed.models.bert import Bert, BertConfig
from allyouneed.nn.lowrank import add_low_rank
from allyouneed.pretrained.loading import load_minilm, minilm_tokenizer
from allyouneed.pretrained.tokenizer import PretrainedTokenizer
from allyouneed.training import ExampleBatches, TrainingConfig, generator_for, train

KINDS = {
    "law": ("Leviticus", "Deuteronomy"),
    "story": ("1 Samuel", "2 Samuel", "1 Kings", "2 Kings"),
    "song": ("Psalms",),
    "saying": ("Proverbs",),
    "prophecy": ("Isaiah", "Jeremiah", "Ezekiel"),
    "gospel": ("Matthew", "Mark", "Luke", "John"),
    "letter": ("Romans", "1 Corinthians", "2 Corinthians", "Galatians", "Ephesians", "Hebrews"),
}
SEEDS = (0, 1, 2)
MAX_LEN, N_TEST = 48, 60  # tokens of a verse; test verses of each kind
SMALL = BertConfig(30522, MAX_LEN, d_model=128, n_layers=2, n_heads=4, n_segments=0, pooler=False, eps=1e-5)


def labelled_verses():
    """(train, test): for each kind a list of texts. Every fifth chapter is for testing. The same shuffle at
    every call."""
    kind_of = {book: kind for kind, books in KINDS.items() for book in books}
    train_part, test_part = defaultdict(list), defaultdict(list)
    for verse in modern_verses():
        if verse.book in kind_of:
            (test_part if verse.chapter % 5 == 0 else train_part)[kind_of[verse.book]].append(verse.text)

    def shuffled(texts, number):
        return [texts[i] for i in torch.randperm(len(texts), generator=generator_for(number)).tolist()]

    return (
        {kind: shuffled(train_part[kind], number) for number, kind in enumerate(KINDS)},
        {kind: shuffled(test_part[kind], number)[:N_TEST] for number, kind in enumerate(KINDS)},
    )


def as_tensors(texts, tokenizer):
    """{kind: texts} to ids (N, T), real (N, T) and labels (N,)."""
    ids, lengths = tokenizer.encode_batch([text for kind in KINDS for text in texts[kind]], MAX_LEN)
    labels = torch.cat([torch.full((len(texts[kind]),), number) for number, kind in enumerate(KINDS)])
    return ids, torch.arange(ids.shape[1]) < lengths[:, None], labels


class Classifier(nn.Module):
    """A linear layer on the mean of an encoder's vectors: what this encoder was trained
    to be read by."""

    def __init__(self, encoder, generator):
        super().__init__()
        self.encoder, self.head = encoder, nn.Linear(encoder.config.d_model, len(KINDS))
        nn.init.normal_(self.head.weight, std=0.02, generator=generator)
        nn.init.zeros_(self.head.bias)

    def mean_vector(self, ids, real):
        vectors = self.encoder(ids, real).masked_fill(~real[..., None], 0.0)  # (B, T, D)
        return vectors.sum(dim=1) / real.sum(dim=1, keepdim=True)  # (B, D)

    def forward(self, ids, real):
        return self.head(self.mean_vector(ids, real))  # (B, 7)


def encoder_for(way, generator):
    """The encoder and the learning rate of a way."""
    if way == "from scratch":
        return Bert(SMALL, generator=generator), 1e-3
    encoder = load_minilm()
    # the mean does not read it: nothing would train it
    encoder.pooler = None
    if way == "frozen, new head":
        return encoder.requires_grad_(False), None
    if way == "low-rank adapters":
        return add_low_rank(encoder, rank=8, alpha=16, generator=generator), 2e-3
    return encoder, 1e-4  # "all weights"


def trim(ids, real):
    longest = int(real.sum(dim=1).max())
    return ids[:, :longest], real[:, :longest]


def loss(model, batch):
    ids, real, labels = batch
    return F.cross_entropy(model(*trim(ids, real)), labels)


@torch.no_grad()
def accuracy(model, ids, real, labels):
    model.eval()
    # alike lengths need little padding
    order = real.sum(dim=1).argsort()
    right = sum(
        (model(*trim(ids[part], real[part])).argmax(-1) == labels[part]).sum().item()
        for part in order.split(60)
    )
    return right / len(labels)


def part_of(texts, n, seed):
    """Other verses for each seed. Where a kind has too few (300 sayings for seed 2), the last n."""
    first = min(seed * n, len(texts) - n)
    return texts[first : first + n]


def run(way, n_a_kind, epochs, seed, texts, test, tokenizer):
    generator = generator_for(seed)
    encoder, rate = encoder_for(way, generator)
    model = Classifier(encoder, generator)
    chosen = {kind: part_of(part, n_a_kind, seed) for kind, part in texts.items()}
    # its vectors do not change: compute them once
    if way == "frozen, new head":
        return run_head(model, epochs, seed, as_tensors(chosen, tokenizer), test)
    batches = ExampleBatches(as_tensors(chosen, tokenizer), batch_size=14, seed=seed)
    n_steps = epochs * batches.steps_per_epoch
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=rate, weight_decay=0.01, fused=True)
    started = time.process_time()
    train(
        model,
        loss,
        batches,
        [optimizer],
        TrainingConfig(n_steps, warmup_steps=n_steps // 10, decay="linear", seed=seed, log_every=n_steps),
        progress=False,
    )
    seconds = time.process_time() - started
    return {
        "steps": n_steps,
        "accuracy": round(accuracy(model, *test), 4),
        "trained": sum(p.numel() for p in trained),
        "cpu_seconds": round(seconds, 1),
    }


def run_head(model, epochs, seed, examples, test):
    """The head alone, trained like the others, on vectors that are computed once."""
    started = time.process_time()
    with torch.no_grad():
        vectors = torch.cat(
            [model.mean_vector(*trim(*part)) for part in zip(examples[0].split(70), examples[1].split(70))]
        )
    batches = ExampleBatches([vectors, examples[2]], batch_size=14, seed=seed)
    n_steps = epochs * batches.steps_per_epoch
    optimizer = torch.optim.AdamW(model.head.parameters(), lr=1e-2, weight_decay=0.01, fused=True)
    train(
        model.head,
        lambda head, batch: F.cross_entropy(head(batch[0]), batch[1]),
        batches,
        [optimizer],
        TrainingConfig(n_steps, warmup_steps=n_steps // 10, decay="linear", seed=seed, log_every=n_steps),
        progress=False,
    )
    seconds = time.process_time() - started
    trained = sum(p.numel() for p in model.head.parameters())
    return {
        "steps": n_steps,
        "accuracy": round(accuracy(model, *test), 4),
        "trained": trained,
        "cpu_seconds": round(seconds, 1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer = PretrainedTokenizer(minilm_tokenizer())
    texts, test_texts = labelled_verses()
    test = as_tensors(test_texts, tokenizer)
    made = {
        "command": "python book/runs/fine_tuning.py",
        "torch": torch.__version__,
        "threads": 1,
        "machine": platform.machine(),
        "test_verses": len(test[2]),
        "train_verses": {kind: len(part) for kind, part in texts.items()},
    }
    done = json.loads(options.json.read_text())["runs"] if options.json.exists() else []

    def measure(way, n_a_kind, epochs, seed):
        key = {"way": way, "labels": n_a_kind * len(KINDS), "epochs": epochs, "seed": seed}
        if any(key.items() <= entry.items() for entry in done):
            return
        done.append(key | run(way, n_a_kind, epochs, seed, texts, test, tokenizer))
        options.json.write_text(json.dumps(made | {"runs": done}, indent=1) + "\n")
        print(way, *(f"{name} {value}" for name, value in done[-1].items() if name != "way"), flush=True)

    for seed in SEEDS:
        for n_a_kind, epochs in ((10, 20), (50, 4), (300, 4)):
            measure("frozen, new head", n_a_kind, epochs, seed)
    for seed in SEEDS:
        for n_a_kind, epochs in ((10, 20), (50, 4)):
            for way in ("low-rank adapters", "all weights"):
                measure(way, n_a_kind, epochs, seed)
        for n_a_kind, epochs in ((10, 40), (50, 30), (300, 10)):
            measure("from scratch", n_a_kind, epochs, seed)
    for seed in SEEDS:
        for way in ("low-rank adapters", "all weights"):
            measure(way, 300, 2, seed)


if __name__ == "__main__":
    main()
