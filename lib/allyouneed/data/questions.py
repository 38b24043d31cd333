"""Questions about images: easy-VQA, 5,000 pictures of one shape each, 48,248 questions, 13 answers."""

import json
from typing import NamedTuple

import numpy as np
import torch

from allyouneed.tensors import Int, Tensor, UInt8

from .packages import import_package, package_file
from .splits import Split, split_groups


class VisualQuestions(NamedTuple):
    """Questions about images, each with one answer.

    `images` `(N, 3, 64, 64)` uint8 in 0..255; `questions`, Q strings; `image_of` `(Q,)` int64, the image's
    row;
    `answers` `(Q,)` int64, into `answer_names`, 13 strings.
    """

    images: UInt8[Tensor, "N 3 64 64"]
    questions: list[str]
    image_of: Int[Tensor, " Q"]
    answers: Int[Tensor, " Q"]
    answer_names: list[str]


def load_visual_questions(valid_fraction=0.1, generator=None) -> Split:
    """Return easy-VQA, with its test part; validation is a share of training IMAGES with their questions.

    Arguments: `valid_fraction` in [0, 1); `generator`, a `torch.Generator` (seed 0 if None). Returns `Split`
    of `VisualQuestions`; no image is in two parts (the same question about two images is: that is the task).
    The images are themselves rendered shapes, not photographs; the most frequent answer is right in 37 % of
    cases.
    Raises `MissingPackage`, `ValueError`. Source: Victor Zhou's easy-vqa 1.0 (MIT). Reading takes about two
    seconds.
    """
    answer_names = package_file("easy_vqa", "data", "answers.txt").read_text().split()
    learning, test = _read("train", answer_names), _read("test", answer_names)
    numbers = range(len(learning.images))
    chosen = split_groups(numbers, (1 - valid_fraction, valid_fraction, 0), generator)
    return Split(_take(learning, chosen.train), _take(learning, chosen.valid), test)


def _read(part, answer_names):
    open_image = import_package("PIL.Image").open
    rows = json.loads(package_file("easy_vqa", "data", part, "questions.json").read_text())
    folder = package_file("easy_vqa", "data", part, "images")
    n_images = 1 + max(row[2] for row in rows)
    pixels = np.stack([np.asarray(open_image(folder / f"{number}.png")) for number in range(n_images)])
    return VisualQuestions(
        torch.from_numpy(pixels).permute(0, 3, 1, 2).contiguous(),  # (N, 3, 64, 64)
        [row[0] for row in rows],
        torch.tensor([row[2] for row in rows]),
        torch.tensor([answer_names.index(row[1]) for row in rows]),
        answer_names,
    )


def _take(everything, images):
    new_row = torch.full((len(everything.images),), -1, dtype=torch.int64)
    new_row[images] = torch.arange(len(images))
    kept = (new_row[everything.image_of] >= 0).nonzero().squeeze(1)
    return VisualQuestions(
        everything.images[images],
        [everything.questions[row] for row in kept.tolist()],
        new_row[everything.image_of[kept]],
        everything.answers[kept],
        everything.answer_names,
    )
