"""A page whose source is gone does not stay in the website."""

from pathlib import Path


def remove_all(app):
    """Where nothing is known of an earlier build, every page is written anew."""
    if app.builder.format == "html" and not app.env.all_docs:
        for path in Path(app.outdir).rglob("*.html"):
            if not path.relative_to(app.outdir).parts[0].startswith("_"):
                path.unlink()


def remove_some(app, env, added, changed, removed):
    if app.builder.format == "html":
        for docname in removed:
            Path(app.builder.get_outfilename(docname)).unlink(missing_ok=True)
    return []


def setup(app):
    app.connect("builder-inited", remove_all)
    app.connect("env-get-outdated", remove_some)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
