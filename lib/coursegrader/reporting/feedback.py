"""Feedback that is safe to publish: nbgrader's page, without what runs or asks any host for anything.

`coursegrader.course.configure` sets `SafeFeedback` as nbgrader's exporter, so that ``nbgrader
generate_feedback`` and formgrader's button make the same pages. What makes them safe is in
`coursegrader.safe_html`.

formgrader shows submissions in the instructor's browser, where a script could do whatever the instructor may
do. It makes its pages with nbconvert's plain exporter and needs its own scripts; `SafeCells` and
`safe_markdown` clean what comes from submissions there.
"""

from __future__ import annotations

import html
import re
from contextlib import ExitStack, suppress
from pathlib import Path

from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import NbGraderException
from nbgrader.preprocessors import GetGrades
from traitlets import Bool, Unicode

from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.lateness import Penalties, lateness, said_of
from coursegrader.grading.verdicts import read_verdicts
from coursegrader.reporting.markdown import Patience, Places, WithPictures, WithPlaces
from coursegrader.reporting.status import check_points_of
from coursegrader.reporting.summary import Summary, number, rows_of
from coursegrader.safe_html import KEPT_OUTPUTS, safe_notebook, safe_page
from coursegrader.submissions.preflight import findings_of

MAX_SECONDS = 10.0  # of processor time, for all texts of a page; those of a problem set take less than one

WAITING = "Not yet marked: an answer here is still to be marked by hand. The score is not final."
EARLIER = "This page is on an earlier submission of yours. The last could not be graded: {error}"


class SafeFeedback(HTMLExporter):
    """nbgrader's feedback page, made safe, with what a student wants to know first on top. Formulas are set
    as MathML; links lead within the page and to the book.
    """

    book_url = Unicode(help="Where students read the book: the address of the folder that holds book/.").tag(
        config=True
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.embed_images = False  # it would read files that a submission names
        self.exclude_anchor_links = True
        self.exclude_input_prompt = self.exclude_output_prompt = True
        self._begin_page()
        self.filters = {**self.filters, "highlight_code": self._code}
        course = getattr(self.parent, "coursedir", None)
        if course is not None:  # nbgrader's command, which has not yet taken away what was there
            try:
                check_points_of(course)
            except UserError as error:
                self.log.error(str(error))
                raise NbGraderException(str(error)) from error

    @property
    def default_config(self):
        config = super().default_config
        config.NbConvertBase.display_data_priority = list(KEPT_OUTPUTS)
        return config

    def default_filters(self):
        yield from super().default_filters()
        yield "in_sentences", in_sentences

    def _begin_page(self) -> None:
        self._places, self._patience = Places(), Patience(MAX_SECONDS)

    @pass_context
    def markdown2html(self, context, source):
        return self._patience.markdown(source, WithPlaces(self._places, _attachments(context)))

    def _code(self, source, language=None, metadata=None):
        return self._patience.code(source)

    def from_notebook_node(self, nb, resources=None, **kwargs):
        self._begin_page()
        self._late = settle_lateness(self.config, (resources or {}).get("nbgrader", {}))
        page, resources = super().from_notebook_node(_shown(nb), resources, **kwargs)
        return safe_page(page, resources["summary"].title, self.book_url, self._places.fill), resources

    def _preprocess(self, nb, resources):
        """nbgrader's steps, which look up scores and comments; from these, what stands on top."""
        nb, resources = super()._preprocess(nb, resources)
        resources["summary"] = self._summary(nb, resources)
        return nb, resources

    def _summary(self, nb, resources) -> Summary:
        about = resources.get("nbgrader", {})
        title = about.get("notebook") or resources.get("metadata", {}).get("name") or "feedback"
        summary = Summary(title, late=self._late)
        student, name = about.get("student"), about.get("assignment", "")
        verdicts, grades = [], []
        with ExitStack() as stack:
            if student is not None:
                root = self._root()
                summary.findings, error = findings_of(root, student, name)
                verdicts = read_verdicts(ProblemSet(root, name), student).get(student, [])
                summary.notices += [EARLIER.format(error=error)] if error else []
            if student is not None and "db_url" in about:
                gradebook = stack.enter_context(Gradebook(about["db_url"]))
                with suppress(MissingEntry):
                    found = gradebook.find_submission(name, student)
                    grades = [grade for notebook in found.notebooks for grade in notebook.grades]
                    summary.notices += [WAITING] if found.needs_manual_grade else []
            by_cell = {grade.cell.name: grade for grade in grades}
            summary.rows = rows_of(nb.cells, verdicts, by_cell, name, self.book_url)
        summary.penalty = number(about.get("late_penalty")) if about.get("late_penalty") else ""
        if "max_score" in about:
            summary.total = f"{number(about['score'])} of {number(about['max_score'])}"
        return summary

    def _root(self) -> Path:
        return Path(str(self.config.CourseDirectory.get("root") or "."))


def settle_lateness(config, about) -> str:
    """Before scores are looked up: the penalty that holds now. Return what to say of lateness."""
    if "student" not in about or "db_url" not in about:
        return ""
    with Gradebook(about["db_url"]) as gradebook:
        try:
            found = gradebook.find_submission(about["assignment"], about["student"])
        except MissingEntry:
            return ""
        penalties = Penalties(config)
        penalties.settle(gradebook, about["student"])
        gradebook.db.commit()
        late = lateness(found.student.submissions, penalties.grace_days)[about["assignment"]]
        return said_of(late, found.late_submission_penalty)


def with_summary(nb, about, config) -> tuple[NotebookNode, Summary]:
    """A graded notebook made safe, and what stands on top of its page, without the page."""
    exporter = SafeFeedback(config=config, preprocessors=[GetGrades])
    exporter._late = settle_lateness(config, about)
    nb, resources = exporter._preprocess(_shown(nb), {"nbgrader": about})
    return nb, resources["summary"]


def _shown(nb):
    nb = safe_notebook(nb)
    for cell in nb.cells:
        _show_once(cell)
    return nb


def _show_once(cell) -> None:
    """A check's points are on the page already: leave out the number in which nbgrader reads them, and what
    the progress line counted before the first answer ran. Set formulas of outputs like all others.
    """
    if cell.cell_type != "code":
        return
    if cell.metadata.get("nbgrader", {}).get("grade_id") == "progress":
        cell.outputs = []
    if cell.metadata.get("nbgrader", {}).get("grade") and not cell.metadata.nbgrader.get("solution"):
        cell.outputs = [output for output in cell.outputs if output.output_type != "execute_result"]
    for output in cell.outputs:
        if "text/latex" in output.get("data", {}) and "text/html" not in output.data:
            output.data.setdefault("text/markdown", output.data["text/latex"])


def in_sentences(text: str) -> str:
    """A message as HTML, with what stands in back quotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


class SafeCells(Preprocessor):
    """`safe_notebook` as a step of nbconvert's plain exporter."""

    enabled = Bool(True).tag(config=True)

    def preprocess(self, nb, resources):
        return safe_notebook(nb), resources


@pass_context
def safe_markdown(context, source: str) -> str:
    """Markdown as harmless HTML: a filter for nbconvert's plain exporter."""
    places = Places()
    return places.fill(Patience().markdown(source, WithPictures(places, _attachments(context))))


def _attachments(context) -> dict:
    """The pictures that were pasted into the cell which is being shown."""
    return (context.get("cell") or {}).get("attachments") or {}
