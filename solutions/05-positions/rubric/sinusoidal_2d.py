"""The rubric of sinusoidal_2d: reference, probes, mistakes with their messages, and the evidence that they are right."""

import math

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "sinusoidal_2d",
    points={"rows and columns": 3, "other bases and large images": 1},
    section="two-dimensions",
    any_float=True,
    compact=True,
    properties=[{"rule": "finite"}, {"rule": "lengths", "pairs": True, "what": "A pair of sine and cosine"}],
    mistakes={
        "x-and-y-swapped": ("The halves are exchanged: the first half of the columns must encode the patch's row, the second half its column.",
                            "two-dimensions"),
        "column-major": ("The patches are numbered down the columns. They go row by row: patch 1 is the right neighbour of patch 0.",
                         "rows-and-columns-of-patches"),
        "d-model-for-each-axis": ("Each axis gets d_model columns, so the table is twice as wide as it should be. Each axis gets d_model/2.", "two-dimensions"),
        "frequencies-of-d-model": ("Each half is a piece of an encoding of width d_model, so its frequencies are too high. Make a whole 1-D encoding of width "
                                   "d_model/2 for each axis: its exponent is −2j/(d_model/2).", "two-dimensions"),
        "added": ("The two encodings are added (or multiplied), so row and column can no longer be told apart. Put them side by side, d_model/2 columns each.",
                  "two-dimensions"),
        "halves-interleaved": ("Columns of the row's and of the column's encoding alternate. The row's encoding comes first as a whole, then the column's.",
                               "two-dimensions"),
        "sine-and-cosine-blocks": ("Inside a half, sines and cosines are in blocks. Each half is a 1-D encoding as before: sine and cosine alternate.",
                                   "interleaved-columns"),
        "one-dimensional": ("The patches are numbered 0, 1, 2, ... and encoded as a line. Each patch has two positions, a row and a column.", "two-dimensions"),
        "one-axis-only": ("Both halves encode the same axis, or one half is left empty. The first encodes the row, the second the column.", "two-dimensions"),
        "divided-by-height": ("The patches are counted with the height in place of the width. The patch in row y and column x has the number y · width + x, so patch i is in row "
                              "i // width and column i % width. (Numbering down the columns and exchanging the halves gives the same wrong table.)",
                              "rows-and-columns-of-patches"),
        "both-repeated-alike": ("Rows and columns are repeated in the same way. A row's code is repeated patch by patch, a column's code as a whole line: "
                                "one needs repeat_interleave, the other repeat.", "rows-and-columns-of-patches"),
        "not-flattened": ("The table still has an axis for rows and one for columns. Flatten them: (height*width, d_model).", "rows-and-columns-of-patches"),
        "transposed": ("Patches and columns of the table are exchanged. A row of the table is a patch: (height*width, d_model).", "two-dimensions"),
        "class-token-row": ("The table has one row more than there are patches. The class token gets its position elsewhere: return "
                            "height*width rows.",
                            "two-dimensions"),
        "positions-from-one": ("Rows and columns are counted from 1. They count from 0: the first patch's code is 0, 1, 0, 1 and so on.", "sinusoidal-formula"),
        "positions-scaled": ("Rows and columns are divided by the image's size. Use 0, 1, 2, ... as they are.", "index-and-binary"),
        "sin-cos-swapped": ("Sine and cosine have changed places. In each half the sine stands in the even columns.", "interleaved-columns"),
        "base-1000": ("Where no base is given, your table is not that of base 10,000. Check the default of base, and the number in the frequencies.", "base-ten-thousand"),
        "base-ignored": ("With another base the table stays that of 10,000. Hand base on to the 1-D encoding of both axes.", "base-ten-thousand"),
        "exponent-doubled": ("The frequencies fall twice as fast as they should. Each half is a 1-D encoding of width d_model/2, with θ_j = base^(−2j/(d_model/2)).",
                             "sinusoidal-formula"),
        "exponent-divisor": ("The exponent is divided by a number other than the width of a half. Each half is a 1-D encoding of width d_model/2.",
                             "sinusoidal-formula"),
        "frequencies-grow": ("The waves get faster from pair to pair. They must get slower: the exponent is negative.", "wavelengths"),
        "pair-from-one": ("The pairs are counted from j = 1. The first pair is j = 0, with frequency 1.", "sinusoidal-formula"),
        "sine-of-one-axis": ("The row has sines only, and the column cosines only. Each axis gets a whole 1-D encoding of width d_model/2, with sines and cosines.", "two-dimensions"),
        "wrong-order": ("The patches are in another order. They go row by row from top to bottom, and in each row from left to right.", "rows-and-columns-of-patches"),
        "row-not-rounded": ("The row of a patch is a fraction. All patches of one row have the same row number: divide with // instead of /.", "rows-and-columns-of-patches"),
        "column-counts-on": ("The column number goes on counting in the next row. It begins at 0 in each row: take the remainder, %.", "rows-and-columns-of-patches"),
        "row-counts-on": ("The first half counts on from patch to patch. All patches of one row have the same row number: divide the patch's number by the width, with //.", "rows-and-columns-of-patches"),
        "reshaped-wrongly": ("The numbers are right, but a reshape puts them into wrong places. Join row and column along the last axis, and only then flatten the axes of the patches.",
                             "rows-and-columns-of-patches"),
        "joined-along-patches": ("The codes of the columns stand below those of the rows. They belong beside them: join along the last axis.", "two-dimensions"),
        "not-joined": ("Row and column are not joined. Put the two halves side by side in one table, (height*width, d_model).", "two-dimensions"),
        "tables-exchanged": ("An index is out of bounds: a table is indexed with the other's numbers, or has the other's length. There are "
                             "height row numbers and width column numbers.", "rows-and-columns-of-patches"),
        "loop-too-short": ("Some patches, or a half of some, stay 0. Every patch has a row and a column: check where your loop or slice begins and ends.", "rows-and-columns-of-patches"),
    },
)


@exercise.probes
def _(make):
    yield make.probe("two rows, three columns", *make.pick((2, 3, 8), (2, 4, 8), (2, 3, 12)), group="rows and columns")
    yield make.probe("more rows than columns", *make.pick((4, 3, 8), (5, 2, 16), (6, 4, 8)), group="rows and columns")
    yield make.probe("more columns than rows", *make.pick((2, 5, 12), (4, 5, 12), (3, 7, 16)), group="rows and columns")
    yield make.probe("a square image", *make.pick((3, 3, 8), (4, 4, 8), (5, 5, 8)), group="rows and columns")
    yield make.probe("one pair for each axis", *make.pick((3, 2, 4), (2, 3, 4), (3, 4, 4)), group="rows and columns", edge=True)
    yield make.probe("one row", 1, make.pick(4, 5, 6), make.pick(4, 8, 12), group="rows and columns", edge=True)
    yield make.probe("one column", make.pick(4, 6, 7), 1, make.pick(4, 8, 12), group="rows and columns", edge=True)
    yield make.probe("base 50", *make.pick((2, 3, 8), (3, 2, 8), (4, 3, 8)), make.pick(50.0, 30.0, 70.0), group="other bases and large images")
    yield make.probe("a whole number as base, by name", *make.pick((3, 2, 8), (2, 4, 12), (4, 3, 12)), base=make.pick(200, 300, 64),
                     group="other bases and large images", edge=True)
    yield make.probe("a large image", *make.pick((11, 14, 16), (13, 12, 16), (12, 15, 16)), group="other bases and large images", long=True)


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


@exercise.alternative("repeat_interleave and repeat")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.alternative("the library's 1-D encoding")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r = line(height, d_model // 2, base)
    c = line(width, d_model // 2, base)
    return torch.stack([torch.cat((r[y], c[x])) for y in range(height) for x in range(width)])


@exercise.alternative("number of the patch")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    i = torch.arange(height * width)
    return torch.hstack([line(height, d_model // 2)[i // width], line(width, d_model // 2)[i % width]])


@exercise.alternative("meshgrid")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    return torch.cat((line(height, d_model // 2)[y.flatten()], line(width, d_model // 2)[x.flatten()]), dim=-1)


@exercise.alternative("loops over numbers, a nested list")
def _(height, width, d_model, base=10000.0):
    table, half = [], d_model // 2
    for row in range(height):
        for column in range(width):
            code = []
            for p in (row, column):
                for k in range(0, half, 2):
                    code += [math.sin(p / base ** (k / half)), math.cos(p / base ** (k / half))]
            table.append(code)
    return table


@exercise.alternative("filled block by block, float64")
def _(height, width, d_model, base=10000.0):
    out = torch.zeros(height, width, d_model, dtype=torch.float64)
    theta = torch.exp(torch.arange(d_model // 4).double() * (-4 * math.log(base) / d_model))
    ys, xs = torch.arange(height).double(), torch.arange(width).double()
    half = d_model // 2
    out[..., 0:half:2] = torch.sin(ys[:, None] * theta)[:, None]
    out[..., 1:half:2] = torch.cos(ys[:, None] * theta)[:, None]
    out[..., half::2] = torch.sin(xs[:, None] * theta)
    out[..., half + 1::2] = torch.cos(xs[:, None] * theta)
    return out.view(-1, d_model)


@exercise.alternative("complex numbers")
def _(height, width, d_model, base=10000.0):
    theta = base ** (-torch.arange(0, d_model // 2, 2, dtype=torch.float64) / (d_model // 2))
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    turns = torch.exp(1j * torch.stack((y, x), dim=-1).reshape(-1, 2, 1) * theta)
    return torch.view_as_real(turns).flip(-1).flatten(1)


@exercise.alternative("products with matrices of zeros and ones")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    rows, columns = torch.kron(torch.eye(height), torch.ones(width, 1)), torch.kron(torch.ones(height, 1), torch.eye(width))
    return torch.cat((rows @ line(height, d_model // 2, base), columns @ line(width, d_model // 2, base)), dim=1)


@exercise.wrong("x-and-y-swapped")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((columns, rows), dim=1)


@exercise.wrong("x-and-y-swapped", "by meshgrid's xy")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    return torch.cat((line(width, d_model // 2)[x.flatten()], line(height, d_model // 2)[y.flatten()]), dim=-1)


@exercise.wrong("column-major")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat(width, 1)
    columns = columns.repeat_interleave(height, dim=0)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("divided-by-height", "column-major, and the halves exchanged")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat(width, 1)
    columns = columns.repeat_interleave(height, dim=0)
    return torch.cat((columns, rows), dim=1)


@exercise.wrong("column-major", "expanded the other way and flattened")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows = line(height, d_model // 2)[None].expand(width, height, -1)
    columns = line(width, d_model // 2)[:, None].expand(width, height, -1)
    return torch.cat((rows, columns), dim=-1).flatten(0, 1)


@exercise.wrong("d-model-for-each-axis")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model), line(width, d_model)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("d-model-for-each-axis", "swapped")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model), line(width, d_model)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((columns, rows), dim=1)


@exercise.wrong("d-model-for-each-axis", "column-major")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model), line(width, d_model)
    rows = rows.repeat(width, 1)
    columns = columns.repeat_interleave(height, dim=0)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("d-model-for-each-axis", "not flattened")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows = line(height, d_model)[:, None].expand(height, width, d_model)
    columns = line(width, d_model)[None].expand(height, width, d_model)
    return torch.cat((rows, columns), dim=-1)


@exercise.wrong("frequencies-of-d-model")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model)[:, : d_model // 2], line(width, d_model)[:, : d_model // 2]
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("frequencies-of-d-model", "the second half for the column")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model)[:, : d_model // 2], line(width, d_model)[:, d_model // 2 :]
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("frequencies-of-d-model", "second halves")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model)[:, d_model // 2 :], line(width, d_model)[:, d_model // 2 :]
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("frequencies-of-d-model", "exponent −2j/d_model")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d_model)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("sine-of-one-axis", "every other column of a wide encoding")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model)[:, 0::2], line(width, d_model)[:, 1::2]
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("frequencies-of-d-model", "exponent −2j/d_model, swapped")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d_model)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((columns, rows), dim=1)


@exercise.wrong("added")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model), line(width, d_model)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return rows + columns


@exercise.wrong("added", "halves, then twice")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows + columns, rows + columns), dim=1)


@exercise.wrong("added", "half the width")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return rows + columns


@exercise.wrong("added", "multiplied")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model), line(width, d_model)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return rows * columns


@exercise.wrong("added", "mean")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model), line(width, d_model)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return (rows + columns) / 2


@exercise.wrong("halves-interleaved")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.stack((rows, columns), dim=-1).flatten(1)


@exercise.wrong("halves-interleaved", "even and odd columns")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    table = torch.zeros(height * width, d_model)
    table[:, 0::2] = columns
    table[:, 1::2] = rows
    return table


@exercise.wrong("halves-interleaved", "pair by pair")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows.unflatten(1, (-1, 2)), columns.unflatten(1, (-1, 2))), dim=-1).flatten(1)


@exercise.wrong("halves-interleaved", "pair by pair, column first")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((columns.unflatten(1, (-1, 2)), rows.unflatten(1, (-1, 2))), dim=-1).flatten(1)


@exercise.wrong("sine-and-cosine-blocks")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.cat((angles.sin(), angles.cos()), dim=1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("sine-and-cosine-blocks", "swapped")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.cat((angles.sin(), angles.cos()), dim=1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((columns, rows), dim=1)


@exercise.wrong("sine-and-cosine-blocks", "all sines first")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows[:, 0::2], columns[:, 0::2], rows[:, 1::2], columns[:, 1::2]), dim=1)


@exercise.wrong("one-dimensional")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return line(height * width, d_model)


@exercise.wrong("one-dimensional", "half width, twice")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    table = line(height * width, d_model // 2)
    return torch.cat((table, table), dim=1)


@exercise.wrong("one-axis-only", "the row twice")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, rows), dim=1)


@exercise.wrong("one-axis-only", "the column twice")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((columns, columns), dim=1)


@exercise.wrong("one-axis-only", "the second half empty")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, torch.zeros_like(rows)), dim=1)


@exercise.wrong("one-axis-only", "the row alone, full width")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return rows


@exercise.wrong("one-axis-only", "the column alone, full width")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return columns


@exercise.wrong("divided-by-height")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    i = torch.arange(height * width)
    return torch.cat((line(height * width, d_model // 2)[i // height], line(height * width, d_model // 2)[i % height]), dim=1)


@exercise.wrong("divided-by-height", "only the row")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    i = torch.arange(height * width)
    return torch.cat((line(height * width, d_model // 2)[i // height], line(height * width, d_model // 2)[i % width]), dim=1)


@exercise.wrong("divided-by-height", "only the column")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    i = torch.arange(height * width)
    return torch.cat((line(height * width, d_model // 2)[i // width], line(height * width, d_model // 2)[i % height]), dim=1)


@exercise.wrong("divided-by-height", "width rows of height columns")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    r, c = line(width, d_model // 2), line(height, d_model // 2)
    return torch.stack([torch.cat((r[y], c[x])) for y in range(width) for x in range(height)])


@exercise.wrong("both-repeated-alike", "repeat")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat(width, 1)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("both-repeated-alike", "repeat_interleave")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat_interleave(height, dim=0)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("not-flattened")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1).view(height, width, d_model)


@exercise.wrong("not-flattened", "swapped")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((columns, rows), dim=1).view(height, width, d_model)


@exercise.wrong("not-flattened", "columns first")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1).view(height, width, d_model).permute(2, 0, 1)


@exercise.wrong("not-flattened", "a batch axis")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)[None]


@exercise.wrong("transposed")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1).T


@exercise.wrong("class-token-row", "zeros")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((torch.zeros(1, d_model), torch.cat((rows, columns), dim=1)))


@exercise.wrong("positions-from-one")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(1, n + 1)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("positions-from-one", "half a patch")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = (torch.arange(n) + 0.5)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("positions-scaled")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = (torch.arange(n) / n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("positions-scaled", "from 0 to 1")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.linspace(0, 1, n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("positions-scaled", "from −1 to 1")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.linspace(-1, 1, n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("sin-cos-swapped")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.cos(), angles.sin()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("base-1000")
def _(height, width, d_model, base=1000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("base-1000", "as a number")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = 1000.0 ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("base-1000", "100")
def _(height, width, d_model, base=100.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("x-and-y-swapped", "and base ignored")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = 10000.0 ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((columns, rows), dim=1)


@exercise.wrong("base-1000", "one zero more")
def _(height, width, d_model, base=100000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("base-ignored")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = 10000.0 ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("base-ignored", "not handed on")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(height, d_model // 2), line(width, d_model // 2)
    return torch.stack([torch.cat((r[y], c[x])) for y in range(height) for x in range(width)])


@exercise.wrong("base-ignored", "for the column")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(height, d_model // 2, base), line(width, d_model // 2)
    return torch.stack([torch.cat((r[y], c[x])) for y in range(height) for x in range(width)])


@exercise.wrong("exponent-doubled")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-2 * torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("exponent-divisor", "d/2 − 1")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(d // 2) / max(d // 2 - 1, 1))
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("exponent-divisor", "d − 1")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / (d - 1))
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("frequencies-grow")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("pair-from-one")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(2, d + 2, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    return torch.cat((rows, columns), dim=1)


@exercise.wrong("frequencies-grow", "in a loop over numbers")
def _(height, width, d_model, base=10000.0):
    half = d_model // 2
    return torch.tensor([[f(p * base ** (k / half)) for p in (r, c) for k in range(0, half, 2) for f in (math.sin, math.cos)]
                         for r in range(height) for c in range(width)])


@exercise.wrong("one-axis-only", "the column written over the row")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table, half = torch.zeros(height, width, d_model), d_model // 2
    table[..., :half] = line(height, half, base)[:, None]
    table[..., :half] = line(width, half, base)
    return table.reshape(-1, d_model)


@exercise.wrong("one-axis-only", "the first half empty")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table, half = torch.zeros(height, width, d_model), d_model // 2
    table[..., half:] = line(width, half, base)
    return table.reshape(-1, d_model)


@exercise.wrong("one-axis-only", "the row written to the second half alone")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table, half = torch.zeros(height, width, d_model), d_model // 2
    table[..., half:] = line(height, half, base)[:, None]
    return table.reshape(-1, d_model)


@exercise.wrong("sine-of-one-axis")
def _(height, width, d_model, base=10000.0):
    i, theta = torch.arange(height * width)[:, None], base ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.cat(((i // width * theta).sin(), (i % width * theta).cos()), dim=1)


@exercise.wrong("sine-of-one-axis", "alternating")
def _(height, width, d_model, base=10000.0):
    i, theta = torch.arange(height * width)[:, None], base ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.stack(((i // width * theta).sin(), (i % width * theta).cos()), dim=-1).flatten(1)


@exercise.wrong("sine-of-one-axis", "frequencies of the narrow width, twice")
def _(height, width, d_model, base=10000.0):
    half = d_model // 2
    i, theta = torch.arange(height * width)[:, None], base ** (-torch.arange(half) / half)
    return torch.cat(((i // width * theta).sin(), (i % width * theta).cos()), dim=1)


@exercise.wrong("divided-by-height", "in a loop, stops where the table ends")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table = torch.zeros(height * width, d_model)
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    for y in range(height):
        for x in range(width):
            if y * height + x < len(table):
                table[y * height + x] = torch.cat((r[y], c[x]))
    return table


@exercise.wrong("divided-by-height", "in a loop, wraps round at the table's end")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table = torch.zeros(height * width, d_model)
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    for y in range(height):
        for x in range(width):
            table[(y * height + x) % len(table)] = torch.cat((r[y], c[x]))
    return table


@exercise.wrong("divided-by-height", "in a loop, runs past the table's end")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table = torch.zeros(height * width, d_model)
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    for y in range(height):
        for x in range(width):
            table[y * height + x] = torch.cat((r[y], c[x]))
    return table


@exercise.wrong("wrong-order", "from the bottom up")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    return torch.stack([torch.cat((r[height - 1 - y], c[x])) for y in range(height) for x in range(width)])


@exercise.wrong("wrong-order", "there and back again")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    return torch.stack([torch.cat((r[y], c[width - 1 - x if y % 2 else x])) for y in range(height) for x in range(width)])


@exercise.wrong("wrong-order", "from right to left")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    return torch.stack([torch.cat((r[y], c[width - 1 - x])) for y in range(height) for x in range(width)])


@exercise.wrong("wrong-order", "from the end")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    return torch.stack([torch.cat((r[y], c[x])) for y in range(height) for x in range(width)]).flip(0)


@exercise.wrong("row-not-rounded")
def _(height, width, d_model, base=10000.0):
    half = d_model // 2
    i, theta = torch.arange(height * width)[:, None], base ** (-torch.arange(0, half, 2) / half)
    y, x = i / width * theta, i % width * theta
    return torch.cat((torch.stack((y.sin(), y.cos()), -1).flatten(1), torch.stack((x.sin(), x.cos()), -1).flatten(1)), dim=1)


@exercise.wrong("column-counts-on")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    i = torch.arange(height * width)
    return torch.cat((line(height, d_model // 2, base)[i // width], line(height * width, d_model // 2, base)[i]), dim=1)


@exercise.wrong("column-counts-on", "the row is right, by repeat_interleave")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    return torch.cat((line(height, d_model // 2, base).repeat_interleave(width, dim=0), line(height * width, d_model // 2, base)), dim=1)


@exercise.wrong("row-counts-on")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    i = torch.arange(height * width)
    return torch.cat((line(height * width, d_model // 2, base)[i], line(width, d_model // 2, base)[i % width]), dim=1)


@exercise.wrong("reshaped-wrongly", "channels first")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r = line(height, d_model // 2, base)[:, None].expand(-1, width, -1)
    c = line(width, d_model // 2, base)[None].expand(height, -1, -1)
    return torch.cat((r, c), dim=-1).permute(2, 0, 1).reshape(height * width, d_model)


@exercise.wrong("reshaped-wrongly", "concatenated along the patches")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    i = torch.arange(height * width)
    return torch.cat((line(height, d_model // 2, base)[i // width], line(width, d_model // 2, base)[i % width])).reshape(height * width, d_model)


@exercise.wrong("joined-along-patches")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    i = torch.arange(height * width)
    return torch.cat((line(height, d_model // 2, base)[i // width], line(width, d_model // 2, base)[i % width]))


@exercise.wrong("not-joined")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    i = torch.arange(height * width)
    return line(height, d_model // 2, base)[i // width], line(width, d_model // 2, base)[i % width]


@exercise.wrong("not-joined", "stacked")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    i = torch.arange(height * width)
    return torch.stack((line(height, d_model // 2, base)[i // width], line(width, d_model // 2, base)[i % width]), dim=1)


@exercise.wrong("tables-exchanged")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(width, d_model // 2, base), line(height, d_model // 2, base)
    return torch.stack([torch.cat((r[y], c[x])) for y in range(height) for x in range(width)])


@exercise.wrong("tables-exchanged", "by the patch's number")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    i = torch.arange(height * width)
    return torch.cat((line(width, d_model // 2, base)[i // width], line(height, d_model // 2, base)[i % width]), dim=1)


@exercise.wrong("loop-too-short", "the columns of the first row alone")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table, half = torch.zeros(height, width, d_model), d_model // 2
    table[..., :half] = line(height, half, base)[:, None]
    table[0, :, half:] = line(width, half, base)
    return table.reshape(-1, d_model)


@exercise.wrong("loop-too-short", "the last row")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table, half = torch.zeros(height * width, d_model), d_model // 2
    r, c = line(height, half, base), line(width, half, base)
    for y in range(height - 1):
        for x in range(width):
            table[y * width + x] = torch.cat((r[y], c[x]))
    return table


@exercise.wrong("loop-too-short", "the last column")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    table, half = torch.zeros(height * width, d_model), d_model // 2
    r, c = line(height, half, base), line(width, half, base)
    for y in range(height):
        for x in range(width - 1):
            table[y * width + x] = torch.cat((r[y], c[x]))
    return table


@exercise.wrong("tables-exchanged", "the numbers")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    return torch.stack([torch.cat((r[x], c[y])) for y in range(height) for x in range(width)])


@exercise.wrong("not-joined", "a list of pairs")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_encoding as line
    r, c = line(height, d_model // 2, base), line(width, d_model // 2, base)
    return [(r[y], c[x]) for y in range(height) for x in range(width)]


@exercise.wrong("ready-made", "the library's")
def _(height, width, d_model, base=10000.0):
    from allyouneed.positions import sinusoidal_2d as ready
    return ready(height, width, d_model, base)


@exercise.wrong("returns-nothing")
def _(height, width, d_model, base=10000.0):
    def line(n, d):
        theta = base ** (-torch.arange(0, d, 2) / d)
        angles = torch.arange(n)[:, None] * theta
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    rows, columns = line(height, d_model // 2), line(width, d_model // 2)
    rows = rows.repeat_interleave(width, dim=0)
    columns = columns.repeat(height, 1)
    table = torch.cat((rows, columns), dim=1)


@exercise.wrong("timeout")
def _(height, width, d_model, base=10000.0):
    row = 0
    while row < height:
        column = 0
        while column < width:
            column += 1
    return row
