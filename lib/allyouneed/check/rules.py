"""Does a solution call the thing it was asked to write? Read from the syntax tree, and seen while it runs."""

from __future__ import annotations

import ast
import contextlib
import inspect
import sys
from functools import lru_cache

LIBRARIES = ("torch", "allyouneed", "scipy", "numpy", "transformers", "jax")


def forbidden_in_source(source: str, name: str, forbidden: set[str]) -> str | None:
    """The first ready-made function of `forbidden` that `name` in `source` calls, itself or by helpers."""
    try:
        definitions, methods, aliases = _read(source)
    except SyntaxError:
        return None
    waiting, seen = [name], set()
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        node = definitions.get(current)
        if node is None:
            found = _ready_made(aliases.get(current, ""), forbidden)
            if found:
                return found
            continue
        local = aliases | _aliases(node)
        for part in ast.walk(node):
            if isinstance(part, (ast.Attribute, ast.Call)):
                path = _dotted(part, local)
                found = _ready_made(path, forbidden)
                if (
                    not found
                    and not path
                    and isinstance(part, ast.Attribute)
                    and part.attr in forbidden - methods
                ):
                    found = _as_written(part)
                if found:
                    return found
            elif isinstance(part, ast.Name):
                found = _ready_made(local.get(part.id, ""), forbidden) if part.id in local else None
                if found:
                    return found
                waiting.append(part.id)
    return None


@lru_cache(maxsize=1)
def _read(source: str) -> tuple[dict[str, ast.FunctionDef | ast.ClassDef], set[str], dict[str, str]]:
    """What a notebook defines, the methods of its classes, and its names of what is imported.

    It is asked about once an exercise, and reading a long one takes its time.
    """
    tree = ast.parse(source)
    methods = {
        item.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for item in node.body
        if isinstance(item, ast.FunctionDef)
    }
    definitions = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return definitions, methods, _aliases(tree)


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
    root, _, last = path.partition(".")[0], None, path.rpartition(".")[2]
    return path if root in LIBRARIES and _matches(last, forbidden) else None


@contextlib.contextmanager
def watch_calls(forbidden: set[str], found: set[str]):
    """While the body runs, put into `found` every call of a library's function with a forbidden name."""

    harmless: set[str] = set()  # names that need no second look: most calls are of the same few functions
    harmless_inside: set[str] = set()  # the same for functions written in C

    def see(frame, event, argument):
        if event == "call":
            code = frame.f_code
            if code.co_name in harmless:
                return
            module = frame.f_globals.get("__name__") or ""
            if _matches(code.co_name, forbidden):
                # not the body of a class, which runs when its module is imported
                called = code.co_flags & inspect.CO_OPTIMIZED
                if called and module.partition(".")[0] in LIBRARIES:
                    found.add(f"{module}.{code.co_name}")
            elif code.co_name not in ("forward", "__init__"):
                harmless.add(code.co_name)
            elif module.startswith(("torch.nn.", "allyouneed.")):
                # the student's own class may stand on a library's
                for layer in type(frame.f_locals.get("self")).__mro__:
                    if layer.__module__.startswith(("torch.nn.", "allyouneed.")) and _matches(
                        layer.__name__, forbidden
                    ):
                        place = "torch.nn" if layer.__module__.startswith("torch") else layer.__module__
                        found.add(f"{place}.{layer.__name__}")
        elif event == "c_call" and not isinstance(argument, type):
            name = getattr(argument, "__name__", "")
            if name in harmless_inside:
                return
            last = name.rpartition("::")[2]
            if _matches(last, forbidden):
                found.add(f"torch.{last}")
            elif last not in ("setprofile", "settrace"):
                harmless_inside.add(name)
            elif argument is not sys.setprofile:
                found.add(f"sys.{last}")

    sys.setprofile(see)
    try:
        yield
    finally:
        sys.setprofile(None)


def _matches(name: str, forbidden: set[str]) -> bool:
    return name in forbidden or name.lstrip("_") in forbidden
