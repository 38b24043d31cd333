"""Feedback that is safe to publish: nbgrader's page, without what runs or asks any host for anything.

`coursegrader.course.configure` sets `SafeFeedback` as nbgrader's exporter, so that ``nbgrader
generate_feedback`` and formgrader's button make the same pages. What makes them safe is in
`coursegrader.safe_html`.

formgrader shows submissions in the instructor's browser, where a script could do whatever the instructor may
do. It makes its pages with nbconvert's plain exporter and needs its own scripts; `SafeCells` and
`safe_markdown` clean what comes from submissions there.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import Preprocessor
from nbformat.v4 import new_output
from nbgrader.api import Gradebook, MissingEntry
from traitlets import Bool, Unicode

from coursegrader.grading.marks import is_by_hand
from coursegrader.safe_html import KEPT_OUTPUTS, clean_piece, safe_notebook, safe_page
from coursegrader.submissions.preflight import findings_of


class SafeFeedback(HTMLExporter):
    """nbgrader's feedback page, made safe. Math stays TeX; links lead within the page and to the book."""

    book_url = Unicode(help="Where students read the book: the address of the folder that holds book/.").tag(
        config=True
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.embed_images = False  # it would read files that a submission names

    @property
    def default_config(self):
        config = super().default_config
        config.NbConvertBase.display_data_priority = list(KEPT_OUTPUTS)
        return config

    @pass_context
    def markdown2html(self, context, source):
        return clean_piece(super().markdown2html(context, source))

    def from_notebook_node(self, nb, resources=None, **kwargs):
        notice, by_hand = self._marks(resources)
        nb = safe_notebook(nb)
        for cell in nb.cells:
            if (
                cell.cell_type == "code"
                and (name := cell.metadata.get("nbgrader", {}).get("grade_id")) in by_hand
            ):
                cell.outputs.insert(0, new_output("stream", text=by_hand[name]))
        page, resources = super().from_notebook_node(nb, resources, **kwargs)
        title = self._title(resources)
        return safe_page(page, title, self.book_url, self._findings(resources), notice), resources

    @staticmethod
    def _title(resources) -> str:
        return (
            resources.get("nbgrader", {}).get("notebook")
            or resources.get("metadata", {}).get("name")
            or "feedback"
        )

    @staticmethod
    def _marks(resources) -> tuple[str, dict[str, str]]:
        """What to say on top while a person has something to mark, and beside each mark that was given in the
        place of a check's, by the name of its cell.
        """
        about = (resources or {}).get("nbgrader", {})
        if "student" not in about or "db_url" not in about:
            return "", {}
        with Gradebook(about["db_url"]) as gradebook:
            try:
                found = gradebook.find_submission(about["assignment"], about["student"])
            except MissingEntry:
                return "", {}
            by_hand = {
                grade.cell.name: (
                    f"Marked by hand: {grade.score:g} of {grade.max_score:g} points. The check gave "
                    f"{grade.auto_score:g}.\n"
                )
                for notebook in found.notebooks
                for grade in notebook.grades
                if is_by_hand(grade)
            }
            notice = (
                "Not yet marked: an answer here is still to be marked by hand. The score is not final."
                if found.needs_manual_grade
                else ""
            )
            return notice, by_hand

    def _findings(self, resources) -> list[str]:
        """What the check before grading found, so that the student reads it too."""
        about = resources.get("nbgrader", {})
        root = self.config.CourseDirectory.get("root") or "."
        return (
            findings_of(Path(str(root)), about["student"], about["assignment"])[0]
            if "student" in about
            else []
        )


class SafeCells(Preprocessor):
    """`safe_notebook` as a step of nbconvert's plain exporter."""

    enabled = Bool(True).tag(config=True)

    def preprocess(self, nb, resources):
        return safe_notebook(nb), resources


@pass_context
def safe_markdown(context, source: str) -> str:
    """Markdown as harmless HTML: a filter for nbconvert's plain exporter."""
    return clean_piece(_plain_exporter().markdown2html(context, source))


@cache
def _plain_exporter() -> HTMLExporter:
    return HTMLExporter(embed_images=False)
