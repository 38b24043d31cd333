"""resize_positions: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "resize_positions",
    points={"larger grids": 3, "all grids": 1},
    section="another-resolution",
    forbid=("resample_abs_pos_embed", "interpolate_pos_encoding"),
)


@exercise.probes
def probes(make):
    def probe(name, old, new, d_model, dtype=torch.float32, group="larger grids", **marks):
        table = make.randn(1 + old[0] * old[1], d_model, dtype=dtype)
        return make.probe(name, table, old, new, group=group, **marks)

    yield probe("two by two patches, doubled", (2, 2), (4, 4), 3, gradient=True)
    yield probe("all sizes different", (2, 3), *make.pick(((4, 7), 5), ((5, 8), 4), ((5, 6), 7)),
                gradient=True)
    yield probe("more rows than columns", (4, 2), *make.pick(((6, 5), 3), ((7, 3), 5), ((5, 3), 6)))
    yield probe("no whole multiple", (3, 4), *make.pick(((5, 7), 2), ((4, 9), 2), ((5, 6), 3)))
    yield probe("a wide grid of a square one", (3, 3), *make.pick(((4, 6), 4), ((5, 8), 4), ((3, 7), 5)))
    yield probe("more numbers than patches", (2, 3), (3, 5), 11)
    yield probe("as many numbers as rows", (3, 2), (5, 6), 3, edge=True)
    yield probe("rows and columns exchanged", (2, 4), (4, 2), 3, edge=True)
    edge = {"group": "all grids", "edge": True}
    yield probe("a smaller grid", (4, 6), (2, 3), make.pick(3, 4, 5), **edge)
    yield probe("a smaller grid, no whole part",
                *make.pick(((5, 7), (3, 4)), ((7, 6), (4, 5)), ((6, 7), (4, 3))), 3, **edge)
    yield probe("the same grid", (3, 2), (3, 2), 4, **edge)
    yield probe("one row", (1, 3), (1, 5), 4, **edge)
    yield probe("one patch", (1, 1), (2, 3), 4, **edge)
    yield probe("one number each", (2, 3), (4, 5), 1, **edge)
    yield probe("float64", (2, 3), (5, 4), 3, dtype=torch.float64, gradient=True, **edge)
    yield probe("not contiguous", (2, 3), (4, 5), 4, strided=True, **edge)
    yield probe("a quotient of rows that is rounded", *make.pick(((11, 2), (15, 3)), ((13, 2), (15, 4)),
                                                                 ((11, 3), (15, 2))), 2, **edge)
    if make.variant:
        yield probe("ViT at 384 pixels", (14, 14), (24, 24), 8, group="all grids", long=True)


@exercise.right
def reference(positions, old_grid, new_grid):
    h, w = old_grid
    grid = positions[1:].T.reshape(1, -1, h, w)
    grid = F.interpolate(grid, size=new_grid, mode="bilinear", align_corners=False)
    return torch.cat([positions[:1], grid[0].flatten(1).T])


@exercise.right("step by step, the width last and moved")
def moved(positions, old_grid, new_grid):
    cls, rest = positions[0], positions[1:]
    image = rest.view(old_grid[0], old_grid[1], -1) if rest.is_contiguous() else rest.reshape(*old_grid, -1)
    image = image.permute(2, 0, 1).unsqueeze(0)
    image = torch.nn.Upsample(tuple(new_grid), mode="bilinear")(image)
    image = image.squeeze(0).permute(1, 2, 0)
    return torch.vstack([cls[None], image.reshape(new_grid[0] * new_grid[1], -1)])


@exercise.right("a matrix of shares for rows, one for columns")
def matrices(positions, old_grid, new_grid):
    def shares(old, new):
        place = (torch.arange(new, dtype=positions.dtype) + 0.5) * old / new - 0.5
        place = place.clamp(0, old - 1)
        return (1 - (place[:, None] - torch.arange(old, dtype=positions.dtype)).abs()).clamp(min=0)

    grid = positions[1:].reshape(*old_grid, -1)
    rows, columns = shares(old_grid[0], new_grid[0]), shares(old_grid[1], new_grid[1])
    larger = torch.einsum("Hh,Ww,hwd->HWd", rows, columns, grid)
    return torch.cat((positions[:1], larger.flatten(0, 1)), dim=0)


@exercise.right("patch by patch")
def loops(positions, old_grid, new_grid):
    (h, w), (H, W) = old_grid, new_grid
    rows = [positions[0]]
    for i in range(H):
        y = min(max((i + 0.5) * h / H - 0.5, 0), h - 1)
        top, dy = int(y), y - int(y)
        for j in range(W):
            x = min(max((j + 0.5) * w / W - 0.5, 0), w - 1)
            left, dx = int(x), x - int(x)
            new = 0
            for r, share_r in ((top, 1 - dy), (min(top + 1, h - 1), dy)):
                for c, share_c in ((left, 1 - dx), (min(left + 1, w - 1), dx)):
                    new = new + share_r * share_c * positions[1 + r * w + c]
            rows.append(new)
    return torch.stack(rows)


exercise.also_right(
    full("h, w = old_grid\n"
         "image = positions[1:].reshape(h, w, -1)\n"
         "image = F.interpolate(image.permute(1, 2, 0), size=new_grid[0], mode='linear')\n"
         "image = F.interpolate(image.permute(2, 1, 0), size=new_grid[1], mode='linear')\n"
         "return torch.cat([positions[:1], image.permute(0, 2, 1).flatten(0, 1)])",
         "one axis after the other"),
    full("H, W = new_grid\n"
         "image = positions[1:].unflatten(0, tuple(old_grid)).movedim(-1, 0)[None]\n"
         "y = ((torch.arange(H, dtype=positions.dtype) + 0.5) / H * 2 - 1)[:, None].expand(H, W)\n"
         "x = ((torch.arange(W, dtype=positions.dtype) + 0.5) / W * 2 - 1).expand(H, W)\n"
         "image = F.grid_sample(image, torch.stack([x, y], -1)[None], padding_mode='border', "
         "align_corners=False)\n"
         "return torch.cat([positions[:1], image[0].flatten(1).mT])", "grid_sample"))


exercise.mistake("class-row-interpolated", "another-resolution",
    "The class token's row is drawn into the interpolation. It has no place in the picture: set row 0 aside, "
    "and put it back unchanged.",
    full("line = F.interpolate(positions.T[None], size=1 + new_grid[0] * new_grid[1], mode='linear')\n"
         "return line[0].T"),
    full("h, w = old_grid\n"
         "grid = positions[:-1].T.reshape(1, -1, h, w)\n"
         "grid = F.interpolate(grid, size=new_grid, mode='bilinear')\n"
         "return torch.cat([positions[:1], grid[0].flatten(1).T])", "the last patch left out instead"))

exercise.mistake("one-line", "another-resolution",
    "The patches are interpolated along one line, in which the end of a row meets the beginning of the next. "
    "Make a grid of them, rows by columns.",
    full("line = positions[1:].T[None]\n"
         "line = F.interpolate(line, size=new_grid[0] * new_grid[1], mode='linear')\n"
         "return torch.cat([positions[:1], line[0].T])"))

exercise.mistake("class-row-lost", "another-resolution",
    "The class token's row is missing, or does not stand in front as it was.",
    edit(reference, {"torch.cat([positions[:1], grid[0].flatten(1).T])": "grid[0].flatten(1).T"}),
    edit(reference, {"positions[:1], grid[0].flatten(1).T": "grid[0].flatten(1).T, positions[:1]"},
         "at the end"),
    edit(reference, {"positions[:1], grid": "positions[:1] * 0, grid"}, "zeros"),
    edit(reference, {"positions[:1], grid": "positions.mean(0, keepdim=True), grid"}, "a mean"))

exercise.mistake("axes-exchanged", "another-resolution",
    "Height and width are exchanged, in the old grid or in the new one. A grid is (rows, columns), and "
    "patches come row by row.",
    edit(reference, {"h, w = old_grid": "w, h = old_grid"}, "in the old one"),
    edit(reference, {"size=new_grid": "size=new_grid[::-1]"}, "in the new one"),
    edit(reference, {"h, w = old_grid": "w, h = old_grid", "size=new_grid": "size=new_grid[::-1]"},
         "in both"),
    edit(reference, {"grid[0].flatten": "grid[0].mT.flatten"}, "columns first at the end"),
    edit(reference, {"-1, h, w)": "-1, w, h).mT"}, "columns first at the beginning"),
    edit(moved, {"permute(2, 0, 1)": "permute(2, 1, 0)"}, "when the width goes forward"))

exercise.mistake("square-only", "another-resolution",
    "The grid is taken for a square: one of its numbers, or the root of the number of patches, stands for "
    "both. It has rows and columns of its own.",
    edit(reference, {"h, w = old_grid": "h = w = int((len(positions) - 1) ** 0.5)"}, "the root"),
    edit(reference, {"size=new_grid": "size=new_grid[0]"}, "the new height"),
    edit(reference, {"size=new_grid": "scale_factor=new_grid[0] / h"}, "one factor"))

exercise.mistake("width-is-no-channel", "another-resolution",
    "The numbers of one patch are spread over the grid: a reshape alone brings no axis forward. The width is "
    "the channel of the image: transpose first.",
    edit(reference, {".T.reshape(1": ".reshape(1"}, "in front"),
    edit(reference, {"grid[0].flatten(1).T": "grid[0].reshape(-1, positions.shape[1])"}, "at the end"),
    edit(reference, {".T.reshape(1": ".reshape(1", "grid[0].flatten(1).T": "grid[0].reshape(-1, "
                     "positions.shape[1])"}, "both"))

exercise.mistake("corners-aligned", "another-resolution",
    "The corners of both grids lie on each other. Patches are areas: the centre of patch i of H lies at "
    "(i + ½) / H of the picture.",
    edit(reference, {"False": "True"}),
    edit(matrices, {"(torch.arange(new, dtype=positions.dtype) + 0.5) * old / new - 0.5":
                    "torch.arange(new, dtype=positions.dtype) * (old - 1) / max(new - 1, 1)"}, "by hand"))

exercise.mistake("centres-forgotten", "another-resolution",
    "The new patches stand half a patch off: the place of patch i is taken as i · h / H. Its centre is what "
    "counts, (i + ½) · h / H − ½.",
    edit(matrices, {" + 0.5) * old / new - 0.5": ") * old / new"}),
    edit(matrices, {"old / new - 0.5": "old / new"}, "the half taken off nowhere"))

exercise.mistake("other-interpolation", "another-resolution",
    "The interpolation is another than bilinear: the nearest patch, a cubic, an area or a smoothed one. Each "
    "new row is a mean of at most four old ones.",
    edit(reference, {'"bilinear", align_corners=False': '"nearest"'}, "nearest"),
    edit(reference, {"bilinear": "bicubic"}, "bicubic"),
    edit(reference, {'"bilinear", align_corners=False': '"area"'}, "area"),
    edit(reference, {"align_corners=False": "antialias=True"}, "antialias"),
    full("old = torch.tensor(old_grid)\n"
         "rows = torch.arange(new_grid[0]) * old_grid[0] // new_grid[0]\n"
         "columns = torch.arange(new_grid[1]) * old_grid[1] // new_grid[1]\n"
         "grid = positions[1:].reshape(*old_grid, -1)[rows][:, columns]\n"
         "return torch.cat([positions[:1], grid.flatten(0, 1)])", "repeated"))

exercise.mistake("dark-border", "another-resolution",
    "At the border the positions are mixed with zeros, or with the other end. Outside the outermost centres "
    "nothing is known: take the outermost patch itself.",
    edit(matrices, {"place = place.clamp(0, old - 1)": ""}),
    edit(matrices, {"place = place.clamp(0, old - 1)": "place = place % old"}, "the other end"))

exercise.mistake("line-continued", "another-resolution",
    "Outside the outermost centres the line through two patches is continued, so that a share falls below 0 "
    "or rises above 1. Nothing is known there: take the outermost patch itself.",
    edit(loops, {"y = min(max((i + 0.5) * h / H - 0.5, 0), h - 1)": "y = (i + 0.5) * h / H - 0.5",
                 "x = min(max((j + 0.5) * w / W - 0.5, 0), w - 1)": "x = (j + 0.5) * w / W - 0.5",
                 "top, dy = int(y), y - int(y)": "top = min(max(int(y // 1), 0), max(h - 2, 0))\ndy = y - top",
                 "left, dx = int(x), x - int(x)":
                 "left = min(max(int(x // 1), 0), max(w - 2, 0))\ndx = x - left"}))

exercise.mistake("scale-for-size", "another-resolution",
    "The new size is computed from a quotient of the sizes. A quotient is rounded, and so a row can be "
    "missing: say how many rows and columns are wanted.",
    edit(reference, {"size=new_grid": "scale_factor=(new_grid[0] / h, new_grid[1] / w)"}))

exercise.mistake("one-axis", "another-resolution",
    "Only the rows or only the columns of the grid are interpolated. Both change.",
    edit(matrices, {"rows, columns = shares(old_grid[0], new_grid[0]), shares(old_grid[1], new_grid[1])":
                    "rows = shares(old_grid[0], new_grid[0])\n"
                    "columns = torch.eye(old_grid[1], dtype=positions.dtype)"}),
    edit(reference, {"size=new_grid": "size=(h, new_grid[1])"}, "the columns"))

exercise.mistake("axes-of-the-result", "another-resolution",
    "The result is not (1 + H·W, D), a row for each token.",
    edit(reference, {"flatten(1).T])": "flatten(1).T])[None]"}, "an axis for the batch"),
    edit(reference, {"flatten(1).T])": "flatten(1).T]).T"}, "transposed"),
    edit(reference, {"torch.cat([positions[:1], grid[0].flatten(1).T])": "grid"}, "an image"),
    edit(reference, {"torch.cat([positions[:1], grid[0].flatten(1).T])":
                     "positions[:1], grid[0].flatten(1).T"},
         "in two parts"))

exercise.mistake("unchanged", "another-resolution",
    "The old positions come back, cut or filled up. Each new row is interpolated from the old grid.",
    full("return positions"),
    full("rows = torch.arange(1 + new_grid[0] * new_grid[1]) % len(positions)\nreturn positions[rows]",
         "repeated"))

exercise.mistake("dtype-fixed", "another-resolution",
    "The result does not have the dtype of the positions, or torch refuses to mix two. Make new tensors with "
    "dtype=positions.dtype.",
    edit(reference, {"flatten(1).T])": "flatten(1).T]).float()"}),
    edit(matrices, {"arange(new, dtype=positions.dtype)": "arange(new)",
                    "arange(old, dtype=positions.dtype)": "arange(old)"}, "a refusal"))

exercise.built_in("no-gradient", edit(reference, {"positions[1:]": "positions[1:].detach()"}))

exercise.built_in("changes-input",
    edit(reference, {"h, w = old_grid": "h, w = old_grid\nwith torch.no_grad():\n    positions[0] *= 2",
                     "positions[:1], grid": "positions[:1] / 2, grid"}))

exercise.built_in("returns-nothing", edit(reference, {"return torch": "torch"}))

exercise.equal("bilinear interpolation aligns no corners unless it is told to", {", align_corners=False": ""})
exercise.equal("there is one image", {"[0]": "[(-1)]"})
exercise.equal("a view is a reshape where there is one, and these rows are as contiguous as the table",
               {"if rest.is_contiguous()": ("if True", "if False", "if cls.is_contiguous()")})
exercise.equal("the image has three axes, the table two", {
    "(1, 2, 0)": ("(-2, 2, 0)", "(1, -1, 0)"), "(2, 0, 1)": ("(-1, 0, 1)", "(2, 0, -2)"),
    ", dim=0": ("", ", dim=-2"),
    "(2, 1, 0)": ("(-1, 1, 0)", "(2, -2, 0)"), "(0, 2, 1)": ("(0, -1, 1)", "(0, 2, -2)")})
exercise.equal("a grid is a tuple already", {"tuple(new_grid)": "new_grid", "tuple(old_grid)": "old_grid"})
exercise.equal("integers and float32 hold these places to the last digit that is compared",
               {"(new, dtype=positions.dtype)": "(new)", "(old, dtype=positions.dtype)": "(old)",
                "(W, dtype=positions.dtype)": "(W)", "(H, dtype=positions.dtype)": "(H)"})
exercise.equal("a distance has no sign", {
    "(place[:, None] - torch.arange(old, dtype=positions.dtype))":
        "((torch.arange(old, dtype=positions.dtype) - place[:, None]))"})
exercise.equal("beyond the last centre both neighbours are the last", {
    ", h - 1)": (", h + 1)", ", h)", ", h - 0)"), ", w - 1)": (", w + 1)", ", w)", ", w - 0)")})
exercise.equal("the order of two numbers does not change the smaller or larger of them", {
    "min(max((i + 0.5) * h / H - 0.5, 0), h - 1)": ("min(h - 1, max((i + 0.5) * h / H - 0.5, 0))",
                                                    "min(max(0, (i + 0.5) * h / H - 0.5), h - 1)"),
    "min(max((j + 0.5) * w / W - 0.5, 0), w - 1)": ("min(w - 1, max((j + 0.5) * w / W - 0.5, 0))",
                                                    "min(max(0, (j + 0.5) * w / W - 0.5), w - 1)"),
    "min(top + 1, h - 1)": "min(h - 1, top + 1)", "min(left + 1, w - 1)": "min(w - 1, left + 1)"})
