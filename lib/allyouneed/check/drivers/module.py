"""Build a module, give it the probe's weights by name, call it. Other drivers of modules use the parts below.

The first argument of such a probe is a dict that says what to build and what to ask; the others, and the
keywords, go to the module's call. The dict holds:

- ``arguments`` (a tuple) and ``keywords`` (a dict) for the constructor;
- ``weights``: tensors by the parameter's name; every name must be there, with this shape. They also decide
  the dtype;
- ``gradients``: names of parameters whose gradients are sent back, after those of the inputs, where the probe
  asks for gradients;
- ``through``: the number of the one output that gradients are sent back through; all outputs unless given;
- ``shapes``: names of parameters. Then nothing is loaded and called: the answer is the shape of each, or
  None;
- ``starts``: names of parameters. Then nothing is loaded and called either: the answer is one word for each,
  ``"ones"``, ``"zeros"`` or ``"other"`` numbers, or None where there is no such parameter;
- ``earlier``: the arguments (a tuple) and the keywords (a dict) of a call before, which must change nothing.
"""

from __future__ import annotations

import torch
from torch import nn

from allyouneed.check.answers import changes, encode_output, gradients_of, leaves_of
from allyouneed.check.shown import show
from allyouneed.check.wire import decode

SPEC = {
    "arguments": (),
    "keywords": {},
    "weights": {},
    "gradients": [],
    "through": None,
    "shapes": None,
    "starts": None,
    "earlier": None,
}


def put(candidate, probe: dict) -> dict:
    """Build the candidate's module with its own parameter names, and ask."""
    spec, inputs, keywords = read(probe)
    module = build(candidate, spec)
    if spec["shapes"] is not None:
        return {"output": shapes(module, spec["shapes"])}
    if spec["starts"] is not None:
        return {"output": [_start(named(module).get(name)) for name in spec["starts"]]}
    load(module, spec["weights"])
    return ask(module, probe, spec, inputs, keywords)


def read(probe: dict) -> tuple[dict, list, dict]:
    """The specification with its defaults, the call's arguments, and its keywords."""
    given, *inputs = decode(probe["args"])
    return SPEC | given, inputs, dict(decode(probe["kwargs"]) or {})


def build(candidate, spec: dict) -> nn.Module:
    """Construct the module in evaluation mode, in the dtype of the weights that it will get."""
    torch.default_generator.manual_seed(0)
    module = candidate(*spec["arguments"], **spec["keywords"])
    if not isinstance(module, nn.Module):
        raise TypeError("what was made is not an nn.Module: derive the class from nn.Module")
    dtypes = [value.dtype for value in spec["weights"].values() if value.is_floating_point()]
    return module.to(dtypes[0] if dtypes else torch.float32).eval()


def named(module: nn.Module) -> dict[str, nn.Parameter]:
    """All parameters by name; one that has several names is there under each."""
    return dict(module.named_parameters(remove_duplicate=False))


def load(module: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """Copy the weights into the parameters of these names. Raises LookupError or ValueError where one is
    missing or does not fit."""
    parameters = named(module)
    for name, value in weights.items():
        if name not in parameters:
            raise LookupError(f"the module has no parameter named {name}")
        if parameters[name].shape != value.shape:
            raise ValueError(
                f"the parameter {name} has the shape {tuple(parameters[name].shape)}, but "
                f"{tuple(value.shape)} is expected"
            )
    with torch.no_grad():
        for name, value in weights.items():
            parameters[name].copy_(value)


def shapes(module: nn.Module, names: list[str]) -> list:
    """The shape of each named parameter that trains, in order; None where there is none."""
    parameters = named(module)
    return [
        list(parameters[name].shape) if name in parameters and parameters[name].requires_grad else None
        for name in names
    ]


def _start(parameter: nn.Parameter | None) -> str | None:
    if parameter is None:
        return None
    value = parameter.detach()
    return "ones" if torch.equal(value, torch.ones_like(value)) else "zeros" if not value.any() else "other"


def ask(module: nn.Module, probe: dict, spec: dict, inputs: list, keywords: dict) -> dict:
    """Call the module; say what came back, which inputs it changed, and the gradients that were asked for."""
    given = [*inputs, *keywords.values()]
    before = [value.clone() if isinstance(value, torch.Tensor) else value for value in given]
    leaves = leaves_of(given, probe)
    if spec["earlier"] is not None:
        arguments, named_ones = spec["earlier"]
        module(*arguments, **named_ones)
    output = module(*inputs, **keywords)
    answer = {"output": encode_output(output)}
    if probe.get("gradient"):
        parameters = named(module)
        answer["gradients"] = gradients_of(
            _part(output, spec["through"]), leaves + [parameters[name] for name in spec["gradients"]]
        )
    return answer | changes(given, before)


def _part(output, number: int | None):
    if number is None or not isinstance(output, (list, tuple)) or len(output) <= number:
        return output
    return output[number]


def shown_call(name: str, probe: dict) -> str:
    """How a message shows the call: the constructor with its arguments, then the inputs; no weights."""
    spec, keywords = decode(probe["args"][0]), probe["kwargs"]["dict"] if probe["kwargs"] else []
    made = [repr(value) for value in spec.get("arguments", ())] + [
        f"{key}={value!r}" for key, value in spec.get("keywords", {}).items()
    ]
    text = f"{name}({', '.join(made)})"
    if spec.get("shapes") is not None or spec.get("starts") is not None:
        return text
    inputs = [show(item) for item in probe["args"][1:]] + [f"{key}={show(item)}" for key, item in keywords]
    return f"{text}({', '.join(inputs)})"
