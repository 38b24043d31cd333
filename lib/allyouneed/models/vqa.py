"""Visual question answering: the question's words attend to the image's patches."""

from dataclasses import dataclass

import torch.nn.functional as F
from torch import nn

from allyouneed.models.common import Embedding, initialize
from allyouneed.models.vit import Vit, VitConfig
from allyouneed.nn.attention import fused_attention, real_keys
from allyouneed.nn.layers import DecoderBlock, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import LearnedPositions
from allyouneed.tensors import Float, Ids, Images, Real, Tensor
from allyouneed.validate import check_ids, check_sizes

__all__ = ["VisualQuestionAnswerer", "VqaConfig"]


@dataclass(frozen=True)
class VqaConfig:
    """The sizes of a `VisualQuestionAnswerer`: image encoder, the question's vocabulary and length, answers.

    n_layers layers read the question, with the image encoder's width and heads.
    Raises TypeError where image is no `VitConfig`, ValueError where a size is not positive. No published
    model has this shape.

    >>> image = VitConfig(64, 16, channels=3, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=1)
    >>> VqaConfig(image, vocab_size=30, max_len=12, n_layers=2, n_answers=13).d_model
    24
    """

    image: VitConfig
    vocab_size: int
    max_len: int
    n_layers: int
    n_answers: int

    def __post_init__(self):
        if not isinstance(self.image, VitConfig):
            raise TypeError(f"VqaConfig: image must be a VitConfig, got {type(self.image).__name__}.")
        check_sizes(self, "vocab_size", "max_len", "n_layers", "n_answers")

    @property
    def d_model(self) -> int:
        return self.image.d_model


class VisualQuestionAnswerer(nn.Module):
    """Choose an answer to a question about an image, by cross-attention between the two.

    Queries come from the question, keys and values from the image: each word looks up what it needs.
    The answer is read from the mean over the question's real tokens.

    config: a `VqaConfig`. attend: the attention in every layer, (q, k, v, mask) -> (output, weights).
    generator: where the starting weights are drawn from. Paper: Lu and others 2019 (co-attention between two
    streams).

    >>> import torch
    >>> image = VitConfig(64, 16, channels=3, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=1)
    >>> model = VisualQuestionAnswerer(VqaConfig(image, vocab_size=30, max_len=12, n_layers=2, n_answers=13))
    """

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config = config
        self.encoder = Vit(config.image, attend)
        self.encoder.head = None  # patches are read, not a class
        self.embedding = Embedding(config.vocab_size, config.d_model)
        self.positions = LearnedPositions(config.max_len, config.d_model)
        d, heads = config.d_model, config.image.n_heads
        self.layers = nn.ModuleList(
            DecoderBlock(
                MultiHeadAttention(d, heads, attend=attend),
                MultiHeadAttention(d, heads, attend=attend),
                FeedForward(d, config.image.d_ff, F.gelu),
                LayerNorm(d),
            )
            for _ in range(config.n_layers)
        )
        self.norm = LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.n_answers)
        initialize(self, generator)

    def forward(self, images: Images, ids: Ids, real: Real = None) -> Float[Tensor, "B answers"]:
        """images (B, C, H, W) and questions ids (B, T) to logits (B, n_answers).

        real: boolean (B, T), False where a question is padding. Raises ValueError where shapes do not
        fit, a question is longer than max_len, or an id is not 0 to V-1.
        """
        check_ids(ids, real=real, max_len=self.config.max_len)
        image = self.encoder.features(images)[:, 1:]  # (B, N, D), no class token
        x, mask = self.positions(self.embedding(ids)), real_keys(real)  # (B, T, D)
        for layer in self.layers:
            x = layer(x, image, mask)
        x = self.norm(x)
        if real is None:
            return self.head(x.mean(dim=1))
        share = real.to(x.dtype) / real.sum(dim=1, keepdim=True).clamp(min=1)
        return self.head((share[:, None] @ x).squeeze(1))  # (B, 1, T) times (B, T, D)
