"""Whether a wrong result is that of a known change.

Of such a change a fingerprint holds two weighted sums for each probe. They tell results apart as well as all
their numbers would, and give away none.
"""

from __future__ import annotations

import math

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


def alike_by(answer: dict):
    """What of an answer tells it apart: its output, or what came where the driver makes of it no more than
    a few facts, a list of texts whose first is empty; those are shared by much else."""
    output = answer["output"]
    is_facts = isinstance(output, list) and output[:1] == [""] and "came" in answer
    return answer["came"] if is_facts else output


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
        value = decode(alike_by(answer))
        numbers = _numbers(value)
        finite = numbers.where(numbers.isfinite(), numbers.new_zeros(()))
        size = _weights(len(numbers)).abs() @ finite.abs()
        shown[index] = sums_of(alike_by(answer)), size.max().item(), _tolerance(value)
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
