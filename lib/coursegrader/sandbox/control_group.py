"""What a jail's processes use together: a control group where one can be made, else counted from /proc."""

from __future__ import annotations

import contextlib
import os
import resource
from pathlib import Path

from coursegrader.sandbox.jail import Limits

MANY_THREADS = 32  # more than a notebook's kernel has, torch's and Jupyter's own together


class ControlGroup:
    """A control group for one jail, where this user may make one; elsewhere `make` gives None and the
    supervisor watches instead."""

    def __init__(self, folders: list[Path]):
        self.folders = folders

    @classmethod
    def make(cls, limits: Limits, name: str) -> ControlGroup | None:
        group = cls([])
        try:
            for line in Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
                _, kinds, path = line.split(":", 2)
                for kind, files in (
                    ("memory", {"memory.limit_in_bytes": limits.memory}),
                    ("pids", {"pids.max": limits.processes}),
                    # all processes of a notebook get as much of the processors as one would
                    ("cpu", {}),
                ):
                    if kind in kinds.split(",") and Path(f"/sys/fs/cgroup/{kind}{path}").is_dir():
                        group.add(Path(f"/sys/fs/cgroup/{kind}{path}") / name, files)
                if (
                    not kinds
                    and (parent := Path(f"/sys/fs/cgroup{path}")).joinpath("cgroup.subtree_control").exists()
                ):
                    if {"memory", "pids"} <= set(
                        (parent / "cgroup.subtree_control").read_text(encoding="ascii").split()
                    ):
                        group.add(
                            parent / name,
                            {"memory.max": limits.memory, "memory.swap.max": 0, "pids.max": limits.processes},
                        )
        except OSError:
            group.remove()
            return None
        return (
            group
            if any("memory" in str(folder) or (folder / "memory.max").exists() for folder in group.folders)
            else group.remove()
        )

    def add(self, folder: Path, files: dict[str, int]) -> None:
        folder.mkdir()
        self.folders.append(folder)
        for name, value in files.items():
            if (folder / name).exists() or "swap" not in name:
                (folder / name).write_text(str(value), encoding="ascii")

    def join(self) -> None:
        for folder in self.folders:
            (folder / "cgroup.procs").write_text("0", encoding="ascii")

    def ran_out(self) -> bool:
        """Whether the system killed a process of the jail for its memory."""
        for folder in self.folders:
            for name in ("memory.oom_control", "memory.events"):
                try:
                    text = (folder / name).read_text(encoding="ascii")
                except OSError:
                    continue
                if any(
                    line.split()[0] == "oom_kill" and line.split()[1] != "0" for line in text.splitlines()
                ):
                    return True
        return False

    def remove(self) -> None:
        for folder in self.folders:
            try:
                folder.rmdir()
            except OSError:
                pass


def memory_used(first: int, enough: int) -> int:
    """Bytes that the processes of a jail use together; exact only where a quick estimate is over `enough`."""
    inside = f"/proc/{first}/root/proc"
    try:
        numbers = [name for name in os.listdir(inside) if name.isdigit()]
    except OSError:
        return 0
    for exact in (False, True):
        total = 0
        for number in numbers:
            try:
                if exact:
                    with open(f"{inside}/{number}/smaps_rollup", encoding="ascii") as file:
                        total += next(int(line.split()[1]) for line in file if line.startswith("Pss:")) << 10
                else:
                    with open(f"{inside}/{number}/statm", encoding="ascii") as file:
                        total += int(file.read().split()[1]) * resource.getpagesize()
            except (OSError, StopIteration):
                continue
        if total <= enough:
            break
    return total


def confine(first: int, most: int = MANY_THREADS) -> None:
    """Keep the threads of a jail on one processor, the last, once they are more than `most`: a hundred busy
    ones then leave the others to the notebooks beside them. `first` is the jail's first process."""
    processes, threads = [first], []
    for process in processes:  # which grows
        try:
            for thread in os.listdir(f"/proc/{process}/task"):
                threads.append(int(thread))
                with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
                    processes += map(int, file.read().split())
        except OSError:
            continue  # it has ended
    if len(threads) > most:
        last = {max(os.sched_getaffinity(0))}
        for thread in threads:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(thread, last)
