"""Real servers and a real browser for the journeys: each server has a free port and a folder of its own, and
is stopped at the end."""

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from urllib.parse import quote
from uuid import uuid4

import nbformat
from commands import BIN

TOKEN = "journey"
PATIENCE = 180  # seconds for a server to come up; a loaded machine needs many
WAIT = 120_000  # milliseconds for one step in the browser


@dataclass(frozen=True)
class Server:
    """A server that answers at `url`, which ends with a slash; its output goes to the file `log`."""

    url: str
    log: Path

    def lab(self, path: str = "") -> str:
        """The address of JupyterLab in a new, empty workspace, with the file `path` open if one is named.

        (`?reset` empties a workspace too, but then loads the page once more, at some moment after it could be
        used.)
        """
        tree = f"/tree/{quote(path)}" if path else ""
        return f"{self.url}lab/workspaces/{uuid4().hex}{tree}?token={TOKEN}"

    def status(self, path: str) -> int:
        """The status with which the server answers to a signed-in request for `path`."""
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"token {TOKEN}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code


# above them are those that the system gives to clients
PORTS = iter(range(20_000 + os.getpid() % 1_000 * 12, 32_768))
TAKEN = []  # locks on this process's ports, which other tests' processes then leave alone


def free_port() -> int:
    """A port that is free now and will not be given to another program that only connects somewhere."""
    for port in PORTS:
        with socket.socket() as place:
            try:
                place.bind(("127.0.0.1", port))
                TAKEN.append(open(Path(gettempdir(), f"test-port-{port}.lock"), "w"))
                fcntl.flock(TAKEN[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
                return port
            except OSError:
                continue
    raise OSError("No port is free.")


def jupyter_environment(folder: Path, nbgrader: str = "") -> dict[str, str]:
    """Variables by which Jupyter keeps all of a person's in `folder`; `nbgrader`: their nbgrader_config.py.

    No browser is opened, and every cell of a notebook is in the page, also far below what the window shows.
    """
    config, settings = folder / "config", folder / "lab-settings"
    places = {
        "JUPYTER_CONFIG_DIR": config,
        "JUPYTER_DATA_DIR": folder / "data",
        "JUPYTER_RUNTIME_DIR": folder / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": settings,
        "JUPYTERLAB_WORKSPACES_DIR": folder / "workspaces",
        "IPYTHONDIR": folder / "ipython",
    }
    for place in places.values():
        place.mkdir(parents=True, exist_ok=True)
    (config / "jupyter_server_config.json").write_text(
        json.dumps({"ServerApp": {"open_browser": False}}), encoding="utf-8"
    )
    if nbgrader:
        (config / "nbgrader_config.py").write_text(
            f"c = get_config()  # noqa: F821\n{nbgrader}", encoding="utf-8"
        )
    tracker = settings / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
    tracker.parent.mkdir(parents=True, exist_ok=True)
    tracker.write_text(json.dumps({"windowingMode": "none"}), encoding="utf-8")
    return {name: str(place) for name, place in places.items()} | {
        "JUPYTER_TOKEN": TOKEN,
        "OMP_NUM_THREADS": "1",
        "PATH": f"{BIN}:{os.environ['PATH']}",
    }


@contextmanager
def running(
    arguments,
    log: Path,
    url: str | None = None,
    cwd: Path | None = None,
    environment: dict[str, str] | None = None,
):
    """Run a server inside the `with`, yielded once it answers; without `url`, at the address it prints."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*map(str, arguments)],
            cwd=cwd,
            env=os.environ | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield Server(_answering(process, log, url), log)
    finally:
        _stop(process)


@contextmanager
def jupyter_lab(folder: Path, person: dict[str, str], log: Path):
    """JupyterLab in `folder` with the variables `person`, as for somebody who types `jupyter lab` there."""
    port = free_port()
    root = ["--allow-root"] if os.geteuid() == 0 else []
    with running(
        [BIN / "jupyter", "lab", "--port", port, "--ServerApp.port_retries=0", *root],
        log,
        f"http://127.0.0.1:{port}/",
        folder,
        person,
    ) as server:
        yield server


def _answering(process, log: Path, url: str | None) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        said = log.read_text(encoding="utf-8", errors="replace")
        assert process.poll() is None, f"The server ended by itself with code {process.returncode}:\n{said}"
        place = url or next(
            (match[0] for match in re.finditer(r"http://(?:127\.0\.0\.1|localhost):\d+/", said)), None
        )
        if place is not None:
            try:
                urllib.request.urlopen(place, timeout=30).close()
                return place
            except urllib.error.HTTPError:
                return place  # it answers, though with a refusal
            except OSError:
                pass
        time.sleep(0.2)
    raise AssertionError(
        f"No answer after {PATIENCE} seconds:\n{log.read_text(encoding='utf-8', errors='replace')}"
    )


def _stop(process) -> None:
    """End the server and what it started, gently at first."""
    for number, patience in ((signal.SIGTERM, 30), (signal.SIGKILL, 10)):
        until = time.monotonic() + patience
        try:
            os.killpg(process.pid, number)
            while time.monotonic() < until:
                process.poll()
                os.killpg(process.pid, 0)
                time.sleep(0.1)
        except (ProcessLookupError, PermissionError):
            break
    process.wait(30)


class Notebook:
    """A notebook open in JupyterLab, seen through the browser's page. Cells go by their ids in the file."""

    def __init__(self, page, file: Path):
        self.page, self.file = page, file
        self.ids = [cell.id for cell in nbformat.read(file, as_version=4).cells]
        self.panel = page.locator(".jp-NotebookPanel:visible")
        self.panel.wait_for(timeout=WAIT)
        page.wait_for_function(
            "n => document.querySelectorAll('.jp-NotebookPanel .jp-Cell').length >= n",
            arg=len(self.ids),
            timeout=WAIT,
        )
        self.wait_for_kernel()

    def wait_for_kernel(self) -> None:
        """Wait until the status bar says that a kernel is there and idle; what runs before that is lost."""
        self.page.locator("#jp-main-statusbar").get_by_text(re.compile(r"\| Idle$")).first.wait_for(
            timeout=WAIT
        )

    def cell(self, name: str):
        return self.panel.locator(".jp-Notebook .jp-Cell").nth(self.ids.index(name))

    def write(self, name: str, text: str) -> None:
        """Replace what stands in the cell, as somebody does who selects all and pastes."""
        editor = self.cell(name).locator(".cm-content")
        editor.click()
        self.page.keyboard.press("Control+A")
        editor.evaluate(
            """(node, text) => { const data = new DataTransfer(); data.setData("text/plain", text);
            const how = {clipboardData: data, bubbles: true, cancelable: true};
            node.dispatchEvent(new ClipboardEvent("paste", how)); }""",
            text,
        )

    def run(self, name: str) -> str:
        """Run the cell with the keyboard, wait until it is done, and return the text of its output."""
        cell = self.cell(name)
        handle = cell.locator(".jp-InputPrompt").element_handle()
        before = handle.inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function(
            ("([node, before]) => /\\[\\d+\\]/.test(node.innerText) && node.innerText !== before"),
            arg=[handle, before],
            timeout=WAIT,
        )
        self.wait_for_kernel()
        return self.output(name)

    def output(self, name: str) -> str:
        """The text of what the cell has put out."""
        return "\n".join(self.cell(name).locator(".jp-OutputArea-output").all_inner_texts())

    def wait_for_output(self, name: str) -> None:
        """Wait until a cell that somebody has set going has put something out."""
        self.cell(name).locator(".jp-OutputArea-output").first.wait_for(state="attached", timeout=WAIT)

    def save(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Control+S")
        self.page.wait_for_function(
            ("() => !document.querySelector('#jp-main-dock-panel .lm-TabBar-tab.jp-mod-dirty')"), timeout=WAIT
        )


def open_lab(page, server: Server, path: str = "") -> list[str]:
    """Open JupyterLab and wait for it; the list returned will hold the page's requests to other machines."""
    elsewhere = []
    page.on(
        "request",
        lambda request: (
            elsewhere.append(request.url)
            if not request.url.startswith((server.url, "data:", "blob:", "ws://127.0.0.1"))
            else None
        ),
    )
    page.goto(server.lab(path), wait_until="domcontentloaded", timeout=WAIT)
    page.locator("#jp-main-dock-panel").wait_for(timeout=WAIT)
    page.locator("#jupyterlab-splash").wait_for(state="detached", timeout=WAIT)
    return elsewhere


def open_own_lab(page, hub: Server, name: str) -> None:
    """Wait for JupyterLab of this user of a hub, who has signed in."""
    page.wait_for_url(re.compile(re.escape(f"{hub.url}user/{name}/lab")), timeout=2 * WAIT)
    page.locator("#jp-main-dock-panel").wait_for(timeout=2 * WAIT)
    page.locator("#jupyterlab-splash").wait_for(state="detached")


def nbgrader_menu(page) -> list[str]:
    """Open the menu Nbgrader, and return what it offers."""
    page.locator(".lm-MenuBar-item", has_text="Nbgrader").click(timeout=WAIT)
    page.locator(".lm-Menu-content").wait_for(timeout=WAIT)
    return [
        text.strip()
        for text in page.locator(
            ".lm-Menu-content .lm-Menu-item:visible .lm-Menu-itemLabel"
        ).all_inner_texts()
        if text.strip()
    ]


def choose(page, item: str) -> None:
    """Choose an item of the menu that is open."""
    page.locator(".lm-Menu-content .lm-Menu-item", has_text=re.compile(f"^{re.escape(item)}$")).click(
        timeout=WAIT
    )


def run_all(page) -> None:
    """Run all cells of the notebook that is open, by the menu."""
    page.locator(".lm-MenuBar-item", has_text=re.compile("^Run$")).click(timeout=WAIT)
    choose(page, "Run All Cells")


def picture(page, name: str) -> None:
    """Keep a picture of the page, if the variable JOURNEY_PICTURES names a folder for them."""
    if folder := os.environ.get("JOURNEY_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")
