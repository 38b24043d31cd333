"""The problem sets to read on the site: each page is made of the student's notebook, never executed.

`_config.yml` decides about the links that open a notebook elsewhere. They appear when `repository` and one of
these is configured:

    repository: {url: https://github.com/OWNER/NAME, branch: main}
    launch_buttons:
      jupyterhub_url: https://HUB
      binderhub_url: https://mybinder.org
      colab_url: https://colab.research.google.com
"""

import html
import json
import re
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from sphinx.errors import ExtensionError

FOLDER = "book/exercises/"
CHAPTER = re.compile(r"\]\(http://localhost:8000/book/([\w-]+)\.html(#[\w-]+)?\)")
# what Jupyter Book takes where no repository is configured
PLACEHOLDER = "https://github.com/executablebooks/jupyter-book"
KINDS = ("jupyterhub_url", "binderhub_url", "colab_url")
CHECK = re.compile(r"""\s*check\(["'](\w+)["']""")
FORMULA_HEADING = re.compile(r'<th class="head[^"]*"><p>(<math(?:(?!</th>).)*</math>)</p></th>', re.S)
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def launch_links(path, repository="", branch="main", jupyterhub_url="", binderhub_url="", colab_url=""):
    """Names and addresses that open the notebook `path` of the repository elsewhere.

    Raises ValueError where a configured service cannot serve that repository.
    """
    wanted = [url for url in (jupyterhub_url, binderhub_url, colab_url) if url]
    if not wanted:
        return {}
    parts = urlsplit(repository or "")
    owner_and_name = parts.path.strip("/").removesuffix(".git")
    if not parts.scheme or not owner_and_name or repository.rstrip("/") == PLACEHOLDER:
        raise ValueError(
            f"_config.yml has launch_buttons for {', '.join(wanted)}, but no repository.url "
            "that they could open."
        )
    repository, name = repository.rstrip("/"), owner_and_name.split("/")[-1]
    links = {}
    if jupyterhub_url:
        target = urlencode(
            {"repo": repository, "branch": branch, "urlpath": f"lab/tree/{name}/{path}"},
            quote_via=quote,
            safe="/",
        )
        links["JupyterHub"] = f"{jupyterhub_url.rstrip('/')}/hub/user-redirect/git-pull?{target}"
    if binderhub_url:
        kind = {"github.com": "gh", "gitlab.com": "gl"}.get(parts.netloc, "git")
        source = {
            "gh": owner_and_name,
            "gl": quote(owner_and_name, safe=""),
            "git": quote(repository, safe=""),
        }[kind]
        links["Binder"] = (
            f"{binderhub_url.rstrip('/')}/v2/{kind}/{source}/{quote(branch, safe='')}?labpath={quote(path)}"
        )
    if colab_url:
        if parts.netloc != "github.com":
            raise ValueError(
                "Colab opens notebooks of github.com alone, and repository.url is "
                f"{repository}. Take colab_url out of _config.yml."
            )
        links["Colab"] = f"{colab_url.rstrip('/')}/github/{owner_and_name}/blob/{quote(branch)}/{quote(path)}"
    return links


def colab_cell(repository, branch):
    """What a notebook on Colab needs before its first cell."""
    raw = (
        repository.rstrip("/")
        .replace("https://github.com/", "https://raw.githubusercontent.com/")
        .removesuffix(".git")
    )
    return (
        f"!pip install --quiet --no-deps git+{repository.rstrip('/')}@{branch}\n"
        f"!pip install --quiet --no-deps -r {raw}/{branch}/requirements-data.lock"
    )


def source_of(chapter, root):
    """The chapter's page, or its front page, as pages under book/exercises name it."""
    folder = (Path(root) / "book" / chapter).is_dir()
    return f"../{chapter}/index.md" if folder else f"../{chapter}.md"


def read_along(text, root="."):
    """Links from a notebook into the site become links between pages, the lines of a quotation stay lines,
    and drawings in letters are no code."""
    text = re.sub(r"(?m)^(> .*\*)$(?=\n> )", r"\1\\", text)
    text = re.sub(r"(?ms)^```\n(.*?)^```$", r"```text\n\1```", text)
    text = text.replace(" The link works while `make serve` runs.", "")
    return CHAPTER.sub(
        lambda found: f"]({found[2]})" if found[2] else f"]({source_of(found[1], root)})", text
    )


def fenced(source, language="python"):
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", source)), default=0))
    return f"{fence}{{code-block}} {language}\n:class: whole\n\n{source.rstrip()}\n{fence}"


def practice(cells):
    """What stands at the end of each page: how to go on after full points."""
    found = (CHECK.match("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code")
    if not (name := next((match[1] for match in found if match), "")):
        return []
    return [
        "---",
        "**After full points on an exercise**, practise on your own code. In a new cell: "
        f'`from allyouneed import practise`, then `practise("{name}")`. It asks what a change of a line '
        f'does, what a value on the way is, and more; `practise("{name}", "B")` answers, and says why. '
        "Nobody grades it.",
    ]


def page(notebook, name, links, before_colab="", root="."):
    """The notebook as a MyST page: texts as they are, code as code, nothing executed, no output."""
    cells = notebook["cells"]
    graded = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    tests = [mark for cell, mark in zip(cells, graded) if mark.get("grade") and cell["cell_type"] == "code"]
    written = [mark for cell, mark in zip(cells, graded) if mark.get("grade") and cell["cell_type"] != "code"]
    points = sum(mark["points"] for mark in tests + written)
    title, _, opening = "".join(cells[0]["source"]).partition("\n")
    if not title.startswith("# "):
        raise ExtensionError(
            f"notebooks/{name}: the first cell must begin with the title, '# Problem set "
            f"...'; it begins with {title!r}."
        )
    where = f"notebooks/{name}/{name}.ipynb"
    counted = COUNTS[len(tests)] if len(tests) < len(COUNTS) else len(tests)
    parts = [
        title,
        (
            f"The notebook of [the chapter]({source_of(name, root)}), to read: {counted} "
            f"exercises{' and a written question' if written else ''}, {points:g} points. Nothing runs on "
            f"this page. To solve it, `make lab` opens `{where}`; or take the file with you. [Work on a "
            "problem set](#problem-set-how-to) leads through it."
        ),
        " · ".join(
            [
                f"{{download}}`download the notebook <../../{where}>`",
                *(
                    f'<a class="reference external" href="{html.escape(url)}">open on {service}</a>'
                    for service, url in links.items()
                ),
            ]
        ),
    ]
    if "Colab" in links and before_colab:
        parts += ["On Colab, first run this in a cell of its own:", fenced(before_colab, "text")]
    parts += ["---", read_along(opening, root)]
    for cell, mark in list(zip(cells, graded))[1:]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(read_along(source, root))
        elif cell["cell_type"] == "code" and source.strip():
            parts += (
                ["**You write:**"] * bool(mark.get("solution"))
                + ["**The check:**"] * bool(mark.get("grade"))
                + [fenced(source)]
            )
    parts += practice(cells)
    return "\n\n".join(parts) + "\n"


def read_launch(app, config):
    """Take the services from the theme, whose own buttons would open the chapters' text files."""
    theme = config.html_theme_options
    services = {kind: theme.get("launch_buttons", {}).get(kind) or "" for kind in KINDS}
    theme["launch_buttons"] = {}
    config.exercise_launch = {
        "repository": theme.get("repository_url", ""),
        "branch": theme.get("repository_branch") or "main",
        **services,
    }
    try:
        launch_links("notebooks/a/a.ipynb", **config.exercise_launch)
    except ValueError as error:
        raise ExtensionError(str(error)) from error


def write_page(app, docname, source):
    if not docname.startswith(FOLDER):
        return
    name = docname.removeprefix(FOLDER)
    path = Path(app.srcdir) / "notebooks" / name / f"{name}.ipynb"
    app.env.note_dependency(str(path))
    app.env.note_dependency(__file__)  # also when this file changes
    launch = app.config.exercise_launch
    links = launch_links(f"notebooks/{name}/{name}.ipynb", **launch)
    source[0] = page(
        json.loads(path.read_text(encoding="utf-8")),
        name,
        links,
        colab_cell(launch["repository"], launch["branch"]),
        app.srcdir,
    )


def mend_tables(app, pagename, templatename, context, doctree):
    """A heading of a formula alone counts as empty for screen readers: here it becomes a cell."""
    if pagename.startswith(FOLDER):
        context["body"] = FORMULA_HEADING.sub(r'<td class="head"><p>\1</p></td>', context["body"])


def setup(app):
    app.add_config_value("exercise_launch", {}, "env")
    app.connect("config-inited", read_launch)
    app.connect("source-read", write_page)
    app.connect("html-page-context", mend_tables)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
