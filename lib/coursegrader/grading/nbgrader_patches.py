"""All that nbgrader has to be patched for, and the parts of it that this rests on.

`Autograde.start`
    `nbgrader autograde` and formgrader's button would read submissions as they came, and run check cells as
    they stand. Both now send each submission the one way of `coursegrader.grading.submission`.
`WriteDown`
    nbgrader's converter without its steps that clean and run a notebook: it is handed the finished one, in
    the folder of prepared copies.
`SaveGradesAtOnce`
    nbgrader commits once a cell. A run that is stopped halfway would leave half of a submission's grades, and
    each commit takes milliseconds.
`OverwriteSourceCells`
    nbgrader asks the gradebook for each cell of each notebook anew, though the answers are the same for the
    whole class.
`engines_kept`
    nbgrader makes a database engine for each of its steps, and with it compiles the same statements anew,
    after it has looked for every table.
`get_alembic_version`, replaced in `coursegrader.course.configuration`, since it is not about submissions
    nbgrader starts a program of a second's length for each new gradebook, to look up one word.

Seen with nbgrader 0.9.6. A test compares the functions in `RESTS_ON` with what they were then: see
`tests/grading/test_nbgrader_patches.py`.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import logging
import os
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import nbformat
from nbgrader import api
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde, NbGraderException, base
from nbgrader.converters.base import BaseConverter
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells, SaveAutoGrades
from nbgrader.utils import capture_log, setenv
from sqlalchemy import Engine, create_engine
from traitlets import import_item

from coursegrader.course.configuration import at_once
from coursegrader.course.problem_set import ProblemSet
from coursegrader.grading.job import job_of, show_outputs
from coursegrader.grading.worker import run
from coursegrader.interrupts import interrupts_remembered
from coursegrader.submissions.preflight import PREPARED
from coursegrader.text import in_a_line
from coursegrader.trouble import what_to_do

SEEN_WITH = "0.9.6"
RESTS_ON = {  # functions and classes of nbgrader: a digest of each as it was seen, and what rests on it
    "nbgrader.dbutil.write_alembic_ini": (
        "17a5edd1af6504f8",
        "the folder of its revisions is ALEMBIC_DIR, and `newest_revision` reads it",
    ),
    "nbgrader.converters.base.BaseConverter.start": (
        "10d6830579cdca63",
        "`_start` takes its place, and `WriteDown` calls it",
    ),
    "nbgrader.converters.base.BaseConverter.init_notebooks": (
        "75dbbd15a2dfa17b",
        "it finds the submissions that are asked for",
    ),
    "nbgrader.converters.base.BaseConverter.init_destination": (
        "44418928db4f5b91",
        "it says whether a submission is to be graded again",
    ),
    "nbgrader.converters.base.BaseConverter.init_assignment": (
        "bcfda8a38bd24281",
        "it copies the prepared files, and nothing that was set aside",
    ),
    "nbgrader.converters.base.BaseConverter.convert_notebooks": (
        "9f4d7a770217effe",
        "it takes back what it has begun when a step fails",
    ),
    "nbgrader.converters.base.BaseConverter.run_pre_convert_hook": (
        "dde4cf759e56d874",
        "`only_finished` may take notebooks off its list",
    ),
    "nbgrader.converters.autograde.Autograde": (
        "8ed4b2293357d5dc",
        ("it reads from the submitted folder alone, and has no way into grading but `start`"),
    ),
    "nbgrader.apps.api.NbGraderAPI.autograde": (
        "99d6b171e65d81b5",
        "formgrader's button: it makes an Autograde and starts it",
    ),
    "nbgrader.apps.autogradeapp.AutogradeApp.start": (
        "d105cdec71059588",
        "the command: it makes an Autograde and starts it",
    ),
    "nbgrader.utils.capture_log": ("e8882c841c72f655", "what it returns of a run that failed"),
    "nbgrader.preprocessors.SaveAutoGrades": (
        "7b0810cdd99384f5",
        "`SaveGradesAtOnce` has it write without its commits",
    ),
    "nbgrader.preprocessors.OverwriteCells": (
        "0b4a9da601914953",
        "`SourceCells` answers the questions that it asks the gradebook",
    ),
    "nbgrader.preprocessors.AssignLatePenalties": (
        "e81c2a65e3cc945f",
        "`coursegrader.grading.lateness` takes its place, and makes its plugin",
    ),
    "nbgrader.api.Gradebook.__init__": ("c60c420276e8355e", "`engines_kept` hands it an engine"),
    "nbgrader.utils.determine_grade": (
        "f97b74436f014b62",
        "it reads scores from outputs as `coursegrader.grading.judging` writes them",
    ),
    "nbgrader.exchange.default.collect.ExchangeCollect": (
        "7713aa2d4fe590a8",
        "`coursegrader.submissions.exchange` replaces how it finds, removes and copies",
    ),
    "nbgrader.exchange.default.submit.ExchangeSubmit.copy_files": (
        "8d6b9a0db7fa503d",
        "`coursegrader.submissions.exchange` closes what it has copied",
    ),
    "nbgrader.exchange.default.release_feedback.ExchangeReleaseFeedback.copy_files": (
        "32ebfc60e9d2caaf",
        "`coursegrader.reporting.release_feedback` keeps from it what would stop it",
    ),
}


class NotWrittenDown(Exception):
    """nbgrader could not write a finished notebook down; the message says why, in one line."""


class WriteDown(Autograde):
    """nbgrader's converter for a notebook that is finished: it goes into autograded/, and its grades into the
    gradebook.
    """

    start = BaseConverter.start

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        steps = [
            import_item(step) if isinstance(step, str) else step for step in self.autograde_preprocessors
        ]
        self.sanitize_preprocessors = [step for step in steps if not issubclass(step, ExecuteInJail)]
        self.force = True
        self.config.NotebookExporter.optimistic_validation = True  # once, and not after each step

    def convert_single_notebook(self, notebook_filename):
        """One round, where nbgrader cleans a notebook in a first one."""
        self._init_preprocessors()
        with setenv(NBGRADER_EXECUTION="autograde"):
            BaseConverter.convert_single_notebook(self, notebook_filename)

    def run_pre_convert_hook(self):
        """None: `only_finished` is for whoever has not gone the one way."""


def write_down(prepared: Path, student: str, coursedir, config) -> None:
    """Have nbgrader write down the finished notebook in the folder `prepared`. Raises NotWrittenDown."""
    with _set_for_a_while(
        coursedir,
        assignment_id=prepared.name,
        student_id=student,
        notebook_id="*",
        student_id_exclude="",
        submitted_directory=PREPARED,
    ):
        result = capture_log(WriteDown(coursedir=coursedir, config=config))
    if not result["success"]:
        text = f"{result.get('log', '')}\n{result.get('error', '')}"
        lines = text.strip().splitlines()
        raise NotWrittenDown(what_to_do(text) or (lines[-1] if lines else "nbgrader gave no reason"))


@contextlib.contextmanager
def _set_for_a_while(settings, **values) -> Iterator[None]:
    before = {name: getattr(settings, name) for name in values}
    for name, value in values.items():
        setattr(settings, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(settings, name, value)


def _start(self: Autograde) -> None:
    """`Autograde.start` for `nbgrader autograde` and formgrader's button: each submission goes the one way,
    in this process.
    """
    from coursegrader.grading.submission import Grader, problem_set_of

    name = self.coursedir.assignment_id
    problem_set = problem_set_of(str(self.coursedir.root), name)
    if not _is_ours(problem_set):
        return BaseConverter.start(self)
    self.init_notebooks()
    self.exporter = self.exporter_class(parent=self, config=self.config)  # init_destination asks it
    grader, problems = Grader(problem_set, self.coursedir, self.config), []
    with interrupts_remembered() as stop, engines_kept(), source_cells_read_once():
        for folder, self.notebooks in sorted(self.assignments.items()):
            student = Path(folder).parent.name
            earlier = grader.earlier(student)
            if not _is_to_be_graded(self, name, student):
                continue
            try:
                submission = grader.prepare(student)
                grader.finish(submission, run(submission.job))
                grader.record(submission, earlier)
                for line in submission.taken_back:
                    self.log.warning("%s: %s", student, line)
            except Exception as error:  # whatever one submission holds, the others are graded
                reason = what_to_do(str(error)) or str(error) or type(error).__name__
                problems.append(f"{student}: not graded: {in_a_line(reason, 2000)}")
                self.log.error(problems[-1])
            if stop.is_set():
                raise KeyboardInterrupt
    if problems:
        raise NbGraderException("\n".join(problems))


def _is_to_be_graded(self: Autograde, name: str, student: str) -> bool:
    """What nbgrader's `init_destination` says, without its removing what the last grading left: that goes
    once there is something in its place.
    """

    def is_true(record: logging.LogRecord) -> bool:
        return record.levelno != logging.WARNING  # "Removing ..."

    self.log.addFilter(is_true)
    try:
        with _set_for_a_while(base, rmtree=lambda path: None, remove=lambda path: None):
            return self.init_destination(name, student)
    finally:
        self.log.removeFilter(is_true)


Autograde.start = _start


def _is_ours(problem_set: ProblemSet) -> bool:
    """Whether this is a problem set of the course, and no assignment of nbgrader's own kind, with notebooks
    of other names.
    """
    return (problem_set.folder / f"{problem_set.name}.ipynb").is_file()


def only_finished(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's `Autograde.pre_convert_hook`, named in the configuration so that it loads this module first.

    Should a later nbgrader begin in another way than by `start`, no notebook of a problem set is left on its
    list.
    """
    folder = Path(notebooks[0]).absolute().parent
    if _is_ours(ProblemSet(folder.parents[2], folder.name)):
        notebooks.clear()


class ExecuteInJail(NbGraderPreprocessor):
    """Runs the notebook of an assignment of nbgrader's own kind in the jail.

    Problem sets have been run when nbgrader sees them.
    """

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        root, name = Path(self.config.CourseDirectory.get("root", "") or os.getcwd()), about["assignment"]
        folders = [root / "submitted" / about["student"] / name, root / "solutions" / name]
        show_outputs(nb, json.loads(run(job_of(nb, {}, folders, self.config))))
        return nb, resources


class SaveGradesAtOnce(SaveAutoGrades):
    """nbgrader's step with one transaction for the notebook, where nbgrader makes one for each cell.

    A run that is stopped halfway leaves the old grades, or none, and so does a notebook that cannot be
    written.
    """

    def preprocess(self, nb, resources):
        nbformat.validate(nb, relax_add_props=True)  # as whoever writes it does
        about = resources["nbgrader"]
        self.notebook_id, self.assignment_id = about["notebook"], about["assignment"]
        self.student_id = about["student"]
        with Gradebook(about["db_url"]) as self.gradebook, at_once(self.gradebook):
            return NbGraderPreprocessor.preprocess(self, nb, resources)


class OverwriteSourceCells(OverwriteCells):
    """nbgrader's step; inside `source_cells_read_once` it asks the gradebook for a notebook's cells once, not
    once a cell.
    """

    _sources: dict | None = None

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        if self._sources is None or self.add_missing_cells:
            return super().preprocess(nb, resources)
        self.notebook_id, self.assignment_id = about["notebook"], about["assignment"]
        place = about["db_url"], self.assignment_id, self.notebook_id
        if place not in self._sources:
            self._sources[place] = SourceCells(*place)
        self.gradebook = self._sources[place]
        return NbGraderPreprocessor.preprocess(self, nb, resources)


@contextlib.contextmanager
def source_cells_read_once() -> Iterator[None]:
    """For the time of a run, in which nothing is released anew."""
    OverwriteSourceCells._sources = {}
    try:
        yield
    finally:
        OverwriteSourceCells._sources = None


class SourceCells:
    """A notebook's source cells as plain values, behind the two questions that nbgrader's step asks."""

    def __init__(self, db_url: str, assignment: str, notebook: str):
        with Gradebook(db_url) as gradebook:
            found = gradebook.find_notebook(notebook, assignment)
            keys = ("name", "cell_type", "locked", "source", "checksum")
            self._cells = {
                cell.name: SimpleNamespace(**{key: getattr(cell, key) for key in keys})
                for cell in found.source_cells
            }
            self._graded = {
                cell.name: SimpleNamespace(max_score=cell.max_score) for cell in found.grade_cells
            }

    def find_source_cell(self, name: str, notebook: str, assignment: str) -> SimpleNamespace:
        return _cell_named(name, self._cells)

    def find_graded_cell(self, name: str, notebook: str, assignment: str) -> SimpleNamespace:
        return _cell_named(name, self._graded)


def _cell_named(name: str, known: dict) -> SimpleNamespace:
    if name not in known:
        raise MissingEntry(f"No cell named {name}")
    return known[name]


@contextlib.contextmanager
def engines_kept() -> Iterator[None]:
    """Within it, all gradebooks of one database in this process share an engine, and with it the statements
    it has compiled; the tables are looked for once.
    """
    engines: dict[str, Engine] = {}
    tables, looked_for = api.Base.metadata, set()

    def engine_of(db_url: str, **options) -> Engine:
        if db_url not in engines:
            engines[db_url] = create_engine(db_url, **options)
        return engines[db_url]

    def create_all(bind: Engine) -> None:
        if bind not in looked_for:
            type(tables).create_all(tables, bind=bind)
            looked_for.add(bind)

    before, api.create_engine, tables.create_all = api.create_engine, engine_of, create_all
    try:
        yield
    finally:
        api.create_engine = before
        del tables.create_all
        for engine in engines.values():
            engine.dispose()


def digest_of_source(name: str) -> str:
    """A short digest of the text of a function or class of nbgrader, by its full name."""
    return hashlib.sha256(inspect.getsource(pkgutil.resolve_name(name)).encode()).hexdigest()[:16]
