"""The key–value cache: what attention has already computed about the text so far."""

import torch
from torch import nn

from allyouneed.nn.attention import Causal
from allyouneed.nn.replaced import replaced
from allyouneed.tensors import Attended, Float, Ids, Int, Logits, Mask, Positions, Queries, Tensor
from allyouneed.validate import check_integers, check_room

__all__ = ["CachedModel", "Remembering"]


class Remembering(nn.Module):
    """Around `attend`: the keys and values of all calls so far, and those of this one behind them.

    Joining old and new tensors at every token would copy the whole past each time. Here memory for `max_len`
    tokens is reserved once, new entries are written behind the old ones, and `attend` gets a view of the
    filled part: no copy. They are written in place, so gradients do not flow through it.
    Raises ValueError where more than max_len tokens come, or k does not fit what is held.

    >>> from allyouneed.nn.attention import scaled_dot_product_attention
    >>> attend, one = Remembering(scaled_dot_product_attention, max_len=9), torch.zeros(1, 2, 1, 4)
    >>> [attend(one, one, one)[1].shape[-1] for _ in range(3)]
    [1, 2, 3]
    """

    def __init__(self, attend, max_len):
        super().__init__()
        check_integers(max_len=max_len)
        self.attend, self.max_len, self.length = attend, max_len, 0
        # reserved at the first call, which knows batch, heads, width, dtype and device
        self.keys = self.values = None

    def forward(
        self, q: Queries, k: Float[Tensor, "B G T _"], v: Float[Tensor, "B G T _"], mask: Mask = None
    ) -> Attended:
        """q (B, H, T, K), k and v (B, G, T, K) of T new tokens; the mask counts the old ones too.

        k and v may be of other widths where `attend` takes them, as latents are.
        """
        if self.length == 0:  # also after a first call that was refused
            self.keys, self.values = (
                new.new_empty(*new.shape[:2], self.max_len, new.shape[-1]) for new in (k, v)
            )
        start, end = self.length, self.length + k.shape[-2]
        check_room(k, self.keys, end)
        self.keys[:, :, start:end], self.values[:, :, start:end] = k, v
        output = self.attend(q, self.keys[:, :, :end], self.values[:, :, :end], mask)
        self.length = end  # not after a call that was refused
        return output

    def reorder(self, rows: Int[Tensor, " B"]) -> None:
        """Row i continues what row rows[i] held: beam search keeps and drops texts. rows: (B,) integers."""
        if self.keys is not None:
            self.keys, self.values = self.keys[rows], self.values[rows]


class CachedModel:
    """A model that reads a text in pieces: `Remembering` stands around each of its causal attentions.

    Call it with the new tokens only: the outputs are those of the whole text at once. A new token then costs
    one row of attention instead of all of them, for memory of 2 · n_layers · G · K numbers a token.

    model: a `GPT`, a `Llama`, or another that is called with (ids, mask, positions). It is as it was between
    the calls, so one model may serve several texts. `layers` are the `Remembering`s, each with `length`
    tokens. Use it under `torch.no_grad()`.
    Raises ValueError where the model has no `Causal` attention, or one that no part holds for its `attend`,
    or calls one twice, and where more than max_len tokens come.

    >>> from allyouneed.models import GPT, GPTConfig
    >>> cached = CachedModel(GPT(GPTConfig(9, 8, d_model=4, n_layers=1, n_heads=1)), max_len=8)
    >>> with torch.no_grad():
    ...     parts = [cached(torch.tensor([piece])).shape[1] for piece in ([1, 2, 3], [4])]
    >>> parts, cached.length
    ([3, 1], 4)
    """

    def __init__(self, model, max_len):
        if any(getattr(part, "reads_whole_texts", False) for part in model.modules()):
            raise ValueError(
                f"{type(model).__name__} has a layer of your own, which makes its mask for a whole text: "
                "it can have no cache. In generate, give use_cache=False."
            )
        owners = [part for part in model.modules() if any(isinstance(c, Causal) for c in part.children())]
        if not owners or not all(map(_attends_through_it, owners)):
            raise ValueError(
                f"{type(model).__name__} has no Causal attention, or one that stands in no part's `attend`: "
                "it can have no cache. In generate, give use_cache=False."
            )
        self.model, self.layers = model, [Remembering(owner.attend, max_len) for owner in owners]
        self.parts = [(owner, "attend", part) for owner, part in zip(owners, self.layers)]

    def __call__(self, ids: Ids, mask: Mask = None, positions: Positions = None) -> Logits:
        """The new tokens ids (B, T); mask counts the old ones too, positions are counted on unless given."""
        if positions is None:
            positions = torch.arange(self.length, self.length + ids.shape[1], device=ids.device)
        before, after = self.length, self.length + ids.shape[1]
        try:
            with replaced(self.parts):
                logits = self.model(ids, mask=mask, positions=positions)
            if any(layer.length != after for layer in self.layers):
                raise ValueError(
                    "an attention was not called exactly once, as where a layer is used twice: it cannot "
                    "have a cache; in generate, give use_cache=False."
                )
        except BaseException:
            for layer in self.layers:
                layer.length = before
            raise
        return logits

    @property
    def length(self) -> int:
        """How many tokens are in it."""
        return self.layers[0].length

    def reorder(self, rows: Int[Tensor, " B"]) -> None:
        """`Remembering.reorder` in every layer."""
        for layer in self.layers:
            layer.reorder(rows)


def _attends_through_it(owner: nn.Module) -> bool:
    """Whether the one `Causal` that a part holds is its `attend`, or stands behind a method that is."""
    held = [part for part in owner.children() if isinstance(part, Causal)]
    attend = getattr(owner, "attend", None)
    return len(held) == 1 and (attend is held[0] or getattr(attend, "__self__", None) is owner)
