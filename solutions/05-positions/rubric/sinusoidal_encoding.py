"""The rubric of sinusoidal_encoding: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "sinusoidal_encoding",
    points={"formula": 3, "other bases": 1, "long tables": 1},
    section="sinusoidal-formula",
    forbid=("SinusoidalPositions",),
    any_float=True,
    compact=True,
    properties=[{"rule": "finite"}, {"rule": "lengths", "pairs": True, "what": "A pair of sine and cosine"}],
    mistakes={
        "base-1000": ("Where no base is given, your table is not that of base 10,000. Check the default of base, and the number in the frequencies.", "base-ten-thousand"),
        "base-ignored": ("With another base the table stays that of 10,000. Use the argument base, not a number, in the frequencies.",
                         "base-ten-thousand"),
        "halves-concatenated": ("All sines come first and then all cosines. Column 2j holds the sine and column 2j + 1 the cosine of one "
                                "frequency: they alternate.", "interleaved-columns"),
        "cos-other-frequency": ("The cosine columns have frequencies of their own. Columns 2j and 2j + 1 are one pair: both use θ_j.",
                                "interleaved-columns"),
        "exponent-doubled": ("The frequencies fall twice as fast as they should. In base^(−2j/d) the number j counts pairs, 0 to d/2 − 1; a column's "
                             "number 2j is doubled already.", "sinusoidal-formula"),
        "exponent-halved": ("The frequencies fall half as fast as they should. The exponent is −2j/d with j = 0 to d/2 − 1: check the 2.",
                            "sinusoidal-formula"),
        "exponent-divisor": ("The exponent is divided by a number other than d_model, such as d/2 − 1 or d − 1. It is −2j/d_model.",
                             "sinusoidal-formula"),
        "exponent-rounded": ("The exponent is rounded to a whole number, so the frequencies move in jumps. Divide with / instead of //.",
                             "sinusoidal-formula"),
        "pair-from-one": ("The pairs are counted from j = 1. The first pair is j = 0, with frequency base^0 = 1.", "sinusoidal-formula"),
        "positions-from-one": ("The table is one position late: its first row belongs to position 1. Positions count from 0, and row 0 is "
                               "0, 1, 0, 1 and so on.", "sinusoidal-formula"),
        "degrees": ("The angles are converted between degrees and radians. The angle p·θ_j is in radians already: leave it as it is.",
                    "wavelengths"),
        "two-pi": ("The angles are multiplied or divided by 2π or π. θ_j is an angular frequency, in radians per position: the angle is p·θ_j.", "wavelengths"),
        "sin-cos-swapped": ("Sine and cosine have changed places. The sine stands in the even columns 0, 2, 4, ... and the cosine in the odd ones.",
                            "interleaved-columns"),
        "one-function": ("All columns are made with one of the two functions. Even columns hold the sine and odd columns the cosine.",
                         "interleaved-columns"),
        "transposed": ("Rows and columns are exchanged. A row is a position, and a column one sine or cosine: the shape is (n_positions, d_model).",
                       "sinusoidal-formula"),
        "interleaved-wrongly": ("The numbers are right, but a reshape puts them into wrong places. Stack sine and cosine along a new last axis before you "
                                "flatten it, or write to every second column.", "interleaved-columns"),
        "frequencies-grow": ("The waves get faster from pair to pair. They must get slower: the exponent is negative, or the position is divided "
                             "by base^(2j/d).", "wavelengths"),
        "frequencies-reversed": ("The slowest wave comes first. Pair 0 is the fastest, and each pair after it is slower.", "wavelengths"),
        "logarithm-base": ("exp(−2j/d · log base) needs the natural logarithm, math.log; here it is one of base 10 or 2.", "sinusoidal-formula"),
        "frequencies-added": ("Position and frequency are added. The angle is their product, p·θ_j.", "sinusoidal-formula"),
        "frequencies-missing": ("Every pair turns at the same speed. The angle is p·θ_j, and θ_j falls from pair to pair. (An exponent divided with // is 0 for all.)", "wavelengths"),
        "same-in-every-row": ("All positions get the same row: the position is not used. The angle is p·θ_j.", "sinusoidal-formula"),
        "positions-scaled": ("The positions are divided or stretched by the length of the table, so a position's code depends on how long the text is. "
                             "Use p = 0, 1, 2, ... as they are.", "index-and-binary"),
        "values-scaled": ("The values are multiplied by a factor. They are plain sines and cosines between −1 and 1.", "sinusoidal-formula"),
        "angles": ("These are the angles p·θ_j. Take their sine and cosine.", "sinusoidal-formula"),
        "half-the-columns": ("The table does not have d_model columns. There are d_model/2 frequencies, and each gives a sine and a cosine.",
                             "sinusoidal-formula"),
        "extra-axis": ("The table has an extra axis of size 1. Return two axes, (n_positions, d_model): broadcasting over the batch comes later.",
                       "sinusoidal-formula"),
        "whole-numbers": ("The values are rounded to whole numbers: the table they are written to holds integers. Make it a float table.",
                          "sinusoidal-formula"),
        "half-written": ("One of the two, sine or cosine, does not arrive in the table: its columns stay 0, or the other is written over it. The sine goes to columns "
                         "0, 2, 4, ... and the cosine to 1, 3, 5 and so on.", "interleaved-columns"),
        "loop-too-short": ("Some rows or columns stay 0: a loop ends too early or begins too late. Positions run from 0 to n_positions − 1, pairs from 0 to d_model/2 − 1.",
                           "sinusoidal-formula"),
        "rows-alternate": ("Sine and cosine alternate from position to position. They alternate from column to column: every position has both.", "interleaved-columns"),
        "half-precision": ("The numbers are nearly right, but rounded too coarsely, as float16 and bfloat16 do. Compute and return float32 or float64.", "sinusoidal-formula"),
        "divided-after": ("Sine and cosine are taken of the position, and the frequency comes in afterwards, as a factor. The frequency belongs to the angle, inside: "
                          "first p·θ_j, then its sine and cosine.", "sinusoidal-formula"),
        "exponent-brackets": ("A part of the exponent stands outside of it: a power is computed before a product or a quotient. Put brackets around the whole exponent, −2j/d.",
                              "sinusoidal-formula"),
        "logarithm-missing": ("exp(−2j/d) is a power of e, not of base. A power base^x is exp(x · ln base): the natural logarithm of base is a factor of the exponent.",
                              "sinusoidal-formula"),
        "angle-negative": ("The sines have the wrong sign, as if the positions ran backwards. The angle p·θ_j is positive; the minus belongs to the exponent of θ_j.",
                           "sinusoidal-formula"),
        "number-of-rows": ("The table has one row too many or too few. There is a row for each of the positions 0 to n_positions − 1.", "sinusoidal-formula"),
    },
)


@exercise.probes
def _(make):
    yield make.probe("a small table", *make.pick((4, 6), (5, 14), (3, 8)), group="formula")
    yield make.probe("more positions than columns", *make.pick((9, 8), (11, 18), (13, 10)), group="formula")
    yield make.probe("more columns than positions", *make.pick((3, 10), (5, 16), (4, 12)), group="formula")
    yield make.probe("as many positions as columns", *make.pick((6, 6), (10, 10), (8, 8)), group="formula")
    yield make.probe("one pair", make.pick(5, 6, 7), 2, group="formula", edge=True)
    yield make.probe("two pairs", make.pick(5, 7, 6), 4, group="formula", edge=True)
    yield make.probe("one position", 1, make.pick(8, 4, 6), group="formula", edge=True)
    yield make.probe("base 50", *make.pick((5, 8), (4, 10), (6, 8)), make.pick(50.0, 37.0, 120.0), group="other bases")
    yield make.probe("base 500,000 by name", *make.pick((7, 6), (6, 8), (5, 10)), base=make.pick(500_000.0, 300_000.0, 700_000.0),
                     group="other bases", edge=True)
    yield make.probe("a whole number as base", 4, 6, make.pick(100, 64, 900), group="other bases", edge=True)
    yield make.probe("a long table", make.pick(150, 160, 170), make.pick(12, 14, 16), group="long tables", long=True)
    yield make.probe("a very long table of two pairs", make.pick(1200, 1300, 1400), 4, 1_000_000.0, group="long tables", long=True)


@exercise.right
def reference(n_positions, d_model, base=10000.0):
    positions = torch.arange(n_positions, dtype=torch.float64).unsqueeze(1)
    frequencies = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angles = positions * frequencies
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).float()


@exercise.alternative("written to every second column, float32")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.alternative("exp and log")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    position = torch.arange(0, n_positions, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(base) / d_model))
    table[:, 0::2] = torch.sin(position * div_term)
    table[:, 1::2] = torch.cos(position * div_term)
    return table


@exercise.alternative("loops over numbers")
def _(n_positions, d_model, base=10000.0):
    rows = []
    for p in range(n_positions):
        row = []
        for j in range(d_model // 2):
            angle = p / base ** (2 * j / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)


@exercise.alternative("nested lists")
def _(n_positions, d_model, base=10000.0):
    return [[(math.cos if i % 2 else math.sin)(p * base ** (-(i - i % 2) / d_model)) for i in range(d_model)] for p in range(n_positions)]


@exercise.alternative("cosine as a shifted sine, float64")
def _(n_positions, d_model, base=10000.0):
    columns = torch.arange(d_model)
    theta = float(base) ** (-(columns // 2 * 2).double() / d_model)
    return torch.sin(torch.arange(n_positions).double()[:, None] * theta + (columns % 2) * math.pi / 2)


@exercise.alternative("complex numbers")
def _(n_positions, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model, 2) / d_model)
    turns = torch.polar(torch.ones(n_positions, d_model // 2), torch.outer(torch.arange(n_positions).float(), theta))
    return torch.view_as_real(turns).flip(-1).reshape(n_positions, d_model)


@exercise.alternative("position divided, einsum, numpy")
def _(n_positions, d_model, base=10000.0):
    import numpy as np
    angles = np.einsum("p,j->pj", np.arange(n_positions, dtype=np.float64), 1 / np.power(float(base), np.arange(0, d_model, 2) / d_model))
    out = np.empty((n_positions, d_model))
    out[:, ::2], out[:, 1::2] = np.sin(angles), np.cos(angles)
    return torch.from_numpy(out)


@exercise.alternative("torch.where by column")
def _(n_positions, d_model, base=10000.0):
    i = torch.arange(d_model)
    angle = torch.arange(n_positions)[:, None] / torch.pow(torch.tensor(float(base)), (2 * (i // 2)) / d_model)
    return torch.where(i % 2 == 0, angle.sin(), angle.cos())


@exercise.alternative("one column at a time")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).to(torch.get_default_dtype())
    columns = []
    for k in range(0, d_model, 2):
        columns += [torch.sin(p * base ** (-k / d_model)), torch.cos(p * base ** (-k / d_model))]
    return torch.stack(columns, dim=1)


@exercise.alternative("turned on from row to row")
def _(n_positions, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    sine, cosine, rows = torch.zeros_like(theta), torch.ones_like(theta), []
    for _ in range(n_positions):
        rows.append(torch.stack((sine, cosine), dim=1).ravel())
        sine, cosine = sine * theta.cos() + cosine * theta.sin(), cosine * theta.cos() - sine * theta.sin()
    return torch.stack(rows)


@exercise.wrong("base-1000", "as default")
def _(n_positions, d_model, base=1000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("base-1000", "one zero more")
def _(n_positions, d_model, base=100000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("base-1000", "as a number")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = 1000.0 ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("base-1000", "100")
def _(n_positions, d_model, base=100.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("base-1000", "100,000 as a number")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = 100000.0 ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("base-ignored")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = 10000.0 ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("base-ignored", "in a loop")
def _(n_positions, d_model, base=10000.0):
    rows = []
    for p in range(n_positions):
        rows.append([f(p / 10000 ** (2 * j / d_model)) for j in range(d_model // 2) for f in (math.sin, math.cos)])
    return torch.tensor(rows)


@exercise.wrong("halves-concatenated")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.cat((torch.sin(angles), torch.cos(angles)), dim=1)


@exercise.wrong("halves-concatenated", "cosines first")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.cat((torch.cos(angles), torch.sin(angles)), dim=1)


@exercise.wrong("halves-concatenated", "stacked along the middle axis")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=1).reshape(n_positions, d_model)


@exercise.wrong("halves-concatenated", "with the exponent divided by d/2 − 1")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-j / max(d_model // 2 - 1, 1))
    angles = p * theta
    return torch.cat((torch.sin(angles), torch.cos(angles)), dim=1)


@exercise.wrong("cos-other-frequency", "exponent i/d by column")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    for i in range(d_model):
        angles = torch.arange(n_positions) / base ** (i / d_model)
        table[:, i] = torch.cos(angles) if i % 2 else torch.sin(angles)
    return table


@exercise.wrong("cos-other-frequency", "cosines half a step on")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(p * base ** (-(2 * j + 1) / d_model))
    return table


@exercise.wrong("cos-other-frequency", "cosines a whole pair on")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(p * base ** (-2 * (j + 1) / d_model))
    return table


@exercise.wrong("cos-other-frequency", "exponent 2i/d by column")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    for i in range(d_model):
        angles = torch.arange(n_positions) / base ** (2 * i / d_model)
        table[:, i] = torch.cos(angles) if i % 2 else torch.sin(angles)
    return table


@exercise.wrong("cos-other-frequency", "exponent i/(2d) by column")
def _(n_positions, d_model, base=10000.0):
    i = torch.arange(d_model)
    angles = torch.arange(n_positions)[:, None] * base ** (-i / (2 * d_model))
    return torch.where(i % 2 == 0, angles.sin(), angles.cos())


@exercise.wrong("cos-other-frequency", "2i/d and 2(i + 1)/d in a loop")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    for p in range(n_positions):
        for i in range(0, d_model, 2):
            table[p, i] = math.sin(p / base ** (2 * i / d_model))
            table[p, i + 1] = math.cos(p / base ** (2 * (i + 1) / d_model))
    return table


@exercise.wrong("cos-other-frequency", "sine's exponent 2i/d, the pair's cosine one column on")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(0, d_model, 2)
    theta = base ** (-j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(p * base ** (-2 * (j + 1) / d_model))
    return table


@exercise.wrong("cos-other-frequency", "only the cosine's exponent doubled")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(p * base ** (-4 * j / d_model))
    return table


@exercise.wrong("exponent-doubled")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(0, d_model, 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-doubled", "j over d/4")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-4 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-doubled", "twice, and cosines of the sine's column in a loop")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    for p in range(n_positions):
        for i in range(0, d_model, 2):
            table[p, i] = math.sin(p / base ** (2 * i / d_model))
            table[p, i + 1] = math.cos(p / base ** (2 * i / d_model))
    return table


@exercise.wrong("exponent-halved")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-halved", "in a loop")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    for j in range(d_model // 2):
        angles = torch.arange(n_positions) / base ** (j / d_model)
        table[:, 2 * j], table[:, 2 * j + 1] = angles.sin(), angles.cos()
    return table


@exercise.wrong("exponent-divisor", "d/2 − 1")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-j / (d_model // 2 - 1))
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-divisor", "d/2 − 1, guarded")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-j / max(d_model / 2 - 1, 1))
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-divisor", "torch.linspace and logspace")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** -torch.linspace(0, 1, d_model // 2)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-divisor", "d − 1")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / (d_model - 1))
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-divisor", "d + 1")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / (d_model + 1))
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-divisor", "number of positions")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / n_positions)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("frequencies-missing", "exponent rounded to 0")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = float(base) ** -(2 * j // d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("exponent-rounded", "upwards, by the negative sign")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = float(base) ** (-2 * j // d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("pair-from-one")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(1, d_model // 2 + 1)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("pair-from-one", "2j + 1")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-(2 * j + 1) / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("positions-from-one")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(1, n_positions + 1).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("degrees", "degrees taken for radians")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = torch.deg2rad(p * theta)
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("degrees", "radians turned into degrees")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = torch.rad2deg(p * theta)
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("two-pi")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = 2 * math.pi * p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("two-pi", "divided")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta / (2 * math.pi)
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("two-pi", "π alone")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = math.pi * p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("halves-concatenated", "and base ignored")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = 10000.0 ** (-2 * j / d_model)
    angles = p * theta
    return torch.cat((torch.sin(angles), torch.cos(angles)), dim=1)


@exercise.wrong("sin-cos-swapped")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.cos(), angles.sin()), dim=-1).flatten(1)


@exercise.wrong("one-function", "sines")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.sin()), dim=-1).flatten(1)


@exercise.wrong("one-function", "cosines")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return angles.cos().repeat_interleave(2, dim=1)


@exercise.wrong("one-function", "sines, odd columns stay zero")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = angles.sin()
    return table


@exercise.wrong("one-function", "sines of all columns")
def _(n_positions, d_model, base=10000.0):
    i = torch.arange(d_model)
    return torch.sin(torch.arange(n_positions)[:, None] * base ** (-i / d_model))


@exercise.wrong("transposed")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).T


@exercise.wrong("transposed", "and sine and cosine in blocks")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.cat((angles.sin(), angles.cos()), dim=1).T


@exercise.wrong("interleaved-wrongly", "stacked along the first axis")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos())).reshape(n_positions, d_model)


@exercise.wrong("interleaved-wrongly", "concatenated along the first axis")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.cat((angles.sin(), angles.cos())).reshape(n_positions, d_model)


@exercise.wrong("interleaved-wrongly", "positions alternate")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    full = torch.cat((theta, theta))
    table[0::2] = torch.sin(p[0::2] * full)
    table[1::2] = torch.cos(p[1::2] * full)
    return table


@exercise.wrong("frequencies-grow")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("frequencies-grow", "divided by a negative power")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p / theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("frequencies-reversed")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = (base ** (-2 * j / d_model)).flip(0)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("frequencies-reversed", "falling exponents")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** -((d_model - 2 * j) / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("logarithm-base", "10")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = torch.exp(-2 * j / d_model * math.log10(base))
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("logarithm-base", "2")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = torch.exp(-2 * j / d_model * math.log2(base))
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("logarithm-base", "10, with torch")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = torch.exp(-2 * j / d_model * torch.log10(torch.tensor(float(base))))
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("frequencies-added")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p + theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("frequencies-missing")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * torch.ones(d_model // 2)
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("frequencies-missing", "divided by the base")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p / base * torch.ones(d_model // 2)
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("same-in-every-row")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = theta.expand(n_positions, -1)
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("same-in-every-row", "the last position's")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = ((n_positions - 1) * theta).expand(n_positions, -1)
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("positions-scaled", "by n")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1) / n_positions
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("positions-scaled", "by n − 1")
def _(n_positions, d_model, base=10000.0):
    p = torch.linspace(0, 1, n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.wrong("values-scaled", "root of the width")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1) * math.sqrt(d_model)


@exercise.wrong("values-scaled", "divided by the root of the width")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1) / math.sqrt(d_model)


@exercise.wrong("values-scaled", "length 1")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return table / table.norm(dim=1, keepdim=True)


@exercise.wrong("angles")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return angles.repeat_interleave(2, dim=1)


@exercise.wrong("angles", "half the columns")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return angles


@exercise.wrong("half-the-columns", "sines alone")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return angles.sin()


@exercise.wrong("half-the-columns", "a frequency for every column")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model)
    theta = base ** (-j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("half-the-columns", "sum of both")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return angles.sin() + angles.cos()


@exercise.wrong("half-the-columns", "pairs not joined")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1)


@exercise.wrong("half-the-columns", "a frequency for every column, exponent doubled")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("half-the-columns", "a frequency for every column, in blocks")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.cat((torch.sin(angles), torch.cos(angles)), dim=1)


@exercise.wrong("half-the-columns", "a frequency for every column, in blocks, exponent i/d")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model)
    theta = base ** (-j / d_model)
    angles = p * theta
    return torch.cat((torch.sin(angles), torch.cos(angles)), dim=1)


@exercise.wrong("extra-axis")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).unsqueeze(0)


@exercise.wrong("extra-axis", "behind")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).unsqueeze(-1)


@exercise.wrong("extra-axis", "in the middle")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).unsqueeze(1)


@exercise.wrong("whole-numbers")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model, dtype=torch.long)
    table[:, 0::2] = angles.sin().long()
    table[:, 1::2] = angles.cos().long()
    return table


@exercise.wrong("frequencies-grow", "exp, float32")
def _(n_positions, d_model, base=10000.0):
    theta = torch.exp(torch.arange(0, d_model, 2) * (math.log(base) / d_model))
    table = torch.zeros(n_positions, d_model)
    for p in range(n_positions):
        table[p, ::2], table[p, 1::2] = (p * theta).sin(), (p * theta).cos()
    return table


@exercise.wrong("frequencies-grow", "in a loop over numbers")
def _(n_positions, d_model, base=10000.0):
    return torch.tensor([[f(p * base ** (2 * j / d_model)) for j in range(d_model // 2) for f in (math.sin, math.cos)] for p in range(n_positions)])


@exercise.wrong("half-written", "the cosines over the sines")
def _(n_positions, d_model, base=10000.0):
    angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) / d_model))
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = angles.sin()
    table[:, 0::2] = angles.cos()
    return table


@exercise.wrong("half-written", "the cosines over the sines, odd columns")
def _(n_positions, d_model, base=10000.0):
    angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) / d_model))
    table = torch.zeros(n_positions, d_model)
    table[:, 1::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


@exercise.wrong("half-written", "the sines are missing")
def _(n_positions, d_model, base=10000.0):
    angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) / d_model))
    return torch.stack((torch.zeros_like(angles), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("half-written", "the sines in odd columns")
def _(n_positions, d_model, base=10000.0):
    angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) / d_model))
    table = torch.zeros(n_positions, d_model)
    table[:, 1::2] = angles.sin()
    return table


@exercise.wrong("loop-too-short", "the last pair")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    for i in range(0, d_model - 2, 2):
        angle = torch.arange(n_positions) / base ** (i / d_model)
        table[:, i], table[:, i + 1] = angle.sin(), angle.cos()
    return table


@exercise.wrong("loop-too-short", "the first pair")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    for i in range(2, d_model, 2):
        angle = torch.arange(n_positions) / base ** (i / d_model)
        table[:, i], table[:, i + 1] = angle.sin(), angle.cos()
    return table


@exercise.wrong("loop-too-short", "the first row")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    theta = base ** (-torch.arange(0, d_model, 2) / d_model)
    for p in range(1, n_positions):
        table[p, ::2], table[p, 1::2] = (p * theta).sin(), (p * theta).cos()
    return table


@exercise.wrong("loop-too-short", "the last row")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    theta = base ** (-torch.arange(0, d_model, 2) / d_model)
    for p in range(n_positions - 1):
        table[p, ::2], table[p, 1::2] = (p * theta).sin(), (p * theta).cos()
    return table


@exercise.wrong("rows-alternate")
def _(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    for p in range(n_positions):
        for i in range(d_model):
            table[p, i] = (math.cos if p % 2 else math.sin)(p / base ** (2 * (i // 2) / d_model))
    return table


@exercise.wrong("rows-alternate", "written to every second row")
def _(n_positions, d_model, base=10000.0):
    angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) / d_model)).repeat_interleave(2, dim=1)
    table = angles.sin()
    table[1::2] = angles[1::2].cos()
    return table


@exercise.wrong("half-precision")
def _(n_positions, d_model, base=10000.0):
    angles = torch.outer(torch.arange(n_positions).half(), (base ** (-torch.arange(0, d_model, 2) / d_model)).half())
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("half-precision", "at the end")
def _(n_positions, d_model, base=10000.0):
    angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) / d_model))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).half()


@exercise.wrong("half-precision", "bfloat16")
def _(n_positions, d_model, base=10000.0):
    angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) / d_model))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).bfloat16()


@exercise.wrong("divided-after")
def _(n_positions, d_model, base=10000.0):
    p, theta = torch.arange(n_positions)[:, None].float(), base ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.stack((p.sin() * theta, p.cos() * theta), dim=-1).flatten(1)


@exercise.wrong("exponent-brackets", "−i")
def _(n_positions, d_model, base=10000.0):
    p, i = torch.arange(n_positions)[:, None], torch.arange(0, d_model, 2).float()
    angles = p * base ** -i / d_model
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("exponent-brackets", "p divided by base^i, divided by d")
def _(n_positions, d_model, base=10000.0):
    p, i = torch.arange(n_positions)[:, None], torch.arange(0, d_model, 2).float()
    angles = p / (base ** i / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("exponent-brackets", "−2 alone")
def _(n_positions, d_model, base=10000.0):
    p, j = torch.arange(n_positions)[:, None], torch.arange(d_model // 2).float()
    angles = p * (base ** -2 * j / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("logarithm-missing")
def _(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions)[:, None] * torch.exp(-torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("logarithm-missing", "base without log")
def _(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions)[:, None] * torch.exp(-torch.arange(0, d_model, 2) * base / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("angle-negative")
def _(n_positions, d_model, base=10000.0):
    angles = -torch.arange(n_positions)[:, None] * base ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("angle-negative", "the base's sign")
def _(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions)[:, None] * -(base ** (-torch.arange(0, d_model, 2) / d_model))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("number-of-rows", "one more")
def _(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions + 1)[:, None] * base ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("number-of-rows", "from 1 to n − 1")
def _(n_positions, d_model, base=10000.0):
    angles = torch.arange(1, n_positions)[:, None] * base ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("half-the-columns", "a tuple of sines and cosines")
def _(n_positions, d_model, base=10000.0):
    angles = torch.arange(n_positions)[:, None] * base ** (-torch.arange(0, d_model, 2) / d_model)
    return angles.sin(), angles.cos()


@exercise.wrong("positions-scaled", "from 0 to n in n steps")
def _(n_positions, d_model, base=10000.0):
    angles = torch.linspace(0, n_positions, n_positions)[:, None] / base ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


@exercise.wrong("ready-made", "the library's")
def _(n_positions, d_model, base=10000.0):
    from allyouneed import positions
    return positions.sinusoidal_encoding(n_positions, d_model, base)


@exercise.wrong("ready-made", "the library's module")
def _(n_positions, d_model, base=10000.0):
    from allyouneed.positions import SinusoidalPositions
    return SinusoidalPositions(d_model, base)(torch.zeros(1, n_positions, d_model))[0]


@exercise.wrong("returns-nothing")
def _(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()


@exercise.wrong("timeout")
def _(n_positions, d_model, base=10000.0):
    j = 0
    while j < d_model:
        angle = base ** (-2 * j / d_model)
    return angle
