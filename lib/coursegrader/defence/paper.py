"""A student's paper, its key, and where a course keeps both: in its private folder, for its owner alone."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from allyouneed.check.questions.question import Question
from coursegrader.course.damaged import said_if_damaged
from coursegrader.course.kept import private_folder
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.files import write_whole


@dataclass(frozen=True)
class Paper:
    """The questions of one student; `notes` tell the instructor why there are fewer, or others."""

    student: str
    problem_set: str
    seed: str
    questions: tuple[Question, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    @staticmethod
    def from_json(text: str) -> Paper:
        data = json.loads(text)
        questions = tuple(
            Question(**{**item, "marked": tuple(item["marked"]), "choices": tuple(item["choices"])})
            for item in data["questions"]
        )
        return Paper(**{**data, "questions": questions, "notes": tuple(data["notes"])})


@dataclass(frozen=True)
class Key:
    """For each question of a paper the number of the right choice, from 0 (None for "why"), and why."""

    answers: tuple[int | None, ...]
    explanations: tuple[str, ...]

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    @staticmethod
    def from_json(text: str) -> Key:
        return Key(**{name: tuple(value) for name, value in json.loads(text).items()})


def paper_folder(problem_set: ProblemSet) -> Path:
    """Where the papers of a problem set are kept; the keys are in a folder of their own in it."""
    return private_folder(problem_set.root) / "defence" / problem_set.name


def paper_path(problem_set: ProblemSet, student: str) -> Path:
    return paper_folder(problem_set) / f"{student}.json"


def key_path(problem_set: ProblemSet, student: str) -> Path:
    return paper_folder(problem_set) / "keys" / f"{student}.json"


def write_paper(problem_set: ProblemSet, paper: Paper, key: Key) -> None:
    """Keep a paper and its key, the key first: a paper that is there can be marked."""
    for path, item in (
        (key_path(problem_set, paper.student), key),
        (paper_path(problem_set, paper.student), paper),
    ):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, item.to_json().encode())
        os.chmod(path, 0o600)


def read_paper(problem_set: ProblemSet, student: str) -> Paper:
    return _read(paper_path(problem_set, student), Paper.from_json, problem_set, student)


def read_key(problem_set: ProblemSet, student: str) -> Key:
    return _read(key_path(problem_set, student), Key.from_json, problem_set, student)


def _read(path: Path, from_json, problem_set: ProblemSet, student: str):
    again = f"coursegrader defend {problem_set.name} --student {student}"
    try:
        with said_if_damaged(path, f"delete it, and make the paper again: {again}"):
            return from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UserError(
            f"There is no paper of {student} for {problem_set.name} yet. Make it: {again}"
        ) from error


def students_with_papers(problem_set: ProblemSet) -> list[str]:
    """Whose papers there are, in order."""
    return sorted(path.stem for path in paper_folder(problem_set).glob("*.json"))
