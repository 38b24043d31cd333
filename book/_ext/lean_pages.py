"""Take out of the pages what this book does not use, mend what keyboards and screen readers stumble over, and describe each page."""

import html

from docutils import nodes

LONGEST_DESCRIPTION = 200  # characters; search engines show about as much
UNUSED = ("thebe",)  # remote kernels
MENDED = {
    "<figure ": '<figure tabindex="0" ',  # figures scroll sideways on a phone (course.css)
    '<summary aria-label="Toggle hidden content">': "<summary>",  # the label hid the summary's own text
    '<th class="head"><p></p></th>': "<td></td>",  # the empty corner of a table is no heading
    ' role="doc-biblioentry"': "",  # no longer a role
    '<div role="list" class="citation-list">': '<div class="citation-list">',
}


FOLDED = '<summary><span class="toctree-toggle"'  # in the side bar: a button without a name


def name_toggles(menu):
    """The side bar's menu, whose folding parts get a name."""
    return str(menu).replace(FOLDED, FOLDED.replace("<summary>", '<summary aria-label="Show or hide the pages of this part">'))


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
    if menu := context.get("generate_toctree_html"):
        context["generate_toctree_html"] = lambda kind, **how: name_toggles(menu(kind, **how)) if kind == "sidebar" else menu(kind, **how)
    written = context.get("metatags", "")  # of the page's front matter
    if doctree is not None and 'name="description"' not in written and (text := description(doctree)):
        context["metatags"] = f'{written}\n<meta name="description" content="{html.escape(text)}">'


def setup(app):
    app.connect("html-page-context", change_page, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
