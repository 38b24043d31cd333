"""shift_matrix: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "shift_matrix",
    points={"forward": 3, "backward": 1, "other bases and long shifts": 1},
    section="shift-is-rotation",
    any_float=True,
    properties=[{"rule": "finite"}, {"rule": "lengths", "what": "A row of the matrix"}],
)


@exercise.probes
def probes(make):
    yield make.probe("a shift by one", 1, 4, group="forward")
    yield make.probe("a shift by two", 2, make.pick(6, 8, 10), group="forward")
    yield make.probe("three pairs", make.pick(5, 4, 3), 6, group="forward")
    yield make.probe("a shift of some positions", make.pick(7, 8, 5), make.pick(8, 12, 10), group="forward")
    yield make.probe("one pair", make.pick(3, 2, 4), 2, group="forward", edge=True)
    yield make.probe("no shift", 0, make.pick(4, 6, 8), group="forward", edge=True)
    yield make.probe("one back", -1, make.pick(4, 8, 6), group="backward", edge=True)
    yield make.probe("some back", make.pick(-4, -5, -3), make.pick(4, 6, 10), group="backward", edge=True)
    yield make.probe("another base", make.pick(2, 3, 4), make.pick(6, 8, 10), make.pick(50.0, 70.0, 30.0),
                     group="other bases and long shifts")
    yield make.probe("a whole number as base, by name", make.pick(3, 4, 2), make.pick(4, 6, 8),
                     base=make.pick(200, 300, 64), group="other bases and long shifts", edge=True)
    yield make.probe("another base, backward", -2, make.pick(4, 6, 8), make.pick(500.0, 300.0, 700.0),
                     group="other bases and long shifts", edge=True)
    yield make.probe("a base below the width", 2, make.pick(8, 10, 12), make.pick(3.0, 5.0, 4.0),
                     group="other bases and long shifts", edge=True)
    yield make.probe("a long shift", make.pick(140, 150, 160), make.pick(12, 16, 14),
                     group="other bases and long shifts", long=True)
    yield make.probe("a very long shift of two pairs", make.pick(-3001, 4001, -2503), 4, 1_000_000.0,
                     group="other bases and long shifts", edge=True)


@exercise.right
def reference(offset, d_model, base=10000.0):
    angles = offset * base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    sine, cosine = angles.sin(), angles.cos()
    even = torch.arange(0, d_model, 2)
    matrix = torch.zeros(d_model, d_model, dtype=torch.float64)
    matrix[even, even], matrix[even + 1, even + 1] = cosine, cosine
    matrix[even, even + 1], matrix[even + 1, even] = sine, -sine
    return matrix.float()


@exercise.right("loop over pairs")
def loop(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.right("block_diag")
def by_block_diag(offset, d_model, base=10000.0):
    blocks = []
    for j in range(d_model // 2):
        a = torch.tensor(offset * base ** (-2 * j / d_model))
        blocks.append(torch.stack([torch.stack([a.cos(), a.sin()]), torch.stack([-a.sin(), a.cos()])]))
    return torch.block_diag(*blocks)


@exercise.right("power of the shift by one")
def power(offset, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    one = torch.block_diag(*[torch.tensor([[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]],
                                          dtype=torch.float64) for t in theta.tolist()])
    return torch.linalg.matrix_power(one if offset >= 0 else one.T, abs(offset))


@exercise.right("nested lists")
def nested(offset, d_model, base=10000.0):
    M = [[0.0] * d_model for _ in range(d_model)]
    for k in range(0, d_model, 2):
        a = offset / base ** (k / d_model)
        M[k][k] = M[k + 1][k + 1] = math.cos(a)
        M[k][k + 1] = math.sin(a)
        M[k + 1][k] = -math.sin(a)
    return M


@exercise.right("fitted to many positions")
def fitted(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)

    p = torch.arange(-4000, 4000, 3)
    return torch.linalg.lstsq(code(p), code(p + offset)).solution.T


@exercise.right("step by step")
def plain(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


P_RETURN = ("p = torch.arange(-4000, 4000, 3)\n"
            "return torch.linalg.lstsq(code(p), code(p + offset)).solution.T")
LSTSQ = "linalg.lstsq(code(p), code(p + offset)).solution.T"

exercise.also_right(
    full("theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)\n"
         "generator = torch.block_diag(*[t * torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)\n"
         "                               for t in theta])\n"
         "return torch.matrix_exp(offset * generator)", "matrix exponential"),
    full("a = (offset * torch.exp(-math.log(base) * torch.arange(0, d_model, 2) / "
         "d_model)).repeat_interleave(2)\n"
         "beside = a.sin()[:-1].clone()\n"
         "beside[1::2] = 0\n"
         "return torch.diag(a.cos()) + torch.diag(beside, 1) - torch.diag(beside, -1)", "diagonals"),
    full("theta = base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "J = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])\n"
         "return torch.kron(torch.diag(torch.cos(offset * theta)),\n"
         "                  torch.eye(2)) + torch.kron(torch.diag(torch.sin(offset * theta)), J)",
         "Kronecker products"),
    full("a = (offset * base ** (-torch.arange(0, d_model, 2) / d_model)).repeat_interleave(2)\n"
         "beside = a.sin() * (torch.arange(d_model) % 2 == 0)\n"
         "return torch.diag(a.cos()) + torch.diag(beside[:-1], 1) - torch.diag(beside[:-1], -1)",
         "diagonal and its two neighbours"))

exercise.mistake("wrong-sign", "shift-sign",
    "The matrix shifts the wrong way: it turns PE(p) into PE(p − offset). In M @ PE(p) the sine's row is "
    "cos a, +sin a. A minus there belongs to the opposite shift, or to PE(p) @ M.",
    edit(loop, {"return M": "return M.T"}, "transposed"),
    edit(loop, {"= base": "= 10000.0", "= offset": "=-offset"}, "and base ignored"))

exercise.mistake("negative-ignored", "shift-sign",
    "Negative offsets are not shifted backwards, or the sines have lost their sign. The formula needs no "
    "special case: keep the signs of the offset and of each sine.",
    edit(loop, {"a = offset": "a = abs(offset)"}, "absolute value"),
    edit(loop, {"a = offset": "a = max(offset, 0)"}, "identity"),
    edit(power, {"return torch.linalg.matrix_power(one if offset >= 0 else one.T, abs(offset))":
                 "M = torch.eye(d_model, dtype=torch.float64)\n"
                 "for _ in range(offset):\n"
                 "    M = one @ M\n"
                 "return M"}, "a loop that does not run"),
    edit(loop, {"sin(a[i])": "sin(a[i]).abs()"}, "absolute value of the sine"))

exercise.mistake("fits-one-position", "shift-is-rotation",
    "The matrix is right for one or a few positions only. It must be right for every p, so it cannot be "
    "built from the codes of some positions: use the angle offset·θ_j.",
    edit(fitted, {P_RETURN:
                  "here, there = code(0)[0], code(offset)[0]\n"
                  "return torch.outer(there, here) / (here @ here)"}, "outer product at 0"),
    edit(fitted, {P_RETURN:
                  "here, there = code(1)[0], code(1 + offset)[0]\n"
                  "return torch.outer(there, here) / here.dot(here)"}, "outer product at 1"),
    edit(fitted, {LSTSQ: "diag(code(1 + offset)[0] / code(1)[0])"}, "quotient on the diagonal, at 1"),
    edit(fitted, {LSTSQ: "outer(code(offset)[0], code(0)[0])"}, "outer product, not divided"),
    edit(fitted, {LSTSQ: "diag(torch.nan_to_num(code(offset)[0] / code(0)[0], posinf=0.0, neginf=0.0))"},
         "quotient on the diagonal, at 0"),
    edit(fitted, {"lstsq(code(p), code(p + offset)).solution":
                  "pinv(code([0, 1])).matmul(code([offset, 1 + offset]))"}, "two positions"),
    edit(fitted, {LSTSQ: "diag(code(offset)[0])"}, "code on the diagonal"),
    edit(fitted, {LSTSQ: "outer(code(1 + offset)[0], code(1)[0])"}, "outer product, not divided, at 1"))


def halves(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    h = d_model // 2
    M = torch.zeros(d_model, d_model)
    i = torch.arange(h)
    M[i, i] = M[i + h, i + h] = a.cos()
    M[i, i + h], M[i + h, i] = -a.sin(), a.sin()
    return M


exercise.mistake("halves-layout", "interleaved-columns",
    "The matrix is made for sines in the first half and cosines in the second. Here they alternate: "
    "columns 2j and 2j + 1 are a pair, so M has 2×2 blocks along its diagonal.",
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "C, S = torch.diag(a.cos()), torch.diag(a.sin())\n"
         "return torch.cat((torch.cat((C, S), dim=1), torch.cat((-S, C), dim=1)), dim=0)"),
    full(halves, "and the other sign"),
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "c, s = a.cos().repeat_interleave(2), a.sin().repeat_interleave(2)\n"
         "half = s[: d_model // 2]\n"
         "return torch.diag(c) + torch.diag(half, d_model // 2) - torch.diag(half, -(d_model // 2))",
         "diagonals beside"))

exercise.mistake("sine-and-cosine-swapped", "shift-is-rotation",
    "Sine and cosine of the shift have changed places. For offset 0 the matrix must be the identity: "
    "cosines belong on the diagonal.",
    edit(loop, {"= c, s": "= s, c", "s, c": "c, s"}),
    edit(loop, {"= c, s": "= s, -c", "-s, c": "c, s"}, "other sign"),
    edit(loop, {"= c, s": "= s, c", "-s, c": "c, s"}, "cosines plus"),
    edit(loop, {"= c, s": "= s, c", "-s, c": "c, -s"}, "sine, cosine, cosine, minus sine"))

exercise.mistake("signs-in-a-block", "shift-sign",
    "The signs in a block are wrong. Both cosines take a plus, and exactly one sine takes a minus.",
    edit(loop, {"-s, c": "s, c"}, "no minus"),
    edit(loop, {"= c, s": "= c, -s"}, "two minuses"),
    edit(loop, {"-s, c": "s, - c"}, "a mirror"),
    edit(loop, {"= c, s": "= c, -s", "s, c": "s, -c"}, "a mirror the other way"),
    edit(loop, {"s, c": "s, -c"}, "minus the cosine"),
    edit(loop, {"= c, s": "= -c, - s", "-s, c": "s, - c"}, "everything minus"),
    edit(loop, {"= c, s": "=-c, s", "-s, c": "s, c"}, "minus the upper cosine"))

exercise.mistake("only-cosines", "shift-is-rotation",
    "A sine beside the diagonal is missing, or both are. Each pair needs both: sin(a + b) mixes sin a and "
    "cos a.",
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "return torch.diag(a.cos().repeat_interleave(2))"),
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "return torch.diag(torch.stack((a.cos(), a.sin()), dim=1).flatten())",
         "cosine and sine on the diagonal"),
    edit(loop, {"= c, s": "= c, 0.0"}, "the upper sine missing"),
    edit(loop, {"-s, c": "0.0, c"}, "the lower sine missing"))

exercise.mistake("not-cosines", "shift-is-rotation",
    "The diagonal of the identity was kept, or the cosines are missing. Each block is cos and sin of the "
    "angle.",
    edit(loop, {"= c, s": "= 1.0, s", "s, c": "s, 1.0"}, "ones"),
    edit(loop, {"= c, s": "= 0.0, s", "s, c": "s, 0.0"}, "zeros"),
    edit(loop, {"= c, s": "= 1.0, a[i]", "s, c": "a[i], 1.0"}, "the angles themselves"),
    edit(loop, {"return M": "return M + torch.eye(d_model)"}, "identity added"),
    edit(loop, {"return M": "return M - torch.eye(d_model)"}, "identity taken away"))

exercise.mistake("offset-ignored", "shift-is-rotation",
    "The matrix does not depend on the offset as it should. The angle of pair j is offset·θ_j.",
    edit(loop, {" offset *": ""}),
    full("return torch.eye(d_model)", "identity"),
    edit(loop, {"* theta": "+ theta"}, "added"),
    edit(loop, {"a = offset": "a = d_model"}, "shift of the width"))

exercise.mistake("offset-in-exponent", "shift-is-rotation",
    "The offset changes the frequencies. It multiplies them: the angle of pair j is offset·θ_j, and θ_j "
    "does not depend on it.",
    edit(loop, {"a = offset * theta": "a = base ** (-2 * j * offset / d_model)"}),
    edit(loop, {"a = offset * theta": "a = base ** (-2 * (j + offset) / d_model)"}, "added to j"),
    edit(loop, {"offset * theta": "theta ** offset"}, "power"),
    edit(loop, {"a = offset * theta": "a = offset * base ** (-2 * (j + offset) / d_model)"},
         "multiplies and is added to j"),
    edit(loop, {"offset * theta": "theta / offset if offset else theta * 0"}, "divides the frequency"))

exercise.mistake("offset-off-by-one", "shift-is-rotation",
    "The matrix shifts by another number of positions than offset. The angle of pair j is offset·θ_j.",
    edit(loop, {"a = offset": "a = (offset + 1)"}, "one more"),
    edit(loop, {"a = offset": "a = (offset - 1)"}, "one less"),
    edit(loop, {"= offset": "=2 * offset"}, "twice"),
    edit(loop, {"* theta": "/ 2 * theta"}, "half"))

exercise.mistake("scaled", "shift-is-rotation",
    "The matrix is multiplied by the offset or another factor. A shift is a rotation: its rows have length "
    "1.",
    edit(loop, {"return": "return offset *"}, "by the offset"),
    edit(loop, {" offset *": "", "return": "return offset *"}, "offset times the shift by one"),
    edit(loop, {"return M": "return M / math.sqrt(d_model)"}, "by the root of the width"),
    edit(loop, {"return M": "return M * 2 / d_model"}, "by half the width"))

exercise.mistake("same-angle", "shift-is-rotation",
    "All pairs are turned by the same angle. Each pair has its own: offset·θ_j. (An exponent divided with "
    "// is 0 for all.)",
    edit(loop, {"* theta": "* torch.ones(d_model // 2)"}, "offset"),
    edit(loop, {"* theta": "/ base * torch.ones(d_model // 2)"}, "offset over the base"),
    edit(loop, {"* theta": "* theta[-1].expand(d_model // 2)"}, "last frequency"))


def two_frequencies(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = (offset * theta).repeat(2)
    M = torch.diag(a.cos())
    for k in range(0, d_model, 2):
        M[k, k + 1], M[k + 1, k] = a[k].sin(), -a[k + 1].sin()
    return M


exercise.mistake("two-frequencies-in-a-pair", "interleaved-columns",
    "The two rows of a block use different angles. A pair has one frequency θ_j, and so one angle.",
    full("a = offset * base ** (-torch.arange(d_model) / d_model)\n"
         "M = torch.diag(a.cos())\n"
         "for k in range(0, d_model, 2):\n"
         "    M[k, k + 1], M[k + 1, k] = a[k].sin(), -a[k + 1].sin()\n"
         "return M", "exponent i/d by row"),
    full("a = offset * base ** (-2 * torch.arange(d_model) / d_model)\n"
         "M = torch.diag(a.cos())\n"
         "for k in range(0, d_model, 2):\n"
         "    M[k, k + 1], M[k + 1, k] = a[k].sin(), -a[k + 1].sin()\n"
         "return M", "exponent 2i/d by row"),
    full(two_frequencies, "frequencies repeated in a block"))

exercise.mistake("permutation", "shift-is-rotation",
    "The matrix moves columns to other places. A shift by an offset turns each pair (sin, cos) by the "
    "angle offset·θ_j.",
    full("return torch.roll(torch.eye(d_model), offset, dims=0)", "rolled"),
    full("return torch.roll(torch.eye(d_model), offset, dims=1)", "rolled the other way"),
    full("return torch.diag(torch.ones(max(d_model - abs(offset), 0)), offset)[:d_model, :d_model]",
         "diagonal moved the other way"),
    full("return torch.ones(d_model, d_model).tril(-offset).triu(-offset)", "eye with a diagonal offset"))

exercise.mistake("blocks-not-placed", "shift-is-rotation",
    "The blocks are right, but the result is not one (d_model, d_model) matrix. Put the 2×2 blocks along "
    "the diagonal, zeros elsewhere.",
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "return torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), "
         "-2)"),
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "return torch.stack((torch.stack((a.cos(), a.sin())), torch.stack((-a.sin(), a.cos()))))",
         "axes in front"),
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "return [torch.stack((torch.stack((t.cos(), t.sin())), torch.stack((-t.sin(), t.cos())))) for t "
         "in a]", "a list of blocks"),
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "return torch.cat([torch.stack((torch.stack((t.cos(), t.sin())), torch.stack((-t.sin(), "
         "t.cos()))))\n"
         "                  for t in a])", "under each other"),
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "return torch.cat([torch.stack((torch.stack((t.cos(), t.sin())), torch.stack((-t.sin(), "
         "t.cos()))))\n"
         "                  for t in a], dim=1)", "beside each other"))

exercise.mistake("wrong-size", "shift-is-rotation",
    "The matrix does not have the shape (d_model, d_model). Put d_model/2 blocks of 2×2 along its "
    "diagonal, and add no other axis.",
    full("a = (offset * base ** (-2 * torch.arange(d_model) / d_model)).tolist()\n"
         "return torch.block_diag(*[torch.tensor([[math.cos(t), math.sin(t)], [-math.sin(t), "
         "math.cos(t)]])\n"
         "                          for t in a])", "a pair for each column"),
    full("a = (offset * base ** (-torch.arange(d_model) / d_model)).tolist()\n"
         "return torch.block_diag(*[torch.tensor([[math.cos(t), math.sin(t)], [-math.sin(t), "
         "math.cos(t)]])\n"
         "                          for t in a])", "a pair for each column, exponent i/d"),
    full("j = torch.arange(d_model // 2)\n"
         "theta = base ** (-2 * j / d_model)\n"
         "a = offset * theta\n"
         "return torch.diag(a.cos())", "half"),
    edit(loop, {"return M": "return M[None]"}, "a batch axis"))

exercise.mistake("shifted-code", "shift-is-rotation",
    "This is the code of one position. What is asked is the matrix that takes every code to the one that "
    "stands offset positions later.",
    edit(fitted, {P_RETURN: "return code(offset)[0]"}),
    edit(fitted, {"torch.linalg.lstsq(code(p), code(p + offset)).solution.T": "code(offset)"},
         "with an axis"),
    edit(fitted, {"torch.linalg.lstsq(code(p), code(p + offset)).solution.T":
                  "code(torch.arange(d_model) + offset)"}, "a table of codes"))

exercise.mistake("base-1000", "base-ten-thousand",
    "Where no base is given, your matrix is not that of base 10,000. Check the default of base, and the "
    "number in the frequencies.",
    edit(loop, {"10000.0": "1000.0"}),
    edit(loop, {"= base": "= 1000.0"}, "as a number"),
    edit(loop, {"10000.0": "100.0"}, "100"),
    edit(loop, {"10000.0": "100000.0"}, "one zero more"))

exercise.mistake("base-ignored", "base-ten-thousand",
    "With another base the matrix stays that of 10,000. Use the argument base in the frequencies.",
    edit(loop, {"= base": "= 10000.0"}))

exercise.mistake("exponent-doubled", "sinusoidal-formula",
    "The frequencies fall twice as fast as they should. In base^(−2j/d) the number j counts pairs, 0 to "
    "d/2 − 1; a column's number 2j is doubled already.",
    edit(loop, {"arange(d_model // 2)": "arange(0, d_model, 2)"}))

exercise.mistake("exponent-halved", "sinusoidal-formula",
    "The frequencies fall half as fast as they should. The exponent is −2j/d with j = 0 to d/2 − 1: check "
    "the 2.",
    edit(loop, {"-2 * j": "- j"}))

exercise.mistake("exponent-divisor", "sinusoidal-formula",
    "The exponent is divided by a number other than d_model. It is −2j/d_model.",
    edit(loop, {"(-2 * j / d_model)": "(-j / max(d_model // 2 - 1, 1))"}, "d/2 − 1"),
    edit(loop, {"j / d_model)": "j / (d_model - 1))"}, "d − 1"))

exercise.mistake("exponent-rounded", "sinusoidal-formula",
    "The exponent is rounded to a whole number. Divide with / instead of //.",
    edit(loop, {"= base": "= float(base)", "2 * j /": "2 * j //"}, "upwards"))

exercise.mistake("pair-from-one", "sinusoidal-formula",
    "The pairs are counted from j = 1. The first pair is j = 0, with frequency 1.",
    edit(loop, {"arange(d_model // 2)": "arange(1, d_model // 2 + 1)"}),
    edit(loop, {"-2 * j": "-(2 * j + 1)"}, "2j + 1"))

exercise.mistake("frequencies-grow", "wavelengths",
    "The pairs turn faster and faster. They must turn slower from pair to pair: θ_j = base^(−2j/d), with a "
    "minus.",
    edit(loop, {"-2 * j": "2 * j"}),
    edit(loop, {"* theta": "/ theta"}, "divided"),
    edit(plain, {"(-i / d_model)": "(i / d_model)"}, "in a loop over numbers"),
    full("a = offset * torch.exp(torch.arange(0, d_model, 2) * (math.log(base) / d_model))\n"
         "return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1),\n"
         "                                      torch.stack((-a.sin(), a.cos()), -1)), -2))", "exp, float32"))

exercise.mistake("frequencies-reversed", "wavelengths",
    "The slowest pair comes first. Pair 0 is the fastest.",
    edit(loop, {"base ** (-2 * j / d_model)": "(base ** (-2 * j / d_model)).flip(0)"}))

exercise.mistake("degrees", "wavelengths",
    "The angles are converted between degrees and radians. offset·θ_j is in radians already.",
    edit(loop, {"offset * theta": "torch.deg2rad(offset * theta)"}),
    edit(loop, {"offset * theta": "torch.rad2deg(offset * theta)"}, "radians turned into degrees"))

exercise.mistake("two-pi", "wavelengths",
    "The angles are multiplied or divided by 2π. θ_j is in radians per position: the angle is offset·θ_j.",
    edit(loop, {"= offset": "=2 * math.pi * offset"}),
    edit(loop, {"* theta": "* theta / (2 * math.pi)"}, "divided"))

exercise.mistake("loop-too-short", "shift-is-rotation",
    "Not every pair has its block: some stay 0 or the identity. There are d_model/2 blocks, so check where "
    "your loop begins and ends.",
    edit(plain, {"zeros(d_model, d_model)": "eye(d_model)",
                 "d_model, 2": "d_model - 2, 2"}, "the last block is the identity"),
    edit(plain, {"d_model, 2": "d_model - 2, 2"}, "the last block is 0"),
    edit(plain, {"0, d_model": "2, d_model"}, "the first block is 0"),
    edit(plain, {"d_model, 2": "d_model // 2, 2"}, "the first block alone"),
    edit(loop, {"in range(d_model // 2)": "in range(d_model // 3)"}, "a third of the columns"))

exercise.mistake("blocks-overlap", "shift-is-rotation",
    "The blocks overlap: each begins one column after the one before, and writes over it. Block j begins "
    "at row and column 2j.",
    edit(plain, {"i in": "j in", "0, d_model, 2": "d_model // 2", "i / d_model": "2 * j / d_model",
                 "[i, i]": "[j, j]", "i + 1, i + 1": "j + 1, j + 1",
                 "[i, i + 1], M[i + 1, i]": "[j, j + 1], M[j + 1, j]"}),
    edit(plain, {"0, d_model, 2": "d_model - 1",
                 "i / d_model": "2 * (i // 2) / d_model"}, "a block at every column"),
    edit(plain, {"0, d_model, 2": "d_model - 1",
                 "i / d_model": "2 * i / d_model"}, "a block at every column, frequencies counted on"))

exercise.mistake("not-zero-elsewhere", "shift-is-rotation",
    "There are numbers outside of the blocks. All of the matrix that is not in a 2×2 block on the diagonal "
    "is 0.",
    edit(plain, {"zeros": "ones"}, "ones"),
    full("a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "blocks = torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), "
         "-1)), -2)\n"
         "return torch.cat(list(blocks), dim=1).repeat(d_model // 2, 1)",
         "the blocks side by side in every row of blocks"),
    full("a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "blocks = torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), "
         "-1)), -2)\n"
         "return torch.cat(list(blocks), dim=0).repeat(1, d_model // 2)",
         "the blocks below each other in every column of blocks"))

exercise.mistake("offset-in-one-only", "shift-is-rotation",
    "The offset is in the angle of the sine or of the cosine only. Both have the same angle, offset·θ_j.",
    edit(plain, {"a = offset *": "theta =", "cos(a)": "cos(offset * theta)",
                 "(a), -math.sin(a)": "(theta), -math.sin(theta)"}, "in the cosine"),
    edit(plain, {"a = offset *": "theta =", "cos(a)": "cos(theta)",
                 every("sin(a"): "sin(offset * theta"}, "in the sine"))

exercise.mistake("half-precision", "shift-is-rotation",
    "The numbers are nearly right, but rounded too coarsely, as float16 and bfloat16 do. Compute and "
    "return float32 or float64.",
    edit(plain, {"d_model, d_model": "d_model, d_model, dtype=torch.float16"}),
    edit(plain, {"d_model, d_model": "d_model, d_model, dtype=torch.bfloat16"}, "bfloat16"))

exercise.mistake("whole-numbers", "shift-is-rotation",
    "The numbers are rounded to whole ones: the matrix they are written to holds integers. Make it a float "
    "matrix.",
    edit(plain, {"d_model, d_model": "d_model, d_model, dtype=torch.int64"}),
    edit(plain, {"d_model, d_model": "d_model, d_model, dtype=torch.int64", "return M": "return M.float()"},
         "cast at the end"))

exercise.mistake("block-row-order", "shift-is-rotation",
    "The order of sine and cosine inside a block is wrong. In the first row the cosine stands first, in "
    "the second row the sine does.",
    edit(plain, {"= M[i + 1": ", M[i", "cos(a)": "cos(a), math.sin(a)", "i, i + 1": "i+ 1, i",
                 "i] = math.sin": "i+ 1] = math.cos"}, "cosine first in both rows"),
    edit(plain, {"= M[i + 1, i + 1] =": ", M[i, i + 1] = -math.sin(a),", "i, i + 1": "i+ 1, i",
                 "i] = math": "i+ 1] = math.cos(a), math", ", -math.sin(a)": ""}, "rows exchanged"),
    edit(plain, {"= M[i + 1": ", M[i", "cos": "sin(a), math.cos", "i, i + 1": "i+ 1, i",
                 "i] = math": "i+ 1] = - math", "-math.sin": "math.cos"}, "sine first in both rows"))

exercise.mistake("two-answers", "shift-is-rotation",
    "More than one thing is returned. Return the matrix alone.",
    full("a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1),\n"
         "                                      torch.stack((-a.sin(), a.cos()), -1)), -2)), a"),
    full("a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "M = torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1),\n"
         "                                   torch.stack((-a.sin(), a.cos()), -1)), -2))\n"
         "return M, M.T", "the transposed one as well"),
    full("a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "return (a,\n"
         "        torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1),\n"
         "                                       torch.stack((-a.sin(), a.cos()), -1)), -2)))",
         "the angles first"))

exercise.mistake("exponent-brackets", "sinusoidal-formula",
    "A part of the exponent stands outside of it: a power is computed before a product or a quotient. Put "
    "brackets around the whole exponent, −2j/d.",
    full("a = offset * (base ** -torch.arange(0, d_model, 2).float() / d_model)\n"
         "return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1),\n"
         "                                      torch.stack((-a.sin(), a.cos()), -1)), -2))",
         "divided outside"),
    full("a = offset * (base ** -2 * torch.arange(d_model // 2) / d_model)\n"
         "return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1),\n"
         "                                      torch.stack((-a.sin(), a.cos()), -1)), -2))", "−2 alone"))

exercise.mistake("logarithm-missing", "sinusoidal-formula",
    "exp(−2j/d) is a power of e, not of base. A power base^x is exp(x · ln base): the natural logarithm of "
    "base is a factor of the exponent.",
    full("a = offset * torch.exp(-torch.arange(0, d_model, 2) / d_model)\n"
         "return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1),\n"
         "                                      torch.stack((-a.sin(), a.cos()), -1)), -2))"))

exercise.mistake("offset-rounded", "shift-is-rotation",
    "The offset is cast to half precision, which cannot count so far: bfloat16 is exact up to 256, float16 "
    "up to 2048. Compute the angles in float32 or float64.",
    edit(plain, {"a = offset": "a = torch.tensor(float(offset)).bfloat16().item()"}, "bfloat16"),
    edit(plain, {"a = offset": "a = torch.tensor(float(offset)).half().item()"}, "float16"))

exercise.built_in("ready-made",
    full("import allyouneed.nn.positions as P\nreturn P.shift_matrix(offset, d_model, base)", "the library's"))

exercise.built_in("returns-nothing",
    edit(loop, {"return M": "M = M.float()"}))

exercise.built_in("timeout",
    full("k = 0\n"
         "while k < d_model:\n"
         "    a = offset * base ** (-k / d_model)\n"
         "return a"))

exercise.equal("float32 is exact enough, and whole numbers become floats where they meet frequencies", {
    ".float()": "", ", dtype=torch.float64": "", "torch.as_tensor(p, dtype=torch.float64)": "p",
    "theta.tolist()": "theta"})
exercise.equal("d_model is even, so the last pair begins at d_model - 2, and half of it is whole", {
    "d_model, 2": "d_model - 1, 2", "d_model // 2": "d_model / 2"})
exercise.equal("the cosine of an angle is that of its negative", {
    "angles.cos()": "-angles.cos()", "cos(a": "cos(-a", "a.cos()": "-a.cos()", "cos(t)": "cos(-t)",
    "cos(offset": "cos(-offset"})
exercise.equal("the loop reads the angles of the first d_model/2 pairs and no others", {
    "arange(d_model // 2)": ("arange(d_model // 2 + 1)", "arange(d_model)", "arange(d_model // 1)")})
exercise.equal("a shift by nothing is the identity, its own transpose, and offsets are whole numbers", {
    "offset >= 0": ("offset > 0", "offset >= 1")})
exercise.equal("one matrix is right for every position, so it does not matter which ones it is fitted to", {
    "4000, 3)": ("4000, 4)", "4000, 2)")})
exercise.equal("the slice belongs to a new tensor that nothing else reads", {".clone()": ""})
