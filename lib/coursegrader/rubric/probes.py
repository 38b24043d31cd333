"""The inputs of probes, as a rubric makes them: public ones, and others for grading."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from allyouneed.check.wire import encode


class Probes:
    """Makes the inputs of probes. Variant 0 is public: students receive it; others are for grading."""

    def __init__(self, variant: int, seed: int):
        self.variant = variant
        self.generator = torch.Generator().manual_seed(seed)

    def pick(self, *choices):
        """One of `choices` by variant, so that hidden probes have other sizes than the public ones."""
        return choices[self.variant % len(choices)]

    def randn(self, *shape: int, dtype=torch.float32, scale: float = 1.0) -> torch.Tensor:
        """Normal numbers of the given shape, the same ones in every dtype."""
        return (torch.randn(*shape, generator=self.generator, dtype=torch.float64) * scale).to(dtype)

    def randint(self, low: int, high: int, shape: Sequence[int]) -> torch.Tensor:
        """Whole numbers from low to high − 1."""
        return torch.randint(low, high, tuple(shape), generator=self.generator)

    def rand_mask(self, *shape: int, share: float = 0.6) -> torch.Tensor:
        """A boolean mask, about `share` of it True, with at least one True and one False in each row."""
        mask = torch.rand(*shape, generator=self.generator) < share
        first = torch.randint(0, shape[-1], shape[:-1], generator=self.generator)
        mask.scatter_(-1, first.unsqueeze(-1), True)
        mask.scatter_(-1, ((first + 1) % shape[-1]).unsqueeze(-1), False)
        return mask

    @staticmethod
    def probe(
        name: str,
        *args,
        group: str,
        edge: bool = False,
        gradient: bool = False,
        long: bool = False,
        strided: bool = False,
        **kwargs,
    ) -> dict:
        """One call. `edge` probes do not decide which mistake it is; `long` ones are not asked of wrong
        versions;
        `gradient` sends a gradient back; `strided` makes the tensors non-contiguous."""
        data = [encode(value) for value in args]
        if strided:
            for item in data:
                if isinstance(item, dict) and "tensor" in item:
                    item["strided"] = True
        return {"name": name, "args": data, "kwargs": encode(kwargs), "group": group} | {
            key: True for key, value in (("edge", edge), ("gradient", gradient), ("long", long)) if value
        }
