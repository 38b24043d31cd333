"""What cannot work is refused when made or given, in words that say what came; what can work passes."""

import dataclasses
import typing

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import nn

from allyouneed.models import (
    GPT,
    Bert,
    BertConfig,
    BertMaskedLanguageModel,
    Captioner,
    CaptionerConfig,
    Clip,
    ClipConfig,
    DinoConfig,
    GPTConfig,
    Llama,
    LlamaConfig,
    Reader,
    RnnSeq2Seq,
    RnnSeq2SeqConfig,
    Seq2Seq,
    Seq2SeqConfig,
    TransformerConfig,
    VisualQuestionAnswerer,
    Vit,
    VitConfig,
    VqaConfig,
)
from allyouneed.models.bert import mask_tokens
from allyouneed.models.common import Embedding
from allyouneed.nn.layers import DecoderBlock, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.recurrent import GRU
from allyouneed.training import TrainingConfig
from allyouneed.validate import check_integers, check_lengths

V, IMAGE = 17, VitConfig((12, 20), 4, 3, d_model=24, n_layers=1, n_heads=3, d_ff=40, n_classes=7)
GPT_CONFIG = GPTConfig(V, 12, d_model=24, n_layers=1, n_heads=3)
CONFIGS = [
    GPT_CONFIG,
    LlamaConfig(V, 12, 24, 1, 6, 40, n_kv_heads=2),
    BertConfig(V, 12, 24, 1, 3),
    IMAGE,
    Seq2SeqConfig(V, 24, 1, 3, source_vocab_size=V),
    CaptionerConfig(IMAGE, V, 12, n_layers=1),
    VqaConfig(IMAGE, V, 12, n_layers=1, n_answers=5),
    ClipConfig(IMAGE, GPT_CONFIG),
    DinoConfig(IMAGE),
    RnnSeq2SeqConfig(V, V, 8, 10),
    TransformerConfig("decoder", V, 24, 1, 3, 40, 12, 0, True, False, True, False),
    TrainingConfig(n_steps=10, evaluate_every=2, save_every=3),
]
WRONG = {
    int: [-1, 1.5, True, "3", None],
    float: [-1.0, float("nan"), float("inf"), "0.1", None],
    bool: [1, "no", None],
    str: ["other", None],
}


def fields():
    """Every field of every config, with a value that it must refuse."""
    for config in CONFIGS:
        for name, kind in typing.get_type_hints(type(config)).items():
            kinds = typing.get_args(kind) or (kind,)
            for value in WRONG.get(kinds[0], [None, "other"]):
                if name != "image_size" and not (value is None and type(None) in kinds):
                    yield pytest.param(config, name, value, id=f"{type(config).__name__}-{name}-{value!r}")


@pytest.mark.parametrize("config, name, value", fields())
def test_a_field_that_cannot_be_is_refused_by_its_name(config, name, value):
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}\b|needs a VitConfig and a GPTConfig"):
        dataclasses.replace(config, **{name: value})


@pytest.mark.parametrize("size", [(12,), (12, 20, 3), 12.0, (12, 2.5), None, "12", True, 0])
def test_an_image_has_one_or_two_sides(size):
    with pytest.raises(ValueError, match="image_size must be|height must be|width must be"):
        dataclasses.replace(IMAGE, image_size=size)


def test_an_integer_is_one_of_any_kind_but_no_truth_value():
    check_integers(a=3, b=torch.tensor([1, 2]).numpy()[1], at_least=2)
    for value in (1, True, 2.0, None, "2"):
        with pytest.raises(ValueError, match="a must be an integer of at least 2, got"):
            check_integers(a=value, at_least=2)


def decoder_block():
    attentions = MultiHeadAttention(8, 2), MultiHeadAttention(8, 2)
    return DecoderBlock(*attentions, FeedForward(8, 16), LayerNorm(8))


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: FeedForward(8, 2.5), "d_ff must be an integer"),
        (lambda: MultiHeadAttention(24.0, 3), "d_model must be an integer"),
        (lambda: MultiHeadAttention(24, 3, d_head=2.5), "d_head must be an integer"),
        (lambda: Embedding(0, 4), "n_rows must be"),
        (lambda: Reader(GRU(4, 6), 9, 4, 6, n_answers=0), "n_answers must be"),
        (
            lambda: decoder_block()(torch.zeros(2, 5, 8), torch.zeros(3, 7, 8)),
            r"one batch size.*\(2, 5, 8\) and \(3, 7, 8\)",
        ),
        (
            lambda: mask_tokens(torch.ones(1, 4, dtype=torch.long), [], mask_id=V, vocab_size=V),
            "one of the 17 tokens",
        ),
    ],
)
def test_layers_refuse_sizes_and_shapes_that_cannot_work(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_a_single_memory_still_serves_a_whole_batch():
    layer, x, memory = decoder_block(), torch.randn(3, 5, 8), torch.randn(1, 7, 8)
    torch.testing.assert_close(layer(x, memory), layer(x, memory.expand(3, -1, -1)))


# Token ids


def images(n=2):
    return torch.zeros(n, 3, 12, 20)


def good(n=2, tokens=5):
    return torch.ones(n, tokens, dtype=torch.long)


READERS = {
    "gpt": (GPT(GPT_CONFIG), "ids"),
    "llama": (Llama(CONFIGS[1]), "ids"),
    "bert": (Bert(CONFIGS[2]), "ids"),
    "masked": (BertMaskedLanguageModel(CONFIGS[2]), "ids"),
    "captioner": (lambda ids, model=Captioner(CONFIGS[5]): model(images(), ids), "ids"),
    "vqa": (lambda ids, model=VisualQuestionAnswerer(CONFIGS[6]): model(images(), ids), "ids"),
    "clip": (Clip(CONFIGS[7]).encode_text, "ids"),
    "reader": (Reader(GRU(4, 6), V, 4, 6, n_answers=3), "ids"),
    "seq2seq source": (lambda ids, model=Seq2Seq(CONFIGS[4]): model(ids, good()), "source"),
    "seq2seq target": (lambda ids, model=Seq2Seq(CONFIGS[4]): model(good(), ids), "ids|target"),
    "rnn source": (lambda ids, model=RnnSeq2Seq(CONFIGS[9]): model(ids, good()), "source"),
    "rnn target": (lambda ids, model=RnnSeq2Seq(CONFIGS[9]): model(good(), ids), "target"),
}
every_reader = pytest.mark.parametrize("model, name", READERS.values(), ids=READERS)


@every_reader
@pytest.mark.parametrize("wrong", [-1, V, 10**6])
def test_an_id_that_has_no_row_is_named(model, name, wrong):
    ids = good()
    ids[1, 3] = wrong
    with pytest.raises(
        ValueError, match=rf"({name}) must be 0 to 16, but they are {min(wrong, 1)} to {max(wrong, 1)}"
    ):
        model(ids)


@every_reader
@pytest.mark.parametrize(
    "wrong",
    [good().float(), good().bool(), good().short(), [[1, 2, 3]]],
    ids=["float", "bool", "int16", "list"],
)
def test_ids_that_are_no_integers_are_refused(model, name, wrong):
    with pytest.raises(TypeError, match=rf"({name}) must be"):
        model(wrong)


@every_reader
def test_ids_need_two_axes_and_may_have_32_bits(model, name):
    with pytest.raises(ValueError, match=rf"({name}) must be \(batch, tokens\), but they are \(5,\)"):
        model(good()[0])
    assert torch.equal(model(good().int()), model(good()))


@pytest.mark.parametrize("name", ["gpt", "llama", "bert", "masked", "captioner", "vqa", "clip"])
def test_a_text_longer_than_the_model_reads_is_refused(name):
    READERS[name][0](good(tokens=12))
    with pytest.raises(ValueError, match="13 tokens came, but max_len is 12"):
        READERS[name][0](good(tokens=13))


@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda: Bert(CONFIGS[2])(good(), segment_ids=good() + 1),
            "segment_ids must be 0 to 1, but they are 2 to 2",
        ),
        (
            lambda: Bert(CONFIGS[2])(good(), segment_ids=good(tokens=4)),
            r"segment_ids \(2, 4\) came with ids \(2, 5\)",
        ),
        (
            lambda: Bert(dataclasses.replace(CONFIGS[2], n_segments=0))(good(), segment_ids=good()),
            "n_segments=0",
        ),
        (
            lambda: Seq2Seq(CONFIGS[4])(good(), good(), good(tokens=4).bool()),
            r"real must have a place for each of the source, \(2, 5\), but it is \(2, 4\)",
        ),
        (
            lambda: VisualQuestionAnswerer(CONFIGS[6])(images(), good(), good(1).bool()),
            r"each of the ids, \(2, 5\), but it is \(1, 5\)",
        ),
        (lambda: VisualQuestionAnswerer(CONFIGS[6])(images(3), good()), "one batch size"),
        (lambda: Captioner(CONFIGS[5])(images(3), good()), "one batch size"),
        (lambda: Seq2Seq(CONFIGS[4])(good(3), good()), "one batch size"),
        (
            lambda: Clip(CONFIGS[7]).encode_text(good(), torch.tensor([5, 0])),
            "2 integers, one a row, from 1 to 5",
        ),
        (lambda: Clip(CONFIGS[7]).encode_text(good(), torch.tensor([5, 6])), r"but they are \[5, 6\]"),
        (
            lambda: RnnSeq2Seq(CONFIGS[9])(good(), good(), torch.tensor([5])),
            r"2 integers, one a row, from 0 to 5, but they are \[5\]",
        ),
    ],
)
def test_inputs_that_do_not_fit_each_other_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_images_of_bytes_are_refused():
    with pytest.raises(TypeError, match=r"torch.uint8.*images / 255"):
        Vit(IMAGE)(images().byte())


@given(st.lists(st.integers(-2, 7), min_size=0, max_size=4), st.integers(0, 1))
@example([], 0)
@example([0, 5, 5], 0)
@example([0, 5, 5], 1)
@example([1, 5, 6], 1)
@example([1, 5, -1], 0)
def test_lengths_pass_where_each_is_a_number_of_tokens(lengths, at_least):
    ids = torch.zeros(3, 5, dtype=torch.long)
    try:
        check_lengths(torch.tensor(lengths, dtype=torch.long), ids, at_least)
        passed = True
    except ValueError:
        passed = False
    assert passed == (len(lengths) == 3 and all(at_least <= length <= 5 for length in lengths))


def test_the_embedding_equals_torchs_in_values_and_gradients():
    ours, theirs = Embedding(V, 4), nn.Embedding(V, 4)
    ours.load_state_dict(theirs.state_dict())
    ids = torch.tensor([[1, 16], [0, 1]])
    for table in (ours, theirs):
        (table(ids) * torch.arange(4)).square().sum().backward()
    assert torch.equal(ours(ids), theirs(ids)) and torch.equal(ours.weight.grad, theirs.weight.grad)
    assert torch.equal(ours(ids[0]), theirs(ids[0]))
