"""Which changed versions are told by what they change, and what a version is judged on the way there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from allyouneed.check.behaves import as_if
from allyouneed.check.compare import difference
from coursegrader.authoring.sweep_figures import BEHAVES
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.public_file import equal_but_for_rounding
from coursegrader.grading.judging import verdict_on
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.fingerprints import as_if_entry
from coursegrader.rubric.questions import in_order, questions
from coursegrader.rubric.sweep.last_bits import OTHER_SUMS, moved
from coursegrader.rubric.sweep.stored import Told
from coursegrader.rubric.sweep.words import as_if_sentence, is_clear, unclear

KINDS = ("public", "hidden")
SECONDS = 1.0  # of processor time for a call: half a student's, since many changes never end
# memory that was never written (there is none on "meta"): other numbers each time
CHANCE = re.compile(r"\b(new_)?empty(_like)?\((?!.*meta)")
FORM = ("type", "shape", "dtype", "length", "keys")


@dataclass(frozen=True)
class Judged:
    """How a response is wrong, the name of its mistake if it has one, and its answers and how they fail."""

    outcome: str
    name: str | None
    answers: list[dict]
    failed: dict[int, str]


def judged(name: str, fingerprint: dict, response: dict, source: str) -> Judged:
    verdict = verdict_on(name, fingerprint, response, source)
    if verdict.passed:
        return Judged("equal", None, [], {})
    generic = ("unknown", "raises", "timeout", "no-answer", "not-implemented", "does-not-import")
    named = verdict.misconception not in (*generic, *(f"wrong-{word}" for word in FORM))
    answers, failed = in_order(fingerprint, response).get("answers") or [{"error": "none"}], {}
    for index, answer in enumerate(answers):
        words = [difference(right[index], answer, fingerprint["any_float"]) for right in fingerprint["right"]]
        if None not in words:
            failed[index] = words[0]
    words = set(failed.values())
    outcome = "error" if "error" in words else "form" if words & set(FORM) else "value"
    return Judged(outcome, verdict.misconception if named else None, answers, failed)


def _is_written(name: str | None) -> bool:
    return name is not None and not name.startswith(BEHAVES)


def entries_of(
    prints: dict[str, dict], found: dict, rows: dict, verdicts: dict
) -> dict[str, dict[str, dict]]:
    """What is kept of each change that returns wrong values and has no written name, by kind of probes."""
    entries = {}
    for source, row in rows.items():
        if row.outcome != "value" or all(map(_is_written, row.names)):
            continue
        version, change = found[source]
        if CHANCE.search(version.text):
            continue
        message = as_if_sentence(version.text, change)
        entry = {kind: as_if_entry(prints[kind], verdicts[source][kind].answers, message) for kind in KINDS}
        if all(entry[kind]["sums"] for kind in KINDS):
            entries[source] = entry
    return entries


def by_chance(
    problem_set: ProblemSet, name: str, prints: dict[str, dict], entries: dict[str, dict[str, dict]]
) -> set[str]:
    """The changes that answer otherwise when the last bits of the probes are others, and sums are rounded
    otherwise: what they compute hangs on rounding, which differs from one Python or processor to the next."""
    asked_otherwise = {kind: prints[kind] | {"probes": moved(prints[kind]["probes"])} for kind in KINDS}
    tasks = {f"{kind} {name}": questions(asked_otherwise[kind]) | {"seconds": SECONDS} for kind in KINDS}
    asked = [Asked(name, source, tuple(tasks)) for source in entries]
    found = set()
    for index, task, response in ask_versions(
        problem_set.prelude + OTHER_SUMS, problem_set.helpers, tasks, asked, alone=False
    ):
        kind, source = task.partition(" ")[0], asked[index].source
        answers = judged(name, prints[kind], response, source).answers
        known = entries[source][kind]
        now = as_if_entry(prints[kind], answers, known["message"]) if answers else {}
        if not equal_but_for_rounding(known, now):
            found.add(source)
    return found


def told_by_change(prints: dict[str, dict], found: dict, rows: dict, verdicts: dict, entries: dict) -> dict:
    """The rows, those that no written mistake names told by what they change.

    Of all that answer alike, on public or on hidden probes, one change is kept: the one that is told best.
    """
    groups: list[list[str]] = []
    first: dict[str, list[dict]] = {kind: [] for kind in KINDS}

    def like(source: str, kind: str, known: list[dict], whole: bool = False) -> dict | None:
        mine = verdicts[source][kind]
        return as_if(prints[kind] | {"as_if": known}, mine.answers, mine.failed, whole)

    half = [source for source in entries if any(map(_is_written, rows[source].names))]

    def strays(source: str) -> bool:
        """Whether it would tell a version in which probes of the other kind know a written mistake."""
        return any(
            like(other, kind, [entries[source][kind]])
            for other in half
            for kind, name in zip(KINDS, rows[other].names)
            if not _is_written(name)
        )

    for source in entries:
        alike = next(filter(None, (like(source, kind, first[kind], whole=True) for kind in KINDS)), None)
        if alike is None:
            groups.append([])
            for kind in KINDS:
                first[kind].append(entries[source][kind] | {"group": len(groups) - 1})
        groups[alike["group"] if alike else -1].append(source)
    told = {kind: [] for kind in KINDS}
    for group in groups:
        own = (source for source in group if not strays(source))
        best = min(own, key=lambda source: unclear(entries[source]["public"]["message"]), default=None)
        if best is not None and is_clear(entries[best]["public"]["message"]):
            version, change = found[best]
            message = entries[best]["public"]["message"]
            kept_change = Told(version.label, change.start, change.end, change.new, message)
            rows[best] = replace(rows[best], told=kept_change)
            for kind in KINDS:
                told[kind].append(entries[best][kind])
    clear = {source: item for source, item in entries.items() if is_clear(item["public"]["message"])}
    for source in entries:
        row = rows[source]
        names = tuple(
            name if _is_written(name) or not (entry := like(source, kind, told[kind])) else entry["id"]
            for kind, name in zip(KINDS, row.names)
        )
        others = [item for other, item in clear.items() if rows[other].label != row.label]
        held = not any(map(_is_written, row.names)) and all(
            like(source, kind, [item[kind] for item in others]) for kind in KINDS
        )
        rows[source] = replace(row, names=names, held=row.held or held)
    return rows
