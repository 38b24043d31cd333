"""Parameter counts against the published ones, without the memory that such models take."""

import dataclasses

import pytest
import torch
from torch import nn

from allyouneed.models import (
    BERT_CONFIGS,
    CLIP_CONFIGS,
    DINO_CONFIGS,
    GPT,
    GPT_CONFIGS,
    LLAMA_CONFIGS,
    PUBLISHED_SIZES,
    SEQ2SEQ_CONFIGS,
    VIT_CONFIGS,
    Bert,
    BertConfig,
    Clip,
    Dino,
    GPTConfig,
    Llama,
    Seq2Seq,
    TransformerConfig,
    Vit,
    clip,
    dino,
    parameter_count,
)
from allyouneed.models.sizes import transformer_parts

EXACT = [
    (GPT, GPT_CONFIGS["gpt2"], 124_439_808),
    (GPT, GPT_CONFIGS["gpt2-medium"], 354_823_168),
    (GPT, GPT_CONFIGS["gpt2-large"], 774_030_080),
    (GPT, GPT_CONFIGS["gpt2-xl"], 1_557_611_200),
    (Bert, BERT_CONFIGS["bert-base"], 109_482_240),
    (Bert, BERT_CONFIGS["bert-large"], 335_141_888),
    (Bert, BERT_CONFIGS["minilm-l6"], 22_713_216),
    (Vit, VIT_CONFIGS["vit-b/16"], 86_567_656),
    (Vit, VIT_CONFIGS["vit-l/16"], 304_326_632),
    (Vit, VIT_CONFIGS["vit-h/14"], 632_045_800),
    (Llama, LLAMA_CONFIGS["smollm2-135m"], 134_515_008),
    (Llama, LLAMA_CONFIGS["llama-7b"], 6_738_415_616),
    (Llama, LLAMA_CONFIGS["llama-2-70b"], 68_976_648_192),
    (Llama, LLAMA_CONFIGS["llama-3-8b"], 8_030_261_248),
]


@pytest.mark.parametrize("model, config, published", EXACT)
def test_counts_equal_the_published_ones(model, config, published):
    assert parameter_count(model, config) == published


@pytest.mark.parametrize(
    "name, published",
    [
        ("GPT-2 small", 124_439_808),
        ("GPT-2 medium", 354_823_168),
        ("GPT-2 large", 774_030_080),
        ("GPT-2 XL", 1_557_611_200),
        ("BERT-Base", 109_482_240),
        ("BERT-Large", 335_141_888),
        ("GPT-3", 174_604_259_328),
        ("XLNet-Large", 360_268_800),
        ("RoBERTa-Large", 355_359_744),
    ],
)
def test_shapes_alone_give_the_published_counts(name, published):
    assert PUBLISHED_SIZES[name].parameters == published


def test_counts_of_xlnet_and_roberta_are_those_of_transformers():
    from transformers import RobertaConfig, RobertaModel, XLNetConfig, XLNetModel

    large = {
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "intermediate_size": 4096,
    }
    roberta = RobertaConfig(**large, vocab_size=50265, max_position_embeddings=514, type_vocab_size=1)
    assert PUBLISHED_SIZES["RoBERTa-Large"].parameters == parameter_count(RobertaModel, roberta)
    assert PUBLISHED_SIZES["XLNet-Large"].parameters == parameter_count(
        XLNetModel, XLNetConfig(vocab_size=32000, d_model=1024, n_layer=24, n_head=16, d_inner=4096)
    )


@pytest.mark.parametrize(
    "name, billions",
    [
        ("Transformer-Large", 0.2142),
        ("Megatron-LM", 8.317),
        ("Turing-NLG", 17.18),
        ("GPT-3", 174.6),
        ("Gopher", 279.7),
    ],
)
def test_counts_come_close_to_the_round_figures_of_the_papers(name, billions):
    size = PUBLISHED_SIZES[name]
    assert size.parameters / 1e9 == pytest.approx(billions, rel=1e-3)
    assert size.parameters == pytest.approx(size.reported, rel=0.02)


@pytest.mark.parametrize("name", PUBLISHED_SIZES)
def test_a_count_far_from_the_published_one_is_explained(name):
    size = PUBLISHED_SIZES[name]
    assert size.source and (size.note or size.parameters == pytest.approx(size.reported, rel=0.02))


CLIP_COUNTS = {
    "clip-vit-b/32": 151_277_313,
    "clip-vit-b/16": 149_620_737,
    "clip-vit-l/14": 427_616_513,
    "clip-vit-l/14@336": 427_944_193,
}
DINO_COUNTS = {
    "dino-vit-s/16": 21_665_664,
    "dino-vit-s/8": 21_670_272,
    "dino-vit-b/16": 85_798_656,
    "dino-vit-b/8": 85_807_872,
}


@pytest.mark.parametrize("name", CLIP_CONFIGS)
def test_clips_sizes_give_the_published_counts_which_are_those_of_transformers(name):
    from transformers import CLIPConfig, CLIPModel

    config = CLIP_CONFIGS[name]
    towers = {"vision_config": config.image, "text_config": config.text}
    theirs = {
        tower: {
            "hidden_size": c.d_model,
            "num_hidden_layers": c.n_layers,
            "num_attention_heads": c.n_heads,
            "intermediate_size": c.d_ff,
        }
        for tower, c in towers.items()
    }
    theirs["vision_config"] |= {"image_size": config.image.image_size, "patch_size": config.image.patch}
    # its vocabulary and length are CLIP's own
    reference = CLIPConfig(**theirs, projection_dim=config.d_shared)
    assert clip.published_count(config) == CLIP_COUNTS[name] == parameter_count(CLIPModel, reference)
    # a norm more, two biases less
    small_parts = 2 * config.image.d_model - config.image.d_model - config.d_shared
    assert parameter_count(Clip, config) + small_parts == CLIP_COUNTS[name]


@pytest.mark.parametrize("name", DINO_CONFIGS)
def test_dinos_sizes_give_the_published_counts_which_are_those_of_transformers(name):
    from transformers import ViTConfig, ViTModel

    vit = DINO_CONFIGS[name].vit
    reference = ViTConfig(
        hidden_size=vit.d_model,
        num_hidden_layers=vit.n_layers,
        num_attention_heads=vit.n_heads,
        intermediate_size=vit.d_ff,
        patch_size=vit.patch,
    )
    assert (
        dino.published_count(DINO_CONFIGS[name])
        == DINO_COUNTS[name]
        == parameter_count(ViTModel, reference, add_pooling_layer=False)
    )
    assert parameter_count(Dino, DINO_CONFIGS[name]) == 2 * parameter_count(Vit, vit)  # student and teacher


def test_every_published_size_is_counted():
    assert CLIP_CONFIGS.keys() == CLIP_COUNTS.keys() and DINO_CONFIGS.keys() == DINO_COUNTS.keys()
    counted = {config for _, config, _ in EXACT}
    assert counted == {
        *GPT_CONFIGS.values(),
        *BERT_CONFIGS.values(),
        *VIT_CONFIGS.values(),
        *LLAMA_CONFIGS.values(),
    }


def test_whole_models_and_bare_shapes_agree():
    shape = TransformerConfig("decoder", 50, 12, 2, 3, 40, 16, 0, True, False, True, False)
    assert parameter_count(transformer_parts, shape) == parameter_count(GPT, GPTConfig(50, 16, 12, 2, 3, 40))
    untied = dataclasses.replace(shape, tied=False)
    assert parameter_count(transformer_parts, untied) == parameter_count(
        GPT, GPTConfig(50, 16, 12, 2, 3, 40, tied=False)
    )
    encoder = dataclasses.replace(
        shape, kind="encoder", n_segments=2, embedding_norm=True, final_norm=False, pooler=True
    )
    assert parameter_count(transformer_parts, encoder) == parameter_count(
        Bert, BertConfig(50, 16, 12, 2, 3, 40)
    )
    assert PUBLISHED_SIZES["Transformer-Base"].parameters == parameter_count(
        Seq2Seq, SEQ2SEQ_CONFIGS["transformer-base"]
    )
    assert (
        parameter_count(nn.Transformer, 512, 8, 6, 6, 2048) - 4 * 512 + 37000 * 512
        == PUBLISHED_SIZES["Transformer-Base"].parameters
    )


def test_a_count_takes_modules_too_and_needs_no_memory():
    assert parameter_count(GPT(GPTConfig(50, 16, 12, 2, 3))) == parameter_count(
        GPT, GPTConfig(50, 16, 12, 2, 3)
    )
    with torch.device("meta"):
        assert all(parameter.is_meta for parameter in GPT(GPT_CONFIGS["gpt2"]).parameters())


@pytest.mark.parametrize(
    "change, message",
    [
        ({"kind": "both"}, "kind must be one of"),
        ({"max_len": -1}, "max_len"),
        ({"d_model": 13}, "not a multiple"),
    ],
)
def test_an_impossible_shape_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(PUBLISHED_SIZES["GPT-3"].config, **change)
