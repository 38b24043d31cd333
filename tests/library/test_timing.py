"""Timing takes the best of fair rounds."""

import pytest

from allyouneed import timing
from allyouneed.timing import best_seconds


@pytest.fixture
def clock(monkeypatch):
    """A clock that only moves when a way says so."""

    class Clock:
        now = 0.0

        def process_time(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(timing, "time", clock)
    return clock


def way(clock, name, durations, called):
    rest = iter(durations)

    def call():
        called.append(name)
        clock.now += next(rest)

    return call


def test_the_best_of_the_rounds_counts_and_ways_take_turns(clock):
    called = []
    times = best_seconds(
        {"a": way(clock, "a", (5.0, 2.0, 3.0), called), "b": way(clock, "b", (1.0, 4.0, 0.5), called)},
        rounds=3,
    )
    assert times == {"a": 2.0, "b": 0.5}
    assert called == ["a", "b"] * 3


def test_a_short_way_is_called_often_and_its_best_sample_counts(clock):
    called = []
    times = best_seconds({"short": way(clock, "short", (0.009, *[0.002] * 20), called)}, rounds=2)
    assert times["short"] == pytest.approx(0.002)
    assert len(called) == 2 + 5  # 9 and 2 ms, then five times 2 ms


def test_calls_too_short_for_the_clock_are_measured_together(clock):
    called = []
    times = best_seconds({"tiny": way(clock, "tiny", [0.00001] * 5000, called)}, rounds=1)
    assert times["tiny"] == pytest.approx(0.00001)
    assert len(called) == pytest.approx(1000, rel=0.02)


def test_rounds_must_be_positive():
    with pytest.raises(ValueError, match="rounds must be positive"):
        best_seconds({"a": int}, rounds=0)
