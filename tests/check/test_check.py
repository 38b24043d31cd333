"""The student's own check, and the parts that both sides share: data as JSON, comparison, rules, limits."""

import _thread
import contextlib
import copy
import json
import linecache
import os
import sys
import threading
import time
from cProfile import Profile
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from allyouneed.check import CheckFailed, _fingerprint, _source, check, trying
from allyouneed.check.bounded import run_bounded
from allyouneed.check.compare import compare_values
from allyouneed.check.drivers import ask
from allyouneed.check.judge import judge
from allyouneed.check.mistakes import failures, known_mistake
from allyouneed.check.rules import forbidden_in_source
from allyouneed.check.shown import show
from allyouneed.check.watched_calls import WatchedCalls
from allyouneed.check.wire import WireError, decode, encode
from allyouneed.nn.attention import scaled_dot_product_attention

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values)
@example(float("nan"))
@example(-0.0)
@example([float("-inf"), 2**-1074, 1e308, (), {}, "\0\u2028"])
@example({"": {"tensor": ((True, 1, 1.0, None),)}})
def test_what_is_written_is_read_back(value):
    assert repr(decode(json.loads(json.dumps(encode(value))))) == repr(value)


@pytest.mark.parametrize(
    "tensor",
    [
        torch.randn(2, 3).T,
        torch.tensor(3),
        torch.zeros(0, 4),
        torch.tensor([True, False]),
        torch.tensor([float("nan"), float("inf")], dtype=torch.float64),
        torch.randn(4).to(torch.bfloat16),
    ],
)
def test_tensors_come_back_equal(tensor):
    back = decode(json.loads(json.dumps(encode(tensor))))
    assert (
        back.dtype == tensor.dtype
        and back.shape == tensor.shape
        and torch.equal(torch.nan_to_num(back), torch.nan_to_num(tensor))
    )


def test_numpys_numbers_are_a_tensor_also_backwards():
    assert decode(encode(np.arange(3.0)[::-1])).tolist() == [2, 1, 0] and decode(encode(np.float32(3))) == 3


def test_a_strided_tensor_comes_back_not_contiguous_and_equal():
    tensor = torch.randn(3, 4)
    back = decode(encode(tensor) | {"strided": True})
    assert not back.is_contiguous() and torch.equal(back, tensor)


@pytest.mark.parametrize(
    "value",
    [
        object(),
        lambda: 0,
        {"a": object()},
        torch.zeros(3_000_000),
        2**300,
        torch.eye(2).to_sparse(),
        torch.zeros(2, device="meta"),
        np.array(["a text"]),
        np.array([{}]),
        np.array([1], dtype=np.uint16),
    ],
)
def test_what_is_not_plain_data_is_refused(value):
    with pytest.raises(WireError):
        encode(value)


@pytest.mark.parametrize(
    "data",
    [
        {"tensor": "float32", "shape": [10**9], "data": ""},
        {"tensor": "float32", "shape": [-1], "data": ""},
        {"tensor": "object", "shape": [1], "data": ""},
        {"pickle": "x"},
        {},
    ],
)
def test_forged_data_is_refused(data):
    with pytest.raises(WireError):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [
        {"tensor": "float32", "shape": [int("9" * 4000)] * 60, "data": ""},
        {"tensor": "float32", "shape": [1] * 65, "data": "AAAAAA=="},
        {"dict": [[number * (2**61 - 1), 0] for number in range(20_001)]},
        [0] * 20_001,
        {"tuple": [0] * 20_001},
        {"tuple": 5},
    ],
)
def test_data_that_would_take_for_ever_is_refused_at_once(data):
    start = time.process_time()
    with pytest.raises(WireError):
        decode(data)
    assert time.process_time() - start < 1


def test_a_loop_ends_a_flood_is_swallowed_and_an_exit_is_an_error(capsys):
    def loop():
        while True:
            pass

    def flood():
        while True:
            print("x" * 1000)

    assert run_bounded(loop, 0.2)[1]["error"] == "Timeout"
    assert run_bounded(flood, 0.2)[1]["error"] == "Timeout"
    assert run_bounded(exit, 0.2)[1]["error"] == "SystemExit"
    assert capsys.readouterr().out == ""


def test_a_loop_ends_where_there_are_no_interval_timers():
    found = []

    def loop():
        while True:
            pass

    thread = threading.Thread(target=lambda: found.append(run_bounded(loop, 0.2)))
    thread.start()
    thread.join(60)
    assert found[0][1]["error"] == "Timeout"


def test_lists_stand_for_whole_number_tensors_and_tuples_for_lists():
    assert compare_values(torch.tensor([1, 2]), [1, 2]) is None
    assert compare_values((1, 2), [1, 2]) is None
    assert compare_values(torch.tensor([1.0]), torch.tensor([1.0], dtype=torch.float64)) == "dtype"
    assert compare_values(torch.tensor([True]), torch.tensor([1])) == "dtype"
    assert compare_values(torch.tensor([1.0]), torch.tensor([[1.0]])) == "shape"
    assert compare_values(3, 3.0) == "type" and compare_values(True, 1) == "type"
    assert (
        compare_values(torch.tensor([1, 2]), [1, None])
        == compare_values(torch.tensor([1, 2]), [1, 2**70])
        == "type"
    )


FORBIDDEN = {"softmax", "log_softmax", "Softmax"}


@pytest.mark.parametrize(
    "source",
    [
        "import torch as t\ndef softmax(x, dim):\n    return t.softmax(x, dim)",
        "from torch.nn.functional import softmax as s\ndef softmax(x, dim):\n    return s(x, dim)",
        "import torch\nready = torch.softmax\ndef softmax(x, dim):\n    return ready(x, dim)",
        "import torch\nsoftmax = torch.softmax",
        "from torch import nn\ndef softmax(x, dim):\n    return nn.Softmax(dim)(x)",
        "def softmax(x, dim):\n    return x.softmax(dim)",
        "import torch\ndef softmax(x, dim):\n    return getattr(torch, 'softmax')(x, dim)",
        (
            "import torch\ndef helper(x, dim):\n    return torch.log_softmax(x, dim).exp()\ndef softmax(x, "
            "dim):\n    return helper(x, dim)"
        ),
        "from allyouneed import softmax as theirs\ndef softmax(x, dim):\n    return theirs(x, dim)",
        "import torch\nsoftmax = lambda x, dim: torch.softmax(x, dim)",
        "import torch\nif True:\n    def softmax(x, dim):\n        return torch.softmax(x, dim)",
        (
            "import torch\ntry:\n    def softmax(x, dim):\n        return torch.softmax(x, dim)\nfinally:\n"
            "    pass\nif False:\n    def softmax(x, dim):\n        return x"
        ),
        (
            "import torch\nready = 0 if False else torch.ops.aten._softmax.default\ndef softmax(x, dim):\n"
            "    return ready(x, dim, False)"
        ),
        "import torch\ndef softmax(x, dim):\n    return torch.ops.aten.add.Tensor(x, 0)",
        "import torch\nu = torch.jit.CompilationUnit('def f(x): ...')\ndef softmax(x, dim): return u.f(x)",
    ],
)
def test_the_syntax_tree_shows_the_ready_made_function(source):
    assert forbidden_in_source(source, "softmax", FORBIDDEN)


def test_a_ready_made_function_is_named_as_it_is_written():
    source = "def softmax(x, dim):\n    return {}"
    assert forbidden_in_source(source.format("F.softmax(x, dim)"), "softmax", FORBIDDEN) == "F.softmax"
    assert forbidden_in_source(source.format("(x - x.max()).softmax(dim)"), "softmax", FORBIDDEN) == "softmax"


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ndef softmax(x, dim):\n    return torch.exp(x - torch.logsumexp(x, dim, keepdim=True))",
        (
            "import torch\ndef other(x):\n    return torch.softmax(x, -1)\ndef softmax(x, dim):\n    return "
            "x.exp() / x.exp().sum(dim)"
        ),
        "def softmax(x, dim):\n    'like torch.softmax'\n    return x",
        (
            "import torch\ndef weights(x):\n    return torch.softmax(x, -1)\ndef softmax(x, dim):\n"
            "    weights = x.exp()\n    return weights / weights.sum(dim)"
        ),
        "import torch\ne = torch.softmax\ndef softmax(x, dim):\n    e = x.exp()\n    return e / e.sum(dim)",
        "from torch import softmax\ndef softmax(x, dim): return x if dim else softmax(x, 1)",
        "import torch\ntry: softmax\nexcept NameError: softmax = torch.softmax\ndef softmax(x, d): return x",
        "import torch\ndef softmax(x, dim): return x\nif False:\n    def softmax(x, d): return x.softmax(d)",
        "import torch\ndef own(x): return x\nown = torch.softmax(x, 0)\ndef softmax(x, d): return own(x)",
        "import torch\ndef softmax(x, dim): return x\nsoftmax, theirs = softmax, torch.softmax",
        "import torch\nways = {'theirs': torch.softmax}\nsoftmax = ways['mine']",
        "def softmax(x, dim): return " + "x + " * 500 + "x",
        "import torch\ndef softmax(x, dim): return torch.softmax(x, dim)\ndef softmax(x, dim): return x",
        (
            "class Tools:\n    def softmax(self, x):\n        return x\ndef softmax(x, dim):\n    return "
            "Tools().softmax(x)"
        ),
    ],
)
def test_what_is_not_a_call_of_it_is_left_alone(source):
    assert forbidden_in_source(source, "softmax", FORBIDDEN) is None


def softmax_of_the_base(self, dim):
    return torch.Tensor.softmax(self, dim)


def begin_to_profile(own):
    with contextlib.suppress(ValueError):  # from Python 3.12 on there is one profiler in a process
        own.enable()
        own.disable()


softmax_of_the_base.__qualname__ = "T.softmax"


def in_a_thread(x, function=torch.softmax):
    thread = threading.Thread(target=function, args=[x, 0])
    thread.start()
    thread.join()


def in_a_bare_thread(x):
    done = threading.Event()
    _thread.start_new_thread(lambda: (torch.softmax(x, 0), done.set()), ())
    done.wait()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.softmax(x, 0),
        lambda x: getattr(x, "soft" + "max")(0),
        lambda x: torch.nn.Softmax(0)(x),
        lambda x: vars(torch.nn.functional)["softmax"](x, 0),
        lambda x: torch.ops.aten.softmax(x, 0),
        lambda x: x.as_subclass(type("T", (torch.Tensor,), {"softmax": softmax_of_the_base})).softmax(0),
        lambda x: sys.setprofile(None),
        lambda x: begin_to_profile(Profile()),
        in_a_thread,
        in_a_bare_thread,
    ],
)
def test_a_call_is_seen_whatever_its_name(call):
    with (calls := WatchedCalls(FORBIDDEN)):
        call(torch.randn(3))
    assert calls.ready_made()


def test_a_profiler_of_ones_own_is_no_trouble():
    own = Profile()
    own.enable()
    with (calls := WatchedCalls(FORBIDDEN)):
        torch.randn(3).softmax(0)
    assert calls.ready_made() == {"torch.softmax"}
    with contextlib.suppress(ValueError):  # from Python 3.12 on there is one profiler in a process
        own.disable()


def test_a_thread_that_does_something_else_is_no_trouble():
    with (calls := WatchedCalls(FORBIDDEN)):
        in_a_thread(torch.randn(3), torch.sum)
    in_a_thread(torch.randn(3))
    assert not calls.ready_made()


def test_a_layer_that_is_shown_or_copied_is_not_called():
    layer = torch.nn.Softmax(0)
    with (calls := WatchedCalls(FORBIDDEN)):
        repr(layer), copy.deepcopy(layer)
    assert not calls.ready_made()


def test_an_inner_function_can_be_forbidden_without_its_plain_name():
    source = "import allyouneed.text.bytepair as bp\ndef bpe_encode(word, merges):\n    return {}"
    assert forbidden_in_source(source.format("bp._encode(word, dict(merges))"), "bpe_encode", {"_encode"})
    assert forbidden_in_source(source.format("[word.encode()]"), "bpe_encode", {"_encode"}) is None


def test_a_whole_package_can_be_forbidden():
    from tokenizers.models import BPE

    source = (
        "from tokenizers import models\ndef bpe_encode(word, merges):\n    return models.BPE(merges)(word)"
    )
    assert forbidden_in_source(source, "bpe_encode", {"tokenizers"}) == "tokenizers.models.BPE"
    with (calls := WatchedCalls({"tokenizers"})):
        BPE({"a": 0}, []).tokenize("a")
    assert calls.ready_made() == {"tokenizers.tokenize"}


def right_softmax(x, dim):
    exponentials = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return exponentials / exponentials.sum(dim=dim, keepdim=True)


def test_a_right_answer_is_told_so(capsys):
    check("softmax", right_softmax)
    assert "✓ softmax is right on all" in capsys.readouterr().out


def test_a_wrong_answer_is_told_its_mistake_and_where_to_read():
    with pytest.raises(
        CheckFailed, match=("(?s)overflow.*See http://localhost:8000/book/03-attention.html#softmax-stable")
    ):
        check("softmax", lambda x, dim: x.exp() / x.exp().sum(dim, keepdim=True))
    with pytest.raises(CheckFailed, match="uses torch"):
        check("softmax", torch.softmax)
    with pytest.raises(CheckFailed, match="still raises NotImplementedError"):
        check("softmax", lambda x, dim: (_ for _ in ()).throw(NotImplementedError()))
    # torch's own errors of that type are no unwritten cell: a boolean tensor & one of floats
    with pytest.raises(CheckFailed, match="bitwise_and"):
        check("softmax", lambda x, dim: (x > 0) & x)


def told(name, candidate, reveal=True):
    fingerprint = _fingerprint(name)[0]
    answers = [ask(candidate, fingerprint["driver"], probe) for probe in fingerprint["probes"]]
    verdict = judge(name, fingerprint, {"answers": answers}, reveal)
    return verdict.misconception, verdict.message


def test_an_unknown_mistake_is_shown_with_what_is_expected_beside_what_came():
    kind, text = told("softmax", lambda x, dim: right_softmax(x, dim) ** 2)
    assert kind == "unknown" and "softmax([0.0, 1.0, 2.0], -1)" in text and "must sum to 1" in text
    assert "[0.09, 0.2447, 0.6652] is expected, and you return [0.0081, 0.0599, 0.4425]" in text


@pytest.mark.parametrize(
    "shown", [{"error": "ValueError", "text": ""}, {"output": encode(torch.full((2,), torch.nan))}]
)
def test_a_mistake_that_shows_in_errors_or_nan_alone_must_explain_every_failure(shown):
    right, other = {"output": encode(torch.ones(2))}, {"output": encode(torch.zeros(2))}
    fingerprint = {
        "probes": [{}, {}],
        "right": [[right, right]],
        "any_float": False,
        "wrong": [{"id": "overflow", "answers": {"1": shown}}],
    }

    def named(*answers):
        return known_mistake(fingerprint, answers, failures(fingerprint, answers))

    assert named(right, shown)["id"] == "overflow" and named(other, shown) is None


def test_a_mistake_must_explain_half_of_what_fails():
    right, shown, other = ({"output": encode(torch.full((2,), float(value)))} for value in (1, 2, 3))
    fingerprint = {
        "probes": [{}, {}, {}, {"edge": True}],
        "right": [[right] * 4],
        "any_float": False,
        "wrong": [{"id": "doubled", "answers": {"0": shown}}],
    }

    def named(*answers):
        found = known_mistake(fingerprint, answers, failures(fingerprint, answers))
        return found and found["id"]

    assert named(shown, right, right, right) == named(shown, other, right, other) == "doubled"
    assert named(shown, other, other, right) is None


def test_of_a_large_or_second_result_the_first_number_that_differs_is_shown():
    def wrong(q, k, v, mask=None):
        output, weights = scaled_dot_product_attention(q, k, v, mask)
        return output, weights**2

    text = told("scaled_dot_product_attention", wrong)[1]
    assert "Of the values that come back, number 2: [[" in text and "is expected, and you return" in text
    text = told("causal_mask", lambda n, m=None: ~torch.ones(n, m or n, dtype=torch.bool).tril(1))[1]
    assert "is expected, and you return" in text or "True" in text


def test_what_grading_says_of_a_hidden_probe_has_no_numbers_and_no_shapes():
    def stops(x, dim):
        return x @ x.new_ones(7, 3)

    stops.__globals__["__name__"], own = "__main__", __name__
    try:
        shown, hidden = (told("softmax", stops, reveal) for reveal in (True, False))
    finally:
        stops.__globals__["__name__"] = own
    assert shown[0] == hidden[0] == "raises"
    for _, text in (shown, hidden):
        assert "It stops at `return x @ x.new_ones(7, 3)`" in text
    assert "x is (3,)" in shown[1] and "x is" not in hidden[1] and "[0.0, 1.0, 2.0]" not in hidden[1]
    assert "expected" not in told("softmax", lambda x, dim: right_softmax(x, dim) ** 2, False)[1]


def test_mistakes_of_every_exercise_have_messages_of_their_own():
    def truth(x, dim):
        return right_softmax(x, dim) if x > 0 or x.any() else x

    def expanded(x, dim):
        wide = x.amax(dim, keepdim=True).expand_as(x)
        wide -= x
        return right_softmax(wide, dim)

    def overwritten(x, dim):
        powers = right_softmax(x, dim).exp()
        powers += 1
        return powers

    def nan(x, dim):
        return right_softmax(x, dim) * float("nan")

    for wrong, kind, words in (
        (truth, "truth-of-tensor", "with &, | and ~"),
        (expanded, "writes-into-expanded", "clone()"),
        (overwritten, "overwritten-for-gradient", "Make a new tensor"),
        (nan, "gives-nan", "∞ − ∞, ∞ / ∞"),
    ):
        found, text = told("softmax", wrong)
        assert found == kind and words in text


RIGHT = {"output": encode(torch.ones(2))}
PLAIN = {
    "probes": [{"name": name, "args": [], "kwargs": None, "group": "core"} for name in "ab"],
    "points": {"core": 1},
    "section": "s",
    "driver": "call",
    "right": [[RIGHT, RIGHT]],
    "any_float": False,
    "wrong": [],
}


def stopped(text):
    return {"error": "RuntimeError", "text": text}


def test_a_refused_numpy_is_told_of_the_gradient_only_where_one_is_asked_for():
    refused = {"answers": [stopped("Can't call numpy() on Tensor that requires grad."), RIGHT]}
    asked = RIGHT | {"gradients": [encode(torch.ones(2))]}
    assert judge("f", PLAIN | {"right": [[asked, RIGHT]]}, refused).misconception == "no-gradient"
    verdict = judge("f", PLAIN, refused)
    assert verdict.misconception == "raises" and "Can't call numpy()" in verdict.message


def test_a_rubrics_own_evidence_goes_before_what_autograd_refuses():
    written = stopped("a leaf Variable that requires grad is being used in an in-place operation.")
    own = {"id": "memory-written", "message": "m", "section": "s", "answers": {"0": written}}
    for wrong, kind in (([], "changes-input"), ([own], "memory-written")):
        verdict = judge("f", PLAIN | {"wrong": wrong}, {"answers": [written, RIGHT]})
        assert verdict.misconception == kind


@pytest.mark.parametrize(
    "came, words",
    [
        ([None], "is not. Keep to differentiable"),
        ([encode(torch.zeros(2))], "is not. Keep to differentiable"),
        ([encode(torch.tensor([1.0, torch.nan]))], "holds NaN"),
        ([encode(torch.ones(2) / 2)], "is another one"),
        (["no tensor"], "is not. Keep to differentiable"),
    ],
)
def test_it_is_told_what_has_become_of_the_gradient(came, words):
    asked = RIGHT | {"gradients": [encode(torch.ones(2))]}
    verdict = judge(
        "f", PLAIN | {"right": [[asked, RIGHT]]}, {"answers": [RIGHT | {"gradients": came}, RIGHT]}
    )
    assert verdict.misconception == "no-gradient" and words in verdict.message


def test_of_a_changed_input_the_values_are_called_right_only_where_they_are():
    changed = RIGHT | {"changed": [0]}
    wrong = {"output": encode(torch.zeros(2))} | {"changed": [0]}
    known = {"id": "changes-input", "message": "", "section": "s", "answers": {"0": wrong}}
    for answer, begins in ((changed, "The values are right, but f changes"), (wrong, "f changes its input")):
        verdict = judge("f", PLAIN | {"wrong": [known]}, {"answers": [answer, RIGHT]})
        assert verdict.misconception == "changes-input" and verdict.message.startswith(begins)


@pytest.mark.parametrize(
    "wanted, came, words",
    [
        ([torch.ones(2)], [torch.ones(2).double()], "at place 0 of the list a value of the form tensor"),
        ([1, 2], [1, [2]], "at place 1 of the list a value of the form int is expected, but list of 1 items"),
        ({"a": 1, "b": 2}, {"a": 1, "c": 2}, "the dict lacks 'b' and holds 'c'."),
        ({"a": [1]}, {"a": [1.5]}, "at place 0 of the list a value of the form int is expected, but float"),
        (dict.fromkeys("abcde", 1), {}, "the dict lacks 'a', 'b', 'c' and 2 more."),
    ],
)
def test_of_two_lists_or_dicts_the_part_of_another_form_is_told(wanted, came, words):
    right, answer = {"output": encode(wanted)}, {"output": encode(came)}
    verdict = judge("f", PLAIN | {"right": [[right, right]]}, {"answers": [answer, right]})
    assert words in verdict.message


def test_a_dict_that_is_none_is_told_as_such():
    right = {"output": encode({"a": 1})}
    for odd in ({"dict": 5}, {"dict": [[1]]}, {"dict": [[[[1]], 2]]}):
        verdict = judge("f", PLAIN | {"right": [[right, right]]}, {"answers": [{"output": odd}, right]})
        assert not verdict.passed and "of the form dict is expected" in verdict.message


def test_a_batch_of_one_is_named_where_nothing_else_fails():
    def squeezed(kv, n_query_heads):
        return kv.repeat_interleave(n_query_heads // kv.shape[1], dim=1).squeeze(0)

    kind, text = told("expand_kv", squeezed)
    assert kind == "axis-of-one" and "squeeze()" in text
    assert told("expand_kv", lambda kv, n: kv.repeat_interleave(n // kv.shape[1], dim=1)[..., :1])[0] != kind


def test_a_missing_return_and_what_is_wrong_beside_right_values_are_told_apart():
    def sometimes(x, dim):
        if x.ndim < 3:
            return right_softmax(x, dim)

    def beside(x, dim):
        right = right_softmax(x, dim)
        if x.ndim < 3:
            return right.detach()
        x += 1
        return right

    with pytest.raises(CheckFailed, match="returns None. End every way"):
        check("softmax", lambda x, dim: None)
    with pytest.raises(CheckFailed, match="returns None on some probes"):
        check("softmax", sometimes)
    with pytest.raises(CheckFailed, match="values are right, but the (input|gradient)"):
        check("softmax", beside)


def test_a_function_that_never_ends_is_told_so_once():
    fingerprint = _fingerprint("softmax")[0]
    late = {"error": "Timeout", "text": "did not end within 2 seconds"}
    message = judge("softmax", fingerprint, {"answers": [late] * len(fingerprint["probes"])}).message
    assert message.startswith("softmax did not end within 2 seconds. Look for a loop")


def test_an_unknown_name_says_which_there_are():
    with pytest.raises(KeyError, match="no exercise named 'sofmax'. Did you mean softmax"):
        check("sofmax", right_softmax)
    with pytest.raises(KeyError, match="no exercise named <function"):
        check(right_softmax, "softmax")
    with pytest.raises(KeyError, match="no exercise named 'xyzzy'. Known exercises: .*softmax"):
        check("xyzzy", right_softmax)


@pytest.mark.parametrize(
    "name, came", [("softmax", torch.ones(3)), ("softmax", None), ("LayerNorm", torch.nn.Linear(2, 2))]
)
def test_a_result_in_the_place_of_the_exercise_is_told_as_one(name, came):
    with pytest.raises(CheckFailed, match=rf"handed a result, of type {type(came).__name__}\. Hand over"):
        check(name, came)


def test_a_module_may_stand_for_a_function(capsys):
    class Softmax(torch.nn.Module):
        def forward(self, x, dim):
            return right_softmax(x, dim)

    check("softmax", Softmax())
    assert "is right on all" in capsys.readouterr().out


@pytest.mark.parametrize("damage", [b'{"softmax"', b'["softmax"]', b'\xff\xfe "softmax"', b"{}", b"[" * 9999])
def test_a_damaged_file_beside_the_notebook_is_named(damage, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _fingerprint.cache_clear()  # of what other tests have checked
    (tmp_path / "01-own.check.json").write_bytes(damage)
    for name in ("softmax", "xyzzy"):
        if name.encode() in damage or name == "xyzzy":
            with pytest.raises(CheckFailed, match=r"01-own\.check\.json is damaged\. Get it anew"):
                check(name, right_softmax)
    (tmp_path / "01-own.check.json").unlink()
    check("softmax", right_softmax)


def test_a_notebook_whose_folder_was_deleted_is_checked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # and brings back the folder it was in
    gone = tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    check("softmax", right_softmax)
    assert "is right on all" in capsys.readouterr().out


def of_the_notebook(source: str, monkeypatch, **names) -> dict:
    """The names that a notebook's cell of this source defines."""
    place = f"<cell {hash(source)}>"
    lines = source.splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, place, (len(source), None, lines, place))
    names |= {"__name__": "__main__", "torch": torch}
    exec(compile(source, place, "exec"), names)
    return names


NEAREST = """
def nearest(v, E, k, exclude=()):
    raise NotImplementedError
def analogy(a, b, c, E, words, k=1):
    ia, ib, ic = map(words.index, (a, b, c))
    return [words[i] for i in nearest(E[ia] - E[ib] + E[ic], E, k, (ia, ib, ic))]
"""


def test_of_an_exercise_that_calls_an_unwritten_one_the_other_is_named(monkeypatch):
    analogy = of_the_notebook(NEAREST, monkeypatch)["analogy"]
    with pytest.raises(CheckFailed, match="analogy calls nearest, which is not written yet. Write nearest"):
        check("analogy", analogy)
    layer = "class Norm:\n    def __init__(self):\n        raise NotImplementedError\n"
    layer += "def analogy(*a, **b): Norm()\n"
    with pytest.raises(CheckFailed, match="analogy calls Norm, which is not written yet. Write Norm first"):
        check("analogy", of_the_notebook(layer, monkeypatch)["analogy"])
    wrapped = "def analogy(*a, **b):\n    raise NotImplementedError\n"
    wrapped = of_the_notebook(wrapped + "by = lambda *a, **b: analogy(*a, **b)\n", monkeypatch)["by"]
    with pytest.raises(CheckFailed, match="analogy is not written yet"):
        check("analogy", wrapped)
    own = of_the_notebook("def analogy(*a, **b):\n    raise NotImplementedError\n", monkeypatch)["analogy"]
    with pytest.raises(CheckFailed, match="analogy is not written yet"):
        check("analogy", own)
    with pytest.raises(CheckFailed, match="softmax is not written yet"):  # under another name
        check("softmax", own)


def test_beside_a_figure_the_exercise_that_is_not_written_is_named(monkeypatch, capsys):
    cell = "def cell(trying):\n    with trying('analogy', 'embed'):\n        "
    for line, said in (
        ("analogy('a', 'b', 'c', torch.eye(3), ['a', 'b', 'c'])", "Write nearest first."),
        ("raise NotImplementedError", "Write analogy and embed first."),
        (
            "raise NotImplementedError('no kernel for Long')",  # as torch says it
            "This does not run yet: NotImplementedError: no kernel for Long. What does the check say?",
        ),
    ):
        of_the_notebook(NEAREST + cell + line + "\n", monkeypatch)["cell"](trying)
        assert capsys.readouterr().out.strip() == said


@pytest.mark.parametrize("name", [7, "a b", "<b>f</b>", ["f"], "f", "f.forward", "f.<locals>.g"])
def test_what_is_no_name_of_a_function_is_not_told_as_one(name):
    answers = [{"error": "NotImplementedError", "text": "", "function": name}] * 2
    verdict = judge("f", PLAIN, {"answers": answers})
    assert verdict.misconception == "not-implemented" and "f is not written yet" in verdict.message


def test_an_input_whose_gradient_was_switched_off_is_told_and_nothing_stops():
    def frozen(q, k, v, mask=None):
        k.requires_grad_(False)
        return scaled_dot_product_attention(q, k, v, mask)

    kind, text = told("scaled_dot_product_attention", frozen)
    assert kind == "no-gradient" and "requires_grad_(False)" in text


def test_switching_gradients_off_in_every_input_does_not_pass():
    def frozen(student, teacher, center, student_temp, teacher_temp):
        teacher.requires_grad_(False)
        center.requires_grad_(False)
        wanted = ((teacher - center) / teacher_temp).softmax(-1)
        return -(wanted * (student / student_temp).log_softmax(-1)).sum(-1).mean()

    assert told("distillation_loss", frozen)[0] == "no-gradient"


def test_an_expected_result_without_numbers_is_shown():
    empty = encode(torch.zeros(0, 4))
    assert show(empty) == "<tensor of shape (0, 4) and dtype float32>"
    verdict = judge("f", PLAIN | {"right": [[{"output": empty}, RIGHT]]}, {"answers": [RIGHT, RIGHT]})
    assert "(0, 4)" in verdict.message


@pytest.mark.parametrize(
    "text, words", [("", "stops with ValueError. "), ("No.", "stops with ValueError: No. ")]
)
def test_an_error_is_told_with_what_it_says_and_one_full_stop(text, words):
    answer = {"error": "ValueError", "text": text, "line": "x", "shapes": ""}
    message = judge("f", PLAIN, {"answers": [answer, answer]}).message
    assert words in message + " " and ".." not in message


def test_the_check_reads_the_source_of_a_function_in_a_notebook():
    def softmax(x, dim):
        ready = torch.nn.Softmax(dim)
        return ready(x)

    assert forbidden_in_source(_source(softmax), "softmax", FORBIDDEN) == "torch.nn.Softmax"


def test_a_text_of_numpy_is_a_text():
    import numpy

    data = encode([numpy.str_("queen")])
    assert data == ["queen"] and type(data[0]) is str and compare_values(["queen"], decode(data)) is None


def test_the_landing_page_shows_what_the_check_says():
    page = (Path(__file__).parents[2] / "book" / "index.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    message = page.partition("\n> ")[2].partition("\n")[0]
    written = {"torch": torch}
    exec(code, written)
    with pytest.raises(CheckFailed) as told:
        check("softmax", written["softmax"])
    assert str(told.value).startswith(f"{message} See ")
