"""Read a rubric from its files: the exercises of a problem set, or what is to be mended."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path

from coursegrader.errors import RubricError
from coursegrader.rubric.language import Exercise


def load_rubric(path: Path, unfinished: bool = False) -> dict[str, Exercise]:
    """Read a rubric; return its exercises by name. Raises RubricError with what to mend.

    `path` is a folder with a file for each exercise, which defines ``exercise`` (files whose names begin with
    an underscore hold what they share), or one file with a list named ``exercises``. `unfinished` takes
    exercises that lack evidence, too: these can be looked at, and must not grade anybody.
    """
    if not path.exists():
        raise RubricError(f"There is no rubric at {path}. Write one, or check the name of the problem set.")
    package = f"rubric_{path.resolve().parent.name.replace('-', '_')}"
    if path.is_dir():
        sys.modules[package] = importlib.util.module_from_spec(
            importlib.machinery.ModuleSpec(package, None, is_package=True)
        )
        sys.modules[package].__path__ = [str(path)]
        exercises = [
            getattr(_load(f"{package}.{file.stem}", file), "exercise", None) for file in rubric_files(path)
        ]
        wanted = "every file of the folder must define `exercise`, an Exercise"
    else:
        exercises = getattr(_load(package, path), "exercises", [])
        wanted = "it needs a list named `exercises` with the problem set's Exercise objects"
    if not exercises or not all(isinstance(exercise, Exercise) for exercise in exercises):
        raise RubricError(f"{path} cannot be used: {wanted}.")
    names = [exercise.name for exercise in exercises]
    if len(set(names)) < len(names):
        raise RubricError(
            f"{path} holds an exercise twice: "
            f"{', '.join(sorted({name for name in names if names.count(name) > 1}))}."
        )
    gaps = [f"{exercise.name}: {gap}" for exercise in exercises for gap in exercise.evidence_gaps()]
    if gaps and not unfinished:
        raise RubricError(f"{path} lacks evidence:\n  " + "\n  ".join(gaps))
    return {exercise.name: exercise for exercise in exercises}


def rubric_files(path: Path) -> list[Path]:
    """The files of a rubric that define exercises."""
    return (
        [path]
        if path.is_file()
        else sorted(file for file in path.glob("*.py") if not file.name.startswith("_"))
    )


def _load(name: str, path: Path):
    for stale in [key for key in sys.modules if key.startswith(f"{name.partition('.')[0]}._")]:
        del sys.modules[stale]  # another course's folder may have the same name
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except RubricError:
        raise
    except Exception as error:
        raise RubricError(f"{path} cannot be read: {type(error).__name__}: {error}") from error
    return module
