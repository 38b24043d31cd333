"""What a run of the tests costs, by folder: seconds on the clock, and with ``--cpu`` the processor's seconds
of the tests and of every process they start."""

import os
from collections import Counter

import psutil
import pytest


def spent() -> float:
    """The processor's seconds of this process, of its living descendants, and of those that have ended."""
    times = os.times()
    total = times.user + times.system + times.children_user + times.children_system
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
        except psutil.Error:
            pass  # it ended meanwhile, and counts as an ended one next time
    return total


class Costs:
    def __init__(self, measured: bool):
        self.measured, self.before = measured, spent() if measured else 0.0
        self.tests, self.seconds, self.cpu = Counter(), Counter(), Counter()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self):
        report = (yield).get_result()
        if self.measured:
            now = spent()
            # what a browser's own processes took is lost when it ends
            report.cpu, self.before = max(0.0, now - self.before), now

    def pytest_runtest_logreport(self, report):
        path = report.nodeid.partition("::")[0].split("/")
        folder = "/".join(path[: 1 if path[0] == "solutions" else 2])
        self.tests[folder] += report.when == "call"
        self.seconds[folder] += report.duration
        self.cpu[folder] += getattr(report, "cpu", 0.0)

    def pytest_terminal_summary(self, terminalreporter):
        if not self.seconds:
            return
        terminalreporter.section("time by folder")
        for folder, seconds in self.seconds.most_common():
            cpu = f"{self.cpu[folder]:8.0f} s of processors" if self.measured else ""
            terminalreporter.write_line(f"{seconds:8.0f} s{cpu}  {folder} ({self.tests[folder]} tests)")
