"""Pages are executed several at a time, once, before the book is read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("execution")]
EXTENSIONS = Path(__file__).resolve().parents[2] / "book" / "_ext"
CONFIGURATION = f"""
import sys
sys.path.insert(0, {str(EXTENSIONS)!r})
extensions = ["myst_nb", "execution_cache", "warm_kernels", "gone_pages"]
root_doc, html_theme, nb_execution_mode, nb_execution_raise_on_error = "one", "basic", "cache", True
nb_execution_timeout = 300


def setup(app):
    from jupyter_cache import get_cache

    def keep_one(app, config):
        get_cache(config.nb_execution_cache_path).change_cache_limit(1)

    app.connect("config-inited", keep_one, priority=900)
"""
# Writes its name, then waits until the other page has written its own.
MEETING = """
import pathlib, time
folder = pathlib.Path({folder!r})
with open(folder / "ran.txt", "a") as log:
    print("{name}", file=log)
end = time.monotonic() + 240
while not {{"one", "two"}} <= set((folder / "ran.txt").read_text().split()):
    assert time.monotonic() < end, "executed alone"
    time.sleep(0.05)
"""


def write_page(folder, name, code):
    (folder / "source" / f"{name}.md").write_text(
        f"---\nfile_format: mystnb\nkernelspec: {{name: "
        f"python3}}\norphan: true\n---\n\n# Page "
        f"{name}\n\n```{{code-cell}}\n{code.strip()}\n```\n"
    )


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    (folder / "source").mkdir()
    (folder / "source" / "conf.py").write_text(CONFIGURATION)
    for name in ("one", "two"):
        write_page(folder, name, MEETING.format(folder=str(folder), name=name))

    def build(*options):
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "sphinx",
                "-W",
                "-q",
                *options,
                "-b",
                "html",
                folder / "source",
                folder / "build" / "html",
            ],
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"BOOK_WORKERS": "2"},
            timeout=300,
        )

    return folder, build


def test_pages_run_at_the_same_time_and_only_once(book):
    folder, build = book
    first = build()
    assert first.returncode == 0, first.stdout
    assert "[2/2]" in first.stdout, "no word of progress"
    assert "WARNING" not in first.stdout, "a warning that concerns nobody here"
    (folder / "source" / "one.md").touch()
    again = build()
    assert again.returncode == 0 and "executed" not in again.stdout, again.stdout
    assert sorted((folder / "ran.txt").read_text().split()) == ["one", "two"]


@pytest.mark.skipif(sys.platform != "linux", reason="kernels are copies on Linux alone")
def test_a_kernel_begins_with_what_pages_import_and_ends_with_its_page(book):
    folder, build = book
    write_page(
        folder,
        "warm",
        "import os, sys\n"
        f"with open({str(folder / 'pid.txt')!r}, 'w') as file:\n    print(os.getpid(), file=file)\n"
        "print('sphinx' in sys.modules, *(name in sys.modules for name in ('torch', 'matplotlib.figure')))",
    )
    done = build()
    assert done.returncode == 0, done.stdout
    assert "False True True" in (folder / "build" / "html" / "warm.html").read_text()
    assert not Path("/proc", (folder / "pid.txt").read_text().strip()).exists()


def test_an_edit_of_one_page_runs_and_writes_that_page_alone(book):
    folder, build = book
    write_page(folder, "other", "1")
    write_page(folder, "gone", "1")
    assert build().returncode == 0
    assert (folder / "build" / "html" / "gone.html").exists()
    (folder / "source" / "gone.md").unlink()
    ran = (folder / "ran.txt").read_text().split()
    written = {
        name: (folder / "build" / "html" / f"{name}.html").stat().st_mtime_ns for name in ("other", "two")
    }
    write_page(folder, "two", MEETING.format(folder=str(folder), name="two") + "print('edited')")
    assert build().returncode == 0
    assert (folder / "ran.txt").read_text().split() == [*ran, "two"]
    now = {name: (folder / "build" / "html" / f"{name}.html").stat().st_mtime_ns for name in ("other", "two")}
    assert now["other"] == written["other"] and now["two"] > written["two"]
    assert not (folder / "build" / "html" / "gone.html").exists()


def test_a_change_of_a_stored_run_executes_the_page_that_names_it_and_no_other(book):
    folder, build = book
    runs = folder / "source" / "book" / "runs"
    runs.mkdir(parents=True)
    (runs / "race.json").write_text("1")
    for name in ("reader", "stranger"):
        ran = f"with open({str(folder / 'ran.txt')!r}, 'a') as log:\n    print({name!r}, file=log)"
        write_page(
            folder, name, ran + f"\nprint(open({str(runs)!r} + '/race.json').read())" * (name == "reader")
        )
    (folder / "build" / "html" / "of_another_branch.html").write_text("")
    assert build("-E").returncode == 0 and build().returncode == 0
    assert not (folder / "build" / "html" / "of_another_branch.html").exists()
    ran = (folder / "ran.txt").read_text().split()
    (runs / "race.json").write_text("2")
    done = build()
    assert done.returncode == 0, done.stdout
    assert (folder / "ran.txt").read_text().split() == [*ran, "reader"]
    assert ">2\n<" in (folder / "build" / "html" / "reader.html").read_text()


def test_a_page_that_raises_stops_the_build_and_names_its_cell(book):
    folder, build = book
    write_page(folder, "three", "total = 1\ntotal / 0")
    failed = build()
    assert failed.returncode != 0
    assert all(
        part in failed.stdout for part in ("three stops at this cell", "total / 0", "ZeroDivisionError")
    ), failed.stdout
