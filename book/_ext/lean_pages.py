"""Take out of the pages what this book does not use, and let the keyboard reach wide figures."""

UNUSED = ("thebe",)  # remote kernels


def _text(file):
    """A file's name, or the text of a script that stands in the page itself."""
    return f"{getattr(file, 'filename', file)} {getattr(file, 'attributes', {}).get('body', '')}".lower()


def change_page(app, pagename, templatename, context, doctree):
    for kind in ("script_files", "css_files"):
        files = context.get(kind, [])
        files[:] = [file for file in files if not any(word in _text(file) for word in UNUSED)]
    if "body" in context:  # figures scroll sideways on a phone (course.css)
        context["body"] = context["body"].replace("<figure ", '<figure tabindex="0" ')


def setup(app):
    app.connect("html-page-context", change_page, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
