"""Code whose own names are numbers, so that texts that differ in names alone are equal."""

from __future__ import annotations

import ast


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
