"""The certified pages on the site show labels and messages letter by letter: they hold code."""

import re

import pytest
from book.pages import ROOT, soup

pytestmark = pytest.mark.site
WRITTEN = ROOT / "book" / "instructors" / "certified"
NAMES = sorted(path.stem for path in WRITTEN.glob("*.md"))


def plain(markdown):
    return re.sub(r"\\(.)", r"\1", markdown).replace("\u00a0", " ")


@pytest.mark.parametrize("name", NAMES)
def test_a_certified_page_shows_every_label_and_message_as_it_is(name):
    article = soup(f"book/instructors/certified/{name}.html").select_one("article")
    shown = [entry.get_text().replace("\u00a0", " ") for entry in article.select("dd > p")]
    lines = (WRITTEN / f"{name}.md").read_text(encoding="utf-8").splitlines()
    messages = [plain(line[2:]) for line in lines if line.startswith(": ")]
    versions = [
        "Versions: " + plain(line.partition("*Versions:* ")[2])
        for line in lines
        if line.startswith("  *Versions:* ")
    ]
    assert messages and shown == [text for entry in zip(messages, versions, strict=True) for text in entry]


@pytest.mark.parametrize("name", NAMES)
def test_code_in_a_message_is_no_link(name):
    article = soup(f"book/instructors/certified/{name}.html").select_one("article")
    assert not article.select("dl a[href], section > p a.external")
