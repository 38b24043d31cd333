"""A term on a JupyterHub: an instructor and three students with accounts of their own, and what keeps them
from each other's work."""

import re

import nbformat
import pytest
from grading.classroom import UNTOUCHED, Student, make_class, write_submission
from journeys import hubroom
from journeys.hubroom import HUB, PASSWORD, HubRoom, share_kept
from journeys.servers import WAIT, choose, nbgrader_menu, open_own_lab, picture

reason = hubroom.why_not()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.xdist_group("journeys"),
    pytest.mark.skipif(
        reason is not None, reason=(f"{reason}; the page on the hub says what was run elsewhere")
    ),
]
NAME = "03-attention"


@pytest.fixture(scope="module")
def room():
    room = HubRoom(["ines"], ["amir", "bela", "chen"])
    try:
        room.open()
        yield room
    finally:
        room.close()


@pytest.fixture(scope="module")
def hub(room):
    return room.start()


@pytest.fixture(scope="module")
def course(room, root, attention):
    """The instructor makes the course in their own account, and releases a problem set."""
    ines, students = room.staff[0], room.students
    roster = "id,first_name\\n" + "".join(f"{name},{name.title()}\\n" for name in students)
    room.run_as(
        ines,
        (
            f"printf '{roster}' > roster.csv && coursegrader --root {root} init spring "
            f"--problem-set {NAME} --roster roster.csv --exchange $EXCHANGE"
        ),
    )
    share_kept(attention, room.place / ines / "spring")
    room.run_as(ines, f"cd spring && coursegrader release {NAME} && nbgrader release_assignment {NAME}")
    return room.place / ines / "spring"


def sign_in(browser, hub, name, password=PASSWORD):
    """A page of this user's own, after the hub's form."""
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.set_default_timeout(WAIT)
    page.goto(f"{hub.url}hub/login")
    page.locator("input[name=username]").fill(name)
    page.locator("input[name=password]").fill(password)
    page.locator("input[type=submit], button[type=submit]").first.click()
    return page


def solve(room, name, answers, extra=()):
    """Write this student's answers into the notebook that they have fetched, as themselves."""
    folder = room.place / name / NAME
    made = room.place / f"{name}.ipynb"
    write_submission(folder / f"{NAME}.ipynb", Student(name, answers, list(extra)), made)
    notebook = nbformat.read(made, as_version=4)
    next(cell for cell in notebook.cells if cell.id == "written-question").source = f"What {name} wrote"
    nbformat.write(notebook, made)
    made.chmod(0o644)
    room.run_as(name, f"cat {made} > {NAME}/{NAME}.ipynb")
    made.unlink()


@pytest.fixture(scope="module")
def answers(attention):
    right, partly = make_class(attention)[0].answers, {name: UNTOUCHED for name in attention.exercises}
    partly["softmax"] = attention.exercises["softmax"].wrong_versions[0]
    return {"right": right, "partly": partly}


def test_a_student_fetches_and_submits_in_the_browser(room, hub, course, browser, answers):
    amir = room.students[0]
    page = sign_in(browser, hub, amir)
    open_own_lab(page, hub, amir)
    offered = nbgrader_menu(page)
    assert "Assignment List" in offered and not {"Formgrader", "Course List", "Create Assignment"} & set(
        offered
    ), offered
    choose(page, "Assignment List")
    released = page.locator("#released_assignments_list")
    released.get_by_text(NAME).wait_for()
    picture(page, "hub-assignment-list")
    released.get_by_role("button", name="Fetch").click()
    page.locator("#fetched_assignments_list").get_by_role("button", name="Submit").wait_for()
    solve(room, amir, answers["right"])
    page.locator("#fetched_assignments_list").get_by_role("button", name="Submit").click()
    page.locator("#submitted_assignments_list").get_by_text(NAME).first.wait_for()
    picture(page, "hub-submitted")
    # neither formgrader nor another user's server is there for a student
    assert page.goto(f"{hub.url}user/{amir}/formgrader").status == 404
    assert page.request.get(f"{hub.url}user/{room.staff[0]}/api/contents").status in (403, 404, 424, 503)
    page.context.close()


def test_only_members_with_their_password_come_in(room, hub, browser):
    for name, password in ((room.students[0], "guessed"), ("root", PASSWORD)):
        page = sign_in(browser, hub, name, password)
        page.get_by_text("Invalid username or password").or_(page.get_by_text("not allowed")).first.wait_for()
        page.context.close()


def test_the_others_submit_in_a_terminal(room, course, answers):
    for name, kind in ((room.students[1], "partly"), (room.students[2], "right")):
        room.run_as(name, f"nbgrader fetch_assignment {NAME}")
        extra = [
            (
                f"import os\nseen = [p for p in ('{course}', '{room.place}/{room.students[0]}', "
                f"'{room.exchange}') if os.path.exists(p)]\nprint('LEAK' if seen else 'kept out', seen)"
            )
        ]
        solve(room, name, answers[kind], extra if kind == "right" else ())
        room.run_as(name, f"nbgrader submit {NAME}")
    owners = sorted(path.owner() for path in (room.exchange / "spring" / "inbound").iterdir())
    assert owners == sorted(room.students)


def test_students_are_kept_from_each_others_work_and_from_the_instructors(room, course, root):
    """Each of these is tried as a student, and has to fail; the same as its owner, and has to work."""
    amir, bela = room.students[:2]
    ines, inbound = room.staff[0], room.exchange / "spring" / "inbound"
    # even for who knows its name
    handed_in = next(inbound.glob(f"{amir}+*"))
    file = f"'{handed_in}/{NAME}.ipynb'"
    closed = [
        f"ls {inbound}",
        f"ls '{handed_in}'",
        f"cat {file}",
        f"cp -r '{handed_in}' stolen",
        f"touch '{handed_in}/more'",
        f"rm -r {file}",
        f"echo mine >> {file}",
        f"ls {room.place}/{amir}",
        f"cat {room.place}/{amir}/{NAME}/{NAME}.ipynb",
        f"ls {room.place}/{amir}/.local/share/jupyter",
        f"ls {course}",
        f"cat {course}/gradebook.db",
        (f"cat {course}/solutions/{NAME}/rubric/softmax.py"),
        f"ls {root}/solutions",
        f"cat {root}/solutions/{NAME}/{NAME}.ipynb",
        f"ls {root}/.git",
        f"ls {room.place}/srv/hub",
        f"cat {room.place}/srv/hub/cookie_secret",
        f"touch {room.exchange}/spring/outbound/{NAME}/{NAME}.ipynb",
        f"rm -rf {room.exchange}/spring/outbound",
        f"mv {room.exchange}/spring {room.exchange}/mine",
    ]
    said = {
        line: room.run_as(bela, f"{line} >/dev/null 2>&1; echo $?", expect=None).strip() for line in closed
    }
    assert not [line for line, code in said.items() if code == "0"], said
    assert not list((room.place / bela / "stolen").rglob("*.ipynb"))
    room.run_as(amir, f"cat {file} >/dev/null && ls {room.place}/{amir} >/dev/null")
    room.run_as(
        ines,
        (
            f"ls {inbound} >/dev/null && cat {file} {course}/gradebook.db "
            f"{root}/solutions/{NAME}/rubric/softmax.py >/dev/null"
        ),
    )


def test_a_submission_in_anothers_name_and_links_are_not_taken(room, course):
    """Stock nbgrader takes the first with a warning, and follows the second into the instructor's files."""
    bela, chen, ines = *room.students[1:], room.staff[0]
    inbound = room.exchange / "spring" / "inbound"
    mine = next(inbound.glob(f"{chen}+*"))
    room.run_as(
        chen,
        (
            f"mkdir '{inbound}/{chen}+{NAME}+yesterday+x' && cp -r '{mine}' "
            f"'{inbound}/{bela}+{NAME}+2039-01-01 00:00:00.000000 UTC+x' && ln -s "
            f"{course}/gradebook.db '{mine}/notes.txt' && ln -s {course}/solutions '{mine}/data'"
        ),
    )
    said = room.run_as(ines, f"cd spring && nbgrader collect {NAME}")
    assert "yesterday+x: its name is not one that nbgrader gives" in said
    assert f"{chen}: not copied, since they are links or closed: " in said and "Traceback" not in said
    submitted = course / "submitted"
    assert f"What {bela} wrote" in (submitted / bela / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert sorted(path.name for path in (submitted / chen / NAME).iterdir()) == [
        f"{NAME}.check.json",
        f"{NAME}.ipynb",
        "submission_secret.txt",
        "timestamp.txt",
    ]


def test_the_instructor_grades_in_their_own_account(room, course):
    amir, bela, chen = room.students
    said = room.run_as(
        room.staff[0],
        (
            f"cd spring && coursegrader grade {NAME} --workers 1 && "
            f"coursegrader report {NAME} && nbgrader generate_feedback {NAME} "
            f"&& nbgrader release_feedback {NAME}"
        ),
    )
    for name, score in ((amir, 34), (bela, 3), (chen, 34)):
        assert re.search(rf"{name} +{score} of 39", said), said
    shown = (course / "autograded" / chen / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert "kept out [" in shown and "LEAK [" not in shown
    assert "WITHOUT" not in said


def test_the_instructor_sees_the_class_in_formgrader(room, hub, course, browser):
    ines = room.staff[0]
    page = sign_in(browser, hub, ines)
    open_own_lab(page, hub, ines)
    assert "Formgrader" in nbgrader_menu(page)
    page.keyboard.press("Escape")
    page.goto(f"{hub.url}user/{ines}/formgrader/manage_submissions/{NAME}")
    page.wait_for_function("() => typeof models !== 'undefined' && models && models.loaded")
    rows = {
        row.locator("td.student-id").inner_text(): row.locator("td.score").inner_text()
        for row in page.locator("#main-table tr").all()
    }
    assert rows == {room.students[0]: "34 / 39", room.students[1]: "3 / 39", room.students[2]: "34 / 39"}
    picture(page, "hub-formgrader")
    page.context.close()


def test_feedback_reaches_its_student_alone(room, course):
    amir, bela = room.students[:2]
    room.run_as(amir, f"nbgrader fetch_feedback {NAME}")
    pages = list((room.place / amir / NAME / "feedback").rglob("*.html"))
    assert len(pages) == 1 and f"What {amir} wrote" in pages[0].read_text(encoding="utf-8")
    feedback = room.exchange / "spring" / "feedback"
    assert (
        room.run_as(bela, f"ls {feedback} 2>/dev/null; echo $?", expect=None).strip().splitlines()[-1] != "0"
    )
    room.run_as(bela, f"nbgrader fetch_feedback {NAME}")
    assert f"What {amir} wrote" not in "".join(
        path.read_text(encoding="utf-8") for path in (room.place / bela / NAME / "feedback").rglob("*.html")
    )


def test_an_exchange_that_is_not_writable_sends_the_student_to_the_instructor(room, course):
    room.exchange.chmod(0o755)
    try:
        assert "Unwritable directory, please contact your instructor" in room.run_as(
            room.students[0], f"nbgrader submit {NAME}", expect=1
        )
    finally:
        room.exchange.chmod(0o1777)


def test_the_configuration_is_the_one_on_the_page(root):
    page = (root / "book" / "instructors" / "hub.md").read_text(encoding="utf-8")
    for path in HUB.rglob("*"):
        if path.suffix in (".py", ".sh"):
            assert f"literalinclude}} hub/{path.relative_to(HUB)}" in page, path
