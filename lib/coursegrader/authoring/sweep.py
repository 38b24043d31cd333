"""Change every right version of an exercise a little: do the probes notice, and by which name is it told?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tqdm import tqdm

from allyouneed.check.behaves import as_if
from allyouneed.check.compare import difference
from allyouneed.check.questions.changes import Change, canonical, changes
from coursegrader.authoring.sweep_figures import BEHAVES, Swept, explained
from coursegrader.course.kept import keep, kept
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.public_file import equal_but_for_rounding
from coursegrader.errors import RubricError
from coursegrader.grading.judging import verdict_on
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.dependencies import digest, digest_of_imports
from coursegrader.rubric.edits import source_named
from coursegrader.rubric.fingerprints import as_if_entry, in_order, questions
from coursegrader.rubric.language import Exercise, Version
from coursegrader.rubric.probes import Probes
from coursegrader.rubric.sweep.axes import REASON, only_where_same
from coursegrader.rubric.sweep.last_bits import OTHER_SUMS, moved
from coursegrader.rubric.sweep.stored import Told, rights
from coursegrader.rubric.sweep.words import as_if_sentence, is_clear, unclear

KINDS = ("public", "hidden")
SECONDS = 1.0  # of processor time for a call: half a student's, since many changes never end
# memory that was never written (there is none on "meta"): other numbers each time
CHANCE = re.compile(r"\b(new_)?empty(_like)?\((?!.*meta)")
FORM = ("type", "shape", "dtype", "length", "keys")


def sweep(problem_set: ProblemSet, only: Sequence[str] = (), progress: bool = False) -> Iterator[list[Swept]]:
    """Change the right versions of each exercise (or of those in `only`) and ask all that comes of it the
    public and the hidden probes; yield the rows of one exercise after the other.

    What was swept and has not changed since is not asked again. Raises RubricError for a rubric without
    probes, or with a right version that fails.
    """
    for name in only or problem_set.exercises:
        exercise = problem_set.exercise(name)
        if not any(True for _ in exercise.make_probes(Probes(0, 0))):
            raise RubricError(
                f"{_file(problem_set, name)}: {name} has no probes, so that every change would pass. Yield "
                "make.probe(...) from the function under @exercise.probes."
            )
        place, origin = problem_set.place("swept", name), _origin(problem_set, name)
        found = kept(place, origin)
        if found is None:
            found = [asdict(row) for row in _run(problem_set, exercise, progress)]
            keep(place, origin, found)
        yield [explained(exercise, _read(row)) for row in found]


def _read(row: dict) -> Swept:
    told = Told(**row["told"]) if row["told"] else None
    return Swept(**{**row, "names": tuple(row["names"]), "told": told})


def _file(problem_set: ProblemSet, name: str) -> Path:
    path = problem_set.rubric_path
    return path / f"{name}.py" if path.is_dir() else path


def _origin(problem_set: ProblemSet, name: str) -> str:
    """A digest of all that the rows follow from; a message or a reason in the rubric is no part of it."""
    exercise = problem_set.exercise(name)
    prints = [problem_set.fingerprints(kind, [name])[name] for kind in KINDS]
    bare = [
        found | {"as_if": [], "wrong": [wrong | {"message": "", "section": ""} for wrong in found["wrong"]]}
        for found in prints
    ]
    return digest(
        json.dumps(bare),
        problem_set.prelude,
        *(version.text for version in rights(exercise)),
        *problem_set.helpers.values(),
        Path(__file__).read_bytes(),
        digest_of_imports(
            [],
            [
                f"allyouneed.check.drivers.{exercise.driver}",
                "coursegrader.grading.judging",
                "coursegrader.rubric.asking_process",
                "coursegrader.rubric.sweep.axes",
                "coursegrader.rubric.sweep.words",
            ],
        ),
    )


def changed_versions(exercise: Exercise) -> dict[str, tuple[Version, Change]]:
    """The changed versions of an exercise as sources, each with the right version and the change that first
    gave it. One that differs from another in its own names alone, or is a right version, is left out."""
    seen = {canonical(version.source) for version in rights(exercise)}
    found = {}
    for version in rights(exercise):
        for change in changes(version.text):
            source = source_named(change.of(version.text), exercise.name)
            if (form := canonical(source)) not in seen:
                seen.add(form)
                found[source] = version, change
    return found


def _run(problem_set: ProblemSet, exercise: Exercise, progress: bool) -> list[Swept]:
    name, found = exercise.name, changed_versions(exercise)
    prints = {kind: problem_set.fingerprints(kind, [name])[name] | {"as_if": []} for kind in KINDS}
    tasks = {f"{kind} {name}": questions(prints[kind]) | {"seconds": SECONDS} for kind in KINDS}
    sources = [version.source for version in rights(exercise)] + list(found)
    asked = [Asked(name, source, tuple(tasks)) for source in sources]
    verdicts: dict[str, dict[str, Judged]] = {source: {} for source in sources}
    known: dict[str, Judged] = {}
    bar = tqdm(total=len(asked) * len(KINDS), desc=name, unit="answer", disable=not progress, leave=False)
    with bar:
        for index, task, response in ask_versions(
            problem_set.prelude, problem_set.helpers, tasks, asked, alone=False
        ):
            kind, source = task.partition(" ")[0], asked[index].source
            key = json.dumps([kind, response])
            if index < len(rights(exercise)) or key not in known:
                known[key] = _judged(name, prints[kind], response, source)
            verdicts[source][kind] = known[key]
            bar.update()
    for version in rights(exercise):
        for kind in KINDS:
            if (judged := verdicts[version.source][kind]).outcome != "equal":
                raise RubricError(
                    f"{_file(problem_set, name)}: {version.label!r} is no right version, on {kind} probes "
                    f"it is told {judged.name or judged.outcome}, so it cannot be changed. Run coursegrader "
                    f"certify {problem_set.name} --exercise {name}."
                )
    rows = {source: _row(name, *found[source], list(verdicts[source].values())) for source in found}
    for source in _of_one_axis(problem_set, name, tasks, found, rows):
        rows[source] = replace(rows[source], reason=REASON)
    entries = _entries(prints, found, rows, verdicts)
    for source in by_chance(problem_set, name, prints, entries):
        del entries[source]
    return list(_told(prints, found, rows, verdicts, entries).values())


def _of_one_axis(
    problem_set: ProblemSet, name: str, tasks: dict[str, dict], found: dict, rows: dict[str, Swept]
) -> set[str]:
    """The changes that no probe notices since they only count the same axis from the other end."""
    proofs = {
        source: source_named(text, name)
        for source, row in rows.items()
        if row.outcome == "equal"
        and (text := only_where_same(found[source][0].text, found[source][1])) is not None
    }
    asked = [Asked(name, proof, tuple(tasks)) for proof in proofs.values()]
    prints = {kind: problem_set.fingerprints(kind, [name])[name] for kind in KINDS}
    left = {source: set(KINDS) for source in proofs}
    for index, task, response in ask_versions(
        problem_set.prelude, problem_set.helpers, tasks, asked, alone=False
    ):
        kind, source = task.partition(" ")[0], list(proofs)[index]
        if verdict_on(name, prints[kind], response, asked[index].source).passed:
            left[source].discard(kind)
    return {source for source, kinds in left.items() if not kinds}


@dataclass(frozen=True)
class Judged:
    """How a response is wrong, the name of its mistake if it has one, and its answers and how they fail."""

    outcome: str
    name: str | None
    answers: list[dict]
    failed: dict[int, str]


def _judged(name: str, fingerprint: dict, response: dict, source: str) -> Judged:
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


def _row(name: str, version: Version, change: Change, verdicts: list[Judged]) -> Swept:
    text = version.text
    start = text.rfind("\n", 0, change.start) + 1
    end = text.find("\n", change.end)
    after = change.of(text)[start : end + len(change.new) - (change.end - change.start)]
    outcomes = [judged.outcome for judged in verdicts]
    outcome = (
        "equal"
        if outcomes == ["equal"] * 2
        else "half"
        if "equal" in outcomes
        else next(word for word in ("error", "form", "value") if word in outcomes)
    )
    names = tuple(judged.name for judged in verdicts)
    line = text.count("\n", 0, change.start) + 1
    held = outcome == "value" and None not in names and names[0] == names[1]
    return Swept(name, version.label, line, change.kind, text[start:end], after, outcome, names, held=held)


def _is_written(name: str | None) -> bool:
    return name is not None and not name.startswith(BEHAVES)


def _entries(prints: dict[str, dict], found: dict, rows: dict, verdicts: dict) -> dict[str, dict[str, dict]]:
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
        answers = _judged(name, prints[kind], response, source).answers
        known = entries[source][kind]
        now = as_if_entry(prints[kind], answers, known["message"]) if answers else {}
        if not equal_but_for_rounding(known, now):
            found.add(source)
    return found


def _told(prints: dict[str, dict], found: dict, rows: dict, verdicts: dict, entries: dict) -> dict:
    """The rows, those that no written mistake names told by what they change.

    Of all that answer alike, on public or on hidden probes, one change is kept: the one that is told best.
    """
    groups: list[list[str]] = []
    first: dict[str, list[dict]] = {kind: [] for kind in KINDS}

    def like(source: str, kind: str, known: list[dict], whole: bool = False) -> dict | None:
        judged = verdicts[source][kind]
        return as_if(prints[kind] | {"as_if": known}, judged.answers, judged.failed, whole)

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
