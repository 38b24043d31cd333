"""The browser room with two students, a reload, and a server that is killed and started again."""

import json
import time
import urllib.request

import pytest
from book.visits import violations
from defence.rooms import codes, enter, opened, serving
from defence.samples import HOSTILE, sample_key, sample_paper
from journeys.servers import free_port

from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.answers import Answer, open_answers
from coursegrader.defence.paper import write_paper
from coursegrader.defence.sittings import Sittings

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("defence-room")]
NAME = "03-attention"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("room")
    (root / "solutions" / NAME).mkdir(parents=True)
    with open_course(root) as api, api.gradebook as gradebook:
        for student in ("jane", "omar"):
            gradebook.add_student(student)
    problem_set = ProblemSet(root, NAME)
    write_paper(problem_set, sample_paper("jane", HOSTILE), sample_key())
    write_paper(problem_set, sample_paper("omar", "# omar's own"), sample_key())
    return problem_set


def kept(course, student):
    with open_answers(course) as file:
        return {number: answer.words or answer.choice for number, answer in file.of(student)[0].items()}


def test_two_students_a_reload_and_a_killed_server_lose_nothing(course, browser):
    port = free_port()
    url, asked = f"http://127.0.0.1:{port}/", []
    with browser.new_context() as one, browser.new_context() as two:
        jane, omar = one.new_page(), two.new_page()
        for page in (jane, omar):
            page.on("request", lambda request: asked.append(request.url))
        with serving(course, port, "--more-time", "omar=20"):
            own = codes(course)
            enter(jane, url, own["jane"])
            enter(omar, url, own["omar"])
            assert "10:00" in jane.locator("#time").inner_text() or "9:" in jane.locator("#time").inner_text()
            assert omar.locator("#time").inner_text().startswith(("20:00", "19:"))
            assert "omar" not in jane.content() and "alert(1)" not in omar.content()
            assert jane.locator("main script, main img").count() == 0
            assert HOSTILE[:33] in jane.locator(".code").first.inner_text()
            assert not any(reason and reason in jane.content() for reason in sample_key().explanations)
            assert not violations(jane)
            jane.locator("input[name=q0]").first.focus()
            jane.keyboard.press("ArrowDown")
            jane.get_by_text("Answer 1 is kept.").wait_for()
            omar.locator("textarea").fill("So that exp() stays finite.")
            omar.get_by_text("Answer 6 is kept.").wait_for()
            jane.reload()
            assert jane.locator("input[name=q0]:checked").get_attribute("value") == "1"
        jane.locator("input[name=q1]").nth(2).check()
        jane.get_by_text("Not kept yet").wait_for()
        with serving(course, port, "--more-time", "omar=20"):
            jane.get_by_text("Answer 2 is kept.").wait_for()
            assert kept(course, "jane") == {0: 1, 1: 2}
            assert kept(course, "omar") == {5: "So that exp() stays finite."}
            omar.reload()
            assert omar.locator("textarea").input_value() == "So that exp() stays finite."
            jane.get_by_role("button", name="Hand in").click()
            jane.get_by_role("heading", name="Handed in").wait_for()
            assert "2 of 6 answers are kept" in jane.content()
            body = json.dumps({"question": 0, "choice": 0})
            late = jane.request.post(f"{url}answer", data=body)
            assert late.status == 410 and kept(course, "jane")[0] == 1
            assert (
                omar.request.post(f"{url}answer", data=json.dumps({"question": 0, "choice": 9})).status == 400
            )
            strange = {"Origin": "http://evil.example"}
            assert omar.request.post(f"{url}answer", data=body, headers=strange).status == 403
            used = urllib.request.Request(f"{url}enter", f"code={own['jane']}".encode())
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(used)
    assert all(address.startswith(url) for address in asked)


def test_time_that_the_server_was_away_is_given_back_and_the_end_holds(course, monkeypatch, tmp_path):
    with open_answers(ProblemSet(tmp_path, NAME)) as file:
        sittings, now = Sittings(file), time.time()
        monkeypatch.setattr(time, "time", lambda: now)
        code = sittings.admit(["jane"], 10, {})["jane"]
        session = sittings.enter(code)
        assert sittings.enter(code) is None
        sittings.begin("jane")
        sittings.alive()
        monkeypatch.setattr(time, "time", lambda: now + 300)
        sittings.alive(just_started=True)
        assert sittings.find(session).left == pytest.approx(600, abs=2)
        monkeypatch.setattr(time, "time", lambda: now + 911)
        assert sittings.find(session).ended
        sittings.renew("jane")
        assert sittings.codes()["jane"] not in ("", code)
        assert sittings.find(session) is None


@pytest.fixture
def page(browser):
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture
def kim(tmp_path):
    """A room that kim alone may enter."""
    problem_set = ProblemSet(tmp_path, NAME)
    with opened(problem_set, {"kim": sample_paper("kim")}) as (port, own):
        yield problem_set, f"http://127.0.0.1:{port}/", own["kim"]


def test_without_its_script_the_page_lets_nobody_answer_or_hand_in(kim, page):
    _, url, code = kim
    page.route("**/room.js", lambda route: route.abort())
    page.goto(url)
    page.get_by_label("Your code").fill(code)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("Loading; if this stays, load the page again.").wait_for()
    assert page.get_by_role("button", name="Hand in").is_disabled()
    assert page.locator("input:enabled, textarea:enabled").count() == 0


def test_a_clock_that_is_set_hands_nothing_in_and_the_server_says_when_time_is_over(kim, page):
    course, url, code = kim
    page.clock.install()
    enter(page, url, code)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 660000 }")
    page.clock.run_for(1500)
    assert page.locator("#time").inner_text().startswith(("9:", "10:"))
    with page.expect_response("**/left"):  # by this page's own time it is over, by the server's it is not
        page.clock.fast_forward(600_000)
    page.get_by_text("9:").wait_for()
    assert page.get_by_role("button", name="Hand in").is_enabled()


def test_an_answer_is_sent_where_the_browser_keeps_nothing(kim, page):
    course, url, code = kim
    page.add_init_script("""for (const name of ["getItem", "setItem", "removeItem"])
        Storage.prototype[name] = () => { throw new DOMException("full", "QuotaExceededError") }""")
    enter(page, url, code)
    page.locator("input[name=q0]").nth(2).check()
    page.get_by_text("Answer 1 is kept.").wait_for()
    assert kept(course, "kim") == {0: 2}


def test_a_paper_that_was_made_anew_says_so_and_asks_no_further(kim, page):
    course, url, code = kim
    enter(page, url, code)
    with open_answers(course) as file:
        file.put(sample_paper("kim", "# another"), [Answer(0, 1)], "scan")
    page.locator("input[name=q0]").nth(2).check()
    page.get_by_text("not yours any more").wait_for()
    assert page.locator("input:enabled, #end button:enabled").count() == 0
