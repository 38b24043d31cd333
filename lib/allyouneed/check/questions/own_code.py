"""What a student wrote for an exercise, as it stands in the cells, and what it needs to run by itself.

The text is read and never run here. Of the cells that are no part of the exercise only what it needs is
taken: imports, definitions, and plain assignments of the names that it uses.
"""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass

from allyouneed.check.questions.changes import changes
from allyouneed.check.scopes import DEFINITIONS, names_from_outside

MOST_LINES, WIDEST = 60, 160  # of code that is shown on a paper
UNFINISHED = "raise NotImplementedError"


@dataclass(frozen=True)
class Own:
    """An exercise as a student wrote it: the text that is shown, and what runs before it."""

    exercise: str
    text: str
    support: str
    parameters: tuple[str, ...]  # of the function, or of the class's own call


class NotUsable(Exception):
    """No question can be asked about this exercise; the text says why."""


def from_texts(exercise: str, mine: str, above: str, most_lines: int = MOST_LINES) -> Own:
    """The code for an exercise in the text `mine`, which runs after the text `above`."""
    own, others = statements(mine), statements(above)
    defined = [index for index, (_, node) in enumerate(own) if exercise in bound(node)]
    if not defined:
        raise NotUsable(f"nothing of the name {exercise} is defined above its check")
    needed = _needed([own[defined[-1]][1]], [node for _, node in (*others, *own)])
    shown = [
        text
        for index, (text, node) in enumerate(own)
        if index == defined[-1]
        or (isinstance(node, (*DEFINITIONS, ast.Assign)) and bound(node) & needed)
        and exercise not in bound(node)
    ]
    support = [
        text
        for text, node in others
        if is_import(node) or bound(node) & needed and exercise not in bound(node)
    ]
    support += [text for text, node in own if is_import(node)]
    text = "\n\n".join(shown) + "\n"
    node = own[defined[-1]][1]
    if UNFINISHED in text and not any(True for _ in changes(text)):
        raise NotUsable(f"{exercise} is not written")
    lines = text.splitlines()
    if len(lines) > most_lines or max(map(len, lines)) > WIDEST:
        raise NotUsable(
            f"the code of {exercise} is too long to ask about (more than {most_lines} lines, or one of more "
            f"than {WIDEST} characters)"
        )
    return Own(exercise, text, "\n".join(support), _parameters(node, exercise))


def statements(text: str) -> list[tuple[str, ast.stmt]]:
    """The statements of a text with their own layout, comments between them left out."""
    lines = text.splitlines()
    found = []
    for node in ast.parse(text).body:
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))])
        last = node.end_lineno or first
        rest = lines[last - 1].encode()[node.end_col_offset or 0 :]
        if node.col_offset or rest.strip().startswith(b";"):
            found.append((ast.unparse(node), node))  # several on one line
        else:
            found.append(("\n".join(lines[first - 1 : last]), node))
    return [(_printable(text), node) for text, node in found]


def _printable(text: str) -> str:
    """The text with each tab as spaces, and "?" for what cannot be printed: a paper shows each letter."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text.expandtabs(4))


def bound(node: ast.stmt) -> set[str]:
    """The names that a statement of the top level gives a meaning."""
    if isinstance(node, DEFINITIONS):
        return {node.name}
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [item for target in targets for item in ast.walk(target) if isinstance(item, ast.Name)]
        return {item.id for item in names if isinstance(item.ctx, ast.Store)}
    if isinstance(node, (ast.If, ast.Try, ast.With)):
        inner = [item for item in ast.iter_child_nodes(node) if isinstance(item, ast.stmt)]
        return set().union(*map(bound, inner)) if inner else set()
    return set()


def is_import(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _needed(nodes: list, statements: list) -> set[str]:
    """The names of the top level that `nodes` use, directly or through each other."""
    needed: set[str] = set()
    waiting = list(nodes)
    while waiting:
        fresh = _used(waiting.pop()) - needed
        needed |= fresh
        waiting += [node for node in statements if bound(node) & fresh]
    return needed


def _used(node: ast.stmt) -> set[str]:
    """The names of the top level that a statement reads, but for Python's own."""
    return {name for name in names_from_outside(node) if not hasattr(builtins, name)}


def _parameters(node: ast.stmt, exercise: str) -> tuple[str, ...]:
    found: ast.AST = node
    if isinstance(node, ast.ClassDef):
        calls = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "forward"]
        found = calls[0] if calls else node
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        found = node.value
    elif not isinstance(node, DEFINITIONS):
        found = next(
            (item for item in ast.walk(node) if isinstance(item, DEFINITIONS) and item.name == exercise), node
        )
    if not hasattr(found, "args") or not isinstance(found.args, ast.arguments):
        return ()
    names = [item.arg for item in (*found.args.posonlyargs, *found.args.args, *found.args.kwonlyargs)]
    return tuple(name for name in names if name != "self" and re.fullmatch(r"\w{1,40}", name))
