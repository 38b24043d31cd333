"""The grader's handle on its fork server: start it, ask it for kernels, end it."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict
from pathlib import Path

from coursegrader.sandbox.jail import Limits
from coursegrader.sandbox.system_calls import JailError

READY_SECONDS, START_SECONDS = 180, 60


class ForkServer:
    """The grader's handle on its fork server, started when first needed and again when it has crashed."""

    _shared: ForkServer | None = None

    def __init__(self, warm: bool = True):
        # a server that is not has imported nothing, and serves to try whether there is a jail
        self.warm = warm
        self.imports: list[str] = []  # modules that a kernel is to find loaded
        self.process, self.control, self._owner, self._lock = None, None, os.getpid(), threading.Lock()
        self._lent = False  # then the server is another process's

    @classmethod
    def shared(cls) -> ForkServer:
        """This process's one server; a process forked from the grader gets its own."""
        if cls._shared is None or cls._shared._owner != os.getpid():
            cls._shared = cls()
            atexit.register(cls._shared.stop)
        return cls._shared

    def borrow(self, control: socket.socket) -> None:
        """Ask the server that another process has begun. Where that is lost, this process starts its own."""
        self.control, self._lent = control, True

    def start(self) -> None:
        self.begin()
        self.control.settimeout(READY_SECONDS)
        try:
            if self.control.recv(64) == b"ready":
                return
        except OSError:
            pass
        reason = self._last_words()
        self.stop()
        raise RuntimeError(f"The fork server did not start: {reason}")

    def begin(self) -> None:
        """Start the server without waiting until it is ready: what it is asked before, it answers then."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._environment = _environment()
        self._log = tempfile.TemporaryFile()
        code = f"from coursegrader.sandbox.fork_server import main; main({theirs.fileno()}, {self.warm})"
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", code],
            pass_fds=[theirs.fileno()],
            env=self._environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        theirs.close()
        self.control = ours

    def begin_once(self) -> None:
        """Begin, unless that was done in the environment of now: a course's configuration may change it."""
        if self.process is None or self._environment != _environment():
            self.stop()
            self.begin()

    def start_once(self) -> None:
        """Start the server unless it runs."""
        if not self._lent and (self.process is None or self.process.poll() is not None):
            self.stop()
            self.start()

    def launch(
        self, folder: str, listening: list[int], key: bytes, limits: Limits, jailed: bool = True
    ) -> tuple[socket.socket, int]:
        """Fork a kernel that listens on these sockets; return its supervisor's socket and process number."""
        wanted = {"key": key.decode("ascii"), "limits": asdict(limits), "jailed": jailed}
        request = json.dumps(wanted | {"imports": self.imports}).encode()
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
        ours.settimeout(READY_SECONDS if self._lent else START_SECONDS)  # a lent one may still be starting
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
            raise JailError(
                f"This machine cannot jail a submission: {answer['failed']}. --no-jail runs "
                "submissions without a jail."
            )
        ours.setblocking(False)
        return ours, answer["pid"]

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read()[-2000:].decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def stop(self) -> None:
        if self._lent:
            self.control.close()
            self._lent = False
        if self._owner == os.getpid() and self.process is not None:
            self.control.close()
            self.process.kill()
            self.process.wait()
            self._log.close()
            self.process = None


def _environment() -> dict[str, str]:
    """What kernels find in their environment; `python` is this one."""
    kept = {
        key: os.environ[key]
        for key in ("PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")
        if key in os.environ
    }
    tools = str(Path(sys.executable).parent)
    others = [place for place in kept.get("PATH", os.defpath).split(os.pathsep) if place != tools]
    return kept | {
        "PATH": os.pathsep.join([tools, *others]),
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def why_no_jail() -> str | None:
    """Try a jail on an empty folder: None where it works, else the reason."""
    server = ForkServer(warm=False)
    with tempfile.TemporaryDirectory() as folder:
        try:
            channel, _ = server.launch(folder, [], b"", Limits())
            channel.close()
        except (JailError, RuntimeError) as error:
            return str(error)
        finally:
            server.stop()
    return None
