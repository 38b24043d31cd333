"""The rubric of conv_weight_from_linear: reference, probes, mistakes with their messages, and the evidence that they are right."""

import torch

from coursegrader.rubric import Exercise

exercise = Exercise(
    "conv_weight_from_linear",
    points={"kernels": 3, "other layouts": 1},
    section="conv-weight-order",
    compact=True,
    mistakes={
        "channel-last": ("The row of a linear layer is read as if the channel came last. patchify wrote channel, row, column: cut the last axis in this "
                         "order.", "order-inside-a-patch"),
        "channel-in-the-middle": ("The row of a linear layer is read as if the channel stood between row and column. patchify wrote channel, row, column: cut "
                                  "the last axis in this order.", "order-inside-a-patch"),
        "kernel-transposed": ("Rows and columns of each kernel are exchanged. The column counts fastest in the flat patch, and stands last in the kernel.",
                              "conv-weight-order"),
        "transposed": ("The weight is read along the wrong axis: nn.Linear keeps (outputs, inputs), so each row makes one output and becomes one kernel.",
                       "patch-projection"),
        "channels-before-outputs": ("The first two axes are exchanged: a convolution's weight is (outputs, channels, height, width).", "conv-weight-order"),
        "channels-at-the-end": ("The axes do not stand in the order (outputs, channels, height, width). Cut the last axis into (channels, patch, patch), and "
                                "leave them there.", "conv-weight-order"),
        "flipped": ("The kernels are turned or mirrored. What torch calls a convolution slides the kernel as it is: flip nothing.", "strided-convolution"),
        "not-cut": ("The numbers of a patch are not cut into all their axes: (outputs, channels, patch, patch).", "conv-weight-order"),
        "channels-lost": ("The kernels have lost channels, or all channels share one. Each output has a kernel for each channel: (outputs, channels, patch, patch).", "conv-weight-order"),
        "scaled": ("The numbers are changed. The convolution computes the same sums, so it needs the same numbers.", "strided-convolution"),
        "returns-layer": ("A layer comes back. Return its weight, a tensor (outputs, channels, patch, patch).", "conv-weight-order"),
        "extra-axis": ("There is one axis too many. The result is (outputs, channels, patch, patch).", "conv-weight-order"),
        "one-output": ("Kernels are missing: each row of the linear weight becomes a kernel of its own.", "conv-weight-order"),
        "size-fixed": ("The sizes do not fit the weight: each of its rows has channels · patch · patch numbers. Take channels and patch from the arguments, "
                       "and write no size into the code; patch is a side, not an area.", "conv-weight-order"),
        "patch-is-an-area": ("patch is the side of a patch in pixels, not its number of pixels. Take no root of it.", "patches"),
        "outputs-reversed": ("The kernels come in the wrong order. Kernel number d belongs to row d of the linear weight.", "conv-weight-order"),
        "channels-reversed": ("The channels of each kernel come in the wrong order. patchify wrote channel 0 first, and a convolution's "
                              "weight begins with it, too.",
                              "order-inside-a-patch"),
        "squeezed": ("Axes of size 1 are squeezed away. One output, one channel or one pixel keep their axes.", "conv-weight-order"),
        "list-of-kernels": ("The kernels come as a list or a tuple. Return one tensor (outputs, channels, patch, patch).", "conv-weight-order"),
        "in-a-tuple": ("A tuple with one tensor in it comes back. Look for a comma after the result.", "conv-weight-order"),
        "not-an-int": ("A size is a float: / and ** 0.5 give one even where nothing is left over. Divide with //, and take the side from the argument patch.",
                       "conv-weight-order"),
        "dtype-fixed": ("The result does not have the dtype of the weight. Give new tensors dtype=weight.dtype, and cast nothing.", "conv-weight-order"),
        "resized-in-place": ("The weight itself gets another shape. Work on a new view of it: reshape gives one.", "conv-weight-order"),
        "wrong-cut": ("The weight is cut by counting through all its numbers in an order other than (outputs, channels, row, column). The "
                      "outputs come first, as they do in the linear layer, then channel, row and column.", "conv-weight-order"),
    },
)


@exercise.probes
def _(make):
    def probe(name, size, dtype=torch.float32, group="kernels", **marks):
        outputs, channels, patch = size
        return make.probe(name, make.randn(outputs, channels * patch * patch, dtype=dtype), channels, patch, group=group, **marks)

    yield probe("two outputs, one channel, patches of 2", (2, 1, 2), gradient=True)
    yield probe("three channels", make.pick((4, 3, 2), (5, 3, 2), (7, 3, 2)), gradient=True)
    yield probe("patches of 3", make.pick((2, 4, 3), (4, 2, 3), (5, 2, 3)))
    yield probe("as many outputs as channels", make.pick((3, 3, 2), (4, 4, 2), (2, 2, 3)))
    yield probe("as many channels as pixels in a row", make.pick((3, 2, 2), (5, 2, 2), (4, 2, 2)))
    yield probe("a square weight", make.pick((12, 3, 2), (8, 2, 2), (9, 1, 3)))
    group = "other layouts"
    yield probe("patches of one pixel", make.pick((2, 3, 1), (3, 4, 1), (4, 3, 1)), group=group, edge=True)
    yield probe("one output", make.pick((1, 3, 2), (1, 2, 3), (1, 4, 2)), group=group, edge=True)
    yield probe("float64", make.pick((2, 2, 2), (3, 2, 2), (2, 3, 2)), dtype=torch.float64, group=group, edge=True, gradient=True)
    yield probe("not contiguous", make.pick((3, 2, 2), (2, 3, 2), (4, 2, 2)), group=group, edge=True, strided=True)
    yield probe("many outputs", (160, 1, 2), group=group, long=True)


@exercise.right
def reference(weight, channels, patch):
    return weight.reshape(len(weight), channels, patch, patch)


@exercise.alternative("view")
def _(weight, channels, patch):
    D = weight.shape[0]
    return weight.view(D, channels, patch, patch)


@exercise.alternative("unflatten")
def _(weight, channels, patch):
    return weight.unflatten(1, (channels, patch, patch))


@exercise.alternative("channels split off")
def _(weight, channels, patch):
    return torch.stack([part.unflatten(1, (patch, -1)) for part in weight.chunk(channels, dim=1)], dim=1)


@exercise.alternative("kernel by kernel")
def _(weight, channels, patch):
    return torch.stack([row.reshape(-1, patch, patch) for row in weight])


@exercise.alternative("number by number")
def _(weight, channels, patch):
    out = weight.new_zeros(weight.size(0), channels, patch, patch)
    for c in range(channels):
        for i in range(patch):
            for j in range(patch):
                out[:, c, i, j] = weight[:, c * patch * patch + i * patch + j]
    return out


@exercise.alternative("an index")
def _(weight, channels, patch):
    numbers = torch.arange(weight.shape[1]).reshape(channels, patch, patch)
    return weight[:, numbers]


@exercise.alternative("from the transposed weight")
def _(weight, channels, patch):
    return weight.T.reshape(channels, patch, patch, -1).permute(3, 0, 1, 2)


@exercise.alternative("einsum")
def _(weight, channels, patch):
    return torch.einsum("dcij->dcij", weight.reshape(-1, channels, patch, patch)).contiguous()


@exercise.alternative("by torch's fold")
def _(weight, channels, patch):
    from torch.nn.functional import fold
    return fold(weight.unsqueeze(-1), (patch, patch), patch)


@exercise.wrong("channel-last")
def _(weight, channels, patch):
    return weight.reshape(-1, patch, patch, channels).permute(0, 3, 1, 2)


@exercise.wrong("channel-last", "movedim")
def _(weight, channels, patch):
    return weight.unflatten(-1, (patch, patch, channels)).movedim(-1, 1)


@exercise.wrong("channel-last", "rows and columns exchanged, too")
def _(weight, channels, patch):
    return weight.reshape(-1, patch, patch, channels).permute(0, 3, 2, 1)


@exercise.wrong("channel-in-the-middle")
def _(weight, channels, patch):
    return weight.reshape(-1, patch, channels, patch).permute(0, 2, 1, 3)


@exercise.wrong("channel-in-the-middle", "transpose")
def _(weight, channels, patch):
    return weight.view(weight.shape[0], patch, channels, patch).transpose(1, 2)


@exercise.wrong("channel-in-the-middle", "column, channel, row")
def _(weight, channels, patch):
    return weight.reshape(-1, patch, channels, patch).permute(0, 2, 3, 1)


@exercise.wrong("kernel-transposed")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).transpose(2, 3)


@exercise.wrong("kernel-transposed", "loops")
def _(weight, channels, patch):
    out = weight.new_zeros(weight.shape[0], channels, patch, patch)
    for c in range(channels):
        for i in range(patch):
            for j in range(patch):
                out[:, c, i, j] = weight[:, (c * patch + j) * patch + i]
    return out


@exercise.wrong("transposed")
def _(weight, channels, patch):
    return weight.T.reshape(-1, channels, patch, patch)


@exercise.wrong("transposed", "contiguous view")
def _(weight, channels, patch):
    return weight.t().contiguous().view(weight.shape[0], channels, patch, patch)


@exercise.wrong("transposed", "inputs taken for outputs")
def _(weight, channels, patch):
    return weight.T.reshape(weight.shape[1], channels, patch, patch)


@exercise.wrong("transposed", "outputs at the end")
def _(weight, channels, patch):
    return weight.T.reshape(channels, patch, patch, -1)


@exercise.wrong("transposed", "the last axis taken for the outputs")
def _(weight, channels, patch):
    return weight.reshape(weight.shape[1], channels, patch, patch)


@exercise.wrong("channels-before-outputs")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).transpose(0, 1)


@exercise.wrong("channels-before-outputs", "counted on")
def _(weight, channels, patch):
    return weight.reshape(channels, -1, patch, patch)


@exercise.wrong("channels-before-outputs", "counted on, then exchanged")
def _(weight, channels, patch):
    return weight.reshape(channels, -1, patch, patch).transpose(0, 1)


@exercise.wrong("channels-at-the-end")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).permute(0, 2, 3, 1)


@exercise.wrong("channels-at-the-end", "counted on")
def _(weight, channels, patch):
    return weight.reshape(-1, patch, patch, channels)


@exercise.wrong("channels-at-the-end", "outputs last")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).permute(2, 3, 1, 0)


@exercise.wrong("channels-at-the-end", "patch axes first")
def _(weight, channels, patch):
    return weight.reshape(patch, patch, channels, -1)


@exercise.wrong("channels-at-the-end", "the channel between row and column")
def _(weight, channels, patch):
    return weight.reshape(-1, patch, channels, patch)


@exercise.wrong("flipped")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).flip(2, 3)


@exercise.wrong("flipped", "left and right")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).flip(-1)


@exercise.wrong("flipped", "up and down")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).flip(2)


@exercise.wrong("flipped", "turned")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).rot90(1, (2, 3))


@exercise.wrong("flipped", "turned the other way")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).rot90(-1, (2, 3))


@exercise.wrong("flipped", "the flat row")
def _(weight, channels, patch):
    return weight.flip(1).reshape(-1, channels, patch, patch)


@exercise.wrong("not-cut")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch * patch)


@exercise.wrong("not-cut", "rows kept together")
def _(weight, channels, patch):
    return weight.reshape(-1, channels * patch, patch)


@exercise.wrong("not-cut", "the weight itself")
def _(weight, channels, patch):
    return weight


@exercise.wrong("not-cut", "with axes of size 1")
def _(weight, channels, patch):
    return weight[:, :, None, None]


@exercise.wrong("not-cut", "and one axis in front")
def _(weight, channels, patch):
    return weight.unsqueeze(1)


@exercise.wrong("channels-lost")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch)[:, :1]


@exercise.wrong("channels-lost", "their sum")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).sum(1, keepdim=True)


@exercise.wrong("channels-lost", "their mean")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).mean(1, keepdim=True)


@exercise.wrong("channels-lost", "their sum for each")
def _(weight, channels, patch):
    kernels = weight.reshape(-1, channels, patch, patch)
    return kernels.sum(1, keepdim=True).expand_as(kernels)


@exercise.wrong("channels-lost", "their mean for each")
def _(weight, channels, patch):
    kernels = weight.reshape(-1, channels, patch, patch)
    return kernels.mean(1, keepdim=True).expand_as(kernels)


@exercise.wrong("channels-lost", "the first for each")
def _(weight, channels, patch):
    kernels = weight.reshape(-1, channels, patch, patch)
    return kernels[:, :1].repeat(1, channels, 1, 1)


@exercise.wrong("channels-lost", "counted as outputs")
def _(weight, channels, patch):
    return weight.reshape(-1, 1, patch, patch)


@exercise.wrong("channels-lost", "counted as outputs, no axis")
def _(weight, channels, patch):
    return weight.reshape(-1, patch, patch)


@exercise.wrong("channels-lost", "without the axis")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch)[:, 0]


@exercise.wrong("channels-lost", "a sum without the axis")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).sum(dim=1)


@exercise.wrong("channels-lost", "a mean without the axis")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).mean(dim=1)


@exercise.wrong("scaled")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch) / (patch * patch)


@exercise.wrong("scaled", "by all inputs")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch) / weight.shape[1]


@exercise.wrong("scaled", "by a root")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch) / weight.shape[1] ** 0.5


@exercise.wrong("scaled", "by the channels")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch) / channels


@exercise.wrong("scaled", "by the patch")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch) / patch


@exercise.wrong("scaled", "negative")
def _(weight, channels, patch):
    return -weight.reshape(-1, channels, patch, patch)


@exercise.wrong("returns-layer")
def _(weight, channels, patch):
    layer = torch.nn.Conv2d(channels, weight.shape[0], patch, stride=patch, bias=False)
    layer.weight.data = weight.reshape(-1, channels, patch, patch)
    return layer


@exercise.wrong("returns-layer", "filled")
def _(weight, channels, patch):
    with torch.no_grad():
        layer = torch.nn.Conv2d(channels, weight.shape[0], kernel_size=patch, stride=patch)
        layer.weight.copy_(weight.reshape(-1, channels, patch, patch))
        return layer


@exercise.wrong("extra-axis")
def _(weight, channels, patch):
    return weight.reshape(1, -1, channels, patch, patch)


@exercise.wrong("extra-axis", "in the middle")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).unsqueeze(1)


@exercise.wrong("extra-axis", "at the end")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch, 1)


@exercise.wrong("one-output")
def _(weight, channels, patch):
    return weight[0].reshape(channels, patch, patch)


@exercise.wrong("one-output", "with its axis")
def _(weight, channels, patch):
    return weight[:1].reshape(1, channels, patch, patch)


@exercise.wrong("one-output", "the mean")
def _(weight, channels, patch):
    return weight.mean(0).reshape(channels, patch, patch)


@exercise.wrong("one-output", "the sum")
def _(weight, channels, patch):
    return weight.sum(dim=0).reshape(1, channels, patch, patch)


@exercise.wrong("size-fixed")
def _(weight, channels, patch):
    return weight.reshape(-1, 3, patch, patch)


@exercise.wrong("size-fixed", "one channel")
def _(weight, channels, patch):
    return weight.reshape(weight.shape[0], 1, patch, patch)


@exercise.wrong("size-fixed", "patches of two pixels")
def _(weight, channels, patch):
    return weight.reshape(weight.shape[0], channels, 2, 2)


@exercise.wrong("size-fixed", "patches of sixteen pixels")
def _(weight, channels, patch):
    return weight.reshape(weight.shape[0], channels, 16, 16)


@exercise.wrong("size-fixed", "three channels, patches of sixteen pixels")
def _(weight, channels, patch):
    return weight.reshape(weight.shape[0], 3, 16, 16)


@exercise.wrong("size-fixed", "three channels and the outputs")
def _(weight, channels, patch):
    return weight.reshape(weight.shape[0], 3, patch, patch)


@exercise.wrong("patch-is-an-area")
def _(weight, channels, patch):
    side = int(patch ** 0.5)
    return weight.reshape(-1, channels, side, side)


@exercise.wrong("size-fixed", "the area")
def _(weight, channels, patch):
    side = int(patch ** 0.5)
    return weight.reshape(weight.shape[0], channels, side, side)


@exercise.wrong("outputs-reversed")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).flip(0)


@exercise.wrong("outputs-reversed", "the channels, too")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).flip(0, 1)


@exercise.wrong("channels-reversed")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).flip(1)


@exercise.wrong("channels-reversed", "rolled by one")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).roll(1, dims=1)


@exercise.wrong("channels-reversed", "rolled the other way")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).roll(-1, dims=1)


@exercise.wrong("squeezed")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).squeeze()


@exercise.wrong("squeezed", "one channel")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).squeeze(1)


@exercise.wrong("squeezed", "one output")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).squeeze(0)


@exercise.wrong("list-of-kernels")
def _(weight, channels, patch):
    return [row.reshape(channels, patch, patch) for row in weight]


@exercise.wrong("list-of-kernels", "a tuple")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).unbind(0)


@exercise.wrong("list-of-kernels", "numbers")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch).tolist()


@exercise.wrong("in-a-tuple")
def _(weight, channels, patch):
    return weight.reshape(-1, channels, patch, patch),


@exercise.wrong("not-an-int")
def _(weight, channels, patch):
    return weight.reshape(weight.numel() / (channels * patch * patch), channels, patch, patch)


@exercise.wrong("not-an-int", "the channels")
def _(weight, channels, patch):
    return weight.reshape(weight.shape[0], weight.shape[1] / patch ** 2, patch, patch)


@exercise.wrong("not-an-int", "the root of the pixels")
def _(weight, channels, patch):
    side = (weight.shape[1] / channels) ** 0.5
    return weight.reshape(weight.shape[0], channels, side, side)


@exercise.wrong("dtype-fixed")
def _(weight, channels, patch):
    out = torch.zeros(weight.shape[0], channels, patch, patch)
    for d, row in enumerate(weight):
        out[d] = row.reshape(channels, patch, patch)
    return out


@exercise.wrong("dtype-fixed", "always float64")
def _(weight, channels, patch):
    return weight.double().reshape(-1, channels, patch, patch)


@exercise.wrong("resized-in-place")
def _(weight, channels, patch):
    weight.data = weight.data.reshape(-1, channels, patch, patch)
    return weight


@exercise.wrong("wrong-cut")
def _(weight, channels, patch):
    return weight.reshape(patch, patch, channels, -1).permute(3, 2, 0, 1)


@exercise.wrong("wrong-cut", "channels first")
def _(weight, channels, patch):
    return weight.reshape(channels, patch, patch, -1).permute(3, 0, 1, 2)


@exercise.wrong("no-gradient")
def _(weight, channels, patch):
    return weight.detach().reshape(-1, channels, patch, patch)


@exercise.wrong("no-gradient", "data")
def _(weight, channels, patch):
    return weight.data.view(-1, channels, patch, patch)


@exercise.wrong("no-gradient", "by way of numpy")
def _(weight, channels, patch):
    return torch.from_numpy(weight.detach().numpy().reshape(-1, channels, patch, patch).copy())


@exercise.wrong("changes-input")
def _(weight, channels, patch):
    with torch.no_grad():
        weight *= 2
    return (weight / 2).reshape(-1, channels, patch, patch)


@exercise.wrong("returns-nothing")
def _(weight, channels, patch):
    weight.reshape(-1, channels, patch, patch)


@exercise.wrong("returns-nothing", "a layer is made")
def _(weight, channels, patch):
    layer = torch.nn.Conv2d(channels, weight.shape[0], patch, stride=patch)
    layer.weight.data = weight.reshape(-1, channels, patch, patch)


@exercise.wrong("timeout")
def _(weight, channels, patch):
    from time import sleep
    kernels = []
    while len(kernels) < weight.shape[0]:
        sleep(0.01)
        kernel = weight[len(kernels)].reshape(channels, patch, patch)
    return torch.stack(kernels)
