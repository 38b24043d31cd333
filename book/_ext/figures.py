"""Interactive figures: custom elements of our own, each loaded where it is shown, with a scriptless fallback.

    ```{interactive} softmax-temperature
    :name: softmax-figure

    The caption, one paragraph.

    What stands here instead of the figure without scripts, and folded under it with them: a table or a text.
    ```

shows <ay-softmax-temperature>, which book/figures/softmax-temperature.js defines. A softmax-temperature.py
beside it computes with the library:
what its `data()` returns is written to figures/softmax-temperature.json, which the element finds in
`data-src`; and its `fallback()`, if there is one, gives that table as Markdown, so that no number is typed.
"""

import html
import importlib.util
import json
import shutil
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

FOLDER = Path("book") / "figures"  # in the source; `figures` in the site
KEPT = ("*.js", "*.css")


def source(file):
    """The Python file as a module."""
    specification = importlib.util.spec_from_file_location(f"figure_{file.stem.replace('-', '_')}", file)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def exported(module):
    """What the module's data() returns, as JSON with at most six digits after the point.

    Raises ValueError where it is not plain data.
    """
    try:
        return json.dumps(rounded(module.data()), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{module.__file__}: data() must return lists, dictionaries, texts and finite numbers: {error}"
        ) from error


def rounded(value):
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, (list, tuple)) else value


def mark_words(table):
    """Give each column of a table that holds words and not numbers the class `of-words`; numbers end at the
    right, words begin at the left."""
    for head, *column in zip(*(row.children for row in table.findall(nodes.row))):
        if not all(cell.astext()[:1] in "0123456789-−+" for cell in column):
            for cell in (head, *column):
                cell["classes"].append("of-words")


class Interactive(SphinxDirective):
    """A figure with a custom element, a caption, and a fallback."""

    required_arguments = 1
    has_content = True
    option_spec = {"name": directives.unchanged, "data-src": directives.unchanged}

    def run(self):
        name, folder = self.arguments[0], Path(self.env.srcdir) / FOLDER
        script, python = folder / f"{name}.js", folder / f"{name}.py"
        if not script.is_file():
            raise self.error(f"There is no figure of the name {name}: {FOLDER / script.name} was expected.")
        up = "../" * self.env.docname.count("/") + "figures/"
        place, text = self.options.get("data-src", ""), ""
        if python.is_file():
            self.env.note_dependency(str(python))
            module = source(python)
            try:
                data = exported(module)
            except ValueError as error:
                raise self.error(str(error)) from error
            self.env.domaindata.setdefault("figures", {"version": 0}).setdefault("data", {})[name] = data
            place, text = f"{up}{name}.json", getattr(module, "fallback", str)()
        body = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, body)
        body += self.parse_text_to_nodes(text) if text else []
        for table in body.findall(nodes.table):
            mark_words(table)
        if len(body) < 2 or not isinstance(body[0], nodes.paragraph):
            raise self.error(
                f"The figure {name} needs a caption, one paragraph, and then a fallback: a table or a text."
            )
        caption = nodes.caption(body[0].rawsource, "", *body[0].children)
        figure = nodes.figure(classes=["interactive"])
        figure += self.raw(
            (
                f'<link rel="stylesheet" href="{up}base.css"><script type="module" '
                f'src="{up}{name}.js"></script><ay-{name}'
            )
            + (f' data-src="{html.escape(place)}"' if place else "")
            + ">"
        )
        figure += body[1:]
        figure += self.raw(f"</ay-{name}>")
        figure += caption
        self.set_source_info(figure)
        self.add_name(figure)
        return [figure]

    @staticmethod
    def raw(text):
        return nodes.raw("", text, format="html")


def copy_files(app, error):
    """Lay the scripts, their style and their data beside the pages."""
    if error or app.builder.format != "html":
        return
    target = Path(app.outdir) / "figures"
    target.mkdir(exist_ok=True)
    for pattern in KEPT:
        for file in (Path(app.srcdir) / FOLDER).glob(pattern):
            shutil.copyfile(file, target / file.name)
    for name, data in app.env.domaindata.get("figures", {}).get("data", {}).items():
        (target / f"{name}.json").write_text(data, encoding="utf-8")


def setup(app):
    app.add_directive("interactive", Interactive)
    app.connect("build-finished", copy_files)
    return {"version": "1", "env_version": 1, "parallel_read_safe": False, "parallel_write_safe": True}
