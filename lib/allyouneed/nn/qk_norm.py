"""QK-norm: queries and keys of one length, so that scores cannot grow without bound."""

import torch.nn.functional as F
from torch import nn

from allyouneed.tensors import Attended, Keys, Mask, Queries, Values

__all__ = ["QKNorm"]


class QKNorm(nn.Module):
    """Around `attend`: each query and key is scaled to root mean square 1 before the dot product.

    With K numbers in a head, scores are √K times a cosine; the paper learns this factor. Paper: Henry and
    others 2020.

    >>> import torch
    >>> from allyouneed.nn.attention import scaled_dot_product_attention
    >>> q = torch.full((1, 2, 4), 100.0)
    >>> QKNorm(scaled_dot_product_attention)(q, q, q)[0].shape
    torch.Size([1, 2, 4])
    """

    def __init__(self, attend):
        super().__init__()
        self.attend = attend

    def forward(self, q: Queries, k: Keys, v: Values, mask: Mask = None) -> Attended:
        width = q.shape[-1:]
        return self.attend(F.rms_norm(q, width), F.rms_norm(k, width), v, mask)
