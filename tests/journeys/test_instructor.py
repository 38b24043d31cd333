"""The instructor's term as a browser shows it: formgrader in a real Jupyter server, from the first submission
to the exported grades."""

import csv
import re
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest
from commands import command
from grading.classroom import UNTOUCHED, Student, make_class, write_submission
from journeys.hubroom import share_kept
from journeys.servers import TOKEN, jupyter_environment, jupyter_lab, picture

from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("journeys")]
NAME = "03-attention"
ROSTER = (
    "id,first_name,last_name,email,lms_user_id\njane,Jane,Doe,jane@example.org,1234\nomar,Omar,El "
    "Amin,omar@example.org,77\nnoor,Noor,Vos,noor@example.org,5\n"
)
ANSWER = (
    "A zero key has score 0, and $e^0 = 1$: the pads take weight. A mask of $-\\infty$ before the "
    "softmax takes it from them."
)
NOSY = """import os, socket
tried = dict()
for path in ("{root}/gradebook.db", "{root}/solutions", "{root}/submitted/jane", "{root}/nbgrader_config.py"):
    tried[path] = os.path.exists(path)
try:
    socket.create_connection(("127.0.0.1", {port}), timeout=5).close()
    tried["the server"] = True
except OSError:
    tried["the server"] = False
print("LEAK" if any(tried.values()) else "kept out", tried)"""


@pytest.fixture(scope="module")
def term(root, attention, tmp_path_factory):
    """A course folder, problem set due yesterday, released into an exchange; one system user is everybody."""
    place = tmp_path_factory.mktemp("spring")
    (place / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (place / "exchange").mkdir()
    (place / "exchange").chmod(0o777)
    yesterday = (datetime.now(UTC) - timedelta(days=1)).date()
    said = command(
        "coursegrader",
        "--root",
        root,
        "init",
        place / "spring",
        "--problem-set",
        NAME,
        "--first-due",
        yesterday,
        "--due-time",
        "12:00",
        "--zone",
        "UTC",
        "--roster",
        place / "roster.csv",
        "--exchange",
        place / "exchange",
        cwd=place,
    )
    assert "1 problem set, 3 students" in said
    with (place / "spring" / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.ExchangeCollect.check_owner = False\n")
    share_kept(attention, place / "spring")
    command("coursegrader", "release", NAME, cwd=place / "spring")
    command("nbgrader", "release_assignment", NAME, cwd=place / "spring")
    return ProblemSet(place / "spring", NAME)


@pytest.fixture(scope="module")
def lab(term, tmp_path_factory):
    place = tmp_path_factory.mktemp("instructor")
    with jupyter_lab(term.root, jupyter_environment(place), place / "server.log") as server:
        yield server


@pytest.fixture(scope="module")
def tab(browser, lab):
    """The instructor's page, signed in, with the list of all requests to other machines."""
    with browser.new_context(viewport={"width": 1400, "height": 1000}) as context:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.elsewhere = []
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((lab.url, "data:", "blob:"))
                else page.elsewhere.append(request.url)
            ),
        )
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.goto(f"{lab.url}formgrader/manage_assignments?token={TOKEN}")
        yield page


@pytest.fixture(scope="module")
def answers(attention):
    right, partly = make_class(attention)[0].answers, {name: UNTOUCHED for name in attention.exercises}
    partly["softmax"] = attention.exercises["softmax"].wrong_versions[0]  # 3 of 4 points
    return {"right": right, "partly": partly}


def solve(term, answers, path, written=ANSWER, extra=()):
    """Write a student's notebook."""
    write_submission(
        term.root / "notebooks" / NAME / f"{NAME}.ipynb", Student("x", answers, list(extra)), path
    )
    notebook = nbformat.read(path, as_version=4)
    next(cell for cell in notebook.cells if cell.id == "written-question").source = written
    nbformat.write(notebook, path)


def student(term, name):
    """A student's folder and variables; it keeps their notebooks, and nbgrader's memory of submissions."""
    folder = term.root.parent / name
    folder.mkdir(exist_ok=True)
    config = (
        f"c.CourseDirectory.course_id = 'spring'\nc.Exchange.root = {str(term.root.parent / 'exchange')!r}\n"
    )
    return folder, jupyter_environment(term.root.parent / f".{name}", config)


def submissions(tab, lab):
    """The list of submissions: by account, the texts of the status and the score."""
    tab.goto(f"{lab.url}formgrader/manage_submissions/{NAME}")
    tab.wait_for_function("() => typeof models !== 'undefined' && models && models.loaded")
    rows = tab.locator("#main-table tr")
    return {
        row.locator("td.student-id").inner_text(): (
            row.locator("td.status").inner_text(),
            row.locator("td.score").inner_text(),
            row,
        )
        for row in rows.all()
    }


def press(tab, row, button):
    """Press one of a row's buttons; return the title and text of what formgrader answers."""
    row.locator(f"td.{button} a").click()
    dialog = tab.locator(".modal.in")
    dialog.wait_for(timeout=600_000)  # a whole submission is graded
    said = dialog.inner_text()
    dialog.locator(".modal-footer button").click()
    dialog.wait_for(state="detached")
    return said


def test_one_button_grades_one_submission_in_the_jail(term, lab, tab, answers):
    folder, person = student(term, "jane")
    command("nbgrader", "fetch_assignment", NAME, cwd=folder, environment=person)
    solve(term, answers["partly"], folder / NAME / f"{NAME}.ipynb")
    command("nbgrader", "submit", NAME, "--student", "jane", cwd=folder, environment=person)
    command("nbgrader", "collect", NAME, cwd=term.root)
    port = int(re.search(r":(\d+)/", lab.url)[1])
    solve(
        term,
        answers["right"],
        term.root.parent / "noor.ipynb",
        extra=[NOSY.format(root=term.root, port=port)],
    )
    solve(term, answers["right"], term.root.parent / "omar.ipynb", written="*Write your answer here.*")
    with zipfile.ZipFile(term.root.parent / "canvas.zip", "w") as archive:
        archive.write(term.root.parent / "noor.ipynb", "vosnoor_5_901_03-attention.ipynb")
        # renamed, and late
        archive.write(term.root.parent / "omar.ipynb", "elaminomar_LATE_77_902_my homework-1.ipynb")
    assert "2 new" in command("coursegrader", "collect", NAME, term.root.parent / "canvas.zip", cwd=term.root)

    rows = submissions(tab, lab)
    assert set(rows) == {"jane", "omar", "noor"} and {status for status, _, _ in rows.values()} == {
        "needs autograding"
    }
    said = press(tab, rows["noor"][2], "autograde")
    assert "Successfully autograded" in said, said
    picture(tab, "formgrader-list")
    status, score, _ = submissions(tab, lab)["noor"]
    assert (status, score) == ("needs manual grading", "34 / 39")
    shown = (term.root / "autograded" / "noor" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert "kept out {" in shown and "LEAK {" not in shown


def test_a_broken_submission_says_why_and_leaves_the_server_up(term, lab, tab):
    place = term.root / "submitted" / "omar" / NAME / f"{NAME}.ipynb"
    name = next(place.parent.glob("*.ipynb"))
    kept = name.read_bytes()
    name.write_text("{ not a notebook", encoding="utf-8")
    said = press(tab, submissions(tab, lab)["omar"][2], "autograde")
    assert "There was an error" in said or "not graded" in said, said
    picture(tab, "formgrader-broken")
    assert submissions(tab, lab)["omar"][0] == "needs autograding"
    for path in place.parent.glob("*.ipynb"):
        path.unlink()
    (place.parent / "my homework-1.ipynb").write_bytes(kept)


def test_the_rest_of_the_class_and_the_report_of_who_was_late(term, lab, tab):
    said = command("coursegrader", "grade", NAME, "--workers", 1, cwd=term.root)
    assert (
        re.search(r"jane +3 of 39\n", said) and re.search(r"omar +34 of 39\n", said) and "3 graded" in said
    ), said
    assert {name: score for name, (_, score, _) in submissions(tab, lab).items()} == {
        "jane": "3 / 39",
        "omar": "34 / 39",
        "noor": "34 / 39",
    }
    said = command("coursegrader", "report", NAME, cwd=term.root)
    assert "2 of them on late ones" in said and "not yet marked: jane, noor" in said
    page = (term.root / "reports" / NAME / "report.html").read_text(encoding="utf-8")
    assert (
        re.search(r"<td>jane</td><td>late: \d+ (day|h|min)", page)
        and "my homework-1.ipynb was taken for" in page
    )
    assert "<td>omar</td><td>late: by how much is not known" in page


def test_the_written_question_gets_points_and_a_comment(term, lab, tab):
    tab.goto(f"{lab.url}formgrader/gradebook/{NAME}/{NAME}")
    tab.locator("#main-table tr td.name a").first.wait_for()
    assert tab.locator("#main-table tr").count() == 3
    tab.locator("#main-table tr", has=tab.locator("a.name-shown", has_text="Doe, Jane")).locator(
        "a.name-hidden"
    ).click()
    answer = tab.locator(".nbgrader_cell", has=tab.locator("#written-question"))
    answer.locator("input.score").wait_for()
    tab.wait_for_function("() => formgrader.loaded && formgrader.grades.loaded && formgrader.comments.loaded")
    assert "the pads take weight" in answer.inner_text()
    assert (
        tab.locator(".panel-heading", has=tab.locator("#softmax-check"))
        .inner_text()
        .strip()
        .startswith("softmax-check")
    )
    for box, value, what in (
        ("input.score", "3.5", "grade"),
        ("textarea.comment", "Say what dividing changes: see **scaling**.", "comment"),
    ):
        with tab.expect_response(
            lambda response: response.request.method == "PUT" and f"/api/{what}/" in response.url
        ) as saved:
            answer.locator(box).fill(value)
            answer.locator(box).press("Tab")
        assert saved.value.ok
    picture(tab, "formgrader-written")
    tab.reload()
    tab.wait_for_function("() => formgrader.loaded && formgrader.grades.loaded && formgrader.comments.loaded")
    assert (
        answer.locator("input.score").input_value() == "3.5"
        and "dividing" in answer.locator("textarea.comment").input_value()
    )
    assert submissions(tab, lab)["jane"][:2] == ("graded", "6.5 / 39")


def test_formgrader_asks_no_other_machine_and_its_keys_work(lab, tab):
    """Stock formgrader loads a script from another host, and waits for it before it listens to keys."""
    tab.goto(f"{lab.url}formgrader/gradebook/{NAME}/{NAME}")
    tab.locator("#main-table tr a.name-hidden").first.click()
    tab.wait_for_function("() => formgrader.loaded && MathJax.loaded")
    here = tab.url.partition("?")[0]
    # the next submission
    tab.keyboard.press("Control+.")
    tab.wait_for_function("here => !location.href.startsWith(here)", arg=here)
    assert tab.elsewhere == [] and tab.faults == []


def test_feedback_leaves_by_the_buttons_and_arrives(term, lab, tab):
    rows = submissions(tab, lab)
    assert "Successfully generated feedback" in press(tab, rows["jane"][2], "generate-feedback")
    assert "Successfully released feedback" in press(
        tab, submissions(tab, lab)["jane"][2], "release-feedback"
    )
    folder, person = student(term, "jane")
    command("nbgrader", "fetch_feedback", NAME, cwd=folder, environment=person)
    page = next((folder / NAME / "feedback").rglob("*.html")).read_text(encoding="utf-8")
    assert f"{NAME}: 6.5 of 39 points" in page and "Say what dividing changes" in page
    # for the class, by command: those who came through Canvas are named, and stop nobody
    command("nbgrader", "generate_feedback", NAME, cwd=term.root)
    done = command("nbgrader", "release_feedback", NAME, cwd=term.root, errors=True)
    assert all(
        f"{name} did not hand in through the exchange: send them feedback/{name}/{NAME}" in done
        for name in ("noor", "omar")
    )
    assert "Releasing feedback for student 'jane'" in done


def test_feedback_goes_back_to_the_lms_in_one_zip(term, tab):
    """Noor and Omar came through Canvas, Jane through the exchange. Noor waits to be marked."""
    said = command("coursegrader", "feedback", NAME, "--for", "canvas", cwd=term.root, expect=2)
    assert "Not yet marked: noor." in said
    reports = term.root / "reports" / NAME
    assert not list(reports.glob("feedback-*"))
    said = command(
        "coursegrader", "feedback", NAME, "--for", "canvas", "--unfinished", cwd=term.root, expect=1
    )
    assert "2 students" in said and "did not come from Canvas: jane" in said
    with zipfile.ZipFile(reports / "feedback-canvas.zip") as archive:
        assert set(archive.namelist()) == {
            "vosnoor_5_901_03-attention.ipynb",
            "elaminomar_LATE_77_902_my homework-1.ipynb",
        }
    command("coursegrader", "feedback", NAME, "--for", "folder", "--unfinished", cwd=term.root)
    with zipfile.ZipFile(reports / "feedback-folder.zip") as archive:
        assert set(archive.namelist()) == {f"{name}/{NAME}.html" for name in ("jane", "noor", "omar")}
        page = Path(archive.extract(f"jane/{NAME}.html", term.root.parent / "unpacked"))
    tab.goto(page.as_uri())
    assert tab.locator("h1").first.inner_text() == f"{NAME}: 6.5 of 39 points"
    assert (
        tab.locator("tr", has_text="In your own words").locator(".comment strong").inner_text() == "scaling"
    )
    picture(tab, "feedback")


def test_a_new_submission_and_a_mended_rubric_keep_the_marks_given(term, lab, tab, answers):
    folder, person = student(term, "jane")
    # the same written answer
    solve(term, answers["right"], folder / NAME / f"{NAME}.ipynb")
    command("nbgrader", "submit", NAME, "--student", "jane", cwd=folder, environment=person)
    command("nbgrader", "collect", NAME, "--update", cwd=term.root)
    assert submissions(tab, lab)["jane"][0] == "needs autograding"
    rubric, source = term.folder / "rubric" / "softmax.py", term.folder / f"{NAME}.ipynb"
    text, notebook = rubric.read_text(encoding="utf-8"), nbformat.read(source, as_version=4)
    groups = re.search(r"points=(\{[^}]*\})", text)[1]
    points = eval(groups)
    points[next(iter(points))] += 1
    rubric.write_text(text.replace(groups, repr(points)), encoding="utf-8")
    next(cell for cell in notebook.cells if cell.id == "softmax-check").metadata.nbgrader.points = sum(
        points.values()
    )
    nbformat.write(notebook, source)
    command("coursegrader", "release", NAME, cwd=term.root)
    said = command("coursegrader", "grade", NAME, "--workers", 1, cwd=term.root)
    assert re.search(r"omar +softmax: 4 -> 5 points; what had changed: problem set\n", said), said
    assert re.search(
        r"jane +softmax: 3 -> 5 points .*; what had changed: submission and problem set\n", said
    ), said
    rows = submissions(tab, lab)
    assert rows["jane"][:2] == ("graded", "38.5 / 40") and rows["noor"][:2] == (
        "needs manual grading",
        "35 / 40",
    )
    picture(tab, "formgrader-regraded")
    history = list(csv.DictReader((term.root / "reports" / NAME / "moved.csv").open(encoding="utf-8")))
    assert {row["student"] for row in history} == {"jane", "omar", "noor"}
    assert all(row["what had changed"] for row in history)


def test_grades_leave_for_canvas_moodle_and_the_archive(term, lab):
    said = command("coursegrader", "report", NAME, cwd=term.root)
    assert "not yet marked: noor" in said and not (term.root / "reports" / NAME / "canvas.csv").exists()
    command("coursegrader", "report", NAME, "--unfinished", cwd=term.root)
    tables = {
        name: list(csv.reader((term.root / "reports" / NAME / f"{name}.csv").open(encoding="utf-8")))
        for name in ("canvas", "moodle")
    }
    assert ["Doe, Jane", "1234", "", "jane", "", "38.5"] in tables["canvas"] and tables["canvas"][1][
        -1
    ] == "40"
    assert any(
        row[:6] == ["omar", "Omar", "El Amin", "77", "omar@example.org", "35"] for row in tables["moodle"]
    )
    command("nbgrader", "export", "--to", "grades.csv", cwd=term.root)
    grades = {
        row["student_id"]: row for row in csv.DictReader((term.root / "grades.csv").open(encoding="utf-8"))
    }
    assert {name: (row["score"], row["status"]) for name, row in grades.items()} == {
        "jane": ("38.5", "graded"),
        "omar": ("35.0", "graded"),
        "noor": ("", "not yet marked"),
    }
    with open_course(term.root) as api, api.gradebook as gradebook:
        assert gradebook.find_submission(NAME, "jane").total_seconds_late > 3600
    assert lab.status("formgrader/manage_assignments") == 200
