"""Which recurrent network still knows the first symbol after a gap of noise? Six contestants, five gaps, five
seeds.

    python book/runs/recall_race.py

writes recall_race.json beside this file: for every contestant, gap and seed the accuracy on 1,000 new
sequences and the number of updates used (fewer than the limit: solved). Needs about five minutes on one core.
A run that is already in the file is not repeated, so the script may be stopped and started again. Chapter 1
draws it.
"""

import argparse
import json
import time
from itertools import product
from pathlib import Path

import torch

from allyouneed.data.recall import N_SYMBOLS, RECALL_VOCAB_SIZE
from allyouneed.models.reader import Reader
from allyouneed.nn.recurrent import GRU, LSTM, RNN, open_gates
from allyouneed.training import recall_accuracy, train_on_recall

GAPS = (5, 10, 20, 40, 80)
D_MODEL, D_HIDDEN = 32, 64


def contestant(name, seed):
    """A `Reader` around one recurrent layer; the name says which, and how it starts."""
    generator = torch.Generator().manual_seed(seed)
    layer = {"RNN": RNN, "LST": LSTM, "GRU": GRU}[name[:3]](D_MODEL, D_HIDDEN, generator=generator)
    if name.endswith("gates open"):
        open_gates(layer, 4.0)
    if name.endswith("orthogonal"):
        torch.nn.init.orthogonal_(layer.cell.from_state.weight, generator=generator)
        layer.cell.from_input.weight.data *= 0.3
    return Reader(layer, RECALL_VOCAB_SIZE, D_MODEL, D_HIDDEN, N_SYMBOLS, generator)


CONTESTANTS = ("RNN", "RNN, orthogonal", "LSTM", "LSTM, gates open", "GRU", "GRU, gates open")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    runs = json.loads(options.json.read_text())["runs"] if options.json.exists() else []
    done = {(run["name"], run["gap"], run["seed"]) for run in runs}
    made = {
        "command": "python book/runs/recall_race.py",
        "torch": torch.__version__,
        "steps": options.steps,
        "batch": 64,
    }
    for name, gap, seed in product(CONTESTANTS, GAPS, options.seeds):
        if (name, gap, seed) in done:
            continue
        started, model = time.process_time(), contestant(name, seed)
        steps = len(train_on_recall(model, gap, options.steps, seed=seed))
        found = {"name": name, "gap": gap, "seed": seed, "steps": steps}
        found["accuracy"] = round(recall_accuracy(model, gap), 3)
        runs.append(found)
        options.json.write_text(json.dumps({**made, "runs": runs}) + "\n")
        print(*found.values(), f"{time.process_time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
