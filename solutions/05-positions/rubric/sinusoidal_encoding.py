"""sinusoidal_encoding: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "sinusoidal_encoding",
    points={"formula": 3, "other bases": 1, "long tables": 1},
    section="sinusoidal-formula",
    forbid=("SinusoidalPositions",),
    any_float=True,
    properties=[{"rule": "finite"}, {"rule": "lengths", "pairs": True, "what": "A pair of sine and cosine"}],
)


@exercise.probes
def probes(make):
    yield make.probe("a small table", *make.pick((4, 6), (5, 14), (3, 8)), group="formula")
    yield make.probe("more positions than columns", *make.pick((9, 8), (11, 18), (13, 10)), group="formula")
    yield make.probe("more columns than positions", *make.pick((3, 10), (5, 16), (4, 12)), group="formula")
    yield make.probe("as many positions as columns", *make.pick((6, 6), (10, 10), (8, 8)), group="formula")
    yield make.probe("one pair", make.pick(5, 6, 7), 2, group="formula", edge=True)
    yield make.probe("two pairs", make.pick(5, 7, 6), 4, group="formula", edge=True)
    yield make.probe("one position", 1, make.pick(8, 4, 6), group="formula", edge=True)
    yield make.probe("another base", *make.pick((5, 8), (4, 10), (6, 8)), make.pick(50.0, 37.0, 120.0),
                     group="other bases")
    yield make.probe("a large base by name", *make.pick((7, 6), (6, 8), (5, 10)),
                     base=make.pick(500_000.0, 300_000.0, 700_000.0),
                     group="other bases", edge=True)
    yield make.probe("the small table again, with another base", *make.pick((4, 6), (5, 14), (3, 8)), 30.0,
                     group="other bases", edge=True)
    yield make.probe("a whole number as base", 4, 6, make.pick(100, 64, 900), group="other bases", edge=True)
    yield make.probe("a long table", make.pick(150, 160, 170), make.pick(12, 14, 16), group="long tables",
                     long=True)
    yield make.probe("three hundred positions", make.pick(301, 311, 321), 4, make.pick(200.0, 300.0, 150.0),
                     group="long tables", edge=True)
    # so long that rows turned on in float32 are wrong here, as they are in thousands of rows
    yield make.probe("a very long table of two pairs", make.pick(3203, 3251, 3301), 4, 1_000_000.0,
                     group="long tables", long=True)
    if make.variant:  # too large to hand out
        yield make.probe("a table of thousands of rows", make.pick(5003, 5101, 5207), 2, group="long tables",
                         long=True)


@exercise.right
def reference(n_positions, d_model, base=10000.0):
    positions = torch.arange(n_positions, dtype=torch.float64).unsqueeze(1)
    frequencies = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angles = positions * frequencies
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).float()


@exercise.right("written to every second column, float32")
def written_every(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    table = torch.zeros(n_positions, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


@exercise.right("exp and log")
def exp_log(n_positions, d_model, base=10000.0):
    table = torch.zeros(n_positions, d_model)
    position = torch.arange(0, n_positions, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(base) / d_model))
    table[:, 0::2] = torch.sin(position * div_term)
    table[:, 1::2] = torch.cos(position * div_term)
    return table


@exercise.right("loops over numbers")
def loops(n_positions, d_model, base=10000.0):
    rows = []
    for p in range(n_positions):
        row = []
        for j in range(d_model // 2):
            angle = p / base ** (2 * j / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)


@exercise.right("position divided, einsum, numpy")
def position_divided(n_positions, d_model, base=10000.0):
    import numpy as np
    angles = np.einsum("p,j->pj", np.arange(n_positions, dtype=np.float64),
                       1 / np.power(float(base), np.arange(0, d_model, 2) / d_model))
    out = np.empty((n_positions, d_model))
    out[:, ::2], out[:, 1::2] = np.sin(angles), np.cos(angles)
    return torch.from_numpy(out)


@exercise.right("one column at a time")
def one_column(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).to(torch.get_default_dtype())
    columns = []
    for k in range(0, d_model, 2):
        columns += [torch.sin(p * base ** (-k / d_model)), torch.cos(p * base ** (-k / d_model))]
    return torch.stack(columns, dim=1)


@exercise.right("turned on from row to row")
def turned(n_positions, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    sine, cosine, rows = torch.zeros_like(theta), torch.ones_like(theta), []
    for _ in range(n_positions):
        rows.append(torch.stack((sine, cosine), dim=1).ravel())
        sine, cosine = sine * theta.cos() + cosine * theta.sin(), cosine * theta.cos() - sine * theta.sin()
    return torch.stack(rows)


@exercise.right("step by step")
def plain(n_positions, d_model, base=10000.0):
    p = torch.arange(n_positions).unsqueeze(1)
    j = torch.arange(d_model // 2)
    theta = base ** (-2 * j / d_model)
    angles = p * theta
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


HALVES_CONCATENATED = {"stack((angles.sin(), angles.cos()), dim=-1).flatten(1)":
                       "cat((torch.sin(angles), torch.cos(angles)), dim=1)"}
STACK = "torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)"

exercise.also_right(
    full("return [[(math.cos if i % 2 else math.sin)(p * base ** (-(i - i % 2) / d_model)) for i in "
         "range(d_model)]\n"
         "        for p in range(n_positions)]", "nested lists"),
    full("columns = torch.arange(d_model)\n"
         "theta = float(base) ** (-(columns // 2 * 2).double() / d_model)\n"
         "return torch.sin(torch.arange(n_positions).double()[:, None] * theta + (columns % 2) * math.pi "
         "/ 2)", "cosine as a shifted sine, float64"),
    full("theta = base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "turns = torch.polar(torch.ones(n_positions, d_model // 2),\n"
         "                    torch.outer(torch.arange(n_positions).float(), theta))\n"
         "return torch.view_as_real(turns).flip(-1).reshape(n_positions, d_model)", "complex numbers"),
    full("i = torch.arange(d_model)\n"
         "angle = torch.arange(n_positions)[:, None] / torch.pow(torch.tensor(float(base)),\n"
         "                                                       (2 * (i // 2)) / d_model)\n"
         "return torch.where(i % 2 == 0, angle.sin(), angle.cos())", "torch.where by column"))

exercise.mistake("base-1000", "base-ten-thousand",
    "Where no base is given, your table is not that of base 10,000. Check the default of base, and the "
    "number in the frequencies.",
    edit(written_every, {"10000.0": "1000.0"}, "as default"),
    edit(written_every, {"10000.0": "100000.0"}, "one zero more"),
    edit(written_every, {"= base": "= 1000.0"}, "as a number"),
    edit(written_every, {"10000.0": "100.0"}, "100"),
    edit(written_every, {"= base": "= 100000.0"}, "100,000 as a number"))

exercise.mistake("base-ignored", "base-ten-thousand",
    "With another base the table stays that of 10,000. Use the argument base, not a number, in the "
    "frequencies.",
    edit(written_every, {"= base": "= 10000.0"}),
    full("rows = []\n"
         "for p in range(n_positions):\n"
         "    rows.append([f(p / 10000 ** (2 * j / d_model)) for j in range(d_model // 2)\n"
         "                 for f in (math.sin, math.cos)])\n"
         "return torch.tensor(rows)", "in a loop"))

exercise.mistake("halves-concatenated", "interleaved-columns",
    "All sines come first and then all cosines. Column 2j holds the sine and column 2j + 1 the cosine of "
    "one frequency: they alternate.",
    edit(plain, HALVES_CONCATENATED),
    edit(plain, {"stack((angles.sin(), angles.cos()), dim=-1).flatten(1)":
                 "cat((torch.cos(angles), torch.sin(angles)), dim=1)"}, "cosines first"),
    edit(plain, HALVES_CONCATENATED | {"(-2 * j / d_model)": "(-j / max(d_model // 2 - 1, 1))"},
         "with the exponent divided by d/2 − 1"),
    edit(plain, HALVES_CONCATENATED | {"= base": "= 10000.0"}, "and base ignored"))

exercise.mistake("cos-other-frequency", "interleaved-columns",
    "The cosine columns have frequencies of their own. Columns 2j and 2j + 1 are one pair: both use θ_j.",
    full("table = torch.zeros(n_positions, d_model)\n"
         "for i in range(d_model):\n"
         "    angles = torch.arange(n_positions) / base ** (i / d_model)\n"
         "    table[:, i] = torch.cos(angles) if i % 2 else torch.sin(angles)\n"
         "return table", "exponent i/d by column"),
    edit(written_every, {"cos(angles)": "cos(p * base ** (-(2 * j + 1) / d_model))"},
         "cosines half a step on"),
    edit(written_every, {"cos(angles)": "cos(p * base ** (-2 * (j + 1) / d_model))"},
         "cosines a whole pair on"),
    full("table = torch.zeros(n_positions, d_model)\n"
         "for i in range(d_model):\n"
         "    angles = torch.arange(n_positions) / base ** (2 * i / d_model)\n"
         "    table[:, i] = torch.cos(angles) if i % 2 else torch.sin(angles)\n"
         "return table", "exponent 2i/d by column"),
    full("i = torch.arange(d_model)\n"
         "angles = torch.arange(n_positions)[:, None] * base ** (-i / (2 * d_model))\n"
         "return torch.where(i % 2 == 0, angles.sin(), angles.cos())", "exponent i/(2d) by column"),
    full("table = torch.zeros(n_positions, d_model)\n"
         "for p in range(n_positions):\n"
         "    for i in range(0, d_model, 2):\n"
         "        table[p, i] = math.sin(p / base ** (2 * i / d_model))\n"
         "        table[p, i + 1] = math.cos(p / base ** (2 * (i + 1) / d_model))\n"
         "return table", "2i/d and 2(i + 1)/d in a loop"),
    edit(written_every, {"d_model // 2": "0, d_model, 2", "-2 * j": "- j",
                         "cos(angles)": "cos(p * base ** (-2 * (j + 1) / d_model))"},
         "sine's exponent 2i/d, the pair's cosine one column on"),
    edit(written_every, {"cos(angles)": "cos(p * base ** (-4 * j / d_model))"},
         "only the cosine's exponent doubled"))

exercise.mistake("exponent-doubled", "sinusoidal-formula",
    "The frequencies fall twice as fast as they should. In base^(−2j/d) the number j counts pairs, 0 to "
    "d/2 − 1; a column's number 2j is doubled already.",
    edit(written_every, {"d_model // 2": "0, d_model, 2"}),
    full("table = torch.zeros(n_positions, d_model)\n"
         "for p in range(n_positions):\n"
         "    for i in range(0, d_model, 2):\n"
         "        table[p, i] = math.sin(p / base ** (2 * i / d_model))\n"
         "        table[p, i + 1] = math.cos(p / base ** (2 * i / d_model))\n"
         "return table", "twice, and cosines of the sine's column in a loop"))

exercise.mistake("exponent-halved", "sinusoidal-formula",
    "The frequencies fall half as fast as they should. The exponent is −2j/d with j = 0 to d/2 − 1: check "
    "the 2.",
    edit(written_every, {"-2 * j": "- j"}),
    full("table = torch.zeros(n_positions, d_model)\n"
         "for j in range(d_model // 2):\n"
         "    angles = torch.arange(n_positions) / base ** (j / d_model)\n"
         "    table[:, 2 * j], table[:, 2 * j + 1] = angles.sin(), angles.cos()\n"
         "return table", "in a loop"))

exercise.mistake("exponent-divisor", "sinusoidal-formula",
    "The exponent is divided by a number other than d_model, such as d/2 − 1 or d − 1. It is −2j/d_model.",
    edit(written_every, {"(-2 * j / d_model)": "(-j / (d_model // 2 - 1))"}, "d/2 − 1"),
    edit(written_every, {"(-2 * j / d_model)": "(-j / max(d_model / 2 - 1, 1))"}, "d/2 − 1, guarded"),
    edit(written_every, {"j / d_model)": "j / (d_model - 1))"}, "d − 1"),
    edit(written_every, {"j / d_model)": "j / (d_model + 1))"}, "d + 1"),
    edit(written_every, {"j / d_model": "j / n_positions"}, "number of positions"))

exercise.mistake("frequencies-missing", "wavelengths",
    "Every pair turns at the same speed. The angle is p·θ_j, and θ_j falls from pair to pair. (An exponent "
    "divided with // is 0 for all.)",
    edit(written_every, {"p * theta": "p * torch.ones(d_model // 2)"}),
    edit(written_every, {"p * theta": "p / base * torch.ones(d_model // 2)"}, "divided by the base"))

exercise.mistake("exponent-rounded", "sinusoidal-formula",
    "The exponent is rounded to a whole number, so the frequencies move in jumps. Divide with / instead of "
    "//.",
    edit(written_every, {"= base": "= float(base)", "2 * j /": "2 * j //"}, "upwards, by the negative sign"))

exercise.mistake("pair-from-one", "sinusoidal-formula",
    "The pairs are counted from j = 1. The first pair is j = 0, with frequency base^0 = 1.",
    edit(written_every, {"d_model // 2": "1, d_model // 2 + 1"}),
    edit(written_every, {"-2 * j": "-(2 * j + 1)"}, "2j + 1"))

exercise.mistake("positions-from-one", "sinusoidal-formula",
    "The table is one position late: its first row belongs to position 1. Positions count from 0, and row "
    "0 is 0, 1, 0, 1 and so on.",
    edit(written_every, {"(n_positions)": "(1, n_positions + 1)"}))

exercise.mistake("degrees", "wavelengths",
    "The angles are converted between degrees and radians. The angle p·θ_j is in radians already: leave it "
    "as it is.",
    edit(written_every, {"p * theta": "torch.deg2rad(p * theta)"}, "degrees taken for radians"),
    edit(written_every, {"p * theta": "torch.rad2deg(p * theta)"}, "radians turned into degrees"))

exercise.mistake("two-pi", "wavelengths",
    "The angles are multiplied or divided by 2π or π. θ_j is an angular frequency, in radians per "
    "position: the angle is p·θ_j.",
    edit(written_every, {"p * theta": "2 * math.pi * p * theta"}),
    edit(written_every, {"p * theta": "p * theta / (2 * math.pi)"}, "divided"),
    edit(written_every, {"p * theta": "math.pi * p * theta"}, "π alone"))

exercise.mistake("sin-cos-swapped", "interleaved-columns",
    "Sine and cosine have changed places. The sine stands in the even columns 0, 2, 4, ... and the cosine "
    "in the odd ones.",
    edit(plain, {"sin": "cos", "cos": "sin"}))

exercise.mistake("one-function", "interleaved-columns",
    "All columns are made with one of the two functions. Even columns hold the sine and odd columns the "
    "cosine.",
    edit(plain, {"cos": "sin"}, "sines"),
    edit(plain, {STACK: "angles.cos().repeat_interleave(2, dim=1)"}, "cosines"),
    edit(written_every, {"table[:, 1::2] = torch.cos(angles)": ""}, "sines, odd columns stay zero"),
    full("i = torch.arange(d_model)\n"
         "return torch.sin(torch.arange(n_positions)[:, None] * base ** (-i / d_model))",
         "sines of all columns"))

exercise.mistake("transposed", "sinusoidal-formula",
    "Rows and columns are exchanged. A row is a position, and a column one sine or cosine: the shape is "
    "(n_positions, d_model).",
    edit(plain, {"flatten(1)": "flatten(1).T"}),
    edit(plain, {"stack": "cat", "flatten(1)": "T"}, "and sine and cosine in blocks"))

exercise.mistake("interleaved-wrongly", "interleaved-columns",
    "The numbers are right, but a reshape puts them into wrong places. Stack sine and cosine along a new "
    "last axis before you flatten it, or write to every second column.",
    edit(plain, {", dim=-1": "",
                 "flatten(1)": "reshape(n_positions, d_model)"}, "stacked along the first axis"),
    edit(plain, {"return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)":
                 "table = torch.zeros(n_positions, d_model)\n"
                 "full = torch.cat((theta, theta))\n"
                 "table[0::2] = torch.sin(p[0::2] * full)\n"
                 "table[1::2] = torch.cos(p[1::2] * full)\n"
                 "return table"}, "positions alternate"))

exercise.mistake("frequencies-grow", "wavelengths",
    "The waves get faster from pair to pair. They must get slower: the exponent is negative, or the "
    "position is divided by base^(2j/d).",
    edit(written_every, {"-2 * j": "2 * j"}),
    edit(written_every, {"p * theta": "p / theta"}, "divided by a negative power"),
    full("theta = torch.exp(torch.arange(0, d_model, 2) * (math.log(base) / d_model))\n"
         "table = torch.zeros(n_positions, d_model)\n"
         "for p in range(n_positions):\n"
         "    table[p, ::2], table[p, 1::2] = (p * theta).sin(), (p * theta).cos()\n"
         "return table", "exp, float32"),
    full("return torch.tensor([[f(p * base ** (2 * j / d_model)) for j in range(d_model // 2)\n"
         "                      for f in (math.sin, math.cos)] for p in range(n_positions)])",
         "in a loop over numbers"))

exercise.mistake("frequencies-reversed", "wavelengths",
    "The slowest wave comes first. Pair 0 is the fastest, and each pair after it is slower.",
    edit(written_every, {"base ** (-2 * j / d_model)": "(base ** (-2 * j / d_model)).flip(0)"}),
    edit(written_every, {"(-2 * j": "-((d_model - 2 * j)"}, "falling exponents"))

exercise.mistake("logarithm-base", "sinusoidal-formula",
    "exp(−2j/d · log base) needs the natural logarithm, math.log; here it is one of base 10 or 2.",
    edit(written_every, {"base ** (-2 * j / d_model)": "torch.exp(-2 * j / d_model * math.log10(base))"},
         "10"),
    edit(written_every, {"base ** (-2 * j / d_model)": "torch.exp(-2 * j / d_model * math.log2(base))"}, "2"))

exercise.mistake("frequencies-added", "sinusoidal-formula",
    "Position and frequency are added. The angle is their product, p·θ_j.",
    edit(written_every, {"p * theta": "p + theta"}))

exercise.mistake("same-in-every-row", "sinusoidal-formula",
    "All positions get the same row: the position is not used. The angle is p·θ_j.",
    edit(written_every, {"p * theta": "theta.expand(n_positions, -1)"}),
    edit(written_every, {"angles = p * theta":
                         "angles = ((n_positions - 1) * theta).expand(n_positions, -1)"},
         "the last position's"))

exercise.mistake("positions-scaled", "index-and-binary",
    "The positions are divided or stretched by the length of the table, so a position's code depends on "
    "how long the text is. Use p = 0, 1, 2, ... as they are.",
    edit(written_every, {"unsqueeze(1)": "unsqueeze(1) / n_positions"}, "by n"),
    edit(written_every, {"arange(n_positions)": "linspace(0, 1,n_positions)"}, "by n − 1"),
    full("angles = torch.linspace(0, n_positions, n_positions)[:,\n"
         "                                                     None] / base ** (torch.arange(0, d_model, "
         "2) / d_model)\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)", "from 0 to n in n steps"))

exercise.mistake("values-scaled", "sinusoidal-formula",
    "The values are multiplied by a factor. They are plain sines and cosines between −1 and 1.",
    edit(plain, {"flatten(1)": "flatten(1) * math.sqrt(d_model)"}, "root of the width"),
    edit(plain, {"flatten(1)": "flatten(1) / math.sqrt(d_model)"}, "divided by the root of the width"),
    edit(plain, {"return": "table =",
                 "flatten(1)": "flatten(1)\nreturn table / table.norm(dim=1, keepdim=True)"}, "length 1"))

exercise.mistake("table-kept", "base-ten-thousand",
    "A table that was made for one base comes back for another: it is kept from an earlier call. Make the "
    "table anew in each call, or keep it under all three arguments.",
    edit(plain, {"p = torch": "kept, key = vars(sinusoidal_encoding), f'{n_positions} {d_model}'\n"
                              "if key in kept:\n"
                              "    return kept[key]\n"
                              "p = torch",
                 "return torch": "kept[key] = torch", "flatten(1)": "flatten(1)\nreturn kept[key]"}))

exercise.mistake("angles", "sinusoidal-formula", "These are the angles p·θ_j. Take their sine and cosine.",
    edit(plain, {STACK: "angles.repeat_interleave(2, dim=1)"}),
    edit(written_every, {"return table": "return angles"}, "half the columns"))

exercise.mistake("half-the-columns", "sinusoidal-formula",
    "The table does not have d_model columns. There are d_model/2 frequencies, and each gives a sine and a "
    "cosine.",
    edit(plain, {"return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)":
                 "return angles.sin()"}, "sines alone"),
    edit(plain, {"d_model // 2": "d_model", "-2 * j": "- j"}, "a frequency for every column"),
    edit(plain, {STACK: "angles.sin() + angles.cos()"}, "sum of both"),
    edit(plain, {".flatten(1)": ""}, "pairs not joined"),
    edit(plain, {"d_model // 2": "d_model"}, "a frequency for every column, exponent doubled"),
    edit(plain, HALVES_CONCATENATED | {"d_model // 2": "d_model"}, "a frequency for every column, in blocks"),
    full("p = torch.arange(n_positions).unsqueeze(1)\n"
         "j = torch.arange(d_model)\n"
         "theta = base ** (-j / d_model)\n"
         "angles = p * theta\n"
         "return torch.cat((torch.sin(angles), torch.cos(angles)), dim=1)",
         "a frequency for every column, in blocks, exponent i/d"),
    full("angles = torch.arange(n_positions)[:, None] * base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "return angles.sin(), angles.cos()", "a tuple of sines and cosines"))

exercise.mistake("extra-axis", "sinusoidal-formula",
    "The table has an extra axis of size 1. Return two axes, (n_positions, d_model): broadcasting over the "
    "batch comes later.",
    edit(plain, {"flatten(1)": "flatten(1).unsqueeze(0)"}),
    edit(plain, {"flatten(1)": "flatten(1).unsqueeze(-1)"}, "behind"),
    edit(plain, {"flatten(1)": "flatten(1).unsqueeze(1)"}, "in the middle"))

exercise.mistake("whole-numbers", "sinusoidal-formula",
    "The values are rounded to whole numbers: the table they are written to holds integers. Make it a "
    "float table.",
    edit(written_every, {", d_model)": ", d_model, dtype=torch.long)"}))

exercise.mistake("half-written", "interleaved-columns",
    "One of the two, sine or cosine, does not arrive in the table: its columns stay 0, or the other is "
    "written over it. The sine goes to columns 0, 2, 4, ... and the cosine to 1, 3, 5 and so on.",
    full("angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) "
         "/ d_model))\n"
         "table = torch.zeros(n_positions, d_model)\n"
         "table[:, 0::2] = angles.sin()\n"
         "table[:, 0::2] = angles.cos()\n"
         "return table", "the cosines over the sines"),
    full("angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) "
         "/ d_model))\n"
         "return torch.stack((torch.zeros_like(angles), angles.cos()), dim=-1).flatten(1)",
         "the sines are missing"),
    full("angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) "
         "/ d_model))\n"
         "table = torch.zeros(n_positions, d_model)\n"
         "table[:, 1::2] = angles.sin()\n"
         "return table", "the sines in odd columns"))

exercise.mistake("loop-too-short", "sinusoidal-formula",
    "Some rows or columns stay 0: a loop ends too early or begins too late. Positions run from 0 to "
    "n_positions − 1, pairs from 0 to d_model/2 − 1.",
    full("table = torch.zeros(n_positions, d_model)\n"
         "for i in range(0, d_model - 2, 2):\n"
         "    angle = torch.arange(n_positions) / base ** (i / d_model)\n"
         "    table[:, i], table[:, i + 1] = angle.sin(), angle.cos()\n"
         "return table", "the last pair"),
    full("table = torch.zeros(n_positions, d_model)\n"
         "for i in range(2, d_model, 2):\n"
         "    angle = torch.arange(n_positions) / base ** (i / d_model)\n"
         "    table[:, i], table[:, i + 1] = angle.sin(), angle.cos()\n"
         "return table", "the first pair"),
    full("table = torch.zeros(n_positions, d_model)\n"
         "theta = base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "for p in range(1, n_positions):\n"
         "    table[p, ::2], table[p, 1::2] = (p * theta).sin(), (p * theta).cos()\n"
         "return table", "the first row"),
    full("table = torch.zeros(n_positions, d_model)\n"
         "theta = base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "for p in range(n_positions - 1):\n"
         "    table[p, ::2], table[p, 1::2] = (p * theta).sin(), (p * theta).cos()\n"
         "return table", "the last row"))

exercise.mistake("rows-alternate", "interleaved-columns",
    "Sine and cosine alternate from position to position. They alternate from column to column: every "
    "position has both.",
    full("table = torch.zeros(n_positions, d_model)\n"
         "for p in range(n_positions):\n"
         "    for i in range(d_model):\n"
         "        table[p, i] = (math.cos if p % 2 else math.sin)(p / base ** (2 * (i // 2) / d_model))\n"
         "return table"),
    full("angles = torch.outer(torch.arange(n_positions).float(),\n"
         "                     base ** (-torch.arange(0, d_model, 2) / d_model)).repeat_interleave(2, "
         "dim=1)\n"
         "table = angles.sin()\n"
         "table[1::2] = angles[1::2].cos()\n"
         "return table", "written to every second row"))

exercise.mistake("half-precision", "sinusoidal-formula",
    "The numbers are nearly right, but rounded too coarsely, as float16 and bfloat16 do. Compute and "
    "return float32 or float64.",
    full("angles = torch.outer(torch.arange(n_positions).half(),\n"
         "                     (base ** (-torch.arange(0, d_model, 2) / d_model)).half())\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)"),
    full("angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) "
         "/ d_model))\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).half()", "at the end"),
    full("angles = torch.outer(torch.arange(n_positions).float(), base ** (-torch.arange(0, d_model, 2) "
         "/ d_model))\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).bfloat16()", "bfloat16"))

exercise.mistake("divided-after", "sinusoidal-formula",
    "Sine and cosine are taken of the position, and the frequency comes in afterwards, as a factor. The "
    "frequency belongs to the angle, inside: first p·θ_j, then its sine and cosine.",
    full("p, theta = torch.arange(n_positions)[:, None].float(), base ** (-torch.arange(0, d_model, 2) / "
         "d_model)\n"
         "return torch.stack((p.sin() * theta, p.cos() * theta), dim=-1).flatten(1)"))

exercise.mistake("exponent-brackets", "sinusoidal-formula",
    "A part of the exponent stands outside of it: a power is computed before a product or a quotient. Put "
    "brackets around the whole exponent, −2j/d.",
    full("p, i = torch.arange(n_positions)[:, None], torch.arange(0, d_model, 2).float()\n"
         "angles = p * base ** -i / d_model\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)", "−i"),
    full("p, i = torch.arange(n_positions)[:, None], torch.arange(0, d_model, 2).float()\n"
         "angles = p / (base ** i / d_model)\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)",
         "p divided by base^i, divided by d"),
    edit(plain, {"theta = base ** (-2": "angles = p * (base **-2", "angles = p * theta": ""}, "−2 alone"))

exercise.mistake("logarithm-missing", "sinusoidal-formula",
    "exp(−2j/d) is a power of e, not of base. A power base^x is exp(x · ln base): the natural logarithm of "
    "base is a factor of the exponent.",
    full("angles = torch.arange(n_positions)[:, None] * torch.exp(-torch.arange(0, d_model, 2) / d_model)\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)"),
    full("angles = torch.arange(n_positions)[:, None] * torch.exp(-torch.arange(0, d_model, 2) * base / "
         "d_model)\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)", "base without log"))

exercise.mistake("angle-negative", "sinusoidal-formula",
    "The sines have the wrong sign, as if the positions ran backwards. The angle p·θ_j is positive; the "
    "minus belongs to the exponent of θ_j.",
    full("angles = -torch.arange(n_positions)[:, None] * base ** (-torch.arange(0, d_model, 2) / d_model)\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)"))

exercise.mistake("number-of-rows", "sinusoidal-formula",
    "The table has one row too many or too few. There is a row for each of the positions 0 to n_positions "
    "− 1.",
    full("angles = torch.arange(n_positions + 1)[:, None] * base ** (-torch.arange(0, d_model, 2) / "
         "d_model)\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)", "one more"),
    full("angles = torch.arange(1, n_positions)[:, None] * base ** (-torch.arange(0, d_model, 2) / "
         "d_model)\n"
         "return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)", "from 1 to n − 1"))

exercise.mistake("positions-rounded", "sinusoidal-formula",
    "Positions are cast to bfloat16, which is exact up to 256 only. Compute the angles in float32 or float64.",
    edit(plain, {"arange(n_positions)": "arange(n_positions).bfloat16().float()"}))

exercise.built_in("ready-made",
    full("from allyouneed.nn import positions\n"
         "return positions.sinusoidal_encoding(n_positions, d_model, base)", "the library's"),
    full("from allyouneed.nn.positions import SinusoidalPositions\n"
         "return SinusoidalPositions(d_model, base)(torch.zeros(1, n_positions, d_model))[0]",
         "the library's module"))

exercise.built_in("returns-nothing",
    edit(written_every, {"torch.sin(angles)": "angles.sin()", "torch.cos(angles)": "angles.cos()",
                         "return table": ""}))

exercise.built_in("timeout",
    full("j = 0\n"
         "while j < d_model:\n"
         "    angle = base ** (-2 * j / d_model)\n"
         "return angle"))

exercise.equal("float32 is exact enough, and whole numbers become floats where they meet frequencies", {
    ".float()": "", ".double()": "", ", dtype=torch.float64": "", ", dtype=torch.float": "",
    ", dtype=np.float64": "", ".to(torch.get_default_dtype())": "", "float(base)": "base",
    "torch.tensor(float(base))": ("float(base)", "torch.tensor(base)")})
exercise.equal("d_model is even, so the last pair begins at d_model - 2, and half of it is whole", {
    "d_model, 2": "d_model - 1, 2", "d_model // 2": "d_model / 2"})
exercise.equal("the cosine of an angle is that of its negative", {
    "angles.cos()": "-angles.cos()", "cos(angle)": "cos(-angle)",
    "angle.cos()": "-angle.cos()", "cos(p * base": "cos(-p * base", "theta.cos()": "-theta.cos()",
    "cos(position": "cos(-position"})
exercise.equal("every column is written before the table is returned", {
    "zeros(n_positions": "ones(n_positions"})
exercise.equal("a slice begins at 0 by itself", {"0::2": "::2"})
exercise.equal("a table may come back as nested lists or as an array", {
    "torch.tensor(rows)": "rows", "torch.from_numpy(out)": "out"})
