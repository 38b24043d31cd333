"""Cut the theme's icon font, list of icons and style sheet to what pages show: a few KB instead of 156."""

import re
from pathlib import Path

import pydata_sphinx_theme
from fontTools import subset

STATIC = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static"
STYLE, FONTS = Path("styles/pydata-sphinx-theme.css"), Path("vendor/fontawesome/webfonts")
ICON = re.compile(r'((?:\.fa-[\w-]+:(?:before|after),?)+)\{content:"\\([0-9a-f]+)"\}')
# escaped, or the character itself
NAME, CODE = re.compile(r"\bfa-[a-z0-9-]+"), re.compile(r"\\([ef][0-9a-f]{3})\b|([\ue000-\uf8ff])")
UNUSED = ("**/*.map", "scripts/fontawesome.js*", "vendor/fontawesome/webfonts/*.ttf")


def names_in_pages(folder):
    """The icons that pages and scripts name."""
    files = [
        *folder.rglob("*.html"),
        *(path for path in (folder / "_static").rglob("*.js") if path.name != "fontawesome.js"),
    ]
    return {
        name for path in files for name in NAME.findall(path.read_text(encoding="utf-8", errors="replace"))
    }


def cut_style(text, names):
    """The style sheet without the rules of icons that no page names."""
    return ICON.sub(lambda rule: rule[0] if set(NAME.findall(rule[1])) & names else "", text)


def codes_in(texts):
    """The code points of icons that style sheets ask for."""
    return {
        int(escaped, 16) if escaped else ord(itself)
        for text in texts
        for escaped, itself in CODE.findall(text)
    }


def cut_font(source, target, codes):
    """Write the font with these characters alone."""
    options = subset.Options(flavor="woff2", layout_features=[], desubroutinize=True)
    font = subset.load_font(str(source), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    subset.save_font(font, str(target), options)


def cut_icons(app, exception):
    """Always from the theme's own files, so that a second build does the same."""
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    style = cut_style((STATIC / STYLE).read_text(encoding="utf-8"), names_in_pages(folder))
    (folder / "_static" / STYLE).write_text(style, encoding="utf-8")
    codes = codes_in(path.read_text(encoding="utf-8") for path in (folder / "_static").rglob("*.css"))
    for source in (STATIC / FONTS).glob("*.woff2"):
        cut_font(source, folder / "_static" / FONTS / source.name, codes)
    for pattern in UNUSED:
        for path in (folder / "_static").glob(pattern):
            path.unlink()


def setup(app):
    app.connect("build-finished", cut_icons)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
