"""``practise("softmax")``: questions about a student's own right code, in the notebook, which nobody grades.

They are made as those of a defence are (`allyouneed.check.questions`), from the student's cells and the
public fingerprint alone. What is asked about runs in a child process, as in a check.
"""

from __future__ import annotations

import ast
import difflib
import random
import sys
import textwrap
from collections.abc import Iterator, Mapping

from allyouneed.check import _exercises, _fingerprint, _verdict, worker
from allyouneed.check.questions.asking import Asked, asked, fill
from allyouneed.check.questions.in_kernel import own_code
from allyouneed.check.questions.kinds import Made, options
from allyouneed.check.questions.own_code import NotUsable
from allyouneed.check.questions.question import KINDS, Question
from allyouneed.check.questions.shown import choice_of, label, lines_of, plain, title
from allyouneed.check.variants import run_apart

__all__ = ["practise"]

WIDTH = 100  # of what is printed
ROUNDS = 3  # without a new question, after which there are no more
EACH = 2  # questions of a kind from one run of the code
MOST_LINES = 150  # of code, which a notebook can show
STOPPED = "no answer: the process ends in the middle of it, or says nothing for too long"


def practise(name: str, answer: str | int | None = None, seed: int | None = None) -> None:
    """Ask about your own code for an exercise that has full points.

    ``practise("softmax")`` prints a question, ``practise("softmax", "B")`` says whether B is right, and why.
    ``practise("softmax")`` then asks the next.

    seed: any number; another one gives other inputs, changes and orders. Without it the questions go on, and
    begin with those of seed 0. Nothing is graded or sent anywhere.
    """
    print(_reply(name, answer, seed, sys._getframe(1).f_globals))


class _Practice:
    """The questions about one version of a student's code, one after the other."""

    def __init__(self, name: str, candidate, seed: int, names: Mapping[str, object]):
        self.candidate, self.seed = candidate, seed
        self.open: Made | None = None
        self.asked = self.answered = self.right = 0
        self._own, self._print = own_code(name, candidate, names, MOST_LINES), _fingerprint(name)[0]
        self._questions = self._made()
        self.trouble = ""

    def next(self) -> Made | None:
        """The next question, which is open from now on; None where there are no more."""
        self.open = next(self._questions, None)
        self.asked += self.open is not None
        return self.open

    def _made(self) -> Iterator[Made]:
        seen: set[tuple[str, str]] = set()  # of one change, each kind may ask
        without = number = 0
        while without < ROUNDS:
            rng = random.Random(f"{self.seed} {self._own.exercise} {number}")
            item = asked(self._own, self._print, rng)
            fill(item, run_apart(item.task))
            self.trouble = item.trouble or ("" if item.answers else STOPPED)
            found = [made for made in _round(item, rng) if _about(made) not in seen]
            without = 0 if found else without + 1 if item.inputs else ROUNDS
            for made in found:
                if _about(made) not in seen:
                    seen.add(_about(made))
                    yield made
            number += 1


_practices: dict[str, _Practice] = {}


def _round(item: Asked, rng: random.Random) -> list[Made]:
    """Questions from one run: of each kind one, then of each another."""
    rows = [_different(options(kind, item, rng)) for kind in KINDS if kind != "why"]  # that one is for a talk
    return [row[rank] for rank in range(EACH) for row in rows if rank < len(row)]


def _about(made: Made) -> tuple[str, str]:
    return made.question.kind, made.topic


def _different(found: Iterator[Made]) -> list[Made]:
    return list({made.topic: made for made in found}.values())[:EACH]


def _reply(name, answer, seed, names: Mapping[str, object]) -> str:
    """What to print: a question, what an answer is worth, or one sentence that says what is in the way."""
    if worker.captured:
        return "Questions to practise are not asked while a notebook is graded."
    if not isinstance(name, str):
        return 'Name the exercise as text, in quotation marks: practise("softmax").'
    if problem := _not_yet(name, names):
        return problem
    candidate, practice = names[name], _practices.get(name)
    if answer is not None:
        if practice is None or practice.open is None:
            return f"There is no open question about {name}. {_call(name)} asks one."
        if practice.candidate is not candidate:
            return f"{name} was defined again after that question. {_call(name)} asks about the new code."
        return _judged(name, practice, practice.open, str(answer))
    if practice is None or practice.candidate is not candidate or seed not in (None, practice.seed):
        verdict = _verdict(name, candidate)[0]
        most = sum(_fingerprint(name)[0]["points"].values())
        if not verdict.passed or verdict.points < most:
            return (
                f"{name} has {verdict.points:g} of {most:g} points so far. The questions begin after full "
                "points: its check says what is missing."
            )
        try:
            practice = _Practice(name, candidate, 0 if seed is None else seed, names)
        except NotUsable as error:
            return f"No question about {name} can be asked: {plain(str(error))}."
        _practices[name] = practice
    made = practice.next()
    return _nothing(name, practice) if made is None else _shown(name, practice, made.question)


def _not_yet(name: str, names: Mapping[str, object]) -> str:
    try:
        _fingerprint(name)
    except KeyError:
        known = _exercises("")
        near = difflib.get_close_matches(name, [item for item in known if item in names] or known, 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        return f"There is no exercise named {plain(repr(name)[:60])}.{meant}"
    if name not in names:
        return f"This kernel has not run the cell of {name} yet. Run it, and its check, first."
    return ""


def _call(name: str, answer: str = "") -> str:
    return f'practise("{name}", "{answer}")' if answer else f'practise("{name}")'


def _nothing(name: str, practice: _Practice) -> str:
    if practice.asked:
        return (
            f"These were all the questions about {name}: {practice.right} of {practice.answered} answers "
            f'were right. Another seed gives others: practise("{name}", seed={practice.seed + 1}).'
        )
    why = "it is too short, or no small change of it shows in its results"
    if practice.trouble:
        why = f"on small inputs it gives {plain(' '.join(practice.trouble.split()))}"
    return f"No question can be made of this code for {name}: {why}."


def _judged(name: str, practice: _Practice, made: Made, typed: str) -> str:
    question, choice = made.question, choice_of(made.question, typed)
    if choice is None:
        labels = [label(question, number) for number in range(len(question.choices))]
        return f"Answer with {', '.join(labels[:-1])} or {labels[-1]}, for example {_call(name, labels[0])}."
    assert made.answer is not None
    practice.open, right = None, choice == made.answer
    practice.answered += 1
    practice.right += right
    told = [f"✓ {label(question, choice)} is right." if right else f"✗ Not {label(question, choice)}."]
    if not right:
        told += [made.slips[choice] if made.slips else "", f"{label(question, made.answer)} is right."]
    text = plain(" ".join(filter(None, [*told, made.explanation])))
    so_far = f"{practice.right} of {practice.answered} answers right so far. Another question: {_call(name)}"
    return f"{_wrapped(text)}\n{so_far}"


def _shown(name: str, practice: _Practice, question: Question) -> str:
    choices = []
    if question.kind != "mend":  # there the choices are the numbers beside the code
        for number, choice in enumerate(question.choices):
            first, *more = lines_of(choice)
            choices += [f"  {label(question, number)}   {first}", *(f"      {line}" for line in more)]
        choices.append("")
    else:
        choices = [_wrapped(f"One of the lines {', '.join(question.choices)}."), ""]
    example = label(question, 0)
    return "\n".join(
        [
            f"{name}, question {practice.asked}: {title(question)}",
            _wrapped(plain(question.prompt)),
            "",
            *_code(question),
            "",
            *choices,
            f"Answer like this: {_call(name, example)}. Nobody grades it.",
        ]
    )


def _code(question: Question) -> list[str]:
    """The code with numbers of lines; a docstring is cut to its first line, lines that are asked about are
    marked where that tells no answer."""
    folded: set[int] = set()
    for node in ast.walk(ast.parse(question.code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False):
            text = node.body[0]
            folded |= set(range(text.lineno + 1, (text.end_lineno or text.lineno) + 1))
    marked = set() if question.kind == "mend" else set(question.marked)
    rows = []
    for number, line in enumerate(lines_of(question.code.rstrip("\n")), start=1):
        if number not in folded:
            rows.append(f"{'→' if number in marked else ' '}{number:3}  {line}".rstrip())
        elif number - 1 not in folded:
            rows.append("       …")
    return rows


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
