"""occlusion_map: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "occlusion_map",
    points={"maps": 3, "unusual images": 1},
    section="occlusion",
    driver="made_arguments",
)


@exercise.probes
def probes(make):
    def probe(name, sizes, patch, *fill, classes=4, dtype=torch.float32, group="maps", scale=1.0, **marks):
        batch, channels, height, width = sizes
        n_numbers = channels * height * width
        model = {"made": "classifier", "shape": [channels, height, width],
                 "first": make.randn(n_numbers, 7, dtype=dtype, scale=1.5 / n_numbers**0.5),
                 "second": make.randn(7, classes, dtype=dtype, scale=scale)}
        images = make.randn(batch, channels, height, width, dtype=dtype) + 0.5
        labels = (torch.arange(batch) + make.randint(0, classes, (1,))) % classes
        return make.probe(name, model, images, labels, patch, *fill, group=group, **marks)

    yield probe("one grey image, four patches", (1, 1, 4, 4), 2)
    yield probe("all sizes different", *make.pick(((3, 2, 4, 6), 2), ((2, 3, 6, 4), 2), ((4, 2, 6, 3), 3)),
                classes=5)
    yield probe("a wide image", *make.pick(((2, 1, 2, 8), 2), ((3, 1, 3, 9), 3), ((2, 1, 2, 10), 2)))
    yield probe("a high image in three colours",
                *make.pick(((2, 3, 9, 3), 3), ((2, 3, 8, 4), 2), ((3, 3, 6, 2), 2)))
    yield probe("as many images as patches", (4, 2, 4, 4), 2)
    yield probe("covered with grey", (2, 3, 4, 6), 2, make.pick(0.5, 0.4, 0.6))
    yield probe("covered with a negative number", (3, 1, 6, 4), 2, make.pick(-1.0, -1.5, -0.5), classes=6)
    edge = {"group": "unusual images", "edge": True}
    yield probe("patches of one pixel", (2, 2, 2, 3), 1, **edge)
    yield probe("one patch", (2, 3, 4, 4), 4, **edge)
    yield probe("two classes", (2, 1, 4, 4), 2, classes=2, **edge)
    yield probe("a very sure model", (2, 1, 4, 6), 2, scale=90.0, **edge)
    yield probe("float64", (2, 2, 4, 6), 2, 0.25, dtype=torch.float64, **edge)
    yield probe("not contiguous", (3, 2, 4, 6), 2, strided=True, **edge)
    yield probe("49 patches", (2, 1, 28, 28), 4, group="unusual images", long=True)


@exercise.right
def reference(model, images, labels, patch, fill=0.0):
    def right(pictures):
        log_p = model(pictures).log_softmax(dim=-1)
        return log_p[torch.arange(len(labels)), labels]

    with torch.no_grad():
        whole, falls = right(images), []
        for row in range(0, images.shape[2], patch):
            for column in range(0, images.shape[3], patch):
                covered = images.clone()
                covered[:, :, row:row + patch, column:column + patch] = fill
                falls.append(whole - right(covered))
    return torch.stack(falls, dim=1)


@exercise.right("by the loss, torch.where")
def by_loss(model, images, labels, patch, fill=0.0):
    B, C, H, W = images.shape
    before = F.cross_entropy(model(images), labels, reduction="none")
    place = (torch.arange(H) // patch)[:, None] * (W // patch) + torch.arange(W) // patch
    result = images.new_zeros(B, (H // patch) * (W // patch))
    for n in range(result.shape[1]):
        covered = torch.where(place == n, fill, images).to(images.dtype)
        after = F.cross_entropy(model(covered), labels, reduction="none")
        result[:, n] = (after - before).detach()
    return result


@exercise.right("all in one batch")
def one_batch(model, images, labels, patch, fill=0.0):
    B, C, H, W = images.shape
    n_rows, n_columns = H // patch, W // patch
    n = n_rows * n_columns
    cover = torch.eye(n, dtype=torch.bool).view(n, n_rows, 1, n_columns, 1)
    cover = cover.expand(n, n_rows, patch, n_columns, patch).reshape(n, 1, H, W)
    many = images[:, None].masked_fill(cover, fill)
    logits = model(torch.cat([images[:, None], many], dim=1).flatten(0, 1)).view(B, n + 1, -1)
    log_p = F.log_softmax(logits, dim=-1).gather(2, labels[:, None, None].expand(B, n + 1, 1))[..., 0]
    return log_p[:, :1] - log_p[:, 1:]


@exercise.right("image by image")
def one_image(model, images, labels, patch, fill=0.0):
    rows = []
    for image, label in zip(images, labels.tolist()):
        logits = model(image[None])[0]
        whole = logits[label] - torch.logsumexp(logits, 0)
        row = []
        for n in range((image.shape[1] // patch) * (image.shape[2] // patch)):
            r, c = divmod(n, image.shape[2] // patch)
            copy = image.detach().clone()
            copy[:, patch * r:patch * (r + 1), patch * c:patch * (c + 1)].fill_(fill)
            logits = model(copy.unsqueeze(0)).squeeze(0)
            row.append(whole - (logits[label] - torch.logsumexp(logits, 0)))
        rows.append(torch.stack(row))
    return torch.stack(rows)


exercise.also_right(
    edit(reference, {"covered = images.clone()\ncovered[:, :, row:row + patch, column:column + patch] = fill":
                     "keep = torch.ones_like(images)\n"
                     "keep[..., row:row + patch, column:column + patch] = 0\n"
                     "covered = images * keep + fill * (1 - keep)"}, "a mask of zeros and ones"),
    edit(by_loss, {"F.cross_entropy(model(covered), labels, reduction=\"none\")":
                   "-model(covered).log_softmax(1).gather(1, labels[:, None]).squeeze(1)"}, "gather"))


exercise.mistake("sign", "occlusion",
    "The sign is turned round. A patch that speaks for the label gets a positive number: whole minus "
    "covered.",
    edit(reference, {"whole - right(covered)": "right(covered) - whole"}),
    edit(by_loss, {"after - before": "before - after"}, "by the loss"))

exercise.mistake("not-compared", "occlusion",
    "The log-probabilities of covered images come back. Compare with the whole image: how far do they fall?",
    edit(reference, {"whole - right(covered)": "right(covered)"}),
    edit(reference, {"whole - right(covered)": "-right(covered)"}, "negative"))

exercise.mistake("size-without-sign", "occlusion",
    "The sign is gone. A patch that speaks against the label has a negative number: keep it.",
    edit(reference, {"whole - right(covered)": "(whole - right(covered)).abs()"}),
    edit(reference, {"whole - right(covered)": "(whole - right(covered)).clamp(min=0)"}, "0 instead"),
    edit(reference, {"whole - right(covered)": "(whole - right(covered)) ** 2"}, "squared"))

exercise.mistake("logits", "occlusion",
    "Logits are compared. They mean something only beside the logits of the other classes: take the "
    "log-softmax first.",
    edit(reference, {".log_softmax(dim=-1)": ""}))

exercise.mistake("probabilities", "occlusion",
    "Probabilities are compared, or divided. Take the logarithm: where a model is nearly sure, probabilities "
    "hardly move.",
    edit(reference, {"log_softmax": "softmax"}),
    edit(reference, {"log_softmax": "softmax", "whole - right(covered)": "whole / right(covered)"},
         "a ratio"),
    edit(reference, {"whole - right(covered)": "(whole - right(covered)) / whole"}, "a share"))

exercise.mistake("logarithm-of-0", "occlusion",
    "The logarithm of a softmax is taken. Where the model is very sure, the softmax of another class is 0 "
    "and its logarithm infinite: log_softmax does both in one.",
    edit(reference, {"log_softmax(dim=-1)": "softmax(dim=-1).log()"}))

exercise.mistake("softmax-axis", "occlusion",
    "The softmax runs over the images. It must run over the classes, for each image by itself.",
    edit(reference, {"log_softmax(dim=-1)": "log_softmax(dim=0)"}))

exercise.mistake("best-class", "occlusion",
    "The class that the model finds most likely is watched, not the given label. They may differ, and the "
    "most likely class may change under the cover.",
    edit(reference, {"log_p[torch.arange(len(labels)), labels]": "log_p.amax(dim=-1)"}),
    edit(reference, {"with torch.no_grad():": "labels = model(images).argmax(-1)\nwith torch.no_grad():"},
         "of the whole image"))

exercise.mistake("mean-over-images", "occlusion",
    "The images are averaged or mixed up. Each image has a map of its own, with its own label.",
    edit(reference, {"[torch.arange(len(labels)), labels]": "[:, labels].mean(dim=1)"}, "all labels"),
    edit(reference, {"[torch.arange(len(labels)), labels]": "[:, labels[0]]"}, "the first label"),
    edit(reference, {"whole - right(covered)": "whole.mean() - right(covered)"},
         "the mean of the whole ones"),
    edit(by_loss, {"(after - before)": "(after - before).mean()"}, "the mean of the falls"),
    edit(reference, {"torch.stack(falls, dim=1)": "torch.stack(falls).reshape(len(images), -1)"},
         "reshaped, not transposed"))

exercise.mistake("covers-stay", "occlusion",
    "Patches that were covered before stay covered. Begin with the whole image for each patch.",
    edit(reference, {"whole, falls = right(images), []": "whole, falls = right(images), []\n"
                                                         "covered = images.clone()",
                     "covered = images.clone()\ncovered[": "covered["}),
    edit(reference, {"covered = images.clone()": "covered = images"}, "in the images themselves"))

exercise.mistake("all-but-the-patch", "occlusion",
    "Everything but the patch is covered. Cover the patch, and leave the rest as it is.",
    edit(by_loss, {"place == n, fill, images": "place == n, images, fill"}))

exercise.mistake("fill-ignored", "occlusion",
    "The patch is covered with something other than fill: with zeros, or the mean of the image. Use the "
    "argument.",
    edit(reference, {"patch] = fill": "patch] = 0"}),
    edit(reference, {"patch] = fill": "patch] = images.mean()"}, "the mean"))

exercise.mistake("fill-not-in-place", "occlusion",
    "fill is added to pixels, or multiplied with them. It takes the place of the patch's pixels, and all other "
    "pixels stay as they are.",
    edit(reference, {"patch] = fill": "patch] += fill"}),
    edit(reference, {"patch] = fill": "patch] *= fill"}, "multiplied"),
    edit(reference, {"patch] = fill": "patch] = 0\ncovered += fill"}, "added to the whole image"))

exercise.mistake("one-channel", "occlusion",
    "Only one channel of the patch is covered. Cover all of them.",
    edit(reference, {"[:, :, row:": "[:, 0, row:"}))

exercise.mistake("one-image-covered", "occlusion",
    "Only the first image is covered. Each image of the batch gets the cover.",
    edit(reference, {"[:, :, row:": "[0, :, row:"}))

exercise.mistake("order-of-patches", "occlusion",
    "The patches come in another order, or height and width are exchanged. Patch n of the map is patch n of "
    "patchify: row by row.",
    edit(reference, {"for row in range(0, images.shape[2], patch)":
                     "for column in range(0, images.shape[3], patch)",
                     "for column in range(0, images.shape[3], patch)":
                     "for row in range(0, images.shape[2], patch)"},
         "columns first"),
    edit(reference, {"images.shape[2]": "images.shape[3]", "images.shape[3]": "images.shape[2]"},
         "exchanged"),
    edit(reference, {"falls, dim=1": "falls[::-1], dim=1"}, "from the end"),
    edit(one_image, {"divmod(n, image.shape[2] // patch)": "divmod(n, image.shape[1] // patch)"},
         "wrong divisor"))

exercise.mistake("cover-of-another-size", "occlusion",
    "What is covered is not one patch: a single pixel, whole rows or columns, or windows that overlap. "
    "Covers are patch by patch pixels, and stand side by side.",
    edit(reference, {"row:row + patch, column:column + patch": "row, column"}, "a pixel"),
    edit(reference, {"column:column + patch": ":"}, "whole rows"),
    edit(reference, {"row:row + patch": "row:row + patch + 1"}, "a row more"),
    edit(reference, {"shape[2], patch)": "shape[2] - patch + 1)",
                     "shape[3], patch)": "shape[3] - patch + 1)"},
         "windows that overlap"),
    edit(reference, {"shape[2], patch)": "shape[2] // patch)", "shape[3], patch)": "shape[3] // patch)"},
         "they begin at the patch's number"))

exercise.mistake("axes-of-the-result", "occlusion",
    "The result is not (B, N), a row for each image and a column for each patch.",
    edit(reference, {", dim=1": ""}, "transposed"),
    edit(reference, {"stack": "cat"}, "one line"),
    edit(reference, {"return torch.stack(falls, dim=1)": "return torch.stack(falls, dim=1).unflatten(1, "
                     "(images.shape[2] // patch, images.shape[3] // patch))"}, "a grid"),
    edit(reference, {"torch.stack(falls, dim=1)": "falls"}, "a list"))

exercise.mistake("all-classes", "occlusion",
    "All classes come back. Look at the label's alone.",
    edit(reference, {"return log_p[torch.arange(len(labels)), labels]": "return log_p"}),
    edit(reference, {"return log_p[torch.arange(len(labels)), labels]": "return log_p[:, labels]"},
         "all labels for each image"))

exercise.mistake("patches-given-alone", "occlusion",
    "The model gets patches or parts of images. It reads whole images, of which one patch is covered.",
    edit(reference, {"right(covered)": "right(images[:, :, row:row + patch, column:column + patch])"}))

exercise.built_in("changes-input",
    edit(reference, {"covered = images.clone()": "covered, kept = images, images.clone()",
                     "falls.append(whole - right(covered))": "falls.append(whole - right(covered))\n"
                     "if row + column:\n    images.copy_(kept)"}, "but for the first patch"),
    edit(reference, {"whole, falls = right(images), []": "whole, falls = right(images), []\n"
                                                         "kept = images.clone()",
                     "covered = images.clone()": "covered = images.copy_(kept)"}, "copied back before"))

exercise.built_in("returns-nothing", edit(reference, {"return torch": "torch"}))

exercise.equal("nobody asks for a gradient", {"with torch.no_grad():": "if True:", ".detach()": ""})
exercise.equal("results have two axes, images four, one image three, and logits of one image one", {
    "dim=1": "dim=-1", "dim=-1": "dim=1", "shape[2]": ("shape[-2]", "shape[-1]"), "shape[3]": "shape[-1]",
    "shape[1]": ("shape[-1]", "shape[-2]"), "gather(2": "gather(-1", "gather(1": "gather(-1",
    "logsumexp(logits, 0)": "logsumexp(logits, -1)", "squeeze(0)": "squeeze(-2)", "squeeze(1)": "squeeze(-1)",
    "log_softmax(1)": "log_softmax(-1)"})
exercise.equal("there is a label for each image", {"len(labels)": "len(images)"})
exercise.equal("a number keeps the dtype of the images", {".to(images.dtype)": ""})
exercise.equal("the width is a multiple of the patch", {"(W // patch)": "(W / patch)"})
exercise.equal("the columns of an expanded axis are the same",
               {"[..., 0]": "[..., (-1)]", "n + 1, 1)": "n + 1, 2)"})
exercise.equal("there is one image, and a tensor of one number is an index", {"[0]": "[(-1)]",
                                                                             "labels.tolist()": "labels"})
