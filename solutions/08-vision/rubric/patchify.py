"""The rubric of patchify: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "patchify",
    points={"patches": 4, "other layouts": 2},
    section="patchify",
    compact=True,
    mistakes={
        "view-without-permute": ("The shape is right, but a patch holds whole rows of the image: the pixels were only counted differently. Cut height and "
                                 "width into (number, patch) first, then move the axes, and join them last.", "view-is-not-enough"),
        "cut-in-one-go": ("Height and width are cut together, so the patches' pixels are taken from one long line. Cut each by itself: the height into "
                          "(rows, patch), the width into (columns, patch). Only then move the axes.", "view-is-not-enough"),
        "axes-joined-too-early": ("The axes are joined before they stand in the right order. Put rows and columns of the grid in front of "
                                  "the channel, and the pixels of a patch after it, before you join anything.", "view-is-not-enough"),
        "columns-first": ("The patches come column by column. They are read like a text: row by row, the column counts fastest.", "order-of-patches"),
        "pixels-transposed": ("Inside each patch, rows and columns are exchanged. The order is channel, row, column: the column counts fastest.",
                              "order-inside-a-patch"),
        "image-transposed": ("Height and width are exchanged, in the grid and inside the patches. The input is (batch, channel, height, width).",
                             "order-of-patches"),
        "channel-last": ("Inside a patch the channel counts fastest. The order is channel, row, column: all pixels of channel 0 come first.",
                         "order-inside-a-patch"),
        "channel-in-the-middle": ("Inside a patch the channel stands between row and column. The order is channel, row, column.", "order-inside-a-patch"),
        "channels-as-patches": ("Each channel is cut into patches of its own. A patch holds all channels of its place: C · patch · patch numbers.",
                                "patchify"),
        "channels-lost": ("Only one channel's worth of numbers is in a patch. It holds all channels: C · patch · patch numbers.", "patchify"),
        "grid-kept": ("The patches still stand in a grid of rows and columns. Join these two axes into one of N patches.", "patchify"),
        "patch-not-flat": ("The patches are still small images. Join channel, row and column into one axis of C · patch · patch numbers.", "patchify"),
        "numbers-before-patches": ("The last two axes are exchanged: the result is (batch, patches, numbers of a patch).", "patchify"),
        "batch-lost": ("The batch is lost. Keep the first axis: (B, N, C · patch · patch).", "patchify"),
        "batch-folded": ("Batch and patches are in one axis. Keep them apart: (B, N, C · patch · patch).", "patchify"),
        "images-mixed": ("The rows hold patches of several images. The batch left its place in front while axes moved, or was joined with others: keep "
                         "it as the first axis throughout.", "patchify"),
        "patches-before-batch": ("The patches' axis stands before the batch. The result is (B, N, C · patch · patch).", "patchify"),
        "overlap": ("The patches overlap: the window moves by less than its size. Each pixel belongs to one patch, so move by patch pixels.", "patches"),
        "patch-is-a-count": ("patch is taken as the number of patches in a row. It is the side of one patch in pixels.", "patches"),
        "interleaved": ("A patch takes pixels that lie far apart. Cut the height into (rows, patch), in this order: the pixels inside a patch count "
                        "fastest. The width goes likewise.", "view-is-not-enough"),
        "grid-exchanged": ("The numbers of rows and columns are exchanged: there are H / patch rows and W / patch columns.", "order-of-patches"),
        "square-only": ("This works for square images alone. Height and width differ: take the number of rows from the one, of columns from the other.",
                        "grid-of-patches"),
        "channels-last-input": ("The sizes are read in the wrong order: images are (batch, channel, height, width).", "patchify"),
        "last-patches-lost": ("The last patch is missing, or the last row or column of patches. The last patch begins at H − patch, and range "
                              "stops before its end.",
                              "patchify"),
        "list-of-patches": ("The patches come as a list. Return one tensor (B, N, C · patch · patch).", "patchify"),
        "in-a-tuple": ("A tuple with one tensor in it comes back. Look for a comma after the result.", "patchify"),
        "pooled": ("Each patch is reduced to a mean. Keep all its numbers: C · patch · patch.", "patches"),
        "strips": ("The image is cut into strips. Cut it along the height and along the width.", "patches"),
        "not-cut": ("The image is not cut into patches: pixels, channels or the whole image became tokens, or nothing was done. A patch of patch · patch "
                    "pixels is one token.", "patches"),
        "reversed": ("The patches, or the pixels in them, come in reverse order. The first patch is the one at the top left, and so is its first pixel.",
                     "order-of-patches"),
        "scaled": ("The pixels are changed. A patch holds the numbers of the image as they are.", "patchify"),
        "squeezed": ("Axes of size 1 are squeezed away. One image, one patch or one number keep their axes.", "patchify"),
        "not-an-int": ("A size is a float: / gives one even where nothing is left over. Divide with //.", "patchify"),
        "dtype-fixed": ("The result does not have the dtype of the images. Give new tensors dtype=images.dtype, and cast nothing.", "patchify"),
        "size-fixed": ("A size is written into the code. Take height, width and channels from images.shape, and the patch from the argument.",
                       "grid-of-patches"),
    },
)


@exercise.probes
def _(make):
    def probe(name, size, dtype=torch.float32, group="patches", **marks):
        batch, channels, rows, columns, patch = size
        return make.probe(name, make.randn(batch, channels, rows * patch, columns * patch, dtype=dtype), patch, group=group, **marks)

    yield probe("one channel, two by two patches", (1, 1, 2, 2, 2), gradient=True)
    yield probe("wider than high", make.pick((2, 1, 2, 3, 2), (3, 1, 2, 4, 2), (2, 1, 2, 5, 2)), gradient=True)
    yield probe("higher than wide", make.pick((2, 3, 2, 1, 2), (3, 2, 3, 1, 2), (2, 4, 3, 1, 2)))
    yield probe("all sizes different", make.pick((1, 3, 5, 4, 2), (1, 4, 5, 3, 2), (1, 5, 4, 3, 2)))
    yield probe("a square image", make.pick((1, 2, 2, 2, 3), (2, 1, 2, 2, 3), (1, 3, 2, 2, 3)))
    group = "other layouts"
    yield probe("patches of one pixel", make.pick((1, 3, 2, 3, 1), (2, 2, 3, 2, 1), (1, 4, 3, 2, 1)), group=group, edge=True)
    yield probe("one patch", make.pick((2, 3, 1, 1, 3), (3, 2, 1, 1, 4), (2, 4, 1, 1, 3)), group=group, edge=True)
    yield probe("float64", (1, 2, 2, 1, 2), dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", make.pick((2, 3, 2, 1, 2), (1, 3, 1, 3, 2), (2, 2, 3, 1, 2)), group=group, edge=True, strided=True)
    yield probe("many patches", (1, 1, 12, 14, 2), group=group, long=True)


@exercise.right
def reference(images, patch):
    rows, columns = images.shape[2] // patch, images.shape[3] // patch
    cut = images.reshape(*images.shape[:2], rows, patch, columns, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(images.shape[0], rows * columns, -1)


@exercise.alternative("unflatten and flatten")
def _(images, patch):
    x = images.unflatten(-1, (-1, patch)).unflatten(2, (-1, patch))
    return torch.einsum("bcrpsq->brscpq", x).flatten(3).flatten(1, 2)


@exercise.alternative("two loops")
def _(images, patch):
    B, C, H, W = images.shape
    tokens = []
    for top in range(0, H, patch):
        for left in range(0, W, patch):
            tokens.append(images[:, :, top:top + patch, left:left + patch].reshape(B, -1))
    return torch.stack(tokens, dim=1)


@exercise.alternative("windows of a tensor")
def _(images, patch):
    windows = images.unfold(2, patch, patch).unfold(3, patch, patch)
    return windows.permute(0, 2, 3, 1, 4, 5).contiguous().view(images.size(0), -1, images.size(1) * patch * patch)


@exercise.alternative("torch's columns, turned")
def _(images, patch):
    from torch.nn.functional import unfold
    return unfold(images, patch, stride=patch).transpose(1, 2)


@exercise.alternative("torch's layer of columns")
def _(images, patch):
    return torch.nn.Unfold(kernel_size=(patch, patch), stride=(patch, patch))(images).permute(0, 2, 1)


@exercise.alternative("pixel unshuffle")
def _(images, patch):
    import torch.nn.functional as functional
    return functional.pixel_unshuffle(images, patch).flatten(2).mT


@exercise.alternative("a convolution that copies")
def _(images, patch):
    import torch.nn.functional as functional
    n = images.shape[1] * patch * patch
    kernel = torch.eye(n, dtype=images.dtype).reshape(n, images.shape[1], patch, patch)
    return functional.conv2d(images, kernel, stride=patch).flatten(2).transpose(1, 2)


@exercise.alternative("splits and stacks")
def _(images, patch):
    strips = torch.stack(images.split(patch, dim=2), dim=1)
    blocks = torch.stack(strips.split(patch, dim=-1), dim=2)
    return blocks.flatten(3).flatten(1, 2)


@exercise.alternative("filled place by place")
def _(images, patch):
    B, C, H, W = images.shape
    rows, columns = H // patch, W // patch
    out = images.new_zeros(B, rows * columns, C * patch * patch)
    for i in range(rows * columns):
        r, c = divmod(i, columns)
        out[:, i] = images[:, :, r * patch:(r + 1) * patch, c * patch:(c + 1) * patch].flatten(1)
    return out


@exercise.alternative("an index for each number")
def _(images, patch):
    B, C, H, W = images.shape
    numbers = torch.arange(C * H * W).view(C, H // patch, patch, W // patch, patch).permute(1, 3, 0, 2, 4).reshape(-1, C * patch ** 2)
    return images.flatten(1)[:, numbers]


@exercise.alternative("strides")
def _(images, patch):
    B, C, H, W = images.shape
    b, c, h, w = images.stride()
    cut = torch.as_strided(images, (B, H // patch, W // patch, C, patch, patch), (b, h * patch, w * patch, c, h, w))
    return cut.reshape(B, -1, C * patch * patch)


@exercise.alternative("image by image")
def _(images, patch):
    def one(image):
        return torch.cat([piece.reshape(1, -1) for strip in image.chunk(image.shape[1] // patch, 1) for piece in strip.chunk(image.shape[2] // patch, 2)])
    return torch.stack([one(image) for image in images])


@exercise.alternative("channel by channel")
def _(images, patch):
    per_channel = [torch.stack([c[:, i:i + patch, j:j + patch].flatten(1) for i in range(0, c.shape[1], patch) for j in range(0, c.shape[2], patch)], 1) for c in images.unbind(1)]
    return torch.cat(per_channel, dim=-1)


@exercise.wrong("view-without-permute")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, (H // patch) * (W // patch), C * patch * patch)


@exercise.wrong("view-without-permute", "view")
def _(images, patch):
    n = images.shape[1] * patch ** 2
    return images.contiguous().view(images.shape[0], -1, n)


@exercise.wrong("view-without-permute", "numbers first, then turned")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C * patch * patch, -1).transpose(1, 2)


@exercise.wrong("cut-in-one-go")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, W // patch, patch, patch)
    return cut.permute(0, 2, 3, 1, 4, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("cut-in-one-go", "into N patches")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, -1, patch, patch).transpose(1, 2).flatten(2)


@exercise.wrong("cut-in-one-go", "the grid in front of the channel")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, H // patch, W // patch, C, patch, patch).permute(0, 2, 1, 3, 4, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("cut-in-one-go", "channels moved behind, then counted on")
def _(images, patch):
    B, C, H, W = images.shape
    return images.permute(0, 2, 3, 1).reshape(B, -1, C * patch * patch)


@exercise.wrong("axes-joined-too-early")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 1, 2, 4, 3, 5)
    return cut.reshape(B, -1, C * patch * patch)


@exercise.wrong("axes-joined-too-early", "windows of a tensor")
def _(images, patch):
    windows = images.unfold(2, patch, patch).unfold(3, patch, patch)
    return windows.reshape(images.shape[0], -1, images.shape[1] * patch * patch)


@exercise.wrong("axes-joined-too-early", "the channel moved, the rest not")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 2, 1, 3, 4, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("axes-joined-too-early", "rows of the patch in front of the columns")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 2, 3, 4, 1, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("axes-joined-too-early", "torch's columns, counted on")
def _(images, patch):
    from torch.nn.functional import unfold
    found = unfold(images, patch, stride=patch)
    return found.reshape(images.shape[0], -1, images.shape[1] * patch * patch)


@exercise.wrong("axes-joined-too-early", "rows and columns between the pixels")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 2, 1, 4, 3, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("axes-joined-too-early", "the grid behind the pixels")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 3, 5, 1, 2, 4).reshape(B, -1, C * patch * patch)


@exercise.wrong("columns-first")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 4, 2, 1, 3, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("columns-first", "loops")
def _(images, patch):
    tokens = []
    for left in range(0, images.shape[3], patch):
        for top in range(0, images.shape[2], patch):
            tokens.append(images[:, :, top:top + patch, left:left + patch].flatten(1))
    return torch.stack(tokens, 1)


@exercise.wrong("pixels-transposed")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 5, 3).reshape(B, -1, C * patch * patch)


@exercise.wrong("pixels-transposed", "loops")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].mT.reshape(B, -1) for i in range(0, H, patch) for j in range(0, W, patch)], 1)


@exercise.wrong("image-transposed")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 4, 2, 1, 5, 3).reshape(B, -1, C * patch * patch)


@exercise.wrong("image-transposed", "before cutting")
def _(images, patch):
    x = images.transpose(2, 3)
    x = x.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("channel-last")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 3, 5, 1).reshape(B, -1, C * patch * patch)


@exercise.wrong("channel-last", "the channels moved first")
def _(images, patch):
    x = images.movedim(1, -1).unflatten(2, (-1, patch)).unflatten(1, (-1, patch))
    return x.transpose(2, 3).flatten(3).flatten(1, 2)


@exercise.wrong("channel-last", "column by column")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 4, 2, 3, 5, 1).reshape(B, -1, C * patch * patch)


@exercise.wrong("channel-last", "column, row, channel")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 2, 4, 5, 3, 1).reshape(B, -1, C * patch * patch)


@exercise.wrong("channel-in-the-middle")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 3, 1, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("channel-in-the-middle", "rows of pixels joined")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([torch.cat([images[:, :, i + r, j:j + patch].flatten(1) for r in range(patch)], 1) for i in range(0, H, patch) for j in range(0, W, patch)], 1)


@exercise.wrong("channel-in-the-middle", "column, channel, row")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 2, 4, 5, 1, 3).reshape(B, -1, C * patch * patch)


@exercise.wrong("channels-as-patches")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 1, 2, 4, 3, 5).reshape(B, -1, patch * patch)


@exercise.wrong("channels-as-patches", "behind the grid")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, -1, patch * patch)


@exercise.wrong("channels-as-patches", "an axis of their own")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 1, 2, 4, 3, 5).reshape(B, C, -1, patch * patch)


@exercise.wrong("channels-as-patches", "an axis behind the patches")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C, patch * patch)


@exercise.wrong("channels-as-patches", "in the batch")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B * C, H // patch, patch, W // patch, patch)
    return cut.transpose(2, 3).reshape(B * C, -1, patch * patch)


@exercise.wrong("channels-as-patches", "counted on")
def _(images, patch):
    return images.reshape(images.shape[0], -1, patch * patch)


@exercise.wrong("channels-lost")
def _(images, patch):
    x = images[:, 0].unflatten(2, (-1, patch)).unflatten(1, (-1, patch))
    return x.transpose(2, 3).flatten(3).flatten(1, 2)


@exercise.wrong("channels-lost", "their mean")
def _(images, patch):
    x = images.mean(1).unflatten(2, (-1, patch)).unflatten(1, (-1, patch))
    return x.transpose(2, 3).flatten(3).flatten(1, 2)


@exercise.wrong("channels-lost", "their sum")
def _(images, patch):
    x = images.sum(dim=1).unflatten(2, (-1, patch)).unflatten(1, (-1, patch))
    return x.transpose(2, 3).flatten(3).flatten(1, 2)


@exercise.wrong("channels-lost", "the last one")
def _(images, patch):
    x = images[:, -1].unflatten(2, (-1, patch)).unflatten(1, (-1, patch))
    return x.transpose(2, 3).flatten(3).flatten(1, 2)


@exercise.wrong("grid-kept")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3)


@exercise.wrong("grid-kept", "and the patches not flat")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5)


@exercise.wrong("grid-kept", "windows of a tensor")
def _(images, patch):
    return images.unfold(2, patch, patch).unfold(3, patch, patch)


@exercise.wrong("grid-kept", "channel last")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 3, 5, 1).flatten(3)


@exercise.wrong("grid-kept", "numbers before the grid")
def _(images, patch):
    import torch.nn.functional as functional
    return functional.pixel_unshuffle(images, patch)


@exercise.wrong("patch-not-flat")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(1, 2)


@exercise.wrong("patch-not-flat", "channel last")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 3, 5, 1).flatten(1, 2)


@exercise.wrong("numbers-before-patches")
def _(images, patch):
    from torch.nn.functional import unfold
    return unfold(images, patch, stride=patch)


@exercise.wrong("numbers-before-patches", "transposed at the end")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2).transpose(1, 2)


@exercise.wrong("batch-lost")
def _(images, patch):
    x = images[0].unflatten(2, (-1, patch)).unflatten(1, (-1, patch))
    return x.permute(1, 3, 0, 2, 4).flatten(2).flatten(0, 1)


@exercise.wrong("batch-lost", "with an axis")
def _(images, patch):
    x = images[:1].unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("batch-folded")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(-1, C * patch * patch)


@exercise.wrong("batch-folded", "patches first")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.cat([images[:, :, i:i + patch, j:j + patch].reshape(B, -1) for i in range(0, H, patch) for j in range(0, W, patch)], 0)


@exercise.wrong("batch-folded", "small images")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(-1, C, patch, patch)


@exercise.wrong("images-mixed")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch).permute(2, 4, 0, 1, 3, 5)
    return cut.reshape(B, -1, C * patch * patch)


@exercise.wrong("images-mixed", "a list of patches, counted on")
def _(images, patch):
    B, C, H, W = images.shape
    blocks = [images[:, :, i:i + patch, j:j + patch] for i in range(0, H, patch) for j in range(0, W, patch)]
    return torch.stack(blocks).reshape(B, len(blocks), -1)


@exercise.wrong("images-mixed", "columns of the grid in front")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch).permute(4, 2, 0, 1, 3, 5)
    return cut.reshape(B, -1, C * patch * patch)


@exercise.wrong("patches-before-batch")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, -1) for i in range(0, H, patch) for j in range(0, W, patch)])


@exercise.wrong("patches-before-batch", "permute")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(2, 4, 0, 1, 3, 5).reshape(-1, B, C * patch * patch)


@exercise.wrong("overlap")
def _(images, patch):
    from torch.nn.functional import unfold
    return unfold(images, patch).transpose(1, 2)


@exercise.wrong("overlap", "windows")
def _(images, patch):
    windows = images.unfold(2, patch, 1).unfold(3, patch, 1)
    return windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


@exercise.wrong("overlap", "the right number, a step of one pixel")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(H // patch) for j in range(W // patch)], 1)


@exercise.wrong("patch-is-a-count")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, patch, H // patch, patch, W // patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, patch * patch, -1)


@exercise.wrong("patch-is-a-count", "chunks")
def _(images, patch):
    blocks = [piece.flatten(1) for strip in images.chunk(patch, 2) for piece in strip.chunk(patch, 3)]
    return torch.stack(blocks, 1)


@exercise.wrong("patch-is-a-count", "chunks on the last axis only")
def _(images, patch):
    return torch.stack([piece.flatten(1) for strip in images.split(patch, 2) for piece in strip.chunk(patch, 3)], 1)


@exercise.wrong("interleaved")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, patch, H // patch, patch, W // patch)
    return cut.permute(0, 3, 5, 1, 2, 4).reshape(B, -1, C * patch * patch)


@exercise.wrong("interleaved", "steps between pixels")
def _(images, patch):
    B, C, H, W = images.shape
    rows, columns = H // patch, W // patch
    return torch.stack([images[:, :, r::rows, c::columns].reshape(B, -1) for r in range(rows) for c in range(columns)], 1)


@exercise.wrong("interleaved", "the width only")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, patch, W // patch)
    return cut.permute(0, 2, 5, 1, 3, 4).reshape(B, -1, C * patch * patch)


@exercise.wrong("interleaved", "the height only")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, patch, H // patch, W // patch, patch)
    return cut.permute(0, 3, 4, 1, 2, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("grid-exchanged")
def _(images, patch):
    B, C, H, W = images.shape
    rows, columns = W // patch, H // patch
    cut = images.reshape(B, C, rows, patch, columns, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, rows * columns, -1)


@exercise.wrong("grid-exchanged", "the sizes misread")
def _(images, patch):
    B, C, W, H = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("grid-exchanged", "width first everywhere")
def _(images, patch):
    B, C, W, H = images.shape
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 4, 2, 1, 3, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("grid-exchanged", "a patch's number divided by the rows")
def _(images, patch):
    B, C, H, W = images.shape
    rows, columns = H // patch, W // patch
    tokens = []
    for n in range(rows * columns):
        r, c = divmod(n, rows)
        tokens.append(images[:, :, r * patch:(r + 1) * patch, c * patch:(c + 1) * patch].flatten(1))
    return torch.stack(tokens, dim=1)


@exercise.wrong("square-only")
def _(images, patch):
    B, C, H, W = images.shape
    n = H // patch
    return images.reshape(B, C, n, patch, n, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, n * n, -1)


@exercise.wrong("square-only", "the width")
def _(images, patch):
    B, C, side = images.shape[0], images.shape[1], images.shape[-1]
    n = side // patch
    return images.reshape(B, C, n, patch, n, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, n * n, C * patch ** 2)


@exercise.wrong("square-only", "loops over the height twice")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, -1) for i in range(0, H, patch) for j in range(0, H, patch)], 1)


@exercise.wrong("square-only", "loops over the width twice")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, -1) for i in range(0, W, patch) for j in range(0, W, patch)], 1)


@exercise.wrong("square-only", "loops over the height twice, patches of a known size")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, C * patch * patch) for i in range(0, H, patch) for j in range(0, H, patch)], 1)


@exercise.wrong("square-only", "loops over the width twice, patches of a known size")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].reshape(B, C * patch * patch) for i in range(0, W, patch) for j in range(0, W, patch)], 1)


@exercise.wrong("square-only", "joined after loops over the height")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.cat([images[:, :, i:i + patch, j:j + patch].reshape(B, 1, -1) for i in range(0, H, patch) for j in range(0, H, patch)], 1)


@exercise.wrong("square-only", "joined after loops over the width")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.cat([images[:, :, i:i + patch, j:j + patch].reshape(B, 1, -1) for i in range(0, W, patch) for j in range(0, W, patch)], 1)


@exercise.wrong("square-only", "filled, the width twice")
def _(images, patch):
    B, C, H, W = images.shape
    n = W // patch
    out = images.new_zeros(B, n * n, C * patch * patch)
    for i in range(n):
        for j in range(n):
            out[:, i * n + j] = images[:, :, i * patch:(i + 1) * patch, j * patch:(j + 1) * patch].reshape(B, -1)
    return out


@exercise.wrong("square-only", "filled, the height twice, flatten")
def _(images, patch):
    B, C, H, W = images.shape
    n = H // patch
    out = images.new_zeros(B, n * n, C * patch * patch)
    for i in range(n):
        for j in range(n):
            out[:, i * n + j] = images[:, :, i * patch:(i + 1) * patch, j * patch:(j + 1) * patch].flatten(1)
    return out


@exercise.wrong("square-only", "filled, row numbers times the rows")
def _(images, patch):
    B, C, H, W = images.shape
    rows, columns = H // patch, W // patch
    out = images.new_zeros(B, rows * columns, C * patch * patch)
    for i in range(rows):
        for j in range(columns):
            out[:, i * rows + j] = images[:, :, i * patch:(i + 1) * patch, j * patch:(j + 1) * patch].reshape(B, -1)
    return out


@exercise.wrong("square-only", "unflatten with the height's number")
def _(images, patch):
    n = images.shape[2] // patch
    x = images.unflatten(3, (n, patch)).unflatten(2, (n, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("square-only", "unflatten with the width's number")
def _(images, patch):
    n = images.shape[3] // patch
    x = images.unflatten(2, (n, patch)).unflatten(4, (n, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("square-only", "the root of the number of patches")
def _(images, patch):
    B, C, H, W = images.shape
    n = int(((H // patch) * (W // patch)) ** 0.5)
    return images.reshape(B, C, n, patch, n, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, n * n, -1)


@exercise.wrong("square-only", "channel last too")
def _(images, patch):
    B, C, H, W = images.shape
    n = H // patch
    return images.reshape(B, C, n, patch, n, patch).permute(0, 2, 4, 3, 5, 1).reshape(B, n * n, -1)


@exercise.wrong("square-only", "an assertion")
def _(images, patch):
    B, C, H, W = images.shape
    assert H == W
    return images.reshape(B, C, H // patch, patch, W // patch, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("square-only", "counted on")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, (H // patch) ** 2, -1)


@exercise.wrong("square-only", "joined into the square of the rows")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // patch) ** 2, C * patch * patch)


@exercise.wrong("square-only", "joined into the square of the columns")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, (W // patch) ** 2, C * patch * patch)


@exercise.wrong("square-only", "the square of the rows, whatever is in a patch")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // patch) ** 2, -1)


@exercise.wrong("channels-last-input")
def _(images, patch):
    B, H, W, C = images.shape
    return images.reshape(B, H // patch, patch, W // patch, patch, C).permute(0, 1, 3, 5, 2, 4).reshape(B, -1, C * patch * patch)


@exercise.wrong("channels-last-input", "the channel kept last")
def _(images, patch):
    B, H, W, C = images.shape
    return images.reshape(B, H // patch, patch, W // patch, patch, C).permute(0, 1, 3, 2, 4, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("channels-last-input", "loops")
def _(images, patch):
    B, H, W, C = images.shape
    return torch.stack([images[:, i:i + patch, j:j + patch, :].reshape(B, -1) for i in range(0, H, patch) for j in range(0, W, patch)], 1)


@exercise.wrong("last-patches-lost")
def _(images, patch):
    B, C, H, W = images.shape
    tokens = [images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H - patch, patch) for j in range(0, W - patch, patch)]
    return torch.stack(tokens, 1) if tokens else images.new_zeros(B, 0, C * patch * patch)


@exercise.wrong("last-patches-lost", "fails where no patch is left")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H - patch, patch) for j in range(0, W - patch, patch)], 1)


@exercise.wrong("last-patches-lost", "the last column")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H, patch) for j in range(0, W - patch, patch)], 1)


@exercise.wrong("last-patches-lost", "one too few")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)[:, :-1]


@exercise.wrong("list-of-patches")
def _(images, patch):
    B, C, H, W = images.shape
    return [images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(0, H, patch) for j in range(0, W, patch)]


@exercise.wrong("list-of-patches", "small images")
def _(images, patch):
    B, C, H, W = images.shape
    return [images[:, :, i:i + patch, j:j + patch] for i in range(0, H, patch) for j in range(0, W, patch)]


@exercise.wrong("list-of-patches", "one for each image")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return list(cut.permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch))


@exercise.wrong("in-a-tuple")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2),


@exercise.wrong("pooled")
def _(images, patch):
    from torch.nn.functional import avg_pool2d
    return avg_pool2d(images, patch).flatten(2).transpose(1, 2)


@exercise.wrong("pooled", "one number a patch")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.mean(dim=(1, 3, 5)).flatten(1)


@exercise.wrong("strips")
def _(images, patch):
    return torch.stack([strip.flatten(1) for strip in images.split(patch, dim=2)], dim=1)


@exercise.wrong("strips", "along the width")
def _(images, patch):
    return torch.stack([strip.flatten(1) for strip in images.split(patch, dim=3)], dim=1)


@exercise.wrong("not-cut")
def _(images, patch):
    return images.flatten(2).transpose(1, 2)


@exercise.wrong("not-cut", "all channels in a row")
def _(images, patch):
    return images.flatten(2)


@exercise.wrong("not-cut", "the images themselves")
def _(images, patch):
    return images


@exercise.wrong("not-cut", "one token")
def _(images, patch):
    return images.flatten(1).unsqueeze(1)


@exercise.wrong("reversed")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2).flip(1)


@exercise.wrong("reversed", "the pixels")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2).flip(2)


@exercise.wrong("reversed", "upside down")
def _(images, patch):
    x = images.flip(2).unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("scaled")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2) / 255


@exercise.wrong("scaled", "centred")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    tokens = x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)
    return tokens - tokens.mean(-1, keepdim=True)


@exercise.wrong("scaled", "normed")
def _(images, patch):
    from torch.nn.functional import normalize
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return normalize(x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2), dim=-1)


@exercise.wrong("scaled", "each patch standardized")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    tokens = x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)
    return (tokens - tokens.mean(-1, keepdim=True)) / (tokens.std(-1, keepdim=True) + 1e-6)


@exercise.wrong("scaled", "each patch through a layer norm")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    tokens = x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)
    return torch.nn.functional.layer_norm(tokens, tokens.shape[-1:])


@exercise.wrong("scaled", "the image centred")
def _(images, patch):
    x = (images - images.mean()).unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("squeezed")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2).squeeze()


@exercise.wrong("squeezed", "the batch")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2).squeeze(0)


@exercise.wrong("not-an-int")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, C, H / patch, patch, W / patch, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("not-an-int", "view")
def _(images, patch):
    B, C, H, W = images.shape
    return images.view(B, C, H / patch, patch, W / patch, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * patch * patch)


@exercise.wrong("not-an-int", "the number of patches")
def _(images, patch):
    B, C, H, W = images.shape
    cut = images.reshape(B, C, H // patch, patch, W // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, H * W / patch ** 2, C * patch * patch)


@exercise.wrong("not-an-int", "loops")
def _(images, patch):
    B, C, H, W = images.shape
    return torch.stack([images[:, :, i:i + patch, j:j + patch].flatten(1) for i in range(H / patch) for j in range(W / patch)], 1)


@exercise.wrong("not-an-int", "unflatten")
def _(images, patch):
    x = images.unflatten(3, (images.shape[3] / patch, patch)).unflatten(2, (images.shape[2] / patch, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("not-an-int", "zeros to be filled")
def _(images, patch):
    B, C, H, W = images.shape
    out = torch.zeros(B, (H / patch) * (W / patch), C * patch * patch)
    return out


@exercise.wrong("dtype-fixed")
def _(images, patch):
    B, C, H, W = images.shape
    out = torch.zeros(B, (H // patch) * (W // patch), C * patch * patch)
    for i in range(H // patch):
        for j in range(W // patch):
            out[:, i * (W // patch) + j] = images[:, :, i * patch:(i + 1) * patch, j * patch:(j + 1) * patch].flatten(1)
    return out


@exercise.wrong("dtype-fixed", "always float64")
def _(images, patch):
    x = images.double().unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("dtype-fixed", "a kernel in float32")
def _(images, patch):
    import torch.nn.functional as functional
    n = images.shape[1] * patch * patch
    kernel = torch.eye(n).reshape(n, images.shape[1], patch, patch)
    return functional.conv2d(images, kernel, stride=patch).flatten(2).transpose(1, 2)


@exercise.wrong("size-fixed")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, 3, H // patch, patch, W // patch, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, 3 * patch * patch)


@exercise.wrong("size-fixed", "one channel")
def _(images, patch):
    B, C, H, W = images.shape
    return images.reshape(B, 1, H // patch, patch, W // patch, patch).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, patch * patch)


@exercise.wrong("size-fixed", "patches of two pixels")
def _(images, patch):
    x = images.unflatten(3, (-1, 2)).unflatten(2, (-1, 2))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("size-fixed", "patches of sixteen pixels")
def _(images, patch):
    x = images.unflatten(3, (-1, 16)).unflatten(2, (-1, 16))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("no-gradient")
def _(images, patch):
    x = images.detach().unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("no-gradient", "by way of numpy")
def _(images, patch):
    B, C, H, W = images.shape
    x = images.detach().numpy().reshape(B, C, H // patch, patch, W // patch, patch).transpose(0, 2, 4, 1, 3, 5)
    return torch.from_numpy(x.reshape(B, -1, C * patch * patch).copy())


@exercise.wrong("changes-input")
def _(images, patch):
    with torch.no_grad():
        images *= 2
    x = (images / 2).unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("returns-nothing")
def _(images, patch):
    x = images.unflatten(3, (-1, patch)).unflatten(2, (-1, patch))
    x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


@exercise.wrong("ready-made")
def _(images, patch):
    from allyouneed.models.vit import patchify as cut
    return cut(images, patch)


@exercise.wrong("ready-made", "the module's")
def _(images, patch):
    import allyouneed.models.vit as vit
    return vit.patchify(images, patch)


@exercise.wrong("ready-made", "one module further")
def _(images, patch):
    from allyouneed.models import vit
    cut = vit.patchify
    return cut(images, patch)


@exercise.wrong("timeout")
def _(images, patch):
    from time import sleep
    tokens, top = [], 0
    while top < images.shape[2]:
        sleep(0.01)
        tokens.append(images[:, :, top:top + patch, :patch].flatten(1))
    return torch.stack(tokens, 1)
