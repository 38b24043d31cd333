"""Every page, opened in a browser that can reach nothing but this machine: it asks for nothing else, breaks
nowhere, and can be read in every mode."""

import pytest
from book.pages import CONTENT, MOVED, PAGES, SITE, each_on_one_worker
from book.visits import OPEN, compressed, violations_in_all_modes, violations_in_code, visit
from playwright.sync_api import Error

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.slow]
MAX_COMPRESSED = 250_000  # of a page without its own figures
MAX_DATA = 150_000  # of a figure that asks for it as the page is read; a model comes at a click


@pytest.fixture(scope="module")
def visited(address, browser):
    """What a visit of the page gave; the tests that ask for the same page share one visit. Where the browser
    itself ends during a visit, a second visit shows whether the page is the reason."""
    kept = {}

    def visit_once(page):
        if page not in kept:
            try:
                kept[page] = visit(browser, address, page)
            except Error:
                if browser.is_connected():
                    raise
                kept[page] = visit(browser, address, page)
        return kept[page]

    return visit_once


@pytest.mark.parametrize("page", each_on_one_worker(PAGES))
def test_page_asks_no_other_host_and_reports_no_error(page, visited):
    seen = visited(page)
    assert not seen.outside, f"{page} asks other hosts: {seen.outside}"
    assert not seen.trouble, f"{page}: {seen.trouble}"


@pytest.mark.parametrize("page", each_on_one_worker(CONTENT))
def test_axe_finds_nothing_in_any_mode(page, visited):
    """Coloured code is left to a test below: its thousands of words have the same few colours on every page.
    Of a long table or list the first entries are looked at."""
    found = visited(page).violations
    assert not found, "\n".join([page, *found])


@pytest.mark.parametrize("page", each_on_one_worker(CONTENT))
def test_a_narrow_page_does_not_scroll_sideways(page, visited):
    wide = visited(page).wide
    assert max(wide.values()) <= 1, f"{page}: pixels beyond the window, by its width: {wide}"


@pytest.mark.parametrize("page", each_on_one_worker(CONTENT))
def test_a_page_is_light_without_its_own_figures(page, visited):
    sizes = visited(page).sizes
    assert page in sizes and any(file.endswith(".css") for file in sizes)
    total, largest = sum(sizes.values()), sorted(sizes.items(), key=lambda item: -item[1])[:6]
    assert total <= MAX_COMPRESSED, f"{page}: {total / 1000:.0f} KB compressed; the largest: {largest}"


def test_the_data_that_a_figure_loads_unasked_are_light():
    sizes = {path.name: compressed(f"figures/{path.name}") for path in (SITE / "figures").glob("*.json")}
    assert sizes and max(sizes.values()) <= MAX_DATA, sizes


def test_the_site_holds_the_pages_of_the_table_of_contents_and_no_others():
    found = {
        path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts
    }
    assert found == {*PAGES, *MOVED}


def test_axe_finds_nothing_in_code_and_formulas(address, browser):
    with browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as context:
        context.set_default_timeout(120_000)
        tab = context.new_page()
        tab.goto(address + "book/03-attention/formula.html", wait_until="load")
        tab.evaluate(OPEN)
        found = violations_in_code(tab)
    assert not found, found


ILL = """<html lang="en" data-theme="light"><title>Ill</title><style>
.narrow { display: none }
.dark { color: #fff; background: #000 }
pre { width: 600px; overflow: auto }
[data-theme=dark] .pale-in-the-dark { color: #333; background: #222 }
@media (width < 500px) {
  pre { width: 60px } .narrow { display: block }
  [data-theme=light] .pale { color: #ccc } [data-theme=dark] .dark { background: #eee }
}
</style><body><main><h1>One</h1>
<img src="data:,"><p style="color: #ccc">pale</p><p class="pale-in-the-dark">pale in the dark</p>
<p class="narrow pale">pale in a narrow window</p>
<p class="dark">pale in a dark and narrow window</p><input class="narrow" type="text">
<pre tabindex="-1">a line of code that is wide</pre></main></body></html>"""
ILLS = {
    "light 1280: image-alt",
    "light 1280: color-contrast",
    "dark 1280: color-contrast",
    "light 390: color-contrast",
    "dark 390: color-contrast",
    "light 390: label",
    "light 390: scrollable-region-focusable",
}


def test_axe_finds_pale_words_in_code(browser):
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        tab = context.new_page()
        tab.set_default_timeout(120_000)
        tab.set_content(
            "<html lang='en'><title>Code</title><style>i { color: #000 } [data-theme=dark] b "
            "{ color: #ddd }</style><body><main><h1>One</h1><div "
            "class='highlight'><pre><i>for</i> <i>in</i> <b>first</b> "
            "<b>second</b></pre></div></main></body></html>"
        )
        found = violations_in_code(tab)
    assert [item.split(" at ")[0] for item in found] == ["dark: color-contrast"] and "(1 places)" in found[0]


def test_axe_finds_what_is_wrong_in_each_mode(browser):
    with browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as context:
        context.set_default_timeout(120_000)
        tab = context.new_page()
        tab.set_content(ILL)
        found = {item.split(" at ")[0]: item for item in violations_in_all_modes(tab)}
    assert ILLS <= set(found), found
    assert not {"light 1280: label", "light 1280: scrollable-region-focusable"} & set(found), (
        "these show in a narrow window alone"
    )
    assert (
        "(1 places)" in found["light 390: color-contrast"]
        and "(1 places)" in found["dark 390: color-contrast"]
    ), "what looks as before is not looked at again"
