"""A text of code with its syntax tree: where each part stands, and what stands there instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from allyouneed.check.questions.calls import MODULES, PLACES, called


@dataclass(frozen=True)
class Change:
    """A piece of a right version's text, what stands there instead, and what kind of change that is.

    `node` is the part of the tree that it is about: what is left out, or what becomes another.
    """

    start: int
    end: int
    new: str
    kind: str
    node: ast.AST

    def of(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


class Tree:
    """Code, and of each node of its tree the parent, the place, and whether it is left as it is."""

    def __init__(self, text: str):
        self.text = text
        self.lines = [0]
        for line in text.encode().split(b"\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.bytes = text.encode()
        self.tree = ast.parse(text)
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.skipped = set()
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                parts: list[ast.AST] = [*node.decorator_list]
                parts += node.bases if isinstance(node, ast.ClassDef) else []
                if isinstance(node, ast.FunctionDef):
                    parts += [node.args, *([node.returns] if node.returns else [])]
                first = node.body[0]
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    parts.append(first)
                self.skipped.update(inner for part in parts for inner in ast.walk(part))
            if isinstance(node, (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)):
                self.skipped.update(inner for inner in ast.walk(node) if inner is not node)
        self.names = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name)]
        self.parameters = [
            [item.arg for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef)
        ]

    def place(self, line: int, column: int) -> int:
        return len(self.bytes[: self.lines[line - 1] + column].decode())

    def span(self, node) -> tuple[int, int]:
        return self.place(node.lineno, node.col_offset), self.place(node.end_lineno, node.end_col_offset)

    def part(self, node) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def atom(self, node) -> str:
        """A node's text as it may stand anywhere in an expression."""
        simple = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant, ast.List, ast.Tuple)
        text = self.part(node)
        return text if isinstance(node, simple) and not text.startswith("-") else f"({text})"

    def instead(self, node, new: str, kind: str, about=None) -> Change:
        return Change(*self.span(node), new, kind, about or node)

    def between(self, left, right, old: str, new: str, kind: str, about) -> Iterator[Change]:
        start, end = self.span(left)[1], self.span(right)[0]
        if found := re.search(re.escape(old), self.text[start:end]):
            yield Change(start + found.start(), start + found.end(), new, kind, about)

    def is_axis(self, node) -> bool:
        """Whether a number says which axis is meant."""
        parent = self.parent.get(node)
        if isinstance(parent, ast.keyword):
            return parent.arg in ("dim", "axis", "dim0", "dim1", "axis0", "axis1", "start_dim")
        if isinstance(parent, ast.Tuple) and isinstance(
            grand := self.parent.get(parent), (ast.Call, ast.keyword)
        ):
            call = grand if isinstance(grand, ast.Call) else self.parent.get(grand)
            return called(call) in PLACES or called(call) == "permute"
        if isinstance(parent, ast.Call) and node in parent.args:
            name = called(parent)
            if name == "permute":
                return True
            owner = parent.func.value if isinstance(parent.func, ast.Attribute) else None
            function = isinstance(owner, ast.Name) and owner.id in MODULES
            return parent.args.index(node) + (not function) in PLACES.get(name, ())
        if isinstance(parent, ast.Subscript) and parent.slice is node:
            return isinstance(parent.value, ast.Attribute) and parent.value.attr == "shape"
        return False


def number_of(node) -> int | float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = number_of(node.operand) if isinstance(node.operand, ast.Constant) else None
        return None if found is None else -found
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def joins_texts(node) -> bool:
    """Whether it joins texts, such as the names of weights."""
    return any(
        isinstance(item, (ast.JoinedStr,)) or (isinstance(item, ast.Constant) and isinstance(item.value, str))
        for item in (node.left, node.right)
    )
