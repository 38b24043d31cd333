"""The rubric of vit_parameters: reference, probes, mistakes with their messages, and the evidence that they are right.

Different omissions may lack the same number of parameters: a class token and its position have d_model each, and so has the bias of the
patch projection. Where a count cannot tell which, the message says what lacks as many, the likeliest first.
"""

import torch
from torch import nn

from coursegrader.rubric import Exercise

exercise = Exercise(
    "vit_parameters",
    points={"counts": 4, "published sizes": 1, "images that are not square": 1},
    section="counting-a-vit",
    driver="vit_count",
    forbid=("Vit",),
    mistakes={
        "one-vector-missing": ("The count is too small by d_model: one vector is missing. The class token brings two, itself and a position "
                               "of its own: N patches have N + 1 positions. If both are there, look for the bias of the patch projection, "
                               "and the shift of the norm after the last layer.", "counting-a-vit"),
        "two-vectors-missing": ("The count is too small by 2 · d_model. The norm after the last layer has a scale and a shift; or the class "
                                "token is forgotten: it is a vector itself, and has a position.", "counting-a-vit"),
        "one-vector-too-many": ("The count is too large by d_model: one vector is counted twice, or does not exist. There is one class token, and there are "
                                "N + 1 positions.", "counting-a-vit"),
        "two-vectors-too-many": ("The count is too large by 2 · d_model. There is one norm after the last layer, none after the patches, and "
                                 "one class token.",
                                 "counting-a-vit"),
        "no-positions": ("The positions are missing. They are learned, a vector of d_model numbers for each of the N + 1 tokens.", "learned-patch-positions"),
        "positions-by-rows-and-columns": ("The positions are counted by rows and columns. Each of the N + 1 tokens has a position of its own.",
                                          "learned-patch-positions"),
        "positions-not-vectors": ("A position is neither one number nor a patch's numbers: each of the N + 1 has d_model.", "learned-patch-positions"),
        "positions-in-every-layer": ("The class token or the positions are counted in every layer. They come once, in front of the first.", "counting-a-vit"),
        "pixels-for-patches": ("The number of positions follows from the patches, not from pixels or channels: N = (height / patch) · (width / patch).",
                               "grid-of-patches"),
        "one-side-for-patches": ("N is not the number of patches along one side. The grid has (height / patch) rows and (width / patch) columns: multiply them.",
                                 "grid-of-patches"),
        "patch-is-a-count": ("patch is taken for the number of patches. It is the side of one patch in pixels: the grid has height / patch rows and "
                             "width / patch columns.", "grid-of-patches"),
        "overlapping-patches": ("The patches overlap in this count, or there are too many or too few along a side: there are height / patch rows, width / "
                                "patch columns.", "grid-of-patches"),
        "patch-not-squared": ("A patch has patch · patch pixels, and each pixel has config.channels numbers. The patch projection reads them all. In Python a "
                              "square is patch**2, not patch^2.", "patch-projection"),
        "no-channels": ("The patch projection does not use config.channels as it should: it reads channels · patch · patch numbers.", "patch-projection"),
        "projection-for-each-patch": ("All patches share one projection. It does not grow with the image.", "patch-projection"),
        "no-patch-projection": ("The weights of the patch projection are missing: channels · patch · patch numbers in, d_model out, with a bias.",
                                "patch-projection"),
        "projection-bias-of-inputs": ("A bias has one number for each output. The patch projection makes d_model numbers.", "patch-projection"),
        "projection-in-every-layer": ("The patch projection is counted in every layer. It comes once, in front of the first.", "counting-a-vit"),
        "no-head": ("The weights of the head are missing: it reads d_model numbers and makes n_classes, with a bias.", "vit-head"),
        "no-head-bias": ("The head's bias is missing, or counted as one number. It has n_classes numbers.", "vit-head"),
        "head-bias-of-inputs": ("The head's bias has one number for each class, not for each number that comes in.", "vit-head"),
        "head-on-all-tokens": ("The head reads the class token alone: d_model numbers in, n_classes out.", "vit-head"),
        "head-in-every-layer": ("The head is counted in every layer. There is one, at the end.", "vit-head"),
        "one-more-class": ("There are n_classes outputs, no more and no fewer.", "vit-head"),
        "larger-head": ("The head is counted too large: it is one layer from d_model to n_classes.", "vit-head"),
        "no-biases": ("Biases are missing. The patch projection, the four attention matrices, the two feed-forward matrices and the head have one each.",
                      "counting-a-vit"),
        "no-layer-biases": ("The biases inside the layers are missing: four of d_model in attention, one of d_ff and one of d_model in the feed-forward part.",
                            "counting-a-vit"),
        "attention-biases-or-norms": ("The count is too small by 4 · d_model for each layer. That is the two norms, each with a scale and a shift, or the biases of the "
                                      "four attention matrices.", "counting-a-vit"),
        "three-attention-biases": ("The count is too small by 3 · d_model for each layer: the biases of queries, keys and values.", "counting-a-vit"),
        "one-norm-a-layer": ("The count is too small by 2 · d_model for each layer. A layer has two norms, and each has a scale and a shift.",
                             "counting-a-vit"),
        "one-bias-a-layer": ("The count is too small by d_model for each layer. Look for a bias: of the output projection, or of the second feed-forward matrix.",
                             "counting-a-vit"),
        "no-norms": ("The norms are missing: two in each layer and one after the last, each with a scale and a shift.", "counting-a-vit"),
        "norms-without-shift": ("A norm has two vectors of d_model numbers, a scale and a shift: count both.", "counting-a-vit"),
        "three-norms-a-layer": ("Too many norms are counted in a layer: it has two. The one after the last layer comes once.", "counting-a-vit"),
        "norms-over-all-tokens": ("A norm has d_model scales and d_model shifts, the same for all tokens.", "counting-a-vit"),
        "norms-are-numbers": ("A norm does not have one scale and one shift in all: it has d_model of each.", "counting-a-vit"),
        "maps-counted": ("The attention maps are counted. They are computed anew for each image, and nothing in them is learned.", "counting-a-vit"),
        "attention-without-output": ("The output projection is missing: attention has four matrices, for queries, keys, values and output.", "counting-a-vit"),
        "attention-one-matrix": ("Attention has four matrices of d_model · d_model numbers: for queries, keys, values and output.", "counting-a-vit"),
        "attention-times-heads": ("Attention grows with the number of heads. The heads share the width, so its matrices stay d_model by d_model.", "counting-a-vit"),
        "attention-of-one-head": ("Attention is counted for one head. All heads together are d_model wide.", "counting-a-vit"),
        "one-feed-forward-matrix": ("The feed-forward part has two matrices: d_model to d_ff, and back.", "counting-a-vit"),
        "three-feed-forward-matrices": ("The feed-forward part has two matrices, d_model to d_ff and back: no gate.", "counting-a-vit"),
        "feed-forward-four-times": ("The width of the feed-forward part is d_ff, whatever d_model is.", "counting-a-vit"),
        "no-feed-forward": ("The feed-forward matrices are missing: two of them, with biases, in each layer.", "counting-a-vit"),
        "feed-forward-biases": ("The feed-forward part has one bias of d_ff numbers and one of d_model.", "counting-a-vit"),
        "one-layer": ("The layers, or a part of them, are counted once. There are n_layers of them: multiply everything in a layer by n_layers.",
                      "counting-a-vit"),
        "wrong-number-of-layers": ("There are n_layers layers, no more and no fewer.", "counting-a-vit"),
        "only-layers": ("Parts outside the layers are missing. In front of the layers stand patch projection, class token and positions; after them a norm "
                        "and the head.", "counting-a-vit"),
        "a-bias-is-one-number": ("A bias is counted as one number. It has one for each output of its layer.", "counting-a-vit"),
        "number-for-vector": ("In each layer something is counted as one number that is a vector: a bias has one number for each output, and a norm has d_model "
                              "scales and d_model shifts.", "counting-a-vit"),
        "without-weights": ("The matrices are missing: only small parts are counted. Add the four of attention and the two of the feed-forward part in each "
                            "layer.", "counting-a-vit"),
        "square-only": ("This works for square images alone. image_size may also be (height, width): find out which it is, and take each side by itself.",
                        "grid-of-patches"),
        "pair-only": ("This works only where image_size is a pair. It may also be an int, the side of a square.", "grid-of-patches"),
        "one-side-of-a-pair": ("Where image_size is a pair, its two sides are not used as they should be. The rows follow from the height, the columns from "
                               "the width: multiply their numbers.", "grid-of-patches"),
        "config-is-no-dict": ("The config is an object: read its fields as attributes, config.patch.", "counting-a-vit"),
        "not-an-int": ("A count is an int, not a float. Divide with //, and convert nothing with float.", "counting-a-vit"),
        "rounded": ("The count is given in millions, rounded, or as a string. Return the exact number, an int.", "counting-a-vit"),
        "parts-not-added": ("One number is asked for. Add the parts up and return the sum itself, an int, in no tuple, list or dict.", "counting-a-vit"),
        "tensors-counted": ("The tensors are counted, not the numbers in them. Add up the sizes: numel() of each.", "counting-a-vit"),
        "size-fixed": ("A size is written into the code. Take every size from the config.", "counting-a-vit"),
    },
)


@exercise.probes
def _(make):
    def probe(name, image_size, patch, channels, d_model, n_layers, n_heads, d_ff, n_classes, group="counts", **marks):
        sizes = dict(image_size=image_size, patch=patch, channels=channels, d_model=d_model, n_layers=n_layers, n_heads=n_heads, d_ff=d_ff,
                     n_classes=n_classes)
        return make.probe(name, sizes, group=group, **marks)

    yield probe("the example by hand", 4, 2, 1, 6, 2, 3, 8, 3)
    yield probe("colour images", *make.pick((12, 4, 3, 10, 3, 5, 28, 7), (15, 3, 3, 12, 4, 6, 26, 5), (18, 6, 3, 14, 5, 7, 30, 11)))
    yield probe("many small patches", *make.pick((20, 2, 2, 8, 5, 2, 18, 11), (24, 2, 4, 6, 7, 3, 22, 13), (18, 2, 5, 10, 4, 5, 26, 6)))
    yield probe("a narrow feed-forward part", *make.pick((14, 7, 5, 12, 4, 4, 5, 9), (21, 7, 2, 16, 3, 8, 7, 10), (15, 5, 4, 18, 6, 3, 11, 4)))
    yield probe("two classes", *make.pick((9, 3, 4, 20, 7, 10, 33, 2), (10, 5, 6, 22, 6, 11, 31, 2), (12, 3, 7, 24, 5, 6, 37, 2)))
    yield probe("one layer, one head", *make.pick((6, 3, 2, 5, 1, 1, 7, 4), (8, 4, 3, 7, 1, 1, 9, 5), (6, 2, 5, 9, 1, 1, 4, 3)), edge=True)
    yield probe("one patch", *make.pick((5, 5, 2, 8, 3, 2, 12, 4), (4, 4, 3, 6, 2, 3, 10, 5), (7, 7, 1, 10, 4, 2, 14, 3)), edge=True)
    group = "published sizes"
    yield probe("ViT-B/16", 224, 16, 3, 768, 12, 12, 3072, 1000, group=group, edge=True)
    yield probe("ViT-L/16", 224, 16, 3, 1024, 24, 16, 4096, 1000, group=group, edge=True)
    yield probe("ViT-H/14", 224, 14, 3, 1280, 32, 16, 5120, 1000, group=group, edge=True)
    group = "images that are not square"
    yield probe("wider than high", *make.pick(((4, 6), 2, 1, 6, 2, 3, 8, 3), ((6, 9), 3, 2, 8, 3, 4, 10, 5), ((4, 10), 2, 3, 6, 2, 2, 14, 4)), group=group, edge=True)
    yield probe("higher than wide", *make.pick(((20, 12), 4, 3, 10, 3, 5, 28, 7), ((21, 9), 3, 3, 12, 2, 3, 26, 5), ((30, 12), 6, 2, 8, 4, 2, 20, 9)),
                group=group, edge=True)
    yield probe("a pair, yet square", *make.pick(((9, 9), 3, 2, 8, 3, 2, 18, 5), ((8, 8), 4, 3, 10, 2, 5, 22, 7), ((12, 12), 4, 5, 6, 3, 3, 16, 4)), group=group, edge=True)


@exercise.right
def reference(config):
    size = config.image_size
    height, width = (size, size) if isinstance(size, int) else size
    n_tokens = (height // config.patch) * (width // config.patch) + 1
    d, hidden = config.d_model, config.d_ff
    embedding = (config.channels * config.patch * config.patch + 1) * d + d + n_tokens * d
    attention, feed_forward, norms = 4 * (d * d + d), d * hidden + hidden + hidden * d + d, 2 * 2 * d
    return embedding + config.n_layers * (attention + feed_forward + norms) + 2 * d + d * config.n_classes + config.n_classes


@exercise.alternative("the config's own properties")
def _(config):
    d, f, c = config.d_model, config.d_ff, config.n_classes
    total = config.channels * config.patch ** 2 * d + d
    total += d * (config.n_patches + 2)
    total += config.n_layers * (4 * d ** 2 + 2 * d * f + 9 * d + f)
    return total + 2 * d + c * (d + 1)


@exercise.alternative("torch's own layers, counted")
def _(config):
    d = config.d_model
    with torch.device("meta"):
        layers = nn.ModuleList([nn.TransformerEncoderLayer(d, config.n_heads, config.d_ff) for _ in range(config.n_layers)])
        rest = nn.ModuleList([nn.Conv2d(config.channels, d, config.patch, config.patch), nn.LayerNorm(d), nn.Linear(d, config.n_classes)])
    both = (config.image_size, config.image_size) if isinstance(config.image_size, int) else config.image_size
    n = both[0] // config.patch * (both[1] // config.patch)
    return sum(p.numel() for part in (layers, rest) for p in part.parameters()) + (n + 2) * d


@exercise.alternative("a model of parameters")
def _(config):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            d = config.d_model
            self.project = nn.Linear(config.channels * config.patch ** 2, d)
            self.first = nn.Parameter(torch.empty(d))
            self.places = nn.Parameter(torch.empty(config.height // config.patch * (config.width // config.patch) + 1, d))
            self.layers = nn.ModuleList(nn.ModuleList([nn.LayerNorm(d), nn.MultiheadAttention(d, config.n_heads), nn.LayerNorm(d), nn.Linear(d, config.d_ff),
                                                       nn.Linear(config.d_ff, d)]) for _ in range(config.n_layers))
            self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.n_classes)
    with torch.device("meta"):
        model = Model()
    return sum(p.numel() for p in model.parameters())


@exercise.alternative("torch's whole encoder, counted")
def _(config):
    with torch.device("meta"):
        one = nn.TransformerEncoderLayer(config.d_model, config.n_heads, config.d_ff, batch_first=True, norm_first=True)
        parts = [nn.TransformerEncoder(one, config.n_layers, norm=nn.LayerNorm(config.d_model), enable_nested_tensor=False),
                 nn.Embedding(config.height // config.patch * (config.width // config.patch) + 1, config.d_model),
                 nn.Conv2d(config.channels, config.d_model, kernel_size=config.patch, stride=config.patch), nn.Linear(config.d_model, config.n_classes)]
        first = nn.Parameter(torch.zeros(1, 1, config.d_model))
    return first.numel() + sum(p.numel() for part in parts for p in part.parameters())


@exercise.alternative("a list of shapes")
def _(config):
    import math
    h, w = config.image_size if isinstance(config.image_size, tuple) else (config.image_size, config.image_size)
    D = config.d_model
    shapes = [(D, config.channels, config.patch, config.patch), (D,), (D,), (1 + h * w // config.patch ** 2, D)]
    for _ in range(config.n_layers):
        shapes += [(D, D), (D,)] * 4 + [(D, config.d_ff), (config.d_ff,), (config.d_ff, D), (D,)] + [(D,)] * 4
    shapes += [(D,), (D,), (D, config.n_classes), (config.n_classes,)]
    return sum(math.prod(shape) for shape in shapes)


@exercise.alternative("one helper for a linear layer")
def _(config):
    def linear(a, b):
        return a * b + b
    def norm():
        return linear(1, config.d_model)
    try:
        height, width = config.image_size
    except TypeError:
        height = width = config.image_size
    n = len(range(0, height, config.patch)) * len(range(0, width, config.patch))
    d = config.d_model
    count = linear(config.channels * config.patch ** 2, d) + d + d * (n + 1)
    for _ in range(config.n_layers):
        count += norm() + linear(d, 3 * d) + linear(d, d) + norm() + linear(d, config.d_ff) + linear(config.d_ff, d)
    return count + norm() + linear(d, config.n_classes)


@exercise.alternative("a tensor's count")
def _(config):
    h, w = (config.image_size, config.image_size) if type(config.image_size) is int else config.image_size
    d, f = config.d_model, config.d_ff
    parts = torch.tensor([config.channels * config.patch ** 2 * d + 3 * d, h // config.patch * (w // config.patch) * d, config.n_layers * (4 * d * d + 4 * d),
                          config.n_layers * (2 * d * f + f + 5 * d), 2 * d, (d + 1) * config.n_classes])
    return parts.sum()


@exercise.alternative("heads side by side")
def _(config):
    k = config.d_model // config.n_heads
    d = config.d_model
    head = 3 * (d * k + k) + k * d
    layer = config.n_heads * head + d + (d + 1) * config.d_ff + (config.d_ff + 1) * d + 4 * d
    rows, columns = config.height // config.patch, config.width // config.patch
    return int((config.channels * config.patch ** 2 + 1) * d + (rows * columns + 2) * d + config.n_layers * layer + 2 * d + (d + 1) * config.n_classes)


@exercise.wrong("one-vector-missing", "N positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + n_all * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-vector-missing", "no class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 0 + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-vector-missing", "no bias of the patch projection")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("two-vectors-missing", "no norm behind the last layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("two-vectors-missing", "neither class token nor its position")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 0 + n_all * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-vector-too-many", "N + 2 positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 2) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-vector-too-many", "two class tokens")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 2 * d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("two-vectors-too-many", "two class tokens with positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 2 * d + (n_all + 2) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("two-vectors-too-many", "a norm behind the patches")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 4 * d + (d + 1) * config.n_classes


@exercise.wrong("no-positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + 0
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-positions", "nor a class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 0 + 0
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-by-rows-and-columns")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (tall // config.patch + wide // config.patch + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-by-rows-and-columns", "none for the class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (tall // config.patch + wide // config.patch) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-by-rows-and-columns", "half the width each")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (tall // config.patch + wide // config.patch) * (d // 2)
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-not-vectors")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + n_all + 1
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-not-vectors", "N")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + n_all
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-not-vectors", "as many numbers as in a patch")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * config.channels * config.patch ** 2
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-not-vectors", "the class token, too")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 1 + n_all + 1
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-in-every-layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + config.n_layers * (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-in-every-layer", "the class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + config.n_layers * d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("positions-in-every-layer", "both")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + config.n_layers * d + config.n_layers * (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pixels-for-patches")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (tall * wide + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pixels-for-patches", "no class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + tall * wide * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pixels-for-patches", "times the channels")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (config.channels * tall * wide + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pixels-for-patches", "pixels over the patch's side")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (tall * wide // config.patch + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pixels-for-patches", "pixels over the patch's side, no class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + tall * wide // config.patch * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pixels-for-patches", "one side in pixels")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (wide + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pixels-for-patches", "patches of each channel")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (config.channels * n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-side-for-patches")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (tall // config.patch + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-side-for-patches", "no class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + tall // config.patch * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-is-a-count")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (config.patch ** 2 + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("overlapping-patches")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + ((tall - config.patch + 1) * (wide - config.patch + 1) + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("overlapping-patches", "one too many along a side")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + ((tall // config.patch + 1) * (wide // config.patch + 1) + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("overlapping-patches", "one too many along a side, none for the class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + ((tall // config.patch + 1) * (wide // config.patch + 1)) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("overlapping-patches", "one too few along a side")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + ((tall // config.patch - 1) * (wide // config.patch - 1) + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-not-squared")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-not-squared", "no bias")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-not-squared", "twice the side")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * 2 * config.patch + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-not-squared", "the channels squared, too")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = ((config.channels * config.patch) ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-not-squared", "the channels alone")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-not-squared", "the sign for powers")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * (config.patch ^ 2) + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-channels")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-channels", "no bias")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-channels", "added")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels + config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-channels", "always three")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (3 * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-channels", "nor the square")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.patch + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("projection-for-each-patch")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = n_all * (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("projection-for-each-patch", "the whole image")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * tall * wide + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("projection-for-each-patch", "no bias")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = n_all * config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("projection-for-each-patch", "a bias for each patch")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + n_all) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-patch-projection")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = 0 + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-patch-projection", "its bias alone")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("projection-bias-of-inputs")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * (d + 1) + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("projection-in-every-layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.n_layers * (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("projection-in-every-layer", "all in front")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return config.n_layers * (front + one) + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("projection-in-every-layer", "everything")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return config.n_layers * (front + one + 2 * d + (d + 1) * config.n_classes)


@exercise.wrong("no-head")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + 0


@exercise.wrong("no-head", "nor the last norm")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 0 + 0


@exercise.wrong("no-head", "its bias alone")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + config.n_classes


@exercise.wrong("no-head-bias")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + d * config.n_classes


@exercise.wrong("no-head-bias", "one number")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + d * config.n_classes + 1


@exercise.wrong("head-bias-of-inputs")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + d * config.n_classes + d


@exercise.wrong("head-on-all-tokens")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (n_all * d + 1) * config.n_classes


@exercise.wrong("head-on-all-tokens", "and the class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + ((n_all + 1) * d + 1) * config.n_classes


@exercise.wrong("head-on-all-tokens", "a head for each token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (n_all + 1) * (d + 1) * config.n_classes


@exercise.wrong("head-in-every-layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + config.n_layers * (d + 1) * config.n_classes


@exercise.wrong("head-in-every-layer", "with the norm")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * (one + 2 * d + (d + 1) * config.n_classes)


@exercise.wrong("one-more-class")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * (config.n_classes + 1)


@exercise.wrong("one-more-class", "one fewer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * (config.n_classes - 1)


@exercise.wrong("larger-head")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + d * d + d + (d + 1) * config.n_classes


@exercise.wrong("larger-head", "a hidden layer of d_ff")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + d * f + f + (f + 1) * config.n_classes


@exercise.wrong("larger-head", "no bias in the hidden layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + d * d + (d + 1) * config.n_classes


@exercise.wrong("larger-head", "twice")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + 2 * (d + 1) * config.n_classes


@exercise.wrong("no-biases")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 4 * d
    return front + config.n_layers * one + 2 * d + d * config.n_classes


@exercise.wrong("no-biases", "norms without shift, too")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 2 * d
    return front + config.n_layers * one + d + d * config.n_classes


@exercise.wrong("no-biases", "no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 0
    return front + config.n_layers * one + 0 + d * config.n_classes


@exercise.wrong("no-biases", "but the head's")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-biases", "but the patch projection's")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 4 * d
    return front + config.n_layers * one + 2 * d + d * config.n_classes


@exercise.wrong("no-biases", "no norm at the end")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 4 * d
    return front + config.n_layers * one + 0 + d * config.n_classes


@exercise.wrong("no-biases", "N positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + n_all * d
    one = 4 * d * d + 2 * d * f + 4 * d
    return front + config.n_layers * one + 2 * d + d * config.n_classes


@exercise.wrong("no-biases", "only weights: no norms, no class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + 0 + n_all * d
    one = 4 * d * d + 2 * d * f + 0
    return front + config.n_layers * one + 0 + d * config.n_classes


@exercise.wrong("no-biases", "only weights: no norms, N positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + n_all * d
    one = 4 * d * d + 2 * d * f + 0
    return front + config.n_layers * one + 0 + d * config.n_classes


@exercise.wrong("no-biases", "no norms, the head's there")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("no-biases", "12 d² a layer and no more")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + d + (n_all + 1) * d
    one = 4 * d * d + 8 * d * d + 0
    return front + config.n_layers * one + 0 + d * config.n_classes


@exercise.wrong("no-layer-biases")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-layer-biases", "norms without shift")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 2 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-layer-biases", "no norms in the layers")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 0
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-layer-biases", "no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("attention-biases-or-norms", "attention without biases")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-biases-or-norms", "no norms in the layers")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("three-attention-biases")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-norm-a-layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 2 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-norm-a-layer", "shifts")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + d + d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-bias-a-layer", "of the output projection")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 3 * d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-bias-a-layer", "of the second matrix")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("norms-without-shift")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 2 * d
    return front + config.n_layers * one + d + (d + 1) * config.n_classes


@exercise.wrong("three-norms-a-layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 6 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("three-norms-a-layer", "the last norm in every layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 6 * d
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("three-norms-a-layer", "four")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 8 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("norms-over-all-tokens")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * (n_all + 1) * d
    return front + config.n_layers * one + 2 * (n_all + 1) * d + (d + 1) * config.n_classes


@exercise.wrong("norms-over-all-tokens", "over the patches")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * n_all * d
    return front + config.n_layers * one + 2 * n_all * d + (d + 1) * config.n_classes


@exercise.wrong("norms-are-numbers")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4
    return front + config.n_layers * one + 2 + (d + 1) * config.n_classes


@exercise.wrong("norms-are-numbers", "one number each")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 2
    return front + config.n_layers * one + 1 + (d + 1) * config.n_classes


@exercise.wrong("number-for-vector", "the norms of a layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-without-output")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 3 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-without-output", "its bias is there")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 3 * d * d + 4 * d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-without-output", "no biases")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 3 * d * d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-one-matrix")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = d * d + d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-one-matrix", "two")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 2 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-one-matrix", "none")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 0 + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-one-matrix", "five")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 5 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-one-matrix", "six")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 6 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-times-heads")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * config.n_heads * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-times-heads", "weights alone")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * config.n_heads * d * d + 4 * d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-times-heads", "queries, keys and values")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 3 * config.n_heads * (d * d + d) + d * d + d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-times-heads", "three full matrices a head, one wide output projection")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 3 * config.n_heads * (d * d + d) + config.n_heads * d * d + d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-times-heads", "an output projection and a bias for each head")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 3 * d + config.n_heads * d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-of-one-head")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * (d // config.n_heads) + d // config.n_heads) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-of-one-head", "with the full output projection")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 3 * (d * (d // config.n_heads) + d // config.n_heads) + d * d + d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("attention-of-one-head", "output projection back to the width")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 3 * (d + 1) * (d // config.n_heads) + (d // config.n_heads) * d + d + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-feed-forward-matrix")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-feed-forward-matrix", "one bias")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + d * f + f + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-feed-forward-matrix", "the other bias")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + d * f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("three-feed-forward-matrices")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 3 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("three-feed-forward-matrices", "three biases")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 3 * d * f + 2 * f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("three-feed-forward-matrices", "a square in the middle")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f * f + 2 * f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-four-times")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 8 * d * d + 5 * d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-four-times", "the weights")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 8 * d * d + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-four-times", "no biases")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 8 * d * d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-four-times", "of the width")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * (d * d + d) + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-feed-forward")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 0 + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-feed-forward", "its biases alone")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-biases", "of d_model twice")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + 2 * d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-biases", "of d_ff twice")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + 2 * f + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-biases", "none")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-biases", "the first is missing")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-biases", "one of both")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + d + d * 0 + 2 * f + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("feed-forward-biases", "two numbers")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + 2 + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + 1 * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-layer", "torch's layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + sum(p.numel() for p in nn.TransformerEncoderLayer(d, config.n_heads, f).parameters()) + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-layer", "attention in every layer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * (4 * d * d + 4 * d) + 2 * d * f + f + d + 4 * d + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-layer", "the norms once")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * (4 * d * d + 5 * d + 2 * d * f + f) + 4 * d + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("wrong-number-of-layers", "one more")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + (config.n_layers + 1) * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("wrong-number-of-layers", "one fewer")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + (config.n_layers - 1) * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("wrong-number-of-layers", "two stacks")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + (2 * config.n_layers) * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("wrong-number-of-layers", "the number of heads")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_heads * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("wrong-number-of-layers", "layers and heads")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + (config.n_layers * config.n_heads) * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("only-layers")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return config.n_layers * one


@exercise.wrong("only-layers", "and the head")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return config.n_layers * one + (d + 1) * config.n_classes


@exercise.wrong("only-layers", "and the last norm")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return config.n_layers * one + 2 * d


@exercise.wrong("only-layers", "and norm and head")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("only-layers", "one of them")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return one


@exercise.wrong("a-bias-is-one-number")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = config.channels * config.patch ** 2 * d + 1 + d + (n_all + 1) * d
    one = 4 * d * d + 4 + 2 * d * f + 2 + 4 * d
    return front + config.n_layers * one + 2 * d + d * config.n_classes + 1


@exercise.wrong("a-bias-is-one-number", "in the layers")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 4 + 2 * d * f + 2 + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("number-for-vector", "the biases of attention")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d * d + 4 + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("without-weights")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = d + d + (n_all + 1) * d
    one = 4 * d + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + config.n_classes


@exercise.wrong("without-weights", "no attention, no feed-forward part")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * d + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only")
def _(config):
    n_all = (config.image_size // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "a product")
def _(config):
    n_all = config.image_size // config.patch * (config.image_size // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "pixels")
def _(config):
    n_all = config.image_size ** 2 // config.patch ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "pixels, a product")
def _(config):
    n_all = config.image_size * config.image_size // (config.patch * config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "int of a quotient")
def _(config):
    n_all = int(config.image_size / config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "pow")
def _(config):
    n_all = pow(config.image_size, 2) // config.patch ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "divmod")
def _(config):
    n_all = divmod(config.image_size, config.patch)[0] ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "range")
def _(config):
    n_all = len(range(0, config.image_size, config.patch)) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "a remainder first")
def _(config):
    rest = config.image_size % config.patch
    n_all = ((config.image_size - rest) // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "int of the side")
def _(config):
    n_all = (int(config.image_size) // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "float of the side")
def _(config):
    n_all = int(float(config.image_size) / config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "a comparison first")
def _(config):
    assert config.image_size >= config.patch
    n_all = (config.image_size // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("square-only", "refused")
def _(config):
    assert isinstance(config.image_size, int)
    n_all = (config.image_size // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pair-only", "unpacked")
def _(config):
    tall, wide = config.image_size
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pair-only", "by number")
def _(config):
    n_all = (config.image_size[0] // config.patch) * (config.image_size[1] // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("pair-only", "len")
def _(config):
    assert len(config.image_size) == 2
    n_all = (config.image_size[0] // config.patch) * (config.image_size[1] // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-side-of-a-pair", "the height")
def _(config):
    side = config.image_size if isinstance(config.image_size, int) else config.image_size[0]
    n_all = (side // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-side-of-a-pair", "the width")
def _(config):
    side = config.image_size if isinstance(config.image_size, int) else config.image_size[1]
    n_all = (side // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-side-of-a-pair", "the longer side")
def _(config):
    side = config.image_size if isinstance(config.image_size, int) else max(config.image_size)
    n_all = (side // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-side-of-a-pair", "the shorter side")
def _(config):
    side = config.image_size if isinstance(config.image_size, int) else min(config.image_size)
    n_all = (side // config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-side-of-a-pair", "the mean")
def _(config):
    side = config.image_size if isinstance(config.image_size, int) else sum(config.image_size) / 2
    n_all = int(side / config.patch) ** 2
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-side-of-a-pair", "added")
def _(config):
    tall, wide = (config.image_size, config.image_size) if isinstance(config.image_size, int) else config.image_size
    n_all = tall // config.patch * (wide // config.patch) if isinstance(config.image_size, int) else tall // config.patch + wide // config.patch
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("config-is-no-dict")
def _(config):
    d = config['d_model']
    n_all = (config['image_size'] // config['patch']) ** 2
    return config['channels'] * config['patch'] ** 2 * d + (n_all + 2) * d


@exercise.wrong("config-is-no-dict", "get")
def _(config):
    d = config.get('d_model')
    return d * config.get('n_classes')


@exercise.wrong("config-is-no-dict", "unpacked")
def _(config):
    image_size, patch, channels, d, n_layers, n_heads, f, n_classes = config
    return d * n_classes


@exercise.wrong("config-is-no-dict", "items")
def _(config):
    sizes = dict(config)
    return sizes['d_model'] * sizes['n_classes']


@exercise.wrong("config-is-no-dict", "stars")
def _(config):
    sizes = {**config}
    return sizes['d_model'] * sizes['n_classes']


@exercise.wrong("not-an-int")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall / config.patch) * (wide / config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("not-an-int", "at the end")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return float(front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes)


@exercise.wrong("not-an-int", "no class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall / config.patch) * (wide / config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 0 + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("not-an-int", "N positions and no class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall / config.patch) * (wide / config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 0 + n_all * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("rounded", "millions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return (front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes) / 1e6


@exercise.wrong("rounded", "rounded millions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return round((front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes) / 1e6, 1)


@exercise.wrong("rounded", "a string")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return f'{front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes:,}'


@exercise.wrong("rounded", "a string without commas")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return str(front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes)


@exercise.wrong("parts-not-added")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front, config.n_layers * one, 2 * d, (d + 1) * config.n_classes


@exercise.wrong("parts-not-added", "a list")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return [front, config.n_layers * one, 2 * d + (d + 1) * config.n_classes]


@exercise.wrong("parts-not-added", "a dict")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return {'front': front, 'layers': config.n_layers * one, 'head': 2 * d + (d + 1) * config.n_classes}


@exercise.wrong("parts-not-added", "a dict with a sum")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return {'parameters': front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes}


@exercise.wrong("parts-not-added", "a dict by parts")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return {'embedding': front, 'layers': config.n_layers * one, 'norm': 2 * d, 'head': (d + 1) * config.n_classes}


@exercise.wrong("parts-not-added", "a comma")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes,


@exercise.wrong("tensors-counted")
def _(config):
    d = config.d_model
    layers = [nn.TransformerEncoderLayer(d, config.n_heads, config.d_ff) for _ in range(config.n_layers)]
    rest = [nn.Conv2d(config.channels, d, config.patch), nn.LayerNorm(d), nn.Linear(d, config.n_classes)]
    return sum(len(list(part.parameters())) for part in layers + rest) + 2


@exercise.wrong("patch-is-a-count", "no class token")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + config.patch ** 2 * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-is-a-count", "a patch is an image's share")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * (tall // config.patch) * (wide // config.patch) + 1) * d + d + (config.patch ** 2 + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("patch-is-a-count", "patch tokens")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (config.patch + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("maps-counted")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + (n_all + 1) ** 2 + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("maps-counted", "of every head")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + config.n_heads * (n_all + 1) ** 2 + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("maps-counted", "patches alone")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + n_all ** 2 + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-vector-missing", "the last norm without shift")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + d + (d + 1) * config.n_classes


@exercise.wrong("size-fixed", "the number of ViT-B/16")
def _(config):
    return 86567656


@exercise.wrong("size-fixed", "the published numbers")
def _(config):
    return {768: 86_567_656, 1024: 304_326_632}.get(config.d_model, 632_045_800)


@exercise.wrong("size-fixed", "a width of 768")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * (4 * 768 * 769 + 2 * 768 * f + f + 768 + 4 * 768) + 2 * 768 + 769 * config.n_classes


@exercise.wrong("size-fixed", "a thousand classes")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * 1000


@exercise.wrong("size-fixed", "twelve layers")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + 12 * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("size-fixed", "196 patches")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + 197 * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("size-fixed", "patches of sixteen pixels")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // 16) * (wide // 16)
    d, f = config.d_model, config.d_ff
    front = (config.channels * 16 ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("size-fixed", "patches of sixteen pixels in the projection")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * 16 ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-head", "the head, and no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + 0


@exercise.wrong("no-head", "the head, and N positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + n_all * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + 0


@exercise.wrong("one-layer", "one layer, and no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + 1 * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("one-layer", "one layer, and N positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + n_all * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + 1 * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-channels", "channels lost, and no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("patch-not-squared", "patch not squared, and no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("pixels-for-patches", "pixels for patches, and no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (tall * wide + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("one-side-for-patches", "one side for patches, and no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (tall // config.patch + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("attention-without-output", "no output projection, and no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 3 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("attention-without-output", "no output projection, and N positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + n_all * d
    one = 3 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("one-feed-forward-matrix", "one matrix, and no norms")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("one-feed-forward-matrix", "one matrix, and N positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + n_all * d
    one = 4 * (d * d + d) + d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


@exercise.wrong("no-norms", "no norms, and no class token at all")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + 0 + n_all * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("no-norms", "no norms, and N positions")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + n_all * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 0
    return front + config.n_layers * one + 0 + (d + 1) * config.n_classes


@exercise.wrong("returns-nothing")
def _(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch ** 2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    print(front + config.n_layers * one)


@exercise.wrong("ready-made")
def _(config):
    from allyouneed.models import Vit
    return sum(p.numel() for p in Vit(config).parameters())


@exercise.wrong("ready-made", "the module's")
def _(config):
    from allyouneed.models import vit
    from allyouneed.models.common import parameter_count
    return parameter_count(vit.Vit, config)


@exercise.wrong("ready-made", "under another name")
def _(config):
    import allyouneed.models as zoo
    model = zoo.Vit
    with torch.device('meta'):
        return sum(p.numel() for p in model(config).parameters())


@exercise.wrong("timeout")
def _(config):
    from time import sleep
    total = layer = 0
    while layer < config.n_layers:
        sleep(0.01)
        total += 4 * config.d_model ** 2
    return total
