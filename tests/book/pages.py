"""The site: its pages, as the table of contents names them, and what they hold. Importing needs no site."""

import functools
import re
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup, NavigableString, Tag

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"


def _files(entry):
    """The files that an entry of the table of contents names, in the order of reading."""
    if "file" in entry:
        yield entry["file"]
    for kind in ("parts", "chapters", "sections"):
        for below in entry.get(kind, []):
            yield from _files(below)


def _contents():
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [f"{name}.html" for name in (contents["root"], *_files(contents))]


CONTENT = _contents()
CHAPTERS = {}  # each chapter's pages: one, or a front page and its sections
for page in CONTENT:
    if found := re.fullmatch(r"book/(\d\d-[a-z-]+)(/[a-z-]+)?\.html", page):
        CHAPTERS.setdefault(found[1], []).append(page)
LESSONS = [page for pages in CHAPTERS.values() for page in pages if not page.endswith("/index.html")]
MOVED = [f"book/{name}.html" for name, pages in CHAPTERS.items() if len(pages) > 1]  # where chapters were
PAGES = ["index.html", "search.html", "genindex.html", *CONTENT]


def read(page):
    path = SITE / page
    assert path.is_file(), f"The site in {SITE} has no page {page}: run 'make book' first."
    return path.read_text(encoding="utf-8")


@functools.cache
def soup(page):
    """The page's tree, which all tests share: read it, do not change it."""
    return BeautifulSoup(read(page), "html.parser")


@functools.cache
def names_in(page):
    tags = (part.attrs for part in soup(page).descendants if isinstance(part, Tag))
    return {value for attributes in tags for key in ("id", "name") if (value := attributes.get(key))}


def text_without(tag, names):
    """The text of a tag but for what stands in tags of these names."""
    return "".join(
        text_without(part, names) if isinstance(part, Tag) else part
        for part in tag.children
        if part.name not in names and type(part) in (Tag, NavigableString)
    )


def each_on_one_worker(pages):
    """The pages as parameters: all tests of a page run in one process, which opens and reads it once."""
    return [pytest.param(page, marks=pytest.mark.xdist_group(page)) for page in pages]
