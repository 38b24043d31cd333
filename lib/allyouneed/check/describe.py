"""An honest message for a mistake without a name: the smallest probe that fails, what the result is like."""

from __future__ import annotations

import torch

from allyouneed.check.behaves import as_if, decisive, values_of
from allyouneed.check.compare import compare_values
from allyouneed.check.drivers import shown_call
from allyouneed.check.forms import form_fault, is_dict
from allyouneed.check.properties import broken_property
from allyouneed.check.shown import show, show_call
from allyouneed.check.value_relations import related
from allyouneed.check.wire import WireError, decode

BESIDE = {
    "changed": "the input is not what it was before the call: work on a new tensor.",
    "gradient": (
        "the gradient that comes back to the inputs is not: keep to differentiable torch operations."
    ),
}


STOPS = (
    (
        "Boolean value of Tensor with more than one value",
        "truth-of-tensor",
        "Python's and, or, not, if and while ask whether a whole tensor is true, which it cannot say. Join "
        "masks with &, | and ~, each comparison in brackets, since & goes before <; write a < b < c as two "
        "comparisons; ask for an argument that was not given with `is None`, and reduce with "
        ".any() or .all() where one answer is meant.",
    ),
    (
        "written-to tensor refers to a single memory location",
        "writes-into-expanded",
        "An expanded tensor is written into, whose rows share their memory. Call .clone() on it first, or "
        "make a new tensor.",
    ),
    (
        "modified by an inplace operation",
        "overwritten-for-gradient",
        "A value that the gradient needs is overwritten in place, itself or through a view of it. Make a new "
        "tensor: x = x - y instead of x -= y, torch.stack of a list instead of writing into slices.",
    ),
)
NAN = (
    "NaN comes from ∞ − ∞, ∞ / ∞, 0 · ∞ or 0 / 0: the softmax of a row that is −∞ throughout, a maximum of "
    "−∞ that is subtracted, an exponential that overflows, a sum of weights that is 0. Look for such a row, "
    "and treat it by itself."
)
GO_ON = "Shape and type are right: go through the steps by hand on a small input."
GO_ON_WITH_A_DICT = "Go through the steps by hand on a small input."  # its values may be shapes or types
ONE = (
    "What fails are the inputs with an axis of the size 1, such as a batch of one. squeeze() without an axis "
    "drops every such axis, and an axis of 1 is repeated where another size meets it: look for both, and "
    "name axes by their number."
)


def describe_failure(
    name: str, fingerprint: dict, answers: list[dict], failed: dict[int, str], reveal: bool
) -> tuple[str, str]:
    """Return ``(kind, message)`` for the smallest failing probe; `kind`: "unknown", a general fault, or what
    the results behave like.

    With `reveal` it shows the probe, what is expected, what came back, and shapes; without, only what follows
    from the student's own code.
    """
    probes = fingerprint["probes"]
    index = min(
        failed,
        key=lambda number: (
            failed[number] in BESIDE,
            bool(probes[number].get("edge")),
            _size(probes[number]["args"]),
            number,
        ),
    )
    probe, answer, word = probes[index], answers[index], failed[index]
    expected = fingerprint["right"][0][index]
    # where a driver asked in another form
    asked = probe | {"args": answer["asked"]} if "asked" in answer else probe
    call = shown_call(fingerprint["driver"], name, asked) or show_call(name, asked) if reveal else ""
    where = f"On the probe “{probe['name']}”" + (f" with {call}" if reveal else "")
    one = f" {ONE}" if _only_with_an_axis_of_one(probes, failed) else ""
    if "error" in answer:
        said = str(answer["text"]).rstrip(".")
        text = f"{where}, {name} stops with {answer['error']}{f': {said}' if said else ''}."
        text += _place(answer, reveal)
        for sign, kind, advice in STOPS:
            if sign in str(answer["text"]):
                return kind, f"{text} {advice}"
        return ("axis-of-one" if one else "raises"), text + one
    if word in BESIDE:
        return "unknown", f"{where}, the values are right, but {BESIDE[word]}"
    shape = form_fault(expected["output"], answer["output"], word)
    if shape:
        return ("axis-of-one" if one else f"wrong-{word}"), f"{where}, {shape}{one}"
    beside = (
        _beside(fingerprint["right"], index, answer, fingerprint.get("any_float", False)) if reveal else ""
    )
    if known := as_if(fingerprint, answers, failed):
        return known["id"], f"{where}, the result is not right.{beside} {known['message']}"
    if _is_nan(answer) and not _is_nan(expected):
        return "gives-nan", f"{where}, the result holds NaN, and every number must be one.{beside} {NAN}"
    found = broken_property(fingerprint, answers, failed, index)
    relation = None
    if set(failed.values()) <= {"value", "gradient", "changed"}:
        relation = related(fingerprint["right"], answers, sorted(decisive(fingerprint, values_of(failed))))
    if len(failed) == 1:
        one = ""  # wrong numbers have many reasons; a lost axis would show elsewhere too
    kind, sentence = ("axis-of-one", "") if one else relation or ("unknown", "")
    go_on = GO_ON_WITH_A_DICT if is_dict(expected["output"]) else GO_ON
    text = " ".join(filter(None, (sentence, found if found or sentence else go_on)))
    return kind, f"{where}, the result is not right.{beside} {text}{one}"


def _place(answer: dict, reveal: bool) -> str:
    """The student's own line where the code stopped, and the shapes of what stood there."""
    if not answer.get("line"):
        return ""
    shapes = f", where {answer['shapes']}" if reveal and answer.get("shapes") else ""
    return f" It stops at `{answer['line']}`{shapes}."


def _only_with_an_axis_of_one(probes: list[dict], failed: dict[int, str]) -> bool:
    """Whether all that fails has a tensor with an axis of 1, and what holds has none, with as many axes."""

    def shapes(index):
        return [
            item["shape"] for item in probes[index]["args"] if isinstance(item, dict) and "tensor" in item
        ]

    ones = {
        index for index in range(len(probes)) if any(1 in shape and len(shape) > 1 for shape in shapes(index))
    }
    forms = {tuple(map(len, shapes(index))) for index in set(range(len(probes))) - ones}
    return set(failed) <= ones and all(tuple(map(len, shapes(index))) in forms for index in failed)


def _beside(rights: list[list[dict]], index: int, answer: dict, any_float: bool) -> str:
    """The expected result beside the one that came back; of a large one, the first number that differs."""
    if "came" in answer or len(rights) > 1:  # it was brought to another form, or several are right
        return f" What came back: {show(answer.get('came', answer['output']))}."
    want, got, part = rights[0][index]["output"], answer["output"], ""
    if isinstance(want, dict) and "tuple" in want:
        wants, gots = want["tuple"], got["tuple"] if isinstance(got, dict) else got
        number = next(
            place
            for place, pair in enumerate(zip(wants, gots))
            if compare_values(decode(pair[0]), decode(pair[1]), any_float) is not None
        )
        want, got, part = wants[number], gots[number], f"Of the values that come back, number {number + 1}: "
    if isinstance(want, dict) and "tensor" in want and _large(want):
        a, b = (torch.as_tensor(decode(item)) for item in (want, got))
        away = torch.isclose(a.double(), b.double(), rtol=1e-4, atol=1e-5, equal_nan=True).logical_not()
        if not away.any():
            return ""
        place = away.nonzero()[0].tolist()
        return (
            f" {part}at {place} of {tuple(a.shape)} {_number(a, place)} is expected, and you return "
            f"{_number(b, place)}."
        )
    if show(want) == show(got):
        return ""
    return f" {part}{show(want)} is expected, and you return {show(got)}."


def _large(data: dict) -> bool:
    size = 1
    for length in data["shape"]:
        size *= length
    return size > 16


def _number(tensor: torch.Tensor, place: list[int]) -> str:
    value = tensor[tuple(place)].item()
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _is_nan(answer: dict) -> bool:
    try:
        value = decode(answer["output"])
    except WireError:
        return False
    return any(
        isinstance(item, torch.Tensor) and item.is_floating_point() and bool(item.isnan().any())
        for item in (value if isinstance(value, (list, tuple)) else [value])
    )


def _size(arguments: list) -> int:
    total = 0
    for item in arguments:
        if isinstance(item, dict) and "tensor" in item:
            count = 1
            for size in item["shape"]:
                count *= size
            total += count
        elif isinstance(item, list):
            total += len(item)
    return total
