"""Vision Transformer: an image as a sequence of patches."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.models.common import initialize
from allyouneed.nn.attention import fused_attention
from allyouneed.nn.layers import Block, FeedForward, LayerNorm
from allyouneed.nn.multihead import MultiHeadAttention
from allyouneed.nn.positions import LearnedPositions
from allyouneed.tensors import Float, Images, Tensor
from allyouneed.validate import check_images, check_sizes

__all__ = ["VIT_CONFIGS", "Vit", "VitConfig", "patchify"]


@dataclass(frozen=True)
class VitConfig:
    """The sizes of a `Vit`. image_size is an int or (height, width) in pixels, patch the side of one patch.

    Raises ValueError where a size is not positive, d_model is not a multiple of n_heads, or patches do not
    fill the image.

    >>> sizes = {"d_model": 64, "n_layers": 2, "n_heads": 4, "d_ff": 128}
    >>> VitConfig(image_size=28, patch=7, channels=1, n_classes=10, **sizes).n_patches
    16
    """

    image_size: int | tuple[int, int]
    patch: int
    channels: int
    d_model: int
    n_layers: int
    n_heads: int
    d_ff: int
    n_classes: int

    def __post_init__(self):
        if not isinstance(self.image_size, int) and not (
            isinstance(self.image_size, (tuple, list)) and len(self.image_size) == 2
        ):
            raise ValueError(
                f"VitConfig: image_size must be an integer or (height, width), got {self.image_size!r}."
            )
        check_sizes(
            self,
            "patch",
            "channels",
            "d_model",
            "n_layers",
            "n_heads",
            "d_ff",
            "n_classes",
            "height",
            "width",
        )
        if self.height % self.patch or self.width % self.patch:
            raise ValueError(
                f"VitConfig: patches of {self.patch} do not fill an image of {self.height} x "
                f"{self.width} pixels."
            )

    @property
    def height(self):
        return self.image_size if isinstance(self.image_size, int) else self.image_size[0]

    @property
    def width(self):
        return self.image_size if isinstance(self.image_size, int) else self.image_size[1]

    @property
    def n_patches(self):
        return (self.height // self.patch) * (self.width // self.patch)


VIT_CONFIGS = {
    "vit-b/16": VitConfig(224, 16, 3, d_model=768, n_layers=12, n_heads=12, d_ff=3072, n_classes=1000),
    "vit-l/16": VitConfig(224, 16, 3, d_model=1024, n_layers=24, n_heads=16, d_ff=4096, n_classes=1000),
    "vit-h/14": VitConfig(224, 14, 3, d_model=1280, n_layers=32, n_heads=16, d_ff=5120, n_classes=1000),
}


def patchify(images: Images, patch: int) -> Float[Tensor, "B N values"]:
    """Cut images (B, C, H, W) into patches (B, N, C*patch*patch) by row; in a patch: channel, row, column.

    Raises ValueError where patches do not fill the image.

    >>> patchify(torch.zeros(2, 3, 8, 12), patch=4).shape
    torch.Size([2, 6, 48])
    """
    if images.dim() != 4 or images.shape[2] % patch or images.shape[3] % patch:
        raise ValueError(
            f"images must be (B, C, H, W) with H and W multiples of {patch}, "
            f"but they are {tuple(images.shape)}."
        )
    # first (B, C, rows, patch, columns, patch), then (B, rows*columns, C*patch*patch)
    cut = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return cut.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


class Vit(nn.Module):
    """Classify an image by attention over its patches; a class token collects what the head reads.

    x = [class token, patches W + b] + positions;  logits = head(norm(layers(x))[class token]), norm first.

    config: a `VitConfig`. attend: the attention in every layer, (q, k, v, mask) -> (output, weights), such as
    your own. generator: where the starting weights are drawn from.
    Paper: Dosovitskiy and others 2021.

    >>> config = VitConfig(28, 7, channels=1, d_model=12, n_layers=2, n_heads=3, d_ff=24, n_classes=10)
    >>> Vit(config)(torch.zeros(2, 1, 28, 28)).shape
    torch.Size([2, 10])
    """

    def __init__(self, config, attend=fused_attention, generator=None):
        super().__init__()
        self.config = config
        self.patch_proj = nn.Linear(config.channels * config.patch**2, config.d_model)
        self.cls = nn.Parameter(torch.zeros(1, 1, config.d_model))
        self.positions = LearnedPositions(config.n_patches + 1, config.d_model)
        self.layers = nn.ModuleList(
            Block(
                MultiHeadAttention(config.d_model, config.n_heads, attend=attend),
                FeedForward(config.d_model, config.d_ff, F.gelu),
                LayerNorm(config.d_model, eps=1e-6),
            )
            for _ in range(config.n_layers)
        )
        self.norm = LayerNorm(config.d_model, eps=1e-6)
        self.head = nn.Linear(config.d_model, config.n_classes)
        initialize(self, generator)

    def forward(self, images: Images) -> Float[Tensor, "B classes"]:
        """images (B, C, H, W) to logits (B, n_classes), read from the class token.

        Raises ValueError where the images are of another size than the config's, TypeError where
        they are no floats.
        """
        return self.head(self.features(images)[:, 0])

    def features(self, images: Images) -> Float[Tensor, "B N D"]:
        """x (B, N+1, D) after the last norm: class token first, then patches by row."""
        check_images(images, self.config.channels, self.config.height, self.config.width)
        patches = self.patch_proj(patchify(images, self.config.patch))  # (B, N, D)
        x = torch.cat((self.cls.expand(len(patches), -1, -1), patches), dim=1)  # (B, N+1, D)
        x = self.positions(x)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)
