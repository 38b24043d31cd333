"""A text to begin with, chapter 2's four words, and the merges that the library learns from it."""

from collections import Counter
from functools import reduce

from allyouneed.text.bytepair import _join, _pairs, bpe_encode, bpe_train

COUNTS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
WORD, SHOWN = "lowest", 10


def data():
    return {"text": " ".join(word for word, count in COUNTS.items() for _ in range(count)), "word": WORD}


def fallback():
    """The merges one by one: the pair, how often it stands in the text, and how a new word is cut with the
    merges so far."""
    merges = bpe_train(COUNTS, SHOWN)
    rows = [f"| merge | pair | count | “{WORD}” is cut into |", "|---|---|---|---|"]
    for place, pair in enumerate(merges):
        counts = Counter()
        for word, times in COUNTS.items():
            for found, number in _pairs(reduce(_join, merges[:place], list(word))).items():
                counts[found] += times * number
        rows.append(
            f"| {place + 1} | `{pair[0]}` + `{pair[1]}` | {counts[pair]} | "
            f"{' '.join(f'`{piece}`' for piece in bpe_encode(WORD, merges[: place + 1]))} |"
        )
    return "\n".join(rows)
