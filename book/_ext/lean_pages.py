"""Take out of the pages what this book does not use, and mend what keyboards and screen readers stumble over."""

UNUSED = ("thebe",)  # remote kernels
MENDED = {
    "<figure ": '<figure tabindex="0" ',  # figures scroll sideways on a phone (course.css)
    '<summary aria-label="Toggle hidden content">': "<summary>",  # the label hid the summary's own text
    ' role="doc-biblioentry"': "",  # no longer a role
    '<div role="list" class="citation-list">': '<div class="citation-list">',
}


def _text(file):
    """A file's name, or the text of a script that stands in the page itself."""
    return f"{getattr(file, 'filename', file)} {getattr(file, 'attributes', {}).get('body', '')}".lower()


def change_page(app, pagename, templatename, context, doctree):
    for kind in ("script_files", "css_files"):
        files = context.get(kind, [])
        files[:] = [file for file in files if not any(word in _text(file) for word in UNUSED)]
    for old, new in MENDED.items():
        if "body" in context:
            context["body"] = context["body"].replace(old, new)


def setup(app):
    app.connect("html-page-context", change_page, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
