"""A warm process that has imported everything a notebook needs; each notebook's kernel is a fork of it, in a jail of its own.

Three kinds of process: the server (one thread, no event loop, no zmq context, told nothing of the course), for each notebook a
supervisor that watches and ends it, and the kernel, the first process of the jail. They end in a chain: the server and each
supervisor when the grader's end of their socket closes, however it died; the kernel with its supervisor; its children with it.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict

from coursegrader import jail
from coursegrader.jail import JailError, Limits

CHANNELS = ("shell", "stdin", "control", "iopub")
READY_SECONDS, START_SECONDS = 180, 60
TICK = 0.1
CELL_CHARACTERS = 32 << 20


class ForkServer:
    """The grader's handle on its fork server, which is started when it is first needed and once more when it has crashed."""

    _shared: ForkServer | None = None

    def __init__(self):
        self.process, self.control, self._owner, self._lock = None, None, os.getpid(), threading.Lock()

    @classmethod
    def shared(cls) -> ForkServer:
        """This process's one server; a process forked from the grader gets its own."""
        if cls._shared is None or cls._shared._owner != os.getpid():
            cls._shared = cls()
            atexit.register(cls._shared.stop)
        return cls._shared

    def start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kept = {key: os.environ[key] for key in ("PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES") if key in os.environ}
        environment = kept | {"LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
                              "MPLBACKEND": "module://matplotlib_inline.backend_inline", "PYTHONDONTWRITEBYTECODE": "1"}
        self._log = tempfile.TemporaryFile()
        code = f"from coursegrader.forkserver import main; main({theirs.fileno()})"
        self.process = subprocess.Popen([sys.executable, "-I", "-c", code], pass_fds=[theirs.fileno()], env=environment, cwd="/",
                                        stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, start_new_session=True)
        theirs.close()
        self.control = ours
        ours.settimeout(READY_SECONDS)
        try:
            if ours.recv(64) == b"ready":
                return
        except OSError:
            pass
        reason = self._last_words()
        self.stop()
        raise RuntimeError(f"The fork server did not start: {reason}")

    def start_once(self) -> None:
        """Start the server unless it runs."""
        if self.process is None or self.process.poll() is not None:
            self.stop()
            self.start()

    def launch(self, folder: str, listening: list[int], key: bytes, limits: Limits, jailed: bool = True) -> tuple[socket.socket, int]:
        """Fork a kernel that listens on these sockets; return the socket of its supervisor, and its process number."""
        request = json.dumps({"key": key.decode("ascii"), "limits": asdict(limits), "jailed": jailed}).encode()
        with self._lock:
            for attempt in (1, 2):
                self.start_once()
                try:
                    return self._ask(request, folder, listening)
                except ConnectionError:
                    self.stop()
                    if attempt == 2:
                        raise RuntimeError("The fork server crashed twice in a row.") from None

    def _ask(self, request: bytes, folder: str, listening: list[int]) -> tuple[socket.socket, int]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            socket.send_fds(self.control, [request], [theirs.fileno(), place, *listening])
        finally:
            os.close(place)
            theirs.close()
        ours.settimeout(START_SECONDS)
        try:
            answer = ours.recv(1 << 16)
        except TimeoutError:
            ours.close()
            raise RuntimeError(f"A kernel did not start within {START_SECONDS} seconds.") from None
        if not answer:
            ours.close()
            raise ConnectionResetError
        answer = json.loads(answer)
        if "failed" in answer:
            ours.close()
            raise JailError(f"This machine cannot jail a submission: {answer['failed']}. --no-jail runs submissions without a jail.")
        ours.setblocking(False)
        return ours, answer["pid"]

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read()[-2000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def stop(self) -> None:
        if self._owner == os.getpid() and self.process is not None:
            self.control.close()
            self.process.kill()
            self.process.wait()
            self._log.close()
            self.process = None


def why_no_jail() -> str | None:
    """Try a jail on an empty folder: None where it works, else the reason."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            channel, _ = ForkServer.shared().launch(folder, [], b"", Limits())
        except (JailError, RuntimeError) as error:
            return str(error)
        channel.close()
    return None


# ---- what follows runs in the server and in its children ----

def main(number: int) -> None:
    """The server's life. `serve` comes back in kernels only, with no more than a kernel may know."""
    kernel = serve(socket.socket(fileno=number))
    kernel()


def preload() -> list[str]:
    """Import what notebooks use, once; return the folders outside the system that a kernel must see."""
    import gc

    gc.disable()
    import torch

    torch.set_num_threads(1)
    import importlib
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

    wanted = ["IPython.core.completerlib", "IPython.core.debugger", "IPython.core.logger", "IPython.core.oinspect", "pdb", "faulthandler",
              "IPython.extensions.storemagic", "PIL.PngImagePlugin", "PIL.JpegImagePlugin"]
    for name in wanted + [module.name for module in pkgutil.walk_packages(allyouneed.__path__, "allyouneed.")]:
        try:
            importlib.import_module(name)
        except Exception as error:
            print(f"not preloaded: {name}: {error}", file=sys.stderr)
    torch.testing.assert_close(torch.ones(2), torch.ones(2))
    gc.collect()
    gc.freeze()
    gc.enable()
    return [str(path) for path in dict.fromkeys([sys.prefix, sys.base_prefix, *map(os.path.realpath, (sys.prefix, sys.base_prefix)),
                                                 *allyouneed.__path__])]


def serve(control: socket.socket):
    visible = preload()
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
        if os.fork() == 0:
            jail.close_all_but({0, 1, 2, *fds})
            control.detach()
            return supervise(json.loads(data), fds, visible)
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
        group = jail.ControlGroup.make(limits, name) if jailed else None
        user = 0x70000000 + os.getpid() if jail.may_use_root() else None
        if jailed:
            jail.new_process_space()
        else:
            jail.libc.prctl(36, 1, 0, 0, 0)  # orphans of the notebook come to this process, which ends them
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
                jail.libc.prctl(jail.PDEATHSIG, 9, 0, 0, 0)
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
    reason = watch(child, channel, limits, watch_memory=jailed and group is None)
    _, status, used = os.wait4(child, 0)
    if not jailed:
        end_orphans()
    if group and group.ran_out():
        reason = "memory"
    end(channel, group, {"exit": os.waitstatus_to_exitcode(status), "reason": reason, "cpu_seconds": used.ru_utime + used.ru_stime})


def watch(child: int, channel: socket.socket, limits: Limits, watch_memory: bool) -> str | None:
    """Pass on the grader's signals until the kernel has ended; end it when it breaks a limit or the grader is gone."""
    ended, deadline, reason = os.pidfd_open(child), time.monotonic() + limits.seconds, None
    poller = select.poll()
    poller.register(ended, select.POLLIN)
    poller.register(channel.fileno(), select.POLLIN)
    while True:
        seconds = TICK if watch_memory else max(0.0, deadline - time.monotonic())
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
        elif watch_memory and jail.memory_used(child, limits.memory) > limits.memory:
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


def run_kernel(listening: dict[str, int], key: bytes, jailed: bool) -> None:
    """In the jail: become an IPython kernel on sockets that the grader made."""
    home = jail.HOME if jailed else os.getcwd()
    path = os.environ.get("PATH", "/usr/bin:/bin")
    os.environ.clear()
    os.environ.update({"HOME": home, "PATH": path, "LANG": "C.UTF-8", "USER": "student", "TMPDIR": "/tmp", "IPYTHONDIR": "/tmp/.ipython",
                       "MPLCONFIGDIR": "/tmp/.matplotlib", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1",
                       "MPLBACKEND": "module://matplotlib_inline.backend_inline"})
    if not listening:
        os._exit(0)
    reseed()
    for name in [name for name in sys.modules if name.split(".")[0] == "coursegrader"]:
        del sys.modules[name]
    sys.argv = ["ipykernel_launcher.py"]
    sys.path[:] = [entry for entry in sys.path if entry]
    import zmq
    from ipykernel import iostream
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    class BoundedOutStream(iostream.OutStream):
        """Forgets what a cell prints beyond a limit, so that an endless print costs no memory on either side."""

        room = CELL_CHARACTERS

        def write(self, string):
            self.room -= len(string)
            return super().write(string) if self.room >= 0 else len(string)

    iostream.OutStream = BoundedOutStream

    numbers = iter([listening[name] for name in CHANNELS])

    class JailedKernelApp(IPKernelApp):
        """A kernel whose sockets listen already, and that leaves no file anywhere."""

        name = "ipython-kernel"

        def init_connection_file(self):
            self.transport, self.ip = "ipc", "kernel"

        def _bind_socket(self, s, port):
            s.setsockopt(zmq.USE_FD, next(numbers))
            s.bind("ipc:///kernel")
            return port or 1

        def _nothing(self, *arguments, **keywords):
            pass

        write_connection_file = cleanup_connection_file = init_poller = init_heartbeat = init_crash_handler = _nothing

    config = Config()
    config.Session.key = key
    config.HistoryManager.enabled = False
    config.IPKernelApp.log_level = 50
    app = JailedKernelApp.instance(config=config)
    app.initialize([])
    from matplotlib_inline import backend_inline

    for stream in (sys.stdout, sys.stderr):
        app.shell.events.register("pre_run_cell", lambda info, stream=stream: setattr(stream, "room", CELL_CHARACTERS))
    backend_inline._enable_matplotlib_integration()  # it was imported before there was a shell
    app.start()
    os._exit(0)


def reseed() -> None:
    """Give this fork random streams of its own."""
    import random

    import numpy
    import torch

    random.seed()
    numpy.random.seed(int.from_bytes(os.urandom(4), "little"))
    torch.manual_seed(int.from_bytes(os.urandom(7), "little"))
