"""Whether an axis that a sweep has changed is the same one, counted from the other end."""

from __future__ import annotations

import ast

from allyouneed.check.questions.calls import MODULES, called
from allyouneed.check.questions.tree import Change

REASON = "the same axis, counted from the other end"
COUNTS_ONE_MORE = ("unsqueeze", "stack")  # their axis is one of the result's
IMPURE = ("next", "pop", "append", "insert")  # what is not computed twice


def only_where_same(text: str, change: Change) -> str | None:
    """A right version's `text` with an axis that is no axis wherever the changed one is another: if it still
    passes, the two are the same in each call. None where it is not seen which tensor the axis is of.
    """
    node = change.node
    if change.kind != "axis" or text[change.start : change.end].startswith("-") == change.new.startswith("-"):
        return None
    tree = ast.parse(text)
    parent = {child: item for item in ast.walk(tree) for child in ast.iter_child_nodes(item)}
    same = (item for item in ast.walk(tree) if isinstance(item, type(node)) and _place(item) == _place(node))
    owner = parent[next(same)]
    while isinstance(owner, (ast.keyword, ast.Tuple)):
        owner = parent[owner]
    tensor = _tensor(owner)
    if tensor is None or any(
        isinstance(item, ast.GeneratorExp) or called(item) in IMPURE for item in ast.walk(tensor)
    ):
        return None
    old, rank = text[change.start : change.end], int(called(owner) in COUNTS_ONE_MORE)
    of = ast.get_source_segment(text, tensor)
    first = "(t if hasattr(t, 'ndim') else t[0])"
    axis = f"(lambda t: {old} if ({old} - {change.new}) % ({first}.ndim + {rank}) == 0 else 99)({of})"
    return text[: change.start] + axis + text[change.end :]


def _place(node: ast.AST) -> tuple:
    return node.lineno, node.col_offset, node.end_col_offset


def _tensor(owner: ast.AST) -> ast.AST | None:
    """What an axis in ``x.shape[axis]``, ``x.sum(axis)`` or ``torch.sum(x, axis)`` is of."""
    if isinstance(owner, ast.Subscript):
        return owner.value.value if isinstance(owner.value, ast.Attribute) else None
    if not isinstance(owner, ast.Call):
        return None
    root = owner.func
    while isinstance(root, ast.Attribute):
        root = root.value
    of_module = isinstance(root, ast.Name) and root.id in (*MODULES, called(owner))
    if isinstance(owner.func, ast.Attribute) and not of_module:
        return owner.func.value
    return owner.args[0] if owner.args else None
