"""The page on which answers are marked, for this machine alone, and whoever has the token of its address.

The page asks no other host for anything and keeps nothing: each mark goes into the gradebook at once. A
stranger's text reaches it as harmless HTML, under a policy that runs no script but the page's own.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from html import escape
from importlib.resources import files

from sqlalchemy.exc import SQLAlchemyError
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.marking.answers import Answers, Changed, Question, Refused
from coursegrader.marking.likeness import NEARLY_SAME, Likeness
from coursegrader.reporting.markdown import markdown_piece
from coursegrader.trouble import advice_on

HERE = "127.0.0.1"
NO_ANSWER = "*(No answer: the graded notebook is missing, or its answer cell.)*"


class Desk:
    """What lies on the marker's desk: the answers in their order, under the names that are shown."""

    def __init__(
        self, problem_set: ProblemSet, question: Question, shown: dict[str, str], alike: Likeness | None
    ):
        self.problem_set, self.question, self.alike = problem_set, question, alike
        self.answers = Answers(problem_set, question)
        self.students, self.shown = list(shown), shown
        # on the page an answer has a number that tells nothing of the student
        self.order = alike.order if alike else list(range(len(shown)))

    def list(self) -> list[dict]:
        """All answers in the order in which they are marked."""
        points = self.answers.points()
        return [
            {
                "key": key,
                "who": self.shown[self.students[key]],
                "group": self.alike.groups[key] if self.alike else 0,
                "points": points.get(self.students[key]),
            }
            for key in self.order
        ]

    def answer(self, key: int) -> dict:
        """An answer as it is now: its text as HTML, its mark, and what a like answer has."""
        student = self._student(key)
        mark, cell = self.answers.mark(student), self.answers.cell(student)
        return {
            "key": key,
            "who": self.shown[student],
            "html": markdown_piece(
                NO_ANSWER if cell is None else cell.source, (cell or {}).get("attachments")
            ),
            "mark": mark.as_dict(),
            "suggestion": self._suggestion(key) if mark.waiting else None,
        }

    def save(self, key: int, points: str, comment: str, seen: dict) -> dict:
        """The mark as it now is. Raises Refused or Changed."""
        return self.answers.save(self._student(key), points, comment, seen).as_dict()

    def _suggestion(self, key: int) -> dict | None:
        """The mark that a person gave to the most alike answer, if it is alike enough."""
        if not self.alike:
            return None
        points = self.answers.points()
        marked = [i for i, who in enumerate(self.students) if i != key and points.get(who) is not None]
        nearest = max(marked, key=lambda i: self.alike.cosines[key, i], default=None)
        if nearest is None or self.alike.cosines[key, nearest] < NEARLY_SAME:
            return None
        mark = self.answers.mark(self.students[nearest])
        return {
            "who": self.shown[self.students[nearest]],
            "cosine": round(float(self.alike.cosines[key, nearest]), 2),
            "points": mark.points,
            "comment": mark.comment,
        }

    def _student(self, key) -> str:
        if not isinstance(key, int) or not 0 <= key < len(self.students):
            raise Refused("There is no such answer. Load the page again.")
        return self.students[key]


class _Handler(RequestHandler):
    def initialize(self, desk: Desk, token: str, hosts: set[str]):
        self.desk, self.token, self.hosts = desk, token, hosts

    def prepare(self):
        given = self.request.headers.get("X-Token") or self.get_query_argument("token", "")
        if self.request.host not in self.hosts or not hmac.compare_digest(
            given.encode(), self.token.encode()
        ):
            self.set_status(403)
            self.finish("Open the address that coursegrader mark has printed, with its token.")

    def set_default_headers(self):
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.clear_header("Server")

    def write_error(self, status_code, **kwargs):
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, Changed):
            self.set_status(409)
            text = "changed"
        elif isinstance(error, Refused):
            self.set_status(400)
            text = str(error)
        elif advice := advice_on(str(error)):
            self.set_status(503)
            text = f"Not saved. {advice} Then press Enter again."
        else:
            text = f"Not saved: {type(error).__name__}. The terminal says more."
        self.finish(json.dumps({"error": text}))

    def log_exception(self, typ, value, tb):
        if not isinstance(value, (Changed, Refused)) and not (
            isinstance(value, SQLAlchemyError) and advice_on(str(value))
        ):
            super().log_exception(typ, value, tb)


class _Page(_Handler):
    def get(self):
        nonce = secrets.token_urlsafe(16)
        self.set_header(
            "Content-Security-Policy",
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        )
        question, text = self.desk.question, files(__package__).joinpath("page.html").read_text("utf-8")
        for name, value in {
            "NONCE": nonce,
            "TITLE": escape(f"{self.desk.problem_set.name}: {question.cell}"),
            "MOST": f"{question.points:g}",
            "ASKED": markdown_piece(question.asked),
            "SCHEME": markdown_piece(question.scheme or "The source notebook has no mark scheme here."),
            "FULL": markdown_piece(question.full),
        }.items():
            text = text.replace(f"%{name}%", value)
        self.finish(text)


class _List(_Handler):
    def get(self):
        self.finish({"answers": self.desk.list()})


class _Answer(_Handler):
    def get(self, key):
        self.finish(self.desk.answer(int(key)))


class _Mark(_Handler):
    def post(self):
        try:
            asked = json.loads(self.request.body)
            key, seen = asked["key"], dict(asked["seen"])
            points, comment = str(asked["points"]), str(asked["comment"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Refused("Not saved: the page has asked for something else. Load it again.") from None
        self.finish({"mark": self.desk.save(key, points, comment, seen)})


def _hosts(port: int) -> set[str]:
    """What browsers call this server: without the port where that is the usual one."""
    ends = (f":{port}", "") if port == 80 else (f":{port}",)
    return {name + end for name in (HERE, "localhost") for end in ends}


def serve(desk: Desk, port: int, say) -> None:
    """Serve the page until somebody stops the command. `say` is called with its address."""

    async def run() -> None:
        try:
            sockets = bind_sockets(port, HERE)
        except OSError as error:
            raise UserError(f"Port {port} is taken: choose another with --port. ({error})") from error
        number = sockets[0].getsockname()[1]
        token = secrets.token_urlsafe(24)
        what = {"desk": desk, "token": token, "hosts": _hosts(number)}
        routes = [
            (path, handler, what)
            for path, handler in (
                ("/", _Page),
                ("/list", _List),
                (r"/answer/(\d+)", _Answer),
                ("/mark", _Mark),
            )
        ]
        server = HTTPServer(Application(routes, log_function=lambda handler: None))
        server.add_sockets(sockets)
        say(f"http://{HERE}:{number}/?token={token}")
        await asyncio.Event().wait()

    asyncio.run(run())
