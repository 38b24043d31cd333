"""Chapters as folders: what a section asks of its reader, the list of a chapter's sections, old addresses."""

import sys
from urllib.parse import urljoin

import pytest
from book.pages import CHAPTERS, MOVED, ROOT, SITE, names_in, soup
from book.visits import compressed
from docutils import nodes

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import sections

FOLDERS = {name: pages for name, pages in CHAPTERS.items() if len(pages) > 1}
SECTIONS = [page for pages in FOLDERS.values() for page in pages[1:]]


def cell(code, *classes):
    block = nodes.container(classes=["cell", *classes])
    block += nodes.container("", nodes.literal_block(code, code), classes=["cell_input"])
    block += nodes.container("", nodes.literal_block("a b c", "a b c"), classes=["cell_output"])
    return block


def test_prose_visible_code_figures_and_questions_are_counted():
    document = nodes.section("", nodes.title("", "Two words"), nodes.paragraph("", "three more words"))
    document += [cell("x = 1\n\ny = 2"), cell("hidden = 1", "tag_hide-input")]
    document += nodes.literal_block("", 'def f():\n    """One.\n\n    Two.\n    """\n    return 1')
    document += nodes.figure("", nodes.caption("", "a caption"))
    drawn = cell("plot()", "tag_hide-input")
    drawn += nodes.figure("", nodes.image(), nodes.caption("", "another caption"))
    document += drawn
    document += nodes.container(
        "", nodes.raw("", "<fieldset>"), nodes.paragraph("", "not prose"), classes=["quiz"]
    )
    assert sections.length_of(document) == sections.Length(
        words=7, lines=5, figures=2, questions=1, deeper=False
    )


@pytest.mark.parametrize(
    "length, told",
    [
        (sections.Length(2200, 40, 4, 2, False), []),
        (
            sections.Length(3600, 0, 0, 0, True),
            ["3600 words of prose, where at most 3500 are meant", "26 minutes, where at most 25 are meant"],
        ),
        (sections.Length(1500, 61, 4, 2, False), ["61 visible lines of code, where at most 60 are meant"]),
        (sections.Length(600, 10, 1, 2, False), ["7 minutes, where 8 to 25 are meant"]),
        (sections.Length(700, 10, 1, 2, True), []),
        (sections.Length(3400, 60, 12, 3, False), ["39 minutes, where 8 to 25 are meant"]),
    ],
)
def test_what_is_out_of_bounds_is_told_with_the_figure(length, told):
    assert length.excess() == told


@pytest.mark.site
@pytest.mark.parametrize("page", SECTIONS)
def test_a_section_says_how_long_it_is_everywhere_alike(page):
    said = soup(page).select_one("article .section-length").get_text()
    front = urljoin(page, "index.html")
    item = next(
        link.find_parent("li")
        for link in soup(front).select("article .sections a")
        if urljoin(front, link["href"]) == page
    )
    assert item.get_text().endswith(said)
    link = next(link for link in soup(front).select("nav.bd-links a") if urljoin(front, link["href"]) == page)
    assert link.select_one(".minutes").get_text().split()[0] == said.split()[0]


@pytest.mark.site
def test_the_core_is_counted():
    """The sum of what has been cut into sections so far stays within the core's nine hours."""
    minutes = {
        page: int(said.get_text().split()[0])
        for page in SECTIONS
        if "deeper" not in (said := soup(page).select_one(".section-length")).get_text()
    }
    print(*(f"{found:3} min  {page}" for page, found in minutes.items()), sep="\n")
    assert 0 < sum(minutes.values()) <= 9 * 60
    hours = f"{sum(minutes.values()) / 60:.1f}".removesuffix(".0")
    assert f"about {hours} h of reading" in soup("book/index.html").get_text()


@pytest.mark.site
def test_a_section_is_light_with_its_text_style_and_scripts():
    """Compressed, without figures and what the theme brings, which a reader loads once."""
    ours = sum(compressed(f"_static/{name}") for name in ("course.css", "course.js", "terms.js"))
    sizes = {page: compressed(page) + ours for page in SECTIONS}
    heaviest = max(sizes, key=sizes.get)
    assert sizes[heaviest] <= 60_000, f"{heaviest}: {sizes[heaviest]:,} bytes compressed"


@pytest.mark.site
@pytest.mark.browser
@pytest.mark.parametrize("page", MOVED)
def test_an_old_address_leads_to_where_its_paragraph_stands_now(page, address, browser):
    tab = browser.new_page()
    tab.set_default_timeout(120_000)
    front = page.replace(".html", "/index.html")
    tab.goto(address + page, wait_until="commit")
    tab.wait_for_url(address + front, wait_until="commit")
    pages = FOLDERS[page[5:-5]]
    for section in pages[1:]:
        own = names_in(section).difference(*(names_in(other) for other in pages if other != section))
        anchor = min(own)
        tab.goto(f"{address}{page}#{anchor}", wait_until="commit")
        tab.wait_for_url(f"{address}{section}#{anchor}", wait_until="commit")
    tab.close()
    assert (SITE / page).read_text(encoding="utf-8").count("http-equiv") == 1  # for readers without scripts


@pytest.mark.site
@pytest.mark.browser
def test_what_has_been_read_is_marked_in_this_browser_alone(address, browser):
    page = SECTIONS[0]
    with browser.new_context() as context:
        tab = context.new_page()
        tab.set_default_timeout(120_000)
        tab.goto(address + page)
        assert not tab.locator(".was-read").count()
        tab.locator(".quiz").scroll_into_view_if_needed()
        tab.locator(".was-read").wait_for(state="attached")
        tab.goto(address + SECTIONS[1])
        assert page.endswith(tab.locator(".was-read").get_attribute("href").split("/")[-1])
