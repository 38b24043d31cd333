"""How hard questions are: a class of known abilities shows the shifts that were put in."""

import math
import random

import pytest

from allyouneed.check.questions.question import Question
from coursegrader.defence.difficulty import AIM, Difficulty, fit

KINDS = {"what-if": 1.5, "trace": -1.5, "mend": 0.0}  # how much harder than it says
EXERCISES = {"softmax": 0.8, "causal_mask": -0.8}
CHOICES = ("a", "b", "c", "d")


def answers(n_students: int, seed: int):
    """Six questions a student, answered by the model."""
    rng = random.Random(seed)
    for student in range(n_students):
        ability = rng.gauss(0, 1)
        for kind in KINDS:
            for exercise in EXERCISES:
                said = rng.uniform(2.5, 6)
                shift = KINDS[kind] + EXERCISES[exercise]
                known = 1 / (1 + math.exp(-(math.log(2) + ability - (said + shift - AIM))))
                right = rng.random() < known or rng.random() < 1 / len(CHOICES)
                yield f"student-{student}", Question(kind, exercise, "?", "", (), CHOICES, said), float(right)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_shifts_are_found_in_the_answers_of_a_class(seed):
    found = fit(answers(300, seed))
    assert found.answers == dict.fromkeys(KINDS, 600)
    for kind, shift in KINDS.items():
        assert found.kinds[kind] == pytest.approx(shift, abs=0.6)
    assert found.exercises["softmax"] - found.exercises["causal_mask"] == pytest.approx(1.6, abs=0.6)
    hard, easy = (Question(kind, "softmax", "?", "", (), CHOICES, 4.0) for kind in ("what-if", "trace"))
    assert found.of(hard) - found.of(easy) == pytest.approx(3, abs=0.8)


def test_few_answers_move_little_and_none_nothing():
    question = Question("trace", "softmax", "?", "", (), CHOICES, 4.0)
    assert fit([]) == Difficulty() and Difficulty().of(question) == 4.0
    one, many = (fit([(str(n), question, 0.0) for n in range(number)]).of(question) for number in (1, 50))
    assert 4.0 < one < 4.5 < 5 < many


def test_an_answer_that_everybody_gives_by_chance_shows_a_very_hard_question():
    question = Question("trace", "softmax", "?", "", (), CHOICES, 4.0)
    guessed = fit([(str(n), question, float(n % 4 == 0)) for n in range(200)])
    half = fit([(str(n), question, float(n % 2 == 0)) for n in range(200)])
    assert guessed.of(question) > half.of(question) > 4.0
