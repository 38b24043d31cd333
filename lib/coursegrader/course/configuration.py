"""nbgrader as this course uses it: its folders, what never leaves the instructor, the judged execution."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbgrader.api
from nbgrader.api import Gradebook, Student
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, false, make_url, update
from sqlalchemy.exc import ArgumentError, SAWarning
from traitlets.config import Config, PyFileConfigLoader

from coursegrader.errors import UserError
from coursegrader.text import in_a_line

# where `make serve` shows the website; problem sets, checks and feedback lead there unless a term has its own
SITE = "http://localhost:8000/"
CONFIGURATION = "nbgrader_config.py"
VERDICTS = "verdicts.json"  # beside each graded notebook, what the judge said of it
# nbgrader looks something up while it builds a submission; SQLAlchemy warns, and saves all of it
warnings.filterwarnings("ignore", r"Object of type <Submitted\w+> not in session", SAWarning)
PRIVATE = ["rubric.py", "rubric*", VERDICTS, "__pycache__", "*.pyc", ".ipynb_checkpoints"]


def configure(config: Config) -> None:
    """Set what the course needs on an nbgrader configuration; `nbgrader_config.py` calls this."""
    config.CourseDirectory.source_directory = "solutions"
    config.CourseDirectory.release_directory = "notebooks"
    config.CourseDirectory.ignore = PRIVATE
    config.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
    config.ClearSolutions.text_stub = "*Write your answer here.*"
    config.Autograde.sanitize_preprocessors = [  # the metadata of cells was checked and mended before
        "nbgrader.preprocessors.ClearOutput",
        "nbgrader.preprocessors.DeduplicateIds",
        "coursegrader.grading.nbgrader_patches.OverwriteSourceCells",
    ]
    config.Autograde.autograde_preprocessors = [
        "coursegrader.grading.nbgrader_patches.ExecuteInJail",
        "nbgrader.preprocessors.IgnorePattern",
        "nbconvert.preprocessors.ClearMetadataPreprocessor",
        "nbgrader.preprocessors.LimitOutput",
        "coursegrader.grading.nbgrader_patches.SaveGradesAtOnce",
        "coursegrader.grading.lateness.LatePenalties",
    ]
    config.Autograde.pre_convert_hook = "coursegrader.grading.nbgrader_patches.only_finished"
    config.ExchangeFactory.collect = "coursegrader.submissions.exchange.OwnCollect"
    config.ExchangeFactory.release_feedback = "coursegrader.reporting.release_feedback.KnownReleaseFeedback"
    config.AssignLatePenalties.plugin_class = "coursegrader.grading.lateness.LatePenalty"
    config.CourseDates.zone = ""
    config.SafeFeedback.book_url = SITE
    config.SafeFeedback.filters = {}  # its own are not those of formgrader's pages, below
    config.SafeFeedback.template_name, config.SafeFeedback.template_file = "marked", "marked.html.j2"
    config.GenerateFeedback.exporter_class = "coursegrader.reporting.feedback.SafeFeedback"
    config.GenerateFeedback.force = True  # else a page stays as it was when marks or a regrade come after it
    config.HTMLExporter.preprocessors = ["coursegrader.reporting.feedback.SafeCells"]  # formgrader's pages
    config.HTMLExporter.filters = {"markdown2html": "coursegrader.reporting.feedback.safe_markdown"}
    config.ExportApp.plugin_class = "coursegrader.reporting.grades_csv.GradesWithStatus"
    config.GenerateAssignment.post_convert_hook = "coursegrader.course.releases.after_generating"
    config.Execute.timeout = 30
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # templates of ours, where nbconvert looks for them
    templates = str(Path(__file__).parents[1] / "reporting" / "jupyter")
    if templates not in os.environ.get("JUPYTER_PATH", "").split(os.pathsep):
        os.environ["JUPYTER_PATH"] = os.pathsep.join(
            filter(None, [templates, os.environ.get("JUPYTER_PATH")])
        )
    nbgrader.api.get_alembic_version = newest_revision
    tools = str(Path(sys.executable).parent)  # nbgrader calls alembic by its bare name
    if tools not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])


def newest_revision() -> str:
    """What nbgrader writes into each new gradebook, and has a program of a second's length look up."""
    from alembic.script import ScriptDirectory  # most commands find a gradebook

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


def load_config(root: Path) -> Config:
    """The course folder's own ``nbgrader_config.py`` where there is one, over the course's settings. Raises
    UserError where it cannot be used.
    """
    config = Config()
    configure(config)
    with _usable(root):
        if (root / CONFIGURATION).is_file():
            config.merge(PyFileConfigLoader(CONFIGURATION, path=str(root)).load_config())
        config.CourseDirectory.root = str(root)
        for name, value in (
            ("CourseDates.zone", config.CourseDates.zone or ""),
            ("SafeFeedback.book_url", config.SafeFeedback.book_url),
        ):  # of which traitlets knows no type
            if not isinstance(value, str):
                raise TypeError(f"c.{name} is a text, not {value!r}")
        gradebook_file(config)
    return config


@contextmanager
def _usable(root: Path) -> Iterator[None]:
    """Whatever fails here is for the person to mend who wrote the configuration."""
    path = root / CONFIGURATION
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        own = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
        ]
        if isinstance(error, OSError) and not own:
            raise
        where = f" (line {own[-1]})" if own else ""
        raise UserError(
            f"{path} cannot be used{where}: {in_a_line(str(error) or type(error).__name__)}. "
            "Mend it, or put it back from a backup."
        ) from error


def exchange_root(config: Config) -> Path:
    """The folder of nbgrader's exchange: the configuration's, or nbgrader's own."""
    return Path(str(config.Exchange.get("root") or "/usr/local/share/nbgrader/exchange"))


def gradebook_file(config: Config) -> Path | None:
    """The gradebook's file, or None where it is in a database server."""
    root, given = Path(config.CourseDirectory.root), config.CourseDirectory.get("db_url")
    if not given:
        return root / "gradebook.db"
    try:
        url = make_url(given)
    except ArgumentError as error:
        raise ValueError(f"c.CourseDirectory.db_url is {given!r}, no database's address") from error
    return root / (url.database or "") if url.get_backend_name() == "sqlite" else None


def look_whether_empty(gradebook: Path | None) -> None:
    """Raise UserError where nothing is left of the gradebook: nbgrader would begin another without a word."""
    if gradebook is not None and gradebook.is_file() and not gradebook.stat().st_size:
        raise UserError(
            f"The gradebook {gradebook} is empty. Bring it back from a backup; to begin another, delete it."
        )


@contextmanager
def open_course(root: Path):
    """nbgrader's API on the course in `root`, meanwhile the working directory, as nbgrader expects."""
    config, before = load_config(root), os.getcwd()
    os.chdir(root)
    try:
        with _usable(root):
            look_whether_empty(gradebook_file(config))
            course = CourseDirectory(config=config)
            create_engine(course.db_url)  # which nbgrader does later: is there a driver for it?
            api = NbGraderAPI(course, config=config)
        yield api
    finally:
        os.chdir(before)


@contextmanager
def at_once(gradebook: Gradebook):
    """One transaction, where nbgrader makes one of each change: all of it, or nothing. Whoever finds the
    gradebook held by another program has changed nothing.
    """
    session = gradebook.db
    session.execute(update(Student).where(false()).values(id=Student.id))  # takes SQLite's lock
    commit, session.commit = session.commit, session.flush
    try:
        yield
        commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        session.commit = commit
