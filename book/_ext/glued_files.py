"""Files that an executed page makes, laid beside the page: glue("NAME.bin", Exported(...), display=False).

Their bytes are an output of the cell, so they live as long as the execution cache does, and no file of them
is in the repository.
Each is written to figures/NAME.bin, and an interactive figure whose `data-src` names it is told its size in
`data-bytes`.
"""

import base64
import json
import re
from pathlib import Path

from myst_nb.sphinx_ import NbMetadataCollector

MIME = "application/octet-stream"
SOURCE = re.compile(r'data-src="(?:\.\./)*figures/([\w.-]+)"')


def glued(app, page):
    """The files that a page has glued: a dict from name to bytes."""
    if not any(
        "." in name for name in NbMetadataCollector.get_doc_data(app.env).get(page, {}).get("glue", ())
    ):
        return {}
    stored = Path(app.env.mystnb_config.output_folder) / f"{page}.glue.json"
    outputs = json.loads(stored.read_text(encoding="utf-8"))
    return {
        name: base64.b64decode(output["data"][MIME])
        for name, output in outputs.items()
        if MIME in output["data"]
    }


def add_sizes(app, pagename, templatename, context, doctree):
    if not SOURCE.search(context.get("body", "")):
        return
    sizes = {name: len(content) for name, content in glued(app, pagename).items()}
    context["body"] = SOURCE.sub(
        lambda found: found[0] + (f' data-bytes="{sizes[found[1]]}"' if found[1] in sizes else ""),
        context["body"],
    )


def write_files(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "figures"
    for page in app.env.found_docs:
        for name, content in glued(app, page).items():
            folder.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)


def setup(app):
    app.connect("html-page-context", add_sizes)
    app.connect("build-finished", write_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
