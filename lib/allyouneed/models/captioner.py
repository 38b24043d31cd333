"""Captioner: look at an image, write what is on it."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.models.common import Embedding, initialize
from allyouneed.models.seq2seq import Given
from allyouneed.models.vit import Vit, VitConfig
from allyouneed.nn.layers import DecoderLayer, LayerNorm
from allyouneed.nn.positions import LearnedPositions
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
    def d_model(self):
        return self.image.d_model


class Captioner(nn.Module):
    """An encoder–decoder whose source is an image: the decoder's cross-attention looks at its patches.

    config: a `CaptionerConfig`. attend: your attention in every layer, (q, k, v, mask) -> (output, weights).
    generator: where the starting weights are drawn from. Papers: Xu and others 2015; Vaswani and others 2017.

    >>> image = VitConfig(32, 8, channels=3, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=1)
    >>> model = Captioner(CaptionerConfig(image, vocab_size=40, max_len=12, n_layers=2))
    >>> logits = model(torch.zeros(2, 3, 32, 32), torch.tensor([[1, 5, 6], [1, 7, 8]]))  # (2, 3, 40)
    """

    def __init__(self, config, attend=None, generator=None):
        super().__init__()
        self.config = config
        self.encoder = Vit(config.image, attend)
        self.encoder.head = None  # patches are read, not a class
        self.embedding = Embedding(config.vocab_size, config.d_model)
        self.positions = LearnedPositions(config.max_len, config.d_model)
        self.decoder = nn.ModuleList(
            DecoderLayer(
                config.d_model,
                config.image.n_heads,
                config.image.d_ff,
                norm_first=True,
                activation=F.gelu,
                attend=attend,
            )
            for _ in range(config.n_layers)
        )
        self.norm = LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size)
        initialize(self, generator)

    def forward(self, images, ids, need_weights=False):
        """images (B, C, H, W) and ids (B, T), start token first, to logits (B, T, V): each next token.

        With need_weights=True returns (logits, weights (L, B, H, T, N)): where each word looked among the N
        patches.
        Raises ValueError where shapes do not fit, a text is longer than max_len, or an id is not 0 to V-1.
        """
        memory, _ = self.encode(images)
        return self.decode(ids, memory, need_weights=need_weights)

    def encode(self, images):
        """images (B, C, H, W) to (memory (B, N, D), None): one vector a patch, row by row, and no mask."""
        x, _ = self.encoder.features(images)
        return x[:, 1:], None  # without the class token

    def decode(
        self, ids, memory, memory_mask=None, mask=None, cache=None, positions=None, need_weights=False
    ):
        """ids (B, T) and the image's memory to logits (B, T, V); all else as in `GPT.forward`."""
        start = 0 if cache is None else cache.length
        check_ids(ids, max_len=self.config.max_len, start=start)
        if positions is None and start:
            positions = torch.arange(start, start + ids.shape[1], device=ids.device)
        x, maps = self.positions(self.embedding(ids), positions), []  # (B, T, D)
        for index, layer in enumerate(self.decoder):
            x = layer(
                x, memory, mask, memory_mask, True, need_weights, None if cache is None else cache[index]
            )
            if need_weights:
                x, _, weights = x
                maps.append(weights)
        logits = self.head(self.norm(x))  # (B, T, V)
        return (logits, torch.stack(maps)) if need_weights else logits

    def given(self, images):
        """The decoder, its images fixed, as a language model for `generate`, `stream` and `beam_search`."""
        return Given(self, images)
