"""What a course keeps of earlier work in its private folder, so that only what has changed is made anew."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path


def private_folder(root: Path) -> Path:
    """Where a course keeps what no student may see; only its owner can look inside."""
    folder = root / ".coursegrader"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def kept(path: Path, origin: str):
    """The data that was kept at `path` if it follows from `origin`, a digest; else None."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return found["made"] if found["origin"] == origin else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(path: Path, origin: str, made) -> None:
    """Keep `made`, which follows from `origin`. A course folder that cannot be written to costs time only."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_suffix(f".{os.getpid()}")
        scratch.write_text(json.dumps({"origin": origin, "made": made}), encoding="utf-8")
        os.replace(scratch, path)
