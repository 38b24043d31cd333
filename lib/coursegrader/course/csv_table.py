"""A table that a person or an LMS has written as CSV: no row of it is swallowed without a word."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from coursegrader.errors import UserError

EXCEL = re.compile(r'"?sep=([,;\t])"?[,;\t]*\n', re.IGNORECASE)  # its own first line, with the separator
# headings of Moodle's worksheet and Canvas's gradebook, in which comments may have several lines
LONG_CELLS = ({"identifier"}, {"student", "section"})


@dataclass(frozen=True)
class CsvTable:
    """Its headings as they are written, by their small letters, and by the line each row, by heading."""

    headings: dict[str, str]
    rows: dict[int, dict[str, str]]

    def has(self) -> str:
        return f"It has: {', '.join(self.headings.values()) or 'nothing'}"


def read_csv_table(path: Path) -> CsvTable:
    """Read a CSV file with headings, separated by comma, semicolon or tab. Raises UserError where it cannot
    be read, or where an open quotation mark takes the lines below into a cell."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text: save it as CSV (UTF-8). {error}") from error
    excel = EXCEL.match(text)
    first = text[excel.end() if excel else 0 :].partition("\n")[0]
    reader = csv.reader(
        io.StringIO(text), delimiter=excel[1] if excel else max(",;\t", key=first.count), strict=True
    )
    headings: list[str] = []
    names: list[str] = []  # the same in small letters
    rows: dict[int, dict[str, str]] = {}
    line = 1  # where a row begins
    try:
        for cells in reader:
            if any("\n" in cell for cell in cells) and not any(lms <= set(names) for lms in LONG_CELLS):
                raise csv.Error("a cell has several lines")
            cells = [cell.strip() for cell in cells]
            if cells and not headings and not (excel and line == 1):
                headings, names = cells, [cell.lower() for cell in cells]
            elif headings and cells:
                rows[line] = dict(zip_longest(names, cells[: len(names)], fillvalue=""))
            line = reader.line_num + 1
    except csv.Error as error:
        raise UserError(
            f"{path} cannot be read from line {line} on ({error}): close its quotation mark, or take it out."
        ) from error
    return CsvTable(dict(zip(names, headings, strict=True)), rows)
