"""In what plain relation a wrong result stands to the right one: a factor, an axis reversed, zeros."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from allyouneed.check.wire import WireError, decode


def related(rights: list[list[dict]], answers: list[dict], indices: Sequence[int]) -> tuple[str, str] | None:
    """A name and a sentence for what the wrong results have to do with the right ones on all these probes."""
    if len(rights) > 1 or not indices:
        return None
    firsts = [_first_wrong(rights[0][index]["output"], answers[index]["output"]) for index in indices]
    pairs = [pair for pair in firsts if pair is not None]
    if len(pairs) < len(indices) or any("came" in answers[index] for index in indices):
        return None
    if sum(want.numel() for want, _ in pairs) < 2 or any(_is_one_bool(want) for want, _ in pairs):
        return None  # one wrong number is in many relations to the right one
    for name, (found, sentence, changing) in RELATIONS.items():
        details = {found(*pair) for pair in pairs}
        if None not in details and len(details) == 1:
            return f"result-{name}", sentence.format(details.pop())
        if None not in details and changing and all(want.numel() > 3 for want, _ in pairs):
            return f"result-{name}", changing
    return None


def _is_one_bool(value: torch.Tensor) -> bool:
    return value.dtype == torch.bool and value.numel() == 1


def _first_wrong(want, got) -> tuple[torch.Tensor, torch.Tensor] | None:
    """The first of the tensors of an output that is not right, beside what came."""
    try:
        wants, gots = (
            [*value] if isinstance(value, (list, tuple)) else [value] for value in map(decode, (want, got))
        )
        for a, b in zip(wants, gots):
            a, b = (torch.as_tensor(item) for item in (a, b))
            if a.shape == b.shape and not _close(a, b):
                return (a, b) if a.dtype == b.dtype == torch.bool else (a.double(), b.double())
    except (WireError, TypeError, ValueError, RuntimeError, OverflowError):
        pass
    return None


def _close(a: torch.Tensor, b: torch.Tensor) -> bool:
    return torch.allclose(a.double(), b.double(), rtol=1e-4, atol=1e-5, equal_nan=True)


def _all_zero(want, got):
    return None if got.any() else "False" if got.dtype == torch.bool else "0"


def _all_same(want, got):
    return "" if got.numel() > 2 and bool((got == got.reshape(-1)[0]).all()) else None


def _factor(want, got):
    if want.dtype == torch.bool or not want.isfinite().all():
        return None
    square = (want * want).sum()
    factor = ((want * got).sum() / square).item() if square else 0.0
    return f"{factor:.4g}" if factor and _close(factor * want, got) else None


def _offset(want, got):
    if want.dtype == torch.bool or not want.isfinite().all():
        return None
    offset = (got - want).mean().item()
    return f"{offset:.4g}" if _close(want + offset, got) else None


def _inverse(want, got):
    return "" if want.dtype != torch.bool and _close(want * got, torch.ones_like(want)) else None


def _negated(want, got):
    return "" if want.dtype == torch.bool and torch.equal(want, ~got) else None


def _over_axes(
    change: Callable[[torch.Tensor, int], torch.Tensor],
) -> Callable[[torch.Tensor, torch.Tensor], str | None]:
    """A relation that names the axis, counted from the end, along which it holds."""

    def found(want, got):
        axes = range(-1, -want.dim() - 1, -1)
        return next((AXES.get(axis, str(axis)) for axis in axes if _close(change(want, axis), got)), None)

    return found


def _exchanged(want, got):
    axes = range(-want.dim(), 0)
    pairs = [(a, b) for a in axes for b in axes if a < b and want.shape[a] == want.shape[b]]
    return next((f"{a} and {b}" for a, b in pairs if _close(want.transpose(a, b), got)), None)


def _rest_zero(want, got):
    right = (want - got).abs() <= 1e-5 + 1e-4 * want.abs() if want.dtype != torch.bool else want == got
    return "" if bool(right.any()) and not got[~right].any() else None


def _one_end(place: int) -> Callable[[torch.Tensor, torch.Tensor], str | None]:
    def found(want, got):
        for axis in range(-1, -want.dim() - 1, -1):
            if (size := want.shape[axis]) > 1:
                rest = [a.narrow(axis, 0 if place else 1, size - 1) for a in (want, got)]
                if _close(*rest):
                    return AXES.get(axis, str(axis))

    return found


def _along(
    of_rest: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> Callable[[torch.Tensor, torch.Tensor], str | None]:
    """Relations by a number of each slice along an axis."""

    def found(want, got):
        if want.dtype == torch.bool or not want.isfinite().all():
            return None
        for axis in range(-1, -want.dim() - 1, -1):
            if want.shape[axis] > 2:
                numbers = of_rest(want, got)
                one = numbers.narrow(axis, 0, 1)
                if numbers.isfinite().all() and one.any() and _close(numbers, one.expand_as(numbers)):
                    return AXES.get(axis, str(axis))

    return found


def _other_places(want, got):
    if want.dtype == torch.bool or want.unique().numel() < 4:
        return None
    return "" if _close(want.reshape(-1).sort().values, got.reshape(-1).sort().values) else None


AXES = {-1: "the last axis", -2: "the last axis but one", -3: "the third axis from the end"}
# name: what finds it, the sentence with what was found, and one for where that changes from probe to probe
RELATIONS = {
    "all-zero": (_all_zero, "It is {} throughout.", None),
    "negated": (_negated, "True and False have changed places.", None),
    "all-the-same": (_all_same, "All its numbers are the same.", None),
    "factor": (
        _factor,
        "Every number is the right one times {}.",
        "All numbers are right up to one factor, which is not the same for all inputs.",
    ),
    "offset": (
        _offset,
        "Every number is the right one plus {}.",
        "All numbers are right up to one number that is added, which is not the same for all inputs.",
    ),
    "inverse": (_inverse, "Every number is 1 over the right one.", None),
    "reversed": (
        _over_axes(lambda a, axis: a.flip(axis)),
        "What stands along {} is right, in reverse order.",
        None,
    ),
    "one-later": (
        _over_axes(lambda a, axis: a.roll(1, axis)),
        "Along {} everything stands one place too late, and the last comes first.",
        None,
    ),
    "one-earlier": (
        _over_axes(lambda a, axis: a.roll(-1, axis)),
        "Along {} everything stands one place too early, and the first comes last.",
        None,
    ),
    "exchanged-axes": (_exchanged, "The axes {} have changed places.", "Two axes have changed places."),
    "rest-zero": (_rest_zero, "Some of it is right, and the rest is 0.", None),
    "last-wrong": (_one_end(1), "All is right but what stands last along {}.", None),
    "first-wrong": (_one_end(0), "All is right but what stands first along {}.", None),
    "factor-in-slices": (
        _along(lambda want, got: got / want),
        "Along {} the numbers are right up to one factor, another in each place of the other axes.",
        None,
    ),
    "offset-in-slices": (
        _along(lambda want, got: got - want),
        "Along {} one number is added to all, another in each place of the other axes.",
        None,
    ),
    "other-places": (_other_places, "These are the right numbers, in wrong places.", None),
}
