"""Papers about a student's own code: right keys, fair, private, and broken by no submission."""

from __future__ import annotations

import copy
import json
import random
import re
import stat
from pathlib import Path

import nbformat
import pytest
import torch

from allyouneed.check.questions.asking import asked, fill
from allyouneed.check.questions.changed import changed_lines, code_lines
from allyouneed.check.questions.kinds import options
from allyouneed.check.questions.of_changes import HINTS, _is_of_types
from allyouneed.check.questions.of_values import _other_shapes, _shape_slips
from allyouneed.check.questions.own_code import NotUsable, from_texts
from allyouneed.check.questions.question import KINDS
from allyouneed.check.questions.told import tell, tell_answer
from allyouneed.check.variants import run_all
from allyouneed.check.wire import encode
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.choosing import Work, paper_of, seed_of
from coursegrader.defence.defend import defend, summary
from coursegrader.defence.difficulty import Difficulty
from coursegrader.defence.fresh import wrong_key
from coursegrader.defence.paper import Key, Paper, key_path, paper_folder, paper_path, read_key, read_paper
from coursegrader.defence.seats import Seats, take_seating
from coursegrader.errors import UserError
from coursegrader.grading.judging import verdict_on_stranger
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.questions import questions

SOFTMAX = """def softmax(x, dim):
    top = x.amax(dim, keepdim=True)   # the largest
    e = torch.exp(x - top)
    return e / e.sum(dim, keepdim=True)
"""
HOSTILE = {
    "scaled_dot_product_attention": (
        'print("loud" * 9999)\ndef scaled_dot_product_attention(q, k, v, mask=None):\n'
        '    print("loud" * 9999)\n    while True:\n        pass\n'
    ),
    "causal_mask": "import os\ndef causal_mask(n_queries, n_keys=None):\n    os._exit(0)\n",
    "padding_mask": (
        "def padding_mask(lengths, max_len):\n    note = '<script>alert(1)</script>'\n"
        "    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :]\n"
        'padding_mask.__name__ = "softmax"\n'
    ),
}


def item_of(attention, name, text, seed):
    own = from_texts(name, text, attention.prelude)
    found = asked(own, attention.fingerprints("public", [name])[name], random.Random(seed))
    fill(found, run_all({name: found.task})[name])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_every_kind_is_made_of_one_softmax_and_its_keys_are_right(attention, seed):
    item = item_of(attention, "softmax", SOFTMAX, seed)
    for kind in KINDS:
        made = list(options(kind, item, random.Random(seed)))
        assert made, kind
        for one in made:
            assert one.answer is None or 0 <= one.answer < len(one.question.choices)
            assert all(0 < line <= len(one.question.code.split("\n")) for line in one.question.marked)
            told = wrong_key(one.question, one.answer, item.own.support, SOFTMAX, {"x": torch.float32})
            assert told is None, (one.question.prompt, told)


@pytest.mark.slow
def test_wrong_choices_do_not_show_themselves(attention):
    """Not all wrong changes of one question give the same; a "what if" is no rewriting of the same sum."""
    item = item_of(attention, "softmax", SOFTMAX, 1)
    changes = {f"line {one.line}: {one.after}": number for number, one in enumerate(item.changed, 1)}
    for made in options("which-change", item, random.Random(1)):
        numbers = [changes[text] for text in made.question.choices]
        index = next(
            at for at in range(3) if item.told(0, at) and f"gives {item.told(0, at)};" in made.question.prompt
        )
        wrong = {item.told(number, index) for place, number in enumerate(numbers) if place != made.answer}
        assert len(wrong) > 1
    rewritten = {one.text for one in item.changed if one.kind == "rewritten"}
    assert rewritten and not rewritten & {
        one.question.code for one in options("what-if", item, random.Random(1))
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_question_shows_the_result_that_another_one_asks_for(attention, seed):
    item = item_of(attention, "softmax", SOFTMAX, 1)
    work = Work("ada", str(seed), "nonce", ["softmax"], {"softmax": item})
    asked = paper_of("03-attention", work, "s" * 32, 3)[0].questions
    assert [one.kind for one in asked] == ["what-if", "which-change", "trace"]
    assert len({re.search(r"x = \[.*\], dim = -?\d", one.prompt)[0] for one in asked}) == 3


@pytest.mark.slow
def test_code_with_braces_is_asked_about_like_any_other(attention):
    braces = SOFTMAX.replace("torch.exp(x - top)", "torch.exp(dict(a={0: x - top})['a'][0])")
    item = item_of(attention, "softmax", braces, 1)
    prompts = [one.question.prompt for one in options("why", item, random.Random(1))]
    assert any("a={0: x - top}" in prompt for prompt in prompts)


@pytest.mark.slow
@pytest.mark.parametrize("empty", ["torch.empty(2)", "torch.from_numpy(__import__('numpy').empty(2))"])
def test_memory_that_was_never_written_is_no_result_to_ask_for(attention, empty):
    item = item_of(attention, "softmax", SOFTMAX.replace("# the largest", "# never empty"), 1)
    item.task["texts"] = [item.own.text, f"def softmax(x, dim):\n    return {empty}\n"]
    fill(item, run_all({"softmax": item.task})["softmax"])
    assert item.told(0, 0) and item.told(1, 0) is None
    assert torch.isnan(item.value(1, 0)).all() and not torch.are_deterministic_algorithms_enabled()


@pytest.mark.slow
def test_a_wrong_key_is_found(attention):
    item = item_of(attention, "softmax", SOFTMAX, 1)
    for kind in ("what-if", "which-change", "mend"):
        one = next(iter(options(kind, item, random.Random(1))))
        other = (one.answer + 1) % len(one.question.choices)
        assert wrong_key(one.question, other, item.own.support, SOFTMAX, {"x": torch.float32})


def test_a_paper_shows_code_as_it_was_written_and_one_line_is_changed():
    own = from_texts("softmax", f"unused = 3\n{SOFTMAX}", "import torch\nsecret = 5\n")
    assert own.text == SOFTMAX
    assert "secret" not in own.support and "unused" not in own.text
    for change in changed_lines(own.text, random.Random(0), 40):
        pairs = zip(own.text.split("\n"), change.text.split("\n"))
        assert [number for number, (one, two) in enumerate(pairs, 1) if one != two] == [change.line]
    assert code_lines(SOFTMAX) == [2, 3, 4]


def test_a_name_that_the_function_has_of_its_own_shows_no_other_line():
    text = "losses = [1, 2]\nscale = 3\ndef best(x):\n    losses = x * scale\n    return losses\n"
    own = from_texts("best", text, "")
    assert "scale = 3" in own.text and "[1, 2]" not in own.text


def test_a_softmax_keeps_its_axis_and_a_tensor_that_becomes_a_number_is_not_called_the_same():
    text = "def f(x):\n    y = torch.softmax(x, dim=-1)\n    return int(y.argmax())\n"
    changed = changed_lines(text, random.Random(0), 40)
    assert not any("softmax(x)" in one.after for one in changed)
    plain = [one for one in changed if one.after == "return y.argmax()"]
    assert plain and all(_is_of_types(one) for one in plain)


def test_an_input_on_which_the_code_gives_nan_is_left_out_where_another_gives_numbers(attention):
    item = item_of(attention, "softmax", SOFTMAX, 1)
    found = {
        "inputs": list(range(len(item.inputs))),
        "answers": [[dict(answer) for answer in item.answers[0]]],
        "noted": [[] for _ in item.inputs],
    }
    assert len(item.inputs) > 1
    item.task["inputs"] = item.inputs
    first = found["answers"][0][0]
    first["output"] = encode(torch.full_like(item.value(0, 0), float("nan")))
    kept = item.inputs[1:]
    fill(item, found)
    assert item.inputs == kept and len(item.answers[0]) == len(item.noted) == len(kept)
    for answer in found["answers"][0]:
        answer["output"] = first["output"]
    item.task["inputs"] = item.inputs
    fill(item, found | {"inputs": list(range(len(kept))), "answers": [found["answers"][0][: len(kept)]]})
    assert item.inputs == kept


def test_a_mend_without_a_result_says_what_kind_of_change_it_is(attention):
    item = item_of(attention, "softmax", SOFTMAX, 1)
    item.plain = False
    made = list(options("mend", item, random.Random(1)))
    assert made and all(any(hint in one.question.prompt for hint in HINTS.values()) for one in made)


def test_a_line_taken_out_of_brackets_leaves_none():
    changed = changed_lines("def f(x, y):\n    return (x - y).abs()\n", random.Random(0), 40)
    assert "return x.abs()" in {one.after for one in changed} and not any(
        "(x)" in one.after for one in changed
    )


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "nothing of the name"),
        ("def softmax(x, dim):\n    raise NotImplementedError\n", "not written"),
        ("def softmax(x, dim):\n" + "    x = x + 1\n" * 80 + "    return x\n", "too long"),
    ],
    ids=["nothing", "not written", "too long"],
)
def test_what_cannot_be_asked_about_is_told(text, why):
    with pytest.raises(NotUsable, match=why):
        from_texts("softmax", text, "import torch\n")


def test_neighbours_sit_side_by_side_or_one_behind_the_other():
    seats = Seats((("a", "b", "", "c"), ("d", "e", "f", "g"), (), ("h",)))
    assert set(map(frozenset, seats.pairs())) == set(
        map(frozenset, ("ab", "de", "ef", "fg", "ad", "be", "cg"))
    )
    assert not any({one, other} <= seats.white() for one, other in seats.pairs())
    assert seats.order() == list("abcdefgh")


def test_seeds_follow_from_the_secret():
    assert seed_of("a" * 32, "03", "ada") == seed_of("a" * 32, "03", "ada")
    assert (
        len({seed_of(secret, "03", name) for secret in ("a" * 32, "b" * 32) for name in ("ada", "bob")}) == 4
    )


def asked_in(problem_set, student):
    pairs = zip(read_paper(problem_set, student).questions, read_key(problem_set, student).answers)
    return {question.asks(answer) for question, answer in pairs}


@pytest.mark.slow
def test_no_question_answers_another_or_is_answered_by_its_form(attention):
    item = item_of(attention, "softmax", SOFTMAX.replace("    return", "    e = 1 * e\n    return"), 1)
    made = {kind: list(options(kind, item, random.Random(1))) for kind in KINDS}
    assert {one.topic for one in made["what-if"]} & {one.topic for one in made["mend"]}
    assert any(change.after == "pass" for change in item.changed)
    assert not any("pass" in one.question.code for one in made["mend"])
    assert not any("+ 0)" in change.after for change in item.changed)
    named = SOFTMAX.replace("    return", "    out =") + "    return out\n"
    again = item_of(attention, "softmax", named, 1)
    lines = [one.question.marked for one in options("why", again, random.Random(1))]
    assert (4,) in lines and (5,) not in lines


@pytest.mark.slow
def test_results_that_nobody_can_work_out_are_not_asked(attention):
    hidden = "from random import random as noise\ndef softmax(x, dim):\n    return x + noise()\n"
    item = item_of(attention, "softmax", hidden, 1)
    assert not item.inputs and item.trouble == "it gives another result at each call"
    seeded = "def softmax(x, dim):\n    torch.manual_seed(0)\n    return x + torch.rand(x.shape)\n"
    assert not list(options("what-if", item_of(attention, "softmax", seeded, 1), random.Random(1)))
    assert tell_answer({"output": encode(torch.tensor([0.001, 0.002]))}) is None
    assert tell_answer({"output": encode(torch.tensor([0.001, 0.02]))}) == "[0, 0.02]"
    assert tell_answer({"output": encode(torch.tensor([38735.46]))}) is None
    assert tell_answer({"output": encode(torch.tensor([38735.0]))}) == "[38735]"


@pytest.mark.slow
def test_students_with_the_same_code_are_asked_about_the_same_exercises_in_the_same_order(attention):
    names = ["softmax", "causal_mask", "packed_causal_mask", "padding_mask"]
    texts = {name: attention.exercise(name).reference.source for name in names}
    items = {name: item_of(attention, name, text, 1) for name, text in texts.items()}
    papers = [paper_of("03-attention", Work(seed, seed, "", names, items), "a" * 32, 6)[0] for seed in "ab"]
    assert papers[0].questions != papers[1].questions
    ada, bob = ([(q.kind, q.exercise) for q in paper.questions] for paper in papers)
    assert ada == bob and len({exercise for _, exercise in ada}) > 2


@pytest.mark.slow
def test_what_neighbours_are_asked_is_asked_again_only_where_there_is_nothing_else(attention):
    item, taken = item_of(attention, "softmax", SOFTMAX, 1), set()
    for _ in range(6):  # all with the same seed: each would be the first paper again
        work = Work("ada", "seed", "", ["softmax"], {"softmax": item})
        paper, key = paper_of("03-attention", work, "a" * 32, 6, taken)
        asked_now = {question.asks(answer) for question, answer in zip(paper.questions, key.answers)}
        assert len(asked_now) == 6 and not asked_now & taken
        taken |= asked_now
    short = item_of(attention, "softmax", "def softmax(x, dim): return torch.softmax(x, dim)\n", 1)
    work = Work("ada", "seed", "", ["softmax"], {"softmax": short})
    first = paper_of("03-attention", work, "a" * 32, 6)[0]
    assert first.questions
    again = paper_of("03-attention", work, "a" * 32, 6, Everything())[0]
    assert len(again.questions) == len(first.questions)


@pytest.mark.slow
def test_a_change_that_any_public_probe_tells_is_not_said_to_change_nothing(attention):
    name = "scaled_dot_product_attention"
    item = item_of(attention, name, attention.exercise(name).reference.source, 1)
    public = attention.fingerprints("public", [name])[name]
    texts = [item.changed[number - 1].text for number in sorted(item.same) if number]
    assert texts
    task = {"it": questions(public) | {"forbidden": []}}
    versions = [Asked(name, text, ("it",)) for text in texts]
    for index, _, response in ask_versions(attention.prelude, attention.helpers, task, versions):
        verdict = verdict_on_stranger(name, public, response, texts[index], None)
        assert verdict.passed, (texts[index], verdict.message)


def test_what_rounding_alone_makes_other_is_no_wrong_choice(attention):
    """Of results that cannot be shown, too; and what is said to be the same is never said to differ."""
    item = item_of(attention, "softmax", SOFTMAX, 1)
    values = torch.tensor([0.25, 0.75])
    item.inputs, item.plain = [{}], False
    item.answers = [[{"output": encode(values * factor)}] for factor in (1, 1 + 2e-7, 1.1)]
    assert [item.differs(number) for number in range(3)] == [False, False, True]
    item.same = set(range(1, len(item.changed) + 1))
    item.answers += [item.answers[2]] * (len(item.changed) - 2)
    assert not list(options("does-it-matter", item, random.Random(1)))


def test_of_code_that_draws_random_numbers_nobody_is_asked_what_does_not_matter(attention):
    name = "leaks_the_future"
    item = item_of(attention, name, attention.exercise(name).reference.source, 1)
    assert not list(options("does-it-matter", item, random.Random(1))) and "rand" in item.own.text


def test_of_a_fit_nobody_is_asked_what_does_not_matter(attention):
    item = item_of(attention, "softmax", SOFTMAX, 1)
    assert list(options("does-it-matter", item, random.Random(1)))
    item.task["probe_driver"] = "fitted_curve"
    assert not list(options("does-it-matter", item, random.Random(1)))


@pytest.mark.slow
def test_of_code_that_fails_on_a_public_probe_nobody_is_asked_what_does_not_matter(attention):
    fails = SOFTMAX.replace("    e = ", "    assert x.dim() < 3\n    e = ")
    item = item_of(attention, "softmax", fails, 1)
    assert item.inputs and not item.same
    assert not list(options("does-it-matter", item, random.Random(1)))


def test_nobody_is_asked_for_least_squares_or_for_what_is_written_twice_to_one_place(attention):
    fitted = SOFTMAX.replace("e / e.sum", "np.polyfit([0], [1], 0)[0] * e / e.sum")
    assert not item_of(attention, "softmax", "import numpy as np\n" + fitted, 1).plain
    twice = SOFTMAX.replace("x - top)", "x - top.scatter(-1, torch.zeros_like(top, dtype=torch.long), top))")
    item = item_of(attention, "softmax", twice, 1)
    assert not list(options("what-if", item, random.Random(1))) and list(
        options("mend", item, random.Random(1))
    )


def test_a_line_that_never_ran_is_not_asked_for_its_meaning(attention):
    text = SOFTMAX.replace("    return", "    if dim > 9:\n        e = torch.full_like(e, 2)\n    return")
    prompts = [
        made.question.prompt
        for seed in range(12)
        for made in options("why", item_of(attention, "softmax", text, 1), random.Random(seed))
    ]
    assert any("line 6" in prompt for prompt in prompts) and not any("line 5" in prompt for prompt in prompts)


def test_a_change_that_moves_gradients_alone_is_not_said_to_change_nothing():
    """The pieces' ends, from the second on, a token later: every value as before, no gradient."""
    problem_set = ProblemSet(Path(__file__).parents[2], "01-recurrence")
    name = "truncated_states"
    text = (
        "def truncated_states(x, h0, W, U, b, window):\n    rows, h, left = [], h0, window\n"
        "    for t in range(x.shape[1]):\n        if left == 0:\n            h, left = h.detach(), window\n"
        "        h = torch.tanh(x[:, t] @ W + h @ U + b)\n        rows.append(h)\n        left -= 1\n"
        "    return torch.stack(rows, dim=1)\n"
    )
    own = from_texts(name, text, problem_set.prelude)
    found = asked(own, problem_set.fingerprints("public", [name])[name], random.Random(1))
    found.task["texts"] = [text, text.replace("left == 0", "left == -1"), text.replace("h @ U", "(h @ U)")]
    assert run_all({name: found.task})[name]["same"] == [2]


def test_a_line_that_begins_others_is_asked_about_with_them(attention):
    text = SOFTMAX.replace("    return", "    if dim > -9:\n        e = e + 0.0\n    return")
    item = item_of(attention, "softmax", text, 1)
    prompts = {
        made.question.prompt for seed in range(20) for made in options("why", item, random.Random(seed))
    }
    assert any("what the block that begins in line 4 is for" in prompt for prompt in prompts), prompts
    assert any("what line 5 is for" in prompt for prompt in prompts)


def test_wrong_choices_of_a_trace_come_from_each_other_too():
    """Or the right one would be that from which all others are made."""
    centre = 0
    for seed in range(300):
        found = [eval(text) for text in _other_shapes((2, 3, 4), [], random.Random(seed))]
        assert len(set(found) | {(2, 3, 4)}) == 4
        slips = [set(_shape_slips(shape)) for shape in ((2, 3, 4), *found)]
        near = [sum(other in slip for other in ((2, 3, 4), *found)) for slip in slips]
        centre += near[0] == max(near) and near.count(max(near)) == 1
    assert centre < 150


def test_what_is_not_written_is_not_asked_about():
    stub = (
        'def softmax(x, dim):\n    """Weights.\n\n    x: (n,)\n\n    Returns: (n,)\n    """\n'
        "    raise NotImplementedError\n"
    )
    assert len(stub.splitlines()) >= 8
    with pytest.raises(NotUsable, match="softmax is not written"):
        from_texts("softmax", stub, "")


@pytest.mark.slow
def test_of_the_questions_there_are_the_one_that_answers_have_shown_to_be_fitting_is_taken(attention):
    item = item_of(attention, "softmax", SOFTMAX, 1)
    said = {}
    for shift in (0, 3):  # as it says, and harder
        work = Work("ada", "seed", "", ["softmax"], {"softmax": item})
        known = Difficulty(dict.fromkeys(KINDS, float(shift)))
        paper, _ = paper_of("03-attention", work, "a" * 32, 6, difficulty=known)
        said[shift] = sum(question.difficulty for question in paper.questions)
    assert said[3] < said[0] - 1


class Everything(frozenset):
    """All questions that there can be."""

    def __contains__(self, one):
        return True

    def __bool__(self):
        return True


@pytest.fixture(scope="module")
def course(attention, tmp_path_factory):
    """Four students: two with the same right code, one hostile, one file cut off; and their papers."""
    root = tmp_path_factory.mktemp("defence")
    (root / "solutions").mkdir()
    (root / "solutions" / attention.name).symlink_to(attention.folder)
    problem_set = ProblemSet(root, attention.name)
    attention.fingerprints("public")
    attention.hand_on(root)

    def hand_in(student, answers):
        notebook = copy.deepcopy(attention.notebook)
        for cell in notebook.cells:
            for name, text in answers.items():
                if cell.cell_type == "code" and f"def {name}(" in cell.source:
                    cell.source = text
        path = root / "submitted" / student / attention.name / f"{attention.name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
        return path

    hand_in("ada", {"softmax": SOFTMAX})
    hand_in("bob", {"softmax": SOFTMAX})
    hand_in("dan", HOSTILE)
    hand_in("eve", {}).write_text('{"cells": [')
    return problem_set, defend(problem_set, workers=2)


@pytest.mark.slow
@pytest.mark.xdist_group("defence")
class TestAClass:
    def test_each_has_a_paper_but_the_one_that_cannot_be_read(self, course, attention):
        problem_set, results = course
        assert [result.problem is None for result in results] == [True, True, True, False]
        papers = [read_paper(problem_set, student) for student in ("ada", "bob")]
        assert [[q.kind for q in paper.questions] for paper in papers] == [list(KINDS)] * 2
        topics = [[(q.kind, q.exercise) for q in paper.questions] for paper in papers]
        asked_of_ada, asked_of_bob = (asked_in(problem_set, student) for student in ("ada", "bob"))
        assert not asked_of_ada & asked_of_bob
        for kind, exercise in set(topics[0]) - set(topics[1]):  # its only question, which ada has been asked
            code = next(q.code for q in papers[0].questions if (q.kind, q.exercise) == (kind, exercise))
            made = list(options(kind, item_of(attention, exercise, code, 1), random.Random(1)))
            assert made
            assert {one.question.asks(one.answer) for one in made} <= asked_of_ada

    def test_no_other_question_shows_the_code_in_which_a_line_is_to_be_found(self, course):
        for student in ("ada", "bob"):
            asked = [(one.kind, one.exercise) for one in read_paper(course[0], student).questions]
            mended = {exercise for kind, exercise in asked if kind == "mend"}
            assert len(mended) == 1 and not mended & {exercise for kind, exercise in asked if kind != "mend"}

    def test_a_hostile_submission_gets_a_paper_with_notes(self, course):
        problem_set, results = course
        paper = read_paper(problem_set, "dan")
        assert paper.questions
        for name in ("scaled_dot_product_attention", "causal_mask"):
            assert any(note.startswith(f"{name} gives nothing to ask") for note in paper.notes), name
        assert "loud" * 50 not in paper.to_json()
        assert "not readable as JSON" in summary(*course)

    def test_a_paper_holds_no_answer_and_nothing_of_others(self, course):
        problem_set, _ = course
        text = paper_path(problem_set, "dan").read_text()
        assert "# the largest" not in text and '"answers"' not in text
        for exercise in problem_set.exercises.values():
            for told in (mistake.message for mistake in exercise.mistakes.values()):
                assert told not in text

    def test_only_the_owner_reads_papers_and_keys(self, course):
        problem_set, _ = course
        for path in (key_path(problem_set, "ada"), paper_path(problem_set, "ada")):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        key = read_key(problem_set, "ada")
        assert len(key.answers) == len(read_paper(problem_set, "ada").questions)

    def test_the_table_of_the_room_says_who_are_neighbours_and_who_shares_a_question_is_named(
        self, course, tmp_path
    ):
        problem_set, results = course
        said = "ada and bob"
        assert said not in summary(problem_set, results)
        before = {
            path: path.read_bytes()
            for path in [place(problem_set, "bob") for place in (paper_path, key_path)]
        }
        try:
            for place in (paper_path, key_path):
                place(problem_set, "bob").write_bytes(place(problem_set, "ada").read_bytes())
            assert said in summary(problem_set, results)
            table = tmp_path / "room.csv"
            table.write_text("ada,dan\n,bob\n")  # diagonally
            assert take_seating(problem_set, table, ["ada", "bob", "dan", "eve"]) == [
                "Without a seat, taken as apart from all others: eve."
            ]
            assert said not in summary(problem_set, results)
            table.write_text("ada\nbob\n")
            take_seating(problem_set, table, ["ada", "bob"])
            assert said in summary(problem_set, results)
            table.write_text("ada,ada\n")
            with pytest.raises(UserError, match="ada sits on two seats"):
                take_seating(problem_set, table, ["ada"])
            table.write_text("nobody\n")
            with pytest.raises(UserError, match="no account"):
                take_seating(problem_set, table, ["ada"])
        finally:
            (paper_folder(problem_set) / "seating.csv").unlink(missing_ok=True)
            for path, data in before.items():
                path.write_bytes(data)

    def test_a_second_run_keeps_what_is_there_and_makes_what_is_missing_the_same(self, course):
        problem_set, _ = course
        before = paper_path(problem_set, "bob").read_text()
        paper_path(problem_set, "bob").unlink()
        results = defend(problem_set, students=["ada", "bob"], workers=1)
        assert [result.kept for result in results] == [True, False]
        assert paper_path(problem_set, "bob").read_text() == before

    def test_a_paper_about_an_earlier_submission_is_called_so(self, course):
        problem_set, _ = course
        path = problem_set.root / "submitted" / "bob" / problem_set.name / f"{problem_set.name}.ipynb"
        before, notes = path.read_text(), []
        question = next(q for q in read_paper(problem_set, "bob").questions if q.kind == "trace")
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code" and f"def {question.exercise}(" in cell.source:
                cell.source += "\n# another one"
                cell.source = cell.source.replace("return ", "return 1 * ")
        for text in (before, nbformat.writes(notebook)):
            path.write_text(text)
            (result,) = defend(problem_set, students=["bob"], workers=1)
            notes.append(any("handed in before: --force" in note for note in result.notes))
            assert result.kept
        path.write_text(before)
        assert notes == [False, True]


def test_a_tuple_of_one_is_told_as_python_writes_it():
    assert tell((("c", "d"),)) == "(('c', 'd'),)" and tell(((1, 2), [3])) == "((1, 2), [3])"


def test_papers_and_keys_come_back_from_json_as_they_went():
    key = Key((1, None), ("a", "b"))
    assert Key.from_json(key.to_json()) == key
    paper = Paper("ada", "03-attention", "1", (), ("note",))
    assert Paper.from_json(paper.to_json()) == paper
    assert json.loads(paper.to_json())["student"] == "ada"
