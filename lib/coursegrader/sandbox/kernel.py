"""What the forked child becomes in the jail: an IPython kernel on sockets that the grader made."""

from __future__ import annotations

import os
import sys

from coursegrader.sandbox import jail

CHANNELS = ("shell", "stdin", "control", "iopub")
CELL_CHARACTERS = 32 << 20


def run_kernel(listening: dict[str, int], key: bytes, jailed: bool) -> None:
    """Become the kernel; `listening` gives the descriptor of each channel."""
    home = jail.HOME if jailed else os.getcwd()
    path = os.environ.get("PATH", "/usr/bin:/bin")
    os.environ.clear()
    os.environ.update(
        {
            "HOME": home,
            "PATH": path,
            "LANG": "C.UTF-8",
            "USER": "student",
            "TMPDIR": "/tmp",
            "IPYTHONDIR": "/tmp/.ipython",
            "MPLCONFIGDIR": "/tmp/.matplotlib",
            "OMP_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        }
    )
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
        """Forgets what a cell prints beyond a limit: an endless print costs no memory on either side."""

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

        write_connection_file = cleanup_connection_file = init_poller = init_heartbeat = (
            init_crash_handler
        ) = _nothing

    config = Config()
    config.Session.key = key
    config.HistoryManager.enabled = False
    config.IPKernelApp.log_level = 50
    app = JailedKernelApp.instance(config=config)
    app.initialize([])
    from matplotlib_inline import backend_inline

    for stream in (sys.stdout, sys.stderr):
        app.shell.events.register(
            "pre_run_cell", lambda info, stream=stream: setattr(stream, "room", CELL_CHARACTERS)
        )
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
