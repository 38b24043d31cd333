"""Formulas as MathML, made with the page that shows them: no script, font or request is needed."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert

# plus or minus is an operator, with space around
OPERATORS = re.compile(r"<mi>(&#x0*(?:B1|2213);)</mi>", re.I)
# infinity and transpose are names, not operators with space around
SIGNS = re.compile(r"<mo>(&#x0?221E;|&#x0?22A4;)</mo>")
THIN = "0.17em"
NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
MAX_FORMULA, MAX_NESTED = 1000, 20  # of a stranger's formula: characters, braces in braces
ELEMENTS = set(
    "math mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle "
    "msub msubsup msup mtable mtd mtext mtr munder munderover none".split()
)
ATTRIBUTES = set(
    "accent accentunder columnalign columnspacing depth display displaystyle fence form height linebreak "
    "linethickness lspace mathvariant maxsize minsize movablelimits rowspacing rspace scriptlevel separator "
    "stretchy symmetric width".split()
)
VALUE = re.compile(r"[a-z -]{0,40}|-?[0-9]?(\.[0-9]{1,4})?(em|ex|px|pt|%)?")  # a word, or a short length
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


def mathml(latex: str, display: str) -> str:
    """The formula as MathML, "inline" or as a "block" of its own; ValueError where it cannot be set."""
    try:
        rendered = OPERATORS.sub(r"<mo>\1</mo>", SIGNS.sub(r"<mi>\1</mi>", convert(latex, display=display)))
        unknown = re.findall(r"\\\w+", rendered)
        typeset = "" if unknown else spaced(rendered)
    except Exception as error:
        raise ValueError(
            f"this formula cannot be rendered: {latex!r} ({type(error).__name__}: {error})"
        ) from error
    if unknown:
        raise ValueError(
            f"this formula cannot be rendered: {latex!r} uses {', '.join(unknown)}, "
            "which latex2mathml does not know."
        )
    return typeset


@lru_cache(maxsize=4096)  # a class has the released text's formulas in common
def of_stranger(latex: str, display: str) -> str:
    """The same of a formula that a stranger wrote: elements and attributes that only set a formula, or the
    TeX itself as code where it cannot be set."""
    try:
        if len(latex) > MAX_FORMULA or _nested(latex) > MAX_NESTED:
            raise ValueError("too much of a formula")
        tree = ElementTree.fromstring(mathml(latex, display))
        for element in tree.iter():
            if element.tag.removeprefix(NAMESPACE) not in ELEMENTS:
                raise ValueError(f"{element.tag} sets no formula")
            element.tag = element.tag.removeprefix(NAMESPACE)
            for name, value in list(element.attrib.items()):
                if name not in ATTRIBUTES or not VALUE.fullmatch(value):
                    del element.attrib[name]
        return ElementTree.tostring(tree, encoding="unicode")
    except ValueError:
        return f"<code>{html.escape(latex)}</code>"


def _nested(latex: str) -> int:
    """How deep braces, and fences of all sizes, lie in each other, at most."""
    depth = most = 0
    for mark in re.findall(r"[{}]|\\left|\\right|\\begin|\\end", latex):
        depth += 1 if mark in ("{", r"\left", r"\begin") else -1
        most = max(most, depth)
    return most
