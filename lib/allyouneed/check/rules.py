"""Does a solution call the thing it was asked to write? Read from the syntax tree, and seen while it runs."""

from __future__ import annotations

import ast
import contextlib
import inspect
import os
import re
import sys
import types
from cProfile import Profile
from functools import lru_cache

LIBRARIES = ("torch", "allyouneed", "scipy", "numpy", "transformers", "jax")
# of sys, and of sys.monitoring, which watches from Python 3.12 on
UNWATCHING = ("setprofile", "settrace", "set_events", "set_local_events", "free_tool_id", "register_callback")


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


class WatchedCalls:
    """``with calls: ...``, as often as wanted, watches what is called there by whatever name; `ready_made`
    tells afterwards which functions and layers of a library with a forbidden name these were.

    The standard library's profiler notes each function that is called, in C: a function of Python's own for
    each call (``sys.setprofile``) took up to half of the time of asking.
    """

    def __init__(self, forbidden: set[str]) -> None:
        self.forbidden = forbidden
        self._noted = Profile(subcalls=False)

    def __enter__(self) -> None:
        monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on: there can be one profiler
        if monitoring and monitoring.get_tool(monitoring.PROFILER_ID):
            monitoring.free_tool_id(monitoring.PROFILER_ID)
        self._noted.enable()

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(MemoryError, ValueError):  # where the student's code has left nothing to end
            self._noted.disable()

    def ready_made(self) -> set[str]:
        """The full names of what was called."""
        called = (entry.code for entry in self._noted.getstats())
        return set(filter(None, (self._found(code) for code in called)))

    def _found(self, code: types.CodeType | str) -> str | None:
        if isinstance(code, str):  # a function written in C, in words, or the method that stands for it
            written = re.match(r"<(?:(?:built-in )?method|function) '?([\w.:<>]+?)(?:'| at |>$| of )", code)
            last = re.split(r"\.|::", written[1])[-1] if written else ""
            if last in UNWATCHING or "'enable' of '_lsprof.Profiler'" in code:
                return f"sys.{last}"
            return f"torch.{last}" if _matches(last, self.forbidden) else None
        owner, _, name = code.co_qualname.rpartition(".")
        layer = owner.rpartition(".")[2] if name in ("__init__", "forward", "step") else ""
        if not _matches(name, self.forbidden) and layer not in self.forbidden:
            return None
        module = _module_of(code)
        if not module or not code.co_flags & inspect.CO_OPTIMIZED:
            return None  # the student's own, or the body of a class, which runs when its module is imported
        if layer in self.forbidden and module.startswith(("torch.nn.", "allyouneed.")):
            return f"{'torch.nn' if module.startswith('torch') else module}.{layer}"
        return f"{module}.{name}" if _matches(name, self.forbidden) else None


def _module_of(code: types.CodeType) -> str:
    """The module of a library that code stands in, or ""."""
    for library in filter(None, map(sys.modules.get, LIBRARIES)):
        for folder in getattr(library, "__path__", ()):
            if code.co_filename.startswith(folder + os.sep):
                path = code.co_filename.removeprefix(folder).removesuffix(".py").removesuffix("__init__")
                return library.__name__ + path.rstrip(os.sep).replace(os.sep, ".")
    return ""


def _matches(name: str, forbidden: set[str]) -> bool:
    return name in forbidden or name.lstrip("_") in forbidden
