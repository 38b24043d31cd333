"""The built site, opened page by page in a browser that can reach nothing but the site itself."""

import functools
import http.server
import re
import shutil
import threading
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup
from coursegrader.problemset import ProblemSet, all_problem_sets

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts)
CHAPTERS = [page for page in PAGES if re.fullmatch(r"book/\d\d-[a-z-]+\.html", page)]
CONTENT = [page for page in PAGES if page.startswith("book/")]

pytestmark = pytest.mark.browser


def soup(page):
    return BeautifulSoup((SITE / page).read_text(encoding="utf-8"), "html.parser")


@functools.cache
def names_in(page):
    return {tag[key] for tag in soup(page).find_all(True) for key in ("id", "name") if tag.get(key)}


@pytest.fixture(scope="module", autouse=True)
def built():
    assert (SITE / "book" / "index.html").exists(), f"There is no site in {SITE}: run 'make book' first."


@pytest.fixture(scope="module")
def address():
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "No Chromium was found. On Debian: apt-get install chromium"
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        browser.close()


def test_the_site_has_been_built():
    """Also here where no page gives a parameter: an empty site must not pass."""
    assert "book/03-attention.html" in PAGES, f"There is no chapter in {SITE}: run 'make book' first."


@pytest.mark.parametrize("page", PAGES)
def test_page_asks_no_other_host_and_reports_no_error(page, address, browser):
    context = browser.new_context()
    outside, trouble = [], []

    def guard(route):
        if route.request.url.startswith((address, "data:", "blob:")):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    context.route("**/*", guard)
    tab = context.new_page()
    tab.on("console", lambda message: message.type == "error" and trouble.append(f"console: {message.text}"))
    tab.on("pageerror", lambda error: trouble.append(f"script: {error}"))
    tab.on("requestfailed", lambda request: trouble.append(f"failed: {request.url}"))
    tab.on("response", lambda answer: answer.status >= 400 and trouble.append(f"{answer.status}: {answer.url}"))
    tab.goto(address + page, wait_until="load")
    if page == "index.html":  # sends the reader on
        tab.wait_for_url("**/book/index.html")
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true); window.scrollTo(0, document.body.scrollHeight)")
    tab.wait_for_load_state("networkidle")
    context.close()
    assert not outside, f"{page} asks other hosts: {outside}"
    assert not trouble, f"{page}: {trouble}"


@pytest.mark.parametrize("page", PAGES)
def test_internal_links_and_anchors_lead_somewhere(page):
    broken = []
    for link in soup(page).select("a[href]"):
        parts = urlsplit(urljoin(page, link["href"]))
        if parts.scheme or parts.netloc or link["href"].startswith("//"):
            continue
        target, anchor = unquote(parts.path) or page, unquote(parts.fragment)
        target = target + "index.html" if target.endswith("/") else target
        if not (SITE / target).is_file():
            broken.append(link["href"])
        elif anchor and target.endswith(".html") and anchor not in names_in(target):
            broken.append(link["href"])
    assert not broken, f"{page} links to nothing: {sorted(set(broken))}"


@pytest.mark.parametrize("page", CONTENT)
def test_images_say_what_they_show(page):
    silent = [image.get("src") for image in soup(page).select("article img") if len(image.get("alt", "")) < 20]
    assert not silent, f"{page}: images without an alternative text: {silent}"


@pytest.mark.parametrize("page", CONTENT)
def test_one_first_heading_and_no_level_skipped(page):
    headings = [int(tag.name[1]) for tag in soup(page).select("article h1, article h2, article h3, article h4")]
    assert headings[:1] == [1] and headings.count(1) == 1, f"{page}: headings {headings}"
    assert all(later - earlier <= 1 for earlier, later in zip(headings, headings[1:])), f"{page}: headings {headings}"


@pytest.mark.parametrize("page", CONTENT)
def test_every_formula_was_rendered_when_the_book_was_built(page):
    document = soup(page)
    assert not document.select("script[src*='mathjax' i], script[src*='katex' i]")
    for code in document.select("article pre, article code, article math"):
        code.decompose()
    left = re.findall(r"\$[^$\n]+\$|\\\(", document.select_one("article").get_text())
    assert not left, f"{page}: a formula was left as text: {left}"


@pytest.mark.parametrize("problem_set", [problem_set.name for problem_set in all_problem_sets(ROOT)])
def test_the_sections_that_feedback_links_to_are_there(problem_set):
    exercises = ProblemSet(ROOT, problem_set).exercises.values()
    wanted = {section for exercise in exercises for section in (exercise.section, *(section for _, section in exercise.mistakes.values()))}
    missing = wanted - names_in(f"book/{problem_set}.html")
    assert wanted and not missing, f"the grader's messages link to these sections of {problem_set}: {sorted(missing)}"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_numbers_were_glued_in_and_figures_drawn(chapter):
    page = soup(chapter)
    assert not page.select(".pasted-missing"), "a glued number is missing"
    assert len(page.select("article .figure, article figure")) >= 10


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_leads_to_its_problem_set(chapter):
    name = Path(chapter).stem
    if (ROOT / "notebooks" / name).is_dir():
        assert f"notebooks/{name}/{name}.ipynb" in soup(chapter).select_one("article").get_text()
