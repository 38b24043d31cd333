"""GPT: a decoder-only Transformer that predicts the next token."""

from dataclasses import dataclass

import torch.nn.functional as F
from torch import nn

from allyouneed.models.common import Embedding, initialize
from allyouneed.nn.attention import Causal, fused_attention
from allyouneed.nn.layers import Block, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import LearnedPositions
from allyouneed.tensors import Ids, Logits, Mask, Positions, Tokens
from allyouneed.validate import check_flags, check_ids, check_share, check_sizes

__all__ = ["GPT", "GPT_CONFIGS", "GPTConfig"]


@dataclass(frozen=True)
class GPTConfig:
    """The sizes of a `GPT`. d_ff is 4 d_model unless given; `tied` uses the embedding matrix as output head.

    Raises ValueError where a size is not positive, d_model is not a multiple of n_heads, or dropout is not in
    [0, 1).

    >>> GPTConfig(vocab_size=65, max_len=64, d_model=128, n_layers=4, n_heads=4).d_ff
    512
    """

    vocab_size: int
    max_len: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int | None = None
    dropout: float = 0.0
    tied: bool = True

    def __post_init__(self):
        check_sizes(self, "vocab_size", "max_len", "d_model", "n_layers", "n_heads")
        if self.d_ff is None:
            object.__setattr__(self, "d_ff", 4 * self.d_model)
        check_sizes(self, "d_ff")
        check_share(self, "dropout")
        check_flags(self, "tied")


GPT_CONFIGS = {
    "gpt2": GPTConfig(50257, 1024, d_model=768, n_layers=12, n_heads=12),
    "gpt2-medium": GPTConfig(50257, 1024, d_model=1024, n_layers=24, n_heads=16),
    "gpt2-large": GPTConfig(50257, 1024, d_model=1280, n_layers=36, n_heads=20),
    "gpt2-xl": GPTConfig(50257, 1024, d_model=1600, n_layers=48, n_heads=25),
}


class GPT(nn.Module):
    """Predict each next token from those before it: p(x_1 .. x_T) = Π p(x_t | x_1 .. x_{t-1}).

    logits = norm(layers(embedding(ids) + positions)) Eᵀ, each layer a `Block` with causal attention.

    config: a `GPTConfig`. attend: the attention in every layer, (q, k, v, mask) -> (output, weights), such as
    your own; the model puts `Causal` around it. generator: where the starting weights are drawn from.
    Papers: Radford and others 2018, 2019.

    >>> import torch
    >>> model = GPT(GPTConfig(vocab_size=65, max_len=8, d_model=12, n_layers=2, n_heads=3))
    >>> model(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 65])
    """

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config = config
        self.embedding = Embedding(config.vocab_size, config.d_model)
        self.positions = LearnedPositions(config.max_len, config.d_model)
        self.layers = nn.ModuleList(
            Block(
                MultiHeadAttention(config.d_model, config.n_heads, attend=Causal(attend)),
                FeedForward(config.d_model, config.d_ff, F.gelu),
                LayerNorm(config.d_model),
                config.dropout,
            )
            for _ in range(config.n_layers)
        )
        self.norm = LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.embedding.weight
        self.dropout = nn.Dropout(config.dropout)
        initialize(self, generator, n_residual=2 * config.n_layers)

    def forward(self, ids: Ids, mask: Mask = None, positions: Positions = None) -> Logits:
        """ids (B, T) to logits (B, T, V).

        mask: which keys may be seen, besides the causal rule; boolean, broadcastable to (B, H, T, T).
        positions: where the tokens stand, (T,) or (B, T); 0 .. T-1 unless given.
        Raises ValueError where the text is longer than max_len or an id is not 0 to V-1, TypeError where ids
        are no integers.
        """
        return self.head(self.features(ids, mask, positions))  # (B, T, V)

    def features(self, ids: Ids, mask: Mask = None, positions: Positions = None) -> Tokens:
        """What the head reads: x (B, T, D) after the last norm; arguments as in `forward`."""
        check_ids(ids, max_len=self.config.max_len)
        x = self.dropout(self.positions(self.embedding(ids), positions))  # (B, T, D)
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
