"""What a change does is said in words that need no look at the code."""

import ast
from collections import defaultdict

import pytest

from allyouneed.check.questions.changes import changes
from coursegrader.rubric.sweep.stored import rights
from coursegrader.rubric.sweep.words import as_if_sentence, is_clear


def told(code: str, kind: str) -> set[str]:
    """What is said of the changes of one kind of a function with this body."""
    text = f"def f(x, y, dim, params):\n    {code}\n"
    found = {as_if_sentence(text, change) for change in changes(text) if change.kind == kind}
    return {sentence.removeprefix("It behaves as if ") for sentence in found}


@pytest.mark.parametrize(
    "code, kind, expected",
    [
        ("return x + y", "operator", {"x and y were subtracted, not added."}),
        ("return x - y", "exchanged", {"x and y changed places in a difference."}),
        ("return x + y", "left-out", {"the term “x” were left out.", "the term “y” were left out."}),
        ("return -x", "sign", {"x stood without its minus."}),
        ("return x.exp() / y", "sign", {"x had the other sign."}),
        ("return x < y", "comparison", {f"x and y were compared by “{s}”, not by “<”." for s in ("<=", ">")}),
        ("return x.exp()", "call", {"the exponential of x were left out."}),
        ("return x.sum(dim=0)", "keyword", {"the sum did not get its dim."}),
        ("return x.sum(0)", "axis", {f"the sum were taken along axis {n}, not 0." for n in (-1, -2, 1)}),
        ("return torch.zeros_like(x)", "call", {"x stood where zeros belong."}),
        ("return x.transpose(1, 2)", "axis", {f"the transposition moved axis {n}, not 2." for n in (-1, 0)}),
        ("return min(1.0, x)", "axis", {f"{n} stood for 1.0 in the minimum." for n in (-1, -2, 0)}),
        ("return x[0]", "constant", {f"place {n} of x were taken, not place 0." for n in (1, -1)}),
        ("return x.masked_fill(y, -math.inf)", "constant", {"0.0 stood for −∞."}),
        ("return x.sum()", "function", {"the mean of x were taken, not the sum."}),
        ("return x * 0.5", "constant", {f"{n} stood for 0.5 beside x." for n in ("1.0", "0.0")}),
        ("return range(x)", "bound", {f"the end of a count (x) were one {w}." for w in ("more", "less")}),
        ("return x[:y]", "bound-dropped", {"a part of x had no end."}),
        ("return x", "name", {"y stood where x belongs.", "params stood where x belongs."}),
        ("x += y", "kept-last", {"a running value were only the last y, where all are added."}),
        ("if x: return y", "always-true", {"a condition (x) always held."}),
        ("with torch.no_grad(): x.add_(y)", "context", {"the no_grad were not in force."}),
        ("return params['W_f'] + y", "name", {"x stood where y belongs.", "dim stood where y belongs."}),
    ],
)
def test_each_kind_of_change_is_told(code, kind, expected):
    assert expected <= told(code, kind)


def test_a_name_of_the_right_version_is_told_by_what_it_holds():
    assert told("h = x @ y\n    return h - dim", "operator") >= {
        "the matrix product of x and y and dim were added, not subtracted."
    }


def test_a_value_that_has_no_name_is_told_by_what_stands_beside_it():
    for_all = "for a in y: h = x + a\n    return h"
    assert "the term beside x were left out." in told(for_all, "left-out")
    assert "two values on the way were subtracted, not added." in told(
        "return [a + b for a, b in zip(x, y)]", "operator"
    )


def test_parts_of_a_module_have_their_own_names_and_helpers_have_none():
    text = "class A:\n    def think(self, z):\n        return z\n    def forward(self, x):\n        "
    text += "return self.think(x) + self.norm1(x).exp()\n"
    found = {as_if_sentence(text, change) for change in changes(text) if change.kind in ("call", "left-out")}
    assert "It behaves as if the exponential of norm1 of x were left out." in found
    assert "It behaves as if norm1 of x were left out." in found
    assert not any("think" in sentence for sentence in found)


def test_a_sentence_about_the_arrangement_of_memory_is_not_clear():
    assert is_clear("It behaves as if the sum were taken along axis 0, not -1.")
    assert not is_clear("It behaves as if movedim of x were left out.")


def test_every_change_of_a_set_is_told_and_none_shows_a_line_of_code(attention):
    kinds = defaultdict(int)
    for exercise in attention.exercises.values():
        for version in rights(exercise):
            lines = {line.strip() for line in ast.unparse(ast.parse(version.text)).splitlines()[1:]}
            for change in changes(version.text):
                sentence = as_if_sentence(version.text, change)
                assert sentence.endswith(".") and not any(
                    line in sentence for line in lines if len(line) > 12
                )
                kinds[change.kind] += 1
    assert len(kinds) > 12
