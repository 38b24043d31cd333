"""The browser room as students and their instructor use it."""

import signal
import subprocess
from contextlib import contextmanager

from commands import BIN

from coursegrader.course.problem_set import ProblemSet


@contextmanager
def serving(course: ProblemSet, port: int, *options):
    """The room while it is open; then its server is killed."""
    arguments = ["defend-serve", course.name, "--address", "127.0.0.1", "--port", port, *options]
    process = subprocess.Popen(
        [str(BIN / "coursegrader"), *map(str, arguments)], cwd=course.root, stdout=subprocess.PIPE, text=True
    )
    try:
        assert any("http://" in line for line in process.stdout)
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(30)
        process.stdout.close()


def codes(course: ProblemSet) -> dict[str, str]:
    """Each student's one-time code."""
    lines = (course.root / "reports" / course.name / "defence" / "codes.csv").read_text().split()
    return dict(line.split(",") for line in lines[1:])


def enter(page, url: str, code: str) -> None:
    """Enter with a code, by the keys, and begin."""
    page.goto(url)
    page.get_by_label("Your code").fill(code)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Begin").focus()
    page.keyboard.press("Enter")
    page.locator("fieldset").first.wait_for()
