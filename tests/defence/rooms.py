"""The browser room as students and their instructor use it."""

import asyncio
import http.client
import signal
import subprocess
import threading
from contextlib import contextmanager

from commands import BIN
from journeys.servers import free_port

from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.room import Room, serve


@contextmanager
def opened(course: ProblemSet, papers: dict, minutes: float = 10):
    """The room in a thread of this process: its port, and each student's code."""
    port, ready, codes, stop = free_port(), threading.Event(), {}, []

    def run():
        async def hold():
            room = Room(course, papers, {})
            codes.update(room.sittings.admit(sorted(papers), minutes, {}))
            task = asyncio.ensure_future(serve(room, "127.0.0.1", port, ready.set))
            stop.append((asyncio.get_running_loop(), task))
            await asyncio.wait([task])

        asyncio.run(hold())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield port, codes
    finally:
        loop, task = stop[0]
        loop.call_soon_threadsafe(task.cancel)
        thread.join(20)


def ask(port: int, method: str, path: str, body: str = "", **headers):
    """Status, headers and text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body, headers)
    reply = connection.getresponse()
    with reply:
        return reply.status, reply.headers, reply.read().decode()


def begun(port: int, code: str) -> str:
    """Enter with a code and begin: the cookie."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    cookie = ask(port, "POST", "/enter", f"code={code}", **form)[1]["Set-Cookie"].split(";")[0]
    ask(port, "POST", "/begin", Cookie=cookie)
    return cookie


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
    page.locator("fieldset:enabled").first.wait_for()
