"""The built site behind a local server, and its figures in a browser."""

import functools
import http.server
import threading

import pytest
from book.pages import SITE


@pytest.fixture(scope="module")
def address():
    assert (SITE / "book" / "index.html").exists(), f"There is no site in {SITE}: run 'make book' first."

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=SITE)
    ) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def tab(address, browser):
    """A page of the site in which the figures' own functions can be called; see `book.figures.compute`."""
    context = browser.new_context()
    context.set_default_timeout(120_000)
    tab = context.new_page()
    tab.goto(address + "search.html")
    yield tab
    context.close()


@pytest.fixture
def figure(address, browser):
    """Open a page and give back one of its figures, once it is drawn."""
    contexts = []

    def open_figure(page, name, **options):
        contexts.append(browser.new_context(**options))
        contexts[-1].set_default_timeout(120_000)
        tab = contexts[-1].new_page()
        tab.goto(f"{address}book/{page}.html")
        tab.locator(f"ay-{name}").scroll_into_view_if_needed()
        tab.locator(f"ay-{name}[data-ready]").wait_for()
        return tab.locator(f"ay-{name}")

    yield open_figure
    for context in contexts:
        context.close()
