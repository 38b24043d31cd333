"""What is asked of students' code as a job for the jail, and back. It runs nowhere else."""

from __future__ import annotations

import base64
import json
import os
import re

from allyouneed.check.wire import decode
from coursegrader.sandbox.provisioner import ENVIRONMENT


def job_of(tasks: dict[str, dict], nonce: str) -> str:
    """A job for a worker of grading: a notebook of one cell, which runs all tasks and sends back data."""
    data = base64.b64encode(json.dumps(tasks).encode()).decode()
    source = (
        "import base64 as _b, json as _j\n"
        "from allyouneed.check import variants as _v\n"
        f"_found = _v.run_all(_j.loads(_b.b64decode({data!r})))\n"
        f"print({nonce!r} + _b.b64encode(_j.dumps(_found).encode()).decode() + {nonce!r}, flush=True)"
    )
    cell = {
        "id": "asking",
        "cell_type": "code",
        "metadata": {},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }
    config: dict = {"Execute": {"timeout": 60}}
    if os.environ.get(ENVIRONMENT):
        config["ForkProvisioner"] = {"jailed": False}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    drivers = sorted({task[key] for task in tasks.values() for key in ("driver", "probe_driver")})
    job = {"notebook": notebook, "files": {}, "config": config, "questions": {}, "drivers": drivers}
    return json.dumps(job)


def found_in(result: str, nonce: str) -> dict[str, dict]:
    """What a worker's result holds of each task; nothing where that cannot be read."""
    shown_cells = json.loads(result)["cells"]
    text = "".join(
        str(output.get("text", ""))
        for cell in shown_cells
        if cell
        for output in cell["outputs"]
        if output.get("output_type") == "stream"
    )
    match = re.search(f"{nonce}([A-Za-z0-9+/=]*){nonce}", text)
    try:
        found = json.loads(base64.b64decode(match[1])) if match else {}
    except ValueError:
        return {}
    return {key: value for key, value in found.items() if isinstance(value, dict)}


def arguments_of(probe: dict) -> tuple[list, dict]:
    return decode(probe["args"]), decode(probe["kwargs"]) or {}
