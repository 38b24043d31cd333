"""The whole book as one PDF: each page printed by Chromium, then joined, with a table of contents, an outline
and links between pages.

    python book/_forms/pdf.py _build/html _build/all-you-need.pdf
"""

import argparse
import html
import io
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    Fit,
    FloatObject,
    NameObject,
    NullObject,
    NumberObject,
    TextStringObject,
)
from site_pages import PATIENCE, check_site, chromium, heading, pages_of, served, soup_of

LEFT_OUT = ("book/instructors/certified/",)  # long tables of evidence: read them on the site
STYLE = (Path(__file__).parent / "print.css").read_text(encoding="utf-8")
PREPARE = """() => {
  document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
  document.querySelectorAll("img").forEach((image) => { image.loading = "eager"; });
  // Chromium keeps the place of an anchor only if its own page links to it
  const links = document.createElement("div");
  for (const tag of document.querySelectorAll("article [id]")) {
    links.append(Object.assign(document.createElement("a"), { href: "#" + encodeURIComponent(tag.id) }));
  }
  document.body.append(links);
}"""
COMPLETE = "[...document.images].every((image) => image.complete)"


def page_style(title, first):
    """Running title and page numbers, which begin at `first`."""
    running = title.replace("\\", "\\\\").replace('"', '\\"')
    return (
        STYLE
        + f"""
@page {{
  size: A4; margin: 20mm 18mm 18mm;
  @top-left {{ content: "{running}"; }} @bottom-right {{ content: counter(page); }}
}}
html {{ counter-reset: page {first - 1}; }}
"""
    )


def contents(pages, numbers, title, author):
    """Title page and table of contents as HTML. numbers: {address: page}; empty while they are not known."""
    rows, part = [], None
    for page in pages:
        if page.part != part:
            part = page.part
            rows.append(f'<p class="part">{html.escape(part)}</p>' if part else "")
        entries = [
            (0, page.title, page.path),
            *(
                (1, text, f"{page.path}#{anchor}")
                for level, text, anchor in page.sections
                if level == 2 and page.depth == 0
            ),
        ]
        for depth, text, address in entries:
            number = numbers.get(address, "")
            rows.append(
                f'<p class="entry level-{depth + page.depth}"><a '
                f'href="/{address}">{html.escape(text)}</a><span class="dots"></span><span '
                f'class="number">{number}</span></p>'
            )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<title>{html.escape(title)}</title></head><body class="contents">'
        f'<section class="title-page"><h1>{html.escape(title)}</h1><p>{html.escape(author)}</p>'
        "<p>Code: BSD-3-Clause. Text and figures: CC BY 4.0.</p></section>"
        f'<section class="toc"><h1>Contents</h1>{"".join(rows)}</section></body></html>'
    )


def printed(tab, style):
    """The page that the tab shows, as a PDF reader."""
    tab.add_style_tag(content=style)
    tab.emulate_media(media="print")
    return PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True, print_background=True)))


def print_page(browser, address, page, first):
    context = browser.new_context(viewport={"width": 1000, "height": 1400}, color_scheme="light")
    context.set_default_timeout(PATIENCE)
    context.add_init_script("localStorage.setItem('mode', 'light'); localStorage.setItem('theme', 'light')")
    tab = context.new_page()
    tab.goto(address + page.path, wait_until="load")
    tab.evaluate(PREPARE)
    tab.wait_for_function(COMPLETE)
    reader = printed(tab, page_style(page.title, first))
    context.close()
    return reader


def print_contents(browser, address, text):
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    tab = context.new_page()
    tab.route(
        "**/contents.html", lambda route: route.fulfill(body=text, content_type="text/html; charset=utf-8")
    )
    tab.goto(address + "contents.html", wait_until="load")
    reader = printed(
        tab,
        page_style("Contents", 1)
        + ("@page :first { @top-left { content: none; } @bottom-right { content: none; } }"),
    )
    context.close()
    return reader


def places_of(reader, path, offset):
    """{address: (page, left, top)} of a printed page: itself, and each anchor that it holds."""
    numbers = {page.indirect_reference.idnum: number for number, page in enumerate(reader.pages)}
    places = {path: (offset, 0.0, float(reader.pages[0].mediabox.top))}
    for name, target in reader.named_destinations.items():
        number = numbers.get(getattr(target.page, "idnum", None))
        if number is not None:
            places[f"{path}#{unquote(name.lstrip('/'))}"] = (
                offset + number,
                float(target.left or 0),
                float(target.top or 0),
            )
    return places


def links_on(page, path, address):
    """(rectangle, address) of each link: of this site as "path#anchor", others as they are."""
    found = []
    for annotation in page.get("/Annots") or []:
        annotation = annotation.get_object()
        if annotation.get("/Subtype") != "/Link":
            continue
        action = annotation.get("/A", {}).get_object() if "/A" in annotation else {}
        name = annotation.get("/Dest", action.get("/D"))
        if "/URI" in action:
            uri = str(action["/URI"])
            base, anchor = urldefrag(uri)
            target = (
                (unquote(base.removeprefix(address)) + (f"#{unquote(anchor)}" if anchor else ""))
                if uri.startswith(address)
                else uri
            )
        elif isinstance(name, str):
            target = f"{path}#{unquote(str(name).lstrip('/'))}"
        else:
            continue
        found.append(([float(value) for value in annotation["/Rect"]], target))
    return found


class Book:
    """The joined PDF, while it grows."""

    def __init__(self):
        self.writer, self.places, self.links = PdfWriter(), {}, []

    def __len__(self):
        return len(self.writer.pages)

    def add(self, reader, path, address):
        offset = len(self)
        self.places |= places_of(reader, path, offset)
        for number, page in enumerate(reader.pages):
            self.links += [(offset + number, *link) for link in links_on(page, path, address)]
            page.pop("/Annots", None)
            self.writer.add_page(page)

    def place(self, target):
        """Where an address is in the book: its anchor, else its page, else None."""
        return self.places.get(target) or self.places.get(target.partition("#")[0])

    def write_links(self, site):
        """Links between pages of the book lead there; what the book does not hold stays text. Returns how
        many of each."""
        count = {"inside": 0, "outside": 0, "left as text": 0}
        for number, rectangle, target in self.links:
            link = DictionaryObject(
                {
                    NameObject("/Type"): NameObject("/Annot"),
                    NameObject("/Subtype"): NameObject("/Link"),
                    NameObject("/Rect"): ArrayObject(map(FloatObject, rectangle)),
                    NameObject("/Border"): ArrayObject([NumberObject(0)] * 3),
                }
            )
            if place := self.place(target):
                page, left, top = place
                reference = self.writer.pages[page].indirect_reference
                link[NameObject("/Dest")] = ArrayObject(
                    [reference, NameObject("/XYZ"), FloatObject(left), FloatObject(top), NullObject()]
                )
            elif "://" in target or target.startswith("mailto:"):
                link[NameObject("/A")] = DictionaryObject(
                    {NameObject("/S"): NameObject("/URI"), NameObject("/URI"): TextStringObject(target)}
                )
            else:
                count["left as text"] += 1
                continue
            count["inside" if place else "outside"] += 1
            on = self.writer.pages[number]
            if "/Annots" not in on:
                on[NameObject("/Annots")] = ArrayObject()
            on["/Annots"].append(self.writer._add_object(link))
        return count

    def outline(self, pages):
        part, parents = None, [None]
        for page in pages:
            number, _, top = self.places[page.path]
            if page.part != part:
                part, parents = page.part, [None]
                parents = [self.writer.add_outline_item(title=part, page_number=number) if part else None]
            del parents[page.depth + 1 :]
            parents.append(
                self.writer.add_outline_item(
                    title=page.title, page_number=number, parent=parents[-1], fit=Fit.xyz(top=top)
                )
            )
            item = {1: parents[-1]}
            for level, text, anchor in page.sections:
                if place := self.places.get(f"{page.path}#{anchor}"):
                    above = item[max(key for key in item if key < level)]
                    item = {key: value for key, value in item.items() if key < level}
                    item[level] = self.writer.add_outline_item(
                        title=text,
                        page_number=place[0],
                        parent=above,
                        fit=Fit.xyz(left=place[1], top=place[2]),
                    )


def sections_of(site, path):
    """(level, heading, anchor) of a page's second and third headings."""
    found = []
    for tag in soup_of(site, path).select("article section > h2, article section > h3"):
        found.append((int(tag.name[1]), heading(tag), tag.parent["id"]))
    return found


def make(site, out, title, author, only=None, say=print):
    """Print the site's pages into one file; returns the book."""
    pages = [
        page
        for page in pages_of(site)
        if not page.path.startswith(LEFT_OUT) and (only is None or page.path in only)
    ]
    for page in pages:
        page.sections = sections_of(site, page.path)
    with served(site) as address, chromium() as browser:
        front = len(print_contents(browser, address, contents(pages, {}, title, author)).pages)
        bodies, first = [], front + 1
        for number, page in enumerate(pages, 1):
            reader = print_page(browser, address, page, first)
            bodies.append((reader, page.path, first))
            first += len(reader.pages)
            say(f"[{number:2}/{len(pages)}] {page.title}: {len(reader.pages)} pages")
        numbers = {
            place: number + 1
            for reader, path, start in bodies
            for place, (number, *_) in places_of(reader, path, start - 1).items()
        }
        book = Book()
        book.add(
            print_contents(browser, address, contents(pages, numbers, title, author)),
            "contents.html",
            address,
        )
        if len(book) != front:
            raise SystemExit(
                f"The table of contents has {len(book)} pages with its numbers and {front} "
                "without: widen the column of numbers in print.css."
            )
        for reader, path, _ in bodies:
            book.add(reader, path, address)
    count = book.write_links(site)
    book.outline(pages)
    book.writer.add_metadata({"/Title": title, "/Author": author})
    book.writer.page_mode = "/UseOutlines"
    book.writer.root_object[NameObject("/Lang")] = TextStringObject("en")
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    book.writer.write(out)
    say(
        f"{len(book)} pages, {count['inside']} links inside, {count['outside']} to other sites: {out} "
        f"({Path(out).stat().st_size / 1e6:.0f} MB)"
    )
    return book


if __name__ == "__main__":
    import yaml

    parser = argparse.ArgumentParser(description="The whole book as one PDF.")
    parser.add_argument("site")
    parser.add_argument("out")
    parser.add_argument("--only", nargs="+", help="these pages alone, such as book/03-attention.html")
    options = parser.parse_args()
    check_site(options.site)
    config = yaml.safe_load((Path(__file__).resolve().parents[2] / "_config.yml").read_text(encoding="utf-8"))
    make(
        options.site,
        options.out,
        config["title"],
        config["author"],
        options.only,
        lambda text: print(text, file=sys.stderr, flush=True),
    )
