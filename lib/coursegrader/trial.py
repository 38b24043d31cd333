"""Verdicts on implementations in files: what `coursegrader try` prints, and what certification is made of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from allyouneed.check.judge import Verdict, judge
from allyouneed.check.rules import forbidden_in_source
from coursegrader.errors import RubricError
from coursegrader.fingerprints import in_order, questions
from coursegrader.problemset import ProblemSet


def try_files(problem_set: ProblemSet, jobs: Sequence[tuple[str, Path]], fingerprints: dict[str, dict] | None = None,
              reveal: bool = False) -> Iterator[Verdict]:
    """Judge each ``(exercise, file)`` in order, in one clean worker process that knows no expected value."""
    for name, path in jobs:
        problem_set.exercise(name)
        if not Path(path).is_file():
            raise RubricError(f"There is no file {path}.")
    fingerprints = fingerprints or problem_set.hidden({name for name, _ in jobs})
    request = {"tasks": {name: questions(fingerprints[name]) for name in {name for name, _ in jobs}},
               "files": [[str(Path(path).resolve()), name] for name, path in jobs], "prelude": problem_set.prelude,
               "helpers": {name: exercise.reference.source for name, exercise in problem_set.exercises.items()}}
    with tempfile.TemporaryDirectory() as scratch:
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen([sys.executable, "-m", "allyouneed.check.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   cwd=scratch, env=environment, text=True)
        try:
            process.stdin.write(json.dumps(request))
            process.stdin.close()
            for name, path in jobs:
                line = process.stdout.readline()
                response = json.loads(line) if line else {"broken": "the worker process ended"}
                yield verdict_on(name, fingerprints[name], response, Path(path).read_text(encoding="utf-8", errors="replace"), reveal)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def verdict_on(name: str, fingerprint: dict, response: dict, source: str, reveal: bool = False) -> Verdict:
    """Judge a response, with the syntax tree of the source read here, outside the student's process."""
    found = forbidden_in_source(source, name, set(fingerprint["forbidden"]))
    if found:
        response = response | {"ready_made": found}
    return judge(name, fingerprint, in_order(fingerprint, response), reveal)


def try_sources(problem_set: ProblemSet, sources: Sequence[tuple[str, str]], fingerprints: dict[str, dict] | None = None) -> list[Verdict]:
    """The same for texts: each ``(exercise, source)`` becomes a file in a scratch folder."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for number, (name, source) in enumerate(sources):
            path = Path(folder) / f"{number:04d}.py"
            path.write_text(source, encoding="utf-8")
            jobs.append((name, path))
        return list(try_files(problem_set, jobs, fingerprints))
