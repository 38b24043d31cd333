"""The built site as the other forms of the book see it: its pages in order, a server for them, and a
browser."""

import contextlib
import functools
import http.server
import shutil
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# the first has no windows at all, and opens a page for less than half of what the others take
BROWSERS = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
PATIENCE = 300_000  # milliseconds; a long chapter on a busy machine


@dataclass
class Page:
    """One page of the side bar: its address in the site, its title there, the part that it stands in, and how
    deep."""

    path: str
    title: str
    part: str = ""
    depth: int = 0
    sections: list = field(default_factory=list)  # (level, heading, anchor)


def soup_of(site, path):
    return BeautifulSoup((Path(site) / path).read_text(encoding="utf-8"), "html.parser")


def heading(tag):
    """A heading's text, without the sign that links to it."""
    text = tag.get_text()
    return " ".join(text.removesuffix("#").split())


def pages_of(site):
    """The site's pages in the order of the side bar, the first page first."""
    menu = soup_of(site, "book/index.html").select_one("nav.bd-links")
    pages, part = [], ""
    for tag in menu.select("p.caption, li > a.reference.internal"):
        if tag.name == "p":
            part = tag.get_text(strip=True)
        else:
            path = (Path("book") / tag["href"]).as_posix() if tag["href"] != "#" else "book/index.html"
            depth = len(tag.find_parents("ul")) - 1
            pages.append(Page(path, " ".join(tag.get_text().split()), part, depth))
    return pages


def check_site(site):
    if not (Path(site) / "book" / "index.html").exists():
        sys.exit(f"There is no website in {site}. Build it first: make book")


@contextlib.contextmanager
def served(site):
    """The address of a server of the folder, on this machine alone."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=site)
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextlib.contextmanager
def chromium(*flags):
    """A browser without a window, with these flags besides the usual ones."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        sys.exit("No Chromium was found. On Debian or Ubuntu: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        yield browser
        browser.close()
