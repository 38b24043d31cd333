"""Where everything stands on a printed sheet, in millimetres: for the printer, and for what reads it back.

Each page has a code in each of its four corners, which says whose page it is, and from whose places the
turn and the scale of the page follow.
"""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

from allyouneed.check.questions.question import Question
from allyouneed.check.questions.shown import label, lines_of, plain, title
from coursegrader.defence.paper import Paper

SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
EDGE, CODE = 10.0, 13.0  # of the page to a code, and a code's side
SIDE, TOP, BOTTOM = 14.0, 28.0, 27.0  # margins of what stands between the codes
BUBBLE = 1.75  # the radius
PROMPT, MONO = 9.5, 8.0  # points
MONO_WIDTH = MONO * 0.3528 * 0.602  # of a character
TOGETHER = "\u00a0"  # a blank at which no line ends
LINE, MEND_LINE = 3.5, 4.6  # from one line of code to the next
PAGES = string.digits + string.ascii_uppercase


@dataclass(frozen=True)
class Bubble:
    """Its middle, on a page from 0, for a choice of a question."""

    page: int
    question: int
    choice: int
    x: float
    y: float


@dataclass(frozen=True)
class Sheet:
    """A student's pages: `paper` is the digest of the questions on them."""

    number: int
    student: str
    paper: str
    pages: int
    bubbles: tuple[Bubble, ...]


@dataclass(frozen=True)
class Printing:
    """The sheets that were printed together; `id` stands in each of their codes."""

    id: str
    problem_set: str
    size: str
    sheets: tuple[Sheet, ...]

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Printing:
        data = json.loads(text)
        sheets = tuple(
            Sheet(**{**sheet, "bubbles": tuple(Bubble(**bubble) for bubble in sheet["bubbles"])})
            for sheet in data["sheets"]
        )
        return Printing(**{**data, "sheets": sheets})


def code_text(printing: str, sheet: int, page: int, corner: int) -> str:
    """What the code in a corner says: 15 characters, as many as the smallest code holds with a quarter of it
    spoiled."""
    return f"D{printing}{sheet:04d}{PAGES[page]}{corner}"


def corners(size: str) -> list[tuple[float, float]]:
    """The upper left corner of each of the four codes."""
    width, height = SIZES[size]
    right, low = width - EDGE - CODE, height - EDGE - CODE
    return [(EDGE, EDGE), (right, EDGE), (EDGE, low), (right, low)]


@dataclass(frozen=True)
class Mark:
    """Something that is drawn: "text", "mono" or "bold" text at a base line; a "rule", a "grey" or "box"
    rectangle; a "bubble" around its middle."""

    what: str
    x: float
    y: float
    text: str = ""
    width: float = 0.0
    height: float = 0.0


@dataclass
class Piece:
    """Marks that stay together, from a height of 0 on, and the bubbles in them."""

    height: float
    marks: list[Mark] = field(default_factory=list)
    bubbles: list[tuple[int, float, float]] = field(default_factory=list)  # choice, x, y

    def bubble(self, choice: int, x: float, y: float) -> None:
        self.bubbles.append((choice, x, y))
        self.marks.append(Mark("bubble", x, y))


Width = Callable[[str], float]  # of a prompt's text
Drawable = Callable[[str], bool]  # whether the font has a character


def lay_out(
    paper: Paper, size: str, width_of: Width, drawable: Drawable
) -> tuple[list[list[Mark]], list[Bubble]]:
    """The marks of each page, and where the bubbles are. A question that fits on a page stays on one."""
    width, height = SIZES[size]
    across, room = width - 2 * SIDE, height - TOP - BOTTOM
    pages, bubbles, y = [[]], [], 0.0

    def place(number: int, piece: Piece) -> None:
        nonlocal y
        if y + piece.height > room and y:
            pages.append([])
            y = 0.0
        for mark in piece.marks:
            moved = Mark(mark.what, mark.x + SIDE, mark.y + y + TOP, mark.text, mark.width, mark.height)
            pages[-1].append(moved)
        for choice, left, down in piece.bubbles:
            bubbles.append(Bubble(len(pages) - 1, number, choice, left + SIDE, down + y + TOP))
        y += piece.height

    for number, question in enumerate(paper.questions):
        pieces = list(_pieces(number, question, across, width_of, drawable))
        whole = sum(piece.height for piece in pieces)
        if y and y + whole > room >= whole:
            pages.append([])
            y = 0.0
        for piece in pieces:
            place(number, piece)
    return pages, bubbles


def _pieces(
    number: int, question: Question, across: float, width_of: Width, drawable: Drawable
) -> Iterator[Piece]:
    head = Piece(5.5, [Mark("bold", 0, 4.0, f"{number + 1}. {title(question)}  ({question.exercise})")])
    for line in _wrapped(plain(" ".join(question.prompt.split()), drawable), across, width_of):
        head.height += 4.2
        head.marks.append(Mark("text", 0, head.height - 1.2, line))
    head.height += 1
    yield head
    if question.code:
        yield from _code(question, across, drawable)
    if question.kind != "mend" and question.choices:
        yield from _choices(question, across, drawable)
    elif not question.choices:
        yield Piece(26, [Mark("rule", 0, 7.5 + 8 * line, width=across) for line in range(3)])
    yield Piece(4.5)


def _wrapped(text: str, across: float, width_of: Width) -> list[str]:
    """The lines of a text; a row of numbers stays in one, if it fits at all."""
    kept = re.sub(r"\[[^\[\]]{1,24}\]", lambda row: row[0].replace(" ", TOGETHER), text)
    lines = [""]
    for word in kept.split(" "):
        while width_of(word) > across:  # a word of more than a line
            fits = next(n for n in range(len(word), 0, -1) if width_of(word[:n]) <= across or n == 1)
            lines, word = [*lines, word[:fits]], word[fits:]
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        lines = [*lines[:-1], longer] if width_of(longer) <= across else [*lines, word]
    return [line.replace(TOGETHER, " ") for line in lines if line]


def _parts(line: str, fits: int) -> list[str]:
    """A line of code in parts of at most so many characters, where possible not in the middle of a name."""
    parts = []
    while len(line) > fits:
        cut = max(line.rfind(mark, fits // 2, fits) for mark in " ,([=") + 1 or fits
        parts.append(line[:cut])
        line = line[cut:]
    return [*parts, line]


def _code(question: Question, across: float, drawable: Drawable) -> Iterator[Piece]:
    """The code with the numbers of its lines; where a line is to be found, bubbles stand before them."""
    mend, left = question.kind == "mend", 12.0
    step, fits = MEND_LINE if mend else LINE, int((across - left - 1) / MONO_WIDTH)
    numbers = {text: choice for choice, text in enumerate(question.choices)} if mend else {}
    yield Piece(1)
    left_out = _inside_docstrings(question.code)
    for number, line in enumerate(lines_of(question.code, drawable), 1):
        if number in left_out:
            continue
        parts = _parts(line, fits)
        piece, base = Piece(step * len(parts)), step * 0.72
        if number in question.marked:
            piece.marks.append(Mark("grey", left - 1, 0, width=across - left + 1, height=piece.height))
            if str(number) not in numbers:  # else a bubble stands there, and the arrow would look like ink
                piece.marks.append(Mark("mono", 2.2, base, "→"))
        piece.marks.append(Mark("mono", left - 2 - MONO_WIDTH * len(str(number)), base, str(number)))
        piece.marks += [Mark("mono", left, base + step * row, part) for row, part in enumerate(parts)]
        piece.marks += [
            Mark("mono", left - 2 - MONO_WIDTH, base + step * row, "…") for row in range(1, len(parts))
        ]
        if str(number) in numbers:
            piece.bubble(numbers[str(number)], 2.5, step / 2)
        yield piece
    yield Piece(1.5)


def _inside_docstrings(code: str) -> set[int]:
    """The lines of docstrings after their first: the numbers of what follows say that they are left out."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found: set[int] = set()
    for node in ast.walk(tree):
        first = node.body[0] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            if isinstance(first.value.value, str):
                found.update(range(first.lineno + 1, (first.end_lineno or first.lineno) + 1))
    return found


def _choices(question: Question, across: float, drawable: Drawable) -> Iterator[Piece]:
    """A bubble, a letter and the choice; side by side where they are short."""
    texts, left = [lines_of(text, drawable) for text in question.choices], 9.0
    longest = max(len(line) for lines in texts for line in lines)
    columns = next(
        (n for n in (4, 2) if longest * MONO_WIDTH + left + 3 <= across / n and n <= len(texts)), 1
    )
    fits = int((across / columns - left - 1) / MONO_WIDTH)
    for first in range(0, len(texts), columns):
        row = Piece(0)
        for column, lines in enumerate(texts[first : first + columns]):
            choice, x = first + column, across / columns * column
            parts = [
                ("… " if place else "") + part
                for line in lines
                for place, part in enumerate(_parts(line, fits if len(line) <= fits else fits - 2))
            ]
            row.bubble(choice, x + 2.5, 2.6)
            row.marks.append(Mark("bold", x + 5.3, 3.8, label(question, choice)))
            row.marks += [Mark("mono", x + left, 3.6 + LINE * at, part) for at, part in enumerate(parts)]
            row.height = max(row.height, 5.4, LINE * len(parts) + 1.9)
        yield row
