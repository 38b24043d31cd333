"""How hard questions are, learned from the answers that a course has given so far.

A question says how hard it should be, from its kind, the numbers in it and the lines to read. The answers
correct that, with a shift for each kind and one for each exercise. The model is the three-parameter logistic
one (Birnbaum, 1968) with the chance of a guess fixed at one over the number of choices:

    P(right) = 1/c + (1 - 1/c) · σ(log 2 + ability - slope · (difficulty + shift - AIM))

So a question of the difficulty AIM is one that two of three students of the class know. All that is learned
has a normal prior around what is assumed without answers: few answers move little.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from allyouneed.check.questions.question import Question
from coursegrader.course.kept import private_folder
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.answers import ANSWERS
from coursegrader.defence.marks import marked_class
from coursegrader.errors import UserError

AIM = 4.0  # the difficulty that a question should have, where there is a choice
SHIFT, SLOPE, STEPS = 0.6, 0.5, 100  # the spreads of the priors; abilities have 1


@dataclass(frozen=True)
class Difficulty:
    """What answers have shown: how much harder than it says a question of a kind or an exercise is."""

    kinds: dict[str, float] = field(default_factory=dict)
    exercises: dict[str, float] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)  # of each kind

    def of(self, question: Question) -> float:
        """The difficulty of a question, as it says corrected by the answers."""
        shift = self.kinds.get(question.kind, 0.0) + self.exercises.get(question.exercise, 0.0)
        return question.difficulty + shift


def learned(root: Path) -> Difficulty:
    """From all problem sets of a course whose papers have been answered. What cannot be read or belongs to
    papers that were made anew is left out.
    """
    given = []
    for path in sorted((private_folder(root) / "defence").glob(f"*/{ANSWERS}")):
        try:
            marked, _ = marked_class(ProblemSet(root, path.parent.name))
        except UserError:
            continue
        given += [
            (item.paper.student, question, score)
            for item in marked
            for question, score in zip(item.paper.questions, item.marks)
            if question.choices and score is not None
        ]
    return fit(given)


def fit(given: Iterable[tuple[str, Question, float]]) -> Difficulty:
    """From (student, question, 1 for right and 0 for wrong)."""
    given = list(given)
    if not given:
        return Difficulty()
    people, who = _numbered(student for student, _, _ in given)
    kinds, kind = _numbered(question.kind for _, question, _ in given)
    exercises, exercise = _numbered(question.exercise for _, question, _ in given)
    said = torch.tensor([question.difficulty - AIM for _, question, _ in given], dtype=torch.float64)
    chance = torch.tensor([1 / len(question.choices) for _, question, _ in given], dtype=torch.float64)
    score = torch.tensor([score for _, _, score in given], dtype=torch.float64)
    sizes = [len(people), len(kinds), len(exercises), 1]
    values = torch.zeros(sum(sizes), dtype=torch.float64, requires_grad=True)

    def loss() -> Tensor:
        ability, of_kind, of_exercise, slope = values.split(sizes)
        shift = SHIFT * (of_kind[kind] + of_exercise[exercise])
        logit = math.log(2) + ability[who] - (SLOPE * slope).exp() * (said + shift)
        right = chance + (1 - chance) * torch.sigmoid(logit)
        of_answers = torch.nn.functional.binary_cross_entropy(right, score, reduction="sum")
        return of_answers + 0.5 * values.pow(2).sum()

    optimizer = torch.optim.LBFGS([values], max_iter=STEPS, line_search_fn="strong_wolfe")

    def step() -> Tensor:
        optimizer.zero_grad()
        value = loss()
        value.backward()
        return value

    optimizer.step(step)
    _, of_kind, of_exercise, _ = values.detach().split(sizes)
    count = torch.bincount(kind, minlength=len(kinds)).tolist()
    return Difficulty(
        dict(zip(kinds, (SHIFT * of_kind).tolist())),
        dict(zip(exercises, (SHIFT * of_exercise).tolist())),
        dict(zip(kinds, count)),
    )


def _numbered(names: Iterable[str]) -> tuple[list[str], Tensor]:
    """The names that there are, and the number of each."""
    names = list(names)
    known = sorted(set(names))
    place = {name: number for number, name in enumerate(known)}
    return known, torch.tensor([place[name] for name in names])
