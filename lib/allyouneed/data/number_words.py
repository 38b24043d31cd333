"""Numbers in words, translated: "einundzwanzig" → "vingt et un". Two languages count in different ways."""

from typing import NamedTuple

import torch

from .packages import import_package
from .splits import Split, split_groups


class NumberPair(NamedTuple):
    """One example: a number, in words of the source language and of the target language."""

    source: str
    target: str
    number: int


def load_number_words(
    n_pairs=5_000, highest=100_000, source="de", target="fr", fractions=(0.8, 0.1, 0.1), generator=None
) -> Split:
    """Return pairs (number in one language, in another), each number in one part only.

    Arguments: `n_pairs` different numbers are drawn from 0 to `highest` − 1; `source` and `target`, languages
    of num2words; `fractions`, shares of the parts; `generator`, a `torch.Generator` (seed 0 if None).
    Returns `Split` of lists of `NumberPair`. Raises `ValueError` when n_pairs is not between 1 and highest,
    `MissingPackage`. Source: num2words 0.5.14 (LGPL), which spells by rule: clean, regular, and not natural
    text.
    """
    if not 1 <= n_pairs <= highest:
        raise ValueError(f"n_pairs must be between 1 and highest = {highest}, got {n_pairs}")
    generator = generator or torch.Generator().manual_seed(0)
    numbers = torch.randperm(highest, generator=generator)[:n_pairs].tolist()
    pairs = [spell(number, source, target) for number in numbers]
    parts = split_groups(numbers, fractions, generator)
    return Split(*([pairs[item] for item in part.tolist()] for part in parts))


def spell(number, source="de", target="fr") -> NumberPair:
    """Write a whole number in two languages: a `NumberPair`. `NotImplementedError` for unknown languages.

    >>> spell(81).source, spell(81).target
    ('einundachtzig', 'quatre-vingt-un')
    """
    num2words = import_package("num2words").num2words
    return NumberPair(num2words(number, lang=source), num2words(number, lang=target), number)
