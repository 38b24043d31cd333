"""Captioner: look at an image, write what is on it."""

from dataclasses import dataclass

import torch.nn.functional as F
from torch import nn

from allyouneed.models.common import Embedding, initialize
from allyouneed.models.seq2seq import Given
from allyouneed.models.vit import Vit, VitConfig
from allyouneed.nn.attention import Causal, fused_attention
from allyouneed.nn.layers import DecoderBlock, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import LearnedPositions
from allyouneed.tensors import Ids, Images, Logits, Memory
from allyouneed.validate import check_ids, check_sizes

__all__ = ["Captioner", "CaptionerConfig"]


@dataclass(frozen=True)
class CaptionerConfig:
    """The sizes of a `Captioner`: the image encoder, and a decoder of n_layers of its width and heads.

    Raises TypeError where image is no `VitConfig`, ValueError where a size is not positive. No published
    model has this shape.

    >>> image = VitConfig(32, 8, channels=3, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=1)
    >>> CaptionerConfig(image, vocab_size=40, max_len=12, n_layers=2).d_model
    24
    """

    image: VitConfig
    vocab_size: int
    max_len: int
    n_layers: int

    def __post_init__(self):
        if not isinstance(self.image, VitConfig):
            raise TypeError(f"CaptionerConfig: image must be a VitConfig, got {type(self.image).__name__}.")
        check_sizes(self, "vocab_size", "max_len", "n_layers")

    @property
    def d_model(self) -> int:
        return self.image.d_model


class Captioner(nn.Module):
    """An encoder–decoder whose source is an image: the decoder's cross-attention looks at its patches.

    config: a `CaptionerConfig`. attend: the attention in every layer, (q, k, v, mask) -> (output, weights).
    generator: where the starting weights are drawn from. Papers: Xu and others 2015; Vaswani and others 2017.

    >>> import torch
    >>> image = VitConfig(32, 8, channels=3, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=1)
    >>> model = Captioner(CaptionerConfig(image, vocab_size=40, max_len=12, n_layers=2))
    >>> logits = model(torch.zeros(2, 3, 32, 32), torch.tensor([[1, 5, 6], [1, 7, 8]]))  # (2, 3, 40)
    """

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config = config
        self.encoder = Vit(config.image, attend)
        self.encoder.head = None  # patches are read, not a class
        self.embedding = Embedding(config.vocab_size, config.d_model)
        self.positions = LearnedPositions(config.max_len, config.d_model)
        d, heads = config.d_model, config.image.n_heads
        self.decoder = nn.ModuleList(
            DecoderBlock(
                MultiHeadAttention(d, heads, attend=Causal(attend)),
                MultiHeadAttention(d, heads, attend=attend),
                FeedForward(d, config.image.d_ff, F.gelu),
                LayerNorm(d),
            )
            for _ in range(config.n_layers)
        )
        self.norm = LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size)
        initialize(self, generator)

    def forward(self, images: Images, ids: Ids) -> Logits:
        """images (B, C, H, W) and ids (B, T), start token first, to logits (B, T, V): each next token.

        Raises ValueError where shapes do not fit, a text is longer than max_len, or an id is not 0 to V-1.
        """
        return self.decode(ids, *self.encode(images))

    def encode(self, images: Images) -> tuple[Memory, None]:
        """images (B, C, H, W) to (memory (B, N, D), None): one vector a patch, row by row, and no mask."""
        return self.encoder.features(images)[:, 1:], None  # without the class token

    def decode(self, ids: Ids, memory: Memory, memory_mask=None, mask=None, positions=None) -> Logits:
        """ids (B, T) and the image's memory to logits (B, T, V); all else as in `GPT.forward`."""
        check_ids(ids, max_len=self.config.max_len)
        x = self.positions(self.embedding(ids), positions)  # (B, T, D)
        for layer in self.decoder:
            x = layer(x, memory, mask, memory_mask)
        return self.head(self.norm(x))  # (B, T, V)

    def given(self, images: Images) -> Given:
        """The decoder, its images fixed, as a language model for `generate`, `stream` and `beam_search`."""
        return Given(self, images)
