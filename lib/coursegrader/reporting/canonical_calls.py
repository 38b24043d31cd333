"""One form for calls and operators of one meaning, and the parts that a program is read into."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

SEEN = 3  # levels of an expression that the largest part of limited depth shows
SAME = {  # another name: the name
    name: names.split()[0]
    for names in (
        "cat concat concatenate",
        "transpose swapaxes swapdims",
        "clamp clip",
        "matmul mm bmm mv dot",
        "reshape view",
        "power pow",
        "+ add",
        "- sub subtract",
        "* mul multiply",
        "/ div divide true_divide",
        "== eq",
        "< lt less",
        "> gt greater",
        "<= le less_equal",
        ">= ge greater_equal",
        "!= ne not_equal",
        "& logical_and bitwise_and",
        "| logical_or bitwise_or",
        "~ logical_not bitwise_not",
        "negative neg",
        "ndim dim",
    )
    for name in names.split()
}
PARAMETERS = {  # of what follows the tensor
    name: parameters.split()
    for names, parameters in {
        "softmax log_softmax cumsum cumprod flip unbind unsqueeze squeeze cat stack": "dim",
        "sum mean any all prod amax amin argmax argmin var std max min logsumexp": "dim keepdim",
        "norm": "p dim keepdim",
        "transpose": "dim0 dim1",
        "masked_fill": "mask value",
        "clamp": "min max",
        "topk": "k dim largest sorted",
        "gather index_select": "dim index",
        "split chunk": "size dim",
        "tril triu": "diagonal",
        "flatten": "start_dim end_dim",
        "repeat_interleave": "repeats dim",
        "sort argsort": "dim descending",
        "roll": "shifts dims",
        "dropout": "p training",
        "cross_entropy nll_loss mse_loss": "target",
    }.items()
    for name in names.split()
}
KEYWORDS = {"axis": "dim", "keepdims": "keepdim", "split_size": "size", "split_size_or_sections": "size"}
SIZES = {"reshape", "permute", "expand", "repeat", "ones", "zeros", "empty", "randn", "rand"}
OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "power", ast.MatMult: "matmul", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
    ast.And: "&", ast.Or: "|",
}  # fmt: skip
TURNED = {">": "<", ">=": "<="}
OPPOSITE = {"is not": "is", "!=": "==", "not in": "in"}
UNORDERED = {"+", "*", "&", "|", "==", "!=", "is"}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a program: what it is, of which others, and digests of its first levels and of all of it."""

    label: str
    kids: tuple[Part, ...]
    views: tuple[int, ...]  # of 0 to SEEN levels below, and last of all levels
    depth: int

    def __eq__(self, other):
        return self.views == other.views

    def __hash__(self):
        return self.views[-1]

    def features(self) -> tuple[int, ...]:
        """What two programs can share here; nothing in a leaf."""
        return tuple(dict.fromkeys(self.views[2:])) if self.kids else ()


def part(label: str, *kids: Part) -> Part:
    """A part of these kids, whose order counts for nothing where the label's meaning says so."""

    def view(level: int) -> int:
        below = [kid.views[level] for kid in kids]
        return hash((label, *(sorted(below) if label in UNORDERED else below)))

    views = (hash(label), *(view(level) for level in range(SEEN)), view(-1))
    return Part(label, kids, views, 1 + max((kid.depth for kid in kids), default=0))


def call(name: str, given: list[Part], keywords: dict[str, Part], starred: bool) -> Part:
    if "input" in keywords:
        given = [keywords.pop("input"), *given]
    if name in PARAMETERS and given and not starred:
        keywords |= dict(zip(PARAMETERS[name], given[1:]))
        if len(given) - 1 <= len(PARAMETERS[name]):
            given = given[:1]
    several = len(given)
    if name == "einsum" and (made := _einsum(given)):
        return made
    if name == "masked_fill" and {"mask", "value"} <= set(keywords):
        return choice(keywords["mask"], keywords["value"], given[0])
    if name == "where" and several == 3:
        return choice(*given)
    if name == "transpose" and len(keywords) == 2:
        last = {keywords["dim0"].label, keywords["dim1"].label} == {"-1", "-2"}
        return part("turned", *given) if last else part("transpose", *given, *named(keywords))
    if name == "t" and several == 1:
        return part("turned", *given)
    if name == "unsqueeze" and "dim" in keywords:
        return part("unsqueeze", *given, keywords["dim"])
    if name in ("size", "len") and several in (1, 2):
        if several == 2 or name == "len":
            return part("size", given[0], given[1] if several == 2 else constant(0))
        return part("shape", *given)
    if name == "contiguous" and several == 1:
        return given[0]
    if name == "ndim" and several == 1:
        return part("ndim", *given)
    if name in ("arange", "range") and several == 1:
        given = [constant(0), *given]
    if name == "float" and several == 1 and given[0].label in ("'inf'", "'-inf'"):
        return constant(float(given[0].label.strip("'")))
    if name == "negative" and several == 1:
        return negative(given[0])
    if name == "square" and several == 1:
        return part("power", given[0], constant(2))
    if name == "sqrt" and several == 1:
        return part("power", given[0], constant(0.5))
    if several == 2 and not keywords and (name in OPERATORS.values() or name in TURNED):
        return operation(name, *given)
    if name == "~" and several == 1:
        return inverted(given[0])
    return part(f"{name}()", *given, *named(keywords))


def operation(name: str, one: Part, other: Part) -> Part:
    if name in TURNED:
        name, one, other = TURNED[name], other, one
    if name == "*" and one == other:
        return part("power", one, constant(2))
    if name == "-" and other.label.lstrip("-").replace(".", "").isdigit() and not other.kids:
        return part("+", one, negative(other))
    return part(name, one, other)


def choice(test: Part, one: Part, other: Part) -> Part:
    while test.label in ("~", *OPPOSITE):
        test = test.kids[0] if test.label == "~" else part(OPPOSITE[test.label], *test.kids)
        one, other = other, one
    return part("choice", test, one, other)


def inverted(value: Part) -> Part:
    back = {same: other for other, same in OPPOSITE.items()}
    if value.label == "~":
        return value.kids[0]
    if value.label in OPPOSITE:
        return part(OPPOSITE[value.label], *value.kids)
    return part(back[value.label], *value.kids) if value.label in back else part("~", value)


def named(keywords: dict[str, Part]) -> Iterator[Part]:
    return (part(f"{name}=", value) for name, value in sorted(keywords.items()))


def constant(value) -> Part:
    """A literal; a whole number is the same with and without a point."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        with suppress(OverflowError):
            return part(f"{float(value):g}")
        return part("a huge number")
    return part(repr(value)[:60])


def negative(value: Part) -> Part:
    """The negative of a part; that of a number is a number."""
    if not value.kids:
        with suppress(ValueError):
            return constant(-float(value.label))
    return part("negative", value)


def _einsum(given: list[Part]) -> Part | None:
    """The product of two matrices that a simple equation says, or None."""
    if len(given) != 3 or given[0].label[:1] != "'":
        return None
    left, arrow, result = given[0].label.strip("'").replace(" ", "").replace("...", "").partition("->")
    one, comma, other = left.partition(",")
    if not (arrow and comma and min(map(len, (one, other, result))) >= 2):
        return None
    if not one[:-2] == other[:-2] == result[:-2]:
        return None
    (a, b), (c, d), last = one[-2:], other[-2:], result[-2:]
    first, second = given[1:]
    if b == c and last == a + d:
        return part("matmul", first, second)
    if b == d and last == a + c:
        return part("matmul", first, part("turned", second))
    if a == c and last == b + d:
        return part("matmul", part("turned", first), second)
    return None
