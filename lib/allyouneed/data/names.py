"""Names of countries, regions, languages, scripts, currencies in English and another language: real, hard."""

import gettext
from typing import NamedTuple

from .packages import package_file
from .splits import Split, split_groups

# From the purest catalogue to the widest: what occurs in two is kept from the first.
STANDARDS = ("iso3166-1", "iso4217", "iso15924", "iso639-5", "iso3166-2", "iso639-3")


class NamePair(NamedTuple):
    """One example: an English name, the name in the other language, and the ISO standard it comes from."""

    source: str
    target: str
    standard: str


def load_names(
    language="de", standards=STANDARDS, only_changed=False, fractions=(0.8, 0.1, 0.1), generator=None
) -> Split:
    """Return pairs (English name, name in another language), each English name in one part only.

    Arguments: `language`, a folder of pycountry's translations ("de", "fr", "pl", ...); `standards`, which
    ISO catalogues; `only_changed`, leave out names that stay the same; `fractions`; `generator` (seed 0 if
    None).
    Returns `Split` of lists of `NamePair`. Names that differ in capitals only count as one. Raises
    `MissingPackage`, `ValueError` when no catalogue has that language. Source: Debian's iso-codes in
    pycountry 26.2.16 (LGPL 2.1).
    """
    folder = package_file("pycountry", "locales")
    found = {}
    for standard in standards:
        path = folder / language / "LC_MESSAGES" / f"{standard}.mo"
        if not path.exists():
            continue
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for source, target in catalogue.items():
            if isinstance(source, str) and source and target and not (only_changed and source == target):
                found.setdefault(source.casefold(), NamePair(source, target, standard))
    if not found:
        known = ", ".join(sorted(path.name for path in folder.iterdir() if path.is_dir()))
        raise ValueError(f"no names for language {language!r} in {tuple(standards)}; languages: {known}")
    pairs = list(found.values())
    parts = split_groups(list(found), fractions, generator)
    return Split(*([pairs[item] for item in part.tolist()] for part in parts))
