"""Time to a validation loss of 1.90 on Shakespeare: the quick start of chapter 7 against GPT-2's block with tuned AdamW.

    python benchmarks/learning_speed.py [--threads 1] [--json FILE]

A schedule has to know its end, so each recipe is trained anew for each length, shortest first, until the loss at the end is
1.90 or lower. Both start from the rates that `book/runs/quick_start.py` found best. Then the ablation: each change of chapter 7
for 250 steps, one added at a time. Processor seconds of training; reading and checking are not counted. Needs about eight minutes.
"""

import json
import sys
from pathlib import Path

from rounds import machine, options, report

RUNS = Path(__file__).parents[1] / "book" / "runs"
sys.path.insert(0, str(RUNS))

import quick_start  # noqa: E402  (the book's script: its models and its training are what is timed)

TARGET, ABLATION_STEPS = 1.90, 250
LENGTHS = {"own rates": (250, 300, 350, 400, 500), "GPT-2 block": (1000, 1250, 1500, 1750, 2000)}


def best_rate(recipe, most_steps):
    """The rate with the lowest loss among the book's runs of this recipe that are no longer than `most_steps`."""
    runs = json.loads((RUNS / "quick_start.json").read_text())["runs"]
    runs = [run for run in runs if run["recipe"] == recipe and run["steps"] <= most_steps and run["seed"] == 0]
    longest = max(run["steps"] for run in runs)
    return min((run for run in runs if run["steps"] == longest), key=lambda run: run["loss"])["rate"]


def time_to_target(recipe, data):
    """Return steps, final loss and processor seconds of the shortest length that reaches the target."""
    rate = best_rate(recipe, LENGTHS[recipe][-1])
    for steps in LENGTHS[recipe]:
        found = quick_start.run(quick_start.recipes()[recipe], rate, steps, 0, *data)
        print(f"  {recipe}, rate {rate or 'own'}, {steps} steps: loss {found['loss']:.3f} after {found['cpu_seconds']:.0f} s", flush=True)
        if found["loss"] <= TARGET:
            return {"steps": steps, "loss": found["loss"], "seconds": found["cpu_seconds"]}
    raise SystemExit(f"{recipe} does not reach {TARGET} in {LENGTHS[recipe][-1]} steps.")


def main():
    chosen, results = options(__doc__), {}
    print(machine())
    data = quick_start.data()
    ours, theirs = time_to_target("own rates", data), time_to_target("GPT-2 block", data)
    rows = [{"name": name, "ms": 1000 * found.pop("seconds"), **found}
            for name, found in (("allyouneed quick start", ours), ("GPT-2 block, AdamW at its best rate", theirs))]  # fmt: skip
    for row in rows:
        row["ours_is_faster_by"] = row["ms"] / rows[0]["ms"]
    report(f"training to validation loss {TARGET:.2f}, 0.8M parameters", rows, chosen, results)
    rows = []
    for name, settings in quick_start.recipes().items():
        found = quick_start.run(settings, best_rate(name, ABLATION_STEPS), ABLATION_STEPS, 0, *data)
        rows.append({"name": name, "loss": found["loss"], "seconds": found["cpu_seconds"]})
        print(f"  {name}: {found['loss']:.3f}", flush=True)
    report(f"ablation: validation loss after {ABLATION_STEPS} steps, one change at a time", rows, chosen, results)


if __name__ == "__main__":
    main()
