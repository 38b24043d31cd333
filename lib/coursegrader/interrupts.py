"""Ctrl-C that cannot get lost, and an end that leaves nothing half done.

Python raises KeyboardInterrupt wherever it happens to be. nbgrader's `capture_log` catches it like a fault of
the submission, and one that comes while an object is cleared away is printed and dropped. Grading would go
on, as if nobody had asked.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def interrupts_remembered() -> Iterator[threading.Event]:
    """Raise KeyboardInterrupt as Python does, and set the event: it tells that somebody has asked to stop.

    A handler that somebody else has set, or a signal that is ignored, stays as it is, and so does a thread
    that is not the main one.
    """
    asked = threading.Event()
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield asked
        return

    def remember(number, frame):
        asked.set()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, remember)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """SIGTERM ends what runs within it as an exception does, so that it leaves nothing half done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
