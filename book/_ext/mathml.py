"""Render every formula to MathML at build time: no script, font or request in the reader's browser."""

import html
import re
import unicodedata
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number

# plus or minus is an operator, with space around
OPERATORS = re.compile(r"<mi>(&#x0*(?:B1|2213);)</mi>", re.I)
# infinity and transpose are names, not operators with space around
SIGNS = re.compile(r"<mo>(&#x0?221E;|&#x0?22A4;)</mo>")
THIN = "0.17em"
OPENING, CLOSING = set("([{|‖⟨"), set(")]}|‖⟩!")


def _bars(row):
    """Bars of an absolute value or a norm stand close to what they enclose, and are as tall as text."""
    opened = False
    for place, element in enumerate(row):
        bar = element[0] if element.tag in ("msup", "msub", "msubsup") else element
        if bar.tag != "mo" or bar.text not in ("|", "‖") or bar.get("form"):
            continue
        before = row[place - 1] if place else None
        if opened:
            bar.set("form", "postfix")
        elif (
            before is None
            or before.tag == "mspace"
            or before.tag == "mo"
            and before.text not in CLOSING
            or before.get("form") == "postfix"
            or _is_name(before)
        ):
            bar.set("form", "prefix")
        else:
            continue  # a condition, as in p(x | y)
        opened = not opened
        bar.set("stretchy", "false")


def _fences(row):
    """A matrix and its brackets make a group, so that brackets are just as tall as their own matrix."""
    for place in [place for place, element in enumerate(row) if element.tag == "mtable"][::-1]:
        around = row[max(0, place - 1) : place + 2]
        if len(around) == 3 < len(row) and all(
            fence.tag == "mo" and fence.text in OPENING | CLOSING for fence in around[::2]
        ):
            group = ElementTree.Element("mrow")
            group.extend(around)
            row[place - 1 : place + 2] = [group]


def _is_name(element):
    """A function's name: log, softmax. It may carry an index."""
    while element.tag in ("msub", "msup", "msubsup", "munder"):
        element = element[0]
    return element.tag in ("mi", "mo") and len(element.text or "") > 1 and element.text.isalpha()


def _space(row):
    """Thin spaces around names of functions; none after a negative's minus, around a slash, in 32,768."""
    _fences(row)
    _bars(row)
    for place in reversed(range(len(row))):
        element = row[place]
        _space(element)
        if (
            element.tag == "mo"
            and element.text in ("\u2212", "±")
            and (place == 0 or row[place - 1].tag == "mo" and row[place - 1].text not in CLOSING)
        ):
            element.set("form", "prefix")
        # {,} as in 32{,}768
        comma = element[0] if element.tag == "mrow" and len(element) == 1 and element[0].text == "," else None
        for close in (element, comma):
            if close is not None and close.tag == "mo" and (close is comma or close.text == "/"):
                close.set("lspace", "0")
                close.set("rspace", "0")
        if row.tag not in ("mrow", "math", "mstyle", "mtd", "msqrt") or not _is_name(element):
            continue
        if element.tag == "mo":  # what \operatorname gives has an operator's wide spaces
            element.tag = "mi"
        if place + 1 < len(row) and row[place + 1].tag != "mo":
            row.insert(place + 1, ElementTree.Element("mspace", width=THIN))
        if place > 0 and row[place - 1].tag != "mo":
            row.insert(place, ElementTree.Element("mspace", width=THIN))


def _letter(element):
    """A double-struck or script letter by its own character: browsers no longer read `mathvariant`."""
    kind = element.get("mathvariant", "").upper()
    for name in (f"{kind} CAPITAL {element.text}", f"MATHEMATICAL {kind} CAPITAL {element.text}"):
        try:
            element.text = unicodedata.lookup(name)
            return element.attrib.pop("mathvariant")
        except KeyError:
            pass


def _prime(element):
    """A derivative's sign stands beside its function: a superscript would raise it twice, and tiny."""
    if element.tag == "msup" and element[1].text == "′":
        element.tag, element[1].tag = "mrow", "mo"
        element[1].set("lspace", "0")
        element[1].set("rspace", "0")


def _lines(table):
    """An array's lines, which browsers no longer read from its attributes, as classes of its cells."""
    kinds = {
        kind: table.attrib.pop(name, "none").split()
        for name, kind in (("columnlines", "line-after"), ("rowlines", "line-below"))
    }
    for r, row in enumerate(table):
        for c, cell in enumerate(row):
            places = {"line-after": (c, len(row)), "line-below": (r, len(table))}
            found = [
                kind
                for kind, lines in kinds.items()
                if places[kind][0] < places[kind][1] - 1
                and lines[min(places[kind][0], len(lines) - 1)] == "solid"
            ]
            if found:
                cell.set("class", " ".join(found))


def spaced(formula):
    """The formula's MathML with the spaces that a typesetter would leave."""
    tree = ElementTree.fromstring(formula.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', ""))
    for element in tree.iter():
        if element.get("mathvariant") in ("double-struck", "script"):
            _letter(element)
        if element.tag == "mtable":
            _lines(element)
        _prime(element)
    _space(tree)
    tree.set("xmlns", "http://www.w3.org/1998/Math/MathML")
    return ElementTree.tostring(tree, encoding="unicode")


def mathml(latex, display):
    try:
        rendered = OPERATORS.sub(r"<mo>\1</mo>", SIGNS.sub(r"<mi>\1</mi>", convert(latex, display=display)))
    except Exception as error:
        raise ExtensionError(
            f"this formula cannot be rendered: {latex!r} ({type(error).__name__}: {error})"
        ) from error
    unknown = re.findall(r"\\\w+", rendered)
    if unknown:
        raise ExtensionError(
            f"this formula cannot be rendered: {latex!r} uses {', '.join(unknown)}, "
            "which latex2mathml does not know."
        )
    return spaced(rendered)


def visit_inline(self, node):
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(self, node):
    name = "".join(f' id="{html.escape(i)}"' for i in node.get("ids", [])[:1])
    number = (
        f'<span class="eqno">({html.escape(get_node_equation_number(self, node))})</span>'
        if node.get("number")
        else ""
    )
    formula = mathml(node.astext().strip(), "block")
    # a wide formula scrolls, and what scrolls must be within reach of the keyboard
    self.body.append(
        f'<div class="formula"{name} tabindex="0" role="group" aria-label="formula">{formula}{number}</div>'
    )
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer(
        "mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None)
    )
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
