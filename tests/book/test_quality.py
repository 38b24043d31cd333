"""What every page owes its readers: light, dark, wide, narrow, enlarged, printed, by keyboard and by screen reader."""

import gzip

import pytest
from axe_playwright_python.sync_playwright import Axe
from book.pages import CONTENT, PAGES, SITE, soup

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDTHS = (1280, 390)
SETTLED = 500  # ms after a change of width: by then the theme has let the keyboard reach what scrolls now (it waits 300)
MAX_COMPRESSED = 250_000  # of a page without its own figures
ROWS = 30  # of a table or a list, for axe: a certified page has hundreds of entries that one line of code writes
READABLE = (".html", ".css", ".js", ".json", ".svg", "/")


def open_page(browser, url, theme="light", width=1280):
    """A tab that shows the page in this theme, `width` pixels wide, with everything that folds opened."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
    context.set_default_timeout(120_000)
    context.add_init_script(f"localStorage.setItem('mode', '{theme}'); localStorage.setItem('theme', '{theme}')")
    tab = context.new_page()
    tab.goto(url, wait_until="load")
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    return tab


def violations(tab, outside=()):
    """What axe-core finds on the page, outside of the elements that the selectors name."""
    context = {"exclude": [[selector] for selector in outside]} if outside else None
    found = Axe().run(tab, context, {"resultTypes": ["violations"]}).response["violations"]
    return [f"{item['id']} at {item['nodes'][0]['target']} ({len(item['nodes'])} places)" for item in found]


@pytest.mark.parametrize("page", CONTENT)
def test_axe_finds_nothing_in_any_mode(page, address, browser):
    """Coloured code is left to the next test: its thousands of words have the same few colours on every page. Of a long table or list the first entries are looked at."""
    found = []
    for theme in ("light", "dark"):
        tab = open_page(browser, address + page, theme, WIDTHS[0])
        assert tab.evaluate("document.documentElement.dataset.theme") == theme
        tab.evaluate("rows => document.querySelectorAll('tbody, dl').forEach(body => [...body.children].slice(rows).forEach(row => row.remove()))", ROWS)
        for width in WIDTHS:
            tab.set_viewport_size({"width": width, "height": 900})
            tab.wait_for_timeout(SETTLED)
            found += [f"{theme} {width}: {item}" for item in violations(tab, [".highlight", "math"])]
        tab.context.close()
    assert not found, "\n".join([page, *found])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_code_and_formulas(theme, address, browser):
    tab = open_page(browser, address + "book/03-attention.html", theme)
    found = violations(tab)
    tab.context.close()
    assert not found, found


def test_axe_finds_what_is_wrong(browser):
    tab = browser.new_page()
    tab.set_default_timeout(120_000)
    tab.set_content("<html><body><img src='x.png'><p style='color:#ccc;background:#fff'>pale</p></body></html>")
    assert {"image-alt", "color-contrast"} <= {item.split()[0] for item in violations(tab)}
    tab.close()


@pytest.mark.parametrize("page", CONTENT)
def test_a_narrow_page_does_not_scroll_sideways(page, address, browser):
    tab, wide = open_page(browser, address + page, width=390), {}
    for width in (390, 640):  # a phone; 1280 pixels enlarged to 200 %
        tab.set_viewport_size({"width": width, "height": 900})
        wide[width] = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    tab.context.close()
    assert max(wide.values()) <= 1, f"{page}: pixels beyond the window, by its width: {wide}"


@pytest.mark.parametrize("page", CONTENT)
def test_a_page_is_light_without_its_own_figures(page, address, browser):
    context, sizes = browser.new_context(), {}
    context.set_default_timeout(120_000)

    def add(response):
        url = response.url.split("?")[0]
        if url.startswith(address) and "/_images/" not in url:
            body = response.body()
            sizes[url.removeprefix(address)] = len(gzip.compress(body)) if url.endswith(READABLE) else len(body)

    tab = context.new_page()
    tab.on("response", add)
    tab.goto(address + page)
    context.close()
    total, largest = sum(sizes.values()), sorted(sizes.items(), key=lambda item: -item[1])[:6]
    assert total <= MAX_COMPRESSED, f"{page}: {total / 1000:.0f} KB compressed; the largest: {largest}"


@pytest.mark.parametrize("page", [page for page in CONTENT if page != "book/index.html"][:3] + ["book/index.html"])
def test_a_page_prints_whole(page, address, browser):
    tab = open_page(browser, address + page)
    tab.emulate_media(media="print")
    shown = tab.evaluate("getComputedStyle(document.querySelector('.bd-sidebar-primary')).display")
    pdf = tab.pdf(format="A4")
    tab.context.close()
    assert shown == "none" and pdf.startswith(b"%PDF") and len(pdf) > 20_000


@pytest.mark.parametrize("page", CONTENT)
def test_search_engines_and_screen_readers_are_told_what_a_page_is(page):
    document = soup(page)
    descriptions = [meta["content"] for meta in document.select('meta[name="description"]')]
    assert len(descriptions) == 1 and 50 <= len(descriptions[0]) <= 300, f"{page} does not have one description, but: {descriptions}"
    assert document.html["lang"] == "en" and document.title.text.strip()


@pytest.mark.parametrize("page", CONTENT)
def test_every_formula_can_be_read_aloud(page):
    silent = [str(formula)[:80] for formula in soup(page).select("article math") if not formula.get_text(strip=True)]
    assert not silent


def test_icons_that_pages_show_are_in_the_font():
    """The font is cut to the icons in use; one that is missing would show as an empty box."""
    from fontTools.ttLib import TTFont

    font = TTFont(SITE / "_static" / "vendor" / "fontawesome" / "webfonts" / "fa-solid-900.woff2")
    style = (SITE / "_static" / "styles" / "pydata-sphinx-theme.css").read_text(encoding="utf-8")
    codes = set(font.getBestCmap())
    named = {name for page in PAGES for tag in soup(page).select("[class*=fa-]") for name in tag["class"] if name.startswith("fa-")}
    rules = {name: style.partition(f".{name}:before")[2].partition('content:"\\')[2][:4] for name in named}
    missing = [name for name, code in rules.items() if code and int(code, 16) not in codes]
    assert len(codes) < 60 and not missing and any(rules.values())
