"""The built site: where it is, its pages, and what they hold."""

import functools
import re
from pathlib import Path

from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts)
CHAPTERS = [page for page in PAGES if re.fullmatch(r"book/\d\d-[a-z-]+\.html", page)]
CONTENT = [page for page in PAGES if page.startswith("book/")]


@functools.cache
def soup(page):
    """The page's tree, which all tests share: read it, do not change it."""
    return BeautifulSoup((SITE / page).read_text(encoding="utf-8"), "html.parser")


@functools.cache
def names_in(page):
    return {tag[key] for tag in soup(page).find_all(True) for key in ("id", "name") if tag.get(key)}
