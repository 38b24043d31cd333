"""A question about somebody's own code, and its kinds."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("what-if", "which-change", "trace", "does-it-matter", "mend", "why")


@dataclass(frozen=True)
class Question:
    """One question about the student's own code, as a person reads it. It holds no answer.

    `code` is the student's own, with one line changed or a mistake planted where the kind says so; `marked`
    are the lines of it, from 1, that the question is about. A question "why" has no choices, those of "mend"
    are the numbers of lines.
    """

    kind: str
    exercise: str
    prompt: str
    code: str
    marked: tuple[int, ...]
    choices: tuple[str, ...]
    difficulty: float

    def asks(self, answer: int | None) -> tuple:
        """What is the same where two papers ask one thing, whatever the order and the wrong choices."""
        right = "" if answer is None else self.choices[answer]
        return self.kind, self.exercise, self.prompt, self.code, right
