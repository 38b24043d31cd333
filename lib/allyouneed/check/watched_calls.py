"""Which ready-made functions are called while a candidate is asked, by whatever name."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import sys
import threading
import types
from cProfile import Profile

from allyouneed.check.rules import LIBRARIES, matches

# of sys, and of sys.monitoring, which watches from Python 3.12 on
UNWATCHING = ("setprofile", "settrace", "set_events", "set_local_events", "free_tool_id", "register_callback")
START = "<built-in method _thread.start_new_thread>"


class WatchedCalls:
    """``with calls: ...``, as often as wanted, watches what is called there by whatever name; `ready_made`
    tells afterwards which functions and layers of a library with a forbidden name these were.

    The standard library's profiler notes each function that is called, in C: a function of Python's own for
    each call (``sys.setprofile``) took up to half of the time of asking. From Python 3.12 on it sees all
    threads; before, each has a profiler of its own, from its first call.
    """

    def __init__(self, forbidden: set[str]) -> None:
        self.forbidden = forbidden
        self._noted = Profile(subcalls=False)
        self._in_threads: list[Profile] = []

    def __enter__(self) -> None:
        monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on: there can be one profiler
        if monitoring and monitoring.get_tool(monitoring.PROFILER_ID):
            monitoring.free_tool_id(monitoring.PROFILER_ID)
        self._noted.enable()
        if not monitoring:
            threading.setprofile(self._watch_thread)

    def _watch_thread(self, *event: object) -> None:
        self._in_threads.append(Profile(subcalls=False))
        self._in_threads[-1].enable()  # in place of this function

    def __exit__(self, *error: object) -> None:
        if not hasattr(sys, "monitoring"):
            threading.setprofile(None)  # type: ignore[arg-type]
        with contextlib.suppress(MemoryError, ValueError):  # where the student's code has left nothing to end
            self._noted.disable()

    def ready_made(self) -> set[str]:
        """The full names of what was called."""
        noted = [entry for profile in (self._noted, *self._in_threads) for entry in profile.getstats()]
        started = sum(entry.callcount for entry in noted if entry.code is threading.Thread.start.__code__)
        threads = sum(entry.callcount for entry in noted if str(entry.code) == START)
        unseen = {"_thread.start_new_thread"} if threads > started else set()
        return unseen | set(filter(None, (self._found(entry.code) for entry in noted)))

    def _found(self, code: types.CodeType | str) -> str | None:
        if isinstance(code, str):  # a function written in C, in words, or the method that stands for it
            written = re.match(r"<(?:(?:built-in )?method|function) '?([\w.:<>]+?)(?:'| at |>$| of )", code)
            last = re.split(r"\.|::", written[1])[-1] if written else ""
            if last in UNWATCHING or "'enable' of '_lsprof.Profiler'" in code:
                return f"sys.{last}"
            package = re.search(r" of '(\w+)\.", code)
            if package and package[1] in self.forbidden:
                return f"{package[1]}.{last}"
            return f"torch.{last}" if matches(last, self.forbidden) else None
        owner, _, name = code.co_qualname.rpartition(".")
        layer = owner.rpartition(".")[2] if name in ("__init__", "forward", "step") else ""
        if not matches(name, self.forbidden) and layer not in self.forbidden:
            return None
        module = _module_of(code)
        if not module or not code.co_flags & inspect.CO_OPTIMIZED:
            return None  # the student's own, or the body of a class, which runs when its module is imported
        if layer in self.forbidden and module.startswith(("torch.nn.", "allyouneed.")):
            return f"{'torch.nn' if module.startswith('torch') else module}.{layer}"
        return f"{module}.{name}" if matches(name, self.forbidden) else None


def _module_of(code: types.CodeType) -> str:
    """The module of a library that code stands in, or ""."""
    for library in filter(None, map(sys.modules.get, LIBRARIES)):
        for folder in getattr(library, "__path__", ()):
            if code.co_filename.startswith(folder + os.sep):
                path = code.co_filename.removeprefix(folder).removesuffix(".py").removesuffix("__init__")
                return library.__name__ + path.rstrip(os.sep).replace(os.sep, ".")
    return ""
