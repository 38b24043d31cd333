"""GPT: a decoder-only Transformer that predicts the next token."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.models.common import Embedding, initialize, run_layers
from allyouneed.nn.layers import EncoderLayer, LayerNorm
from allyouneed.nn.positions import LearnedPositions
from allyouneed.own.layers import OwnEncoderLayer
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

    logits = norm(layers(embedding(ids) + positions)) Eᵀ, with norm first in each layer and causal attention.

    config: a `GPTConfig`. attend: your attention in every layer, (q, k, v, mask) -> (output, weights).
    layer: your own layer, a class built with (d_model, n_heads, d_ff, norm_first=True); see `allyouneed.own`.
    generator: where the starting weights are drawn from.
    positions: what adds positions in place of `LearnedPositions`, (x (B, T, D), places or None) -> x.
    Papers: Radford and others 2018, 2019.

    >>> model = GPT(GPTConfig(vocab_size=65, max_len=8, d_model=12, n_layers=2, n_heads=3))
    >>> model(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 65])
    """

    def __init__(self, config, attend=None, generator=None, positions=None, layer=None):
        super().__init__()
        self.config = config
        if layer is not None and (attend is not None or config.dropout):
            raise ValueError(
                "GPT: your own layer knows no attend and no dropout: leave attend out and "
                "set dropout=0 in the config."
            )
        self.embedding = Embedding(config.vocab_size, config.d_model)
        self.positions = LearnedPositions(config.max_len, config.d_model) if positions is None else positions
        self.layers = nn.ModuleList(
            EncoderLayer(
                config.d_model,
                config.n_heads,
                config.d_ff,
                norm_first=True,
                activation=F.gelu,
                dropout=config.dropout,
                attend=attend,
            )
            if layer is None
            else OwnEncoderLayer(layer(config.d_model, config.n_heads, config.d_ff, norm_first=True))
            for _ in range(config.n_layers)
        )
        self.norm = LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.embedding.weight
        self.dropout = nn.Dropout(config.dropout)
        initialize(self, generator, n_residual=2 * config.n_layers)

    def forward(self, ids, mask=None, cache=None, positions=None, need_weights=False):
        """ids (B, T) to logits (B, T, V), or (logits, weights (L, B, H, T, S)) with need_weights=True.

        mask: which keys may be seen, besides the causal rule; boolean, broadcastable to (B, H, T, S).
        cache: a `KeyValueCache`; ids are then only the new tokens, and S counts the old ones as well.
        positions: where the tokens stand, (T,) or (B, T); counted on from the cache unless given.
        Raises ValueError where the text is longer than max_len or an id is not 0 to V-1, TypeError where ids
        are no integers.
        """
        x, weights = self.features(ids, mask, cache, positions, need_weights)
        logits = self.head(x)  # (B, T, V)
        return (logits, weights) if need_weights else logits

    def features(self, ids, mask=None, cache=None, positions=None, need_weights=False):
        """What the head reads: (x (B, T, D) after the last norm, weights or None); see `forward`."""
        start = 0 if cache is None else cache.length
        check_ids(ids, max_len=self.config.max_len, start=start)
        if positions is None and start:
            positions = torch.arange(start, start + ids.shape[1], device=ids.device)
        x = self.dropout(self.positions(self.embedding(ids), positions))  # (B, T, D)
        x, weights = run_layers(self.layers, x, cache, need_weights, mask=mask, is_causal=True)
        return self.norm(x), weights
