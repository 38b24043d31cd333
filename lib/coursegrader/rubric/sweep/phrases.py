"""What a value of a right version is, in words: the exercise's own arguments, numbers, and functions
by the names that everybody uses.

A value that a right version has a name of its own for is told by what it is made of, since no student knows
that name.
"""

from __future__ import annotations

import ast

from allyouneed.check.questions.calls import called

LONGEST = 60  # characters of a phrase for one value
VAGUE = "a value on the way"
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


class Phrases:
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
