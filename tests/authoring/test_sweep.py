"""A sweep sorts changed versions by what the probes say of them, and explains what changes nothing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from coursegrader.authoring import sweep as sweeping
from coursegrader.authoring import told as telling
from coursegrader.authoring.sweep import changed_versions, sweep
from coursegrader.authoring.sweep_figures import Swept, explained, figures, idle_rules
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import RubricError
from coursegrader.rubric.asking import Asked, ask_versions
from coursegrader.rubric.fingerprints import as_if_entry, as_if_id
from coursegrader.rubric.language import Exercise
from coursegrader.rubric.questions import in_order, questions

ROOT = Path(__file__).resolve().parents[2]


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


@pytest.mark.slow
def test_a_change_that_hangs_on_the_last_bits_is_not_told(attention):
    """A sum of rounding errors, made large, is another number whenever something is rounded otherwise."""
    steady = "def softmax(x, dim):\n    return 2 * torch.softmax(x, dim)\n"
    by_luck = (
        "def softmax(x, dim):\n"
        "    found = torch.softmax(x.double(), dim)\n"
        "    return (found + 1e15 * (1 - found.sum(dim, keepdim=True))).to(x.dtype)\n"
    )
    by_sums = "def softmax(x, dim):\n    return (2 + 1e15 * (1 - sum([0.1] * 10))) * torch.softmax(x, dim)\n"
    prints = {kind: attention.fingerprints(kind, ["softmax"])["softmax"] for kind in sweeping.KINDS}
    tasks = {f"{kind} softmax": questions(prints[kind]) for kind in prints}
    asked = [Asked("softmax", source, tuple(tasks)) for source in (steady, by_luck, by_sums)]
    entries: dict = {steady: {}, by_luck: {}, by_sums: {}}
    for index, task, response in ask_versions(
        attention.prelude, attention.helpers, tasks, asked, alone=False
    ):
        kind = task.partition(" ")[0]
        answers = in_order(prints[kind], response)["answers"]
        entries[asked[index].source][kind] = as_if_entry(prints[kind], answers, "It behaves.")
    assert all(entry[kind]["sums"] for entry in entries.values() for kind in prints)
    assert telling.by_chance(attention, "softmax", prints, entries) == {by_luck, by_sums}


@pytest.mark.slow
def test_what_probes_of_one_kind_know_by_a_written_name_those_of_the_other_tell_nothing_of(
    attention, monkeypatch
):
    reference = attention.exercise("causal_mask").reference
    rows = swept(attention, monkeypatch, lambda version, change: version is reference)
    told = next(found for found in rows if found.told).told
    hidden, judged = attention.fingerprints("hidden", ["causal_mask"])["causal_mask"], sweeping.judged

    def known_to_hidden_probes(name, fingerprint, response, source):
        found = judged(name, fingerprint, response, source)
        written = found.outcome != "equal" and fingerprint["probes"] == hidden["probes"]
        return replace(found, name="written") if written else found

    def is_told(version, change):
        return version is reference and (change.start, change.end, change.new) == (
            told.start,
            told.end,
            told.new,
        )

    assert swept(attention, monkeypatch, is_told)[0].told == told
    monkeypatch.setattr(sweeping, "judged", known_to_hidden_probes)
    (alone,) = swept(attention, monkeypatch, is_told)
    assert alone.told is None and not alone.held
    assert alone.names[0] != as_if_id(told.message) and alone.names[1] == "written"


def test_the_kept_sweeps_leave_no_survivor_and_no_two_names():
    """The figures that the certified pages show; a sweep of an hour gave them."""
    figures = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["figures"]
        for path in ROOT.glob("solutions/*/rubric/swept/*.json")
    }
    assert len(figures) == len(list(ROOT.glob("solutions/*/rubric/[!_]*.py")))
    assert {name: found for name, found in figures.items() if found["unexplained"] or found["disagree"]} == {}
    held, values = (sum(found[key] for found in figures.values()) for key in ("held", "values"))
    assert held >= 0.8 * values


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
