"""A page of a report: one file that asks no other machine for anything, in which no text is markup."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from itertools import groupby

from markupsafe import Markup, escape

STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}
:root{color-scheme:light dark}
div.wide{overflow-x:auto}
table{border-collapse:collapse;margin-bottom:1rem}
td,th{border:1px solid #8888;padding:.25rem .6rem;text-align:left;vertical-align:top}
td.number{text-align:right;white-space:nowrap}
meter{width:5rem}
code{font-size:.9em;white-space:pre-wrap}
summary{cursor:pointer}
details>summary h2{display:inline-block}
p{max-width:50rem}
div.beside{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
div.beside>div{min-width:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #8888;padding:.5rem;font-size:.85em}
mark{background:#fc08;color:inherit}
svg{max-width:100%;height:auto}"""
TEXT = "#010203"  # what a plot draws in the colour of the page's text


def page(
    title: str, parts: Iterable[tuple[str, Markup]], opening: str = "", folded: Sequence[str] = ()
) -> str:
    """The page, of parts with a heading each. Those that are `folded` open on a click."""
    body = Markup()
    for heading, part in parts:
        named = Markup("<h2>{}</h2>").format(heading)
        if heading in folded:
            body += Markup("<details><summary>{}</summary>{}</details>\n").format(named, part)
        else:
            body += named + part + "\n"
    return Markup(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>{}</title>\n<style>{}</style></head>\n'
        "<body><h1>{}</h1><p>{}</p>\n{}</body></html>\n"
    ).format(title, Markup(STYLE), title, opening, body)


def table(header: Sequence, rows: Iterable[Sequence]) -> Markup:
    """A table. Numbers stand on the right; what is no `Markup` is text."""
    head = Markup().join(Markup('<th scope="col">{}</th>').format(item) for item in header)
    body = Markup().join(
        Markup("<tr>{}</tr>").format(Markup().join(_cell(item) for item in row)) for row in rows
    )
    return Markup(
        '<div class="wide"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(head, body)


def _cell(item) -> Markup:
    number = isinstance(item, (int, float))
    return Markup('<td class="number">{}</td>' if number else "<td>{}</td>").format(item)


def paragraph(text: str) -> Markup:
    """A paragraph of text."""
    return Markup("<p>{}</p>").format(text)


def anchor(address: str, text: str) -> Markup:
    """A link."""
    return Markup('<a href="{}">{}</a>').format(address, text)


def marked(text: str, flags: Sequence[bool]) -> Markup:
    """Code as a block of its own, in which the letters with a flag are marked, line by line. For what would
    change the order or place of letters stands a question mark."""
    text = "".join(char if char.isprintable() or char in "\n\t" else "?" for char in text)
    made, start = Markup(), 0
    for line in text.splitlines(keepends=True):
        first = start + len(line) - len(line.lstrip())
        runs = groupby(range(start, start + len(line)), lambda place: place >= first and flags[place])
        for flag, places in runs:
            piece = "".join(text[place] for place in places)
            made += Markup("<mark>{}</mark>").format(piece) if flag and piece.strip() else escape(piece)
        start += len(line)
    return Markup("<pre>{}</pre>").format(made)


def beside(*columns: tuple[str, Markup]) -> Markup:
    """Blocks beside each other, each under its heading."""
    made = Markup().join(
        Markup("<div><strong>{}</strong>{}</div>").format(heading, block) for heading, block in columns
    )
    return Markup('<div class="beside">{}</div>').format(made)


def share(value: float) -> Markup:
    """A share of 1 in percent, and as a bar."""
    return Markup('<meter aria-hidden="true" value="{:.3f}"></meter> {:.0%}').format(value, value)


def fold(summary: str, text: str) -> Markup:
    """What is there, and on a click the rest."""
    return Markup("<details><summary>{}</summary>{}</details>").format(summary, text)


def drawing(figure, says: str) -> Markup:
    """A figure of matplotlib in the page itself; `says` is read to those who do not see it."""
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None})
    text = file.getvalue()
    text = text[text.index("<svg") :].replace(TEXT, "currentColor")
    return Markup(text.replace("<svg", f'<svg role="img" aria-label="{escape(says)}"', 1))
