"""A warm process that has imported all a notebook needs; each kernel is a fork of it, in a jail of its own.

Three kinds of process: the server (one thread, no event loop, no zmq context, told nothing of the course),
for each notebook a supervisor that watches and ends it, and the kernel, the first process of the jail. They
end in a chain: the server and each supervisor when the grader's end of their socket closes, however it died;
the kernel with its supervisor; its children with it.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from coursegrader.sandbox import jail
from coursegrader.sandbox.control_group import ControlGroup, confine, memory_used
from coursegrader.sandbox.jail import Limits
from coursegrader.sandbox.kernel import CHANNELS, run_kernel
from coursegrader.sandbox.system_calls import PDEATHSIG, JailError, libc, may_use_root

TICK = 0.1
DRIVERS = "allyouneed.check.drivers."
LARGE_PAGE, COLLAPSE = 2 << 20, 25


def main(number: int, warm: bool = True) -> None:
    """The server's life. `serve` comes back in kernels only, with no more than a kernel may know."""
    kernel = serve(socket.socket(fileno=number), preload() if warm else visible_folders())
    kernel()


def preload() -> list[str]:
    """Import what notebooks use, once; return the folders outside the system that a kernel must see.

    Drivers come when a request names them: one of them takes as long to import as torch.
    """
    import gc

    gc.disable()
    import torch

    torch.set_num_threads(1)
    import pkgutil

    import ipykernel.debugger
    import ipykernel.ipkernel
    import ipykernel.kernelapp
    import matplotlib.pyplot
    import matplotlib_inline.backend_inline
    import matplotlib_inline.config
    import numpy.random
    import tornado.platform.asyncio  # noqa: F401

    import allyouneed

    wanted = [
        "IPython.core.completerlib",
        "IPython.core.debugger",
        "IPython.core.logger",
        "IPython.core.oinspect",
        "pdb",
        "faulthandler",
        "IPython.extensions.storemagic",
        "PIL.PngImagePlugin",
        "PIL.JpegImagePlugin",
    ]
    modules = [module.name for module in pkgutil.walk_packages(allyouneed.__path__, "allyouneed.")]
    import_all(wanted + [name for name in modules if not name.startswith(DRIVERS)])
    gc.collect()
    gc.freeze()
    gc.enable()
    take_large_pages()
    return visible_folders()


def import_all(names: Iterable[str]) -> None:
    """Import modules; of one that cannot be imported the kernels' own import tells."""
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:
            print(f"not preloaded: {name}: {error}", file=sys.stderr)


def take_large_pages() -> None:
    """Move what this process holds into pages of 2 MB, where the system can (Linux 6.1): a fork then copies
    one entry for 512, and half of what a fork costs are those entries."""
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
        place, rights, _, _, inode, *name = line.split(maxsplit=5)
        if rights.startswith("rw") and inode == "0" and name in ([], ["[heap]"]):
            start, end = (int(side, 16) for side in place.split("-"))
            start, end = -(-start // LARGE_PAGE) * LARGE_PAGE, end // LARGE_PAGE * LARGE_PAGE
            if start < end:
                libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), COLLAPSE)


def visible_folders() -> list[str]:
    """The folders outside the system that a kernel must see."""
    import allyouneed

    return [
        str(path)
        for path in dict.fromkeys(
            [
                sys.prefix,
                sys.base_prefix,
                *map(os.path.realpath, (sys.prefix, sys.base_prefix)),
                *allyouneed.__path__,
            ]
        )
    ]


def serve(control: socket.socket, visible: list[str]):
    if len(os.listdir("/proc/self/task")) != 1:
        print("the server has more than one thread; its forks would not be safe", file=sys.stderr)
        os._exit(1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    control.send(b"ready")
    while True:
        try:
            data, fds, _, _ = socket.recv_fds(control, 1 << 16, 16)
        except OSError:
            os._exit(0)
        if not data:
            os._exit(0)
        request = json.loads(data)
        import_all(name for name in request["imports"] if name not in sys.modules)
        if os.fork() == 0:
            jail.close_all_but({0, 1, 2, *fds})
            control.detach()
            return supervise(request, fds, visible)
        for number in fds:
            os.close(number)


def supervise(request: dict, fds: list[int], visible: list[str]):
    """Make the jail's first process, watch it, end it. Comes back only in that process."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    channel, folder, listening = socket.socket(fileno=fds[0]), fds[1], fds[2:]
    limits, jailed = Limits(**request["limits"]), request["jailed"]
    group = None
    try:
        name = f"coursegrader-{os.getpid()}"
        group = ControlGroup.make(limits, name) if jailed else None
        user = 0x70000000 + os.getpid() if may_use_root() else None
        if jailed:
            jail.new_process_space()
        else:
            libc.prctl(36, 1, 0, 0, 0)  # orphans of the notebook come to this process, which ends them
        reading, writing = os.pipe()
        child = os.fork()
    except (JailError, OSError) as error:
        end(channel, group, {"failed": str(error)})
    if child == 0:
        try:
            os.setsid()  # not in the supervisor's process group, which it could signal
            if group:
                group.join()
            if jailed:
                jail.lock_in(folder, limits, visible, user)
            else:
                libc.prctl(PDEATHSIG, 9, 0, 0, 0)
                os.fchdir(folder)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nowhere, number)
            channel.detach()
            jail.close_all_but({0, 1, 2, *listening})
        except BaseException as error:
            os.write(writing, f"{error}"[:2000].encode() or b"unknown")
            os._exit(1)
        key, names = request["key"].encode("ascii"), dict(zip(CHANNELS, listening))
        return lambda: run_kernel(names, key, jailed)
    os.close(writing)
    for number in (folder, *listening):
        os.close(number)
    failed = b"".join(iter(lambda: os.read(reading, 4096), b"")).decode(errors="replace")
    os.close(reading)
    if failed:
        os.waitpid(child, 0)
        end(channel, group, {"failed": failed})
    try:
        channel.send(json.dumps({"pid": child}).encode())
    except OSError:
        pass
    reason = watch(child, channel, limits, counted_here=jailed and group is None)
    _, status, used = os.wait4(child, 0)
    if not jailed:
        end_orphans()
    if group and group.ran_out():
        reason = "memory"
    cpu_seconds = used.ru_utime + used.ru_stime
    if not reason and cpu_seconds >= limits.seconds - TICK:
        reason = "time"  # the system ends a process whose processor time is over
    end(
        channel,
        group,
        {"exit": os.waitstatus_to_exitcode(status), "reason": reason, "cpu_seconds": cpu_seconds},
    )


def watch(child: int, channel: socket.socket, limits: Limits, counted_here: bool) -> str | None:
    """Pass on the grader's signals until the kernel ends; end it at a broken limit or a grader gone."""
    ended, deadline, reason = os.pidfd_open(child), time.monotonic() + limits.seconds, None
    poller = select.poll()
    poller.register(ended, select.POLLIN)
    poller.register(channel.fileno(), select.POLLIN)
    while True:
        if counted_here:
            confine(child)
        seconds = TICK if counted_here else max(0.0, deadline - time.monotonic())
        ready = dict(poller.poll(int(1000 * seconds) + 1))
        if ended in ready:
            return reason
        if channel.fileno() in ready:
            try:
                message = channel.recv(16)
            except OSError:
                message = b""
            number = int(message) if message.isdigit() else signal.SIGKILL
            if number == signal.SIGKILL:
                poller.unregister(channel.fileno())
            os.kill(child, number)
        elif time.monotonic() > deadline:
            reason = "time"
        elif counted_here and memory_used(child, limits.memory) > limits.memory:
            reason = "memory"
        if reason:
            os.kill(child, signal.SIGKILL)
            deadline = time.monotonic() + 5


def end_orphans() -> None:
    """Without a jail: end what the notebook left running."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            numbers = [int(number) for number in file.read().split()]
        if not numbers:
            return
        for number in numbers:
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)


def end(channel: socket.socket, group, message: dict) -> None:
    if group:
        group.remove()
    try:
        channel.send(json.dumps(message).encode())
    except OSError:
        pass
    os._exit(0)
