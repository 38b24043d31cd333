"""Build a layer of a Transformer, find its parts whatever their names, give them a probe's weights, call it.

Parts are found by what they are made of: an attention owns q_proj, k_proj, v_proj and o_proj; the
feed-forward network is one Linear layer from d_model to d_ff and one back; a norm owns a weight and a bias of
d_model numbers. Which is which among equals is seen from use: norms are numbered in the order in which they
are first called, and the attention whose values come from memory is the one across. So the probe's
``weights`` have names of their own: ``attention.q_proj.weight``, ``cross_attention.q_proj.weight``,
``up.weight``, ``down.bias``, ``norm1.weight``, ... Their shapes also say how wide everything is.

The probe's first argument is a dict as for the driver ``module``; beside its keys it may hold ``training``:
ask in training mode.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import torch
from torch import nn

from allyouneed.check.drivers import module

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj")
COUNTS = ("no", "one", "two", "three", "four", "five")

shown_call = module.shown_call
_seen: WeakKeyDictionary = WeakKeyDictionary()  # class -> how it was constructed -> path of each part


def put(candidate, probe: dict) -> dict:
    """Build the candidate's layer, give its parts their weights, and ask.

    Raises LookupError or ValueError where parts do not fit, TypeError where several values come back.
    """
    spec, inputs, keywords = module.read(probe)
    layer = module.build(candidate, spec).train(bool(spec.get("training")))
    parts = _parts(candidate, layer, spec)
    found = {name: _parameter(parts, name) for name in spec["weights"]}
    with torch.no_grad():
        for name, value in spec["weights"].items():
            if found[name].shape != value.shape:
                raise ValueError(
                    f"{name} has the shape {tuple(found[name].shape)}, but {tuple(value.shape)} is expected"
                )
            found[name].copy_(value)
    own_names = {id(parameter): name for name, parameter in layer.named_parameters()}
    spec["gradients"] = [own_names[id(found[name])] for name in spec["gradients"]]
    answer = module.ask(layer, probe, spec, inputs, keywords)
    if isinstance(answer["output"], list) or (
        isinstance(answer["output"], dict) and "tuple" in answer["output"]
    ):
        # whatever the others are: what came back is no tensor
        raise TypeError("the layer returns more than one value")
    return answer


def _parts(candidate, layer: nn.Module, spec: dict) -> dict[str, nn.Module]:
    """The parts of `layer`; where they stand is found once for each class and way to construct it, since
    finding them runs the layer."""
    settings = repr((spec["arguments"], spec["keywords"], spec.get("training"), sorted(spec["weights"])))
    places = _seen.setdefault(candidate, {})
    if settings not in places:
        parts = find_parts(layer, spec["weights"])
        paths = {id(part): path for path, part in layer.named_modules()}
        places[settings] = {name: paths[id(part)] for name, part in parts.items()}
        return parts
    return {name: layer.get_submodule(path) for name, path in places[settings].items()}


def find_parts(layer: nn.Module, weights: dict[str, torch.Tensor]) -> dict[str, nn.Module]:
    """The parts of `layer` named as in `weights`. Raises LookupError or ValueError where it has others."""
    d_ff, d_model = weights["up.weight"].shape
    across = "cross_attention.q_proj.weight" in weights
    attentions = [
        part
        for part in layer.modules()
        if all(isinstance(getattr(part, name, None), nn.Linear) for name in PROJECTIONS)
    ]
    if len(attentions) != 1 + across:
        raise LookupError(
            f"{_count(len(attentions), 'attention')} found, {COUNTS[1 + across]} expected: "
            f"an attention is a module with the Linear layers {', '.join(PROJECTIONS)}"
        )
    inside = {id(getattr(part, name)) for part in attentions for name in PROJECTIONS}
    linear = [part for part in layer.modules() if isinstance(part, nn.Linear) and id(part) not in inside]
    up = [part for part in linear if (part.in_features, part.out_features) == (d_model, d_ff)]
    down = [part for part in linear if (part.in_features, part.out_features) == (d_ff, d_model)]
    if len(up) != 1 or len(down) != 1:
        raise LookupError(
            "the feed-forward network is one Linear layer from d_model to d_ff and one "
            f"back, but {COUNTS[min(len(up), 5)]} and {COUNTS[min(len(down), 5)]} are there"
        )
    if any(isinstance(part, nn.LayerNorm) and len(_own(part)) < 2 for part in layer.modules()):
        raise LookupError("a norm lacks its weight or its bias")
    norms = [
        part
        for part in layer.modules()
        if part is not layer and part not in linear and id(part) not in inside and _is_norm(part, d_model)
    ]
    expected = sum(name.startswith("norm") and name.endswith("weight") for name in weights)
    if len(norms) != expected:
        raise LookupError(
            f"{_count(len(norms), 'norm')} found, {COUNTS[expected]} expected: a norm is a "
            "module with a weight and a bias of d_model numbers each"
        )
    own = [
        part
        for attention in attentions
        for part in (
            [getattr(attention, name) for name in PROJECTIONS] if attention is layer else [attention]
        )
    ]
    known = {id(parameter) for part in (*own, up[0], down[0], *norms) for parameter in part.parameters()}
    if any(id(parameter) not in known for parameter in layer.parameters()):
        raise LookupError(
            "the layer has parameters beside those of its attention, its two Linear layers and its norms"
        )
    for norm in norms:
        _check_norm(norm, d_model)
    order, from_memory = _watch(layer, attentions, norms, d_model, across)
    norms.sort(key=lambda norm: order.get(id(norm), len(order)))
    attentions.sort(key=lambda part: order.get(id(part), len(order)))
    # else behaviour does not tell, and the first one called is the layer's own
    if len(from_memory) == 1:
        attentions.sort(key=lambda part: id(part) in from_memory)
    return {"attention": attentions[0], "cross_attention": attentions[-1], "up": up[0], "down": down[0]} | {
        f"norm{number}": norm for number, norm in enumerate(norms, 1)
    }


def _count(number: int, what: str) -> str:
    return f"{COUNTS[min(number, 5)]} {what}{'' if number == 1 else 's'}"


def _own(part: nn.Module) -> list[nn.Parameter]:
    return [parameter for parameter in part._parameters.values() if parameter is not None]


def _is_norm(part: nn.Module, d_model: int) -> bool:
    return 1 <= len(_own(part)) <= 2 and all(parameter.shape == (d_model,) for parameter in _own(part))


def _weight_and_bias(norm: nn.Module) -> tuple[nn.Parameter, nn.Parameter]:
    """By their names, or else by what they start as: a weight as ones."""
    if len(_own(norm)) != 2:
        raise LookupError("a norm lacks its weight or its bias")
    if isinstance(getattr(norm, "weight", None), nn.Parameter) and isinstance(
        getattr(norm, "bias", None), nn.Parameter
    ):
        return norm.weight, norm.bias
    return tuple(sorted(_own(norm), key=lambda parameter: -float(parameter.detach().sum())))


def _check_norm(norm: nn.Module, d_model: int) -> None:
    """Raise ValueError unless the norm, taken alone, brings each token to mean 0 and variance 1."""
    weight, bias = _weight_and_bias(norm)
    x = 1.0 + 3.0 * _numbers(2, 3, d_model, dtype=weight.dtype)
    start = weight.detach().clone(), bias.detach().clone()
    with torch.no_grad():
        weight.fill_(1.0)
        bias.fill_(0.0)
        try:
            out = norm(x).double()
            good = (
                out.shape == x.shape
                and out.mean(-1).abs().max() < 1e-3
                and (out.square().mean(-1) - 1).abs().max() < 1e-3
            )
        except Exception:
            good = False
        weight.copy_(start[0])
        bias.copy_(start[1])
    if not good:
        raise ValueError("a norm, tried alone, does not bring each token to mean 0 and variance 1")


def _watch(
    layer: nn.Module, attentions: list, norms: list, d_model: int, across: bool
) -> tuple[dict[int, int], set[int]]:
    """Run the layer on inputs of our own; see in which order parts are first called, and which attention
    takes its values from memory.

    Raises ValueError where the same inputs give another output the second time.
    """
    order: dict[int, int] = {}
    watched = [(part, part) for part in (*norms, *attentions) if part is not layer]
    watched += [(getattr(part, name), part) for part in attentions for name in ("q_proj", "v_proj")]

    def note(forward, part):
        def noted(*arguments, **keywords):
            order.setdefault(id(part), len(order))
            return forward(*arguments, **keywords)

        return noted

    dtype = next(layer.parameters()).dtype
    x, memory = _numbers(3, 8, d_model, dtype=dtype), torch.zeros(3, 8, d_model, dtype=dtype)
    allowed = torch.ones(8, 8, dtype=torch.bool)
    for part, owner in watched:
        part.forward = note(part.forward, owner)
    try:
        for masks in ((), (allowed, allowed)[: 1 + across]):
            try:
                inputs = (x, memory) if across else (x,)
                first, second = (_tensor(layer(*[item.clone() for item in inputs], *masks)) for _ in range(2))
                break
            except Exception:  # the probe's own call will say what is wrong
                first = second = None
    finally:
        for part, _ in watched:
            part.__dict__.pop("forward", None)
    if first is None:
        return order, set()
    if not torch.equal(torch.nan_to_num(first.detach()), torch.nan_to_num(second.detach())):
        raise ValueError("two calls with the same inputs give different results")
    return order, _from_memory(first, attentions) if across else set()


def _from_memory(output: torch.Tensor, attentions: list) -> set[int]:
    """Those attentions that a memory of zeros leaves without a gradient to the matrix of the values."""
    weights = torch.cos(torch.arange(output.numel(), dtype=output.dtype)).reshape(output.shape)
    try:
        gradients = torch.autograd.grad(
            (output * weights).sum(), [part.v_proj.weight for part in attentions], allow_unused=True
        )
    except RuntimeError:
        return set()
    return {
        id(part)
        for part, gradient in zip(attentions, gradients)
        if gradient is not None and not gradient.any()
    }


def _tensor(output) -> torch.Tensor | None:
    return next(
        (
            item
            for item in (output if isinstance(output, (tuple, list)) else (output,))
            if isinstance(item, torch.Tensor)
        ),
        None,
    )


def _numbers(*shape: int, dtype) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(dtype)


def _parameter(parts: dict[str, nn.Module], name: str) -> nn.Parameter:
    """The parameter that a name such as ``attention.q_proj.weight`` stands for."""
    part, *inner, kind = name.split(".")
    owner = getattr(parts[part], inner[0]) if inner else parts[part]
    if part.startswith("norm"):
        return _weight_and_bias(owner)[kind == "bias"]
    parameter = getattr(owner, kind, None)
    if not isinstance(parameter, nn.Parameter):
        raise LookupError(f"{name} is missing")
    return parameter
