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
# what is said of a term or a factor that is left out and has no name: by what stands beside it, right or left
BESIDE = {
    ast.Add: ("the term beside {} were left out",) * 2,
    ast.Sub: ("what {} is subtracted from were left out", "nothing were subtracted from {}"),
    ast.Mult: ("the factor beside {} were left out",) * 2,
    ast.Div: ("what is divided by {} were left out", "{} were not divided"),
    ast.BitAnd: ("the condition beside {} were left out",) * 2,
    ast.BitOr: ("the condition beside {} were left out",) * 2,
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
    "absolute": "the absolute value",
    "norm": "the length",
    "vector_norm": "the length",
    "hypot": "the length",
    "len": "the length",
    "cumsum": "the running sum",
    "outer": "the outer product",
    "arange": "a count",
    "range": "a count",
    "zeros": "zeros",
    "ones": "ones",
    "zeros_like": "zeros",
    "ones_like": "ones",
    "full_like": "a constant",
    "eye": "the identity",
    "cat": "the joined parts",
    "stack": "the stacked parts",
    "where": "a choice",
    "einsum": "a product",
    "any": "“any”",
    "all": "“all”",
    "matmul": "a matrix product",
    "bmm": "a matrix product",
    "mm": "a matrix product",
    "dot": "a product",
    "lerp": "a mixture",
    "pow": "a power",
    "add": "the sum",
    "sub": "the difference",
    "mul": "the product",
    "div": "the quotient",
    "normalize": "the normalization",
    "cdist": "the distances",
    "log1p": "the logarithm",
    "exp2": "the power of 2",
    "matrix_exp": "the matrix exponential",
    "logsumexp": "the logarithm of the summed exponentials",
    "log_softmax": "the logarithm of the softmax",
    "logsigmoid": "the logarithm of the sigmoid",
    "cross_entropy": "the cross-entropy",
    "binary_cross_entropy_with_logits": "the binary cross-entropy",
    "cosine_similarity": "the cosine",
    "argmax": "the place of the maximum",
    "argmin": "the place of the minimum",
    "argsort": "the order",
    "sorted": "the sorted values",
    "isclose": "the comparison",
    "allclose": "the comparison",
    "equal": "the comparison",
    "isin": "the test of membership",
    "logical_not": "the inversion",
    "cumprod": "the running product",
    "cummax": "the running maximum",
    "diff": "the differences",
    "triu": "the upper triangle",
    "tril": "the lower triangle",
    "diag": "the diagonal",
    "one_hot": "the one-hot vectors",
    "linear": "the linear map",
    "relu": "the ReLU",
    "gelu": "the GELU",
    "rms_norm": "the RMS normalization",
    "var_mean": "the variance",
    "rad2deg": "the angle in degrees",
    "radians": "the angle in radians",
    "acos": "the angle",
    "round": "the rounding",
    "floor": "the rounding down",
    "ceil": "the rounding up",
    "flip": "the reverse",
    "transpose": "the transposition",
    "swapaxes": "the transposition",
    "randn": "the drawn numbers",
    "rand": "the drawn numbers",
    "randperm": "a permutation",
}
# calls whose result is told by what they work on
THROUGH = (
    "float double int to type clone detach contiguous reshape view unsqueeze squeeze expand expand_as item "
    "masked_fill nan_to_num "
    "tolist as_tensor tensor list tuple type_as unflatten flatten deepcopy "
    "rad2deg radians"
).split()
WITHOUT_SUBJECT = (
    "zeros ones zeros_like ones_like full_like eye arange range where einsum cat stack randn rand randperm"
).split()
MOVING = ("transpose", "swapaxes", "movedim", "permute", "unsqueeze", "squeeze", "roll")


class Words:
    """Phrases for the values of one right version."""

    def __init__(self, text: str):
        self.text, self.tree = text, ast.parse(text)
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        functions = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]
        own = [node for node in functions if self._is_own(node)]
        self.arguments = {
            arg.arg for node in own for arg in ast.walk(node.args) if isinstance(arg, ast.arg)
        } - {"self"}
        self.helpers = {node.name for node in functions if node not in own}
        self.made: dict[str, list[ast.AST]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.made.setdefault(target.id, []).append(node.value)
                        if isinstance(node.value, ast.Lambda):
                            self.helpers.add(target.id)

    def _is_own(self, node: ast.FunctionDef) -> bool:
        """Whether a function is the exercise's, or a method that everybody writes, and no helper."""
        whole = self.parent[node]
        return isinstance(whole, ast.Module) or (
            isinstance(whole, ast.ClassDef) and node.name in ("__init__", "forward")
        )

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
            if node.value is None:
                return VAGUE
            return f"“{node.value}”" if isinstance(node.value, str) else str(node.value)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                return node.attr
            if node.attr in ("pi", "inf"):
                return {"pi": "π", "inf": "∞"}[node.attr]
            inner = self._phrase(node.value, depth)
            if inner == VAGUE or node.attr in ("values", "indices"):
                return inner
            return f"{inner} transposed" if node.attr in ("T", "mT") else f"the {node.attr} of {inner}"
        if isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                return node.slice.value
            if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
                return (
                    f"the size of {self._phrase(node.value.value, depth)} along axis {self.part(node.slice)}"
                )
            inner = self._phrase(node.value, depth)
            return inner if inner == VAGUE else f"a part of {inner}"
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.operand, ast.Constant):
                return self.part(node)
            sign = "minus" if isinstance(node.op, ast.USub) else "not"
            inner = self._phrase(node.operand, depth)
            return inner if inner == VAGUE else f"{sign} {inner}"
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
        if name in self.helpers:
            return VAGUE
        if name in WITHOUT_SUBJECT or subject is None:
            return NOUNS.get(name, f"what {name} gives") if name else VAGUE
        if name in THROUGH:
            return self._phrase(subject, depth)
        inner = self._phrase(subject, depth - 1) if depth else VAGUE
        if name in ("transpose", "swapaxes", "permute", "t"):
            return f"{inner} transposed"
        told = self._name(node)
        return told if inner == VAGUE else f"{told} of {inner}"

    def subject(self, node: ast.Call) -> ast.AST | None:
        """What a call works on: a function's first argument, or the object of a method."""
        from_object = isinstance(node.func, ast.Attribute) and not (
            isinstance(node.func.value, ast.Name)
            and node.func.value.id in ("torch", "math", "F", "nn", "np", "self", "random")
            or isinstance(node.func.value, ast.Attribute)
        )
        return node.func.value if from_object else node.args[0] if node.args else None

    def _pair(self, first: ast.AST, second: ast.AST) -> str:
        pair = f"{self.phrase(first)} and {self.phrase(second)}"
        return pair if pair.count(VAGUE) < 2 else "two values on the way"

    def part(self, node: ast.AST) -> str:
        return ast.get_source_segment(self.text, node) or ""

    def _name(self, node: ast.AST) -> str:
        name = called(node)
        if name in self.helpers:
            return "a step"
        if self._is_part(node):
            return name
        if name == "forward" and isinstance(node.func.value, ast.Attribute):
            return node.func.value.attr
        return NOUNS.get(name) or (f"the {name}" if name else "a call")

    def _is_part(self, node: ast.Call) -> bool:
        """Whether a part of a module, or a function that is given, is called: it has its own name."""
        name = node.func
        return (isinstance(name, ast.Name) and name.id in self.arguments) or (
            isinstance(name, ast.Attribute) and isinstance(name.value, ast.Name) and name.value.id == "self"
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
