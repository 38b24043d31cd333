"""The page of answers that are alike: who, in what, how sure that is, and both codes beside each other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from markupsafe import Markup

from coursegrader.course.problem_set import ProblemSet
from coursegrader.reporting.canonical import program
from coursegrader.reporting.pages import beside, fold, marked, page, paragraph, table
from coursegrader.reporting.planted import KINDS, Figures, figures, in_words
from coursegrader.reporting.similarity import (
    ENOUGH,
    LONGEST,
    SHARE,
    Alike,
    Features,
    Rarity,
    alike,
    features_of,
    few_of,
    published,
)
from coursegrader.reporting.sources import Earlier, Texts, given_cells
from coursegrader.text import counted, in_a_line

MOST = 100  # pairs of which the codes are shown
MISTAKES = 2  # rare ones that two share, from which on they are shown though their codes are not alike
TOO_SHORT = "too short to tell: right answers are alike anyway, or have too few parts"


@dataclass
class Together:
    """Two people, the exercises in which they are alike, and the rare mistakes that they share."""

    one: str
    other: str
    exercises: dict[str, Alike] = field(default_factory=dict)
    mistakes: dict[str, str] = field(default_factory=dict)  # what both were told, by exercise

    @property
    def evidence(self) -> tuple:
        parts = sum(found.parts for found in self.exercises.values())
        return -len(self.exercises) - len(self.mistakes), -parts, self.one, self.other

    def in_words(self) -> str:
        found = [f"{name} {pair.likeness:.0%}" for name, pair in self.exercises.items()]
        told = [f"{counted(len(self.mistakes), 'rare mistake')} shared"] if self.mistakes else []
        return f"{self.one} and {self.other}: " + ", ".join(found + told)


@dataclass(frozen=True)
class Answer:
    """What somebody wrote for an exercise, and the same with blanks where it is no Python."""

    text: str
    code: str


@dataclass
class Comparison:
    """All that the page shows. `answers` are those that were compared, by exercise and by person."""

    answers: dict[str, dict[str, Answer]]
    figures: dict[str, Figures]
    pairs: list[Together]
    rarities: dict[str, tuple[Rarity, dict[str, Features]]]
    unread: list[tuple[str, str]]
    earlier: list[str]


def compare(
    problem_set: ProblemSet,
    texts: dict[str, Texts],
    verdicts: dict[str, list[dict]],
    earlier: Sequence[Earlier] = (),
    damaged: Iterable[str] = (),
) -> Comparison:
    """Compare what this term's students wrote with each other and with `earlier` terms. `damaged` are those
    of whom there is no readable notebook."""
    names = {student: student for student in texts}  # on the page: whose account it is
    told = dict(verdicts)
    everybody = dict(texts)
    terms = [  # two folders may have one name
        f"{term.name} ({number})" if term.name in [other.name for other in earlier[:number]] else term.name
        for number, term in enumerate(earlier)
    ]
    for title, term in zip(terms, earlier):
        for student, found in term.texts.items():
            names[f"{title}: {student}"], everybody[f"{title}: {student}"] = student, found
        told |= {f"{title}: {student}": items for student, items in term.verdicts.items()}
    given = {cell.strip() for cell in given_cells(problem_set)}
    common = published() | features_of(given)
    unread = [*damaged, *(name for term in earlier for name in term.unread)]
    unread = [(name, "is no readable notebook") for name in unread]
    answers, measured, rarities, pairs = {}, {}, {}, {}

    def of(one: str, other: str) -> Together | None:
        one, other = (other, one) if other in texts and one not in texts else (one, other)
        if one not in texts or names[one] == names[other]:  # both are of earlier terms, or the same person
            return None
        return pairs.setdefault((one, other), Together(one, other))

    for name, exercise in problem_set.exercises.items():
        answers[name], found = {}, {}
        for who, own in everybody.items():
            answer, features = _answer(own.get(name, []), given)
            if answer.text != answer.code:
                long = len(answer.text) > LONGEST
                why = f"longer than {LONGEST:,} characters" if long else "not Python as it stands"
                unread.append((who, f"{name}: {why}, and not compared"))
            if parts := features - common:
                answers[name][who], found[who] = answer, parts
        if not found:
            continue  # it is in nobody's notebook
        measured[name] = figures(exercise, common)
        rarities[name] = Rarity(found.values()), found
        for pair in [] if measured[name].too_short else alike(found):
            if together := of(pair.one, pair.other):
                together.exercises[name] = pair
    for name, message, one, other in _shared_mistakes(problem_set, told):
        if one in names and other in names and (together := of(one, other)):
            together.mistakes[name] = message
    shown = [pair for pair in pairs.values() if pair.exercises or len(pair.mistakes) >= MISTAKES]
    shown.sort(key=lambda pair: pair.evidence)
    return Comparison(answers, measured, shown, rarities, unread, terms)


def _answer(cells: list[str], given: set[str]) -> tuple[Answer, Features]:
    """What somebody wrote, and its parts."""
    own = [cell for cell in cells if cell.strip() and cell.strip() not in given]
    text = "\n\n".join(own)
    if len(text) > LONGEST:
        return Answer(text, ""), frozenset()
    try:
        return Answer(text, text), program(text).features
    except SyntaxError:
        code = "\n\n".join(cell if _is_python(cell) else re.sub(r"[^\n]", " ", cell) for cell in own)
        return Answer(text, code), features_of([code])


def _is_python(cell: str) -> bool:
    try:
        program(cell)
    except SyntaxError:
        return False
    return True


def _shared_mistakes(problem_set: ProblemSet, told: dict[str, list[dict]]):
    """Exercise, message and two who made one mistake that nearly nobody else made."""
    who = defaultdict(list)
    for student, items in told.items():
        for item in items:
            exercise = problem_set.exercises.get(item.get("exercise"))
            if exercise is not None and item.get("misconception") in exercise.mistakes:
                who[item["exercise"], item["misconception"]].append((student, item["message"]))
    for (exercise, _), own in who.items():
        if len(own) <= max(2, int(SHARE * len(told))):
            for (one, message), (other, _) in combinations(own, 2):
                yield exercise, message, one, other


def similar_page(problem_set: ProblemSet, comparison: Comparison) -> str:
    """The page as one file."""
    parts = [("What this can tell", _what_it_tells(comparison))]
    if comparison.pairs:
        parts.append(("Pairs", _pairs(comparison)))
    if comparison.unread:
        parts.append(("Not compared", table(["who", "what"], comparison.unread)))
    everybody = {who for found in comparison.answers.values() for who in found}
    opening = (
        f"{counted(len(comparison.pairs), 'pair')} among the answers of {len(everybody)} people"
        + (f", those of {', '.join(comparison.earlier)} included" if comparison.earlier else "")
        + ". Likeness begins a conversation and proves nothing."
    )
    return page(f"{problem_set.name}: answers that are alike", parts, opening, ["Not compared"])


def _pairs(comparison: Comparison) -> Markup:
    """How many are alike in how much, and each pair, which opens on a click."""
    often = sorted(Counter(pair.evidence[0] for pair in comparison.pairs).items())
    made = paragraph(
        "The more exercises and rare mistakes two have in common, the less it is chance: "
        + ", ".join(f"{counted(count, 'pair')} in {-number}" for number, count in often)
        + "."
    )
    for pair in comparison.pairs[:MOST]:
        made += fold(in_a_line(pair.in_words()), _pair(comparison, pair))
    if more := comparison.pairs[MOST:]:
        made += table([f"{len(more)} more"], [[pair.in_words()] for pair in more])
    return made


def _what_it_tells(comparison: Comparison) -> Markup:
    rows, alike_in = [], Counter(name for pair in comparison.pairs for name in pair.exercises)
    for name, item in comparison.figures.items():
        found = [f"{item.found[kind]} of {item.planted}" for kind in KINDS]
        remark = TOO_SHORT if item.too_short else ""
        answers = len(comparison.answers[name])
        rows.append([name, answers, alike_in[name], *found, f"{item.false} of {item.pairs}", remark])
    header = ["exercise", "answers", "pairs", *(f"found {kind}" for kind in KINDS), "false alarms", "remark"]
    few = few_of(max((len(found) for found in comparison.answers.values()), default=0))
    return (
        paragraph(
            "The likeness of short exercises means nothing: they have few right answers, and who works alone "
            "arrives at them too. So they are not compared. " + in_words(comparison.figures.values())
        )
        + paragraph(
            "The copies were made by a program, and the right versions, all of the rubric, were written to "
            "differ: a class that has learned from the same chapter is more alike, and who takes pains can "
            "hide more. Expect more false alarms than these, and fewer copies found."
        )
        + table(header, rows)
        + paragraph(
            "Compared is what the code computes: names, comments, the order of independent statements and "
            "the form of a call count for nothing. Nor does what the notebook, the library or the chapters "
            f"show, or more than {few} people have. Alike are two who share {ENOUGH:g} rare parts, and half "
            "of those that the shorter answer has. What they share is marked. A mistake is rare if at most "
            f"{SHARE:.0%} of all, or these two alone, made it."
        )
    )


def _pair(comparison: Comparison, pair: Together) -> Markup:
    made = Markup()
    for name in dict.fromkeys([*pair.exercises, *pair.mistakes]):
        rarity, features = comparison.rarities.get(name, (Rarity([]), {}))
        both = [features.get(who, frozenset()) for who in (pair.one, pair.other)]
        shared = {feature for feature in both[0] & both[1] if rarity.tells(feature)}
        answers = [comparison.answers[name].get(who, Answer("", "")) for who in (pair.one, pair.other)]
        made += Markup("<h3>{}</h3>").format(name)
        if found := pair.exercises.get(name):
            made += paragraph(f"{found.likeness:.0%} alike, {found.parts:.0f} rare parts shared.")
        if name in pair.mistakes:
            made += paragraph(f"Both were told, and few others: {pair.mistakes[name]}")
        blocks = [marked(item.text, _places(item.code, shared)) for item in answers]
        made += beside(*zip((pair.one, pair.other), blocks))
    return made


def _places(code: str, shared: set[int]) -> list[bool]:
    """For each letter, whether the innermost part that it stands in is shared."""
    flags = [False] * len(code)
    places = program(code).places if code else []
    for found, start, end in sorted(places, key=lambda place: place[1] - place[2]):
        flags[start:end] = [not shared.isdisjoint(found.features())] * (end - start)
    return flags
