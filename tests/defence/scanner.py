"""Printed sheets, filled in with a pencil and scanned, without paper."""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from coursegrader.defence.layout import BUBBLE, Printing

DPI = 150


def scanned(sheets: Path, printing: Printing, filled: set, turn=1.5, grey=80, part=1.0) -> list[Path]:
    """The sheets as a scanner gives them, with `filled` bubbles (student, question, choice): images beside
    the PDF."""
    import pypdfium2

    paths, scale = [], DPI / 25.4
    with pypdfium2.PdfDocument(sheets) as document:
        pages = [
            document[number].render(scale=DPI / 72).to_pil().convert("L") for number in range(len(document))
        ]
    for sheet in printing.sheets:
        for page in range(sheet.pages):
            image = pages[len(paths)]
            for bubble in sheet.bubbles:
                if bubble.page == page and (sheet.student, bubble.question, bubble.choice) in filled:
                    left, top = ((value - BUBBLE) * scale for value in (bubble.x, bubble.y))
                    wide = 2 * BUBBLE * scale
                    ImageDraw.Draw(image).rectangle([left, top, left + wide * part, top + wide], fill=grey)
            image = image.rotate(turn, expand=True, fillcolor=245, resample=Image.Resampling.BICUBIC)
            image = image.resize((int(image.width * 1.1), int(image.height * 1.09)))
            noise = np.random.default_rng(0).normal(0, 12, (image.height, image.width))
            grain = np.asarray(image.filter(ImageFilter.GaussianBlur(0.6))) + noise
            paths.append(sheets.with_name(f"scan{len(paths)}.png"))
            Image.fromarray(np.clip(grain, 0, 255).astype(np.uint8)).save(paths[-1])
    return paths
