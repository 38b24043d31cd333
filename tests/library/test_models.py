"""Our models on the weights of transformers' and torch's: equal outputs. And what holds for any weights."""

import copy
import dataclasses
import doctest
import importlib
import pkgutil

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import allyouneed.models
from allyouneed.models import (
    GPT,
    Bert,
    BertClassifier,
    BertConfig,
    BertMaskedLanguageModel,
    Captioner,
    CaptionerConfig,
    Clip,
    ClipConfig,
    Dino,
    DinoConfig,
    GPTConfig,
    Llama,
    LlamaConfig,
    RnnSeq2Seq,
    RnnSeq2SeqConfig,
    Seq2Seq,
    Seq2SeqConfig,
    VisualQuestionAnswerer,
    Vit,
    VitConfig,
    VqaConfig,
)
from allyouneed.models.bert import mask_tokens
from allyouneed.models.clip import contrastive_loss
from allyouneed.models.common import initialize
from allyouneed.models.dino import distillation_loss, teacher_update
from allyouneed.models.vit import patchify
from allyouneed.nn.attention import fused_attention, scaled_dot_product_attention
from allyouneed.nn.maps import record_maps, run_with_maps
from allyouneed.nn.positions import apply_rotary
from allyouneed.nn.recurrent import GRUCell, LSTMCell
from allyouneed.pretrained.weights import map_bert

IMAGE = VitConfig((12, 20), 4, 3, d_model=24, n_layers=2, n_heads=3, d_ff=40, n_classes=7)
SMALL_GPT = GPTConfig(17, 12, d_model=24, n_layers=2, n_heads=3, d_ff=40)


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def randomize(model, seed=0):
    """Every weight different, norms and biases too."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=seeded(seed)) * 0.3)
            seed += 1
    return model.eval()


def ids(*shape, high=17, seed=0):
    return torch.randint(high, shape, generator=seeded(seed))


def images(n=2, config=IMAGE):
    return torch.randn(n, config.channels, config.height, config.width, generator=seeded(5))


def rename(state, pairs):
    for old, new in pairs:
        state = {name.replace(old, new): value for name, value in state.items()}
    return state


def close(a, b, tolerance=1e-5):
    torch.testing.assert_close(a, b, atol=tolerance, rtol=tolerance)


# Parity


def test_gpt_equals_transformers_gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel

    theirs = randomize(
        GPT2LMHeadModel(
            GPT2Config(
                vocab_size=17,
                n_positions=12,
                n_embd=24,
                n_layer=2,
                n_head=3,
                n_inner=40,
                activation_function="gelu",
                resid_pdrop=0,
                embd_pdrop=0,
                attn_pdrop=0,
            )
        )
    )
    state = rename(
        theirs.state_dict(),
        [
            ("transformer.", ""),
            ("wte.", "embedding."),
            ("wpe.", "positions."),
            ("h.", "layers."),
            ("ln_f.", "norm."),
            ("ln_1.", "attention_norm."),
            ("ln_2.", "feed_forward_norm."),
            ("attn.c_proj", "attention.o_proj"),
            ("mlp.c_fc", "feed_forward.up_proj"),
            ("mlp.c_proj", "feed_forward.down_proj"),
            ("lm_layers.", "head."),
            ("lm_head.", "head."),
        ],
    )
    ours_state = {}
    for name, value in state.items():
        if "c_attn" in name:
            parts = value.T.chunk(3) if value.dim() > 1 else value.chunk(3)
            for letter, part in zip("qkv", parts):
                ours_state[name.replace("attn.c_attn", f"attention.{letter}_proj")] = part
        else:  # their linear layers store the transpose
            ours_state[name] = value.T if "_proj.weight" in name else value
    ours = GPT(SMALL_GPT).eval()
    ours.load_state_dict(ours_state)
    text = ids(3, 12)
    logits, weights = run_with_maps(ours, text)
    theirs.set_attn_implementation("eager")
    expected = theirs(text, output_attentions=True)
    close(logits, expected.logits)
    close(ours(text), expected.logits)
    close(weights, torch.stack(expected.attentions))


def test_bert_with_heads_and_padding_equals_transformers_bert():
    from transformers import BertConfig as TheirConfig
    from transformers import BertForMaskedLM, BertModel

    sizes = {
        "vocab_size": 17,
        "hidden_size": 24,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "intermediate_size": 40,
        "max_position_embeddings": 12,
        "hidden_dropout_prob": 0,
        "attention_probs_dropout_prob": 0,
    }
    text, segments, real = ids(3, 9), ids(3, 9, high=2), torch.arange(9) < torch.tensor([9, 4, 1])[:, None]
    theirs = randomize(BertModel(TheirConfig(**sizes)))
    config = BertConfig(17, 12, d_model=24, n_layers=2, n_heads=3, d_ff=40)
    ours = Bert(config).eval()
    ours.load_state_dict(map_bert(theirs.state_dict()))
    expected = theirs(text, attention_mask=real.long(), token_type_ids=segments)
    close(ours(text, real, segments)[real], expected.last_hidden_state[real])
    close(ours.pooled(text, real, segments), expected.pooler_output)

    theirs = randomize(BertForMaskedLM(TheirConfig(**sizes)), seed=50)
    state = theirs.state_dict()
    ours = BertMaskedLanguageModel(config).eval()
    mapped = {
        f"bert.{name}": value
        for name, value in map_bert({n[5:]: v for n, v in state.items() if n.startswith("bert.")}).items()
    }
    for name, place in {"transform.dense": "transform", "transform.LayerNorm": "norm"}.items():
        mapped |= {f"{place}.{part}": state[f"cls.predictions.{name}.{part}"] for part in ("weight", "bias")}
    ours.load_state_dict(
        mapped | {"head.weight": mapped["bert.embedding.weight"], "head.bias": state["cls.predictions.bias"]}
    )
    close(ours(text, real)[real], theirs(text, attention_mask=real.long()).logits[real])


def test_llama_equals_transformers_llama():
    from transformers import LlamaConfig as TheirConfig
    from transformers import LlamaForCausalLM

    theirs = randomize(
        LlamaForCausalLM(
            TheirConfig(
                vocab_size=17,
                hidden_size=24,
                intermediate_size=40,
                num_hidden_layers=2,
                num_attention_heads=6,
                num_key_value_heads=2,
                max_position_embeddings=12,
                rms_norm_eps=1e-5,
                rope_parameters={"rope_type": "default", "rope_theta": 500.0},
                tie_word_embeddings=False,
            )
        )
    )
    state = rename(
        theirs.state_dict(),
        [
            ("model.", ""),
            ("embed_tokens", "embedding"),
            ("lm_head", "head"),
            ("self_attn", "attention"),
            ("mlp", "feed_forward"),
            ("post_attention_layernorm", "feed_forward_norm"),
            ("input_layernorm", "attention_norm"),
        ],
    )
    for name, value in state.items():  # they turn column j with j + K/2; we turn neighbours
        if "q_proj" in name or "k_proj" in name:
            state[name] = value.view(-1, 2, 2, 24).transpose(1, 2).reshape(value.shape)
    ours = Llama(LlamaConfig(17, 12, 24, 2, 6, 40, n_kv_heads=2, rotary_base=500.0)).eval()
    ours.load_state_dict(state)
    close(ours(ids(3, 12)), theirs(ids(3, 12)).logits)


def test_vit_equals_transformers_vit():
    from transformers import ViTConfig, ViTForImageClassification

    theirs = randomize(
        ViTForImageClassification(
            ViTConfig(
                image_size=(12, 20),
                patch_size=4,
                num_channels=3,
                hidden_size=24,
                num_hidden_layers=2,
                num_attention_heads=3,
                intermediate_size=40,
                num_labels=7,
                layer_norm_eps=1e-6,
                hidden_dropout_prob=0,
                attention_probs_dropout_prob=0,
            )
        )
    )
    ours = randomize(Vit(IMAGE))
    state = theirs.state_dict()
    projection = next(value for value in state.values() if value.dim() == 4)
    values = {name: value for name, value in state.items() if value.dim() < 3}

    def pick(layer, *words):
        return next(
            value
            for name, value in values.items()
            if (layer is None or f".{layer}." in name) and all(word in name for word in words)
        )

    mapped = {
        "patch_proj.weight": projection.flatten(1),
        "patch_proj.bias": pick(None, "projection.bias"),
        "cls": state["vit.embeddings.cls_token"],
        "positions.weight": state["vit.embeddings.position_embeddings"][0],
    }
    for part in ("weight", "bias"):
        mapped |= {
            f"norm.{part}": pick(None, f"vit.layernorm.{part}"),
            f"head.{part}": pick(None, f"classifier.{part}"),
        }
        for layer in range(2):
            for place, words in {
                "attention.q_proj": ("q",),
                "attention.k_proj": ("k",),
                "attention.v_proj": ("v",),
                "attention.o_proj": ("o",),
                "attention_norm": ("before",),
                "feed_forward_norm": ("after",),
                "feed_forward.up_proj": ("up",),
                "feed_forward.down_proj": ("down",),
            }.items():
                published = VIT_NAMES[words[0]]
                name = next(
                    n
                    for n in values
                    if "layer" in n
                    and f".{layer}." in n
                    and n.endswith(part)
                    and any(p in n for p in published)
                )
                mapped[f"layers.{layer}.{place}.{part}"] = values[name]
    ours.load_state_dict(mapped)
    close(ours(images()), theirs(images()).logits)


VIT_NAMES = {
    "q": ("attention.attention.query.", "attention.q_proj."),
    "k": ("attention.attention.key.", "attention.k_proj."),
    "v": ("attention.attention.value.", "attention.v_proj."),
    "o": ("attention.output.dense.", "attention.o_proj."),
    "before": ("layernorm_before.",),
    "after": ("layernorm_after.",),
    "up": ("intermediate.dense.", "mlp.fc1."),
    "down": ("0.output.dense.", "1.output.dense.", "mlp.fc2."),
}


def test_seq2seq_equals_torch_transformer():
    theirs = randomize(nn.Transformer(24, 3, 2, 2, 40, dropout=0, batch_first=True))
    theirs.encoder.norm = theirs.decoder.norm = None
    ours = randomize(Seq2Seq(Seq2SeqConfig(17, d_model=24, n_layers=2, n_heads=3, d_ff=40)))
    for stack, layers in ((ours.encoder, theirs.encoder.layers), (ours.decoder, theirs.decoder.layers)):
        for our, their in zip(stack, layers):
            _copy_layer(our, their)
    source, target, real = ids(2, 6), ids(2, 5, seed=1), torch.arange(6) < torch.tensor([6, 3])[:, None]
    places = torch.arange(6)[:, None] * 10000 ** (-torch.arange(0, 24, 2) / 24)
    table = torch.stack((places.sin(), places.cos()), -1).flatten(1)

    def embed(text):
        return ours.target_embedding(text) * 24**0.5 + table[: text.shape[1]]

    expected = theirs(
        embed(source),
        embed(target),
        tgt_mask=nn.Transformer.generate_square_subsequent_mask(5),
        src_key_padding_mask=~real,
        memory_key_padding_mask=~real,
    )
    close(ours(source, target, real), expected @ ours.target_embedding.weight.T, 1e-4)
    with record_maps(ours.decoder) as own, record_maps(ours.decoder, "cross_attention") as cross:
        logits = ours(source, target, real)
    assert [maps.shape for maps in own] == 2 * [(2, 3, 5, 5)] and own[0].triu(1).eq(0).all()
    assert all(maps.shape == (2, 3, 5, 6) and (maps[1, :, :, 3:] == 0).all() for maps in cross)
    close(logits, ours(source, target, real), 1e-4)


def _copy_layer(our, their):
    _copy_attention(our.attention, their.self_attn)
    norms = [our.attention_norm, our.feed_forward_norm]
    if hasattr(our, "cross_attention"):
        _copy_attention(our.cross_attention, their.multihead_attn)
        norms.insert(1, our.cross_attention_norm)
    for i, norm in enumerate(norms, start=1):
        norm.load_state_dict(getattr(their, f"norm{i}").state_dict())
    our.feed_forward.up_proj.load_state_dict(their.linear1.state_dict())
    our.feed_forward.down_proj.load_state_dict(their.linear2.state_dict())


def _copy_attention(our, their):
    parts = zip("qkv", their.in_proj_weight.chunk(3), their.in_proj_bias.chunk(3))
    state = {
        f"{letter}_proj.{part}": value
        for letter, weight, bias in parts
        for part, value in (("weight", weight), ("bias", bias))
    }
    our.load_state_dict(
        state | {f"o_proj.{part}": value for part, value in their.out_proj.state_dict().items()}
    )


def _torch_decoder_with(layers):
    """torch's decoder stack, norm first, whose weights it gives to our layers."""
    theirs = randomize(
        nn.TransformerDecoder(
            nn.TransformerDecoderLayer(24, 3, 40, 0, "gelu", batch_first=True, norm_first=True), 2
        ),
        seed=70,
    )
    for our, their in zip(layers, theirs.layers, strict=True):
        _copy_layer(our, their)
    return theirs


@torch.no_grad()
def test_captioner_equals_torch_decoder_over_patches_and_places():
    ours = randomize(Captioner(CaptionerConfig(IMAGE, vocab_size=17, max_len=12, n_layers=2)))
    theirs = _torch_decoder_with(ours.decoder)
    patches = ours.encoder.features(images())[:, 1:]
    text = ids(2, 5)
    x = F.embedding(text, ours.embedding.weight) + ours.positions.weight[:5]
    expected = theirs(x, patches, tgt_mask=nn.Transformer.generate_square_subsequent_mask(5))
    close(ours(images(), text), ours.head(ours.norm(expected)), 1e-4)


@torch.no_grad()
def test_question_answerer_equals_torch_decoder_and_the_mean_of_real_words():
    ours = randomize(
        VisualQuestionAnswerer(VqaConfig(IMAGE, vocab_size=17, max_len=12, n_layers=2, n_answers=5))
    )
    theirs = _torch_decoder_with(ours.layers)
    patches = ours.encoder.features(images())[:, 1:]
    text, lengths = ids(2, 5), [5, 3]
    real = torch.arange(5) < torch.tensor(lengths)[:, None]
    x = F.embedding(text, ours.embedding.weight) + ours.positions.weight[:5]
    x = ours.norm(theirs(x, patches, tgt_key_padding_mask=~real))
    mean = torch.stack([row[:length].mean(0) for row, length in zip(x, lengths)])
    close(ours(images(), text, real), ours.head(mean), 1e-4)


def _torch_gru(cell, kind=nn.GRU):
    """torch's GRU or GRUCell with our weights. Its update gate is 1 - ours: these rows change their sign."""
    theirs = kind(
        cell.from_input.in_features, cell.d_hidden, **({"batch_first": True} if kind is nn.GRU else {})
    )
    sign = torch.ones(3, cell.d_hidden, 1)
    sign[1] = -1
    sign = sign.view(-1, 1)
    in_state, end = cell.candidate_bias, "_l0" if kind is nn.GRU else ""
    values = {
        "weight_ih": sign * cell.from_input.weight,
        "weight_hh": sign * cell.from_state.weight,
        "bias_ih": sign[:, 0] * cell.from_input.bias,
        "bias_hh": torch.cat((in_state.new_zeros(2 * len(in_state)), in_state)),
    }
    theirs.load_state_dict({f"{name}{end}": value for name, value in values.items()})
    return theirs


def _recurrent_translator(attention):
    config = RnnSeq2SeqConfig(source_vocab_size=17, vocab_size=17, d_model=5, d_hidden=4, attention=attention)
    return randomize(RnnSeq2Seq(config, make_cell=lambda *sizes: GRUCell(*sizes, reset_after=True)))


@torch.no_grad()
def test_recurrent_translator_without_attention_is_two_of_torchs_grus():
    ours = _recurrent_translator(attention=False)
    encoder, decoder = _torch_gru(ours.encoder.cell), _torch_gru(ours.decoder.cell)
    source, target = ids(2, 6), ids(2, 4, seed=1)
    _, last = encoder(ours.source_embedding(source))
    close(ours(source, target), ours.head(decoder(ours.target_embedding(target), last)[0]))


@torch.no_grad()
def test_recurrent_translator_with_attention_is_torchs_gru_that_also_reads_the_context():
    ours = _recurrent_translator(attention=True)
    encoder, cell = _torch_gru(ours.encoder.cell), _torch_gru(ours.decoder.cell, nn.GRUCell)
    source, target = ids(2, 6), ids(2, 4, seed=1)
    memory, last = encoder(ours.source_embedding(source))
    state, look, logits = last[0], ours.attention, []
    for token in target.T:
        scores = (look.memory_proj(memory) + look.state_proj(state)[:, None]).tanh() @ look.score_proj.weight[
            0
        ]
        context = torch.einsum("bs,bsh->bh", scores.softmax(-1), memory)
        state = cell(torch.cat((ours.target_embedding(token), context), dim=-1), state)
        logits.append(ours.head(torch.cat((state, context), dim=-1)))
    close(ours(source, target), torch.stack(logits, dim=1))


@torch.no_grad()
def test_the_text_tower_of_clip_equals_transformers_clip():
    from transformers import CLIPTextConfig, CLIPTextModelWithProjection

    theirs = randomize(
        CLIPTextModelWithProjection(
            CLIPTextConfig(
                vocab_size=17,
                hidden_size=24,
                intermediate_size=40,
                projection_dim=7,
                num_hidden_layers=2,
                num_attention_heads=3,
                max_position_embeddings=12,
                hidden_act="gelu",
                attention_dropout=0,
                eos_token_id=16,
            )
        )
    )
    state = rename(
        theirs.state_dict(),
        [
            ("text_model.embeddings.token_embedding", "embedding"),
            ("text_model.embeddings.position_embedding", "positions"),
            ("text_model.final_layer_norm", "norm"),
            ("text_model.encoder.", ""),
            ("self_attn.out", "attention.o"),
            ("self_attn", "attention"),
            ("layer_norm1", "attention_norm"),
            ("layer_norm2", "feed_forward_norm"),
            ("mlp.fc1", "feed_forward.up_proj"),
            ("mlp.fc2", "feed_forward.down_proj"),
        ],
    )
    ours = Clip(ClipConfig(IMAGE, SMALL_GPT)).eval()
    ours.text_proj.weight.copy_(state.pop("text_projection.weight"))
    ours.text_encoder.load_state_dict(
        {name: value for name, value in state.items() if not name.endswith("position_ids")}
    )
    text = ids(2, 8, high=16)
    text[0, 7] = text[1, 4] = 16  # they read at the end token
    close(ours.encode_text(text, torch.tensor([8, 5])), F.normalize(theirs(text).text_embeds, dim=-1))
    close(ours.encode_text(text[:1]), F.normalize(theirs(text[:1]).text_embeds, dim=-1))


def test_patches_times_a_matrix_are_a_strided_convolution():
    convolution = nn.Conv2d(3, 8, kernel_size=4, stride=4)
    expected = convolution(images()).flatten(2).mT
    close(F.linear(patchify(images(), 4), convolution.weight.flatten(1), convolution.bias), expected)


# What must hold for any weights


def caption(text):
    return CAPTIONER(images(len(text)), text)


def translate(text):
    return SEQ2SEQ(ids(len(text), 6, seed=3), text)


def translate_recurrently(text):
    return RNN(ids(len(text), 6, seed=3), text)


CAPTIONER = randomize(Captioner(CaptionerConfig(IMAGE, vocab_size=17, max_len=12, n_layers=2)))
SEQ2SEQ = randomize(Seq2Seq(Seq2SeqConfig(17, d_model=24, n_layers=2, n_heads=3)))
RNN = randomize(RnnSeq2Seq(RnnSeq2SeqConfig(17, 17, d_model=8, d_hidden=10)))
CAUSAL = {
    "gpt": randomize(GPT(SMALL_GPT)),
    "llama": randomize(Llama(LlamaConfig(17, 12, 24, 2, 6, 40, n_kv_heads=2))),
    "captioner": caption,
    "seq2seq": translate,
    "rnn_seq2seq": translate_recurrently,
}


@pytest.mark.parametrize("model", CAUSAL.values(), ids=CAUSAL)
def test_changing_a_later_token_never_changes_earlier_logits(model):
    text = ids(2, 8)
    before = model(text)
    for place in range(8):
        changed = text.clone()
        changed[:, place] = (changed[:, place] + 1) % 17
        after = model(changed)
        close(after[:, :place], before[:, :place])
        assert not torch.allclose(after[:, place], before[:, place])


def test_padding_never_changes_real_outputs():
    text, real = ids(2, 8), torch.arange(8) < torch.tensor([8, 5])[:, None]
    other = torch.where(real, text, (text + 3) % 17)
    bert = randomize(Bert(BertConfig(17, 12, d_model=24, n_layers=2, n_heads=3)))
    close(bert(text, real)[real], bert(other, real)[real])
    close(bert(text, real)[1:, :5], bert(text[1:, :5]))
    vqa = randomize(VisualQuestionAnswerer(VqaConfig(IMAGE, 17, 12, n_layers=2, n_answers=5)))
    close(vqa(images(), text, real), vqa(images(), other, real))
    close(vqa(images()[1:], text[1:, :5]), vqa(images(), text, real)[1:])
    close(SEQ2SEQ(text, ids(2, 4), real), SEQ2SEQ(other, ids(2, 4), real))
    close(RNN(text, ids(2, 4), torch.tensor([8, 5])), RNN(other, ids(2, 4), torch.tensor([8, 5])))
    clip = randomize(Clip(ClipConfig(IMAGE, SMALL_GPT)))
    close(clip.encode_text(text, torch.tensor([8, 5])), clip.encode_text(other, torch.tensor([8, 5])))


def test_models_depend_on_their_image_and_their_source():
    vqa = randomize(VisualQuestionAnswerer(VqaConfig(IMAGE, 17, 12, n_layers=2, n_answers=5)))
    assert not torch.allclose(vqa(images(), ids(2, 4)), vqa(images() + 1, ids(2, 4)))
    assert not torch.allclose(CAPTIONER(images(), ids(2, 4)), CAPTIONER(images() + 1, ids(2, 4)))
    for attention in (True, False):
        model = randomize(RnnSeq2Seq(RnnSeq2SeqConfig(17, 17, 8, 10, attention=attention)))
        assert not torch.allclose(model(ids(2, 6), ids(2, 4)), model(ids(2, 6, seed=1), ids(2, 4)))


def test_attention_maps_come_where_they_are_asked_for():
    with record_maps(CAPTIONER.decoder, "cross_attention") as maps:
        logits = CAPTIONER(images(), ids(2, 4))
    weights = torch.stack(maps)
    assert weights.shape == (2, 2, 3, 4, 15)
    close(weights.sum(-1), torch.ones(2, 2, 3, 4))
    close(logits, CAPTIONER(images(), ids(2, 4)))
    _, weights = run_with_maps(randomize(Vit(IMAGE)), images())
    assert weights.shape == (2, 2, 3, 16, 16)
    _, weights = RNN(ids(2, 6), ids(2, 4), torch.tensor([6, 2]), need_weights=True)
    assert weights.shape == (2, 4, 6) and (weights[1, :, 2:] == 0).all()
    vqa = randomize(VisualQuestionAnswerer(VqaConfig(IMAGE, 17, 12, n_layers=2, n_answers=5)))
    with record_maps(vqa, "cross_attention") as maps:
        vqa(images(), ids(2, 4))
    assert maps[-1].shape == (2, 3, 4, 15)


def test_recurrent_greedy_writes_what_the_forward_pass_finds_likeliest():
    source, lengths = ids(3, 6), torch.tensor([6, 2, 4])
    written = RNN.greedy(source, start_id=1, stop_id=99, max_len=7, lengths=lengths)
    target = torch.cat((torch.ones(3, 1, dtype=torch.long), written[:, :-1]), dim=1)
    assert torch.equal(RNN(source, target, lengths).argmax(-1), written)


def test_a_recurrent_translator_runs_on_any_cell():
    config, source, target = RnnSeq2SeqConfig(17, 17, d_model=8, d_hidden=10), ids(2, 6), ids(2, 4)
    made = []
    same = RnnSeq2Seq(config, seeded(), make_cell=lambda *sizes: made.append(sizes) or GRUCell(*sizes))
    same.load_state_dict(RNN.state_dict())
    assert made == [(8, 10), (18, 10)]
    close(same(source, target), RNN(source, target))
    for attention in (True, False):
        with_pairs = RnnSeq2Seq(
            dataclasses.replace(config, attention=attention), seeded(), make_cell=LSTMCell
        )
        assert with_pairs(source, target, torch.tensor([6, 3])).shape == (2, 4, 17)
        assert with_pairs.greedy(source, start_id=1, stop_id=99, max_len=5).shape == (2, 5)


PLUGGED = {
    "gpt": lambda attend: GPT(SMALL_GPT, attend, seeded()),
    "llama": lambda attend: Llama(LlamaConfig(17, 12, 24, 2, 6, 40, n_kv_heads=2), attend, seeded()),
    "bert": lambda attend: Bert(BertConfig(17, 12, 24, 2, 3), attend, seeded()),
    "vit": lambda attend: Vit(IMAGE, attend, seeded()),
    "seq2seq": lambda attend: Seq2Seq(Seq2SeqConfig(17, 24, 2, 3), attend, seeded()),
    "captioner": lambda attend: Captioner(CaptionerConfig(IMAGE, 17, 12, n_layers=2), attend, seeded()),
    "vqa": lambda attend: VisualQuestionAnswerer(VqaConfig(IMAGE, 17, 12, 2, 5), attend, seeded()),
}
CALLS = {"gpt": 2, "llama": 2, "bert": 2, "vit": 2, "seq2seq": 6, "captioner": 6, "vqa": 6}


@pytest.mark.parametrize("name", PLUGGED)
def test_a_students_attention_runs_in_every_layer(name):
    calls = []

    def mine(q, k, v, mask):
        calls.append(q.shape)
        return scaled_dot_product_attention(q, k, v, mask)

    inputs = {
        "vit": [images()],
        "seq2seq": [ids(2, 5), ids(2, 4)],
        "captioner": [images(), ids(2, 4)],
        "vqa": [images(), ids(2, 4)],
    }.get(name, [ids(2, 6)])
    with_mine, without = PLUGGED[name](mine), PLUGGED[name](fused_attention)
    close(with_mine(*inputs), without(*inputs))
    assert len(calls) == CALLS[name]


def test_a_students_positions_run_in_llama_gpt_and_vit():
    turned, config = [], LlamaConfig(17, 12, 24, 2, 6, 40, n_kv_heads=2)

    def mine(x, positions):
        turned.append(x.shape)
        return apply_rotary(x, positions)

    close(
        Llama(config, generator=seeded(), rotary=mine)(ids(2, 6)),
        Llama(config, generator=seeded())(ids(2, 6)),
    )
    assert turned == [(2, 6, 6, 4), (2, 2, 6, 4)] * 2  # queries and keys of both layers

    class Mine(nn.Module):
        def __init__(self, table):
            super().__init__()
            self.register_buffer("table", table, persistent=False)

        def forward(self, x, places=None):
            return x + self.table

    for model, inputs, length in ((GPT, ids(2, 6), 6), (Vit, images(), IMAGE.n_patches + 1)):
        settings = SMALL_GPT if model is GPT else IMAGE
        usual = model(settings, generator=seeded())
        plugged = copy.deepcopy(usual)
        plugged.positions = Mine(usual.positions.weight[:length].detach())
        close(plugged(inputs), usual(inputs))
        assert not any(key.startswith("positions") for key in plugged.state_dict())


@pytest.mark.parametrize("name", PLUGGED)
def test_the_generator_alone_decides_the_starting_weights(name):
    first = PLUGGED[name](fused_attention).state_dict()
    torch.manual_seed(99)
    second = PLUGGED[name](fused_attention).state_dict()
    assert all(
        torch.equal(value, second[key])
        for key, value in first.items()
        if "positions" not in key or key.endswith("weight")
    )


# Losses


def test_contrastive_loss_is_that_of_transformers_clip():
    from transformers.models.clip.modeling_clip import image_text_contrastive_loss

    image, text = torch.randn(5, 8, generator=seeded()), torch.randn(5, 8, generator=seeded(1))
    scale = torch.tensor(2.0, requires_grad=True)
    loss = contrastive_loss(image, text, scale)
    close(
        loss,
        image_text_contrastive_loss(scale.exp() * F.normalize(text, dim=-1) @ F.normalize(image, dim=-1).T),
    )
    loss.backward()
    assert scale.grad != 0


def test_clip_never_multiplies_cosines_by_more_than_a_hundred():
    from transformers.models.clip.modeling_clip import image_text_contrastive_loss

    clip, text = Clip(ClipConfig(IMAGE, SMALL_GPT), generator=seeded()), ids(4, 6)
    cosines = clip.encode_text(text) @ clip.encode_image(images(4)).T
    for scale, factor in ((2.0, 2.0), (99.0, 99.0), (1e4, 100.0)):
        with torch.no_grad():
            clip.logit_scale.copy_(torch.tensor(scale).log())
        close(clip(images(4), text), image_text_contrastive_loss(factor * cosines))


def test_clips_scale_can_fall_again_from_its_largest():
    clip, text = Clip(ClipConfig(IMAGE, SMALL_GPT), generator=seeded()), ids(4, 6)
    with torch.no_grad():
        clip.logit_scale.copy_(torch.tensor(1e4).log())
    clip(images(4), text).backward()
    assert clip.logit_scale.grad != 0


def test_clip_gives_images_and_texts_of_length_one():
    clip = randomize(Clip(ClipConfig(IMAGE, SMALL_GPT)))
    for vectors in (
        clip.encode_image(images()),
        clip.encode_text(ids(2, 6)),
        clip.encode_text(ids(2, 6), torch.tensor([6, 2])),
    ):
        close(vectors.norm(dim=-1), torch.ones(2))


def test_distillation_loss_is_a_cross_entropy_and_only_the_student_learns():
    student, teacher = (torch.randn(2, 3, 6, generator=seeded(s)).requires_grad_() for s in (0, 1))
    center = torch.randn(6, requires_grad=True)
    loss = distillation_loss(student, teacher, center, 0.1, 0.04)
    close(
        loss,
        F.cross_entropy(student.flatten(0, 1) / 0.1, ((teacher - center) / 0.04).softmax(-1).flatten(0, 1)),
    )
    loss.backward()
    assert student.grad is not None and teacher.grad is None and center.grad is None


def test_the_teacher_follows_the_student_and_dino_centers():
    teacher, student = nn.Linear(2, 3), nn.Linear(2, 3)
    expected = 0.9 * teacher.weight + 0.1 * student.weight
    assert teacher_update(teacher, student, 0.9) is teacher
    close(teacher.weight, expected)
    dino = Dino(DinoConfig(IMAGE, momentum=0.5), generator=seeded())
    views = [images(), images() * 0.9, images() + 0.1]
    optimizer = torch.optim.SGD(dino.student.parameters(), lr=0.1)
    before = [p.clone() for p in dino.teacher.parameters()]
    dino(views).backward()
    optimizer.step()
    assert all(torch.equal(a, b) for a, b in zip(before, dino.teacher.parameters()))
    dino.update()
    assert any(not torch.equal(a, b) for a, b in zip(before, dino.teacher.parameters()))
    assert dino.center.abs().sum() > 0 and all(p.grad is None for p in dino.teacher.parameters())


@torch.no_grad()
def test_dino_pairs_each_view_of_the_teacher_with_the_students_other_views():
    dino = Dino(DinoConfig(IMAGE), generator=seeded()).eval()
    randomize(dino.student), randomize(dino.teacher, seed=50)
    views = [images(), images().flip(-1), images().flip(-2)]
    pairs = [(0, 1), (0, 2), (1, 0), (1, 2)]  # the teacher sees the first two
    losses = [
        F.cross_entropy(dino.student(views[j]) / 0.1, (dino.teacher(views[i]) / 0.04).softmax(-1))
        for i, j in pairs
    ]
    close(dino(views), sum(losses) / 4)


@torch.no_grad()
def test_dinos_center_keeps_its_momentum_share_in_training_and_rests_in_evaluation():
    dino, views = Dino(DinoConfig(IMAGE, center_momentum=0.9), generator=seeded()), [images(), images() + 1]
    mean = (dino.teacher(views[0]).mean(0) + dino.teacher(views[1]).mean(0)) / 2
    for left in (0.9, 0.9 * 0.9):
        dino(views)
        close(dino.center, (1 - left) * mean)
    before = dino.center.clone()
    dino.eval()(views)
    assert torch.equal(dino.center, before)


def test_gpt_starts_as_spread_as_transformers_gpt2_also_where_branches_end():
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    theirs = GPT2LMHeadModel(
        GPT2Config(vocab_size=200, n_positions=100, n_embd=64, n_layer=8, n_head=2)
    ).transformer
    ours = GPT(GPTConfig(200, 100, d_model=64, n_layers=8, n_heads=2), generator=seeded())
    pairs = [(ours.embedding, theirs.wte), (ours.positions, theirs.wpe)]
    for our, their in zip(ours.layers, theirs.h):
        pairs += [
            (our.attention.o_proj, their.attn.c_proj),
            (our.feed_forward.up_proj, their.mlp.c_fc),
            (our.feed_forward.down_proj, their.mlp.c_proj),
        ]
        assert our.attention.q_proj.weight.std().item() == pytest.approx(
            their.attn.c_attn.weight.std().item(), rel=0.1
        )
    for our, their in pairs:
        assert our.weight.std().item() == pytest.approx(their.weight.std().item(), rel=0.1)


@pytest.mark.parametrize(
    "model",
    [
        GPT(dataclasses.replace(SMALL_GPT, dropout=0.1)),
        Bert(BertConfig(17, 12, 24, 2, 3, dropout=0.1)),
        Seq2Seq(Seq2SeqConfig(17, 24, 2, 3, dropout=0.1)),
    ],
    ids=["gpt", "bert", "seq2seq"],
)
def test_where_dropout_drops_everything_no_word_is_left(model):
    def outputs(text):
        return model(text, text) if isinstance(model, Seq2Seq) else model(text)

    randomize(model)
    assert not torch.allclose(outputs(ids(2, 5)), outputs(ids(2, 5, seed=1)))
    for part in model.train().modules():
        if isinstance(part, nn.Dropout):
            part.p = 1.0
    assert torch.equal(outputs(ids(2, 5)), outputs(ids(2, 5, seed=1)))


def test_masking_follows_its_shares_and_spares_special_tokens():
    text = ids(200, 100, high=50) + 4
    text[:, 0] = 1
    inputs, labels = mask_tokens(text, special=[1], mask_id=2, vocab_size=54, generator=seeded())
    chosen = labels != -100
    assert (
        not chosen[:, 0].any()
        and torch.equal(labels[chosen], text[chosen])
        and torch.equal(inputs[~chosen], text[~chosen])
    )
    assert chosen[:, 1:].float().mean() == pytest.approx(0.15, abs=0.01)
    assert (inputs[chosen] == 2).float().mean() == pytest.approx(0.8, abs=0.03)
    assert (inputs[chosen] == text[chosen]).float().mean() == pytest.approx(0.1, abs=0.02)


@pytest.mark.slow
def test_fresh_models_can_learn_a_batch_by_heart():
    torch.manual_seed(0)
    pairs = [
        (
            GPT(SMALL_GPT, generator=seeded()),
            lambda m: F.cross_entropy(m(ids(4, 8))[:, :-1].flatten(0, 1), ids(4, 8)[:, 1:].flatten()),
        ),
        (
            BertClassifier(Bert(BertConfig(17, 12, 24, 2, 3), generator=seeded()), 3),
            lambda m: F.cross_entropy(m(ids(4, 8)), torch.tensor([0, 1, 2, 1])),
        ),
        (Clip(ClipConfig(IMAGE, SMALL_GPT), generator=seeded()), lambda m: m(images(4), ids(4, 8))),
        (
            RnnSeq2Seq(RnnSeq2SeqConfig(17, 17, 8, 24), generator=seeded()),
            lambda m: F.cross_entropy(
                m(ids(4, 5), ids(4, 8))[:, :-1].flatten(0, 1), ids(4, 8)[:, 1:].flatten()
            ),
        ),
    ]
    for model, loss in pairs:
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
        for _ in range(120):
            optimizer.zero_grad()
            value = loss(model)
            value.backward()
            optimizer.step()
        assert value < 0.1, type(model).__name__


# Refusals


@pytest.mark.parametrize(
    "config, change, message",
    [
        (SMALL_GPT, {"d_model": 25}, "d_model=25 is not a multiple of n_heads=3"),
        (SMALL_GPT, {"n_layers": 0}, "n_layers must be"),
        (SMALL_GPT, {"max_len": 0}, "max_len must be"),
        (SMALL_GPT, {"vocab_size": 1.5}, "vocab_size must be an integer"),
        (SMALL_GPT, {"dropout": 1.0}, "dropout must be"),
        (LlamaConfig(17, 12, 24, 2, 6, 40), {"n_kv_heads": 4}, "multiple of n_kv_heads=4"),
        (LlamaConfig(17, 12, 24, 2, 6, 40), {"n_heads": 8, "n_kv_heads": 8}, "even head width"),
        (LlamaConfig(17, 12, 24, 2, 6, 40), {"rotary_base": 0}, "must be positive"),
        (IMAGE, {"patch": 5}, "do not fill an image of 12 x 20"),
        (IMAGE, {"channels": 0}, "channels"),
        (IMAGE, {"image_size": (12, 0)}, "width must be"),
        (BertConfig(17, 12, 24, 2, 3), {"n_segments": -1}, "n_segments"),
        (Seq2SeqConfig(17, 24, 2, 3), {"d_model": 15}, "even d_model"),
        (DinoConfig(IMAGE), {"momentum": 1.5}, "momentum must be in"),
        (DinoConfig(IMAGE), {"teacher_temperature": 0}, "must be positive"),
    ],
)
def test_a_config_that_cannot_work_is_refused(config, change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(config, **change)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: GPT(SMALL_GPT)(ids(2, 13)), "13 tokens came, but max_len is 12"),
        (lambda: GPT(SMALL_GPT)(ids(5)), r"\(batch, tokens\), but they are \(5,\)"),
        (
            lambda: Vit(IMAGE)(torch.zeros(2, 3, 20, 12)),
            r"\(batch, 3, 12, 20\), but they are \(2, 3, 20, 12\)",
        ),
        (
            lambda: Bert(BertConfig(17, 12, 24, 2, 3))(ids(2, 5), torch.ones(2, 6, dtype=torch.bool)),
            r"\(2, 5\), but it is \(2, 6\)",
        ),
        (lambda: Bert(BertConfig(17, 12, 24, 2, 3, pooler=False)).pooled(ids(2, 5)), "has no pooler"),
        (
            lambda: contrastive_loss(torch.zeros(2, 3), torch.zeros(3, 3), torch.tensor(0.0)),
            r"\(2, 3\) and \(3, 3\)",
        ),
        (lambda: Dino(DinoConfig(IMAGE))([images()]), "at least 2"),
        (lambda: SEQ2SEQ.given(ids(3, 5))(ids(2, 1)), "3 sources came with 2 prompts"),
    ],
)
def test_bad_input_names_what_was_expected_and_what_came(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(allyouneed.models.__path__)])
def test_docstring_examples_run(name):
    assert doctest.testmod(importlib.import_module(f"allyouneed.models.{name}")).failed == 0


def test_dino_trains_in_bfloat16():
    dino = Dino(DinoConfig(IMAGE), generator=seeded())
    with torch.autocast("cpu", torch.bfloat16):
        loss = dino([images(), images() + 1])
    loss.backward()
    assert loss.isfinite() and dino.center.dtype == torch.float32


def test_a_matrix_that_no_part_holds_is_initialized_too():
    model = Vit(VitConfig(8, 4, 1, d_model=8, n_layers=1, n_heads=2, d_ff=16, n_classes=3))
    assert initialize(model, torch.Generator().manual_seed(0), n_residual=4).cls.std() > 0
