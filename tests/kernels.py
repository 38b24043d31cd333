"""Kernels of tests listen on files. Free ports are chosen before a kernel takes them, and in another process
a kernel that begins at the same moment may have been given the same ones."""

import tempfile
import uuid
from pathlib import Path

import jupyter_client


class _OnFiles:
    def __init__(self, **keywords):
        name = Path(tempfile.gettempdir(), f"kernel-{uuid.uuid4()}")
        super().__init__(transport="ipc", ip=str(name), **keywords)


class Kernel(_OnFiles, jupyter_client.KernelManager):
    pass


class AsyncKernel(_OnFiles, jupyter_client.AsyncKernelManager):
    pass
