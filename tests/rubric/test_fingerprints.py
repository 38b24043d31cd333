"""What a fingerprint keeps of wrong answers: no repeats, and of large ones what tells mistakes apart."""

from types import SimpleNamespace

import pytest

from coursegrader.rubric import Exercise, Relation, RubricError, fingerprints, outline
from coursegrader.rubric.questions import answers_of

PROBES = [{"name": "plain"}, {"name": "empty", "edge": True}]


def entry(mistake, plain, empty):
    return {"id": mistake, "answers": {"0": {"output": plain}, "1": {"output": empty}}}


def kept(*entries):
    made = fingerprints._compact(SimpleNamespace(any_float=False), list(entries), PROBES)
    return [(item["id"], sorted(item["answers"])) for item in made]


def test_small_answers_lose_repeats_alone():
    assert kept(entry("a", 1, 2), entry("a", 1, 2), entry("a", 1, 3)) == [("a", ["0", "1"])] * 2


def test_large_answers_lose_edge_probes_that_tell_nothing_apart(monkeypatch):
    monkeypatch.setattr(fingerprints, "LARGE", 0)
    assert kept(entry("a", 1, 2), entry("a", 1, 3), entry("b", 5, 2)) == [("a", ["0"]), ("b", ["0"])]
    assert kept(entry("a", 1, 2), entry("b", 1, 3)) == [("a", ["0", "1"]), ("b", ["0", "1"])]
    sizes = [{"0": {"error": "IndexError", "text": f"{size} is too large"}} for size in (5, 7)]
    one, other = ({"id": name, "answers": size | {"1": {"output": name}}} for name, size in zip("ab", sizes))
    assert kept(one, other) == [("a", ["0", "1"]), ("b", ["0", "1"])]  # the judge sees no numbers in errors
    only_edge = {"id": "c", "answers": {"1": {"output": 4}}}
    assert kept(only_edge) == [("c", ["1"])]


def test_where_code_stopped_is_no_part_of_a_fingerprint():
    said = {"error": "RuntimeError", "text": "no", "line": "x @ y", "shapes": "x is (3,)", "function": "f"}
    assert answers_of({"probes": PROBES[:1]}, {"answers": [said]}) == [
        {"error": "RuntimeError", "text": "no"}
    ]


def test_a_told_change_is_known_where_it_gives_wrong_values_of_the_right_form_alone():
    made = {"any_float": False, "probes": PROBES, "right": [[{"output": 1}, {"output": 2}]]}
    found = fingerprints.as_if_entry(made, [{"output": 1}, {"output": 5}], "It behaves as if.")
    assert list(found["sums"]) == ["1"] and found["sums"]["1"][0] == 5
    for other in ({"output": [5]}, {"error": "ValueError", "text": ""}):
        assert not fingerprints.as_if_entry(made, [{"output": 3}, other], "")["sums"]
    long = made | {"probes": [PROBES[0], {"name": "long", "long": True}]}
    assert not fingerprints.as_if_entry(long, [{"output": 1}, {"output": 5}], "")["sums"]


def test_a_relation_of_a_probe_that_is_not_there_is_refused():
    exercise = Exercise("f", {"core": 1}, "s", relations=[Relation("one", "three", "They differ.")])
    with pytest.raises(RubricError, match="names the probes 'one' and 'three'; there are .'one', 'two'"):
        outline._relations(exercise, [{"name": "one"}, {"name": "two"}])
    exercise = Exercise("f", {"core": 1}, "s", relations=[Relation("two", "one", "They differ.", 0)])
    assert outline._relations(exercise, [{"name": "one"}, {"name": "two"}]) == [
        {"probes": [1, 0], "message": "They differ.", "part": 0}
    ]


def test_probes_that_cannot_be_made_are_told_with_the_rubrics_line():
    exercise = Exercise("f", {"core": 1}, "s")

    @exercise.probes
    def probes(make):
        yield make.probe("one", make.randn(), group="core")

    line = probes.__code__.co_firstlineno + 2
    with pytest.raises(
        RubricError, match=rf"^test_fingerprints\.py:{line}: the probes of f cannot be made: TypeError: randn"
    ):
        outline.outline(exercise)
