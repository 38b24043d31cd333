"""Functions that turn pairs of numbers by position: four conventions are right, and become one for judging.

A pair is columns (2j, 2j + 1), or (j, j + K/2); it is turned one way or the other. Which of the four a
function follows is seen from what it does to a unit vector. Then its input and output are reordered, so that
it answers as if its pairs lay side by side.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from allyouneed.check.answers import encode_output
from allyouneed.check.drivers import call
from allyouneed.check.wire import decode, encode

SIDE_BY_SIDE, HALVES = "side by side", "halves"


@dataclass(frozen=True)
class Convention:
    """Where a column's partner stands, and whether the first pair turns from (1, 0) towards (0, 1)."""

    layout: str = SIDE_BY_SIDE
    counter_clockwise: bool = True


def convention_of(candidate, width: int, dtype=torch.float32, **keywords) -> Convention:
    """The convention of ``candidate(x, positions, **keywords)`` at this width, by its (1, 0, ..., 0).

    Where that cannot be told, the convention of the notebook's text.
    """
    x = torch.zeros(1, 1, 2, width, dtype=dtype)
    x[..., 0] = 1.0
    try:
        turned = candidate(x, torch.arange(1, 3), **keywords).detach().reshape(2, width).double()
    except Exception:
        return Convention()
    leak = turned.abs().sum(dim=0)
    leak[0] = 0.0
    partner = int(leak.nan_to_num().argmax())
    if leak[partner] == 0 or partner not in (1, width // 2):
        return Convention()
    return Convention(SIDE_BY_SIDE if partner == 1 else HALVES, bool(turned[:, partner].sum() > 0))


def side_by_side(candidate, convention: Convention):
    """`candidate` as a function that turns columns (2j, 2j + 1) counter-clockwise: reordered, then back.

    Turning keeps to pairs, so this changes nothing about what `candidate` does, only where the numbers stand.
    """
    if convention == Convention():
        return candidate

    def translated(x, *arguments, **keywords):
        width = x.shape[-1]
        columns = (
            torch.arange(width).unflatten(0, (-1, 2)).T.flatten()
            if convention.layout == HALVES
            else torch.arange(width)
        )
        signs = torch.ones(width, dtype=x.dtype)
        if not convention.counter_clockwise:
            signs[1::2] = -1.0  # a mirror image turns the other way round
        asked = (x * signs)[..., columns]
        before = asked.detach().clone()
        answer = candidate(asked, *arguments, **keywords)
        translated.asked, translated.came, translated.changed = (
            before,
            answer,
            not torch.equal(asked.detach(), before),
        )
        if not isinstance(answer, torch.Tensor) or answer.shape != x.shape or not answer.is_floating_point():
            return answer
        return answer[..., columns.argsort()] * signs.to(answer.dtype)

    translated.changed = False
    return translated


def put(candidate, probe: dict) -> dict:
    """Put the probe to the candidate in one convention; it must keep its dtype, may compute in float32."""
    x = decode(probe["args"][0])
    convention = convention_of(candidate, x.shape[-1], x.dtype, **decode(probe["kwargs"]))
    translated = side_by_side(candidate, convention)
    answer = call.put(translated, probe) | {"keeps_dtype": True}
    if translated is not candidate:
        if x.numel() <= 16:  # larger ones are not shown in messages
            answer["asked"], answer["came"] = (
                [encode(translated.asked), *probe["args"][1:]],
                encode_output(translated.came),
            )
        if translated.changed:
            answer["changed"] = sorted({0, *answer.get("changed", [])})
    return answer
