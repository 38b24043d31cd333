"""A mistake costs its points once: in set 03, the columns may be computed with one's own attention."""

import pytest

from allyouneed.check.judge import Verdict
from coursegrader.course.kept import kept
from coursegrader.grading.follow_on import judged_again
from coursegrader.grading.judging import verdict_on_stranger
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.fingerprints import known_wrong
from coursegrader.rubric.questions import questions

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("class")]
ATTENTION, COLUMNS = "scaled_dot_product_attention", "attention_columns"
OWN = {
    "calls it": "return scaled_dot_product_attention((W_q @ X).T, (W_k @ X).T, (W_v @ X).T)[0].mT",
    "forgets to turn back": "return scaled_dot_product_attention((W_q @ X).T, (W_k @ X).T, (W_v @ X).T)[0]",
    "calls nothing": "return (W_v @ X) @ torch.softmax((W_k @ X).T @ (W_q @ X), dim=0)",
}


@pytest.fixture(scope="module")
def asked(attention):
    """What each way to write the columns sends back, with an attention that lacks the scale."""
    hidden = attention.hidden([COLUMNS])[COLUMNS]
    wrong = next(
        version for version in known_wrong(attention.exercise(ATTENTION)) if version.mistake == "no-scale"
    )
    sources = {kind: f"def {COLUMNS}(X, W_q, W_k, W_v):\n    {text}\n" for kind, text in OWN.items()}
    versions = [Asked(COLUMNS, source, ("it",)) for source in sources.values()]
    helpers = attention.helpers | {ATTENTION: wrong.source}
    task = {"it": questions(hidden) | {"forbidden": []}}
    responses = {
        index: response for index, _, response in ask_versions(attention.prelude, helpers, task, versions)
    }
    return {kind: (source, responses[index]) for index, (kind, source) in enumerate(sources.items())}


def verdicts(attention, asked, kind, mistake="no-scale", points=0):
    """The verdict on the columns as it is at first, and judged again."""
    source, response = asked[kind]
    hidden = attention.hidden([COLUMNS])[COLUMNS]
    first = verdict_on_stranger(COLUMNS, hidden, response, source, None)
    earlier = Verdict(ATTENTION, mistake is None, points, 6, mistake, "Divide.")
    return first, judged_again(attention, first, [earlier], response, source, None)


def test_what_is_right_but_for_an_earlier_mistake_keeps_its_points(attention, asked):
    first, again = verdicts(attention, asked, "calls it")
    assert not first.passed and first.points < first.max_points
    assert again.passed and again.points == again.max_points and again.misconception is None
    assert again.message == (
        "attention_columns: right for what your scaled_dot_product_attention gives. The mistake there costs "
        "its points once."
    )


@pytest.mark.parametrize(
    "kind, mistake",
    [
        ("forgets to turn back", "no-scale"),  # a mistake of its own
        ("calls nothing", "no-scale"),  # the same mistake, made again
        ("calls it", "softmax-over-queries"),  # another mistake than it follows from
        ("calls it", "wrong-values"),  # one that the rubric does not know
        ("calls it", None),  # nothing is wrong there
    ],
)
def test_nothing_else_is_forgiven(attention, asked, kind, mistake):
    first, again = verdicts(attention, asked, kind, mistake)
    assert again == first and not first.passed


def test_it_is_asked_once_and_kept(attention, asked, monkeypatch):
    again = verdicts(attention, asked, "calls it")[1]
    monkeypatch.setattr("coursegrader.grading.follow_on.ask_versions", None)
    assert verdicts(attention, asked, "calls it")[1] == again and again.passed
    assert kept(attention.place("follow-on", f"{COLUMNS}-{ATTENTION}-no-scale"), "another rubric") is None


def test_a_mistake_two_steps_away_costs_its_points_once(attention):
    wrong = next(item for item in known_wrong(attention.exercise("softmax")) if item.mistake == "base-two")
    middle = next(
        version.source
        for version in (attention.exercise(ATTENTION).reference, *attention.exercise(ATTENTION).alternatives)
        if " softmax(" in version.source
    )
    columns = f"def {COLUMNS}(X, W_q, W_k, W_v):\n    {OWN['calls it']}\n"
    source = f"{wrong.source}\n\n{middle}\n\n{columns}"
    hidden = attention.hidden([COLUMNS])[COLUMNS]
    helpers = attention.helpers | {"softmax": wrong.source, ATTENTION: middle}
    task = {"it": questions(hidden) | {"forbidden": []}}
    asked = [Asked(COLUMNS, columns, ("it",))]
    ((_, _, response),) = ask_versions(attention.prelude, helpers, task, asked)
    first = verdict_on_stranger(COLUMNS, hidden, response, source, None)
    assert not first.passed
    earlier = [
        Verdict("softmax", False, 0, 4, "base-two", "The powers are of 2."),
        Verdict(ATTENTION, True, 6, 6, None, "right for what your softmax gives"),
    ]
    again = judged_again(attention, first, earlier, response, source, None)
    assert (
        again.passed and again.points == again.max_points and "right for what your softmax" in again.message
    )
    alone = judged_again(attention, first, earlier, response, columns, None)
    assert alone == first, "a submission that never comes to softmax"


NOT_WRITTEN = f"def {ATTENTION}(*parts):\n    raise NotImplementedError\n"


@pytest.mark.parametrize(
    "kind, there, slip, told",
    [
        ("not-implemented", NOT_WRITTEN, "", "which is not there yet"),
        ("syntax-error", None, "", "which Python cannot read"),
        ("no-scale", NOT_WRITTEN, "", ""),  # it is not what the earlier verdict says
        ("not-implemented", "right", " + somethign", ""),  # a slip of its own
    ],
)
def test_what_calls_an_exercise_that_is_not_there_yet_is_told_so(attention, kind, there, slip, told):
    columns = f"def {COLUMNS}(X, W_q, W_k, W_v):\n    {OWN['calls it']}{slip}\n"
    right = attention.exercise(ATTENTION).reference.source
    helpers = attention.helpers | {ATTENTION: right if there == "right" else there or ""}
    hidden = attention.hidden([COLUMNS])[COLUMNS]
    task = {"it": questions(hidden) | {"forbidden": []}}
    asked = ask_versions(attention.prelude, helpers, task, [Asked(COLUMNS, columns, ("it",))])
    ((_, _, response),) = asked
    first = verdict_on_stranger(COLUMNS, hidden, response, columns, None)
    earlier = [Verdict(ATTENTION, False, 0, 6, kind, "Wrong.")]
    again = judged_again(attention, first, earlier, response, columns, None)
    assert (told and f"your {ATTENTION}, {told}, so") in again.message and again.points == first.points == 0
    assert told or again == first


def test_what_is_not_written_itself_is_told_that_whatever_stands_beside_it(attention):
    stub = f"def {COLUMNS}(X, W_q, W_k, W_v):\n    raise NotImplementedError\n"
    beside = f"print({ATTENTION}(q, k, v))\n"
    hidden = attention.hidden([COLUMNS])[COLUMNS]
    task = {"it": questions(hidden) | {"forbidden": []}}
    asked = ask_versions(attention.prelude, attention.helpers, task, [Asked(COLUMNS, stub, ("it",))])
    ((_, _, response),) = asked
    first = verdict_on_stranger(COLUMNS, hidden, response, stub, None)
    earlier = [Verdict(ATTENTION, False, 0, 6, "not-implemented", "Not written yet.")]
    source = f"{NOT_WRITTEN}\n{stub}\n{beside}"
    assert judged_again(attention, first, earlier, response, source, None) == first


@pytest.mark.parametrize("mistake", ["no-shift", "global-maximum", "global-sum"])
def test_attention_with_a_softmax_that_overflows_keeps_its_points(attention, mistake):
    """NaN meets the mask in several ways: what is hidden is filled with zeros, or every NaN is replaced."""
    hidden = attention.hidden([ATTENTION])[ATTENTION]
    wrong = [one for one in known_wrong(attention.exercise("softmax")) if one.mistake == mistake]
    ways = (
        "if mask is not None:\n        weights = weights.masked_fill(~mask, 0.0)",
        "weights = torch.nan_to_num(weights)",
    )
    sources = [
        f"def {ATTENTION}(q, k, v, mask=None):\n    scores = q @ k.mT / math.sqrt(q.shape[-1])\n"
        "    if mask is not None:\n        scores = scores.masked_fill(~mask, -math.inf)\n"
        f"    weights = softmax(scores, -1)\n    {way}\n"
        "    return weights @ v, weights\n"
        for way in ways
    ]
    earlier = [Verdict("softmax", False, 3, 4, mistake, "Subtract.")]
    task = {"it": questions(hidden) | {"forbidden": []}}
    versions = [Asked(ATTENTION, source, ("it",)) for source in sources]
    for version in wrong:
        helpers = attention.helpers | {"softmax": version.source}
        for index, _, response in ask_versions(attention.prelude, helpers, task, versions):
            first = verdict_on_stranger(ATTENTION, hidden, response, sources[index], None)
            again = judged_again(attention, first, earlier, response, sources[index], None)
            assert again.passed, (ways[index], version.label, again.message)
