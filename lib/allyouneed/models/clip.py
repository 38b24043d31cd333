"""CLIP: an image encoder and a text encoder that meet in one space."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.models.common import initialize, parameter_count
from allyouneed.models.gpt import GPT, GPTConfig
from allyouneed.models.vit import Vit, VitConfig
from allyouneed.nn.attention import fused_attention
from allyouneed.tensors import Float, Ids, Images, Int, Number, Tensor
from allyouneed.validate import check_lengths

__all__ = ["CLIP_CONFIGS", "Clip", "ClipConfig", "contrastive_loss", "published_count"]


@dataclass(frozen=True)
class ClipConfig:
    """The sizes of a `Clip`: an image tower, a text tower, and the width of the space they share.

    The image tower's `n_classes` is not a number of classes here but the shared width: its head projects into
    the space.
    Raises TypeError where a tower's config is of another kind.

    >>> image = VitConfig(32, 8, channels=3, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=16)
    >>> ClipConfig(image, GPTConfig(vocab_size=40, max_len=12, d_model=20, n_layers=1, n_heads=2)).d_shared
    16
    """

    image: VitConfig
    text: GPTConfig

    def __post_init__(self):
        if not isinstance(self.image, VitConfig) or not isinstance(self.text, GPTConfig):
            raise TypeError(
                f"ClipConfig needs a VitConfig and a GPTConfig, got {type(self.image).__name__} and "
                f"{type(self.text).__name__}."
            )

    @property
    def d_shared(self) -> int:
        return self.image.n_classes


def _published(image_size, patch, d_image, n_layers, d_text):
    image = VitConfig(image_size, patch, 3, d_image, n_layers, d_image // 64, 4 * d_image, n_classes=d_text)
    return ClipConfig(image, GPTConfig(49408, 77, d_text, n_layers=12, n_heads=d_text // 64))


CLIP_CONFIGS = {
    "clip-vit-b/32": _published(224, 32, 768, 12, d_text=512),
    "clip-vit-b/16": _published(224, 16, 768, 12, d_text=512),
    "clip-vit-l/14": _published(224, 14, 1024, 24, d_text=768),
    "clip-vit-l/14@336": _published(336, 14, 1024, 24, d_text=768),
}


def published_count(config: ClipConfig) -> int:
    """How many parameters the published model of this shape has, whose image tower is not quite our `Vit`.

    It has one norm more, before the first layer (2 d_model numbers), and no bias for the patches (d_model)
    and for the projection into the shared space (d_shared).

    >>> published_count(CLIP_CONFIGS["clip-vit-b/32"])
    151277313
    """
    return parameter_count(Clip, config) + config.image.d_model - config.d_shared


def contrastive_loss(image: Float[Tensor, "B D"], text: Float[Tensor, "B D"], logit_scale: Number) -> Number:
    """Each image should be most like its own text of the batch's texts, and each text like its own image.

    logits = exp(logit_scale) · cos(image_i, text_j);  the mean of the cross-entropies over rows
    and over columns, with the diagonal as target. image, text: (B, D), not yet normalized;
    logit_scale: a scalar. ValueError for other shapes. Paper: Radford and others 2021.

    >>> contrastive_loss(torch.eye(2), torch.eye(2), torch.tensor(9.0)).round(decimals=3).item()
    0.0
    """
    if image.shape != text.shape or image.dim() != 2:
        raise ValueError(
            "image and text must both be (batch, width), but they are "
            f"{tuple(image.shape)} and {tuple(text.shape)}."
        )
    logits = logit_scale.exp() * F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T  # (B, B)
    targets = torch.arange(len(logits), device=logits.device)
    return (F.cross_entropy(logits, targets) + F.cross_entropy(logits.T, targets)) / 2


class Clip(nn.Module):
    """Put images and texts into one space, where a picture lies near its caption.

    The image's vector comes from a `Vit`'s class token, the text's from the last real token of a causal
    Transformer.

    config: a `ClipConfig`. attend: the attention in every layer, (q, k, v, mask) -> (output, weights).
    generator: where the starting weights are drawn from. Paper: Radford and others 2021.

    >>> image = VitConfig(32, 8, channels=3, d_model=24, n_layers=1, n_heads=2, d_ff=48, n_classes=16)
    >>> text = GPTConfig(vocab_size=40, max_len=12, d_model=20, n_layers=1, n_heads=2)
    >>> model = Clip(ClipConfig(image, text))
    >>> ids, lengths = torch.tensor([[1, 2, 3], [1, 4, 0]]), torch.tensor([3, 2])
    >>> loss = model(torch.zeros(2, 3, 32, 32), ids, lengths=lengths)
    """

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config = config
        self.image_encoder = Vit(config.image, attend, generator)
        self.text_encoder = GPT(config.text, attend, generator)
        self.text_encoder.head = None  # it is read, not continued
        self.text_proj = initialize(nn.Linear(config.text.d_model, config.d_shared, bias=False), generator)
        # learned: how sharply to tell pairs apart
        self.logit_scale = nn.Parameter(torch.tensor(1 / 0.07).log())

    def encode_image(self, images: Images) -> Float[Tensor, "B D"]:
        """images (B, C, H, W) to unit vectors (B, d_shared)."""
        return F.normalize(self.image_encoder(images), dim=-1)

    def encode_text(self, ids: Ids, lengths: Int[Tensor, " B"] | None = None) -> Float[Tensor, "B D"]:
        """ids (B, T), padded at the end, and how many are real (B,), else all, to unit vectors (B, d_shared).

        Raises ValueError where a length is not 1 to T, and for ids as `GPT.forward` does.
        """
        # (B, T, D); causal: padding behind is never seen
        x = self.text_encoder.features(ids)
        # to look at numbers would make a GPU wait
        complete = lengths is None and ids.shape[1] > 0
        lengths = torch.full((len(ids),), ids.shape[1], device=ids.device) if lengths is None else lengths
        if not complete:
            check_lengths(lengths, ids, at_least=1)
        last = x[torch.arange(len(ids), device=ids.device), lengths - 1]  # (B, D)
        return F.normalize(self.text_proj(last), dim=-1)

    def forward(self, images: Images, ids: Ids, lengths: Int[Tensor, " B"] | None = None) -> Number:
        """The contrastive loss of a batch in which image i belongs to text i."""
        # cosines times at most 100, as in the paper; the gradient knows no limit, or it could not fall again
        above = (self.logit_scale - math.log(100)).clamp(min=0).detach()
        image, text = self.encode_image(images), self.encode_text(ids, lengths)
        return contrastive_loss(image, text, self.logit_scale - above)
