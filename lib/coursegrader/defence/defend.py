"""Papers for all who handed in: each student's code read here, run in the jail, and asked about.

Which exercise a kind of question is about follows from the course's secret, so it is the same for the whole
class; inputs, changes and orders follow from the student's own seed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import random
import secrets
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, field

from tqdm import tqdm

from allyouneed.check.questions.asking import Asked, asked, fill
from allyouneed.check.questions.kinds import Made, options
from allyouneed.check.questions.own_code import NotUsable
from allyouneed.check.questions.question import KINDS
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.releases import releases_of
from coursegrader.course.secret import course_secret
from coursegrader.defence.asking import found_in, job_of
from coursegrader.defence.own_code import own_code
from coursegrader.defence.paper import Key, Paper, paper_path, read_paper, write_paper
from coursegrader.errors import UserError
from coursegrader.grading.pool import open_pool
from coursegrader.submissions.files import PreflightError, readable
from coursegrader.submissions.notebook import mend
from coursegrader.text import in_a_line

QUESTIONS = 6
AIM = 4.0  # the difficulty that a question should have, where there is a choice


@dataclass
class Result:
    """What became of one student's paper."""

    student: str
    questions: int = 0
    notes: tuple[str, ...] = ()
    problem: str | None = None
    kept: bool = False


@dataclass
class _Work:
    """A student on the way: what is asked of each exercise, and what is known by now."""

    student: str
    seed: str
    nonce: str
    items: dict[str, Asked]
    notes: list[str] = field(default_factory=list)


def defend(
    problem_set: ProblemSet,
    students: list[str] | None = None,
    questions: int = QUESTIONS,
    force: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
) -> list[Result]:
    """Make the papers that are not there yet (all of them if `force`); a broken submission stops no other.

    Stopped at any moment and run again, it goes on where it was.
    """
    found = sorted(
        path.parent.name
        for path in (problem_set.root / "submitted").glob(f"*/{problem_set.name}")
        if path.is_dir()
    )
    if not found:
        raise UserError(
            f"There are no submissions of {problem_set.name} in {problem_set.root / 'submitted'}. Collect "
            f"them first: coursegrader collect {problem_set.name} FOLDER_OR_ZIP."
        )
    if unknown := sorted(set(students or ()) - set(found)):
        raise UserError(f"There is no submission of {problem_set.name} from {', '.join(unknown)}.")
    chosen = [student for student in found if students is None or student in students]
    results = {
        student: _kept(problem_set, student)
        for student in chosen
        if not force and paper_path(problem_set, student).exists()
    }
    waiting = [student for student in chosen if student not in results]
    secret = course_secret(problem_set.root)
    bar = tqdm(total=len(chosen), initial=len(results), desc=f"papers {problem_set.name}", unit="student")
    with bar:
        if waiting:
            prints = problem_set.fingerprints("public")
            width = min(workers or len(os.sched_getaffinity(0)), len(waiting))
            with open_pool(scheduler, width) as pool:
                running: dict = {}

                def settle_some() -> None:
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        work = running.pop(future)
                        results[work.student] = _finished(problem_set, work, future, secret, questions)
                        bar.update()

                for student in waiting:
                    try:
                        work = _begun(problem_set, student, secret, prints)
                    except (PreflightError, NotUsable, OSError) as error:
                        results[student] = Result(student, problem=in_a_line(str(error), 500))
                        bar.update()
                        continue
                    tasks = {name: item.task for name, item in work.items.items()}
                    running[pool.submit(job_of(tasks, work.nonce))] = work
                    while len(running) >= 2 * pool.width + 1:
                        settle_some()
                while running:
                    settle_some()
    return [results[student] for student in chosen]


def seed_of(secret: str, *parts: str) -> str:
    """A seed that follows from the course's secret, and tells nothing of it."""
    return hmac.new(secret.encode(), "\n".join(("defence", *parts)).encode(), hashlib.sha256).hexdigest()[:24]


def _kept(problem_set: ProblemSet, student: str) -> Result:
    try:
        paper = read_paper(problem_set, student)
    except UserError as error:
        return Result(student, problem=str(error))
    return Result(student, len(paper.questions), paper.notes, kept=True)


def _begun(problem_set: ProblemSet, student: str, secret: str, prints: dict) -> _Work:
    """Read a submission; say what is asked. Raises PreflightError or NotUsable where nothing can be."""
    files = readable(problem_set.root / "submitted" / student / problem_set.name, problem_set)
    notebook, _ = mend(
        files.notebook.read_bytes(), problem_set.notebook, releases_of(problem_set.root, problem_set.name)
    )
    seed = seed_of(secret, problem_set.name, student)
    work = _Work(student, seed, secrets.token_hex(16), {})
    for name in problem_set.exercises:
        try:
            own = own_code(notebook, name)
            work.items[name] = asked(own, prints[name], random.Random(f"{seed} {name}"))
        except (NotUsable, RecursionError) as error:
            work.notes.append(in_a_line(f"No question about {name}: {str(error) or type(error).__name__}."))
    if not work.items:
        raise NotUsable("no exercise of this submission can be asked about: " + " ".join(work.notes))
    return work


def _finished(problem_set: ProblemSet, work: _Work, future, secret: str, questions: int) -> Result:
    try:
        found = found_in(future.result(), work.nonce)
        for name, item in work.items.items():
            fill(item, found.get(name, {}))
            if not item.inputs:
                why = item.trouble or "it gave no result on small inputs in the time that it had"
                work.notes.append(in_a_line(f"{name} gives nothing to ask about but its text: {why}."))
        paper, key = paper_of(problem_set.name, work, secret, questions)
    except Exception as error:  # whatever one submission sends back, the others get their papers
        return Result(work.student, problem=in_a_line(f"{type(error).__name__}: {error}", 300))
    if not paper.questions:
        return Result(
            work.student, problem=in_a_line(" ".join(paper.notes) or "no question could be made", 500)
        )
    write_paper(problem_set, paper, key)
    return Result(work.student, len(paper.questions), paper.notes)


def paper_of(name: str, work: _Work, secret: str, questions: int) -> tuple[Paper, Key]:
    """The paper of a student: a question of each kind in turn, about different exercises where possible."""
    rng, notes, made = random.Random(f"{work.seed} paper"), list(work.notes), []
    used: dict[str, int] = {}
    topics: set[str] = set()
    for number in range(questions):
        kind = KINDS[number % len(KINDS)]
        order = list(work.items)
        random.Random(seed_of(secret, name, kind, str(number))).shuffle(order)  # the same for the whole class
        order.sort(key=lambda exercise: used.get(exercise, 0))
        found = _first(kind, order, work.items, rng, topics)
        if found is None:
            notes.append(f"No question of the kind “{kind}” could be made of this code.")
            for other in (other for other in KINDS if other != kind):
                if found := _first(other, order, work.items, rng, topics):
                    notes[-1] = f"{notes[-1]} One of the kind “{other}” stands for it."
                    break
        if found is not None:
            made.append(found)
            topics.add(found.topic)
            used[found.question.exercise] = used.get(found.question.exercise, 0) + 1
    paper = Paper(work.student, name, work.seed, tuple(item.question for item in made), tuple(notes))
    return paper, Key(tuple(item.answer for item in made), tuple(item.explanation for item in made))


def _first(kind: str, order: list[str], items: dict[str, Asked], rng, topics: set[str]) -> Made | None:
    """Of the first exercise that allows this kind, the question whose difficulty is nearest to the aim."""
    for exercise in order:
        found = [made for made in options(kind, items[exercise], rng) if made.topic not in topics]
        if found:
            return min(found, key=lambda made: abs(made.question.difficulty - AIM))
    return None


def summary(problem_set: ProblemSet, results: list[Result]) -> str:
    """What there is now, and what a person has to look at."""
    lines = []
    for result in results:
        if result.problem:
            lines.append(f"{result.student:24} no paper: {result.problem}")
        elif result.notes:
            lines.append(f"{result.student:24} {result.questions} questions. {' '.join(result.notes)}")
    good = [result for result in results if not result.problem]
    if alike := _alike_neighbours(problem_set, [result.student for result in good]):
        lines.append(
            f"These neighbours in the list share a question, so seat them apart: {', '.join(alike)}."
        )
    kept = sum(result.kept for result in good)
    noted = sum(bool(result.notes) for result in good)
    lines.append(
        f"{len(good)} papers ({kept} kept from before), {noted} with a note, {len(results) - len(good)} "
        f"students without one. They are in {paper_path(problem_set, 'x').parent}."
    )
    return "\n".join(lines)


def _alike_neighbours(problem_set: ProblemSet, students: list[str]) -> list[str]:
    """Pairs of neighbours, in the order of their names, of whom both are asked one and the same question."""
    asked_of = [
        {
            (item.prompt, item.code, item.choices)
            for item in read_paper(problem_set, student).questions
            if item.choices
        }
        for student in students
    ]
    pairs = zip(students, students[1:], asked_of, asked_of[1:])
    return [f"{one} and {other}" for one, other, mine, yours in pairs if mine & yours]
