"""Llama: GPT with what later models settled on (rotary positions, RMS norm, gates, grouped queries)."""

from dataclasses import dataclass

from torch import nn

from allyouneed.models.common import Embedding, initialize
from allyouneed.nn.attention import Causal, fused_attention
from allyouneed.nn.grouped import Grouped, GroupedQueryAttention
from allyouneed.nn.layers import Block, RMSNorm, SwiGLU
from allyouneed.nn.positions import Rotary, RotaryAttention
from allyouneed.tensors import Ids, Logits, Mask, Positions
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

    config: a `LlamaConfig`. attend: the attention in each layer, (q, k, v, mask) -> (output, weights), such
    as your own. generator: where the starting weights are drawn from.
    rotary: what turns queries and keys in place of `Rotary`, a callable (x (B, H, T, K), positions) -> x.
    Paper: Touvron and others 2023.

    >>> import torch
    >>> model = Llama(LlamaConfig(64, 32, d_model=24, n_layers=2, n_heads=6, d_ff=64))
    >>> model(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 64])
    """

    def __init__(self, config, attend=fused_attention, generator=None, rotary=None):
        super().__init__()
        self.config = config
        if rotary is None:  # one for all layers
            rotary = Rotary(config.d_model // config.n_heads, config.rotary_base, config.max_len)
        attend = attend if attend is fused_attention else Grouped(attend)
        sizes = config.d_model, config.n_heads, config.n_kv_heads
        self.embedding = Embedding(config.vocab_size, config.d_model)
        self.layers = nn.ModuleList(
            Block(
                GroupedQueryAttention(*sizes, bias=False, attend=RotaryAttention(rotary, Causal(attend))),
                SwiGLU(config.d_model, config.d_ff),
                RMSNorm(config.d_model, config.eps),
            )
            for _ in range(config.n_layers)
        )
        self.norm = RMSNorm(config.d_model, config.eps)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.head.weight = self.embedding.weight
        initialize(self, generator, n_residual=2 * config.n_layers)

    def forward(self, ids: Ids, mask: Mask = None, positions: Positions = None) -> Logits:
        """ids (B, T) to logits (B, T, V); arguments and errors as in `GPT.forward`."""
        check_ids(ids, max_len=self.config.max_len)
        x = self.embedding(ids)  # (B, T, D)
        try:
            for layer in self.layers:
                layer.attention.attend.positions = positions
                x = layer(x, mask)
        finally:  # a layer that is called by itself counts on
            for layer in self.layers:
                layer.attention.attend.positions = None
        return self.head(self.norm(x))  # (B, T, V)
