"""Which questions a paper asks: the same kinds for all, about different exercises where possible."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, field

from allyouneed.check.questions.asking import Asked
from allyouneed.check.questions.kinds import Made, options
from allyouneed.check.questions.question import KINDS
from coursegrader.defence.difficulty import AIM, Difficulty
from coursegrader.defence.paper import Key, Paper

QUESTIONS, NO_ANSWERS = 6, Difficulty()


@dataclass
class Work:
    """A student on the way: what is asked of each exercise, and what is known by now. `exercises` are all of
    the problem set, in the order of this class."""

    student: str
    seed: str
    nonce: str
    exercises: list[str]
    items: dict[str, Asked] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def seed_of(secret: str, *parts: str) -> str:
    """A seed that follows from the course's secret, and tells nothing of it."""
    return hmac.new(secret.encode(), "\n".join(("defence", *parts)).encode(), hashlib.sha256).hexdigest()[:24]


def paper_of(
    name: str,
    work: Work,
    secret: str,
    questions: int,
    taken: Set[tuple] = frozenset(),
    difficulty: Difficulty = NO_ANSWERS,
) -> tuple[Paper, Key]:
    """The paper of a student: a question of each kind in turn, about different exercises where possible, and
    none of those that are `taken` by neighbours as long as there are others."""
    rng, notes = random.Random(f"{work.seed} paper"), list(work.notes)
    made: dict[int, Made] = {}
    used: dict[str, int] = {}
    topics: set[str] = set()
    lines: Counter[tuple] = Counter()  # of which line of what exercise a kind has asked
    calls: set[tuple[str, str]] = set()  # what is shown with its result: another question would give it away
    # first those with a line to be found: about what no other question shows as it was
    for number in sorted(range(questions), key=lambda number: KINDS[number % len(KINDS)] != "mend"):
        kind = KINDS[number % len(KINDS)]
        order = list(work.exercises)
        random.Random(seed_of(secret, name, kind, str(number))).shuffle(order)  # the same for the whole class
        mended = {item.question.exercise for item in made.values() if item.question.kind == "mend"}
        order = [one for one in order if one in work.items]
        order.sort(key=lambda one: (one in mended and kind != "mend", used.get(one, 0)))
        asked_of = Counter(item.question.kind for item in made.values())
        kinds = [kind, *sorted((other for other in KINDS if other != kind), key=asked_of.__getitem__)]
        found = next(
            (
                found
                for avoided in ([taken, set()] if taken else [set()])
                for other in kinds
                for shown in ([calls, set()] if calls else [set()])
                if (found := _first(other, order, work.items, rng, topics, shown, avoided, difficulty, lines))
            ),
            None,
        )
        if found is None or found.question.kind != kind:
            notes.append(f"No question of the kind “{kind}” could be made of this code.")
        if found is not None:
            if found.question.kind != kind:
                notes[-1] += f" One of the kind “{found.question.kind}” stands for it."
            made[number] = found
            topics.add(found.topic)
            lines[found.question.kind, found.question.exercise, found.question.marked] += 1
            calls.add((found.question.exercise, found.call))
            used[found.question.exercise] = used.get(found.question.exercise, 0) + 1
    asked = [made[number] for number in sorted(made)]
    paper = Paper(work.student, name, work.seed, tuple(item.question for item in asked), tuple(notes))
    return paper, Key(tuple(item.answer for item in asked), tuple(item.explanation for item in asked))


def _first(
    kind: str,
    order: list[str],
    items: dict[str, Asked],
    rng,
    topics: set[str],
    calls: Set[tuple[str, str]],
    avoided: Set[tuple],
    difficulty: Difficulty,
    lines: Counter[tuple],
) -> Made | None:
    """Of the first exercise that allows this kind, the question whose difficulty is nearest to the aim, of
    those about lines that this kind has not asked about."""
    for exercise in order:
        found = [
            made
            for made in options(kind, items[exercise], rng)
            if made.topic not in topics
            and made.question.asks(made.answer) not in avoided
            and not (made.call and (exercise, made.call) in calls)
        ]
        if found:
            return min(
                found,
                key=lambda made: (
                    lines[kind, exercise, made.question.marked],
                    abs(difficulty.of(made.question) - AIM),
                ),
            )
    return None
