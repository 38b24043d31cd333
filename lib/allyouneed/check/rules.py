"""Does a solution call the thing it was asked to write? Here this is read; `watched_calls` sees it run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from allyouneed.check.scopes import DEFINITIONS, names_from_outside

LIBRARIES = ("torch", "allyouneed", "scipy", "numpy", "transformers", "jax", "tokenizers")
OPERATORS = "torch.ops."  # what torch's functions are made of, by other names
COMPILER = "CompilationUnit"  # torch.jit's, which makes functions of texts


def forbidden_in_source(source: str, name: str, forbidden: set[str]) -> str | None:
    """The first ready-made function of `forbidden` that `name` in `source` calls, itself or by helpers."""
    try:
        meanings, methods, aliases = _read(source)
    except SyntaxError:
        return None
    forbidden = forbidden | {COMPILER}
    imported = {key: path for key, path in aliases.items() if _may_be_imported(meanings.get(key, ()))}
    waiting, seen = [name], set()
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        if found := _ready_made(imported.get(current, ""), forbidden):
            return found
        for node in meanings.get(current, ()):
            outside = names_from_outside(node)
            defined = isinstance(node, DEFINITIONS)
            local = {key: path for key, path in imported.items() if key in outside}
            found = _called_in(node, local | (_aliases(node) if defined else {}), forbidden)
            if found := found or (_method_in(node, local, forbidden, methods) if defined else None):
                return found
            waiting += sorted(outside)
    return None


def _may_be_imported(nodes: Iterable[ast.AST]) -> bool:
    return not nodes or any(not isinstance(node, DEFINITIONS) for node in nodes)


def _called_in(node: ast.AST, aliases: dict[str, str], forbidden: set[str]) -> str | None:
    """What is named in a piece of code by its path from a library's name."""
    for part in ast.walk(node):
        if isinstance(part, (ast.Attribute, ast.Call, ast.Name)):
            if found := _ready_made(_dotted(part, aliases), forbidden):
                return found
    return None


def _method_in(node: ast.AST, aliases: dict[str, str], forbidden: set[str], methods: set[str]) -> str | None:
    """What is called of an object, by its name alone."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and part.attr not in methods and not _dotted(part, aliases):
            own = isinstance(part.value, ast.Name) and part.value.id == "self"
            if part.attr in forbidden or not own and part.attr.lstrip("_") in forbidden - methods:
                return _as_written(part)
    return None


@lru_cache(maxsize=1)
def _read(source: str) -> tuple[dict[str, list[ast.AST]], set[str], dict[str, str]]:
    """What the names of a notebook may stand for, the methods of its classes, and its names of what is
    imported.

    It is asked about once an exercise, and reading a long one takes its time.
    """
    tree = ast.parse(source)
    methods = {
        item.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    meanings: dict[str, list[ast.AST]] = {}
    for name, node, plain in _bindings(tree.body):
        meanings[name] = [*([] if plain else meanings.get(name, ())), node]
    return meanings, methods, _aliases(tree)


def meant_and_used(source: str) -> tuple[set[str], set[str]]:
    """The names that a text makes functions, classes or imports, and those that its definitions use."""
    bindings = list(_bindings(ast.parse(source).body))
    used = [names_from_outside(node) for _, node, _ in bindings if isinstance(node, DEFINITIONS)]
    return {name for name, _, _ in bindings}, set().union(*used)


def _bindings(body: Iterable[ast.AST], plain: bool = True) -> Iterator[tuple[str, ast.AST, bool]]:
    """In order, each name of the top level that becomes a function, class or import, what it becomes, and
    whether it does so without a condition. What holds data is watched when it runs.
    """
    for node in body:
        if isinstance(node, DEFINITIONS):
            yield node.name, node, plain
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for item in node.names:
                yield item.asname or item.name.partition(".")[0], node, plain
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for name, value in _pairs(target, node.value):
                    if _may_be_function(value):
                        yield name, value, plain
        elif isinstance(node, ast.AnnAssign):
            if isinstance(node.target, ast.Name) and node.value and _may_be_function(node.value):
                yield node.target.id, node.value, plain
        elif isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):
            if not (isinstance(node, (ast.If, ast.While)) and _is_never(node.test)):
                yield from _bindings(ast.iter_child_nodes(node), False)


def _is_never(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and not test.value


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Each name of an assignment with its own value, as far as that is written there."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        for one, other in zip(target.elts, value.elts):
            yield from _pairs(one, other)


def _may_be_function(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _may_be_function(value.body) or _may_be_function(value.orelse)
    if isinstance(value, ast.BoolOp):
        return any(map(_may_be_function, value.values))
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        return name in (COMPILER, "getattr", "partial")
    return isinstance(value, (ast.Lambda, ast.Name, ast.Attribute))


def _aliases(tree: ast.AST) -> dict[str, str]:
    """Names that stand for something imported, with the full path of what they stand for."""
    names: dict[str, str] = {}
    top = [node for node in ast.walk(tree)] if not isinstance(tree, ast.Module) else tree.body
    for node in top:
        if isinstance(node, ast.Import):
            for item in node.names:
                names[item.asname or item.name.split(".")[0]] = (
                    item.name if item.asname else item.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module:
            for item in node.names:
                names[item.asname or item.name] = f"{node.module}.{item.name}"
        elif (
            isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        ):
            path = _dotted(node.value, names)
            if path:
                names[node.targets[0].id] = path
    return names


def _dotted(node: ast.AST, aliases: dict[str, str]) -> str:
    """`F.softmax` as ``torch.nn.functional.softmax``, or "" where the root is not an imported name."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, "")
    if isinstance(node, ast.Attribute):
        root = _dotted(node.value, aliases)
        return f"{root}.{node.attr}" if root else ""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "getattr"
        and len(node.args) >= 2
    ):
        root, attribute = _dotted(node.args[0], aliases), node.args[1]
        if root and isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
            return f"{root}.{attribute.value}"
    return ""


def _as_written(node: ast.Attribute) -> str:
    """`F.softmax` or `x.softmax` as it stands there; within a longer expression, the last name alone."""
    root: ast.expr = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return ast.unparse(node) if isinstance(root, ast.Name) else node.attr


def _ready_made(path: str, forbidden: set[str]) -> str | None:
    root, last = path.partition(".")[0], path.rpartition(".")[2]
    named = root in forbidden or root in LIBRARIES and matches(last, forbidden)
    return path if named or path.startswith(OPERATORS) else None


def matches(name: str, forbidden: set[str]) -> bool:
    """Whether a function of this name is forbidden; torch has many that differ by underscores alone."""
    return name in forbidden or name.lstrip("_") in forbidden
