"""Call a function with arguments that no data holds: models and layers, made from the numbers in a probe.

Such an argument is a dict with the key ``made``, which says what to make, and the tensors to make it of:

- ``writer``: `table` and `source`, a plain function ``model(source, ids)`` that gives logits;
- ``reader``: `table` and `most`, a module ``model(ids)`` for ids of one text, (1, tokens), that gives logits,
  which depend on all tokens up to there; it takes at most `most` tokens, any number where that is None;
- ``classifier``: `first` and `second`, a plain function ``model(images)`` that gives logits, image by image;
- ``head``: the same two, a module that does so for the last axis of vectors with any axes in front;
- ``attention``: `n_heads` and `weights`, the library's `MultiHeadAttention`.

A probe marked ``refuses`` asks whether the call raises ValueError: the answer is a word. In one marked
``ids``, a tensor of whole numbers with one axis is as good as a list.
"""

from __future__ import annotations

from itertools import accumulate

import torch
from torch import nn

from allyouneed.check.answers import encode_output, gradients_of, leaves_of, same
from allyouneed.check.drivers.decoded_ids import TableModel, fold
from allyouneed.check.shown import show
from allyouneed.check.wire import decode
from allyouneed.nn.multihead import MultiHeadAttention


class TwoLayers(nn.Module):
    """tanh(x first) second, for the last axis; nothing about it is linear, so orders of steps show."""

    def __init__(self, first: torch.Tensor, second: torch.Tensor):
        super().__init__()
        self.first, self.second = nn.Parameter(first), nn.Parameter(second)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x @ self.first) @ self.second


class Reader(nn.Module):
    """The next token's logits are a row of the table; which one follows from all ids up to there."""

    def __init__(self, table: torch.Tensor, most: int | None):
        super().__init__()
        self.table, self.most = nn.Parameter(table), most

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        if (
            not isinstance(ids, torch.Tensor)
            or ids.dim() != 2
            or ids.shape[0] != 1
            or ids.is_floating_point()
        ):
            raise TypeError("the model was called with something other than integers of shape (1, tokens)")
        if not ids.shape[1]:
            raise ValueError("the model was called without any tokens")
        if self.most is not None and ids.shape[1] > self.most:
            raise ValueError("the model was called with more tokens than its window holds")
        if ids.min() < 0 or ids.max() >= self.table.shape[1]:
            raise IndexError("the model was called with ids outside the vocabulary")
        rows = [
            [state % len(self.table) for state in accumulate(text, fold, initial=0)][1:]
            for text in ids.tolist()
        ]
        return self.table[torch.tensor(rows)]


def _classifier(made: dict):
    net, shape = TwoLayers(made["first"], made["second"]), made["shape"]

    def model(images):
        if not isinstance(images, torch.Tensor) or images.dim() != 4 or list(images.shape[1:]) != shape:
            raise ValueError("the model was called with something other than whole images (batch, C, H, W)")
        return net(images.flatten(1))

    return model


def _attention(made: dict) -> MultiHeadAttention:
    weights = made["weights"]
    width = weights["q_proj.weight"].shape[1]
    layer = MultiHeadAttention(width, made["n_heads"]).to(weights["q_proj.weight"].dtype)
    layer.load_state_dict(weights)
    return layer


def _writer(made: dict):
    model = TableModel(made["table"], made["source"])
    return lambda source, ids: model(source, ids)


MAKERS = {
    "writer": _writer,
    "reader": lambda made: Reader(made["table"], made["most"]),
    "classifier": _classifier,
    "head": lambda made: TwoLayers(made["first"], made["second"]),
    "attention": _attention,
}
SHOWN = {
    "writer": "model",
    "reader": "model",
    "classifier": "model",
    "head": "head",
    "attention": "attention",
}


def _is_made(value) -> bool:
    return isinstance(value, dict) and "made" in value


def _untouched(now, then) -> bool:
    """Whether an argument is as it was, lists of dicts among them; what was made of a dict does not count."""
    if _is_made(then):
        return True
    if isinstance(then, (list, tuple)):
        return len(now) == len(then) and all(map(_untouched, now, then))
    return same(now, then)


def put(candidate, probe: dict) -> dict:
    """Make what the probe describes, call the candidate, and say what came back and which inputs changed."""
    given, keywords = decode(probe["args"]), decode(probe["kwargs"])
    arguments = [MAKERS[value["made"]](value) if _is_made(value) else value for value in given]
    leaves = leaves_of([value for value in arguments if isinstance(value, torch.Tensor)], probe)
    torch.default_generator.manual_seed(0)
    try:
        output = candidate(*arguments, **keywords)
    except ValueError:
        if not probe.get("refuses"):
            raise
        output = "ValueError"
    else:
        output = "no ValueError" if probe.get("refuses") and output is not None else output
    if probe.get("ids"):
        output = _as_list(output)
    answer = {"output": encode_output(output)}
    if probe.get("gradient"):
        answer["gradients"] = gradients_of(output, leaves)
    changed = [
        index for index, pair in enumerate(zip(arguments, decode(probe["args"]))) if not _untouched(*pair)
    ]
    return answer | ({"changed": changed} if changed else {})


def _as_list(output):
    whole = isinstance(output, torch.Tensor) and not output.is_floating_point() and output.dim() == 1
    return output.tolist() if whole else output


def shown_call(name: str, probe: dict) -> str:
    """The call as a notebook would write it: what was made is shown by its name."""
    parts = [
        SHOWN[value["made"]] if _is_made(value) else show(item)
        for item, value in zip(probe["args"], decode(probe["args"]))
    ]
    pairs = probe["kwargs"]["dict"] if probe["kwargs"] else []
    return f"{name}({', '.join(parts + [f'{key}={show(item)}' for key, item in pairs])})"
