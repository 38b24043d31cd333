"""What a change of a right version does, in words: a clause that follows "It behaves as if".

It names the exercise's own arguments, numbers, and functions by the names that everybody uses. A value that a
right version has a name of its own for is told by what it is made of, since no student knows that name.
"""

from __future__ import annotations

import ast
import re

from allyouneed.check.questions.changes import Change, called

# calls that arrange memory in one way of several: a sentence with them says nothing to who goes another way
ARRANGING = re.compile(
    r"\b(reshape|view|movedim|(un)?flatten|broadcast_to|expand|stack(ed)?|joined|permute|(un)?squeeze|gather|unbind|"
    r"einsum|scatter\w*|index_\w+|masked_fill|full|new_\w+|item|append|compile|cat|chunk|split|roll|"
    r"items|get|setdefault|zip|enumerate)\b"
)
LONGEST = 60  # characters of a phrase for one value
VAGUE = "a value on the way"
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
BETWEEN = {
    ast.Add: "the sum of {} and {}",
    ast.Sub: "{} minus {}",
    ast.Mult: "{} times {}",
    ast.Div: "{} over {}",
    ast.FloorDiv: "{} over {}, rounded down",
    ast.Mod: "the remainder of {} by {}",
    ast.Pow: "{} to the power {}",
    ast.MatMult: "the matrix product of {} and {}",
    ast.BitAnd: "{} and {}",
    ast.BitOr: "{} or {}",
}
NOUNS = {
    "exp": "the exponential",
    "amax": "the maximum",
    "max": "the maximum",
    "min": "the minimum",
    "amin": "the minimum",
    "sum": "the sum",
    "mean": "the mean",
    "var": "the variance",
    "std": "the standard deviation",
    "sqrt": "the root",
    "rsqrt": "the inverse root",
    "log": "the logarithm",
    "abs": "the absolute value",
    "norm": "the length",
    "len": "the length",
    "cumsum": "the running sum",
    "outer": "the outer product",
    "arange": "a count",
    "range": "a count",
    "zeros": "zeros",
    "ones": "ones",
    "eye": "the identity",
    "cat": "the joined parts",
    "stack": "the stacked parts",
    "where": "a choice",
    "einsum": "a product",
    "any": "“any”",
    "all": "“all”",
    "matmul": "a matrix product",
}
# calls whose result is told by what they work on
THROUGH = (
    "float double int to type clone detach contiguous reshape view unsqueeze squeeze expand expand_as item "
    "masked_fill nan_to_num "
    "tolist as_tensor tensor list tuple type_as unflatten flatten"
).split()
WITHOUT_SUBJECT = ("zeros", "ones", "eye", "arange", "range", "where", "einsum", "cat", "stack")


class Words:
    """Phrases for the values of one right version."""

    def __init__(self, text: str):
        self.text, self.tree = text, ast.parse(text)
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.arguments = {node.arg for node in ast.walk(self.tree) if isinstance(node, ast.arg)} - {"self"}
        self.made: dict[str, list[ast.AST]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.made.setdefault(target.id, []).append(node.value)

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

    # values

    def phrase(self, node: ast.AST) -> str:
        """The value of an expression in words, no longer than can be read at once."""
        phrases = [self._phrase(node, depth) for depth in (3, 2, 1, 0)]
        return next((text for text in phrases if len(text) <= LONGEST and text.count(VAGUE) < 2), phrases[-1])

    def _phrase(self, node: ast.AST, depth: int) -> str:
        if isinstance(node, ast.Name):
            line = getattr(node, "lineno", 1)
            made = [value for value in self.made.get(node.id, []) if value.end_lineno < line]
            if node.id in self.arguments and not made:
                return node.id
            return self._phrase(made[-1], depth - 1) if made and depth else VAGUE
        if isinstance(node, ast.Constant):
            return f"“{node.value}”" if isinstance(node.value, str) else str(node.value)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                return node.attr
            if node.attr in ("pi", "inf"):
                return {"pi": "π", "inf": "∞"}[node.attr]
            inner = self._phrase(node.value, depth)
            if node.attr in ("values", "indices"):
                return inner
            return f"{inner} transposed" if node.attr in ("T", "mT") else f"the {node.attr} of {inner}"
        if isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                return node.slice.value
            if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
                return (
                    f"the size of {self._phrase(node.value.value, depth)} along axis {self.part(node.slice)}"
                )
            return f"a part of {self._phrase(node.value, depth)}"
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.operand, ast.Constant):
                return self.part(node)
            sign = "minus" if isinstance(node.op, ast.USub) else "not"
            return f"{sign} {self._phrase(node.operand, depth)}"
        if isinstance(node, ast.Call):
            return self._phrase_of_call(node, depth)
        if not depth:
            return VAGUE
        if isinstance(node, ast.BinOp) and type(node.op) in BETWEEN:
            pair = (self._phrase(item, depth - 1) for item in (node.left, node.right))
            return BETWEEN[type(node.op)].format(*pair)
        if isinstance(node, ast.Compare):
            pair = (self._phrase(item, depth - 1) for item in (node.left, node.comparators[0]))
            return "the comparison of {} with {}".format(*pair)
        return VAGUE

    def _phrase_of_call(self, node: ast.Call, depth: int) -> str:
        name, subject = called(node), self.subject(node)
        if name in WITHOUT_SUBJECT or subject is None:
            return NOUNS.get(name, f"what {name} gives") if name else VAGUE
        if name in THROUGH:
            return self._phrase(subject, depth)
        inner = self._phrase(subject, depth - 1) if depth else VAGUE
        if name in ("transpose", "swapaxes", "permute", "t"):
            return f"{inner} transposed"
        if inner == VAGUE:
            return NOUNS.get(name, f"the {name}")
        return f"{NOUNS.get(name, f'the {name}')} of {inner}"

    def subject(self, node: ast.Call) -> ast.AST | None:
        """What a call works on: a function's first argument, or the object of a method."""
        from_object = isinstance(node.func, ast.Attribute) and not (
            isinstance(node.func.value, ast.Name)
            and node.func.value.id in ("torch", "math", "F", "nn", "np", "self", "random")
            or isinstance(node.func.value, ast.Attribute)
        )
        return node.func.value if from_object else node.args[0] if node.args else None

    def part(self, node: ast.AST) -> str:
        return ast.get_source_segment(self.text, node) or ""

    def _name(self, node: ast.AST) -> str:
        name = called(node)
        return NOUNS.get(name) or (f"the {name}" if name else "a call")

    # one method for each kind of change

    def _operator(self, change, node):
        new = DONE[SYMBOLS[change.new.removesuffix("=") if change.new != "=" else "="]]
        if isinstance(node, ast.BoolOp):
            return f"two conditions were {new}, not {DONE[type(node.op)]}"
        if isinstance(node, ast.AugAssign):
            return f"a running value and {self.phrase(node.value)} were {new}, not {DONE[type(node.op)]}"
        return f"{self.phrase(node.left)} and {self.phrase(node.right)} were {new}, not {DONE[type(node.op)]}"

    def _exchanged(self, change, node):
        if isinstance(node, ast.BinOp):
            kind = {ast.Sub: "a difference", ast.Div: "a quotient", ast.Pow: "a power"}
            pair, where = (node.left, node.right), kind.get(type(node.op), "a matrix product")
        else:
            start = len(self.text[: change.start].encode())
            args = list(node.args)
            first = next(i for i, item in enumerate(args) if self._offset(item) == start)
            pair, where = args[first : first + 2], self._name(node)
        return f"{self.phrase(pair[0])} and {self.phrase(pair[1])} changed places in {where}"

    def _offset(self, node) -> int:
        lines = self.text.encode().split(b"\n")
        return sum(len(line) + 1 for line in lines[: node.lineno - 1]) + node.col_offset

    def _left_out(self, change, node):
        whole, told = self.parent.get(node), self.phrase(node)
        kind, last = type(getattr(whole, "op", None)), getattr(whole, "right", None) is node
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
        pair = f"{self.phrase(node.left)} and {self.phrase(node.comparators[-1])}"
        return f"{pair} were compared by “{change.new}”, not by “{self.text[change.start : change.end]}”"

    def _call(self, change, node):
        subject = self.subject(node)
        told = VAGUE if subject is None else self.phrase(subject)
        return f"{told} were taken as it is, without {self._name(node)}"

    def _keyword(self, change, node):
        call = self.parent[node]
        return f"{self._name(call)} did not get its {node.arg if isinstance(node, ast.keyword) else 'axis'}"

    def _constant(self, change, node):
        old, new = self.part(node), change.new.strip("()")
        if isinstance(node, ast.Attribute):
            old = "∞"
        whole = self.parent.get(node)
        if isinstance(whole, ast.UnaryOp):
            whole = self.parent.get(whole)
        if isinstance(whole, ast.keyword):
            return f"{whole.arg} were {new} in {self._name(self.parent[whole])}, not {old}"
        if isinstance(whole, ast.Call):
            return f"{new} stood for {old} in {self._name(whole)}"
        if isinstance(whole, ast.BinOp):
            other = whole.right if node in ast.walk(whole.left) else whole.left
            return f"{new} stood for {old} beside {self.phrase(other)}"
        if isinstance(whole, (ast.Slice, ast.Subscript, ast.Tuple)):
            while isinstance(whole, (ast.Slice, ast.Tuple)):
                whole = self.parent.get(whole)
            if isinstance(whole, ast.Subscript):
                return f"{new} stood for {old} in the place that is taken of {self.phrase(whole.value)}"
        if isinstance(whole, ast.Compare):
            return f"{self.phrase(whole.left)} were compared with {new}, not with {old}"
        return f"{new} stood for {old}"

    def _axis(self, change, node):
        old, whole = self.part(node), self.parent[node]
        while not isinstance(whole, (ast.Call, ast.Subscript)):
            whole = self.parent[whole]
        if isinstance(whole, ast.Subscript):
            return (
                f"the size of {self.phrase(whole.value.value)} were taken along axis {change.new}, not {old}"
            )
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
            return f"{self.phrase(node.value)} were never {DONE[type(node.op)]}"
        if isinstance(node, (ast.Break, ast.Continue)):
            return f"a loop were not {'ended early' if isinstance(node, ast.Break) else 'cut short'}"
        if isinstance(node, ast.Expr):
            return f"the step “{called(node.value)}” were left out"
        return f"{self.phrase(node.value)} were never put in its place"

    def instead(self, new: str, old: ast.AST) -> str:
        """A new expression that stands where the old one did."""
        return self.phrase(ast.increment_lineno(ast.parse(new, mode="eval").body, old.lineno - 1))

    def _function(self, change, node):
        whole = self.parent.get(node)
        subject = self.subject(whole) if isinstance(whole, ast.Call) else None
        old, new = (
            NOUNS.get(name, f"the {name}")
            for name in (node.attr if isinstance(node, ast.Attribute) else node.id, change.new)
        )
        told = f" of {self.phrase(subject)}" if subject is not None else ""
        return f"{new}{told} were taken, not {old}"


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
    else:
        clause = words.told(change)
    return re.sub(r"\s+", " ", f"It behaves as if {clause}.")
