"""Mark what people wrote: mark."""

from __future__ import annotations

import sys

from coursegrader.cli.arguments import port, problem_set_of
from coursegrader.errors import UserError


def add_mark(command) -> None:
    parser = command("mark", _mark, "Mark the written answers on a page that this machine alone is served.")
    parser.add_argument("--blind", action="store_true", help="show numbers in the place of names")
    parser.add_argument("--question", metavar="CELL", help="the question, where a problem set has several")
    parser.add_argument("--port", type=port, default=0, help="the page's port (default: any that is free)")


def _mark(options) -> int:
    from coursegrader.marking.answers import Answers, questions_of
    from coursegrader.marking.likeness import likeness
    from coursegrader.marking.people import names_of, numbers_of
    from coursegrader.marking.server import Desk, serve

    problem_set = problem_set_of(options)
    questions = {question.cell: question for question in questions_of(problem_set)}
    if options.question and options.question not in questions:
        raise UserError(
            f"{problem_set.name} has no question {options.question!r}. It has: {', '.join(questions)}."
        )
    if len(questions) > 1 and not options.question:
        raise UserError(f"Say which question: --question {' or '.join(questions)}.")
    question = questions[options.question or next(iter(questions))]
    answers = Answers(problem_set, question)
    students = answers.students()
    if not students:
        print("Nobody has written an answer: there is nothing to mark.")
        return 0
    shown = (numbers_of if options.blind else names_of)(problem_set, students)
    shown = dict(sorted(shown.items(), key=lambda item: item[1].casefold()))
    print(f"{len(students)} answers. Grouping them by likeness ...", flush=True)
    try:
        alike = likeness([answers.text(who) for who in shown])
    except (ImportError, OSError, ValueError) as error:
        print(f"coursegrader: not grouped, since the sentence encoder is missing: {error}", file=sys.stderr)
        alike = None

    def say(address: str) -> None:
        print(f"Open {address}\nMarks are saved at once. Ctrl-C ends the page.", flush=True)

    try:
        serve(Desk(problem_set, question, shown, alike), options.port, say)
    except KeyboardInterrupt:
        print("The page is closed; every mark that it called saved is in the gradebook.")
    return 0
