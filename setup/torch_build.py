"""Which build of torch to install: on Linux without a GPU the small one, else what the index gives."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
BRIEFLY = ["--retries", "0", "--timeout", "5"]
SECONDS = 60
LARGE = f"""Installing torch with its CUDA libraries: about 3 GB to download, 5 GB on disk.
If you need no GPU, stop this and take the CPU build, 0.2 GB, from PyTorch's index or a mirror of it:
make install TORCH_ARGS="--index-url {CPU_INDEX}\""""


def choose(version: str, given: list[str], found: Callable[[list[str]], bool]) -> tuple[list[str], bool]:
    """What to tell pip to install, and whether that is the large build.

    `given` are the user's own arguments, taken as they are; `found(arguments)` asks whether pip finds it.
    """
    if given or sys.platform != "linux":
        return [f"torch=={version}", *given], False
    if not has_gpu():
        for index in ([], ["--extra-index-url", CPU_INDEX]):  # a machine may have the CPU build at hand
            small = [f"torch=={version}+cpu", *index]
            if found(small):
                return small, False
    return [f"torch=={version}"], True


def has_gpu() -> bool:
    if any(Path("/dev").glob("nvidia[0-9]*")):
        return True
    try:
        return subprocess.run(["nvidia-smi", "-L"], capture_output=True, timeout=SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def pip_finds(arguments: list[str]) -> bool:
    """Whether an index has it; one that cannot be reached costs seconds."""
    asking = "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps", *BRIEFLY, *arguments
    try:
        return subprocess.run([sys.executable, *asking], capture_output=True, timeout=SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def is_installed(version: str) -> bool:
    """Whether this version, of whatever build, is here and works."""
    try:
        there = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return False
    works = [sys.executable, "-c", "import torch"]
    return there.partition("+")[0] == version and subprocess.run(works, capture_output=True).returncode == 0
