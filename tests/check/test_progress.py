"""One call says which exercises of a problem set pass by now, and how many points that is."""

import pytest
import torch

from allyouneed import check
from allyouneed.check import progress
from allyouneed.check.judge import Verdict


def told(capsys, **notebook) -> list[str]:
    exec('progress("03-attention", harder="Why?")', {"progress": progress} | notebook)
    return capsys.readouterr().out.splitlines()


def test_what_is_right_wrong_and_not_yet_there_is_told_apart(capsys):
    def mask(n_queries, n_keys=None):
        n_keys = n_keys or n_queries
        return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)

    counted, marks, hint = told(
        capsys, causal_mask=mask, softmax=lambda x, dim: x.exp() / x.exp().sum(dim, keepdim=True)
    )
    assert counted.startswith("1 of 8 exercises pass, 6 of 34 points")
    assert "✗ softmax" in marks and "✓ causal_mask" in marks and "· padding_mask" in marks
    assert "has not run" in hint


def test_after_full_points_there_is_something_to_think_about(capsys, monkeypatch):
    def passes(name, candidate):
        most = sum(check._fingerprint(name)[0]["points"].values())
        return Verdict(name, candidate, candidate * most, most, None, ""), {}

    monkeypatch.setattr(check, "_verdict", passes)
    names = check._exercises("03-attention")
    counted, _, question = told(capsys, **dict.fromkeys(names, True))
    assert counted.startswith("8 of 8 exercises pass, 34 of 34 points") and question.endswith("Why?")
    assert "Why?" not in "".join(told(capsys, **dict.fromkeys(names, True) | {names[0]: False}))


def test_an_unknown_problem_set_is_an_error():
    with pytest.raises(KeyError, match="no problem set named '99-nothing'"):
        progress("99-nothing")
