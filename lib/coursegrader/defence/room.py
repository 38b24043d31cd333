"""The browser room: the instructor's machine serves each student their own paper, and keeps each click.

The server reads papers and never a key. A page holds what its student may see and nothing else; each text is
escaped; the page's own policy forbids scripts but ours, and requests to other hosts.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from markupsafe import Markup
from tornado.ioloop import PeriodicCallback
from tornado.web import Application, RequestHandler

from allyouneed.check.questions.question import Question
from allyouneed.check.questions.shown import label, lines_of, plain, title
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.answers import BROWSER, MOST_TEXT, Answer, open_answers
from coursegrader.defence.connections import Connections
from coursegrader.defence.paper import Paper
from coursegrader.defence.sittings import Sitting, Sittings
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
NO_PAPER = "This paper is not yours any more, so no answer is kept. Tell your instructor."
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

    def answers_to(self, paper: Paper) -> dict[int, Answer]:
        """What is kept; a click on another paper, before it was made anew, says nothing about this one."""
        return {} if self.answers.of_another(paper) else self.answers.of(paper.student)[0]

    def application(self) -> Application:
        return Application(
            [
                (r"/", _Door, {"room": self}),
                (r"/enter", _Enter, {"room": self}),
                (r"/begin", _Begin, {"room": self}),
                (r"/answer", _Save, {"room": self}),
                (r"/left", _Left, {"room": self}),
                (r"/end", _End, {"room": self}),
                (r"/room\.(js|css)", _File, {"room": self}),
            ],
            default_handler_class=_Missing,
            default_handler_args={"room": self},
            log_function=lambda handler: None,
        )


async def serve(room: Room, address: str, port: int, ready: Callable[[], None]) -> None:
    """Serve until this is cancelled."""
    room.sittings.alive(just_started=True)
    server = Connections(room.application())
    try:
        server.listen(port, address)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        if getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES):
            raise UserError(f"Port {port} cannot be used ({why}). Name another: --port") from error
        raise UserError(
            f"{address} is no address of this machine ({why}). Name another, or none: --address"
        ) from error
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
        self.room.sittings.awake()
        if self.request.method == "POST":  # of the origin the host alone: a proxy may speak https for us
            headers, own = self.request.headers, self.request.host
            _, _, origin = headers.get("Origin", f"://{own}").partition("://")
            if origin != own or headers.get("Sec-Fetch-Site") == "cross-site":
                self.send_error(403)

    def sitting(self) -> Sitting | None:
        return self.room.sittings.find(self.get_cookie(COOKIE) or "")

    def running(self) -> Sitting | None:
        """Whose time runs. All others are told that theirs does not."""
        sitting = self.sitting()
        if sitting and sitting.left is not None and not sitting.ended:
            return sitting
        self.set_status(410)
        self.finish({"ended": True})
        return None

    def page(self, title: str, body: Markup, script: Markup = Markup()) -> None:
        self.finish(str(PAGE.format(title=title, body=body, script=script)))

    def write_error(self, status_code: int, **_) -> None:
        self.finish(f"{status_code}\n")


class _Missing(_Handler):
    def prepare(self) -> None:
        self.send_error(404)


class _File(_Handler):
    def get(self, end: str) -> None:
        self.set_header("Content-Type", {"js": "text/javascript", "css": "text/css"}[end] + "; charset=utf-8")
        self.finish((SITE / f"room.{end}").read_bytes())


class _Door(_Handler):
    def get(self) -> None:
        sitting, set_name = self.sitting(), self.room.problem_set.name
        if sitting is None:
            self.page(f"Defence of {set_name}", ENTER)
        elif (paper := self.room.papers.get(sitting.student)) is None:
            self.page(f"Defence of {set_name}", Markup('<p role="alert">{}</p>').format(NO_PAPER))
        elif sitting.ended:
            answers = self.room.answers_to(paper).values()
            kept = sum(bool(one.words) or (one.choice, one.mark) != (None, None) for one in answers)
            said = Markup("<p>{} of {} answers are kept. You can close this page.</p>")
            self.page("Handed in", said.format(kept, len(paper.questions)))
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
            questions = _questions(paper, self.room.answers_to(paper), sitting.left)
            self.page(f"Defence of {set_name}", questions, SCRIPT)


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


class _Left(_Handler):
    def get(self) -> None:
        """How much time is left: the page's own clock may have stood still, or the server given time back."""
        if sitting := self.running():
            self.finish({"left": sitting.left})


class _Save(_Handler):
    def post(self) -> None:
        """One answer; what is answered is on the disk."""
        if (sitting := self.running()) is None:
            return
        try:
            if (paper := self.room.papers.get(sitting.student)) is None:
                raise UserError(NO_PAPER)
            answer = _answer(paper, json.loads(self.request.body))
            left = self.room.answers.put(paper, [answer], BROWSER)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            self.send_error(400)
            return
        except UserError:
            self.set_status(409)
            self.finish({"why": NO_PAPER})
            return
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
    body += Markup('<p id="kept" role="status">Loading; if this stays, load the page again.</p>')
    body += Markup(
        '<noscript><p role="alert">Switch JavaScript on: without it no answer is kept.</p></noscript>'
    )
    for number, question in enumerate(paper.questions):
        body += _question(number, question, answers.get(number, Answer(number)))
    end = Markup('<form method="post" action="/end" id="end"><button disabled>Hand in</button></form>')
    return body + end


def _question(number: int, question: Question, answer: Answer) -> Markup:
    head = Markup('<fieldset disabled data-question="{}"><legend>{}. {}</legend><p id="p{}">{}</p>').format(
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
