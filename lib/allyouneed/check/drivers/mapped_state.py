"""Give a function a published BERT's weights by name, load its result into the library's `Bert`, run that.

The probe's arguments: the state, a dict of tensors; the number of heads; ids (B, T); and ``real``, boolean
(B, T), or None. Sizes are read off the state's shapes. What the function returns is told by the outputs of
the model that takes its weights.
"""

from __future__ import annotations

import torch

from allyouneed.check.answers import changes, encode_output
from allyouneed.check.wire import decode
from allyouneed.models.bert import Bert, BertConfig

PUBLISHED = {
    "embeddings",
    "word_embeddings",
    "position_embeddings",
    "token_type_embeddings",
    "LayerNorm",
    "layer",
    "self",
    "query",
    "key",
    "value",
    "output",
    "dense",
    "intermediate",
}


def put(candidate, probe: dict) -> dict:
    """Raises TypeError, RuntimeError or ValueError for anything but a dict of tensors the model takes."""
    (state, n_heads, ids, real), before = decode(probe["args"]), decode(probe["args"][0])
    model = Bert(_config(state, n_heads)).to(state["embeddings.word_embeddings.weight"].dtype).eval()
    _load(model, candidate(state), before)
    with torch.no_grad():
        answer = {"output": encode_output(model(ids, real))}
    return answer | changes([state], [before])


def _config(state: dict, n_heads: int) -> BertConfig:
    vocab_size, d_model = state["embeddings.word_embeddings.weight"].shape
    return BertConfig(
        vocab_size,
        len(state["embeddings.position_embeddings.weight"]),
        d_model,
        n_layers=1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layer.")),
        n_heads=n_heads,
        d_ff=len(state["encoder.layer.0.intermediate.dense.weight"]),
        n_segments=len(state["embeddings.token_type_embeddings.weight"]),
        pooler=False,
    )


def _load(model: Bert, mapped, published: dict) -> None:
    """What load_state_dict does with strict=True, with one short text for each thing that may be wrong."""
    if not isinstance(mapped, dict):
        raise TypeError(
            "a dict is expected, but "
            + ("nothing" if mapped is None else f"a {type(mapped).__name__}")
            + " came back"
        )
    expected = model.state_dict()
    missing = [name for name in expected if name not in mapped]
    unknown = [str(name) for name in mapped if name not in expected]
    if missing or unknown:
        raise RuntimeError(
            f"load_state_dict refuses what came back: {_misfit(missing, unknown, list(expected))}"
        )
    for name, value in expected.items():
        if not isinstance(mapped[name], torch.Tensor):
            raise TypeError("a value is not a tensor")
        if mapped[name].shape != value.shape:
            axes = ", with its axes exchanged" if mapped[name].shape == value.shape[::-1] else ""
            raise ValueError(
                f"{name!r} has the shape {tuple(mapped[name].shape)}{axes}, but "
                f"{tuple(value.shape)} is expected"
            )
    known = {
        _bytes(form)
        for value in published.values()
        for form in (value, value.T if value.dim() == 2 else value)
    }
    if any(
        _bytes(mapped[name]) not in known or mapped[name].dtype != value.dtype
        for name, value in expected.items()
    ):
        raise ValueError("the numbers themselves are changed, or their dtype")
    model.load_state_dict(mapped, strict=True)


def _bytes(value: torch.Tensor) -> bytes:
    return value.detach().double().contiguous().numpy().tobytes()


def _misfit(missing: list[str], unknown: list[str], expected: list[str]) -> str:
    """What is wrong with the names: the same words for the same mistake, however many names it concerns."""
    others = sorted(
        (name for name in unknown if not name.startswith("pooler") and not name.endswith("position_ids")),
        key=_turned,
    )
    if any(PUBLISHED & set(name.split(".")) for name in others):
        return "some of the names are still the published ones"
    if unknown and not others:
        return "the pooler or position_ids are still there"
    if (
        len(others) == len(missing) == len(expected)
        and len({name.removesuffix(old) for name, old in zip(others, sorted(expected, key=_turned))}) == 1
    ):
        return "each name has the same word too many in front"
    if others:
        first = (
            f"the model needs {missing[0]!r}, which is not there ({len(missing)} in all); " if missing else ""
        )
        return f"{first}{others[0]!r} is there, which the model does not know ({len(others)} in all)"
    if all(name.endswith(".bias") for name in missing):
        return "biases are missing"
    layers = {name.split(".")[1] for name in missing if name.startswith("layers.")}
    if set(missing) == {
        name for name in expected if name.startswith("layers.") and name.split(".")[1] in layers
    }:
        return (
            "the layers whose number has two digits are missing"
            if min(map(len, layers)) > 1
            else "whole layers are missing"
        )
    return "a part of the encoder is missing"


def _turned(name: str) -> str:
    """By the end first, so that names with something in front stand in the same order as without it."""
    return name[::-1]


def shown_call(name: str, probe: dict) -> str:
    """The call in words: a state is too long to be shown."""
    state, n_heads, ids, _ = decode(probe["args"])
    config = _config(state, n_heads)
    sizes = (
        f"{config.n_layers} layers, d_model={config.d_model}, d_ff={config.d_ff}, {config.n_segments} "
        f"segments and {config.max_len} positions"
    )
    return f"{name}(state of {len(state)} tensors: {sizes}), loaded into Bert and run on ids {ids.tolist()}"
