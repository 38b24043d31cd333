"""Install the pinned packages into the environment whose Python runs this. All that it needs is pip.

Everything but torch comes without its dependencies, so that nothing pulls in another torch. Torch comes last,
with its own: the usual build needs libraries that the lists do not name. What they do name is there by then.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import torch_build

ROOT = Path(__file__).resolve().parents[1]
LISTS = ROOT / "requirements.lock", ROOT / "requirements-data.lock"
FULL = 2**29


def main() -> None:
    forget_half_installed(Path(sysconfig.get_path("purelib")))
    pip("--quiet", "--no-deps", *others())
    if not torch_build.is_installed(pinned_torch()):
        arguments, large = torch_build.choose(pinned_torch(), sys.argv[1:], torch_build.pip_finds)
        if large:
            print(torch_build.LARGE, flush=True)
        pip(*([] if large else ["--quiet"]), "--no-warn-conflicts", "--constraint", LISTS[0], *arguments)
    ours = "--editable", ROOT, "--editable", ROOT / "lib" / "coursegrader"
    pip("--quiet", "--no-deps", "--no-build-isolation", *ours)


def pins() -> list[str]:
    """The lines of both lists that name a package, torch among them."""
    lines = [line.strip() for path in LISTS for line in path.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def others() -> list[str]:
    return [line for line in pins() if not line.startswith("torch==")]


def pinned_torch() -> str:
    return next(line.removeprefix("torch==") for line in pins() if line.startswith("torch=="))


def forget_half_installed(packages: Path) -> None:
    """Let pip install again what it was stopped in: a package's RECORD is written last, and never missed."""
    for folder in packages.glob("*.dist-info"):
        if not (folder / "RECORD").exists():
            shutil.rmtree(folder)


def pip(*arguments: object) -> None:
    """Run `pip install`; where it fails, say what to do after what pip itself said."""
    environment = os.environ | {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run([sys.executable, "-m", "pip", "install", *map(str, arguments)], env=environment)
    if done.returncode:
        sys.exit(f"Not all is installed. {advice()} Then give the same command again; it goes on from here.")


def advice() -> str:
    """All that may be the reason: only pip knows which it was."""
    hints = ["What pip said stands above."]
    for name, folder in (("", Path(sys.prefix)), ("in TMPDIR, ", Path(tempfile.gettempdir()))):
        if (free := shutil.disk_usage(folder).free) < FULL:
            hints.append(f"Only {free / 2**20:,.0f} MiB are free {name}in {folder}: make room.")
    if proxy := urllib.request.getproxies().get("https"):
        address = urlsplit(proxy).netloc.rpartition("@")[2]  # without a password
        hints.append(f"It asked through the proxy {address or proxy} (HTTPS_PROXY): does that answer?")
    else:
        hints.append(
            "Where the package index is out of reach, "
            "name a proxy in HTTPS_PROXY or a mirror in PIP_INDEX_URL."
        )
    return " ".join(hints)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped. The same command goes on from here.")
