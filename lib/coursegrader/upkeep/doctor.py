"""Whether this machine and this course folder can do what a term needs, and else what to mend."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import coursegrader
from coursegrader.course.configuration import at_once, exchange_root, load_config, open_course
from coursegrader.course.dates import course_zone
from coursegrader.course.problem_set import all_problem_sets
from coursegrader.course.secret import course_secret
from coursegrader.text import counted
from coursegrader.trouble import what_to_do

OK, NOTE, MEND = "ok", "note", "MEND"
ROOM = 2  # GB of disk that a class's submissions and a run of grading take at most, by far
JUPYTER_PORT = 8888


@dataclass(frozen=True)
class Finding:
    """One line: what was looked at, how it is, and what it says or what to do."""

    what: str
    state: str
    text: str

    def __str__(self) -> str:
        return f"{self.state:5} {self.what:12} {self.text}"


def examine(root: Path) -> Iterator[Finding]:
    """Look at one thing after another. What breaks while it is looked at is to be mended."""
    for check in CHECKS:
        what = check.__name__.strip("_").replace("_", " ")
        try:
            state, text = check(root)
        except Exception as error:  # whatever is wrong with one thing, the others are looked at
            said = str(error).strip() or type(error).__name__
            state, text = MEND, what_to_do(said) or said
        yield Finding(what, state, text)


def _packages(root: Path) -> tuple[str, str]:
    from packaging.requirements import Requirement

    from coursegrader.grading.nbgrader_patches import RESTS_ON, digest_of_source

    wrong = []
    for wanted in map(Requirement, requires("coursegrader") or ()):
        try:
            if not wanted.specifier.contains(version(wanted.name), prereleases=True):
                wrong.append(f"{wanted.name} is {version(wanted.name)} and not {wanted.specifier}")
        except PackageNotFoundError:
            wrong.append(f"{wanted.name} is missing")
    changed = [name for name, (digest, _) in RESTS_ON.items() if digest_of_source(name) != digest]
    wrong += [f"nbgrader's {name.removeprefix('nbgrader.')} is another than it was" for name in changed]
    if wrong:
        return MEND, f"{'; '.join(wrong)}: run make install in {_project()}"
    here = f"Python {sys.version.split()[0]}, nbgrader {version('nbgrader')}, torch {version('torch')}"
    return OK, here


def _jail(root: Path) -> tuple[str, str]:
    from coursegrader.sandbox.fork_client import why_no_jail

    reason = why_no_jail()
    return (OK, "submissions are kept in") if reason is None else (MEND, reason)


def _kernel(root: Path) -> tuple[str, str]:
    from nbformat.v4 import new_code_cell, new_notebook

    from coursegrader.grading.job import job_of
    from coursegrader.grading.worker import run

    begun = time.monotonic()
    notebook = new_notebook(cells=[new_code_cell("import torch\nprint(int(torch.ones(2).sum()) + 40)")])
    said = json.dumps(json.loads(run(job_of(notebook, {}, [], load_config(root)))))
    if "42" not in said:
        return MEND, f"a notebook in the jail did not compute 2 + 40: {said[:300]}"
    return OK, f"a notebook ran in the jail, {time.monotonic() - begun:.0f} s from the start"


def _ports(root: Path) -> tuple[str, str]:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))  # without which no kernel and no JupyterLab begins
    with closing(socket.socket()) as wanted:
        if wanted.connect_ex(("127.0.0.1", JUPYTER_PORT)) == 0:
            return NOTE, f"{JUPYTER_PORT} is in use; JupyterLab takes the next free one and says which"
    return OK, f"{JUPYTER_PORT} is free for JupyterLab"


def _disk(root: Path) -> tuple[str, str]:
    full = []
    for folder in (root, Path(tempfile.gettempdir())):
        with tempfile.TemporaryFile(dir=folder) as file:  # a quota counts as well
            file.write(b"x" * 2**20)
        if (free := shutil.disk_usage(folder).free / 1e9) < ROOM:
            full.append(f"{folder} has {free:.1f} GB left: make room, {ROOM} GB are enough for a class")
    return (MEND, "; ".join(full)) if full else (OK, f"{shutil.disk_usage(root).free / 1e9:.0f} GB are free")


def _gradebook(root: Path) -> tuple[str, str]:
    with open_course(root) as api, api.gradebook as gradebook:
        sets, students = len(gradebook.assignments), len(gradebook.students)
        with at_once(gradebook):  # can it be written to?
            pass
    return OK, f"{counted(sets, 'problem set')}, {counted(students, 'student')}"


def _secret(root: Path) -> tuple[str, str]:
    course_secret(root)
    return OK, "hidden probes follow from it; nobody else can read it"


def _exchange(root: Path) -> tuple[str, str]:
    folder = exchange_root(load_config(root))
    if not folder.is_dir():
        return NOTE, f"{folder} is not there. To use nbgrader's exchange: mkdir -p and chmod 1777 {folder}"
    if not os.access(folder, os.W_OK | os.X_OK) or folder.stat().st_mode & 0o002 == 0:
        return MEND, f"{folder} must be writable for everybody: chmod 1777 {folder}"
    return OK, str(folder)


def _clock(root: Path) -> tuple[str, str]:
    """The exchange's folder may lie on another machine, whose clock dates what is handed in."""
    exchange = exchange_root(load_config(root))
    for folder in (root, exchange):
        if os.access(folder, os.W_OK | os.X_OK):
            with tempfile.NamedTemporaryFile(dir=folder) as file:
                apart = abs(os.stat(file.name).st_mtime - time.time())
            if apart > 60:
                return MEND, f"the clock of {folder} is {apart:.0f} s from this machine's: set both by NTP"
    newest = max((path.lstat().st_mtime for path in root.iterdir()), default=0)
    if newest > time.time() + 300:
        return MEND, "files in the course folder are from the future: set this machine's clock by NTP"
    return OK, f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def _time_zone(root: Path) -> tuple[str, str]:
    zone = course_zone(root)
    now = f"{datetime.now(zone).astimezone(zone):%H:%M %Z}"
    if zone is None:
        return NOTE, f"that of this machine, where it is {now}: c.CourseDates.zone in nbgrader_config.py"
    return OK, f"{zone}, where it is {now}"


def _problem_sets(root: Path) -> tuple[str, str]:
    known, source = all_problem_sets(root), _project() / "solutions"
    for item in known:
        item.verify()
    if not known:
        return MEND, f"there are none in {root / 'solutions'}"
    others = [
        item.name
        for item in known
        if (source / item.name).is_dir() and _differ(item.folder, source / item.name)
    ]
    if others and root != _project():
        return NOTE, f"{', '.join(others)}: not as in {_project()} now; the term keeps its own"
    return OK, f"{len(known)}, as in {_project()}"


def _differ(one: Path, other: Path) -> bool:
    def rubric(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted((folder / "rubric").glob("*.py"))}

    return rubric(one) != rubric(other)


def _project() -> Path:
    return Path(coursegrader.__path__[0]).resolve().parents[1]


CHECKS: tuple[Callable[[Path], tuple[str, str]], ...] = (
    _packages,
    _jail,
    _kernel,
    _ports,
    _disk,
    _problem_sets,
    _secret,
    _gradebook,
    _exchange,
    _clock,
    _time_zone,
)
