"""BERT: an encoder that reads in both directions, with heads for masked words and for classes."""

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.models.common import Embedding, initialize
from allyouneed.nn.attention import fused_attention, real_keys
from allyouneed.nn.layers import FeedForward, LayerNorm, PostNormBlock
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import LearnedPositions
from allyouneed.tensors import Float, Ids, Logits, Real, Tensor, Tokens
from allyouneed.validate import (
    check_flags,
    check_ids,
    check_integers,
    check_positive,
    check_segments,
    check_share,
    check_sizes,
)

__all__ = ["BERT_CONFIGS", "Bert", "BertClassifier", "BertConfig", "BertMaskedLanguageModel", "mask_tokens"]


@dataclass(frozen=True)
class BertConfig:
    """The sizes of a `Bert`. n_segments: kinds of sentence, 0 for none; d_ff is 4 d_model unless given.

    pooler: whether a dense tanh layer reads the first token, for classification. dropout: in [0, 1). eps: of
    the norms.
    Raises ValueError where a size is not positive, d_model is not a multiple of n_heads, or another field
    cannot be.

    >>> BertConfig(vocab_size=30522, max_len=512, d_model=384, n_layers=6, n_heads=12).d_ff
    1536
    """

    vocab_size: int
    max_len: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int | None = None
    n_segments: int = 2
    pooler: bool = True
    dropout: float = 0.0
    eps: float = 1e-12

    def __post_init__(self):
        check_sizes(self, "vocab_size", "max_len", "d_model", "n_layers", "n_heads")
        if self.d_ff is None:
            object.__setattr__(self, "d_ff", 4 * self.d_model)
        check_sizes(self, "d_ff")
        check_sizes(self, "n_segments", at_least=0)
        check_share(self, "dropout")
        check_positive(self, "eps")
        check_flags(self, "pooler")


BERT_CONFIGS = {
    "bert-base": BertConfig(30522, 512, d_model=768, n_layers=12, n_heads=12),
    "bert-large": BertConfig(30522, 512, d_model=1024, n_layers=24, n_heads=16),
    "minilm-l6": BertConfig(30522, 512, d_model=384, n_layers=6, n_heads=12),
}


class Bert(nn.Module):
    """Read a whole text and give each token a vector that knows its context, on both sides.

    x = layers(norm(embedding(ids) + positions + segments)), with the norm after each branch, as in 2017.

    config: a `BertConfig`. attend: the attention in each layer, (q, k, v, mask) -> (output, weights), such
    as your own. generator: where the starting weights are drawn from. Paper: Devlin and others 2018.

    >>> model = Bert(BertConfig(vocab_size=99, max_len=8, d_model=12, n_layers=2, n_heads=3))
    >>> model(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 12])
    """

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config = config
        d = config.d_model
        self.embedding = Embedding(config.vocab_size, d)
        self.positions = LearnedPositions(config.max_len, d)
        self.segments = Embedding(config.n_segments, d, "segment_ids") if config.n_segments else None
        self.norm = LayerNorm(d, config.eps)
        self.layers = nn.ModuleList(
            PostNormBlock(
                MultiHeadAttention(d, config.n_heads, attend=attend),
                FeedForward(d, config.d_ff, F.gelu),
                LayerNorm(d, config.eps),
                config.dropout,
            )
            for _ in range(config.n_layers)
        )
        self.pooler = nn.Linear(d, d) if config.pooler else None
        self.dropout = nn.Dropout(config.dropout)
        initialize(self, generator)

    def forward(self, ids: Ids, real: Real = None, segment_ids: Ids | None = None) -> Tokens:
        """ids (B, T) to vectors (B, T, D).

        real: boolean (B, T), False where a token is padding, which nothing may attend to. segment_ids: (B,
        T), 0 unless given.
        Raises ValueError where shapes do not fit, the text is longer than max_len, or an id has no row;
        TypeError for other dtypes.
        """
        check_ids(ids, real=real, max_len=self.config.max_len)
        check_segments(segment_ids, ids, self.config.n_segments)
        x = self.positions(self.embedding(ids))  # (B, T, D)
        if self.segments is not None:
            x = x + self.segments(torch.zeros_like(ids) if segment_ids is None else segment_ids)
        x, mask = self.dropout(self.norm(x)), real_keys(real)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def pooled(self, ids: Ids, real: Real = None, segment_ids: Ids | None = None) -> Float[Tensor, "B D"]:
        """tanh(W x_first + b): a vector a text (B, D), from its first token. ValueError without pooler."""
        if self.pooler is None:
            raise ValueError("this Bert has no pooler: make its config with pooler=True.")
        return torch.tanh(self.pooler(self(ids, real, segment_ids)[:, 0]))


class BertMaskedLanguageModel(nn.Module):
    """Guess the hidden words: logits = norm(gelu(W x + b)) Eᵀ + c, with the embedding matrix E as output.

    Arguments as in `Bert`; the pooler is left out. Paper: Devlin and others 2018.

    >>> model = BertMaskedLanguageModel(BertConfig(99, max_len=8, d_model=12, n_layers=1, n_heads=3))
    >>> model(torch.tensor([[1, 2]])).shape
    torch.Size([1, 2, 99])
    """

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config = config
        self.bert = Bert(replace(config, pooler=False), attend)
        self.transform = nn.Linear(config.d_model, config.d_model)
        self.norm = LayerNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size)
        self.head.weight = self.bert.embedding.weight
        initialize(self, generator)

    def forward(self, ids: Ids, real: Real = None, segment_ids: Ids | None = None) -> Logits:
        """ids (B, T) to logits (B, T, V), a guess a place; arguments and errors as in `Bert.forward`."""
        x = self.bert(ids, real, segment_ids)  # (B, T, D)
        return self.head(self.norm(F.gelu(self.transform(x))))  # (B, T, V)


class BertClassifier(nn.Module):
    """Put a text into one of n_classes: a linear layer on the pooled first token of a tuned or fresh `Bert`.

    bert: a `Bert` with a pooler. dropout: share of the pooled numbers set to 0 in training. generator: for
    the layer's weights.
    Raises ValueError where n_classes is not at least 2 or bert has no pooler. Paper: Devlin and others 2018.

    >>> bert = Bert(BertConfig(99, max_len=8, d_model=12, n_layers=1, n_heads=3))
    >>> BertClassifier(bert, n_classes=4)(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 4])
    """

    def __init__(self, bert, n_classes, dropout=0.0, generator=None):
        super().__init__()
        check_integers(at_least=2, n_classes=n_classes)
        if bert.pooler is None:
            raise ValueError("BertClassifier needs a Bert with a pooler: make its config with pooler=True.")
        self.bert, self.dropout = bert, nn.Dropout(dropout)
        self.head = initialize(nn.Linear(bert.config.d_model, n_classes), generator)

    def forward(
        self, ids: Ids, real: Real = None, segment_ids: Ids | None = None
    ) -> Float[Tensor, "B classes"]:
        """ids (B, T) to logits (B, n_classes); arguments and errors as in `Bert.forward`."""
        return self.head(self.dropout(self.bert.pooled(ids, real, segment_ids)))  # (B, n_classes)


def mask_tokens(ids: Ids, special, mask_id: int, vocab_size: int, generator=None, p=0.15) -> tuple[Ids, Ids]:
    """Make a guessing game of ids (B, T): returns (inputs, labels), both int64 of that shape.

    Each token that is not in `special` is chosen with probability p. Of the chosen, 80 % become mask_id, 10 %
    any token of the vocabulary, 10 % stay, so that the model cannot trust what it sees. Labels are -100,
    which the loss skips, elsewhere.
    Raises ValueError where p is no probability or mask_id no token. Paper: Devlin and others 2018.

    >>> mask_tokens(torch.tensor([[5, 6]]), special=[5, 6], mask_id=1, vocab_size=9)[1].tolist()
    [[-100, -100]]
    """
    if not 0 <= p <= 1:
        raise ValueError(f"p must be in [0, 1], got {p}.")
    if not 0 <= mask_id < vocab_size:
        raise ValueError(
            f"mask_id must be one of the {vocab_size} tokens, 0 to {vocab_size - 1}, got {mask_id}."
        )
    special = torch.as_tensor(list(special), dtype=torch.long, device=ids.device)
    chosen = (torch.rand(ids.shape, generator=generator, device=ids.device) < p) & ~torch.isin(ids, special)
    fate = torch.rand(ids.shape, generator=generator, device=ids.device)
    anything = torch.randint(vocab_size, ids.shape, generator=generator, device=ids.device)
    inputs = torch.where(chosen & (fate < 0.8), mask_id, ids)
    inputs = torch.where(chosen & (fate >= 0.9), anything, inputs)
    return inputs, ids.masked_fill(~chosen, -100)
