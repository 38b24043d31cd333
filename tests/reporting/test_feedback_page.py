"""What a student reads: the page, and the zips in which an LMS takes pages back."""

import json
import shutil
import zipfile
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from reporting.test_feedback import Reader, export

from allyouneed.check.judge import Verdict
from coursegrader.course.check_cells import checked_exercise
from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.formulas import ATTRIBUTES, ELEMENTS, of_stranger
from coursegrader.grading.judging import outputs_of
from coursegrader.grading.verdicts import write_verdicts
from coursegrader.reporting.feedback import _show_once
from coursegrader.reporting.feedback_zip import FORMS, feedback_zip
from coursegrader.reporting.markdown import markdown_piece
from coursegrader.reporting.summary import _row, as_text
from coursegrader.submissions.lms_import import collect, collected_from

NAME, BOOK = "03-attention", "https://book.example/"
CONFIG = f"""from coursegrader.course import configure
c = get_config()
configure(c)
c.SafeFeedback.book_url = "{BOOK}"
c.LatePenalty.penalty_method = "day"
"""
ANSWER = (
    "A zero key has the score $0$, and $$\\frac{e^0}{\\sum_j e^{s_j}} > 0$$ of the weight goes to padding."
)
COMMENT = "Right that $e^0 = 1$. What does dividing by $\\sqrt{d_k}$ change?"
MIXED = {
    "scaled_dot_product_attention": (2, "scale", "Divide the scores by the root of `d_k`.", "scaling"),
    "causal_mask": (
        0,
        "not-implemented",
        "causal_mask is not written yet: it still raises NotImplementedError.",
        "",
    ),
    "attention_columns": (0, "raises", "attention_columns raised <b>ValueError</b>.", "columns"),
}


def graded(course, student, verdicts=MIXED, written=3.5, comment="", by_hand=None):
    """What grading leaves of a submission: the notebook with the verdicts in it, the verdicts, the marks."""
    notebook = nbformat.read(Path(__file__).parents[2] / "notebooks" / NAME / f"{NAME}.ipynb", as_version=4)
    folder, said = course.root / "autograded" / student / NAME, []
    folder.mkdir(parents=True)
    (course.root / "submitted" / student / NAME).mkdir(parents=True, exist_ok=True)
    for cell in notebook.cells:
        exercise = checked_exercise(cell.source) if cell.cell_type == "code" else None
        if exercise and cell.metadata.nbgrader.grade:
            most = cell.metadata.nbgrader.points
            points, kind, text, section = verdicts.get(
                exercise, (most, None, f"{exercise}: every check passed.", "softmax")
            )
            said.append(Verdict(exercise, kind is None, points, most, kind, text, section))
            cell.outputs, cell.execution_count = outputs_of(said[-1], NAME), 4
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "written-question":
            cell.source = ANSWER
    nbformat.write(notebook, folder / f"{NAME}.ipynb")
    write_verdicts(folder, said)
    points = {verdict.exercise: verdict.points for verdict in said}
    with open_course(course.root) as api, api.gradebook as book:
        book.update_or_create_student(student)
        book.add_submission(NAME, student)
        for cell in notebook.cells:
            about = cell.metadata.get("nbgrader", {})
            if not about.get("grade"):
                continue
            grade = book.find_grade(about["grade_id"], NAME, NAME, student)
            if cell.cell_type == "code":
                grade.auto_score, grade.needs_manual_grade = points[checked_exercise(cell.source)], False
                grade.manual_score = (by_hand or {}).get(about["grade_id"])
            else:
                grade.manual_score, grade.needs_manual_grade = written, written is None
        book.find_comment("written-question", NAME, NAME, student).manual_comment = comment
        book.db.commit()


def make_term(place):
    """A course folder with a gradebook, problem set due, nobody in it."""
    (place / "solutions" / NAME).mkdir(parents=True)
    (place / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    released = nbformat.read(Path(__file__).parents[2] / "notebooks" / NAME / f"{NAME}.ipynb", as_version=4)
    with open_course(place) as api, api.gradebook as book:
        book.add_assignment(NAME, duedate=datetime(2027, 3, 1, 23, 59))
        book.add_notebook(NAME, NAME)
        for cell in released.cells:
            about = cell.metadata.get("nbgrader", {})
            if about.get("grade"):
                book.add_grade_cell(
                    about["grade_id"], NAME, NAME, max_score=about["points"], cell_type=cell.cell_type
                )
            if about.get("solution"):
                book.add_solution_cell(about["grade_id"], NAME, NAME)
    return ProblemSet(place, NAME)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Jane: a bit of everything, and late. Noor waits to be marked."""
    course = make_term(tmp_path_factory.mktemp("term"))
    late = course.root / "submitted" / "jane" / NAME
    late.mkdir(parents=True)
    (late / "timestamp.txt").write_text("2027-03-02 10:00:00 UTC")
    graded(course, "jane", comment=COMMENT, by_hand={"padding-mask-check": 1})
    graded(course, "noor", {}, written=None)
    return course


@pytest.fixture(scope="module")
def pages(course):
    with open_course(course.root) as api:
        done = api.generate_feedback(NAME)
    assert done["success"], done
    return {
        who: (course.root / "feedback" / who / NAME / f"{NAME}.html").read_text(encoding="utf-8")
        for who in ("jane", "noor")
    }


def rows_of(page):
    """What stands on top: by exercise, the points with their word, and what there is to read."""
    table = BeautifulSoup(page, "html.parser").find("table", class_="marks")
    cells = [[cell.get_text(" ", strip=True) for cell in row(["th", "td"])] for row in table("tr")[1:]]
    return {name: (points, text) for name, points, text in cells}


def test_the_top_names_exercises_with_points_and_what_to_do(pages):
    assert "<h1>03-attention: 20.6 of 39 points</h1>" in pages["jane"]
    rows = rows_of(pages["jane"])
    assert {name: points for name, (points, _) in rows.items()} == {
        "1. Softmax": "4 of 4 right",
        "2. Scaled dot-product attention": "2 of 6 partly right",
        "3. Causal mask": "0 of 3 not written yet",
        "4. Padding mask": "1 of 3 marked by hand",
        "5. The same formula for columns": "0 of 4 not yet right",
        "6. Does the order matter?": "5 of 5 right",
        "7. Several texts in one row": "4 of 4 right",
        "8. Does it look ahead?": "5 of 5 right",
        "9. In your own words": "3.5 of 5 part of the points",
        "late": "−3.9",
        "together": "20.6 of 39",
    }
    said = {name: text for name, (_, text) in rows.items()}
    assert said["1. Softmax"] == ""
    assert said["2. Scaled dot-product attention"] == "Divide the scores by the root of d_k . Read: scaling"
    assert said["4. Padding mask"] == "Marked by hand: 1 of 3 points. The check gave 3."
    assert said["9. In your own words"].startswith("Right that") and "Late by" in said["late"]
    assert f'<a href="{BOOK}book/{NAME}.html#scaling">Read: scaling</a>' in pages["jane"]
    assert "raised &lt;b&gt;ValueError" in pages["jane"]


def test_an_answer_that_waits_has_no_points_yet(pages):
    rows = rows_of(pages["noor"])
    assert rows["9. In your own words"][0] == "– of 5 not yet marked" and "Not yet marked: " in pages["noor"]
    assert "together" in rows and "late" not in rows


def test_formulas_are_set_and_nothing_is_left_of_what_a_notebook_prints(pages):
    soup = BeautifulSoup(pages["jane"], "html.parser")
    comment = soup.select_one("table .comment")
    assert comment.find("msqrt") and comment.find("msup") and len(soup("math")) > 30
    assert "Test cell" not in pages["jane"] and "Out[" not in pages["jane"] and "In [" not in pages["jane"]
    assert "2" not in [output.get_text(strip=True) for output in soup("pre")]
    assert Reader(pages["jane"].replace(BOOK, "http://localhost:8000/")).found == []
    for code in soup(["pre", "code", "style"]):
        code.decompose()
    assert "$" not in soup.get_text()
    assert len(pages["jane"]) < 400_000


@pytest.mark.browser
@pytest.mark.parametrize("width, height", [(1280, 900), (390, 844)], ids=["wide", "phone"])
def test_the_top_takes_two_screens_at_most_and_no_more_than_their_width(
    browser, course, pages, width, height
):
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        tab = context.new_page()
        tab.goto((course.root / "feedback" / "jane" / NAME / f"{NAME}.html").as_uri())
        assert tab.locator("#notebook").bounding_box()["y"] <= 2 * height
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    "latex",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\style{position:fixed}{x}",
        r"\class{panel}{x}",
        r"\text{<script>alert(1)</script>}",
        r"\text{<img src=x onerror=alert(1)>}",
        r"\text{<mi href='javascript:alert(1)'>x</mi>}",
        r"\text{</math><script>alert(1)</script>}",
        r"\hspace{-500em}x",
        "{" * 300 + "}" * 300,
        r"\sqrt{" * 300 + "}" * 300,
        "x" * 100_000,
        r"\nonsense",
        "",
    ],
)
def test_a_strangers_formula_sets_a_formula_and_nothing_else(latex):
    tags = BeautifulSoup(of_stranger(latex, "inline"), "html.parser")(True)
    assert tags[0].name in ("math", "code") and {tag.name for tag in tags[1:]} <= ELEMENTS
    assert {name for tag in tags for name in tag.attrs} <= ATTRIBUTES and all(
        len(value) < 20 for tag in tags for value in tag.attrs.values()
    )
    assert all("500em" not in str(tag.attrs) for tag in tags)


def test_a_formula_in_an_attribute_ends_no_attribute():
    sources = (
        "![$x$](data:image/png;base64,AA==)",
        "<img alt='<var class=\"formula\">0</var>' src='data:,'> $y$",
    )
    for source in sources:
        page = export(new_notebook(cells=[new_markdown_cell(source)]))
        assert all("<math" not in str(tag.attrs) for tag in BeautifulSoup(page, "html.parser")(True))
        assert Reader(page).found == []


REASON = "The notebook's file is empty. Hand it in again."
EXPORTS = {
    "jane": ["doejane_LATE_12_901_03-attention-1.ipynb", "Jane Doe_41_assignsubmission_file/my.ipynb"],
    "noor": ["vosnoor_5_902_03-attention.ipynb", "Noor Vos_42_assignsubmission_file_03-attention.ipynb"],
    "bad": ["badbo_6_903_03-attention.ipynb", "Bo Bad_43_assignsubmission_file_/03-attention.ipynb"],
}


@pytest.fixture
def class_(course, tmp_path):
    """A copy, where bad's file could not be graded and di has handed in nothing."""
    shutil.copytree(course.root, tmp_path / "term")
    root = tmp_path / "term"
    (root / "submitted" / "bad" / NAME).mkdir(parents=True)
    (root / "prepared" / "bad").mkdir(parents=True)
    (root / "prepared" / "bad" / f"{NAME}.findings.json").write_text(
        json.dumps({"findings": [], "error": REASON})
    )
    with open_course(root) as api, api.gradebook as book:
        for student in ("bad", "di"):
            book.add_student(student)
    record = {who: {"digest": "", "late": False, "from": paths} for who, paths in EXPORTS.items()}
    (root / ".coursegrader" / "collected").mkdir(parents=True)
    (root / ".coursegrader" / "collected" / f"{NAME}.json").write_text(json.dumps(record))
    return ProblemSet(root, NAME)


def unpacked(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.mark.slow
def test_each_lms_takes_its_own_form_with_everybody_in_it_once(class_):
    found = {form: feedback_zip(class_, form, unfinished=True) for form in FORMS}
    assert [(number, unknown) for _, number, unknown in found.values()] == [(3, [])] * 3
    canvas, moodle, folder = (unpacked(path) for path, _, _ in found.values())
    assert sorted(canvas) == sorted(paths[0] for paths in EXPORTS.values())
    assert sorted(moodle) == [
        f"{name}_assignsubmission_file_/{NAME}.html" for name in ("Bo Bad_43", "Jane Doe_41", "Noor Vos_42")
    ]
    assert sorted(folder) == [f"{who}/{NAME}.html" for who in ("bad", "jane", "noor")]
    assert folder[f"jane/{NAME}.html"] == moodle[f"Jane Doe_41_assignsubmission_file_/{NAME}.html"]
    assert REASON in folder[f"bad/{NAME}.html"] and "msqrt" in folder[f"jane/{NAME}.html"]
    for student, text in ((path.partition("/")[0], text) for path, text in folder.items()):
        assert not [other for other in ("jane", "noor", "di/") if other != student and other in text]
    jane, bad = (nbformat.reads(canvas[EXPORTS[who][0]], as_version=4) for who in ("jane", "bad"))
    top = jane.cells[0].source
    assert top.startswith(f"# {NAME}: 20.6 of 39 points") and f"> {COMMENT}" in top and "Late by" in top
    assert f"[Read: scaling]({BOOK}book/{NAME}.html#scaling)" in top and len(jane.cells) > 20
    assert not any("nbgrader" in cell.metadata for cell in jane.cells)
    assert REASON in bad.cells[0].source and len(bad.cells) == 1


@pytest.mark.slow
def test_what_is_missing_is_said_and_no_zip_is_written(class_, tmp_path):
    def refused(form="folder", **options):
        with pytest.raises(UserError) as error:
            feedback_zip(class_, form, **options)
        assert not list(class_.root.glob("reports/**/feedback-*"))
        return str(error.value)

    assert refused().startswith("Not yet marked: noor.") and "--unfinished" in refused()
    (class_.root / ".coursegrader" / "collected" / f"{NAME}.json").unlink()
    assert "No submission of 03-attention came from Moodle" in refused("moodle", unfinished=True)
    (class_.root / "submitted" / "di" / NAME).mkdir(parents=True)
    assert refused(unfinished=True) == f"Not yet graded: {NAME} of di. Run: coursegrader grade {NAME}"
    empty = make_term(tmp_path / "empty")
    with pytest.raises(UserError, match=f"Not yet graded: {NAME}. Run"):
        feedback_zip(empty, "folder")


@pytest.mark.parametrize(
    "trouble, says",
    [
        (OSError(28, "No space left on device"), "The disk is full. Make room."),
        (ValueError("this\nis so"), "ValueError: this"),
    ],
)
def test_why_a_page_cannot_be_made_is_said_in_a_line(class_, monkeypatch, trouble, says):
    def fails(*_):
        raise trouble

    monkeypatch.setattr("coursegrader.reporting.feedback.safe_page", fails)
    with pytest.raises(UserError) as error:
        feedback_zip(class_, "folder", unfinished=True)
    said = str(error.value)
    assert said.startswith(f"The page of jane could not be made: {says}") and "\n" not in said


def test_whose_file_the_lms_does_not_know_is_named(class_):
    record = class_.root / ".coursegrader" / "collected" / f"{NAME}.json"
    record.write_text(json.dumps({"noor": {"digest": "", "late": False, "from": EXPORTS["noor"]}}))
    assert feedback_zip(class_, "canvas", unfinished=True)[1:] == (1, ["bad", "jane"])


def test_a_page_on_an_earlier_submission_says_so(class_):
    (class_.root / "prepared" / "jane").mkdir()
    (class_.root / "prepared" / "jane" / f"{NAME}.findings.json").write_text(
        json.dumps({"findings": [f"thing {number}" for number in range(9)], "error": REASON})
    )
    path, number, _ = feedback_zip(class_, "folder", unfinished=True)
    page = unpacked(path)[f"jane/{NAME}.html"]
    assert number == 3 and "on an earlier submission of yours" in page and REASON in page
    assert "<summary>6 more</summary>" in page


def test_the_names_are_those_that_collect_saw(class_, tmp_path):
    with open_course(class_.root) as api, api.gradebook as book:
        book.update_or_create_student("di", first_name="Di", last_name="Ray", lms_user_id="12")
    paths = ["raydi_LATE_12_901_my work-1.ipynb", "Di Ray_41_assignsubmission_file/data.ipynb"]
    for path in paths:
        (tmp_path / "export" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "export" / path).write_text("{}")
    assert [(item.student, item.outcome) for item in collect(class_, tmp_path / "export")] == [("di", "new")]
    assert sorted(collected_from(class_, "di")) == sorted(paths) and collected_from(class_, "nobody") == []


def test_what_the_progress_line_counted_before_the_first_answer_is_left_out():
    for name, kept in (("progress", 0), ("setup", 1)):
        cell = new_code_cell("1", metadata={"nbgrader": {"grade_id": name}})
        cell.outputs = [new_output("stream", text="0 of 8 exercises pass")]
        _show_once(cell)
        assert len(cell.outputs) == kept


@pytest.mark.parametrize(
    "check, extra, state", [(0, 1, "not yet right"), (2, 1, "partly right"), (4, 1, "right")]
)
def test_extra_credit_makes_no_answer_right(check, extra, state):
    metadata = {"nbgrader": {"grade_id": "f-check", "score": check + extra, "points": 4}}
    cell = nbformat.v4.new_code_cell("check('f', f)", metadata=metadata)
    grade = SimpleNamespace(
        extra_credit=extra, manual_score=None, auto_score=check, needs_manual_grade=False, cell=cell
    )
    verdict = {"exercise": "f", "message": "Wrong.", "misconception": "m"}
    row = _row(cell, verdict, grade, "f")
    assert (row.state, row.points) == (state, f"{check + extra} of 4") and row.by_hand == "Extra credit: 1."


@pytest.mark.parametrize(
    "text, code",
    [
        ("` <img src=http:/example.org/x.png> <b>Full points</b> was set aside", []),
        ("``<b>x</b>", []),
        ("`x`` <img src=q>` y", []),
        ("\\`<b>x</b>`", ["<b>x</b>"]),
        ("`a\\` <b>x</b> `", ["a\\"]),
        ("![a](b) &lt;b&gt; # ~~a~~ **b** [c](d) `x * <y>` and `z`", ["x * <y>", "z"]),
        ("# a\n\n# b `\n`", []),
    ],
)
def test_a_text_in_the_notebook_for_canvas_is_text_with_code_in_pairs_of_back_quotes(text, code):
    read = BeautifulSoup(markdown_piece(as_text(text)), "html.parser")
    assert {tag.name for tag in read.find_all()} <= {"p", "code"}
    assert [tag.text for tag in read.find_all("code")] == code
    shown = text
    for part in code:
        shown = shown.replace(f"`{part}`", part)
    assert read.text.split() == shown.split()
