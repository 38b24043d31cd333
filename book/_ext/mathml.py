"""Render every formula to MathML when the book is built: no script, no font and no request in the reader's browser."""

import html
import re

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number


SIGNS = re.compile(r"<mo>(&#x0?221E;|&#x0?22A4;)</mo>")  # infinity and transpose are names, not operators with space around


def mathml(latex, display):
    try:
        rendered = SIGNS.sub(r"<mi>\1</mi>", convert(latex, display=display))
    except Exception as error:
        raise ExtensionError(f"this formula cannot be rendered: {latex!r} ({type(error).__name__}: {error})") from error
    unknown = re.findall(r"\\\w+", rendered)
    if unknown:
        raise ExtensionError(f"this formula cannot be rendered: {latex!r} uses {', '.join(unknown)}, which latex2mathml does not know.")
    return rendered


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
