"""conv_weight_from_linear: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "conv_weight_from_linear",
    points={"kernels": 3, "other layouts": 1},
    section="conv-weight-order",
)


@exercise.probes
def probes(make):
    def probe(name, size, dtype=torch.float32, group="kernels", **marks):
        outputs, channels, patch = size
        return make.probe(name, make.randn(outputs, channels * patch * patch, dtype=dtype), channels, patch,
                          group=group, **marks)

    yield probe("two outputs, one channel, patches of 2", (2, 1, 2), gradient=True)
    yield probe("three channels", make.pick((4, 3, 2), (5, 3, 2), (7, 3, 2)), gradient=True)
    yield probe("patches of 3", make.pick((2, 4, 3), (4, 2, 3), (5, 2, 3)))
    yield probe("as many outputs as channels", make.pick((3, 3, 2), (4, 4, 2), (2, 2, 3)))
    yield probe("as many channels as pixels in a row", make.pick((3, 2, 2), (5, 2, 2), (4, 2, 2)))
    yield probe("a square weight", make.pick((12, 3, 2), (8, 2, 2), (9, 1, 3)))
    group = "other layouts"
    yield probe("patches of one pixel", make.pick((2, 3, 1), (3, 4, 1), (4, 3, 1)), group=group, edge=True)
    yield probe("one output", make.pick((1, 3, 2), (1, 2, 3), (1, 4, 2)), group=group, edge=True)
    yield probe("float64", make.pick((2, 2, 2), (3, 2, 2), (2, 3, 2)), dtype=torch.float64, group=group,
                edge=True, gradient=True)
    yield probe("not contiguous", make.pick((3, 2, 2), (2, 3, 2), (4, 2, 2)), group=group, edge=True,
                strided=True)
    yield probe("many outputs", (160, 1, 2), group=group, long=True)


@exercise.right
def reference(weight, channels, patch):
    return weight.reshape(len(weight), channels, patch, patch)


@exercise.right("number by number")
def number_number(weight, channels, patch):
    out = weight.new_zeros(weight.size(0), channels, patch, patch)
    for c in range(channels):
        for i in range(patch):
            for j in range(patch):
                out[:, c, i, j] = weight[:, c * patch * patch + i * patch + j]
    return out


@exercise.right("from the transposed weight")
def transposed(weight, channels, patch):
    return weight.T.reshape(channels, patch, patch, -1).permute(3, 0, 1, 2)


exercise.also_right(
    full("D = weight.shape[0]\nreturn weight.view(D, channels, patch, patch)", "view"),
    full("return weight.unflatten(1, (channels, patch, patch))", "unflatten"),
    full("return torch.stack([part.unflatten(1, (patch, -1)) for part in weight.chunk(channels, dim=1)], "
         "dim=1)", "channels split off"),
    full("return torch.stack([row.reshape(-1, patch, patch) for row in weight])", "kernel by kernel"),
    full("numbers = torch.arange(weight.shape[1]).reshape(channels, patch, patch)\n"
         "return weight[:, numbers]", "an index"),
    full('return torch.einsum("dcij->dcij", weight.reshape(-1, channels, patch, patch)).contiguous()',
         "einsum"),
    full("from torch.nn.functional import fold\n"
         "return fold(weight.unsqueeze(-1), (patch, patch), patch)", "by torch's fold"))


exercise.mistake("channel-last", "order-inside-a-patch",
    "The row of a linear layer is read as if the channel came last. patchify wrote channel, row, column: "
    "cut the last axis in this order.",
    full("return weight.reshape(-1, patch, patch, channels).permute(0, 3, 1, 2)"),
    full("return weight.reshape(-1, patch, patch, channels).permute(0, 3, 2, 1)",
         "rows and columns exchanged, too"))

exercise.mistake("channel-in-the-middle", "order-inside-a-patch",
    "The row of a linear layer is read as if the channel stood between row and column. patchify wrote "
    "channel, row, column: cut the last axis in this order.",
    full("return weight.reshape(-1, patch, channels, patch).permute(0, 2, 1, 3)"),
    full("return weight.reshape(-1, patch, channels, patch).permute(0, 2, 3, 1)", "column, channel, row"))

exercise.mistake("place-miscounted", "order-inside-a-patch",
    "The place of a number in its row is miscounted. A channel has patch · patch numbers, and a row of its "
    "kernel patch: that many stand before the next one.",
    edit(number_number, {"c * patch * patch": "c * patch"}, "a channel"),
    edit(number_number, {"i * patch + j": "i + j"}, "a row"))

exercise.mistake("kernel-transposed", "conv-weight-order",
    "Rows and columns of each kernel are exchanged. The column varies fastest in the flat patch, and "
    "stands last in the kernel.",
    full("return weight.reshape(-1, channels, patch, patch).transpose(2, 3)"))

exercise.mistake("transposed", "patch-projection",
    "The weight is read along the wrong axis: nn.Linear keeps (outputs, inputs), so each row makes one "
    "output and becomes one kernel.",
    full("return weight.T.reshape(-1, channels, patch, patch)"),
    full("return weight.T.reshape(weight.shape[1], channels, patch, patch)", "inputs taken for outputs"),
    edit(transposed, {".permute(3, 0, 1, 2)": ""}, "outputs at the end"),
    edit(reference, {"len(weight)": "weight.shape[1]"}, "the last axis taken for the outputs"))

exercise.mistake("channels-before-outputs", "conv-weight-order",
    "The first two axes are exchanged: a convolution's weight is (outputs, channels, height, width).",
    full("return weight.reshape(-1, channels, patch, patch).transpose(0, 1)"),
    edit(reference, {"len(weight), channels": "channels, -1"}, "counted on"),
    full("return weight.reshape(channels, -1, patch, patch).transpose(0, 1)", "counted on, then exchanged"))

exercise.mistake("channels-at-the-end", "conv-weight-order",
    "The axes do not stand in the order (outputs, channels, height, width). Cut the last axis into "
    "(channels, patch, patch), and leave them there.",
    full("return weight.reshape(-1, channels, patch, patch).permute(0, 2, 3, 1)"),
    full("return weight.reshape(-1, patch, patch, channels)", "counted on"),
    full("return weight.reshape(-1, channels, patch, patch).permute(2, 3, 1, 0)", "outputs last"),
    full("return weight.reshape(patch, patch, channels, -1)", "patch axes first"),
    full("return weight.reshape(-1, patch, channels, patch)", "the channel between row and column"))

exercise.mistake("flipped", "strided-convolution",
    "The kernels are turned or mirrored. What torch calls a convolution slides the kernel as it is: flip "
    "nothing.",
    full("return weight.reshape(-1, channels, patch, patch).flip(2, 3)"),
    full("return weight.reshape(-1, channels, patch, patch).flip(-1)", "left and right"),
    full("return weight.reshape(-1, channels, patch, patch).flip(2)", "up and down"),
    full("return weight.reshape(-1, channels, patch, patch).rot90(1, (2, 3))", "turned"),
    full("return weight.reshape(-1, channels, patch, patch).rot90(-1, (2, 3))", "turned the other way"),
    full("return weight.flip(1).reshape(-1, channels, patch, patch)", "the flat row"))

exercise.mistake("not-cut", "conv-weight-order",
    "The numbers of a patch are not cut into all their axes: (outputs, channels, patch, patch).",
    full("return weight.reshape(-1, channels, patch * patch)"),
    edit(reference, {"len(weight), channels,": "-1, channels *"}, "rows kept together"),
    full("return weight", "the weight itself"),
    full("return weight[:, :, None, None]", "with axes of size 1"),
    full("return weight.unsqueeze(1)", "and one axis in front"))

exercise.mistake("channels-lost", "conv-weight-order",
    "The kernels have lost channels, or all channels share one. Each output has a kernel for each channel: "
    "(outputs, channels, patch, patch).",
    full("return weight.reshape(-1, channels, patch, patch)[:, :1]"),
    full("return weight.reshape(-1, channels, patch, patch).sum(1, keepdim=True)", "their sum"),
    full("return weight.reshape(-1, channels, patch, patch).mean(1, keepdim=True)", "their mean"),
    full("kernels = weight.reshape(-1, channels, patch, patch)\n"
         "return kernels.sum(1, keepdim=True).expand_as(kernels)", "their sum for each"),
    full("kernels = weight.reshape(-1, channels, patch, patch)\n"
         "return kernels.mean(1, keepdim=True).expand_as(kernels)", "their mean for each"),
    full("kernels = weight.reshape(-1, channels, patch, patch)\n"
         "return kernels[:, :1].repeat(1, channels, 1, 1)", "the first for each"),
    edit(reference, {"len(weight), channels": "-1, 1"}, "counted as outputs"),
    edit(reference, {"len(weight), channels": "-1"}, "counted as outputs, no axis"),
    full("return weight.reshape(-1, channels, patch, patch)[:, 0]", "without the axis"),
    full("return weight.reshape(-1, channels, patch, patch).sum(dim=1)", "a sum without the axis"),
    full("return weight.reshape(-1, channels, patch, patch).mean(dim=1)", "a mean without the axis"))

exercise.mistake("scaled", "strided-convolution",
    "The numbers are changed. The convolution computes the same sums, so it needs the same numbers.",
    full("return weight.reshape(-1, channels, patch, patch) / (patch * patch)"),
    full("return weight.reshape(-1, channels, patch, patch) / weight.shape[1]", "by all inputs"),
    full("return weight.reshape(-1, channels, patch, patch) / weight.shape[1] ** 0.5", "by a root"),
    full("return weight.reshape(-1, channels, patch, patch) / channels", "by the channels"),
    full("return weight.reshape(-1, channels, patch, patch) / patch", "by the patch"),
    full("return -weight.reshape(-1, channels, patch, patch)", "negative"))

exercise.mistake("returns-layer", "conv-weight-order",
    "A layer comes back. Return its weight, a tensor (outputs, channels, patch, patch).",
    full("layer = torch.nn.Conv2d(channels, weight.shape[0], patch, stride=patch, bias=False)\n"
         "layer.weight.data = weight.reshape(-1, channels, patch, patch)\n"
         "return layer"))

exercise.mistake("extra-axis", "conv-weight-order",
    "There is one axis too many. The result is (outputs, channels, patch, patch).",
    edit(reference, {"len(weight)": "1, -1"}),
    full("return weight.reshape(-1, channels, patch, patch).unsqueeze(1)", "in the middle"),
    full("return weight.reshape(-1, channels, patch, patch, 1)", "at the end"))

exercise.mistake("one-output", "conv-weight-order",
    "Kernels are missing: each row of the linear weight becomes a kernel of its own.",
    full("return weight[0].reshape(channels, patch, patch)"),
    full("return weight[:1].reshape(1, channels, patch, patch)", "with its axis"),
    full("return weight.mean(0).reshape(channels, patch, patch)", "the mean"),
    full("return weight.sum(dim=0).reshape(1, channels, patch, patch)", "the sum"))

exercise.mistake("size-fixed", "conv-weight-order",
    "The sizes do not fit the weight: each of its rows has channels · patch · patch numbers. Take channels "
    "and patch from the arguments, and write no size into the code; patch is a side, not an area.",
    edit(reference, {"len(weight), channels": "-1, 3"}),
    edit(reference, {"len(weight), channels": "weight.shape[0], 1"}, "one channel"),
    full("return weight.reshape(weight.shape[0], channels, 2, 2)", "patches of two pixels"),
    full("return weight.reshape(weight.shape[0], channels, 16, 16)", "patches of sixteen pixels"),
    full("return weight.reshape(weight.shape[0], 3, 16, 16)", "three channels, patches of sixteen pixels"),
    full("return weight.reshape(weight.shape[0], 3, patch, patch)", "three channels and the outputs"),
    edit(reference, {"return": "side = int(patch ** 0.5)\nreturn", "patch, patch": "side, side"}, "the area"))

exercise.mistake("patch-is-an-area", "patches",
    "patch is the side of a patch in pixels, not its number of pixels. Take no root of it.",
    full("side = int(patch ** 0.5)\nreturn weight.reshape(-1, channels, side, side)"))

exercise.mistake("outputs-reversed", "conv-weight-order",
    "The kernels come in the wrong order. Kernel number d belongs to row d of the linear weight.",
    full("return weight.reshape(-1, channels, patch, patch).flip(0)"),
    full("return weight.reshape(-1, channels, patch, patch).flip(0, 1)", "the channels, too"))

exercise.mistake("channels-reversed", "order-inside-a-patch",
    "The channels of each kernel come in the wrong order. patchify wrote channel 0 first, and a "
    "convolution's weight begins with it, too.",
    full("return weight.reshape(-1, channels, patch, patch).flip(1)"),
    full("return weight.reshape(-1, channels, patch, patch).roll(1, dims=1)", "rolled by one"),
    full("return weight.reshape(-1, channels, patch, patch).roll(-1, dims=1)", "rolled the other way"))

exercise.mistake("squeezed", "conv-weight-order",
    "Axes of size 1 are squeezed away. One output, one channel or one pixel keep their axes.",
    full("return weight.reshape(-1, channels, patch, patch).squeeze()"),
    full("return weight.reshape(-1, channels, patch, patch).squeeze(1)", "one channel"),
    full("return weight.reshape(-1, channels, patch, patch).squeeze(0)", "one output"))

exercise.mistake("list-of-kernels", "conv-weight-order",
    "The kernels come as a list or a tuple. Return one tensor (outputs, channels, patch, patch).",
    full("return [row.reshape(channels, patch, patch) for row in weight]"),
    full("return weight.reshape(-1, channels, patch, patch).tolist()", "numbers"))

exercise.mistake("in-a-tuple", "conv-weight-order",
    "A tuple with one tensor in it comes back. Look for a comma after the result.",
    full("return weight.reshape(-1, channels, patch, patch),"))

exercise.mistake("not-an-int", "conv-weight-order",
    "A size is a float: / and ** 0.5 give one even where nothing is left over. Divide with //, and take "
    "the side from the argument patch.",
    edit(reference, {"len(weight)": "weight.numel() / (channels * patch * patch)"}),
    full("return weight.reshape(weight.shape[0], weight.shape[1] / patch ** 2, patch, patch)",
         "the channels"),
    edit(reference, {"return": "side = (weight.shape[1] / channels) ** 0.5\nreturn",
                     "patch, patch": "side, side"}, "the root of the pixels"))

exercise.mistake("dtype-fixed", "conv-weight-order",
    "The result does not have the dtype of the weight. Give new tensors dtype=weight.dtype, and cast "
    "nothing.",
    full("out = torch.zeros(weight.shape[0], channels, patch, patch)\n"
         "for d, row in enumerate(weight):\n"
         "    out[d] = row.reshape(channels, patch, patch)\n"
         "return out"),
    full("return weight.double().reshape(-1, channels, patch, patch)", "always float64"))

exercise.mistake("resized-in-place", "conv-weight-order",
    "The weight itself gets another shape. Work on a new view of it: reshape gives one.",
    full("weight.data = weight.data.reshape(-1, channels, patch, patch)\nreturn weight"))

exercise.mistake("wrong-cut", "conv-weight-order",
    "The weight is cut by counting through all its numbers in an order other than (outputs, channels, row, "
    "column). The outputs come first, as they do in the linear layer, then channel, row and column.",
    full("return weight.reshape(patch, patch, channels, -1).permute(3, 2, 0, 1)"),
    edit(transposed, {"weight.T": "weight"}, "channels first"))

exercise.built_in("no-gradient",
    full("return weight.detach().reshape(-1, channels, patch, patch)"))

exercise.built_in("changes-input",
    edit(reference, {"return": "with torch.no_grad():\n"
                               "    weight *= 2\n"
                               "return",
                     "weight.": "(weight / 2)."}))

exercise.built_in("returns-nothing",
    full("weight.reshape(-1, channels, patch, patch)"),
    edit(reference, {"return": "layer = torch.nn.Conv2d(channels, weight.shape[0], patch, stride=patch)\n"
                               "layer.weight.data =",
                     "len(weight)": "-1"}, "a layer is made"))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "kernels = []\n"
         "while len(kernels) < weight.shape[0]:\n"
         "    sleep(0.01)\n"
         "    kernel = weight[len(kernels)].reshape(channels, patch, patch)\n"
         "return torch.stack(kernels)"))

exercise.equal("the kernel is as large as the image", {"(patch, patch), patch": "patch, (patch, patch)"})
