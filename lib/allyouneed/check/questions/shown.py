"""How a question looks, in any form: what a student wrote is text of bounded length that steers nothing."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable

from allyouneed.check.questions.question import Question

MOST_LINES, MOST_COLUMNS = 200, 400
TITLES = {
    "what-if": "What if?",
    "which-change": "Which change?",
    "trace": "Trace",
    "does-it-matter": "Does it matter?",
    "mend": "Find the changed line",
    "why": "Why?",
}


def plain(text: str, drawable: Callable[[str], bool] = lambda char: True) -> str:
    """Text in which each character is seen for what it is: those that cannot be drawn, or that would change
    the order or place of others, stand as their escapes."""
    return "".join(char if _harmless(char) and drawable(char) else _escape(char) for char in text)


def _harmless(char: str) -> bool:
    # control, format (also right-to-left overrides), surrogate, private and unassigned; separators; marks
    # that are drawn over others, by which one line could blacken the next
    return char == " " or unicodedata.category(char) not in {
        *("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs", "Mn", "Me")
    }


def _escape(char: str) -> str:
    number = ord(char)
    return (
        f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"
    )


def lines_of(text: str, drawable: Callable[[str], bool] = lambda char: True) -> list[str]:
    """The lines of code or of a choice; what is longer than anybody reads is cut, and says so."""
    text = unicodedata.normalize("NFC", text[: 4 * MOST_LINES * MOST_COLUMNS]).expandtabs(4)
    lines = text.rstrip("\n").split("\n")
    cut = [
        plain(line[:MOST_COLUMNS], drawable) + ("… (cut)" if len(line) > MOST_COLUMNS else "")
        for line in lines[:MOST_LINES]
    ]
    return cut + (["… (cut)"] if len(lines) > MOST_LINES else [])


def label(question: Question, choice: int) -> str:
    """What stands beside a choice, and what a person types for it: a letter, or the number of a line."""
    return question.choices[choice] if question.kind == "mend" else string.ascii_uppercase[choice]


def choice_of(question: Question, typed: str) -> int | None:
    """The choice that is meant by a letter or the number of a line; None if there is no such choice."""
    labels = [label(question, number) for number in range(len(question.choices))]
    typed = typed.strip().upper().removeprefix("LINE").strip()
    return labels.index(typed) if typed in labels else None


def title(question: Question) -> str:
    return TITLES.get(question.kind, question.kind)
