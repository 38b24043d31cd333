"""At the foot of each page, folded: the sections of other pages that link to it.

A page is often written before the pages that link to it are read to their end. So each page leaves a place,
and the lists are put in when all are written.
What each page links to is kept beside the doctrees, because an unchanged page is not looked at again.
"""

import html
import json
import posixpath
import re
from pathlib import Path

from docutils import nodes
from mathml import mathml

PLACE = re.compile(r"<!-- links here -->.*?<!-- end of links -->", re.S)
EMPTY = "<!-- links here --><!-- end of links -->"
NO_SOURCES = re.compile(r"book/(index|bibliography|instructors/.*)|genindex|search")
NO_TARGETS = re.compile(r"book/(index|bibliography|instructors/.*)")


def spelled(title):
    """A heading as HTML, its formulas rendered."""
    return "".join(
        mathml(node.astext(), "inline") if isinstance(node, nodes.math) else html.escape(node.astext())
        for node in title.children
    )


def target_of(docname, uri):
    """The page that a relative address leads to."""
    path = uri.partition("#")[0]
    return (
        posixpath.normpath(posixpath.join(posixpath.dirname(docname), path)).removesuffix(".html")
        if path
        else docname
    )


def section_of(node):
    """Heading and anchor of the section that holds a node; ("", "") on the top level."""
    while node is not None and not isinstance(node, nodes.section):
        node = node.parent
    if node is None or not isinstance(node.parent, nodes.section):
        return "", ""
    return spelled(node.next_node(nodes.title)), node["ids"][0]


def links_of(doctree, docname):
    """{page: [(heading, anchor), ...]} of what this page links to, other than glossary words and itself."""
    found = {}
    for link in doctree.findall(nodes.reference):
        if not link.get("internal") or "refuri" not in link or "term" in link["classes"]:
            continue
        target, section = target_of(docname, link["refuri"]), section_of(link)
        if target != docname and section not in found.setdefault(target, []):
            found[target].append(section)
    return found


def turned_around(links):
    """{page: {page that links to it: sections}} from {page: {page: sections}}."""
    here = {}
    for source, targets in links.items():
        for target, sections in targets.items():
            here.setdefault(target, {})[source] = sections
    return here


def in_order(env, docname):
    """This page and those under it, in the order of the side bar."""
    yield docname
    for child in env.toctree_includes.get(docname, []):
        yield from in_order(env, child)


def listed(sources, order, titles, uri_of):
    """The folded list as HTML."""
    items = []
    for source in sorted(sources, key=lambda docname: order.get(docname, len(order))):
        uri, sections = uri_of(source), [section for section in sources[source] if section[1]]
        places = ", ".join(
            f'<a class="reference internal" href="{uri}#{anchor}">{heading}</a>'
            for heading, anchor in sections
        )
        items.append(
            '<li><a class="reference internal" '
            f'href="{uri}">{titles[source]}</a>{": " if places else ""}{places}</li>'
        )
    pages = f"{len(items)} page{'s' if len(items) > 1 else ''}"
    return (
        '<details class="links-here"><summary>What links here: '
        f"{pages}</summary><ul>{''.join(items)}</ul></details>"
    )


def collect(app, doctree, docname):
    if app.builder.format == "html" and not NO_SOURCES.fullmatch(docname):
        app.links_written[docname] = links_of(doctree, docname)


def leave_place(app, pagename, templatename, context, doctree):
    if doctree is not None and not NO_TARGETS.fullmatch(pagename):
        context["body"] = context.get("body", "") + EMPTY


def put_in(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    env, store = app.env, Path(app.doctreedir) / "links.json"
    known = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
    links = {
        source: targets for source, targets in (known | app.links_written).items() if source in env.all_docs
    }
    store.write_text(json.dumps(links), encoding="utf-8")
    order = {docname: place for place, docname in enumerate(in_order(env, app.config.root_doc))}
    titles = {docname: spelled(title) for docname, title in env.titles.items()}
    here = turned_around(links)
    for docname in env.all_docs:
        path = Path(app.builder.get_outfilename(docname))
        if NO_TARGETS.fullmatch(docname) or not path.exists():
            continue
        sources = here.get(docname, {})
        block = (
            listed(sources, order, titles, lambda source: app.builder.get_relative_uri(docname, source))
            if sources
            else ""
        )
        old = path.read_text(encoding="utf-8")
        new = PLACE.sub(lambda _: EMPTY.replace("><", f">{block}<", 1), old, count=1)
        if new != old:
            path.write_text(new, encoding="utf-8")


def setup(app):
    app.links_written = {}
    app.connect("doctree-resolved", collect, priority=950)
    app.connect("html-page-context", leave_place)
    app.connect("build-finished", put_in)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
