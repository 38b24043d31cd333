"""The driver ``module`` with two more questions: what parameters start as, whether a call leaves a trace.

The probe's first argument is a dict as for the driver ``module``. It may also hold

- ``starts``: names of parameters. Then nothing is loaded and called: the answer is one word for each,
  ``"ones"``, ``"zeros"`` or
  ``"other"`` numbers, or None where there is no such parameter;
- ``earlier``: a tensor. The module is called with it before it is asked, which must change nothing.
"""

from __future__ import annotations

import torch
from torch import nn

from allyouneed.check.drivers import module


def put(candidate, probe: dict) -> dict:
    """Build the candidate's module with its own parameter names, and ask."""
    spec, inputs, keywords = module.read(probe)
    if not {"starts", "earlier"} & set(spec):
        return module.put(candidate, probe)
    made = module.build(candidate, spec)
    if "starts" in spec:
        parameters = module.named(made)
        return {"output": [_start(parameters.get(name)) for name in spec["starts"]]}
    module.load(made, spec["weights"])
    made(spec["earlier"].clone())
    return module.ask(made, probe, spec, inputs, keywords)


def _start(parameter: nn.Parameter | None) -> str | None:
    if parameter is None:
        return None
    value = parameter.detach()
    return "ones" if torch.equal(value, torch.ones_like(value)) else "zeros" if not value.any() else "other"


def shown_call(name: str, probe: dict) -> str:
    """As the driver ``module`` shows it; a probe of what parameters start as has no call."""
    text = module.shown_call(name, probe)
    return text.removesuffix("()") if len(probe["args"]) == 1 else text
