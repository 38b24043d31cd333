"""vit_parameters: probes, right versions, and each mistake with its message and its evidence."""

import torch
from torch import nn

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "vit_parameters",
    points={"counts": 4, "published sizes": 1, "images that are not square": 1},
    section="counting-a-vit",
    driver="vit_count",
    forbid=("Vit",),
)


@exercise.probes
def probes(make):
    def probe(name, image_size, patch, channels, d_model, n_layers, n_heads, d_ff, n_classes, group="counts",
              **marks):
        sizes = dict(image_size=image_size, patch=patch, channels=channels, d_model=d_model,
                     n_layers=n_layers, n_heads=n_heads, d_ff=d_ff,
                     n_classes=n_classes)
        return make.probe(name, sizes, group=group, **marks)

    yield probe("the example by hand", 4, 2, 1, 6, 2, 3, 8, 3)
    yield probe("colour images", *make.pick((12, 4, 3, 10, 3, 5, 28, 7), (15, 3, 3, 12, 4, 6, 26, 5),
                                            (18, 6, 3, 14, 5, 7, 30, 11)))
    yield probe("many small patches", *make.pick((20, 2, 2, 8, 5, 2, 18, 11), (24, 2, 4, 6, 7, 3, 22, 13),
                                                 (18, 2, 5, 10, 4, 5, 26, 6)))
    yield probe("a narrow feed-forward part",
                *make.pick((14, 7, 5, 12, 4, 4, 5, 9), (21, 7, 2, 16, 3, 8, 7, 10),
                           (15, 5, 4, 18, 6, 3, 11, 4)))
    yield probe("two classes", *make.pick((9, 3, 4, 20, 7, 10, 33, 2), (10, 5, 6, 22, 6, 11, 31, 2),
                                          (12, 3, 7, 24, 5, 6, 37, 2)))
    yield probe("one pixel, one layer, one head",
                *make.pick((4, 1, 2, 5, 1, 1, 7, 4), (5, 1, 3, 7, 1, 1, 9, 5), (3, 1, 5, 9, 1, 1, 4, 3)),
                edge=True)
    yield probe("one patch", *make.pick((5, 5, 2, 8, 3, 2, 12, 4), (4, 4, 3, 6, 2, 3, 10, 5),
                                        (7, 7, 1, 10, 4, 2, 14, 3)), edge=True)
    group = "published sizes"
    yield probe("ViT-B/16", 224, 16, 3, 768, 12, 12, 3072, 1000, group=group, edge=True)
    yield probe("ViT-L/16", 224, 16, 3, 1024, 24, 16, 4096, 1000, group=group, edge=True)
    yield probe("ViT-H/14", 224, 14, 3, 1280, 32, 16, 5120, 1000, group=group, edge=True)
    group = "images that are not square"
    yield probe("wider than high", *make.pick(((4, 6), 2, 1, 6, 2, 3, 8, 3), ((6, 9), 3, 2, 8, 3, 4, 10, 5),
                                              ((4, 10), 2, 3, 6, 2, 2, 14, 4)), group=group, edge=True)
    yield probe("higher than wide", *make.pick(((20, 12), 4, 3, 10, 3, 5, 28, 7),
                                               ((21, 9), 3, 3, 12, 2, 3, 26,
                                                5), ((30, 12), 6, 2, 8, 4, 2, 20, 9)),
                group=group, edge=True)
    yield probe("a pair, yet square", *make.pick(((9, 9), 3, 2, 8, 3, 2, 18, 5),
                                                 ((8, 8), 4, 3, 10, 2, 5, 22,
                                                  7), ((12, 12), 4, 5, 6, 3, 3, 16,
                                                       4)), group=group, edge=True)


@exercise.right
def reference(config):
    size = config.image_size
    height, width = (size, size) if isinstance(size, int) else size
    n_tokens = (height // config.patch) * (width // config.patch) + 1
    d, hidden = config.d_model, config.d_ff
    embedding = (config.channels * config.patch * config.patch + 1) * d + d + n_tokens * d
    attention, feed_forward, norms = 4 * (d * d + d), d * hidden + hidden + hidden * d + d, 2 * 2 * d
    return embedding + config.n_layers * (attention + feed_forward
                                          + norms) + 2 * d + d * config.n_classes + config.n_classes


@exercise.right("the config's own properties")
def config_properties(config):
    d, f, c = config.d_model, config.d_ff, config.n_classes
    total = config.channels * config.patch ** 2 * d + d
    total += d * (config.n_patches + 2)
    total += config.n_layers * (4 * d ** 2 + 2 * d * f + 9 * d + f)
    return total + 2 * d + c * (d + 1)


@exercise.right("torch's own layers, counted")
def torch_layers(config):
    d = config.d_model
    with torch.device("meta"):
        layers = nn.ModuleList([nn.TransformerEncoderLayer(d, config.n_heads, config.d_ff)
                                for _ in range(config.n_layers)])
        rest = nn.ModuleList([nn.Conv2d(config.channels, d, config.patch, config.patch), nn.LayerNorm(d),
                              nn.Linear(d, config.n_classes)])
    both = (config.image_size, config.image_size) if isinstance(config.image_size, int) else config.image_size
    n = both[0] // config.patch * (both[1] // config.patch)
    return sum(p.numel() for part in (layers, rest) for p in part.parameters()) + (n + 2) * d


@exercise.right("a model of parameters")
def model_parameters(config):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            d = config.d_model
            self.project = nn.Linear(config.channels * config.patch**2, d)
            self.first = nn.Parameter(torch.empty(d))
            self.places = nn.Parameter(
                torch.empty(config.height // config.patch * (config.width // config.patch) + 1, d)
            )
            self.layers = nn.ModuleList(
                nn.ModuleList(
                    [
                        nn.LayerNorm(d),
                        nn.MultiheadAttention(d, config.n_heads),
                        nn.LayerNorm(d),
                        nn.Linear(d, config.d_ff),
                        nn.Linear(config.d_ff, d),
                    ]
                )
                for _ in range(config.n_layers)
            )
            self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, config.n_classes)

    with torch.device("meta"):
        model = Model()
    return sum(p.numel() for p in model.parameters())


@exercise.right("torch's whole encoder, counted")
def torch_encoder(config):
    with torch.device("meta"):
        one = nn.TransformerEncoderLayer(config.d_model, config.n_heads, config.d_ff, batch_first=True,
                                         norm_first=True)
        parts = [nn.TransformerEncoder(one, config.n_layers, norm=nn.LayerNorm(config.d_model),
                                       enable_nested_tensor=False),
                 nn.Embedding(config.height // config.patch * (config.width // config.patch) + 1,
                              config.d_model),
                 nn.Conv2d(config.channels, config.d_model, kernel_size=config.patch,
                           stride=config.patch), nn.Linear(config.d_model, config.n_classes)]
        first = nn.Parameter(torch.zeros(1, 1, config.d_model))
    return first.numel() + sum(p.numel() for part in parts for p in part.parameters())


@exercise.right("a list of shapes")
def list_shapes(config):
    import math
    h, w = config.image_size if isinstance(config.image_size,
                                           tuple) else (config.image_size, config.image_size)
    D = config.d_model
    shapes = [(D, config.channels, config.patch, config.patch), (D,), (D,),
              (1 + h * w // config.patch ** 2, D)]
    for _ in range(config.n_layers):
        shapes += [(D, D), (D,)] * 4 + [(D, config.d_ff), (config.d_ff,), (config.d_ff, D), (D,)] + [(D,)] * 4
    shapes += [(D,), (D,), (D, config.n_classes), (config.n_classes,)]
    return sum(math.prod(shape) for shape in shapes)


@exercise.right("one helper for a linear layer")
def one_helper(config):
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
    count = linear(config.channels * config.patch**2, d) + d + d * (n + 1)
    for _ in range(config.n_layers):
        count += (
            norm()
            + linear(d, 3 * d)
            + linear(d, d)
            + norm()
            + linear(d, config.d_ff)
            + linear(config.d_ff, d)
        )
    return count + norm() + linear(d, config.n_classes)


@exercise.right("a tensor's count")
def tensor_count(config):
    h, w = (config.image_size, config.image_size) if type(config.image_size) is int else config.image_size
    d, f = config.d_model, config.d_ff
    parts = torch.tensor([config.channels * config.patch ** 2 * d + 3 * d,
                          h // config.patch * (w // config.patch) * d, config.n_layers * (4 * d * d + 4 * d),
                          config.n_layers * (2 * d * f + f + 5 * d), 2 * d, (d + 1) * config.n_classes])
    return parts.sum()


@exercise.right("heads side by side")
def heads_side(config):
    k = config.d_model // config.n_heads
    d = config.d_model
    head = 3 * (d * k + k) + k * d
    layer = config.n_heads * head + d + (d + 1) * config.d_ff + (config.d_ff + 1) * d + 4 * d
    rows, columns = config.height // config.patch, config.width // config.patch
    return int((config.channels * config.patch ** 2 + 1) * d + (rows * columns + 2) * d
               + config.n_layers * layer + 2 * d + (d + 1) * config.n_classes)


@exercise.right("step by step")
def plain(config):
    side = config.image_size
    tall, wide = (side, side) if isinstance(side, int) else side
    n_all = (tall // config.patch) * (wide // config.patch)
    d, f = config.d_model, config.d_ff
    front = (config.channels * config.patch**2 + 1) * d + d + (n_all + 1) * d
    one = 4 * (d * d + d) + 2 * d * f + f + d + 4 * d
    return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes


SIDE_TALL_WIDE = ("side = config.image_size\n"
                  "tall, wide = (side, side) if isinstance(side, int) else side")
TALL_WIDE = "tall, wide = (side, side) if isinstance(side, int) else side"
RETURN = "return front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes"

exercise.mistake("one-vector-missing", "counting-a-vit",
    "The count is too small by d_model: one vector is missing. The class token brings two, itself and a "
    "position of its own: N patches have N + 1 positions. If both are there, look for the bias of the "
    "patch projection, and the shift of the norm after the last layer.",
    edit(plain, {"(n_all + 1)": "n_all"}, "N positions"))

exercise.mistake("two-vectors-missing", "counting-a-vit",
    "The count is too small by 2 · d_model. The norm after the last layer has a scale and a shift; or the "
    "class token is forgotten: it is a vector itself, and has a position.",
    edit(plain, {"2 * d +": "0 +"}, "no norm behind the last layer"))

exercise.mistake("one-vector-too-many", "counting-a-vit",
    "The count is too large by d_model: one vector is counted twice, or does not exist. There is one class "
    "token, and there are N + 1 positions.",
    edit(plain, {"n_all + 1": "n_all + 2"}, "N + 2 positions"))

exercise.mistake("two-vectors-too-many", "counting-a-vit",
    "The count is too large by 2 · d_model. There is one norm after the last layer, none after the "
    "patches, and one class token.",
    edit(plain, {"one + 2": "one + 4"}, "a norm behind the patches"))

exercise.mistake("no-positions", "learned-patch-positions",
    "The positions are missing. They are learned, a vector of d_model numbers for each of the N + 1 tokens.",
    edit(plain, {"(n_all + 1) * d": "0"}),
    edit(plain, {"d + (n_all + 1) * d": "0 + 0"}, "nor a class token"))

exercise.mistake("positions-by-rows-and-columns", "learned-patch-positions",
    "The positions are counted by rows and columns. Each of the N + 1 tokens has a position of its own.",
    edit(plain, {"n_all + 1": "tall // config.patch + wide // config.patch + 1"}),
    edit(plain, {"n_all + 1": "tall // config.patch + wide // config.patch"}, "none for the class token"),
    edit(plain, {"(n_all + 1) * d": "(tall // config.patch + wide // config.patch) * (d // 2)"},
         "half the width each"))

exercise.mistake("positions-not-vectors", "learned-patch-positions",
    "A position is neither one number nor a patch's numbers: each of the N + 1 has d_model.",
    edit(plain, {"(n_all + 1) * d": "n_all + 1"}),
    edit(plain, {"(n_all + 1) * d": "n_all"}, "N"),
    edit(plain, {"(n_all + 1) * d": "(n_all + 1) * config.channels * config.patch ** 2"},
         "as many numbers as in a patch"),
    edit(plain, {"d + (n_all + 1) * d": "1 + n_all + 1"}, "the class token, too"))

exercise.mistake("positions-in-every-layer", "counting-a-vit",
    "The class token or the positions are counted in every layer. They come once, in front of the first.",
    edit(plain, {"d + d +": "d + d + config.n_layers *"}),
    edit(plain, {"d + d +": "d + config.n_layers * d +"}, "the class token"),
    edit(plain, {"d + d +": "d + config.n_layers * d + config.n_layers *"}, "both"))

exercise.mistake("pixels-for-patches", "grid-of-patches",
    "The number of positions follows from the patches, not from pixels or channels: N = (height / patch) · "
    "(width / patch).",
    edit(plain, {"n_all + 1": "tall * wide + 1"}),
    edit(plain, {"(n_all + 1)": "tall * wide"}, "no class token"),
    edit(plain, {"n_all + 1": "config.channels * tall * wide + 1"}, "times the channels"),
    edit(plain, {"n_all + 1": "tall * wide // config.patch + 1"}, "pixels over the patch's side"),
    edit(plain, {"(n_all + 1)": "tall * wide // config.patch"},
         "pixels over the patch's side, no class token"),
    edit(plain, {"n_all + 1": "wide + 1"}, "one side in pixels"),
    edit(plain, {"n_all + 1": "config.channels * n_all + 1"}, "patches of each channel"),
    edit(plain, {"n_all + 1": "tall * wide + 1", "d + 4 * d": "d + 0",
                 "2 * d +": "0 +"}, "pixels for patches, and no norms"))

exercise.mistake("one-side-for-patches", "grid-of-patches",
    "N is not the number of patches along one side. The grid has (height / patch) rows and (width / patch) "
    "columns: multiply them.",
    edit(plain, {"n_all + 1": "tall // config.patch + 1"}),
    edit(plain, {"(n_all + 1)": "tall // config.patch"}, "no class token"),
    edit(plain, {"n_all + 1": "tall // config.patch + 1", "d + 4 * d": "d + 0",
                 "2 * d +": "0 +"}, "one side for patches, and no norms"))

exercise.mistake("patch-is-a-count", "grid-of-patches",
    "patch is taken for the number of patches. It is the side of one patch in pixels: the grid has height "
    "/ patch rows and width / patch columns.",
    edit(plain, {"n_all + 1": "config.patch ** 2 + 1"}),
    edit(plain, {"(n_all + 1)": "config.patch ** 2"}, "no class token"),
    edit(plain, {"channels *": "channels *(tall // config.patch) * (wide // config.patch) + 1) * d + d + (",
                 " + d + (n_all + 1) * d": ""}, "a patch is an image's share"),
    edit(plain, {"n_all + 1": "config.patch + 1"}, "patch tokens"))

exercise.mistake("overlapping-patches", "grid-of-patches",
    "The patches overlap in this count, or there are too many or too few along a side: there are height / "
    "patch rows, width / patch columns.",
    edit(plain, {"n_all + 1": "(tall - config.patch + 1) * (wide - config.patch + 1) + 1"}),
    edit(plain, {"n_all + 1": "(tall // config.patch + 1) * (wide // config.patch + 1) + 1"},
         "one too many along a side"),
    edit(plain, {"(n_all + 1) * d": "((tall // config.patch + 1) * (wide // config.patch + 1)) * d"},
         "one too many along a side, none for the class token"),
    edit(plain, {"n_all + 1": "(tall // config.patch - 1) * (wide // config.patch - 1) + 1"},
         "one too few along a side"))

exercise.mistake("patch-not-squared", "patch-projection",
    "A patch has patch · patch pixels, and each pixel has config.channels numbers. The patch projection "
    "reads them all. In Python a square is patch**2, not patch^2.",
    edit(plain, {"patch**2": "patch"}),
    edit(plain, {"(config.": "config.", "**2 + 1)": ""}, "no bias"),
    edit(plain, {"config.patch**2": "2 * config.patch"}, "twice the side"),
    edit(plain, {"front =": "front =(", "patch**2": "patch) **2"}, "the channels squared, too"),
    edit(plain, {" * config.patch**2": ""}, "the channels alone"),
    edit(plain, {"config.patch**2": "(config.patch ^ 2)"}, "the sign for powers"),
    edit(plain, {"patch**2": "patch", "d + 4 * d": "d + 0",
                 "2 * d +": "0 +"}, "patch not squared, and no norms"))

exercise.mistake("no-channels", "patch-projection",
    "The patch projection does not use config.channels as it should: it reads channels · patch · patch "
    "numbers.",
    edit(plain, {"config.channels *": ""}),
    edit(plain, {"(config.channels * config.patch**2 + 1)": "config.patch ** 2"}, "no bias"),
    edit(plain, {"channels *": "channels +"}, "added"),
    edit(plain, {"config.channels": "3"}, "always three"),
    edit(plain, {"channels * config.patch**2": "patch"}, "nor the square"),
    edit(plain, {"config.channels *": "", "d + 4 * d": "d + 0",
                 "2 * d +": "0 +"}, "channels lost, and no norms"))

exercise.mistake("projection-for-each-patch", "patch-projection",
    "All patches share one projection. It does not grow with the image.",
    edit(plain, {"front =": "front = n_all *"}),
    edit(plain, {"config.patch**2": "tall * wide"}, "the whole image"),
    edit(plain, {"(config.": "n_all *config.", "2 + 1)": "2"}, "no bias"),
    edit(plain, {"**2 + 1": "**2 + n_all"}, "a bias for each patch"))

exercise.mistake("no-patch-projection", "patch-projection",
    "The weights of the patch projection are missing: channels · patch · patch numbers in, d_model out, "
    "with a bias.",
    edit(plain, {"(config.channels * config.patch**2 + 1) * d": "0"}),
    edit(plain, {" (config.channels * config.patch**2 + 1) *": ""}, "its bias alone"))

exercise.mistake("projection-bias-of-inputs", "patch-projection",
    "A bias has one number for each output. The patch projection makes d_model numbers.",
    edit(plain, {"(config.": "config.", "2 + 1) * d": "2 * (d + 1)"}))

exercise.mistake("projection-in-every-layer", "counting-a-vit",
    "The patch projection is counted in every layer. It comes once, in front of the first.",
    edit(plain, {"front =": "front = config.n_layers *"}),
    edit(plain, {" front +": "", "one + 2": "(front + one) + 2"}, "all in front"),
    edit(plain, {" front +": "", "* one": "*(front + one", "n_classes": "n_classes)"}, "everything"))

exercise.mistake("no-head", "vit-head",
    "The weights of the head are missing: it reads d_model numbers and makes n_classes, with a bias.",
    edit(plain, {"(d + 1) * config.n_classes": "0"}),
    edit(plain, {"2 * d + (d + 1) * config.n_classes": "0 + 0"}, "nor the last norm"),
    edit(plain, {" (d + 1) *": ""}, "its bias alone"),
    edit(plain, {"d + 4 * d": "d + 0",
                 "2 * d + (d + 1) * config.n_classes": "0 + 0"}, "the head, and no norms"),
    edit(plain, {"(n_all + 1)": "n_all", "(d + 1) * config.n_classes": "0"}, "the head, and N positions"))

exercise.mistake("no-head-bias", "vit-head",
    "The head's bias is missing, or counted as one number. It has n_classes numbers.",
    edit(plain, {"(d + 1)": "d"}),
    edit(plain, {"(d + 1)": "d", "n_classes": "n_classes + 1"}, "one number"))

exercise.mistake("head-bias-of-inputs", "vit-head",
    "The head's bias has one number for each class, not for each number that comes in.",
    edit(plain, {"(d + 1)": "d", "n_classes": "n_classes + d"}))

exercise.mistake("head-on-all-tokens", "vit-head",
    "The head reads the class token alone: d_model numbers in, n_classes out.",
    edit(plain, {"(d + 1)": "(n_all * d + 1)"}),
    edit(plain, {"(d + 1)": "((n_all + 1) * d + 1)"}, "and the class token"),
    edit(plain, {"(d + 1)": "(n_all + 1) * (d + 1)"}, "a head for each token"))

exercise.mistake("head-in-every-layer", "vit-head",
    "The head is counted in every layer. There is one, at the end.",
    edit(plain, {"(d + 1)": "config.n_layers * (d + 1)"}),
    edit(plain, {"* one": "*(one", "n_classes": "n_classes)"}, "with the norm"))

exercise.mistake("one-more-class", "vit-head", "There are n_classes outputs, no more and no fewer.",
    edit(plain, {"config.n_classes": "(config.n_classes + 1)"}),
    edit(plain, {"config.n_classes": "(config.n_classes - 1)"}, "one fewer"))

exercise.mistake("larger-head", "vit-head",
    "The head is counted too large: it is one layer from d_model to n_classes.",
    edit(plain, {"(d + 1)": "d * d + d + (d + 1)"}),
    edit(plain, {"(d + 1)": "d * f + f + (f + 1)"}, "a hidden layer of d_ff"),
    edit(plain, {"(d + 1)": "d * d + (d + 1)"}, "no bias in the hidden layer"),
    edit(plain, {"(d + 1)": "2 * (d + 1)"}, "twice"))

exercise.mistake("no-biases", "counting-a-vit",
    "Biases are missing. The patch projection, the four attention matrices, the two feed-forward matrices "
    "and the head have one each.",
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "(d * d + d)": "d * d", " f + d +": "",
                 "(d + 1)": "d"}),
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "(d * d + d)": "d * d", "f + d + 4": "2",
                 "2 * d + (d + 1)": "d + d"}, "norms without shift, too"),
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "(d * d + d)": "d * d", "f + d + 4 * d": "0",
                 "2 * d + (d + 1)": "0 + d"}, "no norms"),
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "(d * d + d)": "d * d",
                 " f + d +": ""}, "but the head's"),
    edit(plain, {"(d * d + d)": "d * d", " f + d +": "", "(d + 1)": "d"}, "but the patch projection's"),
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "(d * d + d)": "d * d", " f + d +": "",
                 "2 * d + (d + 1)": "0 + d"}, "no norm at the end"),
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "(n_all + 1)": "n_all", "(d * d + d)": "d * d",
                 " f + d +": "", "(d + 1)": "d"}, "N positions"),
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "d + (n_all + 1)": "0 + n_all",
                 "(d * d + d)": "d * d", "f + d + 4 * d": "0",
                 "2 * d + (d + 1)": "0 + d"}, "only weights: no norms, no class token"),
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "(n_all + 1)": "n_all", "(d * d + d)": "d * d",
                 "f + d + 4 * d": "0", "2 * d + (d + 1)": "0 + d"}, "only weights: no norms, N positions"),
    edit(plain, {"(config.": "config.", "2 + 1)": "2", "(d * d + d)": "d * d", "f + d + 4 * d": "0",
                 "2 * d +": "0 +"}, "no norms, the head's there"),
    edit(plain, {"(config.": "config.", "2 + 1)": "2",
                 "(d * d + d) + 2 * d * f + f + d + 4 * d": "d * d + 8 * d * d + 0",
                 "2 * d + (d + 1)": "0 + d"}, "12 d² a layer and no more"))

exercise.mistake("no-layer-biases", "counting-a-vit",
    "The biases inside the layers are missing: four of d_model in attention, one of d_ff and one of "
    "d_model in the feed-forward part.",
    edit(plain, {"(d * d + d)": "d * d", " f + d +": ""}),
    edit(plain, {"(d * d + d)": "d * d", "f + d + 4": "2"}, "norms without shift"),
    edit(plain, {"(d * d + d)": "d * d", "f + d + 4 * d": "0"}, "no norms in the layers"),
    edit(plain, {"(d * d + d)": "d * d", "f + d + 4 * d": "0", "2 * d +": "0 +"}, "no norms"))

exercise.mistake("attention-biases-or-norms", "counting-a-vit",
    "The count is too small by 4 · d_model for each layer. That is the two norms, each with a scale and a "
    "shift, or the biases of the four attention matrices.",
    edit(plain, {"d + 4 * d": "d + 0"}, "no norms in the layers"))

exercise.mistake("three-attention-biases", "counting-a-vit",
    "The count is too small by 3 · d_model for each layer: the biases of queries, keys and values.",
    edit(plain, {"(d * d + d)": "d * d + d"}))

exercise.mistake("one-norm-a-layer", "counting-a-vit",
    "The count is too small by 2 · d_model for each layer. A layer has two norms, and each has a scale and "
    "a shift.",
    edit(plain, {"d + 4 * d": "d + 2 * d"}))

exercise.mistake("one-bias-a-layer", "counting-a-vit",
    "The count is too small by d_model for each layer. Look for a bias: of the output projection, or of "
    "the second feed-forward matrix.",
    edit(plain, {"d + 4 * d": "4 * d"}, "of the second matrix"))

exercise.mistake("no-norms", "counting-a-vit",
    "The norms are missing: two in each layer and one after the last, each with a scale and a shift.",
    edit(plain, {"d + 4 * d": "d + 0", "2 * d +": "0 +"}),
    edit(plain, {"d + (n_all + 1)": "0 + n_all", "d + 4 * d": "d + 0",
                 "2 * d +": "0 +"}, "no norms, and no class token at all"),
    edit(plain, {"(n_all + 1)": "n_all", "d + 4 * d": "d + 0",
                 "2 * d +": "0 +"}, "no norms, and N positions"))

exercise.mistake("norms-without-shift", "counting-a-vit",
    "A norm has two vectors of d_model numbers, a scale and a shift: count both.",
    edit(plain, {"d + 4 * d": "d + 2 * d", "2 * d +": "d +"}))

exercise.mistake("three-norms-a-layer", "counting-a-vit",
    "Too many norms are counted in a layer: it has two. The one after the last layer comes once.",
    edit(plain, {"d + 4 * d": "d + 6 * d"}),
    edit(plain, {"d + 4 * d": "d + 6 * d", "2 * d +": "0 +"}, "the last norm in every layer"),
    edit(plain, {"d + 4 * d": "d + 8 * d"}, "four"))

exercise.mistake("norms-over-all-tokens", "counting-a-vit",
    "A norm has d_model scales and d_model shifts, the same for all tokens.",
    edit(plain, {"d + 4 * d": "d + 4 *(n_all + 1) * d", "one + 2": "one + 2 * (n_all + 1)"}),
    edit(plain, {"d + 4 * d": "d + 4 * n_all * d", "one + 2": "one + 2 * n_all"}, "over the patches"))

exercise.mistake("norms-are-numbers", "counting-a-vit",
    "A norm does not have one scale and one shift in all: it has d_model of each.",
    edit(plain, {"d + 4 * d": "d + 4", "2 * d +": "2 +"}),
    edit(plain, {"d + 4 * d": "d + 2", "2 * d +": "1 +"}, "one number each"))

exercise.mistake("number-for-vector", "counting-a-vit",
    "In each layer something is counted as one number that is a vector: a bias has one number for each "
    "output, and a norm has d_model scales and d_model shifts.",
    edit(plain, {"d + 4 * d": "d + 4"}, "the norms of a layer"))

exercise.mistake("attention-without-output", "counting-a-vit",
    "The output projection is missing: attention has four matrices, for queries, keys, values and output.",
    edit(plain, {"one = 4": "one = 3"}),
    edit(plain, {"4 * (d * d + d)": "3 * d * d + 4 * d"}, "its bias is there"),
    edit(plain, {"4 * (d * d + d)": "3 * d * d"}, "no biases"),
    edit(plain, {"one = 4": "one = 3", "d + 4 * d": "d + 0",
                 "2 * d +": "0 +"}, "no output projection, and no norms"),
    edit(plain, {"(n_all + 1)": "n_all", "one = 4": "one = 3"}, "no output projection, and N positions"))

exercise.mistake("attention-one-matrix", "counting-a-vit",
    "Attention has four matrices of d_model · d_model numbers: for queries, keys, values and output.",
    edit(plain, {"4 * (d * d + d)": "d * d + d"}),
    edit(plain, {"one = 4": "one = 2"}, "two"),
    edit(plain, {"4 * (d * d + d)": "0"}, "none"),
    edit(plain, {"one = 4": "one = 5"}, "five"),
    edit(plain, {"one = 4": "one = 6"}, "six"))

exercise.mistake("attention-times-heads", "counting-a-vit",
    "Attention grows with the number of heads. The heads share the width, so its matrices stay d_model by "
    "d_model.",
    edit(plain, {"one = 4": "one = 4 * config.n_heads"}),
    edit(plain, {"(d * d + d)": "config.n_heads * d * d + 4 * d"}, "weights alone"),
    edit(plain, {"4 * (d * d + d)": "3 * config.n_heads * (d * d + d) + d * d + d"},
         "queries, keys and values"),
    edit(plain, {"4 * (d * d + d)": "3 * config.n_heads * (d * d + d) + config.n_heads * d * d + d"},
         "three full matrices a head, one wide output projection"),
    edit(plain, {"(d * d + d)": "d * d + 3 * d + config.n_heads * d"},
         "an output projection and a bias for each head"))

exercise.mistake("attention-of-one-head", "counting-a-vit",
    "Attention is counted for one head. All heads together are d_model wide.",
    edit(plain, {"d * d + d": "d * (d // config.n_heads) + d // config.n_heads"}),
    edit(plain, {"4 * (d * d + d)": "3 * (d * (d // config.n_heads) + d // config.n_heads) + d * d + d"},
         "with the full output projection"),
    edit(plain, {"4 * (d * d + d)": "3 * (d + 1) * (d // config.n_heads) + (d // config.n_heads) * d + d"},
         "output projection back to the width"))

exercise.mistake("one-feed-forward-matrix", "counting-a-vit",
    "The feed-forward part has two matrices: d_model to d_ff, and back.",
    edit(plain, {"2 * d * f": "d * f"}),
    edit(plain, {"2 * d * f + f + d + 4": "d * f + f + 4"}, "one bias"),
    edit(plain, {"2 * d * f + f": "d * f"}, "the other bias"),
    edit(plain, {"2 * d * f": "d * f", "d + 4 * d": "d + 0", "2 * d +": "0 +"}, "one matrix, and no norms"),
    edit(plain, {"(n_all + 1)": "n_all", "2 * d * f": "d * f"}, "one matrix, and N positions"))

exercise.mistake("three-feed-forward-matrices", "counting-a-vit",
    "The feed-forward part has two matrices, d_model to d_ff and back: no gate.",
    edit(plain, {"2 * d * f": "3 * d * f"}),
    edit(plain, {"2 * d * f + f": "3 * d * f + 2 * f"}, "three biases"),
    edit(plain, {"f + d": "f * f + 2 * f + d"}, "a square in the middle"))

exercise.mistake("feed-forward-four-times", "counting-a-vit",
    "The width of the feed-forward part is d_ff, whatever d_model is.",
    edit(plain, {"2 * d * f + f + d": "8 * d * d + 5 * d"}),
    edit(plain, {"2 * d * f": "8 * d * d"}, "the weights"),
    edit(plain, {"2 * d * f + f + d": "8 * d * d"}, "no biases"),
    edit(plain, {"d * f + f + d": "(d * d + d)"}, "of the width"))

exercise.mistake("no-feed-forward", "counting-a-vit",
    "The feed-forward matrices are missing: two of them, with biases, in each layer.",
    edit(plain, {"2 * d * f + f + d": "0"}),
    edit(plain, {" 2 * d * f +": ""}, "its biases alone"))

exercise.mistake("feed-forward-biases", "counting-a-vit",
    "The feed-forward part has one bias of d_ff numbers and one of d_model.",
    edit(plain, {"f + d": "2 * d"}, "of d_model twice"),
    edit(plain, {"f + d": "2 * f"}, "of d_ff twice"),
    edit(plain, {" f + d +": ""}, "none"),
    edit(plain, {"f + d": "d"}, "the first is missing"),
    edit(plain, {"f + d": "d + d * 0 + 2 * f"}, "one of both"),
    edit(plain, {"f + d": "2"}, "two numbers"))

exercise.mistake("one-layer", "counting-a-vit",
    "The layers, or a part of them, are counted once. There are n_layers of them: multiply everything in a "
    "layer by n_layers.",
    edit(plain, {"config.n_layers": "1"}),
    edit(plain, {"one + 2": "(4 * d * d + 4 * d) + 2 * d * f + f + d + 4 * d + 2"},
         "attention in every layer"),
    edit(plain, {"one + 2": "(4 * d * d + 5 * d + 2 * d * f + f) + 4 * d + 2"}, "the norms once"),
    edit(plain, {"d + 4 * d": "d + 0",
                 "config.n_layers * one + 2 * d": "1 * one + 0"}, "one layer, and no norms"),
    edit(plain, {"(n_all + 1)": "n_all", "config.n_layers": "1"}, "one layer, and N positions"))

exercise.mistake("wrong-number-of-layers", "counting-a-vit",
    "There are n_layers layers, no more and no fewer.",
    edit(plain, {"config.n_layers": "(config.n_layers + 1)"}, "one more"),
    edit(plain, {"config.n_layers": "(config.n_layers - 1)"}, "one fewer"),
    edit(plain, {"config.n_layers": "(2 * config.n_layers)"}, "two stacks"),
    edit(plain, {"n_layers": "n_heads"}, "the number of heads"),
    edit(plain, {"config.n_layers": "(config.n_layers * config.n_heads)"}, "layers and heads"))

exercise.mistake("only-layers", "counting-a-vit",
    "Parts outside the layers are missing. In front of the layers stand patch projection, class token and "
    "positions; after them a norm and the head.",
    edit(plain, {" front +": "", " + 2 * d + (d + 1) * config.n_classes": ""}),
    edit(plain, {" front +": "", "one + 2 * d": "one"}, "and the head"),
    edit(plain, {" front +": "", " + (d + 1) * config.n_classes": ""}, "and the last norm"),
    edit(plain, {" front +": ""}, "and norm and head"),
    edit(plain, {RETURN: "return one"}, "one of them"))

exercise.mistake("a-bias-is-one-number", "counting-a-vit",
    "A bias is counted as one number. It has one for each output of its layer.",
    edit(plain, {"(config.": "config.", "2 + 1) * d": "2 * d + 1", "(d * d + d)": "d * d + 4", "f + d": "2",
                 "(d + 1)": "d", "n_classes": "n_classes + 1"}),
    edit(plain, {"(d * d + d)": "d * d + 4", "f + d": "2"}, "in the layers"))

exercise.mistake("without-weights", "counting-a-vit",
    "The matrices are missing: only small parts are counted. Add the four of attention and the two of the "
    "feed-forward part in each layer.",
    edit(plain, {" (config.channels * config.patch**2 + 1) *": "", "(d * d + d) + 2 * d * f": "d",
                 " (d + 1) *": ""}),
    edit(plain, {"(d * d + d) + 2 * d * f": "d"}, "no attention, no feed-forward part"))

exercise.mistake("square-only", "grid-of-patches",
    "This works for square images alone. image_size may also be (height, width): find out which it is, and "
    "take each side by itself.",
    edit(plain, {SIDE_TALL_WIDE: "", "tall //": "config.image_size //", "* (wide // config.patch)": "** 2"}),
    edit(plain, {SIDE_TALL_WIDE: "",
                 "(tall // config.patch) * (wide // config.patch)":
                 "config.image_size ** 2 // config.patch ** 2"}, "pixels"),
    edit(plain, {SIDE_TALL_WIDE: "",
                 "(tall // config.patch) * (wide // config.patch)":
                 "config.image_size * config.image_size // (config.patch * config.patch)"},
         "pixels, a product"),
    edit(plain, {SIDE_TALL_WIDE: "",
                 "(tall // config.patch) * (wide // config.patch)":
                 "int(config.image_size / config.patch) ** 2"}, "int of a quotient"),
    edit(plain, {SIDE_TALL_WIDE: "",
                 "(tall // config.patch) * (wide // config.patch)":
                 "divmod(config.image_size, config.patch)[0] ** 2"}, "divmod"),
    edit(plain, {SIDE_TALL_WIDE: "",
                 "(tall // config.patch) * (wide // config.patch)":
                 "len(range(0, config.image_size, config.patch)) ** 2"}, "range"),
    edit(plain, {"side = config.image_size": "rest = config.image_size % config.patch", TALL_WIDE: "",
                 "tall //": "(config.image_size - rest) //",
                 "* (wide // config.patch)": "** 2"}, "a remainder first"),
    edit(plain, {SIDE_TALL_WIDE: "", "tall //": "int(config.image_size) //",
                 "* (wide // config.patch)": "** 2"}, "int of the side"),
    edit(plain, {SIDE_TALL_WIDE: "",
                 "(tall // config.patch) * (wide // config.patch)":
                 "int(float(config.image_size) / config.patch) ** 2"}, "float of the side"),
    edit(plain, {"side = config.image_size": "assert config.image_size >= config.patch", TALL_WIDE: "",
                 "tall //": "config.image_size //",
                 "* (wide // config.patch)": "** 2"}, "a comparison first"),
    edit(plain, {"side = config.image_size": "assert isinstance(config.image_size, int)", TALL_WIDE: "",
                 "tall //": "config.image_size //", "* (wide // config.patch)": "** 2"}, "refused"))

exercise.mistake("pair-only", "grid-of-patches",
    "This works only where image_size is a pair. It may also be an int, the side of a square.",
    edit(plain, {"side =": "tall, wide =", TALL_WIDE: ""}, "unpacked"),
    edit(plain, {SIDE_TALL_WIDE: "", "tall //": "config.image_size[0] //",
                 "wide //": "config.image_size[1] //"}, "by number"),
    edit(plain, {"side = config.image_size": "assert len(config.image_size) == 2", TALL_WIDE: "",
                 "tall //": "config.image_size[0] //", "wide //": "config.image_size[1] //"}, "len"))

exercise.mistake("one-side-of-a-pair", "grid-of-patches",
    "Where image_size is a pair, its two sides are not used as they should be. The rows follow from the "
    "height, the columns from the width: multiply their numbers.",
    edit(plain, {"image_size": "image_size if isinstance(config.image_size, int) else config.image_size[0]",
                 TALL_WIDE: "", "tall //": "side //", "* (wide // config.patch)": "** 2"}, "the height"),
    edit(plain, {"image_size": "image_size if isinstance(config.image_size, int) else config.image_size[1]"},
         "the width"),
    edit(plain, {"image_size":
                 "image_size if isinstance(config.image_size, int) else max(config.image_size)"},
         "the longer side"),
    edit(plain, {"image_size":
                 "image_size if isinstance(config.image_size, int) else min(config.image_size)"},
         "the shorter side"),
    edit(plain, {"image_size":
                 "image_size if isinstance(config.image_size, int) else sum(config.image_size) / 2",
                 TALL_WIDE: "",
                 "(tall // config.patch) * (wide // config.patch)": "int(side / config.patch) ** 2"},
         "the mean"),
    edit(plain, {"side = config.image_size": "", "side, side": "config.image_size, config.image_size",
                 "side, int": "config.image_size, int", "else side": "else config.image_size",
                 ") * (wide // config.patch)":
                 "* (wide // config.patch) if isinstance(config.image_size, int) else tall // "
                 "config.patch + wide // config.patch)"}, "added"))

exercise.mistake("config-is-no-dict", "counting-a-vit",
    "The config is an object: read its fields as attributes, config.patch.",
    edit(tensor_count, {".d_model, config.d_ff": "['d_model']"}),
    edit(plain, {"d_model, config.d_ff": "get('d_model')"}, "get"),
    full("image_size, patch, channels, d, n_layers, n_heads, f, n_classes = config\n"
         "return d * n_classes", "unpacked"),
    full("sizes = dict(config)\nreturn sizes['d_model'] * sizes['n_classes']", "items"),
    full("sizes = {**config}\nreturn sizes['d_model'] * sizes['n_classes']", "stars"))

exercise.mistake("not-an-int", "counting-a-vit",
    "A count is an int, not a float. Divide with //, and convert nothing with float.",
    edit(plain, {every("// config"): "/ config"}),
    edit(plain, {every("// config"): "/ config", "d + d +": "d + 0 +"}, "no class token"),
    edit(plain, {every("// config"): "/ config",
                 "d + (n_all + 1)": "0 + n_all"}, "N positions and no class token"))

exercise.mistake("rounded", "counting-a-vit",
    "The count is given in millions, rounded, or as a string. Return the exact number, an int.",
    edit(plain, {"return": "return(", "n_classes": "n_classes) / 1e6"}, "millions"),
    edit(plain, {"return": "return round((", "n_classes": "n_classes) / 1e6, 1)"}, "rounded millions"),
    edit(plain, {RETURN: "return f'{front + config.n_layers * one + 2 * d + (d + 1) * config.n_classes:,}'"},
         "a string"),
    edit(plain, {"return": "return str(", "n_classes": "n_classes)"}, "a string without commas"))

exercise.mistake("parts-not-added", "counting-a-vit",
    "One number is asked for. Add the parts up and return the sum itself, an int, in no tuple, list or dict.",
    edit(plain, {"front +": "front ,", "+ 2 * d +": ", 2 * d,"}),
    edit(plain, {"front +": "[front,", "one + 2": "one , 2", "n_classes": "n_classes]"}, "a list"),
    edit(plain, {"front +": "{'front': front, 'layers':", "one + 2": "one , 'head': 2",
                 "n_classes": "n_classes}"}, "a dict"),
    edit(plain, {"return": "return{'parameters':", "n_classes": "n_classes}"}, "a dict with a sum"),
    edit(plain, {"front +": "{'embedding': front, 'layers':", "+ 2 * d +": ", 'norm': 2 * d, 'head':",
                 "n_classes": "n_classes}"}, "a dict by parts"),
    edit(plain, {"n_classes": "n_classes,"}, "a comma"))

exercise.mistake("tensors-counted", "counting-a-vit",
    "The tensors are counted, not the numbers in them. Add up the sizes: numel() of each.",
    full("d = config.d_model\n"
         "layers = [nn.TransformerEncoderLayer(d, config.n_heads, config.d_ff) for _ in "
         "range(config.n_layers)]\n"
         "rest = [nn.Conv2d(config.channels, d, config.patch), nn.LayerNorm(d), nn.Linear(d, "
         "config.n_classes)]\n"
         "return sum(len(list(part.parameters())) for part in layers + rest) + 2"))

exercise.mistake("maps-counted", "counting-a-vit",
    "The attention maps are counted. They are computed anew for each image, and nothing in them is learned.",
    edit(plain, {"(d * d + d)": "(d * d + d) + (n_all + 1) ** 2"}),
    edit(plain, {"(d * d + d)": "(d * d + d) + config.n_heads * (n_all + 1) ** 2"}, "of every head"),
    edit(plain, {"(d * d + d)": "(d * d + d) + n_all ** 2"}, "patches alone"))

exercise.mistake("size-fixed", "counting-a-vit",
    "A size is written into the code. Take every size from the config.",
    full("return 86567656", "the number of ViT-B/16"),
    full("return {768: 86_567_656, 1024: 304_326_632}.get(config.d_model, 632_045_800)",
         "the published numbers"),
    edit(plain, {"one + 2 * d + (d + 1)":
                 "(4 * 768 * 769 + 2 * 768 * f + f + 768 + 4 * 768) + 2 * 768 + 769"}, "a width of 768"),
    edit(plain, {"config.n_classes": "1000"}, "a thousand classes"),
    edit(plain, {"config.n_layers": "12"}, "twelve layers"),
    edit(plain, {"(n_all + 1)": "197"}, "196 patches"),
    edit(plain, {every("config.patch"): "16"}, "patches of sixteen pixels"),
    edit(plain, {"config.patch**2": "16**2"}, "patches of sixteen pixels in the projection"))

exercise.built_in("returns-nothing",
    edit(plain, {RETURN: "print(front + config.n_layers * one)"}))

exercise.built_in("ready-made",
    full("import allyouneed.models as models\n"
         "own = getattr(models, 'V' + 'it')\n"
         "return sum(p.numel() for p in own(config).parameters())", "under a name put together"),
    full("from allyouneed.models import Vit\nreturn sum(p.numel() for p in Vit(config).parameters())"),
    full("from allyouneed.models import vit\n"
         "from allyouneed.models.common import parameter_count\n"
         "return parameter_count(vit.Vit, config)", "the module's"),
    full("import allyouneed.models as zoo\n"
         "model = zoo.Vit\n"
         "with torch.device('meta'):\n"
         "    return sum(p.numel() for p in model(config).parameters())", "under another name"))

exercise.built_in("timeout",
    full("from time import sleep\n"
         "total = layer = 0\n"
         "while layer < config.n_layers:\n"
         "    sleep(0.01)\n"
         "    total += 4 * config.d_model ** 2\n"
         "return total"))

N = "config.height // config.patch * (config.width // config.patch) + 1"
exercise.equal("numbers are counted, on any device and in any order, not computed with", {
    'with torch.device("meta"):': "if True:", f"{N}, d": f"d, {N}",
    f"{N}, config.d_model": f"config.d_model, {N}", "1, 1, config.d_model": "1, config.d_model, 1",
    "torch.zeros": "torch.ones", ", stride=config.patch": "", "=True": "=False", "=False": "=True",
    ", batch_first=True": "", ", norm_first=True": "", ", enable_nested_tensor=False": ""})
exercise.equal("quotients have no rest, and what is whole needs no int", {
    "config.d_model // config.n_heads": "config.d_model / config.n_heads",
    "config.height // config.patch": "config.height / config.patch",
    "config.width // config.patch": "config.width / config.patch", "return int": "return"})
