"""Which property that every right result has a wrong one lacks."""

from __future__ import annotations

import torch

from allyouneed.check.compare import compare_values
from allyouneed.check.wire import WireError, decode


def broken_property(fingerprint: dict, answers: list[dict], failed: dict[int, str], index: int) -> str:
    for relation in fingerprint.get("relations", []):
        first, second = relation["probes"]
        if not {first, second} & set(failed) or "error" in answers[first] or "error" in answers[second]:
            continue
        pair = [_part(answers[number], relation.get("part")) for number in (first, second)]
        if None not in pair and compare_values(pair[0], pair[1], True) is not None:
            return relation["message"]
    for rule in fingerprint.get("properties", []):
        value = _part(answers[index], rule.get("part"))
        if isinstance(value, torch.Tensor):
            if "dim_argument" in rule:
                rule = rule | {"dim": probe_argument(fingerprint["probes"][index], rule["dim_argument"])}
            if "like_argument" in rule:
                rule = rule | {"like": probe_argument(fingerprint["probes"][index], rule["like_argument"])}
            message = PROPERTIES[rule["rule"]](value, rule)
            if message:
                return message
    return ""


def probe_argument(probe: dict, index: int):
    """The decoded positional argument of a probe, for properties that depend on it."""
    return decode(probe["args"][index])


def _finite(value, rule):
    if value.is_floating_point() and not torch.isfinite(value).all():
        kind = "NaN" if torch.isnan(value).any() else "infinite values"
        return f"The result holds {kind}; every number must be finite."


def _sums_to_one(value, rule):
    sums = value.double().sum(dim=rule.get("dim", -1))
    bad = (sums - 1).abs() > 1e-3
    if rule.get("or_zero"):
        bad &= sums.abs() > 1e-3
    if bad.any():
        return f"{rule['what']} must sum to 1, but one sums to {sums[bad].reshape(-1)[0].item():.4g}."


def _non_negative(value, rule):
    if (value < 0).any():
        return f"{rule['what']} must not be negative, but one is {value.min().item():.4g}."


def _non_positive(value, rule):
    if (value > 1e-6).any():
        return f"{rule['what']} must not be positive, but one is {value.max().item():.4g}."


def _lengths(value, rule):
    """The lengths along the last axis, or its pairs, are 1 or those of the argument that the rule names."""

    def lengths(tensor):
        return (tensor.unflatten(-1, (-1, 2)) if rule.get("pairs") else tensor).double().norm(dim=-1)

    found, wanted = lengths(value), lengths(rule["like"]) if "like" in rule else torch.ones(())
    bad = (found - wanted).abs() > 1e-3
    if bad.any():
        wanted = wanted.expand_as(found)[bad][0].item()
        return f"{rule['what']} must have the length {wanted:.4g}, but one has {found[bad][0].item():.4g}."


PROPERTIES = {
    "finite": _finite,
    "sums_to_one": _sums_to_one,
    "non_negative": _non_negative,
    "non_positive": _non_positive,
    "lengths": _lengths,
}


def _part(answer: dict, part):
    try:
        value = decode(answer["output"])
        return value if part is None else value[part]
    except (WireError, KeyError, IndexError, TypeError):
        return None
