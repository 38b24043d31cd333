"""The hours of a problem set on a page: {hours}`NN-name`, counted from its notebook as coursegrader.workload
says."""

import json
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

from coursegrader.workload import hours


def hours_role(name, rawtext, text, lineno, inliner, options=None, content=()):
    env = inliner.document.settings.env
    path = Path(env.srcdir, "solutions", text, f"{text}.ipynb")
    if not path.exists():
        raise ExtensionError(f"{{hours}}`{text}`: there is no problem set {text}")
    env.note_dependency(str(path))
    return [nodes.Text(f"{hours(json.loads(path.read_text(encoding='utf-8'))['cells'])} h")], []


def setup(app):
    app.add_role("hours", hours_role)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
