"""The rubric of apply_rotary: reference, probes, mistakes with their messages, and the evidence that they are right.

Two pair layouts and two directions are right. The driver brings them to one, so most versions below are in one convention only.
"""

import math

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "apply_rotary",
    points={"turning pairs": 3, "any positions": 2, "other bases and dtypes": 1},
    section="rotary",
    driver="rotary",
    forbid=("Rotary", "turn"),
    any_float=True,
    compact=True,
    properties=[{"rule": "finite"}, {"rule": "lengths", "pairs": True, "like_argument": 0, "what": "A turned pair"}],
    mistakes={
        "positions-ignored": ("The argument positions is not used: token t is turned as if it stood at place t (or another fixed one). Multiply the "
                              "frequencies by the given positions.", "rotary"),
        "positions-relative": ("The positions are changed before use: counted from the first or smallest one, sorted, or divided by something. Turn by "
                               "p·θ_j with p as given.", "rotary"),
        "position-from-one": ("Every token is turned one position too far. A token at position 0 must stay as it is.", "rotary"),
        "not-a-rotation": ("A pair is multiplied with wrong signs, so lengths change or position 0 does not leave x as it is. Turning keeps both cosines "
                           "positive, and exactly one of the two sines gets a minus.", "rotary-norms"),
        "sin-cos-swapped": ("Sine and cosine have changed places: at position 0 the vector is already turned. Each number keeps its cosine share, and "
                            "the partner comes in with the sine.", "rotary-norms"),
        "sine-part-missing": ("Each number is only scaled by a cosine (or one half of a pair is not turned), so lengths shrink. The partner of the pair comes "
                              "in with the sine.", "rotary-norms"),
        "partner-overwritten": ("The second number of a pair is computed from the first one when that has changed already. Slices are views: keep "
                                "the old values, or write into another tensor.", "rotary-norms"),
        "mixed-layouts": ("Two layouts are mixed: pairs are taken (2j, 2j+1) in one place and (j, j+K/2) in another, for the partners, the angles or the order "
                          "of the result. Use one layout throughout.", "rotary-pairs"),
        "columns-moved": ("The columns come back in another order, or in pairs other than (2j, 2j+1) or (j, j+K/2). Position 0 must leave x "
                          "unchanged.", "rotary-pairs"),
        "two-frequencies-in-a-pair": ("The two numbers of a pair are turned by different angles. A pair has one frequency, θ_j for j = 0 to K/2 − 1: there are "
                                      "K/2 of them.", "rotary-pairs"),
        "same-angle": ("All pairs of a token are turned by the same angle. Pair j turns by p·θ_j: later pairs turn slower. (An exponent divided with // is 0 for all.)", "rotary"),
        "half-rotated": ("Only a part of the columns or tokens is turned. All K/2 pairs of every token turn.", "rotary-pairs"),
        "added": ("Sines and cosines, or angles, are added to x. Rotary positions turn each pair of x and add nothing.", "rotary"),
        "multiplied": ("x is multiplied number by number with sines and cosines. Turning mixes the two numbers of a pair: each new number needs both old ones.",
                       "rotary-norms"),
        "wrong-width": ("The frequencies are those of a width other than K, such as that of all heads together. The exponent is −2j/K with K "
                        "= x.shape[-1].",
                        "rotary"),
        "exponent-doubled": ("The frequencies fall twice as fast as they should. In base^(−2j/K) the number j counts pairs, 0 to K/2 − 1.", "sinusoidal-formula"),
        "exponent-halved": ("The frequencies fall half as fast as they should. The exponent is −2j/K with j = 0 to K/2 − 1: check the 2.", "sinusoidal-formula"),
        "exponent-divisor": ("The exponent is divided by a number other than K, such as K/2 − 1. It is −2j/K.", "sinusoidal-formula"),
        "exponent-rounded": ("The exponent is rounded to a whole number. Divide with / instead of //.", "sinusoidal-formula"),
        "pair-from-one": ("The pairs are counted from j = 1. The first pair is j = 0: it turns by p itself.", "sinusoidal-formula"),
        "frequencies-reversed": ("The slowest pair comes first. Pair 0 is the fastest, with θ_0 = 1.", "wavelengths"),
        "frequencies-grow": ("The pairs turn faster and faster. The exponent is negative: θ_j = base^(−2j/K).", "wavelengths"),
        "base-1000": ("Where no base is given, your result is not that of base 10,000. Check the default of base, and the number in the frequencies.", "base-ten-thousand"),
        "base-ignored": ("With another base the result stays that of 10,000. Use the argument base in the frequencies.", "base-ten-thousand"),
        "degrees": ("The angles are converted between degrees and radians. p·θ_j is in radians already.", "wavelengths"),
        "two-pi": ("The angles are multiplied by 2π or another factor. The angle of pair j is p·θ_j, in radians.", "wavelengths"),
        "angles-on-the-wrong-axis": ("The positions are lined up with another axis than the tokens. x is (B, H, T, K): angles of shape (T, K/2) fit its last two "
                                     "axes without any unsqueeze.", "rotary"),
        "axes-moved": ("The values are right, but an axis has been moved, joined to another or dropped. Return x's shape, (B, H, T, K).", "rotary"),
        "pairs-not-joined": ("The pairs are turned, but not joined again: an axis of pairs, halves or complex numbers is left. Return x's shape, (B, H, T, K).",
                             "rotary-pairs"),
        "dtype-changed": ("The values are right, but the dtype is not that of x: the result was cast, or the angles' dtype came through. Bring cosine and sine, or the result, "
                          "to x.dtype.", "rotary"),
        "positions-missing": ("Every token is turned by the same angles, the frequencies themselves. The angle of pair j is p·θ_j: multiply the frequencies by the given positions.", "rotary"),
        "reshaped-wrongly": ("The pairs are turned correctly, but a reshape puts the numbers into wrong places. Join the two numbers of a pair along a new last axis, or the halves along the last axis.",
                             "rotary-pairs"),
        "normalized": ("x is brought to another length. Turning keeps the length of every pair: x is not normalized or divided by anything.", "rotary-norms"),
        "loop-too-short": ("Some pairs or tokens stay 0: a loop ends too early or begins too late. Pairs run from 0 to K/2 − 1, tokens from 0 to T − 1.", "rotary-pairs"),
        "exponent-brackets": ("A part of the exponent stands outside of it: a power is computed before a product or a quotient. Put brackets around the whole exponent, −2j/K.",
                              "sinusoidal-formula"),
        "logarithm-missing": ("exp(−2j/K) is a power of e, not of base. A power base^x is exp(x · ln base): the natural logarithm of base is a factor of the exponent.",
                              "sinusoidal-formula"),
        "half-precision": ("The numbers are nearly right, but rounded too coarsely, as float16 does. Compute cosines and sines in float32 or float64.", "rotary"),
    },
)


@exercise.probes
def _(make):
    def positions(*choices):
        return torch.tensor(make.pick(*choices))

    core = {"group": "turning pairs"}
    yield make.probe("two pairs, places 0 to 2", make.randn(1, 1, 3, 4), torch.arange(3), gradient=True, **core)
    yield make.probe("batch and heads", make.randn(*make.pick((3, 1, 2, 8), (2, 3, 5, 8), (3, 2, 6, 8))), torch.arange(make.pick(2, 5, 6)), gradient=True, **core)
    yield make.probe("six pairs", make.randn(1, make.pick(1, 2, 3), make.pick(3, 4, 5), 12), torch.arange(make.pick(3, 4, 5)), **core)
    yield make.probe("one pair", make.randn(1, 1, 3, 2), torch.arange(3), long=True, **core)
    yield make.probe("three pairs", make.randn(2, 1, make.pick(3, 4, 5), 6), torch.arange(make.pick(3, 4, 5)), long=True, **core)
    yield make.probe("not contiguous", make.randn(2, 2, 3, 4), torch.arange(3), strided=True, long=True, gradient=True, **core)
    yield make.probe("a long sequence", make.randn(1, 1, make.pick(140, 150, 160), 8), torch.arange(make.pick(140, 150, 160)), long=True, **core)

    free = {"group": "any positions", "edge": True}
    yield make.probe("places in any order", make.randn(1, make.pick(1, 2, 3), 5, 4), positions([3, 7, 4, 12, 5], [6, 2, 9, 4, 11], [8, 5, 13, 3, 6]), gradient=True, **free)
    yield make.probe("one token further on", make.randn(make.pick(1, 2, 3), 1, 1, 8), positions([9], [7], [11]), **free)
    yield make.probe("position 0 for all", make.randn(1, 2, 3, 4), torch.zeros(3, dtype=torch.int64), group="any positions", long=True)
    yield make.probe("a window of a longer text", make.randn(1, 1, 4, 6), torch.arange(4) + make.pick(20, 30, 25), **free)
    yield make.probe("as many heads as tokens", make.randn(1, 2, 2, 4), positions([5, 2], [9, 3], [7, 4]), **free)
    yield make.probe("places in the thousands", make.randn(1, 1, 4, 4), positions([4000, 1, 2500, 3999], [5000, 30, 3100, 2], [4500, 7, 3600, 1200]),
                     1_000_000.0, group="any positions", long=True)

    other = {"group": "other bases and dtypes", "edge": True}
    yield make.probe("base 50", make.randn(1, 1, 2, 8), torch.arange(2), make.pick(50.0, 30.0, 70.0), group="other bases and dtypes")
    yield make.probe("base 500,000 by name", make.randn(1, 2, 4, 4), torch.arange(4), base=make.pick(500_000.0, 300_000.0, 700_000.0), group="other bases and dtypes", long=True)
    yield make.probe("float64", make.randn(1, make.pick(1, 2, 3), 2, 8, dtype=torch.float64), torch.arange(2), **other)


@exercise.right
def reference(x, positions, base=10000.0):
    angles = positions.double()[:, None] * base ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64, device=x.device) / x.shape[-1])
    cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack((first * cosine - second * sine, first * sine + second * cosine), dim=-1).flatten(-2)


@exercise.alternative("side by side, counter-clockwise, float32 angles")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.alternative("side by side, clockwise")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c + b * s, b * c - a * s
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.alternative("halves, counter-clockwise")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.alternative("halves, clockwise")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c + b * s, b * c - a * s
    return torch.cat((a, b), dim=-1)


@exercise.alternative("halves, with the whole width of cosines")
def _(x, positions, base=10000.0):
    inverse = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1]))
    freqs = torch.outer(positions.float(), inverse)
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x.chunk(2, dim=-1)
    rotated = torch.cat((-x2, x1), dim=-1)
    return x * emb.cos().to(x.dtype) + rotated * emb.sin().to(x.dtype)


@exercise.alternative("complex numbers")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = torch.outer(positions.double(), base ** (-torch.arange(0, K, 2).double() / K))
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * turns).flatten(-2).to(x.dtype)


@exercise.alternative("complex numbers, conjugate turns, halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    z = torch.complex(x[..., : K // 2], x[..., K // 2 :])
    z = z * torch.exp(-1j * positions[:, None] * base ** (-2 * torch.arange(K // 2) / K))
    return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)


@exercise.alternative("a matrix for each position")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    rows = []
    for t, p in enumerate(positions.tolist()):
        blocks = []
        for j in range(K // 2):
            a = p * base ** (-2 * j / K)
            blocks.append(torch.tensor([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]], dtype=x.dtype))
        rows.append(x[:, :, t] @ torch.block_diag(*blocks).T)
    return torch.stack(rows, dim=2)


@exercise.alternative("written into an empty tensor, loop over pairs, clockwise")
def _(x, positions, base=10000.0):
    out = torch.empty_like(x)
    for k in range(0, x.shape[-1], 2):
        a = positions.to(x.dtype) * base ** (-k / x.shape[-1])
        out[..., k] = x[..., k] * torch.cos(a) + x[..., k + 1] * torch.sin(a)
        out[..., k + 1] = x[..., k + 1] * torch.cos(a) - x[..., k] * torch.sin(a)
    return out


@exercise.alternative("einsum with 2×2 blocks")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    a = torch.einsum("t,j->tj", positions.to(x.dtype), torch.exp(-math.log(base) * torch.arange(0, K, 2, dtype=x.dtype) / K))
    R = torch.stack((torch.stack((a.cos(), -a.sin()), -1), torch.stack((a.sin(), a.cos()), -1)), -2)
    return torch.einsum("tjmn,bhtjn->bhtjm", R, x.unflatten(-1, (-1, 2))).reshape(x.shape)


@exercise.alternative("a table of all positions, looked up; float32 whatever x is")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    p = torch.arange(int(positions.max()) + 1).float()
    angles = p[:, None] / float(base) ** (torch.arange(0, K, 2).float() / K)
    c, s = angles.cos()[positions].repeat_interleave(2, dim=-1), angles.sin()[positions].repeat_interleave(2, dim=-1)
    swapped = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return (x * c + swapped * s).to(x.dtype)


@exercise.wrong("positions-ignored")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = torch.arange(x.shape[-2])[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("positions-ignored", "halves, clockwise")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = torch.arange(x.shape[-2])[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c + b * s, b * c - a * s
    return torch.cat((a, b), dim=-1)


@exercise.wrong("positions-ignored", "a turn for the length")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = torch.arange(len(positions))[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("positions-ignored", "everything stays")
def _(x, positions, base=10000.0):
    return x.clone()


@exercise.wrong("positions-relative", "to the first")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = (positions - positions[0])[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("positions-relative", "to the smallest")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = (positions - positions.min())[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("positions-relative", "sorted")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions.sort().values[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("positions-relative", "divided by the length")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] / x.shape[-2] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("positions-relative", "divided by the largest")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] / positions.max().clamp(min=1) * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("positions-relative", "halves, sorted")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions.sort().values[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("position-from-one")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = (positions + 1)[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("position-from-one", "halves, positions ignored")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = torch.arange(1, x.shape[-2] + 1)[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("not-a-rotation", "no minus")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c + b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("not-a-rotation", "two minuses on the sines")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, b * c - a * s
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("not-a-rotation", "a mirror")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c + b * s, a * s - b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("not-a-rotation", "minus on the wrong number")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s - b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("not-a-rotation", "halves, rotated part without a minus")
def _(x, positions, base=10000.0):
    freqs = torch.outer(positions.float(), base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1]))
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x.chunk(2, dim=-1)
    return x * emb.cos().to(x.dtype) + torch.cat((x2, x1), dim=-1) * emb.sin().to(x.dtype)


@exercise.wrong("not-a-rotation", "the second number alone has its own share")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * c + b * s
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("not-a-rotation", "a minus, and no partner exchanged")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - a * s, b * c + b * s
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("not-a-rotation", "cosine and sine added")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * (c + s), b * (c + s)
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("not-a-rotation", "the whole turned part has a minus")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, -(a * s + b * c)
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("sin-cos-swapped")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * s - b * c, a * c + b * s
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("sin-cos-swapped", "the other way")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * s + b * c, b * s - a * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("sin-cos-swapped", "no minus")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * s + b * c, a * c + b * s
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("sin-cos-swapped", "halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * s - b * c, a * c + b * s
    return torch.cat((a, b), dim=-1)


@exercise.wrong("sine-part-missing")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c, b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("multiplied", "cosine and sine each on its own number")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c, b * s
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("multiplied", "sine and cosine each on its own number")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * s, b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("sine-part-missing", "in the second number")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, b
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("sine-part-missing", "in the first number")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("sine-part-missing", "partner only in the first")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("sine-part-missing", "partner only in the second")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("partner-overwritten", "first before second")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * c - out[..., 1::2] * s
    out[..., 1::2] = out[..., 0::2] * s + out[..., 1::2] * c
    return out


@exercise.wrong("partner-overwritten", "second before first")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    out = x.clone()
    out[..., 1::2] = out[..., 0::2] * s + out[..., 1::2] * c
    out[..., 0::2] = out[..., 0::2] * c - out[..., 1::2] * s
    return out


@exercise.wrong("partner-overwritten", "two names, one after the other")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a = a * c - b * s
    b = a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("partner-overwritten", "halves, clockwise, names")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a = a * c + b * s
    b = b * c - a * s
    return torch.cat((a, b), dim=-1)


@exercise.wrong("partner-overwritten", "halves, second before first")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    b = a * s + b * c
    a = a * c - b * s
    return torch.cat((a, b), dim=-1)


@exercise.wrong("partner-overwritten", "in x itself")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    out = x.detach()
    out[..., 0::2] = out[..., 0::2] * c - out[..., 1::2] * s
    out[..., 1::2] = out[..., 0::2] * s + out[..., 1::2] * c
    return out


@exercise.wrong("mixed-layouts", "side by side in, halves out")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("mixed-layouts", "halves in, side by side out")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("mixed-layouts", "angles of halves, partners side by side")
def _(x, positions, base=10000.0):
    freqs = torch.outer(positions.float(), base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1]))
    emb = torch.cat((freqs, freqs), dim=-1)
    partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * emb.cos().to(x.dtype) + partner * emb.sin().to(x.dtype)


@exercise.wrong("mixed-layouts", "angles side by side, partners of halves")
def _(x, positions, base=10000.0):
    freqs = torch.outer(positions.float(), base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1]))
    emb = freqs.repeat_interleave(2, dim=-1)
    x1, x2 = x.chunk(2, dim=-1)
    return x * emb.cos().to(x.dtype) + torch.cat((-x2, x1), dim=-1) * emb.sin().to(x.dtype)


@exercise.wrong("mixed-layouts", "side by side in, halves out, clockwise")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c + b * s, b * c - a * s
    return torch.cat((a, b), dim=-1)


@exercise.wrong("mixed-layouts", "stacked along the wrong axis")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-2).flatten(-2)


@exercise.wrong("mixed-layouts", "stacked along the wrong axis, and reshaped from halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-2).flatten(-2).unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)


@exercise.wrong("mixed-layouts", "cosine of halves, sine side by side")
def _(x, positions, base=10000.0):
    freqs = torch.outer(positions.float(), base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1]))
    c, s = torch.cat((freqs, freqs), dim=-1).cos().to(x.dtype), freqs.repeat_interleave(2, dim=-1).sin().to(x.dtype)
    x1, x2 = x.chunk(2, dim=-1)
    return x * c + torch.cat((-x2, x1), dim=-1) * s


@exercise.wrong("columns-moved", "partners from both ends")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :].flip(-1)
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b.flip(-1)), dim=-1)


@exercise.wrong("columns-moved", "the partners come back swapped")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((b, a), dim=-1).flatten(-2)


@exercise.wrong("columns-moved", "the halves come back swapped")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((b, a), dim=-1)


@exercise.wrong("columns-moved", "reshaped into halves and not back")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.unflatten(-1, (2, -1)).unbind(-2)
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((b, a), dim=-1).flatten(-2)


@exercise.wrong("two-frequencies-in-a-pair", "exponent i/K")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(K) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * c + partner * s


@exercise.wrong("two-frequencies-in-a-pair", "exponent 2i/K")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-2 * torch.arange(K) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return x * c + partner * s


@exercise.wrong("two-frequencies-in-a-pair", "halves, exponent i/K")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(K) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    partner = torch.cat((-x[..., K // 2:], x[..., :K // 2]), dim=-1)
    return x * c + partner * s


@exercise.wrong("two-frequencies-in-a-pair", "halves, exponent 2i/K")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-2 * torch.arange(K) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    partner = torch.cat((-x[..., K // 2:], x[..., :K // 2]), dim=-1)
    return x * c + partner * s


@exercise.wrong("same-angle")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = torch.ones(K // 2)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("same-angle", "divided by the base")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = torch.ones(K // 2) / base
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("same-angle", "halves, the last frequency")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = (base ** (-torch.arange(0, K, 2) / K))[-1:].expand(K // 2)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("half-rotated", "frequencies of the half")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    turned, rest = x[..., : K // 2], x[..., K // 2 :]
    theta = base ** (-torch.arange(0, (K // 2), 2)[: turned.shape[-1] // 2] / (K // 2))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = turned[..., 0::2], turned[..., 1::2]
    return torch.cat((torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2), rest), dim=-1)


@exercise.wrong("half-rotated", "frequencies of K")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    turned, rest = x[..., : K // 2], x[..., K // 2 :]
    theta = base ** (-torch.arange(0, K, 2)[: turned.shape[-1] // 2] / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = turned[..., 0::2], turned[..., 1::2]
    return torch.cat((torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2), rest), dim=-1)


@exercise.wrong("half-rotated", "halves of the half, its frequencies")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    turned, rest = x[..., : K // 2], x[..., K // 2 :]
    theta = base ** (-torch.arange(0, (K // 2), 2)[: turned.shape[-1] // 2] / (K // 2))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = turned.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c, rest), dim=-1)


@exercise.wrong("half-rotated", "halves of the half, frequencies of K")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    turned, rest = x[..., : K // 2], x[..., K // 2 :]
    theta = base ** (-torch.arange(0, K, 2)[: turned.shape[-1] // 2] / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = turned.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c, rest), dim=-1)


@exercise.wrong("half-rotated", "the first half of the frequencies")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = torch.where(torch.arange(K // 2) < K // 4, base ** (-torch.arange(0, K, 2) / K), 0.0)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("half-rotated", "the last pair left")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = torch.cat(((base ** (-torch.arange(0, K, 2) / K))[:-1], torch.zeros(1)))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("half-rotated", "the first pair alone")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = torch.where(torch.arange(K // 2) < 1, 1.0, 0.0)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("added")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return x + torch.stack((s, c), dim=-1).flatten(-2)


@exercise.wrong("added", "in halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return x + torch.cat((s, c), dim=-1)


@exercise.wrong("added", "cosine first")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return x + torch.stack((c, s), dim=-1).flatten(-2)


@exercise.wrong("multiplied", "side by side")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return x * torch.stack((s, c), dim=-1).flatten(-2)


@exercise.wrong("multiplied", "in halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return x * torch.cat((s, c), dim=-1)


@exercise.wrong("multiplied", "cosine first, in halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return x * torch.cat((c, s), dim=-1)


@exercise.wrong("added", "the angles")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return x + angles.repeat_interleave(2, dim=-1).to(x.dtype)


@exercise.wrong("wrong-width", "all heads")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / (K * x.shape[1]))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("wrong-width", "all heads, halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / (K * x.shape[1]))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("wrong-width", "64")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / 64)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("wrong-width", "512")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / 512)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("wrong-width", "number of tokens")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / x.shape[-2])
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("wrong-width", "128")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / 128)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("exponent-doubled")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-2 * torch.arange(0, K, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("exponent-doubled", "K/2 for the width, halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / (K // 2))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("exponent-halved")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(K // 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("exponent-divisor", "K/2 − 1")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(K // 2) / max(K // 2 - 1, 1))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("exponent-divisor", "K − 1")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / (K - 1))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("same-angle", "exponent rounded to 0")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = float(base) ** -(torch.arange(0, K, 2) // K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("exponent-rounded", "upwards")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = float(base) ** (-torch.arange(0, K, 2) // K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("pair-from-one")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(2, K + 2, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("pair-from-one", "odd numbers")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(1, K, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("frequencies-reversed")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = (base ** (-torch.arange(0, K, 2) / K)).flip(0)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("frequencies-grow")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (torch.arange(0, K, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("frequencies-grow", "halves, clockwise")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (torch.arange(0, K, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c + b * s, b * c - a * s
    return torch.cat((a, b), dim=-1)


@exercise.wrong("base-1000")
def _(x, positions, base=1000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("base-1000", "halves, as a number")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = 1000.0 ** (-torch.arange(0, K, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("mixed-layouts", "side by side in, halves out, base ignored")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = 10000.0 ** (-torch.arange(0, K, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("base-1000", "100")
def _(x, positions, base=100.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("base-1000", "one zero more")
def _(x, positions, base=100000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("base-ignored")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = 10000.0 ** (-torch.arange(0, K, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("base-ignored", "halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = 10000.0 ** (-torch.arange(0, K, 2) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("degrees")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = torch.deg2rad(positions.float())[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("degrees", "radians turned into degrees")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = torch.rad2deg(positions.float())[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("two-pi")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = 2 * math.pi * positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("two-pi", "divided")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] / (2 * math.pi) * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("two-pi", "half the angle")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] / 2 * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("two-pi", "twice the angle")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = 2 * positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("angles-on-the-wrong-axis", "heads")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    c, s = c[None, :, None], s[None, :, None]
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("angles-on-the-wrong-axis", "batch")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    c, s = c[:, None, None], s[:, None, None]
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("angles-on-the-wrong-axis", "tokens where heads stand")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.transpose(1, 2)[..., 0::2], x.transpose(1, 2)[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2).transpose(1, 2)


@exercise.wrong("angles-on-the-wrong-axis", "heads, halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    c, s = c[None, :, None], s[None, :, None]
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("axes-moved")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2).transpose(1, 2)


@exercise.wrong("axes-moved", "heads joined")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2).transpose(1, 2).flatten(2)


@exercise.wrong("axes-moved", "last two")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2).mT


@exercise.wrong("pairs-not-joined")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1)


@exercise.wrong("pairs-not-joined", "a tuple")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return a, b


@exercise.wrong("pairs-not-joined", "complex numbers")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.complex(a, b)


@exercise.wrong("pairs-not-joined", "the first numbers alone")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return a


@exercise.wrong("pairs-not-joined", "halves, stacked")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-2)


@exercise.wrong("pairs-not-joined", "in front")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b))


@exercise.wrong("dtype-changed", "float64 angles")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    c, s = (positions.double()[:, None] * theta.double()).cos(), (positions.double()[:, None] * theta.double()).sin()
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("dtype-changed", "halves, float64 angles")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    c, s = (positions.double()[:, None] * theta.double()).cos(), (positions.double()[:, None] * theta.double()).sin()
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("dtype-changed", "always float32")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2).float()


@exercise.wrong("dtype-changed", "half precision")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2).half()


@exercise.wrong("dtype-changed", "bfloat16")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2).bfloat16()


@exercise.wrong("changes-input")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    x = x.detach()
    a, b = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = a * c - b * s
    x[..., 1::2] = a * s + b * c
    return x


@exercise.wrong("changes-input", "halves, clockwise")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2].clone(), x[..., K // 2 :].clone()
    x[..., : K // 2] = a * c + b * s
    x[..., K // 2 :] = b * c - a * s
    return x


@exercise.wrong("no-gradient", "detached")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    x = x.detach()
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("no-gradient", "numpy, halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    import numpy as np
    x = torch.from_numpy(np.array(x.tolist())).to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.wrong("no-gradient", "under no_grad")
def _(x, positions, base=10000.0):
    with torch.no_grad():
        K = x.shape[-1]
        theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
        angles = positions[:, None] * theta
        c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., 0::2], x[..., 1::2]
        a, b = a * c - b * s, a * s + b * c
        return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("positions-relative", "counted on from the first")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    p = positions[0] + torch.arange(x.shape[-2])
    angles = p[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.wrong("positions-relative", "counted on from the first, halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    p = torch.arange(int(positions[0]), int(positions[0]) + x.shape[-2])
    angles = p[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


@exercise.wrong("positions-relative", "counted down to the last")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    p = positions[-1] - torch.arange(x.shape[-2] - 1, -1, -1)
    angles = p[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.wrong("reshaped-wrongly", "stacked along the first axis")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=0).reshape(x.shape)


@exercise.wrong("reshaped-wrongly", "halves, joined along the first axis")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=0).reshape(x.shape)


@exercise.wrong("reshaped-wrongly", "joined along the tokens")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.cat((a * c - b * s, a * s + b * c), dim=-2).reshape(x.shape)


@exercise.wrong("normalized", "the vector")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    y = x / x.norm(dim=-1, keepdim=True)
    a, b = y[..., 0::2], y[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.wrong("normalized", "each pair")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    z = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    z = z / z.abs() * torch.exp(1j * angles)
    return torch.view_as_real(z).flatten(-2).to(x.dtype)


@exercise.wrong("normalized", "divided by the root of the width")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2] / math.sqrt(K), x[..., 1::2] / math.sqrt(K)
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.wrong("loop-too-short", "the last pair stays 0")
def _(x, positions, base=10000.0):
    K, out = x.shape[-1], torch.zeros_like(x)
    for i in range(0, K - 2, 2):
        a = positions.to(x.dtype) * base ** (-i / K)
        out[..., i] = x[..., i] * a.cos() - x[..., i + 1] * a.sin()
        out[..., i + 1] = x[..., i] * a.sin() + x[..., i + 1] * a.cos()
    return out


@exercise.wrong("loop-too-short", "the first pair stays 0")
def _(x, positions, base=10000.0):
    K, out = x.shape[-1], torch.zeros_like(x)
    for i in range(2, K, 2):
        a = positions.to(x.dtype) * base ** (-i / K)
        out[..., i] = x[..., i] * a.cos() - x[..., i + 1] * a.sin()
        out[..., i + 1] = x[..., i] * a.sin() + x[..., i + 1] * a.cos()
    return out


@exercise.wrong("loop-too-short", "the last token stays 0")
def _(x, positions, base=10000.0):
    K, out = x.shape[-1], torch.zeros_like(x)
    theta = (base ** (-torch.arange(0, K, 2) / K)).to(x.dtype)
    for t in range(len(positions) - 1):
        a = positions[t] * theta
        out[:, :, t, 0::2] = x[:, :, t, 0::2] * a.cos() - x[:, :, t, 1::2] * a.sin()
        out[:, :, t, 1::2] = x[:, :, t, 0::2] * a.sin() + x[:, :, t, 1::2] * a.cos()
    return out


@exercise.wrong("loop-too-short", "the first token stays 0")
def _(x, positions, base=10000.0):
    K, out = x.shape[-1], torch.zeros_like(x)
    theta = (base ** (-torch.arange(0, K, 2) / K)).to(x.dtype)
    for t in range(1, len(positions)):
        a = positions[t] * theta
        out[:, :, t, 0::2] = x[:, :, t, 0::2] * a.cos() - x[:, :, t, 1::2] * a.sin()
        out[:, :, t, 1::2] = x[:, :, t, 0::2] * a.sin() + x[:, :, t, 1::2] * a.cos()
    return out


@exercise.wrong("positions-missing", "the frequencies as angles")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / K)
    c, s = theta.cos().to(x.dtype), theta.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.wrong("positions-missing", "halves")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2) / K)
    c, s = theta.cos().to(x.dtype), theta.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1)


@exercise.wrong("axes-moved", "an axis of one is dropped")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2).squeeze()


@exercise.wrong("exponent-brackets", "divided outside")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * (base ** -torch.arange(0, K, 2).float() / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.wrong("logarithm-missing")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * torch.exp(-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.wrong("half-precision", "cosines and sines")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().half().to(x.dtype), angles.sin().half().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


@exercise.wrong("half-precision", "throughout")
def _(x, positions, base=10000.0):
    K, dtype = x.shape[-1], x.dtype
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().half(), angles.sin().half()
    a, b = x.half()[..., 0::2], x.half()[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2).to(dtype)


@exercise.wrong("half-rotated", "all but the first pair")
def _(x, positions, base=10000.0):
    K, out = x.shape[-1], x.clone()
    for i in range(2, K, 2):
        a = positions * base ** (-i / K)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        out[..., i] = x[..., i] * c - x[..., i + 1] * s
        out[..., i + 1] = x[..., i] * s + x[..., i + 1] * c
    return out


@exercise.wrong("half-rotated", "all but the first pair, halves")
def _(x, positions, base=10000.0):
    K, out = x.shape[-1], x.clone()
    for j in range(1, K // 2):
        a = positions * base ** (-2 * j / K)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        out[..., j], out[..., j + K // 2] = x[..., j] * c - x[..., j + K // 2] * s, x[..., j] * s + x[..., j + K // 2] * c
    return out


@exercise.wrong("half-rotated", "all but the first pair, halves, clockwise")
def _(x, positions, base=10000.0):
    K, out = x.shape[-1], x.clone()
    for j in range(1, K // 2):
        a = positions * base ** (-2 * j / K)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        out[..., j], out[..., j + K // 2] = x[..., j] * c + x[..., j + K // 2] * s, x[..., j + K // 2] * c - x[..., j] * s
    return out


@exercise.wrong("half-rotated", "all but the last token")
def _(x, positions, base=10000.0):
    K, out = x.shape[-1], x.clone()
    theta = base ** (-torch.arange(0, K, 2) / K)
    for t in range(len(positions) - 1):
        c, s = (positions[t] * theta).cos().to(x.dtype), (positions[t] * theta).sin().to(x.dtype)
        out[:, :, t, 0::2] = x[:, :, t, 0::2] * c - x[:, :, t, 1::2] * s
        out[:, :, t, 1::2] = x[:, :, t, 0::2] * s + x[:, :, t, 1::2] * c
    return out


@exercise.wrong("ready-made", "the library's")
def _(x, positions, base=10000.0):
    from allyouneed.positions import apply_rotary as turn_pairs
    return turn_pairs(x, positions, base)


@exercise.wrong("ready-made", "the library's module")
def _(x, positions, base=10000.0):
    from allyouneed import positions as P
    return P.Rotary(x.shape[-1], base)(x, positions)


@exercise.wrong("returns-nothing")
def _(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    x = torch.stack((a, b), dim=-1).flatten(-2)


@exercise.wrong("timeout")
def _(x, positions, base=10000.0):
    k = 0
    while k < x.shape[-1]:
        angle = positions * base ** (-k / x.shape[-1])
    return angle
