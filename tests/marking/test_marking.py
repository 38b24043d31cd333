"""Marks are saved over what their giver saw, through nbgrader's gradebook; like answers stand together."""

import json
import shutil
import sqlite3
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from marking.desk import CELL, MOST, NAME, course_with_answers, write_answer

from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.marking.answers import Answers, Changed, Refused, questions_of
from coursegrader.marking.likeness import MOST_PIECES, _pieces, grouped, likeness
from coursegrader.marking.people import names_of, numbers_of
from coursegrader.marking.server import Desk, _hosts, _Mark
from coursegrader.reporting.markdown import markdown_piece
from coursegrader.safe_html import MAX_MARKDOWN

ANSWERS = {"ada": "The pads take weight.", "bob": "Pads get weight.", "cy": "No idea.", "di": None}


@pytest.fixture(scope="module")
def course_once(attention, tmp_path_factory):
    return course_with_answers(attention, tmp_path_factory.mktemp("desk"), ANSWERS)


@pytest.fixture
def course(course_once, tmp_path):
    shutil.copytree(course_once.root, tmp_path / "course")
    return ProblemSet(tmp_path / "course", NAME)


@pytest.fixture
def answers(course):
    return Answers(course, questions_of(course)[0])


def in_formgrader(course, student):
    """What formgrader's own interface gives of a mark."""
    with open_course(course.root) as api, api.gradebook as book:
        grade = book.find_grade(CELL, NAME, NAME, student).to_dict()
        comment = book.find_comment(CELL, NAME, NAME, student).to_dict()
        return grade["manual_score"], comment["manual_comment"], grade["needs_manual_grade"]


def test_a_question_comes_with_its_mark_scheme_and_a_full_answer(attention):
    (question,) = questions_of(attention)
    assert (question.cell, question.points) == (CELL, MOST)
    assert question.scheme.startswith("- 1 point") and "MARK SCHEME" not in question.scheme + question.full
    assert "padding" in question.asked and "3.33" in question.full


def test_a_mark_is_where_formgrader_looks_and_can_be_taken_back(course, answers):
    assert answers.students() == ["ada", "bob", "cy"]  # di left the cell as it was
    mark = answers.save("ada", " 3,5 ", "See **scaling**.", answers.mark("ada").as_dict())
    assert in_formgrader(course, "ada") == (3.5, "See **scaling**.", False)
    assert answers.points() == {"ada": 3.5, "bob": None, "cy": None, "di": None}
    answers.save("ada", "", "", mark.as_dict())
    assert in_formgrader(course, "ada") == (None, None, True)


@pytest.mark.parametrize("points", ["5.5", "-1", "nan", "four", "1e9"])
def test_a_mark_that_cannot_be_is_refused_in_a_line(course, answers, points):
    with pytest.raises(Refused, match=f"^Not saved: {points} is no number from 0 to 5") as refused:
        answers.save("ada", points, "", answers.mark("ada").as_dict())
    assert "\n" not in str(refused.value) and in_formgrader(course, "ada") == (None, None, True)


def test_what_another_has_changed_meanwhile_is_not_overwritten(course, answers):
    seen = answers.mark("ada").as_dict()
    Answers(course, answers.question).save("ada", "4", "Good.", seen)
    for points, comment in (("2", ""), ("", "Mine.")):
        with pytest.raises(Changed):
            answers.save("ada", points, comment, seen)
    assert in_formgrader(course, "ada") == (4, "Good.", False)
    assert answers.save("ada", "2", "Mine.", answers.mark("ada").as_dict()).points == 2


def test_a_mark_is_not_given_to_an_answer_that_nobody_has_read(course, answers):
    seen = answers.mark("ada").as_dict()
    write_answer(course, "ada", "Another answer, handed in again.")
    with pytest.raises(Changed):
        answers.save("ada", "5", "", seen)
    assert in_formgrader(course, "ada") == (None, None, True)


def test_who_has_no_answer_cell_is_marked_with_the_others(course, answers):
    path = course.root / "autograded" / "bob" / NAME / f"{NAME}.ipynb"
    nbformat.write(nbformat.v4.new_notebook(), path)
    assert answers.students() == ["ada", "bob", "cy"] and answers.text("bob") == ""
    desk = Desk(course, answers.question, {"bob": "Bob"}, None)
    seen = desk.answer(0)
    assert "No answer" in seen["html"]
    desk.save(0, "0", "", seen["mark"])
    assert in_formgrader(course, "bob") == (0, None, False)


def test_a_pasted_picture_is_on_the_desk(course, answers):
    path = course.root / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].source += " ![drawn](attachment:a.png)"
    notebook.cells[0].attachments = {"a.png": {"image/png": "aGk="}}
    nbformat.write(notebook, path)
    seen = Desk(course, answers.question, {"ada": "Ada"}, None).answer(0)
    assert '<img alt="drawn" src="data:image/png;base64,aGk=">' in seen["html"]
    notebook.cells[0].attachments = {"a.png": {"image/png": "aG8="}}
    nbformat.write(notebook, path)
    with pytest.raises(Changed):
        answers.save("ada", "5", "", seen["mark"])


def test_nothing_to_mark_is_said_in_a_line(attention, course, answers):
    shutil.rmtree(course.root / "autograded")
    (course.root / "gradebook.db").unlink()
    with pytest.raises(UserError, match=f"^Nothing of {NAME} has been graded yet. Run: coursegrader grade"):
        answers.students()


def test_a_number_stays_with_a_student_and_moodles_own_is_used(course):
    first = numbers_of(course, ["ada", "bob"])
    record = course.root / ".coursegrader" / "collected" / f"{NAME}.json"
    record.parent.mkdir(exist_ok=True)
    came = {"digest": "", "late": False, "from": ["Participant 4720_99_assignsubmission_file/a.ipynb"]}
    record.write_text(json.dumps({"cy": came}), encoding="utf-8")
    later = numbers_of(ProblemSet(course.root, NAME), ["zoe", "cy", "bob", "ada"])
    assert {who: later[who] for who in first} == first and later["cy"] == "Participant 4720"
    assert len(set(later.values())) == 4 and not any("ada" in text for text in later.values())
    assert names_of(course, ["ada"]) == {"ada": "Ada Doe (ada)"}


def test_a_suggestion_is_the_mark_of_the_nearest_and_becomes_none_by_itself(course):
    vectors = np.array([[1, 0], [0.98, 0.199], [0, 1]], dtype=float)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    desk = Desk(course, questions_of(course)[0], dict.fromkeys(("ada", "bob", "cy"), "x"), grouped(vectors))
    assert [desk.answer(key)["suggestion"] for key in range(3)] == [None] * 3
    desk.save(0, "3", "Why?", desk.answer(0)["mark"])
    hint = desk.answer(1)["suggestion"]
    assert (hint["points"], hint["comment"], hint["cosine"]) == (3, "Why?", 0.98)
    assert desk.answer(2)["suggestion"] is None and in_formgrader(course, "bob") == (None, None, True)


def test_groups_are_of_like_answers_and_stand_together():
    middle = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    vectors = np.array([middle[i % 3] + 0.01 * i * middle[(i + 1) % 3] for i in range(9)])
    found = grouped(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    assert len({found.groups[i] for i in range(9)}) == 3
    assert all(found.groups[i] == found.groups[i % 3] for i in range(9))
    assert [found.groups[i] for i in found.order] == [1] * 3 + [2] * 3 + [3] * 3
    assert grouped(np.ones((1, 4)) / 2).order == [0]


@pytest.mark.slow
def test_the_encoder_puts_answers_of_one_meaning_together():
    same = [
        "The zero keys get score 0, and exp(0) is 1, so padding takes part of the attention.",
        "A padded key has a score of zero; its exponential is one: padding receives attention weight.",
    ]
    other = ["I think the model learns from many books, and more data is always better."]
    found = likeness([*same, *other, "A long text. " * 400])
    assert found.groups[0] == found.groups[1] != found.groups[2]


@pytest.mark.parametrize("part", ["a.\n\n", "a. "], ids=["paragraphs", "sentences"])
def test_a_flood_is_no_more_work_for_the_encoder_than_a_long_answer(part):
    pieces = _pieces(part * 200_000)
    assert len(pieces) <= MOST_PIECES and sum(map(len, pieces)) <= MAX_MARKDOWN


def test_a_page_that_asks_for_something_odd_is_told_so():
    for body in ("[" * 50_000, "3", "{}"):
        with pytest.raises(Refused, match="Load it again"):
            _Mark.post(SimpleNamespace(request=SimpleNamespace(body=body)))


def test_a_browser_leaves_out_the_usual_port():
    assert _hosts(8000) == {"127.0.0.1:8000", "localhost:8000"}
    assert _hosts(80) == {"127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"}


def test_an_answer_cannot_touch_the_page_around_it():
    text = markdown_piece(
        '# A\n<script>x()</script><div id="points" name="points" style="position:fixed">A</div>\n\n$e^0$\n'
        '<img src="https://example.org/a.png" onerror="x()">[a](javascript:x())'
    )
    assert "<math" in text and "points" not in text
    assert not any(word in text for word in ("script", "style", "onerror", "example.org"))


def test_a_gradebook_that_another_program_holds_loses_nothing(course, answers):
    seen = answers.mark("ada").as_dict()
    holder = sqlite3.connect(course.root / "gradebook.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(Exception, match="database is locked"):
            answers.save("ada", "4", "", seen)
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert answers.save("ada", "4", "", seen).points == 4
