"""nbgrader starts kernels through jupyter_client; this plug-in makes each a jailed fork of the warm server.

Entry point ``coursegrader-fork`` in the group ``jupyter_client.kernel_provisioners``.
"""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import json
import os
import resource
import shutil
import signal
import socket
import stat
import tempfile
import time
from functools import cache
from pathlib import Path
from queue import Empty
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.channels import AsyncZMQSocketChannel
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import Bool, Integer, Type

from coursegrader.sandbox.fork_client import ForkServer
from coursegrader.sandbox.jail import Limits
from coursegrader.sandbox.kernel import CHANNELS

NAME = "coursegrader-fork"
ENVIRONMENT = "COURSEGRADER_NO_JAIL"
MESSAGE_BYTES, NOTEBOOK_BYTES, GROWTH_BYTES = 64 << 20, 128 << 20, 2 << 30
MESSAGE_PARTS = 2_000_000  # lists and dicts: as JSON two bytes each, in memory hundreds
_count = itertools.count()


@cache
def _context(owner: int) -> zmq.asyncio.Context:
    context = zmq.asyncio.Context()
    context.maxmsgsize = MESSAGE_BYTES
    return context


class BoundedChannel(AsyncZMQSocketChannel):
    """Takes so many bytes from a kernel, then ends it: what it prints is kept in the grader's memory."""

    taken = 0
    too_much = None

    async def _recv(self, **kwargs: Any) -> dict[str, Any]:
        while True:
            message = await self.socket.recv_multipart(**kwargs)
            self.taken += sum(map(len, message))
            if self.taken <= NOTEBOOK_BYTES or not self.too_much:
                break
            self.too_much()  # and what is still on its way is dropped
        if sum(part.count(b"{") + part.count(b"[") for part in message) > MESSAGE_PARTS:
            raise ValueError("a message of too many parts")
        _, parts = self.session.feed_identities(message)
        return self.session.deserialize(parts)


class BoundedClient(AsyncKernelClient):
    """A client that no kernel can fill with data."""

    iopub_channel_class = Type(BoundedChannel)
    shell_channel_class = Type(BoundedChannel)

    def _context_default(self) -> zmq.asyncio.Context:
        """One context for all kernels of this process: to end one takes 1/6 s; a client would end three."""
        self._created_context = False
        return _context(os.getpid())

    def start_channels(self, *arguments: Any, **keywords: Any) -> None:
        super().start_channels(*arguments, **keywords)
        for channel in (self.iopub_channel, self.shell_channel):
            channel.too_much = lambda: self.parent.provisioner.stop_for("output")

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        """Wait until the kernel answers and what it publishes arrives: the stock client waits 0.2 s more."""
        deadline = time.monotonic() + (timeout or 60)
        while time.monotonic() < deadline:
            asked = self.kernel_info()
            try:
                while True:
                    message = await self.iopub_channel.get_msg(timeout=0.05)
                    if (
                        message["parent_header"].get("msg_id") == asked
                        and message["content"].get("execution_state") == "idle"
                    ):
                        self._handle_kernel_info_reply(await self.shell_channel.get_msg(timeout=1))
                        return
            except Empty:
                if not await self._async_is_alive():
                    raise RuntimeError("Kernel died before replying to kernel_info") from None
        raise RuntimeError("Kernel didn't respond in time")


class JailedKernelManager(AsyncKernelManager):
    """A manager whose kernels are always jailed forks, whatever kernel a submission's metadata asks for."""

    @property
    def kernel_spec(self) -> KernelSpec:
        return KernelSpec(argv=[], display_name="Python 3", language="python", interrupt_mode="signal")

    async def _async_request_shutdown(self, restart: bool = False) -> None:
        """Ask nothing of a kernel, end it: with its sockets broken, the request could wait for ever."""
        await self.provisioner.shutdown_requested(restart=restart)

    async def _async_pre_start_kernel(self, **keywords: Any) -> tuple[list[str], dict[str, Any]]:
        if self.provisioner is None:
            self.kernel_id = self.kernel_id or self.session.session
            self.provisioner = ForkProvisioner(
                kernel_id=self.kernel_id, kernel_spec=self.kernel_spec, parent=self
            )
        return await super()._async_pre_start_kernel(**keywords)


class ForkProvisioner(KernelProvisionerBase):
    """One kernel: a fork of the warm server in a jail; its supervisor is at the other end of `channel`."""

    jailed = Bool(True, help="Run notebooks in a jail.").tag(config=True)
    memory = Integer(Limits.memory, help="Bytes of memory for all processes of a notebook.").tag(config=True)
    processes = Integer(Limits.processes, help="Processes and threads of a notebook.").tag(config=True)
    scratch = Integer(Limits.scratch, help="Bytes of files that a notebook may write.").tag(config=True)
    seconds = Integer(Limits.seconds, help="Seconds after which a notebook is ended, whatever it does.").tag(
        config=True
    )

    channel: socket.socket | None = None
    pid: int | None = None
    exit_code: int | None = None
    reason: str | None = None
    cpu_seconds: float | None = None
    prefix: str = ""
    before: int = 0

    @property
    def has_process(self) -> bool:
        return self.channel is not None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        manager = self.parent
        if manager is None:
            raise RuntimeError("A forked kernel needs a kernel manager.")
        self.prefix = str(connection_folder() / f"k{next(_count)}")
        manager.transport, manager.ip, manager.connection_file = "ipc", self.prefix, f"{self.prefix}.json"
        for number, name in enumerate((*CHANNELS, "hb"), start=1):
            setattr(manager, f"{name}_port", number)
        manager.client_class = "coursegrader.sandbox.provisioner.BoundedClient"
        self.connection_info = manager.get_connection_info()
        kwargs.pop("extra_arguments", None)
        return {"cmd": [], "cwd": kwargs.get("cwd") or os.getcwd()}

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> dict[str, Any]:
        limits = Limits(
            memory=self.memory, scratch=self.scratch, processes=self.processes, seconds=self.seconds
        )
        listening = []
        try:
            for number in range(1, len(CHANNELS) + 1):
                one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                listening.append(one)
                one.bind(f"{self.prefix}-{number}")
                one.listen(16)
            jailed = self.jailed and not os.environ.get(ENVIRONMENT)
            self.exit_code, self.reason, self.before = None, None, resident()
            self.channel, self.pid = ForkServer.shared().launch(
                kwargs["cwd"], [one.fileno() for one in listening], self.parent.session.key, limits, jailed
            )
        finally:
            for one in listening:
                one.close()
        return self.connection_info

    async def poll(self) -> int | None:
        if self.channel is None:
            return self.exit_code if self.exit_code is not None else 0
        if resident() - self.before > GROWTH_BYTES:  # a message without an end never reaches BoundedChannel
            self.stop_for("output")
        try:
            message = self.channel.recv(1 << 12)
        except BlockingIOError:
            return None
        except OSError:
            message = b""
        ending = json.loads(message) if message else {}
        self.exit_code, self.reason = ending.get("exit", -signal.SIGKILL), self.reason or ending.get("reason")
        self.cpu_seconds = ending.get("cpu_seconds")
        self.channel.close()
        self.channel = None
        return self.exit_code

    async def wait(self) -> int | None:
        pause = 0.001
        while self.channel is not None and await self.poll() is None:
            await asyncio.sleep(pause)
            pause = min(0.1, pause * 1.5)
        return self.exit_code

    async def send_signal(self, signum: int) -> None:
        if self.channel is not None and signum:
            try:
                self.channel.send(str(int(signum)).encode())
            except OSError:
                pass

    def stop_for(self, reason: str) -> None:
        """End the kernel now, and remember why."""
        self.reason = self.reason or reason
        if self.channel is not None:
            try:
                self.channel.send(str(int(signal.SIGKILL)).encode())
            except OSError:
                pass

    async def kill(self, restart: bool = False) -> None:
        await self.send_signal(signal.SIGKILL)

    async def terminate(self, restart: bool = False) -> None:
        await self.send_signal(signal.SIGKILL)

    async def shutdown_requested(self, restart: bool = False) -> None:
        """A kernel that is not needed any more has nothing to put in order."""
        await self.kill()
        await self.wait()

    async def cleanup(self, restart: bool = False) -> None:
        if self.channel is not None:
            await self.kill()
            await self.wait()
        for path in Path(self.prefix).parent.glob(f"{Path(self.prefix).name}[-.]*"):
            path.unlink(missing_ok=True)


def resident() -> int:
    """Bytes of memory that this process holds."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@cache
def _connection_folder(owner: int) -> Path:
    base = Path(tempfile.gettempdir())
    sweep(base)
    folder = Path(tempfile.mkdtemp(prefix=f"coursegrader-{os.getuid()}-", dir=base))
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    # held for this process's life: a folder that can be locked is a leftover
    fcntl.flock(lock, fcntl.LOCK_EX)
    import atexit

    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(folder, ignore_errors=True))
    return folder


def connection_folder() -> Path:
    """This process's private folder: kernels' sockets, and what they run in."""
    return _connection_folder(os.getpid())


def sweep(base: Path, older_than: float = 60.0) -> None:
    """Remove killed graders' private folders; a young one may be of a grader that has not locked it yet."""
    for folder in base.glob(f"coursegrader-{os.getuid()}-*"):
        try:
            found = folder.lstat()
            if (
                not stat.S_ISDIR(found.st_mode)
                or found.st_uid != os.getuid()
                or time.time() - found.st_mtime < older_than
            ):
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(lock)
