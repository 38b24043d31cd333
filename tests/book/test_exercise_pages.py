"""The problem sets on the site: the student's notebook to read, to download, or open elsewhere."""

import html
import json
import sys
from pathlib import Path
from urllib.parse import urljoin

import pytest
from book.pages import CHAPTERS, ROOT, SITE, soup

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import exercises

NAMES = sorted(path.stem for path in (ROOT / "book" / "exercises").glob("*.md"))
WHERE = "notebooks/03-attention/03-attention.ipynb"
GITHUB = "https://github.com/somebody/course"


def notebook(name):
    return json.loads((ROOT / "notebooks" / name / f"{name}.ipynb").read_text(encoding="utf-8"))


def words(text):
    return "".join(text.split())


def test_every_problem_set_has_its_page():
    assert NAMES == sorted(path.parent.name for path in (ROOT / "notebooks").glob("*/*.ipynb"))


@pytest.mark.site
@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_the_whole_notebook(name):
    article = soup(f"book/exercises/{name}.html").select_one("article")
    shown = words(article.get_text())
    for cell in notebook(name)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            assert words(source) in shown, source
    headings = [
        line.lstrip("# ")
        for cell in notebook(name)["cells"]
        if cell["cell_type"] == "markdown"
        for line in "".join(cell["source"]).splitlines()
        if line.startswith("## ")
    ]
    assert [tag.get_text().rstrip("#").replace("\u00a0", " ") for tag in article.select("h2")] == [
        line.replace("'", "’") for line in headings
    ]
    hints = sum(
        "".join(cell["source"]).count("<summary>")
        for cell in notebook(name)["cells"]
        if cell["cell_type"] == "markdown"
    )
    assert len(article.select("details > summary")) >= hints > 5


@pytest.mark.parametrize(
    "text, read",
    [
        ("> *two*\n> lines\n", "> *two*\\\n> lines\n"),
        ("> *one*\n", "> *one*\n"),
        ("```\na drawing\n```\n", "```text\na drawing\n```\n"),
        ("```python\nx\n```\n", "```python\nx\n```\n"),
        (
            (
                "[chapter](http://localhost:8000/book/03-attention.html). The link works while `make serve` "
                "runs."
            ),
            "[chapter](../03-attention/index.md).",
        ),
    ],
)
def test_a_notebooks_text_is_made_fit_for_the_site(text, read):
    assert exercises.read_along(text) == read


@pytest.mark.site
@pytest.mark.parametrize("name", NAMES)
def test_a_page_leads_to_how_to_work_on_it(name):
    assert soup(f"book/exercises/{name}.html").select_one(
        'article a[href="../preface.html#problem-set-how-to"]'
    )


@pytest.mark.site
@pytest.mark.parametrize("name", NAMES)
def test_the_download_is_the_students_notebook(name):
    links = soup(f"book/exercises/{name}.html").select("article a.download")
    assert len(links) == 1
    file = (SITE / "book" / "exercises" / links[0]["href"]).resolve()
    assert file.read_bytes() == (ROOT / "notebooks" / name / f"{name}.ipynb").read_bytes()


@pytest.mark.site
@pytest.mark.parametrize("name", NAMES)
def test_chapter_and_side_bar_lead_to_the_page(name):
    page = CHAPTERS[name][0]
    for part in ("article", "nav"):
        links = {urljoin(page, link["href"]) for link in soup(page).select(f"{part} a[href]")}
        assert f"book/exercises/{name}.html" in links, part


def test_without_a_configured_service_nothing_leads_elsewhere():
    assert (
        exercises.launch_links(WHERE) == {}
        and exercises.launch_links(WHERE, repository=exercises.PLACEHOLDER) == {}
    )


def test_links_open_the_notebook_of_the_configured_repository():
    links = exercises.launch_links(
        WHERE,
        GITHUB + ".git",
        "spring/2027",
        "https://hub.example.org/",
        "https://mybinder.org",
        "https://colab.research.google.com",
    )
    assert links == {
        "JupyterHub": "https://hub.example.org/hub/user-redirect/git-pull?repo=https%3A//github.com/somebody/course.git&branch=spring/2027"
        "&urlpath=lab/tree/course/notebooks/03-attention/03-attention.ipynb",
        "Binder": "https://mybinder.org/v2/gh/somebody/course/spring%2F2027?labpath=notebooks/03-attention/03-attention.ipynb",
        "Colab": "https://colab.research.google.com/github/somebody/course/blob/spring/2027/notebooks/03-attention/03-attention.ipynb",
    }


@pytest.mark.parametrize(
    "repository, begins",
    [
        ("https://gitlab.com/group/course", "https://mybinder.org/v2/gl/group%2Fcourse/main?"),
        (
            "https://git.example.org/group/course",
            "https://mybinder.org/v2/git/https%3A%2F%2Fgit.example.org%2Fgroup%2Fcourse/main?",
        ),
    ],
)
def test_binder_reads_other_hosts(repository, begins):
    assert exercises.launch_links(WHERE, repository, binderhub_url="https://mybinder.org")[
        "Binder"
    ].startswith(begins)


@pytest.mark.parametrize(
    "repository, service, problem",
    [
        ("", {"jupyterhub_url": "https://hub"}, "no repository.url"),
        (exercises.PLACEHOLDER, {"binderhub_url": "https://mybinder.org"}, "no repository.url"),
        ("https://gitlab.com/a/b", {"colab_url": "https://colab.research.google.com"}, "github.com alone"),
    ],
)
def test_a_service_that_cannot_open_the_repository_stops_the_build(repository, service, problem):
    with pytest.raises(ValueError, match=problem):
        exercises.launch_links(WHERE, repository, **service)


def test_a_configured_page_has_the_links_and_what_colab_needs():
    links = exercises.launch_links(
        WHERE,
        GITHUB,
        "main",
        binderhub_url="https://mybinder.org",
        colab_url="https://colab.research.google.com",
    )
    text = exercises.page(
        notebook("03-attention"), "03-attention", links, exercises.colab_cell(GITHUB, "main")
    )
    assert all(f'href="{html.escape(url)}">open on {service}</a>' in text for service, url in links.items())
    assert (
        f"git+{GITHUB}@main" in text
        and "raw.githubusercontent.com/somebody/course/main/requirements-data.lock" in text
    )
    plain = exercises.page(notebook("03-attention"), "03-attention", {}, exercises.colab_cell(GITHUB, "main"))
    assert "open on" not in plain and "Colab" not in plain


@pytest.mark.parametrize("name", NAMES)
def test_a_page_ends_with_how_to_practise_on_an_exercise_of_its_own(name):
    cells = notebook(name)["cells"]
    end = exercises.page(notebook(name), name, {}).rpartition("---")[2]
    exercise = end.partition('practise("')[2].partition('"')[0]
    assert "from allyouneed import practise" in end
    assert any(f'check("{exercise}"' in "".join(cell["source"]) for cell in cells)


def test_code_that_holds_a_fence_stays_in_its_block():
    assert exercises.fenced('"""\n```\n"""').startswith("````{code-block}")


@pytest.mark.slow
def test_a_configured_book_builds_with_launch_links(tmp_path):
    """The whole way: _config.yml, Jupyter Book, page."""
    import os
    import shutil
    import subprocess

    import yaml

    for folder in ("book/_ext", "book/_templates", "book/_site", "book/exercises", "notebooks/03-attention"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config["repository"] = {"url": GITHUB, "branch": "main"}
    config["launch_buttons"] |= {
        "jupyterhub_url": "https://hub.example.org",
        "binderhub_url": "https://mybinder.org",
    }
    shutil.copyfile(ROOT / "book" / "references.bib", tmp_path / "book" / "references.bib")
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(config))
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: book/03-attention\nchapters:\n- file: book/exercises/03-attention\n"
    )
    (tmp_path / "book" / "03-attention.md").write_text("# Attention\n\nA chapter.\n")
    command = [Path(sys.executable).parent / "jupyter-book", "build", ".", "--quiet"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    built = (tmp_path / "_build" / "html" / "book" / "exercises" / "03-attention.html").read_text(
        encoding="utf-8"
    )
    for address in exercises.launch_links(
        WHERE, GITHUB, "main", "https://hub.example.org", "https://mybinder.org"
    ).values():
        assert f'href="{html.escape(address)}"' in built
    assert "launch-buttons" not in built and "Colab" not in built
