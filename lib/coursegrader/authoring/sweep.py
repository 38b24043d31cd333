"""Change every right version of an exercise a little: do the probes notice, and by which name is it told?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from tqdm import tqdm

from allyouneed.check.questions.changes import changes
from allyouneed.check.questions.numbered_names import canonical
from allyouneed.check.questions.tree import Change
from coursegrader.authoring.sweep_figures import Swept, explained
from coursegrader.authoring.told import KINDS, SECONDS, Judged, by_chance, entries_of, judged, told_by_change
from coursegrader.course.kept import keep, kept
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import RubricError
from coursegrader.grading.judging import verdict_on
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.dependencies import digest, digest_of_imports
from coursegrader.rubric.edits import source_named
from coursegrader.rubric.language import Exercise, Version
from coursegrader.rubric.probes import Probes
from coursegrader.rubric.questions import questions
from coursegrader.rubric.sweep.axes import REASON, only_where_same
from coursegrader.rubric.sweep.stored import Told, rights


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
        Path(__file__).with_name("told.py").read_bytes(),
        digest_of_imports(
            [],
            [
                f"allyouneed.check.drivers.{exercise.driver}",
                "coursegrader.grading.judging",
                "coursegrader.rubric.asking_process",
                "coursegrader.rubric.sweep.axes",
                "coursegrader.rubric.sweep.last_bits",
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
                known[key] = judged(name, prints[kind], response, source)
            verdicts[source][kind] = known[key]
            bar.update()
    for version in rights(exercise):
        for kind in KINDS:
            if (mine := verdicts[version.source][kind]).outcome != "equal":
                raise RubricError(
                    f"{_file(problem_set, name)}: {version.label!r} is no right version, on {kind} probes "
                    f"it is told {mine.name or mine.outcome}, so it cannot be changed. Run coursegrader "
                    f"certify {problem_set.name} --exercise {name}."
                )
    rows = {source: _row(name, *found[source], list(verdicts[source].values())) for source in found}
    for source in _of_one_axis(problem_set, name, tasks, found, rows):
        rows[source] = replace(rows[source], reason=REASON)
    entries = entries_of(prints, found, rows, verdicts)
    for source in by_chance(problem_set, name, prints, entries):
        del entries[source]
    return list(told_by_change(prints, found, rows, verdicts, entries).values())


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
