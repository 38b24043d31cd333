"""A sweep sorts changed versions by what the probes say of them, and explains what changes nothing."""

from dataclasses import replace

import pytest

from coursegrader.authoring import sweep as sweeping
from coursegrader.authoring.sweep import changed_versions, sweep
from coursegrader.authoring.sweep_figures import Swept, explained, figures, idle_rules
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import RubricError
from coursegrader.rubric.fingerprints import as_if_id
from coursegrader.rubric.language import Exercise


def row(before, after, outcome="equal", names=(None, None), kind="call", held=False):
    return Swept("f", "reference", 2, kind, before, after, outcome, names, held=held)


def exercise(**rules):
    found = Exercise("f", {"core": 1}, "s")
    for reason, changes in rules.items():
        found.equal(reason, changes)
    return found


def swept(problem_set, monkeypatch, keep) -> list[Swept]:
    """The rows of causal_mask for the changes that `keep` accepts, asked anew."""
    monkeypatch.setattr(sweeping, "kept", lambda *_: None)
    monkeypatch.setattr(sweeping, "keep", lambda *_: None)
    monkeypatch.setattr(
        sweeping,
        "changed_versions",
        lambda exercise: {source: item for source, item in changed_versions(exercise).items() if keep(*item)},
    )
    return next(sweep(problem_set, ["causal_mask"]))


@pytest.mark.slow
def test_changed_versions_are_sorted_by_what_the_probes_say(attention, monkeypatch):
    rows = swept(
        attention, monkeypatch, lambda version, change: version is attention.exercise("causal_mask").reference
    )
    outcomes = {found.outcome for found in rows}
    assert {"value", "form", "error"} <= outcomes
    assert all(found.outcome != "equal" for found in rows if found.kind == "sign")
    counted = figures(rows)
    assert counted.versions == len(rows) == counted.equal + counted.values + counted.form + counted.error
    assert 0 < counted.named <= counted.values and not counted.disagree
    told = [found for found in rows if found.told]
    assert told and all(found.names[0] == found.names[1] == told_as(found) for found in told)


def told_as(found: Swept) -> str:
    return as_if_id(found.told.message)


def test_a_survivor_is_shown_as_a_difference_until_a_reason_explains_it():
    survivor = row("    y = x.clone().sum(1)", "    y = x.sum(1)")
    assert survivor.unexplained
    assert survivor.shown() == (
        "f, reference, line 2: passes all probes\n  - y = x.clone().sum(1)\n  + y = x.sum(1)"
    )
    assert explained(exercise(copied={".clone()": ""}), survivor).reason == "copied"
    assert explained(exercise(copied={".clone()": ".detach()"}), survivor).unexplained
    axis = row("    return x.sum(1)", "    return x.sum(-2)")
    assert not explained(exercise(two_names={"1": ("-1", "-2")}), axis).unexplained
    caught = row("    y = x.clone()", "    y = x", "value")
    assert explained(exercise(copied={".clone()": ""}), caught).reason is None


def test_what_torch_promises_needs_no_rule():
    for before, after in (
        ("return x.contiguous()", "return x"),
        ("return x.transpose(0, dim)", "return x.transpose(dim, 0)"),
        ("return torch.cat([x, y], dim=0)", "return torch.cat([x, y])"),
    ):
        assert not explained(exercise(), row(before, after)).unexplained
    assert explained(exercise(), row("return x.gather(0, y)", "return x.gather(y, 0)")).unexplained
    assert explained(exercise(), row("return x.sum(dim=0)", "return x.sum()")).unexplained


def test_a_version_that_passes_one_kind_of_probes_alone_is_explained_only_where_whatever_passes_is_right():
    assert explained(exercise(copied={".clone()": ""}), row("x.clone()", "x", "half")).unexplained
    search = exercise(free={"range(200)": ...})
    for outcome in ("equal", "half"):
        assert not explained(search, row("for _ in range(200):", "for _ in range(199):", outcome)).unexplained
        assert explained(search, row("for _ in range(200):", "for i in range(200):", outcome)).unexplained
    assert explained(search, row("for _ in range(200):", "for _ in range(2):", "value")).reason is None


def test_a_rule_that_explains_nothing_is_named():
    assert idle_rules(exercise(copied={".clone()": ""}), [row("x.clone()", "x")]) == []
    assert "'.clone()' may become ''" in idle_rules(exercise(copied={".clone()": ""}), [])[0]
    assert "'range(200)' may become anything" in idle_rules(exercise(free={"range(200)": ...}), [])[0]


def test_the_share_of_names_counts_wrong_values_of_the_right_form_alone():
    found = figures(
        [
            row("a", "b", "value", ("m", "m"), held=True),
            row("a", "g", "value", ("as-if-1", "as-if-1"), held=True),
            row("a", "h", "value", ("result-factor", "result-factor")),
            row("a", "c", "value", ("m", None)),
            row("a", "d", "value"),
            row("a", "e", "error", ("m", "n")),
            row("a", "f"),
        ]
    )
    assert (found.values, found.named, found.told, found.disagree, found.equal) == (5, 1, 2, 1, 1)
    assert found.unexplained == 1 and found.share == pytest.approx(2 / 5)


def test_a_rule_without_a_reason_is_refused():
    with pytest.raises(RubricError, match="test_sweep.py:.*needs a reason"):
        exercise(**{" ": {"a": "b"}})


def stand_in(attention, **changed) -> ProblemSet:
    """The problem set with a changed causal_mask."""
    problem_set = ProblemSet(attention.root, attention.name)
    problem_set.exercises["causal_mask"] = replace(attention.exercise("causal_mask"), **changed)
    return problem_set


def test_a_rubric_without_probes_is_refused_in_one_line(attention):
    with pytest.raises(RubricError, match=r"causal_mask.py: causal_mask has no probes.*Yield") as caught:
        next(sweep(stand_in(attention, make_probes=lambda make: iter(())), ["causal_mask"]))
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_base_that_is_no_right_version_is_refused_in_one_line(attention, monkeypatch):
    wrong = replace(attention.exercise("causal_mask").wrong_versions[0], label="by hand")
    broken = stand_in(attention, alternatives=[wrong])
    with pytest.raises(RubricError, match=r"causal_mask.py: 'by hand' is no right version.*Run") as caught:
        swept(broken, monkeypatch, lambda version, change: False)
    assert "\n" not in str(caught.value)
