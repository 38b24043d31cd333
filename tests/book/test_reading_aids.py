"""Glossary words that show their definition, and what links to a page."""

import json
import sys
from urllib.parse import urljoin

import pytest
from book.pages import CHAPTERS, ROOT, names_in, soup
from docutils import nodes

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import glossary_terms
import links_here

TERMS = {
    "softmax": ("term-softmax", "Shares."),
    "RNN": ("term-RNN", "Reads."),
    "multi-head attention": ("term-multi", "Several."),
    "encoder": ("term-encoder", "Reads all."),
}


def paragraph(*children):
    document = nodes.document(None, None)
    document += nodes.paragraph("", "", *children)
    return document


def linked(document):
    glossary_terms.link_terms(document, TERMS, "glossary.html")
    return [(link.astext(), link["refuri"]) for link in document.findall(nodes.reference)]


def test_only_the_first_use_of_a_word_becomes_a_link():
    assert linked(paragraph(nodes.Text("Softmax here, softmax there."))) == [
        ("Softmax", "glossary.html#term-softmax")
    ]


@pytest.mark.parametrize(
    "text, found",
    [
        ("two encoders read", ["encoders"]),
        ("an RNN and RNNs", ["RNN"]),
        ("an rnn", []),
        ("self-softmax, softmaxed", []),
        ("pre-RNN", []),
        ("Multi-head attention is several", ["Multi-head attention"]),
        ("softmax.pt is a file", []),
    ],
)
def test_words_are_found_whole_in_their_spellings(text, found):
    assert [word for word, _ in linked(paragraph(nodes.Text(text)))] == found


@pytest.mark.parametrize("kind", [nodes.literal, nodes.math, nodes.reference])
def test_code_formulas_and_links_are_left_alone(kind):
    document = paragraph(
        kind("", "softmax")
        if kind is not nodes.reference
        else nodes.reference("", "softmax", refuri="x.html")
    )
    glossary_terms.link_terms(document, TERMS, "glossary.html")
    assert not [link for link in document.findall(nodes.reference) if "term" in link["classes"]]


def test_what_the_page_sets_in_bold_it_explains_itself():
    assert linked(paragraph(nodes.strong("", "softmax"), nodes.Text(" and softmax"))) == []


def test_a_definition_leaves_out_where_to_read_on():
    text = nodes.paragraph(
        "",
        "",
        nodes.Text("Turns scores into shares, e.g. two. See "),
        nodes.reference("", "chapter 3", refuri="x"),
        nodes.Text("."),
    )
    assert glossary_terms.definition(text) == "Turns scores into shares, e.g. two."


@pytest.mark.site
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_words_of_a_chapter_lead_to_the_glossary(chapter):
    found = 0
    for page in CHAPTERS[chapter]:
        document = soup(page)
        links, texts = document.select("a.term"), document.select_one("#term-texts")
        for link in links:
            file, anchor = urljoin(page, link["href"]).split("#")
            assert file == "book/glossary.html" and anchor in names_in(file)
            assert len(json.loads(texts.string)[anchor]) > 20
        assert len({link["href"] for link in links}) == len(links)
        assert not document.select("h1 a.term, h2 a.term, h3 a.term, pre a.term, figcaption a.term")
        found += len(links)
    assert found >= 3


@pytest.mark.site
def test_pages_without_such_words_load_no_script():
    assert not soup("book/preface.html").select('script[src*="terms.js"]') and soup(
        "book/03-attention/masks.html"
    ).select('script[src*="terms.js"]')


@pytest.mark.site
@pytest.mark.browser
def test_a_definition_shows_on_hover_and_on_focus_and_hides_on_escape(address, browser):
    tab = browser.new_page()
    tab.set_default_timeout(60_000)
    tab.goto(address + "book/03-attention/masks.html", wait_until="load")
    word, note = tab.locator("a.term").first, tab.locator(".term-note")
    word.scroll_into_view_if_needed()
    word.hover()
    note.wait_for(state="visible")
    assert len(note.inner_text()) > 20
    note.hover()  # the pointer may go onto the definition without losing it
    assert note.is_visible()
    tab.keyboard.press("Escape")
    note.wait_for(state="hidden")
    tab.mouse.move(0, 0)
    word.focus()
    note.wait_for(state="visible")
    described = tab.locator(f"#{word.get_attribute('aria-describedby')}")
    assert described.text_content() == note.inner_text()
    word.blur()
    note.wait_for(state="hidden")
    tab.close()


def test_links_are_turned_around():
    assert links_here.turned_around({"a": {"b": [["One", "one"]]}, "c": {"b": [["", ""]]}}) == {
        "b": {"a": [["One", "one"]], "c": [["", ""]]}
    }


def test_addresses_are_pages():
    assert links_here.target_of("book/exercises/03", "../03-attention.html#x") == "book/03-attention"
    assert (
        links_here.target_of("book/03", "04.html") == "book/04"
        and links_here.target_of("book/03", "#x") == "book/03"
    )


@pytest.mark.site
@pytest.mark.parametrize("page", [*(pages[0] for pages in CHAPTERS.values()), "book/glossary.html"])
def test_a_page_says_what_links_to_it(page):
    block = soup(page).select_one("article .links-here")
    assert block is not None and not block.has_attr("open")
    for item in block.select("li"):
        source, *places = [link["href"] for link in item.select("a")]
        other = urljoin(page, source)
        back = {urljoin(other, link["href"].split("#")[0]) for link in soup(other).select("article a[href]")}
        assert page in back, f"{source} does not link to {page}"
        assert all(place.startswith(f"{source}#") for place in places)


@pytest.mark.site
def test_what_links_here_is_whole():
    """Chapter 4 links to masks in chapter 3, and the closing page to its front page; so they list them."""

    def sources(page):
        return [link["href"] for link in soup(f"book/03-attention/{page}.html").select(".links-here a")]

    assert any(source.startswith("../04-multi-head/layer.html#") for source in sources("masks"))
    assert "../closing.html" in {source.split("#")[0] for source in sources("index")}
