"""The browser room: the instructor's machine serves each student their own paper, and keeps each click.

The server reads papers and never a key. A page holds what its student may see and nothing else; each text is
escaped; the page's own policy forbids scripts but ours, and requests to other hosts.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from markupsafe import Markup
from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.web import Application, RequestHandler

from allyouneed.check.questions.question import Question
from allyouneed.check.questions.shown import label, lines_of, plain, title
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.answers import BROWSER, MOST_TEXT, Answer, open_answers
from coursegrader.defence.paper import Paper
from coursegrader.defence.sittings import Sittings
from coursegrader.errors import UserError

COOKIE, HEARTBEAT = "defence", 2000  # milliseconds
SITE = Path(__file__).parent / "site"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
PAGE = Markup(
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>{title}</title>'
    '<link rel="icon" href="data:,"><link rel="stylesheet" href="/room.css">{script}</head>'
    "<body><main><h1>{title}</h1>\n{body}</main></body></html>\n"
)
SCRIPT = Markup('<script src="/room.js" defer></script>')
ENTER = Markup(
    '<form method="post" action="/enter"><p><label for="code">Your code</label> '
    '<input id="code" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required> '
    "<button>Enter</button></p></form>"
)


class Room:
    """What the server knows: one paper a student, and the open file of answers."""

    def __init__(self, problem_set: ProblemSet, papers: dict[str, Paper], names: dict[str, str]):
        self.problem_set, self.papers, self.names = problem_set, papers, names
        self.answers = open_answers(problem_set)
        self.sittings = Sittings(self.answers)

    def application(self) -> Application:
        return Application(
            [
                (r"/", _Door, {"room": self}),
                (r"/enter", _Enter, {"room": self}),
                (r"/begin", _Begin, {"room": self}),
                (r"/answer", _Save, {"room": self}),
                (r"/end", _End, {"room": self}),
                (r"/room\.(js|css)", _File, {"room": self}),
            ],
            log_function=lambda handler: None,
        )


async def serve(room: Room, address: str, port: int, ready: Callable[[], None]) -> None:
    """Serve until this is cancelled."""
    room.sittings.alive(just_started=True)
    server = HTTPServer(room.application(), max_body_size=100_000, max_buffer_size=200_000)
    try:
        server.listen(port, address)
    except OSError as error:
        raise UserError(f"Port {port} cannot be used ({error.strerror}). Name another: --port") from error
    PeriodicCallback(room.sittings.alive, HEARTBEAT).start()
    ready()
    await asyncio.Event().wait()


class _Handler(RequestHandler):
    def initialize(self, room: Room) -> None:
        self.room = room

    def set_default_headers(self) -> None:
        for name, value in (
            ("Content-Security-Policy", POLICY),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "same-origin"),
        ):
            self.set_header(name, value)
        self.clear_header("Server")

    def prepare(self) -> None:
        """What changes something comes from our own page: a browser says where a request began."""
        if self.request.method == "POST":
            origin = self.request.headers.get("Origin")
            own = f"{self.request.protocol}://{self.request.host}"
            if origin not in (None, own) or self.request.headers.get("Sec-Fetch-Site") == "cross-site":
                self.send_error(403)

    def sitting(self):
        return self.room.sittings.find(self.get_cookie(COOKIE) or "")

    def page(self, title: str, body: Markup, script: Markup = Markup()) -> None:
        self.finish(str(PAGE.format(title=title, body=body, script=script)))

    def write_error(self, status_code: int, **_) -> None:
        self.finish(f"{status_code}\n")


class _File(_Handler):
    def get(self, end: str) -> None:
        self.set_header("Content-Type", {"js": "text/javascript", "css": "text/css"}[end] + "; charset=utf-8")
        self.finish((SITE / f"room.{end}").read_bytes())


class _Door(_Handler):
    def get(self) -> None:
        sitting, set_name = self.sitting(), self.room.problem_set.name
        if sitting is None:
            self.page(f"Defence of {set_name}", ENTER)
        elif sitting.ended:
            self.page("Handed in", Markup("<p>Your answers are kept. You can close this page.</p>"))
        elif sitting.left is None:
            name = self.room.names.get(sitting.student) or sitting.student
            self.page(
                f"Defence of {set_name}",
                Markup(
                    "<p>You are <strong>{}</strong> ({}). If not, tell your instructor.</p>"
                    "<p>You have {:g} minutes from the moment you begin. Each answer is kept at once, and "
                    "you can change it until the end. Numbers are rounded to 2 decimals.</p>"
                    '<form method="post" action="/begin">'
                    "<button>Begin</button></form>"
                ).format(plain(name), plain(sitting.student), sitting.minutes),
            )
        else:
            paper = self.room.papers[sitting.student]
            answers = self.room.answers.of(sitting.student)[0]
            self.page(f"Defence of {set_name}", _questions(paper, answers, sitting.left), SCRIPT)


class _Enter(_Handler):
    async def post(self) -> None:
        session = self.room.sittings.enter(self.get_body_argument("code", ""))
        if session is None:
            await asyncio.sleep(1)  # guessing takes time
            self.set_status(403)
            wrong = Markup('<p role="alert">This code is wrong, or it was used before. Ask for another.</p>')
            self.page("Code not known", wrong + ENTER)
            return
        self.set_cookie(COOKIE, session, httponly=True, samesite="Strict", expires_days=1)
        self.redirect("/", status=303)


class _Begin(_Handler):
    def post(self) -> None:
        if (sitting := self.sitting()) and not sitting.ended:
            self.room.sittings.begin(sitting.student)
        self.redirect("/", status=303)


class _End(_Handler):
    def post(self) -> None:
        if sitting := self.sitting():
            self.room.sittings.end(sitting.student)
        self.redirect("/", status=303)


class _Save(_Handler):
    def post(self) -> None:
        """One answer; what is answered is on the disk."""
        sitting = self.sitting()
        if sitting is None or sitting.left is None or sitting.ended:
            self.set_status(410)
            self.finish({"ended": True})
            return
        paper = self.room.papers[sitting.student]
        try:
            answer = _answer(paper, json.loads(self.request.body))
        except (ValueError, TypeError, KeyError, IndexError):
            self.send_error(400)
            return
        left = self.room.answers.put(paper, [answer], BROWSER)
        self.finish({"kept": not left, "left": sitting.left})


def _answer(paper: Paper, said: dict) -> Answer:
    number = said["question"]
    if type(number) is not int or not 0 <= number < len(paper.questions):
        raise ValueError("no such question")
    choices = paper.questions[number].choices
    if not choices:
        if not isinstance(said["words"], str):
            raise ValueError("no words")
        words = said["words"][:MOST_TEXT].encode(errors="replace").decode()
        return Answer(number, words=words, source=BROWSER)
    if type(said["choice"]) is not int or not 0 <= said["choice"] < len(choices):
        raise ValueError("no such choice")
    return Answer(number, said["choice"], source=BROWSER)


def _questions(paper: Paper, answers: dict[int, Answer], left: float) -> Markup:
    whose = hashlib.sha256(f"{paper.student} {paper.seed}".encode()).hexdigest()[:16]  # of what waits there
    body = Markup('<p id="time" data-left="{:.0f}" data-whose="{}"></p>').format(left, whose)
    body += Markup('<p id="kept" role="status"></p>')
    body += Markup(
        '<noscript><p role="alert">Switch JavaScript on: without it no answer is kept.</p></noscript>'
    )
    for number, question in enumerate(paper.questions):
        body += _question(number, question, answers.get(number, Answer(number)))
    return body + Markup('<form method="post" action="/end" id="end"><button>Hand in</button></form>')


def _question(number: int, question: Question, answer: Answer) -> Markup:
    head = Markup('<fieldset data-question="{}"><legend>{}. {}</legend><p id="p{}">{}</p>').format(
        number, number + 1, title(question), number, plain(question.prompt)
    )
    lines = Markup()
    for at, line in enumerate(lines_of(question.code), 1):
        marked = (
            Markup('<mark>{}</mark><span class="seen"> (this line)</span>') if at in question.marked else "{}"
        )
        lines += Markup("<li><code>{}</code></li>").format(Markup(marked).format(line or " "))
    body = Markup('<ol class="code" tabindex="0" aria-label="code of question {}">{}</ol>').format(
        number + 1, lines
    )
    if not question.choices:
        body += Markup('<textarea rows="6" maxlength="{}" aria-labelledby="p{}">{}</textarea>').format(
            MOST_TEXT, number, answer.words or ""
        )
    for choice, text in enumerate(question.choices):
        shown = f"line {plain(text)}" if question.kind == "mend" else "\n".join(lines_of(text))
        letter = "" if question.kind == "mend" else label(question, choice)
        body += Markup(
            '<label class="choice"><input type="radio" name="q{}" value="{}"{}> {} <code>{}</code></label>'
        ).format(number, choice, Markup(" checked" if answer.choice == choice else ""), letter, shown)
    return head + body + Markup("</fieldset>\n")
