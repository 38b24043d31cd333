"""Fair timing on a shared machine: contestants take turns in one process, and medians of CPU time are
compared."""

import argparse
import json
import os
import platform
import statistics
import time

import torch


def take_turns(contestants, n_rounds=7):
    """Time each contestant once a round, in an order that rotates; one round before is not counted.

    Arguments: `contestants`, a dict from name to a function without arguments; `n_rounds`.
    Returns a dict from name to the list of its CPU seconds (all threads of this process together).
    """
    names, seconds = list(contestants), {name: [] for name in contestants}
    for number in range(n_rounds + 1):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            started = time.process_time()
            contestants[name]()
            if number:
                seconds[name].append(time.process_time() - started)
    return seconds


def compare(seconds, ours):
    """Return rows (name, median milliseconds, ours / this one's speed): the ratio of each round, then the
    median.

    A ratio above 1 says that `ours` is faster than the contestant of that row.
    """
    rows = []
    for name, times in seconds.items():
        ratio = statistics.median(theirs / mine for theirs, mine in zip(times, seconds[ours], strict=True))
        rows.append({"name": name, "ms": 1000 * statistics.median(times), "ours_is_faster_by": ratio})
    return rows


def machine():
    """Return one line that names the machine, its cores, the threads used and torch's version."""
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            model = next(
                (line.split(":")[1].strip() for line in file if line.startswith("model name")), model
            )
    return f"{model}, {os.cpu_count()} cores, torch {torch.__version__} on {torch.get_num_threads()} of them"


def options(description):
    """Read --threads, --rounds and --json from the command line; returns the namespace, threads already
    set."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", help="also write the results to this file")
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    return chosen


def report(title, rows, chosen, results):
    """Print one table and add it to `results`, which --json writes."""
    print(f"\n{title}")
    for row in rows:
        print("  " + "  ".join(f"{key} {value:,.3g}" if isinstance(value, float) else str(value)
                               for key, value in row.items()), flush=True)  # fmt: skip
    results[title] = rows
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump({"machine": machine(), "rounds": chosen.rounds, "tables": results}, file, indent=1)
