"""The cells that check an exercise: which one, what they hand over, and whether they are graded."""

from __future__ import annotations

import ast


def checked_exercise(source: str) -> str | None:
    """The exercise that a cell checks: the first argument of its one ``check("name", ...)`` call, or None."""
    try:
        calls = [
            node
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "check"
        ]
    except SyntaxError:
        return None
    if len(calls) == 1 and calls[0].args and isinstance(calls[0].args[0], ast.Constant):
        return calls[0].args[0].value
    return None


def candidate_expression(source: str) -> str:
    """What a check cell hands over: the text of the second argument of its ``check`` call."""
    call = next(
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "check"
    )
    return ast.unparse(call.args[1])


def is_judged(cell) -> bool:
    """Whether a cell is graded by the judge: a locked, graded code cell that checks an exercise."""
    meta = cell.get("metadata", {}).get("nbgrader", {})
    return (
        cell.cell_type == "code"
        and bool(meta.get("grade"))
        and not meta.get("solution")
        and checked_exercise(cell.source) is not None
    )
