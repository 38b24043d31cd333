"""Render every formula to MathML when the book is built: no script, no font and no request in the reader's browser."""

import html
import re
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number


SIGNS = re.compile(r"<mo>(&#x0?221E;|&#x0?22A4;)</mo>")  # infinity and transpose are names, not operators with space around
THIN = "0.17em"
OPENING, CLOSING = set("([{|‖⟨"), set(")]}|‖⟩!")


def _is_name(element):
    """A function's name: log, softmax. It may carry an index."""
    while element.tag in ("msub", "msup", "msubsup", "munder"):
        element = element[0]
    return element.tag in ("mi", "mo") and len(element.text or "") > 1 and element.text.isalpha()


def _space(row):
    """Thin spaces around the names of functions, and none after the minus sign of a negative number."""
    for place in reversed(range(len(row))):
        element = row[place]
        _space(element)
        if element.tag == "mo" and element.text == "\u2212" and (place == 0 or row[place - 1].tag == "mo" and row[place - 1].text not in CLOSING):
            element.set("form", "prefix")
        if row.tag not in ("mrow", "math", "mstyle", "mtd", "msqrt") or not _is_name(element):
            continue
        if element.tag == "mo":  # what \operatorname gives has an operator's wide spaces
            element.tag = "mi"
        if place + 1 < len(row) and row[place + 1].tag != "mo":
            row.insert(place + 1, ElementTree.Element("mspace", width=THIN))
        if place > 0 and row[place - 1].tag != "mo":
            row.insert(place, ElementTree.Element("mspace", width=THIN))


def spaced(formula):
    """The formula's MathML with the spaces that a typesetter would leave."""
    tree = ElementTree.fromstring(formula.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', ""))
    _space(tree)
    tree.set("xmlns", "http://www.w3.org/1998/Math/MathML")
    return ElementTree.tostring(tree, encoding="unicode")


def mathml(latex, display):
    try:
        rendered = SIGNS.sub(r"<mi>\1</mi>", convert(latex, display=display))
    except Exception as error:
        raise ExtensionError(f"this formula cannot be rendered: {latex!r} ({type(error).__name__}: {error})") from error
    unknown = re.findall(r"\\\w+", rendered)
    if unknown:
        raise ExtensionError(f"this formula cannot be rendered: {latex!r} uses {', '.join(unknown)}, which latex2mathml does not know.")
    return spaced(rendered)


def visit_inline(self, node):
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(self, node):
    name = "".join(f' id="{html.escape(i)}"' for i in node.get("ids", [])[:1])
    number = f'<span class="eqno">({html.escape(get_node_equation_number(self, node))})</span>' if node.get("number") else ""
    formula = mathml(node.astext().strip(), "block")
    # a wide formula scrolls, and what scrolls must be within reach of the keyboard
    self.body.append(f'<div class="formula"{name} tabindex="0" role="group" aria-label="formula">{formula}{number}</div>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
