"""Evidence that the questions are good: made of right and wrong versions of every exercise, and checked.

`python -m coursegrader.defence.evidence OUT.json VERSIONS NN-name...` adds the figures of problem sets, one
row an exercise; `page` writes them as a table. The versions are a rubric's, which run here without a jail.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path

import torch

from allyouneed.check.questions.asking import Asked, asked, fill
from allyouneed.check.questions.inputs import probes_of
from allyouneed.check.questions.kinds import options
from allyouneed.check.questions.made import line_of
from allyouneed.check.questions.own_code import NotUsable, from_texts
from allyouneed.check.questions.question import KINDS
from allyouneed.check.variants import run_all
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.choosing import QUESTIONS
from coursegrader.defence.fresh import wrong_key
from coursegrader.defence.job import arguments_of
from coursegrader.errors import RubricError

CHECKED = ("what-if", "which-change", "does-it-matter", "mend")
RULES = {  # what somebody might guess by who sees the form alone
    "first": lambda choices, own: 0,
    "longest": lambda choices, own: max(range(len(choices)), key=lambda number: len(choices[number])),
    "shortest": lambda choices, own: min(range(len(choices)), key=lambda number: len(choices[number])),
    "unchanged": lambda choices, own: choices.index(own) if own in choices else None,
}


def figures(problem_set: ProblemSet, name: str, most: int, seed: int = 1) -> dict:
    """The figures of one exercise over up to `most` right and `most` wrong versions."""
    exercise = problem_set.exercise(name)
    fingerprint = problem_set.fingerprints("public", [name])[name]
    above = "\n".join(
        [problem_set.prelude, *(text for other, text in problem_set.helpers.items() if other != name)]
    )
    fresh = probes_of(problem_set.outline("fresh", name))
    probes = probes_of(problem_set.outline("hidden", name))  # none of those that a key rests on
    sources = [version.source for version in (exercise.reference, *exercise.alternatives)][:most]
    wrong = list(dict.fromkeys(version.source for version in exercise.wrong_versions))
    sources += random.Random(seed).sample(wrong, min(most, len(wrong)))
    row = {"exercise": name, "versions": 0, "unused": 0, "six": 0, "checked": 0, "wrong_keys": []}
    kinds, guessed, asked_of = Counter(), Counter(), Counter()
    for number, source in enumerate(sources):
        try:
            own = from_texts(name, source, above)
        except NotUsable:
            row["unused"] += 1
            continue
        item = asked(own, fingerprint, random.Random(f"{seed} {name} {number}"), QUESTIONS, fresh)
        fill(item, run_all({name: item.task}).get(name, {}))
        row["versions"] += 1
        rng = random.Random(f"{seed} {name} {number} questions")
        row["six"] += _look(item, probes, row, kinds, guessed, asked_of, rng)
    row["kinds"] = {kind: kinds[kind] for kind in KINDS}
    row["guessed"] = {rule: guessed[rule] for rule in RULES}
    row["asked"] = asked_of["what-if"]
    return row


def _look(item: Asked, probes: list[dict], row: dict, kinds, guessed, asked_of, rng: random.Random) -> bool:
    """Count and check the questions of a version; return whether there are six different ones."""
    total = 0
    for kind in KINDS:
        made = {one.topic: one for one in options(kind, item, rng)}
        total += len(made)
        kinds[kind] += bool(made)
        for one in list(made.values())[:3]:
            if kind == "what-if":
                asked_of[kind] += 1
                own = next(
                    (
                        text
                        for index in range(len(item.inputs))
                        if (text := item.told(0, index)) in one.question.choices
                    ),
                    "",
                )
                for rule, guess in RULES.items():
                    guessed[rule] += guess(list(one.question.choices), own) == one.answer
            if kind not in CHECKED:
                continue
            told = _matters(item, one, probes) if kind == "does-it-matter" else _checked(item, one)
            row["checked"] += told is None
            if told:
                row["wrong_keys"].append(f"{kind}: {told[:200]}")
    return total >= 6


def _matters(item: Asked, one, probes: list[dict]) -> str | None:
    """Why a change that is said to leave every result the same does not, on other probes; else None."""
    right = one.question.choices[one.answer]
    text = next(change.text for change in item.changed if line_of(change) == right)
    task = item.task | {"texts": [item.own.text], "noted": ""}
    alone = task | {"driver": task["probe_driver"], "inputs": probes, "wanted": len(probes)}
    # without those on which the code itself fails
    probes = [probes[number] for number in run_all({"it": alone})["it"]["inputs"]]
    task |= {"texts": [item.own.text, text], "probes": probes}
    # once more where it is not: on a busy machine a call may end at its limit of time
    same = any(run_all({"it": task})["it"]["same"] == [1] for _ in range(2))
    return None if same else f"another result with {right!r}"


def _checked(item: Asked, one) -> str | None:
    dtypes = {}
    for probe in item.inputs if item.plain else ():
        arguments, keywords = arguments_of(probe)
        pairs = [*zip(item.own.parameters, arguments), *keywords.items()]
        tables = [
            (key, next(iter(value.values()))) for key, value in pairs if isinstance(value, dict) and value
        ]
        pairs += tables
        dtypes |= {key: value.dtype for key, value in pairs if isinstance(value, torch.Tensor)}
        dtypes |= {
            key: [item.dtype for item in value]
            for key, value in pairs
            if isinstance(value, (list, tuple)) and value and all(hasattr(item, "dtype") for item in value)
        }
    try:
        return wrong_key(one.question, one.answer, item.own.support, item.own.text, dtypes)
    except Exception as error:
        return f"not checked: {type(error).__name__}: {error}"


def main() -> None:
    out, most, *names = Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]
    rows = json.loads(out.read_text()) if out.exists() else []
    for name in names:
        problem_set = ProblemSet(Path.cwd(), name)
        for exercise in problem_set.exercises:
            if exercise in {row["exercise"] for row in rows}:
                continue
            try:
                rows.append(figures(problem_set, exercise, most))
            except RubricError as error:  # of this exercise alone
                print(f"{exercise}: {error}", file=sys.stderr)
                continue
            out.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
