"""Call an attention function; where the probe asks for it, watch how many keys are scored at once instead.

A probe marked ``watch`` has no leading axes: q is (T, K), k and v are (S, ...), and S, with up to a block
more, is the size of no other axis or product of axes that may come up. Every call of torch is seen. What
depends on q, and what depends on k, is known for each piece of memory. Told, in words, is the most that a
tensor holds of what depends on both: "a whole row of scores" where some axis has the size S (or S filled up
to a multiple of the block), "more keys than one block" where the operation in which q and k meet takes more
keys than `block`, else "one block at a time". Constants and masks may have any size.
"""

from __future__ import annotations

import torch

from allyouneed.check.answers import encode_output
from allyouneed.check.drivers import call
from allyouneed.check.sources import SourceWatch, numbers_held
from allyouneed.check.wire import decode

WHOLE, MORE, BLOCK = "a whole row of scores", "more keys than one block", "one block at a time"


class ScoreWatch(SourceWatch):
    """Sees how many keys are scored at once."""

    def __init__(self, q, k, block):
        super().__init__()
        self.n_keys, self.width, self.block = k.shape[-2], k.shape[-1], block
        self.whole, self.at_once = False, 0
        self.mark(q, {"q"})
        self.mark(k, {"k"})

    def met(self, inputs, known, joined):
        if joined == {"q", "k"} and joined not in known:  # q and k meet here
            keys = [
                numbers_held(tensor) // self.width for tensor, source in zip(inputs, known) if "k" in source
            ]
            self.at_once = max([self.at_once, *keys])

    def seen(self, tensor):
        if {"q", "k"} <= self.of(tensor) and any(
            self.n_keys <= size < self.n_keys + self.block for size in tensor.shape
        ):
            self.whole = True

    def told(self) -> str:
        if self.whole or self.at_once >= self.n_keys:
            return WHOLE
        return MORE if self.at_once > self.block else BLOCK


def put(candidate, probe: dict) -> dict:
    """Call the candidate with (q, k, v, block), and compare its output, or watch it."""
    if not probe.get("watch"):
        return call.put(candidate, probe)
    q, k, v, block = decode(probe["args"])
    torch.default_generator.manual_seed(0)
    with torch.no_grad(), ScoreWatch(q, k, block) as watch:
        output = candidate(q, k, v, block)
    if not isinstance(output, torch.Tensor):
        return {"output": encode_output(output)}
    return {"output": watch.told()}
