"""What holds of the sizes and whole numbers in all probes of an exercise, so that what is made like them
keeps it: a size that is even, one that another divides or that is one more, two numbers that differ."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch

CERTAIN = {"number": 2, "size": 3}  # different ones that it takes to see what holds of all
ENOUGH = 3  # pairs of numbers, to see that they are never the same, and of sizes that one is one more
NEAREST = 2  # the largest difference of two sizes that is taken to be meant


@dataclass(frozen=True)
class Always:
    """What holds of the sizes in all probes, each known by where it stands: of which number it is a multiple
    (1, 2 or 4), which other divides it, which other is less by one or two, and which whole numbers are never
    the same."""

    multiples: dict[tuple, int]
    divided: set[tuple[tuple, tuple]]
    more: dict[tuple[tuple, tuple], int]
    apart: set[tuple[tuple, tuple]]


def always_of(calls: list[tuple]) -> Always:
    rows = [dict(places(call)) for call in calls]
    known = set().union(*rows)
    sizes = {place: {row[place] for row in rows if place in row} for place in known}
    varied = {place for place in known if len(sizes[place]) >= CERTAIN[place[-1]]}
    multiples = {place: math.gcd(4, *sizes[place]) for place in varied}
    # of places that always hold the same number one is enough: they stay the same
    columns = {(place[-1], tuple(row.get(place) for row in rows)): place for place in sorted(known, key=str)}
    pairs = list(itertools.permutations(columns.values(), 2))
    both = {pair: [(row[pair[0]], row[pair[1]]) for row in rows if {*pair} <= row.keys()] for pair in pairs}
    divided = {
        (one, two)
        for (one, two), found in both.items()
        if one in varied and len({b for _, b in found}) > 1 and all(b and a % b == 0 for a, b in found)
    }
    more = {
        (one, two): found[0][0] - found[0][1]
        for (one, two), found in both.items()
        if one[-1] == two[-1] == "size"
        and len({*found}) >= ENOUGH
        and len({a - b for a, b in found}) == 1
        and 0 < found[0][0] - found[0][1] <= NEAREST
    }
    apart = {
        (one, two)
        for (one, two), found in both.items()
        if one[-1] == two[-1] == "number" and len(found) >= ENOUGH and all(a != b for a, b in found)
    }
    return Always(multiples, divided, more, apart)


def holds(always: Always, call: tuple) -> bool:
    row = dict(places(call))
    return (
        all(row[place] % number == 0 for place, number in always.multiples.items() if place in row)
        and all(row[b] and row[a] % row[b] == 0 for a, b in always.divided if {a, b} <= row.keys())
        and all(row[a] - row[b] == more for (a, b), more in always.more.items() if {a, b} <= row.keys())
        and all(row[a] != row[b] for a, b in always.apart if {a, b} <= row.keys())
    )


def places(value, place: tuple = ()) -> Iterator[tuple[tuple, int]]:
    """Each size and whole number in a value, and where it stands."""
    if isinstance(value, torch.Tensor):
        yield from (((*place, axis - value.dim(), "size"), size) for axis, size in enumerate(value.shape))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from places(item, (*place, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*place, key))
    elif type(value) is int:
        yield (*place, "number"), value
