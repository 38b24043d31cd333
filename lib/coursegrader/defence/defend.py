"""Papers for all who handed in: each student's code read here, run in the jail, and asked about.

Which exercise a kind of question is about follows from the course's secret, so it is the same for the whole
class; inputs, changes and orders follow from the student's own seed. Of two neighbours in the room the later
one is asked nothing that the earlier one is asked.
"""

from __future__ import annotations

import os
import random
import secrets
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from allyouneed.check.questions.asking import asked, fill
from allyouneed.check.questions.inputs import is_plain, probes_of
from allyouneed.check.questions.own_code import NotUsable
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.releases import releases_of
from coursegrader.course.secret import course_secret
from coursegrader.defence.choosing import QUESTIONS, Work, paper_of, seed_of
from coursegrader.defence.difficulty import Difficulty, learned
from coursegrader.defence.job import found_in, job_of
from coursegrader.defence.own_code import own_code
from coursegrader.defence.paper import Paper, paper_path, read_key, read_paper, write_paper
from coursegrader.defence.seats import Seats, seats_of, take_seating
from coursegrader.errors import UserError
from coursegrader.grading.pool import open_pool
from coursegrader.submissions.files import PreflightError, readable, who_handed_in
from coursegrader.submissions.notebook import mend
from coursegrader.text import counted, in_a_line

SHOWN = ("which-change", "trace", "does-it-matter", "why")  # kinds that show the code as it was handed in
PROVED = 3  # exercises in which changes that do not matter are looked for: that takes most of the time
MANY = 30  # probes: where there are more, rather in another exercise


@dataclass
class Result:
    """What became of one student's paper."""

    student: str
    questions: int = 0
    notes: tuple[str, ...] = ()
    problem: str | None = None
    kept: bool = False


def defend(
    problem_set: ProblemSet,
    students: list[str] | None = None,
    questions: int = QUESTIONS,
    force: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    seating: Path | None = None,
) -> list[Result]:
    """Make the papers that are not there yet (all of them if `force`); a broken submission stops no other.

    Stopped at any moment and run again, it goes on where it was.
    """
    found = sorted(who_handed_in(problem_set.root, problem_set.name))
    if not found:
        raise UserError(
            f"There are no submissions of {problem_set.name} in {problem_set.root / 'submitted'}. Collect "
            f"them first: coursegrader collect {problem_set.name} FOLDER_OR_ZIP."
        )
    if unknown := sorted(set(students or ()) - set(found)):
        raise UserError(
            f"There is no submission of {problem_set.name} from {', '.join(unknown)}. There are submissions "
            f"from: {', '.join(found)}."
        )
    for line in take_seating(problem_set, seating, found) if seating else ():
        print(line)
    seats = seats_of(problem_set, found)
    beside, white = seats.neighbours(), seats.white()
    chosen = [student for student in found if students is None or student in students]
    results = {
        student: _kept(problem_set, student)
        for student in chosen
        if not force and paper_path(problem_set, student).exists()
    }
    # first those of whom no two are neighbours; the others, when these have theirs, are asked other things
    waiting = sorted(set(chosen) - results.keys(), key=lambda student: (student not in white, student))
    secret = course_secret(problem_set.root)
    bar = tqdm(total=len(chosen), initial=len(results), desc=f"papers {problem_set.name}", unit="student")
    with bar:
        if waiting:
            prints, difficulty = problem_set.fingerprints("public"), learned(problem_set.root)
            width = min(workers or len(os.sched_getaffinity(0)), len(waiting))
            with open_pool(scheduler, width) as pool:
                running: dict = {}

                def settle_some() -> None:
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        work = running.pop(future)
                        results[work.student] = _finished(
                            problem_set, work, future, secret, questions, beside[work.student], difficulty
                        )
                        bar.update()

                exercises = _in_order(problem_set.name, prints, secret)
                # no hidden ones: what a stranger's code has seen it could put on its paper
                fresh = {name: probes_of(problem_set.outline("fresh", name)) for name in exercises}
                most = max(questions, QUESTIONS)
                proved = sorted(exercises[:most][::-1], key=lambda name: len(fresh[name]) > MANY)[:PROVED]
                for number, student in enumerate(waiting):
                    while number and running and student not in white and waiting[number - 1] in white:
                        settle_some()
                    try:
                        work = _begun(problem_set, student, secret, prints, fresh, exercises, proved, most)
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


def _in_order(name: str, prints: dict, secret: str) -> list[str]:
    """The exercises in an order of this class; two first whose inputs can be shown, where there are such."""
    order = list(prints)
    random.Random(seed_of(secret, name, "exercises")).shuffle(order)
    plain = [exercise for exercise in order if is_plain(prints[exercise]["driver"])][:2]
    return [*plain, *(exercise for exercise in order if exercise not in plain)]


def _kept(problem_set: ProblemSet, student: str) -> Result:
    try:
        paper = read_paper(problem_set, student)
    except UserError as error:
        return Result(student, problem=str(error))
    notes = paper.notes
    if _is_about_other_code(problem_set, paper):
        notes = (*notes, "It is about code that was handed in before: --force makes it anew.")
    return Result(student, len(paper.questions), notes, kept=True)


def _is_about_other_code(problem_set: ProblemSet, paper: Paper) -> bool:
    """Whether what the student has handed in by now is not what the paper shows."""
    shown = {question.exercise: question.code for question in paper.questions if question.kind in SHOWN}
    try:
        notebook = _notebook(problem_set, paper.student)
        return any(own_code(notebook, exercise).text != code for exercise, code in shown.items())
    except NotUsable:
        return True
    except (PreflightError, OSError, RecursionError):
        return False


def _notebook(problem_set: ProblemSet, student: str):
    """What a student handed in, tidied. Raises PreflightError where it cannot be read."""
    files = readable(problem_set.root / "submitted" / student / problem_set.name, problem_set)
    releases = releases_of(problem_set.root, problem_set.name)
    return mend(files.notebook.read_bytes(), problem_set.notebook, releases)[0]


def _begun(
    problem_set: ProblemSet,
    student: str,
    secret: str,
    prints: dict,
    fresh: dict[str, list[dict]],
    exercises: list[str],
    proved: list[str],
    most: int,
) -> Work:
    """Read a submission; say what is asked, of `most` exercises, and of those `proved` also which changes
    leave every result the same. Raises PreflightError or NotUsable where nothing can be."""
    notebook = _notebook(problem_set, student)
    seed = seed_of(secret, problem_set.name, student)
    work = Work(student, seed, secrets.token_hex(16), exercises)
    for name in exercises:
        if len(work.items) == most:
            break
        try:
            own, rng = own_code(notebook, name), random.Random(f"{seed} {name}")
            item = asked(own, prints[name], rng, min(most, len(exercises)), fresh[name])
            if name not in proved:
                item.task["probes"] = []
            work.items[name] = item
        except (NotUsable, RecursionError) as error:
            work.notes.append(in_a_line(f"No question about {name}: {str(error) or type(error).__name__}."))
    if not work.items:
        raise NotUsable("no exercise of this submission can be asked about: " + " ".join(work.notes))
    return work


def _finished(
    problem_set: ProblemSet,
    work: Work,
    future,
    secret: str,
    questions: int,
    beside: list[str],
    difficulty: Difficulty,
) -> Result:
    try:
        found = found_in(future.result(), work.nonce)
        for name, item in work.items.items():
            fill(item, found.get(name, {}))
            if not item.inputs:
                why = item.trouble or "it gave no result on small inputs in the time that it had"
                work.notes.append(in_a_line(f"{name} gives nothing to ask about but its text: {why}."))
        taken = {one for other in beside for one in _asked_of(problem_set, other)}
        paper, key = paper_of(problem_set.name, work, secret, questions, taken, difficulty)
    except Exception as error:  # whatever one submission sends back, the others get their papers
        return Result(work.student, problem=in_a_line(f"{type(error).__name__}: {error}", 300))
    if not paper.questions:
        return Result(
            work.student, problem=in_a_line(" ".join(paper.notes) or "no question could be made", 500)
        )
    write_paper(problem_set, paper, key)
    return Result(work.student, len(paper.questions), paper.notes)


def summary(problem_set: ProblemSet, results: list[Result]) -> str:
    """What there is now, and what a person has to look at."""
    lines = []
    for result in results:
        if result.problem:
            lines.append(f"{result.student:24} no paper: {result.problem}")
        elif result.notes:
            lines.append(f"{result.student:24} {result.questions} questions. {' '.join(result.notes)}")
    good = [result for result in results if not result.problem]
    if alike := _alike_neighbours(problem_set, {result.student for result in good}):
        lines.append(f"These neighbours share a question, so seat them apart: {', '.join(alike)}.")
    kept = sum(result.kept for result in good)
    noted = sum(bool(result.notes) for result in good)
    lines.append(
        f"{counted(len(good), 'paper')} ({kept} kept from before), {noted} with a note, "
        f"{counted(len(results) - len(good), 'student')} without one. They are in "
        f"{paper_path(problem_set, 'x').parent}."
    )
    return "\n".join(lines)


def _alike_neighbours(problem_set: ProblemSet, students: set[str]) -> list[str]:
    """Pairs of neighbours of whom both are asked one and the same question."""
    seats: Seats = seats_of(problem_set, sorted(who_handed_in(problem_set.root, problem_set.name)))
    pairs = [pair for pair in seats.pairs() if students & set(pair)]
    asked_of = {student: _asked_of(problem_set, student) for pair in pairs for student in pair}
    return [f"{one} and {other}" for one, other in pairs if asked_of[one] & asked_of[other]]


def _asked_of(problem_set: ProblemSet, student: str) -> set[tuple]:
    """What a student's paper asks; nothing where there is none that can be read."""
    try:
        questions, answers = (
            read_paper(problem_set, student).questions,
            read_key(problem_set, student).answers,
        )
    except UserError:
        return set()
    return {question.asks(answer) for question, answer in zip(questions, answers)}
