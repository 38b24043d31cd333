"""The one way of a submission: prepared once, run once, judged once, and handed to nbgrader when finished.

`coursegrader grade` goes it for a class, with many notebooks running at once. `nbgrader autograde` and
formgrader's button go it one submission after another: see `nbgrader_patches`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from traitlets import import_item

from allyouneed.check.judge import Verdict
from coursegrader.course.configuration import exchange_root
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.releases import remember_release
from coursegrader.files import bring_back, replaced_whole, write_whole
from coursegrader.grading.follow_on import judged_again
from coursegrader.grading.job import job_of, judged_cells, own_cells, show_outputs
from coursegrader.grading.judging import outputs_of, own_sources, verdict_on_stranger, with_reason
from coursegrader.grading.ledger import changed_since, forget, key_of, remember
from coursegrader.grading.marks import is_by_hand, keep_marks, marked_answers
from coursegrader.grading.moved_scores import moves, write_moves
from coursegrader.grading.nbgrader_patches import write_down
from coursegrader.grading.verdicts import read_verdicts, write_verdicts
from coursegrader.submissions.intake import take_in


@dataclass
class Submission:
    """A submission on its way: the notebook, which is finished by and by, and the job that a worker runs."""

    student: str
    folder: Path  # of the prepared copy
    key: dict[str, str]  # for the ledger
    notebook: NotebookNode
    job: str
    verdicts: list[Verdict] = field(default_factory=list)
    cpu_seconds: float | None = None
    taken_back: list[str] = field(default_factory=list)  # marks of answers that are others now


@dataclass(frozen=True)
class Earlier:
    """Of a submission that was graded before: the answers that a person has marked, and the verdicts, if
    there were any.
    """

    marked: dict[str, str]
    verdicts: list[dict] | None


class Grader:
    """The steps of that way, for the submissions of one problem set of a course."""

    def __init__(self, problem_set: ProblemSet, coursedir, config):
        self.problem_set, self.coursedir, self.config = problem_set, coursedir, config
        sanitizing = Autograde(coursedir=coursedir, config=config).sanitize_preprocessors
        steps = [import_item(step) if isinstance(step, str) else step for step in sanitizing]
        self.steps = [step(config=config) for step in steps]
        remember_release(problem_set.root, problem_set.name, _in_the_exchange(config, problem_set.name))

    def prepare(self, student: str, key: dict[str, str] | None = None) -> Submission:
        """Make the tidied copy, and the job of it. Raises PreflightError if it cannot be graded."""
        name = self.problem_set.name
        key = key or key_of(self.problem_set, student)
        forget(self.problem_set, student)
        folder = take_in(self.problem_set.root / "submitted" / student / name, self.problem_set)
        notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
        about = {"student": student, "assignment": name, "notebook": name, "db_url": self.coursedir.db_url}
        resources = {"unique_key": name, "nbgrader": about}
        for step in self.steps:
            notebook, resources = step.preprocess(notebook, resources)
        job = job_of(notebook, self._hidden(notebook), [folder, self.problem_set.folder], self.config)
        return Submission(student, folder, key, notebook, job)

    def finish(self, submission: Submission, result: str) -> None:
        """Judge what a worker's `result` says, and write the finished notebook into the prepared copy."""
        ran, notebook, name = json.loads(result), submission.notebook, self.problem_set.name
        show_outputs(notebook, ran)
        sources = own_sources(notebook)
        hidden = self._hidden(notebook)
        for exercise, cell in judged_cells(notebook).items():
            response, source = ran["responses"].get(exercise), sources[exercise]
            verdict = verdict_on_stranger(exercise, hidden[exercise], response, source, ran["stopped"])
            verdict = with_reason(verdict, response, own_cells(notebook, cell))
            verdict = judged_again(
                self.problem_set, verdict, submission.verdicts, response, source, ran["stopped"]
            )
            cell.outputs = outputs_of(verdict, name)
            submission.verdicts.append(verdict)
        submission.cpu_seconds = ran["cpu_seconds"]
        write_whole(submission.folder / f"{name}.ipynb", nbformat.writes(notebook).encode())

    def earlier(self, student: str) -> Earlier:
        """What there is of a submission that was graded before, to be read before nbgrader removes it."""
        name = self.problem_set.name
        bring_back(self._graded(student))
        with self.gradebook() as gradebook:
            marked = marked_answers(gradebook, name, student, self._graded(student) / f"{name}.ipynb")
        return Earlier(marked, read_verdicts(self.problem_set, student).get(student))

    def record(self, submission: Submission, earlier: Earlier) -> list[list]:
        """Have nbgrader write the finished notebook and its grades down; return which scores moved, as rows
        of `moved_scores`.
        """
        problem_set, student = self.problem_set, submission.student
        graded, before, name = self._graded(student), earlier.verdicts, problem_set.name
        with replaced_whole(graded):
            write_down(submission.folder, student, self.coursedir, self.config)
        with self.gradebook() as gradebook:
            submission.taken_back = keep_marks(
                gradebook, name, student, graded / f"{name}.ipynb", earlier.marked
            )
        if submission.verdicts:
            write_verdicts(graded, submission.verdicts)
            by_hand = {} if before is None else self._by_hand(gradebook, submission)
        rows = []
        if before is not None:
            now = read_verdicts(problem_set, student).get(student, [])
            changed = changed_since(problem_set, student, submission.key)
            rows = moves(student, before, now, changed, by_hand)
            write_moves(problem_set.root / "reports" / name / "moved.csv", rows)
        remember(problem_set, student, submission.key, submission.cpu_seconds)
        return rows

    def _by_hand(self, gradebook: Gradebook, submission: Submission) -> dict[str, float]:
        """The points that a person gave in the place of a check's, by exercise."""
        name, cells = self.problem_set.name, judged_cells(submission.notebook)
        ids = {cell.metadata["nbgrader"]["grade_id"]: exercise for exercise, cell in cells.items()}
        found = gradebook.find_submission_notebook(name, name, submission.student)
        return {ids[one.name]: one.score for one in found.grades if one.name in ids and is_by_hand(one)}

    def _graded(self, student: str) -> Path:
        return self.problem_set.root / "autograded" / student / self.problem_set.name

    def gradebook(self) -> Gradebook:
        return Gradebook(self.coursedir.db_url, self.coursedir.course_id)

    def _hidden(self, notebook) -> dict[str, dict]:
        judged = judged_cells(notebook)
        if not judged:
            return {}
        hidden = self.problem_set.hidden()
        if unknown := set(judged) - set(hidden):
            raise ValueError(
                f"{self.problem_set.name} checks {', '.join(sorted(unknown))}, which its rubric "
                "does not have. Release it again."
            )
        return hidden


def _in_the_exchange(config, name: str) -> Path:
    """Where nbgrader keeps what it has released."""
    return exchange_root(config) / str(config.CourseDirectory.get("course_id") or "") / "outbound" / name


def problem_set_of(root: str, name: str) -> ProblemSet:
    """The problem set, read again when its rubric has changed."""
    path = ProblemSet(Path(root), name).rubric_path
    files = [path, *path.glob("*.py")]
    changed = max((file.stat().st_mtime_ns for file in files if file.exists()), default=0)
    return _problem_set(root, name, changed)


@lru_cache(maxsize=4)
def _problem_set(root: str, name: str, stamp: int) -> ProblemSet:
    return ProblemSet(Path(root), name)
