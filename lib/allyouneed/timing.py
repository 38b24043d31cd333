"""Times that a page may quote: the best of several rounds, in processor seconds."""

import math
import time

__all__ = ["best_seconds"]

_SAMPLE, _ROUND = 0.0001, 0.01  # seconds that are measured at once, and of a way in each round, at least


def best_seconds(ways, rounds=5) -> dict[str, float]:
    """The least processor seconds of a call of each way: `ways` is a dict of functions without arguments.

    The ways take turns, so that a busy moment hits all alike, and a short one is called many times in its
    turn. Processor time does not count waiting for other programs; the least of many samples leaves out most
    of what they disturb otherwise.
    Raises ValueError where rounds is not positive.

    >>> times = best_seconds({"ten": lambda: sum(range(10)), "many": lambda: sum(range(100_000))})
    >>> times["ten"] < times["many"]
    True
    """
    if rounds < 1:
        raise ValueError(f"best_seconds: rounds must be positive, got {rounds}.")
    best, calls = dict.fromkeys(ways, math.inf), dict.fromkeys(ways, 1)
    for _ in range(rounds):
        for name, way in ways.items():
            spent = 0.0
            while spent < _ROUND:
                sample = _seconds(way, calls[name])
                best[name] = min(best[name], sample / calls[name])
                calls[name] = max(1, math.ceil(_SAMPLE / max(best[name], 1e-7)))
                spent += max(sample, 1e-5)
    return best


def _seconds(way, calls):
    started = time.process_time()
    for _ in range(calls):
        way()
    return time.process_time() - started
