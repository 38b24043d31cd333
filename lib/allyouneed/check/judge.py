"""From answers to a verdict: right, a mistake known by name, or an honest description of what is broken.

The same judge serves the student's own check (public probes, read from a data file) and grading (hidden
probes, in the grader's process). It sees data only: the answers, and a fingerprint with the right answers and
those of known mistakes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import torch

from allyouneed.check.behaves import both_of
from allyouneed.check.bounded import MEMORY, SECONDS
from allyouneed.check.describe import describe_failure
from allyouneed.check.mistakes import failures, known_mistake, unexplained
from allyouneed.check.stopped import owner
from allyouneed.check.wire import WireError, decode

BUILT_IN = {
    "no-answer": (
        "There is nothing named {name} to grade. Define {name} in the cell above the check, with "
        "exactly this name."
    ),
    "not-implemented": (
        "{name} is not written yet: it still raises NotImplementedError. Replace that line with your code."
    ),
    "ready-made": (
        "{name} uses {detail}, which does the work that this exercise asks for. Write the steps "
        "yourself, with functions that do less."
    ),
    "timeout": (
        f"{{name}} did not end within {SECONDS:g} seconds. Look for a loop whose condition never changes, "
        "for loops over single numbers where one tensor operation would do, or for what waits, such as "
        "input()."
    ),
    "out-of-memory": (
        f"{{name}} needs more than {MEMORY / 2**30:g} GiB of memory. Look for a list or a tensor that grows "
        "with every step of a loop, or for an axis too many: a result of shape (n, n, d) where (n, d) would "
        "do."
    ),
    "ends-python": (
        "{name} ends the process that it runs in, where a notebook would lose its kernel and all that stands "
        "in it. Look for a call that exits, and for one that recurses without end."
    ),
    "returns-nothing": (
        "{name} returns None{detail}. End every way through the function with a return statement."
    ),
    "changes-input": (
        "{detail}{name} changes its input in place. Work on a new tensor: "
        "write x = x - y instead of x -= y, and masked_fill instead of masked_fill_. Copy a "
        "dict or a list before you change it. A slice, a transpose and a view have the memory of what they "
        "are taken from: clone() such a part before you write into it."
    ),
    "no-gradient": "The values are right, but the gradient that comes back to the inputs {detail}",
}
CALLS_UNWRITTEN = "{name} calls {other}, which is not written yet. Write {other} first."
# what has become of the gradient: it is missing, it holds NaN, or it is another one
GRADIENT = {
    "missing": (
        "is not. Keep to differentiable torch operations: no .detach(), .item(), .data, no_grad, "
        "requires_grad_(False), numpy or torch.tensor(...) on the way."
    ),
    "nan": (
        "holds NaN. What torch.where leaves out still takes part in the gradient, and 0 times infinity is "
        "NaN. Change the numbers before the function that makes infinity of them, not after it."
    ),
    "another": (
        "is another one. See at which steps it is cut off, by .detach(), .item(), .data, no_grad, numpy or "
        "torch.tensor(...), and at which the exercise asks for that."
    ),
}

STOPPED = {"OutOfMemory": "out-of-memory", "Timeout": "timeout", "Gone": "ends-python"}
SIDE_EFFECT = (
    " While {name} runs, it changes {changed}, also for every other cell. The check has put that back; leave "
    "it as it is."
)
AUTOGRAD_REFUSALS = {
    "leaf Variable that requires grad is being used in an in-place": "changes-input",
    "Can't call numpy() on Tensor that requires grad": "no-gradient",
}


@dataclass(frozen=True)
class Verdict:
    """What is decided about one exercise of one student."""

    exercise: str
    passed: bool
    points: float
    max_points: float
    misconception: str | None
    message: str
    section: str = ""

    def as_dict(self) -> dict:
        return asdict(self)


def judge(name: str, fingerprint: dict, response: dict, reveal: bool = True) -> Verdict:
    """Judge the `response` of a candidate to the probes of `fingerprint`.

    `response` is ``{"missing": bool, "ready_made": str | None, "answers": [...]}``. With `reveal` false the
    message shows no probe's numbers, as grading on hidden probes requires.
    """
    verdict = _judged(name, fingerprint, response, reveal)
    return replace(verdict, message=verdict.message + side_effect(name, response))


def side_effect(name: str, response: dict) -> str:
    """A sentence on what the candidate changes outside of its result, or nothing."""
    changed = response.get("changed")
    return SIDE_EFFECT.format(name=name, changed=changed) if changed else ""


def _judged(name: str, fingerprint: dict, response: dict, reveal: bool) -> Verdict:
    max_points = sum(fingerprint["points"].values())

    def verdict(misconception, message, points=0, section=None):
        section = fingerprint["section"] if section is None else section
        return Verdict(name, misconception is None, points, max_points, misconception, message, section)

    def built_in(kind, detail="", points=0):
        if kind == "no-gradient":
            detail = GRADIENT[_gradient_is(fingerprint, answers, failed)]
        elif kind == "changes-input" and set(failed.values()) <= {"changed", "gradient"}:
            detail = "The values are right, but "
        return verdict(kind, BUILT_IN[kind].format(name=name, detail=detail), points)

    answers, probes = response.get("answers") or [], fingerprint["probes"]
    if response.get("missing"):
        return built_in("no-answer")
    if response.get("broken"):
        importing = response["broken"].partition(":")[0] in (
            "SyntaxError",
            "IndentationError",
            "TabError",
            "ImportError",
            "ModuleNotFoundError",
        )
        return verdict(
            "does-not-import" if importing else "raises",
            f"The code cannot be run: {response['broken']}. Fix this first.",
        )
    if len(answers) != len(probes):
        return built_in("no-answer")
    if all(map(is_unwritten, answers)):
        where = {owner(answer.get("function", "")) for answer in answers}
        other = where.pop() if len(where) == 1 else ""
        if other and other != name:  # which a decorator, too, would call
            return verdict("not-implemented", CALLS_UNWRITTEN.format(name=name, other=other))
        return built_in("not-implemented")
    if response.get("ready_made"):
        return built_in("ready-made", response["ready_made"])

    failed = failures(fingerprint, answers)
    if not failed:
        return verdict(None, f"{name}: every check passed.", max_points)

    points = _partial_points(fingerprint["points"], probes, failed)
    mistake = known_mistake(fingerprint, answers, failed)
    if mistake is None or mistake["id"] in BUILT_IN:
        if refused := _refused_by_autograd(fingerprint, answers, failed):
            return built_in(refused, points=points)
    if mistake is None or unexplained(fingerprint, mistake, failed):
        if both := both_of(fingerprint, answers, failed):
            first, second = (_of_name(fingerprint, kind) for kind in both)
            message = f"Two things. First: {first['message']} Second: {second['message']}"
            return verdict("+".join(both), message, points, first["section"])
    if mistake is not None and mistake["id"] not in BUILT_IN:
        return verdict(mistake["id"], mistake["message"], points, mistake["section"])
    if mistake is not None and mistake["id"] in ("changes-input", "no-gradient"):
        return built_in(mistake["id"], points=points)
    for error, kind in STOPPED.items():
        if any(answer.get("error") == error for answer in answers):
            return built_in(kind, points=points)
    if all("error" not in answers[index] and answers[index].get("output") is None for index in failed):
        return built_in("returns-nothing", " on some probes" if len(failed) < len(probes) else "", points)
    words = set(failed.values())
    if words == {"changed"}:
        return built_in("changes-input", points=points)
    if words == {"gradient"}:
        return built_in("no-gradient", points=points)
    kind, message = describe_failure(name, fingerprint, answers, failed, reveal)
    return verdict(kind, message, points)


def _gradient_is(fingerprint: dict, answers: list[dict], failed: dict[int, str]) -> str:
    """ "missing" where nothing comes back to an input that should get something, else "nan" or "another"."""
    found = set()
    for index in (index for index, word in failed.items() if word == "gradient"):
        wanted = fingerprint["right"][0][index].get("gradients", [])
        for want, got in zip(wanted, _gradients_in(answers[index], len(wanted))):
            want = None if want is None else decode(want)
            if got is None or not got.any():
                if want is not None and want.any():
                    return "missing"
            else:
                found.add("nan" if got.isnan().any() else "another")
    return "nan" if "nan" in found else "another" if found else "missing"


def _gradients_in(answer: dict, count: int) -> list[torch.Tensor | None]:
    """The gradients of an answer; what is not `count` tensors counts as none."""
    try:
        came = [None if item is None else decode(item) for item in answer["gradients"]]
    except (WireError, KeyError, TypeError, ValueError):
        came = []
    whole = len(came) == count and all(item is None or isinstance(item, torch.Tensor) for item in came)
    return came if whole else [None] * count


def is_unwritten(answer: dict) -> bool:
    """Whether an answer is the bare error of a released cell; torch's errors of this type say something."""
    return answer.get("error") == "NotImplementedError" and not answer.get("text")


def _refused_by_autograd(fingerprint: dict, answers: list[dict], failed: dict[int, str]) -> str | None:
    """The mistake whose only signs are changed inputs and torch's refusal to go on to a gradient.

    Of a gradient nothing is said where the exercise asks for none: numpy() may stop for another reason there.
    """
    wants_gradient = any("gradients" in right for right in fingerprint["right"][0])
    for text, kind in AUTOGRAD_REFUSALS.items():
        if kind == "no-gradient" and not wants_gradient:
            continue
        stopped = {index for index in failed if text in str(answers[index].get("text", ""))}
        if stopped and all(failed[index] in ("changed", "gradient") for index in set(failed) - stopped):
            return kind
    return None


def _partial_points(points: dict[str, int], probes: list[dict], failed: dict[int, str]) -> int:
    """Points of the groups that hold, once the first group does: nothing is earned beside a wrong core."""
    broken = {probes[index]["group"] for index in failed}
    first = next(iter(points))
    return 0 if first in broken else sum(value for group, value in points.items() if group not in broken)


def _of_name(fingerprint: dict, kind: str) -> dict:
    return next(mistake for mistake in fingerprint["wrong"] if mistake["id"] == kind)
