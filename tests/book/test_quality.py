"""What pages owe readers on paper, in search engines, to screen readers; `test_pages.py` asks a browser."""

import pytest
from book.pages import CONTENT, PAGES, SITE, soup
from book.visits import OPEN

pytestmark = pytest.mark.site


@pytest.mark.browser
@pytest.mark.parametrize(
    "page", [page for page in CONTENT if page != "book/index.html"][:3] + ["book/index.html"]
)
def test_a_page_prints_whole(page, address, browser):
    tab = browser.new_page()
    tab.set_default_timeout(120_000)
    tab.goto(address + page, wait_until="load")
    tab.evaluate(OPEN)
    tab.emulate_media(media="print")
    shown = tab.evaluate("getComputedStyle(document.querySelector('.bd-sidebar-primary')).display")
    pdf = tab.pdf(format="A4")
    tab.close()
    assert shown == "none" and pdf.startswith(b"%PDF") and len(pdf) > 20_000


@pytest.mark.parametrize("page", CONTENT)
def test_search_engines_and_screen_readers_are_told_what_a_page_is(page):
    document = soup(page)
    descriptions = [meta["content"] for meta in document.select('meta[name="description"]')]
    assert len(descriptions) == 1 and 50 <= len(descriptions[0]) <= 300, (
        f"{page} does not have one description, but: {descriptions}"
    )
    assert document.html["lang"] == "en" and document.title.text.strip()


@pytest.mark.parametrize("page", CONTENT)
def test_every_formula_can_be_read_aloud(page):
    silent = [
        str(formula)[:80] for formula in soup(page).select("article math") if not formula.get_text(strip=True)
    ]
    assert not silent


def test_icons_that_pages_show_are_in_the_font():
    """The font is cut to the icons in use; one that is missing would show as an empty box."""
    from fontTools.ttLib import TTFont

    font = TTFont(SITE / "_static" / "vendor" / "fontawesome" / "webfonts" / "fa-solid-900.woff2")
    style = (SITE / "_static" / "styles" / "pydata-sphinx-theme.css").read_text(encoding="utf-8")
    codes = set(font.getBestCmap())
    named = {
        name
        for page in PAGES
        for tag in soup(page).select("[class*=fa-]")
        for name in tag["class"]
        if name.startswith("fa-")
    }
    rules = {name: style.partition(f".{name}:before")[2].partition('content:"\\')[2][:4] for name in named}
    missing = [name for name, code in rules.items() if code and int(code, 16) not in codes]
    assert len(codes) < 60 and not missing and any(rules.values())
