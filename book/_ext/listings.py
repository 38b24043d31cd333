"""Shown code is what its section is about: of a docstring its first line, and no line that only checks.

The library's own text has both. What a section includes from a file of Python by name, with `literalinclude`,
is shown without them. Everything else stands as in the file. A configuration for instructors is shown whole.
"""

import ast
import textwrap

from docutils import nodes


def only_raises(node):
    """Is this an `if` or an `except` that does nothing but raise an error, in each of its branches?"""
    if not isinstance(node, ast.If | ast.ExceptHandler):
        return False
    others = getattr(node, "orelse", [])
    return isinstance(node.body[0], ast.Raise) and (not others or len(others) == 1 and only_raises(others[0]))


def shortened(code):
    """The code, each docstring cut to its first line, without statements that are a call of `check_...`, or
    that only raise an error."""
    lines = textwrap.dedent(code).splitlines()
    for node in ast.walk(ast.parse("\n".join(lines))):
        for place, statement in enumerate(getattr(node, "body", ()) if isinstance(node, ast.stmt) else ()):
            first, last = statement.lineno - 1, statement.end_lineno
            if only_raises(statement):
                lines[first:last] = [None] * (last - first)
            elif isinstance(statement, ast.Try) and all(map(only_raises, statement.handlers)):
                inner = statement.body[-1].end_lineno
                kept = [line and line[4:] for line in lines[first + 1 : inner]]
                lines[first:last] = [None, *kept, *[None] * (last - inner)]
            if not isinstance(statement, ast.Expr):
                continue
            value = statement.value
            if place == 0 and isinstance(value, ast.Constant) and isinstance(value.value, str):
                if last - first > 1:
                    lines[first:last] = [lines[first].rstrip() + '"""'] + [None] * (last - first - 1)
            elif isinstance(value, ast.Call) and getattr(value.func, "id", "").startswith("check_"):
                lines[first:last] = [None] * (last - first)
    return "\n".join(line for line in lines if line is not None)


def shorten(app, doctree):
    if app.env.docname.startswith("book/instructors/"):
        return
    for block in doctree.findall(nodes.literal_block):
        if str(block.get("source", "")).endswith(".py") and block.get("language") == "python":
            block.rawsource = shortened(block.astext())
            block[:] = [nodes.Text(block.rawsource)]


def setup(app):
    app.connect("doctree-read", shorten, priority=400)  # before a section's lines are counted
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
