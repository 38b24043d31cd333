"""Run tests as a user without rights, as most graders' accounts are, where they themselves run as root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from coursegrader.course.kept import private_folder

USER = 54321


def may_mount() -> bool:
    """Whether this user can have a mount of their own: root can, but in most containers."""
    mount = ["unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "none", "/tmp"]
    return (
        os.geteuid() == 0
        and bool(shutil.which("unshare"))
        and not subprocess.run(mount, capture_output=True).returncode
    )


needs_root = pytest.mark.skipif(
    not may_mount() or not shutil.which("setpriv"),
    reason="becomes a normal user; a normal user's own run shows the same",
)


def as_normal_user(command: str, work: Path, clone: Path, own: Path) -> list[str]:
    """A command line that runs `command` as a user without rights, with this Python and this clone made
    reachable where they lie in a closed folder, as root's own is, and a copy of the folder `own` in its place
    that belongs to the user."""
    lines, closed, again = ["set -e"], set(), []
    for folder in map(Path.resolve, (Path(sys.base_prefix), clone)):
        outer = next((parent for parent in reversed(folder.parents) if not parent.stat().st_mode & 1), None)
        if outer:
            keep = work / f"kept-{len(again)}"
            keep.mkdir()
            lines.append(f"mount --bind {folder} {keep}")
            closed.add(outer)
            again += [f"mkdir -p {folder}", f"mount --bind {keep} {folder}"]
    lines += [f"mount -t tmpfs -o mode=755 none {outer}" for outer in sorted(closed)] + again
    lines += [
        f"cp -r {own} {work}/own || true",  # a file that another process is writing may be gone
        f"chown -R {USER}:{USER} {work}/own",
        f"mount --bind {work}/own {own}",
    ]
    lines += [f"exec setpriv --reuid={USER} --regid={USER} --clear-groups {command}"]
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(lines)]


def passes_for_a_normal_user(
    root: Path, files: list[Path], select: str = "", timeout: int = 1800, **environment: str
) -> str:
    """Run the tests of `files` as a normal user in a folder of that user's own, with these variables; give
    back pytest's last line, or fail with its output."""
    work = Path(tempfile.mkdtemp(prefix="normal-user-", dir="/tmp"))  # the short path, for sockets
    try:
        os.chown(work, USER, USER)
        variables = " ".join(f"{name}={value}" for name, value in environment.items())
        command = (
            f"env -u PYTEST_ADDOPTS HOME={work} TMPDIR={work} {variables} {sys.executable} -m "
            f"pytest -q --show-capture=no -p no:cacheprovider --basetemp={work}/t "
            f"{' '.join(map(str, files))}"
        ) + (f" -k '{select}'" if select else "")
        done = subprocess.run(
            # so that the fingerprints that are kept there are not made again
            as_normal_user(command, work, root, private_folder(root)),
            cwd=root,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        return done.stdout.strip().splitlines()[-1]
    finally:
        shutil.rmtree(work, ignore_errors=True)
