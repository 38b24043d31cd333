"""Small inputs for an exercise, in the form of its public probes: sizes of at most 3, numbers of one digit.

A size that occurs twice in a probe occurs twice in what is made of it, and one that is a product of others
stays so. What holds of all probes holds of what is made: a size that is even or a multiple of 4, one that
another divides, one that is one more than another, two numbers that differ, rows that are not 0. Whether an
input is a possible one, the student's code shows too: what it fails on is not taken.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import torch

from allyouneed.check.questions.always import Always, always_of, holds, places
from allyouneed.check.questions.told import count, tell
from allyouneed.check.wire import decode, encode

# drivers whose probes hold the arguments of a plain call, and how many come before these
PLAIN = {
    "call": 0,
    "without_indexing": 0,
    "any_collection": 0,
    "causal_bias": 0,
    "rotary": 0,
    "keys_at_once": 0,
    "filtered_logits": 0,
    "dict_entry": 0,
}
MOST_NUMBERS, LONGEST = 24, 240  # of all arguments together, and of their text
TRIES, BASES = 20, 8  # for each input that is wanted; probes whose form is taken
DRAWS = 60  # of a mask
SHORT = 400  # numbers in a probe that is taken as it is


def is_plain(driver: str) -> bool:
    """Whether the inputs of an exercise can be shown, and its results too."""
    return driver in PLAIN


def small_inputs(fingerprint: dict, rng: random.Random, wanted: int, most: int = MOST_NUMBERS) -> list[dict]:
    """Up to `wanted` inputs of at most `most` numbers as probes of a plain call, no two alike."""
    probes = (probe for probe in fingerprint["probes"] if not probe.get("edge") and not probe.get("long"))
    calls = [(decode(probe["args"]), decode(probe["kwargs"]) or {}) for probe in probes]
    bases = sorted(calls, key=lambda call: count(call[0]))[:BASES]
    always = always_of(calls)
    found: dict[str, tuple] = {}
    for tries in range(TRIES * wanted):
        if not bases or len(found) == wanted:
            break
        # a product of other sizes is one by chance now and then: at last it need not stay one
        made = _like(*bases[tries % len(bases)], always, rng, 1.0 if tries < TRIES // 2 * wanted else 0.7)
        if not holds(always, made):
            continue
        text = _told(*made, ())
        plain = "a tensor of shape" not in text
        if plain and count(made[0]) <= most and len(text) <= LONGEST:
            found.setdefault(text, made)
    return [
        {"name": "small", "args": [encode(value) for value in arguments], "kwargs": encode(keywords)}
        for arguments, keywords in found.values()
    ]


def probes_of(fingerprint: dict) -> list[dict]:
    """A fingerprint's probes as they are, edges first, all but the long ones: for what holds everywhere."""
    probes = [probe for probe in fingerprint["probes"] if not probe.get("long")]
    return sorted(probes, key=lambda probe: not probe.get("edge"))


def is_short(probe: dict) -> bool:
    """Whether a probe holds few numbers and is no edge: an input for code that fails on all small ones."""
    return not probe.get("edge") and count(decode(probe["args"])) <= SHORT


def call_text(probe: dict, parameters: tuple[str, ...]) -> str:
    """The arguments of a plain call as text: "x = [1, 2], dim = 0"."""
    return _told(decode(probe["args"]), decode(probe["kwargs"]) or {}, parameters)


def _told(arguments: list, keywords: dict, parameters: tuple[str, ...]) -> str:
    names = [*parameters, *(f"argument {index + 1}" for index in range(len(parameters), len(arguments)))]
    pairs = [*zip(names, arguments), *keywords.items()]
    return ", ".join(f"{name} = {tell(value)}" for name, value in pairs)


def _like(
    arguments: list, keywords: dict, always: Always, rng: random.Random, share: float
) -> tuple[list, dict]:
    multiples: dict[int, int] = {}
    row = dict(places((arguments, keywords)))
    for place, size in row.items():
        multiples[size] = math.lcm(multiples.get(size, 1), always.multiples.get(place, 1))
    tied = {row[a]: (row[b], more) for (a, b), more in always.more.items() if {a, b} <= row.keys()}
    sizes = _smaller(sorted(set(_sizes([arguments, keywords]))), multiples, tied, rng, share)
    remade = [_remade(value, sizes, rng) for value in arguments]
    return remade, {key: _remade(value, sizes, rng) for key, value in keywords.items()}


def _sizes(value) -> Iterator[int]:
    if isinstance(value, torch.Tensor):
        yield from value.shape
    elif isinstance(value, (list, tuple)):
        if len(value) > 3:
            yield len(value)
        for item in value:
            yield from _sizes(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _sizes(item)
    elif type(value) is int and 1 < value < 40:
        yield value


def _smaller(
    sizes: list[int],
    multiples: dict[int, int],
    tied: dict[int, tuple[int, int]],
    rng: random.Random,
    share: float,
) -> dict[int, int]:
    """For each size a small one, with neighbours among them kept, and a share of the products, also of those
    with one more; what is to be a multiple of 2 or 4 is one, and what is `tied` is so much more than another.
    """
    small: dict[int, int] = {}
    for size in sizes:
        if size in tied:
            other, more = tied[size]
            small[size] = small.get(other, other) + more
            continue
        ways = [size] if size <= 2 else [2, 3] if size > 3 else [3, 3, 2]
        products = [
            small[a] * small[b] * (small.get(c, 1) if c else 1) + more
            for a in small
            for b in small
            for c in (0, *small)
            for more in (0, 1)
            if a > 1 and b > 1 and c != 1 and a * b * (c or 1) + more == size
        ]
        if products and rng.random() < share:
            ways = products
        elif size - 1 in small and size > 3 and rng.random() < 0.3:
            ways = [small[size - 1] + 1]
        elif size > 3 and (parts := [part for part in small if part > 1 and size % part == 0]):
            ways = [small[rng.choice(parts)] * rng.choice((1, 2))] if rng.random() < 0.5 else ways
        unit = multiples.get(size, 1)
        least = max(small.values(), default=1)  # a larger size stays the larger one
        least = -(-least // unit) * unit
        small[size] = rng.choice([way for way in ways if way >= least and way % unit == 0] or [least])
    return small


def _remade(value, sizes: dict[int, int], rng: random.Random):
    if isinstance(value, torch.Tensor):
        return _tensor(value, [sizes.get(size, size) for size in value.shape], rng, sizes)
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return sizes.get(value, value) if value < 40 else rng.randint(2, 9)
    if isinstance(value, float):
        return (
            value if not value or value != value else 0.5 if abs(value) < 1 else 2.0 if value < 10 else 100.0
        )
    if isinstance(value, (list, tuple)):
        kept = value[: sizes.get(len(value), len(value))] if len(value) > 3 else value
        return type(value)(_remade(item, sizes, rng) for item in kept)
    if isinstance(value, dict):
        words = value and all(type(item) is int for item in value.values())
        return {
            key: rng.randint(1, 5) if words and type(key) is str else _remade(item, sizes, rng)
            for key, item in list(value.items())[: 3 if words else None]
        }
    return value


def _tensor(value: torch.Tensor, shape: list[int], rng: random.Random, sizes: dict[int, int]) -> torch.Tensor:
    n = 1
    for size in shape:
        n *= size
    if value.dtype == torch.bool:
        kept = [
            (axis, new)
            for axis in range(-len(shape), 0)
            for new in (True, False)
            if n and value.numel() and (value == new).any(axis).all()
        ]
        for _ in range(DRAWS):
            mask = torch.tensor([rng.random() < 0.6 for _ in range(n)]).reshape(shape)
            if all((mask == new).any(axis).all() for axis, new in kept):
                break  # what has a True, or a False, along an axis throughout keeps one
        return mask
    if not value.is_floating_point():
        low = 0 if not value.numel() or value.min() >= 0 else int(value.min().clamp(min=-2))
        most = int(value.max()) if value.numel() else 2
        bounds = [sizes[size] - (size > most) for size in sizes if size >= most]  # ids, lengths
        high = min(most, 3, *bounds) if bounds else min(most, 3)
        return (
            torch.tensor([rng.randint(low, max(low, high)) for _ in range(n)]).reshape(shape).to(value.dtype)
        )
    if _are_weights(value) and shape[-1] > 0:
        rows = [_shares(shape[-1], rng) for _ in range(n // shape[-1])]
        return torch.tensor(rows, dtype=value.dtype).reshape(shape)
    low = -2 if not value.numel() or value.min() < 0 else int(value.min() > 0)
    width, few = shape[-1] if shape else 1, [float(number) for number in range(low, 4)]
    if width and width <= len(few) and not _has_ties(value):
        rows = [
            rng.sample([number for number in few if number or width > 1], width) for _ in range(n // width)
        ]
    else:
        rows = [[rng.choice(few) for _ in range(width)] for _ in range(n // max(width, 1))]
    return torch.tensor(rows, dtype=value.dtype).reshape(shape)


def _has_ties(value: torch.Tensor) -> bool:
    """Whether a row has a number twice, or is 0: what is made has none, where the probe has none."""
    if not value.dim() or value.shape[-1] < 2 or not value.numel():
        return bool((value == 0).any())
    in_order = value.sort(-1).values
    return bool((in_order[..., 1:] == in_order[..., :-1]).any())


def _are_weights(value: torch.Tensor) -> bool:
    """Whether each row is positive and sums to 1."""
    if not value.dim() or not value.numel() or value.min() < 0 or value.shape[-1] < 2:
        return False
    sums = value.double().sum(-1)
    return bool(torch.allclose(sums, torch.ones_like(sums), atol=1e-3))


def _shares(n: int, rng: random.Random) -> list[float]:
    """n simple shares of 1."""
    cuts = sorted(rng.choice((0.0, 0.25, 0.5, 0.75, 1.0)) for _ in range(n - 1))
    return [right - left for left, right in zip([0.0, *cuts], [*cuts, 1.0])]
