"""Models that write sequences, made from a table in the probe, for grading functions that decode.

The model is an nn.Module: ``model(source, ids)`` gives logits (B, t, V). The next token's logits are a row of
the table. Which row follows from the whole source and all ids up to there, in order, so that nothing that is
left out or exchanged stays unseen.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate

import torch
from torch import nn

from allyouneed.check.answers import encode_output, same
from allyouneed.check.wire import decode

CALLS = 3  # of a function that must give the same answer each time


class TableModel(nn.Module):
    """table: (rows, V), the logits. source: what the function gets; its rows may come in any number."""

    def __init__(self, table: torch.Tensor, source: torch.Tensor):
        super().__init__()
        self.table = nn.Parameter(table)
        self.width = source.shape[1]
        self.sources = source.tolist()

    def forward(self, source: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        for name, value in (("source", source), ("ids", ids)):
            if not isinstance(value, torch.Tensor) or value.dim() != 2 or value.is_floating_point():
                raise ValueError(
                    f"the model was called with {name} that are no integers of shape (batch, tokens)"
                )
        if source.shape[1] != self.width:
            if all(row in self.sources for row in ids.tolist()):
                raise ValueError("the model's first argument is not the source: call model(source, ids)")
            raise ValueError(
                "the model's first argument is not the whole source: it has another number of tokens"
            )
        if ids.shape[1] < 1:
            raise ValueError("the model was called without any ids: they begin with start_id")
        if len(source) != len(ids):
            rows = "two" if len(ids) == 2 else "several"
            few = (
                "one row of ids for several sources"
                if len(ids) == 1
                else f"one source for {rows} rows of ids"
                if len(source) == 1
                else "another number of sources than of rows of ids"
            )
            raise ValueError(f"the model was called with {few}")
        if ids.min() < 0 or ids.max() >= self.table.shape[1]:
            raise ValueError("the model was called with ids outside the vocabulary")
        places = []
        for row, text in zip(ids.tolist(), source.tolist()):
            states = list(accumulate(row, fold, initial=reduce(fold, text, 0)))[1:]
            places.append([state % len(self.table) for state in states])
        return self.table[torch.tensor(places)]


def fold(state: int, token: int) -> int:
    """Mix one more token into the state: another order gives another state."""
    return (state * 31 + token * 7 + 5) % 1_000_003


def put(candidate, probe: dict) -> dict:
    """Put (table, source, start_id, stop_id, max_len) to the candidate, with the table as a model.

    A sixth argument, True, makes the model a plain function, which can be called and nothing else. An answer
    whose last column is all stops is filled up with stops to max_len: ending early and running on are one
    answer.
    """
    table, source, *others = decode(probe["args"])
    model = TableModel(table, source)
    if others[3:] == [True]:
        model = _as_function(model)
    others = others[:3]
    _, stop_id, max_len = others
    outputs, changed = [], False
    for seed in range(CALLS):
        torch.default_generator.manual_seed(seed)
        asked = source.clone()
        outputs.append(
            encode_output(
                filled(candidate(model, asked, *others, **decode(probe["kwargs"])), stop_id, max_len)
            )
        )
        changed = changed or not same(asked, source)
        if outputs[-1] != outputs[0]:
            raise ValueError("two calls with the same inputs give different ids")
    return {"output": outputs[0]} | ({"changed": [1]} if changed else {})


def _as_function(model: TableModel):
    return lambda source, ids: model(source, ids)


def filled(output, stop_id: int, max_len: int):
    """`output` with columns of stops up to max_len, where its last column is all stops and not too long."""
    try:
        ids = (
            torch.stack([torch.as_tensor(row) for row in output])
            if isinstance(output, (list, tuple))
            else output
        )
        if (
            isinstance(ids, torch.Tensor)
            and ids.dim() == 2
            and 1 <= ids.shape[1] < max_len
            and bool((ids[:, -1] == stop_id).all())
        ):
            return torch.cat((ids, ids.new_full((len(ids), max_len - ids.shape[1]), stop_id)), dim=1)
    except (TypeError, ValueError, RuntimeError):
        pass  # not ids: the judge says what came back
    return output


def shown_call(name: str, probe: dict) -> str:
    """The call as the student's notebook would write it: the model is shown by its name."""
    from allyouneed.check.shown import show

    parts = ["model"] + [show(item) for item in probe["args"][1:5]]
    return f"{name}({', '.join(parts)})"
