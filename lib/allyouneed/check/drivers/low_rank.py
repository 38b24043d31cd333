"""Build a layer of low rank around a linear layer, find its two factors whatever they are called, and ask.

The factors are the parameters that train: one has the sizes (rank, inputs), the other (outputs, rank), each
in either order. All of inputs, outputs and rank must differ. The probe's first argument is a dict, the others
go to the layer's call:

- ``weight`` (outputs, inputs) and ``bias`` (outputs,) or None of the linear layer; they also decide the
  dtype;
- ``rank``, ``alpha``, and ``keywords``: whether they are handed over by name;
- ``inner`` (rank, inputs) and ``outer`` (outputs, rank): what is put into the factors, or None for what the
  layer starts with;
- ``ask``: "output" calls the layer; "start" says in words how the factors start; "trains" which parameters
  train; "modes" whether the layer gives one and the same output in training mode and out of it.

Gradients come back in the order: the inputs, the factor of the inputs, the factor of the outputs, in the
sizes of ``inner`` and ``outer``.
"""

from __future__ import annotations

import torch
from torch import nn

from allyouneed.check.answers import changes, encode_output, gradients_of, same
from allyouneed.check.shown import show
from allyouneed.check.unwritten import unwritten_as_nan
from allyouneed.check.wire import decode, encode


def put(candidate, probe: dict) -> dict:
    """Raises TypeError where no module was made, ValueError where its base is another one, LookupError where
    the two factors cannot be found."""
    spec, *inputs = decode(probe["args"])
    dtype, (n_outputs, n_inputs) = spec["weight"].dtype, spec["weight"].shape
    linear = nn.Linear(n_inputs, n_outputs, bias=spec["bias"] is not None, dtype=dtype)
    with torch.no_grad():
        linear.weight.copy_(spec["weight"])
        if spec["bias"] is not None:
            linear.bias.copy_(spec["bias"])
    torch.default_generator.manual_seed(0)
    with unwritten_as_nan():
        layer = (
            candidate(linear, rank=spec["rank"], alpha=spec["alpha"])
            if spec["keywords"]
            else candidate(linear, spec["rank"], spec["alpha"])
        )
    if not isinstance(layer, nn.Module):
        raise TypeError("what was made is not an nn.Module: derive the class from nn.Module")
    if _another_base(layer, spec):
        raise ValueError("in the place of the linear layer's weight stands a matrix with other numbers")
    if spec["ask"] == "trains":
        return {"output": encode(_trains(layer, spec, dtype))}
    layer.eval()
    factors = _factors(layer, spec)
    if spec["ask"] == "start":
        return {"output": encode(_start(factors))}
    if spec["inner"] is not None:
        with torch.no_grad():
            for factor, value in zip(factors, (spec["inner"], spec["outer"])):
                factor.copy_(value if factor.shape == value.shape else value.T)
        _fill_biases(layer, spec)
    if spec["ask"] == "modes":
        output, trained = layer(*inputs), layer.train()(*inputs)
        return {"output": "the same output" if same(output, trained) else "another output in training mode"}
    return _ask(layer, probe, inputs, factors, spec)


def _sizes(spec: dict) -> tuple[list[int], list[int]]:
    n_outputs, n_inputs = spec["weight"].shape
    return sorted((spec["rank"], n_inputs)), sorted((n_outputs, spec["rank"]))


def _factors(layer: nn.Module, spec: dict) -> list[nn.Parameter]:
    """The factor of the inputs, then that of the outputs."""
    training = [parameter for parameter in layer.parameters() if parameter.requires_grad]
    found = []
    for sizes, side in zip(_sizes(spec), ("inputs", "outputs")):
        fitting = [
            parameter for parameter in training if parameter.dim() == 2 and sorted(parameter.shape) == sizes
        ]
        if len(fitting) != 1:
            raise LookupError(
                "the check of what was built finds "
                f"{'no factor' if not fitting else 'more than one factor'} of the sizes "
                f"rank and {side} that trains; {_list(training)}"
            )
        found.append(fitting[0])
    return found


def _fill_biases(layer: nn.Module, spec: dict) -> None:
    """Fill biases that the factors should not have, so that what they add depends on no draw."""
    for parameter in layer.parameters():
        own = (
            spec["bias"] is not None
            and parameter.shape == spec["bias"].shape
            and torch.equal(parameter, spec["bias"])
        )
        if (
            parameter.requires_grad
            and not own
            and parameter.shape in ((spec["rank"],), (len(spec["weight"]),))
        ):
            nn.init.ones_(parameter)


def _list(training: list) -> str:
    shapes = ", ".join(str(tuple(parameter.shape)) for parameter in training)
    return f"what trains has the shapes {shapes}" if shapes else "nothing trains"


def _another_base(layer: nn.Module, spec: dict) -> bool:
    """Whether a matrix of the base's sizes is kept that does not train, and none of them is the base's."""
    training = {name for name, parameter in layer.named_parameters() if parameter.requires_grad}
    wanted = spec["weight"].float()
    kept = {
        name: value.float() if value.shape == wanted.shape else value.T.float()
        for name, value in layer.state_dict().items()
        if value.dim() == 2 and wanted.shape in (value.shape, value.T.shape)
    }
    return bool(set(kept) - training) and not any(torch.equal(value, wanted) for value in kept.values())


def _trains(layer: nn.Module, spec: dict, dtype: torch.dtype) -> dict:
    """Which kinds of parameters train, in which dtype, and whether the base is saved with the layer."""
    (n_outputs, n_inputs), kinds = spec["weight"].shape, []
    names = {
        (n_outputs, n_inputs): "the base's weight",
        (n_inputs, n_outputs): "the base's weight",
        (n_outputs,): "a bias of the outputs",
        (spec["rank"],): "a bias of the factor",
        (): "a single number",
        (1,): "a single number",
    }
    for parameter in layer.parameters():
        if parameter.requires_grad:
            factor = [
                side
                for sizes, side in zip(_sizes(spec), ("inputs", "outputs"))
                if parameter.dim() == 2 and sorted(parameter.shape) == sizes
            ]
            of_base = (
                spec["bias"] is not None
                and parameter.shape == spec["bias"].shape
                and torch.equal(parameter.float(), spec["bias"].float())
            )
            kinds.append(
                f"the factor of the {factor[0]}"
                if factor
                else "the base's bias"
                if of_base
                else names.get(tuple(parameter.shape), "something else")
            )
    kept = [value for value in layer.state_dict().values() if value.dim() == 2]
    base = any(
        torch.equal(form, spec["weight"].float())
        for value in kept
        for form in (value.float(), value.float().T)
        if form.shape == spec["weight"].shape
    )
    same_dtype = all(parameter.dtype == dtype for parameter in layer.parameters() if parameter.requires_grad)
    return {
        "trains": sorted(kinds),
        "the base is saved with the layer": base,
        "what trains has the base's dtype": same_dtype,
    }


def _start(factors: list[nn.Parameter]) -> dict:
    zero = [not bool(factor.any()) for factor in factors]
    other = [factor for factor, is_zero in zip(factors, zero) if not is_zero]
    return {
        "zero factors": sum(zero),
        "the other one": [
            "memory that was never written"
            if bool(factor.isnan().any())
            else "one number throughout"
            if bool((factor == factor.flatten()[0]).all())
            else "different numbers"
            for factor in other
        ]
        if len(other) == 1
        else [],
    }


def _ask(layer: nn.Module, probe: dict, inputs: list, factors: list[nn.Parameter], spec: dict) -> dict:
    before = [value.clone() for value in inputs]
    if probe.get("gradient"):
        for value in inputs:
            value.requires_grad_(True)
    output = layer(*inputs)
    answer = {"output": encode_output(output)}
    if probe.get("gradient"):
        gradients = [decode(item) for item in gradients_of(output, [*inputs, *factors])]
        n_inputs = len(inputs)
        turned = [
            gradient if gradient is None or value is None or gradient.shape == value.shape else gradient.T
            for gradient, value in zip(gradients[n_inputs:], (spec["inner"], spec["outer"]))
        ]
        answer["gradients"] = [
            None if item is None else encode(item) for item in (*gradients[:n_inputs], *turned)
        ]
    return answer | changes(inputs, before)


def shown_call(name: str, probe: dict) -> str:
    """The layer with its sizes, then the inputs; the weights are left out."""
    spec = decode(probe["args"][0])
    n_outputs, n_inputs = spec["weight"].shape
    bias = "" if spec["bias"] is not None else ", bias=False"
    text = f"{name}(nn.Linear({n_inputs}, {n_outputs}{bias}), rank={spec['rank']}, alpha={spec['alpha']})"
    return (
        f"{text}({', '.join(show(item) for item in probe['args'][1:])})" if len(probe["args"]) > 1 else text
    )
