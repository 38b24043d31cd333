"""Models that write sequences, made from a table in the probe, for grading functions that decode.

The model is an nn.Module: ``model(source, ids)`` gives logits (B, t, V). The next token's logits are a row of the table. Which row
follows from the whole source and all ids up to there, in order, so that nothing that is left out or exchanged stays unseen.
"""

from __future__ import annotations

import torch
from torch import nn

from allyouneed.check.drivers.call import encode_output, same
from allyouneed.check.wire import decode

CALLS = 5  # of a function that must give the same answer each time


class TableModel(nn.Module):
    """table: (rows, V), the logits. source: the one that the function gets; rows of it may come in any number."""

    def __init__(self, table: torch.Tensor, source: torch.Tensor):
        super().__init__()
        self.table = nn.Parameter(table)
        self.width = source.shape[1]

    def forward(self, source: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        for name, value in (("source", source), ("ids", ids)):
            if not isinstance(value, torch.Tensor) or value.dim() != 2 or value.is_floating_point():
                raise ValueError(f"the model was called with {name} that are no integers of shape (batch, tokens)")
        if source.shape[1] != self.width:
            raise ValueError("the model's first argument is not the source: call model(source, ids)")
        if ids.shape[1] < 1:
            raise ValueError("the model was called without any ids: they begin with start_id")
        if len(source) != len(ids):
            raise ValueError("the model was called with another number of sources than of rows of ids")
        if ids.min() < 0 or ids.max() >= self.table.shape[1]:
            raise ValueError("the model was called with ids that are no tokens")
        rows, state = [], fold(torch.zeros(len(ids), dtype=torch.int64), source)
        for column in ids.unbind(dim=1):
            state = fold(state, column[:, None])
            rows.append(state % len(self.table))
        return self.table[torch.stack(rows, dim=1)]


def fold(state: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    """Mix ids (B, n) into state (B,), one after the other: another order gives another state."""
    for column in ids.unbind(dim=1):
        state = (state * 31 + column.long() * 7 + 5) % 1_000_003
    return state


def put(candidate, probe: dict) -> dict:
    """Put (table, source, start_id, stop_id, max_len) to the candidate, with the table as a model.

    An answer whose last column is all stops is filled up with stops to max_len: ending early and running on are one answer.
    """
    table, source, *others = decode(probe["args"])
    model, asked = TableModel(table, source), source.clone()
    _, stop_id, max_len = others
    outputs = []
    for seed in range(CALLS):
        torch.default_generator.manual_seed(seed)
        outputs.append(encode_output(filled(candidate(model, asked, *others, **decode(probe["kwargs"])), stop_id, max_len)))
        if outputs[-1] != outputs[0]:
            raise ValueError("two calls with the same inputs give different ids")
    answer = {"output": outputs[0]}
    return answer if same(asked, source) else answer | {"changed": [1]}


def filled(output, stop_id: int, max_len: int):
    """`output` with columns of stops up to max_len, where its last column is all stops and it is not too long."""
    try:
        ids = torch.stack([torch.as_tensor(row) for row in output]) if isinstance(output, (list, tuple)) else output
        if isinstance(ids, torch.Tensor) and ids.dim() == 2 and 1 <= ids.shape[1] < max_len and bool((ids[:, -1] == stop_id).all()):
            return torch.cat((ids, ids.new_full((len(ids), max_len - ids.shape[1]), stop_id)), dim=1)
    except (TypeError, ValueError, RuntimeError):
        pass                                                     # not ids: the judge says what came back
    return output


def shown_call(name: str, probe: dict) -> str:
    """The call as the student's notebook would write it: the model is shown by its name."""
    from allyouneed.check.describe import show

    parts = ["model"] + [show(item) for item in probe["args"][1:]]
    return f"{name}({', '.join(parts)})"
