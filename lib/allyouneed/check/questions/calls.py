"""What a call of Python or torch is about: what it works on, where its axes stand, which others are kin."""

from __future__ import annotations

import ast

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


def subject_of(call: ast.Call):
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
