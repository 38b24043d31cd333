"""Where notebooks run: in this process, in a pool of workers here, or on a cluster. One method, `submit`.

A job that ends its worker is given to another worker once; if that one ends too, the job's future holds the
error.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context, resource_tracker

from pebble import ProcessExpired, ProcessPool

from coursegrader.errors import UserError
from coursegrader.grading.worker import run
from coursegrader.sandbox.fork_client import ForkServer

JOB_SECONDS = 900  # far beyond a notebook's own limits: a worker that takes longer hangs
CONNECT_SECONDS = 20


class LocalPool:
    """One worker process a core, and one warm fork server for all of them."""

    def __init__(
        self,
        workers: int | None = None,
        work: Callable[[str], str] = run,
        seconds: float = JOB_SECONDS,
        server: ForkServer | None = None,
    ):
        self.width = workers or len(os.sched_getaffinity(0))
        self.work, self.seconds = work, seconds
        self._server = server or ForkServer()
        self._server.begin_once()
        self._pool = ProcessPool(
            self.width,
            initializer=_start_worker,
            initargs=(os.getpid(), self._server.control),
            context=get_context("spawn"),
        )
        # it starts its workers at the first task: they warm up while the first job is being made. Ctrl-C is
        # the grader's also while they import: they have this mask from the threads that start them
        resource_tracker.ensure_running()  # or the start of the first worker unblocks what is blocked here
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._pool.schedule(os.getpid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def submit(self, job: str) -> concurrent.futures.Future:
        """Run the job on a worker; the future gives its result, or the error after a second try."""
        promise: concurrent.futures.Future = concurrent.futures.Future()

        def hand_over(tries: int) -> None:
            self._pool.schedule(self.work, args=(job,), timeout=self.seconds).add_done_callback(
                lambda done: settle(done, tries)
            )

        def settle(done, tries: int) -> None:
            if done.cancelled():
                promise.cancel()
                return
            error = done.exception()
            if isinstance(error, (ProcessExpired, TimeoutError, concurrent.futures.TimeoutError)):
                if tries == 1:
                    with contextlib.suppress(RuntimeError):  # the pool is being stopped
                        return hand_over(2)
                error = WorkerLost(
                    f"the worker that ran it ended or hung, twice ({error or type(error).__name__})"
                )
            promise.set_exception(error) if error else promise.set_result(done.result())

        hand_over(1)
        return promise

    def stop(self) -> None:
        self._pool.stop()
        self._pool.join()
        self._server.stop()


class WorkerLost(Exception):
    """A job could not be done, because its worker was lost twice."""


def _start_worker(grader: int, control: socket.socket) -> None:
    """A worker's first act: see to it that it ends when the grader is gone, and know the fork server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what it starts gets no Ctrl-C either
    # but the signal by which a cell is interrupted: a fork server of this worker's own would hand the mask on
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def watch() -> None:
        while os.getppid() == grader:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    ForkServer.shared().borrow(control)


class Cluster:
    """The workers of a running ``dask.distributed`` scheduler; they need this package and the library."""

    def __init__(self, address: str):
        from distributed import Client

        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise UserError(
                f"There is no scheduler at {address}: {error}. Start one: dask scheduler; and "
                f"workers: dask worker {address} --nthreads 1 --nworkers -1."
            ) from error
        self._executor = self._client.get_executor(retries=1, pure=False)
        if not self.width:
            self.stop()
            raise UserError(
                f"The scheduler at {address} has no workers. Start some: dask worker "
                f"{address} --nthreads 1 --nworkers -1."
            )

    @property
    def width(self) -> int:
        """How many notebooks run at once, now: workers may come and go."""
        return sum(self._client.nthreads().values())

    def submit(self, job: str) -> concurrent.futures.Future:
        """Run the job on a worker; the scheduler gives it to another one when that worker is lost."""
        return self._executor.submit(run, job)

    def stop(self) -> None:
        if hasattr(self, "_executor"):
            self._executor.shutdown(wait=False)
        self._client.close()


@contextlib.contextmanager
def open_pool(
    scheduler: str | None = None, workers: int | None = None, server: ForkServer | None = None
) -> Iterator[LocalPool | Cluster]:
    """The cluster at `scheduler`, else a local pool of `workers` (default: one a core) with the fork server
    that has been begun, or its own; always stopped."""
    pool = Cluster(scheduler) if scheduler else LocalPool(workers, server=server)
    try:
        yield pool
    finally:
        pool.stop()
