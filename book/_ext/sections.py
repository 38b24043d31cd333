"""Chapters as folders: a front page, book/NN-name/index, and sections beside it, each with one idea.

A section says at its head how many minutes it takes. `deeper: true` in its front matter marks what may be
skipped. On the front page

    ```{sections}
    ```

lists the chapter's sections with their minutes, and everywhere {core}`NN-name` says how long those take that
are not marked, {core}`all` those of all chapters. A section that is too long, or has too much code, stops the
build with the figure. What leads to the chapter's address without a folder, book/NN-name.html, finds the
section that its anchor stands in now.
"""

import html
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from docutils import nodes
from links_here import target_of
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

FRONT = re.compile(r"(book/\d\d-[\w-]+)/index")
SECTION = re.compile(r"book/\d\d-[\w-]+/(?!index$)[\w-]+")
MOST_WORDS, MOST_LINES = 3500, 60
FEWEST_MINUTES, MOST_MINUTES = 8, 25
# a reader's seconds: for a word of prose, a visible line of code, a figure or table, a question of the quiz
WORD, LINE, FIGURE, QUESTION = 60 / 140, 5, 40, 30
NOT_PROSE = (
    nodes.literal_block,
    nodes.math_block,
    nodes.raw,
    nodes.comment,
    nodes.table,
    nodes.system_message,
)
HIDDEN = {"tag_hide-input", "tag_hide-cell", "tag_remove-input", "tag_remove-cell"}


@dataclass
class Length:
    """What a section asks of its reader."""

    words: int
    lines: int
    figures: int
    questions: int
    deeper: bool

    @property
    def minutes(self):
        seconds = WORD * self.words + LINE * self.lines + FIGURE * self.figures + QUESTION * self.questions
        return round(seconds / 60)

    def excess(self):
        """What is out of bounds, in words; nothing of what may be skipped can be too short."""
        least = 0 if self.deeper else FEWEST_MINUTES
        found = [
            (self.words, "words of prose", 0, MOST_WORDS),
            (self.lines, "visible lines of code", 0, MOST_LINES),
        ]
        found += [(self.minutes, "minutes", least, MOST_MINUTES)]
        return [
            f"{count} {what}, where {low or 'at most'}{' to' if low else ''} {high} are meant"
            for count, what, low, high in found
            if not low <= count <= high
        ]


class Sections(SphinxDirective):
    """The place of the list; its lines are known when all pages have been read."""

    def run(self):
        return [nodes.container(classes=["sections"])]


class core(nodes.Inline, nodes.TextElement):
    """The place of a time that is known when all pages have been read."""


def core_role(name, rawtext, text, lineno, inliner, options=None, content=()):
    pages_with_times(inliner.document.settings.env).add(inliner.document.settings.env.docname)
    return [core(text, "", chapter=text)], []


def pages_with_times(env):
    if not hasattr(env, "section_times"):
        env.section_times = set()
    return env.section_times


def core_time(env, chapter):
    """How long the core sections of a chapter take, or those of all chapters, in words."""
    minutes = [
        Length(**length).minutes
        for docname, length in lengths(env).items()
        if not length["deeper"] and (chapter == "all" or docname.startswith(f"book/{chapter}/"))
    ]
    if not minutes:
        raise ExtensionError(f"{{core}}`{chapter}`: there are no core sections in book/{chapter}")
    return f"{sum(minutes) / 60:.1f} h".replace(".0 h", " h")


def write_times(app, doctree, docname):
    for place in list(doctree.findall(core)):
        place.replace_self(nodes.Text(core_time(app.env, place["chapter"])))


def _classes_above(node):
    while node.parent is not None:
        node = node.parent
        yield from node.get("classes", []) if isinstance(node, nodes.Element) else ()


def length_of(doctree, deeper=False):
    """Count a page's prose, its visible code, its figures and its questions."""
    words = lines = 0
    for text in doctree.findall(nodes.Text):
        above = set(_classes_above(text))
        if not ({"cell", "quiz"} & above or _within(text, NOT_PROSE)):
            words += len(text.split())
    for block in doctree.findall(nodes.literal_block):
        above = set(_classes_above(block))
        if "cell_output" not in above and not HIDDEN & above:
            lines += _lines(block.astext())
    # what a cell draws is one, whether it has a caption or not
    figures = [node for node in doctree.findall(nodes.figure) if "cell" not in _classes_above(node)]
    cells = [node for node in doctree.findall(nodes.container) if "cell" in node["classes"]]
    drawn = [cell for cell in cells if [*cell.findall(nodes.image)]]
    figures = len([*figures, *drawn, *doctree.findall(nodes.table)])
    questions = sum("<fieldset>" in raw.astext() for raw in doctree.findall(nodes.raw))
    return Length(words, lines, figures, questions, deeper)


def _within(node, kinds):
    while node is not None and not isinstance(node, kinds):
        node = node.parent
    return node is not None


def _lines(code):
    """The lines of code that are read: none that is empty, a docstring's first alone."""
    code = re.sub(r'("""[^\n]*)\n.*?"""', r"\1", code, flags=re.S)
    return sum(bool(line.strip()) for line in code.splitlines())


def measure(app, doctree):
    docname = app.env.docname
    if SECTION.fullmatch(docname):
        deeper = str(app.env.metadata[docname].get("deeper", "")).lower() == "true"
        lengths(app.env)[docname] = asdict(length_of(doctree, deeper))


def lengths(env):
    if not hasattr(env, "section_lengths"):
        env.section_lengths = {}
    return env.section_lengths


def forget(app, env, docname):
    lengths(env).pop(docname, None)
    pages_with_times(env).discard(docname)


def merge(app, env, docnames, other):
    lengths(env).update({name: found for name, found in lengths(other).items() if name in docnames})
    pages_with_times(env).update(pages_with_times(other))


def front_pages(app, env):
    """They list what other pages hold, so they are written whenever a page is."""
    return [docname for docname in env.found_docs if FRONT.fullmatch(docname)] + [*pages_with_times(env)]


def check(app, env):
    found = {docname: Length(**length).excess() for docname, length in lengths(env).items()}
    faults = [f"{docname}: {'; '.join(excess)}" for docname, excess in sorted(found.items()) if excess]
    if faults:
        raise ExtensionError(
            "A section is out of bounds. Cut it, split it, or fold its code.\n" + "\n".join(faults)
        )


def sections_of(env, front):
    return [child for child in env.toctree_includes.get(front, []) if child in lengths(env)]


def list_sections(app, doctree, docname):
    for place in [node for node in doctree.findall(nodes.container) if "sections" in node["classes"]]:
        items = nodes.enumerated_list(enumtype="arabic", suffix=".")
        for child in sections_of(app.env, docname):
            link = nodes.reference("", "", internal=True, refuri=app.builder.get_relative_uri(docname, child))
            link += [node.deepcopy() for node in app.env.titles[child].children]
            paragraph = nodes.paragraph(
                "", "", link, nodes.Text(f" · {said(Length(**lengths(app.env)[child]))}")
            )
            items += nodes.list_item("", paragraph)
        place += items


def said(length):
    return f"{length.minutes} minutes" + (", deeper: you may skip it" if length.deeper else "")


def write_lengths(app, pagename, templatename, context, doctree):
    """Under the title and in the side bar: how long a section is, and whether it may be skipped."""
    if pagename in lengths(app.env):
        line = f'<p class="section-length">{said(Length(**lengths(app.env)[pagename]))}</p>'
        context["body"] = context["body"].replace("</h1>", f"</h1>\n{line}", 1)
    if menu := context.get("generate_toctree_html"):
        context["generate_toctree_html"] = lambda kind, **how: (
            with_minutes(menu(kind, **how), app.env, pagename) if kind == "sidebar" else menu(kind, **how)
        )


SIDE_BAR_LINK = re.compile(r'(<a class="[^"]*reference internal[^"]*" href="([^"#]*)#?">)(.*?)(</a>)', re.S)


def with_minutes(menu, env, pagename):
    """The side bar's menu, in which each section says how long it is."""

    def line(found):
        target = target_of(pagename, found[2])
        if target not in lengths(env):
            return found[0]
        length = Length(**lengths(env)[target])
        deeper = ", deeper" if length.deeper else ""
        return f'{found[1]}{found[3]} <span class="minutes">{length.minutes} min{deeper}</span>{found[4]}'

    return SIDE_BAR_LINK.sub(line, str(menu))


MOVED = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="robots" content="noindex"><link rel="canonical" href="{front}">
<script>
const places = {places};
location.replace((places[decodeURIComponent(location.hash.slice(1))] ?? {front_json}) + location.hash);
</script>
<noscript><meta http-equiv="refresh" content="0; url={front}"></noscript></head>
<body><p>This chapter has become several pages: <a href="{front}">{title}</a>.</p></body></html>
"""


def keep_addresses(app, exception):
    """Write book/NN-name.html, which leads to where each anchor of the chapter stands now."""
    if exception is not None or app.builder.format != "html":
        return
    for front in filter(FRONT.fullmatch, app.env.found_docs):
        chapter = FRONT.fullmatch(front)[1]
        folder = chapter.rpartition("/")[2]
        places = {}
        for docname in [front, *sections_of(app.env, front)]:
            page = Path(app.builder.get_outfilename(docname)).read_text(encoding="utf-8")
            article = page.partition("<article")[2].partition("</article>")[0]
            for anchor in re.findall(r'\sid="([^"]+)"', article):
                places.setdefault(html.unescape(anchor), f"{folder}/{docname.rpartition('/')[2]}.html")
        title, address = html.escape(app.env.titles[front].astext()), f"{folder}/index.html"
        text = MOVED.format(
            title=title, front=address, front_json=json.dumps(address), places=json.dumps(places)
        )
        Path(app.outdir, f"{chapter}.html").write_text(text, encoding="utf-8")


def setup(app):
    app.add_directive("sections", Sections)
    app.add_node(core)
    app.add_role("core", core_role)
    app.connect("doctree-read", measure)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", front_pages)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", list_sections)
    app.connect("doctree-resolved", write_times)
    app.connect("html-page-context", write_lengths, priority=950)  # after the side bar's names
    app.connect("build-finished", keep_addresses)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
