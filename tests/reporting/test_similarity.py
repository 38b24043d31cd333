"""Answers that are alike: what copies are seen through, what nobody is accused of, and the page for both."""

import json
import random
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from grading.classroom import Student, make_course, write_submission

from coursegrader.cli import main
from coursegrader.course.configuration import VERDICTS
from coursegrader.course.problem_set import ProblemSet, all_problem_sets
from coursegrader.errors import UserError
from coursegrader.reporting.canonical import program
from coursegrader.reporting.pages import marked
from coursegrader.reporting.planted import KINDS, Figures, figures, in_words, rewritten
from coursegrader.reporting.similar_page import compare, similar_page
from coursegrader.reporting.similarity import CELL, FEW, Rarity, alike, features_of, published
from coursegrader.reporting.sources import Earlier, class_texts, earlier_term, read_texts
from coursegrader.rubric.language import Version

NAME = "03-attention"
SAME = {
    "names and comments": ("a = x + 1\n    return a * 2", "total = x + 1  # mine\n    return total * 2"),
    "steps in between": ("return (x @ y).sum()", "z = x @ y\n    return z.sum()"),
    "independent statements": ("a = x.exp()\n    b = y.log()\n    return a @ b",
                               "b = y.log()\n    a = x.exp()\n    return a @ b"),
    "method and function": ("return x.softmax(-1)", "return torch.softmax(x, dim=-1)"),
    "keyword and position": ("return torch.sum(x, 1, True)", "return x.sum(dim=1, keepdim=True)"),
    "another module": ("return x.softmax(-1) + y", "return y + F.softmax(input=x, axis=-1)"),
    "product": ("return x @ y.transpose(-2, -1)", "return torch.einsum('...id,...jd->...ij', x, y)"),
    "product as a call": ("return x @ y", "return torch.matmul(x, y)"),
    "a new axis": ("return x[:, None] + y[None]", "return y.unsqueeze(0) + x.unsqueeze(1)"),
    "a new last axis": ("return x[..., None] + 1", "return x.unsqueeze(-1) + 1.0"),
    "sizes": ("return x.size(-1) * y", "return x.shape[-1] * y"),
    "unpacked sizes": ("n, d = x.shape\n    return y / d + n", "return y / x.size(-1) + x.size(0)"),
    "a root": ("return x / math.sqrt(y)", "return x / y ** 0.5"),
    "a square": ("return x * x + y", "return y + x ** 2"),
    "infinity": ("return x.masked_fill(y, float('-inf'))", "return torch.where(y, -torch.inf, x)"),
    "turned masks": ("return x.masked_fill(~y, 0)", "return torch.where(y, x, 0)"),
    "a branch": ("if y is not None:\n        x = x * y\n    return x", "return x if y is None else x * y"),
    "comparisons": ("return x.gt(y).float()", "return (y < x).float()"),
    "in place": ("x.clamp_(min=0)\n    return x + y", "return y + x.clamp(0)"),
    "shapes as a tuple": ("return x.reshape(2, -1)", "return x.view((2, -1))"),
    "loops over two": ("return [a * b for a, b in zip(x, y)]", "return [p * q for p, q in zip(x, y)]"),
}  # fmt: skip
OTHER = [
    ("return x.sum(-1)", "return x.mean(-1)"),
    ("return x.sum(-1)", "return x.sum(-2)"),
    ("return x.exp() @ y", "return y @ x.exp()"),
    ("return x - y.exp()", "return y.exp() - x"),
    ("return torch.where(y > 0, x, 0)", "return torch.where(y > 0, 0, x)"),
]
PROGRAM = """
def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    scores = scores - scores.amax(-1, keepdim=True).clamp(min=-1e9)
    if mask is not None:
        scores = scores.masked_fill(~mask, -3e38)
    weights = scores.exp() * (scores > -1e38)
    total = weights.sum(-1, keepdim=True).clamp(min=1e-9)
    return (weights / total) @ v.cumsum(0).flip(0), weights.log1p()
"""


def features(body):
    return features_of([f"def f(x, y):\n    {body}\n"])


@pytest.mark.parametrize("one, other", SAME.values(), ids=SAME)
def test_what_means_the_same_has_the_same_parts(one, other):
    assert features(one) == features(other) != frozenset()


@pytest.mark.parametrize("one, other", OTHER)
def test_what_computes_something_else_has_other_parts(one, other):
    assert features(one) != features(other)


def test_layers_are_the_same_whatever_a_class_calls_them():
    one = "class A(nn.Module):\n  def __init__(self, d):\n    self.up = nn.Linear(d, 4 * d)\n"
    one += "  def forward(self, x):\n    return self.up(x).relu()\n"
    other = (
        re.sub(r"\bup\b", "first", one)
        .replace("(self, x)", "(this, h)")
        .replace("self.first(x)", "this.first(h)")
    )
    assert features_of([one]) == features_of([other])


@pytest.mark.parametrize(
    "text", ["a = 1\rb = x.log()", "(", "x = '\0'", "\ud800", "(" * 5000, "-" * 50_000 + "1", "1" * 5000]
)
def test_no_text_stops_the_comparison(text):
    assert features_of([text, "y = x.exp()"]) >= features_of(["y = x.exp()"])


def test_what_is_for_ipython_alone_counts_as_a_comment():
    assert features_of(["%matplotlib inline\n!ls\ny = x.exp()"]) == features_of(["y = x.exp()"])
    assert features_of(["y = (x\n  % z.exp())"]) != frozenset()


def class_of(answers):
    return {str(number): features_of([text]) for number, text in enumerate(answers)}


def unlike(number):
    """A program of its own."""
    return "\n".join(f"a{place} = x.step(n={number * 1000 + place}, of=[{number}])" for place in range(40))


def test_a_copy_is_found_and_what_many_have_is_none():
    copy = rewritten(PROGRAM, random.Random(1))
    assert copy.split() != PROGRAM.split() and "attend" in copy
    others = [unlike(number) for number in range(10)]
    (found,) = alike(class_of([PROGRAM, copy, *others]))
    assert (found.one, found.other) == ("0", "1") and found.likeness == 1 and found.parts > 20
    assert alike(class_of([PROGRAM] * (FEW + 1) + others)) == []


def test_a_thousand_are_compared_by_what_few_share():
    class_ = [PROGRAM.replace("1e9", str(number)) for number in range(990)]
    class_ += [unlike(number) for number in range(9)] + [unlike(3)]
    assert [(pair.one, pair.other) for pair in alike(class_of(class_))] == [("993", "999")]


def test_a_small_share_of_a_long_answer_is_no_copy_and_a_short_part_of_one_is():
    same = unlike(3).splitlines()[:15]
    one, other = ("\n".join([unlike(number), *same]) for number in (1, 2))
    assert alike(class_of([one, other])) == []
    (found,) = alike(class_of([one, "\n".join(same)]))
    assert found.likeness == 1 and found.parts >= 20


def test_half_of_a_copy_beside_other_code_is_half_alike():
    rarity = Rarity([features_of([unlike(1)]), features_of([unlike(2)])])
    half = "\n".join([*unlike(1).splitlines()[:20], *unlike(2).splitlines()[:20]])
    with rarity.and_of(features_of([half])):
        likeness, _ = rarity.compare(features_of([unlike(1)]), features_of([half]))
    assert 0.4 < likeness < 0.6


def test_the_library_and_the_chapters_are_no_mans_own(root):
    text = "def f(q, k, v):\n    return (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(-1) @ v"
    assert len(features_of([text]) - published()) < len(features_of([text])) / 2
    source = (root / "lib" / "allyouneed" / "text" / "embeddings.py").read_text(encoding="utf-8")
    listings = CELL.findall((root / "book" / "03-attention" / "masks.md").read_text(encoding="utf-8"))
    assert features_of([source]) <= published() and frozenset() != features_of(listings) <= published()


def test_marks_stand_on_the_letters_that_are_shared_and_text_is_no_markup():
    code = "a = x.exp()\nb = y < '<b>'"
    (place,) = [(start, end) for found, start, end in program(code).places if found.label == "exp()"]
    flags = [place[0] <= letter < place[1] for letter in range(len(code))]
    assert marked(code, flags) == "<pre>a = <mark>x.exp()</mark>\nb = y &lt; &#39;&lt;b&gt;&#39;</pre>"
    wide = "ä = 'ö' + x.exp()"
    assert [wide[start:end] for _, start, end in program(wide).places] == ["x.exp()", "'ö' + x.exp()"]


def told(exercise, misconception):
    return {
        "exercise": exercise,
        "misconception": misconception,
        "message": "Told <so>.",
        "section": "",
        "points": 0,
    }


OTHER_SET = Path(__file__).parents[2] / "notebooks" / "01-recurrence"
LONG = "leaks_the_future"


@pytest.fixture(scope="module")
def course(attention, tmp_path_factory):
    """Ada's answer is Bob's rewritten, and that of an earlier Zoe; Cy has a cell that is no Python, Di a
    notebook that is damaged, and Eve another answer."""
    course = make_course(attention, tmp_path_factory.mktemp("similar"))
    exercise = course.exercises[LONG]
    mine, other = exercise.alternatives[-1].source, exercise.alternatives[0].source
    copy = rewritten(mine, random.Random(0))
    earlier = course.root.parent / "spring"
    places = {
        "ada": (course.root / "autograded" / "ada", copy),
        "bob": (course.root / "autograded" / "bob", mine),
        "cy": (course.root / "autograded" / "cy", "def leaks_the_future(:"),
        "eve": (course.root / "autograded" / "eve", other),
        "zoe": (earlier / "submitted" / "zoe", mine),
    }
    for who, (folder, source) in places.items():
        short = course.exercises["causal_mask"].alternatives[0]
        student = Student(who, {LONG: Version("own", f"# <i>{who}</i>\n{source}"), "causal_mask": short})
        path = folder / NAME / f"{NAME}.ipynb"
        write_submission(attention.root / "notebooks" / NAME / f"{NAME}.ipynb", student, path)
    (course.root / "autograded" / "di" / NAME).mkdir(parents=True)
    (course.root / "autograded" / "di" / NAME / f"{NAME}.ipynb").write_text("{")
    for who in ("ada", "bob", "cy", "di", "eve"):
        mistakes = (
            [told("softmax", "over-queries"), told("causal_mask", "inverted")] if who in ("cy", "eve") else []
        )
        (course.root / "autograded" / who / NAME / VERDICTS).write_text(json.dumps(mistakes))
    return course


def compared(course, verdicts=None, earlier=()):
    texts, damaged = class_texts(course, ["ada", "bob", "cy", "di", "eve"])
    return compare(course, texts, verdicts or {}, earlier, damaged)


def test_the_page_shows_both_codes_with_what_they_share_and_what_was_not_compared(course):
    found = compared(course)
    assert [(pair.one, pair.other, list(pair.exercises)) for pair in found.pairs] == [("ada", "bob", [LONG])]
    page = similar_page(course, found)
    assert "<strong>ada</strong><pre># &lt;i&gt;ada&lt;/i&gt;" in page and "<i>" not in page
    assert page.count("<mark>") > 5 and "<summary>ada and bob: leaks_the_future 100%</summary>" in page
    assert "<td>cy</td><td>leaks_the_future: not Python" in page
    assert "<td>di</td><td>is no readable notebook</td>" in page
    assert "exercises are too short to tell" in page and "too short to tell: right answers are alike" in page
    assert not re.search(r"<script|<link|<img|src=|url\(", page)


def test_an_earlier_term_is_compared_and_who_takes_a_course_again_copies_nobody(course):
    term = earlier_term(course, course.root.parent / "spring")
    pairs = [(pair.one, pair.other) for pair in compared(course, earlier=[term]).pairs]
    assert pairs == [("ada", "bob"), ("ada", "spring: zoe"), ("bob", "spring: zoe")]
    texts = class_texts(course, ["cy", "eve"])[0]
    for who, copied in (("zoe", []), ("yan", ["yan"])):
        found = compare(course, texts | {who: term.texts["zoe"]}, {}, [term])
        assert [pair.one for pair in found.pairs] == copied
    kim = Earlier("autumn", {"kim": term.texts["zoe"]}, {}, [])
    assert compare(course, texts, {}, [term, kim]).pairs == []
    assert compare(course, texts, {}, [term, term]).earlier == ["spring", "spring (1)"]


def test_an_exercise_that_is_too_short_to_tell_makes_no_pair(course, monkeypatch):
    none = Figures(dict.fromkeys(KINDS, 0), 5, 0, 10)
    monkeypatch.setattr("coursegrader.reporting.similar_page.figures", lambda *_: none)
    assert compared(course).pairs == []


def test_two_rare_mistakes_that_two_share_are_evidence_and_common_ones_are_not(course):
    causal, soft = (next(iter(course.exercises[name].mistakes)) for name in ("causal_mask", "softmax"))
    both = [told("softmax", soft), told("causal_mask", causal)]
    one = compared(course, {"cy": both, "eve": both})
    (pair,) = [pair for pair in one.pairs if pair.one == "cy"]
    assert pair.in_words() == "cy and eve: 2 rare mistakes shared"
    assert "Both were told, and few others: Told &lt;so&gt;." in similar_page(course, one)
    many = compared(course, {"cy": both, "eve": both, "ada": both})
    assert [(pair.one, pair.other) for pair in many.pairs] == [("ada", "bob")]


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda folder: None, "There is no folder"),
        (lambda folder: folder.mkdir(), "no notebook with an exercise of 03-attention (0 notebooks"),
        (
            lambda folder: shutil.copytree(OTHER_SET, folder / "submitted" / "kim"),
            "no notebook with an exercise of 03-attention (1 notebooks",
        ),
    ],
)
def test_a_folder_that_is_no_earlier_term_is_told_in_a_line_before_anything_is_written(
    course, tmp_path, capsys, make, says
):
    make(tmp_path / "old")
    with pytest.raises(SystemExit) as ended:
        main(["--root", str(course.root), "report", NAME, "--earlier", str(tmp_path / "old")])
    said = capsys.readouterr().err
    assert ended.value.code == 2 and says in said and said.count("\n") == 1
    assert not (course.root / "reports").exists()
    with pytest.raises(UserError, match="this term's own folder"):
        earlier_term(course, course.root)


def test_an_earlier_notebook_that_is_damaged_is_named_and_the_others_are_read(course, tmp_path):
    shutil.copytree(course.root.parent / "spring", tmp_path / "spring")
    shutil.copy(tmp_path / "spring" / "submitted" / "zoe" / NAME / f"{NAME}.ipynb", tmp_path / "loose.ipynb")
    folder = tmp_path / "spring" / "submitted" / "yan" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text("{}")
    term = earlier_term(course, tmp_path / "spring")
    assert list(term.texts) == ["zoe"] and term.unread == [f"spring: submitted/yan/{NAME}/{NAME}.ipynb"]
    (tmp_path / "bare").mkdir()
    (tmp_path / "loose.ipynb").rename(tmp_path / "bare" / "kai.ipynb")
    assert list(earlier_term(course, tmp_path / "bare").texts) == ["kai"]


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_a_copy_with_other_line_ends_is_read_as_python_reads_it(course, tmp_path, end):
    path = tmp_path / f"{NAME}.ipynb"
    shutil.copy(course.root / "autograded" / "bob" / NAME / path.name, path)
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace("\n", end)
    nbformat.write(notebook, path)
    texts = class_texts(course, ["ada", "bob"])[0]
    assert read_texts(path) == texts["bob"]


def test_planted_copies_of_a_long_exercise_are_found_and_a_short_one_is_told_to_be_short(attention):
    long, short = (figures(attention.exercises[name], published()) for name in (LONG, "causal_mask"))
    assert not long.too_short and long.found["rewritten"] == long.planted and long.false == 0
    assert short.too_short and set(short.found) == set(KINDS)
    assert in_words([long, short]).startswith("1 of 2 exercises are too short to tell: ")
    assert "In the others, of 5 copies planted" in in_words([long, short])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_who_copied_a_problem_set_is_found_in_a_class_of_the_same_few_ways(root, seed):
    """Forty students write what the rubric knows, each in other words; one of them rewrites another's."""
    problem_set, draw, class_ = ProblemSet(root, "06-transformer"), random.Random(seed), {}
    for number in range(40):
        class_[f"s{number}"] = {
            name: [rewritten(draw.choice([exercise.reference, *exercise.alternatives]).source, draw)]
            for name, exercise in problem_set.exercises.items()
        }
    class_["s7"] = {name: [rewritten(cell, draw) for cell in cells] for name, cells in class_["s31"].items()}
    assert ("s7", "s31") in [(pair.one, pair.other) for pair in compare(problem_set, class_, {}).pairs]


@pytest.mark.slow
def test_the_guide_says_what_is_measured_over_all_exercises(root):
    """Where this fails, the sentences for the guide are in the message."""
    measured = in_words(
        [
            figures(exercise, published())
            for problem_set in all_problem_sets(root)
            for exercise in problem_set.exercises.values()
        ]
    )
    form = re.sub(r"\\?\d+", r"(\\d+)", re.escape(measured)).replace("\\ ", r"\s")
    said = re.search(form, (root / "book" / "instructors" / "grading.md").read_text(encoding="utf-8"))
    assert said, measured
    for one, other in zip(said.groups(), re.findall(r"\d+", measured)):  # a rubric may change a little
        assert abs(int(one) - int(other)) <= max(3, 0.1 * int(other)), measured
