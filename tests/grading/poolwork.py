"""What workers do in the tests of the pool: a job is JSON with a folder for notes and what should happen."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path


def work(job: str) -> str:
    told = json.loads(job)
    note = Path(told["folder"]) / told["name"]
    tries = len(list(note.parent.glob(f"{told['name']}.*"))) + 1
    note.with_name(f"{told['name']}.{tries}").touch()
    if told["deaths"] >= tries:
        os.kill(os.getpid(), signal.SIGKILL)
    if told.get("hang"):
        time.sleep(60)
    if told.get("mask"):
        return str(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
    if told.get("raise"):
        raise ValueError("a plain error")
    return f"{told['name']} done by try {tries}"


def whoami(job: str) -> str:
    return str(os.getpid())
