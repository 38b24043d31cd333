"""Call a function that fits loss = floor + a · size^(−alpha), and say how its curve lies to the data.

The arguments of the probe are the sizes and the losses, lists of numbers; ``form`` says what the candidate
gets: "list", "tuple", "tensor", "single" (a float32 tensor) or "array" (numpy's). Three numbers may come back
in a tuple, list, tensor or array.

The answer is three texts. Where the curve of the numbers runs through the data, each is told by its place on
a scale whose steps are STEP wide: so two numbers within 5 % of the middle of a step are one answer, and
rubrics put the true ones there. Where it does not, but would if the numbers were read otherwise (another
order, another sign, a logarithm), the answer is how. Where nothing helps, it is what is known of each.
"""

from __future__ import annotations

import math

import torch

from allyouneed.check.answers import changes, encode_output
from allyouneed.check.wire import decode

STEP = 0.95**-2  # from −5 % to +5 % around the middle
RUNS_THROUGH, WOULD = 0.015, 0.005  # the largest relative distance to a loss
# where a curve ends: the most that it lies above the loss of the largest size, and words for that
ENDS = (0.15, "near the last loss"), (1.1, "above the last loss")
STEEP = 5.0  # no loss falls by such an exponent; one that was fitted to sizes does
SHARES = [number / 20 for number in range(1, 20)]


def put(candidate, probe: dict) -> dict:
    """Ask for the fit; a list, array or tensor that the candidate changes in place is noticed."""
    sizes, losses = decode(probe["args"])
    form = probe.get("form", "list")
    given, before = ([_as(values, form) for values in (sizes, losses)] for _ in range(2))
    torch.default_generator.manual_seed(0)
    came = candidate(*given)
    numbers = _numbers(came)
    answer = {
        "output": None if came is None else told(numbers, sizes, losses),
        "came": encode_output(came if numbers is None else tuple(numbers)),
    }
    return answer | changes(map(_plain, given), map(_plain, before))


def _as(values, form):
    if form in ("tensor", "single"):
        return torch.tensor(values, dtype=torch.float32 if form == "single" else torch.float64)
    if form == "array":
        return torch.tensor(values, dtype=torch.float64).numpy()
    return tuple(values) if form == "tuple" else list(values)


def _plain(values):
    return torch.as_tensor(values).clone() if not isinstance(values, (list, tuple)) else values


def _numbers(came):
    """Three real numbers, or None."""
    if isinstance(came, dict) or came is None or isinstance(came, str):
        return None
    try:
        if getattr(came, "shape", None) is not None and tuple(came.shape) not in ((3,), (3, 1), (1, 3)):
            return None
        if getattr(came, "shape", None) is not None:
            came = came.reshape(-1)
        numbers = [float(item) for item in came]
    except (TypeError, ValueError, RuntimeError):
        return None
    return numbers if len(numbers) == 3 else None


def told(numbers: list[float] | None, sizes, losses) -> list[str]:
    """What is known of (a, alpha, floor) beside the data: three texts."""
    if numbers is None:
        return ["not three real numbers", "", ""]
    if not all(math.isfinite(number) for number in numbers):
        return ["not finite", "", ""]
    if _distance(numbers, sizes, losses) <= RUNS_THROUGH and abs(numbers[2]) > 1e-3 * min(losses):
        return [_place(number) for number in numbers]
    for name, reading in _readings(*numbers, sizes, losses):
        if _distance(reading, sizes, losses) <= WOULD:
            return ["would run through the losses", name, ""]
    return [
        "",
        f"alpha is {'not positive' if numbers[1] <= 0 else 'positive' if numbers[1] <= STEEP else 'large'}",
        f"floor is {_floor(numbers, sizes, losses)}",
    ]


def _distance(numbers, sizes, losses) -> float:
    return max(abs(_above(numbers, size, loss)) for size, loss in zip(sizes, losses))


def _above(numbers, size, loss) -> float:
    """How far above a loss the curve lies, relative to the loss."""
    a, alpha, floor = numbers
    try:
        return (floor + a * float(size) ** -alpha - loss) / abs(loss)
    except (OverflowError, ZeroDivisionError, TypeError):
        return math.inf


def _end(numbers, sizes, losses) -> str:
    above = _above(numbers, *max(zip(sizes, losses)))
    return next((words for most, words in ENDS if above <= most), "far above the last loss")


def _place(number: float) -> str:
    return f"step {round(math.log(number) / math.log(STEP))}" if number > 0 else "not positive"


def _floor(numbers, sizes, losses) -> str:
    floor, least = numbers[2], min(losses)
    if abs(floor) <= 1e-3 * least:
        return "0"
    if floor < 0:
        return "negative"
    if 0.98 * least <= floor <= 1.0001 * least:
        return f"the smallest loss, {_end(numbers, sizes, losses)}"
    if any(math.isclose(floor, share * least, rel_tol=1e-6) for share in SHARES):
        return "a round share of the smallest loss"
    return "between 0 and the smallest loss" if floor < least else "above the smallest loss"


def _readings(a, alpha, floor, sizes, losses):
    """Other ways to read the three numbers, each with its name."""
    yield "alpha with the other sign", (a, -alpha, floor)
    for order, name in (
        ((2, 1, 0), "a and floor exchanged"),
        ((1, 0, 2), "a and alpha exchanged"),
        ((0, 2, 1), "alpha and floor exchanged"),
        ((1, 2, 0), "another order"),
        ((2, 0, 1), "another order"),
    ):
        numbers = a, alpha, floor
        picked = [numbers[place] for place in order]
        yield name, picked
        yield name, (picked[0], -picked[1], picked[2])
    bases = [math.e, 10.0, 2.0]
    for base in bases:
        if abs(a) < 300:
            yield "the logarithm of a", (base**a, alpha, floor)
            yield "the logarithm of a, alpha with the other sign", (base**a, -alpha, floor)
            yield "the logarithm of 1 / a", (base**-a, alpha, floor)
    for base in bases:
        for other in bases:
            if base != other and a > 0:
                yield (
                    "a by the power of another base",
                    (base ** (math.log(a) / math.log(other)), alpha, floor),
                )
                yield (
                    "alpha from logarithms of two bases",
                    (a, alpha * math.log(base) / math.log(other), floor),
                )
    if a:
        yield "1 / a", (1 / a, alpha, floor)
        yield "a with the other sign", (-a, alpha, floor)
    if alpha:
        yield "1 / alpha", (a, 1 / alpha, floor)
    middle = math.exp(sum(math.log(size) for size in sizes) / len(sizes))
    for unit in (
        max(sizes),
        min(sizes),
        sum(sizes) / len(sizes),
        sizes[0],
        sizes[-1],
        middle,
        sorted(sizes)[len(sizes) // 2],
        1e3,
        1e6,
        1e9,
    ):
        if abs(alpha) < 20:
            yield "sizes in another unit", (a * float(unit) ** alpha, alpha, floor)
    for unit in (max(losses), min(losses), sum(losses) / len(losses), losses[0], losses[-1]):
        yield "losses in another unit", (a * unit, alpha, floor * unit)
    yield "the loss at size 1 in the place of a", (a - floor, alpha, floor)


def shown_call(name: str, probe: dict) -> str:
    """The first few sizes and losses."""
    sizes, losses = decode(probe["args"])
    parts = [
        ", ".join(f"{value:.6g}" for value in values[:4])
        + (f", … {len(values)} in all" if len(values) > 4 else "")
        for values in (sizes, losses)
    ]
    return f"{name}([{parts[0]}], [{parts[1]}])"
