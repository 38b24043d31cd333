"""The date translator of chapter 6, trained once for all of its sections.

    python book/runs/date_translator.py

writes date_translator.pt, the weights with 16 bits a number, and date_translator.json beside this file: the
training loss, the share of unseen dates that are written without a mistake during the training, and the
processor seconds without these tests. Needs about a minute of one core. Seed, updates, batch and rate are
those of leave_one_out.py, whose complete network this is.
"""

import json
import time
from pathlib import Path

import torch
from leave_one_out import BATCH_SIZE, N_STEPS, RATE, Dates, exact, fit, translator

SEED, EVERY, TRIED = 0, 50, 300
WEIGHTS = Path(__file__).with_suffix(".pt")


def stored():
    """The pairs, and the trained network."""
    dates = Dates()
    model = translator(dates, SEED)
    kept = torch.load(WEIGHTS, weights_only=True)
    model.load_state_dict({name: weight.float() for name, weight in kept.items()})
    return dates, model.eval().requires_grad_(False)


def main():
    torch.set_num_threads(1)
    dates, testing = Dates(), 0.0
    tried = tuple(part[:TRIED] for part in dates.valid)

    def evaluate(model):
        nonlocal testing
        started = time.process_time()
        share = exact(model, tried)
        testing += time.process_time() - started
        return share

    model, started = translator(dates, SEED), time.process_time()
    history = fit(model, dates, SEED, evaluate=evaluate, every=EVERY)
    seconds = time.process_time() - started - testing
    torch.save({name: weight.half() for name, weight in model.state_dict().items()}, WEIGHTS)
    made = {
        "command": "python book/runs/date_translator.py",
        "torch": torch.__version__,
        "seed": SEED,
        "steps": N_STEPS,
        "batch": BATCH_SIZE,
        "rate": RATE,
        "seconds": round(seconds),
        "loss": [[step, round(loss, 4)] for step, loss in history.train],
        "tried": TRIED,
        "exact": [[step, round(share, 4)] for step, share in history.valid],
    }
    WEIGHTS.with_suffix(".json").write_text(json.dumps(made) + "\n")
    print(f"{seconds:.0f} s; {exact(stored()[1], dates.test):.1%} of the unseen dates without a mistake")


if __name__ == "__main__":
    main()
