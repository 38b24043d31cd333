"""One small change at a time: what a slip of the hand or of thought makes of a right version.

Arithmetic, comparisons, numbers and arguments are what kept tools change too (cosmic-ray, mutmut); axes,
calls of tensors, terms and names of one kind are ours. A change replaces one piece of the text, found by its
place in the syntax tree, so that it can be shown as the difference of a line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from allyouneed.check.questions.calls import KIN, PLACES, called, subject_of
from allyouneed.check.questions.tree import Change, Tree, joins_texts, number_of

OPERATORS = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
COMPARISONS = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", ">=")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<=")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
}


def changes(text: str) -> Iterator[Change]:
    """The changes of a right version, each of which gives other code that parses."""
    original, seen = ast.dump(ast.parse(text)), set()
    for change in Finder(text).found():
        try:
            tree = ast.dump(ast.parse(change.of(text)))
        except SyntaxError:
            continue
        if tree != original and tree not in seen:
            seen.add(tree)
            yield change


class Finder(Tree):
    """Finds what may be changed: a method for each kind of change, which says nothing of other nodes."""

    def found(self) -> Iterator[Change]:
        for node in ast.walk(self.tree):
            if node not in self.skipped:
                for method in (
                    self.operator,
                    self.left_out,
                    self.sign,
                    self.comparison,
                    self.call,
                    self.constant,
                    self.bound,
                    self.statement,
                    self.name,
                ):
                    yield from method(node)

    def operator(self, node):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not joins_texts(node):
            yield from self.between(node.left, node.right, *OPERATORS[type(node.op)], "operator", node)
        if isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
            old, new = OPERATORS[type(node.op)]
            yield from self.between(node.target, node.value, f"{old}=", f"{new}=", "operator", node)
        if isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in zip(node.values, node.values[1:]):
                yield from self.between(left, right, old, new, "operator", node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult, ast.Pow)):
            symbol = {ast.Sub: "-", ast.Div: "/", ast.MatMult: "@", ast.Pow: "**"}[type(node.op)]
            yield self.instead(
                node, f"({self.atom(node.right)} {symbol} {self.atom(node.left)})", "exchanged", node
            )

    def left_out(self, node):
        if isinstance(node, ast.BinOp) and not joins_texts(node):
            if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.Mod)):
                yield self.instead(node, self.atom(node.left), "left-out", node.right)
            if isinstance(node.op, (ast.Add, ast.Mult)):
                yield self.instead(node, self.atom(node.right), "left-out", node.left)
            if isinstance(node.op, ast.Sub):
                yield self.instead(node, f"(-{self.atom(node.right)})", "left-out", node.left)
            if isinstance(node.op, (ast.BitAnd, ast.BitOr)):
                yield self.instead(node, self.atom(node.left), "left-out", node.right)
                yield self.instead(node, self.atom(node.right), "left-out", node.left)
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                others = [self.atom(other) for other in node.values if other is not value]
                joined = (" and " if isinstance(node.op, ast.And) else " or ").join(others)
                yield self.instead(node, f"({joined})", "left-out", value)
        if isinstance(node, ast.AugAssign):
            start = self.span(node.target)[1]
            end = self.span(node.value)[0]
            yield Change(start, end, " = ", "kept-last", node)

    def sign(self, node):
        if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            yield self.instead(node, self.atom(node.operand), "sign", node.operand)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            if isinstance(node.operand, ast.Constant) and not self.is_axis(node):
                yield self.instead(node, self.part(node.operand), "sign", node.operand)
        if isinstance(node, ast.Call) and called(node) in ("exp", "sigmoid", "softmax", "tanh", "cos", "sin"):
            subject = subject_of(node)
            if subject is not None:
                yield self.instead(subject, f"(-{self.atom(subject)})", "sign", subject)

    def comparison(self, node):
        if isinstance(node, ast.Compare):
            for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators):
                if type(operator) in COMPARISONS:
                    old, others = COMPARISONS[type(operator)]
                    for new in others:
                        yield from self.between(left, right, old, new, "comparison", node)
                if isinstance(operator, ast.In):
                    yield from self.between(left, right, "in", "not in", "comparison", node)
                if isinstance(operator, ast.NotIn):
                    yield from self.between(left, right, "not in", "in", "comparison", node)

    def call(self, node):
        if not isinstance(node, ast.Call):
            return
        name, subject = called(node), subject_of(node)
        if subject is not None and name and name[:1].islower() and not isinstance(subject, ast.Starred):
            yield self.instead(node, self.atom(subject), "call", node)
        for first, second in zip(node.args, node.args[1:]):
            if not any(isinstance(item, ast.Starred) for item in (first, second)):
                start, end = self.span(first)[0], self.span(second)[1]
                middle = self.text[self.span(first)[1] : self.span(second)[0]]
                yield Change(start, end, f"{self.part(second)}{middle}{self.part(first)}", "exchanged", node)
        pieces = [*node.args, *[keyword for keyword in node.keywords]]
        for keyword in node.keywords:
            if keyword.arg is None:
                continue
            index, (start, end) = pieces.index(keyword), self.span(keyword)
            if index:
                start = self.span(pieces[index - 1])[1]
            elif index + 1 < len(pieces):
                end = self.span(pieces[index + 1])[0]
            yield Change(start, end, "", "keyword", keyword)
        optional = PLACES.get(name, ()) and not node.keywords and len(node.args) > 1
        if optional and isinstance(node.func, ast.Attribute):
            start, end = self.span(node.args[-2])[1], self.span(node.args[-1])[1]
            yield Change(start, end, "", "keyword", node.args[-1])

    def constant(self, node):
        number = number_of(node)
        if number is None or (
            isinstance(self.parent.get(node), ast.UnaryOp) and isinstance(node, ast.Constant)
        ):
            if isinstance(node, ast.Constant) and isinstance(node.value, bool):
                yield self.instead(node, str(not node.value), "constant", node)
            if isinstance(node, ast.Attribute) and node.attr == "inf":
                yield self.instead(node, "0.0", "constant", node)
            return
        if self.is_axis(node):
            for other in (-1, -2, 0, 1):
                if other != number:
                    yield self.instead(node, str(other), "axis", node)
        elif isinstance(number, int) and abs(number) < 1000:
            for other in (number + 1, number - 1):
                new = str(other) if other >= 0 else f"({other})"
                yield self.instead(node, new, "constant", node)
        elif isinstance(number, float) and 1e-3 < abs(number) < 1e4:
            for other in (2 * number, 0.0, 1.0):
                yield self.instead(node, f"{other!r}" if other >= 0 else f"({other!r})", "constant", node)

    def bound(self, node):
        bounds = []
        if isinstance(node, ast.Slice):
            bounds = [item for item in (node.lower, node.upper) if item is not None]
            for item in bounds:
                yield self.instead(item, "", "bound-dropped", item)
        elif isinstance(node, ast.Call) and called(node) in ("range", "arange"):
            bounds = [item for item in node.args[:2] if not isinstance(item, ast.Starred)]
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            bounds = [item for item in parts if isinstance(item, ast.Name)]
        for item in bounds:
            if number_of(item) is None:
                for sign in "+-":
                    yield self.instead(item, f"{self.atom(item)} {sign} 1", "bound", item)

    def statement(self, node):
        if isinstance(node, ast.With):
            start, end = self.span(node)[0], self.span(node.body[0])[0]
            head = self.text[start:end]
            tail = head[head.rindex(":") :]
            yield Change(start, end, f"if True{tail}", "context", node)
        if isinstance(node, (ast.If, ast.IfExp)):
            for other in ("True", "False"):
                yield self.instead(node.test, other, f"always-{other.lower()}", node.test)
        droppable = isinstance(node, (ast.AugAssign, ast.Break, ast.Continue)) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        )
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            before = any(
                isinstance(target, ast.Name)
                and name.id == target.id
                and isinstance(name.ctx, ast.Store)
                and name.lineno < node.lineno
                for name in self.names
            ) or any(isinstance(target, ast.Name) and target.id in names for names in self.parameters)
            droppable = before or isinstance(target, (ast.Subscript, ast.Attribute))
        if droppable and not (isinstance(node, ast.Expr) and "super()" in self.part(node)):
            yield self.instead(node, "pass", "statement", node)

    def name(self, node):
        parent = self.parent.get(node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if isinstance(parent, ast.Call) and parent.func is node:
                yield from self.kin(node, node.id)
                return
            for names in self.parameters:
                if node.id in names and len(names) > 1:
                    where = names.index(node.id)
                    for step in (1, -1):
                        if (other := names[(where + step) % len(names)]) != "self":
                            yield self.instead(node, other, "name", node)
            for names in self.siblings:
                if node.id in names:
                    yield self.instead(node, names[(names.index(node.id) + 1) % len(names)], "name", node)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                mine = sorted(
                    {
                        item.attr
                        for item in ast.walk(self.tree)
                        if isinstance(item, ast.Attribute)
                        and isinstance(item.ctx, ast.Store)
                        and item.attr[-3:] == node.attr[-3:]
                    }
                )
                if node.attr in mine and len(mine) > 1:
                    other = mine[(mine.index(node.attr) + 1) % len(mine)]
                    yield self.instead(node, f"self.{other}", "name", node)
            elif isinstance(parent, ast.Call) and parent.func is node:
                end = self.span(node)[1]
                for change in self.kin(node, node.attr):
                    yield Change(end - len(node.attr), end, change.new, change.kind, node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            alike = sorted(
                {
                    item.value
                    for item in ast.walk(self.tree)
                    if isinstance(item, ast.Constant)
                    and isinstance(item.value, str)
                    and len(item.value) == len(node.value)
                    and item not in self.skipped
                }
            )
            if len(alike) > 1 and node.value in alike and re.fullmatch(r"[\w.]+", node.value):
                other = alike[(alike.index(node.value) + 1) % len(alike)]
                yield self.instead(node, repr(other), "name", node)

    def kin(self, node, name: str) -> Iterator[Change]:
        for group in KIN:
            if name in group:
                yield self.instead(node, group[1 - group.index(name)], "function", node)

    @cached_property
    def siblings(self) -> list[list[str]]:
        """Names that are assigned side by side."""
        groups = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store):
                names = [item.id for item in node.elts if isinstance(item, ast.Name)]
                if len(names) > 1 and len(set(names)) == len(names):
                    groups.append(names)
        return groups
