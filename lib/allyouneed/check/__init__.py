"""The checks under each exercise: run what the student wrote, and name the mistake if there is one.

A check compares with public fingerprints: data files that hold, for some inputs, the right answers and the
answers of known mistakes. They hold no code. Grading asks other questions, and decides outside the student's
process.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import sys
import textwrap
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from torch import nn

from allyouneed.check.bounded import trying
from allyouneed.check.judge import Verdict, judge, side_effect
from allyouneed.check.rules import forbidden_in_source
from allyouneed.check.worker import answer_apart

__all__ = ["CheckFailed", "check", "progress", "trying"]


class CheckFailed(AssertionError):
    """An exercise is not right yet; the message names the mistake, or says honestly what is broken."""

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook: the frames of the checker help nobody."""
        return [f"✗ {self}"]


def check(name: str, candidate) -> None:
    """Check the student's `candidate` for exercise `name`; print one line, or raise CheckFailed: the mistake.

    Every call is stopped after two seconds, or when it takes too much memory, and leaves nothing changed.
    Raises KeyError for a name that is no exercise.
    """
    _, problem_set, site = _fingerprint(name)
    if not callable(candidate) or (isinstance(candidate, nn.Module) and name[:1].isupper()):
        raise CheckFailed(
            f"The check was handed a result, of type {type(candidate).__name__}. Hand over {name} itself: "
            f'check("{name}", {name}), with nothing behind the second name.'
        )
    verdict, response = _verdict(name, candidate)
    if not verdict.passed:
        raise CheckFailed(f"{verdict.message} {link(problem_set, verdict.section, site)}")
    print(f"✓ {name} is right on all {len(response['answers'])} probes.{side_effect(name, response)}")


def progress(problem_set: str, harder: str = "") -> None:
    """Check all exercises of a problem set that the notebook has by now; print which pass, and the points.

    harder: a question to think about, printed once all are right. Raises KeyError for an unknown set.
    """
    if not (names := _exercises(problem_set)):
        raise KeyError(f"There is no problem set named {problem_set!r}.")
    notebook, marks, earned, most = sys._getframe(1).f_globals, [], 0.0, 0.0
    for name in names:
        most += sum(_fingerprint(name)[0]["points"].values())
        verdict = _verdict(name, notebook[name])[0] if name in notebook else None
        earned += verdict.points if verdict else 0
        marks.append("·" if verdict is None else "✓" if verdict.passed else "✗")
    print(f"{marks.count('✓')} of {len(names)} exercises pass, {earned:g} of {most:g} points so far.")
    print("   ".join(f"{mark} {name}" for mark, name in zip(marks, names)))
    if "·" in marks:
        print("A dot: this kernel has not run that exercise's cell yet. Run the cells below, then this one.")
    if earned == most and harder:
        print(f"All is right. Something to think about, which nobody grades: {harder}")


def _verdict(name: str, candidate) -> tuple[Verdict, dict]:
    """The verdict on a candidate by the public probes, and its response to them."""
    fingerprint = _fingerprint(name)[0]
    response = answer_apart(lambda: candidate, fingerprint)
    if not response.get("ready_made"):
        response["ready_made"] = forbidden_in_source(_source(candidate), name, set(fingerprint["forbidden"]))
    _import_here(response.get("loaded", ()))
    return judge(name, fingerprint, response), response


def _import_here(modules: Iterable[str]) -> None:
    """Import what the call imported of large packages, so that the next check does not wait for it again."""
    for module in modules:
        if module.partition(".")[0] in ("torch", "scipy"):
            with contextlib.suppress(Exception):
                importlib.import_module(module)


def link(problem_set: str, section: str, site: str = "") -> str:
    """Where the book explains it: the chapter's page below the address `site`, and the section's anchor."""
    return f"See {site}book/{problem_set}.html" + (f"#{section}" if section else "")


def _files() -> list:
    """The public fingerprint files: those of the library, then those that lie beside the notebook."""
    places = [(files(__package__) / "fingerprints", ".json")]
    with contextlib.suppress(FileNotFoundError):  # the notebook's folder was deleted, or unpacked anew
        places.append((Path.cwd(), ".check.json"))
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
    for file in reversed(_files()):
        text = file.read_text(encoding="utf-8", errors="replace")
        if f'"{name}"' in text:  # reading a megabyte as JSON takes its time
            data = _read_whole(file)
            if name in data["exercises"]:
                return data["exercises"][name], data["problem_set"], data.get("site", "")
    known = sorted(_exercises(""))
    near = get_close_matches(str(name), known, n=3)
    said = f"Did you mean {' or '.join(near)}?" if near else f"Known exercises: {', '.join(known)}."
    raise KeyError(f"There is no exercise named {name!r}. {said}")


def _exercises(problem_set: str) -> list[str]:
    """The names of a problem set's exercises in the order of its notebook; those of all sets for ""."""
    found = [_read_whole(file) for file in _files() if file.name.startswith(problem_set)]
    return list(dict.fromkeys(name for data in found for name in data["exercises"]))


def _read_whole(file) -> dict:
    try:
        data = _read(file.read_text(encoding="utf-8"))
        if isinstance(data["problem_set"], str) and isinstance(data["exercises"], dict):
            return data
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise CheckFailed(f"{file.name} is damaged. Get it anew from where it came from.")


@lru_cache(maxsize=1)
def _read(text: str) -> dict:
    """What a file of fingerprints holds: that of a problem set, whose exercises are asked one by one."""
    return json.loads(text)


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
