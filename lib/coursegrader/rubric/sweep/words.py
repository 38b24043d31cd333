"""What a change of a right version does, in words: a clause that follows "It behaves as if"."""

from __future__ import annotations

import ast
import re

from allyouneed.check.questions.calls import called
from allyouneed.check.questions.tree import Change
from coursegrader.rubric.sweep.phrases import NOUNS, VAGUE, WITHOUT_SUBJECT, Phrases

# calls that arrange memory in one way of several: a sentence with them says nothing to who goes another way
ARRANGING = re.compile(
    r"\b(reshape|view|movedim|(un)?flatten|broadcast_to|expand|stack(ed)?|joined|permute|(un)?squeeze|gather|unbind|"
    r"einsum|scatter\w*|index_\w+|masked_fill|full|new_\w+|item|append|compile|cat|chunk|split|roll|"
    r"items|get|setdefault|zip|enumerate)\b"
)
DONE = {
    ast.Add: "added",
    ast.Sub: "subtracted",
    ast.Mult: "multiplied",
    ast.Div: "divided",
    ast.FloorDiv: "divided and rounded down",
    ast.Mod: "reduced to a remainder",
    ast.Pow: "raised to a power",
    ast.MatMult: "multiplied as matrices",
    ast.BitAnd: "joined by “and”",
    ast.BitOr: "joined by “or”",
    ast.And: "joined by “and”",
    ast.Or: "joined by “or”",
}
SYMBOLS = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod}
SYMBOLS |= {"**": ast.Pow, "&": ast.BitAnd, "|": ast.BitOr, "and": ast.And, "or": ast.Or}
# what is said of a term or a factor that is left out and has no name: by what stands beside it, right or left
BESIDE = {
    ast.Add: ("the term beside {} were left out",) * 2,
    ast.Sub: ("what {} is subtracted from were left out", "nothing were subtracted from {}"),
    ast.Mult: ("the factor beside {} were left out",) * 2,
    ast.Div: ("what is divided by {} were left out", "{} were not divided"),
    ast.BitAnd: ("the condition beside {} were left out",) * 2,
    ast.BitOr: ("the condition beside {} were left out",) * 2,
}
MOVING = ("transpose", "swapaxes", "movedim", "permute", "unsqueeze", "squeeze", "roll")


class Words(Phrases):
    """Clauses for the changes of one right version."""

    def told(self, change: Change) -> str:
        """The clause for a change of this version."""
        node = self._mine(change.node)
        return getattr(self, "_" + change.kind.replace("-", "_"))(change, node)

    def _mine(self, node: ast.AST) -> ast.AST:
        """The node of this tree that stands where `node` does in the tree that was changed."""
        where = [
            getattr(node, name, None) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
        ]
        return next(
            item
            for item in ast.walk(self.tree)
            if type(item) is type(node)
            and [
                getattr(item, name, None) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
            ]
            == where
        )

    # one method for each kind of change

    def _operator(self, change, node):
        new = DONE[SYMBOLS[change.new.removesuffix("=") if change.new != "=" else "="]]
        if isinstance(node, ast.BoolOp):
            return f"two conditions were {new}, not {DONE[type(node.op)]}"
        if isinstance(node, ast.AugAssign):
            return f"a running value and {self.phrase(node.value)} were {new}, not {DONE[type(node.op)]}"
        return f"{self._pair(node.left, node.right)} were {new}, not {DONE[type(node.op)]}"

    def _exchanged(self, change, node):
        if isinstance(node, ast.BinOp):
            kind = {ast.Sub: "a difference", ast.Div: "a quotient", ast.Pow: "a power"}
            pair, where = (node.left, node.right), kind.get(type(node.op), "a matrix product")
        else:
            start = len(self.text[: change.start].encode())
            args = list(node.args)
            first = next(i for i, item in enumerate(args) if self._offset(item) == start)
            pair, where = args[first : first + 2], self._name(node)
        return f"{self._pair(*pair)} changed places in {where}"

    def _offset(self, node) -> int:
        lines = self.text.encode().split(b"\n")
        return sum(len(line) + 1 for line in lines[: node.lineno - 1]) + node.col_offset

    def _left_out(self, change, node):
        whole, told = self.parent.get(node), self.phrase(node)
        kind, last = type(getattr(whole, "op", None)), getattr(whole, "right", None) is node
        if VAGUE in told and isinstance(whole, ast.BinOp) and kind in BESIDE:
            other = self.phrase(whole.left if last else whole.right)
            if other.count(VAGUE) < told.count(VAGUE) and not ARRANGING.search(other):
                return BESIDE[kind][last].format(other)
        if kind is ast.Sub and last:
            return f"{told} were not subtracted"
        if kind in (ast.Div, ast.FloorDiv):
            return f"there were no division by {told}"
        if kind is ast.Pow:
            return f"{self.phrase(whole.left)} were not raised to the power {told}"
        if kind is ast.Mod:
            return f"no remainder by {told} were taken"
        word = {ast.Mult: "factor", ast.Add: "term", ast.Sub: "term"}.get(kind, "condition")
        return f"the {word} “{told}” were left out"

    def _kept_last(self, change, node):
        all_ = f"where all are {DONE[type(node.op)]}"
        return f"a running value were only the last {self.phrase(node.value)}, {all_}"

    def _sign(self, change, node):
        whole = self.parent.get(node)
        if isinstance(whole, ast.UnaryOp) and not change.new.startswith("(-"):
            if isinstance(whole.op, ast.USub):
                return f"{self.phrase(node)} stood without its minus"
            return f"{self.phrase(node)} were not inverted"
        return f"{self.phrase(node)} had the other sign"

    def _comparison(self, change, node):
        pair = self._pair(node.left, node.comparators[-1])
        return f"{pair} were compared by “{change.new}”, not by “{self.text[change.start : change.end]}”"

    def _call(self, change, node):
        subject, name = self.subject(node), self._name(node)
        told = VAGUE if subject is None else self.phrase(subject)
        if called(node) in WITHOUT_SUBJECT:
            return f"{told} stood where {name} belong{'' if name in ('zeros', 'ones') else 's'}"
        return f"{name} were left out" if told == VAGUE else f"{name} of {told} were left out"

    def _keyword(self, change, node):
        call = self.parent[node]
        return f"{self._name(call)} did not get its {node.arg if isinstance(node, ast.keyword) else 'axis'}"

    def _constant(self, change, node):
        new = change.new.strip("()")
        if isinstance(node, ast.Attribute):  # of math or torch: the infinity
            old, signed = "∞", self.parent.get(node)
            if isinstance(signed, ast.UnaryOp):
                return f"{new} stood for −∞"
        else:
            old, signed = self.part(node), node
        whole = self.parent.get(node)
        if isinstance(whole, ast.UnaryOp):
            old, new = (self._signed(whole, text) for text in (old, new)) if node is not whole else (old, new)
            node, whole = whole, self.parent.get(whole)
        if isinstance(whole, ast.keyword):
            return f"{whole.arg} were {new} in {self._name(self.parent[whole])}, not {old}"
        if isinstance(whole, ast.Call):
            return f"{new} stood for {old} in {self._name(whole)}"
        if isinstance(whole, ast.BinOp):
            other = whole.right if whole.left is node else whole.left
            return f"{new} stood for {old} beside {self.phrase(other)}"
        if isinstance(whole, (ast.Slice, ast.Subscript, ast.Tuple)):
            return self._place(node, new, old)
        if isinstance(whole, ast.Compare):
            return f"{self.phrase(whole.left)} were compared with {new}, not with {old}"
        if isinstance(whole, ast.AugAssign):
            return f"{new} were {DONE[type(whole.op)]}, not {old}"
        if isinstance(whole, ast.Assign):
            into = isinstance(whole.targets[0], ast.Subscript)
            return f"{new} were put in, not {old}" if into else f"a value started as {new}, not as {old}"
        if isinstance(whole, ast.Return):
            return f"{new} were returned, not {old}"
        if isinstance(whole, ast.IfExp):
            told = self.phrase(whole.test)
            return f"{new} were taken, not {old}, by a condition" + (f" ({told})" if told != VAGUE else "")
        return f"{new} stood for {old}"

    def _signed(self, whole: ast.UnaryOp, number: str) -> str:
        sign = "-" if isinstance(whole.op, ast.USub) else ""
        return number.removeprefix("-") if sign and number.startswith("-") else f"{sign}{number}"

    def _place(self, node, new: str, old: str) -> str:
        """What is said of a number within brackets."""
        whole, end = self.parent[node], None
        if isinstance(whole, ast.Slice):
            end = "began" if node is whole.lower else "ended" if node is whole.upper else None
        while isinstance(whole, (ast.Slice, ast.Tuple)):
            whole = self.parent.get(whole)
        if not isinstance(whole, ast.Subscript):
            return f"{new} stood for {old}"
        told = self.phrase(whole.value)
        if end:
            return f"a part of {told} {end} at {new}, not at {old}"
        return f"place {new} of {told} were taken, not place {old}"

    def _axis(self, change, node):
        old, whole = self.part(node), self.parent[node]
        while not isinstance(whole, (ast.Call, ast.Subscript)):
            whole = self.parent[whole]
        if isinstance(whole, ast.Subscript):
            return (
                f"the size of {self.phrase(whole.value.value)} were taken along axis {change.new}, not {old}"
            )
        if not isinstance(ast.literal_eval(old), int):  # min(1.0, x), say
            return f"{change.new} stood for {old} in {self._name(whole)}"
        if called(whole) in MOVING:
            return f"{self._name(whole)} moved axis {change.new}, not {old}"
        return f"{self._name(whole)} were taken along axis {change.new}, not {old}"

    def _bound(self, change, node):
        way = "more" if "+" in change.new.removeprefix(self.part(node)) else "less"
        whole = self.parent[node]
        if isinstance(whole, ast.Call):
            end = (
                "end"
                if node is whole.args[-1] or len(whole.args) > 1 and node is whole.args[1]
                else "beginning"
            )
            return f"the {end} of a count ({self.phrase(node)}) were one {way}"
        if isinstance(whole, ast.Slice):
            end = "end" if node is whole.upper else "beginning"
            return f"the {end} of a part of {self.phrase(self.parent_subscript(whole).value)} were one {way}"
        way = "later" if way == "more" else "earlier"
        return f"{self.phrase(self.parent_subscript(whole).value)} were read one place {way}"

    def parent_subscript(self, node):
        while not isinstance(node, ast.Subscript):
            node = self.parent[node]
        return node

    def _bound_dropped(self, change, node):
        whole = self.parent[node]
        end = "end" if node is whole.upper else "beginning"
        return f"a part of {self.phrase(self.parent_subscript(whole).value)} had no {end}"

    def _context(self, change, node):
        return f"{self._name(node.items[0].context_expr)} were not in force"

    def _always_true(self, change, node):
        return f"a condition ({self.phrase(node)}) always held"

    def _always_false(self, change, node):
        return f"a condition ({self.phrase(node)}) never held"

    def _statement(self, change, node):
        if isinstance(node, ast.AugAssign):
            told = self.phrase(node.value)
            return f"{'a value' if told == VAGUE else told} were never {DONE[type(node.op)]}"
        if isinstance(node, (ast.Break, ast.Continue)):
            return f"a loop were not {'ended early' if isinstance(node, ast.Break) else 'cut short'}"
        if isinstance(node, ast.Expr):
            return f"the step “{called(node.value)}” were left out"
        told = self.phrase(node.value)
        if isinstance(node.targets[0], ast.Subscript):
            return f"{told} were never put in its place"
        return "a step were left out" if told == VAGUE else f"the step that gives {told} were left out"

    def instead(self, new: str, old: ast.AST) -> str:
        """A new expression that stands where the old one did."""
        return self.phrase(ast.increment_lineno(ast.parse(new, mode="eval").body, old.lineno - 1))

    def _function(self, change, node):
        whole = self.parent.get(node)
        subject = self.subject(whole) if isinstance(whole, ast.Call) else None
        if isinstance(whole, ast.Call) and called(whole) in WITHOUT_SUBJECT:
            subject = None
        old, new = (
            NOUNS.get(name, f"the {name}")
            for name in (node.attr if isinstance(node, ast.Attribute) else node.id, change.new)
        )
        told = VAGUE if subject is None else self.phrase(subject)
        return f"{new}{'' if told == VAGUE else f' of {told}'} were taken, not {old}"


def unclear(sentence: str) -> tuple[bool, int, int]:
    """Of two sentences the one with the smaller value tells more."""
    return not is_clear(sentence), sentence.count(VAGUE), len(sentence)


def is_clear(sentence: str) -> bool:
    """Whether a sentence says something to a reader who has not seen the right version."""
    return sentence.count(VAGUE) < 2 and not ARRANGING.search(sentence)


def as_if_sentence(text: str, change: Change) -> str:
    """The whole sentence for a change of the right version `text`."""
    words = Words(text)
    if change.kind == "name":
        node = words._mine(change.node)
        old, new = words.phrase(node), words.instead(change.new, node)
        clause = f"{new} stood where {old} belongs"
        if VAGUE in new and VAGUE in old:
            clause = "one value on the way stood where another belongs"
    else:
        clause = words.told(change)
    return re.sub(r"\s+", " ", f"It behaves as if {clause}.")
