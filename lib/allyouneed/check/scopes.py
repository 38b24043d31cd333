"""Which names a piece of code takes from outside, read from Python's own tables of its scopes."""

from __future__ import annotations

import ast
import symtable

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def names_from_outside(node: ast.AST) -> set[str]:
    """The names of the top level that a definition or statement reads, none of a function's own."""
    try:
        tables = [symtable.symtable(ast.unparse(node), "<own>", "exec")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # all of them, where scopes cannot be told
        return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    found: set[str] = set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        outer = table.get_type() == "module"
        found |= {
            name.get_name()
            for name in table.get_symbols()
            if name.is_referenced() and (outer or name.is_global())
        }
    return found
