"""Evidence as edits: what an edit does to its base, and what is said where it cannot be made."""

import pytest

from coursegrader.rubric import Exercise, RubricError, every, full
from coursegrader.rubric.edits import replaced
from coursegrader.rubric.language import Mistake

TEXT = """def weigh(scores, mask):
    top = scores.max()
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
        scores = scores - top
    return scores.softmax(-1) * 1.0
"""
HEAD = """from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise("double", points={"core": 1}, section="s")


@exercise.right
def reference(x):
    y = x * 2
    return y


@exercise.right("added")
def added(x):
    return x + x


"""


def rubric(tmp_path, text):
    """The exercise of a rubric with this text after two right versions."""
    path = tmp_path / "double.py"
    path.write_text(HEAD + text, encoding="utf-8")
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names := {})
    return names["exercise"]


def test_words_are_found_whole_and_in_one_place():
    assert replaced(TEXT, {"mask,": "mask.logical_not(),"}).count("~mask.logical_not()") == 1
    with pytest.raises(RubricError, match="'mask' is found 3 times.*every"):
        replaced(TEXT, {"mask": "keys"})
    with pytest.raises(RubricError, match="'masked' is not found"):
        replaced(TEXT, {"masked": "hidden"})


def test_every_place_is_replaced_where_the_edit_says_so():
    text = replaced(TEXT, {every("mask"): "keys"})
    assert (
        "def weigh(scores, keys)" in text
        and "~keys" in text
        and "masked_fill" in text
        and "mask " not in text
    )


def test_all_texts_are_replaced_at_once():
    assert "def weigh(mask, scores)" in replaced(TEXT, {"scores, mask": "mask, scores"})
    swapped = replaced("def f(a, b):\n    return a - b\n", {every("a"): "b", every("b"): "a"})
    assert swapped == "def f(b, a):\n    return b - a\n"
    with pytest.raises(RubricError, match="'top = scores' and 'scores.max' overlap"):
        replaced(TEXT, {"top = scores": "", "scores.max": ""})


def test_further_lines_are_indented_like_the_first():
    text = replaced(TEXT, {"scores = scores - top": "for _ in range(2):\n    scores = scores - top"})
    assert "        for _ in range(2):\n            scores = scores - top\n" in text
    assert "masked_fill(~mask, 0)\n    return" in replaced(TEXT, {"-1e9)\nscores = scores - top": "0)"})


def test_a_statement_that_goes_leaves_no_line():
    assert replaced(TEXT, {"scores = scores - top": ""}).splitlines()[-2:] == [
        "        scores = scores.masked_fill(~mask, -1e9)",
        "    return scores.softmax(-1) * 1.0",
    ]


def test_a_rubric_tells_its_versions(tmp_path):
    exercise = rubric(
        tmp_path,
        """
exercise.also_right(edit(reference, {"x * 2": "2 * x"}, "the other way round"))

TRIPLE = {"2": "3"}


def broken(x):
    raise IndexError


exercise.mistake("triple", "s", "Three times.", edit(reference, TRIPLE), full("return 3 * x", "at once"))
exercise.mistake("raises-index", "s", "It stops.", full(broken))
exercise.built_in("returns-nothing", edit(reference, {"return y": ""}))
""",
    )
    assert [version.label for version in exercise.alternatives] == ["added", "the other way round"]
    assert exercise.mistakes["triple"] == Mistake("Three times.", "s")
    told = {(version.mistake, version.label): version for version in exercise.wrong_versions}
    assert list(told) == [
        ("triple", "triple"),
        ("triple", "at once"),
        ("raises-index", "raises-index"),
        ("returns-nothing", "returns-nothing"),
    ]
    assert told["triple", "triple"].source == "def double(x):\n    y = x * 3\n    return y\n"
    assert told["triple", "at once"].source == "def double(x):\n    return 3 * x\n"
    assert told["triple", "triple"].base is exercise.reference and told["triple", "at once"].base is None
    assert told["raises-index", "raises-index"].source.startswith("def double(x):")


@pytest.mark.parametrize(
    "evidence, said",
    [
        (
            'edit(reference, {"x ** 2": "x"})',
            r"double.py:17: mistake 'm', edit of reference: 'x \*\* 2' is not found in it\.",
        ),
        (
            'edit(added, {"x": "y"})',
            r"double.py:17: mistake 'm', edit of added: 'x' is found 3 times in it\. "
            r"Take more of the text, or write every\('x'\)",
        ),
        (
            'edit(reference, {"x * 2": "x *"})',
            r"double.py:17: mistake 'm': this is not Python: invalid syntax, in 'y = x \*'",
        ),
        ("edit(reference, {})", r"mistake 'm', edit of reference: it changes nothing"),
        (
            'edit(reference, {"* 2": "* 2"})',
            r"mistake 'm': this is the same code as the right version \(reference\)",
        ),
        (
            'edit(len, {"x": "y"})',
            r"mistake 'm', edit of len: the base is no right version in full\. "
            r"These are, above: reference, added",
        ),
        (
            'edit(reference, {"2": "3"}), full("y = x * 3\\nreturn y", "in full")',
            r"mistake 'm' \(in full\): this is the same code as m \(m\)",
        ),
        (
            'edit(reference, {"2": "3"}), edit(reference, {"2": "4"})',
            r"mistake 'm': two versions have this label",
        ),
        ("", r"double.py:17: the mistake 'm' has no evidence"),
        (
            '"x * 3"',
            r"the evidence of 'm' is made by edit\(\.\.\.\) and full\(\.\.\.\), but 'x \* 3' is neither",
        ),
    ],
)
def test_evidence_that_cannot_be_used_is_named_in_one_line(tmp_path, evidence, said):
    with pytest.raises(RubricError, match=said) as caught:
        rubric(tmp_path, f'exercise.mistake("m", "s", "Told.", {evidence})')
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text, said",
    [
        (
            (
                'exercise.mistake("m", "s", "t", edit(reference, {"2": "3"}))\nexercise.mistake("m", "s", '
                '"t", full("return x"))'
            ),
            r"double.py:18: two mistakes are named 'm'",
        ),
        (
            'exercise.mistake("no-gradient", "s", "t", full("return x"))',
            r"every exercise knows the mistake 'no-gradient' already",
        ),
        ('exercise.built_in("no-gradiant", full("return x"))', r"no built-in mistake is named 'no-gradiant'"),
        ("@exercise.right\ndef second(x):\n    return x", r"there is a reference already"),
    ],
)
def test_mistakes_with_unfit_names_are_refused(tmp_path, text, said):
    with pytest.raises(RubricError, match=said):
        rubric(tmp_path, text)


def test_a_class_has_no_body_to_replace(tmp_path):
    exercise = Exercise("Layer", {"core": 1}, "s")
    exec(
        compile("class Layer:\n    def forward(self):\n        return 1\n", str(tmp_path / "x.py"), "exec"),
        names := {},
    )
    (tmp_path / "x.py").write_text(
        "class Layer:\n    def forward(self):\n        return 1\n", encoding="utf-8"
    )
    exercise.right(names["Layer"])
    with pytest.raises(RubricError, match="the reference is a class"):
        exercise.mistake("m", "s", "t", full("return 2"))
