"""Models as files of 8-bit numbers: what is written is what is read, and it is close to the model."""

import json

import pytest
import torch

from allyouneed.export import Exported, export_int8, quantize_rows, read_int8, rounded_to_int8
from allyouneed.models import GPT, GPTConfig, Llama, LlamaConfig, Seq2Seq, Seq2SeqConfig
from allyouneed.text.tokenizers import CharTokenizer


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


def small_llama(**changes):
    return Llama(
        LlamaConfig(11, 16, d_model=12, n_layers=2, n_heads=3, d_ff=20, **changes), generator=seeded()
    )


def small_translator(**changes):
    return Seq2Seq(Seq2SeqConfig(7, d_model=8, n_layers=1, n_heads=2, **changes), generator=seeded())


def test_no_number_moves_by_more_than_half_its_rows_scale():
    weight = torch.randn(40, 30, generator=seeded()) * torch.logspace(-6, 3, 40)[:, None]
    ints, scales = quantize_rows(weight)
    assert ints.dtype == torch.int8 and ints.abs().amax(1).tolist() == [127] * 40
    assert ((ints * scales[:, None] - weight).abs() <= 0.5001 * scales[:, None]).all()


@pytest.mark.parametrize(
    "model",
    [
        small_llama(),
        small_llama(tied=True),
        small_llama(n_kv_heads=1),
        small_translator(),
        small_translator(source_vocab_size=13),
    ],
)
def test_the_file_holds_the_rounded_model(model):
    header, weights = read_int8(export_int8(model))
    rounded = rounded_to_int8(model)
    assert header["model"] == type(model).__name__ and type(model.config)(**header["config"]) == model.config
    assert set(weights) == {name for name, _ in model.named_parameters()}
    for name, parameter in rounded.named_parameters():
        assert torch.equal(weights[name], parameter.data), name
    assert any(not torch.equal(a, b) for a, b in zip(model.parameters(), rounded.parameters()))


def test_the_size_is_a_byte_a_weight():
    model = Llama(LlamaConfig(64, 16, d_model=128, n_layers=2, n_heads=4, d_ff=344))
    n_weights = sum(parameter.numel() for parameter in model.parameters())
    assert n_weights < len(export_int8(model)) < 1.05 * n_weights + 3000


def test_tokenizers_travel_along():
    tokenizer = CharTokenizer.train("łódź, ␣ 2026", specials=["<pad>"], unknown="<unk>")
    told = read_int8(export_int8(small_llama(), text=tokenizer))[0]["tokenizers"]["text"]
    assert told == {"tokens": tokenizer.tokens, "specials": ["<pad>", "<unk>"], "unknown": "<unk>"}


def test_a_notebook_keeps_the_bytes_but_prints_their_number():
    import base64

    exported = Exported(bytes(range(256)) * 40)
    shown = exported._repr_mimebundle_()
    assert (
        base64.b64decode(shown["application/octet-stream"]) == exported
        and shown["text/plain"] == "<10,240 bytes>"
    )
    assert len(json.dumps(shown)) < 2 * len(exported)


def test_what_cannot_be_exported_is_refused():
    with pytest.raises(TypeError, match="only Llama and Seq2Seq"):
        export_int8(GPT(GPTConfig(9, 8, d_model=4, n_layers=1, n_heads=1)))
    with pytest.raises(ValueError, match="norm_first"):
        export_int8(small_translator(norm_first=True))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_a_model_of_another_dtype_is_rounded_in_it_and_exported(dtype):
    model = Llama(LlamaConfig(9, 8, d_model=4, n_layers=1, n_heads=1, d_ff=8)).to(dtype)
    assert {weight.dtype for weight in rounded_to_int8(model).parameters()} == {dtype}
    assert rounded_to_int8(model)(torch.tensor([[1, 2]])).dtype == dtype
    assert export_int8(model, text=CharTokenizer("abcdefghi"))
