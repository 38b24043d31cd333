"""The family of models that chapter 10 trained: parameters, characters read, and validation loss of each run
of the grid."""

import importlib.util
import json
from pathlib import Path

RUNS = Path(__file__).resolve().parents[1] / "runs"


def data():
    specification = importlib.util.spec_from_file_location("scaling_family", RUNS / "scaling_family.py")
    family = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(family)
    grid = [
        run
        for run in json.loads((RUNS / "scaling_family.json").read_text(encoding="utf-8"))["runs"]
        if run["rate"] == family.RATE and run["seed"] == 0
    ]
    return {
        "runs": [[run["width"], run["parameters"], run["tokens"], run["loss"]] for run in grid],
        "left_out": family.LEFT_OUT,
    }


def fallback():
    rows = ["| width | parameters | characters read | loss (nats per character) |", "|---|---|---|---|"]
    rows += [
        f"| {width} | {parameters:,} | {tokens:,} | {loss:.3f} |"
        for width, parameters, tokens, loss in sorted(data()["runs"])
    ]
    return "\n".join(rows)
