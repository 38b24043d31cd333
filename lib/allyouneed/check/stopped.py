"""Where a student's code stopped with an error: its last line, and the shapes of what stood there."""

from __future__ import annotations

import linecache
import re

import torch

WHERE = ("line", "shapes", "function")  # the keys of what is told of it
THEIRS = ("__main__", "candidate")  # the notebook's own code, and that of a file which is tried


def where_it_stopped(error: BaseException) -> dict[str, str]:
    """`WHERE` as texts; empty where no line of the student's is known.

    The function is the innermost of theirs, where another one of theirs had called it.
    """
    found, first = None, None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_globals.get("__name__") in THEIRS:
            code = step.tb_frame.f_code
            line = linecache.getline(code.co_filename, step.tb_lineno).strip()
            found = (line, step.tb_frame.f_locals) if line else found
            first, function = first or code.co_qualname, code.co_qualname
        step = step.tb_next
    if found is None:
        return {}
    line, names = found
    shapes = [
        f"{name} is {tuple(names[name].shape)}"
        for name in dict.fromkeys(re.findall(r"(?<![\w.])[^\W\d]\w*", line))
        if isinstance(names.get(name), torch.Tensor)
    ]
    told = (line, ", ".join(shapes), *([] if function == first else [function]))
    return {key: text[:200] for key, text in zip(WHERE, told)}


def owner(function: object) -> str:
    """By which name others call the function that `where_it_stopped` tells of: its own, or its class's; ""
    for one that is made within another."""
    name, dot, method = str(function).partition(".")
    return name if name.isidentifier() and (method.isidentifier() or not dot) else ""
