"""The instructor's own page on a certified problem set: each wrong version as the lines that go wrong.

It is written into the course's private folder, since it shows code: the page on the site says the same
without any.
"""

from __future__ import annotations

import difflib
import re
from html import escape
from itertools import takewhile
from pathlib import Path

from coursegrader.authoring.certify import Row
from coursegrader.authoring.show import Line, by_mistake, difference, origin
from coursegrader.course.kept import private_folder
from coursegrader.course.leaks import LOCAL_PAGE
from coursegrader.course.problem_set import ProblemSet
from coursegrader.rubric.language import Exercise, Mistake, Version

STYLE = """
:root { color-scheme: light dark; --edge: #8884; --less: #f851491f; --more: #2ea04326; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }
nav a { margin-right: 1rem; }
h2 { margin-top: 3rem; }
section { border-top: 1px solid var(--edge); padding: .6rem 0 .9rem; }
section { display: grid; grid-template-columns: 21rem minmax(0, 1fr); gap: 0 1.5rem; }
h3 { font-size: 1rem; margin: 0; }
section p { margin: .2rem 0; font-size: .9rem; }
figure { margin: 0 0 .55rem; }
figcaption { font-size: .8rem; opacity: .75; }
pre { margin: 0; font: 13px/1.4 ui-monospace, monospace; overflow-x: auto; }
pre span { display: block; padding: 0 .4rem; }
del, ins { text-decoration: underline 2px; text-underline-offset: 3px; }
.less { background: var(--less); } .more { background: var(--more); }
@media (max-width: 50rem) { section { grid-template-columns: minmax(0, 1fr); } }
"""
CLASSES = {"-": ' class="less"', "+": ' class="more"', " ": ""}
SIGNS = {"-": "−", "+": "+", " ": " "}


def page(problem_set: ProblemSet, rows: list[Row]) -> str:
    """The page: each exercise's mistakes in the rubric's order, each with its message and versions."""
    points = {(row.exercise, row.expected, row.label): row.verdicts["hidden"].points for row in rows}
    body = "\n".join(_exercise(exercise, points) for exercise in problem_set.exercises.values())
    links = "".join(f'<a href="#{name}">{name}</a>' for name in problem_set.exercises)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{LOCAL_PAGE}: {problem_set.name}</title>\n<style>{STYLE}</style>\n"
        f"<h1>{problem_set.name}</h1>\n<p><strong>{LOCAL_PAGE}.</strong> "
        "Each version is a right one but for what is marked: − is the right line, + the wrong one. "
        f"The number is the points that it still earns.</p>\n<nav>{links}</nav>\n{body}\n</html>\n"
    )


def _exercise(exercise: Exercise, points: dict) -> str:
    sections = []
    for mistake, versions in by_mistake(exercise):
        known = exercise.mistakes.get(mistake, Mistake("The judge knows this mistake in every exercise.", ""))
        told = f"<h3>{escape(mistake)}</h3><p>{escape(known.message)}</p>" + (
            f"<p>See {escape(known.section)}</p>" if known.section else ""
        )
        figures = "".join(
            _version(version, points.get((exercise.name, mistake, version.label))) for version in versions
        )
        sections.append(f"<section><div>{told}</div><div>{figures}</div></section>")
    return (
        f'<h2 id="{exercise.name}"><code>{exercise.name}</code></h2>\n'
        f"<p>{len(exercise.mistakes)} mistakes of its own, "
        f"{len(exercise.wrong_versions)} wrong versions, {exercise.max_points} points.</p>\n"
        + "\n".join(sections)
    )


def _version(version: Version, points: float | None) -> str:
    label = "plain" if version.label == version.mistake else version.label
    lines = "".join(
        f"<span{CLASSES[sign]}>{SIGNS[sign]} {text}</span>" for sign, text in _marked(difference(version))
    )
    earned = "" if points is None else f" ({points:g})"
    return (
        f"<figure><figcaption>{escape(label)}{earned}, "
        f"{escape(origin(version))}</figcaption><pre>{lines}</pre></figure>"
    )


def _marked(lines: list[Line]) -> list[tuple[str, str]]:
    """The lines as HTML; where a wrong line stands for a right one, what differs in them is underlined."""
    marked = [(sign, escape(line)) for sign, line in lines]
    for start in range(len(lines)):
        less = (
            list(takewhile(lambda item: item[0] == "-", lines[start:]))
            if not start or lines[start - 1][0] != "-"
            else []
        )
        more = list(takewhile(lambda item: item[0] == "+", lines[start + len(less) :]))
        for number, ((_, old), (_, new)) in enumerate(zip(less, more)):
            if len(less) == len(more):
                marked[start + number], marked[start + len(less) + number] = (
                    ("-", _underlined(old, new, "del")),
                    ("+", _underlined(new, old, "ins")),
                )
    return marked


def _underlined(line: str, other: str, tag: str) -> str:
    mine, theirs = re.findall(r"\w+|\s+|.", line), re.findall(r"\w+|\s+|.", other)
    parts = difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    texts = [(kind, escape("".join(mine[start:end]))) for kind, start, end, _, _ in parts]
    return "".join(text if kind == "equal" or not text else f"<{tag}>{text}</{tag}>" for kind, text in texts)


def write_local_page(problem_set: ProblemSet, rows: list[Row]) -> Path:
    """Write the page where only the course's owner can look; return where."""
    path = private_folder(problem_set.root) / "certified" / f"{problem_set.name}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(problem_set, rows), encoding="utf-8")
    path.chmod(0o600)
    return path
