"""The code of an exercise as a notebook's kernel has it: the text of the cell that defined it, and what that
needs of the cells that have run. Texts are read here and never run."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Mapping

from allyouneed.check.questions.own_code import NotUsable, Own, bound, from_texts, is_import, statements
from allyouneed.check.rules import LIBRARIES

CELLS = "In"  # where IPython keeps the texts of the cells that have run


def own_code(exercise: str, candidate, names: Mapping[str, object], most_lines: int) -> Own:
    """The code that defined `candidate`, in a notebook whose names are `names`. Raises NotUsable."""
    if str(getattr(candidate, "__module__", "")).partition(".")[0] in LIBRARIES:
        raise NotUsable("this kernel has a library's in its place: run the cell with your own")
    mine = defining_text(candidate)
    if exercise not in mine:
        raise NotUsable("its code is not found: run the cell that defines it in this notebook")
    cells = names.get(CELLS)
    texts = [text for text in cells if isinstance(text, str)] if isinstance(cells, list) else []
    above = _in_force([text for text in texts if text.strip() != mine.strip()], names)
    return from_texts(exercise, mine, above, most_lines)


def defining_text(candidate) -> str:
    """The whole text of the cell or file that defined a function or a class; "" where that is not known."""
    found = inspect.unwrap(candidate) if callable(candidate) else candidate
    functions = [found]
    if isinstance(found, type):
        functions = [getattr(item, "__func__", item) for item in vars(found).values()]
    for function in functions:
        code = getattr(inspect.unwrap(function) if callable(function) else function, "__code__", None)
        if code is not None and (text := "".join(linecache.getlines(code.co_filename))):
            return text
    return ""


def _in_force(texts: list[str], names: Mapping[str, object]) -> str:
    """Of all that has run, what still counts: imports, and for each name the last that gives it a meaning."""
    found: dict[str, list[str]] = {}
    for text in texts:
        try:
            parsed = statements(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for statement, node in parsed:
            key = " ".join(sorted(bound(node)))
            if is_import(node):
                if _was_imported(node):
                    found.setdefault(statement, [statement])
            elif isinstance(node, ast.AugAssign):
                found.get(key, []).append(statement)
            elif key and bound(node) <= names.keys():
                found.pop(key, None)  # what is defined again may use what came between
                found[key] = [statement]
    return "\n".join(text for texts in found.values() for text in texts) + "\n"


def _was_imported(node: ast.stmt) -> bool:
    """Whether an import succeeded: a cell may have stopped at it."""
    if isinstance(node, ast.ImportFrom):
        return node.module in sys.modules
    return isinstance(node, ast.Import) and all(item.name in sys.modules for item in node.names)
