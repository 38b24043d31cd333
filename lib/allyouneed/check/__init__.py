"""The checks under each exercise: run what the student wrote, and name the mistake if there is one.

A check compares with public fingerprints: data files that hold, for some inputs, the right answers and the
answers of known mistakes. They hold no code. Grading asks other questions, and decides outside the student's
process.
"""

from __future__ import annotations

import inspect
import json
import sys
import textwrap
from functools import cache
from importlib.resources import files
from pathlib import Path

from allyouneed.check.drivers import ask
from allyouneed.check.judge import judge
from allyouneed.check.rules import forbidden_in_source, watch_calls

__all__ = ["CheckFailed", "check"]


class CheckFailed(AssertionError):
    """An exercise is not right yet; the message names the mistake, or says honestly what is broken."""

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook: the frames of the checker help nobody."""
        return [f"✗ {self}"]


def check(name: str, candidate) -> None:
    """Check the student's `candidate` for exercise `name`; print one line, or raise CheckFailed: the mistake.

    Every call is stopped after two seconds. Raises KeyError for a name that is no exercise.
    """
    fingerprint, problem_set, site = _fingerprint(name)
    forbidden, seen, answers, late = set(fingerprint["forbidden"]), set(), [], 0
    for probe in fingerprint["probes"]:
        if late >= 2:
            answers.append(answers[-1])
            continue
        with watch_calls(forbidden, seen):
            answer = ask(candidate, fingerprint["driver"], probe)
        late += answer.get("error") == "Timeout"
        answers.append(answer)
    ready_made = sorted(seen)[0] if seen else forbidden_in_source(_source(candidate), name, forbidden)
    verdict = judge(name, fingerprint, {"answers": answers, "ready_made": ready_made})
    if not verdict.passed:
        raise CheckFailed(f"{verdict.message} {link(problem_set, verdict.section, site)}")
    print(f"✓ {name} is right on all {len(answers)} probes.")


def link(problem_set: str, section: str, site: str = "") -> str:
    """Where the book explains it: the chapter's page below the address `site`, and the section's anchor."""
    return f"See {site}book/{problem_set}.html" + (f"#{section}" if section else "")


def _files() -> list:
    """The public fingerprint files: those of the library, then those that lie beside the notebook."""
    places = ((files(__package__) / "fingerprints", ".json"), (Path.cwd(), ".check.json"))
    return [
        file
        for place, end in places
        for file in sorted(place.iterdir(), key=lambda item: item.name)
        if file.name.endswith(end)
    ]


@cache
def _fingerprint(name: str) -> tuple[dict, str, str]:
    """The fingerprint of the exercise `name`, its problem set, and the website's address; a file beside the
    notebook goes before the library's."""
    known = []
    for file in reversed(_files()):
        text = file.read_text(encoding="utf-8")
        if f'"{name}"' in text:  # reading a megabyte as JSON takes its time
            data = json.loads(text)
            if name in data["exercises"]:
                return data["exercises"][name], data["problem_set"], data.get("site", "")
    for file in _files():
        known += json.loads(file.read_text(encoding="utf-8"))["exercises"]
    raise KeyError(f"There is no exercise named {name!r}. Known exercises: {', '.join(sorted(known))}.")


def _source(candidate) -> str:
    try:
        module = sys.modules.get(candidate.__module__)
        text = inspect.getsource(candidate)
        imports = (
            "\n".join(
                f"import {value.__name__} as {key}"
                for key, value in vars(module).items()
                if inspect.ismodule(value) and key.isidentifier() and not key.startswith("_")
            )
            if module
            else ""
        )
        return f"{imports}\n{textwrap.dedent(text)}"
    except (OSError, TypeError, AttributeError):
        return ""
