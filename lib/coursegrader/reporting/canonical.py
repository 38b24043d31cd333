"""What a program computes, whatever it calls things and in whatever order it says them.

A local name stands for its expression, so that names, independent statements' order and steps in between
vanish. Calls of one meaning have one form: ``x.softmax(-1)``, ``torch.softmax(x, dim=-1)`` and
``F.softmax(x, -1)``. Text is read and never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from coursegrader.reporting.canonical_calls import (
    KEYWORDS,
    OPERATORS,
    SAME,
    SIZES,
    Part,
    call,
    choice,
    constant,
    inverted,
    named,
    negative,
    operation,
    part,
)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MODULES = {"torch", "F", "nn", "np", "numpy", "math", "functional", "linalg", "special", "init", "allyouneed"}
CHANGING = {"append", "extend", "insert", "add", "update", "pop", "remove", "clear"}


@dataclass
class Program:
    """What a program gives back, does, and gives a name to; and its parts with the piece of the text where
    each stands: start and end, in letters."""

    results: list[Part] = field(default_factory=list)
    places: list[tuple[Part, int, int]] = field(default_factory=list)

    @property
    def features(self) -> frozenset[int]:
        """Those of the results and of all that they are made of."""
        return frozenset(feature for found in _with_all_below(self.results) for feature in found.features())

    @property
    def parts(self) -> set[Part]:
        """All, also those that lead to no result."""
        return _with_all_below([*self.results, *(found for found, _, _ in self.places)])


def _with_all_below(waiting: list[Part]) -> set[Part]:
    seen, waiting = set(), list(waiting)
    while waiting:
        found = waiting.pop()
        if found not in seen:
            seen.add(found)
            waiting += found.kids
    return seen


def readable(text: str) -> ast.Module:
    """The tree of a cell, in which IPython's lines count as comments. SyntaxError where it is no Python."""
    try:
        try:
            return ast.parse(text)
        except SyntaxError:
            lines = text.split("\n")
            own = [f"#{line[1:]}" if line.lstrip()[:1] in ("%", "!", "?") else line for line in lines]
            return ast.parse("\n".join(own))
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from None


def program(text: str) -> Program:
    """Read a program. SyntaxError where it is no Python, or cannot be read, as what is nested too deeply."""
    try:
        return _Reader(text).program
    except SyntaxError:
        raise
    except Exception as error:  # whatever code makes its reader stumble over: nobody's stops a class's report
        raise SyntaxError(f"it cannot be read ({type(error).__name__})") from None


class _Reader:
    """Goes through statements in order, with what each name stands for."""

    def __init__(self, text: str):
        self.program, self.imports = Program(), {}
        tree = readable(text)
        lines = text.split("\n")
        self.wide = [None if line.isascii() else line.encode() for line in lines]
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for item in node.names:
                    self.imports[item.asname or item.name] = item.name.rpartition(".")[2]
        self.own = {node.name for node in tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
        self.program.results += self.block(tree.body, {})

    def at(self, made: Part, node: ast.AST) -> Part:
        if made.kids:
            ends = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
            self.program.places.append((made, *(self.letter(*end) for end in ends)))
        return made

    def letter(self, line: int, column: int) -> int:
        if (text := self.wide[line - 1]) is not None:
            column = len(text[:column].decode(errors="replace"))
        return self.starts[line - 1] + column

    # statements

    def block(self, statements: Iterable[ast.stmt], names: dict[str, Part]) -> list[Part]:
        """What these statements do beside giving names a meaning."""
        return [done for node in statements for done in self.statement(node, names)]

    def statement(self, node: ast.stmt, names: dict[str, Part]) -> list[Part]:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            if node.value is not None:
                value = self.of(node.value, names)
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    self.bind(target, value, names)
        elif isinstance(node, ast.AugAssign):
            value = operation(
                OPERATORS[type(node.op)], self.of(node.target, names), self.of(node.value, names)
            )
            self.bind(node.target, self.at(value, node), names)
        elif isinstance(node, ast.Return):
            if node.value is not None:
                return [self.at(part("return", self.of(node.value, names)), node)]
        elif isinstance(node, ast.Expr):
            return self.bare(node.value, names)
        elif isinstance(node, ast.If):
            return self.branches(node, names)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self.loop(node, names)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                value = self.of(item.context_expr, names)
                if item.optional_vars is not None:
                    self.bind(item.optional_vars, part("entered", value), names)
            return self.block(node.body, names)
        elif isinstance(node, ast.Try):
            done = self.block([*node.body, *node.orelse, *node.finalbody], names)
            for handler in node.handlers:
                done += self.block(handler.body, dict(names))
            return done
        elif isinstance(node, FUNCTIONS):
            names[node.name] = self.function(node, names)
            return [names[node.name]]
        elif isinstance(node, ast.ClassDef):
            return self.class_(node, names)
        return []  # what is imported, raised, asserted or passed tells nothing

    def bare(self, value: ast.expr, names: dict[str, Part]) -> list[Part]:
        if isinstance(value, (ast.Constant, ast.Name)):
            return []
        if isinstance(value, ast.Call):
            called = value.func
            base = called.value if isinstance(called, ast.Attribute) else called
            if getattr(getattr(base, "func", base), "id", "") in ("print", "super"):
                return []
            made = self.of(value, names)
            if isinstance(called, ast.Attribute) and (called.attr in CHANGING or called.attr[-1:] == "_"):
                self.bind(called.value, made, names)
                return []
            return [part("do", made)]
        return [part("do", self.of(value, names))]

    def branches(self, node: ast.If, names: dict[str, Part]) -> list[Part]:
        test, one, other = self.of(node.test, names), dict(names), dict(names)
        done = self.block(node.body, one) + self.block(node.orelse, other)
        done += [part("when", test)] if done else []
        for name in {**one, **other}:
            values = one.get(name, part("unset")), other.get(name, part("unset"))
            same = values[0] == values[1]
            names[name] = values[0] if same else self.at(choice(test, *values), node.test)
        return done

    def loop(self, node, names: dict[str, Part]) -> list[Part]:
        before = dict(names)
        variables = (item for item in ast.walk(node) if isinstance(item, ast.Name))
        for name in {item.id for item in variables if isinstance(item.ctx, ast.Store)} & set(names):
            names[name] = part("so far", names[name])
        done = []
        if isinstance(node, ast.While):
            done.append(self.at(part("while", self.of(node.test, names)), node.test))
        else:
            self.each(node.target, node.iter, names)
        done += self.block([*node.body, *node.orelse], names)
        for name, value in before.items():
            if names.get(name) != value:
                names[name] = part("looped", value, names[name])
        return done

    def each(self, target: ast.expr, many: ast.expr, names: dict[str, Part]) -> None:
        """Bind the names of a loop; what zip and enumerate give is looked through."""
        called = many.func.id if isinstance(many, ast.Call) and isinstance(many.func, ast.Name) else ""
        if isinstance(target, (ast.Tuple, ast.List)) and called == "zip":
            if len(target.elts) == len(many.args):
                for one, item in zip(target.elts, many.args):
                    self.each(one, item, names)
                return
        if isinstance(target, (ast.Tuple, ast.List)) and called == "enumerate" and len(target.elts) == 2:
            if len(many.args) == 1:
                self.bind(target.elts[0], part("count"), names)
                self.each(target.elts[1], many.args[0], names)
                return
        self.bind(target, self.at(part("each", self.of(many, names)), many), names)

    def bind(self, target: ast.expr, value: Part, names: dict[str, Part]) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = value
            self.program.results.append(value)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, part("rest", value), names)
        elif isinstance(target, (ast.Tuple, ast.List)):
            several = len(target.elts)
            for number, item in enumerate(target.elts):
                if value.label == "tuple" and len(value.kids) == several:
                    self.bind(item, value.kids[number], names)
                else:  # the last of a shape is -1 in most people's code, whether counted from there or not
                    place = constant(number if number == 0 else number - several)
                    shape = value.label == "shape"
                    taken = part("size", *value.kids, place) if shape else part("item", value, place)
                    self.bind(item, taken, names)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            names[self.dotted(target, names)] = value
            self.program.results.append(value)
        elif isinstance(target, ast.Subscript):
            changed = part("set", self.of(target.value, names), self.of(target.slice, names), value)
            self.bind(target.value, self.at(changed, target), names)

    def dotted(self, node: ast.Attribute, names: dict[str, Part]) -> str:
        """Under which name an attribute of a name is known; that of the object itself has one in all."""
        base = getattr(node.value, "id", "")
        return f"{'self' if base in names and names[base].label == 'self' else base}.{node.attr}"

    def function(self, node, names: dict[str, Part], method: bool = False) -> Part:
        inner = dict(names)
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        for item in given[1:] if method else given:
            inner[item.arg] = part("given")
        for item in filter(None, (node.args.vararg, node.args.kwarg)):
            inner[item.arg] = part("given all")
        if method and given:
            inner[given[0].arg] = part("self")
        if isinstance(node, ast.Lambda):
            return part("function", self.of(node.body, inner))
        done = self.block(node.body, inner)
        if method:
            names.update((name, value) for name, value in inner.items() if name.startswith("self."))
        return part("function", *done)

    def class_(self, node: ast.ClassDef, names: dict[str, Part]) -> list[Part]:
        """What ``__init__`` stores under a name of its own choice is looked through in the other methods."""
        inner = dict(names)
        methods = [item for item in node.body if isinstance(item, FUNCTIONS)]
        self.own |= {item.name for item in methods}
        names[node.name] = part("own class")
        methods.sort(key=lambda item: item.name != "__init__")
        return [self.function(item, inner, method=True) for item in methods]

    # expressions

    def of(self, node: ast.expr, names: dict[str, Part]) -> Part:
        method = getattr(self, f"of_{type(node).__name__}", None)
        if method is not None:
            return self.at(method(node, names), node)
        kids = [self.of(kid, names) for kid in ast.iter_child_nodes(node) if isinstance(kid, ast.expr)]
        return self.at(part(type(node).__name__, *kids), node)

    def of_Name(self, node, names):
        if node.id in names:
            return names[node.id]
        return part("own" if node.id in self.own else f"name {self.imports.get(node.id, node.id)}")

    def of_Constant(self, node, names):
        return constant(node.value)

    def of_JoinedStr(self, node, names):
        return part("text")

    def of_Tuple(self, node, names):
        return part("tuple", *(self.of(item, names) for item in node.elts))

    of_List = of_Tuple

    def of_Attribute(self, node, names):
        if self.is_module(node.value, names):
            return constant(float(node.attr)) if node.attr in ("inf", "nan") else part(f"name {node.attr}")
        if (kept := names.get(self.dotted(node, names))) is not None:
            return kept
        base = self.of(node.value, names)
        if node.attr in ("T", "mT", "H"):
            return part("turned", base)
        return part({"ndim": "ndim", "shape": "shape"}.get(node.attr, f".{node.attr}"), base)

    def is_module(self, node: ast.expr, names: dict[str, Part]) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return (
            isinstance(node, ast.Name)
            and node.id not in names
            and (node.id in MODULES or self.imports.get(node.id) in MODULES)
        )

    def of_Call(self, node, names):
        starred = any(isinstance(item, ast.Starred) for item in node.args)
        items = node.args
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        first = []
        if isinstance(func, ast.Attribute) and not self.is_module(func.value, names):
            callee = names.get(self.dotted(func, names))
            if callee is None and name in self.own and isinstance(func.value, ast.Name):
                callee = part("own")
            first = [] if callee else [self.of(func.value, names)]
        elif isinstance(func, ast.Attribute):
            callee = None
        elif isinstance(func, ast.Name):
            callee = names.get(func.id) or (part("own") if func.id in self.own else None)
            name = self.imports.get(func.id, func.id)
        else:
            callee = self.of(func, names)
        name = name.rstrip("_") or name
        name = SAME.get(name, name)
        if len(items) == 1 and isinstance(items[0], (ast.Tuple, ast.List)) and name in SIZES:
            items = items[0].elts
        elif len(items) == 2 and not first and isinstance(items[1], (ast.Tuple, ast.List)) and name in SIZES:
            items = [items[0], *items[1].elts]
        given = [*first, *(self.of(item, names) for item in items)]
        keywords = {
            KEYWORDS.get(item.arg, item.arg): self.of(item.value, names)
            for item in node.keywords
            if item.arg not in ("device", None)
        }
        if callee is not None:
            return part("call", callee, *given, *named(keywords))
        return call(name, given, keywords, starred)

    def of_BinOp(self, node, names):
        return operation(OPERATORS[type(node.op)], self.of(node.left, names), self.of(node.right, names))

    def of_BoolOp(self, node, names):
        return part(OPERATORS[type(node.op)], *(self.of(item, names) for item in node.values))

    def of_UnaryOp(self, node, names):
        value = self.of(node.operand, names)
        if isinstance(node.op, ast.USub):
            return negative(value)
        return inverted(value) if isinstance(node.op, (ast.Not, ast.Invert)) else value

    def of_Compare(self, node, names):
        items = [self.of(item, names) for item in (node.left, *node.comparators)]
        made = [
            operation(OPERATORS[type(operator)], *pair)
            for operator, pair in zip(node.ops, zip(items, items[1:]))
        ]
        return made[0] if len(made) == 1 else part("&", *made)

    def of_IfExp(self, node, names):
        return choice(*(self.of(item, names) for item in (node.test, node.body, node.orelse)))

    def of_Lambda(self, node, names):
        return self.function(node, names)

    def of_NamedExpr(self, node, names):
        names[node.target.id] = self.of(node.value, names)
        return names[node.target.id]

    def of_ListComp(self, node, names):
        inner = dict(names)
        tests = []
        for item in node.generators:
            self.each(item.target, item.iter, inner)
            tests += [self.of(test, inner) for test in item.ifs]
        values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        label = "dict" if isinstance(node, ast.DictComp) else "listed"
        return part(label, *(self.of(value, inner) for value in values), *tests)

    of_GeneratorExp = of_SetComp = of_DictComp = of_ListComp

    def of_Starred(self, node, names):
        return part("all of", self.of(node.value, names))

    def of_Subscript(self, node, names):
        base = self.of(node.value, names)
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if base.label == "shape" and len(items) == 1 and not isinstance(items[0], ast.Slice):
            return part("size", *base.kids, self.of(items[0], names))
        plain = [
            isinstance(item, ast.Slice) and not (item.lower or item.upper or item.step) for item in items
        ]
        none = [isinstance(item, ast.Constant) and item.value is None for item in items]
        dots = [isinstance(item, ast.Constant) and item.value is Ellipsis for item in items]
        if any(none) and all(any(flags) for flags in zip(plain, none, dots)):
            for place, new in enumerate(none):
                if new:
                    from_end = any(dots[:place])
                    axis = place - len(items) if from_end else place
                    base = part("unsqueeze", base, constant(axis))
            return base
        return part("index", base, *(self.of(item, names) for item in items))

    def of_Slice(self, node, names):
        ends = (node.lower, node.upper, node.step)
        return part("slice", *(part("end") if end is None else self.of(end, names) for end in ends))
