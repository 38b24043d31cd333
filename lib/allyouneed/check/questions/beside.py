"""What the result of changed code is beside that of the code as it was, in a sentence; all of it computed."""

from __future__ import annotations

import torch

from allyouneed.check.questions.told import tell
from allyouneed.check.value_relations import AXES, RELATIONS

# by the names that relations of wrong results to right ones have
SENTENCES = {
    "all-zero": "It is {} throughout.",
    "negated": "True and False have changed places.",
    "all-the-same": "All its numbers are the same.",
    "factor": "Every number is the unchanged one times {}.",
    "offset": "Every number is the unchanged one plus {}.",
    "inverse": "Every number is 1 over the unchanged one.",
    "reversed": "What stands along {} stands in reverse order.",
    "one-later": "Along {} everything stands one place later, and the last comes first.",
    "one-earlier": "Along {} everything stands one place earlier, and the first comes last.",
    "exchanged-axes": "The axes {} have changed places.",
    "rest-zero": "Some of it is as before, and the rest is 0.",
    "last-wrong": "Only what stands last along {} is another.",
    "first-wrong": "Only what stands first along {} is another.",
    "factor-in-slices": "Along {} the numbers are as before up to one factor.",
    "offset-in-slices": "Along {} one number is added to all.",
    "other-places": "These are the same numbers, in other places.",
}


def beside(own, other) -> str:
    """A sentence on what `other` is beside `own`, or "" where there is none to say."""
    owns, others = ([*item] if isinstance(item, (list, tuple)) else [item] for item in (own, other))
    if len(owns) != len(others):
        return ""
    for number, (one, two) in enumerate(zip(owns, others), start=1):
        if tell(one) != tell(two) and isinstance(one, torch.Tensor) and isinstance(two, torch.Tensor):
            told = _tensors(one, two)
            return f"Of its {len(owns)} parts, number {number}: {told}" if told and len(owns) > 1 else told
    return ""


def _tensors(own: torch.Tensor, other: torch.Tensor) -> str:
    if own.shape != other.shape:
        return f"Its shape is {tuple(other.shape)}, and was {tuple(own.shape)}."
    if not own.numel():
        return ""
    told = _sums(own, other)
    pair = (own, other) if own.dtype == other.dtype == torch.bool else (own.double(), other.double())
    finite = all(bool(item.isfinite().all()) for item in pair)
    for name, sentence in SENTENCES.items() if own.numel() > 1 and finite else ():
        found = RELATIONS[name][0](*pair)
        if found is not None:
            return " ".join(filter(None, [told, sentence.format(found)]))
    return told


def _sums(own: torch.Tensor, other: torch.Tensor) -> str:
    """Along which axis the numbers sum to 1, where that has changed."""
    if not own.is_floating_point() or not other.is_floating_point() or not other.isfinite().all():
        return ""
    axes = [axis for axis in AXES if -axis <= own.dim() and own.shape[axis] > 1]
    before, now = ([AXES[axis] for axis in axes if _sum_to_1(item, axis)] for item in (own, other))
    if before == now:
        return ""
    if before and now:
        return f"Its numbers sum to 1 along {now[0]}, and did along {before[0]}."
    if now:
        return f"Its numbers sum to 1 along {now[0]}, and did not before."
    axis = next(axis for axis in axes if AXES[axis] == before[0])
    return f"Its numbers sum to 1 along {before[0]} no longer, but to {tell(other.sum(axis))}."


def _sum_to_1(value: torch.Tensor, axis: int) -> bool:
    sums = value.double().sum(axis)
    return bool(torch.allclose(sums, torch.ones_like(sums), atol=1e-4))
