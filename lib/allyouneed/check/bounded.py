"""Run somebody's function with a limit on time and on what it prints, and say what happened."""

from __future__ import annotations

import contextlib
import ctypes
import io
import signal
import threading
import time

SECONDS = 2.0


class OutOfTime(BaseException):
    """Raised inside a call that takes too long; not an Exception, so that ``except Exception`` does not stop it."""


class _Sink(io.TextIOBase):
    """Takes what is printed and forgets it, so that a flood of output costs nothing."""

    def write(self, text: str) -> int:
        return len(text)

    def writable(self) -> bool:
        return True


@contextlib.contextmanager
def time_limit(seconds: float = SECONDS):
    """Raise OutOfTime in the body after `seconds`, and again every tenth of a second until the body has ended."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with _watchdog(seconds):
            yield
        return

    def ring(signum, frame):
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


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
    """Call `function()` quietly; return ``(value, None)`` or ``(None, error)``, where `error` is a small dict of texts."""
    start = time.monotonic()
    try:
        with contextlib.redirect_stdout(_Sink()), contextlib.redirect_stderr(_Sink()), time_limit(seconds):
            return function(), None
    except OutOfTime:
        return None, {"error": "Timeout", "text": f"did not end within {seconds:g} seconds"}
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if time.monotonic() - start >= seconds:
            return None, {"error": "Timeout", "text": f"did not end within {seconds:g} seconds"}
        return None, {"error": type(error).__name__, "text": _text(error)}


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:
        return ""
    return text if len(text) <= 300 else text[:300] + "…"
