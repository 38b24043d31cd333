"""Which answers to one exercise share parts that few others have: a hint for a conversation, never a proof.

A part is an expression or a step as `canonical` reads it. What everybody shares (the notebook that was given
out, the library's source, the chapters' listings) counts for nothing, nor does what many of the class have.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import allyouneed
import coursegrader
from coursegrader.reporting.canonical import program

ALIKE, ENOUGH = 0.5, 20.0  # of the shorter one's rare parts, so much is shared; and so many parts
FEW, SHARE = 6, 0.02  # what more people have than these, and than this share of all, is common
LONGEST = 20_000  # characters; to compare what is far longer takes far longer
CELL = re.compile(r"^```\{code-cell\}.*?\n(?:---\n.*?\n---\n|(?::.*\n)*)(.*?)^```", re.DOTALL | re.MULTILINE)

Features = frozenset[int]


@dataclass(frozen=True)
class Alike:
    """Two that are alike: which share of the shorter one's rare parts, and how many, they share."""

    one: str
    other: str
    likeness: float
    parts: float


class Rarity:
    """How much a part tells that two share: 1 where nobody else has it, 0 from where it is common."""

    def __init__(self, everybody: Iterable[Features]):
        everybody = list(everybody)
        self.having, self.all = Counter(part for found in everybody for part in found), len(everybody)

    @property
    def few(self) -> int:
        return few_of(self.all)

    @contextmanager
    def and_of(self, one: Features):
        """As it is with one more of the class."""
        self.having.update(one)
        self.all += 1
        yield
        self.having.subtract(one)
        self.all -= 1

    def tells(self, feature: int) -> float:
        having = self.having[feature]
        if having > self.few:
            return 0.0
        return 1.0 if having <= 2 else math.log(self.all / having) / math.log(self.all / 2)

    def compare(self, one: Features, other: Features) -> tuple[float, float]:
        """Likeness, and how many rare parts are shared."""
        least = min(sum(map(self.tells, one)), sum(map(self.tells, other)))
        shared = sum(map(self.tells, one & other))
        return (shared / least if least else 0.0), shared


def few_of(everybody: int) -> int:
    """So many people are few."""
    return max(FEW, int(SHARE * everybody))


def is_alike(likeness: float, parts: float) -> bool:
    return likeness >= ALIKE and parts >= ENOUGH


def alike(everybody: Mapping[str, Features]) -> list[Alike]:
    """All pairs that are alike. Looked for among those who share a rare part, so that a large class takes
    little longer for each of its students than a small one."""
    rarity = Rarity(everybody.values())
    holders: dict[int, list[str]] = defaultdict(list)
    weight = {}
    for who, features in everybody.items():
        told = 0.0
        for feature in features:
            if value := rarity.tells(feature):
                told += value
                if rarity.having[feature] > 1:
                    holders[feature].append(who)
        weight[who] = told
    shared: Counter[tuple[str, str]] = Counter()
    for feature, whose in holders.items():
        value = rarity.tells(feature)
        for pair in combinations(whose, 2):
            shared[pair] += value
    found = [
        Alike(*pair, parts / min(weight[pair[0]], weight[pair[1]]), parts) for pair, parts in shared.items()
    ]
    return [pair for pair in found if is_alike(pair.likeness, pair.parts)]


@cache
def published() -> Features:
    """The parts of all that students can read: the library's source, and the listings of the chapters."""
    folder = Path(coursegrader.__path__[0]).resolve().parents[1] / "book"
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(allyouneed.__path__[0]).rglob("*.py"))]
    for path in sorted(folder.rglob("*.md")):
        texts += CELL.findall(path.read_text(encoding="utf-8"))
    return features_of(texts)


def features_of(texts: Iterable[str]) -> Features:
    """The parts of several texts, each by itself; one that cannot be read has none."""
    found: set[int] = set()
    for text in texts:
        try:
            found |= program(text).features
        except SyntaxError:
            continue
    return frozenset(found)
