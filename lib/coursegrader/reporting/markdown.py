"""A stranger's Markdown and code as harmless HTML, in little time, whatever they hold.

Formulas and pasted pictures have a place in it until all is clean: nothing that cleans HTML lets MathML
through, and a picture is longer than any text that is cleaned.
"""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from urllib.parse import unquote

from mistune.util import striptags
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from allyouneed.check.bounded import run_bounded
from coursegrader.formulas import of_stranger
from coursegrader.safe_html import MAX_MARKDOWN, PICTURE, PLACE, clean_piece

MAX_FORMULAS = 20_000  # characters of TeX that are set on a page; a problem set has some 2,000
MAX_SECONDS = 2.0  # of processor time, for one text
NO_PICTURE = "<em>(picture missing, or shown already)</em>"


class Patience:
    """Sets texts, each in little time, until the time for all of them is used up. A text that takes longer,
    or that cannot be set, stands as it was written."""

    def __init__(self, seconds: float = MAX_SECONDS):
        self._left = seconds

    def markdown(self, source: str, renderer: IPythonRenderer, anchors: bool = True) -> str:
        """Markdown as harmless HTML."""
        made = self._set(lambda: MarkdownWithMath(renderer=renderer).render(source), source)
        return clean_piece(made, anchors)

    def code(self, source: str) -> str:
        """Python with its colours."""
        return self._set(lambda: Highlight2HTML(pygments_lexer="ipython3")(source), source)

    def _set(self, make: Callable[[], str], source: str) -> str:
        made, begun = None, time.process_time()
        if self._left > 0:
            made, _ = run_bounded(make, min(MAX_SECONDS, self._left))
        self._left -= time.process_time() - begun
        return f"<pre>{html.escape(source)}</pre>" if made is None else made


class Places:
    """What is put into a text when that is clean, each piece once."""

    def __init__(self):
        self._waiting: dict[int, Callable[[], str]] = {}
        self._number, self._tex = 0, 0

    def keep(self, make: Callable[[], str]) -> str:
        """The mark of a new place, for what `make` gives."""
        self._number += 1
        self._waiting[self._number] = make
        return f'<var class="formula">{self._number}</var>'

    def formula(self, latex: str, display: str) -> str:
        """The mark of a formula's place, or the TeX itself where the page has enough formulas."""
        enough, self._tex = self._tex > MAX_FORMULAS, self._tex + len(latex)
        if enough:
            return f"<code>{html.escape(latex)}</code>"
        return self.keep(lambda: of_stranger(latex, display))

    def fill(self, text: str) -> str:
        """The text with what belongs into its places."""
        return PLACE.sub(lambda found: self._waiting.pop(int(found[1]), str)(), text)


class WithPictures(IPythonRenderer):
    """Markdown as HTML with a place for each picture that was pasted into the cell."""

    def __init__(self, places: Places, attachments=None, **options):
        super().__init__(escape=False, attachments=dict(attachments or {}), **options)
        self.places = places

    def image(self, text: str, url: str, title: str | None = None) -> str:
        if not url.startswith("attachment:"):
            return super().image(text, url, title)
        name = url.removeprefix("attachment:")
        pasted = self.attachments.pop(name if name in self.attachments else unquote(name), {})
        for kind in ("image/png", "image/jpeg", "image/gif"):
            address = f"data:{kind};base64,{pasted.get(kind, '?')}"
            if PICTURE.fullmatch(address):
                shown = f'<img alt="{html.escape(html.unescape(striptags(text)))}" src="{address}">'
                return self.places.keep(lambda: shown)
        return NO_PICTURE


class WithPlaces(WithPictures):
    """The same with a place for each formula."""

    def __init__(self, places: Places, attachments=None):
        super().__init__(places, attachments, exclude_anchor_links=True)

    def inline_math(self, body: str) -> str:
        return self.places.formula(body.strip(), "inline")

    def block_math(self, body: str) -> str:
        return f'<span class="formula">{self.places.formula(body.strip(), "block")}</span>'

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")


def markdown_piece(source: str, attachments=None) -> str:
    """A stranger's Markdown as harmless HTML without names, its formulas set, to stand in a page of ours."""
    places = Places()
    text = source[:MAX_MARKDOWN] + ("\n\n… (cut)" if len(source) > MAX_MARKDOWN else "")
    return places.fill(Patience().markdown(text, WithPlaces(places, attachments), anchors=False))
