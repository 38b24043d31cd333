"""One small change at a time: what a slip of the hand or of thought makes of a right version.

Arithmetic, comparisons, numbers and arguments are what kept tools change too (cosmic-ray, mutmut); axes,
calls of tensors, terms and names of one kind are ours. A change replaces one piece of the text, found by its
place in the syntax tree, so that it can be shown as the difference of a line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

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
MODULES = ("torch", "math", "F", "nn", "np", "numpy", "random", "super", "linalg", "functional", "init")
# where the axis stands among the arguments: after the tensor in a function, first in a method
AXES = {
    "all any amax amin argmax argmin argsort cat concat cummax cumprod cumsum flip log_softmax logsumexp max "
    "mean median min norm prod size softmax sort squeeze stack std sum unbind unsqueeze var": (1,),
    "swapaxes transpose movedim": (1, 2),
    "gather index_select narrow roll scatter scatter_add select": (1,),
    "chunk split repeat_interleave topk diff": (2,),
}
PLACES = {name: places for names, places in AXES.items() for name in names.split()}
KIN = [
    group.split()
    for group in (
        "sum mean",
        "max min",
        "amax amin",
        "argmax argmin",
        "sigmoid tanh",
        "tril triu",
        "zeros ones",
        "zeros_like ones_like",
        "floor ceil",
        "any all",
        "sin cos",
        "cat stack",
        "exp log",
        "relu gelu",
        "cumsum cumprod",
        "eye ones",
        "append insert",
        "logical_and logical_or",
        "dim ndim",
        "repeat repeat_interleave",
        "view reshape",
        "std var",
    )
]
BUILTINS = ("abs", "float", "int", "list", "reversed", "round", "set", "sorted", "tuple", "min", "max", "sum")


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


def changes(text: str) -> Iterator[Change]:
    """The changes of a right version, each of which gives other code that parses."""
    original, seen = ast.dump(ast.parse(text)), set()
    for change in _Finder(text).found():
        try:
            tree = ast.dump(ast.parse(change.of(text)))
        except SyntaxError:
            continue
        if tree != original and tree not in seen:
            seen.add(tree)
            yield change


class _Finder:
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

    # places in the text

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

    # what is changed

    def operator(self, node):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _is_text(node):
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
        if isinstance(node, ast.BinOp) and not _is_text(node):
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
            subject = self.subject(node)
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
        name, subject = called(node), self.subject(node)
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
        number = _number(node)
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
            if _number(item) is None:
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

    def subject(self, call: ast.Call):
        """What a call works on: the object of a method, or a function's first argument."""
        if isinstance(call.func, ast.Attribute):
            root = call.func.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Call) and called(root) == "super":
                return None
            if not (isinstance(root, ast.Name) and root.id in (*MODULES, "self")) and not (
                isinstance(root, ast.Constant) and isinstance(root.value, str)
            ):
                return call.func.value
            if isinstance(root, ast.Name) and root.id == "self" and isinstance(call.func.value, ast.Call):
                return call.func.value
            return call.args[0] if call.args else None
        if isinstance(call.func, ast.Name) and call.func.id in BUILTINS and len(call.args) == 1:
            return call.args[0]
        return None

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


def called(node) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )


def _number(node) -> int | float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = _number(node.operand) if isinstance(node.operand, ast.Constant) else None
        return None if found is None else -found
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _is_text(node) -> bool:
    """Whether it joins texts, such as the names of weights."""
    return any(
        isinstance(item, (ast.JoinedStr,)) or (isinstance(item, ast.Constant) and isinstance(item.value, str))
        for item in (node.left, node.right)
    )


def canonical(source: str) -> str:
    """The code with its own names numbered, so that what differs in names alone is asked once."""
    tree = ast.parse(source)
    kept: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            everything = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
            kept.update(item.arg for item in everything if item)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            kept.update(node.names)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            kept.add(node.name)
    numbers: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in kept:
            numbers.setdefault(node.id, f"name_{len(numbers)}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in numbers:
            node.id = numbers[node.id]
    return ast.unparse(tree)
