"""A class of students made from a rubric's own evidence, in a course folder in which nbgrader serves them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from coursegrader.course.check_cells import checked_exercise
from coursegrader.course.problem_set import ProblemSet
from coursegrader.rubric.language import Version

UNTOUCHED = Version("untouched", "", "not-implemented")


@dataclass
class Student:
    """A student's name, the version of each exercise they hand in, and cells put at the notebook's start."""

    name: str
    answers: dict[str, Version]
    extra: list[str] = field(default_factory=list)


def make_class(problem_set: ProblemSet, n_wrong: int = 8) -> list[Student]:
    """Students: the references, each alternative, `n_wrong` of wrong versions in turn, one of nothing."""
    exercises = problem_set.exercises
    students = [Student("reference", {name: exercise.reference for name, exercise in exercises.items()})]
    most = max(len(exercise.alternatives) for exercise in exercises.values())
    students += [
        Student(
            f"right{number}",
            {
                name: exercise.alternatives[number % len(exercise.alternatives)]
                for name, exercise in exercises.items()
            },
        )
        for number in range(most)
    ]
    students += [
        Student(
            f"wrong{number}",
            {
                name: exercise.wrong_versions[(number * 3 + place) % len(exercise.wrong_versions)]
                for place, (name, exercise) in enumerate(exercises.items())
            },
        )
        for number in range(n_wrong)
    ]
    students.append(Student("untouched", {name: UNTOUCHED for name in exercises}))
    return students


def write_submission(released: Path, student: Student, target: Path) -> None:
    """Fill the solution cells of the released notebook with the student's versions."""
    notebook = nbformat.read(released, as_version=4)
    solution = None
    for cell in notebook.cells:
        meta = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and meta.get("solution"):
            solution = cell
        name = checked_exercise(cell.source) if cell.cell_type == "code" else None
        if name in student.answers and meta.get("grade") and student.answers[name] is not UNTOUCHED:
            solution.source = student.answers[name].source
    first = next(index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    for number, source in enumerate(student.extra):
        notebook.cells.insert(first + 1 + number, nbformat.v4.new_code_cell(source, id=f"extra-{number}"))
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, target)


def make_course(problem_set: ProblemSet, folder: Path) -> ProblemSet:
    """A fresh course folder with this problem set, and an exchange of its own."""
    course = folder / "course"
    shutil.copytree(
        problem_set.folder,
        course / "solutions" / problem_set.name,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (folder / "exchange").mkdir(mode=0o777)
    (folder / "exchange").chmod(0o777)
    config = (problem_set.root / "nbgrader_config.py").read_text(encoding="utf-8")
    config += (
        f"\nc.Exchange.root = {str(folder / 'exchange')!r}\nc.Exchange.cache = {str(folder / 'cache')!r}\n"
    )
    config += "c.ExchangeCollect.check_owner = False  # one system user plays all students\n"
    (course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    problem_set.hand_on(course)
    return ProblemSet(course, problem_set.name)
