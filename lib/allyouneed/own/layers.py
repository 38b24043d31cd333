"""Your own layers inside a library's model: what each layer gets, translated to what your class takes."""

import ast
import json
from pathlib import Path

from torch import nn

from allyouneed.nn.attention import join_causal

__all__ = ["OwnDecoderLayer", "OwnEncoderLayer", "from_notebook"]


class OwnEncoderLayer(nn.Module):
    """A layer with `forward(x, mask)` that returns a tensor, in the place of `EncoderLayer`.

    layer: such a module. Raises ValueError where weights, a cache or positions are asked for: it knows none
    of them.

    >>> from torch import zeros
    >>> from allyouneed.nn.layers import EncoderLayer
    >>> OwnEncoderLayer(EncoderLayer(8, 2, 32))(zeros(3, 5, 8), is_causal=True).shape
    torch.Size([3, 5, 8])
    """

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x, mask=None, is_causal=False, need_weights=False, cache=None, positions=None):
        """x (B, T, D) to the same shape; with is_causal the causal mask joins `mask`."""
        _know_nothing(self.layer, need_weights, cache)
        return self.layer(x, _joined(mask, is_causal, x))


class OwnDecoderLayer(nn.Module):
    """A layer for `DecoderLayer`: `forward(x, memory, target_mask, memory_mask)` returns a tensor.

    layer: such a module. Raises ValueError as `OwnEncoderLayer` does.

    >>> from torch import zeros
    >>> from allyouneed.nn.layers import DecoderLayer
    >>> OwnDecoderLayer(DecoderLayer(8, 2, 32))(zeros(3, 5, 8), zeros(3, 7, 8), is_causal=True).shape
    torch.Size([3, 5, 8])
    """

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(
        self,
        x,
        memory,
        target_mask=None,
        memory_mask=None,
        is_causal=False,
        need_weights=False,
        cache=None,
        positions=None,
    ):
        """x (B, T, D) and memory (B, S, D) to (B, T, D); is_causal: the causal mask joins `target_mask`."""
        _know_nothing(self.layer, need_weights, cache)
        return self.layer(x, memory, _joined(target_mask, is_causal, x), memory_mask)


def from_notebook(path, name, using=None):
    """The function or class `name` that your notebook defines, with what it needs of that notebook.

    path: the notebook. Its imports, functions and classes are run, nothing else of it. using: names to your
    own parts, each of which stands in for what the notebook imports or defines under this name. It runs the
    notebook's code here: for your own notebooks only.
    Raises OSError where there is no such file, ValueError where it is no notebook or does not define the
    name.
    """
    try:
        cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} is not a notebook: save it in JupyterLab again. ({type(error).__name__})"
        ) from error
    namespace = {"__name__": Path(path).stem}
    for source in sources:
        try:
            nodes = ast.parse(source).body
        except SyntaxError:
            # a cell with a magic, or one that is not finished
            continue
        wanted = [
            node
            for node in nodes
            if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))
        ]
        exec(compile(ast.Module(wanted, type_ignores=[]), str(path), "exec"), namespace)
        namespace |= using or {}
    if name not in namespace:
        raise ValueError(f"{path} defines no {name}.")
    return namespace[name]


def _joined(mask, is_causal, x):
    return join_causal(mask, x.shape[-2], x.shape[-2], x.device) if is_causal else mask


def _know_nothing(layer, need_weights, cache):
    if need_weights or cache is not None:
        raise ValueError(
            f"{type(layer).__name__} is your own layer: it returns no weights and has no "
            "cache. Leave need_weights and cache out (in generate: use_cache=False)."
        )
