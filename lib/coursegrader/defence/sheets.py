"""A class's papers on paper: one PDF with a sheet for each student, and what is needed to read them back."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from allyouneed.check.questions.shown import plain
from coursegrader.course.damaged import said_if_damaged
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.answers import digest_of
from coursegrader.defence.layout import (
    BUBBLE,
    CODE,
    EDGE,
    MONO,
    PAGES,
    PROMPT,
    SIZES,
    Mark,
    Printing,
    Sheet,
    code_text,
    corners,
    lay_out,
)
from coursegrader.defence.paper import Paper, paper_folder
from coursegrader.errors import UserError
from coursegrader.files import write_whole

VERSION = "1"  # of the layout: other places make another printing
HOW = (
    "Fill one bubble for each question: ● not ✓ or ✗. To change it, write beside it, or ask for a new sheet.",
    "Numbers are rounded to 2 decimals, lists of numbers stand for tensors. Grey: what a question is about.",
)
NEEDED = (
    "Printing needs the packages fpdf2 and zxing-cpp, which make install installs. Or hold the defence in "
    "the browser: coursegrader defend-serve"
)


def print_sheets(
    problem_set: ProblemSet,
    papers: list[Paper],
    names: dict[str, str],
    target: Path,
    size: str = "a4",
    two_sided: bool = False,
) -> Printing:
    """Write the PDF, for its owner alone, and keep where its bubbles are. The same papers make the same
    sheets; `names` are the students' own."""
    try:
        from fpdf import FPDF
        from zxingcpp import BarcodeFormat, create_barcode
    except ImportError as error:
        raise UserError(NEEDED) from error
    if len(papers) > 9999:
        raise UserError("At most 9,999 sheets can be printed at once: name fewer students.")
    digests = [digest_of(paper) for paper in papers]
    mark = hashlib.sha256("\n".join([VERSION, problem_set.name, size, *digests]).encode()).hexdigest()
    id, pen, sheets = mark[:8].upper(), _Pen(FPDF, size), []
    for number, (paper, digest) in enumerate(zip(papers, digests)):
        pages, bubbles = lay_out(paper, size, pen.width_of, pen.drawable)
        if len(pages) > len(PAGES):
            raise UserError(f"The paper of {paper.student} has {len(pages)} pages: too many for a sheet.")
        for page, marks in enumerate(pages):
            pen.page(paper, names.get(paper.student, ""), number, page, len(pages), marks)
            for corner, (x, y) in enumerate(corners(size)):
                text = code_text(id, number, page, corner)
                code = create_barcode(text, BarcodeFormat.QRCode, ec_level="Q")
                pen.code(code.to_image(scale=8, add_quiet_zones=False), x, y)
        if two_sided and len(pages) % 2:
            pen.pdf.add_page()
        sheets.append(Sheet(number, paper.student, digest, len(pages), tuple(bubbles)))
    printing = Printing(id, problem_set.name, size, tuple(sheets))
    for path, data in (
        (printed_folder(problem_set) / f"{id}.json", printing.to_json().encode()),
        (target, bytes(pen.pdf.output())),
    ):
        write_private(path, data)
    return printing


def printed_folder(problem_set: ProblemSet) -> Path:
    return paper_folder(problem_set) / "printed"


def read_printing(problem_set: ProblemSet, id: str) -> Printing | None:
    """What was printed under this id for this problem set, or None."""
    path = printed_folder(problem_set) / f"{id}.json"
    try:
        with said_if_damaged(path, "print the same papers again, which makes it anew"):
            return Printing.from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def write_private(path: Path, data: bytes) -> None:
    """A whole file that its owner alone can read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = os.umask(0o077)
    try:
        write_whole(path, data)
    finally:
        os.umask(before)


class _Pen:
    """Draws the marks of a layout."""

    def __init__(self, pdf_class, size: str):
        import matplotlib

        fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
        self.pdf = pdf_class(unit="mm", format=SIZES[size])
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.c_margin = 0
        for name, file in (("text", "DejaVuSans"), ("bold", "DejaVuSans-Bold"), ("mono", "DejaVuSansMono")):
            self.pdf.add_font(name, fname=fonts / f"{file}.ttf")
        self.size, self.widths, self.known = SIZES[size], {}, {}
        self.maps = [self.pdf.fonts[name].cmap for name in ("text", "bold", "mono")]

    def drawable(self, char: str) -> bool:
        if char not in self.known:
            self.known[char] = all(ord(char) in cmap for cmap in self.maps)
        return self.known[char]

    def width_of(self, text: str) -> float:
        """Of a prompt's text: sign by sign, since each is there many times."""
        total = 0.0
        for char in text:
            if char not in self.widths:
                self.pdf.set_font("text", size=PROMPT)
                self.widths[char] = self.pdf.get_string_width(char)
            total += self.widths[char]
        return total

    def page(self, paper: Paper, name: str, number: int, page: int, of: int, marks: list[Mark]) -> None:
        pdf, left = self.pdf, EDGE + CODE + 5
        pdf.add_page()
        who = f"{name} ({paper.student})" if name else paper.student
        room = self.size[0] - 2 * left
        self.write("bold", left, 14, plain(who[:70], self.drawable), 12, room)
        where = f"{paper.problem_set}, defence of your own code. Sheet {number + 1}, page {page + 1} of {of}."
        self.write("text", left, 19, plain(where, self.drawable), 9, room)
        for row, line in enumerate(HOW):
            self.write("text", left, 22.5 + 3.2 * row, line, 7, room)
        self.write(
            "text", left, self.size[1] - 14, f"{plain(paper.student)[:60]}, page {page + 1} of {of}", 8
        )
        pdf.set_line_width(0.25)
        for mark in marks:
            if mark.what == "grey":
                pdf.set_fill_color(232)
                pdf.rect(mark.x, mark.y, mark.width, mark.height, style="F")
                pdf.set_fill_color(255)
            elif mark.what == "rule":
                pdf.line(mark.x, mark.y, mark.x + mark.width, mark.y)
            elif mark.what == "bubble":
                pdf.circle(mark.x, mark.y, BUBBLE)
            else:
                self.write(mark.what, mark.x, mark.y, mark.text, MONO if mark.what == "mono" else PROMPT)

    def write(
        self, font: str, x: float, y: float, text: str, points: float, room: float | None = None
    ) -> None:
        """Write a line, in smaller letters where it is longer than `room`."""
        self.pdf.set_font(font, size=points)
        if room is not None and (width := self.pdf.get_string_width(text)) > room:
            self.pdf.set_font(font, size=points * room / width)
        if text.strip():
            self.pdf.text(x, y, text)

    def code(self, image, x: float, y: float) -> None:
        from PIL import Image

        self.pdf.image(Image.fromarray(image).convert("1"), x, y, CODE, CODE)
