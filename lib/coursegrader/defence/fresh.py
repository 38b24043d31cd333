"""Check a key by running the code that a paper shows anew, as a reader would: from its text alone.

Nothing of what made the paper is used but how a value is written. The code runs in this process, so it is for
versions of a rubric, never for a student's.
"""

from __future__ import annotations

import ast
import re

import torch

from allyouneed.check.questions.question import Question
from allyouneed.check.questions.told import tell
from allyouneed.check.wire import decode, encode

CALL = re.compile(
    r"(?:[Ff]or|with) ((?:\w+ = .+?)(?:, \w+ = .+?)*?)(?:\?|,? your code gives|\. What| it gives)"
)


def wrong_key(question: Question, answer: int | None, support: str, own: str, floats: dict) -> str | None:
    """Why the key is wrong, or None where it is right or this kind cannot be checked from the text.

    `own` is the text as handed in, `floats` gives by name the dtype of arguments that are tensors, or lists
    or dicts of them; of a list it is a list.
    """
    if answer is None:
        return None
    if len(set(question.choices)) < len(question.choices):
        return "two choices are alike"
    right = question.choices[answer]
    if question.kind == "mend":
        pairs = zip(own.split("\n"), question.code.split("\n"))
        other = [str(number) for number, (one, two) in enumerate(pairs, start=1) if one != two]
        return None if other == [right] else f"lines {other} differ, and the key says {right}"
    if question.kind not in ("what-if", "which-change"):
        return None
    if question.kind == "what-if":
        got = _run(question, support, question.code, _arguments(question.prompt, floats))
        return None if got == right else f"the code gives {got}, and the key says {right}"
    wanted = re.search(r"with one line changed it gives (.+)\. Which change", question.prompt)
    for choice in question.choices:
        number, text = re.fullmatch(r"line (\d+): (.*)", choice).groups()
        lines = question.code.split("\n")
        old = lines[int(number) - 1]
        lines[int(number) - 1] = old[: len(old) - len(old.lstrip())] + text
        arguments = _arguments(question.prompt, floats)  # anew each time: the code may change them
        got = _run(question, support, "\n".join(lines), arguments)
        if (got == wanted[1]) != (choice == right):
            return f"{choice} gives {got}, and the key says {right}"
    return None


def _arguments(prompt: str, floats: dict) -> dict:
    """The arguments that a prompt shows."""
    shown = CALL.search(prompt)[1]
    found = {}
    for name, text in re.findall(r"(\w+) = (.+?)(?=, \w+ = |$)", shown):
        value = ast.literal_eval(text)
        if name not in floats:
            found[name] = value
        elif isinstance(floats[name], list):
            found[name] = [torch.tensor(item, dtype=kind) for item, kind in zip(value, floats[name])]
        elif isinstance(value, dict):
            found[name] = {key: torch.tensor(item, dtype=floats[name]) for key, item in value.items()}
        else:
            found[name] = torch.tensor(value, dtype=floats[name])
    return found


def _run(question: Question, support: str, code: str, arguments: dict) -> str:
    namespace: dict = {}
    exec(support, namespace)
    exec(code, namespace)
    try:
        return tell(decode(encode(namespace[question.exercise](**arguments))))  # arrays of NumPy are tensors
    except Exception as error:
        return type(error).__name__
