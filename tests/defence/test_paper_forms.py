"""From papers to sheets, and from scans and tables back to answers and the gradebook."""

import re
from dataclasses import replace

import nbformat
import numpy as np
import pytest
from commands import command
from defence.samples import HOSTILE, sample_key, sample_paper
from defence.scanner import scanned
from PIL import Image

from allyouneed.check.questions.shown import lines_of
from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.answers import SCAN, Answer, open_answers
from coursegrader.defence.layout import _parts, _wrapped
from coursegrader.defence.paper import write_paper
from coursegrader.defence.scans import read_scans
from coursegrader.defence.sheets import print_sheets
from coursegrader.defence.typed import read_typed
from coursegrader.errors import UserError

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("defence-forms")]
NAME = "03-attention"
STUDENTS = ("jane", "omar")


def test_a_long_line_ends_at_no_letter_of_a_name_where_there_is_another_place():
    line = "value = interpolate(positions.reshape(1, -1, old_height, old_width), align_corners=False)"
    parts = _parts(line, 40)
    assert "".join(parts) == line and all(len(part) <= 40 for part in parts)
    assert all(part[-1] in " ,([=" for part in parts[:-1]) and _parts("x" * 95, 40) == [
        "x" * 40,
        "x" * 40,
        "x" * 15,
    ]
    shown = _wrapped("For x = [[1, 2], [3, -4]], what comes out?", 20, len)
    assert "[1, 2]" in " ".join(shown) and any("[3, -4]" in line for line in shown)


@pytest.fixture
def course(tmp_path):
    """A course with two students, whose papers are made; omar's has one question fewer than jane's."""
    (tmp_path / "solutions" / NAME).mkdir(parents=True)
    problem_set = ProblemSet(tmp_path, NAME)
    with open_course(tmp_path) as api, api.gradebook as gradebook:
        for student in STUDENTS:
            gradebook.add_student(student, first_name=student.title())
    write_paper(problem_set, sample_paper("jane", HOSTILE), sample_key())
    write_paper(problem_set, sample_paper("omar"), sample_key())
    return problem_set


@pytest.fixture
def printing(course):
    papers = [sample_paper("jane", HOSTILE), sample_paper("omar")]
    return print_sheets(course, papers, {}, course.root / "sheets.pdf")


CHOSEN = {("jane", 0, 1), ("jane", 1, 0), ("jane", 2, 3), ("omar", 0, 2), ("omar", 3, 2), ("omar", 4, 3)}


@pytest.mark.parametrize("turn", [1.5, -2, 181])
def test_filled_bubbles_are_read_from_a_turned_scaled_and_noisy_scan(course, printing, turn):
    read = read_scans(course, scanned(course.root / "sheets.pdf", printing, CHOSEN, turn)[::-1])
    assert read.answers == {
        "jane": {0: 1, 1: 0, 2: 3, 3: None, 4: None},
        "omar": {0: 2, 1: None, 2: None, 3: 2, 4: 3},
    }
    assert not read.unsure


def test_what_is_not_sure_is_listed_and_not_guessed(course, printing):
    both = scanned(course.root / "sheets.pdf", printing, CHOSEN | {("jane", 0, 2)})
    first = both[0].rename(course.root / "first.png")
    half = scanned(course.root / "sheets.pdf", printing, {("omar", 4, 1)}, part=0.45)
    blank = course.root / "blank.png"
    Image.new("L", (800, 1100), 255).save(blank)
    dark = course.root / "other.png"
    Image.fromarray(np.tile(np.arange(256, dtype=np.uint8), (900, 3))).save(dark)
    read = read_scans(course, [first, half[printing.sheets[0].pages], blank, dark])
    said = {(item.student, item.question): item.why for item in read.unsure}
    assert said["jane", 0] == "several bubbles are filled" and 0 not in read.answers["jane"]
    assert said["omar", 4] == "a bubble is partly filled" and 4 not in read.answers["omar"]
    assert said["", None] == "no code of a sheet could be read"


def test_a_sheet_of_another_course_is_refused(course, printing):
    paths = scanned(course.root / "sheets.pdf", printing, CHOSEN)
    for path in (course.root / ".coursegrader").rglob(f"{printing.id}.json"):
        path.unlink()
    read = read_scans(course, paths)
    assert not read.answers and len(read.unsure) == len(paths)


def test_a_sheet_says_how_to_fill_it_in_beside_its_codes_and_marks_where_a_line_goes_on(course):
    import pypdfium2

    name, long = "Maria del Carmen " * 6, "y = " + "x + " * 40 + "x"
    print_sheets(course, [sample_paper("jane", long)], {"jane": name}, course.root / "one.pdf")
    page = pypdfium2.PdfDocument(course.root / "one.pdf")[0]
    text, (width, height) = page.get_textpage(), page.get_size()
    boxes = [text.get_rect(number) for number in range(text.count_rects())]
    head = [box for box in boxes if box[3] > height - 28 * 72 / 25.4]
    code = (10 + 13) * 72 / 25.4
    assert len(head) >= 4 and all(code < box[0] and box[2] < width - code for box in head)
    said = text.get_text_range()
    assert "rounded to 2 decimals" in said and "or ask for a new sheet." in said and "…" in said


def test_a_sheet_leaves_out_what_a_docstring_says_and_keeps_the_numbers_of_the_lines(course):
    import pypdfium2

    paper = sample_paper("jane")
    long = paper.questions[0].code.replace(":\n", ':\n    """First line.\n\n    Much more.\n    """\n', 1)
    question = replace(paper.questions[0], code=long, marked=(7,))
    print_sheets(course, [replace(paper, questions=(question,))], {}, course.root / "one.pdf")
    said = pypdfium2.PdfDocument(course.root / "one.pdf")[0].get_textpage().get_text_range()
    assert "First line." in said and "Much more." not in said
    assert re.search(r"^\W*2\s+\"\"\"First line", said, re.M) and re.search(r"^\W*6\s+shifted", said, re.M)


def test_code_of_a_student_steers_nothing_on_the_sheet():
    text = "\n".join(lines_of("a\x1b[2J\u202e\u0301\tb\r" + "x" * 1000))
    assert "\x1b" not in text and "\u202e" not in text and "\\x1b" in text and "\\u202e" in text
    assert len(text) < 500


def test_typed_answers_are_taken_as_a_whole_or_not_at_all(course, tmp_path):
    papers = {name: sample_paper(name) for name in STUDENTS}
    table = tmp_path / "typed.csv"
    table.write_text("student;1;3;6\njane;b;line 2;0,5\nomar;none;;right\n", encoding="utf-8")
    assert read_typed(table, papers) == {
        "jane": [Answer(0, 1), Answer(2, 1), Answer(5, mark=0.5)],
        "omar": [Answer(0), Answer(5, mark=1.0)],
    }
    table.write_text("student,question,answer\njane,1,A\njane,9,A\nnobody,1,A\njane,2,Z\n", encoding="utf-8")
    with pytest.raises(UserError, match="nothing was taken") as error:
        read_typed(table, papers)
    assert all(text in str(error.value) for text in ("line 3", "nobody", "'Z'"))


def test_what_a_person_typed_stays_when_a_scan_is_read_again(course):
    paper = sample_paper("omar")
    with open_answers(course) as file:
        file.put(paper, [Answer(0, 1)], "typed")
        assert file.put(paper, [Answer(0, 2), Answer(1, 1)], SCAN, overwrite=True) == [(0, "typed")]
        assert {number: answer.choice for number, answer in file.of("omar")[0].items()} == {0: 1, 1: 1}
        with pytest.raises(UserError, match="another paper"):
            file.put(sample_paper("omar", "# anew"), [Answer(0, 1)], SCAN)


def scores(root):
    with open_course(root) as api, api.gradebook as gradebook:
        return {
            item.student.id: (item.score, item.needs_manual_grade)
            for item in gradebook.assignment_submissions(f"defence-{NAME}")
        }


def test_marks_reach_the_gradebook_and_a_persons_stay(course, printing):
    root = course.root
    said = command("coursegrader", "defend-print", NAME, cwd=root)
    assert (
        "2 sheets" in said and (root / "reports" / NAME / "defence" / "sheets.pdf").stat().st_mode & 0o77 == 0
    )
    paths = scanned(root / "sheets.pdf", printing, CHOSEN)
    said = command("coursegrader", "defend-read", NAME, *paths, cwd=root)
    assert "answers of 2 students taken" in said
    said = command("coursegrader", "defend-marks", NAME, cwd=root)
    assert "wait for a mark in formgrader: jane, omar" in said
    assert scores(root) == {"jane": (2, True), "omar": (2, True)}
    with open_course(root) as api, api.gradebook as gradebook:
        name = f"defence-{NAME}"
        grade = gradebook.find_grade("question-6", name, name, "jane")
        grade.manual_score, grade.needs_manual_grade = 0.75, False
        gradebook.db.commit()
    (root / "typed.csv").write_text("student,1\nomar,B\n", encoding="utf-8")
    command("coursegrader", "defend-read", NAME, root / "typed.csv", cwd=root)
    command("coursegrader", "defend-marks", NAME, cwd=root)
    assert scores(root) == {"jane": (2.75, False), "omar": (3, True)}
    page = root / "autograded" / "jane" / name / f"{name}.ipynb"
    text = "\n".join(cell.source for cell in nbformat.read(page, as_version=4).cells)
    assert "<script" not in text and "&lt;script&gt;" in text
    assert not any(reason in text for reason in sample_key().explanations if reason)


def test_the_report_shows_both_scores_and_what_was_hard_where_the_code_was_right(course):
    from allyouneed.check.judge import Verdict
    from coursegrader.defence.understanding import write_understanding
    from coursegrader.grading.verdicts import write_verdicts

    for student, points in (("jane", 4.0), ("omar", 1.0)):
        folder = course.root / "autograded" / student / NAME
        folder.mkdir(parents=True)
        write_verdicts(folder, [Verdict("softmax", points == 4, points, 4.0, "", "", "")])
        with open_answers(course) as file:
            paper = sample_paper(student, HOSTILE if student == "jane" else "")
            file.put(paper, [Answer(0, 1), Answer(1, 3)], "typed")
    text = write_understanding(course).read_text(encoding="utf-8")
    assert text.count("<svg") == 1 and "2 students; 0 with 90%" not in text
    assert "1 with 90% or more for the code and less than half" in text
    rows = text[text.index("Hard for those") :]
    assert rows.index("Trace") < rows.index("What if?") and "causal_mask" not in rows
    rows, _, shifts = rows.partition("How hard each kind")
    assert rows.count('<td class="number">1</td>') == 3 and '<td class="number">2</td>' not in rows
    assert "harder than assumed by" in shifts and shifts.index("trace") < shifts.index("what-if")


def test_marks_are_written_for_all_or_for_nobody(course, monkeypatch):
    from coursegrader.defence import marks

    with open_answers(course) as file:
        for student in STUDENTS:
            paper = sample_paper(student, HOSTILE if student == "jane" else "")
            file.put(paper, [Answer(0, 1)], "typed")
    enter, entered = marks._enter, []

    def fails_at_the_second(gradebook, name, item, *rest):
        if entered:
            raise OSError("the disk is full")
        entered.append(item)
        enter(gradebook, name, item, *rest)

    monkeypatch.setattr(marks, "_enter", fails_at_the_second)
    with pytest.raises(OSError):
        marks.write_marks(course)
    with open_course(course.root) as api, api.gradebook as gradebook:
        assert not gradebook.assignments
    monkeypatch.undo()
    marks.write_marks(course)
    assert scores(course.root) == {"jane": (1, True), "omar": (1, True)}
