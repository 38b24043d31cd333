"""Run what somebody wrote with a limit on time, memory and what it prints, and say what happened."""

from __future__ import annotations

import contextlib
import ctypes
import io
import signal
import sys
import threading
import time
import types

from allyouneed.check.stopped import owner, where_it_stopped
from allyouneed.check.surroundings import Surroundings

SECONDS = 2.0  # of processor time, so that a verdict does not depend on how busy the machine is
PATIENCE = 4  # a call may take this many times as long by the clock, for those that wait instead of computing
MEMORY = 2 * 2**30  # bytes more than before the call
TICK = 0.1  # seconds between two looks at the clock
IMPORTS = 5  # as many times the clock begins anew, because an import was under way
REFUSED = ("can't allocate memory", "not enough memory")  # by torch
TOO_MUCH = {"error": "OutOfMemory", "text": f"needs more than {MEMORY / 2**30:g} GiB of memory"}


def timeout(seconds: float) -> dict[str, str]:
    return {"error": "Timeout", "text": f"did not end within {seconds:g} seconds"}


class Stopped(BaseException):
    """Raised inside a call that needs too much; no Exception, so ``except Exception`` does not stop it."""


class _Sink(io.TextIOBase):
    """Takes what is printed and forgets it, so that a flood of output costs nothing."""

    def write(self, text: str) -> int:
        return len(text)

    def writable(self) -> bool:
        return True


class _Limit:
    """The time and the memory that what `code` calls has from now on; `reached` says what was too much."""

    def __init__(self, seconds: float, code: types.CodeType):
        self.seconds, self.restarts, self._code = seconds, IMPORTS, code
        self.reached: dict[str, str] | None = None
        self._memory = _memory()
        self._start()

    def _start(self) -> None:
        self._processor, self._clock = time.process_time(), time.monotonic()

    def stops(self, frame) -> bool:
        """Whether what runs in `frame` must stop now. Nothing outside the call does, and no import, which
        would leave half a module behind: time begins anew from there."""
        codes = set()
        while frame is not None and frame.f_code is not self._code:
            codes.add(frame.f_code)
            frame = frame.f_back
        if frame is None or trying.__exit__.__code__ in codes:
            return False
        late = (
            time.process_time() - self._processor >= self.seconds
            or time.monotonic() - self._clock >= PATIENCE * self.seconds
        )
        if late and self.restarts and any(map(_imports, codes)):
            self.restarts -= 1
            self._start()
        elif late:
            self.reached = timeout(self.seconds)
        elif _memory() - self._memory > MEMORY:
            self.reached = TOO_MUCH
        return self.reached is not None


def _imports(code: types.CodeType) -> bool:
    return code.co_filename == "<frozen importlib._bootstrap>"


def _memory() -> int:
    """The bytes that this process occupies, as far as that can be known; Jupyter's kernels can say it."""
    psutil = sys.modules.get("psutil")
    return psutil.Process().memory_info().rss if psutil else 0


def _call(function):
    return function()


@contextlib.contextmanager
def _kept_to(limit: _Limit):
    """Raise Stopped in what runs once the limit is reached, again and again until it has ended."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with _watchdog(limit):
            yield
        return

    def ring(signum, frame):
        if limit.stops(frame):
            raise Stopped

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _watchdog(limit: _Limit):
    """The same for systems without interval timers: another thread raises Stopped in this one."""
    target, done = threading.get_ident(), threading.Event()

    def watch():
        while not done.wait(TICK):
            if limit.stops(sys._current_frames().get(target)):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(target), ctypes.py_object(Stopped))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def run_bounded(function, seconds: float = SECONDS):
    """Call `function()` quietly; return ``(value, None)`` or ``(None, error)``, error a dict of texts: its
    type, what it says, and the student's own line where it stopped, with shapes."""
    limit = _Limit(seconds, _call.__code__)
    try:
        with contextlib.redirect_stdout(_Sink()), contextlib.redirect_stderr(_Sink()), _kept_to(limit):
            return _call(function), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if limit.reached:
            return None, limit.reached
        text = _text(error)
        if isinstance(error, MemoryError) or any(words in text for words in REFUSED):
            return None, TOO_MUCH
        return None, {"error": type(error).__name__, "text": text} | where_it_stopped(error)


class trying:
    """``with trying("softmax"):`` runs the lines below it, `seconds` long at most; where they stop because
    the exercises of these names are not written or not right yet, one sentence says so."""

    def __init__(self, *names: str, seconds: float = 20.0):
        self._names = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        self._seconds = seconds

    def __enter__(self) -> None:
        self._before = Surroundings(names=False)
        self._limit = _Limit(self._seconds, sys._getframe(1).f_code)
        self._guard = _kept_to(self._limit)
        self._guard.__enter__()

    def __exit__(self, kind, error, trace) -> bool:
        with contextlib.suppress(Stopped):  # from another thread it may come a moment late
            self._guard.__exit__(None, None, None)
        if not isinstance(error, (Exception, Stopped, SystemExit)):
            return False
        self._before.restore_settings()
        if pyplot := sys.modules.get("matplotlib.pyplot"):
            pyplot.close("all")  # half a figure
        if isinstance(error, NotImplementedError) and not _text(error):  # torch's own say something
            inner = owner(where_it_stopped(error).get("function", ""))
            print(f"Write {inner or self._names} first.")
        elif self._limit.reached:
            print(f"This {self._limit.reached['text']}, and was stopped. What does the check say?")
        else:
            said = " ".join(_text(error).split()) or "no text"
            print(f"This does not run yet: {type(error).__name__}: {said}. What does the check say?")
        return True


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:
        return ""
    return text if len(text) <= 300 else text[:300] + "…"
