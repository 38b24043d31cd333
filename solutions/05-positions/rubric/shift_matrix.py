"""The rubric of shift_matrix: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "shift_matrix",
    points={"forward": 3, "backward": 1, "other bases and long shifts": 1},
    section="shift-is-rotation",
    any_float=True,
    compact=True,
    properties=[{"rule": "finite"}, {"rule": "lengths", "what": "A row of the matrix"}],
    mistakes={
        "wrong-sign": ("The matrix shifts the wrong way: it turns PE(p) into PE(p − offset). In M @ PE(p) the sine's row is cos a, +sin a. A minus there "
                       "belongs to the opposite shift, or to PE(p) @ M.", "shift-sign"),
        "negative-ignored": ("Negative offsets are not shifted backwards, or the sines have lost their sign. The formula needs no special case: keep the "
                             "signs of the offset and of each sine.", "shift-sign"),
        "fits-one-position": ("The matrix is right for one or a few positions only. It must be right for every p, so it cannot be built from the codes of "
                              "some positions: use the angle offset·θ_j.", "shift-is-rotation"),
        "halves-layout": ("The matrix is made for sines in the first half and cosines in the second. Here they alternate: columns 2j and 2j + 1 are a "
                          "pair, so M has 2×2 blocks along its diagonal.", "interleaved-columns"),
        "sine-and-cosine-swapped": ("Sine and cosine of the shift have changed places. For offset 0 the matrix must be the identity: cosines belong on the "
                                    "diagonal.", "shift-is-rotation"),
        "signs-in-a-block": ("The signs in a block are wrong. Both cosines take a plus, and exactly one sine takes a minus.", "shift-sign"),
        "only-cosines": ("A sine beside the diagonal is missing, or both are. Each pair needs both: sin(a + b) mixes sin a and cos a.", "shift-is-rotation"),
        "not-cosines": ("The diagonal of the identity was kept, or the cosines are missing. Each block is cos and sin of the angle.", "shift-is-rotation"),
        "offset-ignored": ("The matrix does not depend on the offset as it should. The angle of pair j is offset·θ_j.", "shift-is-rotation"),
        "offset-in-exponent": ("The offset changes the frequencies. It multiplies them: the angle of pair j is offset·θ_j, and θ_j does not depend on it.",
                               "shift-is-rotation"),
        "offset-off-by-one": ("The matrix shifts by another number of positions than offset. The angle of pair j is offset·θ_j.", "shift-is-rotation"),
        "scaled": ("The matrix is multiplied by the offset or another factor. A shift is a rotation: its rows have length 1.", "shift-is-rotation"),
        "same-angle": ("All pairs are turned by the same angle. Each pair has its own: offset·θ_j. (An exponent divided with // is 0 for all.)", "shift-is-rotation"),
        "two-frequencies-in-a-pair": ("The two rows of a block use different angles. A pair has one frequency θ_j, and so one angle.", "interleaved-columns"),
        "permutation": ("The matrix moves columns to other places. A shift by an offset turns each pair (sin, cos) by the angle offset·θ_j.",
                        "shift-is-rotation"),
        "blocks-not-placed": ("The blocks are right, but the result is not one (d_model, d_model) matrix. Put the 2×2 blocks along the diagonal, zeros elsewhere.",
                              "shift-is-rotation"),
        "wrong-size": ("The matrix does not have the shape (d_model, d_model). Put d_model/2 blocks of 2×2 along its diagonal, and add no other axis.", "shift-is-rotation"),
        "shifted-code": ("This is the code of one position. What is asked is the matrix that takes every code to the one that stands offset positions later.",
                         "shift-is-rotation"),
        "base-1000": ("Where no base is given, your matrix is not that of base 10,000. Check the default of base, and the number in the frequencies.", "base-ten-thousand"),
        "base-ignored": ("With another base the matrix stays that of 10,000. Use the argument base in the frequencies.", "base-ten-thousand"),
        "exponent-doubled": ("The frequencies fall twice as fast as they should. In base^(−2j/d) the number j counts pairs, 0 to d/2 − 1; a column's "
                             "number 2j is doubled already.", "sinusoidal-formula"),
        "exponent-halved": ("The frequencies fall half as fast as they should. The exponent is −2j/d with j = 0 to d/2 − 1: check the 2.", "sinusoidal-formula"),
        "exponent-divisor": ("The exponent is divided by a number other than d_model. It is −2j/d_model.", "sinusoidal-formula"),
        "exponent-rounded": ("The exponent is rounded to a whole number. Divide with / instead of //.", "sinusoidal-formula"),
        "pair-from-one": ("The pairs are counted from j = 1. The first pair is j = 0, with frequency 1.", "sinusoidal-formula"),
        "frequencies-grow": ("The pairs turn faster and faster. They must turn slower from pair to pair: θ_j = base^(−2j/d), with a minus.", "wavelengths"),
        "frequencies-reversed": ("The slowest pair comes first. Pair 0 is the fastest.", "wavelengths"),
        "degrees": ("The angles are converted between degrees and radians. offset·θ_j is in radians already.", "wavelengths"),
        "two-pi": ("The angles are multiplied or divided by 2π. θ_j is in radians per position: the angle is offset·θ_j.", "wavelengths"),
        "loop-too-short": ("Not every pair has its block: some stay 0 or the identity. There are d_model/2 blocks, so check where your loop begins and ends.", "shift-is-rotation"),
        "blocks-overlap": ("The blocks overlap: each begins one column after the one before, and writes over it. Block j begins at row and column 2j.", "shift-is-rotation"),
        "not-zero-elsewhere": ("There are numbers outside of the blocks. All of the matrix that is not in a 2×2 block on the diagonal is 0.", "shift-is-rotation"),
        "offset-in-one-only": ("The offset is in the angle of the sine or of the cosine only. Both have the same angle, offset·θ_j.", "shift-is-rotation"),
        "half-precision": ("The numbers are nearly right, but rounded too coarsely, as float16 and bfloat16 do. Compute and return float32 or float64.", "shift-is-rotation"),
        "whole-numbers": ("The numbers are rounded to whole ones: the matrix they are written to holds integers. Make it a float matrix.", "shift-is-rotation"),
        "block-row-order": ("The order of sine and cosine inside a block is wrong. In the first row the cosine stands first, in the second row the sine does.", "shift-is-rotation"),
        "two-answers": ("More than one thing is returned. Return the matrix alone.", "shift-is-rotation"),
        "exponent-brackets": ("A part of the exponent stands outside of it: a power is computed before a product or a quotient. Put brackets around the whole exponent, −2j/d.",
                              "sinusoidal-formula"),
        "logarithm-missing": ("exp(−2j/d) is a power of e, not of base. A power base^x is exp(x · ln base): the natural logarithm of base is a factor of the exponent.",
                              "sinusoidal-formula"),
    },
)


@exercise.probes
def _(make):
    yield make.probe("a shift by one", 1, 4, group="forward")
    yield make.probe("a shift by two", 2, make.pick(6, 8, 10), group="forward")
    yield make.probe("three pairs", make.pick(5, 4, 3), 6, group="forward")
    yield make.probe("a shift of some positions", make.pick(7, 8, 5), make.pick(8, 12, 10), group="forward")
    yield make.probe("one pair", make.pick(3, 2, 4), 2, group="forward", edge=True)
    yield make.probe("no shift", 0, make.pick(4, 6, 8), group="forward", edge=True)
    yield make.probe("one back", -1, make.pick(4, 8, 6), group="backward", edge=True)
    yield make.probe("some back", make.pick(-4, -5, -3), make.pick(4, 6, 10), group="backward", edge=True)
    yield make.probe("base 50", make.pick(2, 3, 4), make.pick(6, 8, 10), make.pick(50.0, 70.0, 30.0), group="other bases and long shifts")
    yield make.probe("a whole number as base, by name", make.pick(3, 4, 2), make.pick(4, 6, 8), base=make.pick(200, 300, 64), group="other bases and long shifts", edge=True)
    yield make.probe("another base, backward", -2, make.pick(4, 6, 8), make.pick(500.0, 300.0, 700.0), group="other bases and long shifts", edge=True)
    yield make.probe("a long shift", make.pick(140, 150, 160), make.pick(12, 16, 14), group="other bases and long shifts", long=True)
    yield make.probe("a very long shift of two pairs", make.pick(-3000, 4000, -2500), 4, 1_000_000.0, group="other bases and long shifts", long=True)


@exercise.right
def reference(offset, d_model, base=10000.0):
    angles = offset * base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    sine, cosine = angles.sin(), angles.cos()
    even = torch.arange(0, d_model, 2)
    matrix = torch.zeros(d_model, d_model, dtype=torch.float64)
    matrix[even, even], matrix[even + 1, even + 1] = cosine, cosine
    matrix[even, even + 1], matrix[even + 1, even] = sine, -sine
    return matrix.float()


@exercise.alternative("loop over pairs")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.alternative("block_diag")
def _(offset, d_model, base=10000.0):
    blocks = []
    for j in range(d_model // 2):
        a = torch.tensor(offset * base ** (-2 * j / d_model))
        blocks.append(torch.stack([torch.stack([a.cos(), a.sin()]), torch.stack([-a.sin(), a.cos()])]))
    return torch.block_diag(*blocks)


@exercise.alternative("matrix exponential")
def _(offset, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    generator = torch.block_diag(*[t * torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64) for t in theta])
    return torch.matrix_exp(offset * generator)


@exercise.alternative("power of the shift by one")
def _(offset, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    one = torch.block_diag(*[torch.tensor([[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]], dtype=torch.float64) for t in theta.tolist()])
    return torch.linalg.matrix_power(one if offset >= 0 else one.T, abs(offset))


@exercise.alternative("nested lists")
def _(offset, d_model, base=10000.0):
    M = [[0.0] * d_model for _ in range(d_model)]
    for k in range(0, d_model, 2):
        a = offset / base ** (k / d_model)
        M[k][k] = M[k + 1][k + 1] = math.cos(a)
        M[k][k + 1] = math.sin(a)
        M[k + 1][k] = -math.sin(a)
    return M


@exercise.alternative("fitted to many positions")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)

    p = torch.arange(-4000, 4000, 3)
    return torch.linalg.lstsq(code(p), code(p + offset)).solution.T


@exercise.alternative("diagonals")
def _(offset, d_model, base=10000.0):
    a = (offset * torch.exp(-math.log(base) * torch.arange(0, d_model, 2) / d_model)).repeat_interleave(2)
    beside = a.sin()[:-1].clone()
    beside[1::2] = 0
    return torch.diag(a.cos()) + torch.diag(beside, 1) - torch.diag(beside, -1)


@exercise.alternative("Kronecker products")
def _(offset, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model, 2) / d_model)
    J = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])
    return torch.kron(torch.diag(torch.cos(offset * theta)), torch.eye(2)) + torch.kron(torch.diag(torch.sin(offset * theta)), J)


@exercise.alternative("diagonal and its two neighbours")
def _(offset, d_model, base=10000.0):
    a = (offset * base ** (-torch.arange(0, d_model, 2) / d_model)).repeat_interleave(2)
    beside = a.sin() * (torch.arange(d_model) % 2 == 0)
    return torch.diag(a.cos()) + torch.diag(beside[:-1], 1) - torch.diag(beside[:-1], -1)


@exercise.wrong("wrong-sign", "minus above")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, -s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = s, c
    return M


@exercise.wrong("wrong-sign", "transposed")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M.T


@exercise.wrong("wrong-sign", "offset negated")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = -offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("negative-ignored", "absolute value")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = abs(offset) * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("negative-ignored", "identity")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = max(offset, 0) * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("negative-ignored", "a loop that does not run")
def _(offset, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    one = torch.block_diag(*[torch.tensor([[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]], dtype=torch.float64) for t in theta.tolist()])
    M = torch.eye(d_model, dtype=torch.float64)
    for _ in range(offset):
        M = one @ M
    return M


@exercise.wrong("negative-ignored", "absolute value of the sine")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i]).abs()
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("fits-one-position", "outer product at 0")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)

    here, there = code(0)[0], code(offset)[0]
    return torch.outer(there, here) / (here @ here)


@exercise.wrong("fits-one-position", "outer product at 1")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)

    here, there = code(1)[0], code(1 + offset)[0]
    return torch.outer(there, here) / here.dot(here)


@exercise.wrong("fits-one-position", "quotient on the diagonal, at 1")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return torch.diag(code(1 + offset)[0] / code(1)[0])


@exercise.wrong("fits-one-position", "outer product, not divided")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return torch.outer(code(offset)[0], code(0)[0])


@exercise.wrong("fits-one-position", "quotient on the diagonal, at 0")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return torch.diag(torch.nan_to_num(code(offset)[0] / code(0)[0], posinf=0.0, neginf=0.0))


@exercise.wrong("fits-one-position", "two positions")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return torch.linalg.pinv(code([0, 1])).matmul(code([offset, 1 + offset])).T


@exercise.wrong("fits-one-position", "code on the diagonal")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return torch.diag(code(offset)[0])


@exercise.wrong("fits-one-position", "outer product, not divided, at 1")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return torch.outer(code(1 + offset)[0], code(1)[0])


@exercise.wrong("halves-layout")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    h = d_model // 2
    M = torch.zeros(d_model, d_model)
    i = torch.arange(h)
    M[i, i] = M[i + h, i + h] = a.cos()
    M[i, i + h], M[i + h, i] = a.sin(), -a.sin()
    return M


@exercise.wrong("halves-layout", "and the other sign")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    h = d_model // 2
    M = torch.zeros(d_model, d_model)
    i = torch.arange(h)
    M[i, i] = M[i + h, i + h] = a.cos()
    M[i, i + h], M[i + h, i] = -a.sin(), a.sin()
    return M


@exercise.wrong("halves-layout", "concatenated diagonals")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    C, S = torch.diag(a.cos()), torch.diag(a.sin())
    return torch.cat((torch.cat((C, S), dim=1), torch.cat((-S, C), dim=1)), dim=0)


@exercise.wrong("halves-layout", "diagonals beside")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    c, s = a.cos().repeat_interleave(2), a.sin().repeat_interleave(2)
    half = s[: d_model // 2]
    return torch.diag(c) + torch.diag(half, d_model // 2) - torch.diag(half, -(d_model // 2))


@exercise.wrong("sine-and-cosine-swapped")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = s, c
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -c, s
    return M


@exercise.wrong("sine-and-cosine-swapped", "other sign")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = s, -c
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = c, s
    return M


@exercise.wrong("sine-and-cosine-swapped", "cosines plus")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = s, c
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = c, s
    return M


@exercise.wrong("sine-and-cosine-swapped", "sine, cosine, cosine, minus sine")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = s, c
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = c, -s
    return M


@exercise.wrong("signs-in-a-block", "no minus")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = s, c
    return M


@exercise.wrong("signs-in-a-block", "two minuses")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, -s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("signs-in-a-block", "a mirror")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = s, -c
    return M


@exercise.wrong("signs-in-a-block", "a mirror the other way")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, -s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, -c
    return M


@exercise.wrong("signs-in-a-block", "minus the cosine")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, -c
    return M


@exercise.wrong("signs-in-a-block", "everything minus")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = -c, -s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = s, -c
    return M


@exercise.wrong("signs-in-a-block", "minus the upper cosine")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = -c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = s, c
    return M


@exercise.wrong("only-cosines")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    return torch.diag(a.cos().repeat_interleave(2))


@exercise.wrong("only-cosines", "cosine and sine on the diagonal")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    return torch.diag(torch.stack((a.cos(), a.sin()), dim=1).flatten())


@exercise.wrong("only-cosines", "the upper sine missing")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, 0.0
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("only-cosines", "the lower sine missing")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = 0.0, c
    return M


@exercise.wrong("not-cosines", "ones")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = 1.0, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, 1.0
    return M


@exercise.wrong("not-cosines", "zeros")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = 0.0, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, 0.0
    return M


@exercise.wrong("not-cosines", "the angles themselves")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = 1.0, a[i]
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -a[i], 1.0
    return M


@exercise.wrong("not-cosines", "identity added")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M + torch.eye(d_model)


@exercise.wrong("not-cosines", "identity taken away")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M - torch.eye(d_model)


@exercise.wrong("offset-ignored")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-ignored", "identity")
def _(offset, d_model, base=10000.0):
    return torch.eye(d_model)


@exercise.wrong("offset-ignored", "added")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset + theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-ignored", "shift of the width")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = d_model * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-in-exponent")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = base ** (-2 * j * offset / d_model)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-in-exponent", "added to j")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = base ** (-2 * (j + offset) / d_model)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-in-exponent", "power")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = theta ** offset
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-in-exponent", "multiplies and is added to j")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * base ** (-2 * (j + offset) / d_model)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-in-exponent", "divides the frequency")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = theta / offset if offset else theta * 0
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-off-by-one", "one more")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = (offset + 1) * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-off-by-one", "one less")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = (offset - 1) * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-off-by-one", "twice")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = 2 * offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("offset-off-by-one", "half")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset / 2 * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("scaled", "by the offset")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return offset * M


@exercise.wrong("scaled", "offset times the shift by one")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return offset * M


@exercise.wrong("scaled", "by the root of the width")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M / math.sqrt(d_model)


@exercise.wrong("scaled", "by half the width")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M * 2 / d_model


@exercise.wrong("same-angle", "offset")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * torch.ones(d_model // 2)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("same-angle", "offset over the base")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset / base * torch.ones(d_model // 2)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("same-angle", "last frequency")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta[-1].expand(d_model // 2)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("two-frequencies-in-a-pair", "exponent i/d by row")
def _(offset, d_model, base=10000.0):
    a = offset * base ** (-torch.arange(d_model) / d_model)
    M = torch.diag(a.cos())
    for k in range(0, d_model, 2):
        M[k, k + 1], M[k + 1, k] = a[k].sin(), -a[k + 1].sin()
    return M


@exercise.wrong("two-frequencies-in-a-pair", "exponent 2i/d by row")
def _(offset, d_model, base=10000.0):
    a = offset * base ** (-2 * torch.arange(d_model) / d_model)
    M = torch.diag(a.cos())
    for k in range(0, d_model, 2):
        M[k, k + 1], M[k + 1, k] = a[k].sin(), -a[k + 1].sin()
    return M


@exercise.wrong("two-frequencies-in-a-pair", "frequencies repeated in a block")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = (offset * theta).repeat(2)
    M = torch.diag(a.cos())
    for k in range(0, d_model, 2):
        M[k, k + 1], M[k + 1, k] = a[k].sin(), -a[k + 1].sin()
    return M


@exercise.wrong("permutation", "rolled")
def _(offset, d_model, base=10000.0):
    return torch.roll(torch.eye(d_model), offset, dims=0)


@exercise.wrong("permutation", "rolled the other way")
def _(offset, d_model, base=10000.0):
    return torch.roll(torch.eye(d_model), offset, dims=1)


@exercise.wrong("permutation", "diagonal moved")
def _(offset, d_model, base=10000.0):
    return torch.diag(torch.ones(max(d_model - abs(offset), 0)), -offset)[:d_model, :d_model]


@exercise.wrong("permutation", "diagonal moved the other way")
def _(offset, d_model, base=10000.0):
    return torch.diag(torch.ones(max(d_model - abs(offset), 0)), offset)[:d_model, :d_model]


@exercise.wrong("permutation", "eye with a diagonal offset")
def _(offset, d_model, base=10000.0):
    return torch.ones(d_model, d_model).tril(-offset).triu(-offset)


@exercise.wrong("blocks-not-placed")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    return torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2)


@exercise.wrong("blocks-not-placed", "axes in front")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    return torch.stack((torch.stack((a.cos(), a.sin())), torch.stack((-a.sin(), a.cos()))))


@exercise.wrong("blocks-not-placed", "a list of blocks")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    return [torch.stack((torch.stack((t.cos(), t.sin())), torch.stack((-t.sin(), t.cos())))) for t in a]


@exercise.wrong("blocks-not-placed", "under each other")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    return torch.cat([torch.stack((torch.stack((t.cos(), t.sin())), torch.stack((-t.sin(), t.cos())))) for t in a])


@exercise.wrong("blocks-not-placed", "beside each other")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    return torch.cat([torch.stack((torch.stack((t.cos(), t.sin())), torch.stack((-t.sin(), t.cos())))) for t in a], dim=1)


@exercise.wrong("wrong-size", "a pair for each column")
def _(offset, d_model, base=10000.0):
    a = (offset * base ** (-2 * torch.arange(d_model) / d_model)).tolist()
    return torch.block_diag(*[torch.tensor([[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]]) for t in a])


@exercise.wrong("wrong-size", "a pair for each column, exponent i/d")
def _(offset, d_model, base=10000.0):
    a = (offset * base ** (-torch.arange(d_model) / d_model)).tolist()
    return torch.block_diag(*[torch.tensor([[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]]) for t in a])


@exercise.wrong("wrong-size", "half")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    return torch.diag(a.cos())


@exercise.wrong("wrong-size", "a batch axis")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M[None]


@exercise.wrong("shifted-code")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return code(offset)[0]


@exercise.wrong("shifted-code", "with an axis")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return code(offset)


@exercise.wrong("shifted-code", "a table of codes")
def _(offset, d_model, base=10000.0):
    def code(p):
        j = torch.arange(0, d_model, 2, dtype=torch.float64)
        angles = torch.as_tensor(p, dtype=torch.float64).reshape(-1, 1) * base ** (-j / d_model)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return code(torch.arange(d_model) + offset)


@exercise.wrong("base-1000")
def _(offset, d_model, base=1000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("base-1000", "as a number")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = 1000.0 ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("wrong-sign", "and base ignored")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = 10000.0 ** (-2 * j / d_model)
    a = -offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("base-1000", "100")
def _(offset, d_model, base=100.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("base-1000", "one zero more")
def _(offset, d_model, base=100000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("base-ignored")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = 10000.0 ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("exponent-doubled")
def _(offset, d_model, base=10000.0):
    j = torch.arange(0, d_model, 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("exponent-halved")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("exponent-divisor", "d/2 − 1")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-j / max(d_model // 2 - 1, 1))
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("exponent-divisor", "d − 1")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / (d_model - 1))
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("same-angle", "exponent rounded to 0")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = float(base) ** -(2 * j // d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("exponent-rounded", "upwards")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = float(base) ** (-2 * j // d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("pair-from-one")
def _(offset, d_model, base=10000.0):
    j = torch.arange(1, d_model // 2 + 1)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("pair-from-one", "2j + 1")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-(2 * j + 1) / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("frequencies-grow")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("frequencies-grow", "divided")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset / theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("frequencies-reversed")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = (base ** (-2 * j / d_model)).flip(0)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("degrees")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = torch.deg2rad(offset * theta)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("degrees", "radians turned into degrees")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = torch.rad2deg(offset * theta)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("two-pi")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = 2 * math.pi * offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("two-pi", "divided")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta / (2 * math.pi)
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    return M


@exercise.wrong("frequencies-grow", "in a loop over numbers")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset * base ** (i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("frequencies-grow", "exp, float32")
def _(offset, d_model, base=10000.0):
    a = offset * torch.exp(torch.arange(0, d_model, 2) * (math.log(base) / d_model))
    return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2))


@exercise.wrong("loop-too-short", "the last block is the identity")
def _(offset, d_model, base=10000.0):
    M = torch.eye(d_model)
    for i in range(0, d_model - 2, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("loop-too-short", "the last block is 0")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model - 2, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("loop-too-short", "the first block is 0")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(2, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("loop-too-short", "the first block alone")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model // 2, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("blocks-overlap")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for j in range(d_model // 2):
        a = offset * base ** (-2 * j / d_model)
        M[j, j] = M[j + 1, j + 1] = math.cos(a)
        M[j, j + 1], M[j + 1, j] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("blocks-overlap", "a block at every column")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(d_model - 1):
        a = offset * base ** (-2 * (i // 2) / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("blocks-overlap", "a block at every column, frequencies counted on")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(d_model - 1):
        a = offset * base ** (-2 * i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("not-zero-elsewhere", "ones")
def _(offset, d_model, base=10000.0):
    M = torch.ones(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("not-zero-elsewhere", "the blocks side by side in every row of blocks")
def _(offset, d_model, base=10000.0):
    a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)
    blocks = torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2)
    return torch.cat(list(blocks), dim=1).repeat(d_model // 2, 1)


@exercise.wrong("not-zero-elsewhere", "the blocks below each other in every column of blocks")
def _(offset, d_model, base=10000.0):
    a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)
    blocks = torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2)
    return torch.cat(list(blocks), dim=0).repeat(1, d_model // 2)


@exercise.wrong("offset-in-one-only", "in the cosine")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        theta = base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(offset * theta)
        M[i, i + 1], M[i + 1, i] = math.sin(theta), -math.sin(theta)
    return M


@exercise.wrong("offset-in-one-only", "in the sine")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        theta = base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(theta)
        M[i, i + 1], M[i + 1, i] = math.sin(offset * theta), -math.sin(offset * theta)
    return M


@exercise.wrong("half-precision")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model, dtype=torch.float16)
    for i in range(0, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("half-precision", "bfloat16")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model, dtype=torch.bfloat16)
    for i in range(0, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("whole-numbers")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model, dtype=torch.int64)
    for i in range(0, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i] = M[i + 1, i + 1] = math.cos(a)
        M[i, i + 1], M[i + 1, i] = math.sin(a), -math.sin(a)
    return M


@exercise.wrong("block-row-order", "cosine first in both rows")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i], M[i, i + 1] = math.cos(a), math.sin(a)
        M[i + 1, i], M[i + 1, i + 1] = math.cos(a), -math.sin(a)
    return M


@exercise.wrong("block-row-order", "rows exchanged")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i], M[i, i + 1] = -math.sin(a), math.cos(a)
        M[i + 1, i], M[i + 1, i + 1] = math.cos(a), math.sin(a)
    return M


@exercise.wrong("block-row-order", "sine first in both rows")
def _(offset, d_model, base=10000.0):
    M = torch.zeros(d_model, d_model)
    for i in range(0, d_model, 2):
        a = offset * base ** (-i / d_model)
        M[i, i], M[i, i + 1] = math.sin(a), math.cos(a)
        M[i + 1, i], M[i + 1, i + 1] = -math.sin(a), math.cos(a)
    return M


@exercise.wrong("two-answers")
def _(offset, d_model, base=10000.0):
    a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2)), a


@exercise.wrong("two-answers", "the transposed one as well")
def _(offset, d_model, base=10000.0):
    a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)
    M = torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2))
    return M, M.T


@exercise.wrong("exponent-brackets", "divided outside")
def _(offset, d_model, base=10000.0):
    a = offset * (base ** -torch.arange(0, d_model, 2).float() / d_model)
    return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2))


@exercise.wrong("exponent-brackets", "−2 alone")
def _(offset, d_model, base=10000.0):
    a = offset * (base ** -2 * torch.arange(d_model // 2) / d_model)
    return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2))


@exercise.wrong("logarithm-missing")
def _(offset, d_model, base=10000.0):
    a = offset * torch.exp(-torch.arange(0, d_model, 2) / d_model)
    return torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2))


@exercise.wrong("two-answers", "the angles first")
def _(offset, d_model, base=10000.0):
    a = offset * base ** (-torch.arange(0, d_model, 2) / d_model)
    return a, torch.block_diag(*torch.stack((torch.stack((a.cos(), a.sin()), -1), torch.stack((-a.sin(), a.cos()), -1)), -2))


@exercise.wrong("ready-made", "the library's")
def _(offset, d_model, base=10000.0):
    import allyouneed.positions as P
    return P.shift_matrix(offset, d_model, base)


@exercise.wrong("returns-nothing")
def _(offset, d_model, base=10000.0):
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    a = offset * theta
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        c, s = torch.cos(a[i]), torch.sin(a[i])
        M[2 * i, 2 * i], M[2 * i, 2 * i + 1] = c, s
        M[2 * i + 1, 2 * i], M[2 * i + 1, 2 * i + 1] = -s, c
    M = M.float()


@exercise.wrong("timeout")
def _(offset, d_model, base=10000.0):
    k = 0
    while k < d_model:
        a = offset * base ** (-k / d_model)
    return a
