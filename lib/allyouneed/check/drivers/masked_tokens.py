"""Ask a function that hides tokens at random; tell its habits in words: any two right ones answer alike.

The function is ``mask(ids, special, mask_id, vocab_size, generator, p)`` and returns ``(inputs, labels)``.
Its draws are its own, so no numbers are compared: from many draws each share is told as one of the probe's
``levels``, or as ``other`` where none is near.
The probe's one argument is a dict:

- ``ids``: int64 (B, T); ``tiles``: how often it is repeated down and across, before the call;
- ``special``: token ids; ``kind``: what they are handed over in (list, tuple, set, frozenset, tensor);
- ``mask_id``, ``vocab_size``, and ``p`` (left out of the call if None); ``seed`` of the generator;
- ``ask``: a name in QUESTIONS; ``levels``: shares that may be told, each within ``near`` (0.03 unless given).
"""

from __future__ import annotations

import itertools

import torch

from allyouneed.check.answers import same
from allyouneed.check.wire import decode, encode

KINDS = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "tensor": lambda items: torch.tensor(items, dtype=torch.int64),
}
NEAR = 0.03
UNLABELLED = -100  # what torch's cross-entropy skips


def put(candidate, probe: dict) -> dict:
    """Answer the probe's question. Raises TypeError for anything but a pair of integer tensors like ids."""
    spec = decode(probe["args"])[0]
    ids = spec["ids"].repeat(*spec["tiles"])
    changed, calls = [], itertools.count(100)

    def draw(generator, own_seed=None):
        torch.default_generator.manual_seed(next(calls) if own_seed is None else own_seed)
        asked = ids.clone()
        arguments = (
            asked,
            KINDS[spec["kind"]](spec["special"]),
            spec["mask_id"],
            spec["vocab_size"],
            generator,
        )
        result = candidate(*arguments) if spec["p"] is None else candidate(*arguments, spec["p"])
        if not same(asked, ids):
            changed.append(0)
        return _checked(result, ids)

    answer = {"output": encode(QUESTIONS[spec["ask"]](draw, ids, spec))}
    return answer | ({"changed": [0]} if changed else {})


def shown_call(name: str, probe: dict) -> str:
    spec = decode(probe["args"][0])
    ids = spec["ids"].repeat(*spec["tiles"])
    p = "" if spec["p"] is None else f", p={spec['p']}"
    return (
        f"{name}(ids of shape {tuple(ids.shape)}, special={spec['special']}, "
        f"mask_id={spec['mask_id']}, vocab_size={spec['vocab_size']}, generator{p})"
    )


def _checked(result, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise TypeError("two values are expected, the inputs and the labels")
    for value in result:
        if not isinstance(value, torch.Tensor) or value.shape != ids.shape:
            raise TypeError("inputs and labels must be tensors of the shape of ids")
        if value.dtype != torch.int64:
            raise TypeError(
                f"inputs and labels must be int64, but one is {str(value.dtype).removeprefix('torch.')}"
            )
    inputs, labels = result
    return inputs.clone(), labels.clone()


def _generator(spec: dict, more: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(spec["seed"] + more)


def _labels(draw, ids, spec) -> dict:
    """What the labels hold where a token was changed, and where it was not."""
    inputs, labels = draw(_generator(spec))
    changed, same_as_ids = inputs != ids, labels == ids
    filled = labels[~same_as_ids & ~changed]
    if not changed.any():
        where_changed = "no input is changed"
    elif same_as_ids[changed].all():
        where_changed = "the token that stood there"
    elif (labels == inputs)[changed].all():
        where_changed = "what was put there"
    elif (labels[changed] == UNLABELLED).all():
        where_changed = "no label"
    else:
        where_changed = (
            "no label for some" if (same_as_ids | (labels == UNLABELLED))[changed].all() else "something else"
        )
    if not len(filled):
        elsewhere = "a label everywhere"
    elif (filled == UNLABELLED).all():
        elsewhere = "no label"
    elif (filled == spec["mask_id"]).all():
        elsewhere = "the mask"
    else:
        elsewhere = "another number" if (filled == filled[0]).all() else "other numbers"
    return {"where a token was changed": where_changed, "where nothing was chosen": elsewhere}


def _special(draw, ids, spec) -> dict:
    """Whether special tokens are left alone, over several draws."""
    special = torch.isin(ids, torch.tensor(spec["special"], dtype=torch.int64))
    words = set()
    generator = _generator(spec)
    for _ in range(4):
        inputs, labels = draw(generator)
        if (labels[special] == ids[special]).any():
            words.add("chosen")
        elif (inputs != ids)[special].any():
            words.add("changed without a label")
        if not (labels == ids)[~special].any():
            words.add("no others chosen")
    return {"special tokens": ", ".join(sorted(words)) or "left alone"}


def _share(draw, ids, spec) -> dict:
    """Which share of the tokens that are not special is chosen."""
    special = torch.isin(ids, torch.tensor(spec["special"], dtype=torch.int64))
    inputs, labels = draw(_generator(spec))
    return {"share chosen": _level(((labels == ids) | (inputs != ids))[~special], spec)}


def _fates(draw, ids, spec) -> dict:
    """Which shares of chosen tokens become the mask, something else, or stay. ids: no mask, none special."""
    inputs, labels = draw(_generator(spec))
    chosen = (labels != UNLABELLED) | (inputs != ids)
    if not chosen.any():
        return {"chosen": "none"}
    masked, stays = (inputs == spec["mask_id"])[chosen], (inputs == ids)[chosen]
    by_place = (inputs == spec["mask_id"]).double().masked_fill(~chosen, float("nan"))
    halves = [part.nanmean().item() for dim in (0, 1) for part in by_place.chunk(2, dim=dim)]
    in_order = any(abs(first - second) > 0.15 for first, second in (halves[:2], halves[2:]))
    return {
        "masked": _level(masked, spec),
        "another token": _level(~masked & ~stays, spec),
        "as before": _level(stays, spec),
        "fates depend on the place": in_order,
    }


def _random_ids(draw, ids, spec) -> dict:
    """Which ids of the vocabulary replace chosen tokens, beside the mask. ids hold one id only."""
    generator, seen, most = _generator(spec), set(), 0
    known = {int(ids[0, 0]), spec["mask_id"]}
    for _ in range(3):
        found = set(draw(generator)[0].unique().tolist())
        seen, most = seen | found, max(most, len(found - known))
    expected = set(range(spec["vocab_size"]))
    if most == 1:
        return {"random ids": "one for all"}
    words = []
    if seen - expected:
        words.append("some outside the vocabulary")
    if expected - seen:
        missing = expected - seen
        words.append(
            "none"
            if missing == expected - known
            else "no special ones"
            if missing <= set(spec["special"])
            else "without the first"
            if missing == {0}
            else "without the last"
            if missing == {max(expected)}
            else "some are missing"
        )
    return {"random ids": ", ".join(words) or "the whole vocabulary"}


def _places(draw, ids, spec) -> dict:
    """Whether rows draw for themselves, whether each row and each column is chosen at some time, and whether
    fates differ within a call."""
    generator, total, alike, whole = _generator(spec), torch.zeros(ids.shape, dtype=torch.int64), True, True
    shares = set()
    for _ in range(24):
        inputs, labels = draw(generator)
        chosen = (labels == ids) | (inputs != ids)
        total += chosen
        alike &= bool((chosen == chosen[0]).all())
        whole &= bool((chosen == chosen[:, :1]).all())
        masked = (inputs == spec["mask_id"])[chosen]
        shares.add("all" if masked.all() else "some" if masked.any() else "none")
    return {
        "rows": "all or nothing" if whole else "all the same" if alike else "different",
        "every call chooses the same": bool(((total == 0) | (total == 24)).all()),
        "chosen tokens that become the mask": "some" if "some" in shares else " or ".join(sorted(shares)),
        "rows never chosen": bool((total.sum(dim=1) == 0).any()),
        "columns never chosen": bool((total.sum(dim=0) == 0).any()),
    }


def _alone(draw, ids, spec) -> dict:
    """Whether the chosen tokens of a row, or of a column, meet one fate or get one random id, but for a few
    where a random id happens to be the mask."""
    generator = _generator(spec)
    words = [f"{what} in a {line}" for what in ("fates", "random ids") for line in ("row", "column")]
    alike = {word: [] for word in words}
    for _ in range(24):
        inputs, labels = draw(generator)
        chosen = (labels != UNLABELLED) | (inputs != ids)
        masked = inputs == spec["mask_id"]
        other = chosen & ~masked & (inputs != ids)
        for what, picked, values in (("fates", chosen, masked), ("random ids", other, inputs)):
            for line, turn in (("row", 0), ("column", 1)):
                for here, of in zip(picked.movedim(turn, 0), values.movedim(turn, 0)):
                    if here.sum() > 1:
                        alike[f"{what} in a {line}"].append(len(of[here].unique()) == 1)
    return {
        word: "one for all" if sum(lines) > 0.8 * len(lines) else "their own" for word, lines in alike.items()
    }


def _from_generator(draw, ids, spec) -> dict:
    """Whether the generator decides everything, and is drawn on."""
    generator = _generator(spec)
    # torch's own generator must not matter
    once, again = draw(_generator(spec), own_seed=0), draw(generator, own_seed=17)
    following, other = draw(generator, own_seed=0), draw(_generator(spec, 5), own_seed=0)

    def told(first, second):
        return "the same" if all(torch.equal(a, b) for a, b in zip(first, second)) else "different"

    return {
        "the same seed again": told(once, again),
        "the next call": told(again, following),
        "another seed": told(once, other),
    }


def _level(hits: torch.Tensor, spec: dict) -> str:
    share = hits.double().mean().item()
    nearest = min(spec["levels"], key=lambda level: abs(level - share))
    return f"{nearest:g}" if abs(nearest - share) <= spec.get("near", NEAR) else "other"


QUESTIONS = {
    "labels": _labels,
    "special": _special,
    "share": _share,
    "fates": _fates,
    "random ids": _random_ids,
    "places": _places,
    "alone": _alone,
    "generator": _from_generator,
}
