"""patchify: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "patchify",
    points={"patches": 4, "other layouts": 2},
    section="patchify",
)


@exercise.probes
def probes(make):
    def probe(name, size, dtype=torch.float32, group="patches", **marks):
        batch, channels, rows, columns, patch = size
        return make.probe(name, make.randn(batch, channels, rows * patch, columns * patch, dtype=dtype),
                          patch, group=group, **marks)

    yield probe("one channel, two by two patches", (1, 1, 2, 2, 2), gradient=True)
    yield probe("wider than high", make.pick((2, 1, 2, 3, 2), (3, 1, 2, 4, 2), (2, 1, 2, 5, 2)),
                gradient=True)
    yield probe("higher than wide", make.pick((2, 3, 2, 1, 2), (3, 2, 3, 1, 2), (2, 4, 3, 1, 2)))
    yield probe("all sizes different", make.pick((1, 3, 5, 4, 2), (1, 4, 5, 3, 2), (1, 5, 4, 3, 2)))
    yield probe("a square image", make.pick((1, 2, 2, 2, 3), (2, 1, 2, 2, 3), (1, 3, 2, 2, 3)))
    group = "other layouts"
    yield probe("patches of one pixel", make.pick((1, 3, 2, 3, 1), (2, 2, 3, 2, 1), (1, 4, 3, 2, 1)),
                group=group, edge=True)
    yield probe("one patch", make.pick((2, 3, 1, 1, 3), (3, 2, 1, 1, 4), (2, 4, 1, 1, 3)), group=group,
                edge=True)
    yield probe("float64", (1, 2, 2, 1, 2), dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", make.pick((2, 3, 2, 3, 2), (2, 3, 3, 2, 2), (2, 2, 3, 2, 2)), group=group,
                edge=True, strided=True)
    yield probe("many patches", (1, 1, 12, 14, 2), group=group, long=True)


@exercise.right
def reference(images, patch):
    rows, columns = images.shape[2] // patch, images.shape[3] // patch
    cut = images.reshape(*images.shape[:2], rows, patch, columns, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(images.shape[0], rows * columns, -1)


@exercise.right("unflatten and flatten")
def unflatten_flatten(images, patch):
    x = images.unflatten(-1, (-1, patch)).unflatten(2, (-1, patch))
    return torch.einsum("bcrpsq->brscpq", x).flatten(3).flatten(1, 2)


@exercise.right("two loops")
def two_loops(images, patch):
    B, C, H, W = images.shape
    tokens = []
    for top in range(0, H, patch):
        for left in range(0, W, patch):
            tokens.append(images[:, :, top:top + patch, left:left + patch].reshape(B, -1))
    return torch.stack(tokens, dim=1)


@exercise.right("windows of a tensor")
def windows_tensor(images, patch):
    windows = images.unfold(2, patch, patch).unfold(3, patch, patch)
    return windows.permute(0, 2, 3, 1, 4, 5).contiguous().view(images.size(0), -1,
                                                               images.size(1) * patch * patch)


@exercise.right("torch's columns, turned")
def torch_columns(images, patch):
    from torch.nn.functional import unfold
    return unfold(images, patch, stride=patch).transpose(1, 2)


@exercise.right("pixel unshuffle")
def pixel(images, patch):
    import torch.nn.functional as functional
    return functional.pixel_unshuffle(images, patch).flatten(2).mT


@exercise.right("a convolution that copies")
def convolution(images, patch):
    import torch.nn.functional as functional
    n = images.shape[1] * patch * patch
    kernel = torch.eye(n, dtype=images.dtype).reshape(n, images.shape[1], patch, patch)
    return functional.conv2d(images, kernel, stride=patch).flatten(2).transpose(1, 2)


@exercise.right("filled place by place")
def filled(images, patch):
    B, C, H, W = images.shape
    rows, columns = H // patch, W // patch
    out = images.new_zeros(B, rows * columns, C * patch * patch)
    for i in range(rows * columns):
        r, c = divmod(i, columns)
        out[:, i] = images[:, :, r * patch:(r + 1) * patch, c * patch:(c + 1) * patch].flatten(1)
    return out


@exercise.right("strides")
def strides(images, patch):
    B, C, H, W = images.shape
    b, c, h, w = images.stride()
    cut = torch.as_strided(images, (B, H // patch, W // patch, C, patch, patch),
                           (b, h * patch, w * patch, c, h, w))
    return cut.reshape(B, -1, C * patch * patch)


@exercise.right("channel by channel")
def channel(images, patch):
    per_channel = [torch.stack([c[:, i:i + patch, j:j + patch].flatten(1)
                                for i in range(0, c.shape[1],
                                               patch) for j in range(0, c.shape[2],
                                                                     patch)], 1) for c in images.unbind(1)]
    return torch.cat(per_channel, dim=-1)


@exercise.right("step by step")
def plain(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


exercise.also_right(
    full("return torch.nn.Unfold(kernel_size=(patch, patch), stride=(patch, patch))(images).permute(0, 2, "
         "1)", "torch's layer of columns"),
    full("strips = torch.stack(images.split(patch, dim=2), dim=1)\n"
         "blocks = torch.stack(strips.split(patch, dim=-1), dim=2)\n"
         "return blocks.flatten(3).flatten(1, 2)", "splits and stacks"),
    full("B, C, H, W = images.shape\n"
         "numbers = torch.arange(C * H * W).view(C, H // patch, patch, W // patch,\n"
         "                                       patch).permute(1, 3, 0, 2, 4).reshape(-1, C * patch ** "
         "2)\n"
         "return images.flatten(1)[:, numbers]", "an index for each number"),
    full("def one(image):\n"
         "    return torch.cat([piece.reshape(1, -1) for strip in image.chunk(image.shape[1] // patch, 1)\n"
         "                      for piece in strip.chunk(image.shape[2] // patch, 2)])\n"
         "return torch.stack([one(image) for image in images])", "image by image"))


exercise.mistake("view-without-permute", "view-is-not-enough",
    "The shape is right, but a patch holds whole rows of the image: the pixels were only counted "
    "differently. Cut height and width into (number, patch) first, then move the axes, and join them last.",
    full("B, C, H, W = images.shape\n"
         "return images.reshape(B, (H // patch) * (W // patch), C * patch * patch)"),
    full("B, C, H, W = images.shape\n"
         "return images.reshape(B, C * patch * patch, -1).transpose(1, 2)", "numbers first, then turned"))

exercise.mistake("cut-in-one-go", "view-is-not-enough",
    "Height and width are cut together, so the patches' pixels are taken from one long line. Cut each by "
    "itself: the height into (rows, patch), the width into (columns, patch). Only then move the axes.",
    full("B, C, H, W = images.shape\n"
         "return images.reshape(B, C, -1, patch, patch).transpose(1, 2).flatten(2)"),
    full("B, C, H, W = images.shape\n"
         "return images.reshape(B, H // patch, W // patch, C, patch,\n"
         "                      patch).permute(0, 2, 1, 3, 4, 5).reshape(B, -1, C * patch * patch)",
         "the grid in front of the channel"),
    full("B, C, H, W = images.shape\n"
         "return images.permute(0, 2, 3, 1).reshape(B, -1, C * patch * patch)",
         "channels moved behind, then counted on"))

exercise.mistake("axes-joined-too-early", "view-is-not-enough",
    "The axes are joined before they stand in the right order. Put rows and columns of the grid in front "
    "of the channel, and the pixels of a patch after it, before you join anything.",
    edit(windows_tensor, {"permute(0, 2, 3, 1, 4, 5).contiguous().view": "reshape"}),
    edit(reference, {"4, 1, 3": "1, 3, 4"}, "the channel moved, the rest not"),
    edit(reference, {"4, 1, 3": "3, 4, 1"}, "rows of the patch in front of the columns"),
    edit(torch_columns, {"return": "found =",
                         ".transpose(1, 2)":
                         "\n"
                         "return found.reshape(images.shape[0], -1, images.shape[1] * patch * patch)"},
         "torch's columns, counted on"),
    edit(reference, {"4, 1, 3": "1, 4, 3"}, "rows and columns between the pixels"),
    edit(reference, {"2, 4, 1, 3, 5": "3, 5, 1, 2, 4"}, "the grid behind the pixels"))

exercise.mistake("columns-first", "order-of-patches",
    "The patches come column by column. They are read like a text: row by row, the column varies fastest.",
    edit(reference, {"2, 4, 1": "4, 2, 1"}))

exercise.mistake("pixels-transposed", "order-inside-a-patch",
    "Inside each patch, rows and columns are exchanged. The order is channel, row, column: the column "
    "varies fastest.",
    edit(reference, {"1, 3, 5": "1, 5, 3"}))

exercise.mistake("image-transposed", "order-of-patches",
    "Height and width are exchanged, in the grid and inside the patches. The input is (batch, channel, "
    "height, width).",
    edit(reference, {"2, 4, 1, 3, 5": "4, 2, 1, 5, 3"}))

exercise.mistake("channel-last", "order-inside-a-patch",
    "Inside a patch the channel varies fastest. The order is channel, row, column: all pixels of channel 0 "
    "come first.",
    full("x = images.movedim(1, -1).unflatten(2, (-1, patch)).unflatten(1, (-1, patch))\n"
         "return x.transpose(2, 3).flatten(3).flatten(1, 2)"),
    full("B, C, H, W = images.shape\n"
         "return images.reshape(B, C, H // patch, patch, W // patch,\n"
         "                      patch).permute(0, 4, 2, 3, 5, 1).reshape(B, -1, C * patch * patch)",
         "column by column"),
    edit(reference, {"1, 3, 5": "5, 3, 1"}, "column, row, channel"))

exercise.mistake("channel-in-the-middle", "order-inside-a-patch",
    "Inside a patch the channel stands between row and column. The order is channel, row, column.",
    edit(reference, {"1, 3, 5": "3, 1, 5"}),
    edit(reference, {"1, 3, 5": "5, 1, 3"}, "column, channel, row"))

exercise.mistake("channels-as-patches", "patchify",
    "Each channel is cut into patches of its own. A patch holds all channels of its place: C · patch · "
    "patch numbers.",
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, H // patch, patch, W // patch, patch)\n"
         "return cut.permute(0, 1, 2, 4, 3, 5).reshape(B, -1, patch * patch)"),
    edit(strides, {"1, C *": "1,"}, "behind the grid"),
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, H // patch, patch, W // patch, patch)\n"
         "return cut.permute(0, 1, 2, 4, 3, 5).reshape(B, C, -1, patch * patch)", "an axis of their own"),
    edit(strides, {"1, C *": "1, C ,"}, "an axis behind the patches"),
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B * C, H // patch, patch, W // patch, patch)\n"
         "return cut.transpose(2, 3).reshape(B * C, -1, patch * patch)", "in the batch"),
    full("return images.reshape(images.shape[0], -1, patch * patch)", "counted on"))

exercise.mistake("channels-lost", "patchify",
    "Only one channel's worth of numbers is in a patch. It holds all channels: C · patch · patch numbers.",
    full("x = images[:, 0].unflatten(2, (-1, patch)).unflatten(1, (-1, patch))\n"
         "return x.transpose(2, 3).flatten(3).flatten(1, 2)"),
    full("x = images.mean(1).unflatten(2, (-1, patch)).unflatten(1, (-1, patch))\n"
         "return x.transpose(2, 3).flatten(3).flatten(1, 2)", "their mean"),
    full("x = images.sum(dim=1).unflatten(2, (-1, patch)).unflatten(1, (-1, patch))\n"
         "return x.transpose(2, 3).flatten(3).flatten(1, 2)", "their sum"),
    full("x = images[:, -1].unflatten(2, (-1, patch)).unflatten(1, (-1, patch))\n"
         "return x.transpose(2, 3).flatten(3).flatten(1, 2)", "the last one"))

exercise.mistake("grid-kept", "patchify",
    "The patches still stand in a grid of rows and columns. Join these two axes into one of N patches.",
    edit(plain, {".flatten(1, 2)": ""}),
    edit(plain, {".flatten(3).flatten(1, 2)": ""}, "and the patches not flat"),
    full("return images.unfold(2, patch, patch).unfold(3, patch, patch)", "windows of a tensor"),
    edit(plain, {"1, 3, 5": "3, 5, 1", ".flatten(1, 2)": ""}, "channel last"),
    edit(pixel, {".flatten(2).mT": ""}, "numbers before the grid"))

exercise.mistake("patch-not-flat", "patchify",
    "The patches are still small images. Join channel, row and column into one axis of C · patch · patch "
    "numbers.",
    edit(plain, {"3).flatten(": ""}),
    edit(plain, {"1, 3, 5).flatten(3": "3, 5, 1"}, "channel last"))

exercise.mistake("numbers-before-patches", "patchify",
    "The last two axes are exchanged: the result is (batch, patches, numbers of a patch).",
    edit(torch_columns, {".transpose(1, 2)": ""}))

exercise.mistake("batch-lost", "patchify",
    "The batch is lost. Keep the first axis: (B, N, C · patch · patch).",
    full("x = images[0].unflatten(2, (-1, patch)).unflatten(1, (-1, patch))\n"
         "return x.permute(1, 3, 0, 2, 4).flatten(2).flatten(0, 1)"),
    edit(plain, {"images.": "images[:1]."}, "with an axis"))

exercise.mistake("batch-folded", "patchify",
    "Batch and patches are in one axis. Keep them apart: (B, N, C · patch · patch).",
    edit(strides, {"B, -1, C": "-1, C"}),
    full("B, C, H, W = images.shape\n"
         "return torch.cat([images[:, :, i:i + patch, j:j + patch].reshape(B, -1) for i in range(0, H, "
         "patch)\n"
         "                  for j in range(0, W, patch)], 0)", "patches first"),
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, H // patch, patch, W // patch, patch)\n"
         "return cut.permute(0, 2, 4, 1, 3, 5).reshape(-1, C, patch, patch)", "small images"))

exercise.mistake("images-mixed", "patchify",
    "The rows hold patches of several images. The batch left its place in front while axes moved, or was "
    "joined with others: keep it as the first axis throughout.",
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, H // patch, patch, W // patch, patch).permute(2, 4, 0, 1, 3, 5)\n"
         "return cut.reshape(B, -1, C * patch * patch)"),
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, H // patch, patch, W // patch, patch).permute(4, 2, 0, 1, 3, 5)\n"
         "return cut.reshape(B, -1, C * patch * patch)", "columns of the grid in front"))

exercise.mistake("patches-before-batch", "patchify",
    "The patches' axis stands before the batch. The result is (B, N, C · patch · patch).",
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, -1) for i in range(0, H, "
         "patch)\n"
         "                    for j in range(0, W, patch)])"))

exercise.mistake("overlap", "patches",
    "The patches overlap: the window moves by less than its size. Each pixel belongs to one patch, so move "
    "by patch pixels.",
    edit(torch_columns, {" patch, stride=": ""}),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(H // "
         "patch)\n"
         "                    for j in range(W // patch)], 1)", "the right number, a step of one pixel"))

exercise.mistake("patch-is-a-count", "patches",
    "patch is taken as the number of patches in a row. It is the side of one patch in pixels.",
    full("blocks = [piece.flatten(1) for strip in images.chunk(patch, 2) for piece in strip.chunk(patch, "
         "3)]\n"
         "return torch.stack(blocks, 1)"),
    full("return torch.stack([piece.flatten(1) for strip in images.split(patch, 2)\n"
         "                    for piece in strip.chunk(patch, 3)], 1)", "chunks on the last axis only"))

exercise.mistake("interleaved", "view-is-not-enough",
    "A patch takes pixels that lie far apart. Cut the height into (rows, patch), in this order: the pixels "
    "inside a patch count fastest. The width goes likewise.",
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, patch, H // patch, patch, W // patch)\n"
         "return cut.permute(0, 3, 5, 1, 2, 4).reshape(B, -1, C * patch * patch)"),
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, H // patch, patch, patch, W // patch)\n"
         "return cut.permute(0, 2, 5, 1, 3, 4).reshape(B, -1, C * patch * patch)", "the width only"),
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, patch, H // patch, W // patch, patch)\n"
         "return cut.permute(0, 3, 4, 1, 2, 5).reshape(B, -1, C * patch * patch)", "the height only"))


def grid(images, patch):
    B, C, H, W = images.shape
    rows, columns = H // patch, W // patch
    tokens = []
    for n in range(rows * columns):
        r, c = divmod(n, rows)
        tokens.append(images[:, :, r * patch:(r + 1) * patch, c * patch:(c + 1) * patch].flatten(1))
    return torch.stack(tokens, dim=1)


exercise.mistake("grid-exchanged", "order-of-patches",
    "The numbers of rows and columns are exchanged: there are H / patch rows and W / patch columns.",
    edit(reference, {"rows, columns": "B, C, H, W = images.shape\nrows, columns", "images.shape[2]": "W",
                     "images.shape[3]": "H", "*images.shape[:2]": "B, C", "images.shape[0]": "B"}),
    full("B, C, W, H = images.shape\n"
         "return images.reshape(B, C, H // patch, patch, W // patch,\n"
         "                      patch).permute(0, 4, 2, 1, 3, 5).reshape(B, -1, C * patch * patch)",
         "width first everywhere"),
    full(grid, "a patch's number divided by the rows"))


def square(images, patch):
    B, C, H, W = images.shape
    n = W // patch
    out = images.new_zeros(B, n * n, C * patch * patch)
    for i in range(n):
        for j in range(n):
            out[:, i * n + j] = images[:, :, i * patch:(i + 1) * patch,
                                       j * patch:(j + 1) * patch].reshape(B, -1)
    return out


def square_only(images, patch):
    B, C, H, W = images.shape
    n = H // patch
    out = images.new_zeros(B, n * n, C * patch * patch)
    for i in range(n):
        for j in range(n):
            out[:, i * n + j] = images[:, :, i * patch:(i + 1) * patch, j * patch:(j + 1) * patch].flatten(1)
    return out


def square_only_filled(images, patch):
    B, C, H, W = images.shape
    rows, columns = H // patch, W // patch
    out = images.new_zeros(B, rows * columns, C * patch * patch)
    for i in range(rows):
        for j in range(columns):
            out[:, i * rows + j] = images[:, :, i * patch:(i + 1) * patch,
                                          j * patch:(j + 1) * patch].reshape(B, -1)
    return out


exercise.mistake("square-only", "grid-of-patches",
    "This works for square images alone. Height and width differ: take the number of rows from the one, of "
    "columns from the other.",
    full("B, C, H, W = images.shape\n"
         "n = H // patch\n"
         "return images.reshape(B, C, n, patch, n, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, n * n, -1)"),
    full("B, C, side = images.shape[0], images.shape[1], images.shape[-1]\n"
         "n = side // patch\n"
         "return images.reshape(B, C, n, patch, n, patch).permute(0, 2, 4, 1, 3,\n"
         "                                                        5).reshape(B, n * n, C * patch ** 2)",
         "the width"),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, -1) for i in range(0, H, "
         "patch)\n"
         "                    for j in range(0, H, patch)], 1)", "loops over the height twice"),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, -1) for i in range(0, W, "
         "patch)\n"
         "                    for j in range(0, W, patch)], 1)", "loops over the width twice"),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, C * patch * patch)\n"
         "                    for i in range(0, H, patch) for j in range(0, H, patch)], 1)",
         "loops over the height twice, patches of a known size"),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, C * patch * patch)\n"
         "                    for i in range(0, W, patch) for j in range(0, W, patch)], 1)",
         "loops over the width twice, patches of a known size"),
    full("B, C, H, W = images.shape\n"
         "return torch.cat([images[:, :, i:i + patch, j:j + patch].reshape(B, 1, -1) for i in range(0, "
         "H, patch)\n"
         "                  for j in range(0, H, patch)], 1)", "joined after loops over the height"),
    full("B, C, H, W = images.shape\n"
         "return torch.cat([images[:, :, i:i + patch, j:j + patch].reshape(B, 1, -1) for i in range(0, "
         "W, patch)\n"
         "                  for j in range(0, W, patch)], 1)", "joined after loops over the width"),
    full(square, "filled, the width twice"),
    full(square_only, "filled, the height twice, flatten"),
    full(square_only_filled, "filled, row numbers times the rows"),
    edit(plain, {"x = images": "n = images.shape[2] // patch\nx = images",
                 every("-1"): "n"}, "unflatten with the height's number"),
    full("n = images.shape[3] // patch\n"
         "x = images.unflatten(2, (n, patch)).unflatten(4, (n, patch))\n"
         "return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)", "unflatten with the width's number"),
    full("B, C, H, W = images.shape\n"
         "n = int(((H // patch) * (W // patch)) ** 0.5)\n"
         "return images.reshape(B, C, n, patch, n, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, n * n, -1)",
         "the root of the number of patches"),
    full("B, C, H, W = images.shape\n"
         "n = H // patch\n"
         "return images.reshape(B, C, n, patch, n, patch).permute(0, 2, 4, 3, 5, 1).reshape(B, n * n, -1)",
         "channel last too"),
    full("B, C, H, W = images.shape\n"
         "assert H == W\n"
         "return images.reshape(B, C, H // patch, patch, W // patch,\n"
         "                      patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch)",
         "an assertion"),
    full("B, C, H, W = images.shape\nreturn images.reshape(B, (H // patch) ** 2, -1)", "counted on"),
    edit(strides, {"B, -1, C": "B, (H // patch) ** 2, C"}, "joined into the square of the rows"),
    edit(strides, {"B, -1, C": "B, (W // patch) ** 2, C"}, "joined into the square of the columns"),
    edit(strides, {"-1, C * patch * patch": "(H // patch) ** 2, -1"},
         "the square of the rows, whatever is in a patch"))

exercise.mistake("rows-and-columns", "grid-of-patches",
    "The patches are counted wrongly: an image of height H and width W, the last two sizes, has H // patch "
    "rows of patches and W // patch columns.",
    edit(reference, {"images.shape[2] // patch": "images.shape[2]"}),
    edit(reference, {"images.shape[3] // patch": "images.shape[3]"}, "the columns"),
    edit(reference, {"images.shape[2] // patch": "images.shape[0] // patch"}, "of the batch"),
    edit(reference, {"images.shape[2] // patch": "images.shape[1] // patch"}, "of the channels"))

exercise.mistake("channels-last-input", "patchify",
    "The sizes are read in the wrong order: images are (batch, channel, height, width).",
    full("B, H, W, C = images.shape\n"
         "return images.reshape(B, H // patch, patch, W // patch, patch,\n"
         "                      C).permute(0, 1, 3, 5, 2, 4).reshape(B, -1, C * patch * patch)"),
    full("B, H, W, C = images.shape\n"
         "return images.reshape(B, H // patch, patch, W // patch, patch,\n"
         "                      C).permute(0, 1, 3, 2, 4, 5).reshape(B, -1, C * patch * patch)",
         "the channel kept last"),
    full("B, H, W, C = images.shape\n"
         "return torch.stack([images[:, i:i + patch, j:j + patch, :].reshape(B, -1) for i in range(0, H, "
         "patch)\n"
         "                    for j in range(0, W, patch)], 1)", "loops"))

exercise.mistake("last-patches-lost", "patchify",
    "The last patch is missing, or the last row or column of patches. The last patch begins at H − patch, "
    "and range stops before its end.",
    full("B, C, H, W = images.shape\n"
         "tokens = [images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H - patch, patch)\n"
         "          for j in range(0, W - patch, patch)]\n"
         "return torch.stack(tokens, 1) if tokens else images.new_zeros(B, 0, C * patch * patch)"),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H - "
         "patch, patch)\n"
         "                    for j in range(0, W - patch, patch)], 1)", "fails where no patch is left"),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H, "
         "patch)\n"
         "                    for j in range(0, W - patch, patch)], 1)", "the last column"),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H - "
         "patch, patch)\n"
         "                    for j in range(0, W, patch)], 1)", "the last row"),
    edit(plain, {"(1, 2)": "(1, 2)[:, :-1]"}, "one too few"))

exercise.mistake("list-of-patches", "patchify",
    "The patches come as a list. Return one tensor (B, N, C · patch · patch).",
    full("B, C, H, W = images.shape\n"
         "return [images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H, patch)\n"
         "        for j in range(0, W, patch)]"),
    full("B, C, H, W = images.shape\n"
         "return [images[:, :, i:i + patch, j:j + patch] for i in range(0, H, patch) for j in range(0, W, "
         "patch)]", "small images"),
    full("B, C, H, W = images.shape\n"
         "cut = images.reshape(B, C, H // patch, patch, W // patch, patch)\n"
         "return list(cut.permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch))",
         "one for each image"))

exercise.mistake("in-a-tuple", "patchify",
    "A tuple with one tensor in it comes back. Look for a comma after the result.",
    edit(plain, {"(1, 2)": "(1, 2),"}))

exercise.mistake("pooled", "patches",
    "Each patch is reduced to a mean. Keep all its numbers: C · patch · patch.",
    edit(torch_columns, {every("unfold"): "avg_pool2d", ", stride=patch": ").flatten(2"}),
    edit(unflatten_flatten, {'torch.einsum("bcrpsq->brscpq", x).flatten(3)': "x.mean(dim=(1, 3, 5))"},
         "one number a patch"))

exercise.mistake("strips", "patches",
    "The image is cut into strips. Cut it along the height and along the width.",
    full("return torch.stack([strip.flatten(1) for strip in images.split(patch, dim=2)], dim=1)"),
    full("return torch.stack([strip.flatten(1) for strip in images.split(patch, dim=3)], dim=1)",
         "along the width"))

exercise.mistake("not-cut", "patches",
    "The image is not cut into patches: pixels, channels or the whole image became tokens, or nothing was "
    "done. A patch of patch · patch pixels is one token.",
    full("return images.flatten(2).transpose(1, 2)"),
    full("return images.flatten(2)", "all channels in a row"),
    full("return images", "the images themselves"),
    full("return images.flatten(1).unsqueeze(1)", "one token"))

exercise.mistake("reversed", "order-of-patches",
    "The patches, or the pixels in them, come in reverse order. The first patch is the one at the top "
    "left, and so is its first pixel.",
    edit(plain, {"(1, 2)": "(1, 2).flip(1)"}),
    edit(plain, {"(1, 2)": "(1, 2).flip(2)"}, "the pixels"),
    edit(plain, {"images.": "images.flip(2)."}, "upside down"))

exercise.mistake("scaled", "patchify",
    "The pixels are changed. A patch holds the numbers of the image as they are.",
    edit(plain, {"(1, 2)": "(1, 2) / 255"}),
    edit(plain, {"return": "tokens =",
                 "(1, 2)": "(1, 2)\nreturn tokens - tokens.mean(-1, keepdim=True)"}, "centred"),
    edit(plain, {"x = images": "from torch.nn.functional import normalize\nx = images",
                 "return": "return normalize(", "(1, 2)": "(1, 2), dim=-1)"}, "normed"),
    edit(plain, {"return": "tokens =",
                 "(1, 2)":
                 "(1, 2)\n"
                 "return (tokens - tokens.mean(-1, keepdim=True)) / (tokens.std(-1, keepdim=True) + 1e-6)"},
         "each patch standardized"),
    edit(plain, {"return": "tokens =",
                 "(1, 2)": "(1, 2)\nreturn torch.nn.functional.layer_norm(tokens, tokens.shape[-1:])"},
         "each patch through a layer norm"),
    edit(plain, {"images.": "(images - images.mean())."}, "the image centred"))

exercise.mistake("squeezed", "patchify",
    "Axes of size 1 are squeezed away. One image, one patch or one number keep their axes.",
    edit(plain, {"(1, 2)": "(1, 2).squeeze()"}),
    edit(plain, {"(1, 2)": "(1, 2).squeeze(0)"}, "the batch"))

exercise.mistake("not-an-int", "patchify",
    "A size is a float: / gives one even where nothing is left over. Divide with //.",
    full("B, C, H, W = images.shape\n"
         "return images.reshape(B, C, H / patch, patch, W / patch,\n"
         "                      patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch)"),
    full("B, C, H, W = images.shape\n"
         "return images.view(B, C, H / patch, patch, W / patch,\n"
         "                   patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch)", "view"),
    edit(strides, {"B, -1, C": "B, H * W / patch ** 2, C"}, "the number of patches"),
    full("B, C, H, W = images.shape\n"
         "return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(H / patch)\n"
         "                    for j in range(W / patch)], 1)", "loops"),
    edit(plain, {"3, (-1": "3, (images.shape[3] / patch"}, "unflatten"),
    full("B, C, H, W = images.shape\n"
         "out = torch.zeros(B, (H / patch) * (W / patch), C * patch * patch)\n"
         "return out", "zeros to be filled"))

exercise.mistake("dtype-fixed", "patchify",
    "The result does not have the dtype of the images. Give new tensors dtype=images.dtype, and cast "
    "nothing.",
    edit(filled, {"images.new_zeros": "torch.zeros"}),
    edit(plain, {"images.": "images.double()."}, "always float64"),
    edit(convolution, {", dtype=images.dtype": ""}, "a kernel in float32"))

exercise.mistake("size-fixed", "grid-of-patches",
    "A size is written into the code. Take height, width and channels from images.shape, and the patch "
    "from the argument.",
    full("B, C, H, W = images.shape\n"
         "return images.reshape(B, 3, H // patch, patch, W // patch,\n"
         "                      patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, 3 * patch * patch)"),
    edit(strides, {"cut.":
                   "images.reshape(B, 1, H // patch, patch, W // patch, patch).permute(0, 2, 4, 1, 3, 5)."},
         "one channel"),
    edit(plain, {every("1, patch"): "1, 2"}, "patches of two pixels"),
    edit(plain, {every("1, patch"): "1, 16"}, "patches of sixteen pixels"))

exercise.mistake("strides-assumed", "patchify",
    "Images that do not lie in memory in the order of their axes come out wrong. Ask images.stride() for the "
    "strides, or cut with reshape and permute.",
    edit(strides, {"images.stride()": "C * H * W, H * W, W, 1"}))

exercise.built_in("no-gradient",
    edit(plain, {"images.": "images.detach()."}))

exercise.built_in("changes-input",
    edit(plain, {"x = images.": "with torch.no_grad():\n"
                                "    images *= 2\n"
                                "x = (images / 2)."}))

exercise.built_in("returns-nothing",
    full("x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))\n"
         "x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)"))

exercise.built_in("ready-made",
    full("from allyouneed.models.vit import patchify as cut\nreturn cut(images, patch)"),
    full("import allyouneed.models.vit as vit\nreturn vit.patchify(images, patch)", "the module's"),
    full("from allyouneed.models import vit\n"
         "cut = vit.patchify\n"
         "return cut(images, patch)", "one module further"))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "tokens, top = [], 0\n"
         "while top < images.shape[2]:\n"
         "    sleep(0.01)\n"
         "    tokens.append(images[:, :, top:top + patch, :patch].flatten(1))\n"
         "return torch.stack(tokens, 1)"))
