"""Grade all submissions of a problem set: notebooks run in a pool; only this process writes files and the
gradebook.
"""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from threading import Event

from nbgrader.api import MissingEntry
from tqdm import tqdm

from coursegrader.course.configuration import load_config, open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.due_dates import settle_all
from coursegrader.grading.ledger import is_graded, key_of
from coursegrader.grading.nbgrader_patches import NotWrittenDown, engines_kept, source_cells_read_once
from coursegrader.grading.pool import open_pool
from coursegrader.grading.submission import Grader, Submission, problem_set_of
from coursegrader.grading.verdicts import read_verdicts
from coursegrader.interrupts import interrupts_remembered
from coursegrader.sandbox.fork_client import ForkServer
from coursegrader.submissions.files import PreflightError, who_handed_in
from coursegrader.text import in_a_line
from coursegrader.trouble import what_to_do


@dataclass(frozen=True)
class Result:
    """What became of one submission: its score, or why there is none."""

    student: str
    score: float | None
    max_score: float | None
    problem: str | None = None
    skipped: bool = False
    waiting: bool = False  # for a written answer to be marked
    penalty: float = 0.0  # for being late, of which the score knows nothing
    taken_back: tuple[str, ...] = ()  # marks of answers that are others now
    moves: tuple = ()  # rows of `moved_scores`, where it had been graded before


def grade(
    problem_set: ProblemSet,
    force: bool = False,
    students: list[str] | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    server: ForkServer | None = None,
) -> list[Result]:
    """Grade what is in ``submitted/``; what has been graded and has not changed is left alone unless `force`.

    `workers` notebooks run at once on this machine (default: one a core), or as many as the cluster at
    `scheduler` has room for; `server` is this machine's fork server where it has been begun. A broken
    submission is reported and stops no other. Stopped at any moment and run again, it goes on where it was.
    """
    problem_set = problem_set_of(str(problem_set.root), problem_set.name)
    problem_set.verify()
    folder = problem_set.root / "submitted"
    found = sorted(who_handed_in(problem_set.root, problem_set.name))
    if not found:
        raise UserError(
            f"There are no submissions of {problem_set.name} in {folder}. Collect them first: "
            f"nbgrader collect {problem_set.name}, or coursegrader collect {problem_set.name} FOLDER_OR_ZIP."
        )
    if unknown := sorted(set(students or ()) - set(found)):
        raise UserError(
            f"There is no submission of {problem_set.name} from {', '.join(unknown)}. There are submissions "
            f"from: {', '.join(found)}."
        )
    chosen = [student for student in found if students is None or student in students]
    with (
        interrupts_remembered() as stop,
        open_course(problem_set.root) as api,
        engines_kept(),
        source_cells_read_once(),
        tqdm(total=len(chosen), desc=f"grading {problem_set.name}", unit="student", smoothing=0.05) as bar,
    ):
        _check_released(api, problem_set)
        settle_all(problem_set.root)  # of what is kept as it is, times and dates may have changed
        run = _Run(api, problem_set, bar, stop)
        waiting = [student for student in chosen if run.begin(student, force)]
        if waiting:
            width = min(workers or len(os.sched_getaffinity(0)), len(waiting))
            with open_pool(scheduler, width, server) as pool:
                # while the workers warm up, and before the first student: a rubric that fails stops nobody
                # halfway
                problem_set.hidden()
                run.all_of(waiting, pool)
            reports = problem_set.root / "reports" / problem_set.name
            for path in (*reports.glob("feedback-*.zip"), reports / "canvas.csv", reports / "moodle.csv"):
                path.unlink(missing_ok=True)  # of earlier scores
    return [run.results[student] for student in chosen]


def _check_released(api, problem_set: ProblemSet) -> None:
    """Raise UserError unless the gradebook has the problem set with the points that it has now."""
    again = f"Run: coursegrader release {problem_set.name}"
    with api.gradebook as gradebook:
        try:
            notebook = gradebook.find_notebook(problem_set.name, problem_set.name)
        except MissingEntry as error:
            raise UserError(f"{problem_set.name} was not released in this course. {again}") from error
        released = {cell.name: cell.max_score for cell in notebook.grade_cells}
    graded = (cell.metadata.get("nbgrader", {}) for cell in problem_set.notebook.cells)
    now = {about["grade_id"]: about["points"] for about in graded if about.get("grade")}
    changed = [
        f"{name} gives {points:g} points, and {released[name]:g} when it was released"
        for name, points in now.items()
        if name in released and released[name] != points
    ]
    changed += [f"{name} is not in what was released" for name in now if name not in released]
    if changed:
        raise UserError(
            f"{problem_set.name} has changed since it was released: {'; '.join(changed)}. {again}"
        )


class _Run:
    """One run of grading: what is under way, and what has come of it."""

    def __init__(self, api, problem_set: ProblemSet, bar, stop: Event):
        self.api, self.problem_set, self.bar, self.stop = api, problem_set, bar, stop
        self.grader = Grader(problem_set, api.coursedir, load_config(problem_set.root))
        self.results: dict[str, Result] = {}
        self.keys: dict[str, dict[str, str]] = {}  # of the submissions, for the ledger

    def begin(self, student: str, force: bool) -> bool:
        """Whether a submission has to be graded; else its result is known already."""
        try:
            self.keys[student] = key_of(self.problem_set, student)
            known = not force and is_graded(self.problem_set, student, self.keys[student])
            if known and (score := self._score(student, skipped=True)):
                self._settle(score)
                return False
            return True
        except Exception as error:  # whatever one submission holds, the others are graded
            self._not_graded(student, error)
            return False

    def all_of(self, students: list[str], pool) -> None:
        """Keep the pool busy, a few notebooks ahead, and record what is done as it comes."""
        running: dict[Future, Submission] = {}
        for student in students:
            try:
                submission = self.grader.prepare(student, self.keys[student])
            except Exception as error:  # whatever one submission holds, the others are graded
                self._not_graded(student, error)
                continue
            running[pool.submit(submission.job)] = submission
            while len(running) >= max(1, 4 * pool.width):  # a cluster may have no worker now
                self._record_some(running)
        while running:
            self._record_some(running)

    def _record_some(self, running: dict[Future, Submission]) -> None:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            self._record(running.pop(future), future)

    def _record(self, submission: Submission, future: Future) -> None:
        try:
            result = future.result()
        except Exception as error:
            return self._not_graded(submission.student, error, "the notebook could not be run: ")
        try:
            self.grader.finish(submission, result)
            rows = self.grader.record(submission, self.grader.earlier(submission.student))
            no_score = Result(submission.student, None, None, "nbgrader has no score")
            score = self._score(submission.student) or no_score
        except Exception as error:
            return self._not_graded(submission.student, error, "nbgrader: ")
        self._settle(replace(score, moves=tuple(rows), taken_back=tuple(submission.taken_back)))

    def _score(self, student: str, skipped: bool = False) -> Result | None:
        """What the gradebook holds, or None where it holds nothing or the graded notebook is gone."""
        if not read_verdicts(self.problem_set, student):
            return None
        try:
            with self.api.gradebook as gradebook:
                submission = gradebook.find_submission(self.problem_set.name, student)
                return Result(
                    student,
                    submission.score,
                    submission.max_score,
                    skipped=skipped,
                    waiting=submission.needs_manual_grade,
                    penalty=submission.late_submission_penalty or 0.0,
                )
        except MissingEntry:
            return None

    def _not_graded(self, student: str, error: Exception, where: str = "") -> None:
        said = str(error) or type(error).__name__
        prefix = "" if isinstance(error, (PreflightError, NotWrittenDown)) else where
        self._settle(Result(student, None, None, what_to_do(said) or f"{prefix}{said}"))

    def _settle(self, result: Result) -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt  # one that was caught on its way
        if result.problem:
            result = replace(result, problem=in_a_line(result.problem, 2000))
        self.results[result.student] = result
        self.bar.update()
