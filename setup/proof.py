"""Prove that what is installed works, in one line of versions; with --quick, look whether it is there."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import platform
import subprocess
import sys
from pathlib import Path

from install import ROOT, pinned_torch

OURS = {"allyouneed": "allyouneed.check", "coursegrader": "coursegrader.cli"}
MODULES = {
    "torch": "torch",
    **OURS,
    "jupyterlab": "jupyterlab.labapp",
    "nbgrader": "nbgrader.apps",
    "jupyter-book": "jupyter_book.cli.main",
}


def main() -> None:
    pinned = pinned_torch()
    there = importlib.metadata.version("torch") if importlib.util.find_spec("torch") else "none"
    if there.partition("+")[0] != pinned:
        sys.exit(f"torch {pinned} is pinned, and {there} is installed in {sys.prefix}.")
    if "--quick" in sys.argv:
        look(*sys.argv[2:])
    else:
        print(prove())


def look(wanted: str | None = None) -> None:
    """Stop unless each package is found, ours in this folder, and the Python is the one asked for."""
    for name, module in MODULES.items():
        spec = importlib.util.find_spec(module.partition(".")[0])
        if spec is None or name in OURS and ROOT not in Path(spec.origin).resolve().parents:
            sys.exit(
                f"{name} is not found where it was installed: "
                "this folder was moved or copied, or its Python was replaced."
            )
    version = "{}.{}".format(*sys.version_info)
    asked = f"import sys; sys.exit('{{}}.{{}}'.format(*sys.version_info) != '{version}')"
    if wanted and subprocess.run([wanted, "-c", asked]).returncode:
        sys.exit(f"{sys.prefix} was made with Python {version}, and you ask for {wanted}.")


def prove() -> str:
    """Import each package, or stop with the first that fails; the line of versions."""
    for name, module in MODULES.items():
        try:
            importlib.import_module(module)
        except Exception as error:
            sys.exit(f"{name} is installed, but it cannot be imported. {type(error).__name__}: {error}")
    import torch

    versions = {"Python": platform.python_version()}
    versions |= {name: importlib.metadata.version(name) for name in MODULES}
    built_for = {"CUDA": torch.version.cuda, "ROCm": torch.version.hip}
    versions["torch"] += f" ({next((f'{name} {it}' for name, it in built_for.items() if it), 'no CUDA')})"
    return "It works: " + ", ".join(f"{name} {version}" for name, version in versions.items())


if __name__ == "__main__":
    main()
