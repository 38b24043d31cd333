"""Render every formula to MathML at build time, with what `coursegrader.formulas` does for feedback pages."""

import html

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.math import get_node_equation_number

from coursegrader import formulas


def mathml(latex, display):
    try:
        return formulas.mathml(latex, display)
    except ValueError as error:
        raise ExtensionError(str(error)) from error


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
