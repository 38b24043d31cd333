"""Call a function on a matrix that refuses look-ups by row: for exercises that ask for a product instead.

The last argument is the matrix. Products, sums, transposes and copies of it are as free as of any tensor; an
index, a slice, ``index_select``, ``gather``, ``take`` and their like stop the call with the error Indexed,
whatever name they go by.
"""

from __future__ import annotations

import torch

from allyouneed.check.answers import changes, encode_output, gradients_of
from allyouneed.check.wire import decode

LOOK_UPS = {
    "index_select",
    "select",
    "gather",
    "take",
    "take_along_dim",
    "embedding",
    "embedding_bag",
    "narrow",
    "masked_select",
    "index",
    "index_put",
    "select_copy",
    "narrow_copy",
    "as_strided",
    "unfold",
    "slice_copy",
    "slice_inverse",
}
COPIES = {
    "__get__",
    "__getitem__",
    "clone",
    "contiguous",
    "detach",
    "to",
    "type",
    "float",
    "double",
    "type_as",
    "view",
    "reshape",
    "t",
    "transpose",
    "swapaxes",
    "swapdims",
    "moveaxis",
    "movedim",
    "permute",
    "adjoint",
    "squeeze",
    "unsqueeze",
    "expand",
    "expand_as",
    "flatten",
    "unflatten",
    "view_as",
    "reshape_as",
    "requires_grad_",
    "alias",
    "data",
    "cpu",
    "positive",
    "resolve_conj",
    "resolve_neg",
    "detach_",
    "broadcast_to",
    "repeat",
    "tile",
}
PIECES = {
    "unbind",
    "split",
    "chunk",
    "tensor_split",
    "split_with_sizes",
    "hsplit",
    "vsplit",
    "dsplit",
    "__iter__",
}
JOINS = {
    "stack",
    "cat",
    "concat",
    "concatenate",
    "vstack",
    "hstack",
    "row_stack",
    "column_stack",
    "dstack",
    "__setitem__",
    "copy_",
    "index_copy",
    "index_copy_",
    "index_put_",
    "index_add",
    "index_add_",
}


# what keeps each number at its place, or moves rows
ALIKE = {
    "abs",
    "add",
    "clamp",
    "div",
    "flip",
    "fliplr",
    "flipud",
    "mul",
    "nan_to_num",
    "neg",
    "negative",
    "relu",
    "roll",
    "sub",
    "true_divide",
    "truediv",
    "where",
}


class Indexed(Exception):
    """A row of the matrix was picked by its number."""


class Unindexed(torch.Tensor):
    """A matrix, a copy of it or a row of it; a product is a plain tensor again."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        name, kwargs = getattr(function, "__name__", ""), kwargs or {}
        if name in LOOK_UPS and isinstance(args[0] if args else kwargs.get("input"), cls):
            raise Indexed("rows are picked from E by their numbers")
        if name in ("embedding", "embedding_bag") or (
            name == "__getitem__" and isinstance(args[0], cls) and not _keeps_all(args[1])
        ):
            raise Indexed("rows are picked from E by their numbers")
        if name in JOINS and any(
            getattr(item, "is_piece", False) for item in _tensors([args, list(kwargs.values())])
        ):
            raise Indexed("rows are picked from E by their numbers")
        with torch._C.DisableTorchFunctionSubclass():
            result = function(*args, **kwargs)
        if name in PIECES:
            return tuple(_marked(item, True) for item in result)
        watched = (item for item in _tensors([args, list(kwargs.values())]) if isinstance(item, cls))
        source = next(watched, None)
        if source is not None and isinstance(result, torch.Tensor):
            is_piece = getattr(source, "is_piece", False)
            alike = not is_piece and result.shape == source.shape and _keeps_places(name)
            if name in COPIES and source is args[0] or name in JOINS or alike:
                return _marked(result, is_piece)
        return _plain(result) if isinstance(result, cls) else result

    def as_subclass(self, cls):
        """The matrix itself: torch asks nobody about this method, and a plain tensor could be indexed."""
        return self

    def __iter__(self):
        return iter(self.unbind())


def put(candidate, probe: dict) -> dict:
    """Call the candidate with the last argument watched; where asked, send a gradient back to it."""
    *arguments, matrix = decode(probe["args"])
    before = decode(probe["args"])
    if probe.get("gradient"):
        matrix.requires_grad_(True)
    torch.default_generator.manual_seed(0)
    output = candidate(
        *arguments,
        _marked(matrix.view_as(matrix) if probe.get("gradient") else matrix, False),
        **decode(probe["kwargs"]),
    )
    if isinstance(output, Unindexed):
        output = _plain(output)
    answer = {"output": encode_output(output)}
    if probe.get("gradient"):
        answer["gradients"] = gradients_of(output, [matrix])
    return answer | changes([*arguments, matrix], before)


def _marked(tensor, is_piece: bool):
    if not isinstance(tensor, torch.Tensor):
        return tensor
    watched = torch.Tensor.as_subclass(tensor, Unindexed)
    watched.is_piece = is_piece
    return watched


def _keeps_places(name: str) -> bool:
    """Whether an operation is one of `ALIKE`, also by an operator's name: ``__radd__``, ``__iadd__``."""
    bare = name.strip("_")
    return bare in ALIKE or name.startswith("__") and bare[1:] in ALIKE


def _plain(tensor: torch.Tensor) -> torch.Tensor:
    return torch.Tensor.as_subclass(tensor, torch.Tensor)


def _keeps_all(index) -> bool:
    """Whether an index takes everything and at most adds axes: E[None], E[:, None], E[...]."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(
        part is None or part is Ellipsis or (isinstance(part, slice) and part == slice(None))
        for part in parts
    )


def _tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
