"""Copies that are made on purpose, to see how many the comparison finds and how often it is wrong.

A rubric's right versions that are written in full stand for students who worked alone. They were written to
differ from each other, so that true classes are more alike than they are.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import combinations, islice

from allyouneed.check.questions.changes import changes
from coursegrader.reporting.canonical import FUNCTIONS
from coursegrader.reporting.similarity import Features, Rarity, features_of, is_alike
from coursegrader.rubric.language import Exercise

LEAST_FOUND, MOST_FALSE = 0.75, 0.05  # of plain copies, and of independent pairs
MOST_CHANGES = 40  # of a text, of which one is drawn

METHODS = "softmax log_softmax sum mean exp log sqrt abs cumsum argmax argsort relu sigmoid tanh amax".split()


def copied(text: str, draw: random.Random) -> str:
    """With other comments, layout and documentation."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Expr(ast.Constant("My own work."))
    return "# done by myself\n" + ast.unparse(tree)


def renamed(text: str, draw: random.Random) -> str:
    """With another name for all that may have one."""
    return copied(ast.unparse(_Renamed(ast.parse(text), draw).tree), draw)


def rewritten(text: str, draw: random.Random) -> str:
    """Renamed, with statements in another order, calls in another form, and steps put apart."""
    tree = _Calls(draw).visit(ast.parse(text))
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            node.body = _reordered(_in_steps(node.body), draw)
    return renamed(ast.unparse(ast.fix_missing_locations(tree)), draw)


def slipped(text: str, draw: random.Random) -> str:
    """Renamed, with one of the changes by which a sweep makes right code wrong."""
    found = list(islice(changes(text), MOST_CHANGES))
    return renamed(draw.choice(found).of(text) if found else text, draw)


def partly(text: str, draw: random.Random, other: str = "") -> str:
    """The first half of the statements from `text`, renamed, the second half from another's."""
    one, two = ast.parse(renamed(text, draw)), ast.parse(other)
    bodies = [_longest(tree) for tree in (one, two)]
    if not all(bodies):
        return copied(text, draw)
    first, second = bodies
    first[:] = [*first[: (len(first) + 1) // 2], *second[len(second) // 2 :]]
    return copied(ast.unparse(one), draw)


KINDS: dict[str, Callable[..., str]] = {
    "copied": copied,
    "renamed": renamed,
    "rewritten": rewritten,
    "with a slip": slipped,
    "half copied": partly,
}


def _longest(tree: ast.Module) -> list[ast.stmt]:
    """The statements of the class with most methods, or of the longest function."""
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return max(bodies, key=len, default=[])


class _Renamed(ast.NodeTransformer):
    """New names for what functions bind: parameters of inner functions, variables, attributes of self."""

    def __init__(self, tree: ast.Module, draw: random.Random):
        names, fixed = set(), set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, ast.keyword) and node.arg:
                fixed.add(node.arg)  # a keyword of a call may be that of a parameter
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                fixed.add(node.name)
        letters = [f"{draw.choice('abcdefghkmnruvwxyz')}{number}" for number in range(len(names))]
        self.names = dict(zip(sorted(names - fixed - {"self"}), letters))
        self.tree = self.visit(tree)

    def visit_Name(self, node):
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node):
        node.arg = self.names.get(node.arg, node.arg)
        node.annotation = None
        return node


class _Calls(ast.NodeTransformer):
    """Calls in the other of their forms: method or function, operator or name, index or unsqueeze."""

    def __init__(self, draw: random.Random):
        self.draw = draw

    def visit_Call(self, node):
        self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name == "masked_fill" and len(node.args) == 2 and not node.keywords:
            return _call("where", [node.args[0], node.args[1], node.func.value])
        if name in METHODS and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id in ("torch", "F"):
                if node.args and not isinstance(node.args[0], ast.Starred):
                    node.func = ast.Attribute(node.args.pop(0), name, ast.Load())
            elif not any(isinstance(item, ast.Name) and item.id == "math" for item in ast.walk(node.func)):
                return _call(name, [node.func.value, *node.args], node.keywords)
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult):
            return _call("matmul", [node.left, node.right])
        if isinstance(node.op, (ast.Add, ast.Mult)) and self.draw.random() < 0.5:
            node.left, node.right = node.right, node.left
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        turned = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
        if len(node.ops) == 1 and type(node.ops[0]) in turned:
            return ast.Compare(node.comparators[0], [turned[type(node.ops[0])]()], [node.left])
        return node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        new = [isinstance(item, ast.Constant) and item.value is None for item in items]
        plain = [isinstance(item, ast.Slice) and not (item.lower or item.upper) for item in items]
        if new.count(True) == 1 and new[-1] and all(plain[:-1]) and len(items) < 3:
            axis = ast.Constant(len(items) - 1)
            return ast.Call(ast.Attribute(node.value, "unsqueeze", ast.Load()), [axis], [])
        return node


def _call(name: str, arguments: list[ast.expr], keywords=()) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name("torch", ast.Load()), name, ast.Load()), arguments, list(keywords))


def _in_steps(body: list[ast.stmt]) -> list[ast.stmt]:
    """What is returned gets a name first, and so does the left side of an operation in an assignment."""
    made = []
    for number, node in enumerate(body):
        if isinstance(node, ast.Return) and isinstance(node.value, (ast.BinOp, ast.Call)):
            made.append(ast.Assign([ast.Name(f"outcome{number}", ast.Store())], node.value))
            node = ast.Return(ast.Name(f"outcome{number}", ast.Load()))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
            if isinstance(node.value.left, (ast.BinOp, ast.Call)):
                made.append(ast.Assign([ast.Name(f"step{number}", ast.Store())], node.value.left))
                node.value.left = ast.Name(f"step{number}", ast.Load())
        made.append(node)
    return made


def _reordered(body: list[ast.stmt], draw: random.Random) -> list[ast.stmt]:
    """Neighbours that do not need each other change places, some of them."""
    body = list(body)
    for number in range(len(body) - 1):
        one, other = body[number : number + 2]
        if all(isinstance(node, ast.Assign) for node in (one, other)) and draw.random() < 0.7:
            if not (_stored(one) & _names(other) or _stored(other) & _names(one)):
                body[number], body[number + 1] = other, one
    return body


def _names(node: ast.stmt) -> set[str]:
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}


def _stored(node: ast.stmt) -> set[str]:
    """The names that a statement changes: those it assigns to, in whole or in part."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return {item.id for target in targets for item in ast.walk(target) if isinstance(item, ast.Name)}


@dataclass(frozen=True)
class Figures:
    """Of copies that were planted among a rubric's right versions, how many were found, by kind; and how many
    pairs of versions that nobody copied are alike all the same."""

    found: dict[str, int]
    planted: int  # of each kind
    false: int
    pairs: int

    @property
    def too_short(self) -> bool:
        """Where plain copies are not found, or who worked alone is accused, likeness means nothing."""
        return self.found["copied"] < LEAST_FOUND * self.planted or self.false > MOST_FALSE * self.pairs


def figures(exercise: Exercise, common: Features) -> Figures:
    """Plant copies of each right version that is written in full, in a class made of all right versions."""
    versions = [exercise.reference, *exercise.alternatives]
    class_ = {version.label: features_of([version.source]) - common for version in versions}
    alone = [version for version in versions if version.base is None]
    pairs = list(combinations([version.label for version in alone], 2))
    rarity = Rarity(class_.values())
    false = sum(is_alike(*rarity.compare(class_[one], class_[other])) for one, other in pairs)
    found = dict.fromkeys(KINDS, 0)
    for version, other in zip(alone, [*alone[1:], *alone[:1]]):
        for kind, way in KINDS.items():
            draw = random.Random(f"{exercise.name} {version.label} {kind}")
            more = [other.source] if way is partly else []
            copy = features_of([way(version.source, draw, *more)]) - common
            with rarity.and_of(copy):
                found[kind] += is_alike(*rarity.compare(class_[version.label], copy))
    return Figures(found, len(alone), false, len(pairs))


def in_words(told: Collection[Figures]) -> str:
    """The figures of several exercises as two sentences."""
    kept = [item for item in told if not item.too_short]
    short = (
        f"{len(told) - len(kept)} of {len(told)} exercises are too short to tell: fewer than "
        f"{LEAST_FOUND:.0%} of plain copies are found there, or more than {MOST_FALSE:.0%} of independent "
        "pairs are alike."
    )
    if not kept:
        return short
    planted, false, pairs = (
        sum(getattr(item, key) for item in kept) for key in ("planted", "false", "pairs")
    )
    shares = [f"{sum(item.found[kind] for item in kept) / planted:.0%} of those {kind}" for kind in KINDS]
    return (
        f"{short} In the others, of {planted} copies planted in each way it found {', '.join(shares[:-1])} "
        f"and {shares[-1]}, and took {false} of {pairs} pairs of independent right versions for copies."
    )
