"""The hub entered from a learning management system by LTI 1.3: who comes in, as whom, and who does not."""

import grp
import json
import time
from urllib.parse import parse_qsl, urlsplit

import pytest
import requests
from journeys import hubroom
from journeys.hubroom import HubRoom
from journeys.servers import open_own_lab, picture

reason = hubroom.why_not()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("journeys"),  # two rooms at once would wait for the lock on accounts
    pytest.mark.skipif(
        reason is not None, reason=f"{reason}; the page on the hub says what was run elsewhere"
    ),
]
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"


@pytest.fixture(scope="module")
def room():
    room = HubRoom(["ines"], ["amir", "bela"])
    try:
        room.open()
        yield room
    finally:
        room.close()


@pytest.fixture(scope="module")
def platform():
    from journeys.lms import Platform

    platform = Platform()
    yield platform
    platform.close()


@pytest.fixture(scope="module")
def hub(room, platform):
    hub = room.start("lti_config.py", **platform.variables)
    platform.hub = hub.url
    return hub


class Visitor:
    """Somebody's browser, as far as a launch needs one."""

    def __init__(self, platform):
        self.platform, self.session = platform, requests.Session()

    def ask(self, method: str, address: str, **options) -> requests.Response:
        """As browsers do, and requests does not, take this machine for safe, and send it all cookies."""
        cookies = self.session.cookies.get_dict()
        return self.session.request(
            method, address, cookies=cookies, allow_redirects=False, timeout=60, **options
        )

    def click(self, user: str) -> dict[str, str]:
        """Follow the link in the course; return what the hub then asks the platform."""
        self.begun = self.ask("GET", self.platform.link(user))
        address = self.begun.headers["Location"]
        assert address.startswith(f"{self.platform.url}/authorize?"), address
        return dict(parse_qsl(urlsplit(address).query))

    def post(self, fields: dict[str, str]) -> requests.Response:
        return self.ask("POST", f"{self.platform.hub}hub/lti13/oauth_callback", data=fields)

    def launch(self, user: str, **changes) -> requests.Response:
        return self.post(self.platform.answer(self.click(user), **changes))

    def is_in(self) -> bool:
        home = self.ask("GET", f"{self.platform.hub}hub/home")
        assert home.status_code == 200 or "hub/login" in home.headers["Location"]
        return home.status_code == 200


@pytest.fixture
def visitor(hub, platform):
    return Visitor(platform)


@pytest.mark.browser
def test_a_click_in_the_course_opens_the_students_own_lab(room, hub, platform, page):
    amir = room.students[0]
    page.goto(f"{platform.url}/course?user={amir}")
    page.get_by_text("Notebooks").click()
    open_own_lab(page, hub, amir)
    picture(page, "lti-lab")
    assert page.goto(f"{hub.url}user/{amir}/formgrader").status == 404
    assert page.request.get(f"{hub.url}user/{room.staff[0]}/api/contents").status in (403, 404, 424, 503)


def test_the_cookies_of_a_launch_may_come_back_from_another_site(visitor, room):
    visitor.click(room.students[0])
    cookies = visitor.begun.raw.headers.getlist("Set-Cookie")
    assert sum(cookie.startswith("lti13authenticator-") for cookie in cookies) == 2, cookies
    for cookie in cookies:
        assert {"SameSite=None", "Secure", "HttpOnly"} <= set(cookie.split("; ")), cookie


def test_without_the_lms_the_way_in_is_said(hub):
    said = requests.get(f"{hub.url}hub/lti13/oauth_login", timeout=60)
    assert said.status_code == 403 and "The way into this hub is the link in your LMS." in said.text


def test_the_role_in_the_course_decides_who_is_an_instructor(room, platform, hub):
    bela, staff = room.students[1], room.groups["STAFF"]
    for roles, instructor in (
        (("Learner",), False),
        (("Instructor",), True),
        (("Instructor", "Instructor#TeachingAssistant"), True),
        (("Learner",), False),
    ):
        visitor = Visitor(platform)
        said = visitor.launch(bela, roles=roles)
        assert said.status_code == 302 and visitor.is_in(), said.text
        assert (bela in grp.getgrnam(staff).gr_mem) == instructor


def other_key(room):
    from journeys.lms import new_key

    return {"key": new_key()}


def earlier(seconds):
    return int(time.time()) - seconds


REFUSED = {
    "another's signature": (other_key, "Signature verification failed"),
    "no signature": (lambda room: {"key": ""}, "alg"),
    "for another tool": (lambda room: {"aud": "10000000000043"}, "Audience doesn"),
    "from another platform": (lambda room: {"iss": "http://localhost:1"}, "Invalid issuer"),
    "expired": (lambda room: {"exp": earlier(5)}, "Signature has expired"),
    "issued long ago": (lambda room: {"iat": earlier(3600)}, "too long ago"),
    "a number that the hub did not give": (lambda room: {"nonce": "0" * 64}, "nonce mismatch"),
    "from another course": (lambda room: {CLAIM + "context": {"id": "course-8"}}, "another course"),
    "from no course": (lambda room: {CLAIM + "context": None}, "another course"),
    "no account, though the number is one": (
        lambda room: {CLAIM + "custom": None, "sub": room.students[0]},
        "no parameter",
    ),
    "a variable that the LMS did not fill in": (
        lambda room: {CLAIM + "custom": {"account": "$User.username"}},
        "no account",
    ),
    "an account that is not of the course": (
        lambda room: {CLAIM + "custom": {"account": "root"}, "roles": ("Instructor",)},
        "no account",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(visitor, room, what):
    changes, expected = REFUSED[what]
    said = visitor.launch(room.students[0], **changes(room))
    assert said.status_code in (400, 401, 403) and expected in said.text, said.text
    assert not visitor.is_in()
    assert "root" not in grp.getgrnam(room.groups["STAFF"]).gr_mem


def test_a_launch_is_good_for_one_browser_and_once(visitor, room, platform):
    amir = room.students[0]
    fields = platform.answer(visitor.click(amir))
    other = Visitor(platform)
    stolen = fields | {"state": other.click(amir)["state"]}
    said = other.post(stolen)
    assert said.status_code == 400 and "nonce mismatch" in said.text and not other.is_in()
    before = visitor.session.cookies.copy()
    assert visitor.post(fields).status_code == 302
    said = visitor.post(fields)
    assert said.status_code == 400 and "state missing" in said.text
    other = Visitor(platform)
    other.session.cookies.update(before)
    said = other.post(fields)
    assert said.status_code == 403 and "was used before" in said.text and not other.is_in()


def test_a_launch_from_another_course_leaves_its_number_in_the_log(visitor, room, hub):
    visitor.launch(room.students[0], **{CLAIM + "context": {"id": "4b0c-number"}})
    assert "4b0c-number" in hub.log.read_text(encoding="utf-8")


def test_what_scores_need_is_noted_for_instructors_alone(room, platform, hub):
    amir, bela = room.students
    for name in (amir, bela):
        assert Visitor(platform).launch(name).status_code == 302
    path = room.place / "srv" / "launches.json"
    noted = json.loads(room.run_as(room.staff[0], f"cat {path}"))
    assert noted == {
        "people": {amir: f"number-of-{amir}", bela: f"number-of-{bela}"},
        "client": platform.variables["LTI_CLIENT"],
        "token": platform.variables["LTI_TOKEN"],
        "lineitems": platform.lineitems,
    }
    for forbidden in (f"cat {path}", f"rm {path}", f"echo >> {path}"):
        assert room.run_as(amir, f"{forbidden} >/dev/null 2>&1; echo $?", expect=None).strip() != "0"
