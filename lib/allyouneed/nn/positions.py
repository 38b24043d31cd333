"""Telling attention where a token stands: sinusoidal, learned, rotary, and in two dimensions.

What adds a number to each score by distance (ALiBi, T5's relative bias) is in `allyouneed.nn.position_bias`.
"""

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.tensors import Attended, Float, Int, Keys, Mask, Positions, Queries, Tensor, Tokens, Values
from allyouneed.validate import check_integers, check_self_attention

__all__ = [
    "LearnedPositions",
    "Rotary",
    "RotaryAttention",
    "SinusoidalPositions",
    "apply_rotary",
    "frequencies",
    "shift_matrix",
    "sinusoidal_2d",
    "sinusoidal_encoding",
]


def frequencies(width: int, base: float = 10000.0, device=None) -> Float[Tensor, " pairs"]:
    """Angular frequencies θ_j = base^(-2j/width) for j = 0 .. width/2-1, in radians a token, float64.

    Raises ValueError where width is odd or not positive, or base is not positive.

    >>> frequencies(4).tolist()
    [1.0, 0.01]
    """
    if width < 2 or width % 2:
        raise ValueError(
            f"sines and cosines come in pairs: the width must be even and at least 2, got {width}."
        )
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}.")
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64, device=device) / width)


def sinusoidal_encoding(n_positions: int, d_model: int, base: float = 10000.0) -> Float[Tensor, "T D"]:
    """Sines and cosines of falling frequency: a binary counter made smooth.

    PE[p, 2j] = sin(p θ_j),  PE[p, 2j+1] = cos(p θ_j);  returns (n_positions, d_model).
    Raises ValueError where n_positions is negative, and as `frequencies` does.
    Paper: Vaswani and others 2017.

    >>> [round(value, 2) for value in sinusoidal_encoding(2, 4)[1].tolist()]
    [0.84, 0.54, 0.01, 1.0]
    """
    if n_positions < 0:
        raise ValueError(f"n_positions must not be negative, got {n_positions}.")
    angles = torch.outer(
        torch.arange(n_positions, dtype=torch.float64), frequencies(d_model, base)
    )  # (n, d/2)
    pairs = torch.stack((angles.sin(), angles.cos()), dim=-1)  # (n, d/2, 2)
    return pairs.flatten(1).to(torch.get_default_dtype())  # (n, d)


def shift_matrix(offset: float, d_model: int, base: float = 10000.0) -> Float[Tensor, "D D"]:
    """The matrix M (d_model, d_model) with PE(p + offset) = M PE(p) for every p: a shift turns each pair.

    Each pair (sin, cos) is multiplied by [[cos a, sin a], [-sin a, cos a]] with a = offset θ_j.
    Offsets may be negative.

    >>> torch.allclose(
    ...     shift_matrix(1, 4) @ sinusoidal_encoding(3, 4)[1], sinusoidal_encoding(3, 4)[2]
    ... )
    True
    """
    angles = offset * frequencies(d_model, base)
    sine, cosine = angles.sin(), angles.cos()
    blocks = torch.stack(
        (torch.stack((cosine, sine), -1), torch.stack((-sine, cosine), -1)), dim=-2
    )  # (d/2, 2, 2)
    return torch.block_diag(*blocks).to(torch.get_default_dtype())


def sinusoidal_2d(height: int, width: int, d_model: int, base: float = 10000.0) -> Float[Tensor, "T D"]:
    """Positions of an image's patches, row by row: concat(PE(row), PE(column)), (height*width, d_model).

    Each axis gets d_model/2 columns, so d_model must be a multiple of 4, else ValueError.
    Paper: He and others 2022 (MAE).

    >>> sinusoidal_2d(height=2, width=3, d_model=8).shape
    torch.Size([6, 8])
    """
    if d_model % 4:
        raise ValueError(
            f"two axes of sine and cosine pairs: d_model must be a multiple of 4, got {d_model}."
        )
    rows = sinusoidal_encoding(height, d_model // 2, base)[:, None].expand(height, width, -1)
    columns = sinusoidal_encoding(width, d_model // 2, base)[None].expand(height, width, -1)
    # (height, width, d) to (height*width, d)
    return torch.cat((rows, columns), dim=-1).flatten(0, 1)


class SinusoidalPositions(nn.Module):
    """Adds `sinusoidal_encoding` to embeddings x (B, T, D); nothing is learned, and no length is the longest.

    `positions` (T,) or (B, T) says where the tokens stand, 0..T-1 unless given.

    >>> SinusoidalPositions(d_model=4)(torch.zeros(1, 2, 4))[0, 0].tolist()
    [0.0, 1.0, 0.0, 1.0]
    """

    table: Tensor  # (places so far, D)

    def __init__(self, d_model, base=10000.0):
        super().__init__()
        self.base = base
        self.register_buffer("table", sinusoidal_encoding(256, d_model, base), persistent=False)

    def forward(self, x: Tokens, positions: Positions = None) -> Tokens:
        needed = x.shape[-2] if positions is None else int(positions.max()) + 1 if positions.numel() else 0
        if positions is not None and needed and positions.min() < 0:
            raise ValueError(f"positions must be at least 0, but the smallest is {int(positions.min())}.")
        if needed > len(self.table):  # doubling, so that a growing text seldom computes it anew
            self.table = sinusoidal_encoding(
                max(needed, 2 * len(self.table)), self.table.shape[1], self.base
            ).to(self.table)
        return x + (self.table[: x.shape[-2]] if positions is None else self.table[positions]).to(x.dtype)


class LearnedPositions(nn.Module):
    """Adds one trained vector for each position to embeddings x (B, T, D); beyond max_len there is none.

    Vectors start normal with standard deviation `std`, drawn from `generator`. Raises
    ValueError where a text is longer than max_len.
    Papers: Gehring and others 2017; Devlin and others 2018.

    >>> LearnedPositions(max_len=16, d_model=4)(torch.zeros(1, 2, 4)).shape
    torch.Size([1, 2, 4])
    """

    def __init__(self, max_len, d_model, std=0.02, generator=None):
        super().__init__()
        check_integers(max_len=max_len, d_model=d_model)
        self.weight = nn.Parameter(std * torch.randn(max_len, d_model, generator=generator))

    def forward(self, x: Tokens, positions: Positions = None) -> Tokens:
        if x.shape[-2] > len(self.weight):
            raise ValueError(
                f"{x.shape[-2]} tokens came, but only {len(self.weight)} "
                "positions were learned: cut the text or raise max_len."
            )
        if positions is None:
            return x + self.weight[: x.shape[-2]]
        try:
            return x + F.embedding(positions, self.weight)
        except IndexError:
            raise ValueError(_out_of_range(positions, len(self.weight))) from None


def _out_of_range(positions, max_len):
    return (
        f"positions must be 0 to {max_len - 1}, but they are {int(positions.min())} to "
        f"{int(positions.max())}: raise max_len."
    )


def apply_rotary(
    x: Float[Tensor, "B H T K"], positions: Int[Tensor, "..."], base: float = 10000.0
) -> Float[Tensor, "B H T K"]:
    """Turn each pair of numbers in x by an angle that grows with the position.

    Scores of turned queries and keys depend on distances only.
    (x_2j + i x_2j+1) becomes (x_2j + i x_2j+1) · exp(i p θ_j): a pair is a complex number,
    turning is multiplying.
    x is (B, H, T, K) with K even, positions (T,) or (B, T); returns x's shape and dtype.
    Lengths stay as they are.
    Paper: Su and others 2021. (Some models pair column j with column j + K/2 instead: the same
    up to a fixed reordering.)

    >>> apply_rotary(torch.tensor([[[[1.0, 0.0]]]]), torch.tensor([0])).tolist()
    [[[[1.0, 0.0]]]]
    """
    positions = torch.as_tensor(positions, device=x.device)
    # (T, K/2)
    angles = positions.double()[..., None] * frequencies(x.shape[-1], base, x.device)
    return _turn(x, torch.polar(torch.ones_like(angles), angles))


class Rotary(nn.Module):
    """`apply_rotary` with turns computed once, for positions 0 .. max_len-1. A model's layers may share one.

    `Rotary(d_head)(x, positions)` takes x (B, H, T, K) and positions (T,) or (B, T), and returns x turned.
    Raises ValueError where d_head is odd or a position is not 0 to max_len-1. Paper: Su and others 2021.

    >>> Rotary(d_head=4)(torch.ones(1, 2, 3, 4), torch.arange(3)).shape
    torch.Size([1, 2, 3, 4])
    """

    def __init__(self, d_head, base=10000.0, max_len=8192):
        super().__init__()
        frequencies(d_head, base)  # refuses an odd width now, not at the first call
        check_integers(max_len=max_len)
        self.d_head, self.base, self.max_len = d_head, base, max_len
        self._tables = {}  # not a buffer: module.to(torch.bfloat16) would lose the imaginary part

    def forward(self, x: Float[Tensor, "B H T K"], positions: Int[Tensor, "..."]) -> Float[Tensor, "B H T K"]:
        dtype = torch.complex128 if x.dtype == torch.float64 else torch.complex64
        if (x.device, dtype) not in self._tables:
            angles = torch.outer(torch.arange(self.max_len).double(), frequencies(self.d_head, self.base))
            # (max_len, K/2)
            self._tables[x.device, dtype] = torch.polar(torch.ones_like(angles), angles).to(x.device, dtype)
        try:
            # (T, K/2) or (B, T, K/2); refuses negative ones too
            turns = F.embedding(positions, self._tables[x.device, dtype])
        except IndexError:
            raise ValueError(_out_of_range(positions, self.max_len)) from None
        return _turn(x, turns)


class RotaryAttention(nn.Module):
    """Around `attend`: queries and keys are turned by their positions, so that scores know distances only.

    rotary: a callable (x (B, H, T, K), positions) -> x, such as `Rotary(d_head)`, which layers may share.
    `positions`, (T,) or (B, T), says where the tokens stand; while it is None, they are counted on from what
    a cache inside remembers. For self-attention: raises ValueError where there are not as many keys as
    queries. Paper: Su and others 2021.

    >>> from allyouneed.nn.attention import scaled_dot_product_attention
    >>> q = torch.ones(1, 2, 3, 4)
    >>> RotaryAttention(Rotary(d_head=4), scaled_dot_product_attention)(q, q, q)[0].shape
    torch.Size([1, 2, 3, 4])
    """

    def __init__(self, rotary, attend):
        super().__init__()
        self.rotary, self.attend, self.positions = rotary, attend, None

    def forward(self, q: Queries, k: Keys, v: Values, mask: Mask = None) -> Attended:
        check_self_attention(q, k)
        positions = self.positions
        if positions is None:
            inside = self.attend
            while hasattr(inside, "attend") and not hasattr(inside, "length"):
                inside = inside.attend
            start = getattr(inside, "length", 0)
            positions = torch.arange(start, start + q.shape[-2], device=q.device)
        return self.attend(self.rotary(q, positions), self.rotary(k, positions), v, mask)


def _turn(x, turns):
    """Multiply pairs of x (B, H, T, K) by complex turns (T, K/2) or (B, T, K/2)."""
    # (B, 1, T, K/2): the same for every head
    turns = turns.unsqueeze(-3) if turns.dim() > 2 else turns
    # no complex numbers in half precision
    wide = x if x.dtype in (torch.float32, torch.float64) else x.float()
    if wide.stride(-1) != 1 or wide.storage_offset() % 2 or any(stride % 2 for stride in wide.stride()[:-1]):
        # else pairs cannot be seen as complex
        wide = wide.clone(memory_format=torch.contiguous_format)
    pairs = torch.view_as_complex(wide.unflatten(-1, (-1, 2)))  # (B, H, T, K/2)
    turned = pairs * turns.to(pairs.dtype)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)  # (B, H, T, K)
