"""Peptides and blood cells: small Transformers from scratch against simple baselines, over several divisions
of the data.

    python book/runs/beyond_biology.py

writes beyond_biology.json beside this file: test accuracy of each way for four divisions of the peptides and
six of the cells. Needs about four minutes of one core. A run that is already in the file is not repeated, so
the script may be stopped and started again.
"""

import argparse
import json
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from torch import nn

from allyouneed.data import load_cells, load_peptides
from allyouneed.data.peptides import AMINO_ACIDS
from allyouneed.models.common import initialize
from allyouneed.nn.attention import fused_attention
from allyouneed.nn.layers import Block, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import LearnedPositions
from allyouneed.text.padding import pad_batch
from allyouneed.training import ExampleBatches, TrainingConfig, adamw, generator_for, train

# of a cell, the most expressed ones
N_GENES = 64
# letters of a peptide that are read
LONGEST = 48


class SetOrSequence(nn.Module):
    """Tokens to a class by an encoder and the mean over real tokens; with or without positions. Id 0 is
    padding."""

    def __init__(
        self, n_ids, max_len, n_classes, positions, d_model=64, n_layers=2, dropout=0.2, generator=None
    ):
        super().__init__()
        self.embedding = nn.Embedding(n_ids, d_model)
        self.positions = LearnedPositions(max_len, d_model) if positions else None
        self.layers = nn.ModuleList(
            Block(
                MultiHeadAttention(d_model, 4, attend=fused_attention),
                FeedForward(d_model, 2 * d_model, F.gelu),
                LayerNorm(d_model),
                dropout,
            )
            for _ in range(n_layers)
        )
        self.norm, self.head, self.dropout = (
            LayerNorm(d_model),
            nn.Linear(d_model, n_classes),
            nn.Dropout(dropout),
        )
        initialize(self, generator, std=0.05)

    def forward(self, ids):
        real = ids != 0  # (B, T)
        x = self.embedding(ids)
        x = self.dropout(x if self.positions is None else self.positions(x))
        for layer in self.layers:
            x = layer(x, mask=real[:, None, None])
        x = self.norm(x).masked_fill(~real[..., None], 0.0).sum(1) / real.sum(1, keepdim=True)
        return self.head(x)


def peptide_ids(sequences):
    """Letters to ids 1 to 20, (N, 48), 0 behind the end."""
    ids, _ = pad_batch(
        [[AMINO_ACIDS.index(letter) + 1 for letter in s if letter in AMINO_ACIDS] for s in sequences],
        max_len=LONGEST,
    )
    return F.pad(ids, (0, LONGEST - ids.shape[1]))


def composition(sequences):
    """The share of each of the 20 letters, (N, 20)."""
    return torch.tensor([[s.count(letter) / len(s) for letter in AMINO_ACIDS] for s in sequences])


def ranked(expression, k=N_GENES):
    """The k most expressed genes of each cell, the most expressed first, ids from 1, (cells, k)."""
    return expression.argsort(dim=1, descending=True, stable=True)[:, :k] + 1


def logistic(train_part, test_part, C):
    """Test accuracy of logistic regression on standardized columns."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=C, max_iter=2000))
    return float(model.fit(*train_part).score(*test_part))


def curved(train_part, test_part):
    """Test accuracy of a support vector machine with a Gaussian kernel on standardized columns, its C chosen
    by five-fold cross-validation in the training part."""
    model = make_pipeline(StandardScaler(), SVC())
    search = GridSearchCV(model, {"svc__C": [0.3, 1, 3, 10, 30]}, cv=5)
    return float(search.fit(*train_part).score(*test_part))


def fit(model, ids, labels, n_steps, batch_size, seed, rate=2e-3):
    batches = ExampleBatches([ids, labels], batch_size=batch_size, seed=seed)
    train(
        model,
        lambda m, batch: F.cross_entropy(m(batch[0]), batch[1]),
        batches,
        adamw(model, rate, weight_decay=0.1),
        TrainingConfig(n_steps, warmup_steps=n_steps // 20, seed=seed),
        progress=False,
    )
    return model.eval()


@torch.no_grad()
def accuracy(model, ids, labels):
    return (torch.cat([model(part) for part in ids.split(128)]).argmax(-1) == labels).float().mean().item()


def peptides(seed):
    """{way: test accuracy} for one division of the peptides."""
    parts = load_peptides(generator=generator_for(seed))
    x, y = composition(parts.train.sequences), parts.train.labels
    a, b = composition(parts.test.sequences), parts.test.labels
    found = {
        "majority": max(b.float().mean().item(), 1 - b.float().mean().item()),
        "composition": logistic((x, y), (a, b), 1.0),
        "composition, curved": curved((x, y), (a, b)),
    }
    ids, test_ids = peptide_ids(parts.train.sequences), peptide_ids(parts.test.sequences)
    for way, positions in (("letters as a set", False), ("letters in order", True)):
        model = SetOrSequence(21, LONGEST, 2, positions, generator=generator_for(seed, 1))
        found[way] = accuracy(fit(model, ids, y, 250, 48, seed), test_ids, b)
    return found


def cells(seed):
    """{way: test accuracy} for one division of the cells."""
    parts = load_cells(generator=generator_for(seed))
    n_types, n_genes = len(parts.train.types), len(parts.train.genes)
    y, b = parts.train.labels, parts.test.labels
    found = {
        "majority": (b == y.bincount().argmax()).float().mean().item(),
        "logistic": logistic((parts.train.expression, y), (parts.test.expression, b), 0.01),
    }
    ids, test_ids = ranked(parts.train.expression), ranked(parts.test.expression)
    present = [F.one_hot(i, n_genes + 1).sum(1).float() for i in (ids, test_ids)]
    found["logistic on the set"] = logistic((present[0], y), (present[1], b), 0.01)
    for way, positions in (("genes as a set", False), ("genes in order", True)):
        model = SetOrSequence(n_genes + 1, N_GENES, n_types, positions, generator=generator_for(seed, 1))
        found[way] = accuracy(fit(model, ids, y, 150, 32, seed), test_ids, b)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    made = {
        "command": "python book/runs/beyond_biology.py",
        "torch": torch.__version__,
        "threads": 1,
        "machine": platform.machine(),
    }
    done = json.loads(options.json.read_text())["runs"] if options.json.exists() else []
    for seed in range(6):
        for name, measure in (("cells", cells), ("peptides", peptides)):
            if (name == "peptides" and seed >= 4) or any(
                entry["data"] == name and entry["seed"] == seed for entry in done
            ):
                continue
            started = time.process_time()
            found = {way: round(value, 4) for way, value in measure(seed).items()}
            done.append(
                {
                    "data": name,
                    "seed": seed,
                    "accuracy": found,
                    "cpu_seconds": round(time.process_time() - started, 1),
                }
            )
            options.json.write_text(json.dumps(made | {"runs": done}, indent=1) + "\n")
            print(done[-1], flush=True)


if __name__ == "__main__":
    main()
