"""The address of the course's website: in the problem sets' links, and in those of feedback."""

from __future__ import annotations

import re
from pathlib import Path

from coursegrader.course.configuration import SITE, load_config
from coursegrader.course.problem_set import ProblemSet, all_problem_sets
from coursegrader.errors import UserError
from coursegrader.files import write_whole

ONLY_HERE = " The link works while `make serve` runs."
LINE = re.compile(r"^c\.SafeFeedback\.book_url = .*\n", re.MULTILINE)


def whole_address(site: str) -> str:
    """The address with a slash at its end. Raises UserError where it is none."""
    if not re.fullmatch(r"https?://[^\s\"\\()<>]+", site):
        raise UserError(
            f"{site!r} is not the address of a website: write it whole, as https://example.org/transformers/"
        )
    return f"{site.rstrip('/')}/"


def setting(address: str) -> str:
    """The line of the configuration that holds it."""
    return f"c.SafeFeedback.book_url = {address!r}\n"


def link_to(address: str, problem_set: ProblemSet, before: str = SITE) -> bool:
    """Have the links of a problem set's source lead to the address; return whether any did not."""
    notebook = problem_set.folder / f"{problem_set.name}.ipynb"
    text = notebook.read_text(encoding="utf-8")
    linked = text.replace(before, address).replace(ONLY_HERE, "")
    if linked != text:
        write_whole(notebook, linked.encode())
    return linked != text


def move_site(root: Path, site: str) -> list[str]:
    """Change the address of a course that has begun; return the problem sets whose links have changed, which
    are to be released again.
    """
    address, before = whole_address(site), load_config(root).SafeFeedback.book_url
    path = root / "nbgrader_config.py"
    kept = LINE.sub("", path.read_text(encoding="utf-8"))
    changed = [item.name for item in all_problem_sets(root) if link_to(address, item, before)]
    write_whole(path, f"{kept.rstrip()}\n{setting(address)}".encode())  # last: a second try finds `before`
    return changed
