"""Call a function that filters logits, and bring the right ways to write its answer to one.

A dropped token may have −inf, or any number so low that its probability is 0: all are told as −inf. At
temperature 0 one token is left, and what its logit is does not matter: where all the probability lies on one
token, it is told as it was asked. Wrong ways are brought to one as well: another number for all dropped
tokens is told as 0, what a division by 0 leaves as nan, and what a division by a stand-in for 0 leaves as the
logits that were asked.
"""

from __future__ import annotations

import torch

from allyouneed.check.drivers import call
from allyouneed.check.wire import WireError, decode, encode

LOWEST = -1e9  # exp of it is 0 beside any logit that a probe holds


def put(candidate, probe: dict) -> dict:
    """Call the candidate on the probe's logits (..., V); its temperature comes by that keyword."""
    try:
        answer = call.put(candidate, probe)
    except ZeroDivisionError:
        raise ZeroDivisionError("division by zero") from None  # whichever operation it was
    try:
        logits = decode(answer["output"])
        if isinstance(logits, torch.Tensor) and logits.is_floating_point() and logits.dim():
            temperature = (decode(probe["kwargs"]) or {}).get("temperature", 1.0)
            answer["output"] = encode(_told(logits, decode(probe["args"])[0], temperature))
    except (WireError, TypeError):
        pass  # not logits: the judge says what came back
    return answer


def _filled(logits: torch.Tensor, divided: torch.Tensor) -> torch.Tensor:
    """Where all that is not the divided logit is one and the same number, which a token can still be drawn
    with, it is told as 0."""
    other = ~torch.isclose(logits.double(), divided.double(), rtol=1e-4, atol=1e-5) & (logits > float("-inf"))
    if other.all() or not other.any() or (logits[other] != logits[other][0]).any():
        return logits
    return logits.masked_fill(other, 0.0)


def _told(logits: torch.Tensor, asked: torch.Tensor, temperature: float) -> torch.Tensor:
    cold = temperature == 0
    logits = logits.masked_fill(logits <= LOWEST, float("-inf"))
    if not cold:
        return _filled(logits, asked / temperature) if asked.shape == logits.shape else logits
    highest = logits.amax(dim=-1)
    if not (highest < float("inf")).all() or (highest == float("-inf")).all():
        # what a division by 0 leaves, whatever was done with it since
        return torch.full_like(logits, float("nan"))
    if asked.shape != logits.shape:
        return logits
    best = torch.softmax(logits.double(), dim=-1) > 1 - 1e-6
    alone = best.any(dim=-1, keepdim=True)
    return torch.where(
        alone, torch.where(best, asked.to(logits.dtype), float("-inf")), _undivided(logits, asked)
    )


def _undivided(logits: torch.Tensor, asked: torch.Tensor) -> torch.Tensor:
    """Where the kept logits are the asked ones divided by one number, they are told as asked, whichever
    number stood in for 0."""
    kept = logits > float("-inf")
    ours, theirs = logits.double()[kept], asked.double()[kept]
    factor = (ours * theirs).sum() / (theirs * theirs).sum()
    told = factor > 0 and torch.allclose(ours, factor * theirs, rtol=1e-4, atol=1e-5)
    return torch.where(kept, asked.to(logits.dtype), logits) if told else logits
