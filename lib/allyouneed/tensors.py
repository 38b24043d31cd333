"""What the tensors in our signatures are: `q: Float[Tensor, "... T K"]`, floating point, last axes T and K.

An axis is a letter, as in the comments: B texts, T tokens, S tokens that are attended to, D the model's
width, H heads, G heads of keys and values, K a head's width, V the vocabulary. The same letter is the same
size within one call. `...` are any axes, or none; `*L` too, and the same ones each time; `#B` may be 1
instead; `""` is a single number.

A signature says what goes in and out, and checks nothing: `allyouneed.validate` refuses what cannot work. Our
tests hold each call to its signature, with jaxtyping, whose names these are. Elsewhere it is not needed.
"""

import sys
from typing import TYPE_CHECKING

from torch import Tensor

__all__ = [
    "Attended",
    "Bool",
    "Float",
    "Ids",
    "Images",
    "Int",
    "Keys",
    "Logits",
    "Maps",
    "Mask",
    "Memory",
    "Number",
    "Positions",
    "Queries",
    "Real",
    "Source",
    "Tensor",
    "Tokens",
    "UInt8",
    "Values",
]

if TYPE_CHECKING or "jaxtyping" in sys.modules:
    from jaxtyping import Bool, Float, Int, UInt8
else:

    class Float:
        """A tensor of floating point numbers: `Float[Tensor, "B T D"]`."""

        def __class_getitem__(cls, kind_and_axes):
            return kind_and_axes[0]

    class Int(Float):
        """A tensor of integers."""

    class UInt8(Float):
        """A tensor of bytes, such as an image's."""

    class Bool(Float):
        """A tensor of truth values."""


Ids = Int[Tensor, "B T"]
Source = Int[Tensor, "B S"]
Real = Bool[Tensor, "B T"] | None  # False where a token is padding; None where none is
Positions = Int[Tensor, "..."] | None  # (T,) or (B, T); None: counted from 0
Tokens = Float[Tensor, "B T D"]
Memory = Float[Tensor, "#B S D"]
Logits = Float[Tensor, "B T V"]
Images = Float[Tensor, "B C height width"]
Number = Float[Tensor, ""]

Queries = Float[Tensor, "... T K"]
Keys = Float[Tensor, "... S K"]
Values = Float[Tensor, "... S D"]
Mask = Bool[Tensor, "..."] | None  # broadcastable to (..., T, S), True = may attend; None: everywhere
Maps = Float[Tensor, "B H T S"] | None  # the weights; None where `attend` stores none
Attended = tuple[Float[Tensor, "... T D"], Float[Tensor, "... T seen"] | None]  # with a cache: more than S
