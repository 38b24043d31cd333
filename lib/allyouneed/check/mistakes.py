"""Which answers are wrong, and which known mistake gives them."""

from __future__ import annotations

from collections.abc import Sequence

from allyouneed.check.behaves import sums_of
from allyouneed.check.compare import difference


def failures(fingerprint: dict, answers: Sequence[dict | None]) -> dict[int, str]:
    """How each wrong answer differs from the right one, by the probe's number; None was not asked."""
    rights, any_float = fingerprint["right"], fingerprint["any_float"]
    words = {
        index: _difference(rights, index, answer, any_float)
        for index, answer in enumerate(answers)
        if answer is not None
    }
    return {index: word for index, word in words.items() if word}


def _difference(rights: list[list[dict]], index: int, answer: dict, any_float: bool) -> str | None:
    """None if the answer agrees with one of the accepted conventions, else how it differs from the first."""
    words = [difference(right[index], answer, any_float) for right in rights]
    return None if None in words else words[0]


def unexplained(fingerprint: dict, mistake: dict, failed: dict[int, str]) -> set[int]:
    """The ordinary probes that fail although the mistake does not show on them."""
    return {
        index
        for index in set(failed) - set(map(int, mistake["answers"]))
        if not any(fingerprint["probes"][index].get(kind) for kind in ("edge", "long"))
    }


def known_mistake(fingerprint: dict, answers: Sequence[dict | None], failed: dict[int, str]) -> dict | None:
    """The known mistake whose answers these are, or None.

    A mistake that shows on ordinary probes must be met on every one of them where it shows; probes marked
    ``edge`` only break ties, since two programs with one mistake may differ there. A mistake that shows on
    edge probes alone must be met on all of those. It must explain at least half of the ordinary probes that
    fail, and where it shows in errors, NaN and infinities alone all of them: code can come to those for many
    reasons.
    """
    edges = {index for index, probe in enumerate(fingerprint["probes"]) if probe.get("edge")}
    # no known answers there
    unasked = {index for index, probe in enumerate(fingerprint["probes"]) if probe.get("long")}
    core_failed = set(failed) - edges - unasked

    def meets(shown, index):
        return _matches(shown[index], answers[index], fingerprint["any_float"])

    best, best_score = None, None
    for mistake in fingerprint["wrong"]:
        shown = {int(index): answer for index, answer in mistake["answers"].items()}
        ordinary = set(shown) - edges
        decisive = ordinary or set(shown)
        if not decisive or not decisive <= set(failed) or (not ordinary and core_failed):
            continue
        # most other mistakes end here, at the first of them
        if not all(meets(shown, index) for index in decisive):
            continue
        left = len(core_failed - ordinary)
        if 2 * left > len(core_failed):
            continue
        if left and not any(_has_numbers(shown[index]) for index in decisive):
            continue
        met = decisive | {index for index in set(shown) - decisive if index in failed and meets(shown, index)}
        score = (
            len(core_failed & ordinary),
            len(met) - len(set(shown) - met) - len(set(failed) - set(shown)),
        )
        if best_score is None or score > best_score:
            best, best_score = mistake, score
    return best


def _matches(shown: dict, answer: dict, any_float: bool) -> bool:
    """A mistake that shows in outputs is met by equal outputs, any other by equal gradients and changes.

    Where it shows in an error, the error's text must be the same but for its numbers: two mistakes may raise
    one type.
    """
    if "error" in shown and "error" in answer and words_of(shown["text"]) != words_of(answer["text"]):
        return False
    return difference(shown, answer, any_float, whole="gradients" in shown or "changed" in shown) is None


def _has_numbers(answer: dict) -> bool:
    """Whether an answer is more than an error, NaN and infinities."""
    if "error" in answer:
        return False
    sums = sums_of(answer["output"]) or [1.0]
    return len(sums) < 3 or any(sums[:2])


def words_of(text: str) -> str:
    """An error's text without its numbers, by which errors are told apart."""
    return "".join(
        letter
        for letter in str(text)
        if letter.isprintable() and not letter.isdigit() and not letter.isspace()
    )
