"""An evening of marking: two markers, by keyboard alone, blind, and what goes wrong between them."""

import re
import sqlite3
from pathlib import Path

import pytest
from commands import BIN, run
from journeys.servers import picture, running
from marking.desk import CELL, NAME, course_with_answers, write_answer

from coursegrader.course.configuration import open_course

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("marking")]
SAME = "A zero key has score 0, and $e^0 = 1$: the pads take weight. A mask of $-\\infty$ takes it from them."
ANSWERS = {
    "ada": SAME,
    "bob": SAME.replace("takes", "can take"),
    "cy": '<script>document.title = "run"</script><img src="https://example.org/a.png">\n\nI *do not* know.',
    "di": None,
}


@pytest.fixture(scope="module")
def course(attention, tmp_path_factory):
    return course_with_answers(attention, tmp_path_factory.mktemp("marking"), ANSWERS)


@pytest.fixture(scope="module")
def address(course):
    """Of the page that the command serves, as it prints it."""
    log = course.root.parent / "mark.log"
    with running([BIN / "coursegrader", "mark", NAME, "--blind"], log, cwd=course.root):
        yield re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", log.read_text(encoding="utf-8"))[0]


@pytest.fixture
def two(browser, address):
    """Two markers' pages, with what they ask of other machines, and the errors of their scripts."""
    with browser.new_context(viewport={"width": 1400, "height": 900}) as context:
        pages = [context.new_page(), context.new_page()]
        origin = address.partition("?")[0]
        for page in pages:
            page.elsewhere, page.faults = [], []
            page.on("request", lambda request, page=page: page.elsewhere.append(request.url))
            page.on("pageerror", lambda error, page=page: page.faults.append(str(error)))
            page.goto(address)
            page.wait_for_function("() => document.activeElement.id === 'points'")
        yield pages
        for page in pages:
            assert page.faults == []
            assert [url for url in page.elsewhere if not url.startswith((origin, "data:"))] == []


def marks(course):
    with open_course(course.root) as api, api.gradebook as book:
        found = {}
        for student in ANSWERS:
            grade, comment = (
                find(CELL, NAME, NAME, student) for find in (book.find_grade, book.find_comment)
            )
            found[student] = grade.manual_score, comment.manual_comment
        return found


def said(page, text):
    page.wait_for_function("text => document.getElementById('said').textContent.includes(text)", arg=text)


def open_answer(page, text):
    """Go through the answers by keyboard until the one with this text is shown; return whose it is."""
    for _ in ANSWERS:
        if text in page.locator("#answer").inner_text():
            return page.locator("#who").inner_text()
        before = page.locator("#who").inner_text()
        page.keyboard.press("Control+.")
        page.wait_for_function("who => document.getElementById('who').textContent !== who", arg=before)
    raise AssertionError(f"nobody wrote {text}")


def test_all_is_marked_by_keyboard_and_no_name_is_shown(course, two):
    page = two[0]
    assert "3" in page.locator("#progress").inner_text().split()  # di left the cell as it was
    assert "1 point" in page.locator("#scheme").inner_text()
    everything = page.content()
    assert not any(name in everything for name in ("ada", "Ada", "Doe"))
    who = open_answer(page, "takes it from")
    assert re.fullmatch(r"no\. \d{4}", who) and page.locator("#answer math").count() == 2
    page.keyboard.type("3,5")
    page.keyboard.press("Tab")
    page.keyboard.type("Say **why**.")
    page.keyboard.press("Control+Enter")
    said_of = page.locator("#said")
    page.wait_for_function("who => document.getElementById('who').textContent !== who", arg=who)
    assert who in said_of.inner_text() and marks(course)["ada"] == (3.5, "Say **why**.")
    open_answer(page, "can take it from")
    assert "has 3.5 points" in page.locator("#hint").inner_text() and marks(course)["bob"] == (None, None)
    page.keyboard.press("=")
    said(page, "not saved yet")
    assert marks(course)["bob"] == (None, None)
    picture(page, "marking")
    page.keyboard.press("Enter")
    page.locator("#answer", has_text="do not know").wait_for()  # the one that is left
    assert marks(course)["bob"] == (3.5, "Say **why**.")
    assert page.title() == f"{NAME}: {CELL}" and page.locator("#answer em").inner_text() == "do not"
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    said(page, "All answers are marked")
    assert marks(course)["cy"][0] == 0 and page.locator("#progress").inner_text() == "3 of 3 marked"


def test_two_markers_lose_nothing(course, two):
    for page in two:
        open_answer(page, "do not know")
    two[0].locator("#points").fill("1")
    two[0].keyboard.press("Enter")
    said(two[0], "All answers are marked")
    two[1].locator("#points").fill("2")
    two[1].keyboard.press("Enter")
    said(two[1], "somebody has changed this meanwhile. It now has 1 points")
    assert marks(course)["cy"][0] == 1 and two[1].locator("#points").input_value() == "2"
    two[1].keyboard.press("Control+.")  # to go on is no agreement
    two[1].locator("#list button").first.click()
    said(two[1], "somebody has changed this")
    assert marks(course)["cy"][0] == 1
    two[1].locator("#points").focus()
    two[1].keyboard.press("Enter")
    said(two[1], "All answers are marked")
    assert marks(course)["cy"][0] == 2


def test_what_cannot_be_saved_is_said_and_stays_on_the_page(course, two):
    page = two[0]
    open_answer(page, "do not know")
    page.locator("#points").fill("7")
    page.keyboard.press("Enter")
    said(page, "Not saved: 7 is no number from 0 to 5")
    page.locator("#points").fill("3")
    holder = sqlite3.connect(course.root / "gradebook.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    page.keyboard.press("Enter")
    said(page, "Another program holds the gradebook")
    holder.execute("ROLLBACK")
    holder.close()
    page.keyboard.press("Enter")
    said(page, "All answers are marked")
    assert marks(course)["cy"][0] == 3
    write_answer(course, "cy", "I *do not* know, but handed in again.")
    page.locator("#points").fill("4")
    page.keyboard.press("Enter")
    said(page, "The answer itself is a new one")
    assert "handed in again" in page.locator("#answer").inner_text() and marks(course)["cy"][0] == 3


def test_nobody_comes_in_without_the_token_or_by_another_name(browser, address):
    with browser.new_context() as context:
        for place, headers in (
            (address.replace("token=", "token=x"), {}),
            (address.partition("?")[0] + "list", {}),
            (address, {"Host": "evil.example"}),
        ):
            answer = context.request.get(place, headers=headers)
            assert answer.status == 403 and "no." not in answer.text()
        policy = context.request.get(address).headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy


def test_a_course_without_answers_is_told_what_to_do(attention, tmp_path):
    course = course_with_answers(attention, tmp_path, {})
    done = run("coursegrader", "mark", NAME, cwd=course.root)
    assert done.returncode == 2 and done.stderr.startswith(f"coursegrader: Nothing of {NAME} has been graded")
    done = run("coursegrader", "mark", NAME, "--question", "other", cwd=Path(course.root))
    assert f"no question 'other'. It has: {CELL}." in done.stderr
