"""Biases for causal attention, (H, T, S): what a causal softmax cannot see is taken out before judging.

A constant added to a row of scores changes no weight, and later keys are hidden. So each row is told by how
much a key's bias lies above that of the query's own position; later keys, which the mask hides, count 0.
Queries are the last T of S positions.
"""

from __future__ import annotations

import torch

from allyouneed.check.drivers import call
from allyouneed.check.wire import WireError, decode, encode


def put(candidate, probe: dict) -> dict:
    """Call the candidate with (n_heads, n_queries, n_keys); return its bias less that of the own position."""
    answer = call.put(candidate, probe)
    n_heads, n_queries, n_keys = decode(probe["args"])
    try:
        bias = decode(answer["output"])
        bias = torch.tensor(bias) if isinstance(bias, (list, tuple)) else bias
        if bias.is_floating_point() and bias.shape == (n_heads, n_queries, n_keys):
            answer["output"] = encode(relative_to_own_position(bias))
    except (WireError, AttributeError, TypeError, ValueError):
        pass  # not a bias: the judge says what came back
    return answer


def relative_to_own_position(bias: torch.Tensor) -> torch.Tensor:
    """bias (H, T, S) minus each row's value at the query's own position; 0 at later keys."""
    n_queries, n_keys = bias.shape[-2:]
    own = torch.arange(n_keys - n_queries, n_keys)
    relative = bias.double() - bias.double().gather(-1, own.expand(bias.shape[:-1]).unsqueeze(-1))
    return relative.masked_fill(torch.arange(n_keys) > own[:, None], 0.0).to(bias.dtype)
