"""The sweep's changes: one small edit each, at the place that it says, of code that still parses."""

import ast

import pytest

from allyouneed.check.questions.changes import changes
from allyouneed.check.questions.numbered_names import canonical


def made(code: str, kind: str | None = None) -> set[str]:
    """What the changes of a function with this body make of its lines."""
    text = f"def f(x, y, dim):\n    {code}\n"
    return {
        change.of(text).splitlines()[1].strip() for change in changes(text) if kind in (None, change.kind)
    }


@pytest.mark.parametrize(
    "code, kind, expected",
    [
        ("return x + y", "operator", {"return x - y"}),
        ("return x - y", "left-out", {"return x", "return (-y)"}),
        ("return x - y", "exchanged", {"return (y - x)"}),
        ("return -x", "sign", {"return x"}),
        ("return x.sum(-1)", "axis", {"return x.sum(-2)", "return x.sum(0)", "return x.sum(1)"}),
        (
            "return torch.softmax(x, dim=0)",
            "axis",
            {f"return torch.softmax(x, dim={n})" for n in (-1, -2, 1)},
        ),
        ("return x.amax(dim, keepdim=True)", "keyword", {"return x.amax(dim)"}),
        ("return x.gather(0, y)", "exchanged", {"return x.gather(y, 0)"}),
        ("return x.detach()", "call", {"return x"}),
        ("return x[:, 2:]", "constant", {"return x[:, 3:]", "return x[:, 1:]"}),
        ("return x[:, 2:]", "bound-dropped", {"return x[:, :]"}),
        ("return x < y", "comparison", {"return x <= y", "return x > y"}),
        ("return x * 0.5", "constant", {"return x * 1.0", "return x * 0.0"}),
        ("x = y", "statement", {"pass"}),
        ("return x.sum()", "function", {"return x.mean()"}),
        ("return y", "name", {"return x", "return dim"}),
    ],
)
def test_each_operator_makes_its_change(code, kind, expected):
    assert made(code, kind) == expected


def test_a_change_beside_letters_of_several_bytes_stands_in_its_place():
    assert made('return x["\u2212\u00e9"] + y', "operator") == {'return x["\u2212\u00e9"] - y'}


def test_the_signature_the_docstring_and_what_is_raised_stay():
    text = (
        'def f(x, n=2):\n    """One + two."""\n    if x:\n        raise ValueError("a" * 3)\n    return x\n'
    )
    lines = {index: line for index, line in enumerate(text.splitlines())}
    for change in changes(text):
        new = change.of(text).splitlines()
        assert all(new[index] == lines[index] for index in (0, 1, 3))


def test_every_change_parses_differs_and_comes_once():
    text = "def f(x, y):\n    z = x @ y.mT\n    z += 1\n    return z / z.sum(1, keepdim=True)\n"
    found = [ast.dump(ast.parse(change.of(text))) for change in changes(text)]
    assert len(found) > 15 and len(set(found)) == len(found) and ast.dump(ast.parse(text)) not in found


def test_code_that_differs_in_its_own_names_alone_is_one():
    one, two = "def f(x):\n    e = x + 1\n    return e\n", "def f(x):\n    total = x + 1\n    return total\n"
    other = "def f(y):\n    e = y + 1\n    return e\n"
    assert canonical(one) == canonical(two) != canonical(other)
