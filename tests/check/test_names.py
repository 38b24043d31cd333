"""Whatever calls do to names is seen, by the tables alone as by walking through all values."""

import os
import resource
import sys

import pytest
import torch

from allyouneed.check import names
from allyouneed.check.names import Names

CHANGES = {
    "another value": lambda patch: patch.setattr(torch, "exp", abs),
    "an equal value": lambda patch: patch.setattr(torch, "pi", float(repr(torch.pi))),
    "a value in the dict itself": lambda patch: patch.setitem(vars(torch.linalg), "norm", abs),
    "a name gone": lambda patch: patch.delattr(torch.nn.functional, "softmax"),
    "a builtin": lambda patch: patch.setattr("builtins.sum", abs),
    "a method": lambda patch: patch.setattr(torch.nn.Linear, "forward", abs),
    "a method gone": lambda patch: patch.delattr(torch.nn.LayerNorm, "forward"),
    "a method of tensors": lambda patch: patch.setattr(torch.Tensor, "backward", abs),
}


@pytest.fixture(params=[True, False], ids=["by the tables", "by a walk"])
def known(request, monkeypatch):
    if request.param and not names.KNOWN:
        pytest.skip("Python keeps its dicts elsewhere")
    monkeypatch.setattr(names, "KNOWN", request.param)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen_and_taken_back(change, known, monkeypatch):
    before = Names()
    assert before.unchanged() and not before.changed()
    with monkeypatch.context() as patch:
        CHANGES[change](patch)
        assert not before.unchanged()
        assert len(before.changed()) == 1
        before.restore()
        assert before.unchanged() and not before.changed()
    assert before.unchanged() and not before.changed()


def test_many_new_names_are_seen_and_stay(known, monkeypatch):
    before = Names()
    for number in range(3000):  # so many that the table moves
        monkeypatch.setattr(torch.random, f"new_{number}", number, raising=False)
    monkeypatch.setattr(torch.random, "seed", abs)
    assert not before.unchanged() and before.changed() == ["torch.random.seed"]
    before.restore()
    assert not before.changed() and torch.random.seed is not abs and torch.random.new_2999 == 2999


def test_what_modules_of_the_library_load_is_new_and_nothing_changed(known, monkeypatch):
    before = Names()
    monkeypatch.setattr(names, "loaded_late", 1, raising=False)
    assert not before.unchanged() and not before.changed()


@pytest.mark.skipif(not names.KNOWN, reason="Python keeps its dicts elsewhere")
def test_of_a_table_that_is_another_now_only_the_head_is_read(monkeypatch):
    namespace = {str(number): number for number in range(3000)}
    tables, read, string_at = names._Tables([namespace]), [], names.ctypes.string_at
    monkeypatch.setattr(
        names.ctypes, "string_at", lambda place, size: read.append(size) or string_at(place, size)
    )
    assert tables.touched() == [] and max(read) > 3000
    namespace.clear()
    namespace["short"] = 1
    read.clear()
    assert tables.touched() == [0] and max(read, default=0) <= names.HEAD


@pytest.mark.skipif(sys.platform != "linux" or not names.KNOWN, reason="where each exercise has a fork")
def test_a_look_at_the_tables_copies_few_pages_of_a_fork():
    before = Names()
    walking = before._places
    # in a fork of its own, so that the pages are shared when it is asked
    looked = copied_pages(before.unchanged)
    walked = copied_pages(
        lambda: [vars(place).get(name) is value for place, known in walking for name, value in known.items()]
    )
    assert 3 * looked < walked, (looked, walked)


def copied_pages(work) -> int:
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            start = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            work()
            copied = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - start
            os.write(writing, str(copied).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as file:
        return int(file.read())
