"""Every chapter as lecture slides that need no network: one HTML file a chapter, with its figures, formulas,
code, quiz and speaker's notes.

    python book/_forms/slides.py _build/html _build/slides

How a page becomes a talk:
- a heading begins a new slide, and stands on each slide of its section;
- a paragraph gives its first sentence, or its bold beginning with what follows; the whole paragraph goes into
  the notes;
- formulas stay with the sentence before them; a figure, a table or a short piece of code has a slide of its
  own, under the last words before it;
- an interactive figure leaves a slide that sends you to the website;
- long or folded code, and tables longer than a slide, are left to the page;
- the quiz is asked question by question, the answer on the next key.
"""

import argparse
import copy
import html
import math
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from bs4 import BeautifulSoup, NavigableString
from site_pages import check_site, pages_of, soup_of

HERE = Path(__file__).parent
ROOM = 9.5  # lines of text on a slide
LONGEST_CODE, LONGEST_LIBRARY_CODE, LONGEST_OUTPUT, LONGEST_TABLE = 16, 24, 9, 11  # lines, and rows
MOST_POINTS = 8  # of a section, before its lesser sentences are left to the notes
SENTENCE_END = re.compile(r"[.!?][\"”’)]?(?=\s|$)")
SKIPPED_SECTIONS = {"further-reading", "the-sections"}
CHAPTER = re.compile(r"book/(\d\d-[\w-]+)(/[\w-]+)?\.html")  # a page of its own, or one of a folder


@dataclass
class Slide:
    title: str
    body: str
    notes: list = field(default_factory=list)
    kind: str = "points"
    room: float = 0  # lines for what is said after it
    above: str = ""  # the heading that the title stands under


@dataclass
class Point:
    """A sentence or a formula, on its way to a slide. An important one stays when a section has too many."""

    html: str
    weight: float
    important: bool = False
    formula: bool = False
    item: bool = False


def text_of(tag):
    return " ".join(tag.get_text().split())


def inner(tag):
    return tag.decode_contents().strip()


def clean(tag, images):
    """A copy without links into the site, anchors and buttons; `images` notes the pictures that it shows."""
    tag = copy.copy(tag)
    for link in tag.select("a"):
        if link.get("href", "").startswith("http"):
            link.attrs = {"href": link["href"]}
        elif "headerlink" in link.get("class", []):
            link.decompose()
        else:
            link.unwrap()
    for button in tag.select("button, script, .copybtn"):
        button.decompose()
    for part in [tag, *tag.select("[id], [tabindex]")]:
        for name in ("id", "tabindex"):
            part.attrs.pop(name, None)
    for image in tag.select("img"):
        images.add(Path(image["src"]).name)
        image.attrs = {"src": f"images/{Path(image['src']).name}", "alt": image.get("alt", "")}
    return tag


def first_sentence(paragraph):
    """The paragraph's first sentence as HTML, with what follows a short or bold beginning; and whether it
    began in bold."""
    kept, length, bold = [], 0, False
    for place, node in enumerate(paragraph.contents):
        if not isinstance(node, NavigableString):
            kept.append(str(node))
            length += len(node.get_text())
            bold = bold or place == 0 and node.name == "strong"
            continue
        start = 0
        for end in SENTENCE_END.finditer(node):
            long_enough = length + end.end() >= 45
            if long_enough and not (bold and place == 1 and end.end() < 12):
                return "".join([*kept, html.escape(node[start : end.end()], quote=False)]).strip(), bold
        kept.append(html.escape(str(node), quote=False))
        length += len(node)
    return "".join(kept).strip(), bold


def lines_of(code):
    return code.get_text().rstrip("\n").count("\n") + 1


def without_docstring(code):
    """A copy of highlighted code whose docstrings are gone: the page explains what the slide shows."""
    code = copy.copy(code)
    for doc in code.select("span.sd"):
        doc.decompose()
    pre = code.select_one("pre")
    pre.replace_with(BeautifulSoup(re.sub(r"\n(?:\s|<span></span>)*\n", "\n", str(pre)), "html.parser"))
    return code


class Talk:
    """The slides of a chapter's pages, as their blocks are read from top to bottom."""

    def __init__(self, site, name, pages):
        self.site, self.name, self.pages, self.images = site, name, pages, set()
        self.slides, self.points, self.notes, self.title, self.above = [], [], [], pages[0].title, ""

    def read(self):
        self.slides.append(Slide(self.pages[0].title, "", kind="opening"))
        for number, page in enumerate(self.pages):
            self.title = page.title if number else "The question"
            self.read_section(soup_of(self.site, page.path).select_one("article > section"))
        return self

    def read_section(self, section):
        for block in section.find_all(True, recursive=False):
            classes = set(block.get("class", []))
            if block.name in ("h2", "h3", "h4"):
                self.flush()
                self.title = inner(clean(block, self.images))
            elif block.name == "section":
                self.flush()
                if block.get("id") not in SKIPPED_SECTIONS:
                    outer = self.title, self.above
                    self.above = self.title if block.find("h3", recursive=False) else ""
                    self.read_section(block)
                    self.flush()
                    self.title, self.above = outer
            elif block.name == "p":
                self.say(block)
            elif block.name in ("ul", "ol"):
                self.list(block)
            elif block.name == "blockquote":
                self.points.append(
                    Point(
                        f"<blockquote>{inner(clean(block, self.images))}</blockquote>",
                        1.3 * len(block.select("p")),
                        important=True,
                    )
                )
            elif "formula" in classes:
                self.formula(block)
            elif "cell" in classes:
                self.cell(block)
            elif block.name == "figure":
                self.figure(block)
            elif any(name.startswith("highlight-") for name in classes):
                self.code(without_docstring(block), LONGEST_LIBRARY_CODE)
            elif "pst-scrollable-table-container" in classes or block.name == "table":
                self.table(block)
            elif "quiz" in classes:
                self.quiz(block)
        self.flush()

    def say(self, paragraph):
        whole = clean(paragraph, self.images)
        sentence, bold = first_sentence(whole)
        self.notes.append(f"<p>{inner(whole)}</p>")
        for stressed in whole.find_all("strong", recursive=False):  # what the paragraph itself stresses
            if len(stressed.get_text()) >= 40 and str(stressed) not in sentence:
                sentence, bold = f"{sentence} {stressed}", True
        if sentence:
            length = len(BeautifulSoup(sentence, "html.parser").get_text())
            self.points.append(Point(f"<p>{sentence}</p>", math.ceil(length / 78) + 0.35, important=bold))

    def list(self, block):
        for number, item in enumerate(block.find_all("li", recursive=False), 1):
            whole = clean(item, self.images)
            text, long = inner(whole), len(text_of(whole)) > 190
            if long:
                paragraph = whole.find("p") or whole
                text, _ = first_sentence(paragraph)
                self.notes.append(f"<p>{inner(whole)}</p>")
            mark = f'<span class="mark">{number if block.name == "ol" else "–"}</span>'
            length = len(BeautifulSoup(text, "html.parser").get_text())
            self.points.append(
                Point(
                    f'<div class="item">{mark}<div>{text}</div></div>',
                    math.ceil(length / 74) + 0.3,
                    important=True,
                    item=True,
                )
            )

    def formula(self, block):
        tall = bool(block.select("mfrac, mtable, munder, munderover"))
        self.points.append(
            Point(str(clean(block, self.images)), 2.6 if tall else 1.7, important=True, formula=True)
        )
        for before in self.points[-2:-1]:
            before.important = True

    def cell(self, block):
        outputs = block.find("div", class_="cell_output")
        source = next((part for part in block.find_all("div", class_="cell_input", recursive=False)), None)
        figures = outputs.select("figure") if outputs else []
        if figures:
            for figure in figures:
                self.figure(figure)
            return
        texts = outputs.select("div.output.stream, div.output.text_plain") if outputs else []
        if source:
            short = [text for text in texts if lines_of(text) <= LONGEST_OUTPUT][:1]
            self.code(source, LONGEST_CODE, short)

    def figure(self, block):
        figure = clean(block, self.images)
        caption, image = figure.find("figcaption"), figure.find("img")
        for number in caption.select(".caption-number") if caption else []:
            number.decompose()
        words = text_of(caption) if caption else ""
        if image is None:
            if "interactive" in block.get("class", []):
                self.show(
                    "live",
                    (
                        f'<p class="caption">{html.escape(words)}</p><p class="asked">Shown '
                        "live: open this section on the website.</p>"
                    ),
                )
            return
        self.show("figure", f'{image}<p class="caption">{html.escape(words)}</p>')

    def code(self, block, longest, outputs=()):
        if lines_of(block) + sum(map(lines_of, outputs)) <= longest:
            shown = "".join(str(clean(part, self.images)) for part in [block, *outputs])
            self.show("code", f'<div class="listing">{shown}</div>', room=2.5 if lines_of(block) < 12 else 0)

    def table(self, block):
        table = clean(block if block.name == "table" else block.find("table"), self.images)
        if len(table.select("tr")) <= LONGEST_TABLE:
            self.show("table", str(table), room=2.5 if len(table.select("tr")) < 7 else 0)

    def show(self, kind, body, room=2.5):
        """A slide for something large, under the last words before it; `room` lines are left for the first
        words after it."""
        words = []
        while (
            self.points
            and len(words) < 2
            and not (self.points[-1].formula or self.points[-1].item)
            and sum(point.weight for point in [*words, self.points[-1]]) <= 2.8
        ):
            words.insert(0, self.points.pop())
        last = self.notes[len(self.notes) - len(words) :] if self.points else self.notes
        if self.points:
            self.notes = self.notes[: len(self.notes) - len(words)]
            self.flush()
        self.slides.append(
            Slide(
                self.title,
                (f'<div class="words">{"".join(word.html for word in words)}</div>{body}'),
                last,
                kind,
                room,
                self.above,
            )
        )
        self.points, self.notes = [], []

    def quiz(self, block):
        for question in block.select("fieldset"):
            asked = clean(question, self.images)
            choices = []
            for choice in asked.select(".quiz-choice"):
                why = choice.select_one(".quiz-why")
                right = "right" in why.get("class", [])
                choices.append(
                    "<li "
                    f'class="{"right" if right else "wrong"}"><div>{inner(choice.label)}</div><div '
                    f'class="why">{inner(why)}</div></li>'
                )
            for number in asked.legend.select(".quiz-number"):
                number.decompose()
            self.slides.append(
                Slide(
                    "Check yourself",
                    (
                        f'<p class="asked">{inner(asked.legend)}</p><ol '
                        f'class="choices">{"".join(choices)}</ol>'
                    ),
                    [],
                    "quiz",
                )
            )
        self.points, self.notes = [], []

    def flush(self):
        """Put what was said on as many slides as it needs."""
        points, notes = self.points, self.notes
        self.points, self.notes = [], []
        if len(points) > MOST_POINTS and sum(not point.important for point in points) > 2:
            points = [
                point
                for place, point in enumerate(points)
                if point.important or place in (0, len(points) - 1)
            ]
        before = self.slides[-1]
        if (
            points
            and before.title == self.title
            and before.room >= sum(point.weight for point in points)
            and before.kind != "opening"
        ):
            before.body += f'<div class="words">{"".join(point.html for point in points)}</div>'
            before.notes, before.room = [*before.notes, *notes], 0
            return
        while points:
            used, taken = 0.0, []
            while points and (not taken or used + points[0].weight <= ROOM):
                used += points[0].weight
                taken.append(points.pop(0))
            if points and points[0].formula and len(taken) > 1:  # a formula stays with the sentence before it
                points.insert(0, taken.pop())
            kind = "points few" if used <= ROOM / 2 else "points"
            self.slides.append(
                Slide(self.title, "".join(point.html for point in taken), notes, kind, above=self.above)
            )
            notes = []


def deck(talk, site_title):
    """The talk as one HTML page."""
    number, _, name = talk.pages[0].title.partition(" ")
    parts = []
    for slide in talk.slides:
        if slide.kind == "opening":
            body = (
                f'<p class="course">{html.escape(site_title)}</p><h1>{html.escape(name)}</h1><p '
                f'class="course">Chapter {html.escape(number)}</p>'
            )
        else:
            above = f'<p class="above">{slide.above}</p>' if slide.above else ""
            body = f'{above}<h2>{slide.title}</h2><div class="body">{slide.body}</div>'
        notes = f'<aside class="notes" hidden>{"".join(slide.notes)}</aside>' if slide.notes else ""
        parts.append(
            f'<section class="slide {slide.kind}" hidden><div class="stage">{body}</div>{notes}</section>'
        )
    return f"""<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(talk.pages[0].title)}: slides</title>
<link rel="stylesheet" href="pygments.css">
<link rel="stylesheet" href="deck.css">
</head>
<body>
<main>
{chr(10).join(parts)}
</main>
<footer><span id="place"></span><span>← → move · N notes · F full screen · print for a handout</span></footer>
<script src="deck.js"></script>
</body>
</html>
"""


def index(talks, site_title):
    items = "".join(
        (
            f'<li><a href="{talk.name}.html">{html.escape(talk.pages[0].title)}</a>: '
            f"{len(talk.slides)} slides</li>"
        )
        for talk in talks
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Slides</title>
<link rel="stylesheet" href="deck.css"></head>
<body class="index"><main><h1>{html.escape(site_title)}: slides</h1><ol>{items}</ol>
<p>Arrow keys, space or a click move; N shows the notes; F fills the screen.
Print a deck to get one slide a page.</p></main></body></html>
"""


def make(site, out, title, only=None, say=print):
    """Write the decks into the folder `out`; returns the talks."""
    site, out = Path(site), Path(out)
    (out / "images").mkdir(parents=True, exist_ok=True)
    chapters, talks = {}, []
    for page in pages_of(site):
        if found := CHAPTER.fullmatch(page.path):
            chapters.setdefault(found[1], []).append(page)
    for name, pages in chapters.items():
        if only is not None and name not in only:
            continue
        talk = Talk(site, name, pages).read()
        (out / f"{name}.html").write_text(deck(talk, title), encoding="utf-8")
        for image in talk.images:
            shutil.copyfile(site / "_images" / image, out / "images" / image)
        talks.append(talk)
        say(f"{pages[0].title}: {len(talk.slides)} slides")
    for name in ("deck.css", "deck.js"):
        shutil.copyfile(HERE / name, out / name)
    shutil.copyfile(site / "_static" / "pygments.css", out / "pygments.css")
    (out / "index.html").write_text(index(talks, title), encoding="utf-8")
    say(f"Open {out / 'index.html'} in a browser.")
    return talks


if __name__ == "__main__":
    import yaml

    parser = argparse.ArgumentParser(description="Every chapter as lecture slides.")
    parser.add_argument("site")
    parser.add_argument("out")
    parser.add_argument("--only", nargs="+", help="these chapters alone, such as 03-attention")
    options = parser.parse_args()
    check_site(options.site)
    config = yaml.safe_load((HERE.parents[1] / "_config.yml").read_text(encoding="utf-8"))
    make(options.site, options.out, config["title"], options.only, lambda text: print(text, file=sys.stderr))
