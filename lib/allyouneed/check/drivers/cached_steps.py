"""Let a function read a text in pieces with an attention layer, handing back the cache it returned each time.

The function is ``step(attention, x_new, cache)`` and returns ``(output, cache)``. What the cache is, is its
own affair.
The probe's first argument is a dict:

- ``sizes``: (d_model, n_heads) or (d_model, n_heads, d_head), for the library's `MultiHeadAttention`;
- ``weights``: tensors by the parameter's name; they also decide the dtype;
- ``pieces``: how many tokens each call gets;
- ``turns``: whether the texts take turns, a piece of each, instead of being read one after the other; left
  out for False;
- ``functions``: whether the projections are plain functions, which have no weights, and of which those of
  queries, keys and values refuse a part of the new tokens; left out for False.

The other arguments are texts (B, T, D). They are read with the same layer, each from an empty cache.

A probe marked ``watch`` has one text. Told, for each call, is whether the tokens that go through the layers
of queries, keys and values, or through copies of their weights, are the new ones or older ones again.
"""

from __future__ import annotations

import contextlib
import copy
import types

import torch

from allyouneed.check.answers import encode_output, gradients_of, same
from allyouneed.check.shown import show
from allyouneed.check.sources import SourceWatch, numbers_held
from allyouneed.check.wire import decode
from allyouneed.nn.multihead import MultiHeadAttention

NEW, AGAIN = "the new tokens alone", "older tokens again"


class Functions:
    """What a step may use of an attention layer, its projections as plain functions."""

    def __init__(self, attention: MultiHeadAttention):
        self.d_model, self.n_heads, self.d_head = attention.d_model, attention.n_heads, attention.d_head
        self.asked = 1
        for name in ("q_proj", "k_proj", "v_proj"):
            setattr(self, name, self._of_all(name, getattr(attention, name)))
        self.o_proj = lambda merged: attention.o_proj(merged)

    def _of_all(self, name: str, layer):
        def project(x):
            if x[..., 0].numel() < self.asked:
                raise ValueError(f"{name} was called with less than all of x_new")
            return layer(x)

        return project


class ProjectionWatch(SourceWatch):
    """Counts how many tokens are multiplied by the weights of queries, keys and values."""

    def __init__(self, attention: MultiHeadAttention):
        super().__init__()
        weights = [layer.weight for layer in (attention.q_proj, attention.k_proj, attention.v_proj)]
        self.numbers, self.products = sum(weight.numel() for weight in weights), 0
        self.width = weights[0].shape[1]
        for weight in weights:
            self.mark(weight, {"weights"})

    def met(self, inputs, known, joined):
        text, weights = (
            [numbers_held(tensor) for tensor, source in zip(inputs, known) if source == {name}]
            for name in ("text", "weights")
        )
        self.products += max(text, default=0) * max(weights, default=0)

    def told(self, piece: torch.Tensor) -> str:
        """What was projected since this was last asked, for a call that was given `piece`. Half of it may be
        waste: a layer that is called as a whole projects queries, keys and values."""
        tokens = self.products / self.width / self.numbers
        self.products = 0
        return NEW if tokens <= 2 * piece.shape[:2].numel() else AGAIN


def put(candidate, probe: dict) -> dict:
    """The answer: a list of outputs, one a call, or of what was projected in it. Raises TypeError where a
    call does not return two values."""
    spec, *texts = decode(probe["args"])
    dtype = next(iter(spec["weights"].values())).dtype
    attention = MultiHeadAttention(*spec["sizes"]).to(dtype).eval()
    attention.load_state_dict(spec["weights"])
    torch.default_generator.manual_seed(0)
    outputs, forget = [], _memory(candidate)
    if probe.get("gradient"):
        texts = [text.requires_grad_(True) for text in texts]
    caches, pieces = [None] * len(texts), [_pieces(text, spec["pieces"]) for text in texts]
    before = [[piece.detach().clone() for piece in of_text] for of_text in pieces]
    calls = [(number, piece) for number, of_text in enumerate(pieces) for piece in enumerate(of_text)]
    if spec.get("turns"):
        calls.sort(key=lambda call: call[1][0])
    watch = ProjectionWatch(attention) if probe.get("watch") else None
    layer = Functions(attention) if spec.get("functions") else attention
    for number, (_, piece) in calls:
        if watch:
            watch.mark(piece, {"text"})
        if spec.get("functions"):
            layer.asked = piece[..., 0].numel()
        try:
            with watch or contextlib.nullcontext():
                result = candidate(layer, piece, caches[number])
        except Exception:
            forget()
            raise
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise TypeError(
                f"two values are expected, the output and the cache, but {_kind(result)} came back"
            )
        output, caches[number] = result
        if not isinstance(output, torch.Tensor):
            turned = isinstance(result[1], torch.Tensor) and result[1].shape[:2] == piece.shape[:2]
            raise TypeError(
                "the output comes second; it must be the first of the two values"
                if turned
                else (
                    f"the first of the two values must be the output, a tensor, but {_kind(output)} came back"
                )
            )
        outputs.append(watch.told(piece) if watch else output)
    changed = [
        number for number, pair in enumerate(zip(pieces, before), start=1) if not all(map(same, *pair))
    ]
    forget()
    gradients = {"gradients": gradients_of(outputs, texts)} if probe.get("gradient") else {}
    return (
        {"output": [encode_output(output) for output in outputs]}
        | gradients
        | ({"changed": changed} if changed else {})
    )


def _pieces(text: torch.Tensor, sizes) -> list[torch.Tensor]:
    """Copies, since a view would show the whole text; a text that comes in one call is itself handed over, so
    that torch refuses changes in place."""
    return [text] if len(sizes) == 1 else [piece.clone() for piece in text.split(list(sizes), dim=1)]


def _memory(candidate):
    """A function that gives back to the candidate what it remembered outside of its arguments, so that no
    probe meets another one's."""
    names = getattr(getattr(candidate, "__code__", None), "co_names", ())
    outside = getattr(candidate, "__globals__", {})
    kept = {
        name: copy.copy(outside[name])
        for name in names
        if isinstance(outside.get(name), (list, dict, torch.Tensor))
        or (name in outside and outside[name] is None)
    }
    own, defaults = (
        dict(getattr(candidate, "__dict__", {})),
        copy.deepcopy(getattr(candidate, "__defaults__", None)),
    )

    def forget():
        outside.update(kept)
        if isinstance(candidate, types.FunctionType):
            candidate.__dict__.clear()
            candidate.__dict__.update(own)
            candidate.__defaults__ = defaults

    return forget


def _kind(result) -> str:
    if isinstance(result, (tuple, list)):
        return f"a {type(result).__name__} of {len(result)}"
    if isinstance(result, dict):
        return "a dict"
    return "nothing" if result is None else f"one {type(result).__name__}"


def shown_call(name: str, probe: dict) -> str:
    """The calls in words: the layer is shown by its sizes, the texts in full where they are small."""
    spec, *texts = probe["args"]
    sizes = decode(spec)
    pieces = ", ".join(str(size) for size in sizes["pieces"])
    layer = f"MultiHeadAttention({', '.join(str(size) for size in sizes['sizes'])})"
    layer += " with functions as projections" if sizes.get("functions") else ""
    order = ", in turns with " if sizes.get("turns") else ", then "
    return (
        f"{name}({layer}, x_new, cache), called with pieces of {pieces} tokens of x = "
        f"{order.join(show(text) for text in texts)}"
    )
