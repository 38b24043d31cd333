"""What the browser room answers to requests, also to those that no page of ours makes."""

import asyncio
import gc
import json
import socket
import time

import pytest
from defence.rooms import ask, begun, opened
from defence.samples import sample_key, sample_paper
from journeys.servers import free_port

from coursegrader.cli import main
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence import connections
from coursegrader.defence.answers import BROWSER, SCAN, Answer, open_answers
from coursegrader.defence.paper import write_paper
from coursegrader.defence.room import Room, serve
from coursegrader.defence.sittings import Sittings
from coursegrader.errors import UserError

NAME = "03-attention"
OLD, NEW = sample_paper("jane", "# old"), sample_paper("jane", "# new")


@pytest.fixture
def course(tmp_path):
    (tmp_path / "solutions" / NAME).mkdir(parents=True)
    return ProblemSet(tmp_path, NAME)


def test_what_was_clicked_on_another_paper_is_neither_shown_nor_mixed_with_new_answers(course):
    with open_answers(course) as file:
        file.put(OLD, [Answer(0, 2)], BROWSER)
    with opened(course, {"jane": NEW}) as (port, codes):
        cookie = begun(port, codes["jane"])
        assert " checked" not in ask(port, "GET", "/", Cookie=cookie)[2]
        status, _, said = ask(port, "POST", "/answer", '{"question": 0, "choice": 1}', Cookie=cookie)
        assert status == 409 and "Tell your instructor" in json.loads(said)["why"]
        ask(port, "POST", "/end", Cookie=cookie)
        assert "0 of 6 answers are kept" in ask(port, "GET", "/", Cookie=cookie)[2]


def test_a_room_opens_for_papers_made_anew_only_after_their_old_answers_are_dropped(
    course, capsys, monkeypatch
):
    with open_answers(course) as file:
        file.put(OLD, [Answer(0, 2)], SCAN)
        Sittings(file).admit(["jane"], 10, {})
        Sittings(file).end("jane")
    write_paper(course, NEW, sample_key())
    monkeypatch.setattr("coursegrader.cli.defence_forms._names", lambda root: {})
    monkeypatch.setattr("asyncio.run", lambda serving: serving.close())
    arguments = ["--root", str(course.root), "defend-serve", NAME]
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "since: jane. To drop" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        main([*arguments, "--overwrite"])
    with open_answers(course) as file:
        assert file.of("jane") == ({}, set())
        assert not Sittings(file).find(Sittings(file).enter(Sittings(file).codes()["jane"])).ended


def test_strange_requests_get_a_short_answer_and_leave_no_traceback(course, caplog):
    gc.collect()  # what an earlier test left may say so when it goes
    caplog.clear()
    with opened(course, {"jane": NEW}) as (port, codes):
        cookie = begun(port, codes["jane"])
        assert ask(port, "POST", "/answer", "[" * 50_000, Cookie=cookie)[0] == 400
        status, headers, _ = ask(port, "GET", "/nowhere")
        assert status == 404 and headers["Content-Security-Policy"] and "Server" not in headers
        assert ask(port, "GET", "/left")[0] == 410
        assert 590 < json.loads(ask(port, "GET", "/left", Cookie=cookie)[2])["left"] <= 600
    assert not caplog.records


def test_who_has_no_paper_any_more_is_told(course):
    with opened(course, {"jane": NEW}) as (port, codes):
        cookie = begun(port, codes["jane"])
    with opened(course, {"omar": sample_paper("omar")}) as (port, _):
        assert "Tell your instructor" in ask(port, "GET", "/", Cookie=cookie)[2]
        assert ask(port, "POST", "/answer", "{}", Cookie=cookie)[0] == 409


@pytest.mark.parametrize(
    ("origin", "status"),
    [("https://room.example.edu", 303), ("https://evil.example", 403), ("null", 403), ("", 403)],
)
def test_a_page_behind_a_proxy_that_speaks_https_is_our_own(course, origin, status):
    with opened(course, {"jane": NEW}) as (port, codes):
        headers = {"Host": "room.example.edu", "Origin": origin}
        assert ask(port, "POST", "/begin", **headers)[0] == status


def test_idle_connections_of_one_address_keep_nobody_out(course, monkeypatch):
    monkeypatch.setattr(connections, "PER_ADDRESS", 5)
    monkeypatch.setattr(connections, "IDLE", 1)
    with opened(course, {"jane": NEW}) as (port, _):
        idle = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(10)]
        assert ask(port, "GET", "/")[0] == 200
        assert [one.recv(1) for one in idle[:6]] == [b""] * 6
        before = time.monotonic()
        assert idle[-1].recv(1) == b"" and time.monotonic() - before < 5
        for one in idle:
            one.close()


def test_where_few_files_may_be_open_the_oldest_connection_makes_room(course, monkeypatch):
    monkeypatch.setattr(connections, "_most_files", lambda: connections.OTHERS + 3)
    with opened(course, {"jane": NEW}) as (port, _):
        idle = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(5)]
        assert ask(port, "GET", "/")[0] == 200
        assert [one.recv(1) for one in idle[:3]] == [b""] * 3
        for one in idle:
            one.close()


@pytest.mark.parametrize("address", ["no such host", "192.0.2.1", "x" * 70])
def test_an_address_that_is_not_this_machines_is_named(course, address):
    with pytest.raises(UserError, match=f"^{address} is no address.*--address$"):
        asyncio.run(serve(Room(course, {}, {}), address, free_port(), lambda: None))


def test_a_port_that_is_taken_is_named(course):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError, match=f"^Port {port} cannot be used.*--port$"):
            asyncio.run(serve(Room(course, {}, {}), "127.0.0.1", port, lambda: None))


@pytest.mark.parametrize("away", [11, 660])
def test_time_that_the_machine_slept_is_given_back(course, monkeypatch, away):
    with open_answers(course) as file:
        sittings, now = Sittings(file), time.time()
        monkeypatch.setattr(time, "time", lambda: now)
        session = sittings.enter(sittings.admit(["jane"], 10, {})["jane"])
        sittings.alive(just_started=True)
        sittings.begin("jane")
        monkeypatch.setattr(time, "time", lambda: now + 9)
        sittings.alive()
        assert sittings.find(session).left == pytest.approx(591, abs=1)
        monkeypatch.setattr(time, "time", lambda: now + 9 + away)
        sittings.awake()
        assert sittings.find(session).left == pytest.approx(591, abs=1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["defend-serve", NAME, "--port", "70000"],
        ["defend-serve", NAME, "--minutes", "nan"],
        ["defend-serve", NAME, "--minutes", "inf"],
        ["defend-serve", NAME, "--minutes=-5"],
        ["defend-serve", NAME, "--more-time", "jane=0"],
        ["defend-serve", NAME, "--more-time", "15"],
        ["mark", NAME, "--port=-1"],
        ["mark", NAME, "--port", "70000"],
    ],
)
def test_odd_ports_and_times_are_refused(arguments, capsys):
    with pytest.raises(SystemExit):
        main(arguments)
    assert "expected, but got" in capsys.readouterr().err
