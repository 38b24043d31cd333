"""Models on another device than the processor. torch's meta device, where tensors have a shape and no
numbers, stands in for a GPU:
most operations refuse a tensor that was made on the processor, as a GPU does. So whatever a module makes must
be made where its input is."""

import os

import pytest
import torch
import torch.nn.functional as F

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
from allyouneed.nn.attention import Causal, scaled_dot_product_attention
from allyouneed.nn.blockwise import blockwise_attention
from allyouneed.nn.cache import CachedModel
from allyouneed.nn.fused import fuse_projections
from allyouneed.nn.latent import LatentAttention
from allyouneed.nn.layers import DecoderBlock, FeedForward, LayerNorm
from allyouneed.nn.linear_attention import linear_attention
from allyouneed.nn.local import local_attention
from allyouneed.nn.lowrank import add_low_rank
from allyouneed.nn.maps import run_with_maps
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.position_bias import ALiBi, BiasedAttention, RelativeBias
from allyouneed.nn.positions import Rotary, RotaryAttention, SinusoidalPositions
from allyouneed.nn.qk_norm import QKNorm
from allyouneed.nn.recurrent import GRU, LSTM, RNN
from allyouneed.training import Muon

ELSEWHERE = os.environ.get("ALLYOUNEED_DEVICE", "meta")  # `make bench-gpu` names a real one
IMAGE = VitConfig((12, 20), 4, 3, d_model=24, n_layers=2, n_heads=3, d_ff=40, n_classes=7)
TEXT = GPTConfig(17, 12, d_model=24, n_layers=2, n_heads=3, d_ff=40)
LLAMA = LlamaConfig(17, 40, d_model=24, n_layers=2, n_heads=6, n_kv_heads=2, d_ff=32)


def ids(*shape):
    return torch.ones(shape, dtype=torch.int64, device=ELSEWHERE)


def real(*shape):
    return torch.ones(shape, dtype=torch.bool, device=ELSEWHERE)


def numbers(*shape):
    return torch.ones(shape, device=ELSEWHERE)


def images():
    return numbers(2, 3, 12, 20)


def positioned(attend):
    return MultiHeadAttention(12, 3, attend=attend), lambda layer: layer(numbers(2, 5, 12))


def sinusoidal_gpt():
    model = GPT(TEXT)
    model.positions = SinusoidalPositions(24)
    return model


CASES = {
    "gpt": lambda: (GPT(TEXT), lambda model: model(ids(2, 8))),
    "gpt, mask and maps": lambda: (
        GPT(TEXT),
        lambda model: run_with_maps(model, ids(2, 8), real(2, 1, 1, 8)),
    ),
    "gpt, cache": lambda: (GPT(TEXT), lambda model: with_cache(model)),
    "gpt, sinusoidal": lambda: (sinusoidal_gpt(), lambda model: model(ids(2, 8))),
    "gpt, low rank": lambda: (add_low_rank(GPT(TEXT), rank=2, alpha=2), lambda model: model(ids(2, 8))),
    "llama": lambda: (Llama(LLAMA), lambda model: model(ids(2, 8))),
    "llama, cache": lambda: (Llama(LLAMA), lambda model: with_cache(model)),
    "llama, fused": lambda: (fuse_projections(Llama(LLAMA)), lambda model: model(ids(2, 8))),
    "bert": lambda: (Bert(BertConfig(17, 12, 24, 2, 3)), lambda model: model(ids(2, 8), real=real(2, 8))),
    "bert, masked words": lambda: (
        BertMaskedLanguageModel(BertConfig(17, 12, 24, 2, 3)),
        lambda model: model(ids(2, 8)),
    ),
    "bert, classes": lambda: (
        BertClassifier(Bert(BertConfig(17, 12, 24, 2, 3)), 5),
        lambda model: model(ids(2, 8)),
    ),
    "seq2seq": lambda: (Seq2Seq(Seq2SeqConfig(17, 24, 2, 3)), lambda model: model(ids(2, 8), ids(2, 5))),
    "recurrent seq2seq": lambda: (
        RnnSeq2Seq(RnnSeq2SeqConfig(17, 17, d_model=8, d_hidden=10)),
        lambda model: model(ids(2, 8), ids(2, 5)),
    ),
    "vit": lambda: (Vit(IMAGE), lambda model: model(images())),
    "clip": lambda: (Clip(ClipConfig(IMAGE, TEXT)), lambda model: model(images(), ids(2, 8))),
    "captioner": lambda: (
        Captioner(CaptionerConfig(IMAGE, vocab_size=17, max_len=12, n_layers=2)),
        lambda model: model(images(), ids(2, 5)),
    ),
    "question answering": lambda: (
        VisualQuestionAnswerer(VqaConfig(IMAGE, 17, 12, n_layers=2, n_answers=5)),
        lambda model: model(images(), ids(2, 5)),
    ),
    "dino": lambda: (Dino(DinoConfig(IMAGE)), lambda model: model([images(), images()])),
    "rnn": lambda: (RNN(4, 6), lambda model: model(numbers(2, 5, 4))),
    "lstm": lambda: (LSTM(4, 6), lambda model: model(numbers(2, 5, 4))),
    "gru": lambda: (GRU(4, 6), lambda model: model(numbers(2, 5, 4))),
    "decoder block": lambda: (
        DecoderBlock(
            MultiHeadAttention(8, 2, attend=Causal(scaled_dot_product_attention)),
            MultiHeadAttention(8, 2),
            FeedForward(8, 16),
            LayerNorm(8),
        ),
        lambda model: model(numbers(2, 5, 8), numbers(2, 7, 8)),
    ),
    "rotary": lambda: positioned(RotaryAttention(Rotary(4), Causal())),
    "QK-norm": lambda: positioned(QKNorm(Causal())),
    "ALiBi": lambda: positioned(Causal(BiasedAttention(ALiBi(3)))),
    "relative bias": lambda: positioned(Causal(BiasedAttention(RelativeBias(3)))),
    "latent attention": lambda: (
        LatentAttention(24, 3, 8, 6, inner=Causal()),
        lambda model: model(numbers(2, 5, 24)),
    ),
    "blockwise": lambda: (
        torch.nn.Linear(4, 4),
        lambda layer: blockwise_attention(
            *3 * [layer(numbers(2, 3, 9, 4))], mask=real(9, 9), is_causal=True, block=4
        ),
    ),
    "local": lambda: (
        torch.nn.Linear(4, 4),
        lambda layer: local_attention(*3 * [layer(numbers(2, 3, 9, 4))], window=3),
    ),
    "linear": lambda: (
        torch.nn.Linear(4, 4),
        lambda layer: linear_attention(*3 * [layer(numbers(2, 3, 9, 4))], is_causal=True),
    ),
}


def with_cache(model):
    cached = CachedModel(model, max_len=12)
    with torch.no_grad():
        for _ in range(2):
            cached(ids(2, 3), mask=real(2, 1, 1, cached.length + 3))
    assert cached.layers[0].keys.device.type == ELSEWHERE
    return model(ids(2, 3))


@pytest.mark.parametrize("name", CASES)
def test_everything_is_made_where_the_input_is(name):
    model, run = CASES[name]()
    output = run(model.to(ELSEWHERE))
    output = output[0] if isinstance(output, tuple) else output
    assert output.device.type == ELSEWHERE
    output.sum().backward()
    grads = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    assert grads and all(grad.device.type == ELSEWHERE for grad in grads)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_muon_steps_where_the_weights_are(dtype):
    layer = torch.nn.Linear(6, 4, bias=False, device=ELSEWHERE, dtype=dtype)
    F.mse_loss(layer(numbers(3, 6).to(dtype)), numbers(3, 4).to(dtype)).backward()
    optimizer = Muon(layer.parameters(), lr=0.02)
    optimizer.step()
    assert (
        optimizer.state[layer.weight]["momentum_buffer"].device.type == ELSEWHERE
        and layer.weight.dtype == dtype
    )
