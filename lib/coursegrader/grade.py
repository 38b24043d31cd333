"""Grade all submissions of a problem set: notebooks run in a pool; only this process writes files and the gradebook."""

from __future__ import annotations

import contextlib
import json
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from threading import Event

import nbformat
from nbgrader.api import MissingEntry
from nbgrader.converters import Autograde
from tqdm import tqdm
from traitlets import import_item

from coursegrader.course import load_config, open_course
from coursegrader.engines import engines_kept
from coursegrader.errors import RubricError
from coursegrader.execution import VERDICTS, JudgedExecute, digest, problem_set_of
from coursegrader.gradebook import keep_marks, marked_answers, source_cells_read_once, what_to_do
from coursegrader.intake import take_in
from coursegrader.moved import moves, write_moves
from coursegrader.pool import open_pool
from coursegrader.problemset import ProblemSet
from coursegrader.record import changed_since, forget, is_graded, key_of, remember
from coursegrader.stopping import interrupts_remembered
from coursegrader.submitted_files import in_a_line


@dataclass(frozen=True)
class Result:
    """What became of one submission: its score, or why there is none."""

    student: str
    score: float | None
    max_score: float | None
    problem: str | None = None
    skipped: bool = False
    waiting: bool = False  # for a written answer to be marked
    moves: tuple = ()  # rows of `moved`, where it had been graded before


def grade(problem_set: ProblemSet, force: bool = False, students: list[str] | None = None, workers: int | None = None,
          scheduler: str | None = None) -> list[Result]:
    """Grade what is in ``submitted/``. A submission that has been graded and has not changed is left alone unless `force`.

    `workers` notebooks run at once on this machine (default: one a core), or as many as the cluster at `scheduler` has room for.
    A broken submission is reported and stops no other. Stopped at any moment and run again, it goes on where it was.
    """
    problem_set = problem_set_of(str(problem_set.root), problem_set.name)  # the one whose hidden probes the judge uses
    problem_set.verify()
    problem_set.hidden()  # before the first student, so that a rubric that fails stops nobody halfway
    folder = problem_set.root / "submitted"
    found = sorted(path.parent.name for path in folder.glob(f"*/{problem_set.name}") if path.is_dir())
    chosen = [student for student in found if students is None or student in students]
    if not chosen:
        raise RubricError(f"There are no submissions of {problem_set.name} in {folder}. Collect them first: nbgrader collect {problem_set.name}.")
    with interrupts_remembered() as stop, open_course(problem_set.root) as api, engines_kept(), source_cells_read_once(), \
            tqdm(total=len(chosen), desc=f"grading {problem_set.name}", unit="student", smoothing=0.05) as bar:
        run = _Run(api, problem_set, bar, stop)
        waiting = [student for student in chosen if run.begin(student, force)]
        if waiting:
            with open_pool(scheduler, min(workers, len(waiting)) if workers else None) as pool:
                run.all_of(waiting, pool)
    return [run.results[student] for student in chosen]


class _Run:
    """One run of grading: what is under way, and what has come of it."""

    def __init__(self, api, problem_set: ProblemSet, bar, stop: Event):
        self.api, self.problem_set, self.bar, self.stop = api, problem_set, bar, stop
        self.results: dict[str, Result] = {}
        self.keys: dict[str, dict[str, str]] = {}  # of the submissions, for the record
        self.names: dict[str, str] = {}  # of the jobs
        config = load_config(problem_set.root)
        self.execute = JudgedExecute(config=config)
        steps = Autograde(coursedir=api.coursedir, config=config).sanitize_preprocessors
        self.steps = [import_item(step)(config=config) if isinstance(step, str) else step(config=config) for step in steps]

    def begin(self, student: str, force: bool) -> bool:
        """Put a submission in order; return whether it has to be run."""
        try:
            take_in(self.problem_set.root / "submitted" / student / self.problem_set.name, self.problem_set)
            self.keys[student] = key_of(self.problem_set, student)
            if not force and is_graded(self.problem_set, student, self.keys[student]) and (score := self._score(student, skipped=True)):
                self._settle(score)
                return False
            forget(self.problem_set, student)
            return True
        except Exception as error:  # whatever one submission holds, the others are graded
            self._settle(Result(student, None, None, what_to_do(str(error)) or str(error) or type(error).__name__))
            return False

    def all_of(self, students: list[str], pool) -> None:
        """Keep the pool busy, a few notebooks ahead, and save what is done as it comes."""
        running: dict[Future, str] = {}
        for student in students:
            try:
                job = self._job(student)
            except Exception as error:
                self._settle(Result(student, None, None, what_to_do(str(error)) or f"the notebook cannot be prepared: {error}"))
                continue
            future = pool.submit(job)
            running[future] = student
            self.names[student] = digest(job)
            JudgedExecute.ahead[self.names[student]] = future
            while len(running) >= 2 * pool.width + 1:
                self._save_some(running)
        while running:
            self._save_some(running)

    def _save_some(self, running: dict[Future, str]) -> None:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            self._save(running.pop(future), future)

    def _job(self, student: str) -> str:
        """The job that nbgrader's autograder will come to, by those of its steps that change what is run."""
        name = self.problem_set.name
        notebook = nbformat.read(self.problem_set.root / "submitted" / student / name / f"{name}.ipynb", as_version=4)
        resources = {"unique_key": name, "nbgrader": {"student": student, "assignment": name, "notebook": name,
                                                      "db_url": self.api.coursedir.db_url}}
        for step in self.steps:
            notebook, resources = step.preprocess(notebook, resources)
        return self.execute.job(notebook, resources)

    def _save(self, student: str, future: Future) -> None:
        """Judge a notebook that has been run, and let nbgrader write it down."""
        try:
            ran = json.loads(future.result())
        except Exception as error:
            return self._settle(Result(student, None, None, f"the notebook could not be run: {error or type(error).__name__}"))
        before = read_verdicts(self.problem_set, student).get(student)
        name, graded = self.problem_set.name, self.problem_set.root / "autograded" / student / self.problem_set.name / f"{self.problem_set.name}.ipynb"
        try:
            with self.api.gradebook as gradebook:
                marked = marked_answers(gradebook, name, student, graded)
            result = self.api.autograde(self.problem_set.name, student, force=True)
        except Exception as error:
            return self._settle(Result(student, None, None, what_to_do(str(error)) or f"nbgrader: {error or type(error).__name__}"))
        if not result["success"]:
            text = f"{result.get('log', '')}\n{result.get('error', '')}"
            lines = text.strip().splitlines()
            return self._settle(Result(student, None, None, what_to_do(text) or (lines[-1] if lines else "nbgrader gave no reason")))
        if JudgedExecute.ahead.pop(self.names[student], None):
            tqdm.write(f"{student}: run twice, since nbgrader changed the notebook after it had been handed out")
        if marked:
            with self.api.gradebook as gradebook:
                keep_marks(gradebook, name, student, graded, marked)
        rows = []
        if before is not None:
            rows = moves(student, before, read_verdicts(self.problem_set, student).get(student, []), changed_since(self.problem_set, student, self.keys[student]))
            write_moves(self.problem_set.root / "reports" / self.problem_set.name / "moved.csv", rows)
        remember(self.problem_set, student, self.keys[student], ran["cpu_seconds"])
        self._settle(replace(self._score(student) or Result(student, None, None, "nbgrader has no score"), moves=tuple(rows)))

    def _score(self, student: str, skipped: bool = False) -> Result | None:
        """What the gradebook holds, or None where it holds nothing or the graded notebook is gone."""
        if not read_verdicts(self.problem_set, student):
            return None
        try:
            with self.api.gradebook as gradebook:
                submission = gradebook.find_submission(self.problem_set.name, student)
                return Result(student, submission.score, submission.max_score, skipped=skipped, waiting=submission.needs_manual_grade)
        except MissingEntry:
            return None

    def _settle(self, result: Result) -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt  # one that was caught on its way
        self.results[result.student] = replace(result, problem=in_a_line(result.problem, 2000)) if result.problem else result
        self.bar.update()


def read_verdicts(problem_set: ProblemSet, student: str = "*") -> dict[str, list[dict]]:
    """The verdicts on every graded submission, or on that of one student, by student. A damaged file counts as none: it is graded again."""
    found = {}
    for path in sorted((problem_set.root / "autograded").glob(f"{student}/{problem_set.name}/{VERDICTS}")):
        with contextlib.suppress(ValueError):
            found[path.parent.parent.name] = json.loads(path.read_text(encoding="utf-8"))
    return found
