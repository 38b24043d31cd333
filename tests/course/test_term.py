"""A term on the command line: set up, release, collect, grade, mend a rubric, regrade, feedback, export."""

import csv
import re
import shutil
import sys
import zipfile

import nbformat
import pytest
from commands import command
from grading.classroom import UNTOUCHED, Student, make_class, write_submission

from coursegrader.authoring.new_exercise import SOLUTION, TEXT
from coursegrader.authoring.unfinished import unfinished
from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("term")]
NAME = "03-attention"
ROSTER = (
    "id,first_name,last_name,lms_user_id\njane,Jane,Doe,1234\nomar,Omar,El "
    "Amin,77\nmia,Mia,Sø,5\nanna,Anna,Li,6\nanna2,Anna,Li,8\n"
)


@pytest.fixture(scope="module")
def term(root, fingerprinted, tmp_path_factory):
    """A course folder made by one command, released."""
    place = tmp_path_factory.mktemp("term")
    (place / "roster.csv").write_text(ROSTER, encoding="utf-8")
    (place / "exchange").mkdir(mode=0o777)
    (place / "exchange").chmod(0o777)
    said = command(
        "coursegrader",
        "--root",
        root,
        "init",
        place / "spring",
        "--problem-set",
        NAME,
        "--problem-set",
        "01-recurrence",
        "--first-due",
        "2027-03-01",
        "--zone",
        "Europe/Zurich",
        "--account",
        "ID",
        "--roster",
        place / "roster.csv",
        "--exchange",
        place / "exchange",
        "--site",
        "https://transformers.example.org/spring",
        cwd=place,
    )
    assert "2 problem sets, 5 students" in said and "due Mon 2027-03-08 23:59 CET" in said
    assert "localhost" not in said
    course = ProblemSet(place / "spring", NAME)
    fingerprinted.hand_on(course.root)
    written = command("coursegrader", "release", NAME, cwd=course.root).splitlines()
    assert written and len(written) == len(set(written))
    command("nbgrader", "release_assignment", NAME, cwd=course.root)
    return course


def hand_in(course, answers, path):
    write_submission(course.root / "notebooks" / NAME / f"{NAME}.ipynb", Student("x", answers), path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def export(term, attention, tmp_path_factory):
    """A zip as of Canvas and Moodle: right, wrong, late, renamed, of nobody, of one of two namesakes."""
    place = tmp_path_factory.mktemp("export")
    right, wrong = make_class(attention)[0].answers, {name: UNTOUCHED for name in attention.exercises}
    # it earns 3 of 4 points
    wrong["softmax"] = attention.exercises["softmax"].wrong_versions[0]
    files = {
        "doejane_1234_5001_03-attention.ipynb": right,
        "elaminomar_LATE_77_5002_my homework-1.ipynb": wrong,
        "Group A-Mia Sø_40001_assignsubmission_file/03-attention.ipynb": right,
        "Anna Li_40002_assignsubmission_file_/03-attention.ipynb": right,
        "ghost_9999_5003_03-attention.ipynb": right,
        "__MACOSX/._doejane_1234_5001_03-attention.ipynb": right,
    }
    path = place / "submissions.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, answers in files.items():
            written = b"Mine." if "Mia" in name else b"*Write your answer here.*"
            archive.writestr(
                name,
                hand_in(term, answers, place / "one.ipynb").replace(b"*Write your answer here.*", written),
            )
    return path


def test_the_dates_and_students_are_nbgraders(term):
    with open_course(term.root) as api, api.gradebook as gradebook:
        assert str(gradebook.find_assignment(NAME).duedate) == "2027-03-08 22:59:00"  # UTC
        assert {student.id for student in gradebook.students} == {"jane", "omar", "mia", "anna", "anna2"}
        assert gradebook.find_student("mia").last_name == "Sø"
    assert "1 student is new, 0 were there" in command(
        "coursegrader", "roster", _write(term, "id\nlate.comer\n"), cwd=term.root
    )
    said = command("coursegrader", "roster", _write(term, ROSTER), cwd=term.root)
    assert "0 students are new, 5 were there" in said and "left as they are: late.comer" in said


def test_what_students_get_links_to_the_terms_own_site(term):
    released = (term.root / "notebooks" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert "](https://transformers.example.org/spring/book/03-attention.html)" in released
    assert "localhost" not in released and "make serve" not in released
    said = command(
        sys.executable,
        "-c",
        ("from allyouneed.check import check\ncheck('softmax', lambda scores, dim: scores)"),
        cwd=term.root / "notebooks" / NAME,
        expect=1,
    )
    assert "See https://transformers.example.org/spring/book/03-attention.html#" in said


def _write(term, text):
    path = term.root.parent / "more.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_term_is_never_set_up_over_another(term, root):
    assert "not empty" in command("coursegrader", "--root", root, "init", term.root, cwd=root, expect=2)
    for options, problem in (
        (["--first-due", "1.3.2027"], "2027-02-28"),
        (["--first-due", "9999-12-31"], "is no date of a course"),
        (["--first-due", "2027-03-01", "--every", 10**10, "--problem-set", "01-recurrence"], "the calendar"),
        (["--zone", "Mars/Base", "--start", "2027-03-01"], "no time zone"),
        (["--problem-set", "99-no"], "no problem set 99-no"),
        (["--course-id", "a b"], "cannot name a course"),
        (["--site", "example.org"], "write it whole"),
        (["--roster", _write(term, "id\njane\n"), "--account", "login"], "has no column 'login'"),
    ):
        place = term.root.parent / "other"
        assert problem in command(
            "coursegrader", "--root", root, "init", place, "--problem-set", NAME, *options, cwd=root, expect=2
        )
        assert not place.exists() and not list(term.root.parent.glob(".other*"))


@pytest.mark.parametrize(
    "arguments",
    [("roster", "more.csv"), ("collect", NAME, "."), ("grade", NAME), ("report", NAME), ("release", NAME)],
    ids=lambda arguments: arguments[0],
)
def test_a_wrong_folder_is_said_and_left_as_it_is(arguments, tmp_path):
    (tmp_path / "more.csv").write_text("id\njane\n", encoding="utf-8")
    said = command("coursegrader", *arguments, cwd=tmp_path, expect=2)
    assert f"{tmp_path} is not a course folder: it has no folder solutions." in said
    assert [path.name for path in tmp_path.iterdir()] == ["more.csv"]


@pytest.mark.parametrize(
    "arguments", [("collect", "03", "."), ("grade", "03"), ("report", "03"), ("release", "03")], ids=str
)
def test_a_wrong_name_of_a_problem_set_names_those_there_are(term, arguments):
    said = command("coursegrader", *arguments, cwd=term.root, expect=2)
    assert "There is no problem set '03'" in said and "There are: 01-recurrence, 03-attention." in said


def test_a_term_without_a_site_says_where_its_links_lead(term, root):
    said = command(
        "coursegrader", "--root", root, "init", term.root.parent / "plain", "--problem-set", NAME, cwd=root
    )
    assert "Without --site, links in problem sets and feedback lead to http://localhost:8000/" in said
    assert "1 problem set, 0 students" in said


def test_the_site_can_be_changed_later(term, root):
    course = term.root.parent / "moved"
    command("coursegrader", "--root", root, "init", course, "--problem-set", NAME, cwd=root)
    source = course / "solutions" / NAME / f"{NAME}.ipynb"
    assert "localhost" in source.read_text(encoding="utf-8")
    assert "write it whole" in command("coursegrader", "site", "example.org", cwd=course, expect=2)
    for site in ("https://one.example/spring", "https://two.example/"):
        said = command("coursegrader", "site", site, cwd=course)
        assert f"The links of these are new: {NAME}. Release them again" in said
        config = (course / "nbgrader_config.py").read_text(encoding="utf-8")
        assert config.count("\nc.SafeFeedback") == 1 and f"book_url = '{site.rstrip('/')}/'" in config
        text = source.read_text(encoding="utf-8")
        assert f"]({site.rstrip('/')}/book/03-attention.html)" in text and "localhost" not in text
    assert "one.example" not in text
    assert "The links of these" not in command("coursegrader", "site", site, cwd=course)


def test_a_term_from_the_export_to_the_grades(term, export):
    said = command("coursegrader", "collect", NAME, export, cwd=term.root, expect=1)
    assert (
        re.search(r"jane +new\n", said)
        and re.search(r"omar +new, late\n", said)
        and re.search(r"mia +new\n", said)
    ), said
    assert re.search(r"ghost_9999.* left out: nobody in the roster has the number 9999", said)
    assert "may be of anna or anna2" in said and "3 new, 0 handed in again, 0 unchanged, 2 left out" in said
    assert "put it into a folder named after the student's account" in said

    said = command("coursegrader", "grade", NAME, "--student", "ghost", cwd=term.root, expect=2)
    assert f"no submission of {NAME} from ghost. There are submissions from: jane, mia, omar." in said
    said = command("coursegrader", "grade", NAME, "--workers", 1, cwd=term.root)
    assert (
        re.search(r"jane +34 of 39", said)
        and re.search(r"mia +34 of 39", said)
        and re.search(r"omar +3 of 39", said)
    ), said
    assert "moved" not in said and "1 waits to be marked by hand" in said
    said = command("coursegrader", "report", NAME, cwd=term.root)
    assert "1 of them on late ones" in said and "not yet marked: mia\n" in said
    assert "not handed in: anna, anna2" in said
    assert not (term.root / "reports" / NAME / "moodle.csv").exists()
    assert "moodle.csv" in command("coursegrader", "report", NAME, "--unfinished", cwd=term.root)
    page = (term.root / "reports" / NAME / "report.html").read_text(encoding="utf-8")
    assert "<td>omar</td><td>late: by how much is not known" in page and "<td>jane</td><td>late" not in page
    moodle = {
        row["Username"]: row
        for row in csv.DictReader((term.root / "reports" / NAME / "moodle.csv").open(encoding="utf-8"))
    }
    told = moodle["omar"][f"{NAME} (Feedback)"].splitlines()
    assert told[0].startswith("softmax: ") and all(
        (" See https://transformers.example.org/spring/book/03-attention.html") in line for line in told
    ), told
    said = command("coursegrader", "collect", NAME, export, cwd=term.root, expect=1)
    # though grading has put one in order
    assert "0 new, 0 handed in again, 3 unchanged, 2 left out" in said

    # a text beside no notebook takes the place of none
    text = term.root.parent / "texts" / "Mia Sø_40001_assignsubmission_onlinetext"
    text.mkdir(parents=True)
    (text / "onlinetext.html").write_text("See my file.")
    said = command("coursegrader", "collect", NAME, text.parent, cwd=term.root, expect=1)
    assert "it holds no notebook, and an earlier submission does: not taken" in said

    # Omar hands in again, in a folder of his account: only he is graded again, and the reason is his
    # submission
    folder = term.root.parent / "again"
    (folder / "omar").mkdir(parents=True)
    (folder / "omar" / "final version.ipynb").write_bytes(
        (term.root / "submitted" / "jane" / NAME / f"{NAME}.ipynb").read_bytes()
    )
    assert "0 new, 1 handed in again" in command("coursegrader", "collect", NAME, folder, cwd=term.root)
    # the first export once more, by mistake: what is newer stays
    said = command("coursegrader", "collect", NAME, export, cwd=term.root, expect=1)
    assert "it was collected before, and another one since: not taken" in said
    assert (
        "0 new, 0 handed in again, 2 unchanged, 3 left out" in said
        and f"remove submitted/omar/{NAME}" in said
    )
    said = command("coursegrader", "grade", NAME, "--workers", 1, cwd=term.root)
    # what counts now is not late
    assert "late ones" not in command("coursegrader", "report", NAME, cwd=term.root)
    assert said.count("(unchanged, kept)") == 2 and re.search(
        r"omar +softmax: 3 -> 4 points \(.* -> passes\); what had changed: submission", said
    ), said
    assert (term.root / "originals" / "omar" / f"{NAME}.earlier" / "1").is_dir()

    # a mended rubric: all are graded again; the report names whose verdict moved, and why
    source, rubric = term.folder / f"{NAME}.ipynb", term.folder / "rubric" / "softmax.py"
    notebook = nbformat.read(source, as_version=4)
    text = rubric.read_text(encoding="utf-8")
    groups = re.search(r"points=(\{[^}]*\})", text)
    points = eval(groups[1])
    first = next(iter(points))
    more = points | {first: points[first] + 1}
    rubric.write_text(text.replace(groups[0], f"points={more!r}"), encoding="utf-8")
    cell = next(cell for cell in notebook.cells if cell.id == "softmax-check")
    cell.metadata.nbgrader.points = sum(more.values())
    nbformat.write(notebook, source)
    command("nbgrader", "generate_feedback", NAME, cwd=term.root)
    said = command("coursegrader", "release", NAME, cwd=term.root, errors=True)
    command("coursegrader", "release", NAME, "--check", cwd=term.root)
    assert 'note: the heading "1. Softmax" says 4 points' in said and "39 points in all" in said
    # scores of the old points leave for nobody beside the new maximum
    pages = [path.read_bytes() for path in sorted((term.root / "feedback").glob(f"*/{NAME}/*.html"))]
    for way in (("report", NAME), ("feedback", NAME, "--for", "folder", "--unfinished"), ("overview",)):
        said = command("coursegrader", *way, cwd=term.root, expect=2)
        assert (
            f"Graded with other points than {NAME} has now: 3 submissions" in said
            and f"coursegrader grade {NAME}" in said
        )
    for way in ("generate_feedback", "release_feedback"):
        said = command("nbgrader", way, NAME, cwd=term.root, errors=True, expect=1)
        assert f"Graded with other points than {NAME} has now: 3 submissions" in said, said
        assert "Traceback" not in said and "Feedback released" not in said, said
    new = sorted((term.root / "feedback").glob(f"*/{NAME}/*.html"))
    assert pages and [path.read_bytes() for path in new] == pages
    command("nbgrader", "export", cwd=term.root)
    rows = list(csv.DictReader((term.root / "grades.csv").open(encoding="utf-8")))
    told = [row["status"] for row in rows if row["assignment"] == NAME and "other points" in row["status"]]
    assert len(told) == 3 and not any(row["score"] for row in rows if "other points" in row["status"])
    said = command("coursegrader", "grade", NAME, "--workers", 1, cwd=term.root)
    assert (
        "unchanged, kept" not in said
        and said.count("softmax: 4 -> 5 points; what had changed: problem set") == 3
    ), said
    rows = list(csv.DictReader((term.root / "reports" / NAME / "moved.csv").open(encoding="utf-8")))
    assert {row["student"] for row in rows if row["what had changed"] == "problem set"} == {
        "jane",
        "omar",
        "mia",
    }
    assert {row["exercise"] for row in rows if row["what had changed"] == "problem set"} == {"softmax"}

    command("coursegrader", "report", NAME, cwd=term.root)
    command("nbgrader", "generate_feedback", NAME, cwd=term.root)
    feedback = term.root / "feedback" / "jane" / NAME / f"{NAME}.html"
    assert f"{NAME}: 35 of 40 points" in feedback.read_text(encoding="utf-8")
    # nobody is accused of what the course has changed
    assert "had been changed" not in feedback.read_text(encoding="utf-8") and not list(
        (term.root / "prepared").glob("jane/*.findings.json")
    )
    assert "localhost" not in feedback.read_text(
        encoding="utf-8"
    ) and "https://transformers.example.org/spring/book/" in feedback.read_text(encoding="utf-8")

    # a mark by hand in the place of a check's stays through a regrade, and is said
    with open_course(term.root) as api, api.gradebook as gradebook:
        gradebook.find_grade("softmax-check", NAME, NAME, "omar").manual_score = 1
        gradebook.db.commit()
    said = command(
        "coursegrader", "grade", NAME, "--workers", 1, "--force", "--student", "omar", cwd=term.root
    )
    assert re.search(r"omar +31 of 40", said) and "to be marked by hand" not in said, said

    # marks that come after the page are on the next one
    with open_course(term.root) as api, api.gradebook as gradebook:
        grade = next(
            grade
            for grade in gradebook.find_submission_notebook(NAME, NAME, "jane").grades
            if grade.cell.cell_type == "markdown"
        )
        grade.manual_score, grade.needs_manual_grade = 4, False
        gradebook.db.commit()
    command("nbgrader", "generate_feedback", NAME, cwd=term.root)
    assert f"{NAME}: 39 of 40 points" in feedback.read_text(encoding="utf-8")
    pages = {
        name: (term.root / "feedback" / name / NAME / f"{NAME}.html").read_text(encoding="utf-8")
        for name in ("jane", "omar", "mia")
    }
    assert [name for name, page in pages.items() if "Not yet marked" in page] == ["mia"]
    assert [name for name, page in pages.items() if "Marked by hand" in page] == ["omar"]
    assert "Marked by hand: 1 of 5 points. The check gave 5." in pages["omar"]
    command("nbgrader", "export", "--to", "grades.csv", cwd=term.root)
    grades = {
        row["student_id"]: row
        for row in csv.DictReader((term.root / "grades.csv").open(encoding="utf-8"))
        if row["assignment"] == NAME
    }
    command("coursegrader", "report", NAME, cwd=term.root)
    scores = {
        row["student"]: row
        for row in csv.DictReader((term.root / "reports" / NAME / "scores.csv").open(encoding="utf-8"))
    }
    assert {
        name: (row["by hand"], row["total"], row["status"])
        for name, row in scores.items()
        if row["status"] != "not handed in"
    } == {"jane": ("4", "39", "graded"), "omar": ("-4", "31", "graded"), "mia": ("", "35", "not yet marked")}
    assert {"anna", "anna2"} <= {name for name, row in scores.items() if row["status"] == "not handed in"}
    assert {name: grades[name]["score"] for name in ("jane", "omar", "mia", "anna")} == {
        "jane": "39.0",
        "omar": "31.0",
        "mia": "",
        "anna": "",
    }


def test_collecting_says_what_cannot_be_read(term, tmp_path):
    assert "There is no file or folder" in command(
        "coursegrader", "collect", NAME, tmp_path / "no.zip", cwd=term.root, expect=2
    )
    (tmp_path / "half.zip").write_bytes(b"PK\x03\x04 cut off")
    assert "neither a folder nor a readable zip" in command(
        "coursegrader", "collect", NAME, tmp_path / "half.zip", cwd=term.root, expect=2
    )
    (tmp_path / "empty").mkdir()
    assert "holds no files" in command(
        "coursegrader", "collect", NAME, tmp_path / "empty", cwd=term.root, expect=2
    )


def test_a_path_in_an_archive_leads_nowhere_else(term, tmp_path):
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("jane/../../../../evil.ipynb", "x")
        archive.writestr("../../anna/..", "x")
    command("coursegrader", "collect", "01-recurrence", tmp_path / "evil.zip", cwd=term.root, expect=1)
    found = list(tmp_path.parent.rglob("evil.ipynb"))
    assert found and all("submitted" in path.parts for path in found)
    assert {path.name for path in (term.root / "submitted" / "jane" / "01-recurrence").iterdir()} == {
        "evil.ipynb"
    }


def test_a_new_exercise_certifies_nothing_until_it_has_its_evidence(term):
    command("coursegrader", "new-exercise", "20-extra", "row_means", cwd=term.root)
    said = command("coursegrader", "certify", "20-extra", cwd=term.root, expect=2)
    assert (
        "0 correct alternatives, at least 4 are needed" in said
        and "0 wrong versions, at least 10 are needed" in said
    )
    assert "has an exercise row_means already" in command(
        "coursegrader", "new-exercise", "20-extra", "row_means", cwd=term.root, expect=2
    )
    assert "cannot be the name" in command(
        "coursegrader", "new-exercise", "20-extra", "row-means", cwd=term.root, expect=2
    )
    rubric = term.root / "solutions" / "20-extra" / "rubric" / "row_means.py"
    ways = [
        "return x.mean(dim=1)",
        "return x.sum(dim=1) / x.shape[1]",
        "return torch.stack([row.mean() for row in x])",
        "return (x / x.shape[1]).sum(1)",
    ]
    mistakes = [
        "x.mean(dim=0)",
        "x.sum(dim=1)",
        "x.mean()",
        "x.max(dim=1).values",
        "x.median(dim=1).values",
        "x.sum(1) / x.shape[0]",
        "x.mean(1, keepdim=True)",
        "x.sum(1) / (x.shape[1] - 1)",
        "x.mean(1) + 1",
        "-x.mean(1)",
    ]
    text = rubric.read_text(encoding="utf-8").replace(
        ('    raise NotImplementedError("write the reference")'), "    return x.mean(dim=-1)"
    )
    text = text.replace('section=""', 'section="rows"') + (
        "\nexercise.also_right(\n    edit(reference, {'dim=-1': 'dim=1'}, 'way 0'),\n"
    )
    text += "".join(f"    full({way!r}, 'way {number}'),\n" for number, way in enumerate(ways[1:], 1)) + ")\n"
    text += "".join(
        (
            f"\nexercise.mistake('m{number}', 'rows', 'Mistake {number}.', edit(reference, "
            f"{{'x.mean(dim=-1)': {wrong!r}}}))\n"
        )
        for number, wrong in enumerate(mistakes)
    )
    rubric.write_text(text, encoding="utf-8")
    notebook = nbformat.read(rubric.parents[1] / "20-extra.ipynb", as_version=4)
    assert [cell.id for cell in notebook.cells] == [
        "title",
        "setup",
        "row-means-text",
        "row-means",
        "row-means-check",
    ]
    said = command("coursegrader", "certify", "20-extra", cwd=term.root, expect=1)
    assert (
        "row_means: the notebook still has the template's question" in said
        and "15 versions, 4 faults" in said
    )
    for old, new in (
        (TEXT, "## Means"),
        (
            SOLUTION,
            (
                'def {name}(x):\n    """The mean of each row."""\n    '
                "### BEGIN SOLUTION\n    return x.mean(dim=-1)\n    "
                "### END SOLUTION"
            ),
        ),
    ):
        cell = next(cell for cell in notebook.cells if cell.source == old.format(name="row_means", points=3))
        cell.source = new.format(name="row_means")
    nbformat.write(notebook, rubric.parents[1] / "20-extra.ipynb")
    said = command("coursegrader", "certify", "20-extra", cwd=term.root)
    assert "15 versions, 0 faults" in said
    command("coursegrader", "release", "20-extra", cwd=term.root)
    assert "NotImplementedError" in (term.root / "notebooks" / "20-extra" / "20-extra.ipynb").read_text(
        encoding="utf-8"
    )


def test_messages_that_lead_to_no_paragraph_are_named(term):
    problem_set = ProblemSet(term.root, NAME)
    # a course folder has no pages of its own
    assert unfinished(problem_set, ["softmax"]) == []
    page = term.root / "book" / f"{NAME}.md"
    # certify writes its own page below it
    page.parent.mkdir(exist_ok=True)
    assert unfinished(problem_set, ["softmax"]) == []
    (page.parent / "preface.md").write_text("")
    try:
        assert [
            line
            for line in unfinished(problem_set, ["softmax"])
            if "there is no page book/03-attention.md" in line
        ]
        section = problem_set.exercise("softmax").section
        labels = {
            section,
            *(mistake.section for mistake in problem_set.exercise("softmax").mistakes.values()),
        }
        page.write_text("".join(f"({label})=\n## Here\n" for label in labels))
        assert unfinished(problem_set, ["softmax"]) == []
        page.write_text("".join(f"({label})=\n## Here\n" for label in labels - {section}))
        assert unfinished(problem_set, ["softmax"]) == [
            (f"softmax: book/{NAME} has no label {section!r}: write ({section})= above the paragraph")
        ]
    finally:
        shutil.rmtree(page.parent)
