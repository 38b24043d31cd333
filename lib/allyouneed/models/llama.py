"""Llama: GPT with what later models settled on (rotary positions, RMS norm, gates, grouped queries)."""

from dataclasses import dataclass
from functools import partial

import torch
from torch import nn

from allyouneed.models.common import Embedding, initialize, run_layers
from allyouneed.nn.layers import EncoderLayer, RMSNorm, SwiGLU
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import Rotary
from allyouneed.validate import check_flags, check_ids, check_positive, check_sizes

__all__ = ["LLAMA_CONFIGS", "Llama", "LlamaConfig"]


@dataclass(frozen=True)
class LlamaConfig:
    """The sizes of a `Llama`. n_kv_heads heads have their own keys and values, all n_heads unless given.

    Raises ValueError where a size is not positive, the heads do not divide d_model or each other, or a head's
    width is odd.

    >>> LlamaConfig(vocab_size=64, max_len=32, d_model=24, n_layers=2, n_heads=6, d_ff=64).n_kv_heads
    6
    """

    vocab_size: int
    max_len: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    n_kv_heads: int | None = None
    rotary_base: float = 10000.0
    eps: float = 1e-5
    tied: bool = False

    def __post_init__(self):
        if self.n_kv_heads is None:
            object.__setattr__(self, "n_kv_heads", self.n_heads)
        check_sizes(self, "vocab_size", "max_len", "d_model", "n_layers", "n_heads", "d_ff", "n_kv_heads")
        if self.n_heads % self.n_kv_heads:
            raise ValueError(
                f"LlamaConfig: n_heads={self.n_heads} must be a multiple of n_kv_heads={self.n_kv_heads}."
            )
        if self.d_model // self.n_heads % 2:
            raise ValueError(
                f"LlamaConfig: rotary positions need an even head width, got {self.d_model} / {self.n_heads}."
            )
        check_positive(self, "rotary_base", "eps")
        check_flags(self, "tied")


LLAMA_CONFIGS = {
    "smollm2-135m": LlamaConfig(
        49152, 8192, 576, 30, 9, 1536, n_kv_heads=3, rotary_base=100_000.0, tied=True
    ),
    "llama-7b": LlamaConfig(32000, 2048, 4096, 32, 32, 11008, eps=1e-6),
    "llama-2-70b": LlamaConfig(32000, 4096, 8192, 80, 64, 28672, n_kv_heads=8),
    "llama-3-8b": LlamaConfig(128256, 8192, 4096, 32, 32, 14336, n_kv_heads=8, rotary_base=500_000.0),
}


class Llama(nn.Module):
    """Predict each next token, as `GPT` does, with no bias anywhere and positions inside attention.

    Norm first with `RMSNorm`, grouped-query attention on queries and keys turned by `Rotary`, `SwiGLU`
    feed-forward.

    config: a `LlamaConfig`. attend: your attention in every layer, (q, k, v, mask) -> (output, weights).
    generator: where the starting weights are drawn from.
    rotary: what turns queries and keys in place of `Rotary`, a callable (x (B, H, T, K), positions) -> x.
    Paper: Touvron and others 2023.

    >>> model = Llama(LlamaConfig(64, 32, d_model=24, n_layers=2, n_heads=6, d_ff=64))
    >>> model(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 64])
    """

    def __init__(self, config, attend=None, generator=None, rotary=None):
        super().__init__()
        self.config = config
        if rotary is None:
            # one for all layers
            rotary = Rotary(config.d_model // config.n_heads, config.rotary_base, config.max_len)
        self.embedding = Embedding(config.vocab_size, config.d_model)
        self.layers = nn.ModuleList(
            EncoderLayer(
                config.d_model,
                config.n_heads,
                config.d_ff,
                norm_first=True,
                norm=partial(RMSNorm, eps=config.eps),
                attention=MultiHeadAttention(
                    config.d_model,
                    config.n_heads,
                    n_kv_heads=config.n_kv_heads,
                    bias=False,
                    rotary=rotary,
                    attend=attend,
                ),
                feed_forward=SwiGLU(config.d_model, config.d_ff),
            )
            for _ in range(config.n_layers)
        )
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.embedding.weight
        initialize(self, generator, n_residual=2 * config.n_layers)

    def forward(self, ids, mask=None, cache=None, positions=None, need_weights=False):
        """ids (B, T) to logits (B, T, V), or (logits, weights (L, B, H, T, S)) with need_weights=True.

        mask: which keys may be seen, besides the causal rule; boolean, broadcastable to (B, H, T, S).
        cache: a `KeyValueCache`; ids are then only the new tokens, and S counts the old ones as well.
        positions: where the tokens stand, (T,) or (B, T); counted on from the cache unless given.
        Raises ValueError where the text is longer than max_len or an id is not 0 to V-1, TypeError where ids
        are no integers.
        """
        start = 0 if cache is None else cache.length
        check_ids(ids, max_len=self.config.max_len, start=start)
        if positions is None:
            positions = torch.arange(start, start + ids.shape[1], device=ids.device)
        x, weights = run_layers(
            self.layers,
            self.embedding(ids),
            cache,
            need_weights,
            mask=mask,
            is_causal=True,
            positions=positions,
        )  # (B, T, D)
        logits = self.head(self.norm(x))  # (B, T, V)
        return (logits, weights) if need_weights else logits
