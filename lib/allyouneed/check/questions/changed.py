"""A student's code with one line changed: by the rules of the sweep, and by rules that change no result."""

from __future__ import annotations

import ast
import random
import re
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from allyouneed.check.questions.changes import Finder
from allyouneed.check.questions.tree import Change, Tree
from allyouneed.check.variants import NOTED

PER_LINE = 10  # changes of one line, so that no line has all the questions
ITSELF = re.compile(r"(\w+) = \1")  # a name that is given to what has it


@dataclass(frozen=True)
class Changed:
    """One line of a text changed: its number from 1, what stood there, what stands there, and how."""

    line: int
    before: str
    after: str
    kind: str
    text: str  # the whole


@dataclass(frozen=True)
class Part:
    """A part of a text whose value is noted when it runs: its number, line, and text."""

    number: int
    line: int
    text: str
    named: bool  # all that one name gets


def changed_lines(text: str, rng: random.Random, most: int) -> list[Changed]:
    """Up to `most` texts with one line changed, no two alike, some of each line."""
    found: dict[tuple[int, bool], list[Change]] = {}
    finder = Finder(text)
    for change in [*finder.found(), *_rewritten(finder)]:
        line = text.count("\n", 0, change.start)
        found.setdefault((line, change.kind == "rewritten"), []).append(change)
    rows = list(found.values())
    rng.shuffle(rows)
    for row in rows:
        rng.shuffle(row)
    taken: list[Changed] = []
    known = {_meaning(text)}
    usable = [_usable(text, row, known) for row in rows]
    for _ in range(PER_LINE if len(rows) > 3 else max(map(len, rows), default=0)):
        for one in usable:
            taken += islice(one, 1)
            if len(taken) == most:
                return taken
    return taken


def _usable(text: str, row: list[Change], known: set[tuple | None]) -> Iterator[Changed]:
    """Those that change one line into code of a meaning that is not `known` yet."""
    for change in row:
        made = _of_one_line(text, change)
        meaning = _meaning(made.text) if made else None
        if made and meaning and meaning not in known:
            known.add(meaning)
            yield made


@lru_cache(64)
def _meaning(text: str) -> tuple | None:
    """What Python makes of a text, wherever brackets and blanks stand; None if it is not Python."""
    with warnings.catch_warnings(action="ignore"):
        try:
            return _compared(compile(text, "<text>", "exec"))
        except (SyntaxError, ValueError):
            return None


def _compared(code: types.CodeType) -> tuple:
    inner = (_compared(item) if isinstance(item, types.CodeType) else repr(item) for item in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, *inner


def _of_one_line(text: str, change: Change) -> Changed | None:
    if "\n" in text[change.start : change.end] or "\n" in change.new or change.kind == "always-true":
        return None
    change = _without_brackets(text, change)
    whole, line = change.of(text), text.count("\n", 0, change.start)
    before, after = text.split("\n")[line], whole.split("\n")[line]
    if " ".join(before.split()) == " ".join(after.split()) or not after.strip():
        return None
    if ITSELF.fullmatch(after.strip()):
        return None
    if (
        change.kind == "keyword"
        and "softmax" in before
        and isinstance(change.node, (ast.keyword, ast.Constant))
    ):
        return None  # without its axis it warns, and takes one that few know
    return Changed(line + 1, before.strip(), after.strip(), change.kind, whole)


def _without_brackets(text: str, change: Change) -> Change:
    """The change without brackets that mean nothing: they would show which line was written anew."""
    if change.new.startswith("(") and change.new.endswith(")"):
        bare = replace(change, new=change.new[1:-1])
    elif text[change.start - 1 : change.start] == "(" and text[change.end : change.end + 1] == ")":
        bare = replace(change, start=change.start - 1, end=change.end + 1)
    else:
        return change
    meaning = _meaning(bare.of(text))
    return bare if meaning and meaning == _meaning(change.of(text)) else change


def _rewritten(finder: Tree) -> Iterator[Change]:
    """Changes that ought to leave every result the same; whether they do, running them shows."""
    for node in ast.walk(finder.tree):
        if node in finder.skipped or not isinstance(node, (ast.BinOp, ast.Compare)):
            continue
        if isinstance(node, ast.BinOp):
            left, right = finder.atom(node.left), finder.atom(node.right)
            if isinstance(node.op, (ast.Add, ast.Mult)):
                yield finder.instead(
                    node, f"({right} {'+' if isinstance(node.op, ast.Add) else '*'} {left})", "rewritten"
                )
            if isinstance(node.op, ast.Sub):
                yield finder.instead(node, f"(-{right} + {left})", "rewritten")
                yield finder.instead(node, f"(-({right} - {left}))", "rewritten")
            if isinstance(node.op, ast.Div):
                yield finder.instead(node, f"({left} * (1 / {right}))", "rewritten")
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            mirrored = {ast.Lt: ">", ast.LtE: ">=", ast.Gt: "<", ast.GtE: "<=", ast.Eq: "==", ast.NotEq: "!="}
            if symbol := mirrored.get(type(node.ops[0])):
                pair = finder.atom(node.comparators[0]), finder.atom(node.left)
                yield finder.instead(node, f"({pair[0]} {symbol} {pair[1]})", "rewritten")


def with_notes(text: str) -> tuple[str, list[Part]]:
    """The text with a note around each part that a question can be about, and these parts.

    A part in a loop, a comprehension or an inner function is none: it has many values.
    """
    tree = ast.parse(text)
    parts: list[Part] = []
    finder = Finder(text)

    class Noting(ast.NodeTransformer):
        def skip(self, node):
            return node

        visit_For = visit_While = visit_AsyncFor = visit_Lambda = skip
        visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = skip
        visit_Raise = visit_Assert = visit_JoinedStr = skip

        def visit_FunctionDef(self, node):
            node.body = [self.visit(item) for item in node.body]
            return node

        def visit_Assign(self, node):
            plain = len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
            name = node.targets[0].id if plain else ""
            node.value = self.noted(node.value, self.visit(node.value), name)
            return node

        def visit_Call(self, node):
            text = finder.part(node)
            made = self.generic_visit(node)
            one_line = node.lineno == node.end_lineno and 4 < len(text) <= 60
            return self.noted(node, made, "") if one_line and "super()" not in text else made

        def noted(self, node, made, name):
            if isinstance(node, ast.Constant) or node.lineno != node.end_lineno:
                return made
            text = name or finder.part(node)
            number = len(parts)
            parts.append(Part(number, node.lineno, text, bool(name)))
            call = ast.Call(ast.Name(NOTED, ast.Load()), [ast.Constant(number), made], [])
            return ast.copy_location(call, node)

    made = ast.fix_missing_locations(Noting().visit(tree))
    return ast.unparse(made) + "\n", parts


def code_lines(text: str) -> list[int]:
    """The numbers of the lines that do something: no first line of a function, no comment, no text."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and not isinstance(
            node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom)
        ):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
            found.update(range(node.lineno, max(node.lineno, last) + 1))
    lines = text.split("\n")
    return sorted(
        number
        for number in found
        if lines[number - 1].strip() and not lines[number - 1].lstrip().startswith("#")
    )
