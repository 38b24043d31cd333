"""Run somebody's function with a limit on time and on what it prints, and say what happened."""

from __future__ import annotations

import contextlib
import ctypes
import io
import signal
import threading
import time

from allyouneed.check.stopped import where_it_stopped

SECONDS = 2.0  # of processor time, so that a verdict does not depend on how busy the machine is
PATIENCE = 4  # a call may take this many times as long by the clock, for those that wait instead of computing


class OutOfTime(BaseException):
    """Raised inside a call that takes too long; no Exception, so ``except Exception`` does not stop it."""


class _Sink(io.TextIOBase):
    """Takes what is printed and forgets it, so that a flood of output costs nothing."""

    def write(self, text: str) -> int:
        return len(text)

    def writable(self) -> bool:
        return True


@contextlib.contextmanager
def time_limit(seconds: float = SECONDS):
    """Raise OutOfTime in the body after `seconds` of processor time, then every 0.1 s until it has ended."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with _watchdog(seconds):
            yield
        return

    def ring(signum, frame):
        raise OutOfTime

    clocks = (
        (signal.ITIMER_PROF, signal.SIGPROF, seconds),
        (signal.ITIMER_REAL, signal.SIGALRM, PATIENCE * seconds),
    )
    before = [signal.signal(number, ring) for _, number, _ in clocks]
    for timer, _, limit in clocks:
        signal.setitimer(timer, limit, 0.1)
    try:
        yield
    finally:
        for (timer, number, _), handler in zip(clocks, before):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


@contextlib.contextmanager
def _watchdog(seconds: float):
    """The same for systems without interval timers: another thread raises OutOfTime in this one."""
    target, done = threading.get_ident(), threading.Event()

    def watch():
        if not done.wait(seconds):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(target), ctypes.py_object(OutOfTime))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(1.0)


def run_bounded(function, seconds: float = SECONDS):
    """Call `function()` quietly; return ``(value, None)`` or ``(None, error)``, error a dict of texts: its
    type, what it says, and the student's own line where it stopped, with shapes."""
    start = time.process_time(), time.monotonic()
    try:
        with contextlib.redirect_stdout(_Sink()), contextlib.redirect_stderr(_Sink()), time_limit(seconds):
            return function(), None
    except OutOfTime:
        return None, {"error": "Timeout", "text": f"did not end within {seconds:g} seconds"}
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if time.process_time() - start[0] >= seconds or time.monotonic() - start[1] >= PATIENCE * seconds:
            return None, {"error": "Timeout", "text": f"did not end within {seconds:g} seconds"}
        return None, {"error": type(error).__name__, "text": _text(error)} | where_it_stopped(error)


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:
        return ""
    return text if len(text) <= 300 else text[:300] + "…"
