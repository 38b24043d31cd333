"""apply_rotary: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "apply_rotary",
    points={"turning pairs": 3, "any positions": 2, "other bases and dtypes": 1},
    section="rotary",
    driver="rotary",
    forbid=("Rotary", "turn"),
    any_float=True,
    properties=[{"rule": "finite"}, {"rule": "lengths", "pairs": True, "like_argument": 0,
                                     "what": "A turned pair"}],
)


@exercise.probes
def probes(make):
    def positions(*choices):
        return torch.tensor(make.pick(*choices))

    core = {"group": "turning pairs"}
    yield make.probe("two pairs, places 0 to 2", make.randn(1, 1, 3, 4), torch.arange(3), gradient=True,
                     **core)
    yield make.probe("batch and heads", make.randn(*make.pick((3, 1, 2, 8), (2, 3, 5, 8), (3, 2, 6, 8))),
                     torch.arange(make.pick(2, 5, 6)), gradient=True, **core)
    yield make.probe("six pairs", make.randn(1, make.pick(1, 2, 3), make.pick(3, 4, 5), 12),
                     torch.arange(make.pick(3, 4, 5)), **core)
    yield make.probe("one pair", make.randn(1, 1, 3, 2), torch.arange(3), long=True, **core)
    yield make.probe("three pairs", make.randn(2, 1, make.pick(3, 4, 5), 6), torch.arange(make.pick(3, 4, 5)),
                     long=True, **core)
    yield make.probe("not contiguous", make.randn(2, 2, 3, 4), torch.arange(3), strided=True, long=True,
                     gradient=True, **core)
    yield make.probe("a long sequence", make.randn(1, 1, make.pick(140, 150, 160), 8),
                     torch.arange(make.pick(140, 150, 160)), long=True, **core)

    free = {"group": "any positions", "edge": True}
    yield make.probe("places in any order", make.randn(1, make.pick(1, 2, 3), 5, 4),
                     positions([3, 7, 4, 12, 5], [6, 2, 9, 4, 11], [8, 5, 13, 3, 6]), gradient=True, **free)
    yield make.probe("one token further on", make.randn(make.pick(1, 2, 3), 1, 1, 8),
                     positions([9], [7], [11]), **free)
    yield make.probe("position 0 for all", make.randn(1, 2, 3, 4), torch.zeros(3, dtype=torch.int64),
                     group="any positions", long=True)
    yield make.probe("a window of a longer text", make.randn(1, 1, 4, 6),
                     torch.arange(4) + make.pick(20, 30, 25), **free)
    yield make.probe("as many heads as tokens", make.randn(3, 2, 2, 4), positions([5, 2], [9, 3], [7, 4]),
                     **free)
    yield make.probe("places in the thousands", make.randn(2, 3, 4, 4),
                     positions([4001, 1, 2503, 3999], [5003, 30, 3101, 2], [4501, 7, 3603, 1201]),
                     1_000_000.0, **free)

    other = {"group": "other bases and dtypes", "edge": True}
    yield make.probe("another base", make.randn(1, 1, 2, 8), torch.arange(2), make.pick(50.0, 60.0, 70.0),
                     group="other bases and dtypes")
    yield make.probe("a large base by name", make.randn(1, 2, 4, 4), torch.arange(4),
                     base=make.pick(500_000.0, 300_000.0,
                                    700_000.0), group="other bases and dtypes", long=True)
    yield make.probe("float64", make.randn(1, make.pick(1, 2, 3), 2, 8, dtype=torch.float64), torch.arange(2),
                     **other)
    yield make.probe("float16 at position 0", make.randn(2, make.pick(3, 4, 3), 2, 8, dtype=torch.float16),
                     torch.zeros(2, dtype=torch.int64), **other)


@exercise.right
def reference(x, positions, base=10000.0):
    angles = positions.double()[:, None] * base ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64,
                                                                  device=x.device) / x.shape[-1])
    cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack((first * cosine - second * sine, first * sine + second * cosine), dim=-1).flatten(-2)


@exercise.right("side by side, counter-clockwise, float32 angles")
def side(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    a, b = a * c - b * s, a * s + b * c
    return torch.stack((a, b), dim=-1).flatten(-2)


@exercise.right("halves, counter-clockwise")
def halves(x, positions, base=10000.0):
    K = x.shape[-1]
    theta = base ** (-torch.arange(0, K, 2, device=x.device) / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : K // 2], x[..., K // 2 :]
    a, b = a * c - b * s, a * s + b * c
    return torch.cat((a, b), dim=-1)


@exercise.right("halves, with the whole width of cosines")
def halves_width(x, positions, base=10000.0):
    inverse = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1]))
    freqs = torch.outer(positions.float(), inverse)
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x.chunk(2, dim=-1)
    rotated = torch.cat((-x2, x1), dim=-1)
    return x * emb.cos().to(x.dtype) + rotated * emb.sin().to(x.dtype)


@exercise.right("complex numbers")
def complex_numbers(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = torch.outer(positions.double(), base ** (-torch.arange(0, K, 2).double() / K))
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * turns).flatten(-2).to(x.dtype)


@exercise.right("a matrix for each position")
def matrix(x, positions, base=10000.0):
    K = x.shape[-1]
    rows = []
    for t, p in enumerate(positions.tolist()):
        blocks = []
        for j in range(K // 2):
            a = p * base ** (-2 * j / K)
            blocks.append(torch.tensor([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]],
                                       dtype=x.dtype))
        rows.append(x[:, :, t] @ torch.block_diag(*blocks).T)
    return torch.stack(rows, dim=2)


@exercise.right("written into an empty tensor, loop over pairs, clockwise")
def written_empty(x, positions, base=10000.0):
    out = torch.empty_like(x)
    for k in range(0, x.shape[-1], 2):
        a = positions.to(x.dtype) * base ** (-k / x.shape[-1])
        out[..., k] = x[..., k] * torch.cos(a) + x[..., k + 1] * torch.sin(a)
        out[..., k + 1] = x[..., k + 1] * torch.cos(a) - x[..., k] * torch.sin(a)
    return out


@exercise.right("einsum with 2×2 blocks")
def einsum_2x2(x, positions, base=10000.0):
    K = x.shape[-1]
    a = torch.einsum("t,j->tj", positions.to(x.dtype),
                     torch.exp(-math.log(base) * torch.arange(0, K, 2, dtype=x.dtype) / K))
    R = torch.stack((torch.stack((a.cos(), -a.sin()), -1), torch.stack((a.sin(), a.cos()), -1)), -2)
    return torch.einsum("tjmn,bhtjn->bhtjm", R, x.unflatten(-1, (-1, 2))).reshape(x.shape)


@exercise.right("a table of all positions, looked up; float32 whatever x is")
def table(x, positions, base=10000.0):
    K = x.shape[-1]
    p = torch.arange(int(positions.max()) + 1).float()
    angles = p[:, None] / float(base) ** (torch.arange(0, K, 2).float() / K)
    c, s = (angles.cos()[positions].repeat_interleave(2, dim=-1),
            angles.sin()[positions].repeat_interleave(2, dim=-1))
    swapped = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return (x * c + swapped * s).to(x.dtype)


@exercise.right("step by step")
def plain(x, positions, base=10000.0):
    freqs = torch.outer(positions.float(), base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1]))
    emb = torch.cat((freqs, freqs), dim=-1)
    x1, x2 = x.chunk(2, dim=-1)
    return x * emb.cos().to(x.dtype) + torch.cat((-x2, x1), dim=-1) * emb.sin().to(x.dtype)


@exercise.right("step by step, another way")
def plain_other(x, positions, base=10000.0):
    K = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)


HALVES = {"[..., 0::2], x[..., 1::2]": ".chunk(2, dim=-1)"}

exercise.also_right(
    edit(side, {"c - b": "c + b", "a * s + b * c": "b * c - a * s"}, "side by side, clockwise"),
    edit(halves, {"c - b": "c + b", "a * s + b * c": "b * c - a * s"}, "halves, clockwise"),
    full("K = x.shape[-1]\n"
         "z = torch.complex(x[..., : K // 2], x[..., K // 2 :])\n"
         "z = z * torch.exp(-1j * positions[:, None] * base ** (-2 * torch.arange(K // 2) / K))\n"
         "return torch.cat((z.real, z.imag), dim=-1).to(x.dtype)",
         "complex numbers, conjugate turns, halves"))

exercise.mistake("positions-ignored", "rotary",
    "The argument positions is not used: token t is turned as if it stood at place t (or another fixed "
    "one). Multiply the frequencies by the given positions.",
    edit(side, {"= positions": "= torch.arange(x.shape[-2])"}),
    edit(halves, {"= positions": "= torch.arange(x.shape[-2])", "c - b": "c + b",
                  "a * s + b * c": "b * c - a * s"}, "halves, clockwise"),
    full("return x.clone()", "everything stays"))

exercise.mistake("positions-relative", "rotary",
    "The positions are changed before use: counted from the first or smallest one, sorted, or divided by "
    "something. Turn by p·θ_j with p as given.",
    edit(side, {"= positions": "= (positions - positions[0])"}, "to the first"),
    edit(side, {"= positions": "= (positions - positions.min())"}, "to the smallest"),
    edit(side, {"[:, None]": ".sort().values[:, None]"}, "sorted"),
    edit(side, {"[:, None]": "[:, None] / x.shape[-2]"}, "divided by the length"),
    edit(side, {"[:, None]": "[:, None] / positions.max().clamp(min=1)"}, "divided by the largest"),
    edit(halves, {"[:, None]": ".sort().values[:, None]"}, "halves, sorted"),
    edit(plain_other, {"shape[-1]": "shape[-1]\np = positions[0] + torch.arange(x.shape[-2])",
                       "= positions": "= p"}, "counted on from the first"),
    edit(plain_other, HALVES | {"shape[-1]":
                                "shape[-1]\n"
                                "p = torch.arange(int(positions[0]), int(positions[0]) + x.shape[-2])",
                                "= positions": "= p", "stack": "cat",
                                ".flatten(-2)": ""}, "counted on from the first, halves"),
    edit(plain_other, {"shape[-1]": "shape[-1]\np = positions[-1] - torch.arange(x.shape[-2] - 1, -1, -1)",
                       "= positions": "= p"}, "counted down to the last"))

exercise.mistake("position-from-one", "rotary",
    "Every token is turned one position too far. A token at position 0 must stay as it is.",
    edit(side, {"= positions": "= (positions + 1)"}),
    edit(halves, {"= positions": "= torch.arange(1, x.shape[-2] + 1)"}, "halves, positions ignored"))

exercise.mistake("not-a-rotation", "rotary-norms",
    "A pair is multiplied with wrong signs, so lengths change or position 0 does not leave x as it is. "
    "Turning keeps both cosines positive, and exactly one of the two sines gets a minus.",
    edit(side, {"c - b": "c + b"}, "no minus"),
    edit(side, {"a * s + b * c": "b * c - a * s"}, "two minuses on the sines"),
    edit(side, {"c - b": "c + b", "s + b": "s - b"}, "a mirror"),
    edit(side, {"s + b": "s - b"}, "minus on the wrong number"),
    edit(plain, {"-x2": "x2"}, "halves, rotated part without a minus"),
    edit(side, {"s + b * c": "c + b * s"}, "the second number alone has its own share"),
    edit(side, {"b * s, a * s + b * c": "a * s, b * c + b * s"}, "a minus, and no partner exchanged"),
    edit(side, {"c - b * s, a * s + b * c": "(c + s), b * (c + s)"}, "cosine and sine added"),
    edit(side, {"a * s + b * c": "-(a * s + b * c)"}, "the whole turned part has a minus"))

exercise.mistake("sin-cos-swapped", "rotary-norms",
    "Sine and cosine have changed places: at position 0 the vector is already turned. Each number keeps "
    "its cosine share, and the partner comes in with the sine.",
    edit(side, {every("* c"): "* s", every("* s"): "* c"}),
    edit(side, {" a * c - b * s,": "", "b * c": "b * c, b * s - a * c"}, "the other way"),
    edit(side, {" a * c - b * s,": "", "b * c": "b * c, a * c + b * s"}, "no minus"),
    edit(halves, {every("* c"): "* s", every("* s"): "* c"}, "halves"))

exercise.mistake("sine-part-missing", "rotary-norms",
    "Each number is only scaled by a cosine (or one half of a pair is not turned), so lengths shrink. The "
    "partner of the pair comes in with the sine.",
    edit(side, {"c - b * s, a * s + b": "c , b"}),
    edit(side, {"a * s + b * c": "b"}, "in the second number"),
    edit(side, {" * c - b * s": ""}, "in the first number"),
    edit(side, {" a * s +": ""}, "partner only in the first"),
    edit(side, {" - b * s": ""}, "partner only in the second"))

exercise.mistake("multiplied", "rotary-norms",
    "x is multiplied number by number with sines and cosines. Turning mixes the two numbers of a pair: "
    "each new number needs both old ones.",
    edit(side, {"c - b * s, a * s + b * c": "c , b * s"}, "cosine and sine each on its own number"),
    edit(side, {"c - b * s, a * s + b": "s, b"}, "sine and cosine each on its own number"),
    edit(halves, {"return": "return x *", "(a, b)": "(s, c)"}, "in halves"),
    edit(halves, {"return": "return x *", "(a, b)": "(c, s)"}, "cosine first, in halves"))

exercise.mistake("partner-overwritten", "rotary-norms",
    "The second number of a pair is computed from the first one when that has changed already. Slices are "
    "views: keep the old values, or write into another tensor.",
    edit(halves, {"a, b = x[..., : K // 2], x[..., K // 2 :]":
                  "out = x.clone()\n"
                  "out[..., 1::2] = out[..., 0::2] * s + out[..., 1::2] * c",
                  "a, b = a * c - b * s, a * s + b * c\n"
                  "return torch.cat((a, b), dim=-1)":
                  "out[..., 0::2] = out[..., 0::2] * c - out[..., 1::2] * s\n"
                  "return out"}, "second before first"),
    edit(side, {"a, b = a": "a = a",
                ", a * s + b * c": "\nb = a * s + b * c"}, "two names, one after the other"),
    edit(halves, {"a, b = a * c - b * s, a * s + b * c": "a= a * c + b * s\nb = b * c - a * s"},
         "halves, clockwise, names"),
    edit(halves, {"a, b = a": "b = a * s + b * c\na = a",
                  ", a * s + b * c": ""}, "halves, second before first"),
    edit(halves, {"a, b = x[..., : K // 2], x[..., K // 2 :]":
                  "out = x.detach()\n"
                  "out[..., 0::2] = out[..., 0::2] * c - out[..., 1::2] * s",
                  "a, b = a * c - b * s, a * s + b * c\n"
                  "return torch.cat((a, b), dim=-1)":
                  "out[..., 1::2] = out[..., 0::2] * s + out[..., 1::2] * c\n"
                  "return out"}, "in x itself"))

exercise.mistake("mixed-layouts", "rotary-pairs",
    "Two layouts are mixed: pairs are taken (2j, 2j+1) in one place and (j, j+K/2) in another, for the "
    "partners, the angles or the order of the result. Use one layout throughout.",
    edit(halves, {"cat((a, b), dim=-1)": "stack((a, b), dim=-1).flatten(-2)"}, "halves in, side by side out"),
    edit(plain, {"x1, x2 = x.chunk(2, dim=-1)":
                 "partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)",
                 "torch.cat((-x2, x1), dim=-1)": "partner"}, "angles of halves, partners side by side"),
    edit(plain, {"torch.cat((freqs, freqs)": "freqs.repeat_interleave(2"},
         "angles side by side, partners of halves"),
    edit(side, {"c - b": "c + b", "a * s + b * c": "b * c - a * s", "stack": "cat",
                ".flatten(-2)": ""}, "side by side in, halves out, clockwise"),
    edit(side, {"dim=-1": "dim=-2"}, "stacked along the wrong axis"),
    edit(plain, {"emb =": "c, s = (",
                 "freqs), dim=-1)":
                 "freqs), dim=-1).cos().to(x.dtype), freqs.repeat_interleave(2, dim=-1).sin().to(x.dtype))",
                 "emb.cos().to(x.dtype)": "c",
                 "emb.sin().to(x.dtype)": "s"}, "cosine of halves, sine side by side"),
    edit(side, {"= base": "= 10000.0", ", device=x.device": "", "stack": "cat",
                ".flatten(-2)": ""}, "side by side in, halves out, base ignored"))

exercise.mistake("columns-moved", "rotary-pairs",
    "The columns come back in another order, or in pairs other than (2j, 2j+1) or (j, j+K/2). Position 0 "
    "must leave x unchanged.",
    edit(halves, {"K // 2 :]": "K // 2 :].flip(-1)", "(a, b)": "(a, b.flip(-1))"}, "partners from both ends"),
    edit(side, {"(a, b)": "(b, a)"}, "the partners come back swapped"),
    edit(halves, {"(a, b)": "(b, a)"}, "the halves come back swapped"),
    edit(halves, {"cat((a, b), dim=-1)": "stack((b, a), dim=-1).flatten(-2)"},
         "reshaped into halves and not back"))

exercise.mistake("two-frequencies-in-a-pair", "rotary-pairs",
    "The two numbers of a pair are turned by different angles. A pair has one frequency, θ_j for j = 0 to "
    "K/2 − 1: there are K/2 of them.",
    full("K = x.shape[-1]\n"
         "angles = positions[:, None] * base ** (-torch.arange(K) / K)\n"
         "c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)\n"
         "partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)\n"
         "return x * c + partner * s", "exponent i/K"),
    full("K = x.shape[-1]\n"
         "angles = positions[:, None] * base ** (-2 * torch.arange(K) / K)\n"
         "c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)\n"
         "partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)\n"
         "return x * c + partner * s", "exponent 2i/K"),
    full("K = x.shape[-1]\n"
         "angles = positions[:, None] * base ** (-torch.arange(K) / K)\n"
         "c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)\n"
         "partner = torch.cat((-x[..., K // 2:], x[..., :K // 2]), dim=-1)\n"
         "return x * c + partner * s", "halves, exponent i/K"),
    full("K = x.shape[-1]\n"
         "angles = positions[:, None] * base ** (-2 * torch.arange(K) / K)\n"
         "c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)\n"
         "partner = torch.cat((-x[..., K // 2:], x[..., :K // 2]), dim=-1)\n"
         "return x * c + partner * s", "halves, exponent 2i/K"))

exercise.mistake("same-angle", "rotary",
    "All pairs of a token are turned by the same angle. Pair j turns by p·θ_j: later pairs turn slower. "
    "(An exponent divided with // is 0 for all.)",
    edit(side, {"base ** (-torch.arange(0, K, 2, device=x.device) / K)": "torch.ones(K // 2)"}),
    edit(side, {"base ** (-torch.arange(0, K, 2, device=x.device) / K)": "torch.ones(K // 2) / base"},
         "divided by the base"),
    edit(halves, {"= base": "=(base",
                  "2, device=x.device) / K)": "2) / K))[-1:].expand(K // 2)"}, "halves, the last frequency"))


def half_rotated(x, positions, base=10000.0):
    K = x.shape[-1]
    turned, rest = x[..., : K // 2], x[..., K // 2 :]
    theta = base ** (-torch.arange(0, (K // 2), 2)[: turned.shape[-1] // 2] / (K // 2))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = turned[..., 0::2], turned[..., 1::2]
    return torch.cat((torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2), rest), dim=-1)


def half_rotated_frequencies(x, positions, base=10000.0):
    K = x.shape[-1]
    turned, rest = x[..., : K // 2], x[..., K // 2 :]
    theta = base ** (-torch.arange(0, K, 2)[: turned.shape[-1] // 2] / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = turned[..., 0::2], turned[..., 1::2]
    return torch.cat((torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2), rest), dim=-1)


def half_rotated_halves(x, positions, base=10000.0):
    K = x.shape[-1]
    turned, rest = x[..., : K // 2], x[..., K // 2 :]
    theta = base ** (-torch.arange(0, (K // 2), 2)[: turned.shape[-1] // 2] / (K // 2))
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = turned.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c, rest), dim=-1)


def half_rotated_halves_half(x, positions, base=10000.0):
    K = x.shape[-1]
    turned, rest = x[..., : K // 2], x[..., K // 2 :]
    theta = base ** (-torch.arange(0, K, 2)[: turned.shape[-1] // 2] / K)
    angles = positions[:, None] * theta
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = turned.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c, rest), dim=-1)


def half_rotated_but(x, positions, base=10000.0):
    K, out = x.shape[-1], x.clone()
    for i in range(2, K, 2):
        a = positions * base ** (-i / K)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        out[..., i] = x[..., i] * c - x[..., i + 1] * s
        out[..., i + 1] = x[..., i] * s + x[..., i + 1] * c
    return out


def half_rotated_but_first(x, positions, base=10000.0):
    K, out = x.shape[-1], x.clone()
    for j in range(1, K // 2):
        a = positions * base ** (-2 * j / K)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        out[..., j], out[..., j + K // 2] = (
            x[..., j] * c - x[..., j + K // 2] * s,
            x[..., j] * s + x[..., j + K // 2] * c,
        )
    return out


def half_rotated_but_first_pair(x, positions, base=10000.0):
    K, out = x.shape[-1], x.clone()
    for j in range(1, K // 2):
        a = positions * base ** (-2 * j / K)
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        out[..., j], out[..., j + K // 2] = (
            x[..., j] * c + x[..., j + K // 2] * s,
            x[..., j + K // 2] * c - x[..., j] * s,
        )
    return out


def half_rotated_but_last(x, positions, base=10000.0):
    K, out = x.shape[-1], x.clone()
    theta = base ** (-torch.arange(0, K, 2) / K)
    for t in range(len(positions) - 1):
        c, s = (positions[t] * theta).cos().to(x.dtype), (positions[t] * theta).sin().to(x.dtype)
        out[:, :, t, 0::2] = x[:, :, t, 0::2] * c - x[:, :, t, 1::2] * s
        out[:, :, t, 1::2] = x[:, :, t, 0::2] * s + x[:, :, t, 1::2] * c
    return out


exercise.mistake("half-rotated", "rotary-pairs",
    "Only a part of the columns or tokens is turned. All K/2 pairs of every token turn.",
    full(half_rotated, "frequencies of the half"),
    full(half_rotated_frequencies, "frequencies of K"),
    full(half_rotated_halves, "halves of the half, its frequencies"),
    full(half_rotated_halves_half, "halves of the half, frequencies of K"),
    edit(side, {"= base": "=torch.where(torch.arange(K // 2) < K // 4, base",
                "2, device=x.device) / K)": "2) / K), 0.0)"}, "the first half of the frequencies"),
    edit(side, {"= base": "=torch.cat(((base",
                "2, device=x.device) / K)": "2) / K))[:-1], torch.zeros(1)))"}, "the last pair left"),
    edit(side, {"base ** (-torch.arange(0, K, 2, device=x.device) / K)":
                "torch.where(torch.arange(K // 2) < 1, 1.0, 0.0)"}, "the first pair alone"),
    full(half_rotated_but, "all but the first pair"),
    full(half_rotated_but_first, "all but the first pair, halves"),
    full(half_rotated_but_first_pair, "all but the first pair, halves, clockwise"),
    full(half_rotated_but_last, "all but the last token"))

exercise.mistake("added", "rotary",
    "Sines and cosines, or angles, are added to x. Rotary positions turn each pair of x and add nothing.",
    edit(side, {"return": "return x +", "(a, b)": "(s, c)"}),
    edit(halves, {"return": "return x +", "(a, b)": "(s, c)"}, "in halves"),
    edit(side, {"return": "return x +", "(a, b)": "(c, s)"}, "cosine first"),
    edit(side, {"a, b = a * c - b * s, a * s + b * c": "",
                "torch.stack((a, b), dim=-1).flatten(-2)":
                "x + angles.repeat_interleave(2, dim=-1).to(x.dtype)"}, "the angles"))

exercise.mistake("wrong-width", "rotary",
    "The frequencies are those of a width other than K, such as that of all heads together. The exponent "
    "is −2j/K with K = x.shape[-1].",
    edit(side, {"2, device=x.device) / K": "2) / (K * x.shape[1])"}, "all heads"),
    edit(halves, {"2, device=x.device) / K": "2) / (K * x.shape[1])"}, "all heads, halves"),
    edit(side, {"2, device=x.device) / K": "2) / 64"}, "64"),
    edit(side, {"2, device=x.device) / K": "2) / 512"}, "512"),
    edit(side, {"2, device=x.device) / K)": "2) / x.shape[-2])"}, "number of tokens"),
    edit(side, {"2, device=x.device) / K": "2) / 128"}, "128"))

exercise.mistake("exponent-doubled", "sinusoidal-formula",
    "The frequencies fall twice as fast as they should. In base^(−2j/K) the number j counts pairs, 0 to "
    "K/2 − 1.",
    edit(side, {"-torch": "- 2 * torch", ", device=x.device": ""}),
    edit(halves, {"2, device=x.device) / K)": "2) / (K // 2))"}, "K/2 for the width, halves"))

exercise.mistake("exponent-halved", "sinusoidal-formula",
    "The frequencies fall half as fast as they should. The exponent is −2j/K with j = 0 to K/2 − 1: check "
    "the 2.",
    edit(side, {"0, K, 2, device=x.device": "K // 2"}))

exercise.mistake("exponent-divisor", "sinusoidal-formula",
    "The exponent is divided by a number other than K, such as K/2 − 1. It is −2j/K.",
    edit(side, {"0, K, 2, device=x.device) / K)": "K // 2) / max(K // 2 - 1, 1))"}, "K/2 − 1"),
    edit(side, {"2, device=x.device) / K)": "2) / (K - 1))"}, "K − 1"))

exercise.mistake("exponent-rounded", "sinusoidal-formula",
    "The exponent is rounded to a whole number. Divide with / instead of //.",
    edit(side, {"2, device=x.device) / K": "2) // K"}, "upwards"))

exercise.mistake("pair-from-one", "sinusoidal-formula",
    "The pairs are counted from j = 1. The first pair is j = 0: it turns by p itself.",
    edit(side, {"0, K, 2, device=x.device": "2, K + 2, 2"}),
    edit(side, {"0, K, 2, device=x.device": "1, K, 2"}, "odd numbers"))

exercise.mistake("frequencies-reversed", "wavelengths",
    "The slowest pair comes first. Pair 0 is the fastest, with θ_0 = 1.",
    edit(side, {"= base": "=(base", "2, device=x.device) / K)": "2) / K)).flip(0)"}))

exercise.mistake("frequencies-grow", "wavelengths",
    "The pairs turn faster and faster. The exponent is negative: θ_j = base^(−2j/K).",
    edit(side, {"-torch": "torch", ", device=x.device": ""}),
    edit(halves, {"-torch": "torch", "c - b": "c + b",
                  "a * s + b * c": "b * c - a * s"}, "halves, clockwise"))

exercise.mistake("base-1000", "base-ten-thousand",
    "Where no base is given, your result is not that of base 10,000. Check the default of base, and the "
    "number in the frequencies.",
    edit(side, {"10000.0": "1000.0"}),
    edit(halves, {"= base": "= 1000.0"}, "halves, as a number"),
    edit(side, {"10000.0": "100.0"}, "100"),
    edit(side, {"10000.0": "100000.0"}, "one zero more"))

exercise.mistake("base-ignored", "base-ten-thousand",
    "With another base the result stays that of 10,000. Use the argument base in the frequencies.",
    edit(side, {"= base": "= 10000.0", ", device=x.device": ""}),
    edit(halves, {"= base": "= 10000.0", ", device=x.device": ""}, "halves"))

exercise.mistake("degrees", "wavelengths",
    "The angles are converted between degrees and radians. p·θ_j is in radians already.",
    edit(side, {"= positions": "= torch.deg2rad(positions.float())"}),
    edit(side, {"= positions": "= torch.rad2deg(positions.float())"}, "radians turned into degrees"))

exercise.mistake("two-pi", "wavelengths",
    "The angles are multiplied by 2π or another factor. The angle of pair j is p·θ_j, in radians.",
    edit(side, {"angles =": "angles = 2 * math.pi *"}),
    edit(side, {"[:, None]": "[:, None] / (2 * math.pi)"}, "divided"),
    edit(side, {"[:, None]": "[:, None] / 2"}, "half the angle"),
    edit(side, {"angles =": "angles = 2 *"}, "twice the angle"))

exercise.mistake("angles-on-the-wrong-axis", "rotary",
    "The positions are lined up with another axis than the tokens. x is (B, H, T, K): angles of shape (T, "
    "K/2) fit its last two axes without any unsqueeze.",
    edit(side, {"a, b = x": "c, s = c[None, :, None], s[None, :, None]\na, b = x"}, "heads"),
    edit(side, {"a, b = x": "c, s = c[:, None, None], s[:, None, None]\na, b = x"}, "batch"),
    edit(side, {"[..., 0::2], x": ".transpose(1, 2)[..., 0::2], x.transpose(1, 2)",
                "flatten(-2)": "flatten(-2).transpose(1, 2)"}, "tokens where heads stand"),
    edit(halves, {"a, b = x": "c, s = c[None, :, None], s[None, :, None]\na, b = x"}, "heads, halves"),
    edit(side, {"a, b = x": "if x.shape[1] == x.shape[2]:\n"
                            "    c, s = c[:, None], s[:, None]\n"
                            "a, b = x"}, "heads, where there are as many"))

exercise.mistake("axes-moved", "rotary",
    "The values are right, but an axis has been moved, joined to another or dropped. Return x's shape, (B, "
    "H, T, K).",
    edit(side, {"flatten(-2)": "flatten(-2).transpose(1, 2)"}),
    edit(side, {"flatten(-2)": "flatten(-2).transpose(1, 2).flatten(2)"}, "heads joined"),
    edit(side, {"flatten(-2)": "flatten(-2).mT"}, "last two"),
    edit(plain_other, {"flatten(-2)": "flatten(-2).squeeze()"}, "an axis of one is dropped"))

exercise.mistake("pairs-not-joined", "rotary-pairs",
    "The pairs are turned, but not joined again: an axis of pairs, halves or complex numbers is left. "
    "Return x's shape, (B, H, T, K).",
    edit(side, {".flatten(-2)": ""}),
    edit(side, {"return torch.stack((a, b), dim=-1).flatten(-2)": "return a, b"}, "a tuple"),
    edit(side, {"stack((a, b), dim=-1).flatten(-2)": "complex(a, b)"}, "complex numbers"),
    edit(side, {"return torch.stack((a, b), dim=-1).flatten(-2)": "return a"}, "the first numbers alone"),
    edit(halves, {"cat": "stack", "dim=-1": "dim=-2"}, "halves, stacked"),
    edit(side, {", dim=-1": "", ".flatten(-2)": ""}, "in front"))

exercise.mistake("dtype-changed", "rotary",
    "The values are right, but the dtype is not that of x: the result was cast, or the angles' dtype came "
    "through. Bring cosine and sine, or the result, to x.dtype.",
    edit(side, {"a, b = x":
                "c, s = ((positions.double()[:, None] * theta.double()).cos(), (positions.double()[:, "
                "None] * theta.double()).sin())\n"
                "a, b = x"}, "float64 angles"),
    edit(halves, {"a, b = x":
                  "c, s = ((positions.double()[:, None] * theta.double()).cos(), (positions.double()[:, "
                  "None] * theta.double()).sin())\n"
                  "a, b = x"}, "halves, float64 angles"),
    edit(side, {"flatten(-2)": "flatten(-2).float()"}, "always float32"),
    edit(side, {"flatten(-2)": "flatten(-2).half()"}, "half precision"),
    edit(side, {"flatten(-2)": "flatten(-2).bfloat16()"}, "bfloat16"))

exercise.mistake("reshaped-wrongly", "rotary-pairs",
    "The pairs are turned correctly, but a reshape puts the numbers into wrong places. Join the two "
    "numbers of a pair along a new last axis, or the halves along the last axis.",
    edit(plain_other, {"dim=-1": "dim=0", "flatten(-2)": "reshape(x.shape)"}, "stacked along the first axis"),
    edit(plain_other, HALVES | {"stack": "cat", "dim=-1": "dim=0",
                                "flatten(-2)": "reshape(x.shape)"}, "halves, joined along the first axis"),
    edit(plain_other, {"stack": "cat", "1).flatten(-2": "2).reshape(x.shape"}, "joined along the tokens"))

exercise.mistake("normalized", "rotary-norms",
    "x is brought to another length. Turning keeps the length of every pair: x is not normalized or "
    "divided by anything.",
    edit(plain_other, {"a, b": "y = x / x.norm(dim=-1, keepdim=True)\na, b",
                       "x[..., 0::2], x": "y[..., 0::2], y"}, "the vector"),
    full("K = x.shape[-1]\n"
         "angles = positions[:, None] * base ** (-torch.arange(0, K, 2) / K)\n"
         "z = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())\n"
         "z = z / z.abs() * torch.exp(1j * angles)\n"
         "return torch.view_as_real(z).flatten(-2).to(x.dtype)", "each pair"),
    edit(plain_other, {", x[..., 1::2]": "/ math.sqrt(K), x[..., 1::2] / math.sqrt(K)"},
         "divided by the root of the width"))


def loop(x, positions, base=10000.0):
    K, out = x.shape[-1], torch.zeros_like(x)
    theta = (base ** (-torch.arange(0, K, 2) / K)).to(x.dtype)
    for t in range(len(positions) - 1):
        a = positions[t] * theta
        out[:, :, t, 0::2] = x[:, :, t, 0::2] * a.cos() - x[:, :, t, 1::2] * a.sin()
        out[:, :, t, 1::2] = x[:, :, t, 0::2] * a.sin() + x[:, :, t, 1::2] * a.cos()
    return out


def loop_too(x, positions, base=10000.0):
    K, out = x.shape[-1], torch.zeros_like(x)
    theta = (base ** (-torch.arange(0, K, 2) / K)).to(x.dtype)
    for t in range(1, len(positions)):
        a = positions[t] * theta
        out[:, :, t, 0::2] = x[:, :, t, 0::2] * a.cos() - x[:, :, t, 1::2] * a.sin()
        out[:, :, t, 1::2] = x[:, :, t, 0::2] * a.sin() + x[:, :, t, 1::2] * a.cos()
    return out


exercise.mistake("loop-too-short", "rotary-pairs",
    "Some pairs or tokens stay 0: a loop ends too early or begins too late. Pairs run from 0 to K/2 − 1, "
    "tokens from 0 to T − 1.",
    full("K, out = x.shape[-1], torch.zeros_like(x)\n"
         "for i in range(0, K - 2, 2):\n"
         "    a = positions.to(x.dtype) * base ** (-i / K)\n"
         "    out[..., i] = x[..., i] * a.cos() - x[..., i + 1] * a.sin()\n"
         "    out[..., i + 1] = x[..., i] * a.sin() + x[..., i + 1] * a.cos()\n"
         "return out", "the last pair stays 0"),
    full("K, out = x.shape[-1], torch.zeros_like(x)\n"
         "for i in range(2, K, 2):\n"
         "    a = positions.to(x.dtype) * base ** (-i / K)\n"
         "    out[..., i] = x[..., i] * a.cos() - x[..., i + 1] * a.sin()\n"
         "    out[..., i + 1] = x[..., i] * a.sin() + x[..., i + 1] * a.cos()\n"
         "return out", "the first pair stays 0"),
    full(loop, "the last token stays 0"),
    full(loop_too, "the first token stays 0"))

exercise.mistake("positions-missing", "rotary",
    "Every token is turned by the same angles, the frequencies themselves. The angle of pair j is p·θ_j: "
    "multiply the frequencies by the given positions.",
    edit(plain_other, {every("angles"): "theta", " positions[:, None] *": ""}, "the frequencies as angles"),
    edit(plain_other, HALVES | {every("angles"): "theta", " positions[:, None] *": "", "stack": "cat",
                                ".flatten(-2)": ""}, "halves"))

exercise.mistake("exponent-brackets", "sinusoidal-formula",
    "A part of the exponent stands outside of it: a power is computed before a product or a quotient. Put "
    "brackets around the whole exponent, −2j/K.",
    edit(plain_other, {"base ** (": "(base **", "(0, K, 2)": "(0, K, 2).float()"}, "divided outside"))

exercise.mistake("logarithm-missing", "sinusoidal-formula",
    "exp(−2j/K) is a power of e, not of base. A power base^x is exp(x · ln base): the natural logarithm of "
    "base is a factor of the exponent.",
    edit(plain_other, {"base **": "torch.exp"}))

exercise.mistake("half-precision", "rotary",
    "The numbers are nearly right, but rounded too coarsely, as float16 does. Compute cosines and sines in "
    "float32 or float64.",
    edit(plain_other, {"cos": "cos().half", "sin().to": "sin().half().to"}, "cosines and sines"),
    edit(plain_other, {"K = x.shape[-1]": "K, dtype = x.shape[-1], x.dtype", every("to"): "half",
                       every("x.dtype"): "", "[..., 0::2], x": ".half()[..., 0::2], x.half()",
                       "flatten(-2)": "flatten(-2).to(dtype)"}, "throughout"))

exercise.mistake("positions-rounded", "rotary",
    "Positions are cast to half precision, which cannot count so far: bfloat16 is exact up to 256, float16 "
    "up to 2048. Compute the angles in float32 or float64.",
    edit(plain_other, {"positions[:, None]": "positions.bfloat16().float()[:, None]"}, "bfloat16"),
    edit(plain_other, {"positions[:, None]": "positions.half().float()[:, None]"}, "float16"),
    edit(plain, {"positions.float()": "positions.bfloat16().float()"}, "bfloat16, halves"),
    edit(plain, {"positions.float()": "positions.half().float()"}, "float16, halves"))

exercise.mistake("table-of-fixed-length", "rotary",
    "The angles come from a table of fixed length, and later positions are cut off, wrap round or stop the "
    "code. There is no largest position: compute the angles from the positions given.",
    edit(side, {"= positions": "= positions.clamp(max=2047)"}, "cut off"),
    edit(side, {"= positions": "= (positions % 2048)"}, "wraps round"),
    edit(side, {"= positions": "= torch.arange(2048)[positions]"}, "an index too large"),
    edit(halves, {"= positions": "= torch.arange(2048)[positions]"}, "an index too large, halves"))

exercise.built_in("changes-input",
    edit(side, {"a, b = x": "x = x.detach()\na, b = x", ", x[..., 1::2]": ".clone(), x[..., 1::2].clone()",
                "a, b = a": "x[..., 0::2] = a", ", a * s + b * c": "",
                "return torch.stack((a, b), dim=-1).flatten(-2)": "x[..., 1::2] = a * s + b * c\nreturn x"}),
    edit(halves, {", x[..., K // 2 :]": ".clone(), x[..., K // 2 :].clone()",
                  "a, b = a * c - b * s, a * s + b * c": "x[..., : K // 2] = a * c + b * s",
                  "return torch.cat((a, b), dim=-1)": "x[..., K // 2 :] = b * c - a * s\nreturn x"},
         "halves, clockwise"))

exercise.built_in("no-gradient",
    edit(side, {"a, b = x": "x = x.detach()\na, b = x"}, "detached"),
    edit(halves, {"a, b = x": "import numpy as np\n"
                              "x = torch.from_numpy(np.array(x.tolist())).to(x.dtype)\n"
                              "a, b = x"}, "numpy, halves"))

exercise.built_in("ready-made",
    full("from allyouneed.nn.positions import apply_rotary as turn_pairs\n"
         "return turn_pairs(x, positions, base)", "the library's"),
    full("from allyouneed.nn import positions as P\n"
         "return P.Rotary(x.shape[-1], base)(x, positions)", "the library's module"))

exercise.built_in("returns-nothing",
    edit(side, {"return": "x ="}))

exercise.built_in("timeout",
    full("k = 0\n"
         "while k < x.shape[-1]:\n"
         "    angle = positions * base ** (-k / x.shape[-1])\n"
         "return angle"))

exercise.equal("the cosine of an angle is that of its negative", {
    "angles.cos()": "-angles.cos()", "emb.cos()": "-emb.cos()", "cos(a)": "cos(-a)", "a.cos()": "-a.cos()"})
exercise.equal("all pairs may turn the one way or the other", {
    "angles.sin()": "-angles.sin()", "emb.sin()": "-emb.sin()", "+ rotated": "- rotated",
    "+ swapped": "- swapped", "+ torch.cat": "- torch.cat", "pairs * turns": "pairs / turns",
    "z * torch": "z / torch", "exp(-1j": ("exp(1j", "exp(--1j"), "-1)), -2)": "-1)), -1)"})
exercise.equal("float32 is exact enough for angles, and whole positions become floats where they meet it", {
    "positions.double()": "positions", "positions.float()": "positions", ".float()": "", ".double()": "",
    ", dtype=torch.float64": "", "float(base)": "base",
    "positions.to(x.dtype)": ("positions", "positions.to(positions.dtype)"),
    "positions.tolist()": "positions", "int(positions.max())": "positions.max()"})
exercise.equal("K is even, so the last pair begins at column K - 2 and half of the width is whole", {
    "K, 2": "K - 1, 2", "x.shape[-1], 2": "x.shape[-1] - 1, 2", "K // 2": "K / 2"})
exercise.equal("x and the positions lie on one device, and on the processor where exercises are graded", {
    ", device=x.device": ("", ", device=positions.device"), "device=x.device": "device=positions.device"})
exercise.equal("a slice begins at 0 by itself", {"0::2": "::2"})
exercise.equal("a table may hold more positions than are looked up", {
    "max()) + 1": ("max()) + 2", "max()) + 1 + 1")})
