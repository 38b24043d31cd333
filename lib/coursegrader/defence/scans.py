"""Scanned sheets read back. What cannot be read for sure is listed for a person, and never guessed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.layout import BUBBLE, CODE, PAGES, Printing, corners
from coursegrader.defence.sheets import read_printing
from coursegrader.errors import UserError

DPI = 200
TEXT = re.compile(r"D([0-9A-F]{8})(\d{4})([0-9A-Z])([0-3])")
EMPTY, FULL = 0.10, 0.65  # shares of a bubble that are dark: up to here empty, from here on full
DARK = 0.30  # of the way from the paper around it to the black of the codes
MOST_OFF = 1.0  # millimetres that a code may be from where it was printed
NEEDED = (
    "Reading scans needs the packages zxing-cpp and pypdfium2, which make install installs. Or type the "
    "answers: coursegrader defend-read NN-name answers.csv"
)


@dataclass(frozen=True)
class Unsure:
    """What a person has to look at: where it is, whose it is, as far as that is known, and why."""

    place: str
    why: str
    student: str = ""
    question: int | None = None


@dataclass(frozen=True)
class Read:
    """The answers that were read for sure, by student and question (None: no bubble filled), the digest of
    each student's paper as it was printed, and the rest."""

    answers: dict[str, dict[int, int | None]]
    papers: dict[str, str]
    unsure: list[Unsure]


def read_scans(problem_set: ProblemSet, files: list[Path]) -> Read:
    """Read PDFs and images of scanned pages, in any order, turned and scaled as scanners do."""
    try:
        import pypdfium2  # noqa: F401
        import zxingcpp  # noqa: F401
    except ImportError as error:
        raise UserError(NEEDED) from error
    printings: dict[str, Printing | None] = {}
    seen: dict[tuple[str, int, int], list] = defaultdict(list)  # (printing, sheet, page): place, shares
    unsure = []
    for place, image in _images(files):
        found = _codes(image)
        pages = {text[:3] for text in found}
        if not found and image.min() > 0.6 * image.max():
            continue  # an empty back
        if len(pages) != 1:
            why = "codes of several pages" if pages else "no code of a sheet could be read"
            unsure.append(Unsure(place, why))
            continue
        id, sheet, page = pages.pop()
        printing = printings.setdefault(id, read_printing(problem_set, id))
        if printing is None or sheet >= len(printing.sheets):
            unsure.append(Unsure(place, f"a sheet that was not printed for {problem_set.name} here"))
            continue
        student = printing.sheets[sheet].student
        try:
            shares = _shares(image, {text[3]: at for text, at in found.items()}, printing, sheet, page)
        except ValueError as error:
            unsure.append(Unsure(place, str(error), student))
            continue
        seen[id, sheet, page].append((place, shares))
    return _collected(printings, seen, unsure)


def _collected(printings, seen, unsure: list[Unsure]) -> Read:
    answers, papers, sheets = {}, {}, {(id, sheet) for id, sheet, _ in seen}
    several = defaultdict(set)
    for id, sheet in sheets:
        several[printings[id].sheets[sheet].student].add((id, sheet))
    for student, its in sorted(several.items()):
        if len(its) > 1:
            place = next(seen[key][0][0] for key in seen if key[:2] in its)
            unsure.append(Unsure(place, "sheets of two printings; leave one out", student))
            continue
        (id, sheet) = next(iter(its))
        about = printings[id].sheets[sheet]
        answers[student], papers[student] = {}, about.paper
        for page in range(about.pages):
            questions = sorted({bubble.question for bubble in about.bubbles if bubble.page == page})
            copies = seen.get((id, sheet, page), [])
            if not copies:
                if questions:
                    unsure.append(Unsure("", f"page {page + 1} of the sheet is not there", student))
                continue
            for question in questions:
                said = {_answer(shares[question]) for _, shares in copies}
                places = ", ".join(place for place, _ in copies)
                if len(said) > 1:
                    unsure.append(Unsure(places, "two scans of it differ", student, question))
                elif isinstance(why := next(iter(said)), str):
                    unsure.append(Unsure(places, why, student, question))
                else:
                    answers[student][question] = why
    return Read(answers, papers, unsure)


def _answer(shares: dict[int, float]) -> int | str | None:
    """The choice, None where all are empty, or why it is not sure."""
    if any(EMPTY < share < FULL for share in shares.values()):
        return "a bubble is partly filled"
    full = [choice for choice, share in shares.items() if share >= FULL]
    return "several bubbles are filled" if len(full) > 1 else full[0] if full else None


def _images(files: list[Path]) -> Iterator[tuple[str, np.ndarray]]:
    """Each page in grey, from 0 to 255, with its place in words."""
    import pypdfium2
    from PIL import Image, ImageOps, ImageSequence

    for path in files:
        try:
            if path.suffix.lower() == ".pdf":
                with pypdfium2.PdfDocument(path) as document:
                    for number in range(len(document)):
                        picture = document[number].render(scale=DPI / 72, grayscale=True).to_pil()
                        yield f"{path.name}, page {number + 1}", np.asarray(picture.convert("L"))
            else:
                with Image.open(path) as file:
                    for number, frame in enumerate(ImageSequence.Iterator(file), 1):
                        upright = ImageOps.exif_transpose(frame).convert("L")
                        yield f"{path.name}, page {number}", np.asarray(upright)
        except (OSError, ValueError, pypdfium2.PdfiumError) as error:
            raise UserError(f"{path} is neither a PDF nor an image that can be read: {error}") from error


def _codes(image: np.ndarray) -> dict[tuple[str, int, int, int], np.ndarray]:
    """(printing, sheet, page, corner) of each code, and its four corners in the image (4, 2)."""
    import zxingcpp

    found = {}
    for code in zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode, try_invert=False):
        if match := TEXT.fullmatch(code.text):
            at = code.position
            key = (match[1], int(match[2]), PAGES.index(match[3]), int(match[4]))
            points = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            found[key] = np.array([[point.x, point.y] for point in points], float)
    return found


def _shares(
    image: np.ndarray, found: dict[int, np.ndarray], printing: Printing, sheet: int, page: int
) -> dict[int, dict[int, float]]:
    """How much of each bubble on the page is dark, by question and choice. Raises ValueError with the reason
    where the page does not lie as it was printed."""
    from scipy.ndimage import map_coordinates

    if len(found) < 2:
        raise ValueError("only one of its four codes could be read")
    places = corners(printing.size)
    square = np.array([[0, 0], [CODE, 0], [CODE, CODE], [0, CODE]])
    paper = np.concatenate([square + places[corner] for corner in found])
    pixels = np.concatenate(list(found.values()))
    whole = np.c_[paper, np.ones(len(paper))]
    matrix = np.linalg.lstsq(whole, pixels, rcond=None)[0]  # (3, 2): turn, scale, shear and place
    scale = np.sqrt(abs(np.linalg.det(matrix[:2])))
    if np.abs(whole @ matrix - pixels).max() > MOST_OFF * scale:
        raise ValueError("the page is bent or was taken from aside: its codes are not where they should be")
    black = min(np.percentile(_around(image, points), 5) for points in found.values())
    angle, radius = np.meshgrid(np.linspace(0, 2 * np.pi, 24, endpoint=False), np.linspace(0.1, 0.72, 8))
    weight = radius.ravel() / radius.sum()
    turn = np.stack([np.cos(angle), np.sin(angle)], -1).reshape(-1, 2)
    shares = defaultdict(dict)
    for bubble in printing.sheets[sheet].bubbles:
        if bubble.page != page:
            continue
        middle = np.array([bubble.x, bubble.y])

        def light(points):
            x, y = (np.c_[points, np.ones(len(points))] @ matrix).T
            if min(x.min(), y.min()) < 0 or x.max() >= image.shape[1] or y.max() >= image.shape[0]:
                raise ValueError("a part of the page is cut off")
            return map_coordinates(image, [y, x], output=float, order=1)

        white = np.percentile(light(middle + turn[:24] * BUBBLE * 1.35), 80)
        if white - black < 40:
            raise ValueError("the scan has too little contrast")
        inside = light(middle + turn * radius.reshape(-1, 1) * BUBBLE)
        dark = (white - inside) / (white - black) > DARK
        shares[bubble.question][bubble.choice] = float((dark * weight).sum())
    return shares


def _around(image: np.ndarray, points: np.ndarray) -> np.ndarray:
    (left, top), (right, low) = points.min(0).astype(int), points.max(0).astype(int)
    return image[max(0, top) : low + 1, max(0, left) : right + 1]
