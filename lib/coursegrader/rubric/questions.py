"""What of a fingerprint is put to code, and its answers brought back into the order of the probes."""

from __future__ import annotations

from allyouneed.check.stopped import WHERE


def questions(fingerprint: dict, long: bool = True) -> dict:
    """What of a fingerprint the student's process may see at grading time: probes without expected values.

    Hidden probes are asked in an order of their own, so that public answers cannot be given again by their
    place: some exercises have the same few answers on both sides, such as yes and no. For the same reason
    they have no names.
    """
    probes = [
        {key: value for key, value in probe.items() if key not in ("name", "group", "edge")}
        for probe in fingerprint["probes"]
    ]
    return {
        "driver": fingerprint["driver"],
        "probes": [probes[index] for index in _asked(fingerprint, long)],
        "forbidden": fingerprint["forbidden"],
    }


def in_order(fingerprint: dict, response: dict) -> dict:
    """The response to `questions` with its answers in the order of the fingerprint's probes."""
    order, answers = fingerprint.get("order"), response.get("answers")
    if order is None or not isinstance(answers, list) or len(answers) != len(order):
        return response
    return response | {
        "answers": [answer for _, answer in sorted(zip(order, answers), key=lambda pair: pair[0])]
    }


def answers_of(fingerprint: dict, response: dict, long: bool = True) -> list[dict | None]:
    """The answers of a response to `questions`, in the order of the probes; None for what was not asked."""
    if "answers" not in response:
        why = response.get("broken", "it defines nothing of this name")
        return [{"error": why.partition(":")[0], "text": why.partition(": ")[2]}] * len(fingerprint["probes"])
    answers, late = [None] * len(fingerprint["probes"]), 0
    for index, answer in zip(_asked(fingerprint, long), response["answers"]):
        # where the code stopped is told to whoever wrote it, and tells no mistake
        answers[index] = {key: value for key, value in answer.items() if key not in WHERE}
        late += answer.get("error") == "Timeout"
        if late == 2:  # what follows was not asked
            break
    return answers


def _asked(fingerprint: dict, long: bool = True) -> list[int]:
    """The numbers of the probes in the order in which they are asked, with the long ones or without."""
    order = fingerprint.get("order", range(len(fingerprint["probes"])))
    return [index for index in order if long or not fingerprint["probes"][index].get("long")]
