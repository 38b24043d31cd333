"""Evidence for a mistake, as an instructor writes it: an edit of a right version, or a version in full.

An edit works on the text of its base as it stands in the rubric's file, from its ``def`` or ``class`` on:
what one reads there is what one replaces. Whole words are found ("mask" is not found in "mask_fill"), each
text in one place, and all texts of an edit are replaced at once. Where old or new text has several lines, the
further ones are indented like the line in which the old text begins.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from coursegrader.errors import RubricError


class every(str):
    """A text that an edit replaces wherever it stands in the base, not in one place only."""


@dataclass(frozen=True)
class Edit:
    """A right version of the rubric with pieces of its text replaced."""

    base: Callable
    changes: Mapping[str, str]
    label: str


@dataclass(frozen=True)
class Full:
    """A version in full: a function or class of the rubric, or the text of a function's body under the
    reference's first line."""

    written: Callable | str
    label: str


def edit(base: Callable, changes: Mapping[str, str], label: str = "") -> Edit:
    """Evidence: the right version `base` with each old text in `changes` replaced by its new one."""
    return Edit(base, changes, label)


def full(written: Callable | str, label: str = "") -> Full:
    """Evidence that is no edit: a function or class, or, for a short one, the text of its body."""
    return Full(written, label)


def replaced(text: str, changes: Mapping[str, str]) -> str:
    """`text` with all `changes` made at once. Raises RubricError where a text is not found, or found too
    often, or two overlap."""
    spans = []
    for old, new in changes.items():
        found = _places(text, old) if old else []
        if not found:
            raise RubricError(
                f"{old!r} is not found in it. Copy the text from the file; words are found whole"
            )
        if len(found) > 1 and not isinstance(old, every):
            raise RubricError(
                f"{old!r} is found {len(found)} times in it. Take more of the text, or write every({old!r})"
            )
        spans += [(start, end, _indented(new, _indent_at(text, start)), old) for start, end in found]
    spans.sort(key=lambda span: span[:2])
    for (_, end, _, first), (start, _, _, second) in zip(spans, spans[1:]):
        if start < end:
            raise RubricError(f"{first!r} and {second!r} overlap in it. Replace them as one text")
    for start, end, new, _ in reversed(spans):
        if not new and text[:start].rpartition("\n")[2].isspace() and text[end : end + 1] == "\n":
            start, end = text.rfind("\n", 0, start) + 1, end + 1  # a whole line that goes leaves no empty one
        text = text[:start] + new + text[end:]
    return text


def _places(text: str, old: str) -> list[tuple[int, int]]:
    """Where `old` stands in `text`, as pairs of start and end that do not overlap."""
    first = old.partition("\n")[0]
    before, after = (
        (r"(?<!\w)" if re.match(r"\w", old) else ""),
        (r"(?!\w)" if re.search(r"\w\Z", old) else ""),
    )
    places: list[tuple[int, int]] = []
    for match in re.finditer(before + re.escape(first), text):
        whole = re.compile(re.escape(_indented(old, _indent_at(text, match.start()))) + after).match(
            text, match.start()
        )
        if whole and (not places or places[-1][1] <= whole.start()):
            places.append(whole.span())
    return places


def _indent_at(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 :]
    return line[: len(line) - len(line.lstrip(" "))]


def _indented(block: str, indent: str) -> str:
    """The block with `indent` before each line but its first."""
    first, newline, rest = block.partition("\n")
    return first + newline + textwrap.indent(rest, indent)


def text_in_file(written: Callable) -> str:
    """The text of a function or class of a rubric as it stands in the file, without its decorators."""
    path = _path_of(written)
    lines, definitions = _definitions(path, path.stat().st_mtime_ns)
    found = [node for node in definitions if node.name == written.__name__]
    if len(found) != 1:
        raise RubricError(
            f"{path.name} defines {written.__name__!r} {len(found)} times at its top level. Give each "
            "version a name of its own"
        )
    return "\n".join(lines[found[0].lineno - 1 : found[0].end_lineno]) + "\n"


def _path_of(written: Callable) -> Path:
    if not inspect.isclass(written):
        return Path(written.__code__.co_filename)
    return next(
        Path(item.__code__.co_filename) for item in vars(written).values() if inspect.isfunction(item)
    )


@lru_cache(maxsize=4)
def _definitions(path: Path, stamp: int) -> tuple[list[str], list]:
    text = path.read_text(encoding="utf-8")
    return text.splitlines(), [
        node for node in ast.parse(text).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]


def with_body(text: str, body: str) -> str:
    """The function `text` with another body."""
    node = ast.parse(text).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise RubricError(
            "the reference is a class, so a text cannot be its body. Write the class, and give it to full"
        )
    first_line = "\n".join(text.splitlines()[: node.body[0].lineno - 1])
    return f"{first_line}\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n"


def source_named(text: str, name: str) -> str:
    """The function or class `text` in ast's own layout, called `name`: what a student would have written."""
    body = ast.parse(text).body
    if len(body) != 1 or not isinstance(body[0], (ast.FunctionDef, ast.ClassDef)):
        raise RubricError("it is no longer one function or class")
    node = body[0]
    old, node.name = node.name, name
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id == old:
            part.id = name
    return ast.unparse(node) + "\n"
