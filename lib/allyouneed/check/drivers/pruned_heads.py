"""Let a function take heads out of an attention layer, and look at the one that came back, or at the old one.

The function is ``prune(attention, keep)`` and returns a layer. The probe's first argument is a dict:

- ``sizes``: (d_model, n_heads) or (d_model, n_heads, d_head), for the library's `MultiHeadAttention`;
- ``weights``: tensors by the parameter's name; they also decide the dtype;
- ``keep``: a list of lists of heads. The function gets the first, then what it returned with the second, ...;
- ``ask``: "output" calls the layer that came back with the other arguments, x, memory and mask, and gives its
  output and its weights; "sizes" gives the shapes of its parameters; "original" is what has become of the
  layer that was handed over, after the new one has been changed, as training would.
"""

from __future__ import annotations

import torch
from torch import nn

from allyouneed.check.answers import changes, encode_output
from allyouneed.check.shown import show
from allyouneed.check.wire import decode, encode
from allyouneed.nn.multihead import MultiHeadAttention

LAYERS = ("q_proj", "k_proj", "v_proj", "o_proj")


def put(candidate, probe: dict) -> dict:
    """Raises LookupError where what comes back is no layer, or lacks a projection."""
    spec, *inputs = decode(probe["args"])
    attention = MultiHeadAttention(*spec["sizes"]).to(spec["weights"]["q_proj.weight"].dtype).eval()
    attention.load_state_dict(spec["weights"])
    given = [list(keep) for keep in spec["keep"]]
    torch.default_generator.manual_seed(0)
    layer = attention
    for keep in given:
        layer = candidate(layer, keep)
        _refuse_others(layer)
    changed = changes([given], [spec["keep"]])
    if spec["ask"] == "sizes":
        return {"output": encode(_sizes(layer))} | changed
    if spec["ask"] == "original":
        return {"output": encode(_original(attention, layer, spec))} | changed
    with torch.no_grad():
        return {"output": encode_output(layer.eval()(*inputs))} | changed


def _refuse_others(layer) -> None:
    if not isinstance(layer, nn.Module):
        kind = "nothing" if layer is None else f"a {type(layer).__name__}"
        raise LookupError(f"a layer is expected, an nn.Module, but {kind} came back")
    missing = [name for name in LAYERS if not isinstance(getattr(layer, name, None), nn.Module)]
    if missing:
        raise LookupError(f"the layer that came back has no {' and no '.join(missing)}")


def _sizes(layer: nn.Module) -> dict:
    named = dict(layer.named_parameters(remove_duplicate=False))
    return {
        f"{name}.{kind}": list(named[f"{name}.{kind}"].shape) if f"{name}.{kind}" in named else None
        for name in LAYERS
        for kind in ("weight", "bias")
    } | {"all of it trains": all(value.requires_grad for value in named.values())}


def _original(attention: nn.Module, layer: nn.Module, spec: dict) -> dict:
    """Its shapes and numbers are looked at before the new layer is changed, its numbers once more after."""
    heads, width = attention.n_heads, attention.d_head
    before = _holds(attention, spec["weights"])
    trains = all(parameter.requires_grad for parameter in attention.parameters())
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(1.0)
    return {
        "it has its weights": before,
        "it has its number and width of heads": [heads, width]
        == [spec["sizes"][1], (*spec["sizes"], spec["sizes"][0] // spec["sizes"][1])[2]],
        "it keeps its weights when the new layer is trained": not before
        or _holds(attention, spec["weights"]),
        "its parameters still train": trains,
    }


def _holds(attention: nn.Module, weights: dict) -> bool:
    state = attention.state_dict()
    return state.keys() == weights.keys() and all(torch.equal(state[name], weights[name]) for name in state)


def shown_call(name: str, probe: dict) -> str:
    """The calls in words: the layer is shown by its sizes, its inputs in full where they are small."""
    spec, *inputs = probe["args"]
    about = decode(spec)
    call = f"MultiHeadAttention({', '.join(map(str, about['sizes']))})"
    for keep in about["keep"]:
        call = f"{name}({call}, {keep})"
    if about["ask"] == "sizes":
        return f"{call}, and a look at the shapes of its parameters"
    if about["ask"] == "original":
        return f"{call}, and a look at the layer that was handed over"
    return f"{call}({', '.join(show(item) for item in inputs)})"
