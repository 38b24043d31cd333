"""HTML and outputs that come from a stranger, made harmless to show.

Three layers, of which each would do alone: only harmless kinds of output are kept; every piece of HTML that
comes from a submission, and then the whole page, passes an allowlist (nh3, which parses as browsers do);
and the page's own content policy forbids scripts and requests.
"""

from __future__ import annotations

import copy
import html
import re
from collections import Counter
from collections.abc import Callable
from functools import cache

import nh3
from nbformat import NotebookNode
from nbformat.v4 import new_output
from pygments.formatters import HtmlFormatter

KEPT_OUTPUTS = ("text/html", "text/markdown", "image/png", "image/jpeg", "text/latex", "text/plain")
MAX_PIECE, MAX_MARKDOWN, MAX_DEPTH, MAX_REOPENED = 100_000, 30_000, 300, 1_000_000
MAX_CLEANED, MAX_PAGE, ALWAYS_SHOWN = 2 * MAX_PIECE, 1_500_000, 5_000
TAGS = {
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "caption",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "s",
    "samp",
    "small",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
}
# with what is in them, which is no text to read
SILENT = {
    "script",
    "style",
    "template",
    "noscript",
    "iframe",
    "object",
    "applet",
    "svg",
    "math",
    "title",
    "form",
    "textarea",
    "select",
    "audio",
    "video",
    "portal",
    "xmp",
    "plaintext",
}
# whose tags go, but which stand apart from what is before them
BLOCK = re.compile(
    r"<(?=(?:address|article|aside|dialog|fieldset|fig(?:caption|ure)|footer|header|hgroup|main|nav|section)\b)",
    re.I,
)
LINE_IN_PRE = re.compile(r"<pre\b[^<>]*>(?=\n)", re.I)  # which parsing takes away
# what HTML opens again in each block until it is closed, all of it that differs in its attributes
REOPENED = re.compile(r"<(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/]", re.I)
PLAIN_ATTRIBUTES = {"alt", "align", "border", "colspan", "rowspan", "scope", "start", "open", "lang", "dir"}
PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*")
# formgrader's MathJax would make links that run; sought from a run's beginning alone, which may be long
TEX_WITH_HTML = re.compile(r"(?<!\\)\\+(?=(?:href|cssId|class|style|require|mmlToken|unicode)(?![A-Za-z]))")
ANCHOR = re.compile(r"[A-Za-z][A-Za-z0-9_.:-]*")
STUDENT_CLASS = re.compile(
    r"(highlight|dataframe|formula|hl-\w+|ansi-[a-z-]+|[a-z][a-z0-9]{0,2})( (ansi-[a-z-]+))*"
)
PLACE = re.compile(r'<var class="formula">([0-9]{1,6})</var>')  # of a formula that is set when all is clean
MENTION = re.compile(r"\b(book/([\w-]+\.html(?:#[\w-]+)?))")
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STYLE = """
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:1.5rem auto;padding:0 1rem}
body{background:#fff;color:#1a1a1a}
pre,code,kbd,samp{font:14px/1.45 ui-monospace,monospace}
pre{overflow-x:auto;padding:.6rem;margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.highlight pre{background:#f6f6f6;border:1px solid #ccc}
h1{font-size:1.6rem}h2{font-size:1.25rem}
#notebook{border-top:2px solid #235a8c;padding-top:1rem;margin-top:2rem}
.notice,.findings{border:2px solid #8a5a00;padding:.3rem .8rem;border-radius:4px}
.marks{width:100%}.marks td,.marks th{text-align:left;vertical-align:top;padding:.35rem .6rem}
.marks thead th{background:#235a8c;color:#fff}.marks th[scope=row]{width:26%}
.marks td p,.marks .comment p{margin:.1rem 0}
.marks .points{white-space:nowrap}.marks .state{font-size:.85rem}.marks tfoot .points{font-weight:bold}
.right .state{color:#1b6e2c}.partly .state,.open .state{color:#7a4a00}.wrong .state{color:#b3261e}
tr.right th[scope=row]{border-left:6px solid #1b6e2c}tr.wrong th[scope=row]{border-left:6px solid #b3261e}
tr.partly th[scope=row],tr.open th[scope=row]{border-left:6px solid #c98a1b}
.comment{border-left:3px solid #8a5a00;padding-left:.5rem;margin-top:.3rem}
.panel{border:2px solid #235a8c;border-radius:4px;margin:1rem 0}
.panel-heading{background:#235a8c;color:#fff;padding:.3rem .6rem;overflow:auto}
.panel-heading a{color:#fff}.back{float:right}
.panel-body,.panel-footer{padding:.3rem .6rem}
.panel-footer{border-top:1px solid #235a8c;background:#fff6dc}
.text,.panel-body,.output_subarea{overflow-x:auto}
span.formula{display:block;overflow-x:auto;text-align:center;margin:.6rem 0}
.anchor-link{display:none}
.output_error pre,.output_stderr pre{border-left:4px solid #b3261e}
img{max-width:100%}table{border-collapse:collapse}td,th{border:1px solid #999;padding:.15rem .5rem}
.ansi-bold{font-weight:bold}.ansi-red-fg,.ansi-red-intense-fg{color:#b3261e}
.ansi-green-fg,.ansi-green-intense-fg{color:#1b6e2c}
.ansi-blue-fg,.ansi-blue-intense-fg{color:#235a8c}
@media (max-width:40rem){.marks thead{display:none}
.marks tr,.marks td,.marks th{display:block;border:0;width:auto}
.marks th[scope=row]{width:auto}.marks .state{margin-left:.6rem}
.marks tr{border:1px solid #999;margin-bottom:.5rem}.marks td br{display:none}.marks td:empty{display:none}}
@media print{.panel,tr{break-inside:avoid}}
"""


def safe_notebook(nb):
    """A copy with harmless outputs and bounded texts; markdown is cleaned when it has become HTML."""
    nb, room = copy.deepcopy(nb), MAX_PAGE
    for cell in nb.cells:
        cell.metadata = NotebookNode(
            {key: cell.metadata[key] for key in ("nbgrader", "tags") if key in cell.metadata}
        )
        if cell.cell_type == "raw":
            cell.source = html.escape(cell.source)
        cell.source = _cut(
            cell.source, min(room, MAX_MARKDOWN if cell.cell_type == "markdown" else MAX_PIECE)
        )
        room -= len(cell.source)
        if cell.cell_type == "code":
            kept = []
            for output in cell.outputs:
                size = _text_length(output)
                if size > max(room, ALWAYS_SHOWN):
                    output, size = (
                        new_output(
                            "stream", name="stderr", text="(More output than is shown of a notebook.)\n"
                        ),
                        0,
                    )
                room = max(0, room - size)
                kept.append(safe_output(output))
            cell.outputs = [output for output in kept if output is not None]
    nb.metadata.pop("widgets", None)
    return nb


def _text_length(output) -> int:
    """How much text there is to be cleaned in an output, as far as it would be looked at."""
    texts = (
        output.get("data", {}).items()
        if "data" in output
        else [("text", output.get("text", "")), ("traceback", "".join(map(str, output.get("traceback", []))))]
    )
    return sum(
        min(len(text), MAX_PIECE)
        for kind, text in texts
        if isinstance(text, str) and not kind.startswith("image/")
    )


def safe_output(output):
    """One output of a cell in harmless kinds only; None if nothing of it can be shown."""
    if output.output_type == "stream":
        output.text = _cut(output.text)
        return output
    if output.output_type == "error":
        output.traceback = [_cut(str(line)) for line in output.traceback]
        return output
    if output.output_type not in ("display_data", "execute_result"):
        return None
    data = {kind: output.data[kind] for kind in KEPT_OUTPUTS if isinstance(output.data.get(kind), str)}
    for kind in ("image/png", "image/jpeg"):
        if kind in data and not re.fullmatch(r"[A-Za-z0-9+/=\s]+", data[kind]):
            del data[kind]
    for kind in ("text/plain", "text/latex", "text/markdown"):
        if kind in data:
            data[kind] = TEX_WITH_HTML.sub(
                "", _cut(data[kind], MAX_MARKDOWN if kind == "text/markdown" else MAX_PIECE)
            )
    if "text/html" in data:
        data["text/html"] = clean_piece(data["text/html"])
        if not re.search(r"\w|<img", re.sub(r"<(?!img)[^>]*>", "", data["text/html"])):
            del data["text/html"]  # nothing is left to see, so the plain text is shown
    output.data, output.metadata = data, {}
    return output if data else None


def _cut(text: str, most: int = MAX_PIECE) -> str:
    return text if len(text) <= most else text[:most] + "\n… (cut)"


def clean_piece(text: str, anchors: bool = True) -> str:
    """HTML of a submission as balanced, harmless HTML: it can neither reach out of its place nor look like
    the page around it. Without `anchors` nothing in it has a name, where the page finds its own parts by one.
    """
    if len(text) > MAX_PIECE:
        return "<p>(This is too large to be shown.)</p>"
    if _depth(text) > MAX_DEPTH or len(REOPENED.findall(text)) * text.count("<") > MAX_REOPENED:
        return "<p>(This is nested too deeply to be shown.)</p>"
    allowed = _student_attribute if anchors else _unnamed_attribute
    text = BLOCK.sub("\n<", text)
    for _ in range(2):  # without the tags that go, what is left may be parsed otherwise
        text = _allowed_only(LINE_IN_PRE.sub(r"\g<0>\n", text), allowed)
        if len(text) > MAX_CLEANED:
            return "<p>(This is too large to be shown.)</p>"
    return TEX_WITH_HTML.sub("", text)


def safe_page(page: str, title: str, book_url: str, fill: Callable[[str], str] = str) -> str:
    """A whole page from nbgrader's: its body cleaned, in a head of our own with a policy that forbids scripts
    and requests. `fill` puts into each `PLACE` of the cleaned text what belongs there.
    """
    _, found, body = page.partition("<body>")

    def attribute(tag: str, name: str, value: str) -> bool:
        if tag == "a" and name == "href":
            return value.startswith("#") or (
                value.startswith(book_url) and MENTION.fullmatch(value[len(book_url) :]) is not None
            )
        return name == "class" or _student_attribute(tag, name, value)

    body = _with_links(_allowed_only(body if found else page, attribute), book_url)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f'<link rel="icon" href="data:,"><title>{html.escape(title)}</title>\n'
        f"<style>{STYLE}{_code_colours()}</style></head>\n"
        f"<body><main>{fill(body)}</main></body></html>\n"
    )


def _student_attribute(tag: str, name: str, value: str) -> bool:
    if tag == "img" and name == "src":
        return PICTURE.fullmatch(value) is not None
    if tag == "a" and name == "href":
        return re.fullmatch(r"#[\w.:-]+", value) is not None
    if name in ("id", "name"):
        return ANCHOR.fullmatch(value) is not None and tag in ("a", "div", "h1", "h2", "h3", "h4", "h5", "h6")
    if name == "class":
        return STUDENT_CLASS.fullmatch(value) is not None
    return name in PLAIN_ATTRIBUTES


def _unnamed_attribute(tag: str, name: str, value: str) -> bool:
    return name not in ("id", "name") and _student_attribute(tag, name, value)


def _depth(text: str) -> int:
    """How many elements are open at once, at most: what the time of parsing grows with."""
    is_open, depth, most = Counter(), 0, 0
    for closing, name in re.findall(r"<(/?)(?!(?:img|br|hr|input|col|wbr)\b)([A-Za-z][A-Za-z0-9-]*)", text):
        if not closing:
            is_open[name] += 1
            depth += 1
            most = max(most, depth)
        elif is_open[name]:
            is_open[name] -= 1
            depth -= 1
    return most


def _allowed_only(text: str, attribute: Callable[[str, str, str], bool]) -> str:
    """HTML as a browser would parse it, well formed, with the tags and attributes that are allowed."""
    return nh3.clean(
        text,
        tags=TAGS,
        clean_content_tags=SILENT,
        attributes={"*": PLAIN_ATTRIBUTES | {"class", "href", "id", "name", "src"}},
        attribute_filter=lambda tag, name, value: value if attribute(tag, name, value) else None,
        link_rel=None,
        url_schemes={"http", "https", "data"},
    )


def _with_links(text: str, book_url: str) -> str:
    """Cleaned HTML with links to the pages of the book that it names, except in links."""
    parts, links = [], 0
    for tag, words in re.findall(r'(<(?:[^>"]|"[^"]*")*>)|([^<]+)', text):
        links += tag.startswith(("<a>", "<a ")) - (tag == "</a>")
        if not links:
            words = MENTION.sub(
                lambda found: f'<a href="{html.escape(book_url + found[1])}">{found[1]}</a>', words
            )
        parts.append(tag or words)
    return "".join(parts)


@cache
def _code_colours() -> str:
    return HtmlFormatter(style="default").get_style_defs(".highlight")
