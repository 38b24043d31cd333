"""What a wrong result is like: that of a known change, or in a plain relation to the right one.

Of a known change a fingerprint holds two weighted sums for each probe. They tell results apart as well as all
their numbers would, and give away none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch

from allyouneed.check.compare import LOOSE, TOLERANCE
from allyouneed.check.wire import WireError, decode


def sums_of(output) -> list[float] | None:
    """Two weighted sums of an encoded output's numbers, and one of its infinities and NaN if it has any."""
    try:
        numbers = _numbers(decode(output))
    except WireError:
        return None
    weights, finite = _weights(len(numbers)), numbers.isfinite()
    sums = (weights @ numbers.where(finite, numbers.new_zeros(()))).tolist()
    if not finite.all():
        kinds = numbers.isnan() + 2.0 * numbers.isposinf() + 3.0 * numbers.isneginf()
        sums.append((weights[0] @ kinds.double()).item())
    return [float(f"{value:.8g}") for value in sums]


def as_if(fingerprint: dict, answers: list[dict], failed: dict[int, str], whole: bool = False) -> dict | None:
    """The known change that gives these results on every ordinary probe, and on most edge probes.

    Where there is none, and unless the `whole` is asked for: one that does on those of the core group, with a
    message that says so. Two ways to treat a mask, say, may share a mistake in the formula.
    """
    if not fingerprint.get("as_if") or not set(failed.values()) <= {"value", "gradient", "changed"}:
        return None
    core, shown = next(iter(fingerprint["points"])), {}
    everything = set(range(len(fingerprint["probes"])))
    for part in (
        everything,
        {index for index in everything if fingerprint["probes"][index]["group"] == core},
    ):
        best, most = None, -1
        wrong = values_of(failed) & part
        for known in fingerprint["as_if"] if wrong else ():
            sums = {int(index): value for index, value in known["sums"].items()}
            mine = set(sums) & part
            if decisive(fingerprint, mine) != decisive(fingerprint, wrong):
                continue
            met = {
                index
                for index in sums
                if index in failed and _meets(sums[index], answers[index], index, shown)
            }
            if decisive(fingerprint, mine) <= met and len(met) > most:
                best, most = known, len(met)
        if best or whole:
            break
    if best and part != everything:
        return best | {"message": f"On the probes of “{core}”: {best['message']}"}
    return best


def both_of(fingerprint: dict, answers: list[dict], failed: dict[int, str]) -> list[str] | None:
    """The names of the two mistakes that, made at once, give these results on every ordinary probe."""
    shown, best, most = {}, None, -1
    for known in fingerprint.get("both", ()):
        sums = {int(index): value for index, value in known["sums"].items()}
        wanted = decisive(fingerprint, sums)
        if wanted != decisive(fingerprint, failed) or any("output" not in answers[index] for index in wanted):
            continue
        met = {
            index
            for index in set(sums) & set(failed)
            if failed[index] == "value" and _meets(sums[index], answers[index], index, shown)
        }
        if wanted <= met and len(met) > most:
            best, most = known["of"], len(met)
    return best


def values_of(failed: dict[int, str]) -> set[int]:
    """The numbers of the probes whose values are wrong."""
    return {index for index, word in failed.items() if word == "value"}


def decisive(fingerprint: dict, indices) -> set[int]:
    """Those of some probes that decide what a result is like: the ordinary ones, else those at the edge."""
    probes = fingerprint["probes"]
    short = {index for index in indices if not probes[index].get("long")}
    return {index for index in short if not probes[index].get("edge")} or short


def _meets(sums: list[float], answer: dict, index: int, shown: dict) -> bool:
    if index not in shown:
        value = decode(answer["output"])
        numbers = _numbers(value)
        finite = numbers.where(numbers.isfinite(), numbers.new_zeros(()))
        size = _weights(len(numbers)).abs() @ finite.abs()
        shown[index] = sums_of(answer["output"]), size.max().item(), _tolerance(value)
    mine, size, (rtol, atol) = shown[index]
    return len(mine) == len(sums) and all(
        math.isclose(a, b, rel_tol=1e-6, abs_tol=(rtol * size + atol) if place < 2 else 1e-6)
        for place, (a, b) in enumerate(zip(mine, sums))
    )


def _tolerance(value) -> tuple[float, float]:
    parts = value if isinstance(value, (list, tuple)) else [value]
    kinds = {part.dtype for part in parts if isinstance(part, torch.Tensor)}
    return TOLERANCE.get(kinds.pop(), LOOSE) if len(kinds) == 1 else LOOSE


def _weights(count: int) -> torch.Tensor:
    places = torch.arange(count, dtype=torch.float64)
    return torch.stack([places.cos(), (1.7 * places + 1).cos()])


def _numbers(value) -> torch.Tensor:
    """All numbers of a decoded value, in order; a text is one number that follows from its letters."""
    if isinstance(value, torch.Tensor):
        return value.detach().double().reshape(-1)
    if isinstance(value, str):
        return torch.tensor([sum(ord(letter) * (1 + place) for place, letter in enumerate(value))]).double()
    if isinstance(value, (int, float)):
        return torch.tensor([float(value)], dtype=torch.float64)
    if isinstance(value, dict):
        value = [item for pair in value.items() for item in pair]
    parts = [_numbers(item) for item in value or ()]
    return torch.cat(parts) if parts else torch.zeros(0, dtype=torch.float64)


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
