"""nbgrader as this course uses it: its folders, what never leaves the instructor, the judged execution."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path

import nbgrader.api
from nbgrader.api import Gradebook, Student
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import false, update
from sqlalchemy.exc import SAWarning
from traitlets.config import Config, PyFileConfigLoader

# where `make serve` shows the website; problem sets, checks and feedback lead there unless a term has its own
SITE = "http://localhost:8000/"
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
    """The course folder's own ``nbgrader_config.py`` where there is one, over the course's settings."""
    config = Config()
    configure(config)
    if (root / "nbgrader_config.py").is_file():
        config.merge(PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config())
    config.CourseDirectory.root = str(root)
    return config


@contextmanager
def open_course(root: Path):
    """nbgrader's API on the course in `root`, meanwhile the working directory, as nbgrader expects."""
    config, before = load_config(root), os.getcwd()
    os.chdir(root)
    try:
        yield NbGraderAPI(CourseDirectory(config=config), config=config)
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
