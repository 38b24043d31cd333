"""A glossary word's first use on a page leads there, and shows the definition on hover and focus (terms.js).

Words are found in the paragraphs of chapters, outside of links, code, formulas, tables, captions and quizzes.
A word that the page itself sets in bold is explained there, and is left alone.
"""

import hashlib
import json
import re

from docutils import nodes
from sphinx import addnodes

GLOSSARY = "book/glossary"
PAGES = re.compile(r"book/(\d\d-[\w-]+(/[\w-]+)?|slips)")
AMBIGUOUS = {  # everyday words, and words with a second meaning in this course
    "key",
    "value",
    "score",
    "head",
    "memory",
    "gate",
    "router",
    "path length",
}
INSIDE = (
    nodes.reference,
    addnodes.pending_xref,
    nodes.literal,
    nodes.math,
    nodes.title,
    nodes.caption,
    nodes.figure,
    nodes.table,
    nodes.citation,
    nodes.footnote,
)
BLOCKS = {"quiz", "cell_output", "sd-card"}


def definition(paragraph):
    """The paragraph's sentences, without those that only lead to a chapter."""
    text = "".join(
        "\0" if isinstance(node, (nodes.reference, addnodes.pending_xref)) else node.astext()
        for node in paragraph.children
    )
    sentences = [
        sentence for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text.split())) if "\0" not in sentence
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def terms_of(doctree):
    """{word: (anchor of its entry, definition)}, with one anchor for the words of one entry."""
    found = {}
    for item in doctree.findall(nodes.definition_list_item):
        words = [term for term in item.children if isinstance(term, nodes.term)]
        anchor, text = words[0]["ids"][0], definition(next(item.findall(nodes.paragraph)))
        found |= {word.astext(): (anchor, text) for word in words}
    return found


def pattern_of(words):
    """Finds the words as whole ones, longest first, also with a plural s; acronyms only as written."""

    def spelled(word):
        first = word[0]
        return (f"[{first}{first.upper()}]" if word == word.lower() else first) + re.escape(word[1:])

    ordered = sorted(words, key=len, reverse=True)
    return re.compile(
        r"(?<![\w-])(" + "|".join(spelled(word) for word in ordered) + r")(s|es)?(?![\w-]|\.\w)"
    )


def is_free(text):
    """Whether a text may get links: it is in a paragraph, and in nothing of another kind."""
    node, in_paragraph = text.parent, False
    while node is not None:
        if isinstance(node, INSIDE) or BLOCKS & set(node.get("classes", [])):
            return False
        in_paragraph = in_paragraph or isinstance(node, nodes.paragraph)
        node = node.parent
    return in_paragraph


def link_terms(doctree, terms, glossary_uri):
    """Make each entry's first free use a link; return {anchor: definition} of those that were found."""
    by_word = {word: entry for word, entry in terms.items() if word not in AMBIGUOUS}
    pattern, lower = pattern_of(by_word), {word.lower(): entry for word, entry in by_word.items()}
    seen, shown = set(), {}
    for text in list(doctree.findall(nodes.Text)):
        if not pattern.search(text.astext()) or not is_free(text):
            continue
        bold, whole, pieces, end = isinstance(text.parent, nodes.strong), text.astext(), [], 0
        for match in pattern.finditer(whole):
            anchor, about = by_word.get(match[1]) or lower[match[1].lower()]
            if anchor in seen:
                continue
            seen.add(anchor)
            if not bold:
                shown[anchor] = about
                pieces += [
                    nodes.Text(whole[end : match.start()]),
                    nodes.reference(
                        "", match[0], refuri=f"{glossary_uri}#{anchor}", internal=True, classes=["term"]
                    ),
                ]
                end = match.end()
        if pieces:
            text.parent.replace(text, [*pieces, nodes.Text(whole[end:])])
    return shown


def mark_page(app, doctree, docname):
    if app.builder.format != "html" or not PAGES.fullmatch(docname) or GLOSSARY not in app.env.all_docs:
        return
    if not hasattr(app, "glossary_of_course"):
        app.glossary_of_course = terms_of(app.env.get_doctree(GLOSSARY))
    shown = link_terms(doctree, app.glossary_of_course, app.builder.get_relative_uri(docname, GLOSSARY))
    if shown:
        texts = json.dumps(shown, ensure_ascii=False).replace("</", "<\\/")
        doctree += nodes.raw(
            "", f'<script type="application/json" id="term-texts">{texts}</script>', format="html"
        )


def add_script(app, pagename, templatename, context, doctree):
    if 'id="term-texts"' in context.get("body", ""):
        app.add_js_file("terms.js", loading_method="defer")


def pages_with_old_definitions(app, env):
    """When the glossary has changed, all pages that show its definitions are written again."""
    if GLOSSARY not in env.all_docs:
        return []
    terms = terms_of(env.get_doctree(GLOSSARY))
    digest = hashlib.sha256(repr((sorted(terms.items()), sorted(AMBIGUOUS))).encode()).hexdigest()
    if getattr(env, "glossary_digest", None) == digest:
        return []
    env.glossary_digest = digest
    return [docname for docname in env.all_docs if PAGES.fullmatch(docname)]


def setup(app):
    app.connect("env-updated", pages_with_old_definitions)
    app.connect("doctree-resolved", mark_page, priority=900)
    app.connect("html-page-context", add_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
