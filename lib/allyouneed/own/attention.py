"""Your own multi-head attention where the library's stands in a model."""

from allyouneed.nn.attention import join_causal

__all__ = ["pluggable"]


def pluggable(attention):
    """Make your own class fit where the library's `MultiHeadAttention` stands in a model.

    attention: a class built with (d_model, n_heads), whose forward(x, memory, mask) returns (output,
    weights).
    Returns a subclass of it with the same parameters, which also takes `is_causal`, and which never has a
    fast path.
    Its forward raises ValueError where a cache or positions are given: it knows neither.

    >>> import torch; from allyouneed.nn.multihead import MultiHeadAttention
    >>> class Mine(MultiHeadAttention):
    ...     def forward(self, x, memory=None, mask=None):
    ...         return super().forward(x, memory, mask)
    >>> pluggable(Mine)(12, 3)(torch.zeros(2, 5, 12), is_causal=True)[0].shape
    torch.Size([2, 5, 12])
    """

    class Pluggable(attention):
        def forward(
            self, x, memory=None, mask=None, is_causal=False, need_weights=True, cache=None, positions=None
        ):
            if cache is not None or positions is not None:
                raise ValueError(f"{attention.__name__} knows no cache and no positions: leave them out.")
            if is_causal:
                mask = join_causal(mask, x.shape[-2], (x if memory is None else memory).shape[-2], x.device)
            return super().forward(x, memory, mask)

    return Pluggable
