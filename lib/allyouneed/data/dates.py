"""Dates written out in nine languages, to be translated into ISO form: "mardi 3 mars 2026" → "2026-03-03"."""

from datetime import date, timedelta
from typing import NamedTuple

import torch

from .packages import import_package
from .splits import Split, split_groups

LOCALES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv")
STYLES = ("full", "long", "medium")  # "short" has two-digit years: two centuries would share one text


class DatePair(NamedTuple):
    """One example: `source` as people write it in `locale`, `target` in ISO 8601 (always 10 characters)."""

    source: str
    target: str
    locale: str


def load_dates(
    n_pairs=20_000, locales=LOCALES, years=(1900, 2099), fractions=(0.8, 0.1, 0.1), generator=None
) -> Split:
    """Return pairs (date in words, ISO date), divided by date: no date of one part is in another part.

    Arguments: `n_pairs` in all; `locales`, names that Babel knows; `years`, first and last, inclusive;
    `fractions`, shares of the distinct dates; `generator`, a `torch.Generator` (seed 0 if None). Dates,
    languages and styles (full, long, medium) are drawn evenly. Returns `Split` of lists of `DatePair`. Within
    the nine languages a source text means one date only. Raises `MissingPackage`, `ValueError`. Source:
    Unicode CLDR in Babel 2.18.0 (BSD).
    """
    if n_pairs < 1 or years[0] > years[1] or not locales:
        raise ValueError(
            f"need n_pairs ≥ 1, locales and first year ≤ last, got {n_pairs}, {locales}, {years}"
        )
    generator = generator or torch.Generator().manual_seed(0)
    first, last = date(years[0], 1, 1), date(years[1], 12, 31)
    n_days = (last - first).days + 1
    day = torch.randint(n_days, (n_pairs,), generator=generator).tolist()
    locale = torch.randint(len(locales), (n_pairs,), generator=generator).tolist()
    style = torch.randint(len(STYLES), (n_pairs,), generator=generator).tolist()
    pairs = [
        write_date(first + timedelta(d), locales[where], STYLES[how])
        for d, where, how in zip(day, locale, style, strict=True)
    ]
    parts = split_groups([pair.target for pair in pairs], fractions, generator)
    return Split(*([pairs[item] for item in part.tolist()] for part in parts))


def write_date(day, locale="fr", style="full") -> DatePair:
    """Write one `datetime.date` in a language: the source and target of one example, as `DatePair`.

    Raises `ValueError` for a style other than full, long and medium, `MissingPackage` without Babel.

    >>> write_date(date(2026, 3, 3))[:2]
    ('mardi 3 mars 2026', '2026-03-03')
    """
    if style not in STYLES:
        raise ValueError(f"style must be one of {STYLES}, got {style!r}")
    source = import_package("babel.dates").format_date(day, format=style, locale=locale)
    return DatePair(source, day.isoformat(), locale)
