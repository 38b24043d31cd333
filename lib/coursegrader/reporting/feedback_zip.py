"""Every student's feedback in one zip, in the form that Canvas or Moodle takes back, or with a folder each.

| for | in the zip | because |
|---|---|---|
| Canvas | ``doejane_12_34_03-attention.ipynb``, a notebook, as the submission was called | Canvas finds the \
submission by the student's number and the file's, and shows the file under the name of the one handed in, \
whatever is in it: `AbstractAssignment#infer_comment_context_from_filename` and \
`#generate_comments_from_files` in instructure/canvas-lms, and its issue 2406. A page would arrive as a \
broken notebook. |
| Moodle | ``Jane Doe_4711_assignsubmission_file_/03-attention.html``, a page | Moodle finds the participant \
by the number, and names the file as in the folder: `assignfeedback_file_zip_importer` in moodle/moodle, \
mod/assign/feedback/file/importziplib.php. Before 4.1 it wants the last underscore. |
| folder | ``jane/03-attention.html``, a page | |

The names are those that ``coursegrader collect`` has seen.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path, PurePosixPath

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.files import write_whole
from coursegrader.grading.ledger import is_replaced
from coursegrader.reporting.feedback import with_summary
from coursegrader.reporting.status import check_points
from coursegrader.reporting.summary import as_markdown, as_text
from coursegrader.submissions.files import who_handed_in
from coursegrader.submissions.intake import KEPT, refuse
from coursegrader.submissions.lms_import import collected_from
from coursegrader.submissions.preflight import findings_of
from coursegrader.submissions.whose_file import CANVAS, lms_name
from coursegrader.trouble import reason_of

FORMS = ("canvas", "moodle", "folder")


def feedback_zip(problem_set: ProblemSet, form: str, unfinished: bool = False) -> tuple[Path, int, list[str]]:
    """Write the zip; return where, for how many, and for whom not, since the LMS's name of their file is not
    known. Pages are made anew. Raises UserError, and writes no zip, where something is missing.
    """
    root, name = problem_set.root, problem_set.name
    check_points(problem_set)
    graded, refused = _who(problem_set, unfinished)
    with open_course(root) as api:
        for student in graded:
            done = api.generate_feedback(name, student)
            if not done["success"]:
                raise UserError(f"The page of {student} could not be made: {reason_of(done)}")
    for student, reason in refused.items():
        refuse(root / "submitted" / student / name, reason)
    files, unknown = {}, []
    for student in sorted([*graded, *refused]):
        called = f"{student}/{name}.html" if form == "folder" else _name_in(form, problem_set, student)
        if called is None:
            unknown.append(student)
            continue
        if called.lower().endswith(".ipynb"):
            files[called] = _notebook(problem_set, student, refused.get(student))
        else:
            files[called] = (root / "feedback" / student / name / f"{name}.html").read_text(encoding="utf-8")
    if not files:
        raise UserError(
            f"No submission of {name} came from {form.title()}, as far as is known. Run coursegrader collect "
            f"{name} FILE with its download once more, or choose --for folder."
        )
    target = root / "reports" / name / f"feedback-{form}.zip"
    target.parent.mkdir(parents=True, exist_ok=True)
    scratch = io.BytesIO()
    with zipfile.ZipFile(scratch, "w", zipfile.ZIP_DEFLATED) as archive:
        for called, text in files.items():
            archive.writestr(called, text)
    write_whole(target, scratch.getvalue())
    return target, len(files), unknown


def _who(problem_set: ProblemSet, unfinished: bool) -> tuple[list[str], dict[str, str]]:
    """Who gets a page on what was graded, and who on why nothing was. Nobody else gets one."""
    root, name = problem_set.root, problem_set.name
    with open_course(root) as api, api.gradebook as gradebook:
        waits = {item.student.id: item.needs_manual_grade for item in gradebook.assignment_submissions(name)}
    waits = {
        who: waiting
        for who, waiting in waits.items()
        if (root / "autograded" / who / name / f"{name}.ipynb").is_file()
    }
    here = who_handed_in(root, name)
    errors = {who: error for who in here if (error := findings_of(root, who, name)[1])}
    late_comers = sorted(
        who for who in here - errors.keys() if who not in waits or is_replaced(problem_set, who)
    )
    if late_comers or not (waits or errors):
        whose = f" of {_named(late_comers)}" if late_comers else ""
        raise UserError(f"Not yet graded: {name}{whose}. Run: coursegrader grade {name}")
    unmarked = sorted(who for who, waiting in waits.items() if waiting)
    if unmarked and not unfinished:
        raise UserError(
            f"Not yet marked: {_named(unmarked)}. Run coursegrader mark {name}, or add "
            "--unfinished: their pages say so."
        )
    return sorted(waits), {who: error for who, error in errors.items() if who not in waits}


def _named(students: list[str], most: int = 10) -> str:
    more = len(students) - most
    return ", ".join(students[:most]) + (f" and {more} more" if more > 0 else "")


def _name_in(form: str, problem_set: ProblemSet, student: str) -> str | None:
    """What the file is to be called in the zip, by the names that `collect` saw; None where it saw none."""
    seen = [PurePosixPath(path) for path in collected_from(problem_set, student)]
    seen.sort(key=lambda path: (path.suffix.lower() != ".ipynb", str(path)))
    for path in seen:
        found = lms_name(str(path), student)
        if found and form == "canvas" and found.re is CANVAS:
            return path.name
        if found and form == "moodle" and found.re is not CANVAS:
            return f"{found['name']}_{found['number']}_assignsubmission_file_/{problem_set.name}.html"
    return None


def _notebook(problem_set: ProblemSet, student: str, reason: str | None) -> str:
    """The page as a notebook: what stands on top of it, and below that the graded notebook."""
    root, name = problem_set.root, problem_set.name
    if reason is not None:
        return _written(name, [new_markdown_cell(f"# {name}: not graded\n\n{as_text(reason)}\n\n{KEPT}")])
    graded = nbformat.read(root / "autograded" / student / name / f"{name}.ipynb", as_version=4)
    with open_course(root) as api:
        about = {"notebook": name, "assignment": name, "student": student, "db_url": api.coursedir.db_url}
        graded, summary = with_summary(graded, about, api.config)
    for cell in graded.cells:
        cell.metadata.pop("nbgrader", None)
    return _written(name, [new_markdown_cell(as_markdown(summary)), *graded.cells])


def _written(name: str, cells: list) -> str:
    metadata = {"title": f"{name}: feedback", "language_info": {"name": "python"}}
    return nbformat.writes(new_notebook(cells=cells, metadata=metadata))
