"""Take out of the pages what this book does not use: remote kernels and their loader."""

UNUSED = ("thebe",)


def drop_unused(app, pagename, templatename, context, doctree):
    for kind in ("script_files", "css_files"):
        files = context.get(kind, [])
        files[:] = [file for file in files if not any(word in str(getattr(file, "filename", file) or "") for word in UNUSED)]


def setup(app):
    app.connect("html-page-context", drop_unused, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
