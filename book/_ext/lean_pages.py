"""Take out of pages what this book does not use, mend what keyboards and screen readers meet, describe each.

The last touch of the typesetter is here as well: what belongs together stays on one line.
"""

import html
import re

from docutils import nodes
from sphinx.transforms import SphinxSmartQuotes, SphinxTransform

LONGEST_DESCRIPTION = 200  # characters; search engines show about as much
UNUSED = ("thebe",)  # remote kernels
CERTIFIED = "book/instructors/certified/"  # written by `coursegrader certify`
MENDED = {
    "<figure ": '<figure tabindex="0" ',  # figures scroll sideways on a phone (course.css)
    '<summary aria-label="Toggle hidden content">': "<summary>",  # the label hid the summary's own text
    '<th class="head"><p></p></th>': "<td></td>",  # the empty corner of a table is no heading
    ' role="doc-biblioentry"': "",  # no longer a role
    '<div role="list" class="citation-list">': '<div class="citation-list">',
}


CODE = re.compile(r"(<pre\b.*?</pre>|<code\b.*?</code>)", re.S)
FORMULA = re.compile(r'([(\[“‘]*)(<math display="inline".*?</math>)((?:-\w+)?[.,;:!?)\]”’]*)', re.S)
# GPT-3, k-th, 2026-03-03, x -= y
HYPHENED = re.compile(
    r"(<(script|style|svg|math|select)\b.*?</\2>|<[^>]*>)"
    r"|(?<![\w/.-])(\w-\w{1,12}|\w{1,12}-(?:\w|\d[\w.]{0,6}\w)(?:-\w{1,4})?|\d+(?:-\d+){1,2}|\d+-[a-z]{1,7}"
    r"|\w{1,2} [-+]?= \w{1,2}(?: - \w{1,2})?)(?![\w/-])",
    re.S,
)
SHORT_NAME = re.compile(r'<span class="pre">(?=[^<]*-)([^<]{1,24})</span>')  # --force, 03-attention
NAME = re.compile(r'<code class="docutils literal notranslate">(.*)</code>', re.S)
LONGEST_NAME = 14  # characters of code that stay on one line
HEADING = re.compile(r"<h2>.*?</h2>", re.S)
GLUED = re.compile(r'(<span class="pasted-text">)([^<]*)(</span>)')


def _number(found):
    """A glued number as it is printed: a minus sign, and powers of ten."""
    text = re.sub(r"^-(?=\d)", "−", found[2])
    text = re.sub(
        r"^(.*\d)e([+-])0*(\d+)$",
        lambda part: f"{part[1]}\u00a0·\u00a010<sup>{part[2].strip('+').replace('-', '−')}{part[3]}</sup>",
        text,
    )
    return found[1] + text + found[3]


def _formula(found):
    return f'<span class="together">{found[0]}</span>' if found[1] or found[3] else found[0]


def _hyphened(found):
    return found[1] or f'<span class="together">{found[3]}</span>'


def _short(code):
    """A few characters of code with spaces, such as a shape, stay on one line; longer ones may break."""
    found = NAME.fullmatch(code)
    text = html.unescape(re.sub("<[^>]*>", "", found[1])) if found else ""
    return (
        code.replace('class="docutils', 'class="together docutils', 1)
        if " " in text and len(text) <= LONGEST_NAME
        else code
    )


def keep_together(body):
    """What a line's end must not part: a formula and its punctuation, a number and its unit, "Fig." or
    "chapter" and its number, a shape, a short name in code, a number or a letter and what a hyphen ties to
    it."""
    parts = CODE.split(body)
    parts[1::2] = [
        code
        if code.startswith("<pre")
        else _short(SHORT_NAME.sub(r'<span class="pre together">\1</span>', code))
        for code in parts[1::2]
    ]
    for place in range(0, len(parts), 2):  # what is not code
        text = FORMULA.sub(_formula, GLUED.sub(_number, parts[place]))
        text = re.sub(r"(?<=[\d>]) (?=%|(?:[KMGT]i?B|ms)\b)|(?<=\(\d) (?=points)", "\u00a0", text)
        text = re.sub(r"(?<=\d) × (?=\d)", "\u00a0×\u00a0", text)
        text = re.sub(r"(?<=°) (?=± )|(?<=±) (?=\d)", "\u00a0", text)
        text = re.sub(r">Fig\. (?=\d)|\b[Cc]hapter (?=\d)", lambda found: found[0][:-1] + "\u00a0", text)
        parts[place] = HYPHENED.sub(_hyphened, text)
    return "".join(parts)


FOLDED = '<summary><span class="toctree-toggle"'  # in the side bar: a button without a name


def name_toggles(menu):
    """The side bar's menu, whose folding parts get a name."""
    return str(menu).replace(
        FOLDED, FOLDED.replace("<summary>", '<summary aria-label="Show or hide the pages of this part">')
    )


def breakable_names(contents):
    """A heading or the page's contents, where a long name in code may go on in the next line between its
    words: multi_head_, then parameters."""
    return re.sub(
        r'(?<=<span class="pre">)[^<]+',
        lambda name: re.sub(r"(?<=_)(?=\w)|(?<=[a-z])(?=[A-Z])", "<wbr>", name[0]),
        str(contents),
    )


def _text(file):
    """A file's name, or the text of a script that stands in the page itself."""
    return f"{getattr(file, 'filename', file)} {getattr(file, 'attributes', {}).get('body', '')}".lower()


def description(doctree):
    """The page's first paragraph, cut at a word."""
    first = next((node.astext() for node in doctree.findall(nodes.paragraph) if len(node.astext()) >= 50), "")
    text = " ".join(first.split())
    return text if len(text) <= LONGEST_DESCRIPTION else text[:LONGEST_DESCRIPTION].rsplit(" ", 1)[0] + " …"


def change_page(app, pagename, templatename, context, doctree):
    for kind in ("script_files", "css_files"):
        files = context.get(kind, [])
        files[:] = [file for file in files if not any(word in _text(file) for word in UNUSED)]
    for old, new in MENDED.items():
        if "body" in context:
            context["body"] = context["body"].replace(old, new)
    if "body" in context:
        context["body"] = HEADING.sub(lambda found: breakable_names(found[0]), keep_together(context["body"]))
    if menu := context.get("generate_toctree_html"):
        context["generate_toctree_html"] = lambda kind, **how: (
            name_toggles(menu(kind, **how)) if kind == "sidebar" else menu(kind, **how)
        )
    if contents := context.get("generate_toc_html"):
        context["generate_toc_html"] = lambda kind="html": (
            breakable_names(contents(kind)) if kind == "html" else contents(kind)
        )
    written = context.get("metatags", "")  # of the page's front matter
    if doctree is not None and 'name="description"' not in written and (text := description(doctree)):
        context["metatags"] = f'{written}\n<meta name="description" content="{html.escape(text)}">'


def leave_out_of_search(app, doctree):
    """A certified page names every mistake many times, and would stand before the chapters."""
    if app.env.docname.startswith(CERTIFIED):
        app.env.metadata[app.env.docname]["nosearch"] = True


class KeepCode(SphinxTransform):
    """Messages on a certified page hold code: quotes stay straight there, and three dots three."""

    default_priority = SphinxSmartQuotes.default_priority - 1

    def apply(self):
        self.document.settings.smart_quotes = not self.env.docname.startswith(CERTIFIED)


def setup(app):
    app.add_transform(KeepCode)
    app.connect("doctree-read", leave_out_of_search, priority=900)
    app.connect("html-page-context", change_page, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
