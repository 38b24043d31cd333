"""Answers in an order in which like ones stand together, by the sentence encoder that the course builds."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from coursegrader.safe_html import MAX_MARKDOWN

# Cosines. The encoder hears the subject more than what is said of it: a right and a wrong answer had 0.76.
ALIKE = 0.7  # the mean of two groups from which on they are one
NEARLY_SAME = 0.9  # from which on the mark of one is suggested for the other
LONGEST = 900  # characters of a piece: what the encoder reads in one go
MOST_PIECES = 200  # pieces that are read of one answer, and no more of its text than the page shows


@dataclass(frozen=True)
class Likeness:
    """The answers' order, as indices; the number of each one's group; and all cosines."""

    order: list[int]
    groups: list[int]
    cosines: np.ndarray


def likeness(texts: list[str]) -> Likeness:
    """Group answers. Raises ModuleNotFoundError or FileNotFoundError where the encoder is missing."""
    return grouped(vectors_of(texts))


def vectors_of(texts: list[str]) -> np.ndarray:
    """A unit vector for each text: the mean of its pieces', since the encoder cuts what is long."""
    from allyouneed import SentenceEncoder  # with torch, which takes seconds

    pieces = [_pieces(text) for text in texts]
    found = SentenceEncoder().encode([piece for own in pieces for piece in own]).numpy()
    means, start = [], 0
    for own in pieces:
        mean = found[start : start + len(own)].mean(axis=0)
        means.append(mean / np.linalg.norm(mean))
        start += len(own)
    return np.stack(means)


def grouped(vectors: np.ndarray) -> Likeness:
    """Groups by the mean cosine, most alike first joined, and an order that keeps neighbours alike."""
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage

    cosines = np.clip(vectors @ vectors.T, -1, 1)
    if len(vectors) < 2:
        return Likeness(list(range(len(vectors))), [1] * len(vectors), cosines)
    distances = (1 - cosines)[np.triu_indices(len(vectors), 1)]
    tree = linkage(distances, "average", optimal_ordering=len(vectors) <= 500)
    order = [int(index) for index in leaves_list(tree)]
    groups = [int(group) for group in fcluster(tree, 1 - ALIKE, "distance")]
    number = {group: place for place, group in enumerate(dict.fromkeys(groups[i] for i in order), 1)}
    return Likeness(order, [number[group] for group in groups], cosines)


def _pieces(text: str) -> list[str]:
    """The first paragraphs, and long ones cut between sentences; never none."""
    found = []
    for paragraph in re.split(r"\n\s*\n", text[:MAX_MARKDOWN].strip()):
        for sentence in re.split(r"(?<=[.!?])\s+", paragraph):
            if found and found[-1][0] is paragraph and len(found[-1][1]) + len(sentence) < LONGEST:
                found[-1] = (paragraph, f"{found[-1][1]} {sentence}")
            else:
                found.append((paragraph, sentence[: 2 * LONGEST]))
    return [piece for _, piece in found if piece.strip()][:MOST_PIECES] or [" "]
