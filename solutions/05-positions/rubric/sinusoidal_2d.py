"""sinusoidal_2d: probes, right versions, and each mistake with its message and its evidence."""

import math

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "sinusoidal_2d",
    points={"rows and columns": 3, "other bases and large images": 1},
    section="two-dimensions",
    any_float=True,
    properties=[{"rule": "finite"}, {"rule": "lengths", "pairs": True, "what": "A pair of sine and cosine"}],
)


@exercise.probes
def probes(make):
    yield make.probe("a small grid", *make.pick((2, 3, 8), (2, 4, 8), (2, 3, 12)),
                     group="rows and columns")
    yield make.probe("more rows than columns", *make.pick((4, 3, 8), (5, 2, 16), (6, 4, 8)),
                     group="rows and columns")
    yield make.probe("more columns than rows", *make.pick((2, 5, 12), (4, 5, 12), (3, 7, 16)),
                     group="rows and columns")
    yield make.probe("a square image", *make.pick((3, 3, 8), (4, 4, 8), (5, 5, 8)), group="rows and columns")
    yield make.probe("one pair for each axis", *make.pick((3, 2, 4), (2, 3, 4), (3, 4, 4)),
                     group="rows and columns", edge=True)
    yield make.probe("one row", 1, make.pick(4, 5, 6), make.pick(4, 8, 12), group="rows and columns",
                     edge=True)
    yield make.probe("one column", make.pick(4, 6, 7), 1, make.pick(4, 8, 12), group="rows and columns",
                     edge=True)
    yield make.probe("one patch", 1, 1, make.pick(8, 12, 4), group="other bases and large images",
                     edge=True)
    yield make.probe("another base", *make.pick((2, 3, 8), (3, 2, 8), (4, 3, 8)), make.pick(50.0, 30.0, 70.0),
                     group="other bases and large images")
    yield make.probe("a whole number as base, by name", *make.pick((3, 2, 8), (2, 4, 12), (4, 3, 12)),
                     base=make.pick(200, 300, 64),
                     group="other bases and large images", edge=True)
    yield make.probe("a base below the height", *make.pick((5, 2, 8), (6, 3, 8), (7, 2, 12)),
                     make.pick(3.0, 4.0, 5.0), group="other bases and large images", edge=True)
    yield make.probe("a wide image", 1, make.pick(301, 311, 321), 4, group="other bases and large images",
                     edge=True)
    yield make.probe("a large image", *make.pick((11, 14, 16), (13, 12, 16), (12, 15, 16)),
                     group="other bases and large images", long=True)


@exercise.right
def reference(height, width, d_model, base=10000.0):
    half = d_model // 2
    theta = base ** (-torch.arange(0, half, 2, dtype=torch.float64) / half)


    def line(n):
        angles = torch.outer(torch.arange(n, dtype=torch.float64), theta)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


    rows = line(height)[:, None].expand(height, width, half)
    columns = line(width)[None].expand(height, width, half)
    return torch.cat((rows, columns), dim=-1).reshape(height * width, d_model).float()


@exercise.right("one's own encoding of a line")
def own_line(height, width, d_model, base=10000.0):
    rows = sinusoidal_encoding(height, d_model // 2, base)
    columns = sinusoidal_encoding(width, d_model // 2, base)
    return torch.cat((rows.repeat_interleave(width, dim=0), columns.repeat(height, 1)), dim=-1)


@exercise.right("repeat_interleave and repeat")
def repeat_interleave_repeat(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.right("the library's 1-D encoding")
def library_1(height, width, d_model, base=10000.0):
    from allyouneed.nn.positions import sinusoidal_encoding as line
    r = line(height, d_model // 2, base)
    c = line(width, d_model // 2, base)
    return torch.stack([torch.cat((r[y], c[x])) for y in range(height) for x in range(width)])


@exercise.right("number of the patch")
def number_patch(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    i = torch.arange(height * width)
    return torch.hstack([line(height, d_model // 2)[i // width], line(width, d_model // 2)[i % width]])


@exercise.right("meshgrid")
def by_meshgrid(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    return torch.cat((line(height, d_model // 2)[y.flatten()], line(width, d_model // 2)[x.flatten()]),
                     dim=-1)


@exercise.right("loops over numbers, a nested list")
def loops(height, width, d_model, base=10000.0):
    table, half = [], d_model // 2
    for row in range(height):
        for column in range(width):
            code = []
            for p in (row, column):
                for k in range(0, half, 2):
                    code += [math.sin(p / base ** (k / half)), math.cos(p / base ** (k / half))]
            table.append(code)
    return table


@exercise.right("filled block by block, float64")
def filled(height, width, d_model, base=10000.0):
    out = torch.zeros(height, width, d_model, dtype=torch.float64)
    theta = torch.exp(torch.arange(d_model // 4).double() * (-4 * math.log(base) / d_model))
    ys, xs = torch.arange(height).double(), torch.arange(width).double()
    half = d_model // 2
    out[..., 0:half:2] = torch.sin(ys[:, None] * theta)[:, None]
    out[..., 1:half:2] = torch.cos(ys[:, None] * theta)[:, None]
    out[..., half::2] = torch.sin(xs[:, None] * theta)
    out[..., half + 1::2] = torch.cos(xs[:, None] * theta)
    return out.view(-1, d_model)


@exercise.right("products with matrices of zeros and ones")
def products(height, width, d_model, base=10000.0):
    from allyouneed.nn.positions import sinusoidal_encoding as line
    rows, columns = (torch.kron(torch.eye(height), torch.ones(width, 1)),
                     torch.kron(torch.ones(height, 1), torch.eye(width)))
    return torch.cat((rows @ line(height, d_model // 2, base), columns @ line(width, d_model // 2, base)),
                     dim=1)


@exercise.right("step by step")
def plain(height, width, d_model, base=10000.0):
    from allyouneed.nn.positions import sinusoidal_encoding as line

    table = torch.zeros(height * width, d_model)
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    for y in range(height):
        for x in range(width):
            table[y * width + x] = torch.cat((r[y], c[x]))
    return table


exercise.also_right(
    full("theta = base ** (-torch.arange(0, d_model // 2, 2, dtype=torch.float64) / (d_model // 2))\n"
         'y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")\n'
         "turns = torch.exp(1j * torch.stack((y, x), dim=-1).reshape(-1, 2, 1) * theta)\n"
         "return torch.view_as_real(turns).flip(-1).flatten(1)", "complex numbers"))


exercise.mistake("x-and-y-swapped", "two-dimensions",
    "The halves are exchanged: the first half of the columns must encode the patch's row, the second half "
    "its column.",
    edit(repeat_interleave_repeat, {"(rows, columns)": "(columns, rows)"}),
    edit(repeat_interleave_repeat, {"= base": "= 10000.0",
                                    "(rows, columns)": "(columns, rows)"}, "and base ignored"))

exercise.mistake("column-major", "rows-and-columns-of-patches",
    "The patches are numbered down the columns. They go row by row: patch 1 is the right neighbour of "
    "patch 0.",
    edit(repeat_interleave_repeat, {"repeat_interleave": "repeat", "dim=0": "1",
                                    "repeat(height, 1)": "repeat_interleave(height, dim=0)"}))

exercise.mistake("divided-by-height", "rows-and-columns-of-patches",
    "The patches are counted with the height in place of the width. The patch in row y and column x has "
    "the number y · width + x, so patch i is in row i // width and column i % width. (Numbering down the "
    "columns and exchanging the halves gives the same wrong table.)",
    edit(number_patch, {"hstack([line(height": "cat((line(height * width",
                        "width], line(": "height], line(height *", "width]])": "height]), dim=1)"}),
    edit(number_patch, {"hstack([line(height": "cat((line(height * width",
                        "width], line(": "height], line(height *",
                        "width]])": "width]), dim=1)"}, "only the row"),
    edit(number_patch, {"hstack([line(height": "cat((line(height * width", "(width": "(height * width",
                        "width]])": "height]), dim=1)"}, "only the column"),
    edit(plain, {"table[y * width + x] = torch.cat((r[y], c[x]))":
                 "if y * height + x < len(table):\n"
                 "    table[y * height + x] = torch.cat((r[y], c[x]))"},
         "in a loop, stops where the table ends"),
    edit(plain, {"y * width + x": "(y * height + x) % len(table)"},
         "in a loop, wraps round at the table's end"),
    edit(plain, {"width + x": "height + x"}, "in a loop, runs past the table's end"))

exercise.mistake("d-model-for-each-axis", "two-dimensions",
    "Each axis gets d_model columns, so the table is twice as wide as it should be. Each axis gets "
    "d_model/2.",
    edit(repeat_interleave_repeat, {every("// 2"): ""}),
    edit(repeat_interleave_repeat, {every("// 2"): "", "(rows, columns)": "(columns, rows)"}, "swapped"),
    edit(repeat_interleave_repeat, {every("// 2"): "", "repeat_interleave": "repeat", "dim=0": "1",
                                    "repeat(height, 1)": "repeat_interleave(height, dim=0)"}, "column-major"),
    edit(number_patch, {"i = torch.arange(height * width)":
                        "rows = line(height, d_model)[:, None].expand(height, width, d_model)\n"
                        "columns = line(width, d_model)[None].expand(height, width, d_model)",
                        "hstack([line(height, d_model // 2)[i // width], line(width, d_model // 2)[i % "
                        "width]])":
                        "cat((rows, columns), dim=-1)"}, "not flattened"))

exercise.mistake("frequencies-of-d-model", "two-dimensions",
    "Each half is a piece of an encoding of width d_model, so its frequencies are too high. Make a whole "
    "1-D encoding of width d_model/2 for each axis: its exponent is −2j/(d_model/2).",
    edit(repeat_interleave_repeat, {"2) / d": "2) / d_model"}),
    edit(repeat_interleave_repeat, {"// 2), line(width, d_model // 2)":
                                    ")[:, : d_model // 2], line(width, d_model)[:, d_model // 2 :]"},
         "the second half for the column"),
    edit(repeat_interleave_repeat, {"// 2), line(width, d_model // 2)":
                                    ")[:, d_model // 2 :], line(width, d_model)[:, d_model // 2 :]"},
         "second halves"),
    edit(repeat_interleave_repeat, {"2) / d": "2) / d_model",
                                    "(rows, columns)": "(columns, rows)"}, "exponent −2j/d_model, swapped"))

exercise.mistake("sine-of-one-axis", "two-dimensions",
    "The row has sines only, and the column cosines only. Each axis gets a whole 1-D encoding of width "
    "d_model/2, with sines and cosines.",
    full("i, theta = torch.arange(height * width)[:, None], base ** (-torch.arange(0, d_model, 2) / "
         "d_model)\n"
         "return torch.cat(((i // width * theta).sin(), (i % width * theta).cos()), dim=1)"),
    full("i, theta = torch.arange(height * width)[:, None], base ** (-torch.arange(0, d_model, 2) / "
         "d_model)\n"
         "return torch.stack(((i // width * theta).sin(), (i % width * theta).cos()), dim=-1).flatten(1)",
         "alternating"))

exercise.mistake("added", "two-dimensions",
    "The two encodings are added (or multiplied), so row and column can no longer be told apart. Put them "
    "side by side, d_model/2 columns each.",
    edit(repeat_interleave_repeat, {every("// 2"): "",
                                    "return torch.cat((rows, columns), dim=1)": "return rows + columns"}),
    edit(repeat_interleave_repeat, {"(rows, columns)": "(rows+ columns, rows + columns)"},
         "halves, then twice"),
    edit(repeat_interleave_repeat, {"return torch.cat((rows, columns), dim=1)": "return rows + columns"},
         "half the width"),
    edit(repeat_interleave_repeat, {every("// 2"): "",
                                    "return torch.cat((rows, columns), dim=1)": "return rows * columns"},
         "multiplied"),
    edit(repeat_interleave_repeat, {every("// 2"): "",
                                    "torch.cat((rows, columns), dim=1)": "(rows + columns) / 2"}, "mean"))

exercise.mistake("halves-interleaved", "two-dimensions",
    "Columns of the row's and of the column's encoding alternate. The row's encoding comes first as a "
    "whole, then the column's.",
    edit(repeat_interleave_repeat, {"cat": "stack", "dim=1)": "dim=-1).flatten(1)"}),
    edit(repeat_interleave_repeat, {"return torch.cat((rows, columns), dim=1)":
                                    "table = torch.zeros(height * width, d_model)\n"
                                    "table[:, 0::2] = columns\n"
                                    "table[:, 1::2] = rows\n"
                                    "return table"}, "even and odd columns"),
    edit(repeat_interleave_repeat, {"((rows, columns), dim=1)":
                                    "((rows.unflatten(1, (-1, 2)), columns.unflatten(1, (-1, 2))), "
                                    "dim=-1).flatten(1)"}, "pair by pair"),
    edit(repeat_interleave_repeat, {"((rows, columns), dim=1)":
                                    "((columns.unflatten(1, (-1, 2)), rows.unflatten(1, (-1, 2))), "
                                    "dim=-1).flatten(1)"}, "pair by pair, column first"))

exercise.mistake("sine-and-cosine-blocks", "interleaved-columns",
    "Inside a half, sines and cosines are in blocks. Each half is a 1-D encoding as before: sine and "
    "cosine alternate.",
    edit(repeat_interleave_repeat, {"stack": "cat", "dim=-1": "dim=1", ".flatten(1)": ""}),
    edit(repeat_interleave_repeat, {"stack": "cat", "(rows, columns)": "(columns, rows)"}, "swapped"),
    edit(repeat_interleave_repeat, {"(rows, columns)":
                                    "(rows[:, 0::2], columns[:, 0::2], rows[:, 1::2], columns[:, 1::2])"},
         "all sines first"))

exercise.mistake("one-dimensional", "two-dimensions",
    "The patches are numbered 0, 1, 2, ... and encoded as a line. Each patch has two positions, a row and "
    "a column.",
    edit(number_patch, {"i = torch.arange(height * width)": "",
                        "torch.hstack([line(height, d_model // 2)[i // width], line(width, d_model // "
                        "2)[i % width]])":
                        "line(height * width, d_model)"}),
    edit(number_patch, {"i = torch.arange": "table = line", "* width": "* width, d_model // 2",
                        "hstack([line(height, d_model // 2)[i // width], line(width, d_model // 2)[i % "
                        "width]])":
                        "cat((table, table), dim=1)"}, "half width, twice"))

exercise.mistake("one-axis-only", "two-dimensions",
    "Both halves encode the same axis, or one half is left empty. The first encodes the row, the second "
    "the column.",
    edit(repeat_interleave_repeat, {"(rows, columns)": "(rows, rows)"}, "the row twice"),
    edit(repeat_interleave_repeat, {"(rows": "(columns"}, "the column twice"),
    edit(repeat_interleave_repeat, {"(rows, columns)": "(rows, torch.zeros_like(rows))"},
         "the second half empty"),
    edit(repeat_interleave_repeat, {"// 2),": "),",
                                    "return torch.cat((rows, columns), dim=1)": "return rows"},
         "the row alone, full width"),
    edit(repeat_interleave_repeat, {"width, d_model // 2": "width, d_model",
                                    "return torch.cat((rows, columns), dim=1)": "return columns"},
         "the column alone, full width"),
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "table, half = torch.zeros(height, width, d_model), d_model // 2\n"
         "table[..., :half] = line(height, half, base)[:, None]\n"
         "table[..., :half] = line(width, half, base)\n"
         "return table.reshape(-1, d_model)", "the column written over the row"),
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "table, half = torch.zeros(height, width, d_model), d_model // 2\n"
         "table[..., half:] = line(width, half, base)\n"
         "return table.reshape(-1, d_model)", "the first half empty"),
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "table, half = torch.zeros(height, width, d_model), d_model // 2\n"
         "table[..., half:] = line(height, half, base)[:, None]\n"
         "return table.reshape(-1, d_model)", "the row written to the second half alone"))

exercise.mistake("both-repeated-alike", "rows-and-columns-of-patches",
    "Rows and columns are repeated in the same way. A row's code is repeated patch by patch, a column's "
    "code as a whole line: one needs repeat_interleave, the other repeat.",
    edit(repeat_interleave_repeat, {"repeat_interleave": "repeat", "dim=0": "1"}, "repeat"),
    edit(repeat_interleave_repeat, {"repeat(height, 1)": "repeat_interleave(height, dim=0)"},
         "repeat_interleave"))

exercise.mistake("not-flattened", "rows-and-columns-of-patches",
    "The table still has an axis for rows and one for columns. Flatten them: (height*width, d_model).",
    edit(repeat_interleave_repeat, {"dim=1)": "dim=1).view(height, width, d_model)"}),
    edit(repeat_interleave_repeat, {"((rows, columns), dim=1)":
                                    "((columns, rows), dim=1).view(height, width, d_model)"}, "swapped"),
    edit(repeat_interleave_repeat, {"dim=1)": "dim=1).view(height, width, d_model).permute(2, 0, 1)"},
         "columns first"),
    edit(repeat_interleave_repeat, {"dim=1)": "dim=1)[None]"}, "a batch axis"))

exercise.mistake("transposed", "two-dimensions",
    "Patches and columns of the table are exchanged. A row of the table is a patch: (height*width, d_model).",
    edit(repeat_interleave_repeat, {"dim=1)": "dim=1).T"}))

exercise.mistake("class-token-row", "two-dimensions",
    "The table has one row more than there are patches. The class token gets its position elsewhere: "
    "return height*width rows.",
    edit(repeat_interleave_repeat, {"torch.cat": "torch.cat((torch.zeros(1, d_model), torch.cat",
                                    "dim=1)": "dim=1)))"}, "zeros"))

exercise.mistake("positions-from-one", "sinusoidal-formula",
    "Rows and columns are counted from 1. They count from 0: the first patch's code is 0, 1, 0, 1 and so on.",
    edit(repeat_interleave_repeat, {"arange(n)": "arange(1, n + 1)"}),
    edit(repeat_interleave_repeat, {"torch.arange(n)": "(torch.arange(n) + 0.5)"}, "half a patch"))

exercise.mistake("positions-scaled", "index-and-binary",
    "Rows and columns are divided by the image's size. Use 0, 1, 2, ... as they are.",
    edit(repeat_interleave_repeat, {"torch.arange(n)": "(torch.arange(n) /n)"}),
    edit(repeat_interleave_repeat, {"arange(n)": "linspace(0, 1,n)"}, "from 0 to 1"),
    edit(repeat_interleave_repeat, {"arange(n)": "linspace(-1, 1,n)"}, "from −1 to 1"))

exercise.mistake("sin-cos-swapped", "interleaved-columns",
    "Sine and cosine have changed places. In each half the sine stands in the even columns.",
    edit(repeat_interleave_repeat, {"sin": "cos", "cos": "sin"}))

exercise.mistake("base-1000", "base-ten-thousand",
    "Where no base is given, your table is not that of base 10,000. Check the default of base, and the "
    "number in the frequencies.",
    edit(repeat_interleave_repeat, {"10000.0": "1000.0"}),
    edit(repeat_interleave_repeat, {"= base": "= 1000.0"}, "as a number"),
    edit(repeat_interleave_repeat, {"10000.0": "100.0"}, "100"),
    edit(repeat_interleave_repeat, {"10000.0": "100000.0"}, "one zero more"))

exercise.mistake("base-ignored", "base-ten-thousand",
    "With another base the table stays that of 10,000. Hand base on to the 1-D encoding of both axes.",
    edit(repeat_interleave_repeat, {"= base": "= 10000.0"}),
    edit(library_1, {"r = line(height, d_model // 2, base)":
                     "r, c = line(height, d_model // 2, base), line(width, d_model // 2)",
                     "c = line(width, d_model // 2, base)": ""}, "for the column"))

exercise.mistake("exponent-doubled", "sinusoidal-formula",
    "The frequencies fall twice as fast as they should. Each half is a 1-D encoding of width d_model/2, "
    "with θ_j = base^(−2j/(d_model/2)).",
    edit(repeat_interleave_repeat, {"-torch": "- 2 * torch"}))

exercise.mistake("exponent-divisor", "sinusoidal-formula",
    "The exponent is divided by a number other than the width of a half. Each half is a 1-D encoding of "
    "width d_model/2.",
    edit(repeat_interleave_repeat, {"0, d, 2) / d)": "d // 2) / max(d // 2 - 1, 1))"}, "d/2 − 1"),
    edit(repeat_interleave_repeat, {"2) / d)": "2) / (d - 1))"}, "d − 1"))

exercise.mistake("frequencies-grow", "wavelengths",
    "The waves get faster from pair to pair. They must get slower: the exponent is negative.",
    edit(repeat_interleave_repeat, {"-torch": "torch"}),
    full("half = d_model // 2\n"
         "return torch.tensor([[f(p * base ** (k / half)) for p in (r, c) for k in range(0, half, 2)\n"
         "                      for f in (math.sin, math.cos)]\n"
         "                     for r in range(height) for c in range(width)])", "in a loop over numbers"))

exercise.mistake("pair-from-one", "sinusoidal-formula",
    "The pairs are counted from j = 1. The first pair is j = 0, with frequency 1.",
    edit(repeat_interleave_repeat, {"0, d, 2": "2, d + 2, 2"}))

exercise.mistake("wrong-order", "rows-and-columns-of-patches",
    "The patches are in another order. They go row by row from top to bottom, and in each row from left to "
    "right.",
    edit(library_1, {"r[y]": "r[height - 1 - y]"}, "from the bottom up"),
    edit(library_1, {"c[x]": "c[width - 1 - x if y % 2 else x]"}, "there and back again"),
    edit(library_1, {"c[x]": "c[width - 1 - x]"}, "from right to left"),
    edit(library_1, {"width)])": "width)]).flip(0)"}, "from the end"))

exercise.mistake("row-not-rounded", "rows-and-columns-of-patches",
    "The row of a patch is a fraction. All patches of one row have the same row number: divide with // "
    "instead of /.",
    full("half = d_model // 2\n"
         "i, theta = torch.arange(height * width)[:, None], base ** (-torch.arange(0, half, 2) / half)\n"
         "y, x = i / width * theta, i % width * theta\n"
         "return torch.cat((torch.stack((y.sin(), y.cos()), -1).flatten(1),\n"
         "                  torch.stack((x.sin(), x.cos()), -1).flatten(1)), dim=1)"))

exercise.mistake("column-counts-on", "rows-and-columns-of-patches",
    "The column number goes on counting in the next row. It begins at 0 in each row: take the remainder, %.",
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "i = torch.arange(height * width)\n"
         "return torch.cat((line(height, d_model // 2, base)[i // width],\n"
         "                  line(height * width, d_model // 2, base)[i]), dim=1)"))

exercise.mistake("row-counts-on", "rows-and-columns-of-patches",
    "The first half counts on from patch to patch. All patches of one row have the same row number: divide "
    "the patch's number by the width, with //.",
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "i = torch.arange(height * width)\n"
         "return torch.cat((line(height * width, d_model // 2, base)[i],\n"
         "                  line(width, d_model // 2, base)[i % width]), dim=1)"))

exercise.mistake("reshaped-wrongly", "rows-and-columns-of-patches",
    "The numbers are right, but a reshape puts them into wrong places. Join row and column along the last "
    "axis, and only then flatten the axes of the patches.",
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "r = line(height, d_model // 2, base)[:, None].expand(-1, width, -1)\n"
         "c = line(width, d_model // 2, base)[None].expand(height, -1, -1)\n"
         "return torch.cat((r, c), dim=-1).permute(2, 0, 1).reshape(height * width, d_model)",
         "channels first"),
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "i = torch.arange(height * width)\n"
         "return torch.cat((line(height, d_model // 2, base)[i // width],\n"
         "                  line(width, d_model // 2, base)[i % width])).reshape(height * width, d_model)",
         "concatenated along the patches"))

exercise.mistake("patches-axis-dropped", "two-dimensions",
    "An image of one patch comes back without the axis of patches: squeeze takes it away. The table has two "
    "axes always, (height*width, d_model).",
    edit(repeat_interleave_repeat, {"dim=1)": "dim=1).squeeze()"}))

exercise.mistake("joined-along-patches", "two-dimensions",
    "The codes of the columns stand below those of the rows. They belong beside them: join along the last "
    "axis.",
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "i = torch.arange(height * width)\n"
         "return torch.cat((line(height, d_model // 2, base)[i // width],\n"
         "                  line(width, d_model // 2, base)[i % width]))"))

exercise.mistake("not-joined", "two-dimensions",
    "Row and column are not joined. Put the two halves side by side in one table, (height*width, d_model).",
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "i = torch.arange(height * width)\n"
         "return line(height, d_model // 2, base)[i // width], line(width, d_model // 2, base)[i % width]"),
    edit(products, {"cat": "stack"}, "stacked"),
    edit(library_1, {"torch.stack([torch.cat((r": "[(r", "c[x])": "c[x]",
                     "width)])": "width)]"}, "a list of pairs"))

exercise.mistake("tables-exchanged", "rows-and-columns-of-patches",
    "An index is out of bounds: a table is indexed with the other's numbers, or has the other's length. "
    "There are height row numbers and width column numbers.",
    edit(library_1, {"r = line": "r , c = line(width, d_model // 2, base), line",
                     "c = line(width, d_model // 2, base)": ""}),
    edit(library_1, {"[y], c[x]": "[x], c[y]"}, "the numbers"))

exercise.mistake("loop-too-short", "rows-and-columns-of-patches",
    "Some patches, or a half of some, stay 0. Every patch has a row and a column: check where your loop or "
    "slice begins and ends.",
    full("from allyouneed.nn.positions import sinusoidal_encoding as line\n"
         "table, half = torch.zeros(height, width, d_model), d_model // 2\n"
         "table[..., :half] = line(height, half, base)[:, None]\n"
         "table[0, :, half:] = line(width, half, base)\n"
         "return table.reshape(-1, d_model)", "the columns of the first row alone"),
    edit(plain, {"(height)": "(height - 1)"}, "the last row"),
    edit(plain, {"(width)": "(width - 1)"}, "the last column"))

exercise.mistake("positions-rounded", "two-dimensions",
    "Rows and columns are cast to bfloat16, which is exact up to 256 only. Compute the angles in float32 or "
    "float64.",
    full("def line(n):\n"
         "    theta = base ** (-torch.arange(0, d_model // 2, 2) / (d_model // 2))\n"
         "    angles = torch.arange(n).bfloat16().float()[:, None] * theta\n"
         "    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)\n"
         "rows = line(height)[:, None].expand(height, width, d_model // 2)\n"
         "columns = line(width)[None].expand(height, width, d_model // 2)\n"
         "return torch.cat((rows, columns), dim=-1).flatten(0, 1)"))

exercise.built_in("ready-made",
    full("from allyouneed.nn.positions import sinusoidal_2d as ready\n"
         "return ready(height, width, d_model, base)", "the library's"))

exercise.built_in("returns-nothing",
    edit(repeat_interleave_repeat, {"return torch.cat": "table = torch.cat"}))

exercise.built_in("timeout",
    full("row = 0\n"
         "while row < height:\n"
         "    column = 0\n"
         "    while column < width:\n"
         "        column += 1\n"
         "return row"))

exercise.equal("float32 is exact enough, and whole numbers become floats where they meet frequencies", {
    ".float()": "", ".double()": "", ", dtype=torch.float64": ""})
exercise.equal("d_model is a multiple of 4, so half of it is even and a quarter of it is whole", {
    "half, 2": "half - 1, 2", "d, 2": "d - 1, 2", "d_model // 2, 2": "d_model // 2 - 1, 2",
    "d_model // 2": "d_model / 2", "d_model // 4": "d_model / 4", "0:half:2": "0:half - 1:2",
    "1:half:2": "1:half + 1:2"})
exercise.equal("the cosine of an angle is that of its negative", {
    "angles.cos()": "-angles.cos()", "cos(p /": "cos(-p /", "cos(xs": "cos(-xs", "cos(ys": "cos(-ys"})
exercise.equal("every entry is written before the table is returned", {"torch.zeros": "torch.ones"})
exercise.equal("a slice begins at 0 by itself, and meshgrid's first argument gives the rows by itself", {
    "0:half": ":half", ', indexing="ij"': ""})
exercise.equal("a line may be encoded further than it is looked up", {"arange(n)": "arange(n + 1)"})
