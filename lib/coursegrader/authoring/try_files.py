"""Verdicts on implementations in files: what `coursegrader try` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from allyouneed.check.judge import Verdict
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.judging import verdict_on
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.questions import questions


def try_files(problem_set: ProblemSet, jobs: Sequence[tuple[str, Path]]) -> Iterator[Verdict]:
    """Judge each ``(exercise, file)`` in order, in a clean process that knows no expected value."""
    for name, path in jobs:
        problem_set.exercise(name)
        if not Path(path).is_file():
            raise UserError(f"There is no file {path}.")
    yield from try_texts(
        problem_set, [(name, Path(path).read_bytes(), Path(path).name) for name, path in jobs]
    )


def try_texts(problem_set: ProblemSet, jobs: Sequence[tuple[str, str | bytes, str]]) -> Iterator[Verdict]:
    """The same for texts: each ``(exercise, source, name of the file)``."""
    fingerprints = problem_set.hidden({name for name, _, _ in jobs})
    responses, asked = {}, {}
    for index, (name, source, file) in enumerate(jobs):
        try:
            asked[index] = Asked(
                name, source if isinstance(source, str) else source.decode("utf-8"), (name,), file
            )
        except UnicodeDecodeError as error:
            responses[index] = {"broken": f"{type(error).__name__}: {error}"}
    places = list(asked)
    arriving = ask_versions(
        problem_set.prelude,
        problem_set.helpers,
        {name: questions(fingerprints[name]) for name in fingerprints},
        list(asked.values()),
    )
    for index, (name, source, _) in enumerate(jobs):
        while index not in responses:
            place, _, response = next(arriving)
            responses[places[place]] = response
        text = source if isinstance(source, str) else source.decode("utf-8", errors="replace")
        yield verdict_on(name, fingerprints[name], responses.pop(index), text)


def try_sources(problem_set: ProblemSet, sources: Sequence[tuple[str, str]]) -> list[Verdict]:
    """The verdicts on several ``(exercise, source)``."""
    return list(try_texts(problem_set, [(name, source, "submission.py") for name, source in sources]))
