"""Time to a validation loss of 1.90 on Shakespeare: the quick start of chapter 7 against GPT-2's block with
tuned AdamW.

    python benchmarks/learning_speed.py [--threads 1] [--json FILE]

A schedule has to know its end, so each recipe is trained anew for each length, shortest first, until the loss
at the end is 1.90 or lower. Both have the start and the rate with which `book/runs/quick_start.py` ended
lowest with its first seed. Processor seconds of training; reading and checking are not counted. The ladder
is that script's: each change of chapter 7 for 250 steps, one added at a time, each at the best start and rate
that it tried, means of its seeds, with the seconds of 250 steps, measured in turns. Needs about six minutes.
"""

import json
import sys
from pathlib import Path
from statistics import mean

from rounds import machine, options, report

RUNS = Path(__file__).parents[1] / "book" / "runs"
sys.path.insert(0, str(RUNS))

import quick_start  # noqa: E402  (the book's script: its models and its training are what is timed)

TARGET = 1.90
LENGTHS = {"own rates": (250, 300, 350, 400, 500), "GPT-2 block": (1000, 1250, 1500, 1750, 2000)}


def best_start(recipe, runs):
    """The start and rate with the lowest loss among the book's longest runs of this recipe that are within
    its LENGTHS."""
    runs = [
        run
        for run in runs
        if run["recipe"] == recipe and run["steps"] <= LENGTHS[recipe][-1] and run["seed"] == 0
    ]
    longest = max(run["steps"] for run in runs)
    best = min((run for run in runs if run["steps"] == longest), key=lambda run: run["loss"])
    return best["start"], best["rate"]


def time_to_target(recipe, start, rate, data):
    """Return steps, final loss and processor seconds of the shortest length that reaches the target."""
    for steps in LENGTHS[recipe]:
        found = quick_start.run(quick_start.recipes()[recipe], start, rate, steps, 0, *data)
        print(
            (
                f"  {recipe}, start {start}, rate {rate or 'own'}, {steps} steps: loss {found['loss']:.3f} "
                f"after {found['cpu_seconds']:.0f} s"
            ),
            flush=True,
        )
        if found["loss"] <= TARGET:
            return {"steps": steps, "loss": found["loss"], "seconds": found["cpu_seconds"]}
    raise SystemExit(f"{recipe} does not reach {TARGET} in {LENGTHS[recipe][-1]} steps.")


def main():
    chosen, results = options(__doc__), {}
    print(machine())
    data, stored = quick_start.data(), json.loads((RUNS / "quick_start.json").read_text())
    runs = stored["runs"]
    ours, theirs = (time_to_target(recipe, *best_start(recipe, runs), data) for recipe in LENGTHS)
    rows = [
        {"name": name, "ms": 1000 * found.pop("seconds"), **found}
        # fmt: skip
        for name, found in (("allyouneed quick start", ours), ("GPT-2 block, AdamW at its best rate", theirs))
    ]
    for row in rows:
        row["ours_is_faster_by"] = row["ms"] / rows[0]["ms"]
    report(f"training to validation loss {TARGET:.2f}, 0.8M parameters", rows, chosen, results)
    rows = [
        {
            "name": name,
            "loss": mean(run["loss"] for run in found),
            "seconds": 250 * stored["step_milliseconds"][name] / 1000,
        }
        for name, found in quick_start.ablation(runs).items()
    ]
    report(
        (
            "ladder, each row with the changes above it (GPT-2 apart): validation loss after 250 steps, at "
            "the best start and rate tried"
        ),
        rows,
        chosen,
        results,
    )


if __name__ == "__main__":
    main()
