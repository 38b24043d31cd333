"""Call a function that filters logits, and bring the right ways to write its answer to one.

A dropped token may have −inf, or any number so low that its probability is 0: all are told as −inf. At temperature 0 one token is
left, and what its logit is does not matter: where all the probability lies on one token, it is told as 0.
"""

from __future__ import annotations

import torch

from allyouneed.check.drivers import call
from allyouneed.check.wire import WireError, decode, encode

LOWEST = -1e9  # exp of it is 0 beside any logit that a probe holds


def put(candidate, probe: dict) -> dict:
    """Call the candidate on the probe's logits (..., V); its temperature comes by that keyword."""
    answer = call.put(candidate, probe)
    try:
        logits = decode(answer["output"])
        if isinstance(logits, torch.Tensor) and logits.is_floating_point() and logits.dim():
            cold = (decode(probe["kwargs"]) or {}).get("temperature") == 0
            answer["output"] = encode(_told(logits, cold))
    except (WireError, TypeError):
        pass                                                     # not logits: the judge says what came back
    return answer


def _told(logits: torch.Tensor, cold: bool) -> torch.Tensor:
    logits = logits.masked_fill(logits <= LOWEST, float("-inf"))
    if not cold:
        return logits
    best = torch.softmax(logits.double(), dim=-1) > 1 - 1e-6
    alone = best.any(dim=-1, keepdim=True)
    return torch.where(alone, torch.where(best, 0.0, float("-inf")).to(logits.dtype), logits)
