"""Change every right version of an exercise a little: do the probes notice, and by which name is it told?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from allyouneed.check.compare import difference
from coursegrader.authoring.sweep_figures import Swept, explained, rights
from coursegrader.course.kept import keep, kept
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import RubricError
from coursegrader.grading.judging import verdict_on
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.dependencies import digest, digest_of_imports
from coursegrader.rubric.evidence import source_named
from coursegrader.rubric.fingerprints import in_order, questions
from coursegrader.rubric.language import Exercise, Probes, Version
from coursegrader.rubric.sweep.changes import canonical, changes

KINDS = ("public", "hidden")
SECONDS = 1.0  # of processor time for a call: half a student's, since many changes never end
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
        yield [explained(exercise, Swept(**{**row, "names": tuple(row["names"])})) for row in found]


def _file(problem_set: ProblemSet, name: str) -> Path:
    path = problem_set.rubric_path
    return path / f"{name}.py" if path.is_dir() else path


def _origin(problem_set: ProblemSet, name: str) -> str:
    """A digest of all that the rows follow from; a message or a reason in the rubric is no part of it."""
    exercise = problem_set.exercise(name)
    prints = [problem_set.fingerprints(kind, [name])[name] for kind in KINDS]
    bare = [
        found | {"wrong": [wrong | {"message": "", "section": ""} for wrong in found["wrong"]]}
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
                "coursegrader.rubric.sweep.changes",
            ],
        ),
    )


def changed_versions(exercise: Exercise) -> dict[str, tuple[Version, object]]:
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
    prints = {kind: problem_set.fingerprints(kind, [name])[name] for kind in KINDS}
    tasks = {f"{kind} {name}": questions(prints[kind]) | {"seconds": SECONDS} for kind in KINDS}
    sources = [version.source for version in rights(exercise)] + list(found)
    asked = [Asked(name, source, tuple(tasks)) for source in sources]
    verdicts: dict[str, dict[str, tuple[str, str | None]]] = {source: {} for source in sources}
    known: dict[str, tuple[str, str | None]] = {}
    bar = tqdm(total=len(asked) * len(KINDS), desc=name, unit="answer", disable=not progress, leave=False)
    with bar:
        for index, task, response in ask_versions(
            problem_set.prelude, problem_set.helpers, tasks, asked, alone=False
        ):
            kind, source = task.partition(" ")[0], asked[index].source
            key = json.dumps([kind, response])
            if index < len(rights(exercise)) or key not in known:
                known[key] = _sorted(name, prints[kind], response, source)
            verdicts[source][kind] = known[key]
            bar.update()
    for version in rights(exercise):
        for kind in KINDS:
            if (outcome := verdicts[version.source][kind])[0] != "equal":
                raise RubricError(
                    f"{_file(problem_set, name)}: {version.label!r} is no right version, on {kind} probes "
                    f"it is told {outcome[1] or outcome[0]}, so it cannot be changed. Run coursegrader "
                    f"certify {problem_set.name} --exercise {name}."
                )
    return [_row(name, *found[source], [verdicts[source][kind] for kind in KINDS]) for source in found]


def _sorted(name: str, fingerprint: dict, response: dict, source: str) -> tuple[str, str | None]:
    """How a response is wrong, and the name of its mistake if it has one."""
    verdict = verdict_on(name, fingerprint, response, source)
    if verdict.passed:
        return "equal", None
    generic = ("unknown", "raises", "timeout", "no-answer", "not-implemented", "does-not-import")
    named = verdict.misconception not in generic and not verdict.misconception.startswith("wrong-")
    answers = in_order(fingerprint, response).get("answers") or [{"error": "none"}]
    words = set()
    for index, answer in enumerate(answers):
        found = [difference(right[index], answer, fingerprint["any_float"]) for right in fingerprint["right"]]
        if None not in found:
            words.add(found[0])
    outcome = "error" if "error" in words else "form" if words & set(FORM) else "value"
    return outcome, verdict.misconception if named else None


def _row(name: str, version: Version, change, verdicts: list[tuple[str, str | None]]) -> Swept:
    text = version.text
    start = text.rfind("\n", 0, change.start) + 1
    end = text.find("\n", change.end)
    after = change.of(text)[start : end + len(change.new) - (change.end - change.start)]
    outcomes = [outcome for outcome, _ in verdicts]
    outcome = (
        "equal"
        if outcomes == ["equal"] * 2
        else "half"
        if "equal" in outcomes
        else next(word for word in ("error", "form", "value") if word in outcomes)
    )
    names = tuple(mistake for _, mistake in verdicts)
    line = text.count("\n", 0, change.start) + 1
    return Swept(name, version.label, line, change.kind, text[start:end], after, outcome, names)
